// The games that were played on this page: counted in the browser, and nowhere else.

import { grouped, make } from "./dom.js";
import { keep, kept } from "./kept.js";

const MOST = 6;
/** Games that were counted last, which two tabs may both bring to their end. */
const LAST = 50;

/** What was counted so far; what is no count is none. */
function counted() {
  const found = kept("statistics", {}) ?? {};
  const count = (/** @type {any} */ value) => (Number.isSafeInteger(value) && value >= 0 ? value : 0);
  const [played, won, streak, best] = ["played", "won", "streak", "best"].map((name) => count(found[name]));
  return { played, won, streak, best, counts: Array.from({ length: MOST }, (_, at) => count(found.counts?.[at])), day: found.day ?? null, last: Array.isArray(found.last) ? found.last : [] };
}

/** Count a game that is over, once: the word of a day, and a word that was drawn by a seed.
 *  @param {{won: boolean, guesses: number, kind: string, seed: number}} game */
export function tally({ won, guesses, kind, seed }) {
  const now = counted();
  const day = kind === "day" ? seed : null;
  if (day === null ? now.last.includes(seed) : now.day === day) return;
  const counts = [...now.counts];
  if (won && guesses <= MOST) counts[guesses - 1]++;
  const streak = won ? now.streak + 1 : 0;
  keep("statistics", {
    played: now.played + 1,
    won: now.won + (won ? 1 : 0),
    streak,
    best: Math.max(now.best, streak),
    counts,
    day: day ?? now.day,
    last: day === null ? [...now.last, seed].slice(-LAST) : now.last,
  });
}

/** How many need one guess, two, and so on, as bars.
 *  @param {number[]} counts @param {string} caption */
export function bars(counts, caption) {
  const most = Math.max(...counts, 1);
  const rows = counts.map((count, at) => {
    const bar = make("span", { class: "fill" });
    bar.style.setProperty("--part", String(count / most));
    return make("tr", {}, make("th", { scope: "row" }, String(at + 1)), make("td", { class: "track" }, bar, grouped(count)));
  });
  return make("table", { class: "bars" }, make("caption", { class: "unseen" }, caption), make("tbody", {}, ...rows));
}

/** The figures as an element; null if no game was counted. */
export function showStatistics() {
  const now = counted();
  if (!now.played) return null;
  const facts = [
    [grouped(now.played), "played"],
    [`${Math.round((100 * now.won) / now.played)} %`, "solved"],
    [grouped(now.streak), "streak"],
    [grouped(now.best), "best streak"],
  ];
  return make(
    "section",
    { class: "statistics" },
    make("h3", {}, "Your games in this browser"),
    make("ul", { class: "facts" }, ...facts.map(([figure, name]) => make("li", {}, make("b", {}, figure), " ", name))),
    bars(now.counts, "Games by the number of guesses"),
  );
}
