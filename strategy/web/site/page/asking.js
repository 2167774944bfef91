// The engine runs in a worker; this is how the page asks it. A question can be cancelled.
//
// A message to the worker is {id, method, params}; it answers {id, result}, {id, error} or, while it
// works, {id, hasBegun} and {id, progress}. To cancel a question that has begun ends the worker; a new one
// gets the questions that are still open.

import { said } from "./dom.js";
import { scriptAddress } from "./trusted.js";

/** @import { How, Params, Reply, Spec } from "./types.js" */

/** A wrong input: the engine says in one sentence what is wrong. */
export class WrongInput extends Error {}

/** A question that is too large for a browser. */
export class TooLarge extends WrongInput {}

/** The engine cannot work here at all. */
export class NoEngine extends Error {}

/** What is wrong with an input, in the engine's sentence; any other error goes on.
 *  @param {unknown} error */
export function sentenceOf(error) {
  if (!(error instanceof WrongInput)) throw error;
  return said(error.message);
}

/** Somebody has cancelled the question, or asks another one instead. */
export class Cancelled extends Error {}

const MISSING =
  "A file of the engine is missing or damaged, so nothing can be computed. Load the page again; " +
  "if that does not help, the folder of the page must be copied again as a whole.";
const TOO_OLD =
  "This browser is too old for knuthle: it lacks WebAssembly with vector instructions (SIMD). " +
  "Chrome, Edge and Firefox have it since 2021, Safari since version 16.4.";

/** A module with one function, which answers a vector of 128 bits. */
const WITH_SIMD = new Uint8Array([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // the beginning of every module
  ...[1, 5, 1, 0x60, 0, 1, 0x7b], // a type: no parameter, one vector
  ...[3, 2, 1, 0], // a function of that type
  ...[10, 22, 1, 20, 0, 0xfd, 12, ...new Array(16).fill(0), 0x0b], // v128.const 0
]);

/** @type {Worker | null} */
let worker = null;
let number = 0;
/** @typedef {{method: string, params: Params, resolve(found: any): void, reject(error: Error): void, done(): void,
 *  onProgress: How["onProgress"], hasBegun?: boolean}} Question */
/** @type {Map<number, Question>} */
const open = new Map();
const games = new Map();

/** The worker, which begins when it is needed. */
function running() {
  worker ??= started();
  return worker;
}

function started() {
  let hasSimd = false;
  try {
    hasSimd = WebAssembly.validate(WITH_SIMD);
  } catch {
    // there is no WebAssembly at all
  }
  if (!hasSimd) throw new NoEngine(TOO_OLD);
  const begun = new Worker(scriptAddress("made/worker.js"), { type: "module" });
  begun.addEventListener("message", ({ data }) => receive(data));
  begun.addEventListener("error", (event) => {
    event.preventDefault();
    fail(new NoEngine(MISSING));
  });
  for (const { id, spec } of games.values()) begun.postMessage({ id, method: "game", params: spec });
  return begun;
}

/** @param {Reply} reply */
function receive({ id, result, error, progress, hasBegun }) {
  const question = open.get(id);
  if (!question) return;
  if (hasBegun) {
    question.hasBegun = true;
    return;
  }
  if (progress !== undefined) {
    question.onProgress?.(progress);
    return;
  }
  open.delete(id);
  question.done();
  if (error === undefined) question.resolve(result);
  else question.reject(errorOf(error));
}

/** @param {{kind: string, message: string}} error */
function errorOf({ kind, message }) {
  if (kind === "input") return new WrongInput(message);
  if (kind === "limit") return new TooLarge(message);
  return new NoEngine(kind === "missing" ? MISSING : `The engine has failed (${message}). Load the page again.`);
}

/** @param {Error} reason */
function fail(reason) {
  worker?.terminate();
  worker = null;
  const questions = [...open.values()];
  open.clear();
  for (const question of questions) {
    question.done();
    question.reject(reason);
  }
}

/** End the worker, and let a new one answer what is still open. */
function restart() {
  worker?.terminate();
  worker = null;
  for (const [id, question] of open) {
    question.hasBegun = false;
    running().postMessage({ id, method: question.method, params: question.params });
  }
}

/** Ask the engine; the promise has its answer. `signal` cancels, `onProgress` hears how far it is.
 *  @param {string} method @param {Params} [params] @param {How} [how] @returns {Promise<any>} */
export function ask(method, params = {}, { signal, onProgress } = {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw new Cancelled();
    const asked = running();
    const id = ++number;
    const cancel = () => {
      const hasBegun = open.get(id)?.hasBegun;
      open.delete(id);
      reject(new Cancelled());
      if (hasBegun) restart();
      else worker?.postMessage({ id, method: "drop" }); // its files are still wanted
    };
    const done = () => signal?.removeEventListener("abort", cancel);
    signal?.addEventListener("abort", cancel);
    open.set(id, { method, params, resolve, reject, onProgress, done });
    asked.postMessage({ id, method, params });
  });
}

/** Ask a game, which the engine makes once: {list, secrets, hard}, {guesses, …}, {kind, holes, …}.
 *  Words of somebody's own have an `id`, which tells them from other ones.
 *  @param {Spec} spec @param {string} method @param {any[]} [args] @param {How} [how] */
export function askGame(spec, method, args = [], how = {}) {
  const key = JSON.stringify({ ...spec, guesses: spec.guesses && spec.id });
  if (!games.has(key)) {
    games.set(key, { id: 0, spec: { key, spec } });
    worker?.postMessage({ id: 0, method: "game", params: { key, spec } });
  }
  return ask(method, { key, args }, how);
}
