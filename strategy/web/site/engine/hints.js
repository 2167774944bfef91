// "Did you mean …?" for a word that is on no list, as the commands say it: the closest words by
// Ratcliff and Obershelp's measure, and those with two neighbours in the wrong order before them.

import { byCodePoints } from "./words.js";

const LEAST = 0.6;

/** "; did you mean …?" with the closest of some words, or nothing. */
export function didYouMean(word, known, count = 3) {
  const signs = [...word];
  const there = new Set(known);
  const close = new Set();
  for (let at = 0; at + 1 < signs.length; at += 1) {
    const turned = [...signs.slice(0, at), signs[at + 1], signs[at], ...signs.slice(at + 2)].join("");
    if (there.has(turned)) close.add(turned);
  }
  for (const other of closeMatches(signs, known, count)) close.add(other);
  const best = [...close].slice(0, count);
  return best.length > 0 ? `; did you mean ${best.join(" or ")}?` : "";
}

/** The closest words, the closest first; of equal ones the later in the order of their letters. */
function closeMatches(signs, known, count) {
  const there = new Map();
  for (const sign of signs) there.set(sign, (there.get(sign) ?? 0) + 1);
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

/** How many signs two words have in common, wherever they stand. */
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

/** The signs of the longest common piece, and of the longest ones before and behind it. */
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
