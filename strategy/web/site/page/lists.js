// The lists of words: the four that are shipped, and one's own, pasted or dropped.

import { clipped } from "./dom.js";
import { askGame } from "./asking.js";

export const LISTS = {
  "nyt-2026": "Today's newspaper list (nyt-2026)",
  "nyt-2023": "The newspaper's list of 2023 (nyt-2023)",
  "nyt-2022": "The newspaper's first list (nyt-2022)",
  original: "Wordle's first list (original)",
};
export const OWN = "own";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
const SPELLED = /^[a-z]{5}$/;
const known = new Map();

const keyOf = (spec) => JSON.stringify({ ...spec, hard: false, guesses: spec.guesses && spec.id });

function described(guesses, secrets) {
  const set = new Set(guesses);
  const letters = new Set(guesses.join(""));
  return { guesses, secrets, letters, length: Array.from(guesses[0]).length, has: (word) => set.has(word) };
}

/** What the page knows of a game's words: {guesses, secrets, length, letters, has(word)}. */
export async function wordsOf(spec) {
  const key = keyOf(spec);
  if (!known.has(key)) {
    const { guesses, secrets } = spec.guesses ? { guesses: spec.guesses, secrets: spec.guesses } : await askGame(spec, "words");
    if (!known.has(key)) known.set(key, described(guesses, secrets));
  }
  return known.get(key);
}

/** The same as far as it is known at once: of a shipped list that is not read yet its letters alone. */
export function wordsNow(spec) {
  const isComing = !spec.guesses && !known.has(keyOf(spec));
  if (isComing) return { isComing, guesses: [], secrets: [], letters: new Set(ALPHABET), length: 5, has: (word) => SPELLED.test(word) };
  if (!known.has(keyOf(spec))) known.set(keyOf(spec), described(spec.guesses, spec.guesses));
  return known.get(keyOf(spec));
}

/** What is wrong with a word that is not in a list, in a sentence. */
export const notInList = (word) => `${clipped(word).toUpperCase()} is not in this list of words.`;
