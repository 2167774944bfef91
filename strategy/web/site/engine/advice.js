// Advice: what to guess next, the best first words, and the split of a word. Each answer is the object
// that the command of that name prints as JSON. Measures, ranks and exact totals come from kernels.

import { rankByWeight, sharesByWeight } from "./by_weight.js";
import { historyOf } from "./clues.js";
import { countAlike, isOfCodes, representatives } from "./codes.js";
import {
  MEMO_BITS, NoTable, UNLIMITED, allGuesses, allSecrets, inStrips, lettersOf, long, newSearch, partOf, sharesOf, stateOf,
  wordsOf,
} from "./exact.js";
import { afterText, legalAfter } from "./hard_mode.js";
import { didYouMean } from "./hints.js";
import { KERNELS } from "./kernels.js";
import { groupsOf, upTo } from "./maps.js";
import { EngineError, NoRoom, itemOf } from "./memory.js";
import { readPatterns } from "./patterns.js";
import { StateTotals, TooLong, legalPart } from "./state_totals.js";
import { weighed, weightsAt } from "./weights.js";
import { NAMED_LISTS, grouped, quoted, withSecrets } from "./words.js";

/**
 * @import { AdviceOptions, Ahead, Asked, Clues, Condition, Engine, Ids, OpenersOptions,
 *   RankRows, Ranking, Rules, Situation, StateSearch, Steps, SuggestAsked, Weights, WeightsOption } from "./types.js"
 * @import { WordGame } from "./words.js"
 */

export const MEASURES = ["entropy", "remaining", "expected-size", "parts", "minimax", "proportion"];
const MORE_MEASURES = ["expected-size", "minimax", "parts"];
const POOLS = ["allowed", "secrets", "candidates"];
const MOST_CANDIDATES = 1 << 18;
const HIGHEST_LIMIT = 1_000_000;
/** As in solver/advice/suggest.py. */
const WEIGHTED_EFFORT = 10_000_000;
const [MOST_FORECAST, EFFORT] = [256, 64_000];
export const [LOOKED_AT, MOST_FOR_COMMON] = [10, 0.02];
const HIGHEST = 2 ** 32 - 1;
const [PROVED, NEEDS_TABLE, UNKNOWN] = [1, -1, -1];

// ---- Questions

/**
 * What `knuthle openers` answers. Options: `words`, `by`, `top`, `bottom`, `weights`.
 * @param {Engine} engine @param {Rules} narrow @param {OpenersOptions} [options]
 */
export function openers(engine, narrow, options = {}) {
  const { words = [], bottom = 0 } = options;
  if (options.by === "letters" && (options.weights ?? null) !== null) {
    throw new EngineError("--by letters counts letters of guesses, which --weights does not do");
  }
  const { rules, weights, facts } = weighed(narrow, options.weights);
  const wanted = words.map((word) => rules.guessId(word));
  if (options.by === "letters") {
    if (isOfCodes(rules)) throw new EngineError(`--by letters needs words; ${rules.spec} has none`);
    return openersByLetters(engine, rules, wanted);
  }
  const by = measureOf(options.by ?? "entropy");
  const top = options.top === null ? null : countOf("top", options.top, 20);
  return engine.memory.scratch(() => {
    const ranking = ranked(engine, rules, allSecrets(rules), allGuesses(rules), by, null, weights);
    const first = top ?? ranking.length;
    const last = Math.max(first, ranking.length - countOf("bottom", bottom, 0));
    const shown = [...upTo(ranking.length)].filter((at) => (
      wanted.length > 0 ? wanted.includes(ranking.guess[at]) : at < first || at >= last
    ));
    return {
      list: rules.listName,
      by,
      n_guesses: rules.guesses.length,
      n_secrets: rules.secrets.length,
      ...facts,
      openers: shown.map((at) => recordOf(rules, ranking, at)),
    };
  });
}

/**
 * The word that the commonest letters spell, ranked with its neighbours and some more guesses.
 * @param {Engine} engine @param {WordGame} rules @param {number[]} wanted
 */
function openersByLetters(engine, rules, wanted) {
  const { places, spelled } = commonestLetters(rules);
  const word = spelled.join("");
  const near = neighbours(rules, spelled);
  const spelledAt = rules.index.get(word);
  const named = new Set([...wanted, ...near, ...(spelledAt === undefined ? [] : [spelledAt])]);
  return engine.memory.scratch(() => {
    const shown = new Map();
    for (const by of named.size > 0 ? ["entropy", ...MORE_MEASURES] : []) {
      const ranking = ranked(engine, rules, allSecrets(rules), allGuesses(rules), by, null);
      for (let at = 0; at < ranking.length; at += 1) {
        const guess = ranking.guess[at];
        if (!named.has(guess)) continue;
        if (by === "entropy") shown.set(guess, recordOf(rules, ranking, at));
        else shown.get(guess)[`rank_${by.replaceAll("-", "_")}`] = ranking.rank[at];
      }
    }
    return {
      list: rules.listName,
      by: "letters",
      n_guesses: rules.guesses.length,
      n_secrets: rules.secrets.length,
      spelled: word,
      allowed: rules.index.has(word),
      places,
      openers: [...shown.values()],
    };
  });
}

/**
 * The shares of the letters at each place, and the commonest letters, as `spell_commonest` takes them.
 * @param {WordGame} rules
 */
function commonestLetters(rules) {
  const alphabet = [...rules.alphabet];
  const width = alphabet.length;
  const found = new Int32Array(rules.length * width);
  rules.letters.forEach((letter, at) => {
    found[(at % rules.length) * width + letter] += 1;
  });
  const places = Array.from({ length: rules.length }, (_, place) => Object.fromEntries(
    alphabet.map((letter, k) => /** @type {[letter: string, share: number]} */ (
      [letter, found[place * width + k] / rules.guesses.length]
    )).filter(([, share]) => share > 0),
  ));
  /** @type {string[]} */
  const spelled = [];
  const left = found.slice();
  for (let step = 0; step < rules.length; step += 1) {
    if (Math.max(...left) < 0) { // fewer letters than places
      left.forEach((_, at) => {
        left[at] = spelled[Math.floor(at / width)] === undefined ? 0 : -1;
      });
    }
    const most = left.indexOf(Math.max(...left));
    const [place, letter] = [Math.floor(most / width), most % width];
    spelled[place] = alphabet[letter];
    left.fill(-1, place * width, (place + 1) * width);
    for (let at = letter; at < left.length; at += width) left[at] = -1;
  }
  return { places, spelled };
}

/**
 * The guesses that differ from a word in one letter.
 * @param {WordGame} rules @param {string[]} letters
 */
function neighbours(rules, letters) {
  const found = letters.flatMap((own, place) => [...rules.alphabet]
    .filter((letter) => letter !== own)
    .map((letter) => [...letters.slice(0, place), letter, ...letters.slice(place + 1)].join("")));
  return found.flatMap((word) => rules.index.get(word) ?? []);
}

/**
 * What `knuthle buckets` answers, of one word or two. Options: `weights`.
 * @param {Engine} engine @param {Rules} narrow @param {string | string[]} words @param {WeightsOption} [options]
 */
export function buckets(engine, narrow, words, options = {}) {
  const { rules, weights, facts } = weighed(narrow, options.weights);
  const splits = [words].flat().map((word) => {
    const guess = rules.guessId(word);
    const row = Int32Array.from(rules.secretIds, (secret) => rules.grade(guess, secret));
    const found = [...groupsOf(row.keys(), (at) => row[at])]
      .map(([score, places]) => /** @type {[score: number, secrets: string[]]} */ (
        [score, places.map((at) => rules.secrets[at])]
      ))
      .sort((one, other) => other[1].length - one[1].length || one[0] - other[0]);
    const shares = weights === null ? null : sharesByWeight(engine, rules, row, weights, found);
    return {
      word: rules.guesses[guess],
      ...shares?.measures,
      buckets: found.map(([score, secrets], k) => ({
        score, text: rules.formatScore(score), count: secrets.length, secrets,
        ...(shares === null ? {} : { chance: shares.chances[k] }),
      })),
    };
  });
  return { list: rules.listName, ...facts, splits };
}

/**
 * What `knuthle suggest` answers. Options: `top` (null: all), `by`, `guessFrom`, `within` (null: no
 * limit), `common`, `hard`, `pattern` (a text or several).
 * @param {Engine} engine @param {Rules} narrow @param {Clues} clues @param {AdviceOptions} [options]
 */
export function suggest(engine, narrow, clues, options = {}) {
  const asked = askedOf(narrow, options, 6);
  const patterns = [options.pattern ?? []].flat();
  const { rules, ...weighing } = weighed(narrow, options.weights);
  const history = historyOf(rules, clues);
  return engine.memory.scratch(() => suggested(engine, rules, history, { ...asked, patterns, ...weighing }));
}

/** @param {Engine} engine @param {Rules} narrow @param {Steps} history @param {SuggestAsked} asked */
function suggested(engine, narrow, history, asked) {
  const conditions = readPatterns(narrow, asked.patterns);
  const { rules, left, widened } = whatFits(narrow, history, conditions, asked.widens);
  const pool = guessesFrom(engine, rules, history, left, asked);
  const common = commonWords(engine, rules);
  const secrets = Array.from(left, (at) => rules.secrets[at]);
  const answer = {
    list: rules.listName,
    state: history.map(([guess, score]) => [rules.guesses[guess], score]),
    remaining: secrets.length,
    secrets,
    widened,
    by: asked.by ?? MEASURES[0],
    patterns: asked.patterns,
    ...asked.facts,
    exact: /** @type {object | null} */ (null),
    suggestions: /** @type {object[]} */ ([]),
    n_more_tied: 0,
  };
  if (history.some(([, score]) => score === rules.solved)) return answer;
  const weights = asked.weights === null || widened ? null : weightsAt(asked.weights, left);
  const { by, ahead, words, tied: more } = bestWords(engine, rules, history, left, pool, common, asked, weights);
  answer.by = by;
  answer.exact = ahead && {
    limit: ahead.within,
    guesses: ahead.best.map((guess) => rules.guesses[guess]),
    total: weights === null ? ahead.least : null,
    mean: ahead.least === null ? null : ahead.least / secrets.length,
  };
  answer.suggestions = words;
  answer.n_more_tied = more;
  return answer;
}

/**
 * The best words of a pool, as JSON says them, what ranks them, what is known exactly, and how many more stand
 * equal with the last; `looked` is how many are looked at exactly, at least some.
 * @param {Engine} engine @param {Rules} rules @param {Steps} history @param {Ids} left @param {Ids} pool
 * @param {Uint8Array} common @param {Asked} asked @param {Weights | null} weights @param {number | null} [looked]
 */
export function bestWords(engine, rules, history, left, pool, common, asked, weights, looked = asked.top) {
  const measure = asked.by ?? MEASURES[0];
  const table = ranked(engine, rules, left, pool, measure, common, weights);
  const places = wordsToLookAt(table, common, { ...asked, top: looked });
  const ahead = aheadOf(engine, rules, history, left, table, places, asked, weights);
  const order = byForecast(engine, table, asked.by === null ? ahead : null, places, common, asked);
  const totals = totalsOf(table, ahead);
  const shown = order.places.map((at) => table.guess[at]);
  const alike = isOfCodes(rules) ? countAlike(engine, rules, left, shown) : shown.map(() => 0);
  const words = order.places.map((at, k) => {
    const total = totals.get(table.guess[at]) ?? null;
    return {
      ...recordOf(rules, table, at),
      rank: order.ranks[k],
      total: weights === null ? total : null,
      mean: total === null ? null : total / left.length,
      n_alike: alike[k],
    };
  });
  return { by: order.exact ? "guesses" : measure, words, ahead, tied: order.tied };
}

/**
 * Guess → total, of the words that were looked at and of the best.
 * @param {Ranking} table @param {Ahead | null} ahead
 */
function totalsOf(table, ahead) {
  /** @type {Map<number, number | null>} */
  const found = new Map();
  for (const [place, total] of ahead?.totals ?? []) found.set(table.guess[place], total);
  for (const guess of ahead?.best ?? []) found.set(guess, ahead?.least ?? null);
  return found;
}

/**
 * The first words of a table, and among these the best common ones too if they are wanted.
 * @param {Pick<Ranking, "length" | "guess">} table @param {Uint8Array} common
 * @param {Pick<Asked, "top" | "common">} asked
 */
export function wordsToLookAt(table, common, asked) {
  const many = asked.top === null ? table.length : Math.max(asked.top, LOOKED_AT);
  const places = [...upTo(Math.min(many, table.length))];
  for (let at = 0, more = LOOKED_AT; asked.common && at < table.length && more > 0; at += 1) {
    if (!common[table.guess[at]]) continue;
    more -= 1;
    if (at >= places.length && !places.includes(at)) places.push(at);
  }
  return places;
}

// ---- Options, refused in one sentence

/**
 * What options ask for; without a limit of their own the usual one.
 * @param {Rules} rules @param {AdviceOptions} options @param {number | null} usual
 * @returns {Asked}
 */
export function askedOf(rules, options, usual) {
  return {
    by: options.by == null ? null : measureOf(options.by),
    top: options.top === null ? null : countOf("top", options.top, 10),
    guessFrom: poolOf(options.guessFrom ?? "allowed"),
    within: options.within === undefined ? usual : limitOf(options.within),
    common: Boolean(options.common),
    hard: Boolean(options.hard ?? rules.hard),
  };
}

/** @param {any} by @returns {string} */
function measureOf(by) {
  if (MEASURES.includes(by)) return by;
  const hint = didYouMean(String(by), MEASURES);
  throw new EngineError(`no measure named ${quoted(String(by))}${hint}; measures: ${MEASURES.join(", ")}`);
}

/** @param {any} pool @returns {string} */
export function poolOf(pool) {
  if (POOLS.includes(pool)) return pool;
  throw new EngineError(`--guess-from is one of ${POOLS.join(", ")}, not ${quoted(String(pool))}`);
}

/** @param {string} name @param {any} value @param {number} usual @returns {number} */
function countOf(name, value, usual) {
  const count = value ?? usual;
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new EngineError(`${name} is a number of words, not ${quoted(String(value))}`);
}

/** @param {any} limit */
const limitOf = (limit) => (limit === null || limit === "none" ? null : checkedLimit(limit));

/** @param {any} limit @returns {number} */
export function checkedLimit(limit) {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT) return limit;
  throw new EngineError(`a limit is a number of guesses from 1 to ${grouped(HIGHEST_LIMIT)}, not ${String(limit)}`);
}

// ---- What fits the clues, and which of them contradict each other

/**
 * The secrets that fit all clues and conditions; if none fits the clues, of the wide game.
 * @param {Rules} rules @param {Steps} history @param {Condition[]} [conditions] @param {boolean} [mayWiden]
 */
function whatFits(rules, history, conditions = [], mayWiden = true) {
  let [game, left] = [rules, fitting(rules, rules.secretIds, history)];
  if (mayWiden && left.length === 0 && history.length > 0 && rules.secrets.length < rules.guesses.length) {
    game = wideGame(rules);
    left = fitting(game, game.secretIds, history);
  }
  left = left.filter((at) => conditions.every((condition) => condition.allows(game.secrets[at])));
  if (left.length > 0) return { rules: game, left, widened: game !== rules };
  throw new EngineError(contradiction(game, history, conditions) + otherWords(game, history, conditions));
}

/**
 * Whether the fault may lie in the secrets being fewer than the guesses.
 * @param {Rules} rules @param {Steps} history @param {Condition[]} conditions
 */
function otherWords(rules, history, conditions) {
  const fits = fitting(rules, allGuesses(rules), history)
    .filter((guess) => conditions.every((condition) => condition.allows(rules.guesses[guess])));
  if (fits.length === 0) return "";
  const first = rules.guesses[fits[0]];
  const example = fits.length === 1 ? first : `${first} and ${grouped(fits.length - 1)} more`;
  const without = rules.secretsName.startsWith("unused ") ? "without --used or with " : "";
  return `; other allowed words fit (${example}): try ${without}--secrets allowed`;
}

/**
 * The game in which any word that may be guessed may be hidden.
 * @param {Rules} rules
 */
export const wideGame = (rules) => withSecrets(rules, allGuesses(rules), "allowed");

/**
 * The places of the secrets that fit some clues.
 * @param {Rules} rules @param {Ids} secretIds @param {Steps} history
 */
export function fitting(rules, secretIds, history) {
  return upTo(secretIds.length).filter((at) => (
    history.every(([guess, score]) => rules.grade(guess, secretIds[at]) === score)
  ));
}

/**
 * Name a smallest set of clues and conditions that no secret fits.
 * @param {Rules} rules @param {Steps} history @param {Condition[]} [conditions]
 */
export function contradiction(rules, history, conditions = []) {
  const where = `no secret of ${rules.listName} (${rules.secretsName})`;
  const names = history.map(([guess, score]) => `${rules.guesses[guess]} ${rules.formatScore(score)}`);
  names.push(...conditions.map(({ text }) => `the pattern '${text}'`));
  const masks = new Set(Array.from(rules.secretIds, (secret, at) => {
    const kept = [
      ...history.map(([guess, score]) => rules.grade(guess, secret) === score),
      ...conditions.map((condition) => condition.allows(rules.secrets[at])),
    ];
    return kept.reduce((mask, is, k) => (is ? mask | (1n << BigInt(k)) : mask), 0n);
  }));
  const some = smallestUnfit([...masks], names.length);
  const clues = some.map((at) => names[at]);
  if (clues.length === 1) return `${where} ${some[0] < history.length ? "gives" : "fits"} ${clues[0]}`;
  const last = clues.pop();
  const [verb, all] = clues.length === 1 ? ["contradicts", "both"] : ["contradict", "all"];
  return `${clues.join(" and ")} ${verb} ${last}: ${where} fits ${all}`;
}

/**
 * The first of the smallest sets of clues that is in no mask, in the order of combinations.
 * @param {bigint[]} masks @param {number} count
 */
function smallestUnfit(masks, count) {
  for (let size = 1; size <= count; size += 1) {
    for (const some of combinations(count, size)) {
      const wanted = some.reduce((sum, at) => sum | (1n << BigInt(at)), 0n);
      if (!masks.some((mask) => (mask & wanted) === wanted)) return some;
    }
  }
  throw new Error("some secret fits all clues");
}

/** @param {number} count @param {number} size @param {number} [first] @returns {Generator<number[]>} */
function* combinations(count, size, first = 0) {
  if (size === 0) yield [];
  for (let at = first; at <= count - size && size > 0; at += 1) {
    for (const rest of combinations(count, size - 1, at + 1)) yield [at, ...rest];
  }
}

// ---- Which guesses may be made, and which of them people know

/**
 * Refuse hard mode where there is none.
 * @param {Rules} rules
 */
export function refuseCodes(rules) {
  if (isOfCodes(rules)) throw new EngineError(`hard mode is a rule of Wordle; ${rules.spec} has none`);
}

/**
 * Refuse hard mode where there is none, and a history with a guess that it forbids.
 * @param {Rules} rules @param {Steps} history
 */
export function checkHard(rules, history) {
  refuseCodes(rules);
  history.forEach(([guess], number) => {
    const before = history.slice(0, number);
    if (legalAfter(rules, before, Int32Array.of(guess)).length === 0) {
      throw new EngineError(`hard mode forbids ${quoted(rules.guesses[guess])} ${afterText(rules, before)}`);
    }
  });
}

/** @param {Engine} engine @param {Rules} rules @param {Steps} history @param {Ids} left @param {Asked} asked */
function guessesFrom(engine, rules, history, left, asked) {
  let pool = asked.guessFrom === "secrets" ? rules.secretIds : allGuesses(rules);
  if (asked.guessFrom === "candidates") pool = Int32Array.from(left, (at) => rules.secretIds[at]);
  if (isOfCodes(rules)) {
    const kept = new Set(representatives(engine, rules, left));
    pool = pool.filter((guess) => kept.has(guess));
  }
  if (!asked.hard) return pool;
  checkHard(rules, history);
  return legalAfter(rules, history, pool);
}

/**
 * The guesses of lists that are answers of a shipped list; found once for each list.
 * @type {WeakMap<string[], number[]>}
 */
const KNOWN = new WeakMap();

/** @param {Engine} engine @param {string[]} guesses */
function answersAmong(engine, guesses) {
  const known = KNOWN.get(guesses);
  if (known !== undefined) return known;
  const answers = new Set(NAMED_LISTS.flatMap((name) => engine.shipped(name, "answers")));
  const some = guesses.flatMap((word, at) => (answers.has(word) ? [at] : []));
  const found = 2 * some.length > answers.size ? some : [];
  KNOWN.set(guesses, found);
  return found;
}

/**
 * For each guess whether people know it: 1 for answers of the shipped lists and, if these are `likely`, of the game.
 * @param {Engine} engine @param {Rules} rules @param {boolean} [likely]
 */
export function commonWords(engine, rules, likely = rules.secrets.length < rules.guesses.length) {
  const common = new Uint8Array(rules.guesses.length);
  for (const at of isOfCodes(rules) ? [] : answersAmong(engine, rules.guesses)) common[at] = 1;
  if (likely || !common.includes(1)) for (const at of rules.secretIds) common[at] = 1;
  return common;
}

/**
 * The classes of some guesses among equals: those that may be hidden come first, then common ones.
 * @param {Rules} rules @param {Ids} left @param {Uint8Array} common @param {ArrayLike<number>} guesses
 */
export function classesOf(rules, left, common, guesses) {
  const own = new Set(Array.from(left, (at) => rules.secretIds[at]));
  return Array.from(guesses, (guess) => 2 * Number(!own.has(guess)) + 1 - common[guess]);
}

// ---- Rankings, by kernels

/** The columns of a ranking, as kernels want them: name → form. */
const COLUMNS = KERNELS.rank_rows.args[6];

/**
 * Guesses ranked by a measure, best first: plain arrays, column by column. Weights are of those left.
 * @param {Engine} engine @param {Rules} rules @param {Ids} left @param {Ids} pool @param {string} by
 * @param {Uint8Array | null} common @param {Weights | null} [weights]
 */
export function ranked(engine, rules, left, pool, by, common, weights = null) {
  const { memory, kernels } = engine;
  const hidden = Int32Array.from(left, (at) => rules.secretIds[at]);
  const isHidden = new Uint8Array(rules.guesses.length);
  for (const guess of hidden) isHidden[guess] = 1;
  const candidate = Uint8Array.from(pool, (guess) => isHidden[guess]);
  const classes = common === null ? new Uint8Array(pool.length) : classesOf(rules, left, common, pool);
  return memory.scratch(() => {
    const rows = /** @type {RankRows} */ (/** @type {unknown} */ (Object.fromEntries(
      Object.entries(COLUMNS).map(([name, form]) => [name, memory.array(itemOf(form), pool.length)]),
    )));
    if (weights !== null) {
      const found = rankByWeight(engine, rules, hidden, pool, MEASURES.indexOf(by), common, weights, candidate, rows);
      return tableOf(rules, pool, rows, found);
    }
    const measures = measured(engine, rules, pool, hidden);
    const known = kernels.call("exact_log2", hidden.length);
    kernels.call(
      "rank_rows", measures, memory.of("int32", pool), memory.of("uint8", candidate),
      memory.of("uint8", classes), MEASURES.indexOf(by), known, rows,
    );
    return tableOf(rules, pool, rows, classes);
  });
}

/**
 * The rows of a ranking as plain arrays, and the class of each guess among equals.
 * @param {Rules} rules @param {Ids} pool @param {RankRows} rows @param {ArrayLike<number>} classes
 * @returns {Ranking}
 */
function tableOf(rules, pool, rows, classes) {
  const classOf = new Int32Array(rules.guesses.length);
  pool.forEach((guess, at) => {
    classOf[guess] = classes[at];
  });
  const columns = Object.entries(rows).map(([name, column]) => [name, column.data.slice()]);
  return { ...Object.fromEntries(columns), length: pool.length, classes: classOf };
}

/**
 * All measures of some guesses against hidden words, as kernels hold them.
 * @param {Engine} engine @param {Rules} rules @param {Ids} pool @param {Ids} hidden
 */
export function measured(engine, rules, pool, hidden) {
  const { memory, kernels } = engine;
  const [count, size] = [pool.length, hidden.length];
  if (size > MOST_CANDIDATES) {
    throw new EngineError(
      `${grouped(size)} candidates are too many for exact entropies; ` +
        `the limit is ${grouped(MOST_CANDIDATES)}`,
    );
  }
  const measures = {
    candidates: size,
    ...memory.several("int32", count, ["parts", "largest"]),
    ...memory.several("int64", count, ["squares", "weights"]),
  };
  const logs = memory.array("int64", size + 1);
  kernels.call("fill_log_weights", logs);
  if (isOfCodes(rules)) {
    const members = memory.of("uint32", upTo(size));
    const starts = memory.of("uint32", [0, size]);
    const counts = memory.array("uint32", rules.nScores);
    inStrips(engine, rules, pool, hidden, (scores, first, end) => {
      kernels.call("measure_blocks", scores, members, starts, 0, logs, counts, partOf(measures, first, end));
    });
    return measures;
  }
  const guesses = wordsOf(memory, rules, pool);
  const candidates = wordsOf(memory, rules, hidden);
  const letters = lettersOf(rules);
  const shares = sharesOf(engine, rules);
  kernels.call(long("measure_by_rows", rules), guesses, candidates, letters, shares, rules.nScores, logs, measures);
  return measures;
}

/** @param {Rules} rules @param {Ranking} table @param {number} at */
function recordOf(rules, table, at) {
  const { guess, candidate, ...figures } = /** @type {Record<keyof RankRows, number>} */ (
    Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, table[/** @type {keyof RankRows} */ (name)][at]]))
  );
  return { word: rules.guesses[guess], ...figures, candidate: candidate === 1 };
}

// ---- Exact totals where few secrets remain

/**
 * The totals of the guesses at some places of a table, and of the best ones: as `forecast` and `QuickTotals` of
 * solver/advice. Null where many secrets remain, where words tell too much for a score table or are too many
 * for the memory of a page, or where a search with weights takes long.
 * @param {Engine} engine @param {Rules} rules @param {Steps} history @param {Ids} left @param {Ranking} table
 * @param {number[]} places @param {Asked} asked @param {Weights | null} weights
 * @returns {Ahead | null}
 */
function aheadOf(engine, rules, history, left, table, places, asked, weights) {
  if (left.length > MOST_FORECAST || (weights !== null && asked.guessFrom !== "allowed")) return null;
  const { hard, within } = asked;
  const state = { engine, rules, left, history, hard, weights };
  const parts = hard ? [false, true] : [false]; // the guesses that are legal alone take less room
  const ways = weights === null
    ? parts.map((isLegalPart) => () => forecast(state, table, places, within, isLegalPart))
    : [() => forecastByWeight(state, table, places)];
  for (const way of ways) {
    try {
      return engine.memory.scratch(way);
    } catch (error) {
      if (error instanceof NoTable || error instanceof TooLong) return null;
      if (!(error instanceof NoRoom)) throw error;
    }
  }
  return null;
}

/**
 * @param {Situation} state @param {Ranking} table @param {number[]} places @param {number | null} within
 * @param {boolean} isLegalPart
 */
function forecast(state, table, places, within, isLegalPart) {
  const { left, history } = state;
  const quick = new QuickTotals(state, table, isLegalPart);
  const effort = Math.floor(EFFORT / left.length);
  let limit = within === null || within <= history.length ? null : within - history.length;
  let best = quick.best(limit, effort);
  if (limit !== null && best.proved && best.total === null) {
    limit = null;
    best = quick.best(limit, effort);
  }
  return {
    within: limit === null ? null : within,
    totals: quick.totals(places),
    least: best.proved ? best.total : null,
    best: best.proved ? best.guesses : [],
    secrets: left.length,
  };
}

/** @param {Situation} state @param {Ranking} table @param {number[]} places */
function forecastByWeight(state, table, places) {
  const { length: secrets } = state.left;
  const known = new StateTotals(state, { effort: WEIGHTED_EFFORT });
  const best = known.best(1);
  const totals = new Map();
  for (const place of places) {
    try {
      totals.set(place, known.total(table.guess[place]) * secrets);
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
    }
  }
  return {
    within: null,
    totals,
    least: Math.min(...best.values()) * secrets,
    best: [...best.keys()].sort((one, other) => one - other),
    secrets,
  };
}

/** The worth of the guesses of a table in one state, where it is found out quickly. */
class QuickTotals {
  /** @type {StateSearch | null} */
  #search = null;
  #left = UNLIMITED;

  /** @param {Situation} state @param {Ranking} table @param {boolean} isLegalPart */
  constructor(state, table, isLegalPart) {
    const { engine: { memory }, hard } = state;
    this.state = state;
    this.table = table;
    this.part = legalPart({ ...state, hard: hard && isLegalPart });
    this.wanted = {
      guesses: memory.of("int32", table.guess.map(this.part.placeOf)),
      parts: memory.of("int32", table.parts),
      largest: memory.of("int32", table.largest),
      candidate: memory.of("uint8", table.candidate),
      bounds: memory.array("int64", table.length),
    };
  }

  /** @param {number | null} guessesLeft @param {number} effort */
  best(guessesLeft, effort) {
    const { engine: { memory, kernels }, left } = this.state;
    this.#left = guessesLeft ?? UNLIMITED;
    const memo = this.#search?.work.memo; // what was found out with other guesses left is forgotten
    memo?.slots.data.fill(-1);
    memo?.used.data.fill(0n);
    const ties = memory.array("int32", this.table.length);
    kernels.call("bound_by_parts", this.wanted, left.length, this.#left);
    let found = kernels.call("least_plain_total", this.wanted, effort, ties);
    if (found[2] === NEEDS_TABLE) {
      found = kernels.call("least_total", ...this.#searched(), this.wanted, effort, ties);
    }
    const [least, number, outcome] = found;
    return {
      total: number > 0 ? least : null,
      guesses: [...ties.data.slice(0, number)].map(this.part.wordOf).sort((one, other) => one - other),
      proved: outcome === PROVED,
    };
  }

  /**
   * Place → total, those left out that take too long; null: it leaves too few guesses.
   * @param {number[]} places
   */
  totals(places) {
    const { memory, kernels } = this.state.engine;
    const bounds = this.wanted.bounds.data;
    let totals = places.map((at) => Number(bounds[at]));
    if (places.some((at) => this.table.largest[at] > 2)) {
      const searched = this.#searched();
      const found = memory.of("int64", BigInt64Array.from(totals, BigInt));
      kernels.call("find_totals", ...searched, this.wanted, memory.of("int32", places), found);
      totals = Array.from(found.data, Number);
    }
    const known = new Map();
    places.forEach((at, k) => {
      const total = totals[k];
      if (total !== UNKNOWN) known.set(at, total >= 0 && total <= HIGHEST ? total : null);
    });
    return known;
  }

  #searched() {
    const { engine, rules, left, history, hard } = this.state;
    const { game, placeOf } = this.part;
    this.#search ??= newSearch(engine, game, Int32Array.from(left, (at) => placeOf(rules.secretIds[at])), {
      hard, before: hard ? history.map(([guess]) => placeOf(guess)) : [], memoBits: MEMO_BITS,
    });
    const { work, batch, columns } = this.#search;
    return /** @type {const} */ ([work, batch, stateOf(this.#search, this.#left), columns]);
  }
}

// ---- Words ranked by exact totals, as `rank_by_forecast` of solver/advice/suggest.py

/**
 * The places of a table to show, their ranks, and how many more stand equal with the last.
 * @param {Engine} engine @param {Ranking} table @param {Ahead | null} ahead @param {number[]} words
 * @param {Uint8Array} common @param {Pick<Asked, "top" | "common">} of
 */
function byForecast(engine, table, ahead, words, common, { top, common: preferred }) {
  const count = top ?? table.length;
  if (ahead === null || !(ahead.best.length > 0 || ahead.totals.size === words.length)) {
    const places = [...upTo(Math.min(count, table.length))];
    const ranks = places.map((at) => table.rank[at]);
    return { places, ranks, exact: false, tied: tied(table, places) };
  }
  const best = new Set(ahead.best);
  const lookedAt = new Set(words);
  const rows = [...upTo(table.length)].filter((at) => lookedAt.has(at) || best.has(table.guess[at]));
  const costs = Float64Array.from(rows, (at) => costOf(table, ahead, best, at));
  const rebate = MOST_FOR_COMMON * ahead.secrets;
  const wanted = costs.map((cost, k) => (
    preferred && common[table.guess[rows[k]]] ? cost - rebate : cost
  ));
  const guesses = rows.map((at) => table.guess[at]);
  const order = orderTotals(wanted, guesses.map((guess) => table.classes[guess]), guesses);
  const shown = order.slice(0, count);
  const places = shown.map((k) => rows[k]);
  const last = shown.length > 0 ? costs[shown[shown.length - 1]] : null;
  const least = shown.filter((k) => costs[k] === ahead.least).length;
  return {
    places,
    ranks: shown.map((k) => 1 + costs.filter((cost) => cost < costs[k]).length),
    exact: true,
    tied: last !== null && last === ahead.least ? ahead.best.length - least : tied(table, places),
  };
}

/** @param {Ranking} table @param {Ahead} ahead @param {Set<number>} best @param {number} at */
function costOf(table, ahead, best, at) {
  if (best.has(table.guess[at])) return /** @type {number} */ (ahead.least);
  const total = ahead.totals.get(at);
  return total === undefined ? Infinity : total ?? Number.MAX_VALUE;
}

/**
 * As `order_totals`: guesses by exact totals, among equals by class, then by guess.
 * @param {ArrayLike<number>} totals @param {ArrayLike<number>} classes @param {number[]} guesses
 */
export function orderTotals(totals, classes, guesses) {
  return [...guesses.keys()].sort((one, other) => (
    totals[one] - totals[other] || classes[one] - classes[other] || guesses[one] - guesses[other]
  ));
}

/**
 * How many rows are not shown and have the rank of the last one that is.
 * @param {Ranking} table @param {number[]} places
 */
function tied(table, places) {
  if (places.length === 0) return 0;
  const rank = table.rank[places[places.length - 1]];
  const shown = new Set(places);
  return table.rank.filter((other, at) => other === rank && !shown.has(at)).length;
}
