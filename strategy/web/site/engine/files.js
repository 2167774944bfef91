// Strategy files: msgpack, SHA-256, the envelope and the body, written and read as the commands do.
//
// Equal strategies have equal bytes. Whatever is wrong with a file that is read is said in one plain
// sentence, by an error with the code 2.

import { EngineError } from "./memory.js";
import { grouped } from "./words.js";

/** @import { Fail, Kind, Packed, Unpacked } from "./types.js" */

// ---- SHA-256 (FIPS 180-4); what browsers have of it is not there on every page

const ROUNDS = new Int32Array(64);
const START = new Int32Array(8);
{
  /** @param {number} root */
  const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  let count = 0;
  for (let number = 2; count < 64; number += 1) {
    let isPrime = true;
    for (let by = 2; by * by <= number; by += 1) isPrime &&= number % by !== 0;
    if (!isPrime) continue;
    if (count < 8) START[count] = fraction(Math.sqrt(number));
    ROUNDS[count] = fraction(Math.cbrt(number));
    count += 1;
  }
}

/**
 * The SHA-256 of bytes, as 32 bytes.
 * @param {Uint8Array} bytes
 */
export function sha256(bytes) {
  const state = START.slice();
  const words = new Int32Array(64);
  const rest = bytes.length % 64;
  const whole = bytes.length - rest;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < whole; at += 64) compress(state, words, view, at);
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(bytes.subarray(whole));
  tail[rest] = 0x80;
  const end = new DataView(tail.buffer);
  end.setUint32(tail.length - 8, Math.floor(bytes.length / 2 ** 29));
  end.setUint32(tail.length - 4, (bytes.length * 8) >>> 0);
  for (let at = 0; at < tail.length; at += 64) compress(state, words, end, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, k) => digest.setInt32(4 * k, word));
  return new Uint8Array(digest.buffer);
}

/** @param {Int32Array} state @param {Int32Array} words @param {DataView} view @param {number} at */
function compress(state, words, view, at) {
  for (let k = 0; k < 16; k += 1) words[k] = view.getInt32(at + 4 * k);
  for (let k = 16; k < 64; k += 1) {
    const x = words[k - 15];
    const y = words[k - 2];
    const s = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const t = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[k] = (words[k - 16] + s + words[k - 7] + t) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let k = 0; k < 64; k += 1) {
    const s = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + s + ((e & f) ^ (~e & g)) + ROUNDS[k] + words[k]) | 0;
    const t = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (t + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, k) => {
    state[k] = (state[k] + word) | 0;
  });
}

/**
 * Bytes as hexadecimal digits.
 * @param {Uint8Array} bytes
 */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// ---- msgpack, as much of it as files have

/**
 * A value as msgpack: null, booleans, whole numbers of 0 or more, text, bytes, arrays, and maps as Map.
 * @param {Packed} value
 */
function pack(value) {
  /** @type {ArrayLike<number>[]} */
  const parts = [];
  packInto(parts, value);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @param {ArrayLike<number>[]} parts @param {Packed} value */
function packInto(parts, value) {
  if (value === null) parts.push([0xc0]);
  else if (typeof value === "boolean") parts.push([value ? 0xc3 : 0xc2]);
  else if (typeof value === "number") parts.push(packedNumber(value));
  else if (typeof value === "string") {
    const text = new TextEncoder().encode(value);
    parts.push(packedLength(text.length, 0xa0, 32, [0xd9, 0xda, 0xdb]), text);
  } else if (value instanceof Uint8Array) {
    parts.push(packedLength(value.length, 0, 0, [0xc4, 0xc5, 0xc6]), value);
  } else if (Array.isArray(value)) {
    parts.push(packedLength(value.length, 0x90, 16, [null, 0xdc, 0xdd]));
    value.forEach((item) => packInto(parts, item));
  } else {
    parts.push(packedLength(value.size, 0x80, 16, [null, 0xde, 0xdf]));
    for (const [key, item] of value) {
      packInto(parts, key);
      packInto(parts, item);
    }
  }
}

/** @param {number} value */
function packedNumber(value) {
  if (value < 0x80) return [value];
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(value));
  const size = [1, 2, 4].find((width) => value < 2 ** (8 * width)) ?? 8;
  return [0xcc + Math.log2(size), ...new Uint8Array(bytes.buffer, 8 - size)];
}

/**
 * @param {number} length @param {number} small @param {number} below
 * @param {[one: number | null, two: number, four: number]} kinds
 */
function packedLength(length, small, below, [one, two, four]) {
  if (length < below) return [small | length];
  if (one !== null && length < 0x100) return [one, length];
  if (length < 0x10000) return [two, length >> 8, length & 0xff];
  return [four, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff];
}

const MOST_BYTES = 2 ** 26;
const MOST_VALUES = 1 << 17;
/** Within each other, so that reading ends; a body of these pages has fewer than 20. */
const DEEPEST_VALUE = 500;

/** A number that is written with a point, which is no whole number whatever its value. */
export class Real {
  /** @param {number} value */
  constructor(value) {
    this.value = value;
  }
}

/** The value of msgpack bytes; what is wrong is thrown as a text. */
class Unpacker {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = 0;
    this.values = 0;
  }

  whole() {
    const value = this.value(1);
    if (this.at < this.bytes.length) throw "something follows its end";
    return value;
  }

  /** @param {number} count */
  take(count) {
    if (this.at + count > this.bytes.length) throw "it ends too early";
    this.at += count;
    return this.at - count;
  }

  /** @param {number} size @param {boolean} [signed] */
  number(size, signed = false) {
    const at = this.take(size);
    if (size === 1) return signed ? this.view.getInt8(at) : this.view.getUint8(at);
    if (size === 2) return signed ? this.view.getInt16(at) : this.view.getUint16(at);
    if (size === 4) return signed ? this.view.getInt32(at) : this.view.getUint32(at);
    return Number(signed ? this.view.getBigInt64(at) : this.view.getBigUint64(at));
  }

  /** @param {number} depth @returns {Unpacked} */
  value(depth) {
    const first = this.number(1);
    if (first < 0x80) return first;
    if (first < 0x90) return this.map(first & 15, depth);
    if (first < 0xa0) return this.array(first & 15, depth);
    if (first < 0xc0) return this.text(first & 31);
    if (first >= 0xe0) return first - 0x100;
    if (first === 0xc0) return null;
    if (first === 0xc2 || first === 0xc3) return first === 0xc3;
    if (first >= 0xc4 && first <= 0xc6) return this.binary(this.number(1 << (first - 0xc4)));
    if (first === 0xca) return new Real(this.view.getFloat32(this.take(4)));
    if (first === 0xcb) return new Real(this.view.getFloat64(this.take(8)));
    if (first >= 0xcc && first <= 0xcf) return this.number(1 << (first - 0xcc));
    if (first >= 0xd0 && first <= 0xd3) return this.number(1 << (first - 0xd0), true);
    if (first >= 0xd9 && first <= 0xdb) return this.text(this.number(1 << (first - 0xd9)));
    if (first === 0xdc || first === 0xdd) return this.array(this.number(2 << (first - 0xdc)), depth);
    if (first === 0xde || first === 0xdf) return this.map(this.number(2 << (first - 0xde)), depth);
    throw `the byte 0x${first.toString(16).padStart(2, "0")} begins no value`;
  }

  /** @param {number} count @param {number} depth */
  within(count, depth) {
    if (count > this.bytes.length - this.at) throw "it ends too early";
    this.values += count;
    if (this.values > MOST_VALUES) throw `more than ${grouped(MOST_VALUES)} values`;
    if (depth >= DEEPEST_VALUE) throw `more than ${DEEPEST_VALUE} values within each other`;
  }

  /** @param {number} count @param {number} depth @returns {Unpacked[]} */
  array(count, depth) {
    this.within(count, depth);
    return Array.from({ length: count }, () => this.value(depth + 1));
  }

  /** @param {number} count @param {number} depth */
  map(count, depth) {
    this.within(2 * count, depth);
    const found = new Map();
    for (let k = 0; k < count; k += 1) {
      const key = this.value(depth + 1);
      if (typeof key !== "string") throw "a key is no text";
      if (found.has(key)) throw `the key ${JSON.stringify(key)} stands twice in a map`;
      found.set(key, this.value(depth + 1));
    }
    return found;
  }

  /** @param {number} length */
  binary(length) {
    const at = this.take(length);
    return this.bytes.slice(at, at + length);
  }

  /** @param {number} length */
  text(length) {
    const at = this.take(length);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
        .decode(this.bytes.subarray(at, at + length));
    } catch {
      throw "a text is not UTF-8";
    }
  }
}

// ---- The envelope: magic, version, kind, length, body, checksum

const MAGIC = new TextEncoder().encode("KNUTHLE\n");
const VERSION = 1;
const HEADER = 14;
const CHECKSUM = 32;
const KINDS = {
  S: "a strategy",
  P: "an unfinished strategy",
  R: "a proof",
  F: "findings of an unfinished exact search",
};
const CONTINUED = "solve-all --resume continues it";
const USES = { S: "verify checks it", P: CONTINUED, R: "check-proof checks it", F: CONTINUED };

/**
 * A body in its envelope.
 * @param {Kind} kind @param {Packed} body
 */
export function seal(kind, body) {
  const packed = pack(body);
  const bytes = new Uint8Array(HEADER + packed.length + CHECKSUM);
  bytes.set(MAGIC);
  bytes[8] = VERSION;
  bytes[9] = kind.charCodeAt(0);
  new DataView(bytes.buffer).setUint32(10, packed.length, true);
  bytes.set(packed, HEADER);
  bytes.set(sha256(bytes.subarray(0, HEADER + packed.length)), HEADER + packed.length);
  return bytes;
}

/**
 * Whether bytes are the beginning of a file of a kind.
 * @param {Uint8Array} bytes @param {Kind} kind
 */
export function isOfKind(bytes, kind) {
  return bytes.length >= HEADER && MAGIC.every((byte, k) => byte === bytes[k]) && bytes[9] === kind.charCodeAt(0);
}

/**
 * The body of a file, by default of a strategy; whatever breaks its envelope is named.
 * @param {Uint8Array} bytes @param {string} name @param {Kind} [wanted]
 */
export function unseal(bytes, name, wanted = "S") {
  /** @param {string} reason */
  const bad = (reason) => new EngineError(`${name}: ${reason}`);
  if (bytes.length > MOST_BYTES) throw bad(`the file has more than ${grouped(MOST_BYTES)} bytes, the limit`);
  if (bytes.length === 0) throw bad("the file is empty");
  if (!MAGIC.subarray(0, bytes.length).every((byte, k) => byte === bytes[k])) {
    throw bad("not a knuthle file (it does not begin with KNUTHLE)");
  }
  if (bytes.length < HEADER) throw bad(`truncated within its first ${HEADER} bytes`);
  if (bytes[8] > VERSION) {
    throw bad(`format version ${bytes[8]}; this knuthle reads up to ${VERSION}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const expected = HEADER + view.getUint32(10, true) + CHECKSUM;
  if (bytes.length < expected) {
    throw bad(`truncated: ${grouped(bytes.length)} bytes of ${grouped(expected)} are there`);
  }
  if (bytes.length > expected) throw bad(`${bytes.length - expected} bytes too long`);
  const digest = sha256(bytes.subarray(0, -CHECKSUM));
  if (!digest.every((byte, k) => byte === bytes[expected - CHECKSUM + k])) {
    throw bad("damaged: its checksum is wrong");
  }
  const kind = /** @type {Kind} */ (String.fromCharCode(bytes[9]));
  if (bytes[8] < 1 || !(kind in KINDS)) {
    throw bad(`unknown version ${bytes[8]} or kind b'${kind}'`);
  }
  const body = unpackedBody(bytes.subarray(HEADER, -CHECKSUM), bad);
  if (kind !== wanted) throw bad(`${KINDS[kind]}; ${USES[kind]}`);
  return body;
}

/** @param {Uint8Array} packed @param {(reason: string) => EngineError} bad */
function unpackedBody(packed, bad) {
  let body;
  try {
    body = new Unpacker(packed).whole();
  } catch (reason) {
    if (typeof reason !== "string") throw reason;
    throw bad(`its body is not msgpack as knuthle writes it: ${reason}`);
  }
  if (!(body instanceof Map)) throw bad("its body is no map");
  return body;
}

// ---- The columns of a tree

/** @type {Record<number, typeof Uint8Array | typeof Uint16Array | typeof Uint32Array>} */
const WIDTHS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

/** @param {Iterable<number>} numbers */
function widthOf(numbers) {
  let largest = 0;
  for (const number of numbers) if (number > largest) largest = number;
  return largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4;
}

/**
 * A column for a file: a width, the least that its numbers need, and little-endian bytes.
 * @param {Uint32Array | Uint8Array} numbers
 * @returns {[number, Uint8Array]}
 */
export function packColumn(numbers) {
  const width = widthOf(numbers);
  return [width, new Uint8Array(new WIDTHS[width](numbers).buffer)];
}

/**
 * The numbers of a column of a file, which must be so many; `fail` refuses the file.
 * @param {Unpacked} packed @param {string} key @param {number} length @param {Fail} fail
 */
export function readColumn(packed, key, length, fail) {
  const [width, numbers, more] = Array.isArray(packed) ? packed : [];
  if (more !== undefined || typeof width !== "number" || !(width in WIDTHS) ||
    !(numbers instanceof Uint8Array) || numbers.length !== width * length) {
    return fail(`the column '${key}' does not hold ${length} numbers`);
  }
  const column = Uint32Array.from(new WIDTHS[width](/** @type {ArrayBuffer} */ (numbers.buffer)));
  if (width !== widthOf(column)) fail(`the column '${key}' is wider than its numbers need`);
  return column;
}

// ---- The lists of a proof

/** Numbers of seven bits a byte, the lowest bits first. */
export class Numbers {
  /** @param {Uint8Array} bytes @param {Fail} fail */
  constructor(bytes, fail) {
    this.bytes = bytes;
    this.fail = fail;
    this.at = 0;
  }

  /** @param {number} least @param {number} most */
  within(least, most) {
    let number = 0;
    for (let k = 0, byte = 128; byte >= 128; k += 1) {
      if (k === 10 || this.at === this.bytes.length) this.fail("a number of its claims or refutations has no end");
      byte = this.bytes[this.at++];
      number += (byte & 127) * 128 ** k;
    }
    if (number < least || number > most) this.fail(`its claims or refutations have ${number} for ${least} to ${most}`);
    return number;
  }

  /**
   * So many positions below a bound, written as differences; if their number is not known, it stands before them.
   * @param {number} below @param {number} [count]
   */
  set(below, count = this.within(0, below)) {
    let last = -1;
    return Int32Array.from({ length: count }, () => (last += this.within(1, below - 1 - last)));
  }

  end() {
    if (this.at < this.bytes.length) this.fail("something follows its claims or refutations");
  }
}
