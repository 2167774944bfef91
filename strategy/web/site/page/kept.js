// What somebody chose before, where the browser keeps it; without such a place, until the page is left.

const memory = new Map();

const [navigated] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
/** Whether the page is loaded again, or opened where it was left: then its tabs stand where they stood. */
export const isAgain = location.hash === "#last" || navigated?.type === "reload";

/** The value that is kept under a name, or this one.
 *  @param {string} name @param {any} [otherwise] */
export function kept(name, otherwise = null) {
  try {
    const text = localStorage.getItem(`knuthle-${name}`);
    if (text !== null) return JSON.parse(text);
  } catch {
    // no storage, or something else lies there
  }
  return memory.get(name) ?? otherwise;
}

/** Keep a value under a name; whether the browser keeps it for the next visit.
 *  @param {string} name @param {any} value */
export function keep(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(`knuthle-${name}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
