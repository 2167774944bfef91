// The checker of proofs, written from the pages of the formats alone: it says what `check-proof --json` says.
//
// It shares nothing with the search and nothing with the command: no kernel, scores by letters or pegs, plain counting.
// The numbers of lemmas, theorems and steps are those of docs/proof-format.md. Nothing in a file is believed.

import {
  CODE, GAME, LONGEST_WORD, Reader, Wrong, boardCodes, compare, compareWith, readStrategy, refusing,
} from "./check.js";
import { Numbers, unseal } from "./files.js";
import { EngineError } from "./memory.js";
import { NAMED_LISTS, byCodePoints, grouped, numberedWords, quoted, wordsDigest } from "./words.js";

/**
 * @import { CheckOptions, OnProgress, Words } from "./public.js"
 * @import { Claim, Fail, Proof, ProofBucket, ProofLists, ProofState, ProvedClaim, ReadOrigin, Refutation,
 *   Shipped, Statement, Symmetry } from "./types.js"
 */

const LOSS = 2 ** 32;
const [MOST, MOST_SCORES, MOST_CANDIDATES, MOST_MAPPED] = [2 ** 20, 2 ** 30, 2 ** 26, 2 ** 28];
const MOST_BOUNDS = 2 ** 19; // that are kept at a time
const KEYS = ["statement", "strategy", "shown", "count", "claims", "refutation_count", "refutations"];
const LISTS = ["guesses", "guesses_digest", "secrets", "secrets_digest"];
const HEAD = ["game", "list_name", "secrets_name", ...LISTS, "hard", "start", "objective", "limit", "losses", "total"];

/**
 * What `check-proof --json` says of a proof. `shipped(name, part)` are the words of a list, or null; `words` and
 * `secrets` are lists that are given. Of a `sample`, {share, seed}, some steps alone are looked at: it proves nothing.
 * @param {Uint8Array} bytes @param {Shipped} shipped @param {CheckOptions} [how]
 */
export function checkProof(bytes, shipped, how = {}) {
  const { name = "proof", words = null, secrets = null, sample = null, onProgress = () => {} } = how;
  const proof = readProof(unseal(bytes, name, "R"), refusing(name));
  const drawn = sample === null ? null : new Sample(sample);
  let reason = "";
  try {
    const lists = checkLists(proof, shipped, { words, secrets });
    checkForm(proof, lists);
    checkStrategy(proof, lists);
    new Checker(proof, lists, drawn, onProgress).check();
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    reason = error.message;
  }
  const { list_name: list, guesses, secrets: n, start, limit, losses, total, objective, ...said } = proof.statement;
  const { game, hard, guesses_digest, secrets_name, secrets_digest, guess_from = "allowed" } = said;
  const bound = objective === "worst" ? { n_beyond: null, total: null } : { n_beyond: losses, total };
  return {
    file: name, ok: reason === "" && drawn === null, reason: reason || (drawn?.sentence() ?? ""),
    game, list, n_guesses: guesses, guesses_digest, n_secrets: n, secrets_name, secrets_digest, guess_from, hard,
    start: start === "" ? [] : [start], objective, limit: limit || null, ...bound,
    n_claims: proof.claims.length, n_refutations: proof.refutations.length,
    ...(drawn === null ? {} : { sample: { ...drawn, flaw: reason !== "" } }),
  };
}

/** A seeded part of the steps of a proof; `next` says whether the next one is looked at, by mulberry32. */
class Sample {
  /** @param {{share: number, seed?: number}} sample */
  constructor({ share, seed = 1 }) {
    if (!(share > 0 && share <= 1)) throw new EngineError(`a sample is a share above 0 and at most 1, not ${share}`);
    this.share = share;
    this.seed = seed;
    this.n_looked_at = 0;
    this.n_steps = 0;
  }

  next() {
    const state = (this.seed + Math.imul(++this.n_steps, 0x6d2b79f5)) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    const is = (mixed ^ (mixed >>> 14)) >>> 0 < this.share * 2 ** 32;
    this.n_looked_at += Number(is);
    return is;
  }

  sentence() {
    return `a sample, which proves nothing: ${this.n_looked_at} of ${this.n_steps} steps were looked at, and follow`;
  }
}

// ---- The file

/** @param {Map<string, any>} body @param {Fail} fail @returns {Proof} */
function readProof(body, fail) {
  const reader = new Reader(body, fail);
  const statement = readStatement(reader.take("statement", "dict"), fail);
  const isPegs = statement.game !== "wordle";
  reader.only(isPegs ? [...KEYS, "symmetries"] : KEYS);
  const strategy = body.get("strategy") === null ? null : readStrategy(reader.take("strategy", "dict"), fail);
  /** @type {string[]} */
  const shown = reader.take("shown", "list");
  if (!shown.every((text) => typeof text === "string")) fail("what is shown is not a list of texts");
  /** @type {Uint8Array[]} */
  const symmetries = isPegs ? reader.take("symmetries", "list") : [];
  const [holes, colours] = isPegs ? statement.game.split(":")[1].split("x").map(Number) : [];
  /** @param {unknown} one */
  const fits = (one) => one instanceof Uint8Array && one.length === holes + colours;
  if (!symmetries.every(fits)) fail(`a symmetry does not have ${holes + colours} bytes`);
  for (const texts of [shown, symmetries.map((bytes) => String.fromCharCode(...bytes))]) {
    const isOut = texts.some((text, k) => k > 0 && byCodePoints(texts[k - 1], text) >= 0);
    if (isOut) fail("what is shown, or its symmetries, are not in order, or one stands there twice");
  }
  const claims = readClaims(reader, { statement, shown, symmetries, isPegs }, fail);
  const refutations = readRefutations(reader, statement, fail);
  return { statement, strategy, shown, symmetries, claims, refutations, isPegs };
}

/** @param {Map<string, any>} body @param {Fail} fail @returns {Statement} */
function readStatement(body, fail) {
  const reader = new Reader(body, fail);
  reader.only(body.has("guess_from") ? [...HEAD, "guess_from"] : HEAD);
  if (!GAME.test(reader.take("game", "str"))) fail(`the game ${quoted(body.get("game"))} is not known`);
  for (const key of ["list_name", "secrets_name"]) reader.name(key);
  for (const key of ["guesses_digest", "secrets_digest"]) reader.digest(key);
  for (const key of ["guesses", "secrets"]) reader.within(key, 1, MOST);
  reader.take("hard", "bool");
  if (reader.take("start", "str") !== "") reader.name("start");
  reader.oneOf("objective", ["total", "losses", "worst"]);
  reader.within("limit", 0, MOST - 1);
  reader.within("losses", 0, body.get("secrets"));
  reader.within("total", 0, LOSS - 1);
  if (body.has("guess_from")) reader.oneOf("guess_from", ["secrets", "candidates"]);
  return /** @type {any} */ (Object.fromEntries(body));
}

/**
 * @param {Reader} reader @param {Pick<Proof, "statement" | "shown" | "symmetries" | "isPegs">} proof @param {Fail} fail
 * @returns {Claim[]}
 */
function readClaims(reader, { statement: { secrets }, shown, symmetries, isPegs }, fail) {
  const numbers = new Numbers(reader.take("claims", "bytes"), fail);
  const claims = [];
  for (let more = reader.within("count", 0, MOST); more > 0; more -= 1) {
    const n = numbers.within(1, secrets);
    claims.push({
      left: numbers.within(0, MOST - 1) || Infinity, // no limit
      shown: numbers.within(0, shown.length - 1),
      value: numbers.within(0, secrets) * LOSS + numbers.within(0, LOSS - 1),
      set: numbers.set(secrets, n),
      fixing: isPegs ? numbers.set(symmetries.length) : [],
      images: isPegs ? numbers.set(symmetries.length) : [],
    });
  }
  numbers.end();
  if (new Set(claims.map((claim) => claim.shown)).size < shown.length) fail("no claim uses something that is shown");
  const named = new Set(claims.flatMap(({ fixing, images }) => [...fixing, ...images]));
  if (named.size < symmetries.length) fail("no claim names one of its symmetries");
  return claims;
}

/** @param {Reader} reader @param {Statement} statement @param {Fail} fail @returns {Refutation[]} */
function readRefutations(reader, { secrets }, fail) {
  const numbers = new Numbers(reader.take("refutations", "bytes"), fail);
  const refutations = [];
  for (let more = reader.within("refutation_count", 0, MOST); more > 0; more -= 1) {
    const n = numbers.within(1, secrets);
    const left = numbers.within(1, MOST - 1);
    refutations.push({ left, set: numbers.set(secrets, n), cited: numbers.set(refutations.length) });
  }
  numbers.end();
  return refutations;
}

// ---- Step 1: lists

/**
 * @param {Proof} proof @param {Shipped} shipped @param {{words?: Words | null, secrets?: Words | null}} given
 * @returns {ProofLists}
 */
function checkLists({ statement, isPegs }, shipped, given) {
  const { game, list_name: list, secrets_name: part } = statement;
  /** @param {Words | null | undefined} words @param {string} where @returns {string[] | null} */
  const listed = (words, where) => /** @type {any} */ (
    words && [...numberedWords(words, where, isPegs ? [1, LONGEST_WORD] : undefined).keys()].sort(byCodePoints)
  );
  let [guesses, secrets] = [listed(given.words, "words"), listed(given.secrets, "secrets")];
  if (isPegs) {
    const codes = boardCodes(game, statement.secrets);
    const strange = [...codes, ...(guesses ?? []), ...(secrets ?? [])].find((code) => !CODE.test(code));
    if (strange !== undefined) throw new EngineError(`${quoted(strange)} is no code`);
    /** @param {string[] | null} words */
    const isOther = (words) => words !== null && wordsDigest(words) !== wordsDigest(codes);
    if (isOther(guesses) || isOther(secrets)) throw new Wrong(`lists that are given are not the codes of ${game}`);
    guesses = secrets = codes;
  } else {
    guesses ??= shipped(list, "allowed");
    secrets ??= part === "allowed" ? guesses : shipped(list, part);
  }
  if (!guesses || !secrets) throw new EngineError(`the lists ${quoted(list)} and ${quoted(part)} are not at hand`);
  compare("guesses", guesses, statement.guesses, statement.guesses_digest);
  compare("secrets", secrets, statement.secrets, statement.secrets_digest);
  const isShipped = NAMED_LISTS.includes(list); // a name that has a meaning goes with the digest of what it means
  const meant = (/** @type {string} */ name) => wordsDigest(/** @type {string[]} */ (shipped(list, name)));
  if ((isShipped && statement.guesses_digest !== meant("allowed")) ||
    (isShipped && part === "answers" && statement.secrets_digest !== meant(part)) ||
    (part === "allowed" && statement.secrets_digest !== statement.guesses_digest)) {
    throw new Wrong(`its lists are not those that ${quoted(list)} and ${quoted(part)} mean`);
  }
  const known = new Set(guesses);
  const strange = secrets.find((word) => !known.has(word));
  if (strange !== undefined) throw new Wrong(`the secret ${quoted(strange)} is no guess`);
  if (guesses.length * secrets.length > MOST_SCORES) throw new EngineError("its lists have too many scores");
  return { guesses, secrets };
}

// ---- Step 2: form

/** @param {Proof} proof @param {ProofLists} proofLists */
function checkForm({ statement, strategy, claims, refutations, isPegs }, { guesses }) {
  const { objective, limit, losses, total } = statement;
  const isWorst = objective === "worst";
  const candidates = claims.reduce((sum, { set, images }) => sum + set.length * (1 + images.length), 0);
  const sets = claims.reduce((sum, { images }) => sum + 1 + images.length, 0);
  const mapped = claims.reduce((sum, { fixing }) => sum + fixing.length, 0) * guesses.length;
  let cited = 0;
  for (const one of refutations) for (const at of one.cited) cited += refutations[at].set.length;
  const faults = {
    "its claims and their images are too many": sets > MOST,
    "its claims and their images have too many candidates": candidates > MOST_CANDIDATES,
    "its claims name too many symmetries of their sets": mapped > MOST_MAPPED,
    "its refutations cite too many candidates": cited > MOST_CANDIDATES,
    "Mastermind has no hard mode": isPegs && statement.hard,
    "a limit that cannot be kept is one loss and no total": isWorst && (limit === 0 || losses !== 1 || total !== 0),
    "it has no strategy": !isWorst && strategy === null,
    "its refutations are about no limit": !isWorst && refutations.length > 0,
    "it has losses without a limit": !isWorst && losses > 0 && (objective !== "losses" || limit === 0),
  };
  for (const [fault, is] of Object.entries(faults)) if (is) throw new Wrong(fault);
}

// ---- Step 3: the strategy

/** @param {Proof} proof @param {ProofLists} proofLists */
function checkStrategy({ statement, strategy }, { guesses, secrets }) {
  if (strategy === null) return;
  const { origin, hit } = strategy;
  for (const key of /** @type {(keyof ReadOrigin & keyof Statement)[]} */ (["game", "hard", ...LISTS])) {
    if (origin[key] !== statement[key]) throw new Wrong(`its strategy has another ${key}`);
  }
  const { start, guess_from: pool, limit } = statement;
  if (start !== "" && strategy.word(0) !== start) throw new Wrong(`its strategy does not open with ${quoted(start)}`);
  compareWith(strategy, guesses, secrets);
  if (pool !== undefined && origin.guess_from !== pool) throw new Wrong(`its strategy does not guess from ${pool}`);
  hit.forEach((is, node) => {
    const word = strategy.word(node);
    if (pool === undefined || is === 1 || (pool === "secrets" && strategy.solvedAt.has(word))) return;
    if (node !== 0 || word !== start) throw new Wrong(`${quoted(word)} is guessed, which is not from ${pool}`);
  });
  const taken = [...strategy.games.taken.values()];
  const worst = taken.reduce((most, number) => Math.max(most, number), 0);
  const losses = limit === 0 ? 0 : taken.filter((number) => number > limit).length;
  const total = taken.reduce((sum, number) => sum + number, 0);
  const isExact = losses === statement.losses && total === statement.total;
  if (statement.objective === "worst" ? worst > limit + 1 : !isExact) {
    throw new Wrong(`its strategy loses ${losses}, takes ${grouped(total)} guesses, ${worst} at most`);
  }
}

// ---- The board: guesses, secrets and their scores

/** The guesses that a statement leaves, the secrets, and the score of each two by letters or pegs. */
class Board {
  /** @param {Proof} proof @param {ProofLists} proofLists */
  constructor({ statement: { start, guess_from: pool }, isPegs }, { guesses, secrets }) {
    const open = new Set([...secrets, start]);
    this.guesses = pool === undefined ? guesses : guesses.filter((word) => open.has(word));
    this.alphabet = [...new Set(this.guesses.join(""))].sort(byCodePoints);
    this.length = [...guesses[0]].length;
    this.start = this.guesses.indexOf(start);
    const numbers = new Map(this.alphabet.map((letter, k) => [letter, k]));
    this.letters = Uint8Array.from([...this.guesses.join("")], (letter) => /** @type {number} */ (numbers.get(letter)));
    const places = new Map(this.guesses.map((word, k) => [word, k]));
    this.guessOf = Int32Array.from(secrets, (word) => /** @type {number} */ (places.get(word)));
    this.secretOf = new Int32Array(this.guesses.length).fill(-1);
    this.guessOf.forEach((guess, secret) => (this.secretOf[guess] = secret));
    this.isPegs = isPegs;
    this.graded = new Uint8Array(secrets.length);
    this.nScores = isPegs ? (this.length + 1) ** 2 : 3 ** this.length;
    const type = /** @type {typeof Uint8Array | typeof Uint16Array | typeof Uint32Array} */ (
      [Uint8Array, Uint16Array, Uint32Array].find((each) => this.nScores <= 256 ** each.BYTES_PER_ELEMENT)
    );
    try {
      this.scores = new type(this.guesses.length * secrets.length);
    } catch {
      throw new EngineError("the scores of its lists need more memory than there is", 3);
    }
  }

  /**
   * Where the scores of all guesses against a secret begin; they are made when they are first needed.
   * @param {number} secret
   */
  row(secret) {
    const { guesses: { length: count }, letters, length } = this;
    if (this.graded[secret] === 0) {
      const hidden = letters.subarray(this.guessOf[secret] * length, (this.guessOf[secret] + 1) * length);
      const scores = this.scores.subarray(secret * count, (secret + 1) * count);
      grade(letters, hidden, this.alphabet.length, this.isPegs, scores);
      this.graded[secret] = 1;
    }
    return secret * count;
  }
}

/**
 * The scores of all guesses against a secret. A letter that is not green is yellow if the secret has a copy that is
 * neither green nor spent on a yellow before. Greens and yellows are as many as the letters that both have, and so are
 * black and white pegs.
 * @param {Uint8Array} letters @param {Uint8Array} secret @param {number} nLetters @param {boolean} isPegs
 * @param {Uint8Array | Uint16Array | Uint32Array} scores
 */
function grade(letters, secret, nLetters, isPegs, scores) {
  const { length } = secret;
  const copies = new Uint8Array(nLetters);
  for (const letter of secret) copies[letter] += 1;
  for (let guess = 0, first = 0; guess < scores.length; guess += 1, first += length) {
    let score = 0;
    for (let at = 0, worth = 1; at < length; at += 1, worth *= isPegs ? 1 : 3) {
      const letter = letters[first + at];
      if (letter === secret[at]) score += isPegs ? length + 1 : 2 * worth;
      else if (copies[letter] > 0) {
        let spent = 0;
        for (let other = 0; other < length; other += 1) {
          if (letters[first + other] === letter && (other < at || letter === secret[other])) spent += 1;
        }
        if (spent < copies[letter]) score += worth;
      }
    }
    scores[guess] = score;
  }
}

// ---- Hard mode

/** What has been shown: greens by place (−1: none), and for each letter how often it must be used. */
export class Shown {
  /** @param {Int16Array} greens @param {Uint8Array} counts */
  constructor(greens, counts) {
    this.greens = greens;
    this.counts = counts;
    this.key = String.fromCharCode(...greens.map((green) => green + 1), ...counts);
    this.used = [...counts.keys()].filter((letter) => counts[letter] > 0);
  }

  /**
   * As `greens|letters`, written exactly so.
   * @param {string} text @param {{alphabet: string[], length: number}} board
   * @returns {Shown}
   */
  static read(text, { alphabet, length }) {
    const [greens, letters, ...more] = text.split("|").map((part) => [...part]);
    const isRight = letters?.length <= length && more.length === 0 && greens.length === length &&
      greens.every((sign) => sign === "." || alphabet.includes(sign)) &&
      letters.every((sign, k) => alphabet.includes(sign) && (k === 0 || byCodePoints(letters[k - 1], sign) <= 0));
    if (!isRight) throw new Wrong(`${quoted(text)} is nothing that hard mode has shown`);
    const counts = Uint8Array.from(alphabet, (letter) => letters.filter((sign) => sign === letter).length);
    return new Shown(Int16Array.from(greens, (sign) => alphabet.indexOf(sign)), counts);
  }

  /**
   * With what one more guess has shown by its score: greens, and letters as often as it showed them.
   * @param {{letters: Uint8Array, length: number}} board @param {number} guess @param {number} score
   * @returns {Shown}
   */
  after({ letters, length }, guess, score) {
    const greens = this.greens.slice();
    const now = new Uint8Array(this.counts.length);
    for (let at = 0, rest = score; at < length; at += 1, rest = Math.floor(rest / 3)) {
      const letter = letters[guess * length + at];
      if (rest % 3 === 2) greens[at] = letter;
      if (rest % 3 > 0) now[letter] += 1;
    }
    return new Shown(greens, now.map((count, letter) => Math.max(count, this.counts[letter])));
  }

  /**
   * Whether a guess has every green in its place, and every letter as often as it must be used.
   * @param {{letters: Uint8Array, length: number}} board @param {number} guess
   */
  allows({ letters, length }, guess) {
    const first = guess * length;
    for (let at = 0; at < length; at += 1) {
      if (this.greens[at] >= 0 && letters[first + at] !== this.greens[at]) return false;
    }
    for (const letter of this.used) {
      let missing = this.counts[letter];
      for (let at = 0; at < length; at += 1) missing -= Number(letters[first + at] === letter);
      if (missing > 0) return false;
    }
    return true;
  }

  /**
   * Whether nothing is shown here that another one has not shown (Lemma 14).
   * @param {Shown} other
   */
  isWithin(other) {
    return this.greens.every((green, at) => green < 0 || green === other.greens[at]) &&
      this.counts.every((count, letter) => count <= other.counts[letter]);
  }
}

// ---- Steps 4 to 6

/**
 * A set as a key of a map, which compares member by member: 2^30 scores leave no position above 2^16.
 * @param {Iterable<number>} set
 */
const keyOf = (set) => String.fromCharCode(...set);

class Checker {
  /** @param {Proof} proof @param {ProofLists} lists @param {Sample | null} drawn @param {OnProgress} onProgress */
  constructor(proof, lists, drawn, onProgress) {
    const { statement, isPegs } = proof;
    const board = new Board(proof, lists);
    this.proof = proof;
    this.statement = statement;
    this.isPegs = isPegs;
    this.board = board;
    this.onProgress = onProgress;
    this.pool = statement.guess_from;
    this.isDrawn = () => drawn === null || drawn.next();
    this.price = statement.objective === "worst" ? 0 : 1;
    this.isFree = !statement.hard && this.pool !== "candidates"; // every guess is legal in every state
    this.all = Int32Array.from(board.guesses.keys());
    this.whole = Int32Array.from(lists.secrets.keys());
    this.seen = new Float64Array(board.nScores);
    this.time = 0;
    /** @type {ProvedClaim[]} */
    this.claims = []; // in their order, and by set
    /** @type {Map<string, ProvedClaim[]>} */
    this.bySet = new Map();
    /** @type {Map<string, {bound: number, isExact: boolean}>} */
    this.bounds = new Map();
    /** @type {(Shown | null)[]} */
    this.shown = [];
    /** @type {Symmetry[]} */
    this.symmetries = [];
    /** @type {Map<number, number>} */
    this.places = new Map(); // of codes, once symmetries are read
    const rows = isPegs || proof.claims.length > 0 ? this.#rows(this.whole) : null;
    this.inAll = this.all.slice().fill(board.nScores); // parts of all secrets, or more; then what is asked for claims
    this.inAll = rows === null ? this.inAll : this.all.map((guess) => this.#parts([guess], rows));
    this.most = isPegs ? this.#parts(this.all, /** @type {Int32Array} */ (rows)) - 1 : Infinity; // s of Lemma 1a
  }

  check() {
    const { statement: { hard }, shown, symmetries, claims, refutations } = this.proof;
    if (!hard && shown.some((text) => text !== "")) throw new Wrong("something is shown without hard mode");
    this.shown = shown.map((text) => (hard ? Shown.read(text, this.board) : null));
    this.symmetries = symmetries.map((bytes) => this.#symmetry(bytes));
    [...refutations, ...claims].forEach((step, done, steps) => {
      if (done < refutations.length) this.#checkRefutation(/** @type {Refutation} */ (step), `refutation ${done + 1}`);
      else this.#checkClaim(/** @type {Claim} */ (step), `claim ${done - refutations.length + 1}`);
      this.onProgress(done + 1, steps.length + 1);
    });
    this.#checkStatement();
  }

  /**
   * Where the scores of each candidate begin.
   * @param {Int32Array} set
   */
  #rows = (set) => set.map((secret) => this.board.row(secret));

  /**
   * The most parts that one of some guesses `without` others makes. If none makes more than `few`, it is `few`.
   * @param {ArrayLike<number>} guesses @param {ArrayLike<number>} rows @param {number} [few]
   * @param {Set<number> | null} [without]
   */
  #parts(guesses, rows, few = 0, without = null) {
    const { seen, inAll, board: { scores } } = this;
    const n = rows.length;
    for (let g = 0; g < guesses.length && few < n; g += 1) {
      const guess = guesses[g];
      if (inAll[guess] <= few || without?.has(guess)) continue;
      const time = (this.time += 1);
      let most = n;
      for (let k = 0; k < n; k += 1) {
        const score = scores[rows[k] + guess];
        most -= Number(seen[score] === time);
        if (most <= few) break;
        seen[score] = time;
      }
      few = Math.max(few, most);
    }
    return few;
  }

  /**
   * Whether a guess leaves all of a set in one bucket.
   * @param {number} guess @param {ArrayLike<number>} rows
   */
  #isUndivided(guess, rows) {
    const { scores } = this.board;
    const score = scores[rows[0] + guess];
    for (let k = 1; k < rows.length; k += 1) if (scores[rows[k] + guess] !== score) return false;
    return true;
  }

  /**
   * Lemma 1a: the cost of `n` candidates of which `first` have depth 1, `second` depth 2, and so on. Of words `most` is
   * infinite, since they are not known to have few scores: these are Lemmas 1 and 2.
   * @param {number} n @param {number} left @param {number} first @param {number} second
   */
  #depths(n, left, first, second) {
    let [sum, lost] = [0, 0];
    for (let depth = 1, room = first, rest = n; rest > 0; depth += 1) {
      if (room === 0 && depth > 1) return Infinity; // no guess makes one part of a set and is one of several
      const here = Math.min(room, rest);
      sum += depth * here;
      if (depth > left) lost += here;
      rest -= here;
      room = depth === 1 ? second : room * this.most;
    }
    return sum * this.price + lost * LOSS;
  }

  /**
   * The most parts with which Lemma 2 reaches a value: it falls with their number.
   * @param {number} n @param {number} left @param {number} hit @param {number} value
   */
  #few(n, left, hit, value) {
    let parts = n;
    while (parts > 0 && this.#depths(n, left, hit, parts - hit) < value) parts -= 1;
    return parts;
  }

  /**
   * The legal guesses of a state, of those that were legal before.
   * @param {ProofState} proofState @param {Int32Array} [before]
   */
  #legal({ set, shown }, before = this.all) {
    if (this.pool === "candidates") return set.map((secret) => this.board.guessOf[secret]);
    return shown === null ? before : before.filter((guess) => shown.allows(this.board, guess));
  }

  /**
   * The one-step bound: the least of Lemma 2 over all legal guesses; or one below it that is not below a `goal`.
   * @param {ProofState} state @param {Int32Array} before @param {number} goal
   */
  #oneStep(state, before, goal) {
    const { set, left, shown } = state;
    const key = `${keyOf(set)}|${left}|${shown?.key ?? ""}`;
    const kept = this.bounds.get(key);
    if (kept !== undefined && (kept.isExact || kept.bound >= goal)) return kept.bound;
    const [n, rows] = [set.length, this.#rows(set)];
    /** @param {number} guess */
    const isLegal = (guess) => this.pool === "candidates" || shown === null || shown.allows(this.board, guess);
    const own = set.map((secret) => this.board.guessOf[secret]).filter(isLegal);
    let isExact = true;
    let bound = own.length === 0 ? Infinity : this.#depths(n, left, 1, this.#parts(own, rows) - 1);
    if (this.pool !== "candidates") {
      const few = this.#few(n, left, 0, Math.min(goal, bound)); // with more parts it costs less
      const most = this.#parts(this.#legal(state, before), rows, few, new Set(own));
      isExact = bound <= goal || most > few; // if no guess makes more, none costs less than the goal
      if (most > 1) bound = Math.min(bound, this.#depths(n, left, 0, most));
    }
    if (this.bounds.size >= MOST_BOUNDS) this.bounds.clear();
    this.bounds.set(key, { bound, isExact });
    return bound;
  }

  /**
   * Lemma 6: whether a guess costs a value by the bounds of its buckets. `legal` are the guesses of the state.
   * @param {ProofState} proofState @param {number} guess @param {number} value @param {Int32Array} legal
   */
  #addsUp({ set, left, shown }, guess, value, legal) {
    const { board } = this;
    const after = left === 1 ? Infinity : left - 1;
    const buckets = new Map();
    for (const secret of set) {
      const score = board.scores[board.row(secret) + guess];
      if (!buckets.has(score)) buckets.set(score, []);
      if (board.secretOf[guess] !== secret) buckets.get(score).push(secret); // its own bucket is solved
    }
    let sum = set.length * this.price;
    for (const [score, members] of buckets) {
      const bucket = { set: Int32Array.from(members), left: after, score, bound: 0 };
      bucket.bound = this.#depths(members.length, after, 1, this.most); // Lemma 1
      sum += bucket.bound + (left === 1 ? members.length * LOSS : 0);
      buckets.set(score, bucket);
    }
    /** @param {ProofBucket} bucket @param {number} bound */
    const raise = (bucket, bound) => {
      sum += Math.max(bound - bucket.bound, 0);
      bucket.bound = Math.max(bound, bucket.bound);
    };
    const large = [...buckets.values()].filter((bucket) => bucket.set.length > 2);
    for (const bucket of large) {
      bucket.shown = shown === null ? null : shown.after(board, guess, bucket.score);
      for (const claim of this.bySet.get(keyOf(bucket.set)) ?? []) { // about exactly this set: Lemma 14
        if (claim.left >= after && (shown === null || claim.shown?.isWithin(bucket.shown))) raise(bucket, claim.value);
      }
    }
    for (const claim of this.isFree && set.length === this.whole.length ? this.claims : []) { // Lemma 13
      if (claim.set.length < 2 || claim.left < after || !this.#isUndivided(guess, claim.rows)) continue;
      const bucket = buckets.get(board.scores[claim.rows[0] + guess]);
      raise(bucket, claim.value + (bucket.set.length - claim.set.length) * this.price);
    }
    for (const bucket of large.sort((one, other) => other.set.length - one.set.length)) {
      if (sum >= value) break;
      raise(bucket, this.#oneStep(bucket, legal, value - sum + bucket.bound));
    }
    return sum >= value;
  }

  /**
   * Theorem 1: every legal guess that tells something costs a value; of those alike (Lemma 5a) one is enough.
   * @param {ProofState} state @param {number} value @param {Symmetry[]} symmetries @param {() => boolean} isDrawn
   * @param {string} name
   */
  #check(state, value, symmetries, isDrawn, name) {
    const { set, left } = state;
    const [rows, own] = [this.#rows(set), new Set(set)];
    const few = [0, 1].map((hit) => this.#few(set.length, left, hit, value));
    const legal = this.#legal(state);
    for (const guess of this.#lowest(legal, symmetries)) {
      const hit = Number(own.has(this.board.secretOf[guess]));
      const parts = this.#parts([guess], rows, few[hit]);
      if (parts <= few[hit] || (parts === 1 && hit === 0) || !isDrawn()) continue; // Lemma 2, Lemma 15
      if (!this.#addsUp(state, guess, value, legal)) {
        throw new Wrong(`${name} does not follow: ${quoted(this.board.guesses[guess])} may cost less`);
      }
    }
  }

  /**
   * A symmetry: the code to which it maps a code.
   * @param {Uint8Array} bytes
   * @returns {Symmetry}
   */
  #symmetry(bytes) {
    const { length, letters, alphabet: { length: nColours } } = this.board;
    const [holes, colours] = [bytes.subarray(0, length), bytes.subarray(length)];
    /** @param {Uint8Array} numbers */
    const isPermutation = (numbers) => numbers.slice().sort().every((number, k) => number === k);
    if (!isPermutation(holes) || !isPermutation(colours)) throw new Wrong("one of its symmetries is no permutation");
    /** @param {Uint8Array} code */
    const placeOf = (code) => code.reduce((place, colour) => place * nColours + colour, 0);
    /** @param {number} code */
    const codeOf = (code) => letters.subarray(code * length, (code + 1) * length);
    if (this.places.size === 0) for (const code of this.all) this.places.set(placeOf(codeOf(code)), code);
    const imageOf = (/** @type {number} */ code) => holes.map((hole) => colours[letters[code * length + hole]]);
    return (code) => /** @type {number} */ (this.places.get(placeOf(imageOf(code))));
  }

  /**
   * Of guesses that are alike by symmetries the lowest.
   * @param {Int32Array} guesses @param {Symmetry[]} symmetries
   */
  #lowest(guesses, symmetries) {
    if (symmetries.length === 0) return guesses;
    const lower = this.all.slice();
    /** @param {number} code */
    const lowest = (code) => {
      while (lower[code] !== code) code = lower[code] = lower[lower[code]];
      return code;
    };
    for (const map of symmetries) {
      for (const code of this.all) {
        const [one, other] = [lowest(code), lowest(map(code))];
        lower[Math.max(one, other)] = Math.min(one, other);
      }
    }
    return guesses.filter((guess) => lowest(guess) === guess);
  }

  /** The exchanges of two neighbouring holes and of two neighbouring colours, of which all symmetries are made. */
  #exchanges() {
    const parts = [this.board.length, this.board.alphabet.length].map((size) => [...Array(size).keys()]);
    /** @param {number[]} number @param {number} at @returns {number[]} */
    const exchanged = ([...numbers], at) => [...numbers.slice(0, at), at + 1, at, ...numbers.slice(at + 2)];
    const [holes, colours] = parts.map((numbers) => numbers.slice(1).map((_, at) => exchanged(numbers, at)));
    const found = [...holes.map((some) => [...some, ...parts[1]]), ...colours.map((some) => [...parts[0], ...some])];
    return found.map((bytes) => this.#symmetry(Uint8Array.from(bytes)));
  }

  /**
   * Step 4, by Theorem 2. What a refutation cites stands before it, or the file cannot be read.
   * @param {Refutation} refutation @param {string} name
   */
  #checkRefutation({ set, left, cited }, name) {
    const members = new Set(set);
    const cores = Array.from(cited, (position) => this.proof.refutations[position]);
    /** @param {Refutation} core */
    const fits = (core) => core.left >= left - 1 && core.set.every((secret) => members.has(secret));
    if (set.length < 2 || !cores.every(fits)) throw new Wrong(`${name} is about one, or cites what does not fit`);
    if (left === 1 || !this.isDrawn()) return;
    const rows = this.#rows(set);
    const within = cores.map((core) => this.#rows(core.set));
    for (const guess of this.all) {
      if (left === 2 ? this.#parts([guess], rows) < set.length : this.#isUndivided(guess, rows)) continue;
      if (within.some((core) => this.#isUndivided(guess, core))) continue; // Lemma 7a
      throw new Wrong(`${name} does not follow: ${quoted(this.board.guesses[guess])} may solve it`);
    }
  }

  /**
   * Step 5. Of a claim about all secrets a sample looks at some guesses.
   * @param {Claim} claim @param {string} name
   */
  #checkClaim({ left, value, set, shown, fixing, images }, name) {
    const { secretOf, guessOf } = this.board;
    const members = new Set(set);
    const state = { set, left, shown: this.shown[shown] };
    /** @param {Symmetry} map */
    const imageOf = (map) => set.map((secret) => secretOf[map(guessOf[secret])]).sort();
    const own = Array.from(fixing, (position) => this.symmetries[position]);
    /** @param {Symmetry} map */
    const isOnto = (map) => imageOf(map).every((secret) => members.has(secret));
    if (!own.every(isOnto)) throw new Wrong(`${name} names a symmetry that does not map its set onto itself`);
    const isWhole = set.length === this.whole.length;
    if (isWhole || this.isDrawn()) this.#check(state, value, own, isWhole ? this.isDrawn : () => true, name);
    for (const each of [set, ...Array.from(images, (position) => imageOf(this.symmetries[position]))]) {
      const claim = { ...state, set: each, value, rows: this.#rows(each) };
      this.claims.push(claim);
      const key = keyOf(each);
      if (!this.bySet.has(key)) this.bySet.set(key, []);
      /** @type {ProvedClaim[]} */ (this.bySet.get(key)).push(claim);
    }
  }

  /** Step 6. */
  #checkStatement() {
    const { board, statement: { objective, start, limit, losses, total, hard } } = this;
    if (start !== "" && board.start < 0) throw new Wrong(`${quoted(start)} is no guess`);
    /** @param {Int32Array} set */
    const isUndivided = (set) => start !== "" && this.#isUndivided(board.start, this.#rows(set));
    /** @param {Refutation} refutation */
    const isRefuted = ({ set, left }) => left >= limit || (left >= limit - 1 && isUndivided(set)); // Lemmas 7 and 7a
    if (objective === "worst" && this.proof.refutations.some(isRefuted)) return;
    const value = losses * LOSS + total;
    const nothing = hard ? Shown.read(`${".".repeat(board.length)}|`, board) : null;
    const state = { set: this.whole, left: limit || Infinity, shown: nothing };
    if (start === "") {
      this.#check(state, value, this.isPegs ? this.#exchanges() : [], this.isDrawn, "the statement");
    } else if (!this.#addsUp(state, board.start, value, this.all)) {
      throw new Wrong(`the statement does not follow: ${quoted(start)} may cost less`);
    }
  }
}
