// Answers questions to the engine: a JSON list of [game, method, arguments] on stdin, and on stdout for
// each the answer, or the message and the exit code of what it refuses; at last the memory in use.

import { readFileSync } from "node:fs";
import { EngineError, open } from "../../strategy/web/site/engine.js";

const engine = await open();
const games = new Map();

function answer([options, method, args]) {
  const key = JSON.stringify(options);
  try {
    if (!games.has(key)) games.set(key, engine.game(options));
    return { answer: games.get(key)[method](...args) };
  } catch (error) {
    if (error instanceof EngineError) return { error: error.message, code: error.code };
    throw error;
  }
}

const answers = JSON.parse(readFileSync(0, "utf8")).map(answer);
process.stdout.write(JSON.stringify({ answers, bytes: engine.memory.buffer.byteLength }));
