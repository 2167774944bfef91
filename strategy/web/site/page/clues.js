// Clues: words with the colours that they got, read from what people type and paste.

import { demandsOf, unmet } from "../engine/hard_mode.js";
import { colourAt, plain, scoreOf } from "../engine/words.js";

export { plain };

/** Each kind of tile as people write it: grey, yellow, green. */
const SPELLINGS = ["bBxX0⬛⬜.-_", "yYpP1🟨🟦?", "gGoO2🟩🟧!"].map((marks) => Array.from(marks));
const TILES = /^(?:[⬛⬜🟨🟦🟩🟧]\ufe0f?)+$/u;

export const MARK_NAMES = ["grey", "yellow", "green"];

/** The colours that a guess gets if this is the secret, letter by letter. */
export function grade(guess, secret) {
  const letters = Array.from(guess);
  return marksOf(scoreOf(letters, 0, Array.from(secret), 0, letters.length), letters.length);
}

/** Colours as text: bygbb. */
export const marksText = (marks) => marks.map((mark) => "byg"[mark]).join("");

/** The colours of a score's number. */
export const marksOf = (score, length) =>
  Array.from({ length }, (_, at) => colourAt(score, at));

export const isSolved = (marks) => marks.every((mark) => mark === 2);

/** What one sign stands for: 0, 1, 2; -1 for none. */
export const markOf = (sign) => SPELLINGS.findIndex((known) => known.includes(sign));

/** The colours that a text stands for; null if it stands for none. */
export function marksFrom(text, length) {
  const marks = Array.from(text.replaceAll("\ufe0f", ""), markOf);
  return marks.length === length && !marks.includes(-1) ? marks : null;
}

/** What somebody pasted, in pieces: words and scores between blanks, dots and commas. */
export function pieces(text) {
  return text.split(/[\s.,;:|/]+/u).filter((piece) => piece !== "");
}

/** Pasted clues, word and colours in turn (of several boards: a word and the colours of each).
 *  null if the text is something else, or goes on after all boards are solved. */
export function cluesFrom(text, length, boards = 1) {
  const rows = [];
  const solved = new Array(boards).fill(false);
  const queue = pieces(text);
  while (queue.length) {
    const word = plain(queue.shift());
    if (Array.from(word).length !== length || solved.every(Boolean)) return null;
    const marks = solved.map((is) => (is ? null : marksFrom(queue.shift() ?? "", length)));
    if (marks.some((of, board) => of === null && !solved[board])) return null;
    marks.forEach((of, board) => (solved[board] ||= of !== null && isSolved(of)));
    rows.push({ word, marks });
  }
  return rows;
}

/** Clues as an address holds them, and as commands read them: crane.bybbb.slate.gybbb */
export const cluesText = (rows) =>
  rows.flatMap(({ word, marks }) => [word, ...marks.filter(Boolean).map(marksText)]).join(".");

/** The clues of one board as pairs of a word and its colours, for the engine. */
export const cluesOf = (rows, board) =>
  rows.filter(({ marks }) => marks[board]).map(({ word, marks }) => [word, marksText(marks[board])]);

/** The rows of a share grid in a text, and the rest of it. */
export function gridFrom(text, length) {
  const rows = [];
  const rest = [];
  for (const piece of text.replace(/\ufe0f/g, "").split(/\s+/u)) {
    if (TILES.test(piece) && Array.from(piece).length === length) rows.push(marksFrom(piece, length));
    else if (piece !== "") rest.push(piece);
  }
  return { rows, rest };
}

/** How strongly each letter is known: the best colour that it got. */
export function letterMarks(rows, board) {
  const best = new Map();
  for (const { word, marks } of rows) {
    Array.from(word).forEach((letter, at) => {
      if (marks[board]) best.set(letter, Math.max(best.get(letter) ?? 0, marks[board][at]));
    });
  }
  return best;
}

/** Whether a word can be the secret after these clues. */
export const fits = (word, rows, board) =>
  rows.every(({ word: guess, marks }) => !marks[board] || grade(guess, word).every((mark, at) => mark === marks[board][at]));

/** Faults, each once with how many words have it as their `count`, the likeliest first. */
export function likeliest(faults) {
  const found = new Map();
  for (const fault of faults) {
    const key = Object.values(fault).join(" ");
    if (!found.has(key)) found.set(key, { ...fault, count: 0 });
    found.get(key).count++;
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}

/** Which single tile may be wrong when no word fits: {row, at, mark, count}, the likeliest first. */
export function wrongTiles(rows, board, words) {
  const faults = [];
  for (const word of words) {
    const wrong = [];
    for (const [row, { word: guess, marks }] of rows.entries()) {
      const clue = marks[board];
      if (clue) grade(guess, word).forEach((mark, at) => mark !== clue[at] && wrong.push({ row, at, mark }));
      if (wrong.length > 1) break;
    }
    if (wrong.length === 1) faults.push(wrong[0]);
  }
  return likeliest(faults);
}

/** What hard mode forbids of a word: a sentence, or null if it is legal after these clues. */
export function illegal(word, rows, board = 0) {
  const letters = Array.from(word);
  const all = rows.filter(({ marks }) => marks[board]).flatMap((row) => demandsOf(Array.from(row.word), 0, row.marks[board]));
  const missed = unmet(all, letters, 0, letters.length);
  if (missed === undefined) return null;
  const [letter, { at, times }] = [missed.letter.toUpperCase(), missed];
  if (at !== undefined) return `Hard mode: letter ${at + 1} must be ${letter}.`;
  return `Hard mode: the word must have ${letter}${times > 1 ? ` ${times} times` : ""}.`;
}
