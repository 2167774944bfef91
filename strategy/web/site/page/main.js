// The page: its tabs, its address, its colours. Each tab is a module, built when it is first shown.

import { fill, make, place } from "./dom.js";
import { askGame, WrongInput } from "./asking.js";
import {
  addressOf, buildOptions, linkOf, placeOf, sameOptions, showFields, standAt, takeFile, takeOptions,
} from "./options.js";
import { keep, kept } from "./kept.js";
import { beginVisit, noEngine, stopWork, trouble } from "./work.js";
import { scriptAddress } from "./trusted.js";
import { helper } from "./helper.js";
import { game } from "./game.js";
import { review } from "./review.js";
import { strategies } from "./strategies.js";
import { openers } from "./openers.js";
import { codes } from "./codes.js";

/** @import { Tab } from "./types.js" */

/** @type {Tab[]} */
const TABS = [helper, game, review, strategies, openers, codes];
/** When the files for visits without a network are fetched: not before those that this visit needs. */
const LATER = 4000;
/** @type {Record<string, string>} */
const THEMES = { "": "System", light: "Light", dark: "Dark" };

/** @type {Tab} */
let current;
let isChosen = false;
const built = new Set();

// ---- The address: #tab/position?options

function route() {
  if (location.hash === "#last") history.replaceState(null, "", linkOf("helper").hash);
  const [, name, position, options] = /^#?([^/?]*)\/?([^?]*)\??(.*)$/.exec(location.hash) ?? [];
  const tab = TABS.find(({ id }) => id === name) ?? helper;
  let text = "";
  let fault = name && tab.id !== name ? "There is no such page here." : null;
  try {
    text = decodeURIComponent(position);
  } catch {
    fault = "This address is damaged.";
  }
  const hasOptions = tab.fields.length && (location.hash.includes("?") || text !== "");
  if (text !== "" && !tab.open.length) fault = "There is no such page here."; // such a tab has no positions
  if (hasOptions) fault = (sameOptions(options) ? null : takeOptions(options)) ?? fault;
  trouble(fault ?? "");
  go(tab, text);
}

/** @param {Tab} tab @param {string} text */
function go(tab, text) {
  beginVisit();
  current?.leave();
  current = tab;
  standAt(tab.id, location.hash || `#${tab.id}`);
  if (!built.has(tab)) {
    built.add(tab);
    tab.build(place(`view-${tab.id}`));
  }
  for (const each of TABS) {
    place(`view-${each.id}`).hidden = each !== tab;
    place(`tab-${each.id}`).ariaCurrent = each === tab ? "page" : null;
  }
  showFields(tab.fields);
  document.title = tab.id === "helper" ? "knuthle" : `${tab.name} – knuthle`;
  if (isChosen) {
    scrollTo(0, 0);
    focusView();
  }
  isChosen = false;
  Promise.resolve(tab.open(text)).catch(report);
}

/** From now on Enter is the board's, no link's or button's. */
const focusView = () => place(`view-${current.id}`).focus({ preventScroll: true });

/** Another tab is chosen; the link of this one changes nothing.
 *  @param {Event} event */
function leaveFor(event) {
  if (event.currentTarget === linkOf(current.id)) event.preventDefault();
  else isChosen = true;
}

/** The options have changed: all tabs keep their positions, unless these are of other boards.
 *  @param {boolean} keeps */
function optionsChanged(keeps) {
  /** @param {string} hash */
  const positionOf = (hash) => (keeps ? (/\/([^?]*)/.exec(hash)?.[1] ?? "") : "");
  for (const { id } of TABS) standAt(id, addressOf(id, positionOf(id === current.id ? location.hash : linkOf(id).hash)));
  history.pushState(null, "", linkOf(current.id).hash);
  route();
}

/** @param {unknown} error */
function report(error) {
  if (error instanceof WrongInput) trouble(`This list of words cannot be used: ${error.message}`);
  else noEngine(error);
}

// ---- Colours

/** @param {string} choice */
function theme(choice) {
  const known = Object.hasOwn(THEMES, choice) ? choice : "";
  if (known) document.documentElement.dataset.theme = known;
  else delete document.documentElement.dataset.theme;
  fill(place("theme"), `Theme: ${THEMES[known]}`);
  keep("page-theme", known);
}

/** @param {boolean} is */
function contrast(is) {
  document.documentElement.classList.toggle("contrast", is);
  place("contrast").setAttribute("aria-pressed", String(is));
  keep("page-contrast", is);
}

// ---- The beginning

for (const { id } of TABS) {
  linkOf(id).addEventListener("click", leaveFor);
  standAt(id, placeOf(id));
  if (id !== "helper") place("views").append(make("div", { id: `view-${id}`, class: "view", tabindex: "-1", hidden: true }));
}
buildOptions(optionsChanged);

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || !current?.key?.(event)) return;
  event.preventDefault();
  if (event.target instanceof Element && event.target.closest("button:not(.tile), a, summary")) focusView();
});
addEventListener("paste", (event) => {
  if (event.target instanceof Element && event.target.closest("input, textarea")) return;
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (text && current?.paste?.(text)) event.preventDefault();
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  const head = await file.slice(0, 8).text().catch(() => null);
  if (head === null) { // a folder, or a file that is gone
    trouble("What was dropped is no file that can be read.");
    return;
  }
  if (current !== strategies && head === "KNUTHLE\n") { // a strategy or a proof
    history.pushState(null, "", "#strategies");
    route();
  }
  if (await current?.drop?.(file)) return;
  /** @type {HTMLDetailsElement} */ (place("options")).open = true;
  takeFile(file);
});
place("theme").addEventListener("click", () => {
  const names = Object.keys(THEMES);
  theme(names[(names.indexOf(document.documentElement.dataset.theme ?? "") + 1) % names.length]);
});
place("contrast").addEventListener("click", () => contrast(!document.documentElement.classList.contains("contrast")));
place("work-cancel").addEventListener("click", stopWork);

theme(kept("page-theme", ""));
contrast(kept("page-contrast", false) === true);
addEventListener("popstate", route);
route();
place("loading").remove();
if ("serviceWorker" in navigator && isSecureContext) {
  setTimeout(() => navigator.serviceWorker.register(scriptAddress("service.js")).catch(() => {}), LATER);
}

/** For tests: the engine as the page asks it. */
export { askGame };
