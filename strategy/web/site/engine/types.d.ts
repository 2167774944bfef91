// Types that several modules of the engine share. Nothing here runs.

import type { ReadStrategy } from "./check.js";
import type { CodeGame } from "./codes.js";
import type { Real } from "./files.js";
import type { KERNELS } from "./kernels.js";
import type { KernelArray } from "./memory.js";
import type { Opened } from "./opened.js";
import type { Shown } from "./proof.js";
import type { OnProgress } from "./public.js";
import type { Search, WeightedSearch } from "./race.js";
import type { WordGame } from "./words.js";

export type * from "./public.js";

// ---- Arrays, and calls of kernels: types that follow from the forms of kernels.js

/** Kind of items → the view of them. */
export interface Items {
  bool: Uint8Array;
  int8: Int8Array;
  int16: Int16Array;
  int32: Int32Array;
  int64: BigInt64Array;
  uint8: Uint8Array;
  uint16: Uint16Array;
  uint32: Uint32Array;
  uint64: BigUint64Array;
  float32: Float32Array;
  float64: Float64Array;
}
export type Item = keyof Items;
/** What makes a view. */
export interface View<T extends Item> {
  new (buffer: ArrayBufferLike, address: number, count: number): Items[T];
  readonly BYTES_PER_ELEMENT: number;
}
export type Shape = number | readonly number[];

/** The form of an argument or a result: a text, a tuple, or a tuple whose parts have names. */
export type Form = string | readonly Form[] | { readonly [part: string]: Form };
export interface KernelForm {
  readonly args: readonly Form[];
  readonly result: Form;
}

type Forms = typeof KERNELS;
export type KernelName = keyof Forms;
/** The form of a kernel for other items, which is called by the same name; else the same. */
type Twin<N extends KernelName> = `${N}_wide` extends KernelName
  ? Forms[`${N}_wide`]
  : `${N}_long` extends KernelName ? Forms[`${N}_long`] : Forms[N];
type ItemOf<F> = F extends `${infer T extends Item} ${string}` ? T : never;
type Leaf<A, B> = A extends "none"
  ? null | undefined
  : A extends "bool" ? boolean : A extends "int" | "float" ? number : KernelArray<ItemOf<A> | ItemOf<B>>;
/** What has one form, or the other one with other items. */
type Value<A, B = A> = A extends string
  ? Leaf<A, B>
  : { readonly [K in keyof A]: Value<A[K], K extends keyof B ? B[K] : never> };
type Given<A, B> = A extends "int" ? number | bigint : Value<A, B>;
type AllGiven<A, B> = { [K in keyof A]: Given<A[K], K extends keyof B ? B[K] : never> };

/** What a kernel takes. */
export type Arguments<N extends KernelName> = AllGiven<[...Forms[N]["args"]], Twin<N>["args"]>;
/** What a kernel answers. A number that is not exact comes as a BigInt. */
export type Result<N extends KernelName> = Forms[N]["result"] extends "none"
  ? null
  : Value<Forms[N]["result"], Twin<N>["result"]>;

export interface Exports {
  memory: WebAssembly.Memory;
  reserve(bytes: bigint): number;
  mark(): number;
  release(mark: number): void;
  [kernel: string]: any;
}

// ---- What kernels work with

/** A rule, as kernels see it. */
export type Criterion = Arguments<"best_word">[0]["criterion"];
export type WordSearch = Arguments<"best_word">[0];
export type LetterBits = WordSearch["letters"];
export type MatrixSearch = Arguments<"best_column">[0];
export type Scores = KernelArray<"uint8" | "uint32">;
/** What a search of states works with, and its parts. */
export type Work = Arguments<"settle_totals">[0];
export type ScoreTable = Work["table"];
export type Memo = Work["memo"];
export type Batch = Arguments<"settle_totals">[1];
export type Ceilings = Batch["ceilings"];
export type Buckets = Batch["buckets"];
export type KernelState = Arguments<"settle_totals">[2];
export type Totals = Arguments<"settle_totals">[3];
export type GuessRoom = Totals["race"];
export type Revealed = KernelArray<"uint64">;
/** A state that is searched, with the columns of guesses. */
export interface StateSearch {
  work: Work;
  batch: Batch;
  members: KernelArray<"int32">;
  revealed: Revealed;
  columns: KernelArray<"int32">;
}

// ---- Games

export type Engine = Opened;
export type Rules = WordGame | CodeGame;
/** The words of a list that is shipped: `part` is `allowed` or `answers`. */
export type Shipped = (name: string, part: string) => string[] | null;
/** Positions: of guesses among the guesses, of secrets among the secrets. */
export type Ids = Int32Array;
/** A guess and its score. */
export type Step = [guess: number, score: number];
export type Steps = Step[];
/** A weight for each secret. */
export type Weights = Float64Array;
/** Refuses a file. */
export type Fail = (reason: string) => never;
export type Column = number[] | Int32Array;
/** The states of a strategy in preorder. */
export interface Tree {
  guess: Column;
  parent: Column;
  score: Column;
}
export interface GrowingTree extends Tree {
  guess: number[];
  parent: number[];
  score: number[];
}
/** Chooses guesses in a game by a rule. */
export interface RuleSearcher {
  choose(candidates: Ids, legal: Ids | null): number;
  grow(candidates: Ids, starts: number[], history: Steps): Tree;
}

/** What is hidden, with a weight for each secret or without; what JSON says of that. */
export interface Weighed {
  rules: Rules;
  weights: Weights | null;
  facts: { used?: object; weights?: object };
  /** Whether other words count where no secret fits. */
  widens: boolean;
}
/** The demands of hard mode: a letter at a place, or a letter so many times. */
export type Demand<T> =
  | { at: number; letter: T; times?: undefined }
  | { at?: undefined; letter: T; times: number };
/** What the candidates cannot tell apart: colours of one leader, orders of holes with their paint. */
export interface Alike {
  leader: number[];
  sizes(of: number): number;
  absent: Set<number>;
  holes: number[][];
  paint: number[][];
}
/** A share grid: its scores, its words, whether it has the star of hard mode. */
export interface Shared {
  scores: number[];
  words: string[];
  hard: boolean;
}

// ---- Advice

/** Guesses ranked by a measure, best first: column by column; of each guess of the game its place among equals. */
export type Ranking = { length: number; classes: Int32Array } & { [K in keyof RankRows]: RankRows[K]["data"] };
/** What is asked of advice, checked. */
export interface Asked {
  by: string | null;
  top: number | null;
  guessFrom: string;
  within: number | null;
  common: boolean;
  hard: boolean;
}
export interface SuggestAsked extends Asked, Omit<Weighed, "rules"> {
  patterns: string[];
}
/** Measures of guesses, and rows of a ranking, as kernels hold them. */
export type Measures = Arguments<"rank_rows">[0];
export type RankRows = Arguments<"rank_rows">[6];
/** Totals, by places of a ranking, and the best guesses. */
export interface Ahead {
  within: number | null;
  totals: Map<number, number | null>;
  least: number | null;
  best: number[];
  secrets: number;
}
/** A condition of a pattern. */
export interface Condition {
  text: string;
  allows(word: string): boolean;
}
/** A state of a game; weights are those of what is left. */
export interface Situation {
  engine: Engine;
  rules: Rules;
  left: Ids;
  history: Steps;
  hard: boolean;
  weights: Weights | null;
}
/** A state in which a guess was made or not. */
export interface PlayedState extends Situation {
  guess: number | null;
}
/** What guesses of a state take on average. */
export interface Worth {
  expected: Map<number, number>;
  yours: number | null;
}
/** What a state was worth: guesses with their expectations. */
export interface Insight {
  left: Ids;
  least: number;
  best: [guess: number, expected: number][];
  yours: number | null;
  exact: boolean;
}

/** A guess of a review. */
export interface Graded {
  word: string;
  score: number;
  text: string;
  before: number;
  after: number;
  expected: number;
  best: string;
  best_expected: number;
  skill: number;
  extra_bits: number;
  luck_guesses: number;
  exact: boolean;
  better: string[];
  better_expected: number[];
}
/** What the sentence of a review is about. */
export interface Reviewed {
  guesses: Graded[];
  solved: boolean;
  remaining: number;
  skill: number;
  luck_guesses: number;
}
/** What a review is made with. */
export interface Reviewing extends Pick<Weighed, "facts" | "widens"> {
  hard: boolean;
  timeLimit: number;
  onProgress: OnProgress;
  given: Weights | null;
}
/** What a state takes at least and at most, with a guess of its own. */
export interface Least {
  low: number;
  high: number;
  best: number[];
  ownLow: number | null;
  ownHigh: number | null;
}
export interface RegretState extends Situation {
  timeLimit: number;
  pool: Set<number>;
  least?: Least;
  bounds?: Map<number, number>;
}
/** One of several boards: its clues, the secrets that fit, and those of them that count. */
export interface Board {
  clues: Steps;
  fitting: Ids;
  solved: number | null;
  left: Ids;
  widened: boolean;
  weights: Weights | null;
}
export interface Position {
  rules: Rules;
  /** The game in which any allowed word may be hidden. */
  wide: Rules;
  turns: { guess: number; scores: number[] }[];
  boards: Board[];
  isWeighed: boolean;
}
export interface Proposal {
  word: string;
  rank: number;
  entropy: number;
  candidate: boolean;
  mean: number | null;
  n_alike: number;
}
export interface Proposals {
  by: string;
  words: Proposal[];
}

// ---- Exact search of whole games

/** A whole table as a state; `ids` are the guesses that its rows stand for. */
export interface Problem {
  rules: WordGame;
  table: ScoreTable;
  ids: Ids;
  weights?: number[] | null;
  count: number;
  left: number;
  revealed: Revealed;
}
/** A state of a problem: rows of its table. */
export interface State {
  rows: Int32Array;
  left: number;
  revealed: BigUint64Array;
  bound?: number;
  near?: number;
}
/** A strategy of a state: nodes in preorder, what is above each, a row that leads there. */
export interface Plan {
  guess: Column;
  above: Column;
  rows: Column;
  total: number;
  height: number;
}
/** What is found of a state, or of a first guess: a bound, whether it is the value, and a strategy of it. */
export interface Found {
  bound: number;
  exact: boolean;
  guess?: number;
  plan?: Plan | null;
}
/** What a kind of solver has: values with the column to guess, the guess of a column, and its buckets but its own. */
export interface SolverOfKind {
  value(state: State, limit?: number): { bound: number; column: number };
  number(column: number): number;
  buckets(state: State, column: number): State[];
}
/** Units of work that were spent, by a search and those that it makes. */
export interface Tally {
  spent: number;
}
/** How a problem is searched: lists of guesses that outlive a search, guesses that are screened together. */
export interface Room {
  mayForget?: boolean;
  lists?: number;
  together?: number;
  tally?: Tally;
}
/** With the weights of its rows. */
export interface WeighedProblem extends Problem {
  weights: number[];
}
/** A bucket of a first guess, and what is known of it. */
export interface Bucket extends State {
  bound: number;
  exact: boolean;
  plan?: Plan | null;
  search?: Search | WeightedSearch;
}
/** A bucket still to be searched, up to a limit; its value may be near another one. */
export interface HardBucket extends State {
  bound: number;
  limit: number;
}

// ---- Files

/** What is written into a file. */
export type Packed = null | boolean | number | string | Uint8Array | Packed[] | Map<string, Packed>;
/** What is read from one. */
export type Unpacked = null | boolean | number | string | Uint8Array | Real | Unpacked[] | Map<string, Unpacked>;
export type Kind = "S" | "P" | "R" | "F";
/** How a strategy was made. */
export interface Origin {
  rule: string;
  starts: number[];
  guessFrom: string;
  hard: boolean;
  claim?: Record<string, Packed>;
}
/** A strategy as columns, its words in their order. */
export interface Columns {
  words: string[];
  guess: Uint32Array;
  parent: Uint32Array;
  score: Uint32Array;
  hit: Uint8Array | Uint32Array;
}

// ---- What the checkers read

/** The head of a strategy's file. */
export interface ReadOrigin {
  game: string;
  list_name: string;
  guesses: number;
  guesses_digest: string;
  secrets_name: string;
  secrets: number;
  secrets_digest: string;
  rule: string;
  start: string[];
  guess_from: string;
  hard: boolean;
  claim: Map<string, Unpacked>;
}
/** Secrets that were played: guesses taken, nodes where they end, nodes and guesses where others are stuck. */
export interface Games {
  taken: Map<string, number>;
  ends: Map<string, number>;
  stuck: Map<string, [node: number, made: number]>;
  passed: Uint8Array;
}
export interface ReferenceLists {
  guesses: string[] | null;
  secrets: string[];
}
export interface Fault {
  fault: string;
  word: string | null;
  line: number | null;
  reason: string;
}
/** For each place the guess that showed its green; for each letter how often, and where. */
export interface Shows {
  greens: (string[] | null)[];
  shown: Map<string, [times: number, guess: string[]]>;
}
/** What a proof claims. */
export interface Statement {
  game: string;
  list_name: string;
  secrets_name: string;
  guesses: number;
  guesses_digest: string;
  secrets: number;
  secrets_digest: string;
  hard: boolean;
  start: string;
  objective: "total" | "losses" | "worst";
  limit: number;
  losses: number;
  total: number;
  guess_from?: "secrets" | "candidates";
}
export interface Claim {
  left: number;
  shown: number;
  value: number;
  set: Int32Array;
  fixing: ArrayLike<number> & Iterable<number>;
  images: ArrayLike<number> & Iterable<number>;
}
export interface Refutation {
  left: number;
  set: Int32Array;
  cited: Int32Array;
}
export interface Proof {
  statement: Statement;
  strategy: ReadStrategy | null;
  shown: string[];
  symmetries: Uint8Array[];
  claims: Claim[];
  refutations: Refutation[];
  isPegs: boolean;
}
export interface ProofLists {
  guesses: string[];
  secrets: string[];
}
export interface ProofState {
  set: Int32Array;
  left: number;
  shown: Shown | null;
}
export interface ProofBucket extends ProofState {
  score: number;
  bound: number;
}
/** A claim about one set, with the rows of its scores. */
export interface ProvedClaim extends ProofState {
  value: number;
  rows: Int32Array;
}
/** The code to which a symmetry maps a code. */
export type Symmetry = (code: number) => number;
