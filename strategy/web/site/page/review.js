// A finished game, typed or pasted, with or without its share grid: graded guess by guess.

import { announce, button, counted, fill, labelled, make, said, wordLine, wordOf } from "./dom.js";
import { askGame, WrongInput } from "./asking.js";
import { smallReply } from "./board.js";
import { cardButtons, cardOf } from "./card.js";
import { addressOf, reviewed, set, spec } from "./options.js";
import { notInList, wordsOf } from "./lists.js";
import { needed, work } from "./work.js";
import { cluesFrom, grade, gridFrom, illegal, isSolved, marksFrom, marksText, pieces, plain } from "./clues.js";

/** What a guess was, by its skill: as the sentence says it of a whole game. */
const VERDICTS = [[100 - 1e-6, "Best"], [87, "Good"], [75, "Fair"], [-Infinity, "Poor"]];
const HEADING = /(?:\bwordle[\s\d.,'’]{0,30}|\bknuthle\s+\S{1,60})\s(?<count>\d{1,2}|x)\/(?<limit>\d{1,2})(?<hard>\*?)(?=\s|$)/iu;

let words = null;
let parts = null;

/** The tab. */
export const review = { id: "review", name: "Review", fields: ["played", "used", "hard"], build, open, drop, leave() {} };

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

/** Review the game of an address: crane.bybbb.slate.ggggg */
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

async function drop(file) {
  parts.text.value = (await file.text()).slice(0, 5000);
  submit();
  return true;
}

/** What was typed, as clues [[word, colours]], or a grid without words; throws RangeError with a sentence. */
export function read(text, secretText, { length, has, secrets }) {
  const heading = HEADING.exec(text);
  const bare = heading ? text.replace(heading[0], " ") : text;
  const { rows, rest } = gridFrom(bare, length);
  const hidden = plain(secretText.trim());
  if (hidden && !has(hidden)) throw new RangeError(notInList(hidden));
  const isHard = heading?.groups.hard === "*";
  if (rows.length) {
    const found = rest.map(plain).filter((word) => Array.from(word).length === length);
    if (!found.length) return { grid: rows.map((row) => tilesOf(row)).join("\n"), hidden, isHard };
    if (found.length !== rows.length) throw new RangeError(`The grid has ${counted(rows.length, "row")}, but there ${found.length === 1 ? "is" : "are"} ${counted(found.length, "word")}.`);
    return { clues: checked(found.map((word, at) => [word, marksText(rows[at])]), has), isHard };
  }
  const clues = cluesFrom(bare, length);
  const isPlain = pieces(bare).every((piece) => has(plain(piece)));
  if (clues?.length && !isPlain) return { clues: checked(clues.map(({ word, marks }) => [word, marksText(marks[0])]), has), isHard };
  const found = pieces(bare).map(plain);
  if (!found.length) throw new RangeError("Type or paste the guesses of a game.");
  const odd = found.find((word) => !has(word));
  if (odd !== undefined) throw new RangeError(marksFrom(odd, length) ? "The colours do not fit the words: write one word, then its colours." : notInList(odd));
  const secret = hidden || (secrets.includes(found.at(-1)) ? found.at(-1) : null);
  if (!secret) throw new RangeError("Which word was hidden? The last guess is no likely answer.");
  return { clues: found.map((word) => [word, marksText(grade(word, secret))]), isHard };
}

function checked(clues, has) {
  const odd = clues.find(([word]) => !has(word));
  if (odd) throw new RangeError(notInList(odd[0]));
  const early = clues.slice(0, -1).findIndex(([word, text]) => isSolved(marksFrom(text, Array.from(word).length)));
  if (early >= 0) throw new RangeError(`Guess ${early + 1} is all green already, so no guess can follow it.`);
  return clues;
}

async function submit(isNew = true) {
  fill(parts.note);
  const found = await needed(() => wordsOf(spec(reviewed())));
  if (found === null) return;
  words = found;
  try {
    const { clues, grid, hidden, isHard } = read(parts.text.value, parts.secret.value, words);
    if (grid !== undefined) {
      const found = await work("Reviewing the grid", (how) => askGame(spec(reviewed()), "review", [grid, hidden || null], how));
      if (found !== null) showGrid(found, hidden);
      return;
    }
    if (isHard && !spec().hard) set({ hard: true });
    const hash = addressOf("review", encodeURI(clues.flat().join(".")), { boards: false });
    if (isNew && location.hash !== hash) history.pushState(null, "", hash);
    const answer = await work("Reviewing the game", (how) => graded(clues, how));
    if (answer !== null) show(answer);
  } catch (error) {
    if (!(error instanceof WrongInput || error instanceof RangeError)) throw error;
    fill(parts.note, said(error.message));
    fill(parts.result, make("h2", {}, "No review"), make("p", {}, "What was typed is not a game of this list."));
  }
}

/** The review of a game; of one that breaks hard mode the review without it, and the sentence that says so. */
async function graded(clues, how) {
  const played = spec(reviewed());
  try {
    return await askGame(played, "review", [clues], how);
  } catch (error) {
    if (!played.hard || !(error instanceof WrongInput)) throw error;
    const answer = await askGame({ ...played, hard: false }, "review", [clues], how);
    return { ...answer, broken: lawless(clues) };
  }
}

/** Which guess broke hard mode, and how. */
function lawless(clues) {
  const rows = clues.map(([word, text]) => ({ word, marks: [marksFrom(text, words.length)] }));
  for (const [at, { word }] of rows.entries()) {
    const why = illegal(word, rows.slice(0, at));
    if (why) return `Not a hard-mode game because of ${word.toUpperCase()}. ${why} Reviewed without hard mode.`;
  }
  return "Reviewed without hard mode.";
}

// ---- What is seen

function show({ guesses, sentence, skill, luck_guesses, widened, broken }) {
  const length = words.length;
  const rows = guesses.map((guess, at) => one(guess, at, length));
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
  parts.result.append(make("h3", {}, "To show around, without a word of the game"), picture, make("p", { class: "moves" }, ...cardButtons(picture).filter(Boolean)));
  parts.result.scrollIntoView({ block: "nearest" });
  announce(`Review: ${sentence}`);
}

/** Of a grid without words nothing can be said but how many words fit each row. */
function showGrid({ remaining, rows }, hidden) {
  const length = words.length;
  const lines = rows.map(({ text, n_words: fit, mean }) => make(
    "li",
    {},
    make("div", { class: "reviewed" }, smallReply(marksFrom(text, length)), make("span", {}, `${counted(fit, "word")} fit${fit === 1 ? "s" : ""}`)),
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

const tilesOf = (marks) => marks.map((mark) => "⬛🟨🟩".match(/./gu)[mark]).join("");
const signed = (number) => (number < 0 ? `−${Math.abs(number).toFixed(2)}` : `+${number.toFixed(2)}`);

function one({ word, text, before, after, expected, best, better, better_expected, skill, luck_guesses, exact }, at, length) {
  const known = expected !== null && expected !== undefined;
  const others = (better ?? []).filter((other) => other !== word);
  const lines = [];
  if (before === 1) lines.push("Only one word was possible.");
  else if (known) lines.push(`With it the game takes ${exact ? "" : "at most "}${expected.toFixed(2)} more guesses on average, this one included.`);
  const remain = isSolved(marksFrom(text, length)) ? "solved" : `${counted(before, "word")} → ${counted(after, "word")}`;
  const verdict = VERDICTS.find(([least]) => skill >= least)[1];
  return make(
    "li",
    {},
    make("div", { class: "reviewed" }, make("span", { class: "number" }, `${at + 1}`), wordOf(word), smallReply(marksFrom(text, length)), make("b", { class: `verdict ${verdict.toLowerCase()}` }, verdict), make("span", { class: "remain" }, remain)),
    make("p", { class: "measure" }, `Skill ${Math.round(skill)}, luck ${signed(luck_guesses)}`),
    make("p", {}, lines.join(" "), ...betterWords(others, better_expected, best, word)),
  );
}

function betterWords(others, values, best, word) {
  if (!others.length || best === word) return [];
  const parts_ = others.slice(0, 3).flatMap((other, at) => {
    const value = values?.[at];
    return [at ? ", " : " Better: ", wordOf(other), value === undefined || value === null ? "" : ` (${value.toFixed(2)})`];
  });
  return [...parts_, "."];
}
