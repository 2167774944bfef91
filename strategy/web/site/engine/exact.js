// The score table of a state and the memory of exact searches, laid out as Python lays them out (see
// solver/exact/table_layout.py and solver/exact/kernels). What is here is layout: kernels search.

import { gradeCodes, isOfCodes } from "./codes.js";
import { upTo } from "./maps.js";
import { EngineError, KernelArray } from "./memory.js";
import { FEWEST_LETTERS, bytesOfScore, long, rowBytes, scoreType, sharesOf, takeApart, wordsOf } from "./tables.js";
import { grouped } from "./words.js";

/**
 * @import { Memory } from "./memory.js"
 * @import { Batch, Buckets, Ceilings, Engine, GuessRoom, Ids, KernelState, Memo, Problem, Revealed, Rules, ScoreTable,
 *   StateSearch, Work } from "./types.js"
 * @import { WordGame } from "./words.js"
 */

export { long, scoreType, sharesOf, wordsOf };

/** Words that tell too much for a score table, or that hard mode cannot spell. */
export class NoTable extends EngineError {}

/**
 * The positions of all guesses.
 * @param {Rules} rules
 */
export function allGuesses(rules) {
  return Int32Array.from(rules.guesses.keys());
}

/**
 * The positions of all secrets.
 * @param {Rules} rules
 */
export function allSecrets(rules) {
  return Int32Array.from(rules.secrets.keys());
}

/**
 * How many letters kernels number.
 * @param {WordGame} rules
 */
export function lettersOf(rules) {
  return Math.max(FEWEST_LETTERS, [...rules.alphabet].length);
}

// ---- The score table
//
// Scores are numbered by a byte, or by two, where some guess has more than 255 of them (long words).

/** What a lost answer costs; above every value. */
export const LOSS = 2 ** 32;
/** What is left where there is no limit. */
export const UNLIMITED = 100_000;

/** The most scores of a guess that numbers of one byte, and of two, are enough for. */
const [MOST_NARROW, MOST_WIDE] = [0xff, 0xffff];
/** Words of more letters have scores of four bytes. */
const LONGEST_SHORT = 5;
/** Scores that are made together take so many bytes. */
const STRIP_BYTES = 1 << 24;

/**
 * The items of the numbers of a table.
 * @param {ScoreTable} table
 */
const kindOf = (table) => table.parts.type;

/**
 * A number above all scores of a table, and above how many any guess has: `score_numbers` of Python.
 * @param {Pick<ScoreTable, "parts">} of
 */
function scoreNumbers({ parts }) {
  const [most = 0] = parts.data; // those with most parts come first
  return Math.max(MOST_NARROW + 1, (Math.floor(most / 64) + 1) * 64);
}

/**
 * As `score_table_of`, of all guesses and the secrets at some positions among them.
 * @param {Engine} engine @param {Rules} rules @param {Ids} ids @param {boolean} hard
 * @returns {ScoreTable}
 */
export function scoreTable(engine, rules, ids, hard) {
  const { memory, kernels } = engine;
  const [count, size] = [rules.guesses.length, ids.length];
  const width = Math.ceil(count / 64) * 64;
  const parts = memory.array("int32", count);
  const dense = numbered(engine, rules, width, parts, ids);
  const partsFirst = Int32Array.from(parts.data.keys())
    .sort((one, other) => parts.data[other] - parts.data[one] || one - other);
  const order = memory.of("int32", partsFirst);
  kernels.call("put_in_order", dense.slice(0, count), order);
  const rows = memory.array(dense.type, [width / 64, size, 64], null);
  kernels.call("cut", dense, rows);
  const counted = parts.data;
  const sorted = memory.of("int32", Int32Array.from(order.data, (guess) => counted[guess]));
  const found = memory.array(dense.type, width);
  const own = memory.of("int32", ids);
  const [spread, guess, secret, column] =
    kernels.call("describe_columns", order, sorted, own, count, found);
  return {
    rows, scores: dense, parts: found, spread, guess, secret, column, salt: saltOf(memory, size),
    ...spelled(engine, rules, guess, hard), hard, price: 1,
  };
}

/**
 * The scores of all guesses, renumbered densely, and zeros behind them; writes how many each has.
 * @param {Engine} engine @param {Rules} rules @param {number} width @param {KernelArray<"int32">} parts
 * @param {Ids} ids
 * @returns {KernelArray<"uint8" | "uint16">}
 */
function numbered(engine, rules, width, parts, ids) {
  const { memory, kernels } = engine;
  const size = ids.length;
  if (isOfCodes(rules) || rules.length <= LONGEST_SHORT) {
    const dense = memory.array("uint8", [width, size]);
    inStrips(engine, rules, allGuesses(rules), ids, (scores, first, end) => {
      const [codes, found] = kernels.call("dense_codes", scores, rules.nScores);
      kernels.call("renumber", scores, codes, dense.slice(first, end));
      parts.slice(first, end).data.set(found.data);
    });
    return dense;
  }
  const dense = memory.array(tellsMuch(engine, rules, ids) ? "uint16" : "uint8", [width, size]);
  inStrips(engine, rules, allGuesses(rules), ids, (scores, first, end) => {
    const found = kernels.call("number_widely", scores, rules.nScores, dense.slice(first, end));
    parts.slice(first, end).data.set(found.data);
  });
  const most = parts.data.reduce((found, count) => Math.max(found, count), 0);
  if (most <= MOST_WIDE) return dense;
  const word = rules.guesses[parts.data.indexOf(most)];
  throw new NoTable(
    `exact search allows at most ${grouped(MOST_WIDE)} different scores for a guess; '${word}' has ${grouped(most)} here`,
  );
}

/**
 * Whether some guess has more scores than a byte numbers.
 * @param {Engine} engine @param {Rules} rules @param {Ids} ids
 */
function tellsMuch(engine, rules, ids) {
  if (ids.length <= MOST_NARROW) return false;
  const { memory, kernels } = engine;
  let found = false;
  inStrips(engine, rules, allGuesses(rules), ids, (scores) => {
    const dense = memory.array("uint16", [scores.length, ids.length], null);
    found = kernels.call("number_widely", scores, rules.nScores, dense).data.some((count) => count > MOST_NARROW);
    return found;
  });
  return found;
}

/**
 * What grades some guesses against hidden words: their scores, row by row, in fresh memory.
 * @param {Engine} engine @param {Rules} rules @param {Ids} hidden
 * @returns {(guesses: Ids) => KernelArray<any>}
 */
export function graderOf(engine, rules, hidden) {
  if (isOfCodes(rules)) return (guesses) => gradeCodes(engine, rules, guesses, hidden);
  const { memory, kernels } = engine;
  const [candidates, shares] = [wordsOf(memory, rules, hidden), sharesOf(engine, rules)];
  const width = rowBytes(rules, hidden.length) / bytesOfScore(rules);
  return (guesses) => {
    const scores = memory.array(scoreType(rules), [guesses.length, width]);
    const words = wordsOf(memory, rules, guesses);
    kernels.call(long("score_words", rules), words, candidates, lettersOf(rules), shares, scores);
    return scores.columns(hidden.length);
  };
}

/**
 * The scores of guesses against hidden words, some guesses at a time: `count(scores, first, end)`, until
 * it answers true.
 * @param {Engine} engine @param {Rules} rules @param {Ids} every @param {Ids} hidden
 * @param {(scores: KernelArray<any>, first: number, end: number) => unknown} count
 */
export function inStrips(engine, rules, every, hidden, count) {
  const { memory } = engine;
  const stride = Math.max(1, Math.floor(STRIP_BYTES / rowBytes(rules, hidden.length)));
  memory.scratch(() => {
    const grade = graderOf(engine, rules, hidden);
    for (let start = 0; start < every.length; start += stride) {
      const some = every.subarray(start, start + stride);
      if (memory.scratch(() => count(grade(some), start, start + some.length)) === true) return;
    }
  });
}

/**
 * Some rows of the columns of an object.
 * @template {object} T @param {T} columns @param {number} begin @param {number} end
 * @returns {T}
 */
export function partOf(columns, begin, end) {
  const parts = Object.entries(columns).map(([name, column]) => (
    [name, column instanceof KernelArray ? column.slice(begin, end) : column]
  ));
  return Object.fromEntries(parts);
}

/** What a kernel says that could not spell words. */
const [TOO_OFTEN, TOO_LONG] = [1, 2];

/**
 * What hard mode has to know of each column.
 * @param {Engine} engine @param {Rules} rules @param {KernelArray<"int32">} guess @param {boolean} hard
 */
function spelled({ memory, kernels }, rules, guess, hard) {
  if (!hard || isOfCodes(rules)) {
    return {
      spelling: memory.array("uint64", 1),
      letters: memory.array("uint64", [1, 2]),
      places: memory.array("uint64", 0),
    };
  }
  const alphabet = lettersOf(rules);
  const spelling = memory.array("uint64", guess.length);
  const letters = memory.array("uint64", [guess.length, Math.ceil(alphabet / 13)]);
  const places = memory.array("uint64", rules.length);
  const words = memory.of("uint8", rules.letters, [rules.guesses.length, rules.length]);
  const outcome = kernels.call("spell_columns", words, guess, alphabet, spelling, letters, places);
  if (outcome === TOO_OFTEN) {
    throw new NoTable("exact search in hard mode allows a letter at most 7 times in a word");
  }
  if (outcome === TOO_LONG) {
    throw new NoTable("exact search in hard mode cannot handle this many letters in words this long");
  }
  return { spelling, letters, places };
}

/**
 * The table of a state below another, its rows numbered as in `members`: `narrowed` of Python. Its numbers
 * have one byte again as soon as that is enough.
 * @param {Engine} engine @param {ScoreTable} table @param {KernelArray<"int32">} members @param {Revealed} revealed
 * @returns {ScoreTable}
 */
export function narrowedTable({ memory, kernels }, table, members, revealed) {
  const size = members.length;
  const labels = memory.array(kindOf(table), [table.guess.length, size], null);
  const [found, parts, keys, place] = kernels.call("label_columns", table, members, revealed, labels);
  const columns = table.column.data;
  const own = memory.of("int32", Int32Array.from(members.data, (row) => columns[row]));
  const effects = kernels.call("column_effects", table, members, place, found, keys);
  const order = kernels.call("distinct_columns", labels.slice(0, found), effects, parts, keys, place, own);
  const width = Math.ceil(order.length / 64) * 64;
  const isNarrow = kindOf(table) === "uint8" || parts.data.every((count) => count <= MOST_NARROW);
  const kind = isNarrow ? "uint8" : kindOf(table);
  const scores = memory.array(kind, [width, size]);
  const [from, to] = [labels.data, scores.data];
  order.data.forEach((one, at) => to.set(from.subarray(one * size, (one + 1) * size), at * size));
  const rows = new KernelArray(memory, kind, [width / 64, size, 64], labels.address); // no label is wanted any more
  kernels.call("cut", scores, rows);
  const counted = memory.array(kindOf(table), width);
  const [spread, guess, secret, column, spelling, letters] =
    kernels.call("describe_narrowed", table, members, order, parts, place, counted);
  return {
    rows, scores, parts: memory.of(kind, counted.data), spread, guess, secret, column,
    salt: table.salt.slice(0, size), spelling, letters, places: table.places, hard: table.hard, price: table.price,
  };
}

/**
 * Words that mix rows into hashes; what is found does not depend on them.
 * @param {Memory} memory @param {number} count
 */
export function saltOf(memory, count) {
  const words = new BigUint64Array(count);
  let state = 20n;
  for (let at = 0; at < count; at += 1) {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    words[at] = mixed ^ (mixed >> 31n);
  }
  return memory.of("uint64", words);
}

// ---- Room for a search, laid out as solver/exact/kernels lays it out

const DEEPEST = 300;
const SHARED_ROWS = 1 << 17;
/** Tables of ceilings take so many bytes, and leave so many free; Python has room for more of them. */
const [TABLE_BYTES, FREE_BYTES] = [36_000_000, 34_000_000];
/** A bucket of fewer rows needs no list of guesses that outlives a search. */
const FEWEST = 3;
/** Lists of guesses take so many bytes, an item of them so many; then states nest less deep than in Python. */
const [LISTED_BYTES, ITEM_BYTES, SHALLOW] = [60_000_000, 14, 40];
/** The memo of a search has 2 ** so many slots, that of a state so many for each candidate. */
export const MEMO_BITS = 19;
const LEAST_BITS = 9;
export const REVEALED = 7;
/** Where a beam begins: at no level, with no question. */
const NOT_BEGUN = [-1n, 0n, -2n];

/**
 * The bits of the memo of a state: as many as so many candidates need, up to the most.
 * @param {number} count @param {number} [most]
 */
export const memoBitsFor = (count, most = MEMO_BITS) => Math.min(most, LEAST_BITS + 32 - Math.clz32(count));

/**
 * An empty memo of 2 ** bits slots for sets of rows with random words; hard mode sees so many of each.
 * @param {Memory} memory @param {KernelArray<"uint64">} salt @param {number} bits @param {number} [words]
 * @returns {Memo}
 */
export function newMemo(memory, salt, bits, words = 0) {
  const entries = 1 << (bits - 1);
  return {
    slots: memory.array("int32", 1 << bits, -1),
    facts: memory.unfilled("int64", entries, 8),
    revealed: memory.unfilled("uint64", words > 0 ? entries : 1, words),
    rows: memory.unfilled("int32", entries * 24),
    salt,
    used: memory.array("int64", 3),
  };
}

/**
 * An empty memo for the states of a table.
 * @param {Memory} memory @param {ScoreTable} table @param {number} bits
 */
export function memoOf(memory, table, bits) {
  return newMemo(memory, table.salt, bits, table.hard ? 2 + table.letters.shape[1] : 0);
}

/**
 * What a search works with; its lists have room for so many guesses each, its states nest so deep.
 * @param {Memory} memory @param {ScoreTable} table @param {number} count
 * @param {{lists: number, width?: number, memoBits: number, deepest?: number}} room
 * @returns {Work}
 */
export function workspace(memory, table, count, { lists, width = table.guess.length, memoBits, deepest = DEEPEST }) {
  const levels = Math.min(count, deepest) + 1;
  const tries = width * (levels + lists);
  const numbers = scoreNumbers(table);
  const some = numbers * (levels + 1);
  return {
    table,
    memo: memoOf(memory, table, memoBits),
    scratch: {
      members: memory.array("int32", count * (levels + 2)),
      ...memory.several("int64", numbers, ["times", "seen", "sizes", "starts", "labels"]),
      scores: memory.array("int64", count + 1),
      inside: memory.array("uint8", count),
      present: memory.array("uint64", numbers / 8),
      lanes: memory.array(kindOf(table), 64),
      work: memory.array("int64", 3),
    },
    stack: {
      frames: memory.array("int64", [levels + 2, 17]),
      revealed: memory.array("uint64", [levels + 2, 7]),
      ceilings: memory.unfilled(kindOf(table), levels + 2, width),
      columns: memory.unfilled("int32", tries),
      bounds: memory.unfilled("int64", tries),
      keys: memory.unfilled("int64", width, 3),
      ...memory.several("int64", some, ["bucket_start", "bucket_size", "bucket_bound", "bucket_exact"], null),
      capacity: memory.unfilled("int32", levels + 2, count + 1),
    },
  };
}

/**
 * So many guesses at a time, so many buckets of one; without ceilings of letters if none are given.
 * @param {Memory} memory @param {ScoreTable} table @param {number} count
 * @param {{together?: number, lists: number, ceilings?: Ceilings | null}} room
 * @returns {Batch}
 */
export function batchOf(memory, table, count, { together = 1, lists, ceilings = null }) {
  const width = table.guess.length;
  const states = Math.max(scoreNumbers(table), 2 * together);
  /** @param {number[]} shape @param {number | null} [fill] */
  const int32 = (shape, fill = 0) => memory.array("int32", shape, fill);
  return {
    ceilings: ceilings ?? newCeilings(memory, table, {
      letters: int32([width, 1], -1), mark: int32([1, 1], -1), bears: memory.array("uint8", [1, 1]), size: int32([1, 1]),
    }),
    buckets: newBuckets(memory, table, together),
    shared: {
      members: int32([SHARED_ROWS], null),
      ...memory.several("int64", states, ["start", "size", "left", "limit", "need", "bound", "column"]),
      ceiling: memory.array(kindOf(table), [Math.max(1, lists), width], null),
      tables: int32([states, 4]),
      revealed: memory.array("uint64", [states, 4]),
      owner: memory.array("int64", [states, 2]),
    },
  };
}

/**
 * Ceilings by some marks, with no table counted yet: `new_ceilings` of Python, which takes more room.
 * @param {Memory} memory @param {ScoreTable} table @param {Pick<Ceilings, "letters" | "mark" | "bears" | "size">} marks
 * @returns {Ceilings}
 */
function newCeilings(memory, table, marks) {
  const width = table.guess.length;
  const [marked] = marks.size.shape;
  const bytes = Math.min(TABLE_BYTES, memory.room - FREE_BYTES);
  const fit = Math.floor(bytes / (width * table.parts.strides[0]));
  const most = Math.max(1, Math.min(fit, (marked * (marked + 1)) / 2));
  /** @param {number[]} shape @param {number | null} [fill] */
  const int32 = (shape, fill = 0) => memory.array("int32", shape, fill);
  return {
    ...marks,
    place: int32([marked, marked], -1),
    tables: memory.array(kindOf(table), [most, width], null),
    taken: memory.array("int64", 1),
    pending: memory.array("int64", 2),
    wanted: int32([512, 3]),
    members: int32([SHARED_ROWS], null),
    chosen: int32([marks.letters.shape[1] + 1, 2]),
    lanes: memory.array(kindOf(table), 64),
  };
}

/**
 * Ceilings by the marks that letters make: `ceilings_of` of Python. `ids`: the guesses of the rows.
 * @param {Engine} engine @param {Problem} problem
 */
export function ceilingsOf(engine, { rules, table, ids }) {
  const { memory, kernels } = engine;
  const { terms, first, places } = takeApart(engine, rules.letters, rules.length);
  const sets = kernels.call("place_sets", wordsOf(memory, rules, ids), first.length - 1);
  const shares = sharesOf(engine, rules);
  const [mark, bears] = kernels.call(
    long("number_marks", rules), sets, memory.of("int32", first), memory.of("int32", places), shares,
  );
  const size = memory.array("int32", [bears.length, bears.length], null);
  kernels.call("count_both", bears, size);
  const each = terms.shape[1];
  const letters = memory.array("int32", [table.guess.length, each], -1);
  const [all, guesses, written] = [terms.data, table.guess.data, letters.data];
  guesses.forEach((guess, column) => {
    for (let at = 0; guess >= 0 && at < each; at += 1) {
      const term = all[guess * each + at];
      if (term > 0) written[column * each + at] = term;
    }
  });
  return newCeilings(memory, table, { letters, mark, bears, size });
}

// ---- Room for a race of solver/exact/kernels/guess_race.py

const KNOWN = 2;
/** What the best value of a race is as long as there is none. */
export const NONE_YET = 2n ** 61n;

/**
 * A race of some columns, or of all that may exclude a row of a table: `new_race` of Python. No value above
 * the limit is of interest, and the `top` least are to be exact.
 * @param {Engine} engine @param {{table: ScoreTable, revealed: Revealed}} state
 * @param {{limit: number | bigint, together: number, top?: number, columns?: number[] | null}} how
 * @returns {GuessRoom}
 */
export function raceOf({ memory, kernels }, { table, revealed }, { limit, together, top = 1, columns = null }) {
  const { guess } = table;
  const listed = memory.of("int32", columns ?? new Int32Array(guess.length));
  const count = columns?.length ?? kernels.call("list_first_guesses", table, revealed, listed);
  return kernels.call("new_race", listed.slice(0, count), guess, top, limit, together);
}

/**
 * Guess → value, of the best of a race and all that tie with the last of them.
 * @param {GuessRoom} guessRoom
 */
export function bestOf({ columns, guess, bounds, known, values }) {
  const [totals, last] = [bounds.data, values.data[values.length - 1]];
  const found = columns.data.filter((column) => known.data[column] === KNOWN && totals[column] <= last);
  return new Map(Array.from(found, (column) => [guess.data[column], Number(totals[column])]));
}

/**
 * How much a search has done so far.
 * @param {Work} work
 */
export function workDone({ scratch: { work } }) {
  const [states, guesses, chunks] = work.data;
  return Number(chunks + 2n * states + guesses);
}

/**
 * Memory for the buckets of so many guesses of a table.
 * @param {Memory} memory @param {ScoreTable} table @param {number} guesses
 * @returns {Buckets}
 */
export function newBuckets(memory, table, guesses) {
  const numbers = scoreNumbers(table);
  return {
    ...memory.several("int64", guesses, ["column", "number", "total"]),
    rows: memory.array("int32", [guesses, table.column.length]),
    ...memory.several("int64", [guesses, numbers], ["start", "size", "bound", "state"]),
  };
}

/**
 * How many buckets of a column have lists of their own.
 * @param {ScoreTable} table @param {number} column @param {number} count
 */
export function listsOf(table, column, count) {
  const sizes = new Uint32Array(scoreNumbers(table));
  const scores = table.scores.data;
  for (let at = column * count; at < (column + 1) * count; at += 1) sizes[scores[at]] += 1;
  return sizes.reduce((number, size) => number + Number(size >= FEWEST), 0);
}

/**
 * The same of the column that has most.
 * @param {ScoreTable} table @param {number} count
 */
export function mostLists(table, count) {
  const [parts, guesses] = [table.parts.data, table.guess.data];
  let most = 1;
  for (let column = 0; column < guesses.length && parts[column] > most; column += 1) {
    most = Math.max(most, listsOf(table, column, count));
  }
  return most;
}

/**
 * The memory of a search for totals, where the secrets at some positions are possible; hard mode
 * knows the guesses `before`. As many as `together` guesses are bounded together.
 * @param {Engine} engine @param {Rules} rules @param {Ids} ids
 * @param {{hard: boolean, before: number[], memoBits: number, together?: number, lists?: number | null}} how
 * @returns {StateSearch}
 */
export function newSearch(engine, rules, ids, { hard, before, memoBits, together = 1, lists = null }) {
  const { memory } = engine;
  const table = scoreTable(engine, rules, ids, hard);
  const count = ids.length;
  const room = { lists: lists ?? mostLists(table, count), memoBits };
  const fit = Math.floor(LISTED_BYTES / (ITEM_BYTES * table.guess.length)) - room.lists;
  return {
    work: workspace(memory, table, count, { ...room, deepest: Math.min(DEEPEST, Math.max(SHALLOW, fit)) }),
    batch: batchOf(memory, table, count, { together, lists: room.lists }),
    ...wholeState(engine, rules, table, before),
  };
}

/**
 * A state as kernels take it: some rows of a table, what hard mode has seen, the guesses that are left.
 * @param {Pick<StateSearch, "members" | "revealed">} of @param {number} [left]
 * @returns {KernelState}
 */
export function stateOf({ members, revealed }, left = UNLIMITED) {
  return { members, first: 0, size: members.length, left, revealed };
}

/**
 * The memory of a beam so wide, in the same state.
 * @param {Engine} engine @param {Rules} rules @param {Ids} ids
 * @param {{hard: boolean, before: number[], memoBits: number, beam: number}} how
 */
export function newBeam(engine, rules, ids, { hard, before, memoBits, beam }) {
  const { memory } = engine;
  const table = scoreTable(engine, rules, ids, hard);
  const work = workspace(memory, table, ids.length, { lists: 1, width: beam + 1, memoBits });
  return {
    work,
    beaming: {
      found: memoOf(memory, table, memoBits),
      place: memory.of("int64", NOT_BEGUN),
      tried: memory.array("int64", work.stack.frames.shape[0]),
      width: Math.min(beam, table.guess.length),
      shortlist: 0,
      strict: false,
    },
    buckets: newBuckets(memory, table, 1),
    ...wholeState(engine, rules, table, before),
  };
}

/**
 * All rows of a table after some guesses, of whose scores every candidate is a witness; the column of each guess.
 * @param {Engine} engine @param {Rules} rules @param {ScoreTable} table @param {number[]} before
 */
function wholeState({ memory, kernels }, rules, table, before) {
  const columns = memory.array("int32", rules.guesses.length, -1);
  const own = columns.data;
  table.guess.data.forEach((guess, column) => {
    if (guess >= 0) own[guess] = column;
  });
  let revealed = memory.array("uint64", REVEALED);
  for (const guess of before) {
    const after = memory.array("uint64", REVEALED);
    kernels.call("reveal", table, columns.data[guess], 0, revealed, after);
    revealed = after;
  }
  return { members: memory.of("int32", upTo(table.column.length)), revealed, columns };
}
