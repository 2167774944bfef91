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
