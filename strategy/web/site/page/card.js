// A game to show around, without a word of it: as a text, and as a picture of a review.

import { button, copied, make } from "./dom.js";

const [WIDTH, EDGE, LINE, TILE] = [640, 32, 60, 44];
const NAME = "knuthle-review.png";
const FONT = "system-ui, sans-serif";
/** Sharper than the screen needs, for those who look closer. */
const SCALE = 2;

/** A button that copies a text, and the text, which is marked where the browser does not copy; `say` gets what was done.
 *  @param {string} name @param {string} text @param {(sentence: string) => void} say */
export function textToShare(name, text, say) {
  const area = make("textarea", { class: "grid", rows: text.split("\n").length, readonly: true, "aria-label": name }, text);
  const copy = async () => {
    const isCopied = await copied(text);
    if (!isCopied) area.select();
    say(isCopied ? `The ${name} is copied.` : `The ${name} is marked; copy it from there.`);
  };
  return [button(`Copy the ${name}`, copy, { class: "primary" }), area];
}

/** The picture of a review: its title, and its rows as the page shows them, whose colours it takes.
 *  @param {string} title @param {HTMLElement[]} rows */
export function cardOf(title, rows) {
  const height = 2 * EDGE + LINE * (rows.length + 1);
  const canvas = make("canvas", { class: "share-card", width: WIDTH * SCALE, height: height * SCALE, role: "img", "aria-label": `Picture: ${title}` });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  /** @param {Element} element */
  const styleOf = (element) => getComputedStyle(element);
  /** @param {string} text @param {number} x @param {number} y @param {string} font @param {string} colour */
  const write = (text, x, y, font, colour) => Object.assign(pen, { font: `${font} ${FONT}`, fillStyle: colour }).fillText(text, x, y);
  const { backgroundColor, color } = styleOf(document.body);
  pen.scale(SCALE, SCALE);
  pen.textBaseline = "middle";
  pen.fillStyle = backgroundColor;
  pen.fillRect(0, 0, WIDTH, height);
  write(title, EDGE, EDGE + TILE / 2, "600 28px", color);
  rows.forEach((row, at) => {
    const top = EDGE + LINE * (at + 1);
    const tiles = [...row.querySelectorAll(".reply i")];
    const size = Math.min(TILE, (WIDTH / 2 - EDGE) / tiles.length);
    tiles.forEach((tile, k) => {
      pen.fillStyle = styleOf(tile).backgroundColor;
      pen.fillRect(EDGE + k * size, top, size - 4, TILE - 4);
    });
    const [verdict, remain] = [".verdict", ".remain"].map((name) => /** @type {HTMLElement} */ (row.querySelector(name)));
    const from = EDGE + tiles.length * size + 16;
    pen.fillStyle = styleOf(verdict).backgroundColor;
    pen.fillRect(from, top, 76, TILE - 4);
    write(verdict.textContent, from + 12, top + TILE / 2 - 2, "600 20px", styleOf(verdict).color);
    write(remain.textContent, from + 90, top + TILE / 2 - 2, "20px", color);
  });
  return canvas;
}

/** A button that saves the picture, and one that hands it on where a telephone can.
 *  @param {HTMLCanvasElement} canvas */
export function cardButtons(canvas) {
  /** @returns {Promise<File>} */
  const asFile = () => new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(new File(blob ? [blob] : [], NAME, { type: "image/png" })));
  });
  const save = async () => {
    const address = URL.createObjectURL(await asFile());
    make("a", { href: address, download: NAME }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const share = async () => navigator.share({ files: [await asFile()] }).catch(() => {}); // somebody changes their mind
  const canShare = navigator.canShare?.({ files: [new File([], NAME, { type: "image/png" })] });
  return [button("Save the picture", save), canShare ? button("Share the picture", share) : null];
}
