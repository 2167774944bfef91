// "Did you mean …?" for a word that is on no list, as the commands say it: the closest words by
// Ratcliff and Obershelp's measure, and before them those with one other letter or two neighbours in
// the wrong order, the likely ones first.

import { byCodePoints } from "./words.js";

const LEAST = 0.6;
/** Keys that lie side by side are neighbours in it. */
const KEYS = "qwertyuiop asdfghjkl zxcvbnm";

/**
 * "; did you mean …?" with the closest of some words, or nothing.
 * @param {string} word @param {Iterable<string>} known @param {number} [count] @param {string[]} [likely]
 */
export function didYouMean(word, known, count = 3, likely = []) {
  const signs = [...word];
  const first = new Set(likely);
  /** @type {Map<string, number[]>} */
  const near = new Map();
  for (const other of known) {
    const far = distance(signs, [...other]);
    if (far !== null) near.set(other, [0, first.has(other) ? 0 : 1, far]);
  }
  closeMatches(signs, known, 3 * count).forEach((other, place) => {
    if (!near.has(other)) near.set(other, [1, first.has(other) ? 0 : 1, place]);
  });
  /** @param {number[]} a @param {number[]} b */
  const order = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
  const best = [...near].sort(([, a], [, b]) => order(a, b)).slice(0, count).map(([other]) => other);
  return best.length > 0 ? `; did you mean ${best.join(" or ")}?` : "";
}

/**
 * 0 for two neighbours in the other order, a half for the key beside it, 1 for another letter.
 * @param {string[]} one @param {string[]} other
 */
function distance(one, other) {
  if (one.length !== other.length) return null;
  const at = one.findIndex((sign, k) => sign !== other[k]);
  const last = one.findLastIndex((sign, k) => sign !== other[k]);
  if (at === last) {
    if (at < 0) return null;
    return KEYS.includes(one[at] + other[at]) || KEYS.includes(other[at] + one[at]) ? 0.5 : 1;
  }
  return last === at + 1 && one[at] === other[last] && one[last] === other[at] ? 0 : null;
}

/**
 * The closest words, the closest first; of equal ones the later in the order of their letters.
 * @param {string[]} signs @param {Iterable<string>} known @param {number} count
 */
function closeMatches(signs, known, count) {
  const there = new Map();
  for (const sign of signs) there.set(sign, (there.get(sign) ?? 0) + 1);
  /** @type {[ratio: number, word: string][]} */
  const found = [];
  for (const word of known) {
    const other = [...word];
    const whole = other.length + signs.length;
    if ((2 * Math.min(other.length, signs.length)) / whole < LEAST) continue;
    if ((2 * inCommon(other, there)) / whole < LEAST) continue;
    const ratio = (2 * matching(other, signs, 0, other.length, 0, signs.length)) / whole;
    if (ratio >= LEAST) found.push([ratio, word]);
  }
  found.sort(([one, a], [other, b]) => other - one || byCodePoints(b, a));
  return found.slice(0, count).map(([, word]) => word);
}

/**
 * How many signs two words have in common, wherever they stand.
 * @param {string[]} signs @param {Map<string, number>} there
 */
function inCommon(signs, there) {
  const left = new Map(there);
  let count = 0;
  for (const sign of signs) {
    const number = left.get(sign) ?? 0;
    left.set(sign, number - 1);
    if (number > 0) count += 1;
  }
  return count;
}

/**
 * The signs of the longest common piece, and of the longest ones before and behind it.
 * @param {string[]} one @param {string[]} other @param {number} oneFrom @param {number} oneTo @param {number} otherFrom
 * @param {number} otherTo
 * @returns {number}
 */
function matching(one, other, oneFrom, oneTo, otherFrom, otherTo) {
  let [atOne, atOther, longest] = [oneFrom, otherFrom, 0];
  for (let a = oneFrom; a < oneTo; a += 1) {
    for (let b = otherFrom; b < otherTo; b += 1) {
      let size = 0;
      while (a + size < oneTo && b + size < otherTo && one[a + size] === other[b + size]) size += 1;
      if (size > longest) [atOne, atOther, longest] = [a, b, size];
    }
  }
  if (longest === 0) return 0;
  return longest + matching(one, other, oneFrom, atOne, otherFrom, atOther) +
    matching(one, other, atOne + longest, oneTo, atOther + longest, otherTo);
}
