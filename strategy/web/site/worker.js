// The engine in a worker: each message is a question {id, method, params}, and gets one answer.

import { open } from "./engine.js";

const opened = open();
const specs = new Map();
const games = new Map();
const MOST_GAMES = 4;

/** The game of a key, made when it is first needed; the last few are kept. */
async function gameOf(key) {
  const engine = await opened;
  let game = games.get(key);
  games.delete(key);
  if (game === undefined) {
    const { name, ...spec } = specs.get(key);
    game = await engine.game(spec);
    await game.prepare?.();
  }
  games.set(key, game);
  if (games.size > MOST_GAMES) {
    const [oldest] = games.keys();
    games.get(oldest).close?.();
    games.delete(oldest);
  }
  return game;
}

/** What this engine can do: the page shows no more than that. */
async function features() {
  const engine = await opened;
  const game = await engine.game({ list: "nyt-2023", secrets: "answers", hard: false });
  const named = ["suggest", "openers", "buckets", "review", "solve"].filter(
    (name) => typeof game[name] === "function",
  );
  game.close?.();
  if (typeof engine.check === "function") named.push("check");
  return named;
}

async function answer(method, params, onProgress) {
  if (method === "open") return features();
  if (method === "check") return (await opened).check(...params.args);
  const game = await gameOf(params.key);
  if (method === "words") return { guesses: game.guesses, secrets: game.secrets };
  if (method === "solve") return game.solve({ ...params.args[0], onProgress });
  return game[method](...params.args);
}

addEventListener("message", async ({ data: { id, method, params } }) => {
  if (method === "game") {
    specs.set(params.key, params.spec);
    return;
  }
  try {
    const result = await answer(method, params, (progress) => postMessage({ id, progress }));
    postMessage({ id, result });
  } catch (error) {
    const kind = error?.constructor?.name === "EngineError" ? "input" : "fault";
    postMessage({ id, error: { kind, message: String(error?.message ?? error) } });
  }
});
