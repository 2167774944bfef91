// Hard mode: what a guess and its score demand of the guesses after it. Greens stay at their places, and a
// guess has every letter that was shown as often as it was shown.

import { coloursOf } from "./words.js";

/**
 * @import { Demand, Ids, Rules, Steps } from "./types.js"
 * @import { WordGame } from "./words.js"
 */

/**
 * The demands of a word with colours: {at, letter} of each green, then {letter, times}.
 * @template T @param {ArrayLike<T>} letters @param {number} begin @param {number[]} colours
 */
export function demandsOf(letters, begin, colours) {
  /** @type {Demand<T>[]} */
  const greens = [];
  /** @type {Map<T, number>} */
  const shown = new Map();
  colours.forEach((colour, at) => {
    const letter = letters[begin + at];
    if (colour === 2) greens.push({ at, letter });
    if (colour > 0) shown.set(letter, (shown.get(letter) ?? 0) + 1);
  });
  /** @param {[T, number]} of */
  const isMore = ([letter, times]) => times > greens.filter((green) => green.letter === letter).length;
  return [...greens, ...[...shown].filter(isMore).map(([letter, times]) => ({ letter, times }))];
}

/**
 * The first demand that a word does not meet.
 * @template T @param {Demand<T>[]} demands @param {ArrayLike<T>} letters @param {number} begin @param {number} length
 */
export function unmet(demands, letters, begin, length) {
  return demands.find(({ at, letter, times }) => {
    if (at !== undefined) return letters[begin + at] !== letter;
    let count = 0;
    for (let place = begin; place < begin + length; place += 1) count += Number(letters[place] === letter);
    return count < times;
  });
}

/**
 * Those of the legal guesses that one more guess and its score leave legal.
 * @param {WordGame} game @param {Ids} legal @param {number} guess @param {number} score
 */
export function stillLegal({ letters, length }, legal, guess, score) {
  const demands = demandsOf(letters, guess * length, coloursOf(score, length));
  return legal.filter((word) => unmet(demands, letters, word * length, length) === undefined);
}

/**
 * What messages say of a history that forbids a guess.
 * @param {Rules} rules @param {Steps} history
 */
export const afterText = (rules, history) => (
  `after ${history.map(([guess, score]) => `${rules.guesses[guess]}.${rules.formatScore(score)}`).join(".")}`
);

/**
 * Those of some guesses that are legal after a history; by default of all.
 * @param {Rules} game @param {Steps} history @param {Ids} [pool]
 */
export function legalAfter(game, history, pool = Int32Array.from(game.guesses.keys())) {
  const words = /** @type {WordGame} */ (game); // codes know no hard mode
  return history.reduce((legal, [guess, score]) => stillLegal(words, legal, guess, score), pool);
}
