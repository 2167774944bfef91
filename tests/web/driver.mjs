// Answers questions to engine.js, a line of JSON each: {game, call, args} or {call, args} for the
// engine itself, or a function of a module of the page: {call: "page", args: [module, name, …]}.
// Bytes are {base64: text} both ways. The answer is {result} or {error, code}.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { open, EngineError } = await import(pathToFileURL(process.argv[2]).href);
const engine = await open();
const games = new Map();

function gameOf(options) {
  const key = JSON.stringify(options);
  if (!games.has(key)) games.set(key, engine.game(options));
  return games.get(key);
}

const given = (value) => (value?.base64 === undefined ? value : new Uint8Array(Buffer.from(value.base64, "base64")));
const answered = (value) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;

const CALLS = {
  small: (part, options, method, ...args) => answeredBy(part, options, method, args),
  memory: () => engine.memory.buffer.byteLength,
  tables: (options, { rule, guessFrom, unread }) => tablesOf(options, rule, guessFrom, unread),
  cpu: () => process.cpuUsage().user,
  page: async (module, name, ...args) =>
    (await import(new URL(`page/${module}.js`, pathToFileURL(process.argv[2]))))[name](...args),
};

// What a small module answers, such as helper.wasm; it fails if that has not all kernels that are wanted.
async function answeredBy(part, options, method, args) {
  const base = pathToFileURL(process.argv[2]);
  const { Advised, Lists, Opened, openModule, rulesOf } = await import(new URL("engine/opened.js", base));
  const lists = new Lists(base);
  const [made] = await Promise.all([openModule(`${part}.wasm`, base), lists.open()]);
  return new Advised(new Opened(made, lists), rulesOf(options, lists))[method](...args);
}

async function tablesOf(options, rule, guessFrom, unread) {
  const { Searcher } = await import(new URL("engine/solve.js", pathToFileURL(process.argv[2])).href);
  engine.tables.begin();
  const searcher = new Searcher(engine, gameOf(options).rules, rule, guessFrom, false);
  return plainOf(searcher.words(), "search", new Set(unread));
}

// Tables as JSON; of what is unread no items.
function plainOf(value, name, unread) {
  if (value?.data !== undefined) {
    return { type: value.type, shape: value.shape, data: unread.has(name) ? [] : Array.from(value.data, String) };
  }
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainOf(part, `${name}.${key}`, unread)]));
  }
  return value;
}

async function answer({ game, call, args = [] }) {
  const values = args.map(given);
  if (call in CALLS) return CALLS[call](...values);
  const target = game === undefined ? engine : gameOf(game);
  return answered(await target[call](...values));
}

for await (const line of createInterface({ input: process.stdin })) {
  let reply;
  try {
    reply = { result: (await answer(JSON.parse(line))) ?? null };
  } catch (error) {
    if (!(error instanceof EngineError)) reply = { error: error.stack, code: null };
    else reply = { error: error.message, code: error.code };
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
