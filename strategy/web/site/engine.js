// One engine for browsers (in a worker) and node: what knuthle's commands answer, by the same kernels.
//
//     import {open} from "./engine.js";
//     const engine = await open();
//     const game = engine.game({list: "nyt-2023", secrets: "answers"});
//     const bytes = game.solve({start: "crane"});

import { suggestOnBoards } from "./engine/boards.js";
import { check } from "./engine/check.js";
import { areBoards } from "./engine/clues.js";
import { isOfKind } from "./engine/files.js";
import { EngineError } from "./engine/memory.js";
import { Advised, Lists, Opened, openModule, rulesOf } from "./engine/opened.js";
import { checkOptions } from "./engine/options.js";
import { checkProof } from "./engine/proof.js";
import { regret } from "./engine/regret.js";
import { review } from "./engine/review.js";
import { solve } from "./engine/solve.js";

/**
 * @import { AdviceOptions, Answer, CheckOptions, Clues, GameOptions, RegretOptions, ReviewOptions, SolveOptions }
 *   from "./engine/types.js"
 */

export { EngineError };

/**
 * Open the engine. `base` is where engine.wasm and words/ are, if not beside this file.
 * @param {{base?: string | URL}} [options]
 */
export async function open({ base = import.meta.url } = {}) {
  const lists = new Lists(base);
  const [made] = await Promise.all([openModule("engine.wasm", base), lists.open()]);
  return new Engine(made, lists);
}

class Engine extends Opened {
  EngineError = EngineError;

  /**
   * A game: `{list, secrets, hard}` with a shipped list, or `{guesses, secrets, hard}` with one's own
   * words, an array or a text with a word a line; `name` and `secretsName` are what files call those.
   * `used` are words that will not be hidden again, or of the newspaper's past answers `weigh` or `exclude`.
   * Mastermind: `{kind: "mastermind", holes, colours, distinct}`.
   * @param {GameOptions} [options]
   */
  game(options = {}) {
    return new Game(this, rulesOf(options, this.lists));
  }

  /**
   * Play every secret of a strategy file: what `verify --json` says. Options: `name`, `within`, `hard`. Of a proof
   * every step is derived again: what `check-proof --json` says. Options: `name`, `words`, `secrets` (lists, as of
   * `engine.game`), `sample`, `onProgress(done, whole)`.
   * @param {Uint8Array} bytes @param {CheckOptions} [options]
   * @returns {Answer}
   */
  check(bytes, options = {}) {
    const isProof = isOfKind(bytes, "R");
    checkOptions(isProof ? "proof" : "check", options);
    const shipped = this.shipped.bind(this);
    return isProof ? checkProof(bytes, shipped, options) : check(bytes, shipped, options);
  }
}

class Game extends Advised {
  /**
   * What to guess, as of every game; with the clues of several boards in a list, as `play --json` says it,
   * and `by` and `suggestions` besides.
   * @override
   * @param {Clues | Clues[]} [clues] @param {AdviceOptions} [options]
   * @returns {Answer}
   */
  suggest(clues = [], options = {}) {
    if (!areBoards(clues)) return super.suggest(clues, options);
    checkOptions("boards", options);
    this.engine.tables.forget(); // those of whole strategies
    return suggestOnBoards(this.engine, this.rules, clues, options);
  }

  /**
   * A game that was played, graded guess by guess, as `review --json` says it: words with scores as text
   * or as pairs, words alone with the `secret`, a share grid with its words or alone. Options: `hard`,
   * `timeLimit` (seconds a guess), `weights`, `onProgress(done, whole)`.
   * @param {Clues} guesses @param {string | null} [secret] @param {ReviewOptions} [options]
   * @returns {Answer}
   */
  review(guesses, secret = null, options = {}) {
    checkOptions("review", options);
    return review(this.engine, this.rules, guesses, secret, options);
  }

  /**
   * What guesses cost after some clues against the best one, as `regret --json` says it: one word or a list.
   * Options: `hard`, `timeLimit` (seconds a guess, then bounds), `weights`.
   * @param {Clues} clues @param {string | string[]} words @param {RegretOptions} [options]
   */
  regret(clues, words, options = {}) {
    checkOptions("regret", options);
    return regret(this.engine, this.rules, clues, words, options);
  }

  /**
   * The whole strategy by a rule, as the bytes of its file. Options: `start` (words, or text with
   * commas, or `auto`), `rule`, `guessFrom`, `hard`, `within`, `pure`, `weights`, `onProgress(done, whole)`. The
   * rule `optimal` searches for the fewest guesses in all, after first words or over all of them; with
   * `weights` for the least sum of weight times guesses.
   * @param {SolveOptions} [options]
   */
  solve(options = {}) {
    checkOptions("solve", options);
    const bytes = solve(this.engine, this.rules, options).bytes();
    const { ok, reason } = /** @type {Engine} */ (this.engine).check(bytes);
    if (!ok) throw new Error(`the strategy is wrong: ${reason}`);
    return bytes;
  }
}
