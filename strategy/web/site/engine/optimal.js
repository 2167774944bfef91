// Best strategies after given first guesses, proved: `_after_start` of solver/exact/best_strategy.py.
//
// Kernels search, and decide how far. Python asks the limit search now and then whether a state can be
// solved at all; here nobody is asked, and the search finds out by itself: that takes longer where
// some answer cannot be found in time, and makes no difference where all can.

import { MEMO_BITS, NoTable, batchOf, everyRow, narrowedTable, scoreTable, workspace } from "./exact.js";
import { EngineError } from "./memory.js";
import { children } from "./solve.js";
import { WordGame } from "./words.js";

/** Every answer is found within so many guesses. */
export const LIMIT = 6;
/** What a lost answer costs; above every value. */
const [LOSS, NEVER] = [2 ** 32, 2n ** 60n];
/** As in solver/exact/kernels/state_search.py. */
const [ASKING, DONE] = [4, 5];
const [BOUND, EXACT, PLACES] = [6, 7, 16];
const [NODES, TOTAL, HEIGHT] = [1, 3, 4];
const INTERVAL = 2_000_000;
/** States nest no deeper in practice, and within the limit not as deep; kernels refuse what does. */
const [DEEPEST, NESTED] = [40, 2 * LIMIT];
/** The memo of a whole game is first tried with 2 ** so many slots, an eighth of Python's. */
const FEW_BITS = MEMO_BITS - 3;
/** The memo of a state has 2 ** so many slots for each candidate. */
const LEAST_BITS = 9;
const [REVEALED, SCORES] = [7, 256];
/** Python searches hard states of so many answers as problems of their own; here they are refused. */
const LARGE = 400;

/** The tree of least total after some guesses, in words of the game, and its total; null if there is none. */
export function bestAfter(engine, game, { starts, guessFrom, hard, onProgress }) {
  const played = guessFrom === "secrets"
    ? new WordGame(game.listName, game.secretsName, [...game.secrets], [...game.secrets], hard)
    : game;
  const first = starts.map((guess) => played.guessId(game.guesses[guess]));
  let table;
  try {
    table = scoreTable(engine, played, played.secretIds, hard);
  } catch (error) {
    if (!(error instanceof NoTable)) throw error;
    throw new EngineError("these words are too long, or tell too much, for exact search");
  }
  const found = withRoom(engine, (bits) => (
    first.length === 1
      ? new FirstGuess(engine, played, table, first[0], bits, onProgress).best()
      : afterSeveral(engine, played, table, first, bits, onProgress)
  ));
  if (found === null) return null;
  const tree = inPreorder(played, found);
  if (played !== game) tree.guess = tree.guess.map((guess) => game.secretIds[guess]);
  return { tree, total: found.total };
}

/**
 * What a search answers whose memo forgets nothing: then the size of the memo makes no difference. If a
 * small one does forget, the search begins again with one of Python's size.
 */
function withRoom({ memory }, search) {
  try {
    return memory.scratch(() => search(FEW_BITS));
  } catch (error) {
    if (!(error instanceof Forgotten)) throw error;
    return memory.scratch(() => search(MEMO_BITS));
  }
}

/** A memo that was smaller than Python's has forgotten something. */
class Forgotten extends Error {}

// ---- Searches of states: `Engine` of Python

/** Searches the states of one table. */
class Search {
  constructor({ memory, kernels }, table, count, memoBits, { lists = 1, deepest = DEEPEST, mayForget = true } = {}) {
    Object.assign(this, { memory, kernels, table, count, mayForget });
    this.work = workspace(memory, table, count, { lists, memoBits, deepest });
    this.task = this.#newTask();
  }

  #newTask() {
    const { memory, table, count } = this;
    return {
      members: memory.array("int32", count),
      revealed: memory.array("uint64", REVEALED),
      ceiling: memory.array("uint8", table.guess.length),
      place: memory.array("int64", PLACES),
      interval: memory.of("float64", [INTERVAL, INTERVAL]),
    };
  }

  /** End the search if its memo has forgotten something and must not. */
  checkMemo() {
    if (!this.mayForget && this.work.memo.used.data[2] > 0n) throw new Forgotten();
  }

  /** The value of a state up to a limit, or a bound above it. */
  value(state, limit, near = -1) {
    const { kernels, task } = this;
    kernels.call("begin_state", task, state, limit, near, 0);
    for (let step = -1; step !== DONE; ) {
      step = kernels.call("search_state", this.work, task);
      if (step === ASKING) kernels.call("answer_task", this.table, task, 0);
    }
    this.checkMemo();
    const place = task.place.data;
    return { bound: Number(place[BOUND]), exact: place[EXACT] === 1n };
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

/** A value and its strategy in a table of the state's own; null if the value is above the limit. */
function narrowly(engine, table, { rows, left, revealed }, limit, near) {
  const { memory } = engine;
  if (rows.length >= LARGE && limit > near) {
    throw new EngineError(
      `after one of the replies ${rows.length} answers remain, and a browser searches fewer than ${LARGE}; ` +
        "try another first word, or the command solve-all --rule optimal",
      3,
    );
  }
  return memory.scratch(() => {
    const members = memory.of("int32", rows);
    const shown = memory.of("uint64", revealed);
    const bits = Math.min(MEMO_BITS, LEAST_BITS + 32 - Math.clz32(rows.length));
    const own = narrowedTable(engine, table, members, shown);
    const search = new Search(engine, own, rows.length, bits, { deepest: NESTED });
    const state = { members: everyRow(memory, rows.length), first: 0, size: rows.length, left, revealed: shown };
    const value = search.value(state, limit, near);
    if (!value.exact) return { ...value, plan: null };
    const plan = search.plan(state);
    plan.rows = plan.rows.map((row) => rows[row]);
    return { ...value, plan };
  });
}

// ---- One first guess

/** The strategies after one guess. */
class FirstGuess {
  constructor(engine, game, table, guess, bits, onProgress) {
    const { memory } = engine;
    const count = game.secretIds.length;
    Object.assign(this, { engine, game, table, guess, onProgress, count });
    this.column = table.guess.data.indexOf(guess);
    const lists = children(game, guess, game.secretIds.keys()).filter(([, bucket]) => bucket.length > 2).length;
    this.search = new Search(engine, table, count, bits, { lists, deepest: NESTED, mayForget: bits === MEMO_BITS });
    this.batch = batchOf(memory, table, count, 1);
    this.state = {
      members: everyRow(memory, count), first: 0, size: count, left: LIMIT,
      revealed: memory.array("uint64", REVEALED),
    };
    this.columns = memory.of("int32", [this.column]);
    this.hard = memory.array("int64", SCORES);
    this.done = 0;
  }

  /** The best strategy, or null if there is none within the limit. */
  best() {
    this.#settle(); // what this has found serves the second time, as in Python
    const hard = this.#settle();
    const tasks = hard.map((k) => this.#hardBucket(k));
    const parts = new Map();
    for (const { k, near, limit, ...bucket } of tasks) {
      if (this.#total() >= LOSS) return null;
      const { bound, exact, plan } = narrowly(this.engine, this.table, bucket, limit, near);
      this.engine.kernels.call("take_over", this.batch.buckets, k, bound, Number(exact));
      parts.set(k, plan);
      this.#progress(bucket.rows.length);
    }
    if (this.#total() >= LOSS) return null;
    const buckets = this.#buckets();
    for (const bucket of buckets) {
      bucket.plan = parts.get(bucket.k) ?? this.#planned(bucket);
    }
    this.#leastWorst(buckets);
    const total = buckets.reduce((sum, { plan }) => sum + plan.total, this.count);
    return { guess: this.guess, below: buckets.map(({ plan }) => plan), total };
  }

  #call(name, ...args) {
    return this.engine.memory.scratch(() => this.engine.kernels.call(name, ...args));
  }

  #total() {
    return Number(this.batch.buckets.total.data[0]);
  }

  #progress(count) {
    this.done += count;
    this.onProgress(Math.min(this.done, this.count), this.count);
  }

  /** Bound the buckets, settle the easy ones; the hard ones, the smallest first. */
  #settle() {
    const { batch, state } = this;
    this.#call("screen", this.search.work, batch, state, this.columns, LOSS - 1);
    this.#call("settle_buckets", this.search.work, batch, state, LOSS - 1);
    this.search.checkMemo();
    const count = this.#call("list_hard", batch.buckets, this.hard);
    return Array.from(this.hard.data.subarray(0, count), Number);
  }

  #rowsOf(k) {
    const { rows, start, size } = this.batch.buckets;
    const begin = Number(start.data[k]);
    return rows.data.slice(begin, begin + Number(size.data[k]));
  }

  #hardBucket(k) {
    const { memory, kernels } = this.engine;
    return memory.scratch(() => {
      const after = memory.array("uint64", REVEALED);
      const [near, limit] =
        kernels.call("hard_bucket", this.table, this.batch.buckets, k, this.state.revealed, LOSS - 1, after);
      return { k, near, limit, rows: this.#rowsOf(k), left: LIMIT - 1, revealed: after.data.slice() };
    });
  }

  /** The buckets but the guess's own, the largest first. */
  #buckets() {
    const own = this.table.secret.data[this.column];
    const found = [];
    for (let k = 0; k < Number(this.batch.buckets.number.data[0]); k += 1) {
      const rows = this.#rowsOf(k);
      if (rows[0] !== own) found.push({ k, rows, left: LIMIT - 1, revealed: this.#revealed(rows[0]) });
    }
    return found;
  }

  #revealed(row) {
    const { memory, kernels } = this.engine;
    return memory.scratch(() => {
      const after = memory.array("uint64", REVEALED);
      kernels.call("reveal", this.table, this.column, row, this.state.revealed, after);
      return after.data.slice();
    });
  }

  #planned({ rows, left, revealed }) {
    const { memory } = this.engine;
    this.#progress(rows.length);
    return memory.scratch(() => this.search.plan({
      members: memory.of("int32", rows), first: 0, size: rows.length, left, revealed: memory.of("uint64", revealed),
    }));
  }

  /** Take strategies of the same totals with a smaller worst case, as long as there are: `least_worst`. */
  #leastWorst(buckets) {
    const { memory, kernels } = this.engine;
    const sizes = memory.of("int64", buckets.map(({ rows }) => BigInt(rows.length)));
    for (;;) {
      const most = Math.max(0, ...buckets.map(({ plan }) => plan.height)) - 1;
      if (most < 1) return;
      const plans = buckets.map(({ plan }) => plan);
      for (;;) {
        const at = memory.scratch(() => (
          kernels.call("next_too_deep", sizes, memory.of("int64", plans.map(({ height }) => BigInt(height))), most)
        ));
        if (at < 0) break;
        const bucket = { ...buckets[at], left: most };
        const { bound, exact, plan } = narrowly(this.engine, this.table, bucket, plans[at].total, -1);
        if (!exact || bound > plans[at].total) return;
        plans[at] = plan;
      }
      plans.forEach((plan, at) => {
        buckets[at].plan = plan;
      });
    }
  }
}

// ---- Several first guesses: the states after them one by one, `solve_forced`

/** The best strategy after several guesses; null if there is none within the limit. */
function afterSeveral(engine, game, table, starts, bits, onProgress) {
  const { memory, kernels } = engine;
  const count = game.secretIds.length;
  const search = new Search(engine, table, count, bits, { mayForget: bits === MEMO_BITS });
  const columns = starts.map((guess) => table.guess.data.indexOf(guess));
  let done = 0;

  function solved(rows, depth, revealed) {
    if (depth < starts.length) return forced(rows, depth, revealed);
    const left = LIMIT - depth;
    return memory.scratch(() => {
      const state = {
        members: memory.of("int32", rows), first: 0, size: rows.length, left, revealed: memory.of("uint64", revealed),
      };
      const { bound } = search.value(state, NEVER);
      done += rows.length;
      onProgress(done, count);
      return bound >= LOSS ? null : search.plan(state);
    });
  }

  function forced(rows, depth, revealed) {
    const found = { guess: starts[depth], rows, below: [], total: rows.length };
    const own = table.secret.data[columns[depth]];
    for (const [, bucket] of children(game, starts[depth], rows)) {
      if (bucket[0] === own) continue;
      if (depth + 1 === LIMIT) return null;
      const below = solved(bucket, depth + 1, memory.scratch(() => {
        const after = memory.array("uint64", REVEALED);
        kernels.call("reveal", table, columns[depth], bucket[0], memory.of("uint64", revealed), after);
        return after.data.slice();
      }));
      if (below === null) return null;
      found.below.push(below);
      found.total += below.total;
    }
    return found;
  }

  return forced(Int32Array.from({ length: count }, (_, row) => row), 0, new BigUint64Array(REVEALED));
}

// ---- The tree

/** A guess with what is below it as a tree in preorder, children by ascending score. */
function inPreorder(game, found) {
  const tree = { guess: [], parent: [], score: [] };
  const waiting = [{ node: nested(found), parent: -1, score: -1 }];
  while (waiting.length > 0) {
    const { node, parent, score } = waiting.pop();
    const here = tree.guess.length;
    tree.guess.push(node.guess);
    tree.parent.push(parent);
    tree.score.push(score);
    const edges = node.below.map((below) => (
      { node: below, parent: here, score: game.grade(node.guess, game.secretIds[below.row]) }
    ));
    edges.sort((one, other) => other.score - one.score);
    waiting.push(...edges);
  }
  return tree;
}

/** The states as objects: a guess, a row that leads there, the states below. */
function nested(found) {
  if (found.below !== undefined) {
    return { guess: found.guess, row: found.rows?.[0], below: found.below.map(nested) };
  }
  const nodes = Array.from(found.guess, (guess, at) => ({ guess, row: found.rows[at], below: [] }));
  for (let at = 1; at < nodes.length; at += 1) nodes[found.above[at]].below.push(nodes[at]);
  return nodes[0];
}
