// A game of guessing on the page: a hidden word, the word of the day, or an adversary without a word.

import { announce, button, clipped, copied, counted, fill, make, place, tapKey, takeKey, wordOf } from "./dom.js";
import { askGame } from "./asking.js";
import { playTable, showBoards } from "./board.js";
import { boardKey, keyRows, showLetters } from "./keyboard.js";
import { addressOf, chosen, optionsText, spec } from "./options.js";
import { keep, kept } from "./kept.js";
import { notInList, wordsOf } from "./lists.js";
import { sample } from "./random.js";
import { needed, trouble, work } from "./work.js";
import { showStatistics, tally } from "./statistics.js";
import { cluesOf, cluesText, grade, illegal, isSolved, letterMarks, marksFrom, MARK_NAMES, plain } from "./clues.js";

const KINDS = { hidden: "Hidden word", day: "Word of the day", adversary: "Adversary" };
const WHAT = {
  hidden: "Type a word, then Enter.",
  day: "Every day another word, the same for all who play here; it is not the newspaper's.",
  adversary: "There is no fixed word: each reply keeps as many words possible as it can.",
};
const LIMITS = { 1: 6, 2: 7, 4: 9, 8: 13 };
const MORE = 5;
/** Past answers are hidden here like any other. */
const [PLAYED, SAME] = [{ used: "ignore" }, { used: false }];
const RULES = "Green: the letter stands there. Yellow: it is elsewhere in the word. Grey: it is not in the word (again).";
const TILES = ["⬛", "🟨", "🟩"];

let words = null;
let match = null;
let letters = "";
let given = false;
let parts = null;
let isWaiting = false;
/** What this tab of the browser has kept last; another one may have kept another game since. */
let mine = null;

/** The tab. */
export const game = { id: "game", name: "Game", fields: ["hard", "boards"], build, open, key, leave() {} };

function build(element) {
  const kinds = make("div", { class: "moves kinds", role: "group", "aria-label": "Kind of game" });
  parts = { kinds, ...playTable(element, "Game", "About this game", kinds) };
}

/** Go on with the game that was left here, or begin another one. */
export async function open(text) {
  const found = await needed(() => wordsOf(spec(PLAYED)));
  if (found === null) return;
  words = found;
  const wanted = Object.hasOwn(KINDS, text) ? text : null;
  if (text !== "" && !wanted) trouble(`There is no game “${clipped(text, 20)}” here.`);
  const before = gameBefore(wanted);
  await (before ? start(before) : begin(wanted ?? "hidden"));
}

/** The game of these options, of a kind or of any, that was left here; null if there is none. */
function gameBefore(wanted) {
  const isGame = (game) => game && Object.hasOwn(KINDS, game.kind) && Number.isSafeInteger(game.seed) && game.seed >= 0 && Array.isArray(game.guesses);
  const fits = (game) => game.options === optionsText(SAME) && (game.kind !== "day" || game.seed === today()) && (!wanted || game.kind === wanted);
  const last = mine ?? kept("game");
  return [last, kept("day")].find((game) => isGame(game) && fits(game) && (game === last || wanted === "day")) ?? null;
}

/** The date as a number, which draws the word of the day: 20261123. */
function today() {
  const now = new Date();
  return now.getFullYear() * 10000 + (now.getMonth() + 1) * 100 + now.getDate();
}

function begin(kind) {
  const seed = kind === "day" ? today() : crypto.getRandomValues(new Uint32Array(1))[0];
  return start({ kind, seed, guesses: [], given: false });
}

async function start({ kind, seed, guesses, given: isGiven }) {
  const boards = kind === "adversary" ? 1 : Math.min(chosen.boards, words.secrets.length);
  const secrets = kind === "adversary" ? null : sample(seed, words.secrets.length, boards).map((at) => words.secrets[at]);
  const limit = kind === "adversary" ? Infinity : (LIMITS[boards] ?? boards + MORE);
  match = { kind, seed, boards, secrets, limit, left: kind === "adversary" ? words.secrets : null, rows: [] };
  letters = "";
  given = isGiven === true;
  const known = guesses.filter((word) => words.has(word));
  if (secrets !== null) for (const word of known) if (!isOver()) play(word);
  if (secrets === null && known.length) await face(known);
  show();
}

const solved = (board) => match.rows.some(({ marks }) => marks[board] && isSolved(marks[board]));
const isWon = () => Array.from({ length: match.boards }, (_, board) => solved(board)).every(Boolean);
const isOver = () => given || isWon() || match.rows.length >= match.limit;

/** Make a guess: each board that is not solved answers. */
function play(word) {
  const marks = Array.from({ length: match.boards }, (_, board) => (solved(board) ? null : grade(word, match.secrets[board])));
  match.rows.push({ word, marks });
}

/** Make guesses against the adversary, whose replies the engine knows; false if nobody waits any more. */
async function face(guesses) {
  const asked = match;
  const found = await work("The adversary replies", (how) => askGame(spec(PLAYED), "adversary", [guesses], how));
  if (found === null || match !== asked) return false;
  match.rows = found.state.map(([word, text]) => ({ word, marks: [marksFrom(text, words.length)] }));
  match.left = found.secrets;
  return true;
}

function save() {
  const guesses = match.rows.map(({ word }) => word);
  mine = { kind: match.kind, seed: match.seed, options: optionsText(SAME), guesses, given };
  keep("game", mine);
  if (match.kind === "day") keep("day", mine);
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
  showBoards(parts.boards, match.boards, match.rows, (board) => ({
    draft: over || solved(board) ? null : { letters, marks: null, cursor: 0 },
    length: words.length,
    limit: match.boards > 1 ? 0 : Math.min(match.limit, 6),
    fresh,
  }));
  showLetters(parts.keys, keyRows(words.letters), bestMarks(), press);
  parts.keys.hidden = over;
  fill(parts.note, ...[note || hint()].flat());
  fill(parts.moves, over ? button("New game", again, { class: "primary" }) : null,
    ...(over || !match.rows.length ? [] : [button("Hint", () => hinted()), helperLink(), button("Give up", wantsToGiveUp, { class: "apart" })]));
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
  if (!match.rows.length) return WHAT[match.kind];
  return `Guess ${match.rows.length + 1}${match.left ? `; ${counted(match.left.length, "word")} possible` : ` of ${match.limit}`}`;
}

const answers = () => {
  const found = match.secrets ?? match.left.slice(0, 1);
  return `The ${found.length === 1 ? "word was" : "words were"} ${found.map((word) => word.toUpperCase()).join(", ")}.`;
};

/** What the helper would guess now. */
async function hinted() {
  const asked = match;
  const clues = Array.from({ length: match.boards }, (_, board) => cluesOf(match.rows, board));
  const found = await work("Looking for a hint", (how) => askGame(spec(PLAYED), "suggest", [match.boards === 1 ? clues[0] : clues], how));
  if (found?.suggestions.length && match === asked) {
    const [{ word }] = found.suggestions;
    show(["Hint: ", takeKey(wordOf(word), word, () => take(word))]);
  }
}

/** Put a word into the row. */
function take(word) {
  letters = word;
  show();
}

function helperLink() {
  const boards = match.boards === chosen.boards;
  return make("a", { href: addressOf("helper", encodeURI(cluesText(match.rows)), { boards }) }, "Open in helper");
}

function beside() {
  const over = isOver();
  const title = over ? (isWon() ? `Solved in ${counted(match.rows.length, "guess", "guesses")}` : "Not solved") : KINDS[match.kind];
  fill(
    parts.beside,
    make("h2", {}, title),
    over ? null : make("p", { class: "hint" }, `${WHAT[match.kind]} `, RULES),
    over && match.boards === 1 ? make("p", {}, wordOf((match.secrets ?? match.left)[0]), " was the word.") : null,
    over
      ? make(
          "p",
          { class: "moves" },
          button("Copy the share grid", share, { class: "primary" }),
          match.boards === 1 && match.rows.length
            ? make("a", { class: "button", href: addressOf("review", encodeURI(cluesText(match.rows)), { boards: false }) }, "Review this game")
            : null,
        )
      : null,
    over ? make("textarea", { id: "grid", class: "grid", rows: match.rows.length + 2, readonly: true, "aria-label": "Share grid" }, grid()) : null,
    showStatistics(),
  );
}

// ---- What one does

async function choose(kind) {
  const before = kind === "day" ? gameBefore(kind) : null;
  await (before ? start(before) : begin(kind));
  save();
  announce(`${KINDS[kind]}: a new game`);
}

/** Another game; the second click of two was meant for the button that was there before. */
function again({ detail }) {
  if (detail < 2) choose(match.kind === "day" ? "hidden" : match.kind);
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

async function enter() {
  if (letters === "" || isWaiting) return;
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
  const word = letters;
  letters = "";
  if (match.secrets) play(word);
  else {
    isWaiting = true;
    const isAnswered = await face([...match.rows.map((row) => row.word), word]).finally(() => {
      isWaiting = false;
    });
    if (!isAnswered) return void show();
  }
  save();
  if (isOver()) finish();
  show("", true);
  const last = match.rows.at(-1).marks.map((marks) => marks && marks.map((mark) => MARK_NAMES[mark]).join(", "));
  announce(`${word}: ${last.filter(Boolean).join("; ")}. ${isOver() ? hint() : ""}`);
}

/** Ask once; whatever else is pressed says no. */
function wantsToGiveUp() {
  show(["Give up and see the answer? ", tapKey("Yes, give up", giveUp, { class: "take-best" })]);
}

function giveUp() {
  given = true;
  save();
  finish();
  show();
}

/** Count a game that was drawn and had the usual limit. */
function finish() {
  if (match.kind === "adversary" || match.boards > 1) return;
  const { kind, seed, rows } = match;
  tally({ won: isWon(), guesses: rows.length, kind, seed });
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
  const isCopied = await copied(grid());
  if (!isCopied) place("grid").select();
  fill(parts.note, isCopied ? "The share grid is copied." : "The share grid is marked; copy it from there.");
}

function key(event) {
  const name = words && match && boardKey(event);
  if (!name) return false;
  if (name === "Enter" || name === "Backspace") press(name);
  else if (Array.from(name).length === 1 && words.letters.has(plain(name))) press(plain(name));
  else return false;
  return true;
}
