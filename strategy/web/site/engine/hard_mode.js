// Hard mode: what a guess and its score demand of the guesses after it. Greens stay at their places, and a
// guess has every letter that was shown as often as it was shown.

import { colourAt } from "./words.js";

/** The demands of a word with colours: {at, letter} of each green, then {letter, times}. */
export function demandsOf(letters, begin, colours) {
  const greens = [];
  const shown = new Map();
  colours.forEach((colour, at) => {
    const letter = letters[begin + at];
    if (colour === 2) greens.push({ at, letter });
    if (colour > 0) shown.set(letter, (shown.get(letter) ?? 0) + 1);
  });
  const isMore = ([letter, times]) => times > greens.filter((green) => green.letter === letter).length;
  return [...greens, ...[...shown].filter(isMore).map(([letter, times]) => ({ letter, times }))];
}

/** The first demand that a word does not meet. */
export function unmet(demands, letters, begin, length) {
  return demands.find(({ at, letter, times }) => {
    if (at !== undefined) return letters[begin + at] !== letter;
    let count = 0;
    for (let place = begin; place < begin + length; place += 1) count += Number(letters[place] === letter);
    return count < times;
  });
}

/** Those of the legal guesses that one more guess and its score leave legal. */
export function stillLegal({ letters, length }, legal, guess, score) {
  const colours = Array.from({ length }, (_, at) => colourAt(score, at));
  const demands = demandsOf(letters, guess * length, colours);
  return legal.filter((word) => unmet(demands, letters, word * length, length) === undefined);
}

/** Those of some guesses that are legal after a history; by default of all. */
export function legalAfter(game, history, pool = Int32Array.from(game.guesses.keys())) {
  return history.reduce((legal, [guess, score]) => stillLegal(game, legal, guess, score), pool);
}
