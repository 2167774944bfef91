// Word lists: read, checked and sorted as the commands do, with the same messages; and the game that
// two of them make.
//
// Words are composed (NFC), in lower case, the Greek ς is σ; a letter is a Unicode letter or decimal
// digit. They are in the order of their code points.

import { didYouMean } from "./hints.js";
import { USED } from "./lists.js";
import { valueOf } from "./maps.js";
import { EngineError } from "./memory.js";
import { sha256, hex } from "./files.js";

/** @import { Ids, Rules, Shipped, WordOptions, Words } from "./types.js" */

export const NAMED_LISTS = ["original", "nyt-2022", "nyt-2023", "nyt-2026"];
/** As in strategy/play/game.py: boards at most, and the guesses that a game on so many allows. */
export const MOST_BOARDS = 32;
const [LIMITS, MORE] = [new Map([[1, 6], [2, 7], [4, 9], [8, 13]]), 5];
/** What a game calls itself above a grid that it shares. */
export const HEADING =
  /(?:\bwordle[\s\d.,'’]{0,30}|\bknuthle\s+\S{1,60})\s(?<count>[0-9]{1,2}|x)\/(?<limit>[0-9]{1,2})(?<hard>\*?)(?=\s|$)/iu;
const LATIN = "abcdefghijklmnopqrstuvwxyz";
const MOST_LETTERS = 64;
const SHORTEST = 2;
const LONGEST = 11;
const MOST_WORDS = 1 << 20;
const LONGEST_QUOTE = 40;
const SPELLED = /^[\p{L}\p{Nd}]+$/u;
const MARK = /^\p{M}$/u;
// eslint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Letters as words of a game are compared.
 * @param {string} text
 */
export function plain(text) {
  if (ASCII.test(text)) return text.toLowerCase();
  const composed = text.normalize("NFC").replaceAll("İ", "i").toLowerCase();
  return composed.normalize("NFC").replaceAll("ς", "σ");
}

/**
 * Whether a text can be a word of a game: letters and digits throughout, and not empty.
 * @param {string} text
 */
export function isSpelled(text) {
  return SPELLED.test(text);
}

/**
 * A text in quotes, as messages have it.
 * @param {string} text
 */
export function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const shown = [...text].map((sign) => {
    if (sign === "\\" || sign === quote) return `\\${sign}`;
    return /[\p{C}\p{Zl}\p{Zp}]/u.test(sign) ? escaped(sign) : sign;
  });
  return `${quote}${shown.join("")}${quote}`;
}

/**
 * The number of the sign that begins at a place.
 * @param {string} text
 */
function codeOf(text, at = 0) {
  return /** @type {number} */ (text.codePointAt(at));
}

/** @param {string} sign */
function escaped(sign) {
  const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[sign];
  if (short) return short;
  const digits = codeOf(sign).toString(16);
  if (digits.length <= 2) return `\\x${digits.padStart(2, "0")}`;
  return digits.length <= 4 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

/**
 * A number with commas, as messages have it.
 * @param {number | bigint} number
 */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * A number with its noun: 1 word, 2,315 words.
 * @param {number} number @param {string} noun @param {string} [plural]
 */
export function counted(number, noun, plural = `${noun}s`) {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/**
 * Compare two words by their code points.
 * @param {string} one @param {string} other
 */
export function byCodePoints(one, other) {
  for (let at = 0; ;) {
    if (at >= one.length || at >= other.length) return one.length - other.length;
    const [a, b] = [codeOf(one, at), codeOf(other, at)];
    if (a !== b) return a - b;
    at += a > 0xffff ? 2 : 1;
  }
}

/**
 * The digest of a list of words, by which it is compared with others.
 * @param {string[]} words
 */
export function wordsDigest(words) {
  return hex(sha256(new TextEncoder().encode(words.join("\n"))));
}

/**
 * The words of a list with their first lines: of a text with a word a line, or of words. `where` is
 * what messages call the list; a word has from so many to so many letters.
 * @param {Words} source @param {string} where @param {[least: number, most: number]} [lengths]
 */
export function numberedWords(source, where, lengths = [SHORTEST, LONGEST]) {
  const lines = typeof source === "string"
    ? source.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)
    : [...source];
  const seen = new Map();
  lines.forEach((line, k) => {
    if (typeof line !== "string") throw new EngineError(`${where}:${k + 1}: this is no word`);
    const written = line.split("#", 1)[0].trim();
    const word = plain(written);
    if (word === "" || seen.has(word)) return;
    checkWord(word, written, `${where}:${k + 1}`, seen, lengths);
    seen.set(word, k + 1);
    if (seen.size > MOST_WORDS) {
      throw new EngineError(`${where}:${k + 1}: more than ${grouped(MOST_WORDS)} words, the limit`);
    }
  });
  if (seen.size === 0) throw new EngineError(`${where}: the file has no words`);
  checkLetters(where, seen);
  return seen;
}

/**
 * @param {string} word @param {string} written @param {string} where @param {Map<string, number>} seen
 * @param {[least: number, most: number]} lengths
 */
function checkWord(word, written, where, seen, [least, most]) {
  const cut = [...written];
  const shown = quoted(cut.length <= LONGEST_QUOTE ? written : `${cut.slice(0, LONGEST_QUOTE).join("")}…`);
  if (/\s/u.test(word)) throw new EngineError(`${where}: more than one word on the line: ${shown}`);
  if (!isSpelled(word)) throw new EngineError(`${where}: ${shown} has ${firstNonLetter(word)}`);
  const length = [...word].length;
  if (length < least || length > most) {
    throw new EngineError(`${where}: ${shown} has ${letters(length)}; length must be ${least}–${most}`);
  }
  const [before] = seen;
  if (before !== undefined) {
    const [first, line] = before;
    const wanted = [...first].length;
    if (wanted !== length) {
      throw new EngineError(
        `${where}: ${quoted(word)} has ${letters(length)}, ${quoted(first)} on line ${line} has ` +
          `${wanted}; all words must have the same length`,
      );
    }
  }
}

/** @param {string} word */
function firstNonLetter(word) {
  const wrong = [...word].find((sign) => !isSpelled(sign)) ?? word;
  if (MARK.test(wrong)) {
    const digits = codeOf(wrong).toString(16).toUpperCase().padStart(4, "0");
    return `U+${digits} a mark, which fits no letter before it`;
  }
  return `${quoted(wrong)}, which is neither a letter nor a digit`;
}

/** @param {string} where @param {Map<string, number>} lines */
function checkLetters(where, lines) {
  const met = new Set();
  for (const [word, line] of lines) {
    for (const letter of word) met.add(letter);
    if (met.size > MOST_LETTERS) {
      throw new EngineError(
        `${where}:${line}: with ${quoted(word)} the words have more than ${MOST_LETTERS} different ` +
          "letters; make a list with fewer by knuthle lists make --letters",
      );
    }
  }
}

/**
 * The guesses that a game on so many boards allows.
 * @param {number} boards
 */
export const guessesOn = (boards) => LIMITS.get(boards) ?? boards + MORE;

/** @param {number} count */
function letters(count) {
  return count === 1 ? "1 letter" : `${count} letters`;
}

/** Guesses and secrets, and what they are called. */
export class Game {
  /** @type {Map<string, number> | null} */
  #index = null;
  /** @type {Map<string, string>} */
  #digests = new Map();

  /**
   * @param {string} listName @param {string} secretsName @param {string[]} guesses @param {string[]} secrets
   * @param {boolean} hard
   */
  constructor(listName, secretsName, guesses, secrets, hard) {
    this.listName = listName;
    this.secretsName = secretsName;
    this.guesses = guesses;
    this.secrets = secrets;
    this.hard = hard;
  }

  /** The position of each guess. */
  get index() {
    this.#index ??= new Map(this.guesses.map((word, k) => [word, k]));
    return this.#index;
  }

  /**
   * The digest of the guesses, or of the secrets.
   * @param {"guesses" | "secrets"} part
   */
  digest(part) {
    const digest = this.#digests.get(part) ?? wordsDigest(this[part]);
    this.#digests.set(part, digest);
    return digest;
  }
}

/** Wordle over two lists of words; `letters` are those of all guesses as numbers, row by row. */
export class WordGame extends Game {
  spec = "wordle";
  signNoun = "letter";
  replyNoun = "colours";
  /** @type {Set<string> | null} Answers that were used, where these weigh less. */
  past = null;

  /**
   * @param {string} listName @param {string} secretsName @param {string[]} guesses @param {string[]} secrets
   * @param {boolean} hard
   */
  constructor(listName, secretsName, guesses, secrets, hard) {
    super(listName, secretsName, guesses, secrets, hard);
    this.length = [...guesses[0]].length;
    this.solved = 3 ** this.length - 1;
    this.nScores = 3 ** this.length;
    this.alphabet = alphabetOf(guesses);
    const numbers = new Map([...this.alphabet].map((letter, k) => [letter, k]));
    this.letters = new Uint8Array(guesses.length * this.length);
    let at = 0;
    for (const word of guesses) {
      for (const letter of word) this.letters[at++] = valueOf(numbers, letter);
    }
    this.secretIds = Int32Array.from(secrets, (word) => valueOf(this.index, word));
  }

  /**
   * The position of a guess; an unknown word is refused.
   * @param {string} word
   */
  guessId(word) {
    const spelled = plain(String(word).trim());
    const found = this.index.get(spelled);
    if (found === undefined) {
      throw new EngineError(
        `${quoted(String(word))} is not among the ${grouped(this.guesses.length)} guesses of ` +
          `${this.listName}${didYouMean(spelled, this.guesses, 3, this.secrets)}`,
      );
    }
    return found;
  }

  /**
   * The score of a guess against a secret, both as positions among the guesses.
   * @param {number} guess @param {number} secret
   */
  grade(guess, secret) {
    return scoreOf(this.letters, guess * this.length, this.letters, secret * this.length, this.length);
  }

  /**
   * A score as text.
   * @param {number} score
   */
  formatScore(score) {
    return scoreText(score, this.length);
  }
}

/**
 * The same game, in which other ones of its guesses may be hidden.
 * @template {Rules} T @param {T} rules @param {Ids} secretIds @param {string} secretsName
 * @returns {T}
 */
export function withSecrets(rules, secretIds, secretsName) {
  return Object.create(rules, {
    index: { value: rules.index },
    secrets: { value: Array.from(secretIds, (guess) => rules.guesses[guess]) },
    secretIds: { value: secretIds },
    secretsName: { value: secretsName },
  });
}

/**
 * The score of so many letters, from a place on, against those of a secret.
 * @template T @param {ArrayLike<T>} letters @param {number} one @param {ArrayLike<T>} hidden @param {number} other
 * @param {number} length
 */
export function scoreOf(letters, one, hidden, other, length) {
  let score = 0;
  let taken = 0;
  for (let at = 0, worth = 2; at < length; at += 1, worth *= 3) {
    if (letters[one + at] === hidden[other + at]) {
      score += worth;
      taken |= 1 << at;
    }
  }
  const green = taken;
  for (let at = 0, worth = 1; at < length; at += 1, worth *= 3) {
    if ((green >> at) & 1) continue;
    for (let there = 0; there < length; there += 1) {
      if (letters[one + at] === hidden[other + there] && !((taken >> there) & 1)) {
        taken |= 1 << there;
        score += worth;
        break;
      }
    }
  }
  return score;
}

/**
 * A score of Wordle as text: b, y, g from left to right.
 * @param {number} score @param {number} length
 */
export function scoreText(score, length) {
  return coloursOf(score, length).map((colour) => "byg"[colour]).join("");
}

/**
 * The colours of a score, letter by letter: 0 grey, 1 yellow, 2 green.
 * @param {number} score @param {number} length
 */
export function coloursOf(score, length) {
  return Array.from({ length }, (_, at) => Math.floor(score / 3 ** at) % 3);
}

/** @param {string[]} words */
function alphabetOf(words) {
  if (words.every((word) => /^[a-z]+$/.test(word))) return LATIN;
  const found = new Set();
  for (const word of words) for (const letter of word) found.add(letter);
  return [...found].sort(byCodePoints).join("");
}

// ---- A game by the options of `engine.game`

/**
 * The game of two lists; used words are left out, or weigh less. `shipped(name, part)` are the words of a list.
 * @param {WordOptions} options @param {Shipped} shipped
 * @returns {WordGame}
 */
export function wordGame(options, shipped) {
  const game = gameOfLists(options, shipped);
  const { used, usedName = "used" } = options;
  if (used === undefined) return game;
  if (used !== "weigh" && used !== "exclude") {
    return withoutUsed(game, new Set(numberedWords(used, usedName).keys()), usedName);
  }
  const past = pastAnswers(listed(shipped, USED.list, "answers"));
  if (used === "exclude") return withoutUsed(game, past, `to ${USED.until}`);
  checkUsed(game, past, `to ${USED.until}`);
  game.past = past;
  return game;
}

/** @param {WordOptions} options @param {Shipped} shipped */
function gameOfLists(options, shipped) {
  const { list, guesses, secrets = "answers", hard = false } = options;
  if (guesses === undefined) return namedGame(list ?? "original", secrets, hard, shipped);
  const name = options.name ?? "words";
  const words = [...numberedWords(guesses, name).keys()].sort(byCodePoints);
  if (secrets === "answers" || secrets === "allowed") {
    return new WordGame(name, "allowed", words, words, hard);
  }
  const hiddenName = options.secretsName ?? "words";
  return new WordGame(name, hiddenName, words, hiddenWords(secrets, hiddenName, name, words), hard);
}

/**
 * The answers that the newspaper has had, of all that its list has.
 * @param {string[]} answers
 */
function pastAnswers(answers) {
  const bits = BigInt(`0x${USED.answers}`).toString(2).padStart(answers.length, "0");
  return new Set(answers.filter((_, at) => bits[at] === "1"));
}

/**
 * The game without the secrets that were used, which will not come again.
 * @param {WordGame} game @param {Set<string>} gone @param {string} name
 */
function withoutUsed(game, gone, name) {
  const where = checkUsed(game, gone, name);
  const left = game.secrets.filter((word) => !gone.has(word));
  if (left.length === 0) throw new EngineError(`${where}: no possible answer is left, all are used`);
  return new WordGame(game.listName, `unused ${game.secretsName}`, game.guesses, left, game.hard);
}

/**
 * Refuse used words of another length; what messages call them.
 * @param {WordGame} game @param {Iterable<string>} iterable @param {string} name
 */
function checkUsed(game, [first], name) {
  const where = `used answers ${name}`;
  checkLength(where, first, game.listName, game.length);
  return where;
}

/** @param {string} where @param {string} word @param {string} list @param {number} length */
function checkLength(where, word, list, length) {
  const own = [...word].length;
  if (own === length) return;
  throw new EngineError(`${where}: its words have ${own} letters, those of list ${list} ${length}`);
}

/**
 * The words of a shipped list, which must be open.
 * @param {Shipped} shipped @param {string} list @param {string} part
 */
function listed(shipped, list, part) {
  const words = shipped(list, part);
  if (words === null) throw new EngineError(`the list ${list} is not open`, 3);
  return words;
}

/** @param {string} list @param {Words} secrets @param {boolean} hard @param {Shipped} shipped */
function namedGame(list, secrets, hard, shipped) {
  if (!NAMED_LISTS.includes(list)) {
    throw new EngineError(
      `there is no list or file named ${quoted(String(list))}${didYouMean(String(list), NAMED_LISTS)}; ` +
        `lists: ${NAMED_LISTS.join(", ")}`,
    );
  }
  const allowed = listed(shipped, list, "allowed");
  if (secrets === "answers" || secrets === "allowed") {
    return new WordGame(list, secrets, allowed, listed(shipped, list, secrets), hard);
  }
  return new WordGame(list, "words", allowed, hiddenWords(secrets, "secrets", list, allowed), hard);
}

/** @param {Words} source @param {string} where @param {string} list @param {string[]} guesses */
function hiddenWords(source, where, list, guesses) {
  const lines = numberedWords(source, where);
  const hidden = [...lines.keys()].sort(byCodePoints);
  checkLength(where, hidden[0], list, [...guesses[0]].length);
  const known = new Set(guesses);
  const strange = hidden.find((word) => !known.has(word));
  if (strange !== undefined) {
    throw new EngineError(
      `${where}:${lines.get(strange)}: the secret ${quoted(strange)} is not a guess of list ${list}`,
    );
  }
  return hidden;
}
