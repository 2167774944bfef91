// Best strategies after given first guesses, or over all of them, proved: `best_strategy` of
// solver/exact/best_strategy.py. Kernels search, and decide how far (`race.js`); what is here is which
// searches there are, and the tree that is made of their strategies.

import { LOSS, MEMO_BITS, REVEALED, scoreTable, stateOf } from "./exact.js";
import { groupsOf, lastFirst, upTo } from "./maps.js";
import { Search, bucketsOf, joined, raceOfGuesses, strategyAfter, withRoom } from "./race.js";
import { add } from "./solve.js";
import { WeightedSearch, raceByWeight, strategyByWeight } from "./weighted_race.js";
import { WordGame } from "./words.js";

/**
 * @import { OnProgress } from "./public.js"
 * @import { Engine, GrowingTree, Ids, Plan, Problem, State, WeighedProblem } from "./types.js"
 */

/** No total is as large. */
const NEVER = 2n ** 60n;

/**
 * The tree of least total after some guesses, in words of the game, and its total; null if there is none.
 * Without any guess given that is the best of all trees. With `weights`, whole numbers, one for each
 * secret, a total is the sum of weight times guesses.
 * @param {Engine} engine @param {WordGame} game
 * @param {{
 *   starts: number[], guessFrom: string, hard: boolean, within: number, weights?: number[] | null, onProgress: OnProgress,
 * }} how
 */
export function bestOf(engine, game, { starts, guessFrom, hard, within, weights = null, onProgress }) {
  const played = guessFrom === "secrets"
    ? new WordGame(game.listName, game.secretsName, [...game.secrets], [...game.secrets], hard)
    : game;
  const first = starts.map((guess) => played.guessId(game.guesses[guess]));
  const problem = problemOf(engine, played, { hard, left: within, weights });
  const found = first.length > 1
    ? withRoom(engine, (bits) => afterSeveral(engine, problem, first, bits, onProgress))
    : bestAmong(engine, problem, first, onProgress);
  if (found === null) return null;
  const tree = inPreorder(played, problem.ids, found);
  if (played !== game) tree.guess = tree.guess.map((guess) => game.secretIds[guess]);
  return { tree, total: found.total };
}

/**
 * A whole game as a state that is searched; with weights the heaviest secret comes first.
 * @param {Engine} engine @param {WordGame} rules @param {{hard: boolean, left: number, weights: number[] | null}} how
 * @returns {Problem}
 */
function problemOf(engine, rules, { hard, left, weights }) {
  const order = [...rules.secretIds.keys()];
  if (weights !== null) order.sort((one, other) => weights[other] - weights[one] || one - other);
  const ids = Int32Array.from(order, (at) => rules.secretIds[at]);
  const weighed = weights === null ? null : order.map((at) => weights[at]);
  const table = scoreTable(engine, rules, ids, hard);
  const revealed = engine.memory.array("uint64", REVEALED);
  return { rules, table, ids, weights: weighed, count: ids.length, left, revealed };
}

/**
 * Whether some secrets are likelier than others.
 * @param {Problem} problem
 * @returns {problem is WeighedProblem}
 */
function isWeighed(problem) {
  return Boolean(problem.weights);
}

/**
 * The best strategy that begins with a given guess, or without one with any: of those with the least
 * total one with the smallest worst case, and of these the one whose first guess comes first.
 * @param {Engine} engine @param {Problem} problem @param {number[]} given @param {OnProgress} onProgress
 */
function bestAmong(engine, problem, given, onProgress) {
  const openers = given.length > 0 ? given : isWeighed(problem)
    ? raceByWeight(engine, problem, LOSS - 1, onProgress).ties
    : raceOfGuesses(engine, problem, LOSS - 1, onProgress).ties;
  const how = { highest: LOSS - 1, leastWorst: true, onProgress: given.length > 0 ? onProgress : () => {} };
  let found = null;
  for (const opener of openers) {
    const plan = isWeighed(problem)
      ? strategyByWeight(engine, problem, opener, how)
      : strategyAfter(engine, problem, opener, how);
    if (plan !== null && (found === null || plan.height < found.height)) found = plan;
  }
  return found;
}

// ---- Several first guesses: the states after them one by one, `solve_forced`

/**
 * The best strategy after several guesses; null if there is none within the limit.
 * @param {Engine} engine @param {Problem} problem @param {number[]} starts @param {number} bits
 * @param {OnProgress} onProgress
 */
function afterSeveral(engine, problem, starts, bits, onProgress) {
  const { table, count, weights, left: limit } = problem;
  const solve = solverOf(engine, problem, bits);
  const columns = starts.map((guess) => table.guess.data.indexOf(guess));
  /** @param {Int32Array} rows */
  const costOf = (rows) => (!weights ? rows.length : rows.reduce((sum, row) => sum + weights[row], 0));
  let done = 0;

  /** @param {State} state @param {number} depth @returns {Plan | null} */
  function solved(state, depth) {
    if (depth < starts.length) return forced(state, depth);
    const plan = solve(state);
    done += state.rows.length;
    onProgress(done, count);
    return plan;
  }

  /** @param {State} state @param {number} depth */
  function forced(state, depth) {
    const plans = [];
    for (const bucket of bucketsOf(engine, problem, state, columns[depth])) {
      const plan = depth + 1 === limit ? null : solved(bucket, depth + 1);
      if (plan === null) return null;
      plans.push(plan);
    }
    return joined(starts[depth], costOf(state.rows), plans, state.rows[0]);
  }

  return forced({ rows: upTo(count), left: limit, revealed: new BigUint64Array(REVEALED) }, 0);
}

/**
 * What finds the best strategy of a state in a problem, null if there is none.
 * @param {Engine} engine @param {Problem} problem @param {number} bits
 * @returns {(state: State) => Plan | null}
 */
function solverOf(engine, problem, bits) {
  const { memory } = engine;
  const how = { mayForget: bits === MEMO_BITS };
  if (isWeighed(problem)) {
    const search = new WeightedSearch(engine, problem, bits, how);
    return (state) => {
      const { bound } = search.value(state, LOSS - 1);
      return bound >= LOSS ? null : { ...search.plan(state), total: bound };
    };
  }
  const search = new Search(engine, problem.table, problem.count, bits, how);
  return ({ rows, left, revealed }) => memory.scratch(() => {
    const state = stateOf({ members: memory.of("int32", rows), revealed: memory.of("uint64", revealed) }, left);
    const { bound } = search.value(state, NEVER);
    return bound >= LOSS ? null : search.plan(state);
  });
}

// ---- The tree

/**
 * A strategy as a tree in preorder, children by ascending score; `ids`: of the rows.
 * @param {WordGame} game @param {Ids} ids @param {Plan} found
 */
function inPreorder(game, ids, { guess, above, rows }) {
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
