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
    const inside = byName.filter((node) => tree.word[node].includes(text) && !tree.word[node].startsWith(text));
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
