// Whole strategies by a rule: the tasks of the first guess, their subtrees by kernels, and the file.
//
// The kernels choose every guess. In hard mode a state is a step here, as it is in Python: which
// guesses are legal depends on how it was reached.

import { checkedLimit, poolOf, refuseCodes } from "./advice.js";
import { bestOfCodes } from "./code_optimal.js";
import { CodeSearcher } from "./code_solve.js";
import { isOfCodes } from "./codes.js";
import { allGuesses, allSecrets } from "./exact.js";
import { afterText, legalAfter, stillLegal } from "./hard_mode.js";
import { didYouMean } from "./hints.js";
import { groupsOf, lastFirst, upTo, valueOf } from "./maps.js";
import { EngineError } from "./memory.js";
import { bestOf } from "./optimal.js";
import {
  NO_COST, RULES, ScoreRows, bytesOfScore, criterion, letterBits, lettersAt, logarithms, long, scoreType,
} from "./tables.js";
import { exactWeights, weighed, weightedClaim } from "./weights.js";
import { WordGame, quoted } from "./words.js";
import { Strategy, add } from "./strategy.js";

/**
 * @import { KernelArray, Memory } from "./memory.js"
 * @import { Arguments, Engine, GrowingTree, Ids, KernelName, OnProgress, Packed, RuleSearcher, Rules, Scores,
 *   SolveOptions, Steps, Tree, WeightsGiven } from "./types.js"
 * @typedef {KernelArray<"int32">} Int32s
 */

/** The rule that makes the total least, by exact search. */
const OPTIMAL = "optimal";
/** It keeps to so many guesses, if nothing else is wanted, and to so many at most. */
const [LIMIT, HIGHEST_OPTIMAL] = [6, 12];
/** The rows of a state take so many bytes at most; larger ones are looked at in parts. */
const MOST_ROWS = 48_000_000;
/** Longer words have too many buckets for costs that are sums. */
const LONGEST_BY_SUMS = 5;
/** Pairwise comparison of rows pays up to so many candidates. */
const PAIRWISE = 128;

/**
 * The strategy of a game by a rule; `options` are those of `game.solve`.
 * @param {Engine} engine @param {Rules} game @param {SolveOptions} [options]
 */
export function solve(engine, game, options = {}) {
  const { rule = "minimax", guessFrom = "allowed", onProgress = () => {} } = options;
  const hard = Boolean(options.hard ?? game.hard);
  const within = limitFor(options, rule);
  poolOf(guessFrom);
  if (rule !== OPTIMAL && !Object.hasOwn(RULES, rule)) {
    const known = [...Object.keys(RULES), OPTIMAL];
    const hint = didYouMean(String(rule), known);
    throw new EngineError(`no rule named ${quoted(String(rule))}${hint}; rules: ${known.join(", ")}`);
  }
  if (hard) refuseCodes(game);
  if (rule === OPTIMAL) {
    const starts = fixedGuesses(game, options.start ?? "auto");
    const how = { starts, guessFrom, hard, within: within ?? LIMIT, onProgress };
    return optimal(engine, game, options.weights ?? null, how);
  }
  if ((options.weights ?? null) !== null) {
    throw new EngineError("--weights goes with --rule optimal; other rules look at no weights");
  }
  engine.tables.begin();
  const searcher = isOfCodes(game)
    ? new CodeSearcher(engine, game, rule, guessFrom)
    : new Searcher(engine, game, rule, guessFrom, hard);
  let starts = fixedGuesses(game, options.start ?? "auto");
  if (starts.length === 0) starts = [searcher.choose(allSecrets(game), null)];
  checkStart(game, starts, hard);
  const tree = grown(game, searcher, starts, onProgress);
  const found = new Strategy(game, { rule, starts, guessFrom, hard }, tree);
  if (within !== null && found.worst > within) {
    const taken = `by this rule some secret takes ${found.worst} guesses`;
    if (options.pure) throw new EngineError(`${taken}, more than ${within}`, 1);
    throw new EngineError(`${taken}; a page repairs no strategy, the command solve-all --within ${within} does`, 3);
  }
  return found;
}

/**
 * The limit of a whole strategy, null if there is none.
 * @param {SolveOptions} solveOptions @param {string} rule
 */
function limitFor({ within: given = null, pure = false }, rule) {
  const within = given === null ? null : checkedLimit(given);
  if (pure && within === null) throw new EngineError("--pure says how to take --within K, which is missing");
  if (rule !== OPTIMAL) return within;
  if (pure) throw new EngineError("--pure is for rules; the optimal strategy needs no repair");
  if (within !== null && within > HIGHEST_OPTIMAL) {
    throw new EngineError(`a page searches for best strategies within at most ${HIGHEST_OPTIMAL} guesses, not ${within}`);
  }
  return within;
}

/**
 * The strategy of least total, after some first guesses or over all; by weight where there are weights.
 * @param {Engine} engine @param {Rules} narrow @param {WeightsGiven | null} source
 * @param {{starts: number[], guessFrom: string, hard: boolean, within: number, onProgress: OnProgress}} how
 */
function optimal(engine, narrow, source, { starts, guessFrom, hard, within, onProgress }) {
  if (source !== null && isOfCodes(narrow)) {
    throw new EngineError("--weights is for lists of words; Mastermind is searched whole");
  }
  if (source !== null && guessFrom === "candidates") {
    throw new EngineError("--guess-from candidates is for equally likely secrets, not for --weights");
  }
  if (guessFrom === "candidates") {
    throw new EngineError("in a browser the rule optimal guesses from allowed or secrets, not candidates");
  }
  const { rules, weights: given } = weighed(narrow, source);
  const game = rules === narrow
    ? narrow
    : new WordGame(rules.listName, rules.secretsName, rules.guesses, rules.secrets, rules.hard);
  const weights = given === null ? null : exactWeights(given, within);
  checkStart(game, starts, hard);
  engine.tables.begin();
  engine.tables.forget(); // the search needs the room
  const found = engine.memory.scratch(() => (
    isOfCodes(game)
      ? bestOfCodes(engine, game, { starts, within, onProgress })
      : bestOf(engine, game, { starts, guessFrom, hard, within, weights, onProgress })
  ));
  if (found === null) {
    const first = starts.map((guess) => game.guesses[guess].toUpperCase()).join(", ") || "any first guess";
    throw new EngineError(`proved: within ${within} is impossible from ${first}`, 1);
  }
  /** @type {Record<string, Packed>} */
  const claim = { objective: "total", within, proved: true, lower_bound: found.total };
  if (weights !== null) claim.weights = weightedClaim(game, weights, found.total);
  const made = starts.length > 0 ? starts : [found.tree.guess[0]];
  return new Strategy(game, { rule: OPTIMAL, starts: made, guessFrom, hard, claim }, found.tree);
}

/**
 * The first guesses that are fixed, as numbers; none for `auto`.
 * @param {Rules} game @param {string | string[]} start
 */
function fixedGuesses(game, start) {
  const words = (typeof start === "string" ? start.split(",") : [...start]).map((word) => String(word).trim());
  return words.length === 1 && words[0] === "auto" ? [] : words.map((word) => game.guessId(word));
}

/** @param {Rules} game @param {number[]} starts @param {boolean} hard */
function checkStart(game, starts, hard) {
  const twice = starts.find((guess, at) => starts.indexOf(guess) !== at);
  if (twice !== undefined) {
    throw new EngineError(`--start guesses ${quoted(game.guesses[twice])} twice, which tells nothing new`);
  }
  if (!hard) return;
  /** @type {{history: Steps, candidates: Ids}[]} */
  let states = [{ history: [], candidates: allSecrets(game) }];
  for (const guess of starts) {
    /** @type {typeof states} */
    const below = [];
    for (const { history, candidates } of states) {
      if (!legalAfter(game, history).includes(guess)) {
        const fixed = quoted(game.guesses[guess]);
        throw new EngineError(`hard mode forbids the fixed guess ${fixed} ${afterText(game, history)}`);
      }
      for (const [score, bucket] of children(game, guess, candidates)) {
        if (score !== game.solved) below.push({ history: [...history, [guess, score]], candidates: bucket });
      }
    }
    states = below;
  }
}

/**
 * All states in preorder, as columns: guess, parent, score.
 * @param {Rules} game @param {RuleSearcher} searcher @param {number[]} starts @param {OnProgress} onProgress
 */
function grown(game, searcher, starts, onProgress) {
  const tree = { guess: [starts[0]], parent: [-1], score: [-1] };
  const whole = game.secrets.length;
  let done = 0;
  for (const [score, candidates] of children(game, starts[0], allSecrets(game))) {
    if (score !== game.solved) {
      graft(tree, searcher.grow(candidates, starts.slice(1), [[starts[0], score]]), 0, score);
    }
    done += candidates.length;
    onProgress(done, whole);
  }
  return tree;
}

/**
 * The buckets of some candidates by a guess, their scores ascending.
 * @param {Rules} game @param {number} guess @param {Ids} candidates
 * @returns {[score: number, bucket: Ids][]}
 */
export function children(game, guess, candidates) {
  const buckets = groupsOf(candidates, (secret) => game.grade(guess, game.secretIds[secret]));
  const sorted = [...buckets].sort(([one], [other]) => one - other);
  return sorted.map(([score, bucket]) => [score, Int32Array.from(bucket)]);
}

// ---- The next guess, and whole subtrees

/** Chooses guesses in one game by one rule: `Searcher` of Python. */
export class Searcher {
  /**
   * @param {Engine} engine @param {WordGame} game @param {string} rule @param {string} guessFrom @param {boolean} hard
   */
  constructor(engine, game, rule, guessFrom, hard) {
    this.engine = engine;
    this.game = game;
    this.rule = rule;
    this.guessFrom = guessFrom;
    this.hard = hard;
    const whole = guessFrom === "allowed";
    this.pool = whole ? allGuesses(game) : game.secretIds;
    this.columnOf = new Int32Array(game.guesses.length).fill(-1);
    this.pool.forEach((guess, column) => {
      this.columnOf[guess] = column;
    });
    this.ownColumn = whole ? game.secretIds : allSecrets(game);
    /** @template T @param {string} name @param {() => T} make */
    const kept = (name, make) =>
      engine.tables.of(game, `${name} ${rule} ${guessFrom}`, make);
    this.criterion = kept("criterion", () =>
      criterion(engine, rule, game.secrets.length, guessFrom !== "candidates"));
    this.byLetters = guessFrom !== "candidates" && (RULES[rule].byLargest || game.length <= LONGEST_BY_SUMS);
    this.words = () => kept("words", () => this.#wordSearch());
    this.rows = () => engine.tables.of(game, `rows ${guessFrom === "allowed"}`, () =>
      new ScoreRows(engine, lettersAt(this.game, game.secretIds), lettersAt(this.game, this.pool), game.length));
    this.matrix = () => kept("matrix", () => ({
      pool: engine.memory.of("int32", this.pool),
      criterion: this.criterion,
      few: PAIRWISE,
      tally: engine.memory.array("int32", game.nScores),
    }));
  }

  #wordSearch() {
    const { engine, game } = this;
    const letters = lettersAt(this.game, this.pool);
    const tables = letterBits(engine, letters, game.length, this.ownColumn, !this.criterion.by_largest);
    const { memory } = engine;
    const known = {
      entries: memory.array("uint16", 0), places: memory.array("int64", [0, 8]), end: memory.array("int64", 1, 1),
    };
    const logs = memory.of("int64", logarithms(game.secrets.length));
    return {
      pool: engine.memory.of("int32", this.pool),
      own_column: engine.memory.of("int32", this.ownColumn),
      criterion: this.criterion,
      letters: tables,
      scratch: this.#call("word_scratch", tables, game.nScores, this.criterion, logs, known),
    };
  }

  /** @template {KernelName} N @param {N} name @param {Arguments<N>} args */
  #call(name, ...args) {
    return this.engine.kernels.call(long(name, this.game), ...args);
  }

  /**
   * The guess for some candidates, among the legal guesses (null: all of the pool).
   * @param {Ids} candidates @param {Ids | null} legal
   */
  choose(candidates, legal) {
    if (candidates.length <= 2) return this.game.secretIds[candidates[0]];
    const { memory } = this.engine;
    if (this.byLetters && legal === null) {
      const search = this.words();
      return this.pool[memory.scratch(() => {
        const state = memory.of("int32", candidates);
        if (this.criterion.by_largest) return this.#call("best_word", search, null, state);
        return this.engine.kernels.call("best_word_sums", /** @type {any} */ (search), 1, state);
      })];
    }
    return this.pool[this.#cheapestInParts(candidates, legal)];
  }

  /**
   * The column of the cheapest guess for any number of candidates, some guesses at a time.
   * @param {Ids} candidates @param {Ids | null} legal
   */
  #cheapestInParts(candidates, legal) {
    const { engine, game } = this;
    const secrets = lettersAt(game, Int32Array.from(candidates, (secret) => game.secretIds[secret]));
    const most = Math.max(64, Math.floor(MOST_ROWS / (candidates.length * bytesOfScore(game))));
    const members = upTo(candidates.length);
    return this.#cheapest(candidates, legal, most, (some) => {
      const guesses = lettersAt(game, some.map((column) => this.pool[column]));
      const scores = new ScoreRows(engine, secrets, guesses, game.length).of(members);
      return { scores, members, places: upTo(some.length) };
    });
  }

  /**
   * The column of the cheapest guess: of the candidates' own, then of others, so many at a time; `scored` has the
   * scores of some columns, and where in these the candidates and the columns are.
   * @param {Ids} candidates @param {Ids | null} legal @param {number} most
   * @param {(some: Ids) => {scores: Scores, members: Ids, places: Ids}} scored
   */
  #cheapest(candidates, legal, most, scored) {
    const { memory } = this.engine;
    const { steps, by_largest: byLargest } = this.criterion;
    const { tally } = this.matrix();
    const own = Int32Array.from(candidates, (secret) => this.ownColumn[secret]);
    const others = this.guessFrom === "candidates" ? new Int32Array() : this.#columnsOf(legal);
    const bonus = RULES[this.rule].bonus ? candidates.length : 0;
    /** @type {[column: number, cost: number | bigint]} */
    let best = [-1, NO_COST];
    for (const { columns, reward } of [{ columns: own, reward: bonus }, { columns: others, reward: 0 }]) {
      for (let at = 0; at < columns.length; at += most) {
        const some = columns.subarray(at, at + most);
        const [found, cost] = memory.scratch(() => {
          const { scores, ...ids } = scored(some);
          const [members, places] = [memory.of("int32", ids.members), memory.of("int32", ids.places)];
          return this.#call("cheapest", scores, members, places, steps, byLargest, reward, tally, best[1]);
        });
        if (found >= 0) best = [some[found], cost];
      }
    }
    return best[0];
  }

  /**
   * The columns of those of some guesses that are in the pool.
   * @param {Ids | null} guesses
   */
  #columnsOf(guesses) {
    if (guesses === null) return upTo(this.pool.length);
    if (this.guessFrom === "allowed") return guesses;
    return guesses.map((guess) => this.columnOf[guess]).filter((column) => column >= 0);
  }

  /**
   * Every state of the strategy from some candidates on; `starts` are fixed guesses.
   * @param {Ids} candidates @param {number[]} starts @param {Steps} history
   */
  grow(candidates, starts, history) {
    if (!this.hard && this.byLetters) return this.#growByLetters(candidates, starts);
    const legal = this.hard ? legalAfter(this.game, history) : null;
    return this.#walk(candidates, legal, starts, this.choose.bind(this), (state, allowed, then) => {
      if (this.rows().bytes(Math.max(state.length, 2)) > MOST_ROWS) return null;
      return allowed === null ? this.#growByRows(state, then) : this.#growHard(state, allowed, then);
    });
  }

  /**
   * All states one by one, each with the guesses that are legal there: `choose` says the guess of a state, `grow`
   * all states from one on or null.
   * @param {Ids} candidates @param {Ids | null} legal @param {number[]} starts
   * @param {(state: Ids, allowed: Ids | null) => number} choose
   * @param {(state: Ids, allowed: Ids | null, then: number[]) => Tree | null} grow
   */
  #walk(candidates, legal, starts, choose, grow = () => null) {
    const tree = /** @type {GrowingTree} */ ({ guess: [], parent: [], score: [] });
    const waiting = [{ state: candidates, allowed: legal, score: -1, parent: -1, depth: 0 }];
    for (const { state, allowed, score, parent, depth } of lastFirst(waiting)) {
      const part = grow(state, allowed, starts.slice(depth));
      if (part !== null) {
        graft(tree, part, parent, score);
        continue;
      }
      const guess = depth < starts.length ? starts[depth] : choose(state, allowed);
      const here = add(tree, guess, parent, score);
      for (const [edge, bucket] of children(this.game, guess, state).reverse()) {
        if (edge === this.game.solved) continue;
        const isOpen = allowed !== null && bucket.length > 2; // else there is nothing to choose
        const rest = isOpen ? stillLegal(this.game, allowed, guess, edge) : allowed;
        waiting.push({ state: bucket, allowed: rest, score: edge, parent: here, depth: depth + 1 });
      }
    }
    return tree;
  }

  /** @param {Ids} candidates @param {number[]} starts */
  #growByLetters(candidates, starts) {
    const search = this.words();
    const { memory, kernels } = this.engine;
    const { solved } = this.game;
    return treeOf(memory, candidates, starts, (states, members, fixed, root) => {
      const rows = this.#startRows(starts, this.guessFrom === "allowed" ? null : allSecrets(this.game));
      if (!this.criterion.by_largest) {
        const [tools, scores] = /** @type {any[]} */ ([search, rows]); // of short words
        return kernels.call("grow_words_sums", null, tools, 1, null, solved, members, root, fixed, scores, states);
      }
      const nodes = memory.array("int32", [states.shape[1], 5], null);
      const size = this.#call("grow_many", search, solved, members, fixed, rows, nodes);
      return this.#call(
        "grow_words", null, search, null, null, solved, members, nodes.slice(0, size), null, rows, states,
      );
    });
  }

  /** @param {Ids} candidates @param {number[]} starts */
  #growByRows(candidates, starts) {
    const { memory } = this.engine;
    const [tools, source] = [this.matrix(), this.rows()];
    return treeOf(memory, upTo(candidates.length), starts, (states, members, fixed, root) => {
      const own = memory.of("int32", candidates.map((secret) => this.ownColumn[secret]));
      const search = { ...tools, scores: source.of(candidates), own_column: own };
      const rows = this.#startRows(starts, candidates);
      return this.#call("grow_rows", search, null, 1, null, this.game.solved, members, root, fixed, rows, states);
    });
  }

  /**
   * The scores of the fixed guesses against some secrets, or nothing where kernels grade them.
   * @param {number[]} starts @param {Ids | null} secrets
   */
  #startRows(starts, secrets) {
    const type = scoreType(this.game);
    const { memory } = this.engine;
    if (secrets === null || starts.length === 0) return memory.array(type, [0, 0]);
    const { secretIds } = this.game;
    const found = starts.flatMap((guess) => Array.from(secrets, (at) => this.game.grade(guess, secretIds[at])));
    return memory.of(type, found, [starts.length, secrets.length]);
  }

  /**
   * All states as hard mode allows after what was revealed in each, from rows of scores.
   * @param {Ids} candidates @param {Ids} legal @param {number[]} starts
   */
  #growHard(candidates, legal, starts) {
    this.matrix(); // it stays when what is made here goes
    const source = this.rows();
    return this.engine.memory.scratch(() => {
      const scores = source.of(candidates);
      const rowOf = new Map(Array.from(candidates, (secret, row) => [secret, row]));
      return this.#walk(candidates, legal, starts, (state, allowed) => {
        if (state.length <= 2) return this.game.secretIds[state[0]];
        const members = state.map((secret) => valueOf(rowOf, secret));
        return this.pool[this.#cheapest(state, allowed, Infinity, (places) => ({ scores, members, places }))];
      });
    });
  }
}

/** @param {GrowingTree} tree @param {Tree} part @param {number} parent @param {number} score */
function graft(tree, part, parent, score) {
  const base = tree.guess.length;
  for (let at = 0; at < part.guess.length; at += 1) {
    add(tree, part.guess[at], at === 0 ? parent : base + part.parent[at], at === 0 ? score : part.score[at]);
  }
}

/**
 * The states that a kernel grows from some candidates on, after fixed guesses; it answers how many it has written.
 * @param {Memory} memory @param {Ids} candidates @param {number[]} starts
 * @param {(states: Int32s, members: Int32s, fixed: Int32s, root: Int32s) => number} grow
 * @returns {Tree}
 */
export function treeOf(memory, candidates, starts, grow) {
  const most = (2 + starts.length) * candidates.length + starts.length + 1;
  return memory.scratch(() => {
    const states = memory.array("int32", [3, most], null);
    const [members, fixed] = [memory.of("int32", candidates), memory.of("int32", starts)];
    const end = grow(states, members, fixed, memory.of("int32", [-1, -1, -1, 0, candidates.length], [1, 5]));
    const [guess, score, parent] = [0, 1, 2].map((row) => states.data.slice(row * most, row * most + end));
    return { guess, score, parent };
  });
}
