// The options of questions: which ones there are, and in a sentence why another one is refused. An
// option that is not known is never passed over, since the answer would be one to another question.

import { didYouMean } from "./hints.js";
import { EngineError } from "./memory.js";
import { quoted } from "./words.js";

const GAME = ["kind", "hard"];
const WORDS = [...GAME, "list", "guesses", "name", "secrets", "secretsName", "used", "usedName"];
const CODES = [...GAME, "holes", "colours", "distinct"];
const ADVICE = ["top", "by", "guessFrom", "within", "common", "hard"];

/** Question → its options. */
const KNOWN = {
  game: WORDS,
  mastermind: CODES,
  suggest: [...ADVICE, "pattern", "weights"],
  boards: [...ADVICE, "weights"],
  openers: ["words", "by", "top", "bottom", "weights"],
  buckets: ["weights"],
  regret: ["hard", "timeLimit", "weights"],
  review: ["hard", "timeLimit", "weights", "onProgress"],
  solve: ["start", "rule", "guessFrom", "hard", "within", "pure", "weights", "onProgress"],
  check: ["name", "within", "hard", "onProgress"],
  proof: ["name", "words", "secrets", "sample", "onProgress"],
};

/** What several questions are called in messages. */
/** @type {Record<string, string>} */
const NAMES = { boards: "suggest on several boards", mastermind: "a game of Mastermind", proof: "check of a proof" };

/** Options of the commands that a page does not have, and why. */
const SHOWN = "is about what the command prints; here the answer is always the object of its JSON";
const DRAWN = "is about a picture, which the command draws";
const OF_GAMES = "belongs to engine.game";
/** @type {Record<string, string>} */
const COMMON = {
  ...Object.fromEntries(["json", "csv", "force", "quiet", "colours", "all", "showWords"].map((name) => [name, SHOWN])),
  ...Object.fromEntries(["plot", "against"].map((name) => [name, DRAWN])),
  ...Object.fromEntries(["list", "secrets", "game", "used"].map((name) => [name, OF_GAMES])),
};
const PLAY_HAS = "is not for a page; the command play has it";
const SOLVE_HAS = "is not for a page; the command solve-all has it";
const FOUND_OUT = "is found out from the file";
const OF_WORDS = "is for words; a game of Mastermind has none";
/** @type {Record<string, Record<string, string>>} */
const REFUSED = {
  mastermind: Object.fromEntries(WORDS.filter((name) => !GAME.includes(name)).map((name) => [name, OF_WORDS])),
  suggest: { worlds: "plays words out on several boards; the command play has it" },
  boards: {
    worlds: PLAY_HAS, timeLimit: PLAY_HAS, start: PLAY_HAS, strategy: PLAY_HAS,
    pattern: "is for one board",
  },
  review: {
    exact: "is not for a page, since it takes minutes; the command review has it",
    games: "reads many games; the command review has it",
    allowUnknown: "is not for a page; the command review has it",
  },
  solve: {
    then: SOLVE_HAS, timeLimit: SOLVE_HAS, resume: SOLVE_HAS,
    workers: "is not for a page, which has one thread; the command solve-all has it",
    objective: "is not for a page; the command optimal has it",
    proof: "is not for a page; the command optimal has it",
    width: "is not for a page; the command optimal has it",
  },
  check: {
    weights: "is not for a page; the command verify has it",
    list: FOUND_OUT, secrets: FOUND_OUT, game: FOUND_OUT, words: FOUND_OUT,
    sample: "is for a proof; every secret of a strategy is played",
  },
  proof: {
    list: FOUND_OUT, game: FOUND_OUT, within: FOUND_OUT, hard: FOUND_OUT,
    workers: "is not for a page, which has one thread; the command check-proof has it",
  },
};

/**
 * Refuse what is no option of a question; what is null, undefined or false is as if it were not there.
 * @param {keyof typeof KNOWN} question @param {any} options
 */
export function checkOptions(question, options) {
  const name = NAMES[question] ?? question;
  if (options === null || typeof options !== "object" || Array.isArray(options)) {
    throw new EngineError(`the options of ${name} are an object, not ${quoted(String(options))}`);
  }
  const known = KNOWN[question];
  for (const [option, value] of Object.entries(options)) {
    if (known.includes(option) || value === undefined || value === null || value === false) continue;
    const reasons = { ...COMMON, ...REFUSED[question] };
    if (Object.hasOwn(reasons, option)) throw new EngineError(`the option ${option} ${reasons[option]}`);
    const hint = didYouMean(option, known);
    throw new EngineError(`${name} has no option ${quoted(option)}${hint}; options: ${known.join(", ")}`);
  }
}
