// Advice on several boards, which share their guesses: what the command `play --boards` answers, and
// the words that it would propose. Measures, ranks and expected guesses come from kernels.

import {
  LOOKED_AT, MEASURES, MOST_FOR_COMMON, askedOf, bestWords, commonWords, contradiction, measured, ranked, refuseCodes,
  wideGame, wordsToLookAt,
} from "./advice.js";
import { isOfCodes, representatives } from "./codes.js";
import { historyOf } from "./clues.js";
import { allGuesses, allSecrets, graderOf, long } from "./exact.js";
import { legalAfter } from "./hard_mode.js";
import { valueOf } from "./maps.js";
import { EngineError } from "./memory.js";
import { chanceOfEach, weighed } from "./weights.js";
import { MOST_BOARDS, guessesOn, quoted } from "./words.js";

/**
 * @import { KernelArray } from "./memory.js"
 * @import { AdviceOptions, Asked, Board, Clues, Engine, Ids, Position, Proposals, Ranking, Rules, Step,
 *   Steps, Weights } from "./types.js"
 */

/** As in solver/advice/joint_worlds.py. */
const [MOST_WORLDS, MOST_CANDIDATES] = [1000, 64];
/**
 * Measure → what is summed where secrets have weights, and whether more of it is better: as in solver/advice/boards.py.
 * @type {Record<string, ["remaining_bits" | "expected_size" | "parts" | "largest" | "proportion", sign: number]>}
 */
const SUMMED = {
  entropy: ["remaining_bits", 1],
  remaining: ["remaining_bits", 1],
  "expected-size": ["expected_size", 1],
  parts: ["parts", -1],
  minimax: ["largest", 1],
  proportion: ["proportion", -1],
};

/**
 * What `knuthle play --boards` answers, and by what and how `suggestions` are ranked.
 * @param {Engine} engine @param {Rules} narrow @param {Clues[]} clues @param {AdviceOptions} [options]
 */
export function suggestOnBoards(engine, narrow, clues, options = {}) {
  checkBoards(narrow, clues.length, options.hard ?? narrow.hard);
  const { rules, weights, facts } = weighed(narrow, options.weights);
  const limit = isOfCodes(rules) ? null : guessesOn(clues.length);
  const asked = askedOf(rules, options, limit);
  const position = positionOf(rules, clues, weights);
  const all = proposals(engine, position, { ...asked, top: asked.top === null ? null : Math.max(asked.top, 1) });
  const isSame = asked.top !== null && asked.top <= LOOKED_AT; // so many are looked at in any case
  const first = isSame ? all : proposals(engine, position, { ...asked, top: 1 });
  const rest = { ...facts, by: all.by, suggestions: all.words.slice(0, asked.top ?? undefined) };
  return answerOf(position, asked, first, rest);
}

/** @param {Rules} rules @param {number} count @param {boolean} hard */
function checkBoards(rules, count, hard) {
  if (count > MOST_BOARDS) {
    throw new EngineError(`${count} boards; the number must be 1–${MOST_BOARDS}`);
  }
  if (!hard) return;
  refuseCodes(rules);
  if (count > 1) throw new EngineError("hard mode is for one board only");
}

/** @param {Position} position @param {Asked} asked @param {Proposals} first @param {object} rest */
function answerOf({ wide, turns, boards }, asked, first, rest) {
  const open = boards.filter(({ solved }) => solved === null);
  const best = first.words[0];
  /** @param {Step} step */
  const spelled = ([guess, score]) => [wide.guesses[guess], score];
  return {
    game: wide.spec,
    list: wide.listName,
    hard: asked.hard,
    count: turns.length,
    solved: open.length === 0,
    resume: turns.map(({ guess, scores }) => (
      [wide.guesses[guess], ...scores.map((score) => wide.formatScore(score))].join(".")
    )).join("."),
    boards: boards.map(({ clues, left, widened, solved }) => {
      const secrets = solved === null ? Array.from(left, (at) => wide.secrets[at]) : [wide.guesses[solved]];
      return {
        state: clues.map(spelled), solved: solved !== null, remaining: secrets.length, secrets, widened,
      };
    }),
    proposal: best === undefined ? null : {
      word: best.word, by: first.by, entropy: best.entropy, candidate: best.candidate, mean: best.mean,
    },
    ...rest,
  };
}

// ---- What is known of the boards

/**
 * The boards after all clues, in the game in which any allowed word may be hidden; weights are those of likely ones.
 * @param {Rules} rules @param {Clues[]} clues @param {Weights | null} weights
 * @returns {Position}
 */
function positionOf(rules, clues, weights) {
  const wide = rules.secrets.length < rules.guesses.length ? wideGame(rules) : rules;
  const places = wide === rules ? allSecrets(rules) : rules.secretIds;
  const weightOf = new Map(Array.from(places, (place, at) => [place, weights === null ? 1 : weights[at]]));
  const histories = clues.map((board) => historyOf(rules, board));
  const turns = turnsOf(wide, histories);
  const several = histories.length > 1;
  const boards = histories.map(() => /** @type {Board} */ ({
    clues: [], fitting: allSecrets(wide), left: allSecrets(wide), solved: null, widened: false, weights: null,
  }));
  for (const { guess, scores } of turns) {
    const open = boards.filter(({ solved }) => solved === null);
    open.forEach((board, k) => tell(wide, board, guess, scores[k], several ? boards.indexOf(board) : -1));
  }
  for (const board of boards) {
    const some = board.fitting.filter((at) => weightOf.has(at));
    board.widened = some.length === 0;
    board.left = board.widened ? board.fitting : some;
    if (weights !== null && !board.widened) board.weights = Float64Array.from(some, (at) => valueOf(weightOf, at));
  }
  return { rules, wide, turns, boards, isWeighed: weights !== null };
}

/** @param {Rules} rules @param {Board} board @param {number} guess @param {number} score @param {number} number */
function tell(rules, board, guess, score, number) {
  board.clues.push([guess, score]);
  board.fitting = board.fitting.filter((at) => rules.grade(guess, rules.secretIds[at]) === score);
  if (board.fitting.length === 0) {
    const where = number < 0 ? "" : `board ${number + 1}: `;
    throw new EngineError(where + contradiction(rules, board.clues));
  }
  if (score === rules.solved) board.solved = guess;
}

/**
 * The guesses with their scores on the boards that were open; clues that are not shared are refused.
 * @param {Rules} rules @param {Steps[]} histories
 */
function turnsOf(rules, histories) {
  const turns = [];
  const ends = histories.map((history) => {
    const end = history.findIndex(([, score]) => score === rules.solved);
    if (end >= 0 && end < history.length - 1) {
      const [after] = history[end + 1];
      throw new EngineError(`a board is solved before ${quoted(rules.guesses[after])}`);
    }
    return end < 0 ? Infinity : end;
  });
  const count = Math.max(...histories.map(({ length }) => length));
  for (let turn = 0; turn < count; turn += 1) {
    const open = histories.map((_, board) => board).filter((board) => ends[board] >= turn);
    const first = /** @type {number} */ (open.find((board) => histories[board].length > turn));
    const [guess] = histories[first][turn];
    const scores = open.map((board) => {
      const [word, score] = histories[board][turn] ?? [];
      if (word === guess) return score;
      const other = word === undefined ? "has no" : `has ${quoted(rules.guesses[word])} as`;
      throw new EngineError(
        `board ${board + 1} ${other} guess ${turn + 1}, board ${first + 1} has ` +
          `${quoted(rules.guesses[guess])}: all open boards have the same guesses`,
      );
    });
    turns.push({ guess, scores });
  }
  return turns;
}

// ---- The words to guess next

/**
 * The best words, ranked: as `next_words` of strategy/play/helper.py.
 * @param {Engine} engine @param {Position} position @param {Asked} asked
 * @returns {Proposals}
 */
function proposals(engine, position, asked) {
  const open = position.boards.filter(({ solved }) => solved === null);
  if (open.length === 0) return { by: asked.by ?? MEASURES[0], words: [] };
  const isOne = position.boards.length === 1 || (open.length === 1 && !position.isWeighed);
  return engine.memory.scratch(() => (
    isOne ? onOneBoard(engine, position, open[0], asked) : onBoards(engine, position, open, asked)
  ));
}

/**
 * The guesses that may be proposed, ascending.
 * @param {Position} position @param {Board[]} open @param {Asked} asked
 */
function legalPool({ rules, wide }, open, asked) {
  if (asked.guessFrom === "allowed") return allGuesses(wide);
  const some = new Set(asked.guessFrom === "secrets" ? rules.secretIds : []);
  for (const { left } of open) for (const at of left) some.add(wide.secretIds[at]);
  return Int32Array.from(some).sort();
}

/**
 * @param {Engine} engine @param {Position} position @param {Board} board @param {Asked} asked
 * @returns {Proposals}
 */
function onOneBoard(engine, position, board, asked) {
  const { rules, wide } = position;
  const { left, weights } = board;
  const isWhole = asked.guessFrom === "allowed";
  /** @type {Ids} */
  let pool = legalPool(position, [board], asked);
  if (isOfCodes(wide) && isWhole) pool = representatives(engine, wide, left);
  if (asked.hard) pool = legalAfter(wide, board.clues, pool);
  const common = commonWords(engine, rules, true);
  const { by, words } = bestWords(engine, wide, board.clues, left, pool, common, asked, weights, asked.top ?? 0);
  return {
    by,
    words: words.map(({ word, rank, entropy, candidate, mean, n_alike: alike }) => (
      { word, rank, entropy, candidate, mean, n_alike: isWhole ? alike : 0 }
    )),
  };
}

/**
 * By sums over the open boards, and by going through all that may be hidden where that is little.
 * @param {Engine} engine @param {Position} position @param {Board[]} open @param {Asked} asked
 * @returns {Proposals}
 */
function onBoards(engine, position, open, asked) {
  const { rules, wide } = position;
  const pool = legalPool(position, open, asked);
  const common = commonWords(engine, rules, true);
  const measure = asked.by ?? MEASURES[0];
  const ranking = rankOverBoards(engine, wide, open, pool, common, measure);
  const table = { length: ranking.guess.length, guess: ranking.guess };
  const first = wordsToLookAt(table, common, { ...asked, top: asked.top ?? 0 });
  const { means, best } = meansOf(engine, wide, open, ranking.guess, first);
  let order = [...ranking.guess.keys()];
  let ranks = Array.from(ranking.rank);
  const isExact = best.length > 0 && asked.by === null;
  if (isExact) ({ order, ranks } = byMeans(engine, ranking, means, common, asked));
  return {
    by: isExact ? "guesses" : measure,
    words: order.slice(0, asked.top ?? undefined).map((place, k) => ({
      word: wide.guesses[ranking.guess[place]],
      rank: ranks[k],
      entropy: ranking.entropy[place],
      candidate: ranking.hits[place] > 0,
      mean: means.get(place) ?? null,
      n_alike: 0,
    })),
  };
}

/**
 * A pool's guesses ranked by a measure that is summed over the boards.
 * @param {Engine} engine @param {Rules} rules @param {Board[]} open @param {Ids} pool @param {Uint8Array} common
 * @param {string} by
 */
function rankOverBoards(engine, rules, open, pool, common, by) {
  const { memory, kernels } = engine;
  const count = pool.length;
  const likely = new Float64Array(rules.guesses.length);
  const certain = new Uint8Array(rules.guesses.length);
  for (const board of open) {
    const { left, weights } = board;
    chanceOfEach(engine, weights, left.length).forEach((chance, k) => {
      likely[rules.secretIds[left[k]]] += chance;
    });
    if (left.length === 1) certain[rules.secretIds[left[0]]] = 1;
  }
  return memory.scratch(() => {
    const [costs, entropy] = [memory.array("float64", count), memory.array("float64", count)];
    for (const { hidden, left, times, weights } of alike(rules, open)) {
      if (weights !== null) {
        const table = ranked(engine, rules, left, pool, by, null, weights);
        addWeighed(table, by, times, pool, costs, entropy);
        continue;
      }
      const own = new Uint8Array(rules.guesses.length);
      for (const guess of hidden) own[guess] = 1;
      memory.scratch(() => {
        const measures = measured(engine, rules, pool, hidden);
        const candidate = memory.of("uint8", Uint8Array.from(pool, (guess) => own[guess]));
        const bits = kernels.call("exact_log2", hidden.length);
        for (let time = 0; time < times; time += 1) {
          kernels.call("add_measured", measures, candidate, MEASURES.indexOf(by), bits, costs, entropy);
        }
      });
    }
    const hits = Float64Array.from(pool, (guess) => likely[guess]);
    const [order, rank] = [memory.array("int32", count), memory.array("int32", count)];
    kernels.call(
      "rank_joint", costs, memory.of("float64", hits),
      memory.of("uint8", Uint8Array.from(pool, (guess) => certain[guess])),
      memory.of("uint8", Uint8Array.from(pool, (guess) => common[guess])),
      order, rank, memory.array("int64", count),
    );
    const places = order.data.slice();
    const bits = entropy.data.slice();
    return {
      guess: Int32Array.from(places, (at) => pool[at]),
      rank: rank.data.slice(),
      entropy: Float64Array.from(places, (at) => bits[at]),
      hits: Float64Array.from(places, (at) => hits[at]),
    };
  });
}

/**
 * Add a ranking by weight to what the guesses of a pool cost, and tell; they ascend.
 * @param {Ranking} table @param {string} by @param {number} times @param {Ids} pool
 * @param {KernelArray<"float64">} costs @param {KernelArray<"float64">} entropy
 */
function addWeighed(table, by, times, pool, costs, entropy) {
  const [field, sign] = SUMMED[by];
  const place = new Map(Array.from(pool, (guess, at) => [guess, at]));
  const [cost, bits] = [costs.data, entropy.data];
  table.guess.forEach((guess, row) => {
    const at = valueOf(place, guess);
    for (let time = 0; time < times; time += 1) {
      cost[at] += sign * table[field][row];
      bits[at] += table.entropy[row];
    }
  });
}

/**
 * What is hidden on each open board; neighbours that are alike, as before any guess, are put together.
 * @param {Rules} rules @param {Board[]} open
 */
function alike(rules, open) {
  /** @type {{hidden: Ids, left: Ids, times: number, weights: Weights | null}[]} */
  const found = [];
  for (const { left, weights } of open) {
    const last = found.at(-1);
    const isSame = last?.left.length === left.length && last.left.every((at, k) => at === left[k]);
    if (isSame && (last.weights === null) === (weights === null)) last.times += 1;
    else found.push({ hidden: Int32Array.from(left, (at) => rules.secretIds[at]), left, times: 1, weights });
  }
  return found;
}

/**
 * Places of a ranking in the order of their expected guesses, and their ranks.
 * @param {Engine} engine @param {ReturnType<typeof rankOverBoards>} ranking @param {Map<number, number>} means
 * @param {Uint8Array} common @param {Asked} asked
 */
function byMeans({ memory, kernels }, ranking, means, common, { common: preferred }) {
  const places = [...means.keys()].sort((one, other) => one - other);
  return memory.scratch(() => {
    const [order, rank] = [memory.array("int32", places.length), memory.array("int32", places.length)];
    kernels.call(
      "rank_means", memory.of("float64", places.map((place) => valueOf(means, place))),
      memory.of("float64", places.map((place) => ranking.hits[place])),
      memory.of("uint8", places.map((place) => common[ranking.guess[place]])),
      preferred ? MOST_FOR_COMMON : 0, order, rank,
    );
    return { order: Array.from(order.data, (at) => places[at]), ranks: Array.from(rank.data) };
  });
}

// ---- Expected guesses, where all that may be hidden is gone through

/**
 * Place → expected guesses of the best and of wanted ones, as far as known; the best places.
 * @param {Engine} engine @param {Rules} rules @param {Board[]} open @param {Ids} guesses @param {number[]} wanted
 */
function meansOf(engine, rules, open, guesses, wanted) {
  const found = { means: /** @type {Map<number, number>} */ (new Map()), best: /** @type {number[]} */ ([]) };
  const together = [...new Set(open.flatMap(({ left }) => [...left]))].sort((one, other) => one - other);
  const count = open.reduce((product, { left }) => product * left.length, 1);
  if (count > MOST_WORLDS || together.length > MOST_CANDIDATES) return found;
  const { memory, kernels } = engine;
  memory.scratch(() => {
    const search = jointSearch(engine, rules, open, guesses, together, count);
    const ties = memory.array("int32", search.n_kinds);
    const [least, number] = kernels.call("least_joint", search, ties);
    if (least < 0) return;
    const kinds = new Set(ties.data.slice(0, number));
    const kindOf = search.kinds.kind_of.data.slice();
    kindOf.forEach((kind, place) => {
      if (!kinds.has(kind)) return;
      found.best.push(place);
      found.means.set(place, least);
    });
    for (const place of wanted) {
      if (found.means.has(place)) continue;
      const mean = kernels.call("mean_joint", search, kindOf[place]);
      if (mean < 0) return;
      found.means.set(place, mean);
    }
  });
  return found;
}

/**
 * What a search works with: the tables of solver/advice/joint_worlds.py.
 * @param {Engine} engine @param {Rules} rules @param {Board[]} open @param {Ids} guesses @param {number[]} together
 * @param {number} most
 */
function jointSearch(engine, rules, open, guesses, together, most) {
  const { memory, kernels } = engine;
  const place = new Map(together.map((at, k) => [at, k]));
  const starts = [0];
  for (const { left } of open) starts.push(starts[starts.length - 1] + left.length);
  const boards = {
    starts: memory.of("int32", starts),
    members: memory.of("int32", open.flatMap(({ left }) => Array.from(left, (at) => valueOf(place, at)))),
    chances: memory.of("float64", open.flatMap(({ left, weights }) => [...chanceOfEach(engine, weights, left.length)])),
  };
  const worlds = {
    ...memory.several("int32", [most, open.length], ["places", "secrets"]),
    chances: memory.array("float64", most),
  };
  const [nWorlds, apart] = kernels.call("list_worlds", boards, worlds, memory.array("float64", 16));
  const kinds = {
    ...memory.several("int32", guesses.length, ["kind_of", "solves"]),
    labels: memory.array("uint8", [guesses.length, starts[open.length]]),
    ...memory.several("int32", together.length, ["solving", "order"]),
  };
  const nKinds = memory.scratch(() => {
    const hidden = Int32Array.from(together, (at) => rules.secretIds[at]);
    const scores = graderOf(engine, rules, hidden)(guesses);
    const name = isOfCodes(rules) ? "sort_guesses" : long("sort_guesses", rules);
    return kernels.call(name, scores, rules.solved, rules.nScores, boards, kinds);
  });
  return {
    boards, worlds, kinds, memory: kernels.call("joint_memory", nWorlds, open.length, nKinds, together.length),
    n_worlds: nWorlds, n_kinds: nKinds, apart,
  };
}
