// Options and answers, as programs give and get them; those of the package for npm, too.

/** The object of the command's `--json`, whose keys docs/json.md names. */
export type Answer = Record<string, any>;
export type List = "original" | "nyt-2022" | "nyt-2023" | "nyt-2026";
/** Words as an array, or as a text with a word a line. */
export type Words = string | string[];
/** Guesses and their scores: text such as `crane bybbb`, or pairs. */
export type Clues = string | string[] | [word: string, score: string | number][];
/** What is done of the whole. */
export type OnProgress = (done: number, whole: number) => void;
/** Lines `word weight`, or a weight for each word. */
export type WeightsGiven = string | Record<string, number> | Map<string, number>;
export type Rule = "minimax" | "entropy" | "expected-size" | "parts" | "proportion";
export type GuessFrom = "allowed" | "secrets" | "candidates";

export interface WordOptions {
  kind?: "wordle";
  /** A shipped list, or else `guesses` of one's own. */
  list?: List;
  guesses?: Words;
  name?: string;
  secrets?: "answers" | "allowed" | Words;
  secretsName?: string;
  /** Words that will not be hidden again, or what is made of the newspaper's past answers. */
  used?: "weigh" | "exclude" | Words;
  usedName?: string;
  hard?: boolean;
}
export interface CodeOptions {
  kind: "mastermind";
  holes: number;
  colours: number;
  distinct?: boolean;
}
export type GameOptions = WordOptions | CodeOptions;
export interface WeightsOption {
  weights?: WeightsGiven | null;
}
export interface AdviceOptions extends WeightsOption {
  /** How many words; null: all. */
  top?: number | null;
  by?: string | null;
  guessFrom?: GuessFrom;
  /** The most guesses of a game; null: no limit. */
  within?: number | "none" | null;
  common?: boolean;
  hard?: boolean;
  pattern?: string | string[];
}
export interface OpenersOptions extends WeightsOption {
  words?: string[];
  by?: string;
  top?: number | null;
  bottom?: number;
}
export interface RegretOptions extends WeightsOption {
  hard?: boolean;
  /** Seconds a guess. */
  timeLimit?: number;
}
export interface ReviewOptions extends RegretOptions {
  onProgress?: OnProgress;
}
export interface SolveOptions extends WeightsOption {
  start?: string | string[];
  rule?: Rule | "optimal";
  guessFrom?: GuessFrom;
  hard?: boolean;
  within?: number | null;
  pure?: boolean;
  onProgress?: OnProgress;
}
export interface CheckOptions {
  name?: string;
  within?: number | null;
  hard?: boolean;
  words?: Words | null;
  secrets?: Words | null;
  /** Some steps of a proof alone, which proves nothing. */
  sample?: { share: number; seed?: number } | null;
  onProgress?: OnProgress;
}
