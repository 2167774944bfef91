// Best strategies after given first guesses, or over all of them, proved: `best_strategy` of
// solver/exact/best_strategy.py. Kernels search, and decide how far (`race.js`); what is here is which
// searches there are, and the tree that is made of their strategies.

import { MEMO_BITS, scoreTable } from "./exact.js";
import { Search, raceOfGuesses, strategyAfter, withRoom } from "./race.js";
import { children } from "./solve.js";
import { WordGame } from "./words.js";

/** What a lost answer costs; above every value. */
const [LOSS, NEVER] = [2 ** 32, 2n ** 60n];
const REVEALED = 7;

/**
 * The tree of least total after some guesses, in words of the game, and its total; null if there is none.
 * Without any guess given that is the best of all trees.
 */
export function bestOf(engine, game, { starts, guessFrom, hard, within, onProgress }) {
  const played = guessFrom === "secrets"
    ? new WordGame(game.listName, game.secretsName, [...game.secrets], [...game.secrets], hard)
    : game;
  const first = starts.map((guess) => played.guessId(game.guesses[guess]));
  const problem = problemOf(engine, played, hard, within);
  const found = first.length > 1
    ? withRoom(engine, (bits) => afterSeveral(engine, problem, first, bits, onProgress))
    : bestAmong(engine, problem, first, onProgress);
  if (found === null) return null;
  const tree = inPreorder(played, found);
  if (played !== game) tree.guess = tree.guess.map((guess) => game.secretIds[guess]);
  return { tree, total: found.total };
}

/** A whole game as a state that is searched. */
function problemOf(engine, rules, hard, left) {
  const ids = rules.secretIds;
  const table = scoreTable(engine, rules, ids, hard);
  const revealed = engine.memory.array("uint64", REVEALED);
  return { rules, table, ids, count: ids.length, left, revealed };
}

/**
 * The best strategy that begins with a given guess, or without one with any: of those with the least
 * total one with the smallest worst case, and of these the one whose first guess comes first.
 */
function bestAmong(engine, problem, given, onProgress) {
  const openers = given.length > 0 ? given : raceOfGuesses(engine, problem, LOSS - 1, onProgress).ties;
  const how = { highest: LOSS - 1, leastWorst: true, onProgress: given.length > 0 ? onProgress : () => {} };
  let found = null;
  for (const opener of openers) {
    const plan = strategyAfter(engine, problem, opener, how);
    if (plan !== null && (found === null || plan.height < found.height)) found = plan;
  }
  return found;
}

// ---- Several first guesses: the states after them one by one, `solve_forced`

/** The best strategy after several guesses; null if there is none within the limit. */
function afterSeveral(engine, { rules: game, table, count, left: limit }, starts, bits, onProgress) {
  const { memory, kernels } = engine;
  const search = new Search(engine, table, count, bits, { mayForget: bits === MEMO_BITS });
  const columns = starts.map((guess) => table.guess.data.indexOf(guess));
  let done = 0;

  function solved(rows, depth, revealed) {
    if (depth < starts.length) return forced(rows, depth, revealed);
    const left = limit - depth;
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
      if (depth + 1 === limit) return null;
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
