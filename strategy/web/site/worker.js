// The engine in a worker: each message is a question {id, method, params}, and gets one answer.

import { open } from "./engine.js";
import { wordsIn } from "./page/reading.js";

let isOpen = false;
const opened = open();
opened.then(() => (isOpen = true), () => {});
const specs = new Map();
const games = new Map();
const MOST_GAMES = 4;
/** What an error of the engine means, by its code: first while it opens, then of a question. */
const OPENING = { 3: "missing" };
const ASKING = { 1: "input", 2: "input", 3: "limit" };

/** The game of a key, made when it is first needed; the last few are kept. */
async function gameOf(key) {
  const engine = await opened;
  let game = games.get(key);
  games.delete(key);
  if (game === undefined) {
    const { id, ...spec } = specs.get(key);
    game = await engine.game(spec);
    await game.prepare?.();
  }
  games.set(key, game);
  if (games.size > MOST_GAMES) {
    const [oldest] = games.keys();
    games.delete(oldest);
  }
  return game;
}

/** What this engine can do: the page shows no more than that. */
async function features() {
  const engine = await opened;
  const game = engine.game({ list: "nyt-2023", secrets: "answers", hard: false });
  const methods = ["suggest", "openers", "buckets", "review", "solve"];
  const named = methods.filter((name) => typeof game[name] === "function");
  if (typeof engine.check === "function") named.push("check");
  if (gamesOfCodes(engine)) named.push("mastermind");
  for (const name of engine.features ?? []) named.push(name);
  return named;
}

function gamesOfCodes(engine) {
  try {
    return engine.game({ kind: "mastermind", holes: 4, colours: 6 }).rules.spec.startsWith("mastermind");
  } catch {
    return false;
  }
}

/** The words of a game, wherever the engine has them. */
const wordsOf = ({ guesses, secrets, rules }) => ({ guesses: guesses ?? rules.guesses, secrets: secrets ?? rules.secrets });

async function answer(method, params, onProgress) {
  if (method === "open") return features();
  if (method === "read") return wordsIn(params.text);
  if (method === "check") {
    const [bytes, options] = params.args;
    return (await opened).check(bytes, { ...options, onProgress });
  }
  const game = await gameOf(params.key);
  if (method === "words") return wordsOf(game);
  if (method === "solve") return game.solve({ ...params.args[0], onProgress });
  if (method === "review") {
    const [played, secret, options] = params.args;
    return game.review(played, secret, { ...options, onProgress });
  }
  return game[method](...params.args);
}

addEventListener("message", async ({ data: { id, method, params } }) => {
  if (method === "game") {
    specs.set(params.key, params.spec);
    return;
  }
  try {
    const result = await answer(method, params, (done, total) => postMessage({ id, progress: { done, total } }));
    postMessage({ id, result });
  } catch (error) {
    const kind = (isOpen ? ASKING : OPENING)[error?.code] ?? "fault";
    postMessage({ id, error: { kind, message: String(error?.message ?? error) } });
  }
});
