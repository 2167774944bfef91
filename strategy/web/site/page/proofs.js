// What a proof states, in a sentence.

import { NAMED_LISTS, grouped } from "../engine/words.js";

/** @import { Answer } from "./types.js" */

/** @type {Record<string, string>} */
const POOLS = { secrets: " that guesses secrets only", candidates: " that guesses candidates only" };

/** What a proof is about: names that mean nothing to the checker are in quotes.
 *  @param {Answer} found */
function aboutOf({ game, list, secrets_name: part, n_secrets: count, hard }) {
  if (game !== "wordle") return `${game}, ${grouped(count)} codes`;
  /** @param {string} text @param {boolean} known */
  const named = (text, known) => (known ? text : `“${text}”`);
  const isShipped = NAMED_LISTS.includes(list);
  const names = `${named(list, isShipped)} ${named(part, part === "allowed" || (isShipped && part === "answers"))}`;
  return `${names}, ${grouped(count)} secrets${hard ? " in hard mode" : ""}`;
}

/** What a proof states, of what engine.check says of it.
 *  @param {Answer} found */
export function statementOf(found) {
  const { start, guess_from: pool, objective, limit, n_beyond: losses, total } = found;
  const opener = start.length ? ` from ${start.join(", ")}` : "";
  const strategy = `no strategy${opener}${POOLS[pool] ?? ""}`;
  if (objective === "worst") return `${aboutOf(found)}: ${strategy} solves all within ${grouped(limit)} guesses.`;
  const within = limit === null ? "" : ` within ${grouped(limit)}`;
  const most = objective === "losses" ? `${grouped(losses)} losses and ${grouped(total)} guesses` : `${grouped(total)} guesses`;
  return `${aboutOf(found)}: ${strategy}${within} takes fewer than ${most}; the one in the file takes as many.`;
}
