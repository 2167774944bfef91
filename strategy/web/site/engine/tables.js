// The tables that searches by a rule work from, laid out in the memory of kernels exactly as Python
// lays them out: columns of letters, rows of bits, room for the search, rows of scores.
//
// What is here is layout. Each function stands for one of solver/rules/letter_bits.py,
// solver/game/score_matrix.py or solver/splits/measures.py, and a test compares every table.

import { upTo } from "./maps.js";

/**
 * @import { KernelArray, Memory } from "./memory.js"
 * @import { Criterion, Engine, Ids, KernelName, LetterBits } from "./types.js"
 */

/** Above every cost that a rule can give. */
export const NO_COST = 1n << 61n;
/** Letters that are numbered whether they occur or not; the least columns of a word. */
export const FEWEST_LETTERS = 26;
const UNROLLED = 5;
const LINE = 64;
/** As in letter_bits.py. */
const BLOCK = 8;
const BLOCK_GUESSES = 512;
const [LETTERS, MOST_LETTERS] = [32, 64];
const MOST_MADE = 4096;
const BIT = 1 << 20;
const [ANY, PARTS, SQUARES, LOGARITHMS] = [0, 1, 2, 3];

// ---- Rules

/**
 * All one-step rules: what a bucket's growing from k to k + 1 adds to the cost, and the kind.
 * @typedef {(n: number, engine: Engine) => BigInt64Array} Steps
 * @typedef {{steps: Steps, kind: number, byLargest?: boolean, bonus?: boolean}} Rule
 * @type {Record<string, Rule>}
 */
export const RULES = {
  minimax: { steps: (n) => numbers(n, (k) => k + 1), byLargest: true, kind: ANY },
  entropy: { steps: logWeightSteps, kind: LOGARITHMS },
  "expected-size": { steps: (n) => numbers(n, (k) => 2 * k + 1), kind: SQUARES },
  parts: { steps: (n) => numbers(n, (k) => Number(k > 0)), kind: PARTS },
  proportion: { steps: (n) => numbers(n, (k) => 2 * k + 1), bonus: true, kind: SQUARES },
};

/** @param {number} n @param {(k: number) => number} value */
function numbers(n, value) {
  return BigInt64Array.from({ length: n }, (_, k) => BigInt(value(k)));
}

/**
 * A rule for states of up to so many candidates, as kernels see it.
 * @param {Engine} engine @param {string} name @param {number} candidates @param {boolean} fromPool
 * @returns {Criterion}
 */
export function criterion(engine, name, candidates, fromPool) {
  const { memory } = engine;
  const rule = RULES[name];
  const steps = rule.steps(candidates, engine);
  const weights = new BigInt64Array(candidates + 1);
  steps.forEach((step, k) => {
    weights[k + 1] = weights[k] + step;
  });
  return {
    steps: memory.of("int64", steps),
    weights: memory.of("int64", weights),
    by_largest: rule.byLargest ?? false,
    candidate_bonus: rule.bonus ?? false,
    kind: rule.kind,
    from_pool: fromPool,
  };
}

/**
 * By how much k * log2(k) grows at each k below n, in units of 2 ** -40.
 * @param {number} n @param {Engine} engine
 */
function logWeightSteps(n, { memory, kernels }) {
  return memory.scratch(() => {
    const weights = memory.array("int64", n + 1);
    kernels.call("fill_log_weights", weights);
    const { data } = weights;
    return BigInt64Array.from({ length: n }, (_, k) => data[k + 1] - data[k]);
  });
}

// ---- Columns of letters

/**
 * The letters of some guesses as numbers, row by row.
 * @param {{letters: Uint8Array, length: number}} rules @param {Ids} ids
 */
export const lettersAt = ({ letters, length }, ids) => (
  rowsAt(letters, length, ids, new Uint8Array(ids.length * length))
);

/**
 * Some rows of so many numbers each, put into an array.
 * @template {Uint8Array | Int32Array} T @param {T} all @param {number} width @param {Ids} ids @param {T} found
 */
function rowsAt(all, width, ids, found) {
  ids.forEach((id, at) => found.set(all.subarray(id * width, (id + 1) * width), at * width));
  return found;
}

/**
 * The same in the memory of kernels.
 * @param {Memory} memory @param {{letters: Uint8Array, length: number}} rules @param {Ids} ids
 */
export function wordsOf(memory, rules, ids) {
  return memory.of("uint8", lettersAt(rules, ids), [ids.length, rules.length]);
}

/**
 * How many letters there are to number for some words.
 * @param {Uint8Array} letters
 */
function lettersIn(letters) {
  return Math.max(FEWEST_LETTERS, letters.reduce((most, letter) => Math.max(most, letter), 0) + 1);
}

/**
 * The columns that scores are summed from, of words as numbers of letters: `terms` in memory, the
 * others not.
 * @param {Engine} engine @param {Uint8Array} letters @param {number} length
 */
export function takeApart({ memory, kernels }, letters, length) {
  const count = letters.length / length;
  const alphabet = lettersIn(letters);
  const terms = memory.array("int32", [count, Math.max(length, UNROLLED)]);
  const [letter, places] = memory.scratch(() => {
    const words = memory.of("uint8", letters, [count, length]);
    const known = memory.array("int32", [alphabet, 1 << length]);
    kernels.call("find_terms", words, known, terms);
    const found = [[0], [0]];
    known.data.forEach((column, at) => {
      if (column !== 0) {
        found[0].push(at >> length);
        found[1].push(at & ((1 << length) - 1));
      }
    });
    return found.map((row) => Int32Array.from(row));
  });
  const first = new Int32Array(alphabet + 1);
  for (let column = 1; column < letter.length; column += 1) first[letter[column] + 1] += 1;
  first[0] = 1;
  for (let at = 0; at < alphabet; at += 1) first[at + 1] += first[at];
  return { terms, first, letter, places };
}

/**
 * The items of scores: a byte for words of up to five letters, else four.
 * @param {{length: number}} of
 * @returns {"uint8" | "uint32"}
 */
export const scoreType = ({ length }) => (length <= 5 ? "uint8" : "uint32");

/**
 * How many bytes a score takes.
 * @param {{length: number}} of
 */
export const bytesOfScore = ({ length }) => (length <= 5 ? 1 : 4);

/**
 * A kernel for words of up to five letters, and its name for longer ones.
 * @template {KernelName} N @param {N} name @param {{length: number}} of
 * @returns {N}
 */
export const long = (name, { length }) => (length <= 5 ? name : /** @type {any} */ (`${name}_long`));

/**
 * What a letter adds to scores, by its places in guess and secret.
 * @param {Engine} engine @param {{length: number}} of
 */
export function sharesOf({ memory, kernels }, of) {
  const sets = 1 << of.length;
  const shares = memory.array(scoreType(of), [sets, sets]);
  kernels.call(long("fill_shares", of), shares, of.length);
  return shares;
}

/**
 * How many bytes so many scores take, with room behind them: whole lines of memory.
 * @param {{length: number}} of @param {number} count
 */
export function rowBytes(of, count) {
  return (Math.floor((count * bytesOfScore(of)) / LINE) + 1) * LINE;
}

// ---- Rows of bits

/**
 * A pool of guesses and the secrets of a game, taken apart: `letter_bits` of Python.
 * @param {Engine} engine @param {Uint8Array} letters @param {number} length @param {Ids} own @param {boolean} inOrder
 * @returns {LetterBits}
 */
export function letterBits(engine, letters, length, own, inOrder) {
  const { memory } = engine;
  const { terms, first, letter, places } = takeApart(engine, letters, length);
  const words = letters.length / length;
  const count = letter.length;
  const alphabet = first.length - 1;
  const most = mostColumns(first);
  const blocks = Math.ceil(words / BLOCK_GUESSES);
  const fixed = 2 + count + alphabet + alphabet * alphabet;
  const spare = 2 * length * (most + 1);
  const width = (blocks + 1) * BLOCK;
  const rows = memory.array("uint64", (fixed + spare + MOST_MADE) * width, null);
  fill(rows, fixed, width, terms.data, words, letter, alphabet);
  const shares = memory.array(scoreType({ length }), [count, most + 1]);
  memory.scratch(() => {
    const [each, data] = [sharesOf(engine, { length }).data, shares.data];
    for (let column = 1; column < count; column += 1) {
      for (let k = 0; k < most; k += 1) {
        const other = Math.min(first[letter[column]] + k, count - 1);
        data[column * (most + 1) + k + 1] = each[(places[column] << length) + places[other]];
      }
    }
  });
  const side = alphabet <= LETTERS ? LETTERS : MOST_LETTERS;
  const held = memory.array(length <= 5 ? "uint8" : "uint16", [own.length, side]);
  const wide = terms.shape[1];
  for (let secret = 0, data = held.data, all = terms.data; secret < own.length; secret += 1) {
    for (let at = 0; at < wide; at += 1) {
      const term = all[own[secret] * wide + at];
      if (term > 0) data[secret * side + letter[term]] = term - first[letter[term]] + 1;
    }
  }
  const lettersAt = 2 + count;
  const either = memory.array("int32", [alphabet, alphabet], null);
  for (let k = 0, data = either.data; k < data.length; k += 1) {
    data[k] = (lettersAt + alphabet + k) * width;
  }
  return {
    terms: memory.of("uint32", terms.data, terms.shape),
    letter: memory.of("uint32", letter),
    first: memory.of("int32", first),
    shares,
    held,
    bits: rows,
    everyone: width,
    columns: 2 * width,
    letters: lettersAt * width,
    width,
    blocks,
    either,
    spare: fixed * width,
    apart: memory.array("int32", [count, most + 1]),
    room: memory.of("int32", [(fixed + spare) * width, MOST_MADE]),
    ...inOrderOfColumns(memory, terms.data, wide, inOrder ? words : 0, count),
  };
}

/** @param {Int32Array} first */
function mostColumns(first) {
  let most = 0;
  for (let at = 1; at < first.length; at += 1) most = Math.max(most, first[at] - first[at - 1]);
  return most;
}

/**
 * The rows that stay: of all words, of columns, of letters and of two letters each.
 * @param {KernelArray<"uint64">} rows @param {number} fixed @param {number} width @param {Int32Array} terms
 * @param {number} words @param {Int32Array} letter @param {number} alphabet
 */
function fill(rows, fixed, width, terms, words, letter, alphabet) {
  const row = 2 * width;
  const data = new Uint32Array(rows.memory.buffer, rows.address, rows.length * 2);
  const wide = terms.length / words;
  data.fill(0, 0, fixed * row);
  for (let word = 0; word < words; word += 1) {
    const cell = word >> 5;
    const bit = 1 << (word & 31);
    data[row + cell] |= bit;
    for (let at = 0; at < wide; at += 1) {
      const term = terms[word * wide + at];
      if (term > 0) data[(2 + term) * row + cell] |= bit;
    }
  }
  const having = 2 + letter.length;
  /** @param {number} target @param {number} source */
  const join = (target, source) => {
    for (let at = 0; at < row; at += 1) data[target * row + at] |= data[source * row + at];
  };
  for (let column = 1; column < letter.length; column += 1) join(having + letter[column], 2 + column);
  for (let one = 0; one < alphabet; one += 1) {
    for (let other = one; other < alphabet; other += 1) {
      const pair = having + alphabet + one * alphabet + other;
      join(pair, having + one);
      join(pair, having + other);
    }
  }
}

/**
 * The guesses in the order of their columns, those first that most guesses have.
 * @param {Memory} memory @param {Int32Array} terms @param {number} wide @param {number} words @param {number} count
 */
function inOrderOfColumns(memory, terms, wide, words, count) {
  const holders = new Int32Array(count);
  for (let at = 0; at < words * wide; at += 1) holders[terms[at]] += 1;
  holders[0] = 0;
  const column = Array.from(holders, (_, k) => k).sort((a, b) => holders[b] - holders[a] || a - b);
  const rank = new Int32Array(count);
  column.forEach((number, k) => {
    rank[number] = k;
  });
  const ranked = new Int32Array(words * wide);
  for (let word = 0; word < words; word += 1) {
    const some = ranked.subarray(word * wide, (word + 1) * wide);
    for (let at = 0; at < wide; at += 1) some[at] = rank[terms[word * wide + at]];
    some.sort();
  }
  /** @param {number} a @param {number} b */
  const compare = (a, b) => {
    for (let at = 0; at < wide; at += 1) {
      const less = ranked[a * wide + at] - ranked[b * wide + at];
      if (less !== 0) return less;
    }
    return a - b;
  };
  const order = upTo(words).sort(compare);
  const path = memory.array("uint32", [words, wide], null);
  const shared = memory.array("int32", Math.max(words, 1));
  const [paths, same] = [path.data, shared.data];
  order.forEach((guess, k) => {
    for (let at = 0; at < wide; at += 1) paths[k * wide + at] = column[ranked[guess * wide + at]];
    let at = 0;
    while (k > 0 && at < wide && paths[k * wide + at] === paths[(k - 1) * wide + at]) at += 1;
    same[k] = at;
  });
  return { order: memory.of("int32", order), path, shared };
}

/**
 * k * log2(k) for k up to so many, rounded; bounds need no more.
 * @param {number} most
 */
export function logarithms(most) {
  return BigInt64Array.from({ length: most + 1 }, (_, k) =>
    BigInt(Math.round(k * Math.log2(Math.max(k, 1)) * BIT)));
}

// ---- Rows of scores

/** The columns over some guesses, summed up for secrets whenever their rows are needed. */
export class ScoreRows {
  #columns;

  /**
   * Secrets and guesses as numbers of letters; rows are secrets.
   * @param {Engine} engine @param {Uint8Array} secrets @param {Uint8Array} guesses @param {number} length
   */
  constructor(engine, secrets, guesses, length) {
    const { memory, kernels } = engine;
    this.engine = engine;
    this.length = length;
    this.type = scoreType({ length });
    this.count = guesses.length / length;
    this.apart = takeApart(engine, secrets, length);
    this.width = rowBytes(this, this.count) / bytesOfScore(this);
    const letters = Math.max(lettersIn(secrets), lettersIn(guesses));
    this.sets = kernels.call("place_sets", memory.of("uint8", guesses, [this.count, length]), letters);
    const side = 1 << length;
    this.shares = memory.array(this.type, [side, side], null);
    memory.scratch(() => {
      const [each, data] = [sharesOf(engine, this).data, this.shares.data];
      each.forEach((share, at) => {
        data[(at % side) * side + (at >> length)] = share;
      });
    });
    this.#columns = memory.array(this.type, [this.apart.letter.length, this.width], null);
    memory.scratch(() => {
      const [letter, places] = [memory.of("int32", this.apart.letter), memory.of("int32", this.apart.places)];
      kernels.call(long("fill_columns", this), this.#columns, letter, places, this.sets, this.shares);
    });
  }

  /**
   * Bytes of the rows of so many secrets.
   * @param {number} secrets
   */
  bytes(secrets) {
    return secrets * this.width * bytesOfScore(this);
  }

  /**
   * The scores of all guesses against some secrets, in fresh memory.
   * @param {Ids} secrets
   */
  of(secrets) {
    const { memory, kernels } = this.engine;
    const scores = memory.array(this.type, [secrets.length, this.width], null);
    memory.scratch(() => {
      const wide = this.apart.terms.shape[1];
      const terms = memory.array("int32", [secrets.length, wide], null);
      rowsAt(this.apart.terms.data, wide, secrets, terms.data);
      kernels.call(long("add_columns", this), this.#columns, terms, scores, 0);
    });
    return scores.columns(this.count);
  }
}
