// A state as text, in the address after the #: lares.bgbgb.nymph.bbbby

const SPELLINGS = ["bBxX0⬛⬜", "yYpP1🟨🟦", "gGoO2🟩🟧"].map((marks) => Array.from(marks));

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
    state.fault = `${number}the strategy guesses “${next}” here, not “${clipped(word)}”`;
  }
  if (state.fault || reply === undefined) return;
  const score = scoreFrom(reply);
  const below = score === null ? -1 : childOf(state.node, score);
  if (score === solved && tree.hit[state.node]) state.won = true;
  else if (score === null) state.fault = `${number}“${clipped(reply)}” is not a reply`;
  else if (below < 0) state.fault = `${number}no possible answer gives “${clipped(reply)}” to “${next}”`;
  else state.node = below;
}

/** Somebody's text, not longer than a line. */
function clipped(text) {
  const letters = Array.from(text);
  return letters.length > 40 ? letters.slice(0, 40).join("") + "…" : text;
}
