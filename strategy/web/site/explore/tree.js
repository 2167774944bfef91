// The strategy, unpacked from the page's own text: docs/explore.md describes it.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const data = JSON.parse(document.getElementById("strategy").textContent);
const about = data.about;
const length = data.length;
const nodes = data.nodes;
const isPegs = data.game.startsWith("mastermind");
const solved = isPegs ? length * (length + 1) : 3 ** length - 1;

/** The numbers of a column, each of `width` digits. */
function numbers([width, text]) {
  const value = new Uint8Array(128);
  for (let at = 0; at < DIGITS.length; at++) value[DIGITS.charCodeAt(at)] = at;
  const found = new Uint32Array(text.length / width);
  for (let at = 0; at < text.length; at++) {
    const place = Math.floor(at / width);
    found[place] = found[place] * 64 + value[text.charCodeAt(at)];
  }
  return found;
}

/** The words of all nodes in their order. */
function wordsOf(text) {
  const letters = Array.from(text);
  const found = new Array(nodes);
  for (let node = 0; node < nodes; node++) {
    found[node] = letters.slice(node * length, (node + 1) * length).join("");
  }
  return found;
}

/** The columns of the tree: nodes in preorder, node 0 before the first guess. */
const tree = (() => {
  const step = numbers(data.step);
  const hit = new Uint8Array(nodes);
  const depth = new Uint16Array(nodes);
  const parent = new Int32Array(nodes).fill(-1);
  const end = new Int32Array(nodes);
  const before = new Uint32Array(nodes + 1);
  const taken = new Float64Array(nodes + 1);
  const open = [];
  for (let node = 0; node < nodes; node++) {
    hit[node] = step[node] & 1;
    for (let up = step[node] >> 1; up > 0; up--) end[open.pop()] = node;
    if (open.length) parent[node] = open[open.length - 1];
    open.push(node);
    depth[node] = open.length;
    before[node + 1] = before[node] + hit[node];
    taken[node + 1] = taken[node] + hit[node] * depth[node];
  }
  for (const node of open) end[node] = nodes;
  const word = wordsOf(data.words);
  const score = numbers(data.score);
  return { word, score, hit, depth, parent, end, before, taken };
})();

const worst = about.histogram.length;

/** A text as words are spelled: composed, in small letters, one sigma. */
function plain(text) {
  const small = text.normalize("NFC").replaceAll("İ", "i").toLowerCase();
  return small.normalize("NFC").replaceAll("ς", "σ");
}

/** Whether some letter of the words has no capital of its own, such as ß or ı: then none is used. */
const isSmall = (() => {
  const letters = Array.from(new Set(data.words));
  return letters.some((letter) => plain(letter.toUpperCase()) !== letter);
})();

/** A word as titles have it. */
const capitals = (word) => (isPegs || isSmall ? word : word.toUpperCase());

/** Whether words are written from right to left. */
const isFromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(data.words);

/** The guess by which a share of all secrets is solved. */
function guessOf(share) {
  let sum = 0;
  return 1 + about.histogram.findIndex((count) => (sum += count) >= share * tree.before[nodes]);
}

/** How many secrets remain at a node. */
const sizeOf = (node) => tree.before[tree.end[node]] - tree.before[node];

/** How many guesses they take on average, those already made included. */
const meanOf = (node) => (tree.taken[tree.end[node]] - tree.taken[node]) / sizeOf(node);

/** The nodes after each reply to the guess of a node, by ascending score. */
function childrenOf(node) {
  const found = [];
  for (let below = node + 1; below < tree.end[node]; below = tree.end[below]) found.push(below);
  return found;
}

/** The node after one reply; -1 if no secret gives it. */
function childOf(node, score) {
  for (let below = node + 1; below < tree.end[node]; below = tree.end[below]) {
    if (tree.score[below] === score) return below;
  }
  return -1;
}

/** The node in whose row of the tree a secret stands, counted from the left. */
function nodeAt(unit, row) {
  let node = 0;
  while (tree.depth[node] < row) {
    const below = childrenOf(node).find((child) => tree.before[child] <= unit && unit < tree.before[tree.end[child]]);
    if (below === undefined) return -1;
    node = below;
  }
  return node;
}

/** The nodes from the first guess to this one. */
function wayTo(node) {
  const way = [];
  for (; node >= 0; node = tree.parent[node]) way.push(node);
  return way.reverse();
}

/** The nodes at which secrets are solved, in alphabetical order of the secrets. */
const byName = (() => {
  const found = [];
  for (let node = 0; node < nodes; node++) if (tree.hit[node]) found.push(node);
  return found.sort((a, b) => (tree.word[a] < tree.word[b] ? -1 : 1));
})();

/** The same for the secrets that remain at a node. */
const secretsAt = (node) => byName.filter((at) => node <= at && at < tree.end[node]);

/** How many of the secrets at a node are solved by the first, the second, … guess. */
function histogramAt(node) {
  const found = new Array(worst).fill(0);
  for (let at = node; at < tree.end[node]; at++) if (tree.hit[at]) found[tree.depth[at] - 1]++;
  return found;
}
