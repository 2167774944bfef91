// Boards: a row of tiles for each guess, the row that is being typed, and the rows that are free; the table they are on.

import { fill, make, tapKey } from "./dom.js";
import { MARK_NAMES, namesOf } from "./clues.js";

/** @import { BoardLook, Child, Draft, Marks, Row } from "./types.js" */

/** The parts of a tab at which one plays: boards, a line, keys and buttons, and beside them what is said of it.
 *  @param {HTMLElement} element @param {string} label @param {string} beside @param {Child[]} above */
export function playTable(element, label, beside, ...above) {
  const parts = {
    boards: make("div", { class: "boards" }),
    note: make("p", { class: "note", role: "status" }),
    keys: make("div", { class: "keyboard" }),
    moves: make("div", { class: "moves" }),
    beside: make("section", { class: "card advice", "aria-label": beside }),
  };
  const { boards, note, keys, moves } = parts;
  fill(element, make("section", { class: "card table", "aria-label": label }, ...above, boards, note, keys, moves), parts.beside);
  return parts;
}

/** Show boards: on each the rows that it has answered, and what `how(board)` says; a tile keeps the focus.
 *  @param {HTMLElement} element @param {number} count @param {Row[]} rows @param {(board: number) => BoardLook} how */
export function showBoards(element, count, rows, how) {
  const focus = document.activeElement;
  const which = focus instanceof HTMLElement && element.contains(focus) ? focus : null;
  const at = [...element.children].findIndex((each) => each.contains(which));
  const boards = Array.from({ length: count }, (_, board) => {
    const seen = rows.flatMap(({ word, marks: { [board]: marks } }, row) => (marks ? [{ word, marks, row }] : []));
    return boardOf(count > 1 ? `Board ${board + 1}` : "Board", seen, how(board));
  });
  element.classList.toggle("many", count > 1);
  fill(element, ...boards);
  /** @type {HTMLElement | null | undefined} */
  const again = which && boards[at]?.querySelector(`[data-at="${which.dataset.at}"]`);
  again?.focus();
}

/** A board: its rows, with their numbers among all rows, and how it looks.
 *  @typedef {{word: string, marks: Marks, row: number}} Answered
 *  @param {string} label @param {Answered[]} rows @param {BoardLook} look */
function boardOf(label, rows, { draft, length, limit, onMark, onDraft, doubtful, fresh }) {
  const lines = rows.map((row, at) => doneRow(row, at, { onMark, doubtful, fresh: fresh && at === rows.length - 1 }));
  if (draft) lines.push(draftRow(draft, rows.length, length, onDraft));
  while (lines.length < limit) lines.push(emptyRow(length));
  const element = make("ol", { class: "board", "aria-label": label }, ...lines);
  element.style.setProperty("--length", String(length));
  return element;
}

/** @param {Answered} row @param {number} number @param {Pick<BoardLook, "onMark" | "doubtful" | "fresh">} look */
function doneRow({ word, marks, row }, number, { onMark, doubtful, fresh }) {
  const letters = Array.from(word);
  const label = `Guess ${number + 1}: ${word}, ${namesOf(marks)}`;
  const tiles = letters.map((letter, at) => {
    const isDoubtful = doubtful && doubtful.row === row && doubtful.at === at;
    const kind = `tile ${MARK_NAMES[marks[at]]}${isDoubtful ? " doubtful" : ""}`;
    if (!onMark) return make("span", { class: kind, "aria-hidden": "true" }, letter);
    return tapKey(letter, () => onMark(row, at), {
      class: kind,
      "data-at": `${number} ${at}`,
      "aria-label": `Guess ${number + 1}, tile ${at + 1}, ${letter}: ${MARK_NAMES[marks[at]]}${isDoubtful ? ", may be wrong" : ""}`,
    });
  });
  const role = onMark ? "group" : "img";
  return make("li", {}, make("div", { class: `row${fresh ? " fresh" : ""}`, role, "aria-label": label }, ...tiles));
}

/** @param {Draft} draft @param {number} row @param {number} length @param {BoardLook["onDraft"]} onDraft */
function draftRow({ letters, marks, cursor }, row, length, onDraft) {
  const signs = Array.from(letters);
  const isWhole = onDraft !== undefined && signs.length === length;
  const tiles = Array.from({ length }, (_, at) => {
    const letter = signs[at] ?? "";
    const spelled = `tile new${letter ? " typed" : ""}${at === signs.length ? " here" : ""}`;
    if (!marks && !isWhole) return make("span", { class: spelled, "aria-hidden": "true" }, letter);
    return tapKey(letter, () => onDraft?.(at), {
      class: marks ? `tile ${MARK_NAMES[marks[at]]} waiting${at === cursor ? " here" : ""}` : spelled,
      "data-at": `${row} ${at}`,
      "aria-label": `Tile ${at + 1}, ${letter}: ${marks ? MARK_NAMES[marks[at]] : "not coloured"}`,
    });
  });
  const label = marks ? `Guess ${row + 1}: ${letters}. Its colours` : `Guess ${row + 1}: ${letters || "empty"}`;
  return make("li", {}, make("div", { class: "row now", role: marks || isWhole ? "group" : "img", "aria-label": label }, ...tiles));
}

/** @param {number} length */
function emptyRow(length) {
  const tiles = Array.from({ length }, () => make("span", { class: "tile empty" }));
  return make("li", { "aria-hidden": "true" }, make("div", { class: "row" }, ...tiles));
}

/** A small picture of colours.
 *  @param {Marks} marks */
export function smallReply(marks) {
  const label = namesOf(marks);
  return make(
    "span",
    { class: "reply", role: "img", "aria-label": label },
    ...marks.map((mark) => make("i", { class: MARK_NAMES[mark] })),
  );
}
