// Boards: a row of tiles for each guess, the row that is being typed, and the rows that are free; the table they are on.

import { fill, make, tapKey } from "./dom.js";
import { MARK_NAMES } from "./clues.js";

/** The parts of a tab at which one plays: boards, a line, keys and buttons, and beside them what is said of it. */
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

/** Show boards: on each the rows that it has answered, and what `how(board)` says; a tile keeps the focus. */
export function showBoards(element, count, rows, how) {
  const focus = element.contains(document.activeElement) ? document.activeElement : null;
  const which = focus && [[...element.children].indexOf(focus.closest("ol")), focus.dataset.at];
  const boards = Array.from({ length: count }, (_, board) => {
    const seen = rows.map(({ word, marks }, row) => ({ word, marks: marks[board], row })).filter(({ marks }) => marks);
    return boardOf(count > 1 ? `Board ${board + 1}` : "Board", { rows: seen, ...how(board) });
  });
  element.classList.toggle("many", count > 1);
  fill(element, ...boards);
  if (which) boards[which[0]]?.querySelector(`[data-at="${which[1]}"]`)?.focus();
}

/** A board.
 *
 *  rows: [{word, marks, row}] of this board, with their numbers among all rows; draft: {letters, marks or null, cursor} or null; length;
 *  limit: how many rows there are at least; onMark(row, at): a tile of an earlier row is tapped;
 *  onDraft(at): a tile of the draft is tapped, whose word is whole; doubtful: {row, at} of a tile that may be wrong.
 */
function boardOf(label, { rows, draft, length, limit, onMark, onDraft, doubtful, fresh }) {
  const lines = rows.map((row, at) => doneRow(row, at, { onMark, doubtful, fresh: fresh && at === rows.length - 1 }));
  if (draft) lines.push(draftRow(draft, rows.length, length, onDraft));
  while (lines.length < limit) lines.push(emptyRow(length));
  const element = make("ol", { class: "board", "aria-label": label }, ...lines);
  element.style.setProperty("--length", length);
  return element;
}

function doneRow({ word, marks, row }, number, { onMark, doubtful, fresh }) {
  const letters = Array.from(word);
  const label = `Guess ${number + 1}: ${word}, ${marks.map((mark) => MARK_NAMES[mark]).join(", ")}`;
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

function draftRow({ letters, marks, cursor }, row, length, onDraft) {
  const signs = Array.from(letters);
  const isWhole = onDraft !== undefined && signs.length === length;
  const tiles = Array.from({ length }, (_, at) => {
    const letter = signs[at] ?? "";
    const spelled = `tile new${letter ? " typed" : ""}${at === signs.length ? " here" : ""}`;
    if (!marks && !isWhole) return make("span", { class: spelled, "aria-hidden": "true" }, letter);
    return tapKey(letter, () => onDraft(at), {
      class: marks ? `tile ${MARK_NAMES[marks[at]]} waiting${at === cursor ? " here" : ""}` : spelled,
      "data-at": `${row} ${at}`,
      "aria-label": `Tile ${at + 1}, ${letter}: ${marks ? MARK_NAMES[marks[at]] : "not coloured"}`,
    });
  });
  const label = marks ? `Guess ${row + 1}: ${letters}. Its colours` : `Guess ${row + 1}: ${letters || "empty"}`;
  return make("li", {}, make("div", { class: "row now", role: marks || isWhole ? "group" : "img", "aria-label": label }, ...tiles));
}

function emptyRow(length) {
  const tiles = Array.from({ length }, () => make("span", { class: "tile empty" }));
  return make("li", { "aria-hidden": "true" }, make("div", { class: "row" }, ...tiles));
}

/** A small picture of colours. */
export function smallReply(marks) {
  const label = marks.map((mark) => MARK_NAMES[mark]).join(", ");
  return make(
    "span",
    { class: "reply", role: "img", "aria-label": label },
    ...marks.map((mark) => make("i", { class: MARK_NAMES[mark] })),
  );
}
