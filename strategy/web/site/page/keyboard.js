// The keys on the screen: letters while a word is typed, three colours while tiles are coloured.

import { fill, make, tapKey } from "./dom.js";
import { MARK_NAMES } from "./clues.js";

const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const ROW = 11;

/** The rows of keys for the letters of a list: as on most keyboards, then what others there are.
 *  @param {Iterable<string>} letters */
export function keyRows(letters) {
  const all = new Set(letters);
  const rows = ROWS.map((row) => Array.from(row).filter((key) => all.has(key)));
  const others = [...all].filter((key) => !ROWS.join("").includes(key)).sort();
  for (let at = 0; at < others.length; at += ROW) rows.push(others.slice(at, at + ROW));
  return rows.filter((row) => row.length);
}

/** The keys become those of colours or of letters; others stood here before.
 *  @param {HTMLElement} element @param {boolean} areColours */
function becomes(element, areColours) {
  if (element.classList.contains("colours") !== areColours) element.dataset.fresh = "";
  element.classList.toggle("colours", areColours);
}

/** What a key does; the second click of two was meant for the key that stood here at the first.
 *  @param {HTMLElement} element @param {() => void} act @returns {(event: MouseEvent) => void} */
const once = (element, act) => ({ detail }) => {
  if (detail > 1 && "fresh" in element.dataset) return;
  delete element.dataset.fresh;
  act();
};

/** What a key of the keyboard is for a board: its name, or "Undo"; null where a field, a button or the browser has it.
 *  @param {KeyboardEvent} event */
export function boardKey({ key, target, ctrlKey, metaKey, altKey }) {
  const on = target instanceof Element ? target : null;
  if (on?.closest("input, textarea, select")) return null;
  if (ctrlKey || metaKey) return key.toLowerCase() === "z" ? "Undo" : null;
  if (altKey || (key === "Enter" && on?.closest("button:not(.tile), a, summary"))) return null;
  return key;
}

/** Show keys. `press` gets a letter, "Enter" or "Backspace"; `best` is the colour of each letter.
 *  @param {HTMLElement} element @param {string[][]} rows @param {Map<string, number>} best
 *  @param {(name: string) => void} press */
export function showLetters(element, rows, best, press) {
  /** @param {string} letter */
  const key = (letter) => {
    const mark = best.get(letter);
    const known = mark === undefined ? "" : `, ${MARK_NAMES[mark]}`;
    const attributes = { class: `key ${mark === undefined ? "" : MARK_NAMES[mark]}`, "aria-label": letter + known };
    return tapKey(letter, once(element, () => press(letter)), attributes);
  };
  const lines = rows.map((row, at) => {
    const line = make("div", { class: "keys" }, ...row.map(key));
    if (at === rows.length - 1) line.prepend(wide(element, "Enter", "Enter", press));
    if (at === rows.length - 1) line.append(wide(element, "⌫", "Backspace", press));
    return line;
  });
  becomes(element, false);
  fill(element, ...lines);
}

/** Show the three colours. `press` gets 0, 1 or 2, "Enter" or "Backspace".
 *  @param {HTMLElement} element @param {(name: string | number) => void} press */
export function showColours(element, press) {
  /** @param {number} mark */
  const colour = (mark) =>
    tapKey(MARK_NAMES[mark], once(element, () => press(mark)), {
      class: `key colour ${MARK_NAMES[mark]}`,
      "aria-label": `next tile ${MARK_NAMES[mark]}`,
    });
  becomes(element, true);
  fill(
    element,
    make("div", { class: "keys" }, ...[0, 1, 2].map(colour)),
    make("div", { class: "keys" }, wide(element, "⌫", "Backspace", press), wide(element, "Done", "Enter", press)),
  );
}

/** @param {HTMLElement} element @param {string} text @param {string} name @param {(name: string) => void} press */
const wide = (element, text, name, press) =>
  tapKey(text, once(element, () => press(name)), {
    class: `key wide ${name === "Enter" ? "enter" : ""}`,
    "aria-label": name === "Enter" ? text : "Delete",
  });
