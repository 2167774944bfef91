// A game of guessing on the page: a hidden word, the word of the day, or an adversary without a word.

import { guessesOn } from "../engine/words.js";
import { announce, button, clipped, counted, fill, make, tapKey, takeKey, wordOf } from "./dom.js";
import { askGame } from "./asking.js";
import { playTable, showBoards } from "./board.js";
import { textToShare } from "./card.js";
import { boardKey, keyRows, showLetters } from "./keyboard.js";
import { addressOf, chosen, optionsText, reviewLink, spec } from "./options.js";
import { keep, kept } from "./kept.js";
import { notInList, wordsOf } from "./lists.js";
import { sample } from "./random.js";
import { needed, trouble, work } from "./work.js";
import { showStatistics, tally } from "./statistics.js";
import {
  cluesOfAll, cluesText, grade, illegal, letterMarks, marksFrom, namesOf, plain, solvedBoards, tilesOf,
} from "./clues.js";

/**
 * @import { Child, Clue, PlayTable, Row, Tab, Words } from "./types.js"
 * @typedef {"hidden" | "day" | "adversary"} Kind
 * @typedef {{kind: Kind, seed: number, guesses: string[], given: boolean, options?: string}} Saved
 *   A game as it is kept: what draws its words, the guesses, whether somebody gave up.
 * @typedef {{kind: Kind, seed: number, boards: number, secrets: string[], limit: number, rows: Row[]}} Match
 *   A game that is played. Against the adversary the secrets are those that are left.
 */

/** @type {Record<Kind, string>} */
const KINDS = { hidden: "Hidden word", day: "Word of the day", adversary: "Adversary" };
const WHAT = {
  hidden: "Type a word, then Enter.",
  day: "Every day another word, the same for all who play here; it is not the newspaper's.",
  adversary: "There is no fixed word: each reply keeps as many words possible as it can.",
};
/** Past answers are hidden here like any other. */
const [PLAYED, SAME] = [{ used: "ignore" }, { used: false }];
const RULES = "Green: the letter stands there. Yellow: it is elsewhere in the word. Grey: it is not in the word (again).";

/** @type {Words} */
let words;
/** @type {Match} */
let match;
let letters = "";
let given = false;
/** @type {PlayTable & {kinds: HTMLElement}} */
let parts;
let isWaiting = false;
/** What this tab of the browser has kept last; another one may have kept another game since.
 *  @type {Saved | null} */
let mine = null;

/** The tab.
 *  @type {Tab} */
export const game = { id: "game", name: "Game", fields: ["hard", "boards"], build, open, key, leave() {} };

/** @param {HTMLElement} element */
function build(element) {
  const kinds = make("div", { class: "moves kinds", role: "group", "aria-label": "Kind of game" });
  parts = { kinds, ...playTable(element, "Game", "About this game", kinds) };
}

/** Go on with the game that was left here, or begin another one.
 *  @param {string} text */
export async function open(text) {
  const found = await needed(() => wordsOf(spec(PLAYED)));
  if (found === null) return;
  words = found;
  const wanted = isKind(text) ? text : null;
  if (text !== "" && !wanted) trouble(`There is no game “${clipped(text, 20)}” here.`);
  const before = gameBefore(wanted);
  await (before ? start(before) : begin(wanted ?? "hidden"));
}

/** @param {string} text @returns {text is Kind} */
const isKind = (text) => Object.hasOwn(KINDS, text);

/** The game of these options, of a kind or of any, that was left here; null if there is none.
 *  @param {Kind | null} wanted @returns {Saved | null} */
function gameBefore(wanted) {
  const isGame = (/** @type {Saved | null} */ game) => game && isKind(game.kind) && Number.isSafeInteger(game.seed) && game.seed >= 0 && Array.isArray(game.guesses);
  const fits = (/** @type {Saved} */ game) => game.options === optionsText(SAME) && (game.kind !== "day" || game.seed === today()) && (!wanted || game.kind === wanted);
  const last = mine ?? kept("game");
  return [last, kept("day")].find((game) => isGame(game) && fits(game) && (game === last || wanted === "day")) ?? null;
}

/** The date as a number, which draws the word of the day: 20261123. */
function today() {
  const now = new Date();
  return now.getFullYear() * 10000 + (now.getMonth() + 1) * 100 + now.getDate();
}

/** @param {Kind} kind */
function begin(kind) {
  const seed = kind === "day" ? today() : crypto.getRandomValues(new Uint32Array(1))[0];
  return start({ kind, seed, guesses: [], given: false });
}

/** @param {Saved} saved */
async function start({ kind, seed, guesses, given: isGiven }) {
  const boards = kind === "adversary" ? 1 : Math.min(chosen.boards, words.secrets.length);
  const drawn = () => sample(seed, words.secrets.length, boards).map((at) => words.secrets[at]);
  const limit = kind === "adversary" ? Infinity : guessesOn(boards);
  match = { kind, seed, boards, secrets: kind === "adversary" ? words.secrets : drawn(), limit, rows: [] };
  letters = "";
  given = isGiven === true;
  const known = guesses.filter((word) => words.has(word));
  if (kind !== "adversary") for (const word of known) if (!isOver()) play(word);
  if (kind === "adversary" && known.length) await face(known);
  show();
}

const solved = () => solvedBoards(match.rows, match.boards);
const isWon = () => solved().every(Boolean);
const isOver = () => given || isWon() || match.rows.length >= match.limit;

/** Make a guess: each board that is not solved answers.
 *  @param {string} word */
function play(word) {
  const marks = solved().map((is, board) => (is ? null : grade(word, match.secrets[board])));
  match.rows.push({ word, marks });
}

/** Make guesses against the adversary, whose replies the engine knows; false if nobody waits any more.
 *  @param {string[]} guesses */
async function face(guesses) {
  const asked = match;
  const found = await work("The adversary replies", (how) => askGame(spec(PLAYED), "adversary", [guesses], how));
  if (found === null || match !== asked) return false;
  match.rows = found.state.map((/** @type {Clue} */ [word, text]) => ({ word, marks: [marksFrom(text, words.length)] }));
  match.secrets = found.secrets;
  return true;
}

function save() {
  const guesses = match.rows.map(({ word }) => word);
  mine = { kind: match.kind, seed: match.seed, options: optionsText(SAME), guesses, given };
  keep("game", mine);
  if (match.kind === "day") keep("day", mine);
}

// ---- What is seen

/** @param {Child | Child[]} [note] */
function show(note = "", fresh = false) {
  fill(
    parts.kinds,
    ...Object.keys(KINDS).filter(isKind).map((kind) =>
      button(KINDS[kind], () => choose(kind), { "aria-pressed": String(match.kind === kind) }),
    ),
  );
  const [over, areSolved] = [isOver(), solved()];
  showBoards(parts.boards, match.boards, match.rows, (board) => ({
    draft: over || areSolved[board] ? null : { letters, marks: null, cursor: 0 },
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
  for (const [board, is] of solved().entries()) {
    if (is && !isWon()) continue;
    for (const [letter, mark] of letterMarks(match.rows, board)) best.set(letter, Math.max(best.get(letter) ?? 0, mark));
  }
  return best;
}

function hint() {
  if (isOver()) return isWon() ? `Solved by guess ${match.rows.length}.` : `Not solved. ${answers()}`;
  if (!match.rows.length) return WHAT[match.kind];
  const of = match.kind === "adversary" ? `; ${counted(match.secrets.length, "word")} possible` : ` of ${match.limit}`;
  return `Guess ${match.rows.length + 1}${of}`;
}

const answers = () => {
  const found = match.secrets.slice(0, match.boards);
  return `The ${found.length === 1 ? "word was" : "words were"} ${found.map((word) => word.toUpperCase()).join(", ")}.`;
};

/** What the helper would guess now. */
async function hinted() {
  const asked = match;
  const clues = cluesOfAll(match.rows, match.boards);
  const found = await work("Looking for a hint", (how) => askGame(spec(PLAYED), "suggest", [clues], how));
  if (found?.suggestions.length && match === asked) {
    const [{ word }] = found.suggestions;
    show(["Hint: ", takeKey(wordOf(word), word, () => take(word))]);
  }
}

/** Put a word into the row.
 *  @param {string} word */
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
  const shared = over ? textToShare("share grid", grid(), (sentence) => fill(parts.note, sentence)) : [];
  const title = over ? (isWon() ? `Solved in ${counted(match.rows.length, "guess", "guesses")}` : "Not solved") : KINDS[match.kind];
  fill(
    parts.beside,
    make("h2", {}, title),
    over ? null : make("p", { class: "hint" }, `${WHAT[match.kind]} `, RULES),
    over && match.boards === 1 ? make("p", {}, wordOf(match.secrets[0]), " was the word.") : null,
    over ? make("p", { class: "moves" }, shared[0], match.boards === 1 && match.rows.length ? reviewLink(match.rows) : null) : null,
    shared[1],
    showStatistics(),
  );
}

// ---- What one does

/** @param {Kind} kind */
async function choose(kind) {
  const before = kind === "day" ? gameBefore(kind) : null;
  await (before ? start(before) : begin(kind));
  save();
  announce(`${KINDS[kind]}: a new game`);
}

/** Another game; the second click of two was meant for the button that was there before.
 *  @param {MouseEvent} event */
function again({ detail }) {
  if (detail < 2) choose(match.kind === "day" ? "hidden" : match.kind);
}

/** @param {string} name */
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

/** Why a word is no guess; null if it is one.
 *  @param {string} word */
function faultOf(word) {
  if (Array.from(word).length < words.length) return `The word needs ${words.length} letters.`;
  if (!words.has(word)) return notInList(word);
  return chosen.hard && match.boards === 1 ? illegal(word, match.rows) : null;
}

async function enter() {
  if (letters === "" || isWaiting) return;
  const fault = faultOf(letters);
  if (fault) {
    show(fault);
    announce(fault);
    return;
  }
  const word = letters;
  letters = "";
  if (match.kind !== "adversary") play(word);
  else {
    isWaiting = true;
    const isAnswered = await face([...match.rows.map((row) => row.word), word]).finally(() => {
      isWaiting = false;
    });
    if (!isAnswered) {
      show();
      return;
    }
  }
  save();
  if (isOver()) finish();
  show("", true);
  const last = match.rows[match.rows.length - 1].marks.flatMap((marks) => (marks ? [namesOf(marks)] : []));
  announce(`${word}: ${last.join("; ")}. ${isOver() ? hint() : ""}`);
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
  const lines = match.rows.map(({ marks }) => marks.flatMap((of) => (of ? [tilesOf(of)] : [])).join(" "));
  return [head, "", ...lines].join("\n");
}

/** @param {KeyboardEvent} event */
function key(event) {
  const name = words && match && boardKey(event);
  if (!name) return false;
  if (name === "Enter" || name === "Backspace") press(name);
  else if (Array.from(name).length === 1 && words.letters.has(plain(name))) press(plain(name));
  else return false;
  return true;
}
