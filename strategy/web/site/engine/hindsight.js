// Hindsight: what a state of a game was worth, and a guess that was made in it, as
// solver/advice/hindsight.py says it. Kernels prove the least totals, or follow a beam; where very many
// secrets are possible, whole strategies by entropy are grown.

import { ranked } from "./advice.js";
import { WeighedState, inTime } from "./by_weight.js";
import { isOfCodes } from "./codes.js";
import {
  NoTable, allGuesses, bestOf, guessTaskOf, memoBitsFor, newBeam, newSearch, raceOf, screeningOf, stateOf, stateTaskOf,
} from "./exact.js";
import { legalAfter } from "./hard_mode.js";
import { valueOf } from "./maps.js";
import { EngineError, NoRoom } from "./memory.js";
import { Searcher, children } from "./solve.js";
import { depthsOf, hits } from "./strategy.js";
import { meanByWeight, weightsAt } from "./weights.js";
import { WordGame, grouped } from "./words.js";

/**
 * @import { Engine, GuessRoom, Ids, Insight, PlayedState, Revealed, Rules, StateSearch, Steps,
 *   WeighedPlayed, Weights, Work, Worth } from "./types.js"
 */

/** As in solver/advice/hindsight.py. */
const [MOST_EXACT, MOST_BEAMED, WIDTH, TOP] = [512, 4096, 3, 3];
/** As in solver/advice/totals.py. */
const [TOGETHER, SEARCHED] = [128, 2_000_000];
const BEAMED = 500_000;
/** A beam and a search of many need no larger memo; what they find does not depend on it. */
const FEW_BITS = 17;
/** A search among more secrets has no room beside the tables of others. */
const BESIDE_TABLES = 128;
const MANY_GUESSES = 20_000;
const NEVER = 1n << 60n;
/** Where a beam stands at first. */
const START = -1n;

/**
 * What a state was worth: `least` and `best`, rows of [guess, expected guesses], and `yours`, what was
 * to be expected of the guess that was made (null: none was). `exact`: these are no upper limits.
 * @param {Engine} engine @param {Rules} rules @param {Ids} left @param {Steps} history @param {number | null} guess
 * @param {{hard: boolean, timeLimit: number, weights?: Weights | null}} how
 */
export function look(engine, rules, left, history, guess, { hard, timeLimit, weights = null }) {
  const own = weights === null ? null : weightsAt(weights, left);
  const state = { engine, rules, left, history, guess, hard, weights: own };
  const weighed = own === null ? null : { ...state, weights: own };
  const { memory } = engine;
  engine.tables.begin();
  if (left.length > BESIDE_TABLES || rules.guesses.length > MANY_GUESSES) engine.tables.forget();
  /** @type {[way: () => Worth | null, exact: boolean][]} */
  const ways = [];
  if (left.length <= MOST_EXACT) {
    ways.push([() => (weighed ? searchedByWeight(weighed, timeLimit) : searched(state, timeLimit)), true]);
  }
  if (left.length <= MOST_BEAMED) ways.push([() => (weighed ? beamedByWeight(weighed) : beamed(state)), false]);
  for (const [way, exact] of ways) {
    try {
      const found = memory.scratch(way);
      if (found !== null) return insight(left, found, exact);
    } catch (error) {
      if (error instanceof NoTable) break;
      if (!(error instanceof NoRoom)) throw error; // what takes less room is left
      engine.tables.forget();
    }
  }
  return insight(left, byEntropy(state), false);
}

/**
 * Totals over the secrets that are left, or expectations (`expected`), as expectations.
 * @param {Ids} left @param {Worth} worth @param {boolean} exact
 * @returns {Insight}
 */
function insight(left, { totals, yours, expected = false }, exact) {
  const size = expected ? 1 : left.length;
  /** @type {Insight["best"]} */
  const best = [...totals].map(([guess, total]) => [guess, total / size]);
  best.sort((one, other) => one[0] - other[0]);
  const least = best.reduce((found, [, expected]) => Math.min(found, expected), Infinity);
  return { left, least, best, yours: yours === null ? null : yours / size, exact };
}

// ---- Few secrets: the least totals, proved

/**
 * The totals of the best guesses, and of the one that was made; null after so many seconds.
 * @param {PlayedState} state @param {number} timeLimit
 */
function searched(state, timeLimit) {
  const { engine, guess } = state;
  const { game, wordOf, placeOf, before } = legalPart(state);
  const ids = Int32Array.from(state.left, (at) => placeOf(state.rules.secretIds[at]));
  const memoBits = memoBitsFor(ids.length, FEW_BITS);
  const search = newSearch(engine, game, ids, { hard: state.hard, before, memoBits, together: TOGETHER });
  const end = Date.now() + 1000 * timeLimit;
  const race = raceFor(engine, search, TOP);
  if (!settled(engine, search, race, end)) return null;
  const found = new Map([...bestOf(race)].map(([place, total]) => [wordOf(place), total]));
  if (guess === null) return { totals: found, yours: null };
  const least = Math.min(...found.values());
  const yours = found.get(guess) ?? totalOf(engine, search, placeOf(guess), least, end);
  return yours === null ? null : { totals: found, yours };
}

/**
 * The same where secrets have weights.
 * @param {WeighedPlayed} state @param {number} timeLimit
 */
function searchedByWeight(state, timeLimit) {
  return inTime(() => {
    const known = new WeighedState(state, { end: Date.now() + 1000 * timeLimit });
    const totals = known.best(TOP);
    return { totals, yours: state.guess === null ? null : known.total(state.guess), expected: true };
  });
}

/**
 * In hard mode the game of the guesses that are legal, and of those before: no other is of use.
 * @param {Pick<PlayedState, "rules" | "history" | "hard">} state
 * @returns {{game: Rules, wordOf: (at: number) => number, placeOf: (guess: number) => number, before: number[]}}
 */
export function legalPart({ rules, history, hard }) {
  const before = hard ? history.map(([guess]) => guess) : [];
  if (!hard) return { game: rules, wordOf: (at) => at, placeOf: (guess) => guess, before };
  const legal = new Set([...legalAfter(rules, history), ...before]);
  const ids = [...legal].sort((one, other) => one - other);
  const words = ids.map((guess) => rules.guesses[guess]);
  const game = new WordGame(rules.listName, rules.secretsName, words, words.slice(0, 1), true);
  const places = new Map(ids.map((guess, at) => [guess, at]));
  /** @param {number} guess */
  const placeOf = (guess) => valueOf(places, guess);
  return { game, wordOf: (at) => ids[at], placeOf, before: before.map(placeOf) };
}

/**
 * A race for the `top` least totals of a state, of some columns or of all that are of use.
 * @param {Engine} engine @param {{work: Work, revealed: Revealed}} search @param {number} top
 * @param {number[] | null} [columns]
 */
export function raceFor(engine, { work: { table }, revealed }, top, columns = null) {
  return raceOf(engine, { table, revealed }, { limit: NEVER, together: TOGETHER, top, columns });
}

/**
 * The total of one guess; one that tells nothing takes one guess more than the best.
 * @param {Engine} engine @param {StateSearch} search @param {number} guess @param {number} least @param {number} end
 */
function totalOf(engine, search, guess, least, end) {
  const { table } = search.work;
  const column = search.columns.data[guess];
  if (table.parts.data[column] === 1 && table.secret.data[column] < 0) return search.members.length + least;
  const race = raceFor(engine, search, 1, [column]);
  return settled(engine, search, race, end) ? Number(race.bounds.data[column]) : null;
}

/**
 * Whether the totals of a race are found in time.
 * @param {Engine} engine @param {StateSearch} stateSearch @param {GuessRoom} race @param {number} end
 */
function settled({ memory, kernels }, { work, batch, ...search }, race, end) {
  const state = stateOf(search);
  const totals = {
    race,
    screening: screeningOf(memory, TOGETHER, race.values.length),
    guess: guessTaskOf(memory, work.table),
    bucket: stateTaskOf(memory, work.table, state.size),
    step: memory.array("int64", 1),
  };
  for (let done = false; !done;) {
    if (Date.now() > end) return false;
    done = memory.scratch(() => kernels.call("settle_totals", work, batch, state, totals, SEARCHED));
  }
  return true;
}

// ---- Many secrets: a beam

/**
 * A beam at the state, and the guess that was made.
 * @param {PlayedState} state
 */
function beamAt(state) {
  const { engine, rules, left, guess, hard } = state;
  const { memory } = engine;
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
  /** @param {number} column */
  const guessOf = (column) => wordOf(work.table.guess.data[column]);
  return { work, task, made, guessOf };
}

/**
 * What a beam's strategies take by the weights of secrets: its own, and one from a guess on.
 * @param {WeighedPlayed} state
 */
function beamedByWeight(state) {
  const { engine, guess, left, weights } = state;
  const { memory, kernels } = engine;
  const { work, task, made, guessOf } = beamAt(state);
  /** @type {Map<number, number>} */
  const totals = new Map();
  for (const first of guess === null ? [-1] : [-1, made]) {
    const lengths = memory.array("int64", left.length);
    const column = memory.scratch(() => kernels.call("beam_lengths", work, task, first, lengths));
    addLeast(totals, guessOf(column), meanByWeight(engine, lengths.data, weights));
  }
  return { totals, yours: guess === null ? null : valueOf(totals, guess), expected: true };
}

/**
 * Note what a guess takes, if no less is known.
 * @param {Map<number, number>} totals @param {number} guess @param {number} total
 */
function addLeast(totals, guess, total) {
  totals.set(guess, Math.min(total, totals.get(guess) ?? total));
}

/**
 * What a beam takes from the state on, and from the guess on that was made.
 * @param {PlayedState} state
 */
function beamed(state) {
  const { engine, guess } = state;
  const { memory, kernels } = engine;
  const { work, task, made, guessOf } = beamAt(state);
  while (!memory.scratch(() => kernels.call("beam_totals", work, task, made, BEAMED)));
  const [value, best, own] = Array.from(task.totals.data, Number);
  const totals = new Map([[guessOf(best), value]]);
  if (guess !== null && !totals.has(guess)) totals.set(guess, own);
  return { totals, yours: guess === null ? null : valueOf(totals, guess) };
}

// ---- Very many secrets: strategies by entropy, one guess ahead

/**
 * What strategies by entropy take: the best first guess by entropy, and the one that was made.
 * @param {PlayedState} playedState
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
  const totals = new Map();
  for (const start of new Set(guess === null ? [first] : [first, guess])) {
    const lengths = lengthsFrom(searcher, left, history, start);
    const total = weights === null
      ? lengths.reduce((sum, length) => sum + length, 0)
      : meanByWeight(engine, lengths, weights);
    totals.set(start, total);
  }
  return { totals, yours: guess === null ? null : valueOf(totals, guess), expected: weights !== null };
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
