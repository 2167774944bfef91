// Mastermind: the codes of a board, their pegs, and what advice has to know of their symmetry. Codes
// are graded in bulk, and told apart by kernels (see solver/game/codes.py).

import { upTo, valueOf } from "./maps.js";
import { EngineError } from "./memory.js";
import { wordsOf } from "./tables.js";
import { Game, grouped, quoted } from "./words.js";

/**
 * @import { KernelArray, Memory } from "./memory.js"
 * @import { Alike, Engine, Ids, Rules } from "./types.js"
 */

const SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz";
/** More codes than those of 5 holes and 8 colours take too long, and too much memory, on a page. */
const MOST_CODES = 8 ** 5;
export const MOST_ORDERS = 5040;
const PEGS = /^\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*/;

/** Mastermind over all codes of a board. */
export class CodeGame extends Game {
  signNoun = "peg";
  replyNoun = "score";

  /** @param {number} holes @param {number} colours @param {boolean} distinct */
  constructor(holes, colours, distinct) {
    const spec = `mastermind:${holes}x${colours}${distinct ? ":distinct" : ""}`;
    const symbols = SYMBOLS.slice(colours < 10 ? 1 : 0).slice(0, colours);
    const pegs = codesOf(holes, colours, distinct);
    const codes = pegs.map((code) => code.map((colour) => symbols[colour]).join(""));
    super(spec, "allowed", codes, codes, false);
    this.spec = spec;
    this.length = holes;
    this.colours = colours;
    this.distinct = distinct;
    this.nScores = (holes + 1) ** 2;
    this.solved = holes * (holes + 1);
    this.symbols = symbols;
    this.letters = Uint8Array.from(pegs.flat());
    this.secretIds = Int32Array.from(codes.keys());
  }

  /**
   * The colours of a code.
   * @param {number} at
   */
  pegs(at) {
    return this.letters.subarray(at * this.length, (at + 1) * this.length);
  }

  /** @param {string} word */
  guessId(word) {
    const code = String(word).trim().toLowerCase();
    const found = this.index.get(code);
    if (found !== undefined) return found;
    const { length, symbols } = this;
    const strange = [...code].find((symbol) => !symbols.includes(symbol));
    let reason = `in ${this.spec} all colours must be different`;
    if ([...code].length !== length) {
      const size = [...code].length;
      reason = `it has ${size} peg${size === 1 ? "" : "s"}; need ${length}`;
    } else if (strange !== undefined) {
      reason = `${quoted(strange)} is not a colour; ${this.spec} has the ${symbols.length} colours ` +
        `${symbols[0]} to ${symbols[symbols.length - 1]}`;
    }
    throw new EngineError(`${quoted(String(word))} is not a code: ${reason}`);
  }

  /**
   * The score of a code: black pegs first; white ones for what the rest has in common.
   * @param {number} guess @param {number} secret
   */
  grade(guess, secret) {
    const { length, letters } = this;
    let black = 0;
    let common = 0;
    const counts = new Int8Array(this.colours);
    for (let hole = 0; hole < length; hole += 1) {
      const [one, other] = [letters[guess * length + hole], letters[secret * length + hole]];
      black += Number(one === other);
      if (counts[one]++ < 0) common += 1;
      if (counts[other]-- > 0) common += 1;
    }
    return black * length + common;
  }

  /**
   * Read a score `black,white`; refuse pegs that no guess can get.
   * @param {string} text
   */
  parseScore(text) {
    const found = PEGS.exec(text);
    if (found === null || found[0].length !== text.length) {
      throw new EngineError(`the score ${quoted(text)} is not black,white pegs, e.g. 2,1`);
    }
    const [black, white] = [Number(found[1]), Number(found[2])];
    const holes = this.length;
    if (black + white > holes) {
      throw new EngineError(
        `the score ${quoted(text)} has ${black + white} pegs; black and white together are at most ` +
          `${holes}, one for each hole`,
      );
    }
    if (white === 1 && black === holes - 1) {
      throw new EngineError(
        `the score ${quoted(text)} is impossible: with all other holes right, the last colour ` +
          "cannot be out of place",
      );
    }
    return black * (holes + 1) + white;
  }

  /** @param {number} score */
  formatScore(score) {
    return `${Math.floor(score / (this.length + 1))},${score % (this.length + 1)}`;
  }

  /**
   * Where scores that begin at a place of a text may end: pegs of one digit may touch a code.
   * @param {string[]} signs @param {number} begin
   */
  scoreEnds(signs, begin) {
    const found = /^\s*[0-9]{1,3}\s*,\s*(?=([0-9]{1,3}))/.exec(signs.slice(begin).join(""));
    if (found === null) return [];
    return Array.from(found[1], (_, k) => begin + found[0].length + k + 1);
  }
}

/**
 * Whether it is Mastermind.
 * @param {Rules} rules
 * @returns {rules is CodeGame}
 */
export function isOfCodes(rules) {
  return rules instanceof CodeGame;
}

/** The game of a board. Options: `holes`, `colours`, `distinct`. */
export function codeGame({ holes = 4, colours = 6, distinct = false } = {}) {
  const spec = `mastermind:${holes}x${colours}${distinct ? ":distinct" : ""}`;
  /** @param {string} reason @returns {never} */
  const refuse = (reason) => {
    throw new EngineError(`no game ${spec}: ${reason}`);
  };
  if (!Number.isSafeInteger(holes) || holes < 1) refuse("a code needs at least one hole");
  if (!Number.isSafeInteger(colours) || colours < 2) refuse("a game needs at least two colours");
  if (colours > SYMBOLS.length) refuse(`at most ${SYMBOLS.length} colours, written ${SYMBOLS}`);
  if (distinct && holes > colours) refuse(`${holes} holes cannot all differ in ${colours} colours`);
  let count = 1;
  for (let hole = 0; hole < holes && count <= MOST_CODES; hole += 1) {
    count *= distinct ? colours - hole : colours;
  }
  if (count > MOST_CODES) refuse(`a page searches boards of up to ${grouped(MOST_CODES)} codes`);
  return new CodeGame(holes, colours, Boolean(distinct));
}

/** @param {number} holes @param {number} colours @param {boolean} distinct */
function codesOf(holes, colours, distinct) {
  /** @type {number[][]} */
  let codes = [[]];
  for (let hole = 0; hole < holes; hole += 1) {
    codes = codes.flatMap((code) => Array.from({ length: colours }, (_, colour) => colour)
      .filter((colour) => !(distinct && code.includes(colour)))
      .map((colour) => [...code, colour]));
  }
  return codes;
}

/**
 * All scores that a guess can have, ascending.
 * @param {number} holes
 */
export function pegScores(holes) {
  const scores = [];
  for (let black = 0; black <= holes; black += 1) {
    for (let white = 0; white <= holes - black; white += 1) {
      if (black !== holes - 1 || white !== 1) scores.push(black * (holes + 1) + white);
    }
  }
  return scores;
}

// ---- Codes that cannot be told apart

/** @param {number} from @param {number} count */
function perm(from, count) {
  let product = 1;
  for (let k = 0; k < count; k += 1) product *= from - k;
  return product;
}

/**
 * All codes of a board, as kernels know them.
 * @param {Memory} memory @param {CodeGame} game
 */
export function codeSpace(memory, { length, colours, distinct, guesses, letters }) {
  const weights = BigInt64Array.from({ length }, (_, at) => BigInt(
    distinct ? perm(colours - at - 1, length - at - 1) : colours ** (length - at - 1),
  ));
  const orders = perm(length, length);
  return {
    codes: memory.of("uint8", letters, [guesses.length, length]),
    n_colours: colours,
    distinct,
    weights: memory.of("int64", weights),
    turns_from: orders <= MOST_ORDERS ? orders : 2 ** 40,
  };
}

/**
 * What the candidates leave interchangeable: colours and holes.
 * @param {Engine} engine @param {CodeGame} rules @param {Ids} left
 */
function alikeIn({ memory, kernels }, rules, left) {
  const marks = memory.array("uint8", rules.guesses.length);
  return kernels.call("find_alike", codeSpace(memory, rules), memory.of("int32", left), marks);
}

/**
 * The lowest code of each kind that the candidates cannot tell apart, ascending.
 * @param {Engine} engine @param {CodeGame} rules @param {Ids} left
 */
export function representatives(engine, rules, left) {
  const { memory, kernels } = engine;
  return memory.scratch(() => {
    const count = rules.guesses.length;
    const places = memory.array("uint8", [rules.length, count]);
    const found = kernels.call("list_representatives", alikeIn(engine, rules, left), rules.distinct, places);
    const pegs = places.data;
    return Int32Array.from({ length: found }, (_, at) => {
      let code = "";
      for (let hole = 0; hole < rules.length; hole += 1) code += rules.symbols[pegs[hole * count + at]];
      return valueOf(rules.index, code);
    });
  });
}

/**
 * For each of some codes how many others are that code with other names, in this state.
 * @param {Engine} engine @param {CodeGame} rules @param {Ids} left @param {Iterable<number>} guesses
 */
export function countAlike(engine, rules, left, guesses) {
  return engine.memory.scratch(() => {
    const found = alikeIn(engine, rules, left);
    const leader = Array.from(found.leader.data, Number);
    const idle = [...found.idle.data];
    const absentLeaders = new Set(leader.filter((_, colour) => idle[colour]));
    /** @type {Alike} */
    const alike = {
      leader,
      sizes: (of) => leader.filter((it) => it === of).length,
      absent: new Set(leader.flatMap((of, colour) => (absentLeaders.has(of) ? [colour] : []))),
      holes: rowsOf(found.holes),
      paint: rowsOf(found.paint),
    };
    return Array.from(guesses, (guess) => renamings(alike, [...rules.pegs(guess)]) - 1);
  });
}

/** @param {KernelArray<"int64">} array */
function rowsOf(array) {
  const [rows, columns] = array.shape;
  const data = Array.from(array.data, Number);
  return Array.from({ length: rows }, (_, at) => data.slice(at * columns, (at + 1) * columns));
}

/**
 * How many codes a guess can become: by other names of colours, by other orders of holes.
 * @param {Alike} alike @param {number[]} code
 */
function renamings(alike, code) {
  const turned = new Set([named(alike, code)]);
  alike.holes.forEach((order, k) => {
    turned.add(named(alike, order.map((hole) => alike.paint[k][code[hole]])));
  });
  const used = new Map();
  for (const colour of new Set(code)) {
    if (alike.absent.has(colour)) continue;
    used.set(alike.leader[colour], (used.get(alike.leader[colour]) ?? 0) + 1);
  }
  let several = alike.absent.size ** code.filter((colour) => alike.absent.has(colour)).length;
  for (const [leader, number] of used) several *= perm(alike.sizes(leader), number);
  return turned.size * several;
}

/**
 * The code with its colours named in the order of their first use, class by class.
 * @param {Alike} alike @param {number[]} code
 */
function named(alike, code) {
  const numbers = new Map();
  const met = new Map();
  return code.map((colour) => {
    const leader = alike.leader[colour];
    if (!numbers.has(colour)) {
      numbers.set(colour, alike.absent.has(colour) ? 0 : met.get(leader) ?? 0);
      met.set(leader, (met.get(leader) ?? 0) + 1);
    }
    return leader * alike.leader.length + numbers.get(colour);
  }).join(",");
}

/**
 * The scores of some codes, by their positions, against others: an array of kernels, row by row.
 * @param {Engine} engine @param {CodeGame} rules @param {Ids} guesses @param {Ids} candidates
 */
export function gradeCodes({ memory, kernels }, rules, guesses, candidates) {
  const { length, colours } = rules;
  const size = candidates.length;
  const places = memory.array("uint8", [length, size]);
  const tallies = memory.array("uint8", [colours, size]);
  const scores = memory.array("uint8", [guesses.length, size], null);
  const every = memory.of("int32", upTo(size));
  kernels.call("fill_places", wordsOf(memory, rules, candidates), every, places);
  kernels.call("fill_tallies", places, size, tallies);
  kernels.call("grade_codes", wordsOf(memory, rules, guesses), places, tallies, scores);
  return scores;
}
