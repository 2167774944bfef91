// Calls a kernel of a small module: STEPS.wasm SITE QUESTION.json, {forms, calls: [[name, arrays]]}.
// An array is {type, shape, data}; what is printed is what each array holds after the call.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [module, site, question] = process.argv.slice(2);
const { instantiate } = await import(pathToFileURL(join(site, "engine", "memory.js")).href);
const { forms, calls } = JSON.parse(readFileSync(question, "utf8"));
const { memory, kernels } = await instantiate(readFileSync(module), forms);

const wide = (type) => type.endsWith("int64");
const made = (value) => (typeof value === "number" ? value
  : memory.of(value.type, value.data.map((item) => (wide(value.type) ? BigInt(item) : Number(item))), value.shape));

console.log(JSON.stringify(calls.map(([name, given]) => memory.scratch(() => {
  const args = given.map(made);
  kernels.call(name, ...args);
  return args.map((array) => (typeof array === "number" ? array : Array.from(array.data, String)));
}))));
