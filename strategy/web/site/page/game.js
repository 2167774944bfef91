// A game of guessing on the page: a hidden word, the word of the day, or an adversary without a word.

import { announce, button, counted, fill, isTyping, make, wordOf } from "./dom.js";
import { showBoard } from "./board.js";
import { keyRows, showLetters } from "./keyboard.js";
import { chosen, optionsText, spec } from "./options.js";
import { keep, kept } from "./kept.js";
import { notInList, wordsOf } from "./lists.js";
import { sample } from "./random.js";
import { needed } from "./work.js";
import { showStatistics, tally } from "./statistics.js";
import { cluesText, grade, illegal, isSolved, letterMarks, plain, scoreOf } from "./clues.js";

const KINDS = { hidden: "Hidden word", day: "Word of the day", adversary: "Adversary" };
const LIMITS = { 1: 6, 2: 7, 4: 9, 8: 13 };
const MORE = 5;
const RULES = "Green: the letter stands there. Yellow: it is elsewhere in the word. Grey: it is not in the word (again).";
const TILES = ["⬛", "🟨", "🟩"];

let words = null;
let match = null;
let letters = "";
let given = false;
let parts = null;
let helps = false;

/** The tab. */
export const game = { id: "game", name: "Game", fields: ["hard", "boards"], needs: [], build, open, key, leave() {} };

function build(element, { features }) {
  helps = features.includes("boards");
  parts = {
    kinds: make("div", { class: "moves kinds", role: "group", "aria-label": "Kind of game" }),
    boards: make("div", { class: "boards" }),
    note: make("p", { class: "note", role: "status" }),
    keys: make("div", { class: "keyboard" }),
    moves: make("div", { class: "moves" }),
    beside: make("section", { class: "card advice", "aria-label": "About this game" }),
  };
  fill(
    element,
    make("section", { class: "card table", "aria-label": "Game" }, parts.kinds, parts.boards, parts.note, parts.keys, parts.moves),
    parts.beside,
  );
}

/** Go on with the game that was left here, or begin another one. */
export async function open(text) {
  const found = await needed(() => wordsOf(spec()));
  if (found === null) return;
  words = found;
  const before = gameBefore();
  const isSame = before && before.options === optionsText() && (before.kind !== "day" || before.seed === today());
  const wanted = Object.hasOwn(KINDS, text) ? text : null;
  if (isSame && (!wanted || before.kind === wanted)) resume(before);
  else begin(wanted ?? "hidden");
}

/** The game that was left here; null if there is none. */
function gameBefore() {
  const before = kept("game");
  const isGame = before && Object.hasOwn(KINDS, before.kind) && Number.isSafeInteger(before.seed) && before.seed >= 0 && Array.isArray(before.guesses);
  return isGame ? before : null;
}

/** The date as a number, which draws the word of the day: 20261123. */
function today() {
  const now = new Date();
  return now.getFullYear() * 10000 + (now.getMonth() + 1) * 100 + now.getDate();
}

function begin(kind) {
  const seed = kind === "day" ? today() : crypto.getRandomValues(new Uint32Array(1))[0];
  start({ kind, seed, guesses: [], given: false });
}

function resume(before) {
  start(before);
}

function start({ kind, seed, guesses, given: isGiven }) {
  const boards = kind === "adversary" ? 1 : Math.min(chosen.boards, words.secrets.length);
  const secrets = kind === "adversary" ? null : sample(seed, words.secrets.length, boards).map((at) => words.secrets[at]);
  const limit = kind === "adversary" ? Infinity : (LIMITS[boards] ?? boards + MORE);
  match = { kind, seed, boards, secrets, limit, left: kind === "adversary" ? words.secrets : null, rows: [] };
  letters = "";
  given = isGiven === true;
  for (const word of guesses) if (words.has(word) && !isOver()) play(word);
  show();
}

const solved = (board) => match.rows.some(({ marks }) => marks[board] && isSolved(marks[board]));
const isWon = () => Array.from({ length: match.boards }, (_, board) => solved(board)).every(Boolean);
const isOver = () => given || isWon() || match.rows.length >= match.limit;

/** Make a guess: each board that is not solved answers. */
function play(word) {
  const marks = Array.from({ length: match.boards }, (_, board) => (solved(board) ? null : reply(word, board)));
  match.rows.push({ word, marks });
}

function reply(word, board) {
  return match.secrets ? grade(word, match.secrets[board]) : leastHelp(word);
}

/** The adversary's reply: most words remain; of equals the one that says least. */
function leastHelp(word) {
  const groups = new Map();
  for (const secret of match.left) {
    const marks = grade(word, secret);
    const score = scoreOf(marks);
    if (!groups.has(score)) groups.set(score, { score, marks, words: [] });
    groups.get(score).words.push(secret);
  }
  const count = (marks, kind) => marks.filter((mark) => mark === kind).length;
  const order = (a, b) =>
    b.words.length - a.words.length ||
    isSolved(a.marks) - isSolved(b.marks) ||
    count(a.marks, 2) - count(b.marks, 2) ||
    count(a.marks, 1) - count(b.marks, 1) ||
    a.score - b.score;
  const chosenGroup = [...groups.values()].sort(order)[0];
  match.left = chosenGroup.words;
  return chosenGroup.marks;
}

function save() {
  const guesses = match.rows.map(({ word }) => word);
  keep("game", { kind: match.kind, seed: match.seed, options: optionsText(), guesses, given });
}

// ---- What is seen

function show(note = "", fresh = false) {
  fill(
    parts.kinds,
    ...Object.entries(KINDS).map(([kind, name]) =>
      button(name, () => choose(kind), { "aria-pressed": String(match.kind === kind) }),
    ),
  );
  const over = isOver();
  const boards = Array.from({ length: match.boards }, (_, board) => {
    const element = make("ol", { class: "board", "aria-label": match.boards > 1 ? `Board ${board + 1}` : "Board" });
    showBoard(element, {
      rows: match.rows.filter(({ marks }) => marks[board]).map(({ word, marks }) => ({ word, marks: marks[board] })),
      draft: over || solved(board) ? null : { letters, marks: null, cursor: 0 },
      length: words.length,
      limit: match.boards > 1 ? 0 : Math.min(match.limit, 6),
      fresh,
    });
    return element;
  });
  parts.boards.classList.toggle("many", match.boards > 1);
  fill(parts.boards, ...boards);
  showLetters(parts.keys, keyRows(words.letters), bestMarks(), press);
  parts.keys.hidden = over;
  fill(parts.note, note || hint());
  fill(parts.moves, over ? button("New game", () => choose(match.kind === "day" ? "hidden" : match.kind), { class: "primary" }) : null,
    !over && match.rows.length ? button("Give up", giveUp) : null,
    over || !match.rows.length || (match.boards > 1 && !helps) ? null : hintLink());
  beside();
}

function bestMarks() {
  const best = new Map();
  for (let board = 0; board < match.boards; board++) {
    if (solved(board) && !isWon()) continue;
    for (const [letter, mark] of letterMarks(match.rows, board)) best.set(letter, Math.max(best.get(letter) ?? 0, mark));
  }
  return best;
}

function hint() {
  if (isOver()) return isWon() ? `Solved by guess ${match.rows.length}.` : `Not solved. ${answers()}`;
  if (match.rows.length) {
    return match.limit === Infinity ? `Guess ${match.rows.length + 1}` : `Guess ${match.rows.length + 1} of ${match.limit}`;
  }
  return match.kind === "adversary"
    ? "There is no fixed word: each reply keeps as many words possible as it can."
    : "Type a word, then Enter.";
}

const answers = () => {
  const found = match.secrets ?? match.left.slice(0, 1);
  return `The ${found.length === 1 ? "word was" : "words were"} ${found.map((word) => word.toUpperCase()).join(", ")}.`;
};

function hintLink() {
  const options = optionsText();
  const boards = match.boards === chosen.boards ? options : options.replace(/&?boards=\d+/, "");
  return make("a", { href: `#helper/${encodeURI(cluesText(match.rows))}${boards ? `?${boards}` : ""}` }, "Ask the helper");
}

function beside() {
  const over = isOver();
  const title = over ? (isWon() ? `Solved in ${counted(match.rows.length, "guess", "guesses")}` : "Not solved") : KINDS[match.kind];
  const options = optionsText({ boards: false });
  fill(
    parts.beside,
    make("h2", {}, title),
    over ? null : make("p", { class: "hint" }, RULES),
    over && match.boards === 1 ? make("p", {}, wordOf((match.secrets ?? match.left)[0]), " was the word.") : null,
    match.kind === "adversary" && !over ? make("p", {}, `${counted(match.left.length, "word")} still possible.`) : null,
    over
      ? make(
          "p",
          { class: "moves" },
          button("Copy the share grid", share, { class: "primary" }),
          match.boards === 1 && match.rows.length
            ? make("a", { class: "button", href: `#review/${encodeURI(cluesText(match.rows))}${options ? `?${options}` : ""}` }, "Review this game")
            : null,
        )
      : null,
    over ? make("textarea", { id: "grid", class: "grid", rows: match.rows.length + 2, readonly: true, "aria-label": "Share grid" }, grid()) : null,
    showStatistics(),
  );
}

// ---- What one does

function choose(kind) {
  const before = gameBefore();
  const isSame = before && before.kind === kind && kind === "day" && before.seed === today() && before.options === optionsText();
  if (isSame) resume(before);
  else begin(kind);
  save();
  announce(`${KINDS[kind]}: a new game`);
}

function press(name) {
  if (isOver()) return;
  if (name === "Enter") enter();
  else if (name === "Backspace") {
    letters = Array.from(letters).slice(0, -1).join("");
    show();
  } else if (Array.from(letters).length < words.length) {
    letters += name;
    show();
  }
}

function enter() {
  if (letters === "") return;
  const fault =
    Array.from(letters).length < words.length
      ? `The word needs ${words.length} letters.`
      : !words.has(letters)
        ? notInList(letters)
        : chosen.hard && match.boards === 1
          ? illegal(letters, match.rows)
          : null;
  if (fault) {
    show(fault);
    announce(fault);
    return;
  }
  play(letters);
  const word = letters;
  letters = "";
  save();
  if (isOver()) finish();
  show("", true);
  const last = match.rows.at(-1).marks.map((marks) => marks && marks.map((mark) => ["grey", "yellow", "green"][mark]).join(", "));
  announce(`${word}: ${last.filter(Boolean).join("; ")}. ${isOver() ? hint() : ""}`);
}

function giveUp() {
  given = true;
  save();
  finish();
  show();
}

/** Count a game that was drawn and had the usual limit; each day's word once. */
function finish() {
  if (match.kind === "adversary" || match.boards > 1) return;
  tally({ won: isWon(), guesses: match.rows.length, day: match.kind === "day" ? match.seed : null });
}

/** The game as people share it: tiles and no words. */
function grid() {
  const count = isWon() ? match.rows.length : "X";
  const limit = match.limit === Infinity ? count : match.limit;
  const name = match.kind === "day" ? `${chosen.list} ${match.seed}` : chosen.list;
  const head = `knuthle ${name.replaceAll(" ", "-")} ${count}/${limit}${chosen.hard ? "*" : ""}`;
  const lines = match.rows.map(({ marks }) =>
    marks.filter(Boolean).map((of) => of.map((mark) => TILES[mark]).join("")).join(" "),
  );
  return [head, "", ...lines].join("\n");
}

async function share() {
  try {
    await navigator.clipboard.writeText(grid());
    fill(parts.note, "The share grid is copied.");
  } catch {
    document.getElementById("grid").select();
    fill(parts.note, "The share grid is marked; copy it from there.");
  }
}

function key(event) {
  if (!words || !match || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Enter" && event.target.closest?.("button, a, summary")) return false;
  if (event.key === "Enter" || event.key === "Backspace") press(event.key);
  else if (Array.from(event.key).length === 1 && words.letters.has(plain(event.key))) press(plain(event.key));
  else return false;
  return true;
}
