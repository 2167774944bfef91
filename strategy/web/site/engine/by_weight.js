// What guesses and splits are worth where some secrets are likelier than others, by kernels: measures,
// ranks, and the exact search with weights, as solver/advice/by_weight.py has it.

import { isOfCodes } from "./codes.js";
import {
  MEMO_BITS, bestOf, inStrips, long, memoBitsFor, newSearch, partOf, stateOf, weighingOf, workDone,
} from "./exact.js";
import { legalPart, raceFor } from "./hindsight.js";
import { chancesOf, roundedWeights } from "./weights.js";

/**
 * @import { KernelArray } from "./memory.js"
 * @import { Arguments, Engine, GuessRoom, Ids, Rules, WeighedPlayed, Weights } from "./types.js"
 */

/** As in solver/advice/by_weight.py. */
const CHECK_INTERVAL = 100_000;
/** Without a limit of effort a smaller memo serves as well. */
const FEW_BITS = 17;
/** As in solver/exact/kernels/totals.py: where a search stands when no guess is at hand. */
const START = [0n, -1n, 0n, 0n];

// ---- Measures

/**
 * The chance of each bucket of a split, and what the split is worth over them.
 * @param {Engine} engine @param {Rules} rules @param {Ids} row @param {Weights} weights
 * @param {[score: number, secrets: string[]][]} found
 */
export function sharesByWeight(engine, rules, row, weights, found) {
  const { memory, kernels } = engine;
  return memory.scratch(() => {
    const all = memory.array("float64", rules.nScores);
    kernels.call("share_out", memory.of("int32", row), chancesOf(engine, weights), all);
    const chances = Float64Array.from(found, ([score]) => all.data[score]);
    const shares = memory.of("float64", chances);
    const sizes = memory.of("float64", Float64Array.from(found, ([, secrets]) => secrets.length));
    const entropy = kernels.call("bits_of_split", shares);
    return { chances, measures: { entropy, expected_size: kernels.call("mean_by_chances", sizes, shares) } };
  });
}

/**
 * Fill in the rows of a ranking where the hidden words have weights; the classes of guesses.
 * @param {Engine} engine @param {Rules} rules @param {Ids} hidden @param {Ids} pool @param {number} by
 * @param {Uint8Array | null} common @param {Weights} weights @param {Uint8Array} candidate
 * @param {Arguments<"rank_rows">[6]} rows
 */
export function rankByWeight(engine, rules, hidden, pool, by, common, weights, candidate, rows) {
  const { memory, kernels } = engine;
  const chances = chancesOf(engine, weights);
  const [hits, weightOf] = [new Float64Array(rules.guesses.length), new Float64Array(rules.guesses.length)];
  hidden.forEach((guess, at) => {
    [hits[guess], weightOf[guess]] = [chances.data[at], weights[at]];
  });
  const known = Uint8Array.from(pool, (guess) => (common === null ? 0 : common[guess]));
  const likely = {
    hits: memory.of("float64", Float64Array.from(pool, (guess) => hits[guess])),
    weights: memory.of("float64", Float64Array.from(pool, (guess) => weightOf[guess])),
    common: memory.of("uint8", known),
    is_ordered: common !== null,
  };
  const { measures, unknown } = measuredByWeight(engine, rules, pool, hidden, chances);
  kernels.call(
    "rank_weighted", measures, memory.of("int32", pool), memory.of("uint8", candidate), likely,
    by, unknown, hidden.length, rows,
  );
  const classes = memory.array("int32", pool.length);
  kernels.call("fill_classes", likely.weights, likely.common, classes);
  return classes.data.slice();
}

/**
 * The measures of some guesses over the chances of hidden words, and the bits that are unknown.
 * @param {Engine} engine @param {Rules} rules @param {Ids} pool @param {Ids} hidden
 * @param {KernelArray<"float64">} chances
 */
function measuredByWeight(engine, rules, pool, hidden, chances) {
  const { memory, kernels } = engine;
  const measures = {
    ...memory.several("int32", pool.length, ["parts", "largest"]),
    ...memory.several("float64", pool.length, ["kept", "missing"]),
  };
  const bits = memory.array("float64", hidden.length);
  const unknown = kernels.call("fill_own_bits", chances, bits);
  const sums = memory.array("float64", [3, rules.nScores]);
  const name = isOfCodes(rules) ? "measure_by_chances" : long("measure_by_chances", rules);
  inStrips(engine, rules, pool, hidden, (grades, first, end) => {
    kernels.call(name, grades, chances, bits, sums, partOf(measures, first, end));
  });
  return { measures, unknown };
}

// ---- The exact search

/** A search that was given up. */
export class TooLong extends Error {}

/**
 * What is found; null if that takes too long.
 * @template T @param {() => T} find
 */
export function inTime(find) {
  try {
    return find();
  } catch (error) {
    if (error instanceof TooLong) return null;
    throw error;
  }
}

/** One state of a game whose secrets have weights, in memory that whoever calls frees. */
export class WeighedState {
  /** @type {Map<number, number>} */
  #known = new Map();

  /**
   * Memory of a search with so much `effort`, or until the time `end`; else it is TooLong.
   * @param {Omit<WeighedPlayed, "guess">} state @param {{effort?: number | null, end?: number | null}} how
   */
  constructor(state, { effort = null, end = null }) {
    const { engine, rules, left, hard, weights } = state;
    const { memory } = engine;
    const { game, wordOf, placeOf, before } = legalPart(state);
    this.engine = engine;
    this.effort = effort;
    this.end = end;
    this.wordOf = wordOf;
    this.placeOf = placeOf;
    const whole = roundedWeights(weights);
    const order = [...whole.keys()].sort((one, other) => whole[other] - whole[one] || one - other);
    const ids = Int32Array.from(order, (at) => placeOf(rules.secretIds[left[at]]));
    const most = effort === null ? FEW_BITS : MEMO_BITS; // how far it comes may depend on that, no value does
    const memoBits = memoBitsFor(ids.length, most);
    this.search = newSearch(engine, game, ids, { hard, before, memoBits, lists: 1 });
    this.weight = whole.reduce((sum, weight) => sum + weight, 0);
    this.weighing = weighingOf(memory, this.search.work.table, order.map((at) => whole[at]));
  }

  /**
   * Guess → expected guesses, of the best `top` and all that tie with the last of them.
   * @param {number} top
   */
  best(top) {
    const race = raceFor(this.engine, this.search, top);
    const state = stateOf(this.search);
    this.engine.kernels.call("enter_weighted", this.search.work, this.weighing, state, race);
    this.#settle(race);
    const found = new Map();
    for (const [place, total] of bestOf(race)) {
      this.#known.set(this.wordOf(place), total);
      found.set(this.wordOf(place), total / this.weight);
    }
    return found;
  }

  /**
   * The expected guesses of one guess.
   * @param {number} guess
   */
  total(guess) {
    const total = this.#known.get(guess) ?? this.#total(this.placeOf(guess));
    this.#known.set(guess, total);
    return total / this.weight;
  }

  /** @param {number} place */
  #total(place) {
    const { table } = this.search.work;
    const column = this.search.columns.data[place];
    if (table.parts.data[column] === 1 && table.secret.data[column] < 0) { // it tells nothing
      if (this.#known.size === 0) this.best(1);
      return this.weight + Math.min(...this.#known.values());
    }
    const race = raceFor(this.engine, this.search, 1, [column]);
    this.#settle(race);
    return Number(race.bounds.data[column]);
  }

  /** @param {GuessRoom} race */
  #settle(race) {
    const { memory, kernels } = this.engine;
    const { work } = this.search;
    const [state, place] = [stateOf(this.search), memory.of("int64", START)];
    for (let done = false; !done;) {
      if (this.end !== null && Date.now() > this.end) throw new TooLong();
      if (this.effort !== null && workDone(work) >= this.effort) throw new TooLong();
      done = memory.scratch(() =>
        kernels.call("settle_weighted", work, this.weighing, state, race, place, CHECK_INTERVAL));
    }
  }
}
