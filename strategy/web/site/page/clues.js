// Clues: words with the colours that they got, read from what people type and paste.

import { demandsOf, unmet } from "../engine/hard_mode.js";
import { coloursOf, plain, scoreOf } from "../engine/words.js";

/** @import { Clue, Marks, Row, WrongTile } from "./types.js" */

export { plain };

/** Each kind of tile as people write it: grey, yellow, green. */
const SPELLINGS = ["bBxX0⬛⬜.-_", "yYpP1🟨🟦?", "gGoO2🟩🟧!"].map((marks) => Array.from(marks));
const TILES = /^(?:[⬛⬜🟨🟦🟩🟧]\ufe0f?)+$/u;

export const MARK_NAMES = ["grey", "yellow", "green"];

/** Colours in words.
 *  @param {Marks} marks */
export const namesOf = (marks) => marks.map((mark) => MARK_NAMES[mark]).join(", ");

/** Colours as people share them.
 *  @param {Marks} marks */
export const tilesOf = (marks) => marks.map((mark) => ["⬛", "🟨", "🟩"][mark]).join("");

/** The colours that a guess gets if this is the secret, letter by letter.
 *  @param {string} guess @param {string} secret */
export function grade(guess, secret) {
  const letters = Array.from(guess);
  return coloursOf(scoreOf(letters, 0, Array.from(secret), 0, letters.length), letters.length);
}

/** Colours as text: bygbb.
 *  @param {Marks} marks */
export const marksText = (marks) => marks.map((mark) => "byg"[mark]).join("");

/** @param {Marks} marks */
export const isSolved = (marks) => marks.every((mark) => mark === 2);

/** What one sign stands for: 0, 1, 2; -1 for none.
 *  @param {string} sign */
export const markOf = (sign) => SPELLINGS.findIndex((known) => known.includes(sign));

/** The colours that a text stands for; null if it stands for none.
 *  @param {string} text @param {number} length */
export function marksFrom(text, length) {
  const marks = Array.from(text.replaceAll("\ufe0f", ""), markOf);
  return marks.length === length && !marks.includes(-1) ? marks : null;
}

/** What somebody pasted, in pieces: words and scores between blanks, dots and commas.
 *  @param {string} text */
export function pieces(text) {
  return text.split(/[\s.,;:|/]+/u).filter((piece) => piece !== "");
}

/** Pasted clues, word and colours in turn (of several boards: a word and the colours of each).
 *  null if the text is something else, or goes on after all boards are solved.
 *  @param {string} text @param {number} length @param {number} [boards] @returns {Row[] | null} */
export function cluesFrom(text, length, boards = 1) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {boolean[]} */
  const solved = new Array(boards).fill(false);
  const queue = pieces(text);
  while (queue.length) {
    const word = plain(queue.shift() ?? "");
    if (Array.from(word).length !== length || solved.every(Boolean)) return null;
    const marks = solved.map((is) => (is ? null : marksFrom(queue.shift() ?? "", length)));
    if (marks.some((of, board) => of === null && !solved[board])) return null;
    marks.forEach((of, board) => (solved[board] ||= of !== null && isSolved(of)));
    rows.push({ word, marks });
  }
  return rows;
}

/** Clues as an address holds them, and as commands read them: crane.bybbb.slate.gybbb
 *  @param {Row[]} rows */
export const cluesText = (rows) =>
  rows.flatMap(({ word, marks }) => [word, ...marks.filter((of) => of !== null).map(marksText)]).join(".");

/** The clues of one board as pairs of a word and its colours, for the engine.
 *  @param {Row[]} rows @param {number} board */
export const cluesOf = (rows, board) =>
  rows.flatMap(({ word, marks: { [board]: marks } }) => (marks ? [/** @type {Clue} */ ([word, marksText(marks)])] : []));

/** What the engine is asked about: the clues of the one board, or of each.
 *  @param {Row[]} rows @param {number} boards */
export const cluesOfAll = (rows, boards) =>
  (boards === 1 ? cluesOf(rows, 0) : Array.from({ length: boards }, (_, board) => cluesOf(rows, board)));

/** Which boards are solved.
 *  @param {Row[]} rows @param {number} boards */
export const solvedBoards = (rows, boards) =>
  Array.from({ length: boards }, (_, board) => rows.some(({ marks: { [board]: marks } }) => marks && isSolved(marks)));

/** The rows of a share grid in a text, and the rest of it.
 *  @param {string} text @param {number} length */
export function gridFrom(text, length) {
  const rows = [];
  const rest = [];
  for (const piece of text.replace(/\ufe0f/g, "").split(/\s+/u)) {
    const marks = TILES.test(piece) ? marksFrom(piece, length) : null;
    if (marks) rows.push(marks);
    else if (piece !== "") rest.push(piece);
  }
  return { rows, rest };
}

/** How strongly each letter is known: the best colour that it got.
 *  @param {Row[]} rows @param {number} board */
export function letterMarks(rows, board) {
  /** @type {Map<string, number>} */
  const best = new Map();
  for (const { word, marks } of rows) {
    const clue = marks[board];
    if (clue) Array.from(word).forEach((letter, at) => best.set(letter, Math.max(best.get(letter) ?? 0, clue[at])));
  }
  return best;
}

/** Whether a word can be the secret after these clues.
 *  @param {string} word @param {Row[]} rows @param {number} board */
export const fits = (word, rows, board) =>
  rows.every(({ word: guess, marks: { [board]: clue } }) => !clue || grade(guess, word).every((mark, at) => mark === clue[at]));

/** Faults, each once with how many words have it as their `count`, the likeliest first.
 *  @template {object} T @param {T[]} faults */
export function likeliest(faults) {
  /** @type {Map<string, T & {count: number}>} */
  const found = new Map();
  for (const fault of faults) {
    const key = Object.values(fault).join(" ");
    found.set(key, { ...fault, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}

/** Which single tile may be wrong when no word fits, the likeliest first.
 *  @param {Row[]} rows @param {number} board @param {string[]} words @returns {WrongTile[]} */
export function wrongTiles(rows, board, words) {
  const faults = [];
  for (const word of words) {
    /** @type {Omit<WrongTile, "count">[]} */
    const wrong = [];
    for (const [row, { word: guess, marks }] of rows.entries()) {
      const clue = marks[board];
      if (clue) grade(guess, word).forEach((mark, at) => mark !== clue[at] && wrong.push({ row, at, mark, board }));
      if (wrong.length > 1) break;
    }
    if (wrong.length === 1) faults.push(wrong[0]);
  }
  return likeliest(faults);
}

/** What hard mode forbids of a word: a sentence, or null if it is legal after these clues.
 *  @param {string} word @param {Row[]} rows @param {number} [board] */
export function illegal(word, rows, board = 0) {
  const letters = Array.from(word);
  const all = rows.flatMap(({ word: guess, marks: { [board]: clue } }) => (clue ? demandsOf(Array.from(guess), 0, clue) : []));
  const missed = unmet(all, letters, 0, letters.length);
  if (missed === undefined) return null;
  const [letter, { at, times }] = [missed.letter.toUpperCase(), missed];
  if (at !== undefined) return `Hard mode: letter ${at + 1} must be ${letter}.`;
  return `Hard mode: the word must have ${letter}${times > 1 ? ` ${times} times` : ""}.`;
}
