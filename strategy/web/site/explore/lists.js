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
