// A strategy file as the page to explore reads it: the same packing that `knuthle explore` writes.

import { readColumn, unseal } from "../engine/files.js";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Where the page to explore finds its strategy, for as long as this tab is open. */
const PLACE = "knuthle-explored";

/** Hand a strategy file over to the page to explore, and keep it with its form; false if the browser has no room.
 *  @param {Uint8Array} bytes @param {object} form */
export function handOver(bytes, form) {
  try {
    const file = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    sessionStorage.setItem(PLACE, JSON.stringify({ ...payload(bytes), from: { ...form, file } }));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** The file that was handed over last, and its form; null if there is none. */
export function handedOver() {
  try {
    const { file, ...form } = JSON.parse(sessionStorage.getItem(PLACE) ?? "").from;
    return { ...form, bytes: Uint8Array.from(file, (/** @type {string} */ sign) => sign.charCodeAt(0)) };
  } catch {
    return null; // nothing lies there, or there is no storage
  }
}

/** The strategy, packed: docs/explore.md describes it.
 *  @param {Uint8Array} bytes */
export function payload(bytes) {
  /** @type {Map<string, any>} */
  const body = unseal(bytes, "strategy");
  /** @param {string} reason */
  const fail = (reason) => {
    throw new Error(reason);
  };
  const nodes = body.get("nodes");
  /** @param {string} name */
  const column = (name) => readColumn(body.get(name), name, nodes, fail);
  const [guess, parent, score, hit] = ["guess", "parent", "score", "hit"].map(column);
  const letters = Array.from(body.get("words"));
  const length = body.get("length");
  /** @param {number} at */
  const word = (at) => letters.slice(at * length, (at + 1) * length).join("");
  const depth = new Uint32Array(nodes).fill(1);
  const step = new Uint32Array(nodes);
  for (let node = 0; node < nodes; node++) {
    if (node) depth[node] = depth[parent[node]] + 1;
    step[node] = 2 * ((node ? depth[node - 1] : 0) + 1 - depth[node]) + hit[node];
  }
  return {
    format: 1,
    game: body.get("origin").get("game"),
    length,
    nodes,
    words: Array.from(guess, word).join(""),
    step: packed(step),
    score: packed(Uint32Array.from(score)),
    about: about(body),
  };
}

/** Numbers in base 64, each with as many digits as the largest needs, the highest first.
 *  @param {Uint32Array} numbers */
function packed(numbers) {
  const largest = numbers.reduce((most, number) => Math.max(most, number), 0);
  const width = Math.max(1, Math.ceil((32 - Math.clz32(largest)) / 6));
  const text = [];
  for (const number of numbers) {
    for (let shift = 6 * (width - 1); shift >= 0; shift -= 6) text.push(DIGITS[(number >>> shift) & 63]);
  }
  return [width, text.join("")];
}

/** What the page says of the strategy, as `knuthle lookup --json` has it.
 *  @param {Map<string, any>} body */
function about(body) {
  const origin = body.get("origin");
  /** @type {number[]} */
  const histogram = body.get("histogram");
  const total = histogram.reduce((sum, count, at) => sum + count * (at + 1), 0);
  const claim = Object.fromEntries([...origin.get("claim")].map(([name, value]) => (
    [name === "within" ? "limit" : name, value instanceof Map ? Object.fromEntries(value) : value]
  )));
  return {
    game: origin.get("game"),
    list: origin.get("list_name"),
    n_guesses: origin.get("guesses"),
    guesses_digest: origin.get("guesses_digest"),
    n_secrets: origin.get("secrets"),
    secrets_name: origin.get("secrets_name"),
    secrets_digest: origin.get("secrets_digest"),
    rule: origin.get("rule"),
    start: origin.get("start").filter((/** @type {string} */ word) => word !== "auto"),
    guess_from: origin.get("guess_from"),
    hard: origin.get("hard"),
    ...(origin.get("claim").size ? { claim } : {}),
    n_nodes: body.get("nodes"),
    histogram,
    worst: histogram.length,
    total,
    mean: total / origin.get("secrets"),
    digest: body.get("digest"),
  };
}
