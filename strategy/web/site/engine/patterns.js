// Patterns: what is known of the secret beside clues, such as "c.a.e", "b not 3", "contains ab". The
// grammar and the messages are those of solver/advice/patterns.py.

import { isOfCodes } from "./codes.js";
import { EngineError } from "./memory.js";
import { grouped, isSpelled, plain, quoted } from "./words.js";

/** @import { Condition, Rules } from "./types.js" */

const LONGEST = 500;
const GRAMMAR = "c.a.e; b at 3; b not 3; contains ab; exactly 2 e; without xyz";
const SUCH_AS = `conditions are such as: ${GRAMMAR}`;
const PLACES = new Map([["first", 1], ["second", 2], ["third", 3], ["fourth", 4], ["fifth", 5]]);

/**
 * The conditions of some patterns: `text`, and `allows(word)`, which says whether a word keeps to it.
 * @param {Rules} rules @param {string[]} texts
 * @returns {Condition[]}
 */
export function readPatterns(rules, texts) {
  if (texts.length > 0 && isOfCodes(rules)) {
    throw new EngineError(`patterns are about letters; ${rules.spec} has none`);
  }
  return texts.flatMap((text) => {
    const size = [...String(text)].length;
    if (size > LONGEST) {
      throw new EngineError(`a pattern has at most ${LONGEST} characters, not ${grouped(size)}`);
    }
    return plain(String(text)).split(",").map((part) => {
      const words = part.split(/\s+/u).filter((word) => word !== "");
      if (words.length === 0) {
        throw new EngineError(`the pattern ${quoted(String(text))} has an empty condition; ${SUCH_AS}`);
      }
      const test = testOf(rules, words);
      return { text: words.join(" "), allows: (word) => test([...word]) };
    });
  });
}

/**
 * What the words of one condition mean: a test of the letters of a word.
 * @param {Rules} rules @param {string[]} words
 * @returns {(word: string[]) => boolean}
 */
function testOf(rules, words) {
  const text = words.join(" ");
  const name = `the pattern ${quoted(text)}`;
  if (words.length === 1) return fixed(rules, text, name);
  if (words[0] === "contains" && words[1] === "exactly") return exactly(rules, words.slice(1), name);
  if (words[0] === "exactly") return exactly(rules, words, name);
  if (["contains", "without", "no"].includes(words[0])) {
    const wanted = lettersOf(words.slice(1).join(""), name);
    if (words[0] !== "contains") return (word) => !word.some((letter) => wanted.includes(letter));
    if (wanted.length > rules.length) {
      throw new EngineError(`${name} has ${wanted.length} letters; words have ${rules.length}`);
    }
    return (word) => wanted.every((letter) => times(word, letter) >= times(wanted, letter));
  }
  if (words.length > 2 && (words[1] === "at" || words[1] === "not")) {
    const letter = oneLetter(words[0], name);
    const places = words.slice(2).map((each) => placeOf(rules, each, name));
    if (words[1] === "not") return (word) => places.every((at) => word[at] !== letter);
    return (word) => places.every((at) => word[at] === letter);
  }
  throw new EngineError(`${name} makes no sense; ${SUCH_AS}`);
}

/** @param {string[]} letters @param {string} letter */
const times = (letters, letter) => letters.filter((other) => other === letter).length;

/**
 * Letters at their places, with dots between them.
 * @param {Rules} rules @param {string} text @param {string} name
 * @returns {(word: string[]) => boolean}
 */
function fixed(rules, text, name) {
  const signs = [...text];
  if (signs.length !== rules.length) {
    throw new EngineError(
      `${name} has ${signs.length} places; words have ${rules.length} (a dot stands for any letter); ` +
        SUCH_AS,
    );
  }
  lettersOf(signs.filter((sign) => sign !== ".").join(""), name, true);
  return (word) => signs.every((sign, at) => sign === "." || word[at] === sign);
}

/**
 * A letter so many times.
 * @param {Rules} rules @param {string[]} words @param {string} name
 * @returns {(word: string[]) => boolean}
 */
function exactly(rules, words, name) {
  if (words.length !== 3 || !/^[0-9]+$/.test(words[1])) {
    throw new EngineError(`${name} must be such as 'exactly 2 e'`);
  }
  const number = Number(words[1].slice(0, 4));
  const letter = oneLetter(words[2], name);
  if (number > rules.length) throw new EngineError(`${name}: words have ${rules.length} letters`);
  return (word) => times(word, letter) === number;
}

/**
 * Letters of a condition; none at all only where that means something.
 * @param {string} letters @param {string} name @param {boolean} [orNone]
 */
function lettersOf(letters, name, orNone = false) {
  const signs = [...letters];
  const strange = signs.find((sign) => !isSpelled(sign));
  if (strange !== undefined) throw new EngineError(`${name} has ${quoted(strange)}, which is no letter`);
  if (signs.length === 0 && !orNone) throw new EngineError(`${name} names no letter`);
  return signs;
}

/** @param {string} letters @param {string} name */
function oneLetter(letters, name) {
  if (lettersOf(letters, name, true).length === 1) return letters;
  throw new EngineError(`${name} needs one letter, not ${quoted(letters)}`);
}

/**
 * A place of a word, counted from 0.
 * @param {Rules} rules @param {string} word @param {string} name
 */
function placeOf(rules, word, name) {
  let place = PLACES.get(word) ?? (word === "last" ? rules.length : 0);
  if (/^[0-9]+$/.test(word)) place = Number(word.slice(0, 4));
  if (place < 1 || place > rules.length) {
    throw new EngineError(`${name}: ${quoted(word)} is no place; places are 1 to ${rules.length}`);
  }
  return place - 1;
}
