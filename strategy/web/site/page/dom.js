// Elements. Whatever is typed, pasted or read from a file becomes text here, never markup.

/** @import { Attributes, Child } from "./types.js" */

export { counted, grouped } from "../engine/words.js";

/** The element of an id, which the page has.
 *  @param {string} id */
export const place = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** An element with attributes, listeners (`onclick`) and children; what is no element is its text.
 *  @template {keyof HTMLElementTagNameMap} T
 *  @param {T} tag @param {Attributes} [attributes] @param {Child[]} children */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/** @param {Child[]} children */
const present = (children) => children.filter((child) => child !== null && child !== undefined);

/** Put these in place of all that an element holds; a button keeps the focus if it is there again.
 *  @param {Element} element @param {Child[]} children */
export function fill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement?.closest("button, a") ?? null : null;
  element.replaceChildren(...present(children));
  if (focused === null || element.contains(focused)) return;
  const again = [...element.querySelectorAll("button, a")].find((each) => nameOf(each) === nameOf(focused));
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** What a button is called, whichever way it sorts.
 *  @param {Element} element */
const nameOf = (element) => (element.getAttribute("aria-label") ?? element.textContent ?? "").replace(/ [▲▼]$/u, "");

/** A word as titles have it, with its own direction of writing.
 *  @param {string} word */
export const wordOf = (word) => make("bdi", { class: "word" }, word);

/** Say it to those who hear the page.
 *  @param {string} text */
export function announce(text) {
  place("live").textContent = text;
}

/** What the engine says, as a sentence for those who know no list by its name and no option.
 *  @param {string} message */
export function said(message) {
  const text = message.replace(/^--start guesses/u, "you begin with").replace(/no secret of .+? \([^)]*\)/u, "no word of the list").replace(/: try .*--secrets allowed/u, "; choose “any allowed word” above");
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

/** Somebody's text, not longer than a line.
 *  @param {string} text */
export function clipped(text, most = 40) {
  const letters = Array.from(text);
  return letters.length > most ? letters.slice(0, most).join("") + "…" : text;
}

/** A button; `act` is what it does.
 *  @param {Child} text @param {(event: MouseEvent) => unknown} act @param {Attributes} [attributes] */
export const button = (text, act, attributes = {}) =>
  make("button", { type: "button", onclick: act, ...attributes }, text);

/** A key or tile: a button that takes a tap without taking the keyboard's focus from where it is.
 *  @param {Child} text @param {(event: MouseEvent) => unknown} act @param {Attributes} [attributes] */
export const tapKey = (text, act, attributes) =>
  button(text, act, { onpointerdown: (/** @type {Event} */ event) => event.preventDefault(), ...attributes });

/** A proposal within a line, which can be taken from there.
 *  @param {HTMLElement} shown @param {string} name @param {() => void} take */
export const takeKey = (shown, name, take) => tapKey(shown, take, { class: "take-best", "aria-label": `take ${name}` });

/** A line for a word or more; Enter is `submit`.
 *  @param {string} id @param {() => unknown} submit @param {Attributes} [attributes] */
export const wordLine = (id, submit, attributes = {}) =>
  make("input", {
    id, type: "text", spellcheck: "false", autocapitalize: "none", autocomplete: "off",
    onkeydown: (/** @type {KeyboardEvent} */ { key }) => key === "Enter" && submit(), ...attributes,
  });

/** A field with its label.
 *  @param {string} id @param {string} text @param {Child[]} children */
export const labelled = (id, text, ...children) =>
  make("div", { class: "field" }, make("label", { for: id }, text), ...children);

/** Copy a text; whether the browser lets us.
 *  @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
