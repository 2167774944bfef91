// What is played: the list, which words may be hidden, hard mode, the number of boards.

import { USED } from "../engine/lists.js";
import { button, clipped, counted, fill, make, place } from "./dom.js";
import { ask, WrongInput } from "./asking.js";
import { LISTS, OWN } from "./lists.js";
import { keep, kept } from "./kept.js";

const DEFAULTS = { list: "nyt-2026", secrets: "answers", used: "ignore", hard: false, boards: 1 };
const USES = { ignore: "come again like any other", weigh: `come again ${USED.weight} times less often`, exclude: "do not come again (a review counts them)" };
const ABOUT_LIST = "The newspaper's list of 2023, and two answers that it did not have: LORIS and KEFIR. " +
  `Since February 2026 answers come again, ${USED.low.toFixed(0)} to ${USED.high.toFixed(0)} times less often than new ones (measured to ${USED.until}).`;
export const MOST_BOARDS = 32;

/** Which values an address may have, and what is no text of them. */
const MEANT = {
  list: (value) => Object.hasOwn(LISTS, value) || value === OWN,
  secrets: (value) => value === "answers" || value === "allowed",
  used: (value) => Object.hasOwn(USES, value),
  hard: (value) => value === "true" || value === "false",
  boards: (value) => /^\d{1,4}$/.test(value) && +value >= 1 && +value <= MOST_BOARDS,
};
const READ = { hard: (value) => value === "true", boards: Number };

/** What is chosen now. */
export const chosen = { ...DEFAULTS };
let own = ownOf(kept("own-list", null));
let heard = () => {};
/** The fields that mean something on the tab that is shown. */
let fields = [];
Object.assign(chosen, optionsOf(Object.entries(kept("options", {}) ?? {})).wanted);

/** One's own list as it was kept; null if something else lies there. */
function ownOf(value) {
  const isList = Array.isArray(value?.words) && value.words.length > 0 && value.words.every((word) => typeof word === "string");
  return isList ? { words: value.words, name: String(value.name || "words"), id: Number(value.id) || 0 } : null;
}

/** Options as an address or the browser has them: those that can be met, and a sentence if one cannot. */
function optionsOf(entries) {
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

/** The game as the engine is asked for it. */
export function spec({ hard = chosen.hard, used = chosen.used } = {}) {
  if (chosen.list === OWN) return { guesses: own.words, secrets: "allowed", hard, name: own.name, id: own.id };
  return { list: chosen.list, secrets: chosen.secrets, hard, ...(isNewspaper() && used !== DEFAULTS.used ? { used } : {}) };
}

/** How past answers count in a game that was played: its own answer may be one, so none is left out. */
export const reviewed = () => ({ used: chosen.used === "exclude" ? DEFAULTS.used : chosen.used });

/** What an address says of the options; nothing where they are the usual ones. */
export function optionsText(how = {}) {
  const parts = Object.keys(DEFAULTS)
    .filter((name) => chosen[name] !== DEFAULTS[name] && how[name] !== false)
    .map((name) => `${name}=${chosen[name]}`);
  return parts.join("&");
}

/** The address of a tab with a position and what is chosen. */
export function addressOf(tab, position, how) {
  const options = optionsText(how);
  return `#${tab}${position || options ? `/${position}` : ""}${options ? `?${options}` : ""}`;
}

/** Take the options of an address over; a sentence if one of them cannot be met. */
export function takeOptions(text) {
  const { wanted, fault } = optionsOf(new URLSearchParams(text));
  Object.assign(chosen, wanted);
  refresh();
  return fault;
}

/** Whether an address has the same options as are chosen. */
export const sameOptions = (text) => new URLSearchParams(text).toString() === new URLSearchParams(optionsText()).toString();

/** Build the fields; `changed` is called after each change, with whether there are as many boards as before. */
export function buildOptions(changed) {
  heard = changed;
  const choice = (id, label, values, name) => {
    const select = make("select", { id, onchange: (event) => set({ [name]: event.target.value }) });
    for (const [value, text] of Object.entries(values)) select.append(make("option", { value }, text));
    return make("p", { id: `${id}-field` }, make("label", { for: id }, label), select);
  };
  const boards = make("input", {
    id: "boards", type: "number", min: 1, max: MOST_BOARDS, inputmode: "numeric",
    onchange: (event) => set({ boards: Math.min(Math.max(Math.round(+event.target.value) || 1, 1), MOST_BOARDS) }),
  });
  const hard = make("input", { id: "hard", type: "checkbox", onchange: (event) => set({ hard: event.target.checked }) });
  fill(
    place("options-fields"),
    choice("list", "List of words", { ...LISTS, [OWN]: "A list of my own" }, "list"),
    ownFields(),
    choice("secrets", "The answer is", { answers: "a likely answer", allowed: "any allowed word" }, "secrets"),
    choice("used", "Past answers of the newspaper", USES, "used"),
    make("p", { id: "about-list", class: "hint" }, ABOUT_LIST),
    make("p", { id: "hard-field", class: "check" }, hard, make("label", { for: "hard" }, "Hard mode")),
    make("p", { id: "boards-field" }, make("label", { for: "boards" }, "Boards (1 to 32)"), boards),
  );
  place("options").hidden = false;
  refresh();
}

/** Change options, keep them, and tell. */
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

/** Take the words of a file; files of strategies call the list by its name. */
export const takeFile = async (file) => takeOwn(await file.text(), file.name.replace(/\.[^.]*$/, ""));

/** Take a text as one's own list. */
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
    if (!(error instanceof WrongInput)) throw error;
    fill(note, error.message);
    place("own-field").hidden = false;
  }
}

function refresh() {
  place("list").value = chosen.list;
  place("secrets").value = chosen.secrets;
  place("hard").checked = chosen.hard;
  place("hard").disabled = chosen.boards > 1;
  place("boards").value = chosen.boards;
  place("own-field").hidden = chosen.list !== OWN;
  place("secrets-field").hidden = chosen.list === OWN;
  place("used").value = chosen.used;
  place("used-field").hidden = place("about-list").hidden = !isNewspaper() || !fields.includes("used");
  const parts = [chosen.list === OWN ? `My own list, ${counted(own.words.length, "word")}` : LISTS[chosen.list]];
  if (chosen.list !== OWN && chosen.secrets === "allowed") parts.push("any allowed word");
  if (spec(fields.includes("played") ? reviewed() : {}).used && fields.includes("used")) parts.push(chosen.used === "weigh" ? "used answers less likely" : "without used answers");
  if (chosen.hard) parts.push("hard mode");
  if (chosen.boards > 1) parts.push(`${chosen.boards} boards`);
  fill(place("options-summary"), parts.join(" · "));
}

/** Show those fields that mean something on a tab. */
export function showFields(names) {
  fields = names;
  refresh();
  for (const name of ["hard", "boards"]) place(`${name}-field`).hidden = !names.includes(name);
  place("options").hidden = !names.length;
}
