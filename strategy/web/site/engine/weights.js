// How likely each secret is, as strategy/play/weights.py reads it: a word and its weight on each line, or
// an object of them. A secret that is not named has no weight, and is never the secret. What follows from
// weights is measured and searched by kernels.

import { isOfCodes } from "./codes.js";
import { didYouMean } from "./hints.js";
import { USED } from "./lists.js";
import { EngineError } from "./memory.js";
import { grouped, plain, quoted, withSecrets, wordsDigest } from "./words.js";

/**
 * @import { Engine, Ids, Packed, Rules, Weighed, Weights, WeightsGiven } from "./types.js"
 */

const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
const BETWEEN = /\s*,\s*|\s+/u;
/** A weight is called nothing if it is smaller than the largest by this factor. */
const NOTHING = 1e-300;
/** As in solver/exact/problem.py: a loss, and guesses that weights leave room for. */
const [LOSS, LONGEST] = [2 ** 32, 64];

/**
 * The game with just the secrets that have a weight: `{rules, weights, facts, widens}`, one weight for each
 * secret, what JSON says of them, and whether other words count where no secret fits: these weights name all
 * that can be. Without weights the game itself, and no facts; where used answers weigh less, they do.
 * @param {Rules} rules @param {WeightsGiven | null | undefined} source
 * @returns {Weighed}
 */
export function weighed(rules, source) {
  const past = isOfCodes(rules) || rules.past === null ? null : byUse(rules, rules.past);
  if (source === undefined || source === null) {
    const none = { count: rules.secrets.length, n_left_out: 0, n_no_secrets: 0 };
    const facts = past ? { used: past.facts, weights: none } : {};
    return { rules, weights: past && past.of(rules), facts, widens: true };
  }
  const byWord = readWeights(rules, source);
  const all = Float64Array.from(rules.secrets, (word) => byWord.get(word) ?? 0);
  const least = all.reduce((most, weight) => Math.max(most, weight), 0) * NOTHING;
  const kept = [...all.keys()].filter((at) => all[at] > 0 && all[at] >= least);
  if (kept.length === 0) {
    throw new EngineError(`${WHERE}: no secret of ${rules.listName} (${rules.secretsName}) has a weight above 0`);
  }
  const secrets = new Set(rules.secrets);
  const strangers = [...byWord].filter(([word, weight]) => weight > 0 && !secrets.has(word));
  const nLeftOut = all.length - kept.length;
  const keptIds = Int32Array.from(kept, (at) => rules.secretIds[at]);
  const game = nLeftOut > 0 ? withSecrets(rules, keptIds, `${rules.secretsName} with a weight`) : rules;
  const given = Float64Array.from(kept, (at) => all[at]);
  const facts = { weights: { count: kept.length, n_left_out: nLeftOut, n_no_secrets: strangers.length } };
  if (!past) return { rules: game, weights: given, facts, widens: false };
  const uses = past.of(game);
  const product = given.map((weight, at) => weight * uses[at]);
  return { rules: game, weights: product, facts: { used: past.facts, ...facts }, widens: false };
}

/**
 * The weights of secrets of which some are past answers of the newspaper, and what JSON says of these.
 * @param {Rules} rules @param {Set<string>} past
 */
function byUse({ secrets }, past) {
  const { list: _, answers: __, weight, ...measured } = USED;
  /** @param {Rules} game */
  const of = (game) => Float64Array.from(game.secrets, (word) => (past.has(word) ? 1 : weight));
  return { of, facts: { count: secrets.filter((word) => past.has(word)).length, weight, ...measured } };
}

/** What messages call an object of weights, and a text before the number of its line. */
const [WHERE, FILE] = ["the weights", "weights"];

/** @param {Rules} rules @param {WeightsGiven} source */
function readWeights(rules, source) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const [where, word, weight] of entries(source)) {
    if (!rules.index.has(word)) {
      const many = `the ${grouped(rules.guesses.length)} guesses of ${rules.listName}`;
      throw new EngineError(
        `${where}: ${quoted(word)} is not among ${many}${didYouMean(word, rules.guesses, 3, rules.secrets)}`,
      );
    }
    if (found.has(word)) throw new EngineError(`${where}: ${quoted(word)} has two weights`);
    if (!(Number.isFinite(weight) && weight >= 0)) { // of other kinds none is finite
      throw new EngineError(`${where}: a weight must be a number of 0 or more, not ${shown(weight)}`);
    }
    found.set(word, weight);
  }
  return found;
}

/**
 * What is no weight, numbers as the command writes them.
 * @param {any} weight
 */
function shown(weight) {
  if (typeof weight === "string") return quoted(weight);
  if (Number.isSafeInteger(weight)) return weight.toFixed(1);
  return String(weight).replace("Infinity", "inf").replace("NaN", "nan");
}

/**
 * Where it stands, a word and its weight, one after the other.
 * @param {WeightsGiven} source
 * @returns {Generator<[where: string, word: string, weight: number]>}
 */
function* entries(source) {
  if (typeof source !== "string") {
    if (typeof source !== "object") {
      throw new EngineError("weights are a text with a word and its weight on each line, or an object");
    }
    const pairs = source instanceof Map ? source : Object.entries(source);
    for (const [word, weight] of pairs) yield [WHERE, plain(String(word)), weight];
    return;
  }
  const lines = source.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  for (const [at, line] of lines.entries()) {
    const entry = line.split("#", 1)[0].trim();
    if (entry === "") continue;
    const where = `${FILE}:${at + 1}`;
    const cells = entry.split(BETWEEN);
    if (cells.length !== 2 || cells.includes("")) {
      throw new EngineError(`${where}: ${quoted(entry)} must be a word and its weight`);
    }
    if (!NUMBER.test(cells[1])) {
      throw new EngineError(`${where}: a weight must be a number of 0 or more, not ${quoted(cells[1])}`);
    }
    yield [where, plain(cells[0]), Number(cells[1])];
  }
}

// ---- Weights as kernels want them

/**
 * The weights of some secrets.
 * @param {Weights} weights @param {Ids} left
 */
export function weightsAt(weights, left) {
  return Float64Array.from(left, (at) => weights[at]);
}

/**
 * How likely each of so many secrets is, by their weights or all alike, in the memory of kernels.
 * @param {Engine} engine @param {Weights | null} weights @param {number} count
 */
export function chancesOf({ memory, kernels }, weights, count) {
  if (weights === null) return memory.array("float64", count, 1 / count);
  const chances = memory.array("float64", count);
  kernels.call("fill_chances", memory.of("float64", weights), chances);
  return chances;
}

/**
 * The same as numbers.
 * @param {Engine} engine @param {Weights | null} weights @param {number} count
 */
export function chanceOfEach(engine, weights, count) {
  return engine.memory.scratch(() => chancesOf(engine, weights, count).data.slice());
}

/**
 * The mean of some values by the chances of their weights.
 * @param {Engine} engine @param {ArrayLike<number | bigint>} values @param {Weights} weights
 */
export function meanByWeight(engine, values, weights) {
  const { memory, kernels } = engine;
  return memory.scratch(() => {
    const chances = chancesOf(engine, weights, weights.length);
    return kernels.call("mean_by_chances", memory.of("float64", Float64Array.from(values, Number)), chances);
  });
}

/**
 * Whole numbers in the ratio of some weights, the least ones; rounded where exact search has no room
 * for them: as `rounded_weights` of solver/exact/problem.py.
 * @param {Weights} weights
 */
export function roundedWeights(weights) {
  const { whole, sum, most } = wholeWeights(weights, LONGEST);
  if (sum <= BigInt(most)) return whole;
  const scale = Math.floor(most / 2) / exactSum(weights);
  return Array.from(weights, (weight) => Math.max(1, halfToEven(weight * scale)));
}

/**
 * Whole numbers in the ratio of some weights, refused where exact search cannot add them up.
 * @param {Weights} weights @param {number} within
 */
export function exactWeights(weights, within) {
  const { whole, sum, most } = wholeWeights(weights, within);
  if (sum > BigInt(most)) {
    throw new EngineError(
      "exact search adds up whole numbers; in the ratio of these weights they come to " +
        `${grouped(sum)}, and ${grouped(most)} is the most: round the weights`,
    );
  }
  return whole;
}

/**
 * What a file says of whole weights: their digest, their sum, and the total of its strategy.
 * @param {Rules} rules @param {number[]} weights @param {number} total
 * @returns {Map<string, Packed>}
 */
export function weightedClaim(rules, weights, total) {
  const digest = wordsDigest(rules.secrets.map((word, at) => `${word} ${weights[at]}`));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return new Map(Object.entries(/** @type {Record<string, Packed>} */ ({ digest, sum, total })));
}

/**
 * The least whole numbers in the ratio of some weights, each taken as it is written; their sum, and the most that
 * exact search has room for within so many guesses.
 * @param {Weights} weights @param {number} within
 */
function wholeWeights(weights, within) {
  const decimals = Array.from(weights, (weight) => {
    const [, digits, rest = "", exponent = "0"] = String(weight).match(/^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/) ?? [];
    return { digits: BigInt(digits + rest), exponent: Number(exponent) - rest.length };
  });
  const lowest = decimals.reduce((least, { exponent }) => Math.min(least, exponent), 0);
  const scaled = decimals.map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - lowest));
  const common = scaled.reduce(greatestCommonDivisor);
  const whole = scaled.map((weight) => weight / common);
  const most = Math.floor((LOSS - 1) / Math.max(1, Math.min(whole.length, within)));
  return { whole: whole.map(Number), sum: whole.reduce((sum, weight) => sum + weight, 0n), most };
}

/** @param {bigint} one @param {bigint} other */
function greatestCommonDivisor(one, other) {
  while (other > 0n) [one, other] = [other, one % other];
  return one;
}

/** @param {number} number */
function halfToEven(number) {
  return number % 1 === 0.5 ? 2 * Math.round(number / 2) : Math.round(number);
}

/**
 * The sum of some numbers, rounded once.
 * @param {Iterable<number>} numbers
 */
export function exactSum(numbers) {
  const unit = 1074; // no number has a smaller part than 2 ** -unit
  const view = new DataView(new ArrayBuffer(8));
  let sum = 0n;
  for (const number of numbers) {
    view.setFloat64(0, number);
    const bits = view.getBigUint64(0);
    const exponent = (bits >> 52n) & 0x7ffn;
    const mantissa = bits & ((1n << 52n) - 1n);
    const size = exponent === 0n ? mantissa : (mantissa | (1n << 52n)) << (exponent - 1n);
    sum += number < 0 ? -size : size;
  }
  const digits = sum.toString(2).length;
  const spare = Math.max(0, digits - 64);
  const odd = spare > 0 && sum % (1n << BigInt(spare)) !== 0n ? 1n : 0n; // what is cut off is not nothing
  return scaled(Number((sum >> BigInt(spare)) | odd), spare - unit);
}

/**
 * A number times a power of two, in steps that numbers can have.
 * @param {number} number @param {number} exponent
 */
function scaled(number, exponent) {
  for (; exponent > 1000; exponent -= 1000) number *= 2 ** 1000;
  for (; exponent < -1000; exponent += 1000) number *= 2 ** -1000;
  return number * 2 ** exponent;
}
