// What is open: kernels in a memory, lists of words, and games that say what to guess. `engine.js` adds
// reviews, whole strategies and checks; the helper of the page has its words sooner without them.

import { adversary } from "./adversary.js";
import { buckets, openers, suggest } from "./advice.js";
import { codeGame } from "./codes.js";
import { hex, sha256 } from "./files.js";
import { KERNELS } from "./kernels.js";
import { LISTS } from "./lists.js";
import { EngineError, Tables, instantiate } from "./memory.js";
import { checkOptions } from "./options.js";
import { quoted, wordGame } from "./words.js";

/**
 * @import { Kernels, Memory } from "./memory.js"
 * @import { AdviceOptions, Answer, Clues, Engine, GameOptions, Rules, WeightsOption } from "./types.js"
 */

/** A file of the engine that is missing or is another one. */
export class FileError extends EngineError {
  /** @param {string} message */
  constructor(message) {
    super(message, 3);
    this.name = "FileError";
  }
}

/**
 * A file of the folder `base`: its bytes.
 * @param {string} place @param {string | URL} base
 */
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
    throw new FileError(`${place} cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

/** The words of shipped lists, each read when it is first wanted and compared with its SHA-256. */
export class Lists {
  #words = new Map();
  #coming = new Map();

  /** @param {string | URL} base */
  constructor(base) {
    this.base = base;
  }

  /** Read lists; by default all. A name is such as `nyt-2023-answers`. */
  async open(names = Object.keys(LISTS)) {
    await Promise.all(names.filter((name) => Object.hasOwn(LISTS, name)).map((name) => {
      if (!this.#coming.has(name)) this.#coming.set(name, this.#read(name).finally(() => this.#coming.delete(name)));
      return this.#coming.get(name);
    }));
  }

  /** @param {string} name */
  async #read(name) {
    if (this.#words.has(name)) return;
    const bytes = await read(`words/${name}.txt`, this.base);
    if (hex(sha256(bytes)) !== /** @type {Record<string, string>} */ (LISTS)[name]) {
      throw new FileError(`words/${name}.txt is not the list of this engine`);
    }
    this.#words.set(name, new TextDecoder().decode(bytes).trimEnd().split("\n"));
  }

  /**
   * The words of a list that is open; null if there is none. `part` is `allowed` or `answers`.
   * @param {string} name @param {string} part
   */
  of(name, part) {
    return this.#words.get(`${name}-${part}`) ?? null;
  }
}

/**
 * The memory and the kernels of a module of the folder `base`: of all kernels, or of a part of them.
 * @param {string} name @param {string | URL} base
 */
export async function openModule(name, base) {
  const code = await read(name, base);
  try {
    return await instantiate(code, KERNELS);
  } catch (error) {
    throw new FileError(`${name} is damaged, or too new for this browser: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * The rules of a game: see `Engine.game`.
 * @param {GameOptions} options @param {Lists} lists
 * @returns {Rules}
 */
export function rulesOf(options, lists) {
  if (options?.kind === "mastermind") {
    checkOptions("mastermind", options);
    return codeGame(options);
  }
  const kind = options?.kind ?? "wordle";
  if (kind !== "wordle") {
    throw new EngineError(`no kind of game is named ${quoted(String(kind))}; kinds: wordle, mastermind`);
  }
  checkOptions("game", options);
  return wordGame(options, (name, part) => lists.of(name, part));
}

/** Kernels with their memory, and lists. */
export class Opened {
  /** @param {{memory: Memory, kernels: Kernels}} module @param {Lists} lists */
  constructor({ memory, kernels }, lists) {
    this.memory = memory;
    this.kernels = kernels;
    this.lists = lists;
    this.tables = new Tables(memory);
  }

  /**
   * The words of a shipped list: `part` is `allowed` or `answers`.
   * @param {string} name @param {string} part
   */
  shipped(name, part) {
    return this.lists.of(name, part);
  }
}

/** A game of an engine. */
export class Advised {
  /** @param {Engine} engine @param {Rules} rules */
  constructor(engine, rules) {
    this.engine = engine;
    this.rules = rules;
  }

  /**
   * What to guess after some clues, as `suggest --json` says it. Options: `top`, `by`, `guessFrom`,
   * `within`, `common`, `hard`, `pattern`, `weights`.
   * @param {Clues} [clues] @param {AdviceOptions} [options]
   * @returns {Answer}
   */
  suggest(clues = [], options = {}) {
    checkOptions("suggest", options);
    this.engine.tables.forget(); // those of whole strategies
    return suggest(this.engine, this.rules, clues, options);
  }

  /** The best first words, as `openers --json` says it. Options: `words`, `by`, `top`, `bottom`, `weights`. */
  openers(options = {}) {
    checkOptions("openers", options);
    this.engine.tables.forget(); // those of whole strategies
    return openers(this.engine, this.rules, options);
  }

  /**
   * How a word, or two, split the secrets, as `buckets --json` says it. Options: `weights`.
   * @param {string | string[]} word @param {WeightsOption} [options]
   */
  buckets(word, options = {}) {
    checkOptions("buckets", options);
    return buckets(this.engine, this.rules, word, options);
  }

  /**
   * The replies of an adversary, which leaves the most secrets: `{state, remaining, secrets}` after
   * guesses one after the other, as `game --adversary` gives them. Words only.
   * @param {string[]} guesses
   */
  adversary(guesses) {
    return adversary(this.engine, this.rules, guesses);
  }
}
