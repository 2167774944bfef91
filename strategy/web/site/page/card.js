// A reviewed game as a picture to show around: the colours of its replies and what the guesses were worth, no word.

import { button, make } from "./dom.js";

const [WIDTH, EDGE, LINE, TILE] = [640, 32, 60, 44];
const NAME = "knuthle-review.png";
const FONT = "system-ui, sans-serif";
/** Sharper than the screen needs, for those who look closer. */
const SCALE = 2;

/** The picture of a review: its title, and its rows as the page shows them, whose colours it takes. */
export function cardOf(title, rows) {
  const height = 2 * EDGE + LINE * (rows.length + 1);
  const canvas = make("canvas", { class: "share-card", width: WIDTH * SCALE, height: height * SCALE, role: "img", "aria-label": `Picture: ${title}` });
  const pen = canvas.getContext("2d");
  const styleOf = (element) => getComputedStyle(element);
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
    const verdict = row.querySelector(".verdict");
    const from = EDGE + tiles.length * size + 16;
    pen.fillStyle = styleOf(verdict).backgroundColor;
    pen.fillRect(from, top, 76, TILE - 4);
    write(verdict.textContent, from + 12, top + TILE / 2 - 2, "600 20px", styleOf(verdict).color);
    write(row.querySelector(".remain").textContent, from + 90, top + TILE / 2 - 2, "20px", color);
  });
  return canvas;
}

/** A button that saves the picture, and one that hands it on where a telephone can. */
export function cardButtons(canvas) {
  const asFile = () => new Promise((resolve) => canvas.toBlob((blob) => resolve(new File([blob], NAME, { type: "image/png" }))));
  const save = async () => {
    const address = URL.createObjectURL(await asFile());
    make("a", { href: address, download: NAME }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const share = async () => navigator.share({ files: [await asFile()] }).catch(() => {}); // somebody changes their mind
  const canShare = navigator.canShare?.({ files: [new File([], NAME, { type: "image/png" })] });
  return [button("Save the picture", save), canShare ? button("Share the picture", share) : null];
}
