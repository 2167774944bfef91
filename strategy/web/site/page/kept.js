// What somebody chose before, where the browser keeps it; without such a place, until the page is left.

const memory = new Map();

/** The value that is kept under a name, or this one. */
export function kept(name, otherwise = null) {
  try {
    const text = localStorage.getItem(`knuthle-${name}`);
    if (text !== null) return JSON.parse(text);
  } catch {
    // no storage, or something else lies there
  }
  return memory.get(name) ?? otherwise;
}

/** Keep a value under a name; whether the browser keeps it for the next visit. */
export function keep(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(`knuthle-${name}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
