// One engine for browsers (in a worker) and node: what knuthle's commands answer, by the same kernels.
//
//     import {open} from "./engine.js";
//     const engine = await open();
//     const game = engine.game({list: "nyt-2023", secrets: "answers"});
//     const bytes = game.solve({start: "crane"});

import { adversary } from "./engine/adversary.js";
import { buckets, openers, suggest } from "./engine/advice.js";
import { areBoards, suggestOnBoards } from "./engine/boards.js";
import { check } from "./engine/check.js";
import { codeGame } from "./engine/codes.js";
import { isOfKind } from "./engine/files.js";
import { KERNELS } from "./engine/kernels.js";
import { EngineError, Tables, instantiate } from "./engine/memory.js";
import { checkOptions } from "./engine/options.js";
import { checkProof } from "./engine/proof.js";
import { review } from "./engine/review.js";
import { solve } from "./engine/solve.js";
import { NAMED_LISTS, quoted, wordGame } from "./engine/words.js";

export { EngineError };

/** A file beside this module: its bytes. */
async function read(place, base) {
  const url = new URL(place, base);
  try {
    if (url.protocol === "file:") {
      const { readFile } = await import("node:fs/promises");
      return new Uint8Array(await readFile(url));
    }
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    throw new EngineError(`${place} cannot be read: ${error.message}`, 3);
  }
}

/**
 * Open the engine. `base` is where engine.wasm and words/ are, if not beside this file.
 */
export async function open({ base = import.meta.url } = {}) {
  const names = NAMED_LISTS.flatMap((name) => ["allowed", "answers"].map((part) => `${name}-${part}`));
  const [code, ...lists] = await Promise.all([
    read("engine.wasm", base),
    ...names.map((name) => read(`words/${name}.txt`, base)),
  ]);
  let made;
  try {
    made = await instantiate(code, KERNELS);
  } catch (error) {
    throw new EngineError(`engine.wasm is damaged, or too new for this browser: ${error.message}`, 3);
  }
  const texts = new Map(names.map((name, k) => [name, new TextDecoder().decode(lists[k])]));
  return new Engine(made, texts);
}

class Engine {
  EngineError = EngineError;
  /** What this engine can do besides its methods. */
  features = ["boards"];
  #texts;
  #lists = new Map();

  constructor({ memory, kernels }, texts) {
    this.memory = memory;
    this.kernels = kernels;
    this.tables = new Tables(memory);
    this.#texts = texts;
  }

  /** The words of a shipped list: `part` is `allowed` or `answers`. */
  shipped(name, part) {
    const key = `${name}-${part}`;
    if (!this.#texts.has(key)) return null;
    if (!this.#lists.has(key)) this.#lists.set(key, this.#texts.get(key).trimEnd().split("\n"));
    return this.#lists.get(key);
  }

  /**
   * A game: `{list, secrets, hard}` with a shipped list, or `{guesses, secrets, hard}` with one's own
   * words, an array or a text with a word a line; `name` and `secretsName` are what files call those.
   * `used` are words that will not be hidden again.
   * Mastermind: `{kind: "mastermind", holes, colours, distinct}`.
   */
  game(options = {}) {
    const kind = options?.kind ?? "wordle";
    const isOfCodes = kind === "mastermind";
    if (!isOfCodes && kind !== "wordle") throw new EngineError(`no kind of game is named ${quoted(String(kind))}; kinds: wordle, mastermind`);
    checkOptions(isOfCodes ? "mastermind" : "game", options);
    if (isOfCodes) return new Game(this, codeGame(options));
    const rules = wordGame(options, (name, part) => this.shipped(name, part));
    return new Game(this, rules);
  }

  /**
   * Play every secret of a strategy file: what `verify --json` says. Options: `name`, `within`, `hard`. Of a proof
   * every step is derived again: what `check-proof --json` says. Options: `name`, `words`, `secrets` (lists, as of
   * `engine.game`), `sample`, `onProgress(done, whole)`.
   */
  check(bytes, options = {}) {
    const isProof = isOfKind(bytes, "R");
    checkOptions(isProof ? "proof" : "check", options);
    const shipped = (name, part) => this.shipped(name, part);
    return isProof ? checkProof(bytes, shipped, options) : check(bytes, shipped, options);
  }
}

class Game {
  constructor(engine, rules) {
    this.engine = engine;
    this.rules = rules;
  }

  /**
   * What to guess after some clues, as `suggest --json` says it. Options: `top`, `by`, `guessFrom`,
   * `within`, `common`, `hard`, `pattern`, `weights`. With the clues of several boards in a list, as `play --json` says it,
   * and `by` and `suggestions` besides.
   */
  suggest(clues = [], options = {}) {
    const several = areBoards(clues);
    checkOptions(several ? "boards" : "suggest", options);
    this.engine.tables.forget(); // those of whole strategies
    if (several) return suggestOnBoards(this.engine, this.rules, clues, options);
    return suggest(this.engine, this.rules, clues, options);
  }

  /** The best first words, as `openers --json` says it. Options: `words`, `by`, `top`, `bottom`, `weights`. */
  openers(options = {}) {
    checkOptions("openers", options);
    this.engine.tables.forget(); // those of whole strategies
    return openers(this.engine, this.rules, options);
  }

  /** How a word, or two, split the secrets, as `buckets --json` says it. Options: `weights`. */
  buckets(word, options = {}) {
    checkOptions("buckets", options);
    return buckets(this.engine, this.rules, word, options);
  }

  /**
   * The replies of an adversary, which leaves the most secrets: `{state, remaining, secrets}` after
   * guesses one after the other, as `game --adversary` gives them. Words only.
   */
  adversary(guesses) {
    return adversary(this.engine, this.rules, guesses);
  }

  /**
   * A game that was played, graded guess by guess, as `review --json` says it: words with scores as text
   * or as pairs, words alone with the `secret`, a share grid with its words or alone. Options: `hard`,
   * `timeLimit` (seconds a guess), `weights`, `onProgress(done, whole)`.
   */
  review(guesses, secret = null, options = {}) {
    checkOptions("review", options);
    return review(this.engine, this.rules, guesses, secret, options);
  }

  /**
   * The whole strategy by a rule, as the bytes of its file. Options: `start` (words, or text with
   * commas, or `auto`), `rule`, `guessFrom`, `hard`, `within`, `pure`, `weights`, `onProgress(done, whole)`. The
   * rule `optimal` searches for the fewest guesses in all, after first words or over all of them; with
   * `weights` for the least sum of weight times guesses.
   */
  solve(options = {}) {
    checkOptions("solve", options);
    const bytes = solve(this.engine, this.rules, options).bytes();
    const { ok, reason } = this.engine.check(bytes);
    if (!ok) throw new Error(`the strategy is wrong: ${reason}`);
    return bytes;
  }
}
