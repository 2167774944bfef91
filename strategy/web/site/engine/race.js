// Exact search of states and of first guesses: what `Engine`, `WeightedEngine`, `solved_whole` and `settle`
// of solver/exact do around kernels. The kernels search, and ask: a hard bucket gets memory of its own here,
// by a search of its own, or, where a kernel says so, by a race of all first guesses in it.
//
// Where some secrets are likelier than others a value is the sum of weight times guesses, and the rows of a
// table stand in the order of their weights.
//
// Python asks the limit search now and then whether a state can be solved at all; here nobody is asked,
// and the search finds out by itself: that takes longer where some answer cannot be found in time, and
// makes no difference where all can.

import {
  LOSS, MEMO_BITS, NONE_YET, batchOf, bestOf, ceilingsOf, listsOf, memoBitsFor, mostLists, narrowedTable, raceOf,
  stateOf, workDone, workspace,
} from "./exact.js";
import { upTo } from "./maps.js";
import { Forgotten, TableSolver, after, joined } from "./solver.js";

/**
 * @import { KernelArray, Memory } from "./memory.js"
 * @import { Arguments, Bucket, Engine, Found, GuessRoom, HardBucket, KernelName, OnProgress, Plan, Problem, Room,
 *   State, WeighedProblem } from "./types.js"
 */

/** No total is as large. */
const NEVER = 2n ** 60n;

/** As in solver/exact/kernels/state_search.py. */
const [ASKING, DONE] = [4, 5];
const [BOUND, EXACT, COLUMN] = [6, 7, 8];
const [NODES, TOTAL, HEIGHT] = [1, 3, 4];
const INTERVAL = 2_000_000;
/** As in solver/exact/kernels/guess_race.py. */
const [PATIENT, BUCKET, NEAR, MOST, TOTAL_OF_GUESS, EXACT_GUESS] = [2, 5, 6, 7, 8, 9];
const [BOUNDING, PATIENTLY, SETTLED] = [0, 1, 3];
const [BOUNDED, KNOWN] = [1, 2];
const CHOSEN = 1;
/** As in solver/exact/weighted_engine.py. */
const [HORIZON, FURTHER, NARROW, PATIENCE] = [32, 4, 24, 40_000];
/** Units of work that no search takes: nobody waits for it to look up. */
const UNBROKEN = 2 ** 45;
/** As in solver/exact/kernels: where a search stands, how one ends, fields of its first frame. */
const [NOWHERE, FOUND, VALUE, BUCKETS_END, COST] = [-1n, 1, 1, 9, 10];
/** Many buckets of a guess are searched in turn, each with a memo that takes so much less room. */
const LESS_ROOM = 3;
/** States nest no deeper within so few guesses. Kernels refuse what does. */
const NESTED = 12;
/** The memo of a whole game is first tried with 2 ** so many slots, an eighth of Python's. */
const FEW_BITS = MEMO_BITS - 3;
/** First guesses that are screened together. */
const TOGETHER = 512;

/**
 * What a search answers whose memo forgets nothing: then the size of the memo makes no difference. If a
 * small one does forget, the search begins again with one of Python's size.
 * @template T @param {Engine} engine @param {(bits: number) => T} search
 * @returns {T}
 */
export function withRoom({ memory }, search) {
  try {
    return memory.scratch(() => search(FEW_BITS));
  } catch (error) {
    if (!(error instanceof Forgotten)) throw error;
    return memory.scratch(() => search(MEMO_BITS));
  }
}

/**
 * Whether some secrets are likelier than others.
 * @param {Problem} problem
 * @returns {problem is WeighedProblem}
 */
const isWeighed = (problem) => Boolean(problem.weights);

/**
 * What searches a problem, with a memo of 2 ** `bits` slots.
 * @param {Engine} engine @param {Problem} problem @param {number} bits @param {Room} [room]
 */
export function engineOf(engine, problem, bits, room) {
  return isWeighed(problem)
    ? new WeightedSearch(engine, problem, bits, room)
    : new Search(engine, problem, bits, room);
}

// ---- What is the same with weights and without: `TableEngine` of Python
//
// A `problem` is a whole table as a state: {rules, table, ids, weights, count, left, revealed}, where `ids`
// are the guesses that its rows stand for.

/**
 * A state in the memory of kernels.
 * @param {Memory} memory @param {State} state
 */
function laid(memory, { rows, left, revealed }) {
  return stateOf({ members: memory.of("int32", rows), revealed: memory.of("uint64", revealed) }, left);
}

/**
 * A whole problem as a state.
 * @param {Problem} problem
 * @returns {State}
 */
export function wholeOf({ count, left, revealed }) {
  return { rows: upTo(count), left, revealed: revealed.data.slice() };
}

/** Searches a problem; its memory lasts as long as whoever makes it keeps it. */
class TableEngine extends TableSolver {
  /** Buckets of more rows get tables of their own. */
  widest = 0;
  /** @type {unknown[]} What kernels that look at first guesses work with besides. */
  tools = [];

  /** @param {Engine} engine @param {Problem} problem @param {number} bits @param {Room} room */
  constructor(engine, problem, bits, { mayForget = true, lists = 1, together = 1, tally = { spent: 0 } }) {
    const { memory } = engine;
    const { table, count, left } = problem;
    const deepest = Math.min(NESTED, left);
    super(engine, workspace(memory, table, count, { lists, memoBits: bits, deepest }), mayForget);
    this.problem = problem;
    this.bits = bits;
    this.tally = tally;
    this.totals = memory.array("int64", together);
    this.exact = memory.array("uint8", together);
  }

  /**
   * Call a kernel with what its kind of search works with, and some more.
   * @template {KernelName} N @param {N} name @param {...any} args
   */
  run(name, ...args) {
    return this.engine.kernels.run(name, .../** @type {Arguments<N>} */ ([this.work, ...this.tools, ...args]));
  }

  /**
   * Bound some guesses together, and search what that leaves, the least bounds first: which, their bounds, and
   * whether these are their values. None above the limit is of interest; without patience what takes long is
   * left alone.
   * @this {Search | WeightedSearch}
   * @param {KernelArray<"int32">} chosen @param {number} limit @param {boolean} patient
   * @returns {[KernelArray<"int32">, KernelArray<"int64">, KernelArray<"uint8">]}
   */
  screened(chosen, limit, patient) {
    const totals = this.screen(chosen, limit);
    const exact = this.exact.slice(0, chosen.length);
    exact.data.fill(0);
    const [columns, bounds] = [chosen.data.slice(), Array.from(totals.data, Number)];
    const order = [...columns.keys()].sort((one, other) => bounds[one] - bounds[other] || one - other);
    for (const at of order) {
      if (bounds[at] > limit) break;
      const value = this.valueOfGuess(columns[at], limit, patient);
      totals.data[at] = BigInt(value.bound);
      exact.data[at] = Number(value.exact);
      if (value.exact) limit = value.bound;
    }
    return [chosen, totals, exact];
  }

  /**
   * The buckets of a first guess, each with a strategy of least value; null if the guess is above the limit.
   * `onProgress` hears of rows.
   * @this {Search | WeightedSearch}
   * @param {number} column @param {number} limit @param {OnProgress} onProgress
   */
  plansAfter(column, limit, onProgress) {
    const { count } = this.problem;
    /** @type {Map<number, Plan>} */
    const plans = new Map();
    let done = 0;
    const tell = (part = 0) => onProgress(Math.min(Math.floor(done + part), count), count);
    const { bound: least, hard } = this.opened(column, limit);
    let total = least;
    for (const bucket of total > limit ? [] : hard) {
      if (total > limit) return null;
      const size = bucket.rows.length;
      const { bound, plan } = this.solved(bucket, true, (part, whole) => tell((size * part) / whole));
      total += Math.max(bound - bucket.bound, 0);
      if (plan) plans.set(bucket.rows[0], plan);
      done += size;
      tell();
    }
    if (total > limit) return null;
    const buckets = this.buckets(wholeOf(this.problem), column)
      .sort((one, other) => other.rows.length - one.rows.length); // what is found in large ones serves in others
    return buckets.map((bucket) => {
      const known = plans.get(bucket.rows[0]);
      if (known === undefined) {
        done += bucket.rows.length;
        tell();
      }
      return { ...bucket, plan: known ?? this.plan(bucket) };
    });
  }

  /**
   * The value of a bucket within its limit, and the best guess of the game or -1; if it is `planned`, a strategy
   * of this value too.
   * @this {Search | WeightedSearch}
   * @param {HardBucket} bucket @param {boolean} [planned] @param {OnProgress} [onPart]
   * @returns {Found}
   */
  solved(bucket, planned = true, onPart = () => {}) {
    const { engine, problem, table, widest } = this;
    const { rows, left, bound, limit: most } = bucket;
    if (rows.length <= widest) return this.found(bucket, planned);
    return engine.memory.scratch(() => {
      const limit = isWeighed(problem)
        ? -1
        : engine.kernels.call("limit_of_race", table, rows.length, left, bound, 0, most);
      const found = limit < 0
        ? this.narrow(bucket).found({ ...bucket, rows: upTo(rows.length) }, planned)
        : raced(engine, this.below(bucket), limit, planned, onPart);
      const { plan } = found;
      if (plan) plan.rows = plan.rows.map((row) => rows[row]);
      return found;
    });
  }

  /**
   * The same of a bucket of this table.
   * @this {Search | WeightedSearch}
   * @param {HardBucket} bucket @param {boolean} planned
   * @returns {Found}
   */
  found(bucket, planned) {
    const { bound, exact, column } = this.value(bucket, bucket.limit);
    const guess = exact && column >= 0 ? this.number(column) : -1;
    return { bound, exact, guess, plan: exact && planned ? this.plan(bucket) : null };
  }

  /**
   * A state as a problem of its own.
   * @param {State} state
   * @returns {Problem}
   */
  below({ rows, left, revealed }) {
    const { engine, problem } = this;
    const { memory } = engine;
    const shown = memory.of("uint64", revealed);
    const table = narrowedTable(engine, problem.table, memory.of("int32", rows), shown);
    const ids = Int32Array.from(rows, (row) => problem.ids[row]);
    const weights = isWeighed(problem) ? Array.from(rows, (row) => problem.weights[row]) : null;
    return { ...problem, table, ids, weights, count: rows.length, left, revealed: shown };
  }

  /**
   * A search of a state in a table of its own, with a memo of Python's size or of fewer bits.
   * @param {State} state @param {number} [bits]
   */
  narrow(state, bits = MEMO_BITS) {
    const { engine, mayForget, tally } = this;
    const usual = memoBitsFor(state.rows.length);
    const how = { mayForget: mayForget || usual <= bits, tally }; // one of Python's size forgets as that does
    return engineOf(engine, this.below(state), Math.min(bits, usual), how);
  }
}

// ---- All secrets alike: `Engine`

/** Finds the least totals; of first guesses if it has lists for their buckets. */
export class Search extends TableEngine {
  /** @param {Engine} engine @param {Problem} problem @param {number} bits @param {Room} [room] */
  constructor(engine, problem, bits, room = {}) {
    const { memory, kernels } = engine;
    const { table, count } = problem;
    super(engine, problem, bits, room);
    this.reading = kernels.call("new_plan", table, INTERVAL);
    this.guess = kernels.call("new_guess_task", table);
    const { lists = 1, together = 1 } = room;
    const ceilings = together > 1 ? ceilingsOf(engine, problem) : null;
    this.batch = batchOf(memory, table, count, { together, lists, ceilings });
    this.tools = [this.batch, laid(memory, wholeOf(problem))];
  }

  /**
   * Quick bounds of first guesses, good as far as they are within the limit.
   * @param {KernelArray<"int32">} columns @param {number} limit
   */
  screen(columns, limit) {
    const totals = this.totals.slice(0, columns.length);
    this.run("screen", columns, limit);
    totals.data.set(this.batch.buckets.total.data.subarray(0, columns.length));
    return totals;
  }

  /**
   * Bound the buckets of a first guess, and settle the easy ones.
   * @param {number} column @param {number} limit
   */
  #begin(column, limit) {
    this.run("begin_guess", this.guess, column, limit);
    this.checkMemo();
  }

  /**
   * The hard buckets of the guess that was begun, the smallest first, as far as they are wanted.
   * @returns {Generator<HardBucket>}
   */
  * #asked() {
    const { guess, problem, batch: { buckets: { rows, start, size, bound } } } = this;
    while (this.run("next_bucket", guess)) {
      const [k, near, limit] = [BUCKET, NEAR, MOST].map((at) => Number(guess.place.data[at]));
      const begin = Number(start.data[k]);
      yield {
        rows: rows.data.slice(begin, begin + Number(size.data[k])), left: after(problem.left),
        revealed: guess.after.data.slice(), near, limit, bound: Number(bound.data[k]),
      };
    }
  }

  /**
   * What a first guess takes at least, and its buckets still to be searched.
   * @param {number} column @param {number} limit
   */
  opened(column, limit) {
    this.#begin(column, limit);
    const hard = [...this.#asked()];
    return { bound: Number(this.guess.place.data[TOTAL_OF_GUESS]), hard };
  }

  /**
   * The value of a first guess up to a limit; without patience hard buckets are left alone.
   * @param {number} column @param {number} limit @param {boolean} patient
   * @returns {Found}
   */
  valueOfGuess(column, limit, patient) {
    const { guess: task } = this;
    this.#begin(column, limit);
    task.place.data[PATIENT] = BigInt(patient);
    for (const bucket of this.#asked()) {
      const { bound, exact, guess = -1 } = this.solved(bucket, false);
      this.run("answer_bucket", task, bound, Number(exact), guess);
    }
    const { data } = task.place;
    return { bound: Number(data[TOTAL_OF_GUESS]), exact: data[EXACT_GUESS] === 1n };
  }

  /**
   * The value of a state up to a limit, or a bound above it; the column to guess, or -1.
   * @param {State} state @param {number | bigint} [limit]
   */
  value(state, limit = NEVER) {
    const { engine: { memory, kernels }, reading: { task } } = this;
    return memory.scratch(() => {
      kernels.call("begin_state", task, laid(memory, state), limit, state.near ?? -1, 0);
      for (let step = -1; step !== DONE;) {
        step = kernels.call("search_state", this.work, task);
        if (step === ASKING) kernels.call("answer_task", this.table, task, 0);
      }
      this.checkMemo();
      const place = task.place.data;
      return { bound: Number(place[BOUND]), exact: place[EXACT] === 1n, column: Number(place[COLUMN]) };
    });
  }

  /**
   * The same by a kernel.
   * @override
   * @param {State} state
   * @returns {Plan}
   */
  plan(state) {
    const { engine: { memory, kernels }, problem: { count }, reading: plan, table } = this;
    return memory.scratch(() => {
      kernels.call("begin_plan", plan, laid(memory, state));
      kernels.run("plan_state", this.work, plan, UNBROKEN);
      this.checkMemo();
      const [nodes, place, guesses] = [plan.nodes.data, plan.place.data, table.guess.data];
      const size = Number(place[NODES]);
      const [columns, above, rows] = [0, 1, 2].map((k) => nodes.slice(2 * count * k, 2 * count * k + size));
      const guess = columns.map((column) => guesses[column]);
      return { guess, above, rows, total: Number(place[TOTAL]), height: Number(place[HEIGHT]) };
    });
  }
}

// ---- Some secrets likelier than others: `WeightedEngine`

/** Finds the least sums of weight times guesses. */
export class WeightedSearch extends TableEngine {
  /** @override */
  widest = NARROW;

  /** @param {Engine} engine @param {WeighedProblem} problem @param {number} bits @param {Room} [room] */
  constructor(engine, problem, bits, room = {}) {
    const { memory, kernels } = engine;
    super(engine, problem, bits, { ...room, lists: 1 });
    this.weights = problem.weights;
    this.tools = [kernels.call("new_weighing", problem.table, memory.of("int64", problem.weights.map(BigInt)))];
    this.place = memory.array("int64", 1, NOWHERE);
    this.column = memory.array("int32", 1);
  }

  /**
   * The weight of some rows.
   * @override
   * @param {Int32Array} rows
   */
  priceOf(rows) {
    return rows.reduce((sum, row) => sum + this.weights[row], 0);
  }

  /**
   * Copy a state to where kernels look for it; its size.
   * @param {State} state
   */
  #lay({ rows, revealed }) {
    const { scratch, stack } = this.work;
    scratch.members.data.set(rows);
    stack.revealed.data.set(revealed);
    return rows.length;
  }

  /**
   * Quick bounds of first guesses, good as far as they are within the limit.
   * @param {KernelArray<"int32">} columns @param {number} limit
   */
  screen(columns, limit) {
    const totals = this.totals.slice(0, columns.length);
    const count = this.#lay(wholeOf(this.problem));
    this.run("screen_weighted", columns, count, this.problem.left, limit, totals);
    this.checkMemo();
    return totals;
  }

  /**
   * The value of a first guess up to a limit; without patience what takes long is left alone.
   * @param {number} column @param {number} limit @param {boolean} patient
   * @returns {Found}
   */
  valueOfGuess(column, limit, patient) {
    return this.engine.memory.scratch(() => {
      const { bound: quick, buckets } = this.#split(column, limit);
      const begun = this.tally.spent;
      let total = quick;
      while (total <= limit) {
        const unsettled = buckets.filter(({ exact }) => !exact);
        if (unsettled.length === 0) break;
        if (!patient && this.tally.spent > begun + PATIENCE) return { bound: total, exact: false };
        const share = Math.floor((limit - total) / unsettled.length);
        for (const bucket of unsettled) {
          const slack = Math.min(share, Math.floor(this.priceOf(bucket.rows) / HORIZON));
          const [search, rows] = this.#searchFor(bucket);
          const value = search.value({ ...bucket, rows }, bucket.bound + slack);
          total += Math.max(value.bound - bucket.bound, 0);
          bucket.bound = Math.max(value.bound, bucket.bound);
          bucket.exact = value.exact;
          if (total > limit) break;
        }
      }
      return { bound: total, exact: total <= limit };
    });
  }

  /**
   * What a first guess takes at least, and its buckets still to be searched, the smallest first.
   * @param {number} column @param {number} limit
   */
  opened(column, limit) {
    const { bound, buckets } = this.#split(column, limit);
    const hard = buckets.filter(({ exact }) => !exact).reverse()
      .map((bucket) => ({ ...bucket, limit: limit - bound + bucket.bound }));
    return { bound, hard };
  }

  /**
   * The bound of a first guess and its buckets but its own, bounded quickly; the largest first.
   * @param {number} column @param {number} limit
   */
  #split(column, limit) {
    this.column.data[0] = column;
    this.screen(this.column, limit);
    const { stack, scratch } = this.work;
    const [frame, members, starts] = [stack.frames.data, scratch.members.data, stack.bucket_start.data];
    /** @type {Map<number, [bound: number, exact: boolean]>} */
    const known = new Map();
    for (let k = 0; k < Number(frame[BUCKETS_END]); k += 1) {
      const row = members[Number(starts[k])];
      known.set(row, [Number(stack.bucket_bound.data[k]), stack.bucket_exact.data[k] === 1n]);
    }
    const bound = Number(frame[COST]);
    const buckets = this.buckets(wholeOf(this.problem), column).map((bucket) => {
      const { rows } = bucket;
      const least = 2 * this.priceOf(rows) - this.weights[rows[0]];
      const [quick, exact] = known.get(rows[0]) ?? [least, true];
      return /** @type {Bucket} */ ({ ...bucket, bound: quick, exact });
    });
    buckets.sort((one, other) => other.rows.length - one.rows.length);
    return { bound, buckets };
  }

  /**
   * The search that a bucket is left to, and its rows there: larger ones get tables of their own.
   * @param {Bucket} bucket
   * @returns {[search: Search | WeightedSearch, rows: Int32Array]}
   */
  #searchFor(bucket) {
    if (bucket.rows.length <= NARROW) return [this, bucket.rows];
    bucket.search ??= this.narrow(bucket, this.bits - LESS_ROOM);
    return [bucket.search, upTo(bucket.rows.length)];
  }

  /**
   * The value of a state up to a limit, and the column to guess; none is below the bound that is known.
   * @param {State} state @param {number} [limit]
   */
  value(state, limit = LOSS) {
    const { memory } = this.engine;
    const { left, revealed, bound: least = 0 } = state;
    const most = Math.min(limit, LOSS - 1);
    const count = this.#lay(state);
    const [quick, kind, first] = memory.scratch(() => {
      const { members } = this.work.scratch;
      const own = { members, first: 0, size: count, left, revealed: memory.of("uint64", revealed) };
      return this.run("quick_weighted", this.table.parts, own, most, count);
    });
    let step = Math.floor(this.priceOf(state.rows) / HORIZON);
    let [bound, exact, column] = [Math.max(Number(quick), least), kind === VALUE, first];
    const before = workDone(this.work);
    while (!exact && bound <= most) {
      this.#lay(state);
      this.place.data[0] = NOWHERE;
      const horizon = Math.min(most, bound + step);
      const found = this.run("weighted_search", this.place, count, left, horizon, UNBROKEN);
      [bound, exact, column] = [Number(found[0]), found[1] === FOUND, found[2]];
      step *= FURTHER;
    }
    this.tally.spent += workDone(this.work) - before;
    this.checkMemo();
    return { bound, exact, column };
  }
}

// ---- The race of first guesses: `settle` of Python, by one worker

/**
 * The least value of a problem's first guesses, null if none is within the limit, and those that have it.
 * @param {Engine} engine @param {Problem} problem @param {number} limit @param {OnProgress} [onPart]
 */
export function settled(engine, problem, limit, onPart = () => {}) {
  const { memory, kernels } = engine;
  const { table, count } = problem;
  return memory.scratch(() => {
    const together = Math.min(TOGETHER, table.guess.length);
    const race = raceOf(engine, problem, { limit, together });
    const room = { lists: mostLists(table, count), together: Math.max(together, race.promising.length) };
    const search = engineOf(engine, problem, FEW_BITS, room);
    for (;;) {
      const kind = kernels.run("next_task", race);
      const best = race.values.data[0];
      if (kind === SETTLED) {
        const ties = [...bestOf(race).keys()].sort((one, other) => one - other);
        return { best: ties.length > 0 ? Number(best) : null, ties };
      }
      const highest = best === NONE_YET ? limit : Number(best);
      const chosen = race.chosen.slice(0, Number(race.place.data[CHOSEN]));
      if (kind === BOUNDING) kernels.run("answer_bounding", race, search.screen(chosen, limit));
      else kernels.run("note_guesses", race, ...search.screened(chosen, highest, kind === PATIENTLY));
      onPart(doneOf(race, limit), race.columns.length);
    }
  });
}

/**
 * How many first guesses are neither unseen nor open.
 * @param {GuessRoom} guessRoom @param {number} limit
 */
function doneOf({ columns, known, bounds, values }, limit) {
  const [best] = values.data;
  const highest = best === NONE_YET ? BigInt(limit) : best;
  const isDone = (/** @type {number} */ column) => (
    known.data[column] === KNOWN || (known.data[column] === BOUNDED && bounds.data[column] > highest)
  );
  return columns.data.filter(isDone).length;
}

/**
 * The value of a large state by a race of its first guesses: `solved_whole` of Python.
 * @param {Engine} engine @param {Problem} problem @param {number} limit @param {boolean} planned
 * @param {OnProgress} onPart
 * @returns {Found}
 */
function raced(engine, problem, limit, planned, onPart) {
  const { best, ties: [guess] } = settled(engine, problem, limit, onPart);
  if (best === null) return { bound: limit + 1, exact: false, guess: -1, plan: null };
  const plan = planned ? strategyAfter(engine, problem, guess, { highest: best }) : null;
  return { bound: best, exact: true, guess, plan };
}

// ---- One first guess: `plan_of` of Python

/**
 * The strategy of least value that begins with a guess in a problem, null if that is above the highest;
 * of those with the same total, one with a small worst case if `leastWorst` is true.
 * @param {Engine} engine @param {Problem} problem @param {number} guess
 * @param {{highest: number, onProgress?: OnProgress, leastWorst?: boolean}} how
 * @returns {Plan | null}
 */
export function strategyAfter(engine, problem, guess, { highest, onProgress = () => {}, leastWorst = false }) {
  return withRoom(engine, (bits) => {
    const { table, count } = problem;
    const column = table.guess.data.indexOf(guess);
    const room = { mayForget: bits === MEMO_BITS, lists: listsOf(table, column, count) };
    const search = engineOf(engine, problem, bits, room);
    search.valueOfGuess(column, highest, false); // what this has found serves the second time, as in Python
    const buckets = search.plansAfter(column, highest, onProgress);
    if (buckets === null) return null;
    if (leastWorst) makeLeastWorst(engine, buckets, (bucket) => search.solved(bucket));
    return joined(guess, search.priceOf(upTo(count)), buckets.map(({ plan }) => plan));
  });
}

/**
 * Take strategies of the same totals with a smaller worst case, as long as there are: `least_worst` of
 * Python. `solved` searches a bucket for one within its limit.
 * @param {Engine} engine @param {(State & {plan: Plan})[]} buckets @param {(bucket: HardBucket) => Found} solved
 */
function makeLeastWorst({ memory, kernels }, buckets, solved) {
  const sizes = BigInt64Array.from(buckets, ({ rows }) => BigInt(rows.length));
  for (;;) {
    const most = Math.max(0, ...buckets.map(({ plan }) => plan.height)) - 1;
    if (most < 1) return;
    const plans = buckets.map(({ plan }) => plan);
    for (;;) {
      const at = memory.scratch(() => {
        const heights = BigInt64Array.from(plans, ({ height }) => BigInt(height));
        return kernels.call("next_too_deep", memory.of("int64", sizes), memory.of("int64", heights), most);
      });
      if (at < 0) break;
      const { total } = plans[at];
      const { bound, exact, plan } = solved({ ...buckets[at], left: most, limit: total, bound: 0 });
      if (!exact || bound > total || !plan) return;
      plans[at] = plan;
    }
    plans.forEach((plan, at) => {
      buckets[at].plan = plan;
    });
  }
}
