// Types that several modules of the page share. Nothing here runs.

import type { Answer } from "../engine/public.js";

export type { Answer };

// ---- Elements

export type Child = Node | string | null | undefined;
/** A function is a listener: `onclick`. */
export type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;
/** The parts of a tab at which one plays. */
export type PlayTable = Record<"boards" | "note" | "keys" | "moves" | "beside", HTMLElement>;
/** A tab: which options mean something on it, and what it does with what reaches the page. */
export interface Tab {
  id: string;
  name: string;
  fields: string[];
  build(element: HTMLElement): void;
  /** Show the position of an address. */
  open(text: string): Promise<void>;
  leave(): void;
  /** Whether the tab took it. */
  key?(event: KeyboardEvent): boolean;
  paste?(text: string): boolean;
  drop?(file: File): Promise<boolean>;
}

// ---- Games

/** Colours: 0 grey, 1 yellow, 2 green. */
export type Marks = number[];
/** A guess, and its colours on each board; null on one that was solved before. */
export interface Row {
  word: string;
  marks: (Marks | null)[];
}
/** A word and its colours, as the engine takes them. */
export type Clue = [word: string, text: string];
/** A tile whose colour may be wrong, the colour that would mend it, for how many words. */
export interface WrongTile {
  row: number;
  at: number;
  mark: number;
  count: number;
  board: number;
}
/** The row that is being typed. */
export interface Draft {
  letters: string;
  marks: Marks | null;
  cursor: number;
}
/** How a board looks, and what its tiles do. */
export interface BoardLook {
  draft: Draft | null;
  length: number;
  /** How many rows there are at least. */
  limit: number;
  /** A tile of an earlier row is tapped: its number among all rows. */
  onMark?(row: number, at: number): void;
  /** A tile of the draft is tapped, whose word is whole. */
  onDraft?(at: number): void;
  doubtful?: { row: number; at: number } | null;
  fresh?: boolean;
}
/** What the page knows of a game's words. */
export interface Words {
  guesses: string[];
  secrets: string[];
  length: number;
  letters: Set<string>;
  has(word: string): boolean;
  /** Of a shipped list that is not read yet only the letters are known. */
  isComing?: boolean;
}
/** Words of one's own; the number tells them from other ones. */
export interface OwnList {
  words: string[];
  name: string;
  id: number;
}

// ---- Questions

/** A game as the engine is asked for it. */
export interface Spec {
  kind?: "mastermind";
  holes?: number;
  colours?: number;
  list?: string;
  secrets?: string;
  used?: string;
  hard?: boolean;
  guesses?: string[];
  name?: string;
  id?: number;
}
export type Progress = { done: number; total: number };
export interface How {
  signal?: AbortSignal;
  onProgress?(progress: Progress): void;
}
/** What a worker is asked. */
export interface Params {
  key?: string;
  args?: any[];
  spec?: Spec;
  text?: string;
}
/** What it answers. */
export interface Reply {
  id: number;
  result?: any;
  error?: { kind: string; message: string };
  progress?: Progress;
  hasBegun?: boolean;
}

// ---- Advice

export type Take = (word: string) => void;
/** A column of proposals. */
export interface Column {
  name: string;
  show(row: Answer): string;
}
/** What proposals are called and look like, and what stands above and below them. */
export interface ProposalsLook {
  isSplit?: boolean;
  columns?: Column[];
  hints?: { exact?: string; other?: string; split?: string };
  choices?: Child[];
  noun?: string;
  nouns?: string;
  shown?(word: string): HTMLElement;
  named?(word: string): string;
  may?: string;
}
/** Which proposals are wanted, and what changes that. */
export interface AdviceLook {
  first: boolean;
  wanted: { answers: boolean; bits: boolean };
  choose(name: "answers" | "bits"): void;
}
