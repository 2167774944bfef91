// First words, ranked: a table that can be sorted, with the split of each as a bar.

import { announce, button, fill, grouped, labelled, make, wordLine, wordOf } from "./dom.js";
import { askGame, Cancelled, sentenceOf } from "./asking.js";
import { notInList, wordsOf } from "./lists.js";
import { spec } from "./options.js";
import { needed, work } from "./work.js";
import { plain } from "./clues.js";

/** @import { Answer, Attributes, Child, Tab, Words } from "./types.js" */

const TOP = 40;
const MOST_PARTS = 30;
/** Longer words have no room beside the figures on a telephone. */
const SHORT = 7;
/** @type {{by: string, name: string, key: string, show(value: number): string}[]} */
const COLUMNS = [
  { by: "entropy", name: "Bits", key: "entropy", show: (value) => value.toFixed(3) },
  { by: "expected-size", name: "Leaves", key: "expected_size", show: (value) => value.toFixed(1) },
  { by: "minimax", name: "Largest", key: "largest", show: grouped },
  { by: "parts", name: "Groups", key: "parts", show: grouped },
];

/** @type {Words} */
let words;
/** @type {Record<"found" | "table" | "note", HTMLElement>} */
let parts;
let by = "entropy";
let isReversed = false;
/** @type {Answer[]} */
let rows = [];
let drawing = 0;

/** The tab.
 *  @type {Tab} */
export const openers = { id: "openers", name: "Openers", fields: ["list", "used"], build, open, leave };

/** @param {HTMLElement} element */
function build(element) {
  element.classList.add("single");
  const word = wordLine("opener-word", () => look(word.value));
  parts = { found: make("div", { class: "wide" }), table: make("div", { class: "wide" }), note: make("p", { class: "note", role: "status" }) };
  fill(
    element,
    make(
      "section",
      { class: "card advice", "aria-label": "Openers" },
      make("h2", {}, "The best first words"),
      make("p", {}, "The replies to a word split the answers into groups; the smaller the groups, the better the word. Choose a heading to rank all words by it."),
      labelled("opener-word", "Look up a word", make("div", { class: "moves" }, word, button("Look up", () => look(word.value)))),
      parts.note,
      parts.found,
      make("p", { class: "hint" }, "Bits: information of the reply. Leaves: answers that remain on average. Largest: the largest group. Groups: different replies. The bar shows the groups, the largest first."),
      parts.table,
    ),
  );
}

export async function open() {
  const found = await needed(() => wordsOf(spec({ hard: false })));
  if (found === null) return;
  words = found;
  await rank(by);
}

function leave() {
  drawing++;
}

/** @param {string} measure */
async function rank(measure) {
  let answer;
  try {
    answer = await work("Ranking all words", (how) => askGame(spec({ hard: false }), "openers", [{ by: measure, top: TOP }], how));
  } catch (error) {
    fill(parts.note, sentenceOf(error));
    fill(parts.table);
    return;
  }
  if (answer === null) {
    if (!rows.length) fill(parts.table, make("p", { class: "moves" }, button("Rank all words", () => rank(measure))));
    return;
  }
  by = measure;
  isReversed = false;
  rows = answer.openers.map((/** @type {Answer} */ row) => ({ ...row, sizes: null }));
  show();
  announce(`Ranked by ${by}`);
  draw();
}

function show() {
  const heads = COLUMNS.map(({ by: measure, name }) => {
    const isNow = measure === by;
    const sort = isNow ? (isReversed ? "ascending" : "descending") : null;
    const act = () => {
      if (!isNow) rank(measure);
      else {
        isReversed = !isReversed;
        show();
      }
    };
    return head(button(isNow ? `${name} ${isReversed ? "▲" : "▼"}` : name, act, { class: "sort" }), { "aria-sort": sort });
  });
  fill(parts.table, tableOf("First words, the best first", heads, isReversed ? [...rows].reverse() : rows));
}

/** @param {Child} shown @param {Attributes} [attributes] */
const head = (shown, attributes = {}) => make("th", { scope: "col", role: "columnheader", ...attributes }, shown);

/** @param {string} caption @param {Node[]} heads @param {Answer[]} ordered */
function tableOf(caption, heads, ordered) {
  return make(
    "table",
    { class: words.length > SHORT ? "openers long" : "openers", role: "table" }, // on a phone its rows are no rows of a table to the browser
    make("caption", { class: "unseen" }, caption),
    make(
      "thead",
      { role: "rowgroup" },
      make("tr", { role: "row" }, head("Word"), ...heads, head("Groups as a bar", { class: "split" })),
    ),
    make("tbody", { role: "rowgroup" }, ...ordered.map(line)),
  );
}

/** @param {Answer} row */
function line(row) {
  const cells = COLUMNS.map(({ key, show: text }) => make("td", { role: "cell" }, text(row[key])));
  row.cell = make("td", { class: "split", role: "cell" });
  paint(row);
  return make("tr", { role: "row" }, make("th", { scope: "row", role: "rowheader" }, wordOf(row.word), row.candidate ? make("span", { class: "dot", role: "img", "aria-label": "may be the answer" }) : null), ...cells, row.cell);
}

/** @param {Answer} row */
function paint({ cell, sizes }) {
  if (!sizes) return;
  const shown = sizes.slice(0, MOST_PARTS);
  const rest = sizes.slice(MOST_PARTS).reduce((/** @type {number} */ sum, /** @type {number} */ size) => sum + size, 0);
  const bar = make("span", { class: "segments", role: "img", "aria-label": `largest groups: ${sizes.slice(0, 5).join(", ")}` });
  for (const [at, size] of [...shown, ...(rest ? [rest] : [])].entries()) {
    const segment = make("i", at === MOST_PARTS ? { class: "rest" } : {});
    segment.style.flexGrow = String(size);
    bar.append(segment);
  }
  fill(cell, bar);
}

/** Ask for the groups of each word, one after the other, while nothing else is asked. */
async function draw() {
  const mine = ++drawing;
  for (const row of [...rows]) {
    if (mine !== drawing) return;
    if (row.sizes) continue;
    try {
      row.sizes = sizesOf(await askGame(spec({ hard: false }), "buckets", [row.word]));
    } catch (error) {
      if (error instanceof Cancelled) return;
      throw error;
    }
    if (mine === drawing && row.cell) paint(row);
  }
}

/** @param {Answer} answer @returns {number[]} */
const sizesOf = (answer) => answer.splits[0].buckets.map((/** @type {Answer} */ { count }) => count).sort((/** @type {number} */ a, /** @type {number} */ b) => b - a);

/** Show the row of a word, whatever its rank is.
 *  @param {string} text */
async function look(text) {
  const word = plain(text.trim());
  fill(parts.found);
  if (!words?.has(word)) {
    fill(parts.note, notInList(word));
    return;
  }
  try {
    const sizes = sizesOf(await askGame(spec({ hard: false }), "buckets", [word]));
    const { openers: [row] } = await askGame(spec({ hard: false }), "openers", [{ by, words: [word] }]);
    fill(parts.found, tableOf("The word that was looked up", COLUMNS.map(({ name }) => head(name)), [{ ...row, sizes }]));
    fill(parts.note, `${word.toUpperCase()} has rank ${grouped(row.rank)} of ${grouped(words.guesses.length)} by ${COLUMNS.find((column) => column.by === by)?.name}.`);
  } catch (error) {
    fill(parts.note, sentenceOf(error));
  }
}
