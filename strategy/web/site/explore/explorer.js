"use strict";
(() => {
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
  const small = text.normalize("NFC").replaceAll("\u0130", "i").toLowerCase();
  return small.normalize("NFC").replaceAll("\u03c2", "\u03c3");
}

/** Whether some letter of the words has no capital of its own, such as \u00df or \u0131: then none is used. */
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
    const below = childrenOf(node).find(
      (child) => tree.before[child] <= unit && unit < tree.before[tree.end[child]],
    );
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

/** How many of the secrets at a node are solved by the first, the second, \u2026 guess. */
function histogramAt(node) {
  const found = new Array(worst).fill(0);
  for (let at = node; at < tree.end[node]; at++) if (tree.hit[at]) found[tree.depth[at] - 1]++;
  return found;
}

// A state as text, in the address after the #: lares.bgbgb.nymph.bbbby

const SPELLINGS = ["bBxX0\u2b1b\u2b1c", "yYpP1\ud83d\udfe8\ud83d\udfe6", "gGoO2\ud83d\udfe9\ud83d\udfe7"].map((marks) => Array.from(marks));

/** A reply as people write it: bygbb, or black,white. */
function scoreText(score) {
  if (isPegs) return `${Math.floor(score / (length + 1))},${score % (length + 1)}`;
  return marksOf(score).map((mark) => "byg"[mark]).join("");
}

/** The reply tile by tile: 0 grey, 1 yellow, 2 green; of pegs 2 is black, 1 white, 0 none. */
function marksOf(score) {
  if (isPegs) {
    const black = Math.floor(score / (length + 1));
    const white = score % (length + 1);
    return Array.from({ length }, (_, at) => (at < black ? 2 : at < black + white ? 1 : 0));
  }
  return Array.from({ length }, (_, at) => Math.floor(score / 3 ** at) % 3);
}

/** The score that tiles or pegs stand for. */
function scoreOf(marks) {
  if (isPegs) {
    const count = (kind) => marks.filter((mark) => mark === kind).length;
    return count(2) * (length + 1) + count(1);
  }
  return marks.reduce((sum, mark, at) => sum + mark * 3 ** at, 0);
}

/** The score that a text stands for; null if it is none. */
function scoreFrom(text) {
  if (isPegs) {
    const pegs = /^(\d+),(\d+)$/.exec(text);
    return pegs && +pegs[1] + +pegs[2] <= length ? pegs[1] * (length + 1) + +pegs[2] : null;
  }
  const marks = Array.from(text, (sign) => SPELLINGS.findIndex((known) => known.includes(sign)));
  return marks.length === length && !marks.includes(-1) ? scoreOf(marks) : null;
}

/** The address of a state: a node, or the end of the game that its guess wins. */
function addressOf({ node, won }) {
  const parts = [];
  for (const at of wayTo(node)) {
    if (at > 0) parts.push(scoreText(tree.score[at]));
    if (at !== node || won) parts.push(tree.word[at]);
  }
  if (won) parts.push(scoreText(solved));
  const safe = (part) => encodeURIComponent(part).replaceAll(".", "%2E").replaceAll("%2C", ",");
  return "#" + parts.map(safe).join(".");
}

/** The state of an address as far as the strategy meets it, and what is wrong with the rest. */
function stateFrom(address) {
  const state = { node: 0, won: false, fault: "" };
  let parts;
  try {
    parts = address.replace(/^#/, "").split(".").map(decodeURIComponent);
  } catch {
    return { ...state, fault: "it is not a list of guesses and replies" };
  }
  if (parts.length === 1 && parts[0] === "") return state;
  for (let at = 0; at < parts.length && !state.fault; at += 2) {
    step(state, `step ${at / 2 + 1}: `, parts[at], parts[at + 1]);
  }
  return state;
}

/** Go on from a state by a word and its reply; without a reply the word must be the next guess. */
function step(state, number, word, reply) {
  const next = tree.word[state.node];
  if (state.won) state.fault = `${number}the game was already won`;
  else if (word !== next && plain(word) !== next) {
    state.fault = `${number}the strategy guesses \u201c${next}\u201d here, not \u201c${clipped(word)}\u201d`;
  }
  if (state.fault || reply === undefined) return;
  const score = scoreFrom(reply);
  const below = score === null ? -1 : childOf(state.node, score);
  if (score === solved && tree.hit[state.node]) state.won = true;
  else if (score === null) state.fault = `${number}\u201c${clipped(reply)}\u201d is not a reply`;
  else if (below < 0) state.fault = `${number}no possible answer gives \u201c${clipped(reply)}\u201d to \u201c${next}\u201d`;
  else state.node = below;
}

/** Somebody's text, not longer than a line. */
function clipped(text) {
  const letters = Array.from(text);
  return letters.length > 40 ? letters.slice(0, 40).join("") + "\u2026" : text;
}

// Elements. Whatever a file brings in becomes text here, never markup.

const place = (id) => document.getElementById(id);

/** An element with attributes and children; a child that is no element is its text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** Put these in place of all that an element holds. */
function fill(element, ...children) {
  element.replaceChildren(...children);
}

const figures = new Intl.NumberFormat("en");

/** A number as people read it: 2,315. */
const grouped = (number) => (number < 1000 ? String(number) : figures.format(number));

/** A number with its noun: 1 secret, 2,315 secrets. */
function counted(number, noun, plural = `${noun}s`) {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** A reply in words, for those who hear the page. */
function spoken(score) {
  if (score === solved) return "solved";
  const marks = marksOf(score);
  if (!isPegs) return marks.map((mark) => ["grey", "yellow", "green"][mark]).join(", ");
  const count = (kind) => marks.filter((mark) => mark === kind).length;
  return `${count(2)} black, ${count(1)} white`;
}

const MARK_NAMES = isPegs ? ["no peg", "a white peg", "a black peg"] : ["grey", "yellow", "green"];
const MARK_CLASSES = isPegs ? ["none", "white", "black"] : ["grey", "yellow", "green"];

/** Which of sixteen colours a sign of a code has. */
const colourOf = (sign) => (/^[0-9a-z]$/.test(sign) ? parseInt(sign, 36) % 16 : 0);

/** The tiles of a word: letters in the colours of a reply, or coloured pegs of a code. */
function tilesOf(word, score) {
  const marks = score === null ? null : marksOf(score);
  return Array.from(word, (letter, at) => {
    const kind = isPegs ? `peg colour-${colourOf(letter)}` : marks ? MARK_CLASSES[marks[at]] : "new";
    return make("span", { class: `tile ${kind}`, "aria-hidden": "true" }, letter);
  });
}

/** A small picture of a reply. */
function smallReply(score) {
  const marks = marksOf(score).map((mark) => make("i", { class: MARK_CLASSES[mark] }));
  return make("span", { class: isPegs ? "reply pegs" : "reply", "aria-hidden": "true" }, ...marks);
}

/** The guesses that have the first and the last shade: few secrets take fewer, or more. */
const FIRST = Math.max(guessOf(0.01) - 1, 1);
const LAST = Math.max(guessOf(0.99), FIRST + 1);
const LIGHT_SHADES = [[214, 232, 224], [93, 155, 176], [92, 46, 104]];
const DARK_SHADES = [[42, 66, 72], [74, 152, 172], [236, 190, 214]];
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark now, by choice or because everything is. */
function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : prefersDark.matches;
}

/** The colour of text. */
const inkNow = () => (isDark() ? "#e9e7e3" : "#1d2125");

/** The colour that stands for so many guesses, and the colour of text on it. */
function shadeOf(guesses) {
  const stops = isDark() ? DARK_SHADES : LIGHT_SHADES;
  const along = Math.min(Math.max((guesses - FIRST) / (LAST - FIRST), 0), 1) * (stops.length - 1);
  const first = Math.min(Math.floor(along), stops.length - 2);
  const mixed = stops[first].map((part, at) =>
    Math.round(part + (stops[first + 1][at] - part) * (along - first)),
  );
  const light = 0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2];
  return { fill: `rgb(${mixed.join(" ")})`, ink: light > 140 ? "#16181b" : "#ffffff" };
}

/** Say it to those who hear the page. */
function announce(text) {
  place("live").textContent = text;
}

// The game so far: a row of tiles for each guess, the last one waiting for its reply.

const board = (() => {
  let state;
  let marks;
  let buttons;
  let touched;
  const freeRows = Math.min(worst, 8);
  const [AHEAD, BEHIND] = isFromRight ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];

  function show(next) {
    state = next;
    marks = new Array(length).fill(0);
    buttons = [];
    touched = false;
    const way = wayTo(state.node);
    const rows = way.map((node, at) => row(node, way[at + 1]));
    while (rows.length < freeRows) rows.push(emptyRow());
    fill(place("board"), ...rows);
    titles(way.length);
    verdict();
  }

  function titles(number) {
    const word = tree.word[state.node];
    const title = place("game-title");
    if (state.won) fill(title, `Solved by guess ${number}`);
    else fill(title, `Guess ${number}: `, make("bdi", { class: "word" }, word));
    for (const [name, target] of [["back", backwards()], ["again", state.node || state.won || state.fault]]) {
      const link = place(name);
      link.classList.toggle("off", target === null || !target);
      if (target === null || !target) link.removeAttribute("href");
      else link.href = name === "again" ? "#" : addressOf(target);
    }
    place("play").hidden = state.won;
    place("game").classList.toggle("won", state.won);
  }

  /** The state before the last reply; null at the first guess. */
  function backwards() {
    if (state.won) return { node: state.node, won: false };
    return state.node ? { node: tree.parent[state.node], won: false } : null;
  }

  /** One guess with its reply: a link to where it was made, or the tiles that wait for theirs. */
  function row(node, next) {
    const word = tree.word[node];
    const score = next === undefined ? (state.won ? solved : null) : tree.score[next];
    if (score === null) return waiting(word, node);
    const label = `Guess ${tree.depth[node]}: ${word}, ${spoken(score)}. Back to it.`;
    const link = make(
      "a",
      { class: "row", href: addressOf({ node, won: false }), "aria-label": label },
      ...tilesOf(word, score),
    );
    if (isPegs) link.append(keyOf(marksOf(score).map(keyPeg)));
    return make("li", {}, link);
  }

  function waiting(word, node) {
    const label = `Guess ${tree.depth[node]}: ${word}. Its reply`;
    const group = make("div", { class: "row now", role: "group", "aria-label": label });
    buttons = Array.from(word, (letter, at) => {
      const button = make("button", { type: "button", tabindex: at ? -1 : 0 });
      button.addEventListener("click", () => mark(at, (marks[at] + 1) % 3));
      button.addEventListener("keydown", (event) => key(event, at));
      return button;
    });
    if (isPegs) group.append(...tilesOf(word, null), keyOf(buttons));
    else {
      buttons.forEach((button, at) => button.append(Array.from(word)[at]));
      group.append(...buttons);
    }
    buttons.forEach((_, at) => paint(at));
    return make("li", {}, group);
  }

  const keyOf = (pegs) => make("span", { class: "key" }, ...pegs);
  const keyPeg = (mark) => make("i", { class: MARK_CLASSES[mark], "aria-hidden": "true" });

  function emptyRow() {
    const tiles = Array.from({ length }, () =>
      make("span", { class: isPegs ? "tile peg empty" : "tile empty" }),
    );
    const key = isPegs ? [keyOf(new Array(length).fill(0).map(keyPeg))] : [];
    return make("li", { "aria-hidden": "true" }, make("span", { class: "row" }, ...tiles, ...key));
  }

  /** Show the colour of a tile, and say it. */
  function paint(at) {
    const letter = isPegs ? "" : `, letter ${Array.from(tree.word[state.node])[at]}`;
    buttons[at].className = `tile ${isPegs ? "hole " : ""}${MARK_CLASSES[marks[at]]}`;
    buttons[at].setAttribute(
      "aria-label",
      `${isPegs ? "Peg" : "Tile"} ${at + 1} of ${length}${letter}: ${MARK_NAMES[marks[at]]}`,
    );
  }

  function mark(at, kind) {
    marks[at] = kind;
    touched = true;
    paint(at);
    verdict();
    announce(`${MARK_NAMES[kind]}. ${place("verdict").textContent}`);
  }

  /** Where the reply leads: to a state, or to null if no secret gives it. */
  function target() {
    const score = scoreOf(marks);
    if (score === solved) return tree.hit[state.node] ? { node: state.node, won: true } : null;
    const below = childOf(state.node, score);
    return below < 0 ? null : { node: below, won: false };
  }

  function verdict() {
    const line = place("verdict");
    const play = place("play");
    if (state.won) {
      const word = make("bdi", { class: "word" }, tree.word[state.node]);
      fill(line, word, ` is the answer, found in ${counted(tree.depth[state.node], "guess", "guesses")}.`);
      return;
    }
    const next = target();
    play.setAttribute("aria-disabled", String(next === null));
    if (next === null) fill(line, touched ? "No possible answer gives these colours." : "Which colours did it get?");
    else if (next.won) fill(line, "It is the answer.");
    else {
      const size = sizeOf(next.node);
      const word = make("bdi", { class: "word" }, tree.word[next.node]);
      const fitting = size === 1 ? "1 possible answer" : `${grouped(size)} possible answers`;
      fill(line, `${fitting}; the next guess is `, word, ".");
    }
  }

  function play() {
    const next = state.won ? null : target();
    if (next !== null) go(next);
    else announce(place("verdict").textContent);
  }

  const LETTERS = isPegs
    ? { b: 2, 2: 2, w: 1, 1: 1, n: 0, 0: 0, ".": 0 }
    : { b: 0, x: 0, 0: 0, ".": 0, y: 1, 1: 1, g: 2, 2: 2 };

  function key(event, at) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const kind = LETTERS[event.key.toLowerCase()];
    if (kind !== undefined) {
      mark(at, kind);
      move(Math.min(at + 1, length - 1));
    } else if (event.key === AHEAD) move(Math.min(at + 1, length - 1));
    else if (event.key === BEHIND) move(Math.max(at - 1, 0));
    else if (event.key === "ArrowUp") mark(at, (marks[at] + 1) % 3);
    else if (event.key === "ArrowDown") mark(at, (marks[at] + 2) % 3);
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(length - 1);
    else if (event.key === "Enter") play();
    else if (event.key === "Backspace") {
      const before = backwards();
      if (before !== null) go(before);
    } else return;
    event.preventDefault();
  }

  /** One of the tiles can be tabbed to; the arrow keys reach the others. */
  function move(at) {
    buttons.forEach((button, other) => (button.tabIndex = other === at ? 0 : -1));
    buttons[at].focus();
  }

  /** Let the keyboard go on where the game does. */
  function focus() {
    (buttons[0] ?? place("game-title")).focus({ preventScroll: true });
    place("game-title").scrollIntoView({ block: "nearest" });
  }

  fill(
    place("how"),
    isPegs ? "Click the holes to set the pegs of the reply." : "Click the tiles to colour the reply.",
  );
  place("play").addEventListener("click", play);
  return { show, focus };
})();

// What lies beside the board: the replies as bars, the guesses they take, the secrets that remain.

const lists = (() => {
  const SHOWN = 240;
  let state;
  let chosen = 0;

  function show(next) {
    state = next;
    chosen = 0;
    buckets();
    again();
  }

  /** What depends on the choice of a bar, or on the colours. */
  function again() {
    histogram();
    secrets(SHOWN);
  }

  function buckets() {
    const word = make("bdi", { class: "word" }, tree.word[state.node]);
    const title = place("replies-title");
    if (state.won) {
      fill(title, "The game is over");
      fill(place("buckets"));
      return;
    }
    const found = childrenOf(state.node).map((node) => ({
      size: sizeOf(node),
      score: tree.score[node],
      target: { node, won: false },
    }));
    if (tree.hit[state.node]) {
      found.push({ size: 1, score: solved, target: { node: state.node, won: true } });
    }
    found.sort((a, b) => b.size - a.size || a.score - b.score);
    const largest = found[0].size;
    fill(title, counted(found.length, "reply", "replies"), " to ", word);
    fill(place("buckets"), ...found.map((bucket) => bar(bucket, largest)));
  }

  function bar({ size, score, target }, largest) {
    const next = target.won ? "solved" : tree.word[target.node];
    const label = `${spoken(score)}: ${counted(size, "answer")}, ${target.won ? "" : "then "}${next}`;
    const length_ = make("span", { class: "bar" });
    length_.style.setProperty("--part", size / largest);
    const link = make(
      "a",
      { href: addressOf(target), "aria-label": label },
      smallReply(score),
      make("span", { class: "track" }, length_, make("b", {}, grouped(size))),
      make("bdi", { class: target.won ? "then" : "then word" }, next),
    );
    return make("li", {}, link);
  }

  function histogram() {
    const counts = state.won
      ? Array.from({ length: worst }, (_, at) => Number(at + 1 === tree.depth[state.node]))
      : histogramAt(state.node);
    const most = Math.max(...counts);
    const rows = Array.from(counts, (count, at) => distribution(at + 1, count, most));
    fill(place("histogram"), ...rows);
  }

  /** A row of the chart; choosing it shows only the secrets that it counts. */
  function distribution(guesses, count, most) {
    const length_ = make("span", { class: "bar" });
    length_.style.setProperty("--part", most ? count / most : 0);
    length_.style.background = shadeOf(guesses).fill;
    const button = make(
      "button",
      { type: "button", "aria-pressed": String(chosen === guesses) },
      make("span", { class: "track" }, length_, make("b", {}, grouped(count))),
    );
    button.setAttribute("aria-label", `${counted(count, "answer")}: show only these`);
    button.disabled = count === 0;
    button.addEventListener("click", () => {
      chosen = chosen === guesses ? 0 : guesses;
      again();
      rewind();
      place("histogram").querySelectorAll("button")[guesses - 1].focus();
      announce(place("left-title").textContent);
    });
    const row = make("tr", {}, make("th", { scope: "row" }, guesses), make("td", {}, button));
    row.classList.toggle("none", count === 0);
    return row;
  }

  function secrets(most) {
    const title = place("left-title");
    let found = state.won ? [state.node] : secretsAt(state.node);
    if (chosen) found = found.filter((node) => tree.depth[node] === chosen);
    if (state.won) fill(title, "The answer");
    else if (chosen) fill(title, `${counted(found.length, "answer")} solved by guess ${chosen}`);
    else fill(title, counted(found.length, "possible answer"));
    const items = found.slice(0, most).map((node) => {
      const href = addressOf({ node, won: true });
      return make("li", {}, make("a", { href }, make("bdi", {}, tree.word[node])));
    });
    if (found.length > most) items.push(rest(found.length));
    fill(place("secrets"), ...items);
  }

  function rest(all) {
    const button = make("button", { type: "button" }, `Show all ${grouped(all)}`);
    button.addEventListener("click", () => {
      secrets(Infinity);
      place("secrets").children[SHOWN].querySelector("a").focus({ preventScroll: true });
    });
    return make("li", { class: "rest" }, button);
  }

  /** Show the beginnings; last of all, because it makes the browser lay out the page. */
  function rewind() {
    place("buckets").scrollTop = 0;
    place("secrets").scrollTop = 0;
  }

  return { show, again, rewind };
})();

// The whole tree as an icicle: a row for each guess, a block as wide as the secrets below it.

const icicle = (() => {
  const canvas = place("icicle");
  const tip = place("tip");
  const pen = canvas.getContext("2d");
  const ROW = Math.max(1, Math.min(30, Math.floor(420 / worst)));
  const height = ROW * worst;
  const THINNEST = 0.05;
  let width = 0;
  let state = null;
  let view = { from: 0, to: sizeOf(0) };
  let cursor = 0;
  let hovered = -1;
  let moving = 0;

  function show(next) {
    state = next;
    cursor = state.node;
    hovered = -1;
    const first = tree.before[state.node];
    glide({ from: first, to: state.won ? first + 1 : tree.before[tree.end[state.node]] });
  }

  /** Move to another part of the tree, at once for those who want nothing to move. */
  function glide(goal) {
    cancelAnimationFrame(moving);
    const start = { ...view };
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || width === 0;
    const began = performance.now();
    const frame = (now) => {
      const time = still ? 1 : Math.min(Math.max(now - began, 0) / 280, 1);
      const eased = 1 - (1 - time) ** 3;
      view = {
        from: start.from + (goal.from - start.from) * eased,
        to: start.to + (goal.to - start.to) * eased,
      };
      draw();
      if (time < 1) moving = requestAnimationFrame(frame);
    };
    if (still) frame(began);
    else moving = requestAnimationFrame(frame);
  }

  function resize() {
    const ratio = devicePixelRatio || 1;
    width = canvas.parentElement.clientWidth;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw();
  }

  /** Where a node's block is: its left end and its width. */
  function blockOf(node) {
    const scale = width / (view.to - view.from);
    const left = (tree.before[node] - view.from) * scale;
    const right = (tree.before[tree.end[node]] - view.from) * scale;
    const start = Math.max(left, 0);
    return { left: start, width: Math.min(right, width) - start, whole: right - left };
  }

  function draw() {
    if (!width || !state) return;
    pen.clearRect(0, 0, width, height);
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    const size = Math.min(13, ROW - 8);
    pen.font = `600 ${size}px system-ui, sans-serif`;
    const letters = size < 8 ? Infinity : size * 0.78 * length;
    const shades = new Map();
    for (let node = 0; node < nodes; ) {
      const block = blockOf(node);
      const seen = block.width > 0;
      if (seen) paint(node, block, shades, letters);
      node = seen && block.whole > THINNEST ? node + 1 : tree.end[node];
    }
    outline(state.node, 2);
    if (hovered >= 0) outline(hovered, 2);
    if (document.activeElement === canvas) outline(cursor, 3);
  }

  function paint(node, block, shades, letters) {
    const mean = Math.round(meanOf(node) * 16) / 16;
    if (!shades.has(mean)) shades.set(mean, shadeOf(mean));
    const shade = shades.get(mean);
    const top = (tree.depth[node] - 1) * ROW;
    const gap = block.width > 3 ? 1 : 0;
    pen.fillStyle = shade.fill;
    pen.fillRect(block.left, top, block.width - gap, ROW - (ROW > 4 ? 1 : 0));
    if (block.width < letters + 8) return;
    pen.fillStyle = shade.ink;
    const word = capitals(tree.word[node]);
    pen.fillText(word, block.left + block.width / 2, top + ROW / 2);
  }

  function outline(node, thick) {
    const block = blockOf(node);
    if (block.width <= 0) return;
    pen.strokeStyle = inkNow();
    pen.lineWidth = thick;
    const top = (tree.depth[node] - 1) * ROW;
    const inset = thick / 2;
    pen.strokeRect(
      block.left + inset,
      top + inset,
      Math.max(block.width - thick - 1, 1),
      Math.max(ROW - thick - 1, 1),
    );
  }

  /** The node under the pointer; -1 where the secrets of a block are solved already. */
  function under(event) {
    const box = canvas.getBoundingClientRect();
    const unit = view.from + ((event.clientX - box.left) / width) * (view.to - view.from);
    const row = Math.floor((event.clientY - box.top) / ROW) + 1;
    const inside = unit >= 0 && unit < sizeOf(0) && row >= 1 && row <= worst;
    return inside ? nodeAt(unit, row) : -1;
  }

  /** What a block is, in a line. */
  function described(node) {
    const came = node ? ` after ${scoreText(tree.score[node])}` : "";
    return `guess ${tree.depth[node]}${came}, ${counted(sizeOf(node), "answer")}`;
  }

  function point(event) {
    const node = under(event);
    if (node !== hovered) {
      hovered = node;
      draw();
    }
    canvas.style.cursor = node < 0 ? "default" : "pointer";
    tip.hidden = node < 0;
    if (node < 0) return;
    const mean = `${meanOf(node).toFixed(2)} guesses on average`;
    const came = node ? [smallReply(tree.score[node])] : [];
    const word = make("bdi", { class: "word" }, tree.word[node]);
    fill(tip, ...came, word, make("span", {}, `${counted(sizeOf(node), "answer")}, ${mean}`));
    const box = canvas.parentElement.getBoundingClientRect();
    const left = Math.min(Math.max(event.clientX - box.left - tip.offsetWidth / 2, 0), Math.max(width - tip.offsetWidth, 0));
    tip.style.left = `${left}px`;
    tip.style.top = `${(tree.depth[node] - 1) * ROW - tip.offsetHeight - 6}px`;
  }

  function leave() {
    hovered = -1;
    tip.hidden = true;
    draw();
  }

  /** The cursor of the keyboard: down to the largest block below, up, and to its neighbours. */
  function key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const above = tree.parent[cursor];
    const siblings = above < 0 ? [0] : childrenOf(above);
    const at = siblings.indexOf(cursor);
    const below = childrenOf(cursor);
    if (event.key === "ArrowLeft") cursor = siblings[Math.max(at - 1, 0)];
    else if (event.key === "ArrowRight") cursor = siblings[Math.min(at + 1, siblings.length - 1)];
    else if (event.key === "ArrowUp") cursor = Math.max(above, 0);
    else if (event.key === "ArrowDown") {
      if (below.length) cursor = below.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
    } else if (event.key === "Home") cursor = 0;
    else if (event.key === "Enter" || event.key === " ") choose(cursor);
    else return;
    event.preventDefault();
    reveal(cursor);
    announce(`${tree.word[cursor]}, ${described(cursor)}`);
  }

  /** Bring a node that lies outside into sight. */
  function reveal(node) {
    const first = tree.before[node];
    const last = tree.before[tree.end[node]];
    if (first >= view.from && last <= view.to && blockOf(node).width >= 3) draw();
    else {
      const around = Math.max(tree.parent[node], 0);
      glide({ from: tree.before[around], to: tree.before[tree.end[around]] });
    }
  }

  function choose(node) {
    if (node >= 0) go({ node, won: false }, true);
  }

  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("click", (event) => choose(under(event)));
  canvas.addEventListener("keydown", key);
  canvas.addEventListener("focus", draw);
  canvas.addEventListener("blur", draw);
  new ResizeObserver(resize).observe(canvas.parentElement);
  canvas.style.height = `${height}px`;
  return { show, draw };
})();

// Finding a secret: type its beginning, choose it, see its whole game.

const search = (() => {
  const MOST = 8;
  const input = place("search");
  const list = place("found");
  let found = [];
  let active = -1;

  /** Secrets that begin so, then those that have it somewhere. */
  function look(text) {
    const begin = byName.filter((node) => tree.word[node].startsWith(text)).slice(0, MOST);
    if (begin.length === MOST) return begin;
    const inside = byName.filter(
      (node) => tree.word[node].includes(text) && !tree.word[node].startsWith(text),
    );
    return [...begin, ...inside.slice(0, MOST - begin.length)];
  }

  function update() {
    const raw = input.value.trim();
    const lower = look(plain(raw));
    found = raw === "" ? [] : lower.length ? lower : look(raw);
    active = found.length ? 0 : -1;
    const items = found.map((node, at) => {
      const number = counted(tree.depth[node], "guess", "guesses");
      const word = make("bdi", { class: "word" }, tree.word[node]);
      const item = make("li", { id: `found-${at}`, role: "option" }, word, " ", make("span", {}, number));
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        choose(at);
      });
      return item;
    });
    if (raw !== "" && !found.length) {
      const none = make("li", { class: "none", role: "option", "aria-disabled": "true" });
      none.append("No such answer");
      items.push(none);
      announce("No such answer");
    }
    fill(list, ...items);
    open(items.length > 0);
    point();
  }

  function open(is) {
    list.hidden = !is;
    input.setAttribute("aria-expanded", String(is));
    if (!is) input.removeAttribute("aria-activedescendant");
  }

  function point() {
    found.forEach((_, at) => list.children[at].setAttribute("aria-selected", String(at === active)));
    if (active >= 0) input.setAttribute("aria-activedescendant", `found-${active}`);
    else input.removeAttribute("aria-activedescendant");
  }

  function choose(at) {
    const node = found[at];
    input.value = "";
    update();
    go({ node, won: true });
  }

  input.addEventListener("input", update);
  input.addEventListener("focus", update);
  input.addEventListener("blur", () => open(false));
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) {
      active = (active + step + found.length) % found.length;
      open(true);
      point();
    } else if (event.key === "Enter" && active >= 0) choose(active);
    else if (event.key === "Escape") {
      input.value = "";
      update();
    } else return;
    event.preventDefault();
  });
})();

// The address is the state; whatever changes it shows the page anew.

/** Who asked for the state that is about to be shown: nobody yet, the board, or another place. */
let askedBy = "beginning";
let shown = null;

/** Go to a state. The keyboard goes on at the board, unless it is to stay where it is. */
function go(state, stay = false) {
  askedBy = stay ? "elsewhere" : "board";
  location.hash = addressOf(state);
  arrive(); // the browser tells of the new address only later, and keys may come before
}

function arrive() {
  shown = location.hash;
  const state = stateFrom(location.hash);
  const fault = place("fault");
  fault.hidden = state.fault === "";
  fill(fault, state.fault && `This address is wrong: ${state.fault}. The page shows the last guess that fits.`);
  const focused = document.activeElement;
  board.show(state);
  lists.show(state);
  icicle.show(state);
  document.title = titleOf(state);
  lists.rewind();
  if (askedBy === "board" || !focused.isConnected) board.focus();
  if (askedBy !== "beginning") announce(said(state));
  askedBy = "history";
}

function titleOf({ node, won }) {
  const word = (at) => capitals(tree.word[at]);
  const way = wayTo(node).slice(1).map((at) => `${word(tree.parent[at])} ${scoreText(tree.score[at])}`);
  return [...way, won ? `${word(node)} solved` : word(node)].join(" \u00b7 ");
}

function said({ node, won }) {
  if (won) return `${tree.word[node]}: solved by guess ${tree.depth[node]}`;
  const size = sizeOf(node);
  return `Guess ${tree.depth[node]}: ${tree.word[node]}. ${counted(size, "possible answer")}.`;
}

/** The head of the page, and the text below it. */
function head() {
  fill(place("name"), tree.word[0]);
  fill(place("rule"), about.rule);
  fill(
    place("facts"),
    [
      counted(sizeOf(0), "secret"),
      `worst ${worst}${claimed("worst")}`,
      `mean ${about.mean.toFixed(4)}`,
      `total ${grouped(about.total)}${claimed("total")}`,
      ...losses(),
      counted(nodes, "state"),
    ].join(" \u00b7 "),
  );
  const claims = Object.entries(about.claim ?? {}).map(([name, value]) => `${name} ${claimText(value)}`);
  const rows = [
    ["Game", about.game],
    ["List", `${about.list}, ${counted(about.n_guesses, "guess", "guesses")}`],
    ["Answers", `${about.secrets_name}, ${grouped(about.n_secrets)}`],
    ["Rule", about.rule],
    ["Guesses from", about.guess_from + (about.hard ? ", hard mode" : "")],
    ["Claim", claims.join(", ").replaceAll("_", " ")],
    ["Digest", about.digest],
  ];
  for (const [name, value] of rows) {
    if (value) place("about").append(make("dt", {}, name), make("dd", {}, make("bdi", {}, value)));
  }
  fill(
    place("keys"),
    isPegs
      ? "On the pegs of a reply: b black, w white, n none, or the space bar for the next kind; "
      : "On the tiles of a reply: b grey, y yellow, g green, or the space bar for the next colour; ",
    "arrow keys move, Enter makes the next guess, Backspace goes back.",
  );
}

/** What a file claims, on one line; of weights and of a second objective each part by its name. */
function claimText(value) {
  if (value === null || typeof value !== "object") return String(value ?? "none");
  const parts = Object.entries(value).filter(([name]) => name !== "digest");
  return `(${parts.map(([name, part]) => `${name} ${part}`).join(", ")})`;
}

/** What the strategy's file says of a figure that a search has made as small as it could. */
function claimed(figure) {
  const claim = about.claim ?? {};
  if (claim.objective !== figure) return "";
  return claim.proved ? " (proved, according to its file)" : " (not proved)";
}

/** How many secrets take more guesses than a search was allowed, if it sought the fewest such. */
function losses() {
  const { objective, limit } = about.claim ?? {};
  if (objective !== "losses" || !limit) return [];
  const beyond = about.histogram.slice(limit).reduce((sum, count) => sum + count, 0);
  return [`${grouped(beyond)} beyond ${limit}${claimed("losses")}`];
}

const THEMES = { "": "System", light: "Light", dark: "Dark" };

/** What somebody chose before, where the browser keeps it. */
function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name) ?? "";
    localStorage.setItem(name, value);
  } catch {
    return "";
  }
  return value;
}

function theme(chosen) {
  const known = Object.hasOwn(THEMES, chosen) ? chosen : "";
  if (known) document.documentElement.dataset.theme = known;
  else delete document.documentElement.dataset.theme;
  fill(place("theme"), `Theme: ${THEMES[known]}`);
  return kept("knuthle-theme", known);
}

function contrast(is) {
  document.documentElement.classList.toggle("contrast", is);
  place("contrast").setAttribute("aria-pressed", String(is));
  kept("knuthle-contrast", is ? "yes" : "");
}

function recolour() {
  lists.again();
  icicle.draw();
}

document.documentElement.classList.toggle("codes", isPegs);
document.documentElement.classList.toggle("small", !isPegs && isSmall);
document.documentElement.classList.toggle("from-right", isFromRight);
document.documentElement.style.setProperty("--length", length);
document.documentElement.style.setProperty("--key", Math.ceil(length / 2));
theme(kept("knuthle-theme"));
contrast(kept("knuthle-contrast") === "yes");
place("theme").addEventListener("click", () => {
  const names = Object.keys(THEMES);
  const now = document.documentElement.dataset.theme ?? "";
  theme(names[(names.indexOf(now) + 1) % names.length]);
  recolour();
});
place("contrast").addEventListener("click", () => {
  contrast(!document.documentElement.classList.contains("contrast"));
});
prefersDark.addEventListener("change", recolour);
addEventListener("hashchange", () => {
  if (location.hash !== shown) arrive();
});
addEventListener("click", (event) => {
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
  const link = elsewhere ? null : event.target.closest?.("a[href^='#']");
  if (link) askedBy = "board";
  if (link && link.hash === location.hash) arrive();
});
head();
arrive();
})();
