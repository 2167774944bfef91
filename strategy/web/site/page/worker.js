// The engine in a worker: each message is a question {id, method, params}, and gets one answer. Words and
// proposals come from a small module of the kernels that they need; the whole engine is read for the rest.

import { areBoards } from "../engine/clues.js";
import { USED } from "../engine/lists.js";
import { NoKernel } from "../engine/memory.js";
import { Advised, FileError, Lists, Opened, openModule, rulesOf } from "../engine/opened.js";
import { NAMED_LISTS } from "../engine/words.js";
import { wordsIn } from "./reading.js";

/** @import { OnProgress } from "../engine/types.js" */

/** @import { Params, Spec } from "./types.js" */

const BASE = new URL("../", import.meta.url);
const MOST_GAMES = 4;
/** What an error of the engine means, by its code.
 *  @type {Record<number, string>} */
const MEANING = { 1: "input", 2: "input", 3: "limit" };
/** What the small modules answer. */
const SMALL = ["suggest", "openers", "buckets", "adversary"];

const lists = new Lists(BASE);
const specs = new Map();
const games = new Map();
const opened = new Map();
const dropped = new Set();

/** What is made once, unless it fails.
 *  @template T @param {string} name @param {() => Promise<T>} make @returns {Promise<T>} */
function once(name, make) {
  if (!opened.has(name)) {
    const made = make();
    opened.set(name, made);
    made.catch(() => opened.delete(name));
  }
  return opened.get(name);
}

/** The small module of a game's kind.
 *  @param {string} key */
const partOf = (key) => (specs.get(key).kind === "mastermind" ? "codes" : "helper");
/** @param {string} name */
const part = (name) => once(name, async () => new Opened(await openModule(`${name}.wasm`, BASE), lists));
const whole = () => once("engine", async () => {
  /** @type {import("../engine.js")} */
  const { open } = await import(/** @type {string} */ ("../made/engine.js")).catch(({ message }) => {
    throw new FileError(message);
  });
  return open({ base: BASE });
});

/** The lists of a game, which are read when they are chosen.
 *  @param {Spec} spec */
const listsOf = ({ list, secrets, used }) => (
  lists.open([...(list ? [`${list}-allowed`, `${list}-${secrets}`] : []), ...(used ? [`${USED.list}-answers`] : [])])
);

/** What tells which words are common. */
const answersOfAll = () => lists.open(NAMED_LISTS.map((name) => `${name}-answers`));

/** A game of a key, by the whole engine or a part; the last few are kept.
 *  @param {string} key @param {string} by @returns {Promise<any>} */
async function gameOf(key, by) {
  const { id: _, ...spec } = specs.get(key);
  await Promise.all([by === "engine" ? whole() : part(by), listsOf(spec), answersOfAll()]);
  const made = async () => (by === "engine" ? (await whole()).game(spec) : new Advised(await part(by), rulesOf(spec, lists)));
  const name = `${by} ${key}`;
  const game = games.get(name) ?? (await made());
  games.delete(name);
  games.set(name, game);
  if (games.size > MOST_GAMES) games.delete(games.keys().next().value);
  return game;
}

/** @param {string} key */
async function wordsOf(key) {
  const { id: _, ...spec } = specs.get(key);
  await listsOf(spec);
  const { guesses, secrets } = rulesOf(spec, lists);
  return { guesses, secrets };
}

/** From here on only the end of the worker stops a question.
 *  @param {number} id */
function begin(id) {
  if (dropped.delete(id)) throw new Error("dropped");
  postMessage({ id, hasBegun: true });
}

/** @param {number} id @param {string} method @param {Params} params @param {OnProgress} onProgress */
async function answer(id, method, { key = "", args = [], text = "" }, onProgress) {
  if (method === "read") return wordsIn(text);
  if (method === "words") return wordsOf(key);
  if (method === "prepare") return void (await gameOf(key, partOf(key)));
  if (method === "check") {
    const engine = await whole();
    begin(id);
    return engine.check(args[0], { ...args[1], onProgress });
  }
  /** @param {string} by */
  const ask = async (by) => {
    const game = await gameOf(key, by);
    begin(id);
    if (method === "solve") return game.solve({ ...args[0], onProgress });
    if (method === "review") return game.review(args[0], args[1], { ...args[2], onProgress });
    return game[method](...args);
  };
  if (!SMALL.includes(method) || (method === "suggest" && areBoards(args[0]))) return ask("engine");
  try {
    return await ask(partOf(key));
  } catch (error) {
    if (!(error instanceof NoKernel)) throw error;
    return ask("engine");
  }
}

addEventListener("message", async ({ data: { id, method, params } }) => {
  try {
    if (method === "game") specs.set(params.key, params.spec);
    else if (method === "drop") dropped.add(id);
    else {
      const onProgress = (/** @type {number} */ done, /** @type {number} */ total) => postMessage({ id, progress: { done, total } });
      postMessage({ id, result: await answer(id, method, params, onProgress) });
    }
  } catch (fault) {
    const error = /** @type {{name?: string, code?: number, message?: string} | undefined} */ (fault);
    const kind = error?.name === "FileError" ? "missing" : (MEANING[error?.code ?? 0] ?? "fault");
    postMessage({ id, error: { kind, message: String(error?.message ?? fault) } });
  }
});
