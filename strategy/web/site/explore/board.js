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
    isPegs ? "Tap or click the holes to set the pegs of the reply." : "Tap or click the tiles to colour the reply.",
  );
  place("play").addEventListener("click", play);
  return { show, focus };
})();
