// Share grids: rows of colours as games share them, with their words or without, read with the rules
// and messages of strategy/play/grids.py. Of a grid alone it is counted how many words fit each row.

import { NOTATIONS, SEPARATORS, parseScore } from "./clues.js";
import { isOfCodes } from "./codes.js";
import { allGuesses, inStrips, long } from "./exact.js";
import { EngineError } from "./memory.js";
import { meanByWeight } from "./weights.js";
import { HEADING, counted, plain, quoted } from "./words.js";

/**
 * @import { Engine, Ids, Rules, Shared, Steps, Weights } from "./types.js"
 */

const TILES = [...new Set(NOTATIONS.join(""))].filter((mark) => mark > "\u2000").join("");
const ROW = new RegExp(`[${TILES}\ufe0f]+`, "gu");
const EVERY_HEADING = new RegExp(HEADING.source, "giu");

/**
 * A text without what a game calls itself above a grid that it shares.
 * @param {string} text
 */
export function withoutHeading(text) {
  return text.replace(EVERY_HEADING, " ");
}

/**
 * The words of a text, whatever stands between them.
 * @param {string} text
 */
export function piecesOf(text) {
  const pieces = [""];
  for (const sign of plain(text)) {
    if (SEPARATORS.includes(sign)) pieces.push("");
    else pieces[pieces.length - 1] += sign;
  }
  return pieces.filter((piece) => piece !== "");
}

/**
 * The share grid in a text: its scores, its words, whether it has the star of hard mode; or null.
 * @param {Rules} rules @param {string} text
 */
export function readShared(rules, text) {
  const heading = HEADING.exec(text);
  const bare = withoutHeading(text);
  const rows = (bare.match(ROW) ?? []).map((row) => row.replaceAll("\ufe0f", "")).filter((row) => row !== "");
  if (rows.length === 0) return null;
  if (isOfCodes(rules)) throw new EngineError(`only Wordle has share grids, not ${rules.spec}`);
  const scores = rows.map((row) => parseScore(rules, row));
  const words = piecesOf(bare.replace(ROW, " ").replaceAll("\r", " "));
  const solved = scores.indexOf(rules.solved) + 1;
  if (solved > 0 && solved < scores.length) {
    throw new EngineError(`row ${solved} of the grid is all green, so row ${solved + 1} cannot follow`);
  }
  if (heading !== null) checkHeading(heading, scores, rules.solved);
  return { scores, words, hard: heading?.groups?.hard === "*" };
}

/**
 * Refuse a heading that has another number of guesses, or another end, than its grid.
 * @param {RegExpExecArray} heading @param {number[]} scores @param {number} solved
 */
function checkHeading(heading, scores, solved) {
  const said = quoted(heading[0].split(/\s+/u).filter((piece) => piece !== "").join(" "));
  const [, count, limit] = heading;
  const failed = count.toLowerCase() === "x";
  const wanted = Number(failed ? limit : count);
  if (scores.length !== wanted) {
    const [rows, needed] = [counted(scores.length, "row"), counted(wanted, "row")];
    throw new EngineError(`${said} means ${needed}, but the grid has ${rows}`);
  }
  if (failed === (scores[scores.length - 1] === solved)) {
    const end = failed ? "was not solved, but the last row is" : "was solved, but no row is";
    throw new EngineError(`${said} means that the game ${end} all green`);
  }
}

/**
 * The words of a grid with their scores; there must be a word for each row.
 * @param {Rules} rules @param {Shared} shared
 * @returns {Steps}
 */
export function historyOfGrid(rules, { scores, words }) {
  if (words.length !== scores.length) {
    const [rows, found] = [counted(scores.length, "row"), counted(words.length, "word")];
    throw new EngineError(
      `the grid has ${rows}, but there ${words.length === 1 ? "is" : "are"} ${found} ` +
        `(${words.slice(0, 8).join(" ")}); write one word for each row, in their order`,
    );
  }
  return words.map((word, at) => [rules.guessId(word), scores[at]]);
}

// ---- Grids without words

/**
 * How many allowed words fit each row of a share grid, as `review --json` says it.
 * @param {Engine} engine @param {Rules} rules @param {number[]} scores @param {number | null} secret
 * @param {Weights | null} [weights]
 */
export function reviewGrid(engine, rules, scores, secret, weights = null) {
  const hidden = secret === null ? rules.secretIds : Int32Array.of(secret);
  const all = counts(engine, rules, scores, hidden, "count_words", [scores.length, hidden.length]);
  const words = scores.map((_, k) => all.subarray(k * hidden.length, (k + 1) * hidden.length));
  const possible = new Uint8Array(hidden.length).fill(1);
  scores.forEach((score, k) => {
    for (let at = 0; at < hidden.length; at += 1) possible[at] &= Number(words[k][at] > 0);
    if (!possible.includes(1)) {
      const whose = secret === null ? "any secret that fits the rows above" : `the secret ${rules.guesses[secret]}`;
      const row = `row ${k + 1}, ${rules.formatScore(score)}`;
      throw new EngineError(`this grid is impossible: no word gives ${row}, for ${whose}`);
    }
  });
  const found = counts(engine, rules, scores, hidden, "count_fitting", scores.length, possible);
  const remaining = possible.reduce((sum, one) => sum + one, 0);
  const own = weights !== null && secret === null ? weights : new Float64Array(hidden.length).fill(1);
  const shares = own.filter((_, at) => possible[at] === 1);
  const rows = scores.map((score, k) => ({
    score,
    text: rules.formatScore(score),
    n_words: found[k],
    mean: meanByWeight(engine, words[k].filter((_, at) => possible[at] === 1), shares),
  }));
  return { list: rules.listName, remaining, rows };
}

/**
 * What a kernel counts over the scores of all guesses, of scores that are wanted, into an array of a shape.
 * @param {Engine} engine @param {Rules} rules @param {number[]} scores @param {Ids} hidden
 * @param {"count_words" | "count_fitting"} name @param {number | number[]} shape @param {Uint8Array[]} more
 */
function counts(engine, rules, scores, hidden, name, shape, ...more) {
  const { memory, kernels } = engine;
  return memory.scratch(() => {
    const given = [memory.of("int32", scores), ...more.map((some) => memory.of("uint8", some))];
    const found = memory.array("int32", shape);
    inStrips(engine, rules, allGuesses(rules), hidden, (grades) => {
      kernels.call(long(name, rules), .../** @type {any} */ ([grades, ...given, found]));
    });
    return found.data.slice();
  });
}
