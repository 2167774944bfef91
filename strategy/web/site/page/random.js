// The same lots as Python draws (MT19937, `random.Random(seed).sample`): so the word of a day is the
// word of `knuthle game --seed YYYYMMDD`.

const SIZE = 624;
const SHIFT = 397;

class Twister {
  /** @param {number} seed */
  constructor(seed) {
    this.state = new Uint32Array(SIZE);
    this.at = SIZE;
    this.begin(19650218);
    this.mix(seed);
  }

  /** @param {number} seed */
  begin(seed) {
    this.state[0] = seed;
    for (let at = 1; at < SIZE; at++) {
      const before = this.state[at - 1] ^ (this.state[at - 1] >>> 30);
      this.state[at] = Math.imul(1812433253, before) + at;
    }
  }

  /** Mix a whole number below 2 to the 53 in, 32 bits at a time.
   *  @param {number} seed */
  mix(seed) {
    const key = seed < 2 ** 32 ? [seed] : [seed % 2 ** 32, Math.floor(seed / 2 ** 32)];
    const state = this.state;
    let at = 1;
    let of = 0;
    /** @param {number} factor @param {number} more */
    const next = (factor, more) => {
      const before = state[at - 1] ^ (state[at - 1] >>> 30);
      state[at] = (state[at] ^ Math.imul(before, factor)) + more;
      if (++at < SIZE) return;
      state[0] = state[SIZE - 1];
      at = 1;
    };
    for (let step = SIZE; step > 0; step--) {
      next(1664525, key[of] + of);
      of = (of + 1) % key.length;
    }
    for (let step = SIZE - 1; step > 0; step--) next(1566083941, -at);
    state[0] = 0x80000000;
  }

  refill() {
    const state = this.state;
    for (let at = 0; at < SIZE; at++) {
      const joined = (state[at] & 0x80000000) | (state[(at + 1) % SIZE] & 0x7fffffff);
      state[at] = state[(at + SHIFT) % SIZE] ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
    }
    this.at = 0;
  }

  /** So many random bits, at most 32.
   *  @param {number} count */
  bits(count) {
    if (this.at >= SIZE) this.refill();
    let value = this.state[this.at++];
    value ^= value >>> 11;
    value ^= (value << 7) & 0x9d2c5680;
    value ^= (value << 15) & 0xefc60000;
    value ^= value >>> 18;
    return count === 0 ? 0 : value >>> (32 - count);
  }

  /** @param {number} limit */
  below(limit) {
    const width = 32 - Math.clz32(limit);
    let value = this.bits(width);
    while (value >= limit) value = this.bits(width);
    return value;
  }
}

/** So many different numbers below a limit, as Python's `random.Random(seed).sample(range(limit), count)`.
 *  @param {number} seed @param {number} limit @param {number} count */
export function sample(seed, limit, count) {
  const twister = new Twister(seed);
  let largest = 21;
  if (count > 5) largest += 4 ** Math.ceil(Math.log(count * 3) / Math.log(4));
  if (limit <= largest) {
    const pool = Array.from({ length: limit }, (_, at) => at);
    return Array.from({ length: count }, (_, done) => {
      const at = twister.below(limit - done);
      const drawn = pool[at];
      pool[at] = pool[limit - done - 1];
      return drawn;
    });
  }
  const drawn = new Set();
  while (drawn.size < count) drawn.add(twister.below(limit));
  return [...drawn];
}
