// The games that were played on this page: counted in the browser, and nowhere else.

import { fill, grouped, make } from "./dom.js";
import { keep, kept } from "./kept.js";

const MOST = 6;
const NONE = { played: 0, won: 0, streak: 0, best: 0, counts: new Array(MOST).fill(0), day: null };

/** Count a game that is over; the word of a day counts once. */
export function tally({ won, guesses, day }) {
  const now = { ...NONE, ...kept("statistics", {}) };
  if (day !== null && now.day === day) return;
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
  });
}

/** The figures as an element; null if no game was counted. */
export function showStatistics() {
  const now = { ...NONE, ...kept("statistics", {}) };
  if (!now.played) return null;
  const most = Math.max(...now.counts, 1);
  const rows = now.counts.map((count, at) => {
    const bar = make("span", { class: "fill" });
    bar.style.setProperty("--part", count / most);
    return make("tr", {}, make("th", { scope: "row" }, String(at + 1)), make("td", { class: "track" }, bar, grouped(count)));
  });
  const facts = [
    [grouped(now.played), "played"],
    [`${Math.round((100 * now.won) / now.played)} %`, "solved"],
    [grouped(now.streak), "streak"],
    [grouped(now.best), "best streak"],
  ];
  const element = make("section", { class: "statistics" });
  fill(
    element,
    make("h3", {}, "Your games in this browser"),
    make("ul", { class: "facts" }, ...facts.map(([figure, name]) => make("li", {}, make("b", {}, figure), " ", name))),
    make(
      "table",
      { class: "bars" },
      make("caption", { class: "unseen" }, "Games by the number of guesses"),
      make("tbody", {}, ...rows),
    ),
  );
  return element;
}
