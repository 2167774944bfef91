// Mastermind at the same table: codes as colours, replies as black and white pegs.

import { announce, button, counted, fill, labelled, make, takeKey, tapKey } from "./dom.js";
import { proposals, showCancelled, showMending } from "./advice.js";
import { askGame, sentenceOf, TooLarge } from "./asking.js";
import { playTable } from "./board.js";
import { likeliest } from "./clues.js";
import { boardKey } from "./keyboard.js";
import { wordsOf } from "./lists.js";
import { moveTo } from "./options.js";
import { dropWork, needed, trouble, work } from "./work.js";

/** @import { Answer, PlayTable, Tab } from "./types.js" */

/** @type {Record<string, [holes: number, colours: number]>} */
const SIZES = { "4x6": [4, 6], "4x7": [4, 7], "4x8": [4, 8], "5x6": [5, 6], "5x7": [5, 7], "5x8": [5, 8] };
const NAMES = ["orange", "sky blue", "teal", "yellow", "blue", "red", "pink", "dark grey"];

/** Said once, when the first pegs are asked for. */
const PEGS = "Black: a right colour in its place. White: a right colour in another place.";

/** The pegs of a new guess, and which are counted next. */
const NONE = { black: 0, white: 0, next: /** @type {"black" | "white"} */ ("black") };

let size = "4x6";
/** @type {{word: string, black: number, white: number}[]} */
let rows = [];
let code = "";
/** @type {{black: number, white: number, next: "black" | "white"} | null} */
let reply = null;
/** @type {PlayTable & {select: HTMLSelectElement}} */
let parts;
/** @type {string | null} */
let proposal = null;

/** The tab.
 *  @type {Tab} */
export const codes = { id: "mastermind", name: "Mastermind", fields: [], build, open, key, leave() {} };

const spec = () => ({ kind: /** @type {const} */ ("mastermind"), holes: SIZES[size][0], colours: SIZES[size][1] });
const holes = () => SIZES[size][0];
const colours = () => Array.from({ length: SIZES[size][1] }, (_, at) => String(at + 1));

/** @param {HTMLElement} element */
function build(element) {
  const select = make("select", { id: "size", onchange: ({ target }) => restart(target.value) }, ...Object.entries(SIZES).map(([value, [h, c]]) => make("option", { value }, `${h} holes, ${c} colours`)));
  parts = { select, ...playTable(element, "Mastermind", "Advice", labelled("size", "Size", select)) };
}

/** Show the position of an address: 4x6.1122.1,1
 *  @param {string} text */
export async function open(text) {
  const [first, ...rest] = text.split(".");
  size = Object.hasOwn(SIZES, first) ? first : "4x6";
  parts.select.value = size;
  rows = [];
  for (let at = 0; at + 1 < rest.length; at += 2) {
    const pegs = /^(\d),(\d)$/.exec(rest[at + 1]);
    const isCode = Array.from(rest[at]).length === holes() && Array.from(rest[at]).every((sign) => colours().includes(sign));
    if (!pegs || !isCode || +pegs[1] + +pegs[2] > holes()) break;
    rows.push({ word: rest[at], black: +pegs[1], white: +pegs[2] });
    if (isSolved()) break;
  }
  if (text !== [size, ...rest.slice(0, 2 * rows.length)].join(".") && text !== "") trouble("A part of this address is no position of this game, so it is left out.");
  clear();
  await changed(false);
}

async function changed(remember = true) {
  const text = [size, ...rows.flatMap(({ word, black, white }) => [word, `${black},${white}`])].join(".");
  if (remember) moveTo("mastermind", `#mastermind/${text}`);
  proposal = null;
  show();
  await advise();
}

const isSolved = () => rows.at(-1)?.black === holes();

// ---- What is seen

/** @param {string} sign @param {string} [extra] */
const peg = (sign, extra = "") => make("span", { class: `peg ${sign ? `colour-${sign}` : "free"} ${extra}`, "aria-hidden": "true" }, sign);

/** @param {string} word */
const named = (word) => Array.from(word, (sign) => NAMES[+sign - 1]).join(", ");

/** @param {number} black @param {number} white */
function pegs(black, white) {
  const dots = [...new Array(black).fill("black"), ...new Array(white).fill("white")];
  while (dots.length < holes()) dots.push("none");
  return make("span", { class: `key-pegs holes-${holes()}` }, ...dots.map((kind) => make("i", { class: kind })));
}

/** @param {string} [note] */
function show(note = "") {
  const lines = rows.map(({ word, black, white }, at) =>
    make("li", {}, make("div", { class: "row", role: "img", "aria-label": `Guess ${at + 1}: ${named(word)}; ${black} black, ${white} white` }, ...Array.from(word, (sign) => peg(sign)), pegs(black, white))),
  );
  if (!isSolved()) {
    const signs = Array.from({ length: holes() }, (_, at) => peg(code[at] ?? "", at === code.length ? "here" : ""));
    lines.push(make("li", {}, make("div", { class: "row now", role: "img", "aria-label": `Guess ${rows.length + 1}: ${named(code) || "empty"}` }, ...signs, pegs(reply?.black ?? 0, reply?.white ?? 0))));
  }
  fill(parts.boards, make("ol", { class: "board codes", "aria-label": "Board" }, ...lines));
  fill(parts.keys, ...(isSolved() ? [] : reply ? replyKeys() : colourKeys()));
  fill(parts.note, ...(note ? [note] : hint()));
  fill(parts.moves, button("Undo", undo, { disabled: !rows.length && !code }), button("Start again", () => restart(size), { disabled: !rows.length && !code }));
}

function hint() {
  const best = proposal;
  if (isSolved()) return [`Solved by guess ${rows.length}.`];
  if (reply) return ["How many black and white pegs did it get? ", rows.length ? "" : PEGS];
  if (!best) return [""];
  return ["Your guess, or take ", takeKey(make("span", { class: "code" }, ...Array.from(best, (sign) => peg(sign))), named(best), () => take(best))];
}

function colourKeys() {
  /** @param {string} sign */
  const key = (sign) => tapKey(sign, () => press(sign), { class: `key peg colour-${sign}`, "aria-label": `${NAMES[+sign - 1]} (${sign})` });
  return [
    make("div", { class: colours().length > 6 ? "keys many-colours" : "keys" }, ...colours().map(key)),
    make("div", { class: "keys" }, tapKey("⌫", () => press("Backspace"), { class: "key wide", "aria-label": "Delete" })),
  ];
}

function replyKeys() {
  /** @param {"black" | "white"} kind */
  const row = (kind) =>
    make(
      "div",
      { class: "keys", role: "group", "aria-label": `${kind} pegs` },
      make("span", { class: "keys-name" }, kind),
      ...Array.from({ length: holes() + 1 }, (_, count) =>
        tapKey(String(count), () => setReply(kind, count), { class: "key", "aria-pressed": String(reply?.[kind] === count), "aria-label": `${count} ${kind}` }),
      ),
    );
  return [
    row("black"),
    row("white"),
    make("div", { class: "keys" }, tapKey("⌫", () => press("Backspace"), { class: "key wide", "aria-label": "Delete" }), tapKey("Done", () => press("Enter"), { class: "key wide enter" })),
  ];
}

// ---- What one does

/** @param {"black" | "white"} kind @param {number} count */
function setReply(kind, count) {
  reply = { ...(reply ?? NONE), [kind]: count, next: kind === "black" ? "white" : "black" };
  show();
  announce(`${count} ${kind}`);
}

/** @param {string} name */
function press(name) {
  if (isSolved() && name !== "Backspace") return;
  if (name === "Enter") enter();
  else if (name === "Backspace") {
    if (!code && rows.length) undo();
    else {
      code = code.slice(0, -1);
      reply = null;
      show();
    }
  } else if (reply) {
    if (+name <= holes()) setReply(reply.next, +name);
  } else if (colours().includes(name)) {
    code += name;
    if (code.length === holes()) reply = { ...NONE };
    show();
  }
}

function enter() {
  if (!reply) return;
  const { black, white } = reply;
  if (black + white > holes() || (black === holes() - 1 && white === 1)) {
    show(`No code gives ${black} black and ${white} white.`);
    return;
  }
  rows.push({ word: code, black, white });
  clear();
  changed();
}

function undo() {
  if (code) {
    clear();
    show();
    return;
  }
  rows = rows.slice(0, -1);
  changed();
}

/** @param {string} wanted */
function restart(wanted) {
  size = wanted;
  rows = [];
  clear();
  changed();
}

/** The row that is typed is empty. */
function clear() {
  code = "";
  reply = null;
}

/** @param {string} word */
function take(word) {
  code = word;
  reply = { ...NONE };
  show();
}

/** @param {KeyboardEvent} event */
function key(event) {
  const name = boardKey(event) ?? "";
  if (name === "Undo") {
    if (rows.length || code) undo();
  } else if (name === "Enter" || name === "Backspace" || /^\d$/.test(name)) press(name);
  else return false;
  return true;
}

// ---- What the engine says

async function advise() {
  dropWork();
  if (isSolved()) {
    fill(parts.beside, make("h2", {}, `Solved in ${counted(rows.length, "guess", "guesses")}`));
    return;
  }
  const clues = rows.map(({ word, black, white }) => [word, `${black},${white}`]);
  try {
    const answer = await work("Looking for the best code", (how) => askGame(spec(), "suggest", [clues], how), () => showCancelled(parts.beside, advise));
    if (answer === null) return;
    proposal = answer.suggestions[0]?.word ?? null;
    if (!code) show();
    advice(answer);
  } catch (error) {
    const message = sentenceOf(error);
    if (error instanceof TooLarge) fill(parts.beside, make("h2", {}, "No advice"), make("p", {}, message));
    else await contradiction();
  }
}

/** No code fits: which single reply may be wrong, if another one would make it right. */
async function contradiction() {
  const known = await needed(() => wordsOf(spec()));
  if (known === null) return;
  const found = wrongReplies(known.guesses);
  const lines = found.slice(0, 3).map(({ row, black, white, count }) => {
    const to = `${black} black and ${white} white`;
    const mend = () => {
      rows = rows.map((each, at) => (at === row ? { ...each, black, white } : each));
      changed();
    };
    return make("li", {}, button("Change it", mend, { "aria-label": `change the reply to guess ${row + 1} to ${to}` }), ` Guess ${row + 1}: ${to}; then ${counted(count, "code")} ${count === 1 ? "fits" : "fit"}.`);
  });
  const none = "No single guess explains it; please compare the pegs of all of them with the game.";
  showMending(parts.beside, "No code fits these pegs", null, lines, "The pegs of one guess may be wrong:", none);
}

/** The replies of which one may be wrong, the likeliest first.
 *  @param {string[]} all */
function wrongReplies(all) {
  const faults = [];
  for (const secret of all) {
    const wrong = [];
    for (let row = 0; row < rows.length && wrong.length < 2; row++) {
      const { black, white } = replyTo(rows[row].word, secret);
      if (black !== rows[row].black || white !== rows[row].white) wrong.push({ row, black, white });
    }
    if (wrong.length === 1) faults.push(wrong[0]);
  }
  return likeliest(faults);
}

/** The pegs that a code gets if another one is hidden.
 *  @param {string} guess @param {string} secret */
function replyTo(guess, secret) {
  const black = Array.from(guess).filter((sign, at) => sign === secret[at]).length;
  const common = colours().reduce((sum, sign) => sum + Math.min(guess.split(sign).length, secret.split(sign).length) - 1, 0);
  return { black, white: common - black };
}

/** @param {Answer} answer */
function advice({ remaining, suggestions }) {
  const best = suggestions[0];
  const shown = (/** @type {string} */ word) => make("span", { class: "code", role: "img", "aria-label": named(word) }, ...Array.from(word, (sign) => peg(sign)));
  fill(
    parts.beside,
    make("h2", {}, remaining === 1 ? "It is" : `${counted(remaining, "code")} fit`),
    best ? make("p", { class: "best-code" }, remaining === 1 ? null : "Guess", shown(best.word)) : null,
    remaining > 1 ? proposals(suggestions, take, { noun: "code", nouns: "codes", shown, named }) : null,
  );
  announce(`${counted(remaining, "code")} fit. ${best ? `Guess ${named(best.word)}` : ""}`);
}
