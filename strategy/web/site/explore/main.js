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
  return [...way, won ? `${word(node)} solved` : word(node)].join(" · ");
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
    ].join(" · "),
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
