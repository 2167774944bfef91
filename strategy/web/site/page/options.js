// What is played: the list, which words may be hidden, hard mode, the number of boards.

import { USED } from "../engine/lists.js";
import { MOST_BOARDS } from "../engine/words.js";
import { button, clipped, counted, fill, make, place } from "./dom.js";
import { ask, sentenceOf } from "./asking.js";
import { LISTS, OWN } from "./lists.js";
import { cluesText } from "./clues.js";
import { isAgain, keep, kept } from "./kept.js";

/** @import { OwnList, Row, Spec } from "./types.js" */

const DEFAULTS = { list: "nyt-2026", secrets: "answers", used: "ignore", hard: false, boards: 1 };
/** @type {Record<string, string>} */
const USES = { ignore: "come again like any other", weigh: `come again ${USED.weight} times less often`, exclude: "do not come again (a review counts them)" };
const ABOUT_LIST = "The newspaper's list of 2023, and two answers that it did not have: LORIS and KEFIR. " +
  `Since February 2026 answers come again, ${USED.low.toFixed(0)} to ${USED.high.toFixed(0)} times less often than new ones (measured to ${USED.until}).`;

/** Which values an address may have, and what is no text of them.
 *  @type {Record<string, (value: string) => boolean>} */
const MEANT = {
  list: (value) => Object.hasOwn(LISTS, value) || value === OWN,
  secrets: (value) => value === "answers" || value === "allowed",
  used: (value) => Object.hasOwn(USES, value),
  hard: (value) => value === "true" || value === "false",
  boards: (value) => /^\d{1,4}$/.test(value) && +value >= 1 && +value <= MOST_BOARDS,
};
/** @type {Record<string, (value: string) => boolean | number>} */
const READ = { hard: (value) => value === "true", boards: Number };

/** What is chosen now. */
export const chosen = { ...DEFAULTS };
let own = ownOf(kept("own-list", null));
/** @type {(keeps: boolean) => void} */
let heard = () => {};
/** The fields that mean something on the tab that is shown.
 *  @type {string[]} */
let fields = [];
Object.assign(chosen, optionsOf(Object.entries(kept("options", {}) ?? {})).wanted);

/** One's own list as it was kept; null if something else lies there.
 *  @param {any} value @returns {OwnList | null} */
function ownOf(value) {
  const isList = Array.isArray(value?.words) && value.words.length > 0 && value.words.every((/** @type {unknown} */ word) => typeof word === "string");
  return isList ? { words: value.words, name: String(value.name || "words"), id: Number(value.id) || 0 } : null;
}

/** Options as an address or the browser has them: those that can be met, and a sentence if one cannot.
 *  @param {Iterable<[string, any]>} entries */
function optionsOf(entries) {
  /** @type {Record<string, any> & typeof DEFAULTS} */
  const wanted = { ...DEFAULTS };
  let fault = null;
  for (const [name, of] of entries) {
    const value = String(of);
    if (name === "list" && value === OWN && !own) fault = "This position belongs to a list of somebody's own, which is not in this browser.";
    else if (Object.hasOwn(MEANT, name) && MEANT[name](value)) wanted[name] = READ[name]?.(value) ?? value;
    else fault = `This address has ${name}=${clipped(value, 20)}, which means nothing here, so it is left out.`;
  }
  if (wanted.boards > 1) wanted.hard = false;
  return { wanted, fault };
}

const isNewspaper = () => chosen.list === USED.list && chosen.secrets === "answers";

/** The game as the engine is asked for it.
 *  @param {{hard?: boolean, used?: string}} [how] @returns {Spec} */
export function spec({ hard = chosen.hard, used = chosen.used } = {}) {
  if (chosen.list === OWN && own) return { guesses: own.words, secrets: "allowed", hard, name: own.name, id: own.id };
  return { list: chosen.list, secrets: chosen.secrets, hard, ...(isNewspaper() && used !== DEFAULTS.used ? { used } : {}) };
}

/** The same for a game that was played: its own answer may be a past one, so none is left out. */
export const reviewed = () => spec({ used: chosen.used === "exclude" ? DEFAULTS.used : chosen.used });

/** What an address says of the options; nothing where they are the usual ones.
 *  @param {Record<string, any>} [how] */
export function optionsText(how = {}) {
  const parts = Object.keys(DEFAULTS).map((name) => /** @type {keyof typeof DEFAULTS} */ (name))
    .filter((name) => chosen[name] !== DEFAULTS[name] && how[name] !== false)
    .map((name) => `${name}=${chosen[name]}`);
  return parts.join("&");
}

/** The address of a tab with a position and what is chosen.
 *  @param {string} tab @param {string} position @param {Record<string, any>} [how] */
export function addressOf(tab, position, how) {
  const options = optionsText(how);
  return `#${tab}${position || options ? `/${position}` : ""}${options ? `?${options}` : ""}`;
}

/** Where the tabs stand, by their ids.
 *  @type {Record<string, any>} */
const places = { ...(isAgain ? kept("places") : null) };

/** The address at which a tab was left when the page was loaded last; its own without a position if none is kept.
 *  @param {string} tab @returns {string} */
export const placeOf = (tab) => (String(places[tab]).startsWith(`#${tab}`) ? places[tab] : `#${tab}`);

/** The link of a tab leads to where it stands, after the page is loaded again, too.
 *  @param {string} tab @param {string} hash */
export function standAt(tab, hash) {
  linkOf(tab).href = places[tab] = hash;
  keep("places", places);
}

/** The position of a tab has changed, which its address says; going back leads to the one before.
 *  @param {string} tab @param {string} hash */
export function moveTo(tab, hash) {
  if (location.hash !== hash) history.pushState(null, "", hash);
  standAt(tab, hash);
}

/** The link of a tab.
 *  @param {string} tab */
export const linkOf = (tab) => /** @type {HTMLAnchorElement} */ (place(`tab-${tab}`));

/** The address of the review of a game on one board.
 *  @param {string} clues */
export const reviewOf = (clues) => addressOf("review", encodeURI(clues), { boards: false });

/** A link to the review of a game on one board.
 *  @param {Row[]} rows */
export const reviewLink = (rows) => make("a", { class: "button", href: reviewOf(cluesText(rows)) }, "Review this game");

/** Take the options of an address over; a sentence if one of them cannot be met.
 *  @param {string} text */
export function takeOptions(text) {
  const { wanted, fault } = optionsOf(new URLSearchParams(text));
  Object.assign(chosen, wanted);
  refresh();
  return fault;
}

/** Whether an address has the same options as are chosen.
 *  @param {string} text */
export const sameOptions = (text) => new URLSearchParams(text).toString() === new URLSearchParams(optionsText()).toString();

/** Build the fields; `changed` is called after each change, with whether there are as many boards as before.
 *  @param {(keeps: boolean) => void} changed */
export function buildOptions(changed) {
  heard = changed;
  /** @param {string} label @param {Record<string, string>} values @param {keyof typeof DEFAULTS} id */
  const choice = (label, values, id) => {
    const select = make("select", { id, onchange: ({ target }) => set({ [id]: target.value }) });
    for (const [value, text] of Object.entries(values)) select.append(make("option", { value }, text));
    return make("p", { id: `${id}-field` }, make("label", { for: id }, label), select);
  };
  const boards = make("input", {
    id: "boards", type: "number", min: 1, max: MOST_BOARDS, inputmode: "numeric",
    onchange: ({ target }) => set({ boards: Math.min(Math.max(Math.round(+target.value) || 1, 1), MOST_BOARDS) }),
  });
  const hard = make("input", { id: "hard", type: "checkbox", onchange: ({ target }) => set({ hard: target.checked }) });
  fill(
    place("options-fields"),
    choice("List of words", { ...LISTS, [OWN]: "A list of my own" }, "list"),
    ownFields(),
    choice("The answer is", { answers: "a likely answer", allowed: "any allowed word" }, "secrets"),
    choice("Past answers of the newspaper", USES, "used"),
    make("p", { id: "about-list", class: "hint" }, ABOUT_LIST),
    make("p", { id: "hard-field", class: "check" }, hard, make("label", { for: "hard" }, "Hard mode")),
    make("p", { id: "boards-field" }, make("label", { for: "boards" }, "Boards (1 to 32)"), boards),
  );
  place("options").hidden = false;
  refresh();
}

/** Change options, keep them, and tell.
 *  @param {Partial<typeof DEFAULTS>} changes */
export function set(changes) {
  if (changes.list === OWN && !own) {
    place("own-field").hidden = false;
    place("own-text").focus();
    return;
  }
  const { boards } = chosen;
  Object.assign(chosen, changes);
  if (chosen.boards > 1) chosen.hard = false;
  keep("options", chosen);
  refresh();
  heard(chosen.boards === boards);
}

function ownFields() {
  const text = make("textarea", { id: "own-text", rows: 4, spellcheck: "false", autocapitalize: "none" });
  const file = make("input", { id: "own-file", type: "file", accept: ".txt,text/plain", "aria-label": "File of words",
    onchange: ({ target }) => target.files[0] && takeFile(target.files[0]) });
  return make(
    "div",
    { id: "own-field", hidden: true },
    make("label", { for: "own-text" }, "Words, pasted or from a file (or drop a file on the page)"),
    text,
    make("p", { class: "moves" }, button("Use these words", () => takeOwn(text.value)), file),
    make("p", { id: "own-note", class: "hint", role: "status" }),
  );
}

/** Take the words of a file; files of strategies call the list by its name.
 *  @param {File} file */
export const takeFile = async (file) => takeOwn(await file.text(), file.name.replace(/\.[^.]*$/, ""));

/** Take a text as one's own list.
 *  @param {string} text @param {string} [name] */
async function takeOwn(text, name = "") {
  const note = place("own-note");
  fill(note, "One moment …");
  try {
    const found = await ask("read", { text });
    own = { words: found.words, name: name || "words", id: Date.now() };
    const isKept = keep("own-list", own);
    fill(note, found.note + (isKept ? "" : " The list is too large to be kept for the next visit."));
    set({ list: OWN });
  } catch (error) {
    fill(note, sentenceOf(error));
    place("own-field").hidden = false;
  }
}

function refresh() {
  const [list, secrets, used, boards, hard] = ["list", "secrets", "used", "boards", "hard"]
    .map((name) => /** @type {HTMLInputElement} */ (place(name)));
  list.value = chosen.list;
  secrets.value = chosen.secrets;
  used.value = chosen.used;
  boards.value = String(chosen.boards);
  hard.checked = chosen.hard;
  hard.disabled = chosen.boards > 1;
  place("own-field").hidden = chosen.list !== OWN;
  place("secrets-field").hidden = chosen.list === OWN;
  place("used-field").hidden = place("about-list").hidden = !isNewspaper() || !fields.includes("used");
  const parts = [own && chosen.list === OWN ? `My own list, ${counted(own.words.length, "word")}` : LISTS[chosen.list]];
  if (chosen.list !== OWN && chosen.secrets === "allowed") parts.push("any allowed word");
  if ((fields.includes("played") ? reviewed() : spec()).used && fields.includes("used")) parts.push(chosen.used === "weigh" ? "used answers less likely" : "without used answers");
  if (chosen.hard) parts.push("hard mode");
  if (chosen.boards > 1) parts.push(`${chosen.boards} boards`);
  fill(place("options-summary"), parts.join(" · "));
}

/** Show those fields that mean something on a tab.
 *  @param {string[]} names */
export function showFields(names) {
  fields = names;
  refresh();
  for (const name of ["hard", "boards"]) place(`${name}-field`).hidden = !names.includes(name);
  place("options").hidden = !names.length;
}
