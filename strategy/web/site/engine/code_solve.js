// Whole strategies of Mastermind by a rule: `Searcher` of Python, for all codes of a board. Every
// guess is chosen by kernels, which look at one code of each kind (see solver/rules/code_choice.py).

import { codeSpace, gradeCodes, pegScores } from "./codes.js";
import { treeOf } from "./solve.js";
import { criterion } from "./tables.js";

/**
 * @import { CodeGame } from "./codes.js"
 * @import { Memory } from "./memory.js"
 * @import { Engine, Ids } from "./types.js"
 */

/** Codes in a vector, scores counted in one go, and the score of nobody. */
const [VECTOR_CODES, TOGETHER, NOBODY] = [64, 4, 255];

/** Chooses codes in one game by one rule. */
export class CodeSearcher {
  /** @param {Engine} engine @param {CodeGame} game @param {string} rule @param {string} guessFrom */
  constructor(engine, game, rule, guessFrom) {
    this.engine = engine;
    this.game = game;
    this.search = engine.tables.of(game, `codes ${rule} ${guessFrom}`, () => {
      const space = codeSpace(engine.memory, game);
      return {
        space,
        criterion: criterion(engine, rule, game.secrets.length, guessFrom !== "candidates"),
        scratch: pegScratch(engine.memory, game),
      };
    });
  }

  /**
   * The code for some candidates.
   * @param {Ids} candidates
   */
  choose(candidates) {
    const { memory, kernels } = this.engine;
    return memory.scratch(() => kernels.call("best_code", this.search, memory.of("int32", candidates)));
  }

  /**
   * Every state of the strategy from some candidates on; `starts` are fixed guesses.
   * @param {Ids} candidates @param {number[]} starts
   */
  grow(candidates, starts) {
    const { memory, kernels } = this.engine;
    const { solved, secretIds } = this.game;
    return treeOf(memory, candidates, starts, (states, members, fixed, root) => {
      const rows = starts.length > 0
        ? gradeCodes(this.engine, this.game, Int32Array.from(starts), secretIds)
        : memory.array("uint8", [0, 0]);
      return kernels.call("grow_codes", null, null, null, this.search, solved, members, root, fixed, rows, states);
    });
  }
}

/**
 * Memory for a search: `peg_scratch` of Python.
 * @param {Memory} memory @param {CodeGame} game
 */
function pegScratch(memory, game) {
  const holes = game.length;
  const scores = pegScores(holes).filter((score) => score !== game.solved);
  while (scores.length % TOGETHER > 0) scores.push(NOBODY - 1);
  const width = Math.ceil(game.guesses.length / VECTOR_CODES) * VECTOR_CODES;
  return {
    marks: memory.array("uint8", game.guesses.length),
    rows: memory.array("uint8", (1 + 2 * holes + game.colours) * width),
    scores: memory.of("uint8", scores),
  };
}
