// What the engine says of a position, in plain words: which words fit, what to guess, what it leaves.

import { addressOf } from "./options.js";
import { announce, button, counted, fill, grouped, make, wordOf } from "./dom.js";

/** @import { AdviceLook, Answer, Column, ProposalsLook, Take } from "./types.js" */

const MOST_SHOWN = 60;
const EXAMPLE = "crane.bybbb";
const HOW = "Play your game where you always do. Here, type each guess, then give its tiles the colours that the game shows.";

/** Show the answer of `suggest`. `take(word)` puts a word into the board's row.
 *  @param {HTMLElement} element @param {Answer} answer @param {Take} take @param {AdviceLook} look */
export function showAdvice(element, answer, take, { first = false, wanted, choose }) {
  /** @param {"answers" | "bits"} name @param {string} text */
  const toggle = (name, text) => button(text, () => choose(name), { class: "button", "aria-pressed": String(wanted[name]) });
  const order = toggle("answers", "Answers first");
  const example = answer.all ? make("a", { class: "button", href: addressOf("helper", EXAMPLE) }, "Example") : null;
  const isSplit = answer.remaining > 2;
  const look = answer.boards
    ? { ...ON_BOARDS, isSplit: wanted.bits, choices: [order, toggle("bits", "Bits")] }
    : { isSplit, choices: isSplit ? [order, example] : [] };
  fill(
    element,
    make("h2", { tabindex: "-1" }, ...headline(answer, first)),
    make("p", { class: "about" }, ...(answer.boards ? aboutBoards(answer) : about(answer))),
    answer.used && !answer.widened && answer.remaining > 1 ? make("p", { class: "hint" }, `Past answers count ${answer.used.weight} times less than new ones, as measured to ${answer.used.until}.`) : null,
    first && !answer.boards ? make("p", { class: "hint" }, HOW) : null,
    answer.suggestions.length ? proposals(answer.suggestions, take, look) : null,
    answer.boards ? leftOnBoards(answer, take) : fitting(answer, take),
  );
}

/** Nothing fits: what is wrong, and which single changes would mend it: one line each, or none.
 *  @param {HTMLElement} element @param {string} title @param {string | null} why @param {HTMLElement[]} lines
 *  @param {string} some @param {string} none */
export function showMending(element, title, why, lines, some, none) {
  fill(
    element,
    make("h2", {}, title),
    why ? make("p", {}, why) : null,
    make("p", {}, lines.length ? some : none),
    lines.length ? make("ul", { class: "mend" }, ...lines) : null,
  );
  announce(`${title}.`);
}

/** Somebody has cancelled the search; `again` begins it once more.
 *  @param {HTMLElement} element @param {() => unknown} again */
export function showCancelled(element, again) {
  fill(element, make("h2", {}, "Cancelled"), make("p", { class: "moves" }, button("Look for the best guess", () => again())));
}

/** @param {Answer} answer @param {boolean} first */
function headline({ remaining, secrets, suggestions, widened }, first) {
  if (remaining === 1 && secrets) return ["It is ", wordOf(secrets[0])];
  if (!suggestions.length) return ["No proposal"];
  return [first ? "Begin with " : widened ? "Try " : "Guess ", wordOf(suggestions[0].word)];
}

/** How many words fit, and what the first proposal leaves.
 *  @param {Answer} answer */
function about({ remaining, suggestions, widened, mean }) {
  const said = [];
  if (widened) {
    said.push(`No likely answer fits; ${counted(remaining, "allowed word")} ${remaining === 1 ? "does" : "do"}. `);
  } else said.push(`${counted(remaining, "word")} ${remaining === 1 ? "fits" : "fit"}. `);
  const best = suggestions[0];
  if (remaining < 2 || !best) return said;
  if (mean) said.push(`${best.word.toUpperCase()} is a word that people know: with it the game takes ${mean.toFixed(2)} guesses on average, at most 0.02 more than with the best one known. `);
  if (best.mean !== null && best.mean !== undefined) {
    said.push(`With it the game takes ${best.mean.toFixed(2)} more guesses on average, if all that follows is best. `);
  } else said.push(`It leaves about ${leaves(best)} on average. `);
  said.push(`It ${best.candidate ? "may" : "cannot"} be the answer itself.`);
  return said;
}

/** What a proposal leaves, as a number of words.
 *  @param {Answer} row */
const leaves = (row) => (row.expected_size < 10 ? row.expected_size.toFixed(1) : grouped(Math.round(row.expected_size)));

/** @type {Column} */
const EXACT = { name: "Guesses", show: ({ mean }) => (mean === null ? "–" : mean.toFixed(2)) };
/** @type {Column[]} */
const SPLIT = [{ name: "Leaves", show: leaves }, { name: "Groups", show: ({ parts }) => grouped(parts) }];
/** @type {Required<Pick<ProposalsLook, "noun" | "nouns" | "shown" | "named" | "may">>} */
const WORDS = { noun: "word", nouns: "words", shown: wordOf, named: (word) => word, may: "may be the answer" };

/** Proposals as a table, the best first. `how`: which columns, what a proposal is called and looks like.
 *  @param {Answer[]} suggestions @param {Take} take @param {ProposalsLook} look */
export function proposals(suggestions, take, { isSplit = true, columns = SPLIT, hints = {}, choices = [], ...how }) {
  const { noun, nouns, shown, named, may } = { ...WORDS, ...how };
  const isExact = suggestions.some(({ mean }) => mean !== null && mean !== undefined);
  const all = [...(isExact ? [EXACT] : []), ...(isSplit ? columns : [])];
  const rows = suggestions.map((row) => make(
    "tr",
    {},
    make("th", { scope: "row" }, button(shown(row.word), () => take(row.word), { class: "take", "aria-label": `take ${named(row.word)}` })),
    ...all.map(({ show }) => make("td", {}, show(row))),
    make("td", { class: "may" }, row.candidate ? make("span", { class: "dot", role: "img", "aria-label": may }) : ""),
  ));
  const heads = [noun.charAt(0).toUpperCase() + noun.slice(1), ...all.map(({ name }) => name)];
  return make(
    "div",
    { class: "proposals" },
    choices.length ? make("p", { class: "moves" }, ...choices) : null,
    make(
      "table",
      { class: noun === "code" ? "of-codes" : null },
      make("caption", { class: "unseen" }, "Proposals, the best first"),
      make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)), make("td", {}))),
      make("tbody", {}, ...rows),
    ),
    make(
      "p",
      { class: "hint" },
      isExact ? hints.exact ?? "Guesses: how many more on average, exactly. " : hints.other ?? `The best is the ${noun} whose reply tells most. `,
      isSplit ? hints.split ?? `Leaves: ${nouns} that still fit after the reply, on average. Groups: different replies. ` : "",
      make("span", { class: "dot" }),
      ` ${may}.`,
    ),
  );
}

// ---- Several boards

const MOST_NAMED = 12;

/** @param {Answer} answer */
function aboutBoards({ boards, suggestions: [best] }) {
  const open = boards.filter((/** @type {Answer} */ { solved }) => !solved).length;
  const said = open < boards.length ? [`${open} of ${boards.length} boards are open. `] : [];
  if (!best) return said;
  if (best.mean !== null) {
    said.push(`With it all boards take ${best.mean.toFixed(2)} more guesses on average, if all that follows is best. `);
  } else said.push("Its replies tell most, over the open boards together. ");
  said.push(`It ${best.candidate ? "may" : "cannot"} be an answer itself.`);
  return said;
}

/** @type {ProposalsLook} */
const ON_BOARDS = {
  may: "may be an answer",
  columns: [{ name: "Bits", show: ({ entropy }) => entropy.toFixed(2) }],
  hints: {
    exact: "Guesses: how many more on average until all boards are solved, exactly. ",
    other: "",
    split: "Bits: the information of the replies, summed over the open boards. ",
  },
};

/** A word that fits, which can be taken.
 *  @param {Take} take @returns {(word: string) => HTMLElement} */
const chip = (take) => (word) => make("li", {}, button(wordOf(word), () => take(word), { class: "chip" }));

/** What fits on each open board: the words where they are few, else how many they are.
 *  @param {Answer} answer @param {Take} take */
function leftOnBoards({ boards, count }, take) {
  if (count === 0) return make("p", { class: "hint" }, `${counted(boards[0].remaining, "word")} fit on each board.`);
  const lines = boards.map((/** @type {Answer} */ { solved, remaining, secrets, widened }, /** @type {number} */ at) => {
    if (solved) return null;
    const many = widened ? counted(remaining, "allowed word") : counted(remaining, "word");
    const named = remaining <= MOST_NAMED ? make("ul", { class: "chips" }, ...secrets.map(chip(take))) : ` ${many}`;
    return make("li", { class: remaining <= MOST_NAMED ? "named" : null }, make("b", {}, `Board ${at + 1}`), named);
  });
  return make("section", { class: "fitting" }, make("h3", {}, "What fits on each board"), make("ul", { class: "left" }, ...lines));
}

/** The words that fit, the first of them at once and the rest on demand.
 *  @param {Answer} answer @param {Take} take */
function fitting({ secrets, remaining, all = () => secrets }, take) {
  if (!secrets || remaining < 2) return null;
  const list = make("ul", { class: "chips" }, ...secrets.slice(0, MOST_SHOWN).map(chip(take)));
  const more = remaining - MOST_SHOWN;
  const rest = more > 0 ? button(`Show ${grouped(more)} more`, () => {
    fill(list, ...all().map(chip(take)));
    if (all().length === remaining) rest?.remove();
  }) : null;
  return make("section", { class: "fitting" }, make("h3", {}, `${counted(remaining, "word")} that fit`), list, rest);
}
