// Asserts what arrays, marks and calls of kernels promise; prints "done".

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const site = process.argv[2];
const load = (name) => import(pathToFileURL(join(site, "engine", name)).href);
const { instantiate, EngineError, Tables } = await load("memory.js");
const { KERNELS } = await load("kernels.js");
const { memory, kernels } = await instantiate(readFileSync(join(site, "engine.wasm")), KERNELS);

// arrays do not touch, and begin where vectors do
const start = memory.mark();
const arrays = [];
for (let k = 0; k < 200; k += 1) arrays.push(memory.array("int32", [k, 3], k));
arrays.forEach((array, k) => {
  assert.equal(array.address % 64, 0);
  assert.deepEqual([array.length, array.strides], [k, [12, 4]]);
  assert.ok(array.data.every((item) => item === k));
});

// a mark frees what came after it, and nothing before
const mark = memory.mark();
const first = memory.array("uint8", 1000);
memory.array("float64", 100_000);
memory.release(mark);
assert.equal(memory.array("uint8", 1).address, first.address);
assert.ok(arrays[199].data.every((item) => item === 199));
memory.release(start);
assert.equal(memory.array("int32", 1).address, arrays[0].address);

// memory grows, views follow, and what a page may not take is refused in words
memory.release(start);
const small = memory.of("int64", [1n, -2n, 3n]);
const before = small.data;
memory.array("uint8", 50_000_000);
assert.equal(before.length, 0);
assert.deepEqual([...small.data], [1n, -2n, 3n]);
for (const size of [150_000_000, 2 ** 31, 2 ** 33]) {
  assert.throws(() => memory.array("uint8", size, null), (error) =>
    error instanceof EngineError && error.code === 3 && /memory/.test(error.message));
}
assert.deepEqual([...small.data], [1n, -2n, 3n]);
assert.ok(memory.buffer.byteLength <= 200_000_000);

// a kernel's own arrays are freed again: a million calls would not fit otherwise
memory.release(start);
const words = memory.of("uint8", [0, 1, 2, 0, 4, 5, 5, 6, 7, 8], [2, 5]);
const known = memory.array("int32", [26, 32]);
const terms = memory.array("int32", [2, 5]);
for (let k = 0; k < 2000; k += 1) {
  const here = memory.mark();
  const sets = kernels.call("place_sets", words, 26);
  assert.deepEqual([sets.type, sets.shape, sets.data[0], sets.data[11]], ["int32", [26, 2], 9, 3]);
  memory.release(here);
  assert.equal(kernels.call("find_terms", words, known, terms), 8);
  assert.equal(memory.mark(), here);
  known.data.fill(0);
}

// arguments of another form are refused, and so are names that are none
const wrong = [
  () => kernels.call("place_sets", words),
  () => kernels.call("nothing", words),
  () => kernels.call("place_sets", known, 26),
  () => kernels.call("place_sets", words, 1.5),
  () => kernels.call("find_terms", words, known.columns(3), terms),
  () => kernels.call("best_word", { pool: terms }, null, terms),
];
for (const call of wrong) assert.throws(call, TypeError);

// tables stay until they are many
const tables = new Tables(memory, 1_000_000);
const game = {};
tables.begin();
const made = () => memory.array("int32", 100_000, 7);
const table = tables.of(game, "one", made);
assert.equal(tables.of(game, "one", made), table);
tables.of(game, "other", () => memory.array("int32", 200_000));
tables.begin();
assert.notEqual(tables.of(game, "one", made), table);
assert.throws(() => memory.scratch(() => tables.of(game, "two", made)), /would not last/);

// products of 128 bits
const place = memory.array("uint64", 2);
let seed = 12345n;
const next = () => {
  seed = BigInt.asUintN(64, seed * 6364136223846793005n + 1442695040888963407n);
  return BigInt.asIntN(64, BigInt.asUintN(64, seed ^ (seed >> 29n)) >> (seed % 64n));
};
const joined = (low, high) => BigInt.asUintN(64, low) | (BigInt.asUintN(64, high) << 64n);
for (let k = 0; k < 5000; k += 1) {
  const [a, b, c, d] = [next(), next(), next(), next()];
  memory.exports.__multi3(place.address, a, b, c, d);
  assert.equal(joined(...place.data), BigInt.asUintN(128, joined(a, b) * joined(c, d)));
}
console.log("done");
