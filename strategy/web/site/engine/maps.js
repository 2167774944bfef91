// Maps whose keys are known to be there, items put together by a key, positions, and lists of what waits.

/**
 * The value of a key that is there.
 * @template K @template V @param {ReadonlyMap<K, V>} map @param {K} key
 */
export function valueOf(map, key) {
  return /** @type {V} */ (map.get(key));
}

/**
 * The whole numbers from 0 on, so many.
 * @param {number} count
 */
export const upTo = (count) => Int32Array.from({ length: count }, (_, at) => at);

/**
 * Key → the items that have it, in their order.
 * @template T @param {Iterable<T>} items @param {(item: T) => number} keyOf
 */
export function groupsOf(items, keyOf) {
  /** @type {Map<number, T[]>} */
  const found = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = found.get(key);
    if (group === undefined) found.set(key, [item]);
    else group.push(item);
  }
  return found;
}

/**
 * What waits, the last first, until nothing does; more may be put there meanwhile.
 * @template T @param {T[]} waiting
 * @returns {Generator<T>}
 */
export function* lastFirst(waiting) {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) yield next;
}
