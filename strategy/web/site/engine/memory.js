// The memory of engine.wasm: arrays that kernels read and write, and the calls of kernels.
//
// Arrays lie one behind the other. `mark()` is a place, and `release(mark)` frees all that was made
// since, those arrays too that kernels have made. Views of memory are lost whenever it grows, so an
// array makes its view anew when it is asked for: never keep `array.data` over a call of a kernel.

/**
 * @import { KERNELS } from "./kernels.js"
 * @import { Arguments, Exports, Form, Item, Items, KernelForm, KernelName, Result, Shape, View } from "./types.js"
 */

/** @type {{[T in Item]: View<T>}} */
const TYPES = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};
const TWO_32 = 2 ** 32;
/** Memory grows no further; tools/web/link.py has the same. */
const MOST_BYTES = 200_000_000;

/** An error in one plain sentence; `code` is the exit code that a command would end with. */
export class EngineError extends Error {
  /** @param {string} message @param {number} [code] */
  constructor(message, code = 2) {
    super(message);
    this.name = "EngineError";
    this.code = code;
  }
}

/** A kernel that a module does not have: a larger one may. */
export class NoKernel extends TypeError {}

/** What does not fit into the memory of a page. */
export class NoRoom extends EngineError {
  constructor() {
    super("this needs more memory than a page may take", 3);
  }
}

/**
 * An array in the memory of kernels; `strides` are in bytes, as are those of numpy.
 * @template {Item} T
 */
export class KernelArray {
  /** @type {Items[T] | null} */
  #view = null;

  /**
   * @param {Memory} memory @param {T} type @param {number[]} shape @param {number} address
   * @param {number[] | null} [strides]
   */
  constructor(memory, type, shape, address, strides = null) {
    this.memory = memory;
    this.type = type;
    this.shape = shape;
    this.address = address;
    this.strides = strides ?? contiguous(shape, TYPES[type].BYTES_PER_ELEMENT);
  }

  /** The number of elements of the first dimension. */
  get length() {
    return this.shape[0];
  }

  /**
   * All elements of a contiguous array, as a view of memory: good until the next call.
   * @returns {Items[T]}
   */
  get data() {
    if (this.#view === null || this.#view.buffer !== this.memory.buffer) {
      const count = this.shape.reduce((product, length) => product * length, 1);
      this.#view = new TYPES[this.type](this.memory.buffer, this.address, count);
    }
    return this.#view;
  }

  /**
   * A contiguous part of an array: some of the elements of the first dimension.
   * @param {number} begin @param {number} end
   */
  slice(begin, end) {
    const address = this.address + begin * this.strides[0];
    return new KernelArray(this.memory, this.type, [end - begin, ...this.shape.slice(1)], address,
      this.strides);
  }

  /**
   * The first columns of an array of two dimensions, whose rows stay where they are.
   * @param {number} count
   */
  columns(count) {
    return new KernelArray(this.memory, this.type, [this.shape[0], count], this.address,
      this.strides);
  }
}

/** @param {number[]} shape @param {number} size */
function contiguous(shape, size) {
  const strides = new Array(shape.length);
  for (let k = shape.length - 1; k >= 0; k -= 1) {
    strides[k] = size;
    size *= shape[k];
  }
  return strides;
}

/** Memory with kernels in it. */
export class Memory {
  #scratches = 0;

  /** @param {Exports} exports */
  constructor(exports) {
    this.exports = exports;
  }

  get buffer() {
    return this.exports.memory.buffer;
  }

  /**
   * An array, filled with a value (0) or, with `null`, with whatever lies there.
   * @template {Item} T @param {T} type @param {Shape} shape @param {number | bigint | null} [fill]
   * @returns {KernelArray<T>}
   */
  array(type, shape, fill = 0) {
    const lengths = typeof shape === "number" ? [shape] : [...shape];
    const size = TYPES[type].BYTES_PER_ELEMENT;
    const bytes = lengths.reduce((product, length) => product * length, size);
    const address = this.exports.reserve(BigInt(bytes)) >>> 0;
    if (address === 0) {
      throw new NoRoom();
    }
    const made = new KernelArray(this, type, lengths, address);
    if (fill !== null) {
      /** @type {any} */ (made.data).fill(type.endsWith("int64") ? BigInt(fill) : fill);
    }
    return made;
  }

  /**
   * An array with whatever lies there.
   * @template {Item} T @param {T} type @param {...number} shape
   */
  unfilled(type, ...shape) {
    return this.array(type, shape, null);
  }

  /**
   * Several arrays alike, by their names.
   * @template {Item} T @template {string} K @param {T} type @param {Shape} shape @param {K[]} names
   * @param {number | null} [fill]
   * @returns {Record<K, KernelArray<T>>}
   */
  several(type, shape, names, fill = 0) {
    return /** @type {any} */ (Object.fromEntries(names.map((name) => [name, this.array(type, shape, fill)])));
  }

  /**
   * An array of one dimension with these values, or of another shape with them row by row.
   * @template {Item} T @param {T} type @param {ArrayLike<number> | ArrayLike<bigint>} values
   * @param {number[] | null} [shape]
   * @returns {KernelArray<T>}
   */
  of(type, values, shape = null) {
    const isView = ArrayBuffer.isView(values) && values.buffer === this.buffer; // it may be lost here
    const kept = isView ? /** @type {any} */ (values).slice() : values;
    const made = this.array(type, shape ?? [kept.length], null);
    /** @type {any} */ (made.data).set(kept);
    return made;
  }

  /** The place that `release` goes back to. */
  mark() {
    return this.exports.mark();
  }

  /**
   * Free all that was made since a mark; nobody may use it any more.
   * @param {number} mark
   */
  release(mark) {
    this.exports.release(mark);
  }

  /**
   * What `work` answers; the arrays that it makes are freed, so its answer holds none.
   * @template T @param {() => T} work
   * @returns {T}
   */
  scratch(work) {
    const mark = this.mark();
    this.#scratches += 1;
    try {
      return work();
    } finally {
      this.#scratches -= 1;
      this.release(mark);
    }
  }

  /** How many bytes arrays may still take. */
  get room() {
    return MOST_BYTES - this.scratch(() => this.array("uint8", 0).address);
  }

  /** Whether what is made now is freed soon. */
  get isScratch() {
    return this.#scratches > 0;
  }
}

/** Tables in memory that serve many questions: made once, and all forgotten when they are many. */
export class Tables {
  /** @type {number | null} */
  #mark = null;
  /** @type {Map<object, Map<string, any>>} */
  #kept = new Map();

  /** @param {Memory} memory @param {number} [most] */
  constructor(memory, most = 80_000_000) {
    this.memory = memory;
    this.most = most;
  }

  /** Begin a question: nothing that an earlier one has kept is in use. */
  begin() {
    this.#mark ??= this.memory.mark();
    const next = this.memory.scratch(() => this.memory.array("uint8", 0).address);
    if (next - (this.#mark ?? next) > this.most) this.forget();
  }

  /** Free all tables. */
  forget() {
    if (this.#mark === null) return;
    this.memory.release(this.#mark);
    this.#kept = new Map();
  }

  /**
   * The table of a game that goes by a name, made by `make` if it is not there.
   * @template T @param {object} game @param {string} name @param {() => T} make
   * @returns {T}
   */
  of(game, name, make) {
    const mine = this.#kept.get(game) ?? new Map();
    this.#kept.set(game, mine);
    if (!mine.has(name)) {
      if (this.memory.isScratch) throw new Error(`the table ${name} would not last`);
      mine.set(name, make());
    }
    return mine.get(name);
  }
}

// ---- Calls
//
// The arguments of a call are flattened into 64-bit words by the form of the kernel: an array is its
// address, its lengths and its strides, a tuple its parts, null nothing.

/**
 * How many words a form takes, or its result.
 * @param {Form} form
 * @returns {number}
 */
function wordsOf(form) {
  if (typeof form === "string") {
    const [kind, ndim] = form.split(" ");
    return ndim === undefined ? Number(kind !== "none") : 2 + 2 * Number(ndim);
  }
  return Object.values(form).reduce((sum, part) => sum + wordsOf(part), 0);
}

/** The name of a kernel for score tables whose numbers have two bytes. */
const WIDE = "_wide";

/**
 * The place of the first array that two forms have of other items, as keys; null if there is none.
 * @param {any} one @param {any} other
 * @returns {string[] | null}
 */
function firstOther(one, other) {
  if (typeof one === "string") return one === other ? null : [];
  for (const key of Object.keys(one)) {
    const found = firstOther(one[key], other[key]);
    if (found !== null) return [key, ...found];
  }
  return null;
}

/** The kernels of a module, called by name with arguments of the forms in kernels.js. */
export class Kernels {
  #forms;
  /** @type {Map<string, string[] | null>} */
  #wide = new Map();
  #words;
  #results;
  /** @type {WeakMap<object, {form: Form, words: number[]}>} */
  #known = new WeakMap();

  /** @param {Memory} memory @param {{[name: string]: KernelForm}} forms */
  constructor(memory, forms) {
    this.memory = memory;
    this.#forms = forms;
    const all = Object.values(forms);
    for (const name of Object.keys(forms)) {
      const wide = forms[name + WIDE];
      if (wide !== undefined) this.#wide.set(name, firstOther(forms[name].args, wide.args));
    }
    this.#words = memory.array("int32", [2, Math.max(...all.map((it) => wordsOf(it.args)))]);
    this.#results = memory.array("int32", [2, 2 + Math.max(...all.map((it) => wordsOf(it.result)))]);
  }

  /**
   * Call a kernel. A tuple is an array or, if its parts have names, an object, which is never
   * changed after its first use. The result is a number, a KernelArray, a tuple of them, or null.
   * Of a kernel for score tables that form is called which the table is of.
   * @template {KernelName} N @param {N} called @param {Arguments<N>} args
   * @returns {Result<N>}
   */
  call(called, ...args) {
    const place = this.#wide.get(called);
    const isWide = place?.reduce((value, key) => value?.[key], /** @type {any} */ (args))?.type === "uint16";
    const name = isWide ? called + WIDE : called;
    const form = this.#forms[name];
    if (form?.args.length !== args.length || !(name in this.memory.exports)) {
      throw new NoKernel(`there is no kernel ${name} with ${args.length} arguments`);
    }
    /** @type {number[]} */
    const words = [];
    form.args.forEach((part, k) => this.#flatten(part, args[k], words, `${name}, argument ${k}`));
    this.#words.data.set(words);
    const mark = this.memory.mark();
    const status = this.memory.exports[name](this.#words.address, this.#results.address);
    if (status !== 0) {
      this.memory.release(mark);
      throw new NoRoom();
    }
    return this.#result(form.result, { at: 0 });
  }

  /**
   * The same where the result has no arrays: those that the kernel makes are freed.
   * @template {KernelName} N @param {N} called @param {Arguments<N>} args
   */
  run(called, ...args) {
    return this.memory.scratch(() => this.call(called, ...args));
  }

  /** @param {any} form @param {any} value @param {number[]} words @param {string} where */
  #flatten(form, value, words, where) {
    if (typeof form === "string") {
      flattenLeaf(form, value, words, where);
      return;
    }
    const known = this.#known.get(value);
    if (known !== undefined && known.form === form) {
      for (const word of known.words) words.push(word);
      return;
    }
    const begin = words.length;
    for (const key of Object.keys(form)) {
      this.#flatten(form[key], value[key], words, `${where}, ${key}`);
    }
    if (!Array.isArray(form)) {
      this.#known.set(value, { form, words: words.slice(begin) });
    }
  }

  /** @param {Form} form @param {{at: number}} place @returns {any} */
  #result(form, place) {
    if (typeof form !== "string") {
      const parts = Object.entries(form).map(([key, part]) => [key, this.#result(part, place)]);
      return Array.isArray(form) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
    }
    if (form === "none") {
      return null;
    }
    const [kind, ndim] = form.split(" ");
    if (ndim !== undefined) {
      this.#number(place); // the head of the array
      const address = this.#number(place);
      const shape = Array.from({ length: Number(ndim) }, () => this.#number(place));
      return new KernelArray(this.memory, /** @type {Item} */ (kind), shape, address);
    }
    if (kind === "float") {
      place.at += 1;
      return new Float64Array(this.memory.buffer, this.#results.address)[place.at - 1];
    }
    const number = this.#number(place);
    return kind === "bool" ? number !== 0 : number;
  }

  /**
   * The next of the results: a number, or a BigInt where that is not exact.
   * @param {{at: number}} place @returns {any}
   */
  #number(place) {
    const data = this.#results.data;
    const low = data[2 * place.at] >>> 0;
    const high = data[2 * place.at + 1];
    place.at += 1;
    const number = high * TWO_32 + low;
    return Number.isSafeInteger(number) ? number : (BigInt(high) << 32n) | BigInt(low);
  }
}

const FLOAT = new Float64Array(1);
const FLOAT_WORDS = new Int32Array(FLOAT.buffer);

/**
 * Write an argument that is no tuple as pairs of 32 bits, the lower first.
 * @param {string} form @param {any} value @param {number[]} words @param {string} where
 */
function flattenLeaf(form, value, words, where) {
  const [kind, ndim, layout] = form.split(" ");
  if (ndim !== undefined) {
    const fits = value instanceof KernelArray && value.type === kind &&
      value.shape.length === Number(ndim);
    if (!fits || (layout === "C" && !isContiguous(value))) {
      throw new TypeError(`${where}: this is no array ${form}`);
    }
    words.push(value.address, 0);
    for (const number of [...value.shape, ...value.strides]) words.push(number, 0);
    return;
  }
  if (kind === "none") {
    if (value !== null && value !== undefined) throw new TypeError(`${where}: this is not null`);
    return;
  }
  if (kind === "float" || kind === "@float64") {
    FLOAT[0] = value;
    words.push(...FLOAT_WORDS);
    return;
  }
  if (typeof value === "bigint") {
    words.push(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
    return;
  }
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new TypeError(`${where}: this is no whole number`);
  words.push(number | 0, Math.floor(number / TWO_32));
}

/**
 * The items of an array of some form.
 * @param {string} form
 */
export const itemOf = (form) => /** @type {Item} */ (form.split(" ")[0]);

/** @param {KernelArray<Item>} array */
function isContiguous(array) {
  let size = TYPES[array.type].BYTES_PER_ELEMENT;
  for (let k = array.shape.length - 1; k >= 0; k -= 1) {
    if (array.strides[k] !== size && array.shape[k] > 1) return false;
    size *= array.shape[k];
  }
  return true;
}

/**
 * The memory and the kernels of a module; `forms` are those of kernels.js.
 * @param {BufferSource} code @param {typeof KERNELS} forms
 */
export async function instantiate(code, forms) {
  const { instance } = await WebAssembly.instantiate(code, {});
  const memory = new Memory(/** @type {Exports & WebAssembly.Exports} */ (instance.exports));
  return { memory, kernels: new Kernels(memory, forms) };
}
