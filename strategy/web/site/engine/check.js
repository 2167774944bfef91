// The checker: reads a strategy file, plays every secret through it by letters, and says what
// `verify --json` says.
//
// It shares nothing with the search: no kernel, no table, grading in lines of its own.

import { EngineError } from "./memory.js";
import { Real, readColumn, unseal } from "./files.js";
import { countsOf, depthsOf, digestOf, histogramOf } from "./strategy.js";
import { byCodePoints, grouped, isSpelled, plain, quoted, scoreText, wordsDigest } from "./words.js";

/**
 * @import { CheckOptions } from "./public.js"
 * @import { Columns, Fail, Fault, Games, ReadOrigin, ReferenceLists, Shipped, Shows } from "./types.js"
 */

const KEYS = ["origin", "length", "words", "guess", "parent", "score", "hit", "nodes", "histogram", "digest"];
const HEAD = [
  "game", "list_name", "guesses", "guesses_digest", "secrets_name", "secrets", "secrets_digest",
  "rule", "start", "guess_from", "hard", "claim",
];
const COLUMNS = ["guess", "parent", "score", "hit"];
const POOLS = ["allowed", "secrets", "candidates"];
export const GAME = /^(wordle|mastermind:[1-9]\d?x[1-9]\d?(:distinct)?)$/;
export const CODE = /^[a-z0-9]{1,16}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const NAME = new RegExp(
  "^[^\\x00-\\x1f\\x7f-\\x9f/\\\\\\xad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e" +
    "\\u2060-\\u206f\\ud800-\\udfff\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]{1,200}$", "u");
const MOST = 1 << 20;
const MOST_GUESSES = 1 << 23;
export const LONGEST_WORD = 16;
const [SHORTEST, LONGEST, MOST_LETTERS] = [2, 11, 64];
const DEEPEST = 1000;
const STEPS_SHOWN = 8;
const HIGHEST_LIMIT = 1_000_000;

/** A fault of a strategy, thrown where the first one ends a comparison. */
export class Wrong extends Error {}

/**
 * What `verify --json` says of a file. `name` is what it calls the file; with `within` no secret may
 * take more guesses, and with `hard` every guess must keep to hard mode.
 * @param {Uint8Array} bytes @param {Shipped} shipped @param {CheckOptions} [checkOptions]
 */
export function check(bytes, shipped, { name = "strategy", within = null, hard = false } = {}) {
  if (within !== null && !(Number.isSafeInteger(within) && within >= 1 && within <= HIGHEST_LIMIT)) {
    throw new EngineError(`a limit is a number of guesses from 1 to ${grouped(HIGHEST_LIMIT)}, not ${within}`);
  }
  const strategy = readStrategy(unseal(bytes, name), refusing(name));
  if (hard && strategy.isPegs) {
    throw new EngineError(`hard mode is a rule of Wordle; ${strategy.origin.game} has none`);
  }
  const lists = referenceLists(strategy, shipped);
  let reason = "";
  let how = null;
  let games;
  try {
    how = verified(strategy, shipped);
    games = strategy.games;
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    reason = error.message;
  }
  /** @type {Fault[]} */
  let faults = [];
  let nSecrets = strategy.secrets.length;
  if (reason !== "" || hard || within !== null) {
    games = played(strategy, lists.secrets);
    faults = faultsOf(strategy, lists, games, { within, hard });
    if (reason !== "" && faults.length === 0) faults = [{ fault: "head", word: null, line: null, reason }];
    nSecrets = lists.secrets.length;
  }
  reason ||= inALine(faults, within);
  const taken = [.../** @type {Games} */ (games).taken.values()];
  const total = taken.reduce((sum, number) => sum + number, 0);
  const histogram = countsOf(taken);
  const some = taken.length > 0;
  return {
    file: name,
    form: "strategy",
    ok: reason === "",
    reason,
    digest: strategy.digest,
    n_secrets: nSecrets,
    n_solved: taken.length,
    histogram,
    worst: some ? histogram.length : null,
    total: some ? total : null,
    mean: some ? total / taken.length : null,
    compared: how || null,
    n_faults: faults.length,
    faults,
  };
}

// ---- Reading

/**
 * What refuses a file, by its name.
 * @param {string} name
 * @returns {Fail}
 */
export const refusing = (name) => (reason) => {
  throw new EngineError(`${name}: ${reason}`);
};

/**
 * A strategy of the body of a file; `fail` refuses it.
 * @param {Map<string, any>} body @param {Fail} fail
 */
export function readStrategy(body, fail) {
  const reader = new Reader(body, fail);
  reader.only(KEYS);
  const origin = readOrigin(reader, fail);
  const words = readWords(reader, fail);
  const nodes = reader.whole("nodes");
  if (nodes > MOST) fail(`it has more than ${grouped(MOST)} nodes`);
  const columns = COLUMNS.map((key) => readColumn(reader.take(key, "list"), key, nodes, fail));
  const [guess, parent, score, hit] = columns;
  checkTree(words, guess, parent, score, hit, fail);
  const depth = depthsOf(parent);
  const solved = hit.reduce((sum, one) => sum + one, 0);
  if (solved !== origin.secrets) {
    fail(`it solves ${grouped(solved)} secrets; its head says ${grouped(origin.secrets)}`);
  }
  const counts = histogramOf(depth, hit);
  const guesses = counts.reduce((sum, count, k) => sum + count * (k + 1), 0);
  const depths = depth.reduce((sum, number) => sum + number, 0);
  if (Math.max(guesses, depths) > MOST_GUESSES) fail("it takes too many guesses");
  const said = reader.take("histogram", "list");
  if (said.length !== counts.length || !counts.every((count, k) => said[k] === count)) {
    fail("its counts are not those of its tree");
  }
  return new ReadStrategy(origin, words, { guess, parent, score, hit, depth }, reader.take("digest", "str"));
}

/** @satisfies {Record<string, (value: any) => boolean>} */
const TYPES = {
  int: (value) => typeof value === "number" && Number.isInteger(value),
  str: (value) => typeof value === "string",
  list: (value) => Array.isArray(value),
  dict: (value) => value instanceof Map,
  bytes: (value) => value instanceof Uint8Array,
  bool: (value) => typeof value === "boolean",
};

/** @param {unknown} value */
function typeName(value) {
  if (value === undefined || value === null) return "NoneType";
  const found = Object.entries(TYPES).find(([, fits]) => fits(value));
  return found?.[0] ?? "float";
}

/** Typed access to a map of a file; the first wrong thing refuses the file. */
export class Reader {
  /** @param {Map<string, any>} body @param {Fail} fail */
  constructor(body, fail) {
    this.body = body;
    this.fail = fail;
  }

  /** @param {string} key @param {keyof typeof TYPES} kind @returns {any} */
  take(key, kind) {
    const value = this.body.get(key);
    if (!TYPES[kind](value)) this.fail(`'${key}' is ${typeName(value)}, expected ${kind}`);
    return value;
  }

  /** @param {string} key */
  whole(key) {
    const number = this.take(key, "int");
    if (number < 1) this.fail(`'${key}' is ${number}, expected at least 1`);
    return number;
  }

  /**
   * A whole number from `least` to `most`.
   * @param {string} key @param {number} least @param {number} most
   * @returns {number}
   */
  within(key, least, most) {
    const number = this.take(key, "int");
    if (number < least || number > most) this.fail(`'${key}' is ${number}, expected ${least} to ${most}`);
    return number;
  }

  /** @param {string} key @param {string[]} texts */
  oneOf(key, texts) {
    if (!texts.includes(this.take(key, "str"))) this.fail(`'${key}' is none of ${texts.join(", ")}`);
  }

  /** @param {string} key @returns {string} */
  name(key) {
    const text = this.take(key, "str");
    if (!NAME.test(text)) this.fail(`'${key}' is ${shown(text)}, which is no name`);
    return text;
  }

  /** @param {string} key @returns {string} */
  digest(key) {
    const text = this.take(key, "str");
    if (!DIGEST.test(text)) this.fail(`'${key}' is ${shown(text)}, which is no sha256`);
    return text;
  }

  /** @param {string[]} keys */
  only(keys) {
    const found = [...this.body.keys()].map(String).sort(byCodePoints);
    const expected = [...keys].sort();
    if (found.length !== expected.length || !expected.every((key, k) => key === found[k])) {
      this.fail(`it holds ${found.join(", ") || "nothing"}; expected ${expected.join(", ")}`);
    }
  }
}

/** @param {Reader} reader @param {Fail} fail @returns {ReadOrigin} */
function readOrigin(reader, fail) {
  const head = reader.take("origin", "dict");
  const inner = new Reader(head, fail);
  inner.only(HEAD);
  for (const key of ["guesses", "secrets"]) {
    const count = inner.take(key, "int");
    if (count < 1 || count > MOST) fail("it has no words, or too many");
  }
  for (const key of ["list_name", "secrets_name", "rule"]) inner.name(key);
  for (const key of ["guesses_digest", "secrets_digest"]) inner.digest(key);
  if (!GAME.test(inner.take("game", "str"))) {
    fail(`it is of a game ${shown(head.get("game"))} that is not known`);
  }
  inner.oneOf("guess_from", POOLS);
  if (inner.take("hard", "bool") && head.get("game") !== "wordle") fail("Mastermind has no hard mode");
  if (!isPlain(inner.take("claim", "dict"), 8)) fail("its claim is not made of plain values");
  /** @type {unknown[]} */
  const start = inner.take("start", "list");
  if (start.length === 0 || !start.every((word) => typeof word === "string" && NAME.test(word))) {
    fail("its start is not a list of words");
  }
  return /** @type {any} */ (Object.fromEntries(head));
}

/** @param {unknown} value @param {number} depth @returns {boolean} */
function isPlain(value, depth) {
  if (value instanceof Map) {
    return [...value.keys()].every((key) => typeof key === "string") && isPlain([...value.values()], depth);
  }
  if (Array.isArray(value)) return depth > 0 && value.every((item) => isPlain(item, depth - 1));
  if (value instanceof Real) return Number.isFinite(value.value);
  if (typeof value === "number") return true;
  return value === null || typeof value === "boolean" || typeof value === "string";
}

/** @param {Reader} reader @param {Fail} fail */
function readWords(reader, fail) {
  const [text, length] = [[...reader.take("words", "str")], reader.whole("length")];
  if (length > LONGEST_WORD || text.length === 0 || text.length % length !== 0) {
    fail(`${text.length} letters do not make words of ${length}`);
  }
  if (text.length > length * MOST) fail(`it has more than ${grouped(MOST)} words`);
  /** @type {string[]} */
  const words = [];
  for (let at = 0; at < text.length; at += length) words.push(text.slice(at, at + length).join(""));
  if (words.some((word) => !isSpelled(word) || plain(word) !== word)) fail("its words are not of letters or digits");
  if (words.some((word, k) => k > 0 && byCodePoints(words[k - 1], word) >= 0)) {
    fail("its words are not sorted, or one stands there twice");
  }
  return words;
}

/**
 * Refuse what is no tree of guesses: wrong ranges, cycles, twins, nodes out of order.
 * @param {string[]} words @param {Uint32Array} guess @param {Uint32Array} parent @param {Uint32Array} score
 * @param {Uint32Array} hit @param {Fail} fail
 */
function checkTree(words, guess, parent, score, hit, fail) {
  let largest = 0;
  guess.forEach((word, node) => {
    if (word > guess[largest]) largest = node;
  });
  if (guess[largest] >= words.length) {
    fail(`node ${largest} guesses word ${guess[largest]} of ${words.length}`);
  }
  if (parent[0] !== 0 || score[0] !== 0) fail("its first node is no root");
  checkOrder(parent, score, fail);
  if (hit.some((one) => one > 1) || !hit.includes(1)) fail("the column 'hit' does not hold yes and no");
  const times = new Map();
  guess.forEach((word, node) => {
    if (hit[node] === 1) times.set(word, (times.get(word) ?? 0) + 1);
  });
  const [word, most] = [...times].reduce((one, other) => (other[1] > one[1] ? other : one), [0, 0]);
  if (most > 1) fail(`${quoted(words[word])} is solved in two places`);
}

/** @param {Uint32Array} parents @param {Uint32Array} scores @param {Fail} fail */
function checkOrder(parents, scores, fail) {
  const depth = new Uint32Array(parents.length).fill(1);
  const latest = new Int32Array(DEEPEST + 2);
  const scoreBelow = new Float64Array(DEEPEST + 2).fill(-1);
  for (let node = 1; node < parents.length; node += 1) {
    const [parent, score] = [parents[node], scores[node]];
    if (parent >= node) fail(disorder(parents, node));
    const above = depth[parent];
    if (latest[above] !== parent || above > depth[node - 1]) {
      fail(`node ${node} is unreachable in preorder: its parent ${parent} is done`);
    }
    if (score <= scoreBelow[above]) {
      const twin = score === scoreBelow[above] ? "twice" : "out of order";
      fail(`node ${node}: the score ${score} comes ${twin} below node ${parent}`);
    }
    if (above === DEEPEST) fail(`node ${node} is guess number ${DEEPEST + 1}; ${DEEPEST} are enough`);
    scoreBelow[above] = score;
    depth[node] = above + 1;
    latest[above + 1] = node;
    scoreBelow[above + 1] = -1;
  }
}

/** @param {Uint32Array} parent @param {number} node */
function disorder(parent, node) {
  const seen = new Set();
  let above = node;
  while (above !== 0 && !seen.has(above)) {
    seen.add(above);
    if (parent[above] >= parent.length) {
      return `node ${above} hangs below node ${parent[above]}, which does not exist`;
    }
    above = parent[above];
  }
  if (above !== 0) return `node ${above} is its own ancestor: a cycle, unreachable from the root`;
  return `node ${node} comes before its parent ${parent[node]}`;
}

/** A strategy as a file has it. */
export class ReadStrategy {
  /**
   * @param {ReadOrigin} origin @param {string[]} words
   * @param {Omit<Columns, "words"> & {hit: Uint32Array, depth: Uint32Array}} columns @param {string} digest
   */
  constructor(origin, words, columns, digest) {
    this.guess = columns.guess;
    this.parent = columns.parent;
    this.score = columns.score;
    this.hit = columns.hit;
    this.depth = columns.depth;
    /** @type {Games} */
    this.games = /** @type {any} */ (null); // until they are played
    this.origin = origin;
    this.words = words;
    this.digest = digest;
    this.length = [...words[0]].length;
    this.isPegs = origin.game.startsWith("mastermind");
    this.grade = this.isPegs ? gradePegs : gradeWordle;
    this.letters = words.map((word) => [...word]);
    /** @type {number[]} */
    const solving = [];
    this.hit.forEach((hit, node) => {
      if (hit === 1) solving.push(node);
    });
    solving.sort((one, other) => this.guess[one] - this.guess[other]);
    this.solvedAt = new Map(solving.map((node) => [this.word(node), node]));
    this.secrets = [...this.solvedAt.keys()];
    this.branch = new Map();
    for (let node = 1; node < this.parent.length; node += 1) {
      this.branch.set(this.parent[node] * 2 ** 32 + this.score[node], node);
    }
  }

  /** @param {number} node */
  word(node) {
    return this.words[this.guess[node]];
  }

  /** @param {number} score */
  scoreText(score) {
    if (!this.isPegs) return scoreText(score, this.length);
    return `${Math.floor(score / (this.length + 1))},${score % (this.length + 1)}`;
  }

  /**
   * The nodes from the first guess down to a node, that node left out.
   * @param {number} node
   */
  path(node) {
    const nodes = [];
    while (node !== 0) {
      node = this.parent[node];
      nodes.push(node);
    }
    return nodes.reverse();
  }

  /**
   * The guesses and scores that lead to a node.
   * @param {number} node
   * @returns {[node: number, score: number][]}
   */
  history(node) {
    const nodes = [...this.path(node), node];
    return nodes.slice(1).map((below, k) => [nodes[k], this.score[below]]);
  }
}

// ---- Grading, as a person would

/** @param {string[]} guess @param {string[]} secret */
function gradeWordle(guess, secret) {
  /** @type {(string | null)[]} */
  const left = [];
  for (let at = 0; at < guess.length; at += 1) if (guess[at] !== secret[at]) left.push(secret[at]);
  let score = 0;
  for (let at = 0, worth = 1; at < guess.length; at += 1, worth *= 3) {
    if (guess[at] === secret[at]) {
      score += 2 * worth;
      continue;
    }
    const found = left.indexOf(guess[at]);
    if (found >= 0) {
      left[found] = null;
      score += worth;
    }
  }
  return score;
}

/** @param {string[]} guess @param {string[]} secret */
function gradePegs(guess, secret) {
  const black = guess.filter((peg, at) => peg === secret[at]).length;
  /** @param {string[]} code @param {string} colour */
  const count = (code, colour) => code.filter((peg) => peg === colour).length;
  const common = [...new Set(guess)].reduce(
    (sum, colour) => sum + Math.min(count(guess, colour), count(secret, colour)), 0);
  return black * (guess.length + 1) + common - black;
}

// ---- Playing

/**
 * Play secrets through a strategy: guesses taken, where each ends, nodes passed, who is stuck.
 * @param {ReadStrategy} strategy @param {string[]} secrets
 * @returns {Games}
 */
function played(strategy, secrets) {
  const { letters, guess, branch, grade, words } = strategy;
  const taken = new Map();
  const ends = new Map();
  const stuck = new Map();
  const passed = new Uint8Array(guess.length);
  for (const secret of secrets) {
    const hidden = [...secret];
    let node = 0;
    let made = 1;
    for (; made <= DEEPEST; made += 1) {
      passed[node] = 1;
      if (words[guess[node]] === secret) {
        taken.set(secret, made);
        ends.set(secret, node);
        break;
      }
      const child = branch.get(node * 2 ** 32 + grade(letters[guess[node]], hidden));
      if (child === undefined) {
        stuck.set(secret, [node, made]);
        break;
      }
      node = child;
    }
    if (made > DEEPEST) stuck.set(secret, [node, made]);
  }
  return { taken, ends, stuck, passed };
}

/**
 * Compare a strategy with its games and its head; what its lists were compared with.
 * @param {ReadStrategy} strategy @param {Shipped} shipped
 */
function verified(strategy, shipped) {
  const how = checkLists(strategy, shipped);
  follow(strategy);
  const solved = strategy.isPegs ? strategy.length * (strategy.length + 1) : 3 ** strategy.length - 1;
  if (digestOf(strategy, (score) => strategy.scoreText(score), solved) !== strategy.digest) {
    throw new Wrong("the strategy is not the one that its digest names");
  }
  checkSecond(strategy);
  return how;
}

/**
 * Compare a strategy with its games, its head and two lists, but for its digest.
 * @param {ReadStrategy} strategy @param {string[]} guesses @param {string[]} secrets
 */
export function compareWith(strategy, guesses, secrets) {
  checkSecrets(strategy);
  const fault = faultOfWords(strategy);
  if (fault !== "") throw new Wrong(fault);
  agree(strategy, guesses, secrets);
  follow(strategy);
  checkSecond(strategy);
}

/**
 * Play every secret: each is found where the file says, every node is come to, guesses are as the head says.
 * @param {ReadStrategy} strategy
 */
function follow(strategy) {
  const games = played(strategy, strategy.secrets);
  strategy.games = games;
  for (const [secret, [node, made]] of games.stuck) {
    if (made > DEEPEST) throw new Wrong(`${quoted(secret)} is not reached within ${DEEPEST} guesses`);
    throw new Wrong(
      `${quoted(secret)} is never reached: after ${made} guesses, the last ` +
        `${quoted(strategy.word(node))}, the strategy has no branch for what it answers`,
    );
  }
  for (const [secret, node] of games.ends) {
    if (strategy.hit[node] !== 1) throw new Wrong(`${quoted(secret)} is solved where the file says it cannot be`);
  }
  conclude(strategy, games);
  checkChoice(strategy);
}

/** @param {ReadStrategy} strategy @param {Games} games */
function conclude(strategy, games) {
  const missed = games.passed.reduce((sum, is) => sum + Number(is === 0), 0);
  if (missed > 0) {
    const node = games.passed.indexOf(0);
    throw new Wrong(
      `${missed} nodes are unreachable: no secret ever comes to node ${node}, ${quoted(strategy.word(node))}`,
    );
  }
  for (const [secret, node] of strategy.solvedAt) {
    const taken = games.taken.get(secret);
    if (taken !== strategy.depth[node]) {
      throw new Wrong(`${quoted(secret)} took ${taken} guesses, the file says ${strategy.depth[node]}`);
    }
  }
}

/**
 * What is wrong with the words of a strategy, which are none of its game; nothing if they are.
 * @param {ReadStrategy} readStrategy
 */
function faultOfWords({ words, isPegs, origin, length }) {
  const isFit = (/** @type {string} */ word) =>
    isPegs ? CODE.test(word) : length >= SHORTEST && length <= LONGEST;
  const strange = words.find((word) => !isFit(word));
  if (strange !== undefined) return `${shown(strange)} is no word of ${origin.game.split(":")[0]}`;
  const letters = new Set(words.join("")).size;
  return letters > MOST_LETTERS ? `its words have ${letters} different letters, more than ${MOST_LETTERS}` : "";
}

// ---- Lists

/**
 * The lists to name faults by: shipped ones that the file names, else the file's own secrets.
 * @param {ReadStrategy} strategy @param {Shipped} shipped
 * @returns {ReferenceLists}
 */
function referenceLists(strategy, shipped) {
  const { origin, length } = strategy;
  /** @type {(words: string[] | null) => words is string[]} */
  const fits = (words) => words !== null && words.length > 0 && words[0].length === length;
  const guesses = shipped(origin.list_name, "allowed");
  const secrets = shipped(origin.list_name, origin.secrets_name);
  return {
    guesses: fits(guesses) ? guesses : null,
    secrets: fits(secrets) ? secrets : strategy.secrets,
  };
}

/** @param {ReadStrategy} readStrategy */
function checkSecrets({ secrets, origin, guess, words }) {
  if (wordsDigest(secrets) !== origin.secrets_digest) {
    throw new Wrong("its secrets are not the list that its head names");
  }
  if (new Set(guess).size !== words.length) throw new Wrong("it holds words that it never guesses");
}

/** @param {ReadStrategy} strategy @param {Shipped} shipped */
function checkLists(strategy, shipped) {
  const { origin } = strategy;
  checkSecrets(strategy);
  if (origin.secrets_name === "allowed" && origin.secrets_digest !== origin.guesses_digest) {
    throw new Wrong("not all of its guesses are secrets");
  }
  const codes = strategy.isPegs ? boardCodes(origin.game, origin.secrets) : null;
  const fault = faultOfWords(strategy);
  if (fault !== "") throw new EngineError(fault);
  if (codes !== null) {
    agree(strategy, codes, codes);
    return `all codes of ${origin.game}`;
  }
  const allowed = shipped(origin.list_name, "allowed");
  const part = shipped(origin.list_name, origin.secrets_name);
  return agree(strategy, allowed, part) ? `list ${origin.list_name} as shipped` : "list not verified";
}

/** @param {ReadStrategy} strategy @param {string[] | null} guesses @param {string[] | null} secrets */
function agree(strategy, guesses, secrets) {
  const { origin } = strategy;
  if (guesses !== null) {
    compare("guesses", guesses, origin.guesses, origin.guesses_digest);
    const known = new Set(guesses);
    const unknown = strategy.words.find((word) => !known.has(word));
    if (unknown !== undefined) throw new Wrong(`${quoted(unknown)} is no guess of the list ${origin.list_name}`);
  }
  if (secrets !== null) compare("secrets", secrets, origin.secrets, origin.secrets_digest);
  return guesses !== null && secrets !== null;
}

/** @param {string} what @param {string[]} words @param {number} count @param {string} digest */
export function compare(what, words, count, digest) {
  const found = wordsDigest(words);
  if (words.length !== count || found !== digest) {
    throw new Wrong(
      `it is for another list: ${grouped(count)} ${what} with digest ${digest.slice(0, 12)}, ` +
        `not these ${grouped(words.length)} with ${found.slice(0, 12)}`,
    );
  }
}

/**
 * All codes of a board, which must be so many.
 * @param {string} game @param {number} count
 */
export function boardCodes(game, count) {
  const [, board, distinct] = game.split(":");
  const [holes, colours] = board.split("x").map(Number);
  let codesThere = 1;
  for (let hole = 0; hole < holes; hole += 1) codesThere *= distinct ? colours - hole : colours;
  if (count !== codesThere) throw new Wrong(`${game} does not have ${grouped(count)} codes`);
  const signs = colours <= 9 ? "123456789" : "0123456789abcdefghijklmnopqrstuvwxyz";
  let codes = [""];
  for (let hole = 0; hole < holes; hole += 1) {
    codes = codes.flatMap((code) =>
      [...signs.slice(0, colours)].filter((peg) => !distinct || !code.includes(peg)).map((peg) => code + peg));
  }
  return codes;
}

// ---- The head: start, pool, hard mode

/** @param {ReadStrategy} strategy */
function checkChoice(strategy) {
  const { origin, guess, depth, hit } = strategy;
  for (let node = 0; node < guess.length; node += 1) {
    const word = strategy.word(node);
    if (depth[node] <= origin.start.length) {
      const wanted = origin.start[depth[node] - 1];
      if (word !== wanted) throw new Wrong(`guess ${depth[node]} is not always ${quoted(wanted)}`);
    } else if ((origin.guess_from === "secrets" && !strategy.solvedAt.has(word)) ||
      (origin.guess_from === "candidates" && hit[node] !== 1)) {
      throw new Wrong(`${quoted(word)} is guessed, which is not from ${origin.guess_from}`);
    }
    if (origin.hard) checkHard(strategy, node);
  }
}

/** @param {ReadStrategy} strategy @param {number} node */
function checkHard(strategy, node) {
  const word = strategy.letters[strategy.guess[node]];
  /** @param {string[]} letters @param {string} letter */
  const count = (letters, letter) => letters.filter((other) => other === letter).length;
  for (const [above, score] of strategy.history(node)) {
    const guess = strategy.letters[strategy.guess[above]];
    const shownLetters = [];
    for (let at = 0, left = score; at < guess.length; at += 1, left = Math.floor(left / 3)) {
      if (left % 3 === 2 && word[at] !== guess[at]) {
        throw new Wrong(`hard mode: ${quoted(word.join(""))} moves the green of ${quoted(guess.join(""))}`);
      }
      if (left % 3 > 0) shownLetters.push(guess[at]);
    }
    for (const letter of shownLetters) {
      if (count(word, letter) < count(shownLetters, letter)) {
        throw new Wrong(
          `hard mode: ${quoted(word.join(""))} drops ${quoted(letter)} after ${quoted(guess.join(""))}`,
        );
      }
    }
  }
}

/**
 * What is claimed as `then` is what the games come to.
 * @param {ReadStrategy} readStrategy
 */
function checkSecond({ origin, games }) {
  const then = /** @type {any} */ (origin.claim.get("then") ?? null);
  if (then === null) return;
  const objective = then instanceof Map ? then.get("objective") : null;
  const parts = typeof objective === "string" && /^(worst|most-within|fewest-of)(?::(\d{1,9}))?$/.exec(objective);
  const [, kind, limit] = parts || [];
  if (kind === undefined || (kind === "worst") !== (limit === undefined)) {
    throw new Wrong("it claims a second objective that is none");
  }
  const taken = [...games.taken.values()];
  const has = kind === "worst" ? taken.reduce((most, number) => Math.max(most, number), 0)
    : taken.filter((number) => (kind === "most-within" ? number <= Number(limit) : number === Number(limit))).length;
  const value = then.get("value");
  if (value !== has) throw new Wrong(`it claims ${objective} ${plainly(value)}; it has ${has}`);
}

/**
 * A value of a claim within a message, as verify has it.
 * @param {unknown} value
 */
function plainly(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null || value === undefined ? "None" : String(value);
}

// ---- All faults of a wrong strategy, one kind after the other

/**
 * @param {ReadStrategy} strategy @param {ReferenceLists} lists @param {Games} games
 * @param {{within: number | null, hard: boolean}} how
 * @returns {Fault[]}
 */
function faultsOf(strategy, lists, games, { within, hard }) {
  const faults = [
    ...notAllowed(strategy, lists),
    ...wrongEnds(strategy, lists, games),
    ...missing(strategy, lists, games),
    ...unreached(strategy, games),
    ...(hard ? forbidden(strategy) : []),
    ...beyond(games, within),
  ];
  const order = ["guess not allowed", "wrong score", "secret twice", "not a secret", "secret missing",
    "state never reached", FORBIDDEN, BEYOND];
  /** @param {Fault} fault */
  const kindOf = (fault) => order.indexOf(fault.fault);
  return faults.sort((one, other) => kindOf(one) - kindOf(other));
}

const [FORBIDDEN, BEYOND] = ["guess forbidden in hard mode", "beyond the limit"];

/**
 * Faults in one line: the only one, or how many.
 * @param {Fault[]} faults @param {number | null} within
 */
function inALine(faults, within) {
  if (faults.length === 0) return "";
  const [{ fault, reason }] = faults;
  if (faults.length === 1) return `${fault}: ${reason}`;
  const isOne = faults.every((other) => other.fault === fault);
  if (isOne && fault === BEYOND) return `${grouped(faults.length)} secrets take more than ${within}`;
  return `${grouped(faults.length)} faults${isOne ? `: ${fault}` : ""}`;
}

/** @param {string} fault @param {string} reason @param {string} word @returns {Fault} */
const faultOf = (fault, reason, word) => ({ fault, word, line: null, reason });

/** @param {ReadStrategy} strategy @param {number} node */
function after(strategy, node) {
  const history = strategy.history(node);
  if (history.length === 0) return "at the beginning";
  const steps = history.slice(-STEPS_SHOWN)
    .map(([above, score]) => `${strategy.word(above)} ${strategy.scoreText(score)}`);
  return `after ${history.length > STEPS_SHOWN ? "… " : ""}${steps.join(" ")}`;
}

/** @param {ReadStrategy} strategy @param {ReferenceLists} referenceLists */
function* notAllowed(strategy, { guesses }) {
  if (guesses === null) return;
  const known = new Set(guesses);
  for (let node = 0; node < strategy.guess.length; node += 1) {
    const word = strategy.word(node);
    if (known.has(word)) continue;
    known.add(word);
    yield faultOf("guess not allowed", `${quoted(word)} ${after(strategy, node)} is on no list of guesses`, word);
  }
}

/** @param {ReadStrategy} strategy @param {ReferenceLists} referenceLists @param {Games} games */
function* wrongEnds(strategy, { secrets }, games) {
  const known = new Set(secrets);
  for (let node = 0; node < strategy.guess.length; node += 1) {
    if (strategy.hit[node] !== 1) continue;
    const word = strategy.word(node);
    if (games.ends.get(word) === node) continue;
    const hidden = [...word];
    const wrong = strategy.history(node).find(
      ([above, score]) => strategy.grade(strategy.letters[strategy.guess[above]], hidden) !== score);
    if (!known.has(word) && wrong === undefined) {
      yield faultOf("not a secret", `${quoted(word)} ${after(strategy, node)} may not be hidden`, word);
    } else if (wrong !== undefined) {
      const [above, score] = wrong;
      const right = strategy.grade(strategy.letters[strategy.guess[above]], hidden);
      const text = `${quoted(word)} answers ${quoted(strategy.word(above))} with ` +
        `${strategy.scoreText(right)}, not ${strategy.scoreText(score)}`;
      yield faultOf("wrong score", text, word);
    }
  }
}

/** @param {ReadStrategy} strategy @param {ReferenceLists} referenceLists @param {Games} games */
function* missing(strategy, { secrets }, games) {
  for (const secret of secrets) {
    if (strategy.solvedAt.has(secret)) continue;
    const at = games.ends.get(secret);
    if (at === undefined) {
      yield faultOf("secret missing", `no game comes to ${quoted(secret)}`, secret);
    } else {
      const text = `${quoted(secret)} is guessed ${after(strategy, at)}, and the file has no end there`;
      yield faultOf("secret missing", text, secret);
    }
  }
}

/** @param {ReadStrategy} strategy @param {Games} games */
function* unreached(strategy, games) {
  const known = games.passed.slice();
  known[0] = 1;
  strategy.hit.forEach((hit, end) => {
    if (hit !== 1) return;
    for (let node = end; known[node] === 0; node = strategy.parent[node]) known[node] = 1;
  });
  for (let node = 1; node < strategy.guess.length; node += 1) {
    if (known[node] === 0 && known[strategy.parent[node]] === 1) {
      const word = strategy.word(node);
      const text = `${quoted(word)} ${after(strategy, node)}: no secret comes there`;
      yield faultOf("state never reached", text, word);
    }
  }
}

/**
 * Guesses that hard mode forbids: greens stay, what was revealed is used again.
 * @param {ReadStrategy} strategy
 */
function* forbidden(strategy) {
  /** By node: for each place the guess that showed its green; for each letter how often, and where. */
  const required = [];
  for (let node = 0; node < strategy.guess.length; node += 1) {
    const letters = strategy.letters[strategy.guess[node]];
    if (node === 0) {
      required.push({ greens: letters.map(() => null), shown: new Map() });
      continue;
    }
    const above = strategy.parent[node];
    const { greens, shown } = moreRequired(required[above], strategy.letters[strategy.guess[above]], strategy.score[node]);
    required.push({ greens, shown });
    const word = letters.join("");
    const moved = greens.findIndex((guess, place) => guess !== null && guess[place] !== letters[place]);
    if (moved >= 0) {
      const shower = /** @type {string[]} */ (greens[moved]).join("");
      const text = `${quoted(word)} ${after(strategy, node)} moves the green of ${quoted(shower)}`;
      yield faultOf(FORBIDDEN, text, word);
      continue;
    }
    for (const [letter, [times, guess]] of shown) {
      if (letters.filter((other) => other === letter).length >= times) continue;
      const text = `${quoted(word)} ${after(strategy, node)} drops ${quoted(letter)} of ${quoted(guess.join(""))}`;
      yield faultOf(FORBIDDEN, text, word);
      break;
    }
  }
}

/** @param {Shows} required @param {string[]} guess @param {number} score @returns {Shows} */
function moreRequired(required, guess, score) {
  const greens = [...required.greens];
  const shown = new Map(required.shown);
  const counts = new Map();
  guess.forEach((letter, place) => {
    const colour = Math.floor(score / 3 ** place) % 3;
    if (colour === 2) greens[place] = guess;
    if (colour > 0) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  });
  for (const [letter, times] of counts) {
    if (times > (shown.get(letter)?.[0] ?? 0)) shown.set(letter, [times, guess]);
  }
  return { greens, shown };
}

/**
 * Secrets that take more guesses than were demanded.
 * @param {Games} games @param {number | null} within
 */
function* beyond(games, within) {
  if (within === null) return;
  for (const secret of [...games.taken.keys()].sort(byCodePoints)) {
    const number = /** @type {number} */ (games.taken.get(secret));
    if (number > within) yield faultOf(BEYOND, `${quoted(secret)} takes ${number} guesses`, secret);
  }
}

/**
 * Foreign text within a message.
 * @param {string} text
 */
function shown(text) {
  const signs = [...text];
  const cut = signs.length > 200 ? `${signs.slice(0, 199).join("")}…` : text;
  return `'${cut.replace(/[\p{C}\p{Z}]/gu, (sign) => (sign === " " ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`))}'`;
}
