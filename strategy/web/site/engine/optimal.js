// Best strategies after given first guesses, or over all of them, proved: `best_strategy` of
// solver/exact/best_strategy.py. Kernels search, and decide how far (`race.js`); what is here is which
// searches there are, and the tree that is made of their strategies.

import { LOSS, MEMO_BITS, REVEALED, scoreTable } from "./exact.js";
import { engineOf, settled, strategyAfter, wholeOf, withRoom } from "./race.js";
import { inPreorder } from "./solver.js";
import { WordGame } from "./words.js";

/**
 * @import { OnProgress } from "./public.js"
 * @import { Engine, Problem } from "./types.js"
 */

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
 * The best strategy that begins with a given guess, or without one with any: of those with the least
 * total one with the smallest worst case, and of these the one whose first guess comes first.
 * @param {Engine} engine @param {Problem} problem @param {number[]} given @param {OnProgress} onProgress
 */
function bestAmong(engine, problem, given, onProgress) {
  const openers = given.length > 0 ? given : settled(engine, problem, LOSS - 1, onProgress).ties;
  const how = { highest: LOSS - 1, leastWorst: true, onProgress: given.length > 0 ? onProgress : () => {} };
  let found = null;
  for (const opener of openers) {
    const plan = strategyAfter(engine, problem, opener, how);
    if (plan !== null && (found === null || plan.height < found.height)) found = plan;
  }
  return found;
}

/**
 * The best strategy after several guesses; null if there is none within the limit.
 * @param {Engine} engine @param {Problem} problem @param {number[]} starts @param {number} bits
 * @param {OnProgress} onProgress
 */
function afterSeveral(engine, problem, starts, bits, onProgress) {
  const { table, count } = problem;
  const search = engineOf(engine, problem, bits, { mayForget: bits === MEMO_BITS });
  const columns = starts.map((guess) => table.guess.data.indexOf(guess));
  let done = 0;
  return search.planAfter(columns, wholeOf(problem), (size) => {
    done += size;
    onProgress(done, count);
  });
}
