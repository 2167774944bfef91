// Hindsight: what a state of a game was worth, and a guess that was made in it, as
// solver/advice/hindsight.py says it. Kernels prove the least totals, or follow a beam; where very many
// secrets are possible, whole strategies by entropy are grown.

import { ranked } from "./advice.js";
import { isOfCodes } from "./codes.js";
import { NoTable, allGuesses, newBeam, stateOf } from "./exact.js";
import { legalAfter } from "./hard_mode.js";
import { valueOf } from "./maps.js";
import { EngineError, NoRoom } from "./memory.js";
import { Searcher, children } from "./solve.js";
import { StateTotals, TooLong, legalPart } from "./state_totals.js";
import { depthsOf, hits } from "./strategy.js";
import { meanByWeight, weightsAt } from "./weights.js";
import { grouped } from "./words.js";

/** @import { Engine, Ids, Insight, PlayedState, Rules, Steps, Weights, Worth } from "./types.js" */

/** As in solver/advice/hindsight.py. */
const [MOST_EXACT, MOST_BEAMED, WIDTH, TOP] = [512, 4096, 3, 3];
const BEAMED = 500_000;
/** A beam needs no larger memo; what it finds does not depend on it. */
const FEW_BITS = 17;
/** A search among more secrets has no room beside the tables of others. */
const BESIDE_TABLES = 128;
const MANY_GUESSES = 20_000;
/** Where a beam stands at first. */
const START = -1n;

/**
 * What a state was worth: `least` and `best`, rows of [guess, expected guesses], and `yours`, what was
 * to be expected of the guess that was made (null: none was). `exact`: these are no upper limits.
 * @param {Engine} engine @param {Rules} rules @param {Ids} left @param {Steps} history @param {number | null} guess
 * @param {{hard: boolean, timeLimit: number, weights?: Weights | null}} how
 */
export function look(engine, rules, left, history, guess, { hard, timeLimit, weights = null }) {
  const state = { engine, rules, left, history, guess, hard, weights: weights && weightsAt(weights, left) };
  engine.tables.begin();
  if (left.length > BESIDE_TABLES || rules.guesses.length > MANY_GUESSES) engine.tables.forget();
  for (const { most, way } of [{ most: MOST_EXACT, way: searched }, { most: MOST_BEAMED, way: beamed }]) {
    if (left.length > most) continue;
    try {
      return insight(left, engine.memory.scratch(() => way(state, timeLimit)), way === searched);
    } catch (error) {
      if (error instanceof NoTable) break;
      if (error instanceof NoRoom) engine.tables.forget(); // what takes less room is left
      else if (!(error instanceof TooLong)) throw error;
    }
  }
  return insight(left, byEntropy(state), false);
}

/**
 * @param {Ids} left @param {Worth} worth @param {boolean} exact
 * @returns {Insight}
 */
function insight(left, { expected, yours }, exact) {
  const best = [...expected].sort(([one], [other]) => one - other);
  return { left, least: Math.min(...expected.values()), best, yours, exact };
}

// ---- Few secrets: the least totals, proved

/**
 * The best guesses, and the one that was made, with what they take; TooLong after so many seconds.
 * @param {PlayedState} state @param {number} timeLimit
 * @returns {Worth}
 */
function searched(state, timeLimit) {
  const known = new StateTotals(state, { timeLimit });
  const expected = known.best(TOP);
  return { expected, yours: state.guess === null ? null : known.total(state.guess) };
}

// ---- Many secrets: a beam

/**
 * What a beam's strategies take: its own, and one from the guess on that was made.
 * @param {PlayedState} state
 * @returns {Worth}
 */
function beamed(state) {
  const { engine, rules, left, guess, hard, weights } = state;
  const { memory, kernels } = engine;
  const { game, wordOf, placeOf, before } = legalPart(state);
  const ids = Int32Array.from(left, (at) => placeOf(rules.secretIds[at]));
  const { work, beaming, buckets, columns, ...search } =
    newBeam(engine, game, ids, { hard, before, memoBits: FEW_BITS, beam: WIDTH });
  const task = {
    beaming,
    state: stateOf(search),
    buckets,
    place: memory.of("int64", [START]),
    totals: memory.array("int64", 3, -1),
  };
  const made = guess === null ? -1 : columns.data[placeOf(guess)];
  /** @type {Map<number, number>} */
  const expected = new Map();
  /** @param {number} column @param {number} value */
  const note = (column, value) => {
    const first = wordOf(work.table.guess.data[column]);
    expected.set(first, Math.min(value, expected.get(first) ?? value));
  };
  if (weights === null) {
    while (!kernels.run("beam_totals", work, task, made, BEAMED));
    const [value, best, own] = Array.from(task.totals.data, Number);
    note(best, value / left.length);
    if (guess !== null && made !== best) note(made, own / left.length);
  } else {
    for (const first of guess === null ? [-1] : [-1, made]) {
      const lengths = memory.array("int64", left.length);
      const column = kernels.run("beam_lengths", work, task, first, lengths);
      note(column, meanByWeight(engine, lengths.data, weights));
    }
  }
  return { expected, yours: guess === null ? null : valueOf(expected, guess) };
}

// ---- Very many secrets: strategies by entropy, one guess ahead

/**
 * What strategies by entropy take: the best first guess by entropy, and the one that was made.
 * @param {PlayedState} playedState
 * @returns {Worth}
 */
function byEntropy({ engine, rules, left, history, guess, hard, weights }) {
  if (isOfCodes(rules)) {
    throw new EngineError(
      `a page reviews games of up to ${grouped(MOST_BEAMED)} codes, not ${rules.spec}; the command review does`,
    );
  }
  const pool = hard ? legalAfter(rules, history) : allGuesses(rules);
  const first = engine.memory.scratch(() => ranked(engine, rules, left, pool, "entropy", null, weights)).guess[0];
  const searcher = new Searcher(engine, rules, "entropy", "allowed", hard);
  /** @type {Map<number, number>} */
  const expected = new Map();
  for (const start of new Set(guess === null ? [first] : [first, guess])) {
    const lengths = lengthsFrom(searcher, left, history, start);
    expected.set(start, weights === null
      ? lengths.reduce((sum, length) => sum + length, 0) / left.length
      : meanByWeight(engine, lengths, weights));
  }
  return { expected, yours: guess === null ? null : valueOf(expected, guess) };
}

/**
 * The guesses that a strategy takes for each of some secrets, from a first guess on.
 * @param {Searcher} searcher @param {Ids} left @param {Steps} history @param {number} start
 */
function lengthsFrom(searcher, left, history, start) {
  const { game } = searcher;
  const lengths = new Map(Array.from(left, (secret) => [secret, 1]));
  for (const [score, bucket] of children(game, start, left)) {
    if (score === game.solved) continue;
    const tree = searcher.grow(bucket, [], [...history, [start, score]]);
    const depth = depthsOf(tree.parent);
    const secrets = new Map(Array.from(bucket, (secret) => [game.secretIds[secret], secret]));
    hits(game, tree, [...secrets.keys()]).forEach((hit, node) => {
      if (hit) lengths.set(valueOf(secrets, tree.guess[node]), 1 + depth[node]);
    });
  }
  return Array.from(left, (secret) => valueOf(lengths, secret));
}
