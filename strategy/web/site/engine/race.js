// Exact search of states and of first guesses: what `Engine`, `solved_whole` and `settle` of solver/exact
// do around kernels. The kernels search, and ask: a hard bucket gets memory of its own here, by a search
// of its own, or, where a kernel says so, by a race of all first guesses in it.
//
// Python asks the limit search now and then whether a state can be solved at all; here nobody is asked,
// and the search finds out by itself: that takes longer where some answer cannot be found in time, and
// makes no difference where all can.

import {
  LOSS, MEMO_BITS, REVEALED, batchOf, bestOf, ceilingsOf, guessTaskOf, listsOf, memoBitsFor, mostLists, narrowedTable,
  partOf, raceOf, screeningOf, stateOf, stateTaskOf, workspace,
} from "./exact.js";
import { upTo } from "./maps.js";
import { Forgotten, TableSolver, after, joined } from "./solver.js";

/**
 * @import { KernelArray, Memory } from "./memory.js"
 * @import { Batch, Engine, Found, OnProgress, Plan, Problem, RaceOfKind, ScoreTable, State } from "./types.js"
 */

/** No total is as large. */
const NEVER = 2n ** 60n;

/** As in solver/exact/kernels/state_search.py. */
const [ASKING, DONE] = [4, 5];
const [BOUND, EXACT, COLUMN] = [6, 7, 8];
const [NODES, TOTAL, HEIGHT] = [1, 3, 4];
const INTERVAL = 2_000_000;
/** As in solver/exact/kernels/guess_race.py. */
const [HARD, BUCKET, NEAR, MOST] = [3, 5, 6, 7];
const [WAITING, SCREENED] = [1, 2];
const [BOUNDING, PATIENTLY, SETTLED] = [0, 1, 3];
const [BOUNDED, KNOWN] = [1, 2];
const CHOSEN = 1;
/** States nest no deeper in practice; within six guesses not as deep. Kernels refuse what does. */
const DEEPEST = 40;
const NESTED = 12;
/** The memo of a whole game is first tried with 2 ** so many slots, an eighth of Python's. */
export const FEW_BITS = MEMO_BITS - 3;
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

// ---- States by deepening: `Engine.value_of_state` and `Engine.plan`

/** Searches the states of one table. */
export class Search extends TableSolver {
  /**
   * @param {Engine} engine @param {ScoreTable} table @param {number} count @param {number} memoBits
   * @param {{lists?: number, deepest?: number, mayForget?: boolean}} [how]
   */
  constructor(engine, table, count, memoBits, { lists = 1, deepest = DEEPEST, mayForget = true } = {}) {
    const { memory } = engine;
    super(engine, workspace(memory, table, count, { lists, memoBits, deepest }), mayForget);
    this.count = count;
    this.task = stateTaskOf(memory, table, count);
  }

  /**
   * The value of a state up to a limit, or a bound above it; the column to guess, or -1.
   * @param {State} state @param {number | bigint} [limit] @param {number} [near]
   */
  value(state, limit = NEVER, near = -1) {
    const { engine: { memory, kernels }, task } = this;
    return memory.scratch(() => {
      kernels.call("begin_state", task, laid(memory, state), limit, near, 0);
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
    const { engine: { memory, kernels }, count, table } = this;
    return memory.scratch(() => {
      const plan = {
        nodes: memory.array("int32", [4, 2 * count]),
        states: memory.array("int64", [count, 4]),
        revealed: memory.array("uint64", [count, REVEALED]),
        rows: memory.array("int32", count),
        place: memory.array("int64", 5),
        task: this.task,
      };
      kernels.call("begin_plan", plan, laid(memory, state));
      while (!kernels.run("plan_state", this.work, plan, INTERVAL));
      this.checkMemo();
      const [nodes, place, guesses] = [plan.nodes.data, plan.place.data, table.guess.data];
      const size = Number(place[NODES]);
      const [columns, above, rows] = [0, 1, 2].map((k) => nodes.slice(2 * count * k, 2 * count * k + size));
      const guess = columns.map((column) => guesses[column]);
      return { guess, above, rows, total: Number(place[TOTAL]), height: Number(place[HEIGHT]) };
    });
  }
}

// ---- Hard buckets
//
// A `problem` is a whole table as a state: {rules, table, ids, count, left, revealed}, where `ids` are
// the guesses that its rows stand for.

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

/**
 * The value of a bucket up to a limit in a table of its own, and the best guess of the game or -1;
 * if it is `planned`, a strategy of this value too, its rows as in the table of the problem.
 * @param {Engine} engine @param {Problem} problem @param {State} state @param {number} limit
 * @param {{near?: number, planned: boolean, onPart?: OnProgress}} how
 * @returns {Found}
 */
function searched(engine, problem, { rows, left, revealed, bound = 0 }, limit, { near = -1, planned, onPart }) {
  const { memory, kernels } = engine;
  const whole = kernels.call("limit_of_race", problem.table, rows.length, left, bound, 0, limit);
  return memory.scratch(() => {
    const members = memory.of("int32", rows);
    const shown = memory.of("uint64", revealed);
    const table = narrowedTable(engine, problem.table, members, shown);
    const ids = Int32Array.from(rows, (row) => problem.ids[row]);
    const below = { rules: problem.rules, table, ids, count: rows.length, left, revealed: shown };
    const found = whole >= 0
      ? raced(engine, below, whole, { planned, onPart })
      : deepened(engine, below, limit, { near, planned });
    const { plan } = found;
    if (plan) plan.rows = plan.rows.map((row) => rows[row]);
    return found;
  });
}

/**
 * The value of a problem by deepening.
 * @param {Engine} engine @param {Problem} problem @param {number} limit @param {{near?: number, planned: boolean}} how
 * @returns {Found}
 */
function deepened(engine, problem, limit, { near, planned }) {
  const { table, count } = problem;
  const search = new Search(engine, table, count, memoBitsFor(count), { deepest: NESTED });
  const state = wholeOf(problem);
  const { bound, exact, column } = search.value(state, limit, near);
  const guess = exact && column >= 0 ? table.guess.data[column] : -1;
  return { bound, exact, guess, plan: exact && planned ? search.plan(state) : null };
}

/**
 * The value of a large state by a race of its first guesses: `solved_whole` of Python.
 * @param {Engine} engine @param {Problem} problem @param {number} limit
 * @param {{planned: boolean, onPart?: OnProgress}} how
 * @returns {Found}
 */
function raced(engine, problem, limit, { planned, onPart }) {
  const { best, ties } = GuessRace.settled(engine, problem, limit, onPart);
  if (best === null) return { bound: limit + 1, exact: false, guess: -1, plan: null };
  const [guess] = ties;
  const plan = planned ? strategyAfter(engine, problem, guess, { highest: best }) : null;
  return { bound: best, exact: true, guess, plan };
}

// ---- The race of first guesses: `settle` of Python, by one worker

/** A race; values are found by its kinds, which have `bounded` and `screen`. */
export class Race {
  /** @param {Engine} engine @param {Problem} problem @param {number} limit @param {OnProgress} onPart */
  constructor(engine, problem, limit, onPart) {
    const together = Math.min(TOGETHER, problem.table.guess.length);
    this.engine = engine;
    this.problem = problem;
    this.limit = limit;
    this.onPart = onPart;
    this.together = together;
    this.race = raceOf(engine, problem, { limit, together });
  }

  /**
   * The least value of a problem's first guesses, null if none is within the limit, and those that have it.
   * @param {Engine} engine @param {Problem} problem @param {number} limit @param {OnProgress} [onPart]
   */
  static settled(engine, problem, limit, onPart = () => {}) {
    return engine.memory.scratch(() => {
      const race = /** @type {any} */ (new this(engine, problem, limit, onPart));
      return /** @type {Race & RaceOfKind} */ (race).settle();
    });
  }

  /** @this {Race & RaceOfKind} */
  settle() {
    const { race } = this;
    for (;;) {
      const kind = this.engine.kernels.run("next_task", race);
      if (kind === SETTLED) return this.#answer();
      const chosen = race.chosen.slice(0, Number(race.place.data[CHOSEN]));
      if (kind === BOUNDING) {
        this.engine.kernels.run("answer_bounding", race, this.bounded(chosen));
      } else {
        this.engine.kernels.run("note_guesses", race, ...this.screen(chosen, kind === PATIENTLY));
      }
      this.#progress();
    }
  }

  /** How many first guesses are neither unseen nor open. */
  #progress() {
    const { columns, known, bounds, values } = this.race;
    const [best] = values.data;
    const limit = best < LOSS ? best : BigInt(this.limit);
    const isDone = (/** @type {number} */ column) => (
      known.data[column] === KNOWN || (known.data[column] === BOUNDED && bounds.data[column] > limit)
    );
    this.onPart(columns.data.filter(isDone).length, columns.length);
  }

  #answer() {
    const ties = [...bestOf(this.race).keys()].sort((one, other) => one - other);
    return { best: ties.length > 0 ? Number(this.race.values.data[0]) : null, ties };
  }
}

export class GuessRace extends Race {
  /** @param {Engine} engine @param {Problem} problem @param {number} limit @param {OnProgress} onPart */
  constructor(engine, problem, limit, onPart) {
    super(engine, problem, limit, onPart);
    const { memory } = engine;
    const { table, count } = problem;
    const lists = mostLists(table, count);
    const search = new Search(engine, table, count, FEW_BITS, { lists, deepest: NESTED });
    this.work = search.work;
    const ceilings = ceilingsOf(engine, problem);
    this.batch = batchOf(memory, table, count, { together: this.together, lists, ceilings });
    this.state = laid(memory, wholeOf(problem));
    this.screening = screeningOf(memory, this.race.chosen.length);
    this.task = guessTaskOf(memory, table);
  }

  /**
   * Bounds of some guesses.
   * @param {KernelArray<"int32">} chosen
   */
  bounded(chosen) {
    this.engine.kernels.run("screen", this.work, this.batch, this.state, chosen, this.limit);
    return this.batch.buckets.total.slice(0, chosen.length);
  }

  /**
   * Screen some guesses: which, their bounds, and whether these are their values.
   * @param {KernelArray<"int32">} chosen @param {boolean} patient
   * @returns {ReturnType<RaceOfKind["screen"]>}
   */
  screen(chosen, patient) {
    const { work, batch, state, screening, task } = this;
    screening.values.data.set(this.race.values.data);
    this.engine.kernels.run("begin_screening", work, batch, state, screening, chosen, this.limit, patient);
    for (let step = -1; step !== SCREENED;) {
      step = this.engine.kernels.run("go_on_screening", work, batch, state, screening, task, INTERVAL);
      if (step === WAITING) this.#answerBucket();
    }
    const { columns, totals, exact } = partOf(screening, 0, chosen.length);
    return [columns, totals, exact];
  }

  /** Search the bucket that is asked for, and hand in what was found. */
  #answerBucket() {
    const { work, batch, state, task, problem } = this;
    const place = task.place.data;
    const [k, near, most] = [BUCKET, NEAR, MOST].map((at) => Number(place[at]));
    const bucket = {
      rows: rowsOf(batch, k), left: after(problem.left), revealed: task.after.data.slice(),
      bound: Number(batch.buckets.bound.data[k]),
    };
    const { bound, exact, guess = -1 } = searched(this.engine, problem, bucket, most, { near, planned: false });
    this.engine.kernels.run("answer_bucket", work, batch, state, task, bound, Number(exact), guess);
  }
}

/**
 * The rows of a bucket of the first guess of a batch.
 * @param {Batch} batch @param {number} k
 */
function rowsOf({ buckets: { rows, start, size } }, k) {
  const begin = Number(start.data[k]);
  return rows.data.slice(begin, begin + Number(size.data[k]));
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
  return withRoom(engine, (bits) => new FirstGuess(engine, problem, guess, bits, onProgress).best(highest, leastWorst));
}

class FirstGuess {
  /**
   * @param {Engine} engine @param {Problem} problem @param {number} guess @param {number} bits
   * @param {OnProgress} onProgress
   */
  constructor(engine, problem, guess, bits, onProgress) {
    const { memory } = engine;
    const { table, count } = problem;
    this.engine = engine;
    this.problem = problem;
    this.guess = guess;
    this.onProgress = onProgress;
    this.column = table.guess.data.indexOf(guess);
    const lists = listsOf(table, this.column, count);
    this.search = new Search(engine, table, count, bits, { lists, deepest: NESTED, mayForget: bits === MEMO_BITS });
    this.batch = batchOf(memory, table, count, { lists });
    this.state = laid(memory, wholeOf(problem));
    this.task = guessTaskOf(memory, table);
    this.done = 0;
  }

  /** @param {number} highest @param {boolean} leastWorst */
  best(highest, leastWorst) {
    this.#begin(highest); // what this has found serves the second time, as in Python
    const hard = this.#begin(highest);
    const tasks = this.#total() > highest ? [] : hard.map((k) => this.#hardBucket(k, highest));
    /** @type {Map<number, Plan | null | undefined>} */
    const parts = new Map();
    for (const { k, near, limit, ...bucket } of tasks) {
      if (this.#total() > highest) return null;
      const size = bucket.rows.length;
      /** @param {number} part @param {number} whole */
      const onPart = (part, whole) => this.#progress((size * part) / whole);
      const { bound, exact, plan } = searched(this.engine, this.problem, bucket, limit, { near, planned: true, onPart });
      this.engine.kernels.run("take_over", this.batch.buckets, k, bound, Number(exact));
      parts.set(bucket.rows[0], plan);
      this.done += size;
      this.#progress();
    }
    if (this.#total() > highest) return null;
    const buckets = this.search.buckets(wholeOf(this.problem), this.column)
      .sort((one, other) => other.rows.length - one.rows.length) // what is found in large ones serves in others
      .map((bucket) => ({ ...bucket, plan: parts.get(bucket.rows[0]) ?? this.#planned(bucket) }));
    if (leastWorst) {
      makeLeastWorst(this.engine, buckets, (bucket, total) => (
        searched(this.engine, this.problem, bucket, total, { planned: true })
      ));
    }
    return joined(this.guess, this.problem.count, buckets.map(({ plan }) => plan));
  }

  #total() {
    return Number(this.batch.buckets.total.data[0]);
  }

  #progress(part = 0) {
    const { count } = this.problem;
    this.onProgress(Math.min(Math.floor(this.done + part), count), count);
  }

  /**
   * Bound the buckets, settle the easy ones; the hard ones, the smallest first.
   * @param {number} highest
   */
  #begin(highest) {
    this.engine.kernels.run("begin_guess", this.search.work, this.batch, this.state, this.task, this.column, highest);
    this.search.checkMemo();
    const count = Number(this.task.place.data[HARD]);
    return Array.from(this.task.hard.data.subarray(0, count), Number);
  }

  /** @param {number} k @param {number} highest */
  #hardBucket(k, highest) {
    const { memory, kernels } = this.engine;
    const { table, left, revealed } = this.problem;
    const { buckets } = this.batch;
    return memory.scratch(() => {
      const shown = memory.array("uint64", REVEALED);
      const [near, limit] = kernels.call("hard_bucket", table, buckets, k, revealed, highest, shown);
      const bound = Number(buckets.bound.data[k]);
      return { k, near, limit, bound, rows: rowsOf(this.batch, k), left: after(left), revealed: shown.data.slice() };
    });
  }

  /** @param {State} state */
  #planned(state) {
    this.done += state.rows.length;
    this.#progress();
    return this.search.plan(state);
  }
}

/**
 * Take strategies of the same totals with a smaller worst case, as long as there are: `least_worst` of
 * Python. `solved(bucket, total)` searches a bucket for one up to that total.
 * @param {Engine} engine @param {(State & {plan: Plan})[]} buckets
 * @param {(state: State, total: number) => Found} solved
 */
export function makeLeastWorst({ memory, kernels }, buckets, solved) {
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
      const { bound, exact, plan } = solved({ ...buckets[at], left: most }, total);
      if (!exact || bound > total || !plan) return;
      plans[at] = plan;
    }
    plans.forEach((plan, at) => {
      buckets[at].plan = plan;
    });
  }
}
