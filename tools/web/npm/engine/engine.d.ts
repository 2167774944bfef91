// Types of knuthle-engine. Answers are the objects of the command's `--json`, whose keys docs/json.md names.

export type Answer = Record<string, any>;
export type List = "original" | "nyt-2022" | "nyt-2023" | "nyt-2026";
/** Words as an array, or as a text with a word a line. */
export type Words = string | string[];
/** Guesses and their scores: text such as `crane bybbb`, or pairs. */
export type Clues = string | string[] | [string, string][];
/** Lines `word weight`, or a weight for each word. */
export type Weights = string | Record<string, number>;
export type Rule = "minimax" | "entropy" | "expected-size" | "parts" | "proportion";
export type GuessFrom = "allowed" | "secrets" | "candidates";
export type Progress = (done: number, whole: number) => void;

export class EngineError extends Error {
  /** The exit code that the command would end with. */
  code: number;
}

export interface WordGame {
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

export interface CodeGame {
  kind: "mastermind";
  holes: number;
  colours: number;
  distinct?: boolean;
}

interface Weighed {
  weights?: Weights;
}

export interface Advice extends Weighed {
  top?: number;
  by?: string;
  guessFrom?: GuessFrom;
  within?: number;
  common?: boolean;
  hard?: boolean;
  pattern?: string;
}

export class Game {
  /** What to guess after some clues; with a list of clues, of several boards. */
  suggest(clues?: Clues | Clues[], options?: Advice): Answer;
  /** The best first words. */
  openers(options?: Weighed & { words?: Words; by?: string; top?: number; bottom?: number }): Answer;
  /** How a word, or two, split the secrets. */
  buckets(word: string, options?: Weighed): Answer;
  /** What guesses cost against the best one: exact, or between bounds. */
  regret(
    clues: Clues,
    words: string | string[],
    options?: Weighed & { hard?: boolean; timeLimit?: number },
  ): Answer;
  /** A game that was played, graded guess by guess. */
  review(
    guesses: Clues,
    secret?: string | null,
    options?: Weighed & { hard?: boolean; timeLimit?: number; onProgress?: Progress },
  ): Answer;
  /** The replies of an adversary to guesses one after the other. */
  adversary(guesses: string[]): Answer;
  /** A whole strategy, as the bytes of its file. */
  solve(
    options?: Weighed & {
      start?: string | string[];
      rule?: Rule | "optimal";
      guessFrom?: GuessFrom;
      hard?: boolean;
      within?: number;
      pure?: boolean;
      onProgress?: Progress;
    },
  ): Uint8Array;
}

export class Engine {
  EngineError: typeof EngineError;
  game(options?: WordGame | CodeGame): Game;
  /** Play every secret of a strategy file, or derive every step of a proof. */
  check(
    bytes: Uint8Array,
    options?: {
      name?: string;
      within?: number;
      hard?: boolean;
      words?: Words;
      secrets?: Words;
      sample?: unknown;
      onProgress?: Progress;
    },
  ): Answer;
  /** The words of a shipped list. */
  shipped(name: List, part: "allowed" | "answers"): string[] | null;
}

/** Open the engine; `base` is where engine.wasm and words/ are, if not beside the module. */
export function open(options?: { base?: string | URL }): Promise<Engine>;
