// The least totals of one state of a game, which kernels prove: as solver/advice/totals.py has it, and
// where some secrets are likelier than others, solver/advice/totals.py.

import { MEMO_BITS, bestOf, memoBitsFor, newSearch, raceOf, stateOf, workDone } from "./exact.js";
import { legalAfter } from "./hard_mode.js";
import { valueOf } from "./maps.js";
import { roundedWeights } from "./weights.js";
import { WordGame } from "./words.js";

/** @import { GuessRoom, Rules, Situation } from "./types.js" */

/** As in solver/advice/totals.py. */
const [TOGETHER, SEARCHED, CHECK_INTERVAL] = [128, 2_000_000, 100_000];
/** Without a limit of effort a smaller memo serves as well: how far a search comes may depend on that, no value does. */
const FEW_BITS = 17;
const NEVER = 1n << 60n;
/** As in solver/exact/kernels/totals.py: where a search stands when no guess is at hand. */
const START = [0n, -1n, 0n, 0n];

/** A search that was given up. */
export class TooLong extends Error {}

/** One state of a game, in memory that whoever calls frees. */
export class StateTotals {
  /** @type {Map<number, number>} */
  #known = new Map();

  /**
   * Memory of a search with so much `effort`, or for so many seconds; then it is TooLong.
   * @param {Situation} state @param {{effort?: number, timeLimit?: number}} how
   */
  constructor(state, { effort = Infinity, timeLimit = Infinity }) {
    const { engine, rules, left, hard, weights } = state;
    const { game, wordOf, placeOf, before } = legalPart(state);
    const whole = weights && roundedWeights(weights);
    const order = [...left.keys()];
    if (whole) order.sort((one, other) => whole[other] - whole[one] || one - other);
    const ids = Int32Array.from(order, (at) => placeOf(rules.secretIds[left[at]]));
    const memoBits = memoBitsFor(ids.length, effort === Infinity ? FEW_BITS : MEMO_BITS);
    const room = whole ? { lists: 1 } : { together: TOGETHER };
    this.search = newSearch(engine, game, ids, { hard, before, memoBits, ...room });
    this.weight = whole ? whole.reduce((sum, weight) => sum + weight, 0) : ids.length;
    const { memory, kernels } = engine;
    this.weighing = whole && kernels.call(
      "new_weighing", this.search.work.table, memory.of("int64", order.map((at) => BigInt(whole[at]))),
    );
    this.engine = engine;
    this.wordOf = wordOf;
    this.placeOf = placeOf;
    this.effort = effort;
    this.end = Date.now() + 1000 * timeLimit;
  }

  /**
   * Guess → expected guesses, of the best `top` and all that tie with the last of them.
   * @param {number} top
   */
  best(top) {
    const race = this.#race(top);
    const { work } = this.search;
    if (this.weighing) this.engine.kernels.call("enter_weighted", work, this.weighing, stateOf(this.search), race);
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
    const race = this.#race(1, [column]);
    this.#settle(race);
    return Number(race.bounds.data[column]);
  }

  /**
   * A race for the `top` least totals, of some columns or of all that are of use.
   * @param {number} top @param {number[] | null} [columns]
   */
  #race(top, columns = null) {
    const { work: { table }, revealed } = this.search;
    return raceOf(this.engine, { table, revealed }, { limit: NEVER, together: TOGETHER, top, columns });
  }

  /** @param {GuessRoom} race */
  #settle(race) {
    const step = this.#stepOf(race);
    for (let done = false; !done;) {
      if (Date.now() > this.end || workDone(this.search.work) >= this.effort) throw new TooLong();
      done = this.engine.memory.scratch(step);
    }
  }

  /**
   * What searches some more of a race, and answers whether it is settled.
   * @param {GuessRoom} race
   * @returns {() => boolean}
   */
  #stepOf(race) {
    const { engine: { memory, kernels }, search: { work, batch }, weighing } = this;
    const state = stateOf(this.search);
    if (weighing) {
      const place = memory.of("int64", START);
      return () => kernels.call("settle_weighted", work, weighing, state, race, place, CHECK_INTERVAL);
    }
    const totals = {
      race,
      screening: kernels.call("new_screening", TOGETHER, race.values.length),
      guess: kernels.call("new_guess_task", work.table),
      bucket: kernels.call("new_state_task", work.table, SEARCHED),
      step: memory.array("int64", 1),
    };
    return () => kernels.call("settle_totals", work, batch, state, totals, SEARCHED);
  }
}

/**
 * In hard mode the game of the guesses that are legal, and of those before: no other is of use.
 * @param {Pick<Situation, "rules" | "history" | "hard">} state
 * @returns {{game: Rules, wordOf: (at: number) => number, placeOf: (guess: number) => number, before: number[]}}
 */
export function legalPart({ rules, history, hard }) {
  if (!hard) return { game: rules, wordOf: (at) => at, placeOf: (guess) => guess, before: [] };
  const before = history.map(([guess]) => guess);
  const ids = Int32Array.from(new Set([...legalAfter(rules, history), ...before])).sort();
  const words = Array.from(ids, (guess) => rules.guesses[guess]);
  const game = new WordGame(rules.listName, rules.secretsName, words, words.slice(0, 1), true);
  const places = new Map(Array.from(ids, (guess, at) => [guess, at]));
  /** @param {number} guess */
  const placeOf = (guess) => valueOf(places, guess);
  return { game, wordOf: (at) => ids[at], placeOf, before: before.map(placeOf) };
}
