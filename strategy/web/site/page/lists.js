// The lists of words: the four that are shipped, and one's own, pasted or dropped.

import { clipped } from "./dom.js";
import { askGame } from "./asking.js";

/** @import { Spec, Words } from "./types.js" */

/** @type {Record<string, string>} */
export const LISTS = {
  "nyt-2026": "Today's newspaper list (nyt-2026)",
  "nyt-2023": "The newspaper's list of 2023 (nyt-2023)",
  "nyt-2022": "The newspaper's first list (nyt-2022)",
  original: "Wordle's first list (original)",
};
export const OWN = "own";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
const SPELLED = /^[a-z]{5}$/;
/** @type {Map<string, Words>} */
const known = new Map();

/** @param {Spec} spec */
const keyOf = (spec) => JSON.stringify({ ...spec, hard: false, guesses: spec.guesses && spec.id });

/** @param {string[]} guesses @param {string[]} secrets @returns {Words} */
function described(guesses, secrets) {
  const set = new Set(guesses);
  const letters = new Set(guesses.join(""));
  return { guesses, secrets, letters, length: Array.from(guesses[0]).length, has: set.has.bind(set) };
}

/** What the page knows of a game's words: {guesses, secrets, length, letters, has(word)}.
 *  @param {Spec} spec @returns {Promise<Words>} */
export async function wordsOf(spec) {
  const now = wordsNow(spec);
  if (!now.isComing) return now;
  const { guesses, secrets } = await askGame(spec, "words");
  const key = keyOf(spec);
  const words = known.get(key) ?? described(guesses, secrets);
  known.set(key, words);
  return words;
}

/** The same as far as it is known at once: of a shipped list that is not read yet its letters alone.
 *  @param {Spec} spec @returns {Words} */
export function wordsNow(spec) {
  const key = keyOf(spec);
  if (!known.has(key) && spec.guesses) known.set(key, described(spec.guesses, spec.guesses));
  const coming = { isComing: true, guesses: [], secrets: [], letters: new Set(ALPHABET), length: 5 };
  return known.get(key) ?? { ...coming, has: (word) => SPELLED.test(word) };
}

/** What is wrong with a word that is not in a list, in a sentence.
 *  @param {string} word */
export const notInList = (word) => `${clipped(word).toUpperCase()} is not in this list of words.`;
