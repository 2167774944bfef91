// What a guess costs against the best one, as strategy/play/regret.py says it: exact, or between bounds.
// The answer is the object of `regret --json`. The table of records is not here: first guesses are searched.

import { checkHard, classesOf, commonWords, contradiction, fitting, orderTotals, ranked } from "./advice.js";
import { historyOf } from "./clues.js";
import { allGuesses } from "./exact.js";
import { legalAfter } from "./hard_mode.js";
import { look } from "./hindsight.js";
import { valueOf } from "./maps.js";
import { EngineError } from "./memory.js";
import { secondsOf } from "./review.js";
import { chanceOfEach, weighed, weightsAt } from "./weights.js";

/** @import { Clues, Engine, Least, RegretState, ReviewOptions, Rules } from "./types.js" */

/** As in strategy/play/regret.py; seconds for a guess. */
const [MOST_NAMED, TIME_LIMIT] = [10, 2];

/**
 * What `knuthle regret` answers of one guess or several. Options: `hard`, `timeLimit`, `weights`.
 * @param {Engine} engine @param {Rules} narrow @param {Clues} clues @param {string | string[]} words
 * @param {ReviewOptions} [options]
 */
export function regret(engine, narrow, clues, words, options = {}) {
  const { rules, weights, facts } = weighed(narrow, options.weights);
  const timeLimit = secondsOf(options.timeLimit ?? TIME_LIMIT);
  const hard = Boolean(options.hard ?? narrow.hard);
  const guesses = [words].flat().map((word) => rules.guessId(word));
  const history = historyOf(rules, clues);
  if (history.some(([, score]) => score === rules.solved)) {
    throw new EngineError("the game is over: a guess of the history was the secret");
  }
  if (hard) checkHard(rules, history);
  const left = fitting(rules, rules.secretIds, history);
  if (left.length === 0) throw new EngineError(contradiction(rules, history));
  const pool = new Set(hard ? legalAfter(rules, history) : allGuesses(rules));
  /** @type {RegretState} */
  const state = { engine, rules, left, history, hard, timeLimit, weights, pool };
  const found = guesses.map((guess) => judged(state, guess));
  const known = state.least ?? leastOf(state, null);
  return {
    list: rules.listName,
    state: history.map(([guess, score]) => [rules.guesses[guess], score]),
    remaining: left.length,
    hard,
    ...facts,
    least_low: known.low,
    least_high: known.high,
    best: named(state, known.best),
    recorded: false,
    guesses: found,
  };
}

/**
 * One guess, its expectation and what it costs.
 * @param {RegretState} state @param {number} guess
 */
function judged(state, guess) {
  const { rules, history, pool } = state;
  const legal = pool.has(guess);
  const yours = legal ? leastOf(state, guess) : null;
  const low = yours && Math.max(0, (yours.ownLow ?? 0) - yours.high);
  const high = yours && Math.max(low ?? 0, (yours.ownHigh ?? 0) - yours.low);
  return {
    word: rules.guesses[guess],
    regret_low: low,
    regret_high: high,
    expected_low: yours?.ownLow ?? null,
    expected_high: yours?.ownHigh ?? null,
    exact: legal && low === high,
    legal,
    consistent: history.every(([earlier, score]) => rules.grade(earlier, guess) === score),
  };
}

/**
 * What the state takes at least and at most, and a guess in it.
 * @param {RegretState} state @param {number | null} guess
 * @returns {Least}
 */
function leastOf(state, guess) {
  const { engine, rules, left, history, hard, timeLimit, weights } = state;
  const { least, best, yours, exact } = look(engine, rules, left, history, guess, { hard, timeLimit, weights });
  const ties = best.filter(([, value]) => value === least).map(([at]) => at);
  let [low, ownLow] = [least, yours];
  if (!exact) {
    const bounds = state.bounds ??= lowerBounds(state);
    low = Math.min(...bounds.values());
    ownLow = guess === null ? null : Math.max(low, valueOf(bounds, guess));
  }
  const found = { low, high: least, best: ties, ownLow, ownHigh: yours };
  if (state.least === undefined || least < state.least.high) state.least = found;
  return found;
}

/**
 * What each guess takes at least: in each bucket one secret, at best the likeliest, is found by the next guess.
 * @param {RegretState} regretState
 */
function lowerBounds({ engine, rules, left, pool, weights }) {
  const own = chanceOfEach(engine, weights && weightsAt(weights, left), left.length);
  const first = [0];
  for (const chance of own.slice().sort().reverse()) first.push(first[first.length - 1] + chance);
  const hit = new Map(Array.from(left, (at, k) => [rules.secretIds[at], own[k]]));
  const table = ranked(engine, rules, left, Int32Array.from(pool), "parts", null);
  /** @param {number} guess @param {number} parts */
  const bound = (guess, parts) => 3 - first[parts] - (hit.get(guess) ?? 0);
  return new Map(Array.from(table.guess, (guess, at) => [guess, bound(guess, table.parts[at])]));
}

/**
 * Some of the best guesses: possible ones first, then common words, then by the alphabet.
 * @param {RegretState} regretState @param {number[]} best
 */
function named({ engine, rules, left }, best) {
  const classes = classesOf(rules, left, commonWords(engine, rules), best);
  const order = orderTotals(best.map(() => 0), classes, best);
  return order.slice(0, MOST_NAMED).map((at) => rules.guesses[best[at]]);
}
