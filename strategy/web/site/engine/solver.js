// What exact searches share, whatever they search: the buckets of a guess, strategies read from values, and
// fixed first guesses. `Solver` of solver/exact/values.py.

import { LOSS, REVEALED, UNLIMITED } from "./exact.js";
import { groupsOf, lastFirst } from "./maps.js";
import { add } from "./strategy.js";

/** @import { Engine, GrowingTree, Ids, Plan, Rules, SolverOfKind, State, Work } from "./types.js" */

/** A memo that was smaller than Python's has forgotten something. */
export class Forgotten extends Error {}

/** Solves states; its kinds have `value`, `number` and `buckets`, and say what a column is. */
export class Solver {
  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
  }

  /**
   * What a guess costs where some rows are possible.
   * @param {Int32Array} rows
   */
  priceOf(rows) {
    return rows.length;
  }

  /**
   * A strategy of a state of least value: guesses of the game, witnesses as rows of the table.
   * @this {Solver & SolverOfKind}
   * @param {State} whole
   * @returns {Plan}
   */
  plan(whole) {
    const found = /** @type {Plan & Record<"guess" | "above" | "rows", number[]>} */ (
      { guess: [], above: [], rows: [], total: 0, height: 0 }
    );
    const waiting = [{ ...whole, above: -1, depth: 1 }];
    for (const { above, depth, ...state } of lastFirst(waiting)) {
      const { column } = this.value(state);
      const here = found.guess.length;
      found.guess.push(this.number(column));
      found.above.push(above);
      found.rows.push(state.rows[0]);
      found.height = Math.max(found.height, depth);
      found.total += this.priceOf(state.rows);
      for (const bucket of this.buckets(state, column)) waiting.push({ ...bucket, above: here, depth: depth + 1 });
    }
    return found;
  }

  /**
   * The best strategy of a state that begins with some guesses, null if there is none within the limit; `onState`
   * hears of each state after them.
   * @this {Solver & SolverOfKind}
   * @param {number[]} columns @param {State} state @param {(size: number) => void} onState
   * @returns {Plan | null}
   */
  planAfter([column, ...more], state, onState) {
    if (column === undefined) {
      const { bound } = this.value(state, LOSS - 1); // above it states nest deeper than there is room for
      onState(state.rows.length);
      return bound >= LOSS ? null : this.plan(state);
    }
    const plans = [];
    for (const bucket of this.buckets(state, column)) {
      const plan = state.left === 1 ? null : this.planAfter(more, bucket, onState);
      if (plan === null) return null;
      plans.push(plan);
    }
    return joined(this.number(column), this.priceOf(state.rows), plans, state.rows[0]);
  }
}

/** Solves the states of one score table, in memory of its own. */
export class TableSolver extends Solver {
  /** @param {Engine} engine @param {Work} work @param {boolean} mayForget */
  constructor(engine, work, mayForget) {
    super(engine);
    this.table = work.table;
    this.work = work;
    this.mayForget = mayForget;
  }

  /**
   * The guess of the game that a column stands for.
   * @param {number} column
   */
  number(column) {
    return this.table.guess.data[column];
  }

  /**
   * The buckets of a guess in a state but its own, by ascending score.
   * @param {State} state @param {number} column
   * @returns {State[]}
   */
  buckets({ rows, left, revealed }, column) {
    const { engine: { memory, kernels }, table } = this;
    const scores = table.scores.data.subarray(column * table.scores.shape[1]);
    const found = [...groupsOf(rows, (row) => scores[row])].sort(([one], [other]) => one - other);
    const own = table.secret.data[column];
    return memory.scratch(() => {
      const before = memory.of("uint64", revealed);
      const shown = memory.array("uint64", REVEALED);
      return found.filter(([, [first]]) => first !== own).map(([, bucket]) => {
        kernels.call("reveal", table, column, bucket[0], before, shown);
        return { rows: Int32Array.from(bucket), left: after(left), revealed: shown.data.slice() };
      });
    });
  }

  /** End the search if its memo has forgotten something and must not. */
  checkMemo() {
    if (!this.mayForget && this.work.memo.used.data[2] > 0n) throw new Forgotten();
  }
}

/**
 * What is left after a guess.
 * @param {number} left
 */
export const after = (left) => (left === UNLIMITED || left === 1 ? UNLIMITED : left - 1);

/**
 * A guess in a state, and what it costs, with the strategies of its buckets, nodes as in `Solver.plan`.
 * @param {number} guess @param {number} cost @param {Plan[]} plans @param {number} [row] that leads to the state
 * @returns {Plan}
 */
export function joined(guess, cost, plans, row = 0) {
  const found = { guess: [guess], above: [-1], rows: [row], total: cost, height: 1 };
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

/**
 * A strategy as a tree in preorder, children by ascending score; `ids`: of the rows.
 * @param {Rules} game @param {Ids} ids @param {Plan} found
 */
export function inPreorder(game, ids, { guess, above, rows }) {
  const below = groupsOf(above.keys(), (at) => above[at]);
  const tree = /** @type {GrowingTree} */ ({ guess: [], parent: [], score: [] });
  const waiting = [{ node: 0, parent: -1, score: -1 }];
  for (const { node, parent, score } of lastFirst(waiting)) {
    const here = add(tree, guess[node], parent, score);
    const edges = (below.get(node) ?? []).map((next) => (
      { node: next, parent: here, score: game.grade(guess[node], ids[rows[next]]) }
    ));
    edges.sort((one, other) => other.score - one.score);
    waiting.push(...edges);
  }
  return tree;
}
