// Best strategies of Mastermind, proved: `ExactCodes` of solver/exact/set_engine.py. A kernel searches
// states; what is here is its memory, the buckets of fixed guesses, and the tree that is read from it.

import { MOST_ORDERS, codeSpace, gradeCodes, pegScores } from "./codes.js";
import { LOSS, newMemo, saltOf } from "./exact.js";
import { EngineError } from "./memory.js";
import { children } from "./solve.js";
import { Solver, inPreorder } from "./solver.js";

/**
 * @import { CodeGame } from "./codes.js"
 * @import { Kernels, Memory } from "./memory.js"
 * @import { Engine, OnProgress, State } from "./types.js"
 */

/** Units of work that no search takes: nobody waits for it to look up. */
const UNBROKEN = 2 ** 45;
/** As in solver/exact/kernels/code_search.py, set_frames.py and memo.py. */
const [DEEPEST, LANES, MEMO_BITS, ANY] = [300, 64, 18, -1];
/** As in solver/exact/set_engine.py. */
const TURNS_FROM = 64;
const FEW_CODES = 2000;
const NOWHERE = -1;
/** Codes know no hard mode. */
const NOTHING = new BigUint64Array();

/**
 * The tree of least total within a limit after some codes, or over all first codes; null if there is none.
 * @param {Engine} engine @param {CodeGame} game @param {{starts: number[], within: number, onProgress: OnProgress}} how
 */
export function bestOfCodes(engine, game, { starts, within, onProgress }) {
  if (game.guesses.length > FEW_CODES) {
    throw new EngineError(`a browser finds best strategies of boards of up to ${FEW_CODES} codes, not of ${game.spec}`);
  }
  const whole = { rows: Int32Array.from(game.guesses.keys()), left: within, revealed: NOTHING };
  let done = 0;
  const plan = new CodeSearch(engine, game).planAfter(starts, whole, (size) => {
    done += size;
    onProgress(done, whole.rows.length);
  });
  return plan && { tree: inPreorder(game, game.secretIds, plan), total: plan.total };
}

/** The exact search of one board, which keeps what it has learned about states. */
class CodeSearch extends Solver {
  /** @param {Engine} engine @param {CodeGame} game */
  constructor(engine, game) {
    super(engine);
    const { memory, kernels } = engine;
    const count = game.guesses.length;
    this.game = game;
    this.codes = tableOf(engine, game);
    this.memo = newMemo(memory, saltOf(memory, count), MEMO_BITS);
    this.stack = kernels.call("new_code_stack", this.codes, DEEPEST);
  }

  /**
   * A code stands for itself.
   * @param {number} code
   */
  number(code) {
    return code;
  }

  /**
   * @param {State} state @param {number} code
   * @returns {State[]}
   */
  buckets({ rows, left }, code) {
    const { game } = this;
    return children(game, code, rows).filter(([score]) => score !== game.solved)
      .map(([, bucket]) => ({ rows: bucket, left: left - 1, revealed: NOTHING }));
  }

  /**
   * The value of a state: its total, or at least LOSS; and the best guess.
   * @param {State} state
   */
  value({ rows, left }) {
    const { engine: { memory, kernels }, stack } = this;
    return memory.scratch(() => {
      stack.members.data.set(rows);
      const place = memory.array("int64", 1, NOWHERE);
      const state = memory.of("int64", [rows.length, left, LOSS - 1, ANY].map(BigInt));
      const [bound, , column] = kernels.call("search_codes", this.codes, this.memo, stack, place, state, UNBROKEN);
      return { bound: Number(bound), column };
    });
  }
}

/**
 * The scores of all codes with all, numbered in their order: `code_table` of Python.
 * @param {Engine} engine @param {CodeGame} game
 */
function tableOf(engine, game) {
  const { memory, kernels } = engine;
  const count = game.guesses.length;
  const width = Math.ceil(count / LANES) * LANES;
  const scores = memory.array("uint8", [width / LANES, count, LANES]);
  const known = pegScores(game.length);
  const numbers = new Uint8Array(game.solved + 1);
  known.forEach((score, number) => {
    numbers[score] = number;
  });
  memory.scratch(() => {
    const graded = gradeCodes(engine, game, game.secretIds, game.secretIds);
    const dense = memory.array("uint8", [width, count]);
    dense.data.set(graded.data.map((score) => numbers[score]));
    kernels.call("cut", dense, scores); // the scores of two codes are the same either way
  });
  return {
    scores,
    rows: memory.of("int32", Int32Array.from(game.guesses.keys())),
    n_scores: known.length,
    solved: known.length - 1,
    space: spaceOf(memory, game),
    ideals: idealsOf(memory, kernels, known.length - 1, count),
  };
}

/**
 * The codes with their symmetry: orders of holes are sought in large states.
 * @param {Memory} memory @param {CodeGame} game
 */
function spaceOf(memory, game) {
  const space = codeSpace(memory, game);
  const found = space.turns_from <= MOST_ORDERS ? Math.min(space.turns_from, TURNS_FROM) : space.turns_from;
  return { ...space, turns_from: found };
}

/**
 * Lower bounds of totals for so many guesses left, up to where the number matters no more.
 * @param {Memory} memory @param {Kernels} kernels @param {number} others @param {number} count
 */
function idealsOf(memory, kernels, others, count) {
  /** @type {BigInt64Array[]} */
  const found = [];
  do {
    found.push(memory.scratch(() => kernels.call("ideal_totals", others, count, found.length).data.slice()));
  } while (found[found.length - 1][count] >= BigInt(LOSS));
  const ideals = memory.array("int64", [found.length, count + 1]);
  found.forEach((row, left) => ideals.data.set(row, left * (count + 1)));
  return ideals;
}
