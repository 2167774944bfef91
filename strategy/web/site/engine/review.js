// A finished game, graded guess by guess: skill, luck, better words, as strategy/play/review.py says it.
// The answer is the object of `review --json`; what is measured and ranked comes from kernels.

import { checkHard, classesOf, commonWords, contradiction, fitting, orderTotals, wideGame } from "./advice.js";
import { historyOf } from "./clues.js";
import { isOfCodes, representatives } from "./codes.js";
import { allGuesses, allSecrets } from "./exact.js";
import { historyOfGrid, piecesOf, readShared, reviewGrid, withoutHeading } from "./grids.js";
import { look } from "./hindsight.js";
import { EngineError } from "./memory.js";
import { chancesOf, exactSum, weighed, weightsAt } from "./weights.js";
import { counted, grouped, plain, quoted } from "./words.js";

/**
 * @import { Clues, Engine, Graded, Ids, Insight, ReviewOptions, Reviewed, Reviewing, Rules, Shared, Step, Steps,
 *   Weights } from "./types.js"
 */

/** As in strategy/play/review.py. */
const [LIMIT, TOP, NOTHING, DIGITS, LONGEST_GAME] = [6, 3, 1e-9, 9, 5_000];
/** Seconds for a guess. The command's are ten; here the same search takes longer, on a phone too. */
const TIME_LIMIT = 60;

/**
 * What `knuthle review` answers. `played` is a text or a list of words with scores; a `secret` may stand
 * for the scores. Options: `hard`, `timeLimit` (seconds a guess), `onProgress(done, whole)`.
 * @param {Engine} engine @param {Rules} whole @param {Clues} played @param {string | null} [secret]
 * @param {ReviewOptions} [options]
 */
export function review(engine, whole, played, secret = null, options = {}) {
  const { rules, weights: given, facts, widens } = weighed(whole, options.weights);
  const { hard, onProgress = () => {} } = options;
  const timeLimit = secondsOf(options.timeLimit ?? TIME_LIMIT);
  const hidden = secret === null || secret === undefined || secret === "" ? null : rules.guessId(secret);
  const text = textOf(played);
  const shared = text === null || [...text].length > LONGEST_GAME ? null : readShared(rules, text);
  const starred = shared?.hard ?? false;
  if (shared !== null && shared.words.length === 0) {
    if (hard) { // the star of a grid says so, and no word of it can be checked
      throw new EngineError("a grid shows no words, so that nobody can say if it kept to --hard");
    }
    const { list, ...found } = reviewGrid(engine, rules, shared.scores, hidden, given);
    return { list, ...facts, ...found };
  }
  const history = text === null
    ? fittingSecret(rules, historyOf(rules, played), hidden)
    : readGame(rules, text, shared, hidden);
  const isHard = Boolean(hard ?? rules.hard) || starred;
  checkPlayed(rules, history, isHard);
  return reviewed(engine, rules, history, hidden, { hard: isHard, timeLimit, onProgress, given, facts, widens });
}

/**
 * A limit of time.
 * @param {any} limit
 */
export function secondsOf(limit) {
  if (Number.isFinite(limit) && limit > 0) return limit;
  throw new EngineError(`timeLimit is a number of seconds above 0, not ${quoted(String(limit))}`);
}

// ---- What was played

/**
 * The game as a text, null if it is a list of words with scores.
 * @param {unknown} played
 */
function textOf(played) {
  if (typeof played === "string") return played.trim();
  if (Array.isArray(played) && played.length > 0 && played.every((word) => typeof word === "string")) {
    return played.join(" ");
  }
  if (Array.isArray(played)) return null;
  throw new EngineError("a game is a text, or a list of words with scores");
}

/**
 * The history of a game in a text: words with scores, or bare words if the secret is known.
 * @param {Rules} rules @param {string} text @param {Shared | null} shared @param {number | null} hidden
 * @returns {Steps}
 */
function readGame(rules, text, shared, hidden) {
  if ([...text].length > LONGEST_GAME) {
    throw new EngineError(`a game has at most ${grouped(LONGEST_GAME)} characters; here are more`);
  }
  if (shared !== null) return fittingSecret(rules, historyOfGrid(rules, shared), hidden);
  const bare = withoutHeading(text);
  const words = piecesOf(bare);
  const areWords = words.length > 0 && words.every((word) => rules.index.has(word));
  if (hidden !== null && areWords) {
    return words.map((word) => rules.guessId(word)).map((guess) => [guess, rules.grade(guess, hidden)]);
  }
  try {
    return fittingSecret(rules, historyOf(rules, bare), hidden);
  } catch (error) {
    if (!(error instanceof EngineError && hidden === null && areWords)) throw error;
    const { word, reply } = termsOf(rules);
    throw new EngineError(`add the ${reply} of each ${word}, or the hidden ${word} with --secret`);
  }
}

/**
 * The history, refused if the secret is known and a score is another one.
 * @param {Rules} rules @param {Steps} history @param {number | null} hidden
 */
function fittingSecret(rules, history, hidden) {
  if (hidden === null) return history;
  for (const [guess, score] of history) {
    const truth = rules.grade(guess, hidden);
    if (truth !== score) {
      const [word, said, gives] = [rules.guesses[guess], rules.formatScore(score), rules.formatScore(truth)];
      throw new EngineError(
        `${word} ${said} does not fit the secret ${rules.guesses[hidden]}: ${word} would get ${gives}`,
      );
    }
  }
  return history;
}

/**
 * Refuse what nobody can have played.
 * @param {Rules} rules @param {Steps} history @param {boolean} hard
 */
function checkPlayed(rules, history, hard) {
  if (history.length === 0) {
    const { reply, example } = termsOf(rules);
    throw new EngineError(`no guess to review; write each guess with its ${reply}, e.g. ${example}`);
  }
  const solved = history.findIndex(([, score]) => score === rules.solved);
  if (solved >= 0 && solved < history.length - 1) {
    throw new EngineError(`${rules.guesses[history[solved][0]]} ended the game; guess ${solved + 2} comes after it`);
  }
  if (hard) checkHard(rules, history);
}

/** @param {Rules} rules */
function termsOf(rules) {
  return isOfCodes(rules)
    ? { word: "code", reply: "pegs", example: "1122 2,1" }
    : { word: "word", reply: "colours", example: "crane bybbb" };
}

/**
 * The game whose secrets fit: as it is, or with all allowed words as secrets.
 * @param {Rules} rules @param {Steps} history @param {number | null} hidden @param {boolean} mayWiden
 */
function fittingGame(rules, history, hidden, mayWiden) {
  const narrow = rules.secrets.length === rules.guesses.length || !mayWiden;
  if (hidden === null || narrow || rules.secretIds.includes(hidden)) {
    const left = fitting(rules, rules.secretIds, history);
    if (left.length > 0) return { game: rules, left, widened: false };
    const wide = narrow ? left : fitting(rules, allGuesses(rules), history);
    if (wide.length === 0) throw new EngineError(contradiction(rules, history));
  }
  const game = wideGame(rules);
  return { game, left: fitting(game, game.secretIds, history), widened: true };
}

// ---- Guess by guess

/**
 * @param {Engine} engine @param {Rules} rules @param {Steps} history @param {number | null} hidden
 * @param {Reviewing} reviewing
 */
function reviewed(engine, rules, history, hidden, { hard, timeLimit, onProgress, given, facts, widens }) {
  const { game, left, widened } = fittingGame(rules, history, hidden, widens);
  const weights = widened ? null : given;
  const how = { hard, timeLimit, weights };
  /** @type {Graded[]} */
  const guesses = [];
  let here = allSecrets(game);
  let insight = look(engine, game, here, [], history[0][0], how);
  history.forEach(([guess, score], number) => {
    onProgress(number + 1, history.length + 1);
    const row = Int32Array.from(here, (at) => game.grade(guess, game.secretIds[at]));
    const after = here.filter((_, k) => row[k] === score);
    let then = null;
    if (score !== game.solved) {
      const following = number + 1 < history.length ? history[number + 1][0] : null;
      then = look(engine, game, after, history.slice(0, number + 1), following, how);
    }
    const bits = bitsBeyond(engine, row, score, weights && weightsAt(weights, here));
    guesses.push(graded(engine, game, [guess, score], insight, after.length, bits, then));
    if (then !== null) [here, insight] = [after, then];
  });
  const solved = history[history.length - 1][1] === game.solved;
  const luck = exactSum(guesses.map((each) => each.luck_guesses));
  const found = {
    list: rules.listName,
    state: history.map(([guess, score]) => [rules.guesses[guess], score]),
    solved,
    widened,
    remaining: left.length,
    hard,
    ...facts,
    guesses,
    skill: exactSum(guesses.map((each) => each.skill)) / guesses.length,
    extra_bits: exactSum(guesses.map((each) => each.extra_bits)),
    luck_guesses: luck,
  };
  return { ...found, sentence: sentenceOf(rules, found) };
}

/** @param {Engine} engine @param {Int32Array} row @param {number} score @param {Weights | null} weights */
function bitsBeyond(engine, row, score, weights) {
  const { memory, kernels } = engine;
  return memory.scratch(() => {
    const chances = chancesOf(engine, weights, row.length);
    return kernels.call("bits_beyond", memory.of("int32", row), score, chances);
  });
}

/**
 * A guess with all that can be said of it; `then` is what its score left.
 * @param {Engine} engine @param {Rules} rules @param {Step} step @param {Insight} insight @param {number} after
 * @param {number} bits @param {Insight | null} then
 */
function graded(engine, rules, [guess, score], insight, after, bits, then) {
  const { least, exact, left } = insight;
  const yours = /** @type {number} */ (insight.yours); // a guess was made
  const word = rules.guesses[guess];
  const ranked = rankedBest(engine, rules, insight);
  const better = ranked.filter(([, expected]) => expected < yours - NOTHING).slice(0, TOP);
  const told = toldOnce(engine, rules, left, better);
  return {
    word,
    score,
    text: rules.formatScore(score),
    before: left.length,
    after,
    expected: yours,
    best: yours - least < NOTHING ? word : rules.guesses[ranked[0][0]],
    best_expected: least,
    skill: Number(fixed(100 * (1 - Math.min(1, Math.max(0, yours - least))), DIGITS)),
    extra_bits: bits,
    luck_guesses: yours - 1 - (then === null ? 0 : then.least),
    exact,
    better: told.map(([other]) => rules.guesses[other]),
    better_expected: told.map(([, expected]) => expected),
  };
}

/**
 * The best guesses with what they expect: among equals words that are possible, then common.
 * @param {Engine} engine @param {Rules} rules @param {Insight} insight
 */
function rankedBest(engine, rules, { best, left }) {
  const guesses = best.map(([guess]) => guess);
  const classes = classesOf(rules, left, commonWords(engine, rules), guesses);
  return orderTotals(best.map(([, expected]) => expected), classes, guesses).map((at) => best[at]);
}

/**
 * Of better codes that are one code with other names the lowest alone.
 * @param {Engine} engine @param {Rules} rules @param {Ids} left @param {Insight["best"]} better
 */
function toldOnce(engine, rules, left, better) {
  if (!isOfCodes(rules) || better.length === 0) return better;
  const kept = new Set(representatives(engine, rules, left));
  const some = better.filter(([guess]) => kept.has(guess));
  return some.length > 0 ? some : better.slice(0, 1);
}

// ---- The review in one sentence

/** As in strategy/play/review.py. */
/** @type {[least: number, played: string][]} */
const PLAYED = [
  [95, "Very well played"],
  [87, "Well played"],
  [75, "Fairly played"],
  [50, "Not well played"],
  [0, "Poorly played"],
];
const [PRAISE, SOME, MUCH, DEAR] = [75, 0.25, 0.75, 0.05];

/** @param {Graded} graded */
const wasted = ({ expected, best_expected: best }) => Math.max(0, expected - best);

/** @param {Rules} rules @param {Reviewed} found */
function sentenceOf(rules, found) {
  const perfect = found.guesses.every((guess) => wasted(guess) < NOTHING);
  const played = perfect ? "Perfectly played" : PLAYED.find(([least]) => found.skill >= least)?.[1];
  return `${played}${luckOf(found)}: ${endOf(rules, found)}${costOf(found)}.`;
}

/** @param {Reviewed} reviewed */
function luckOf({ luck_guesses: luck, skill }) {
  const size = Math.abs(luck);
  if (size < SOME) return "";
  const joined = (luck > 0) === (skill >= PRAISE) ? "and" : "but";
  return ` ${joined} ${size >= MUCH ? "very " : ""}${luck > 0 ? "lucky" : "unlucky"}`;
}

/** @param {Rules} rules @param {Reviewed} reviewed */
function endOf(rules, { guesses, solved, remaining }) {
  const first = guesses[0];
  const average = `the best play takes ${first.exact ? "" : "about "}${fixed(first.best_expected, 2)} on average`;
  const made = counted(guesses.length, "guess", "guesses");
  if (solved) return `${made}, where ${average}`;
  const left = counted(remaining, termsOf(rules).word);
  if (!isOfCodes(rules) && guesses.length >= LIMIT) return `not found in ${made}, with ${left} left, where ${average}`;
  return `${made} so far, and ${left} ${remaining === 1 ? "is" : "are"} left, where ${average}`;
}

/** @param {Reviewed} reviewed */
function costOf({ guesses }) {
  const dearest = guesses.reduce((most, guess) => (wasted(guess) > wasted(most) ? guess : most));
  if (wasted(dearest) < DEAR) return "";
  const [best, word] = [capitals(dearest.best), capitals(dearest.word)];
  return `; ${best} instead of ${word} would have saved ${fixed(wasted(dearest), 2)}`;
}

/**
 * A word in capitals: each letter that has one of its own, as that.
 * @param {string} word
 */
function capitals(word) {
  return Array.from(word, (letter) => {
    const capital = letter === "ß" ? "ẞ" : letter.toUpperCase();
    return [...capital].length === 1 && plain(capital) === letter ? capital : letter;
  }).join("");
}

// ---- Numbers as Python has them

/**
 * A number of at least 0 with so many digits; what lies in the middle goes to the even one.
 * @param {number} number @param {number} digits
 */
function fixed(number, digits) {
  const text = number.toFixed(digits);
  const more = number.toFixed(digits + 20);
  if (!/^50*$/.test(more.slice(more.indexOf(".") + 1 + digits))) return text;
  const down = more.slice(0, more.indexOf(".") + 1 + digits);
  return Number(down[down.length - 1]) % 2 === 0 ? down : text;
}
