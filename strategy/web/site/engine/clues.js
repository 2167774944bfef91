// Clues as people write them: words and their scores in one text, or pairs of them, read with the
// rules and the messages of the commands.

import { isOfCodes } from "./codes.js";
import { EngineError } from "./memory.js";
import { isSpelled, plain, quoted } from "./words.js";

/** @import { Clues, Rules, Steps } from "./types.js" */

export const SEPARATORS = ".,:;/| \t\n";
export const NOTATIONS = ["byg", "xyg", "xpo", "012", "_?!", "⬛🟨🟩", "⬜🟨🟩", "⬛🟦🟧", "⬜🟦🟧"];
/** How many separators stand between a word and its score. */
const SEPARATIONS = /** @type {const} */ (["one", "none", "any"]);
const ANY_GREY = "._-";
const GREY_LETTERS = "bx";
const MARKS = new Set([...NOTATIONS.join(""), ...ANY_GREY]);

/**
 * The history of a game: pairs of a guess, by its position, and its score. Clues are a text such as
 * "crane bybbb", or a list of pairs of a word and its score as text or as its number.
 * @param {Rules} rules @param {Clues} clues
 * @returns {Steps}
 */
export function historyOf(rules, clues) {
  if (typeof clues === "string") {
    return readState(rules, clues).map(([word, score]) => [rules.guessId(word), score]);
  }
  if (!Array.isArray(clues)) throw new EngineError("clues are a text, or a list of words with scores");
  return clues.map((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw new EngineError("each clue is a word and its score");
    }
    const [word, score] = pair;
    if (typeof score === "string") return [rules.guessId(word), parseScore(rules, score)];
    if (!Number.isInteger(score) || score < 0 || score >= rules.nScores) {
      throw new EngineError(`${score} is no score`);
    }
    return [rules.guessId(word), score];
  });
}

/**
 * Whether clues are those of several boards: a text or a list of clues for each of them.
 * @param {unknown} clues
 * @returns {clues is Clues[]}
 */
export function areBoards(clues) {
  if (!Array.isArray(clues) || clues.length === 0) return false;
  return clues.every((board) => typeof board === "string" ||
    (Array.isArray(board) && board.every((pair) => Array.isArray(pair))));
}

/**
 * Read a score in any notation: every mark of it must belong to the same one.
 * @param {Rules} rules @param {string} text
 */
export function parseScore(rules, text) {
  if (isOfCodes(rules)) return rules.parseScore(text);
  const marks = [...text.trim().toLowerCase().replaceAll("\ufe0f", "")];
  if (marks.length !== rules.length) {
    throw new EngineError(
      `the score ${quoted(text)} has ${marks.length} marks; the words have ${rules.length} letters`,
    );
  }
  const strange = marks.find((mark) => !MARKS.has(mark));
  if (strange !== undefined) {
    throw new EngineError(
      `the score ${quoted(text)} has ${quoted(strange)}, which is not a colour; ` +
        "write byg for grey, yellow, green",
    );
  }
  for (const notation of NOTATIONS) {
    const symbols = [...notation];
    const known = [...notation, ...ANY_GREY, ...GREY_LETTERS];
    if (marks.every((mark) => known.includes(mark))) {
      return marks.reduce((sum, mark, at) => sum + Math.max(symbols.indexOf(mark), 0) * 3 ** at, 0);
    }
  }
  throw new EngineError(`the score ${quoted(text)} mixes notations; use only one of ${NOTATIONS.join(", ")}`);
}

/**
 * Read a whole text of words and scores, by their fixed widths: one separator after every word if
 * that makes sense of it, else none, else any number of them. What has two meanings is refused.
 * @param {Rules} rules @param {string} text
 */
function readState(rules, text) {
  const signs = [...plain(text.trim()).replaceAll("\ufe0f", "")];
  /** @type {[begin: number, end: number][]} */
  const doubts = [];
  for (const doubtful of [false, true]) {
    for (const separators of SEPARATIONS) {
      const steps = readSteps(rules, signs, separators, doubtful ? doubts : null);
      if (steps !== null && doubtful) {
        throw new EngineError(`${quoted(signs.join(""))}: ${twoReadings(rules, signs, doubts)}`);
      }
      if (steps !== null) return steps;
    }
  }
  throw new EngineError(whyUnreadable(rules, signs.join("")));
}

/**
 * @param {Rules} rules @param {string[]} signs @param {typeof SEPARATIONS[number]} separators
 * @param {[begin: number, end: number][] | null} doubts
 * @returns {[word: string, score: number][] | null}
 */
function readSteps(rules, signs, separators, doubts) {
  let last = signs.length;
  while (last > 0 && SEPARATORS.includes(signs[last - 1])) last -= 1;
  /** @param {number} at */
  const isEnd = (at) => at >= last && at <= signs.length;
  /** @type {Map<number, [word: string, begin: number, end: number]>} */
  const readings = new Map();
  for (let at = signs.length - 1; at >= 0; at -= 1) {
    readStep(rules, signs, at, separators, isEnd, readings, doubts !== null);
  }
  /** @type {[word: string, score: number][]} */
  const steps = [];
  let at = 0;
  for (let reading = readings.get(at); reading !== undefined; reading = readings.get(at)) {
    const [word, begin, end] = reading;
    steps.push([word, parseScore(rules, signs.slice(begin, end).join(""))]);
    if (doubts !== null && isDoubtful(rules, signs, begin, end)) doubts.push([begin, end]);
    at = end;
  }
  return isEnd(at) ? steps : null;
}

/**
 * @param {Rules} rules @param {string[]} signs @param {number} at @param {typeof SEPARATIONS[number]} separators
 * @param {(at: number) => boolean} isEnd @param {Map<number, [word: string, begin: number, end: number]>} readings
 * @param {boolean} doubtful
 */
function readStep(rules, signs, at, separators, isEnd, readings, doubtful) {
  if (SEPARATORS.includes(signs[at])) {
    const next = readings.get(at + 1);
    if (next !== undefined) readings.set(at, next);
    return;
  }
  const word = signs.slice(at, at + rules.length).join("");
  if (at + rules.length > signs.length || !isSpelled(word)) return;
  const places = afterSeparators(signs, at + rules.length);
  const [none, one, ...more] = places;
  const ones = one === undefined ? [] : [one];
  const begins = { one: ones, none: [none], any: [...ones, none, ...more] }[separators];
  for (const begin of begins) {
    for (const end of scoreEnds(rules, signs, begin)) {
      const clear = doubtful || !isDoubtful(rules, signs, begin, end);
      if (clear && (isEnd(end) || readings.has(end))) {
        readings.set(at, [word, begin, end]);
        return;
      }
    }
  }
}

/** @param {string[]} signs @param {number} at */
function afterSeparators(signs, at) {
  const places = [at];
  while (at < signs.length && SEPARATORS.includes(signs[at])) places.push((at += 1));
  return places;
}

/**
 * Where scores that begin at a place can end.
 * @param {Rules} rules @param {string[]} signs @param {number} begin
 */
function scoreEnds(rules, signs, begin) {
  const ends = isOfCodes(rules) ? rules.scoreEnds(signs, begin) : [begin + rules.length];
  return ends.filter((end) => end <= signs.length && isScore(rules, signs.slice(begin, end).join("")));
}

/** @param {Rules} rules @param {string} text */
function isScore(rules, text) {
  try {
    parseScore(rules, text);
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

/**
 * Whether the first or last mark is a grey one only because the score needs one more.
 * @param {Rules} rules @param {string[]} signs @param {number} begin @param {number} end
 */
function isDoubtful(rules, signs, begin, end) {
  if (isOfCodes(rules)) return false;
  const marks = signs.slice(begin, end);
  const before = signs.slice(Math.max(begin - 2, 0), begin);
  const after = signs.slice(end, end + 1);
  if (marks.every((mark) => mark === ".")) return false;
  const lastBefore = before[before.length - 1];
  if (!SEPARATORS.includes(lastBefore)) {
    const rest = marks.slice(1);
    const other = [marks[0], "?", "!"].some((mark) => rest.includes(mark));
    if (marks[0] === "." || ("-_".includes(marks[0]) && !other)) return true;
  } else if (marks[0] === lastBefore && SEPARATORS.includes(before[0])) {
    return true;
  }
  if (marks[marks.length - 1] !== ".") return false;
  const score = parseScore(rules, marks.join(""));
  const mixed = marks.some((mark, at) => mark !== "." && Math.floor(score / 3 ** at) % 3 === 0);
  if (mixed && !marks.join("").replace(/^\.+|\.+$/g, "").includes(".")) return true;
  return after.length > 0 && !SEPARATORS.includes(after[0]) && SEPARATORS.includes(lastBefore);
}

/** @param {Rules} rules @param {string[]} signs @param {[number, number][]} doubts */
function twoReadings(rules, signs, doubts) {
  const [begin, end] = doubts[0];
  const marks = signs.slice(begin, end);
  let last = begin;
  while (last > 0 && SEPARATORS.includes(signs[last - 1])) last -= 1;
  const word = signs.slice(0, last).join("").slice(-rules.length);
  const edge = ANY_GREY.includes(marks[0]) ? marks[0] : marks[marks.length - 1];
  const whole = rules.formatScore(parseScore(rules, marks.join("")));
  return `${quoted(marks.join(""))} after ${quoted(word)} has two meanings: ${quoted(edge)} is a ` +
    `separator and one mark is missing, or ${quoted(edge)} is a grey letter; write all ` +
    `${marks.length} marks, or ${word}.${whole} if ${quoted(edge)} is grey`;
}

/** @param {Rules} rules @param {string} text */
function whyUnreadable(rules, text) {
  const tokens = text.split(/[\s.]+/u).filter((token) => token !== "");
  const { signNoun: sign, replyNoun: reply } = rules;
  for (const [place, token] of tokens.entries()) {
    const size = [...token].length;
    if (place % 2 === 0) {
      if (size !== rules.length) {
        return `${quoted(token)} has ${size} ${sign}${size === 1 ? "" : "s"}; need ${rules.length}`;
      }
      if (place + 1 === tokens.length) {
        const example = rules.formatScore(Math.min(3, rules.nScores - 1));
        return `${quoted(token)}: add its ${reply}, e.g. ${token} ${example}`;
      }
    } else {
      try {
        parseScore(rules, token);
      } catch (error) {
        return `${quoted(text)}: ${/** @type {Error} */ (error).message}`;
      }
    }
  }
  return `${quoted(text)} must be guesses, each followed by its ${reply}`;
}
