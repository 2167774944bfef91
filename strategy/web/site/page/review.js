// A finished game, typed or pasted, with or without its share grid: graded guess by guess.

import { HEADING } from "../engine/words.js";
import { announce, button, counted, fill, grouped, labelled, make, wordLine, wordOf } from "./dom.js";
import { askGame, sentenceOf, WrongInput } from "./asking.js";
import { smallReply } from "./board.js";
import { cardButtons, cardOf, textToShare } from "./card.js";
import { moveTo, reviewOf, reviewed, set, spec } from "./options.js";
import { notInList, wordsOf } from "./lists.js";
import { needed, work } from "./work.js";
import { cluesFrom, cluesOf, grade, gridFrom, illegal, markOf, marksFrom, marksText, pieces, plain, tilesOf } from "./clues.js";

/** @typedef {{clues: Clue[], isHard: boolean, grid?: undefined} | {grid: string, hidden: string, isHard: boolean}} Played */
/** @import { Answer, Clue, How, Tab, Words } from "./types.js" */

/** What a guess was, by its skill: as the sentence says it of a whole game.
 *  @type {[least: number, name: string][]} */
const VERDICTS = [[100 - 1e-6, "Best"], [87, "Good"], [75, "Fair"], [-Infinity, "Poor"]];
/** Characters of a game, as the engine takes them. */
const LONGEST = 5000;
const SOLVED = /^g+$/;

/** @type {Words} */
let words;
/** @type {{text: HTMLTextAreaElement, secret: HTMLInputElement, note: HTMLElement, result: HTMLElement}} */
let parts;

/** The tab.
 *  @type {Tab} */
export const review = { id: "review", name: "Review", fields: ["played", "used", "hard"], build, open, drop, leave() {} };

/** @param {HTMLElement} element */
function build(element) {
  const text = make("textarea", { id: "review-text", rows: 7, spellcheck: "false", autocapitalize: "none", autocomplete: "off" });
  const secret = wordLine("review-secret", submit);
  parts = { text, secret, note: make("p", { class: "note", role: "alert" }), result: make("section", { class: "card advice", "aria-label": "Review" }) };
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
  });
  fill(
    element,
    make(
      "section",
      { class: "card", "aria-label": "The game" },
      make("h2", {}, "Review a game"),
      labelled("review-text", "Your guesses: words alone, words with colours (crane bybbb), or a share grid and its words", text),
      labelled("review-secret", "The hidden word, if the colours are not there", secret),
      make("div", { class: "field moves" }, button("Review", () => submit(), { class: "primary" }), button("Example", example)),
      parts.note,
    ),
    parts.result,
  );
}

/** Review the game of an address: crane.bybbb.slate.ggggg
 *  @param {string} text */
export async function open(text) {
  fill(parts.note);
  if (text === "") {
    fill(parts.result, make("h2", {}, "How good were your guesses?"), make("p", {}, "Each guess is compared with the best one at that moment: skill says how well it was chosen, luck what the reply was worth."));
    return;
  }
  parts.text.value = text.replace(/\.([^.]+)\.?/g, (_, piece) => ` ${piece}\n`).trim();
  parts.secret.value = "";
  await submit(false);
}

function example() {
  parts.text.value = "crane\nsloth\nruddy";
  parts.secret.value = "ruddy";
  submit();
}

/** @param {File} file */
async function drop(file) {
  parts.text.value = (await file.slice(0, 4 * LONGEST + 4).text());
  submit();
  return true;
}

/** What was typed, as clues [[word, colours]], or a grid without words; throws RangeError with a sentence.
 *  @param {string} text @param {string} secretText @param {Words} words @returns {Played} */
export function read(text, secretText, { length, has, secrets }) {
  if (text.length > LONGEST) throw new RangeError(`A game has at most ${grouped(LONGEST)} characters; here are more.`);
  const heading = HEADING.exec(text);
  const bare = heading ? text.replace(heading[0], " ") : text;
  const { rows, rest } = gridFrom(bare, length);
  const hidden = plain(secretText.trim());
  if (hidden && !has(hidden)) throw new RangeError(notInList(hidden));
  const isHard = heading?.groups?.hard === "*";
  if (rows.length) {
    const found = rest.map(plain).filter((word) => Array.from(word).length === length);
    if (!found.length) return { grid: rows.map(tilesOf).join("\n"), hidden, isHard };
    if (found.length !== rows.length) throw new RangeError(`The grid has ${counted(rows.length, "row")}, but there ${found.length === 1 ? "is" : "are"} ${counted(found.length, "word")}.`);
    return { clues: checked(found.map((word, at) => [word, marksText(rows[at])]), has), isHard };
  }
  const clues = cluesFrom(bare, length);
  const found = pieces(bare).map(plain);
  if (clues?.length && !found.every(has)) return { clues: checked(cluesOf(clues, 0), has), isHard };
  if (!found.length) throw new RangeError("Type or paste the guesses of a game.");
  const odd = found.find((word) => !has(word));
  if (odd !== undefined) throw new RangeError(marksFrom(odd, length) ? "The colours do not fit the words: write one word, then its colours." : notInList(odd));
  const secret = hidden || secrets.find((word) => word === found.at(-1));
  if (!secret) throw new RangeError("Which word was hidden? The last guess is no likely answer.");
  return { clues: found.map((word) => [word, marksText(grade(word, secret))]), isHard };
}

/** @param {Clue[]} clues @param {Words["has"]} has */
function checked(clues, has) {
  const odd = clues.find(([word]) => !has(word));
  if (odd) throw new RangeError(notInList(odd[0]));
  const early = clues.slice(0, -1).findIndex(([, text]) => SOLVED.test(text));
  if (early >= 0) throw new RangeError(`Guess ${early + 1} is all green already, so no guess can follow it.`);
  return clues;
}

async function submit(isNew = true) {
  fill(parts.note);
  const found = await needed(() => wordsOf(reviewed()));
  if (found === null) return;
  words = found;
  try {
    const played = read(parts.text.value, parts.secret.value, words);
    if (played.grid !== undefined) {
      const { grid, hidden } = played;
      const found = await work("Reviewing the grid", (how) => askGame(reviewed(), "review", [grid, hidden || null], how));
      if (found !== null) showGrid(found, hidden);
      return;
    }
    const { clues, isHard } = played;
    if (isHard && !spec().hard) set({ hard: true });
    if (isNew) moveTo("review", reviewOf(clues.flat().join(".")));
    const answer = await work("Reviewing the game", (how) => graded(clues, how));
    if (answer !== null) show(answer);
  } catch (error) {
    fill(parts.note, error instanceof RangeError ? error.message : sentenceOf(error));
    fill(parts.result, make("h2", {}, "No review"), make("p", {}, "What was typed is not a game of this list."));
  }
}

/** The review of a game; of one that breaks hard mode the review without it, and the sentence that says so.
 *  @param {Clue[]} clues @param {How} how */
async function graded(clues, how) {
  const played = reviewed();
  try {
    return await askGame(played, "review", [clues], how);
  } catch (error) {
    if (!played.hard || !(error instanceof WrongInput)) throw error;
    const answer = await askGame({ ...played, hard: false }, "review", [clues], how);
    return { ...answer, broken: lawless(clues) };
  }
}

/** Which guess broke hard mode, and how.
 *  @param {Clue[]} clues */
function lawless(clues) {
  const rows = clues.map(([word, text]) => ({ word, marks: [marksIn(text)] }));
  for (const [at, { word }] of rows.entries()) {
    const why = illegal(word, rows.slice(0, at));
    if (why) return `Not a hard-mode game because of ${word.toUpperCase()}. ${why} Reviewed without hard mode.`;
  }
  return "Reviewed without hard mode.";
}

// ---- What is seen

/** @param {Answer} answer */
function show({ guesses, sentence, skill, luck_guesses, widened, broken }) {
  const rows = guesses.map(one);
  const title = `Skill ${Math.round(skill)}, luck ${signed(luck_guesses)}`;
  fill(
    parts.result,
    broken ? make("p", { class: "hint" }, broken) : null,
    make("h2", { tabindex: "-1" }, title),
    make("p", {}, sentence),
    widened ? make("p", { class: "hint" }, "No likely answer fits, so all allowed words count as possible.") : null,
    make("ol", { class: "reviews" }, ...rows),
    make("p", { class: "hint" }, "Skill: 100 is the best guess, one less for each hundredth of a guess that it costs. Luck: guesses that the reply saved, compared with the average."),
  );
  const picture = cardOf(`knuthle: ${title}`, rows);
  const lines = guesses.map((/** @type {Answer} */ guess) => `${tilesOf(marksIn(guess.text))} ${remainOf(guess)}, ${verdictOf(guess)}`);
  const text = [`knuthle: ${title}`, "", ...lines].join("\n");
  const copiedNote = make("p", { class: "note", role: "status" });
  const [copy, area] = textToShare("review", text, (said) => fill(copiedNote, said));
  parts.result.append(
    make("h3", {}, "To show around, without a word of the game"),
    picture,
    area,
    make("p", { class: "moves" }, copy, ...cardButtons(picture)),
    copiedNote,
  );
  parts.result.scrollIntoView({ block: "nearest" });
  announce(`Review: ${sentence}`);
}

/** Of a grid without words nothing can be said but how many words fit each row.
 *  @param {Answer} answer @param {string} hidden */
function showGrid({ remaining, rows }, hidden) {
  const lines = rows.map((/** @type {Answer} */ { text, n_words: fit, mean }) => make(
    "li",
    {},
    make("div", { class: "reviewed" }, smallReply(marksIn(text)), make("span", {}, `${counted(fit, "word")} fit${fit === 1 ? "s" : ""}`)),
    hidden ? null : make("p", {}, `For one hidden word on average: ${mean.toFixed(1)}.`),
  ));
  const whose = hidden ? `If ${hidden} is hidden` : `${counted(remaining, "hidden word")} can have such a grid`;
  fill(
    parts.result,
    make("h2", { tabindex: "-1" }, "Words that fit each row"),
    make("p", {}, `${whose}. With the word of each row, beside it or below the grid, the guesses are graded.`),
    make("ol", { class: "reviews" }, ...lines),
  );
  announce(`${whose}.`);
}

/** @param {string} text */
const marksIn = (text) => Array.from(text, markOf);

/** @param {Answer} guess */
const verdictOf = ({ skill }) => VERDICTS.find(([least]) => skill >= least)?.[1] ?? "";

/** How many words a guess left of those that fitted before.
 *  @param {Answer} guess */
const remainOf = ({ text, before, after }) => (SOLVED.test(text) ? "solved" : `${counted(before, "word")} → ${counted(after, "word")}`);

/** @param {number} number */
const signed = (number) => (number < 0 ? `−${Math.abs(number).toFixed(2)}` : `+${number.toFixed(2)}`);

/** @param {Answer} guess @param {number} at */
function one(guess, at) {
  const { word, text, before, expected, best, better, better_expected, skill, luck_guesses, exact } = guess;
  const others = better.filter((/** @type {string} */ other) => other !== word);
  const sentence = before === 1
    ? "Only one word was possible."
    : `With it the game takes ${exact ? "" : "at most "}${expected.toFixed(2)} more guesses on average, this one included.`;
  return make(
    "li",
    {},
    make("div", { class: "reviewed" }, make("span", { class: "number" }, `${at + 1}`), wordOf(word), smallReply(marksIn(text)), make("b", { class: `verdict ${verdictOf(guess).toLowerCase()}` }, verdictOf(guess)), make("span", { class: "remain" }, remainOf(guess))),
    make("p", { class: "measure" }, `Skill ${Math.round(skill)}, luck ${signed(luck_guesses)}`),
    make("p", {}, sentence, ...betterWords(others, better_expected, best, word)),
  );
}

/** @param {string[]} others @param {number[]} values @param {string} best @param {string} word */
function betterWords(others, values, best, word) {
  if (!others.length || best === word) return [];
  const parts_ = others.slice(0, 3).flatMap((other, at) => {
    return [at ? ", " : " Better: ", wordOf(other), ` (${values[at].toFixed(2)})`];
  });
  return [...parts_, "."];
}
