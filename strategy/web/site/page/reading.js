// What somebody pastes or drops, read as a list of words. The worker does it, however long the text is.

import { EngineError } from "../engine/memory.js";
import { byCodePoints, counted, isSpelled, plain } from "../engine/words.js";

const LEAST_LETTERS = 2;
const MOST_LETTERS = 11;
const MOST_WORDS = 100_000;

/** The words in a text, all of one length, and what was left out: {words, length, note}.
 *  @param {string} text */
export function wordsIn(text) {
  const all = plain(text).split(/[^\p{L}\p{Nd}\p{M}'’-]+/u).filter(isSpelled);
  /** @type {Map<number, Set<string>>} */
  const byLength = new Map();
  for (const word of all) {
    const length = Array.from(word).length;
    if (length < LEAST_LETTERS || length > MOST_LETTERS) continue;
    const found = byLength.get(length) ?? new Set();
    byLength.set(length, found.add(word));
  }
  const sizes = [...byLength].sort((a, b) => b[1].size - a[1].size || a[0] - b[0]);
  if (!sizes.length) throw new EngineError("There is no word of 2 to 11 letters in this text.");
  const [length, found] = sizes[0];
  if (found.size > MOST_WORDS) {
    throw new EngineError(`These are ${counted(found.size, "word")}; the page takes up to 100,000.`);
  }
  const letters = new Set([...found].join(""));
  if (letters.size > 64) throw new EngineError("These words have more than 64 different letters.");
  const words = [...found].sort(byCodePoints);
  const others = sizes.slice(1).reduce((sum, [, set]) => sum + set.size, 0);
  const left = others ? `; ${counted(others, "word")} of other lengths left out` : "";
  return { words, length, note: `${counted(words.length, "word")} of ${length} letters${left}.` };
}
