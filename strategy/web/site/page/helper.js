// The helper: type the guesses of a game that is played elsewhere, colour their tiles, see what to do.

import { announce, button, clipped, copied, counted, fill, make, takeKey, wordOf } from "./dom.js";
import { askGame, sentenceOf, TooLarge } from "./asking.js";
import { showAdvice, showCancelled, showMending } from "./advice.js";
import { playTable, showBoards } from "./board.js";
import { boardKey, keyRows, showColours, showLetters } from "./keyboard.js";
import { addressOf, chosen, moveTo, reviewLink, spec } from "./options.js";
import { USED } from "../engine/lists.js";
import { FIRST } from "./first.js";
import { OWN, notInList, wordsNow, wordsOf } from "./lists.js";
import { isAgain, keep, kept } from "./kept.js";
import { dropWork, needed, trouble, work } from "./work.js";
import {
  cluesFrom, cluesOfAll, cluesText, fits, letterMarks, marksFrom, markOf, MARK_NAMES, pieces, plain, solvedBoards,
  wrongTiles,
} from "./clues.js";

/**
 * @import { Answer, How, PlayTable, Row, Tab, Words, WrongTile } from "./types.js"
 * @typedef {{letters: string, marks: Row["marks"] | null, board: number, cursor: number,
 *   isTyped: boolean, isSeen: boolean}} Typed
 *   The row that is typed: its tile that is coloured next, whether colours were typed, whether somebody has seen them.
 */

/** @type {Typed} */
const EMPTY = { letters: "", marks: null, board: 0, cursor: 0, isTyped: false, isSeen: false };
const FREE_ROWS = 6;
/** Words that are graded for one proposal at most: in a browser that takes some seconds. */
const MOST_GRADED = 2e9;
/** The word that was being typed when the page was left. */
let typed = isAgain ? kept("typed") : null;

/** @type {Words} */
let words;
/** @type {Row[]} */
let rows = [];
let draft = { ...EMPTY };
/** @type {string[]} */
let past = [];
/** @type {WrongTile | null} */
let doubtful = null;
/** @type {string[][] | null} */
let possible = null;
/** @type {{fit: string, word: string} | null} */
let proposal = null;
/** @type {PlayTable} */
let parts;
/** What is chosen of the table of proposals. */
const wanted = { answers: kept("answers-first") === true, bits: false };

/** The tab: what it is called, and its element.
 *  @type {Tab} */
export const helper = { id: "helper", name: "Helper", fields: ["used", "hard", "boards"], build, open, key, paste, leave() {} };

/** @param {HTMLElement} element */
function build(element) {
  parts = playTable(element, "Board", "Advice");
}

/** Show the position of an address: crane.bybbb.slate.gybbb
 *  @param {string} text */
export async function open(text) {
  if (wordsNow(spec()) !== words) fill(parts.beside); // what is said there is of another list
  words = wordsNow(spec());
  const read = text === "" ? [] : cluesFrom(text, words.length, chosen.boards);
  if (read === null) trouble("These clues are no position of this list, so the board is empty.");
  rows = read ?? [];
  past = [];
  draft = { ...EMPTY, letters: typedBefore() };
  leaveOutOdd();
  await changed(false);
}

/** Rows with words that the list does not have are named. */
function leaveOutOdd() {
  const odd = rows.filter(({ word }) => !words.has(word)).map(({ word }) => clipped(word).toUpperCase());
  if (odd.length) trouble(`Not in this list of words, so left out: ${odd.join(", ")}.`);
  rows = rows.filter(({ word }) => words.has(word));
}

/** Wait for the words of the list; false if nobody waits any more. */
async function haveWords() {
  if (!words.isComing) return true;
  const coming = needed(() => wordsOf(spec()));
  if (chosen.boards === 1) askGame(spec(), "prepare").catch(() => {}); // the first question would say what is missing
  const found = await coming;
  if (found === null) return false;
  if (!words.isComing) return true; // another question has waited, too
  words = found;
  leaveOutOdd();
  if (isFull() && !isKnown()) draft.marks = null;
  if (draft.letters || rows.length) show(isFull() && !words.has(draft.letters) ? notInList(draft.letters) : "");
  return true;
}

/** The same word, if it is found again as it was. */
function typedBefore() {
  const { place, letters } = typed ?? {};
  typed = null;
  const signs = Array.from(place === location.hash ? String(letters) : "");
  return signs.length <= words.length && signs.every((sign) => words.letters.has(sign)) ? signs.join("") : "";
}

const solved = () => solvedBoards(rows, chosen.boards);
const open_ = () => solved().flatMap((is, board) => (is ? [] : [board]));
const isOver = () => open_().length === 0;
const isFull = () => Array.from(draft.letters).length === words.length;

/** The position has changed: the address, the boards, the advice. */
async function changed(remember = true) {
  doubtful = null;
  possible = null;
  proposal = null;
  if (remember) {
    trouble("");
    moveTo("helper", addressOf("helper", encodeURI(cluesText(rows))));
  }
  document.title = rows.length ? `${rows.map(({ word }) => word.toUpperCase()).join(" · ")} – knuthle` : "knuthle";
  show();
  await advise();
}

function remember() {
  past.push(JSON.stringify(rows));
}

// ---- What is seen

function show(note = "") {
  const isColouring = draft.marks !== null;
  const areSolved = solved();
  showBoards(parts.boards, chosen.boards, rows, (board) => ({
    draft: areSolved[board] ? null : { letters: draft.letters, marks: draft.marks?.[board] ?? null, cursor: draft.board === board ? draft.cursor : -1 },
    length: words.length,
    limit: chosen.boards > 1 ? 0 : FREE_ROWS,
    onMark: (row, at) => recolour({ row, board, at, mark: ((rows[row].marks[board]?.[at] ?? 0) + 1) % 3 }),
    onDraft: (at) => tap(board, at),
    doubtful: doubtful?.board === board ? doubtful : null,
  }));
  if (isColouring && chosen.boards > 1) parts.boards.children[draft.board].scrollIntoView({ block: "nearest" });
  if (isColouring) showColours(parts.keys, press);
  else showLetters(parts.keys, keyRows(words.letters), chosen.boards > 1 ? new Map() : letterMarks(rows, 0), press);
  tell(note || hint());
  keep("typed", { place: location.hash, letters: draft.letters });
  fill(
    parts.moves,
    button("Undo", undo, { disabled: !past.length && !rows.length && !draft.letters }),
    button("Start again", () => restart(), { disabled: !rows.length && !draft.letters }),
    rows.length ? button("Share", send, { "aria-label": "Share this position" }) : null,
  );
}

/** The line above the keys: a sentence, or the proposal, which can be taken from there.
 *  @param {string} text */
function tell(text) {
  const best = proposal;
  if (text || !best) return fill(parts.note, text);
  return fill(parts.note, `${best.fit} `, takeKey(wordOf(best.word), best.word, () => take(best.word)));
}

function hint() {
  if (draft.marks) return "Tap the tiles until they have the colours that the game shows, then Done.";
  if (isOver()) return `Solved by guess ${rows.length}.`;
  if (isFull()) return "Enter; then give its tiles the colours that the game shows.";
  if (!rows.length && !draft.letters && !proposal) return "Type the word that you guessed.";
  return "";
}

// ---- What is typed and tapped

/** A key of the screen or of the keyboard.
 *  @param {string | number} name */
function press(name) {
  if (isOver() && name !== "Backspace") return;
  if (typeof name === "number") colour(name);
  else if (name === "Enter") enter();
  else if (name === "Backspace") back();
  else type(name);
}

/** @param {string} letter */
function type(letter) {
  if (draft.marks || isFull()) return;
  draft.letters += letter;
  doubtful = null;
  if (!isFull() || isKnown()) show();
}

/** Whether the word that is typed is in the list; else this is said. */
function isKnown() {
  if (words.has(draft.letters)) return true;
  show(notInList(draft.letters));
  announce(notInList(draft.letters));
  return false;
}

/** From now on the tiles of the word are coloured; false if it is no word. `isSeen`: Enter means that they are.
 *  @param {boolean} isSeen */
function begin(isSeen) {
  if (!isKnown()) return false;
  const openBoards = open_();
  draft.marks = solved().map((is, board) => (is ? null : likely(draft.letters, board)));
  draft.board = openBoards[0];
  draft.cursor = 0;
  draft.isSeen = isSeen;
  show();
  announce(`${draft.letters}: now its colours`);
  return true;
}

/** The colours that are certain already: every word that fits gives the tile this colour.
 *  @param {string} word @param {number} board */
function likely(word, board) {
  const secrets = possible?.[board];
  const marks = new Array(words.length).fill(0);
  if (!secrets?.length || secrets.length > 5000) return marks;
  const letters = Array.from(word);
  letters.forEach((letter, at) => {
    if (secrets.every((secret) => Array.from(secret)[at] === letter)) marks[at] = 2;
  });
  return marks;
}

/** @param {number} mark */
function colour(mark) {
  const marks = draft.marks?.[draft.board];
  if (!marks) return;
  if (draft.cursor < words.length) marks[draft.cursor] = mark;
  draft.isTyped = draft.isSeen = true;
  move(1);
  show();
}

/** The next tile, on this board or the next one that is open.
 *  @param {number} step */
function move(step) {
  const openBoards = open_();
  const last = words.length - 1;
  const board = openBoards.indexOf(draft.board);
  const at = draft.cursor + step;
  if (at >= 0 && at <= last) draft.cursor = at;
  else if (openBoards[board + step] !== undefined) {
    draft.board = openBoards[board + step];
    draft.cursor = step > 0 ? 0 : last;
  } else if (step > 0 && openBoards.length === 1) draft.cursor = words.length;
  else if (step > 0) draft.cursor = last;
}

/** @param {number} board @param {number} at */
function tap(board, at) {
  if (!draft.marks && !begin(true)) return;
  const marks = draft.marks?.[board];
  if (!marks) return;
  marks[at] = (marks[at] + 1) % 3;
  draft.board = board;
  draft.cursor = at;
  draft.isTyped = false;
  draft.isSeen = true;
  show();
  announce(MARK_NAMES[marks[at]]);
}

/** Another colour for a tile of an earlier guess: the board may be solved by it, or open again.
 *  @param {Pick<WrongTile, "row" | "board" | "at" | "mark">} tile */
function recolour({ row, board, at, mark }) {
  remember();
  const was = solved()[board];
  rows[row].marks = rows[row].marks.map((of, other) => (of && other === board ? of.with(at, mark) : of));
  const is = solved()[board];
  if (is !== was) {
    for (const { marks } of rows.slice(row + 1)) marks[board] = is ? null : new Array(words.length).fill(0);
    rows = rows.filter(({ marks }) => marks.some(Boolean));
    draft = { ...EMPTY, letters: isOver() ? "" : draft.letters };
  }
  announce(MARK_NAMES[mark]);
  changed();
  if (was && !is && rows.length > row + 1) trouble(`Board ${board + 1} is open again; its later guesses are grey until you colour them.`);
}

function enter() {
  if (!draft.marks) {
    if (draft.letters && isFull()) begin(true);
    else if (draft.letters) show(`The word needs ${words.length} letters.`);
    return;
  }
  remember();
  rows.push({ word: draft.letters, marks: draft.marks });
  draft = { ...EMPTY };
  changed();
}

function back() {
  const isFirst = draft.cursor === 0 && draft.board === open_()[0];
  if (draft.marks && draft.isTyped && !isFirst) move(-1);
  else if (draft.letters) draft = { ...EMPTY, letters: dropped() };
  else if (rows.length) {
    const last = rows[rows.length - 1];
    remember();
    rows = rows.slice(0, -1);
    draft = { ...EMPTY, letters: last.word, marks: last.marks, board: open_()[0], isSeen: true };
    changed();
    return;
  }
  show();
}

const dropped = () => Array.from(draft.letters).slice(0, -1).join("");

function undo() {
  if (draft.letters) {
    draft = { ...EMPTY };
    show();
    return;
  }
  const before = past.pop();
  rows = before === undefined ? rows.slice(0, -1) : JSON.parse(before);
  changed();
}

function restart() {
  remember();
  rows = [];
  draft = { ...EMPTY };
  changed();
}

/** Put a proposed word into the row.
 *  @param {string} word */
function take(word) {
  if (isOver()) return;
  draft = { ...EMPTY, letters: word };
  begin(false);
  parts.boards.scrollIntoView({ block: "nearest" });
}

async function send() {
  fill(parts.note, (await copied(location.href))
    ? "The address of this position is copied; whoever opens it sees the same board."
    : "Copy the address of this page from the browser's address line; it is this position.");
}

/** A key of the keyboard, wherever the focus is; whether the board took it.
 *  @param {KeyboardEvent} event */
function key(event) {
  const name = words && boardKey(event);
  if (!name) return false;
  const isSign = Array.from(name).length === 1;
  if (name === "Undo") undo();
  else if (name === "Enter" && draft.marks && !draft.isSeen) {
    draft.isSeen = true;
    show("Now its colours. Once more Enter: they are as they stand here.");
  } else if (name === "Enter" || name === "Backspace") press(name);
  else if (draft.marks && name === "ArrowRight") step(1);
  else if (draft.marks && name === "ArrowLeft") step(-1);
  else if (isFull() && isSign && name !== " " && markOf(name) >= 0) {
    if (draft.marks || begin(true)) press(markOf(name));
  } else if (!draft.marks && isSign && words.letters.has(plain(name))) press(plain(name));
  else return false;
  return true;
}

/** @param {number} by */
function step(by) {
  move(by);
  show();
}

/** Pasted clues, a pasted word, or pasted tiles.
 *  @param {string} text @returns {boolean} */
function paste(text) {
  if (!words) return false;
  if (words.isComing) {
    haveWords().then((has) => has && paste(text));
    return true;
  }
  if (draft.marks) {
    const marks = marksFrom(text.trim(), words.length);
    if (!marks) return false;
    draft.marks[draft.board] = marks;
    draft.isSeen = true;
    show();
    return true;
  }
  const found = cluesFrom(text, words.length, chosen.boards);
  const unknown = found?.find(({ word }) => !words.has(word));
  const word = plain(text.trim());
  if (unknown && !words.has(word)) show(notInList(unknown.word));
  else if (found?.length) {
    remember();
    rows = found;
    draft = { ...EMPTY };
    changed();
  } else if (words.has(word)) take(word);
  else show(`This is neither a word of the list nor clues such as “crane bybbb”: ${clipped(pieces(text).join(" "))}`);
  return true;
}

// ---- What the engine says

async function advise() {
  dropWork(); // an answer about other clues would come after what is shown now
  if (isOver()) {
    const secret = chosen.boards === 1 ? rows[rows.length - 1].word : null;
    const line = `in ${counted(rows.length, "guess", "guesses")}`;
    fill(
      parts.beside,
      make("h2", {}, "Solved ", line),
      make("p", {}, secret ? wordOf(secret) : "All boards", secret ? " is the answer." : " are solved."),
      chosen.boards === 1 ? make("p", { class: "moves" }, reviewLink(rows)) : null,
    );
    return;
  }
  const isFirst = !rows.length && chosen.boards === 1 && chosen.list !== OWN;
  if (isFirst) showProposals(firstOf());
  if (!(await haveWords()) || (isFirst && (rows.length || !wanted.answers))) return;
  if (isTooMuch()) {
    refuse(`${rows.length ? "So many words" : `First proposals over ${counted(words.guesses.length, "word")}`} would take too long here. Type a guess with its colours: when fewer words are left, there is advice.`);
    return;
  }
  parts.beside.setAttribute("aria-busy", "true");
  const clues = cluesOfAll(rows, chosen.boards);
  const asked = JSON.stringify(clues);
  try {
    const stopped = () => showCancelled(parts.beside, advise);
    const answer = await work("Looking for the best guess", (how) => proposed(clues, isFirst, how), stopped);
    if (answer === null || asked !== JSON.stringify(cluesOfAll(rows, chosen.boards))) return;
    possible = answer.boards ? answer.boards.map((/** @type {Answer} */ { secrets }) => secrets) : [answer.secrets];
    showProposals(isFirst ? firstOf(answer.suggestions) : answer);
    const best = answer.suggestions[0]?.word ?? "";
    announce(answer.remaining === undefined ? `Guess ${best}` : `${counted(answer.remaining, "word")} fit. ${answer.remaining === 1 ? "It is" : "Guess"} ${best}`);
  } catch (error) {
    const message = sentenceOf(error);
    if (!(error instanceof TooLarge) && isContradiction()) contradiction(message);
    else refuse(message);
  } finally {
    parts.beside.removeAttribute("aria-busy");
  }
}

/** What the engine proposes; if they are wanted first, answers, then what is better.
 *  @param {any} clues @param {boolean} isFirst @param {How} how */
async function proposed(clues, isFirst, how) {
  const among = wanted.answers ? await askGame(spec(), "suggest", [clues, { guessFrom: "candidates" }], how) : null;
  if (isFirst) return among;
  const answer = await askGame(spec(), "suggest", [clues], how);
  return { ...answer, suggestions: each(among?.suggestions ?? [], answer.suggestions) };
}

/** The proposals of several tables, each word once.
 *  @param {Answer[][]} tables */
const each = (...tables) => [...new Map(tables.flat().map((row) => [row.word, row])).values()];

/** The first proposals of a shipped list, which stand in a table; a word that people know stands before these answers.
 *  @param {Answer[]} [answers] */
function firstOf(answers = []) {
  const { used } = spec();
  const { remaining, secrets, rows: known, mean } = /** @type {Answer} */ (FIRST)[[chosen.list, chosen.secrets, used].filter(Boolean).join("-")];
  const others = known.map((/** @type {any[]} */ [word, size, groups, candidate]) => ({ word, expected_size: size, parts: groups, candidate, mean: null }));
  const first = mean ? others.splice(0, 1) : [];
  const all = () => (words.isComing ? secrets.split(" ") : words.secrets);
  const suggestions = each(chosen.hard ? [] : first, answers, others);
  return { remaining, secrets: secrets.split(" "), all, suggestions, widened: false, used: used === "weigh" ? USED : null, mean: chosen.hard ? null : mean };
}

/** @param {Answer} answer */
function showProposals(answer) {
  const choose = (/** @type {"answers" | "bits"} */ name) => {
    wanted[name] = !wanted[name];
    keep("answers-first", wanted.answers);
    advise();
  };
  showAdvice(parts.beside, answer, take, { first: !rows.length, wanted, choose });
  proposal = proposalOf(answer);
  if (!draft.letters) show();
}

/** Whether a browser would take too long for a proposal: every word is graded with each that fits. */
function isTooMuch() {
  const most = MOST_GRADED / words.guesses.length;
  if (words.secrets.length <= most) return false;
  return !rows.length || words.secrets.filter((word) => fits(word, rows, 0)).length > most;
}

/** The proposal in a line.
 *  @param {Answer} answer */
function proposalOf({ remaining, suggestions }) {
  const best = suggestions[0];
  if (!best) return null;
  const fit = !rows.length ? "Type your guess, or begin with" : remaining === undefined ? "Guess" : remaining === 1 ? "It is" : `${counted(remaining, "word")} fit. Guess`;
  return { fit, word: best.word };
}

/** Whether no word at all fits on one of the boards. */
const isContradiction = () =>
  Array.from({ length: chosen.boards }, (_, board) => board).some((board) => !words.guesses.some((word) => fits(word, rows, board)));

/** The engine cannot answer: it says why.
 *  @param {string} message */
function refuse(message) {
  fill(parts.beside, make("h2", {}, "No advice"), make("p", {}, message));
  if (!draft.letters) show(message);
  announce(message);
}

/** No word fits: which single tile may be wrong, if one would make it right.
 *  @param {string} message */
function contradiction(message) {
  /** @type {WrongTile[]} */
  let found = [];
  const named = /^board (\d+): /i.exec(message);
  const first = named ? Number(named[1]) - 1 : 0;
  for (let board = first; board < (named ? first + 1 : chosen.boards) && !found.length; board++) {
    const near = wrongTiles(rows, board, words.secrets);
    found = near.length ? near : wrongTiles(rows, board, words.guesses);
  }
  const lines = found.slice(0, 3).map((tile) => {
    const { word, marks } = rows[tile.row];
    const was = MARK_NAMES[marks[tile.board]?.[tile.at] ?? 0];
    const letter = Array.from(word)[tile.at].toUpperCase();
    const text = ` tile ${tile.at + 1} (${letter}): ${MARK_NAMES[tile.mark]} instead of ${was}; then ${counted(tile.count, "word")} ${tile.count === 1 ? "fits" : "fit"}.`;
    return make("li", {}, button("Change it", () => recolour(tile), { "aria-label": `change tile ${tile.at + 1} of ${word} to ${MARK_NAMES[tile.mark]}` }), " ", wordOf(word), text);
  });
  doubtful = found[0] ?? null;
  show("No word fits these colours.");
  const why = message.replace(/ [bgy]{2,}(?= and | contradict|:)/g, ""); // the board has the colours
  const none = "No single tile explains it; please compare all of them with the game.";
  showMending(parts.beside, "No word fits these colours", why, lines, "One tile may be wrong:", none);
}
