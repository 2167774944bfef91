// Types of knuthle-engine. Answers are the objects of the command's `--json`, whose keys docs/json.md names.

import type {
  AdviceOptions, Answer, CheckOptions, Clues, CodeOptions, List, OpenersOptions, RegretOptions, ReviewOptions,
  SolveOptions, WeightsOption, WordOptions,
} from "./engine/public.js";

export type {
  Answer, Clues, GuessFrom, List, Rule, Words, AdviceOptions as Advice, CodeOptions as CodeGame, OnProgress as Progress,
  WeightsGiven as Weights, WordOptions as WordGame,
} from "./engine/public.js";

export class EngineError extends Error {
  constructor(message: string, code?: number);
  /** The exit code that the command would end with. */
  code: number;
}

export class Game {
  /** What to guess after some clues; with a list of clues, of several boards. */
  suggest(clues?: Clues | Clues[], options?: AdviceOptions): Answer;
  /** The best first words. */
  openers(options?: OpenersOptions): Answer;
  /** How a word, or two, split the secrets. */
  buckets(word: string | string[], options?: WeightsOption): Answer;
  /** What guesses cost against the best one: exact, or between bounds. */
  regret(clues: Clues, words: string | string[], options?: RegretOptions): Answer;
  /** A game that was played, graded guess by guess. */
  review(guesses: Clues, secret?: string | null, options?: ReviewOptions): Answer;
  /** The replies of an adversary to guesses one after the other. */
  adversary(guesses: string[]): Answer;
  /** A whole strategy, as the bytes of its file. */
  solve(options?: SolveOptions): Uint8Array;
}

export class Engine {
  EngineError: typeof EngineError;
  game(options?: WordOptions | CodeOptions): Game;
  /** Play every secret of a strategy file, or derive every step of a proof. */
  check(bytes: Uint8Array, options?: CheckOptions): Answer;
  /** The words of a shipped list. */
  shipped(name: List, part: "allowed" | "answers"): string[] | null;
}

/** Open the engine; `base` is where engine.wasm and words/ are, if not beside the module. */
export function open(options?: { base?: string | URL }): Promise<Engine>;
