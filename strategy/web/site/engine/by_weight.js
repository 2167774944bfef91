// What guesses and splits are worth where some secrets are likelier than others, by kernels: measures and
// ranks.

import { isOfCodes } from "./codes.js";
import { inStrips, long, partOf } from "./exact.js";
import { chancesOf } from "./weights.js";

/**
 * @import { KernelArray } from "./memory.js"
 * @import { Arguments, Engine, Ids, Rules, Weights } from "./types.js"
 */

/**
 * The chance of each bucket of a split, and what the split is worth over them.
 * @param {Engine} engine @param {Rules} rules @param {Ids} row @param {Weights} weights
 * @param {[score: number, secrets: string[]][]} found
 */
export function sharesByWeight(engine, rules, row, weights, found) {
  const { memory, kernels } = engine;
  return memory.scratch(() => {
    const all = memory.array("float64", rules.nScores);
    kernels.call("share_out", memory.of("int32", row), chancesOf(engine, weights, weights.length), all);
    const chances = Float64Array.from(found, ([score]) => all.data[score]);
    const shares = memory.of("float64", chances);
    const sizes = memory.of("float64", Float64Array.from(found, ([, secrets]) => secrets.length));
    const entropy = kernels.call("bits_of_split", shares);
    return { chances, measures: { entropy, expected_size: kernels.call("mean_by_chances", sizes, shares) } };
  });
}

/**
 * Fill in the rows of a ranking where the hidden words have weights; the classes of guesses.
 * @param {Engine} engine @param {Rules} rules @param {Ids} hidden @param {Ids} pool @param {number} by
 * @param {Uint8Array | null} common @param {Weights} weights @param {Uint8Array} candidate
 * @param {Arguments<"rank_rows">[6]} rows
 */
export function rankByWeight(engine, rules, hidden, pool, by, common, weights, candidate, rows) {
  const { memory, kernels } = engine;
  const chances = chancesOf(engine, weights, weights.length);
  const [hits, weightOf] = [new Float64Array(rules.guesses.length), new Float64Array(rules.guesses.length)];
  hidden.forEach((guess, at) => {
    [hits[guess], weightOf[guess]] = [chances.data[at], weights[at]];
  });
  const known = Uint8Array.from(pool, (guess) => (common === null ? 0 : common[guess]));
  const likely = {
    hits: memory.of("float64", Float64Array.from(pool, (guess) => hits[guess])),
    weights: memory.of("float64", Float64Array.from(pool, (guess) => weightOf[guess])),
    common: memory.of("uint8", known),
    is_ordered: common !== null,
  };
  const { measures, unknown } = measuredByWeight(engine, rules, pool, hidden, chances);
  kernels.call(
    "rank_weighted", measures, memory.of("int32", pool), memory.of("uint8", candidate), likely,
    by, unknown, hidden.length, rows,
  );
  const classes = memory.array("int32", pool.length);
  kernels.call("fill_classes", likely.weights, likely.common, classes);
  return classes.data.slice();
}

/**
 * The measures of some guesses over the chances of hidden words, and the bits that are unknown.
 * @param {Engine} engine @param {Rules} rules @param {Ids} pool @param {Ids} hidden
 * @param {KernelArray<"float64">} chances
 */
function measuredByWeight(engine, rules, pool, hidden, chances) {
  const { memory, kernels } = engine;
  const measures = {
    ...memory.several("int32", pool.length, ["parts", "largest"]),
    ...memory.several("float64", pool.length, ["kept", "missing"]),
  };
  const bits = memory.array("float64", hidden.length);
  const unknown = kernels.call("fill_own_bits", chances, bits);
  const sums = memory.array("float64", [3, rules.nScores]);
  const name = isOfCodes(rules) ? "measure_by_chances" : long("measure_by_chances", rules);
  inStrips(engine, rules, pool, hidden, (grades, first, end) => {
    kernels.call(name, grades, chances, bits, sums, partOf(measures, first, end));
  });
  return { measures, unknown };
}
