// Whole strategies: built on the spot from a first word and a rule, checked, explored, downloaded. Proofs are checked too.

import { announce, button, counted, fill, grouped, labelled, make, wordLine, wordOf } from "./dom.js";
import { ask, askGame, sentenceOf } from "./asking.js";
import { handedOver, handOver } from "./explored.js";
import { OWN, notInList, wordsOf } from "./lists.js";
import { chosen, spec } from "./options.js";
import { needed, work } from "./work.js";
import { statementOf } from "./proofs.js";
import { bars } from "./statistics.js";
import { isOfKind } from "../engine/files.js";
import { plain } from "./clues.js";

/** @import { Answer, Tab } from "./types.js" */

const RULES = {
  optimal: "optimal: fewest guesses",
  minimax: "minimax: smallest largest group",
  entropy: "entropy: most information",
  "expected-size": "expected-size: fewest words left",
  parts: "parts: most groups",
  proportion: "proportion: largest share ruled out",
};

/** @type {{start: HTMLInputElement, rule: HTMLSelectElement, note: HTMLElement, result: HTMLElement}} */
let parts;
/** @type {string[]} */
let links = [];

/** The tab.
 *  @type {Tab} */
export const strategies = { id: "strategies", name: "Strategies", fields: ["hard"], build, open, drop, leave() {} };

/** @param {HTMLElement} element */
function build(element) {
  const start = wordLine("start", submit, { value: "crane", onfocus: () => start.select(), oninput: () => fill(parts.note) });
  const rule = make("select", { id: "rule" }, ...Object.entries(RULES).map(([value, text]) => make("option", { value }, text)));
  rule.value = "minimax"; // optimal takes half a minute, and minutes without a first word
  const file = make("input", { id: "strategy-file", type: "file", onchange: ({ target }) => target.files[0] && drop(target.files[0]) });
  parts = { start, rule, note: make("p", { class: "note", role: "alert" }), result: make("section", { class: "card advice", "aria-label": "Strategy" }) };
  fill(
    element,
    make(
      "section",
      { class: "card", "aria-label": "Build a strategy" },
      make("h2", {}, "Build a strategy"),
      labelled("start", "First word (several with commas; empty: the rule's own, which takes optimal some minutes)", start),
      labelled("rule", "Rule for the next guess", rule),
      make("div", { class: "field moves" }, button("Build", submit, { class: "primary" })),
      parts.note,
      make("h2", {}, "Check a strategy or a proof"),
      labelled("strategy-file", "A file that solve-all, optimal or optimal --proof has written; it can be dropped here too", file),
    ),
    parts.result,
  );
}

export async function open() {
  const found = await needed(() => wordsOf(spec({ used: "ignore" })));
  if (found === null) return;
  if (parts.result.childElementCount) return;
  const before = handedOver();
  if (before !== null) {
    parts.start.value = before.start;
    parts.rule.value = before.rule;
    await check(before.bytes, before.name, before.starts);
    return;
  }
  fill(
    parts.result,
    make("h2", {}, "What to guess after every reply"),
    make("p", {}, "A strategy says what to guess after every possible reply. It is built here in a moment, every answer is played through it, and it can be explored and kept as a file."),
  );
}

async function submit() {
  fill(parts.note);
  const words = await needed(() => wordsOf(spec({ used: "ignore" })));
  if (words === null) return;
  const starts = plain(parts.start.value).split(/[\s,]+/u).filter(Boolean);
  const odd = starts.find((word) => !words.has(word));
  if (odd !== undefined) {
    fill(parts.note, notInList(odd));
    return;
  }
  const rule = parts.rule.value;
  const options = { start: starts.length ? starts.join(",") : "auto", rule, hard: chosen.hard };
  try {
    const bytes = await work("Building the strategy", (how) => askGame(spec({ used: "ignore" }), "solve", [options], how));
    if (bytes === null) return;
    const list = chosen.list === OWN ? `${spec().name}-allowed` : `${chosen.list}-${chosen.secrets}`;
    const name = `${starts.join("-") || "auto"}-${list}-${rule}${chosen.hard ? "-hard" : ""}.strategy`;
    await check(bytes, name, starts.length ? starts : null);
  } catch (error) {
    refuse(error);
  }
}

/** A file that was dropped or chosen: a strategy, or a proof.
 *  @param {File} file */
async function drop(file) {
  fill(parts.note);
  let bytes = new Uint8Array();
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
    await check(bytes, file.name);
  } catch (error) {
    refuse(error, isOfKind(bytes, "R") ? "proof" : "strategy");
  }
  return true;
}

/** @param {unknown} error @param {string} [what] */
function refuse(error, what = "strategy") {
  fill(parts.note, sentenceOf(error));
  fill(parts.result, make("h2", {}, `No ${what}`));
}

/** Play every secret through a strategy, or derive every step of a proof again, and show what it does or states.
 *  @param {Uint8Array<ArrayBuffer>} bytes @param {string} name @param {string[] | null} [starts] */
async function check(bytes, name, starts = null) {
  const isProof = isOfKind(bytes, "R");
  const verdict = await work(isProof ? "Checking the proof" : "Playing every answer", (how) => ask("check", { args: [bytes] }, how));
  if (verdict === null) return;
  if (isProof) showProof(bytes, name, verdict);
  else show(bytes, name, starts, verdict);
}

// ---- What is seen

/** @param {Uint8Array} bytes @param {string} name @param {Answer} verdict */
function showProof(bytes, name, verdict) {
  const title = verdict.ok ? "PROVED" : "NOT PROVED";
  const steps = counted(verdict.n_claims + verdict.n_refutations, "claim or refutation", "claims and refutations");
  fill(
    parts.result,
    make("h2", { tabindex: "-1" }, title),
    make("p", {}, verdict.ok ? statementOf(verdict) : `This file states: ${statementOf(verdict)}`),
    verdict.ok ? null : make("p", {}, `What is wrong: ${verdict.reason}.`),
    make("p", {}, `${verdict.ok ? `${steps} derived again` : `It lists ${steps}`}. Guesses ${digest(verdict.guesses_digest)}, secrets ${digest(verdict.secrets_digest)} by SHA-256.`),
    make("p", { class: "hint" }, `${name}, ${counted(bytes.length, "byte")}. The command “knuthle check-proof ${name}” checks it again, by another program.`),
  );
  parts.result.scrollIntoView({ block: "nearest" });
  announce(verdict.ok ? `PROVED. ${statementOf(verdict)}` : "NOT PROVED.");
}

/** @param {string} text */
const digest = (text) => `${text.slice(0, 16)}…`;

/** @param {Uint8Array<ArrayBuffer>} bytes @param {string} name @param {string[] | null} starts @param {Answer} verdict */
function show(bytes, name, starts, verdict) {
  links.forEach((link) => URL.revokeObjectURL(link));
  const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  links = [address];
  const title = verdict.ok ? (starts ? ["Strategy of ", wordOf(starts.join(", "))] : ["Strategy ", make("bdi", {}, name)]) : ["This strategy is wrong"];
  const note = make("p", { role: "status" });
  fill(
    parts.result,
    make("h2", { tabindex: "-1" }, ...title),
    verdict.ok ? make("p", {}, sentence(verdict)) : make("p", {}, `${counted(verdict.n_faults, "fault")}: ${faults(verdict)}`),
    verdict.histogram?.length ? bars(verdict.histogram, "Answers by the number of guesses") : null,
    make(
      "p",
      { class: "moves" },
      verdict.ok ? button("Explore", () => explore(bytes, name, starts, note), { class: "primary" }) : null,
      make("a", { class: "button", href: address, download: name }, "Download"),
    ),
    note,
    make("p", { class: "hint" }, `${name}, ${counted(bytes.length, "byte")}. The command “knuthle verify ${name}” checks it again.`),
  );
  parts.result.scrollIntoView({ block: "nearest" });
  announce(verdict.ok ? sentence(verdict) : "This strategy is wrong.");
}

/** @param {Answer} verdict */
const sentence = ({ n_secrets, worst, mean, total }) =>
  `All ${counted(n_secrets, "answer")} are found, in ${mean.toFixed(4)} guesses on average and ${counted(worst, "guess", "guesses")} at most; ${grouped(total)} in all.`;

/** @param {Answer} verdict @returns {string} */
const faults = ({ reason, faults: found }) => reason || (found ?? []).slice(0, 3).map((/** @type {unknown} */ fault) => (typeof fault === "string" ? fault : JSON.stringify(fault))).join("; ");

/** @param {Uint8Array} bytes @param {string} name @param {string[] | null} starts @param {HTMLElement} note */
function explore(bytes, name, starts, note) {
  if (handOver(bytes, { name, starts, start: parts.start.value, rule: parts.rule.value })) location.assign("explore.html");
  else fill(note, "The browser has no room for this strategy; download it and use the command knuthle explore.");
}
