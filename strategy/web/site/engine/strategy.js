// A whole strategy: its columns as the file has them, its figures, its text form and its bytes.

import { hex, packColumn, seal, sha256 } from "./files.js";
import { valueOf } from "./maps.js";

/** @import { Columns, GrowingTree, Origin, Packed, Rules, Tree } from "./types.js" */

/** A finished strategy; `tree` has its states in preorder, guesses as numbers of the game. */
export class Strategy {
  /** @param {Rules} game @param {Origin} origin @param {Tree} tree */
  constructor(game, origin, tree) {
    this.origin = originOf(game, origin);
    this.game = game;
    this.length = game.length;
    this.hit = hits(game, tree);
    const wanted = Uint32Array.from(new Set([...tree.guess, ...game.secretIds])).sort();
    const place = new Map(Array.from(wanted, (guess, at) => [guess, at]));
    this.words = Array.from(wanted, (guess) => game.guesses[guess]);
    this.guess = Uint32Array.from(tree.guess, (guess) => valueOf(place, guess));
    this.parent = Uint32Array.from(tree.parent, (parent) => Math.max(parent, 0));
    this.score = Uint32Array.from(tree.score, (score) => Math.max(score, 0));
    this.histogram = histogramOf(depthsOf(this.parent), this.hit);
  }

  /** The most guesses that a secret takes. */
  get worst() {
    return this.histogram.length;
  }

  /** The bytes of the strategy file. */
  bytes() {
    return seal("S", new Map(Object.entries({
      origin: this.origin,
      length: this.length,
      words: this.words.join(""),
      guess: packColumn(this.guess),
      parent: packColumn(this.parent),
      score: packColumn(this.score),
      hit: packColumn(this.hit),
      nodes: this.guess.length,
      histogram: this.histogram,
      digest: digestOf(this, (score) => this.game.formatScore(score), this.game.solved),
    })));
  }
}

/**
 * Add a node to a tree; its place.
 * @param {GrowingTree} tree @param {number} guess @param {number} parent @param {number} score
 */
export function add(tree, guess, parent, score) {
  tree.guess.push(guess);
  tree.parent.push(parent);
  tree.score.push(score);
  return tree.guess.length - 1;
}

/** @param {Rules} game @param {Origin} origin */
function originOf(game, { rule, starts, guessFrom, hard, claim = {} }) {
  return new Map(Object.entries(/** @type {Record<string, Packed>} */ ({
    game: game.spec,
    list_name: game.listName,
    guesses: game.guesses.length,
    guesses_digest: game.digest("guesses"),
    secrets_name: game.secretsName,
    secrets: game.secrets.length,
    secrets_digest: game.digest("secrets"),
    rule,
    start: starts.map((guess) => game.guesses[guess]),
    guess_from: guessFrom,
    hard,
    claim: new Map(Object.entries(claim)),
  })));
}

/**
 * Mark the node where each of some secrets is guessed while it is still possible.
 * @param {Rules} game @param {Tree} tree @param {Iterable<number>} [secretIds]
 */
export function hits(game, tree, secretIds = game.secretIds) {
  const possible = new Uint8Array(game.guesses.length);
  for (const secret of secretIds) possible[secret] = 1;
  const times = new Uint32Array(game.guesses.length);
  for (const guess of tree.guess) times[guess] += 1;
  const found = new Uint8Array(tree.guess.length);
  for (let node = 0; node < found.length; node += 1) {
    const word = tree.guess[node];
    if (!possible[word]) continue;
    let below = node;
    if (times[word] > 1) {
      while (below > 0 && game.grade(tree.guess[tree.parent[below]], word) === tree.score[below]) {
        below = tree.parent[below];
      }
    }
    found[node] = Number(times[word] === 1 || below === 0);
  }
  return found;
}

/**
 * The number of the guess made at each node, the first being 1.
 * @param {ArrayLike<number>} parent
 */
export function depthsOf(parent) {
  const depth = new Uint32Array(parent.length).fill(1);
  for (let node = 1; node < parent.length; node += 1) depth[node] = depth[parent[node]] + 1;
  return depth;
}

/**
 * How many secrets take 1, 2, … guesses.
 * @param {Uint32Array} depth @param {Uint8Array | Uint32Array} hit
 */
export const histogramOf = (depth, hit) => countsOf(depth.filter((_, node) => hit[node] === 1));

/**
 * How many numbers are 1, 2, …
 * @param {Iterable<number>} numbers
 */
export function countsOf(numbers) {
  /** @type {number[]} */
  const counts = [];
  for (const number of numbers) {
    while (counts.length < number) counts.push(0);
    counts[number - 1] += 1;
  }
  return counts;
}

/**
 * What a strategy does as one number: the SHA-256 of its text form, a secret a line.
 * @param {Columns} strategy @param {(score: number) => string} textOf @param {number} solved
 */
export function digestOf(strategy, textOf, solved) {
  const { words, guess, parent, score, hit } = strategy;
  const texts = new Map();
  /** @param {number} number */
  const text = (number) => {
    if (!texts.has(number)) texts.set(number, textOf(number));
    return texts.get(number);
  };
  const heads = new Array(guess.length).fill("");
  const nodes = [];
  for (let node = 0; node < guess.length; node += 1) {
    if (node > 0) {
      const above = parent[node];
      heads[node] = `${heads[above]}${words[guess[above]]} ${text(score[node])} `;
    }
    if (hit[node] === 1) nodes.push(node);
  }
  nodes.sort((one, other) => guess[one] - guess[other]);
  const end = ` ${text(solved)}\n`;
  const lines = nodes.map((node) => heads[node] + words[guess[node]] + end);
  return hex(sha256(new TextEncoder().encode(lines.join(""))));
}
