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
