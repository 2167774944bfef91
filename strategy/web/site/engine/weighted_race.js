// Best strategies where some secrets are likelier than others, proved: what `WeightedEngine` of
// solver/exact/weighted_engine.py does around kernels, and the race of first guesses by weight. A value
// is the sum of weight times guesses; the rows of a table stand in the order of their weights.
//
// A `problem` is as in race.js, and has the weights of its rows besides.

import { LOSS, MEMO_BITS, NONE_YET, memoBitsFor, narrowedTable, weighingOf, workDone, workspace } from "./exact.js";
import { upTo } from "./maps.js";
import { FEW_BITS, Race, makeLeastWorst, wholeOf, withRoom } from "./race.js";
import { TableSolver, joined } from "./solver.js";

/**
 * @import { KernelArray } from "./memory.js"
 * @import { Arguments, Bucket, Engine, Found, KernelName, OnProgress, Plan, RaceOfKind, State,
 *   WeighedProblem } from "./types.js"
 */

/** As in solver/exact/weighted_engine.py. */
const [HORIZON, FURTHER, NARROW, PATIENCE, INTERVAL] = [32, 4, 24, 40_000, 400_000];
/** As in solver/exact/kernels: where a search stands, how one ends, fields of its first frame. */
const [NOWHERE, EXACT, INTERRUPTED, VALUE, BUCKETS_END, COST] = [-1n, 1, -1, 1, 9, 10];
/** Many buckets of a guess are searched in turn, each with a memo that takes so much less room. */
const LESS_ROOM = 3;

// ---- States and guesses: `WeightedEngine`

/** Searches one table; its memory lasts as long as whoever makes it keeps it. */
export class WeightedSearch extends TableSolver {
  /**
   * @param {Engine} engine @param {WeighedProblem} problem @param {number} bits
   * @param {{mayForget?: boolean, tally?: {spent: number}}} [how]
   */
  constructor(engine, problem, bits, { mayForget = true, tally = { spent: 0 } } = {}) {
    const { memory } = engine;
    const { table, count, left, weights } = problem;
    const deepest = Math.min(count, left);
    super(engine, workspace(memory, table, count, { lists: 1, memoBits: bits, deepest }), mayForget);
    this.problem = problem;
    this.bits = bits;
    this.tally = tally;
    this.weighing = weighingOf(memory, table, weights);
    this.place = memory.array("int64", 1, NOWHERE);
    this.column = memory.array("int32", 1);
    this.total = memory.array("int64", 1);
  }

  /**
   * Call a kernel with what all searches work with, and some more.
   * @template {KernelName} N @param {N} name @param {...any} args
   */
  #call(name, ...args) {
    const all = /** @type {Arguments<N>} */ ([this.work, this.weighing, ...args]);
    return this.engine.kernels.run(name, ...all);
  }

  /**
   * The weight of some rows.
   * @override
   * @param {Int32Array} rows
   */
  priceOf(rows) {
    return rows.reduce((sum, row) => sum + this.problem.weights[row], 0);
  }

  /**
   * Copy a state to where kernels look for it; its size.
   * @param {Int32Array} rows @param {BigUint64Array} revealed
   */
  #lay(rows, revealed) {
    const { scratch, stack } = this.work;
    scratch.members.data.set(rows);
    stack.revealed.data.set(revealed);
    return rows.length;
  }

  /**
   * Write quick bounds of guesses, good as far as they are within the limit.
   * @param {State} state @param {KernelArray<"int32">} columns @param {number} limit
   * @param {KernelArray<"int64">} totals
   */
  screen({ rows, left, revealed }, columns, limit, totals) {
    const count = this.#lay(rows, revealed);
    this.#call("screen_weighted", columns, count, left, Math.min(limit, LOSS - 1), totals);
    this.checkMemo();
  }

  /**
   * The value of a guess in a state up to a limit; without patience what takes long is left alone.
   * @param {State} state @param {number} column @param {number} limit @param {boolean} [patient]
   * @returns {Found}
   */
  valueOfGuess(state, column, limit, patient = true) {
    return this.engine.memory.scratch(() => {
      const opened = this.#opened(state, column, limit);
      const { buckets } = opened;
      const [most, begun] = [Math.min(limit, LOSS - 1), this.tally.spent];
      let { total } = opened;
      while (total <= most) {
        const unsettled = buckets.filter(({ exact }) => !exact);
        if (unsettled.length === 0) break;
        if (!patient && this.tally.spent > begun + PATIENCE) return { bound: total, exact: false };
        const share = Math.floor((most - total) / unsettled.length);
        for (const bucket of unsettled) {
          const slack = Math.min(share, Math.floor(this.priceOf(bucket.rows) / HORIZON));
          const [search, rows] = this.#searchFor(bucket);
          const value = search.value({ ...bucket, rows }, bucket.bound + slack, bucket.bound);
          total += raise(bucket, value);
          if (total > most) break;
        }
      }
      return { bound: total, exact: total <= limit };
    });
  }

  /**
   * The strategy of least value that begins with a guess in a state; null if that is above the limit.
   * @param {State} state @param {number} column @param {number} limit @param {(rows: number) => void} [onPart]
   */
  planOfGuess(state, column, limit, onPart = () => {}) {
    const { total: quick, buckets } = this.#opened(state, column, limit);
    const most = Math.min(limit, LOSS - 1);
    /** @type {Map<Bucket, Plan>} */
    const plans = new Map();
    let total = quick;
    const large = buckets.filter(({ rows }) => rows.length > NARROW).reverse();
    for (const bucket of large) {
      if (total > most) return null;
      const { plan, ...value } = this.solved(bucket, most - quick + bucket.bound, bucket.bound);
      total += value.bound - bucket.bound;
      Object.assign(bucket, value);
      if (plan !== null) plans.set(bucket, plan);
      onPart(bucket.rows.length);
    }
    for (const bucket of buckets) {
      if (total > most) return null;
      if (!bucket.exact) total += raise(bucket, this.value(bucket, most - total + bucket.bound));
    }
    if (total > limit) return null;
    return buckets.map((bucket) => {
      const plan = plans.get(bucket) ?? this.plan(bucket);
      plan.total = bucket.bound;
      if (!plans.has(bucket)) onPart(bucket.rows.length);
      return { ...bucket, plan };
    });
  }

  /**
   * The value of a bucket in a table of its own up to a limit, and a strategy that has it.
   * @param {State} bucket @param {number} limit @param {number} [least]
   */
  solved(bucket, limit, least = 0) {
    return this.engine.memory.scratch(() => {
      const search = this.#narrow(bucket);
      const state = { ...bucket, rows: upTo(bucket.rows.length) };
      const { bound, exact } = search.value(state, limit, least);
      const plan = exact ? search.plan(state) : null;
      if (plan !== null) {
        plan.rows = Array.from(plan.rows, (row) => bucket.rows[row]);
        plan.total = bound;
      }
      return { bound, exact, plan };
    });
  }

  /**
   * The bound of a guess and its buckets but its own, bounded quickly; the largest first.
   * @param {State} state @param {number} column @param {number} limit
   */
  #opened(state, column, limit) {
    this.column.data[0] = column;
    this.screen(state, this.column, limit, this.total);
    const { stack, scratch } = this.work;
    const [frame, members, starts] = [stack.frames.data, scratch.members.data, stack.bucket_start.data];
    /** @type {Map<number, [bound: number, exact: boolean]>} */
    const known = new Map();
    for (let k = 0; k < Number(frame[BUCKETS_END]); k += 1) {
      const row = members[Number(starts[k])];
      known.set(row, [Number(stack.bucket_bound.data[k]), stack.bucket_exact.data[k] === 1n]);
    }
    const total = Number(frame[COST]);
    const buckets = this.buckets(state, column).map((bucket) => {
      const { rows } = bucket;
      const least = 2 * this.priceOf(rows) - this.problem.weights[rows[0]];
      const [bound, exact] = known.get(rows[0]) ?? [least, true];
      return /** @type {Bucket} */ ({ ...bucket, bound, exact });
    });
    buckets.sort((one, other) => other.rows.length - one.rows.length);
    return { total, buckets };
  }

  /**
   * The search that a bucket is left to, and its rows there: larger ones get tables of their own.
   * @param {Bucket} bucket
   * @returns {[WeightedSearch, Int32Array]}
   */
  #searchFor(bucket) {
    if (bucket.rows.length <= NARROW) return [this, bucket.rows];
    bucket.search ??= this.#narrow(bucket, this.bits - LESS_ROOM);
    return [bucket.search, upTo(bucket.rows.length)];
  }

  /**
   * A search of a bucket in a table of its own, with a memo of Python's size or of fewer bits.
   * @param {State} state @param {number} [bits]
   * @returns {WeightedSearch}
   */
  #narrow({ rows, left, revealed }, bits = MEMO_BITS) {
    const { engine, problem, mayForget, tally } = this;
    const { memory } = engine;
    const table = narrowedTable(engine, problem.table, memory.of("int32", rows), memory.of("uint64", revealed));
    const weights = Array.from(rows, (row) => problem.weights[row]);
    const usual = memoBitsFor(rows.length);
    const below = { ...problem, table, weights, count: rows.length, left };
    const how = { mayForget: mayForget || usual <= bits, tally }; // one of Python's size forgets as that does
    return new WeightedSearch(engine, below, Math.min(bits, usual), how);
  }

  /**
   * The value of a state up to a limit, and the column to guess; no value is below `least`.
   * @param {State} state @param {number} [limit] @param {number} [least]
   */
  value({ rows, left, revealed }, limit = LOSS - 1, least = 0) {
    const { memory } = this.engine;
    const most = Math.min(limit, LOSS - 1);
    const count = this.#lay(rows, revealed);
    const [quick, kind, first] = memory.scratch(() => {
      const { members } = this.work.scratch;
      const state = { members, first: 0, size: count, left, revealed: memory.of("uint64", revealed) };
      return this.#call("quick_weighted", this.problem.table.parts, state, most, count);
    });
    let step = Math.floor(this.priceOf(rows) / HORIZON);
    let [bound, exact, column] = [Math.max(Number(quick), least), kind === VALUE, first];
    while (!exact && bound <= most) {
      const horizon = Math.min(most, bound + step);
      step *= FURTHER;
      [bound, exact, column] = this.#searched(rows, left, revealed, horizon);
    }
    this.checkMemo();
    return { bound, exact, column };
  }

  /**
   * @param {Int32Array} rows @param {number} left @param {BigUint64Array} revealed @param {number} limit
   * @returns {[number, boolean, number]}
   */
  #searched(rows, left, revealed, limit) {
    const count = this.#lay(rows, revealed);
    this.place.data[0] = NOWHERE;
    for (;;) {
      const before = workDone(this.work);
      const [bound, known, column] = this.#call("weighted_search", this.place, count, left, limit, INTERVAL);
      this.tally.spent += workDone(this.work) - before;
      if (known !== INTERRUPTED) return [Number(bound), known === EXACT, column];
    }
  }
}

/**
 * Take over what was found out about a bucket; by how much its bound rises.
 * @param {Bucket} bucket @param {Found} found
 */
function raise(bucket, { bound, exact }) {
  const by = Math.max(bound - bucket.bound, 0);
  bucket.bound = Math.max(bound, bucket.bound);
  bucket.exact = exact;
  return by;
}

// ---- One first guess: `plan_of` of Python

/**
 * The strategy of least value that begins with a guess, null if there is none within the limit; of those
 * with the same total, one with a small worst case.
 * @param {Engine} engine @param {WeighedProblem} problem @param {number} guess @param {{onProgress?: OnProgress}} [how]
 */
export function strategyByWeight(engine, problem, guess, { onProgress = () => {} } = {}) {
  return withRoom(engine, (bits) => {
    const search = new WeightedSearch(engine, problem, bits, { mayForget: bits === MEMO_BITS });
    const state = wholeOf(problem);
    const column = problem.table.guess.data.indexOf(guess);
    search.valueOfGuess(state, column, LOSS - 1, false); // what this has found serves the second time
    let done = 0;
    const buckets = search.planOfGuess(state, column, LOSS - 1, (rows) => {
      done += rows;
      onProgress(done, problem.count);
    });
    if (buckets === null) return null;
    makeLeastWorst(engine, buckets, (bucket, total) => search.solved(bucket, total));
    return joined(guess, search.priceOf(state.rows), buckets.map(({ plan }) => plan));
  });
}

// ---- The race of first guesses: `settle` of Python with weights, by one worker

export class WeightedRace extends Race {
  /** @param {Engine} engine @param {WeighedProblem} problem @param {number} limit @param {OnProgress} onPart */
  constructor(engine, problem, limit, onPart) {
    super(engine, problem, limit, onPart);
    const { memory } = engine;
    this.search = new WeightedSearch(engine, problem, FEW_BITS);
    this.state = wholeOf(problem);
    this.totals = memory.array("int64", this.race.chosen.length);
    this.exact = memory.array("uint8", this.race.chosen.length);
  }

  /**
   * Bounds of some guesses, up to a limit.
   * @param {KernelArray<"int32">} chosen @param {number} [limit]
   */
  bounded(chosen, limit = this.limit) {
    const totals = this.totals.slice(0, chosen.length);
    this.search.screen(this.state, chosen, limit, totals);
    return totals;
  }

  /**
   * The value above which a first guess is of no interest.
   * @param {bigint} best
   */
  #highest(best) {
    return best === NONE_YET ? this.limit : Number(best);
  }

  /**
   * Bound some guesses together, and search what that leaves, the least bounds first.
   * @param {KernelArray<"int32">} chosen @param {boolean} patient
   * @returns {ReturnType<RaceOfKind["screen"]>}
   */
  screen(chosen, patient) {
    let best = this.race.values.data[0];
    const totals = this.bounded(chosen, this.#highest(best));
    const exact = this.exact.slice(0, chosen.length);
    exact.data.fill(0);
    const [columns, bounds] = [chosen.data.slice(), Array.from(totals.data, Number)];
    const order = [...columns.keys()].sort((one, other) => bounds[one] - bounds[other] || one - other);
    for (const at of order) {
      const highest = this.#highest(best);
      if (bounds[at] > highest) break;
      const value = this.search.valueOfGuess(this.state, columns[at], highest, patient);
      totals.data[at] = BigInt(value.bound);
      exact.data[at] = Number(value.exact);
      if (value.exact && BigInt(value.bound) < best) best = BigInt(value.bound);
    }
    return [chosen, totals, exact];
  }
}
