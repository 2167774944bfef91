// Exact search of states and of first guesses: what `Engine`, `LargeState` and `settle` of solver/exact
// do around kernels. The kernels search, and ask: a hard bucket gets memory of its own here, by a search
// of its own, or, where a kernel says so, by a race of all first guesses in it.
//
// Python asks the limit search now and then whether a state can be solved at all; here nobody is asked,
// and the search finds out by itself: that takes longer where some answer cannot be found in time, and
// makes no difference where all can.

import {
  MEMO_BITS, batchOf, bestOf, ceilingsOf, everyRow, guessTaskOf, listsOf, mostLists, narrowedTable, raceOf, screeningOf,
  stateTaskOf, workspace,
} from "./exact.js";

/** What a lost answer costs; above every value. */
const LOSS = 2 ** 32;
/** As in solver/exact/kernels/state_search.py. */
const [ASKING, DONE] = [4, 5];
const [BOUND, EXACT, COLUMN] = [6, 7, 8];
const [NODES, TOTAL, HEIGHT] = [1, 3, 4];
const INTERVAL = 2_000_000;
/** As in solver/exact/kernels/guess_race.py. */
const [HARD, BUCKET, NEAR, MOST] = [3, 5, 6, 7];
const [WAITING, SCREENED] = [2, 3];
const [BOUNDING, PATIENTLY, SETTLED] = [0, 1, 3];
const [BOUNDED, KNOWN] = [1, 2];
const [CHOSEN, UNLIMITED] = [1, 100_000];
/** States nest no deeper in practice; within six guesses not as deep. Kernels refuse what does. */
const DEEPEST = 40;
const NESTED = 12;
/** The memo of a whole game is first tried with 2 ** so many slots, an eighth of Python's. */
export const FEW_BITS = MEMO_BITS - 3;
/** The memo of a state has 2 ** so many slots for each candidate. */
const LEAST_BITS = 9;
const REVEALED = 7;
/** First guesses that are screened together. */
const TOGETHER = 512;

/**
 * What a search answers whose memo forgets nothing: then the size of the memo makes no difference. If a
 * small one does forget, the search begins again with one of Python's size.
 */
export function withRoom({ memory }, search) {
  try {
    return memory.scratch(() => search(FEW_BITS));
  } catch (error) {
    if (!(error instanceof Forgotten)) throw error;
    return memory.scratch(() => search(MEMO_BITS));
  }
}

/** A memo that was smaller than Python's has forgotten something. */
export class Forgotten extends Error {}

// ---- States by deepening: `Engine.value_of_state` and `Engine.plan`

/** Searches the states of one table. */
export class Search {
  constructor({ memory, kernels }, table, count, memoBits, { lists = 1, deepest = DEEPEST, mayForget = true } = {}) {
    Object.assign(this, { memory, kernels, table, count, mayForget });
    this.work = workspace(memory, table, count, { lists, memoBits, deepest });
    this.task = stateTaskOf(memory, table, count);
  }

  /** End the search if its memo has forgotten something and must not. */
  checkMemo() {
    if (!this.mayForget && this.work.memo.used.data[2] > 0n) throw new Forgotten();
  }

  /** The value of a state up to a limit, or a bound above it; the column to guess, or -1. */
  value(state, limit, near = -1) {
    const { kernels, task } = this;
    kernels.call("begin_state", task, state, limit, near, 0);
    for (let step = -1; step !== DONE; ) {
      step = kernels.call("search_state", this.work, task);
      if (step === ASKING) kernels.call("answer_task", this.table, task, 0);
    }
    this.checkMemo();
    const place = task.place.data;
    return { bound: Number(place[BOUND]), exact: place[EXACT] === 1n, column: Number(place[COLUMN]) };
  }

  /** A strategy of a state whose value is known: guesses of the game, witnesses as rows of the table. */
  plan(state) {
    const { memory, kernels, count, table } = this;
    return memory.scratch(() => {
      const plan = {
        nodes: memory.array("int32", [4, 2 * count]),
        states: memory.array("int64", [count, 4]),
        revealed: memory.array("uint64", [count, REVEALED]),
        rows: memory.array("int32", count),
        place: memory.array("int64", 5),
        task: this.task,
      };
      kernels.call("begin_plan", plan, state);
      while (!memory.scratch(() => kernels.call("plan_state", this.work, plan, INTERVAL)));
      this.checkMemo();
      const [nodes, place, guesses] = [plan.nodes.data, plan.place.data, table.guess.data];
      const size = Number(place[NODES]);
      const [columns, above, rows] = [0, 1, 2].map((k) => nodes.slice(2 * count * k, 2 * count * k + size));
      const guess = columns.map((column) => guesses[column]);
      return { guess, above, rows, total: Number(place[TOTAL]), height: Number(place[HEIGHT]) };
    });
  }
}

// ---- Buckets

/** The buckets of a guess in a state but its own, by ascending score: `buckets_of` of Python. */
export function bucketsOf({ memory, kernels }, { table }, { rows, left, revealed }, column) {
  const scores = table.scores.data.subarray(column * table.scores.shape[1]);
  const found = new Map();
  for (const row of rows) {
    if (!found.has(scores[row])) found.set(scores[row], []);
    found.get(scores[row]).push(row);
  }
  const own = table.secret.data[column];
  const below = [...found].sort(([one], [other]) => one - other).map(([, bucket]) => Int32Array.from(bucket));
  return memory.scratch(() => below.filter(([first]) => first !== own).map((bucket) => {
    const shown = memory.array("uint64", REVEALED);
    kernels.call("reveal", table, column, bucket[0], memory.of("uint64", revealed), shown);
    return { rows: bucket, left: after(left), revealed: shown.data.slice() };
  }));
}

// ---- Hard buckets
//
// A `problem` is a whole table as a state: {rules, table, ids, count, left, revealed}, where `ids` are
// the guesses that its rows stand for.

/** The state of a problem, as kernels take it. */
function stateOf({ memory }, { count, left, revealed }) {
  return { members: everyRow(memory, count), first: 0, size: count, left, revealed };
}

/** What is left after a guess. */
export const after = (left) => (left === UNLIMITED || left === 1 ? UNLIMITED : left - 1);

/**
 * The value of a bucket up to a limit in a table of its own, and the best guess of the game or -1;
 * if it is `planned`, a strategy of this value too, its rows as in the table of the problem.
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

/** The value of a problem by deepening. */
function deepened(engine, problem, limit, { near, planned }) {
  const { table, count } = problem;
  const bits = Math.min(MEMO_BITS, LEAST_BITS + 32 - Math.clz32(count));
  const search = new Search(engine, table, count, bits, { deepest: NESTED });
  const state = stateOf(engine, problem);
  const { bound, exact, column } = search.value(state, limit, near);
  const guess = exact && column >= 0 ? table.guess.data[column] : -1;
  return { bound, exact, guess, plan: exact && planned ? search.plan(state) : null };
}

/** The value of a large state by a race of its first guesses: `LargeState` of Python. */
function raced(engine, problem, limit, { planned, onPart }) {
  const { best, ties } = raceOfGuesses(engine, problem, limit, onPart);
  if (best === null) return { bound: limit + 1, exact: false, guess: -1, plan: null };
  const [guess] = ties;
  const plan = planned ? strategyAfter(engine, problem, guess, { highest: best }) : null;
  return { bound: best, exact: true, guess, plan };
}

// ---- The race of first guesses: `settle` of Python, by one worker

/** The least value of a problem's first guesses, null if none is within a limit, and those that have it. */
export function raceOfGuesses(engine, problem, limit, onPart = () => {}) {
  return engine.memory.scratch(() => new GuessRace(engine, problem, limit, onPart).settle());
}

/** A race; values are found by its kinds, which have `bounded` and `screen`. */
export class Race {
  constructor(engine, problem, limit, onPart) {
    const together = Math.min(TOGETHER, problem.table.guess.length);
    Object.assign(this, { engine, problem, limit, onPart, together });
    this.race = raceOf(engine, problem, { limit, together });
  }

  call(name, ...args) {
    return this.engine.memory.scratch(() => this.engine.kernels.call(name, ...args));
  }

  settle() {
    const { race } = this;
    for (;;) {
      const kind = this.call("next_task", race);
      if (kind === SETTLED) return this.#answer();
      const chosen = race.chosen.slice(0, Number(race.place.data[CHOSEN]));
      if (kind === BOUNDING) {
        this.call("answer_bounding", race, this.bounded(chosen));
      } else {
        this.call("note_guesses", race, ...this.screen(chosen, kind === PATIENTLY));
      }
      this.#progress();
    }
  }

  /** How many first guesses are neither unseen nor open. */
  #progress() {
    const [columns, known, bounds, values] =
      ["columns", "known", "bounds", "values"].map((name) => this.race[name].data);
    const limit = values[0] < LOSS ? values[0] : BigInt(this.limit);
    let done = 0;
    for (const column of columns) {
      done += Number(known[column] === KNOWN || (known[column] === BOUNDED && bounds[column] > limit));
    }
    this.onPart(done, columns.length);
  }

  #answer() {
    const ties = [...bestOf(this.race).keys()].sort((one, other) => one - other);
    return { best: ties.length > 0 ? Number(this.race.values.data[0]) : null, ties };
  }
}

class GuessRace extends Race {
  constructor(engine, problem, limit, onPart) {
    super(engine, problem, limit, onPart);
    const { memory } = engine;
    const { table, count } = problem;
    const lists = mostLists(table, count);
    const search = new Search(engine, table, count, FEW_BITS, { lists, deepest: NESTED });
    this.work = search.work;
    const ceilings = ceilingsOf(engine, problem);
    this.batch = batchOf(memory, table, count, { together: this.together, lists, ceilings });
    this.state = stateOf(engine, problem);
    this.screening = screeningOf(memory, this.race.chosen.length);
    this.task = guessTaskOf(memory, table);
  }

  /** Bounds of some guesses. */
  bounded(chosen) {
    this.call("screen", this.work, this.batch, this.state, chosen, this.limit);
    return this.batch.buckets.total.slice(0, chosen.length);
  }

  /** Screen some guesses: which, their bounds, and whether these are their values. */
  screen(chosen, patient) {
    const { work, batch, state, screening, task } = this;
    screening.values.data.set(this.race.values.data);
    this.call("begin_screening", work, batch, state, screening, chosen, this.limit, patient, false);
    for (let step = -1; step !== SCREENED; ) {
      step = this.call("go_on_screening", work, batch, state, screening, task, INTERVAL);
      if (step === WAITING) this.#answerBucket();
    }
    return [screening.columns, screening.totals, screening.exact].map((part) => part.slice(0, chosen.length));
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
    const { bound, exact, guess } = searched(this.engine, problem, bucket, most, { near, planned: false });
    this.call("answer_bucket", work, batch, state, task, bound, Number(exact), guess);
  }
}

/** The rows of a bucket of the first guess of a batch. */
function rowsOf({ buckets: { rows, start, size } }, k) {
  const begin = Number(start.data[k]);
  return rows.data.slice(begin, begin + Number(size.data[k]));
}

// ---- One first guess: `plan_of` of Python

/**
 * The strategy of least value that begins with a guess in a problem, null if that is above the highest;
 * of those with the same total, one with a small worst case if `leastWorst` is true.
 */
export function strategyAfter(engine, problem, guess, { highest, onProgress = () => {}, leastWorst = false }) {
  return withRoom(engine, (bits) => new FirstGuess(engine, problem, guess, bits, onProgress).best(highest, leastWorst));
}

class FirstGuess {
  constructor(engine, problem, guess, bits, onProgress) {
    const { memory } = engine;
    const { table, count } = problem;
    Object.assign(this, { engine, problem, guess, onProgress });
    this.column = table.guess.data.indexOf(guess);
    const lists = listsOf(table, this.column, count);
    this.search = new Search(engine, table, count, bits, { lists, deepest: NESTED, mayForget: bits === MEMO_BITS });
    this.batch = batchOf(memory, table, count, { lists });
    this.state = stateOf(engine, problem);
    this.task = guessTaskOf(memory, table);
    this.done = 0;
  }

  best(highest, leastWorst) {
    this.#begin(highest); // what this has found serves the second time, as in Python
    const hard = this.#begin(highest);
    const tasks = this.#total() > highest ? [] : hard.map((k) => this.#hardBucket(k, highest));
    const parts = new Map();
    for (const { k, near, limit, ...bucket } of tasks) {
      if (this.#total() > highest) return null;
      const size = bucket.rows.length;
      const onPart = (part, whole) => this.#progress((size * part) / whole);
      const { bound, exact, plan } = searched(this.engine, this.problem, bucket, limit, { near, planned: true, onPart });
      this.#call("take_over", this.batch.buckets, k, bound, Number(exact));
      parts.set(k, plan);
      this.done += size;
      this.#progress();
    }
    if (this.#total() > highest) return null;
    const buckets = this.#buckets();
    for (const bucket of buckets) {
      bucket.plan = parts.get(bucket.k) ?? this.#planned(bucket);
    }
    if (leastWorst) {
      makeLeastWorst(this.engine, buckets, (bucket, total) => (
        searched(this.engine, this.problem, bucket, total, { planned: true })
      ));
    }
    return joined(this.guess, this.problem.count, buckets.map(({ plan }) => plan));
  }

  #call(name, ...args) {
    return this.engine.memory.scratch(() => this.engine.kernels.call(name, ...args));
  }

  #total() {
    return Number(this.batch.buckets.total.data[0]);
  }

  #progress(part = 0) {
    const { count } = this.problem;
    this.onProgress(Math.min(Math.floor(this.done + part), count), count);
  }

  /** Bound the buckets, settle the easy ones; the hard ones, the smallest first. */
  #begin(highest) {
    this.#call("begin_guess", this.search.work, this.batch, this.state, this.task, this.column, highest);
    this.search.checkMemo();
    const count = Number(this.task.place.data[HARD]);
    return Array.from(this.task.hard.data.subarray(0, count), Number);
  }

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

  /** The buckets but the guess's own, the largest first. */
  #buckets() {
    const { table, left } = this.problem;
    const own = table.secret.data[this.column];
    const found = [];
    for (let k = 0; k < Number(this.batch.buckets.number.data[0]); k += 1) {
      const rows = rowsOf(this.batch, k);
      if (rows[0] !== own) found.push({ k, rows, left: after(left), revealed: this.#revealed(rows[0]) });
    }
    return found;
  }

  #revealed(row) {
    const { memory, kernels } = this.engine;
    return memory.scratch(() => {
      const shown = memory.array("uint64", REVEALED);
      kernels.call("reveal", this.problem.table, this.column, row, this.problem.revealed, shown);
      return shown.data.slice();
    });
  }

  #planned({ rows, left, revealed }) {
    const { memory } = this.engine;
    this.done += rows.length;
    this.#progress();
    return memory.scratch(() => this.search.plan({
      members: memory.of("int32", rows), first: 0, size: rows.length, left, revealed: memory.of("uint64", revealed),
    }));
  }
}

/**
 * Take strategies of the same totals with a smaller worst case, as long as there are: `least_worst` of
 * Python. `solved(bucket, total)` searches a bucket for one up to that total.
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
      if (!exact || bound > total) return;
      plans[at] = plan;
    }
    plans.forEach((plan, at) => {
      buckets[at].plan = plan;
    });
  }
}

/** A guess, and what it costs, with the strategies of its buckets, nodes as in `Search.plan`. */
export function joined(guess, cost, plans) {
  const found = { guess: [guess], above: [-1], rows: [0], total: cost, height: 1 };
  for (const plan of plans) {
    const base = found.guess.length;
    for (let at = 0; at < plan.guess.length; at += 1) {
      found.guess.push(plan.guess[at]);
      found.above.push(at === 0 ? 0 : base + plan.above[at]);
      found.rows.push(plan.rows[at]);
    }
    found.total += plan.total;
    found.height = Math.max(found.height, 1 + plan.height);
  }
  return found;
}
