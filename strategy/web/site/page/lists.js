// The lists of words: the three that are shipped, and one's own, pasted or dropped.

import { clipped } from "./dom.js";
import { askGame } from "./asking.js";

export const LISTS = {
  "nyt-2023": "Today's newspaper list (nyt-2023)",
  "nyt-2022": "The newspaper's first list (nyt-2022)",
  original: "Wordle's first list (original)",
};
export const OWN = "own";

const known = new Map();

/** What the page knows of a game's words: {guesses, secrets, length, letters, has(word)}. */
export async function wordsOf(spec) {
  const key = JSON.stringify({ ...spec, hard: false, guesses: spec.guesses && spec.id });
  if (!known.has(key)) {
    const { guesses, secrets } = await askGame(spec, "words");
    const set = new Set(guesses);
    const letters = new Set(guesses.join(""));
    known.set(key, { guesses, secrets, letters, length: Array.from(guesses[0]).length, has: (word) => set.has(word) });
  }
  return known.get(key);
}

/** What is wrong with a word that is not in a list, in a sentence. */
export const notInList = (word) => `${clipped(word).toUpperCase()} is not in this list of words.`;
