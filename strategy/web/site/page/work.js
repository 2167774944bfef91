// Long work: after a moment a bar is there, and a button that cancels.

import { fill, place } from "./dom.js";
import { Cancelled, NoEngine } from "./asking.js";

/** @import { How } from "./types.js" */

const MOMENT = 350;
const STOP = "stop";
/** @type {AbortController | null} */
let current = null;
let visit = 0;

/** Do something that takes time. `task` gets {signal, onProgress}. What was at work before is
 *  cancelled. The result is null if this is cancelled; if somebody wants it so, `stopped` is called.
 *  @template T @param {string} text @param {(how: Required<How>) => Promise<T>} task @param {() => void} [stopped] */
export async function work(text, task, stopped = () => {}) {
  current?.abort();
  const control = new AbortController();
  current = control;
  const bar = /** @type {HTMLProgressElement} */ (place("work-bar"));
  bar.removeAttribute("value");
  const timer = setTimeout(() => {
    fill(place("work-text"), text);
    place("work").hidden = false;
  }, MOMENT);
  /** @type {Required<How>["onProgress"]} */
  const onProgress = ({ done, total }) => {
    if (current === control && total > 0) bar.value = done / total;
  };
  try {
    return await task({ signal: control.signal, onProgress });
  } catch (error) {
    if (error instanceof Cancelled) {
      if (control.signal.reason === STOP) stopped();
      return null;
    }
    return noEngine(error);
  } finally {
    clearTimeout(timer);
    if (current === control) {
      place("work").hidden = true;
      current = null;
    }
  }
}

/** What a tab needs before it shows anything; null if another one is shown meanwhile.
 *  @template T @param {() => Promise<T>} task */
export async function needed(task) {
  const mine = visit;
  try {
    const found = await task();
    return mine === visit ? found : null;
  } catch (error) {
    return noEngine(error);
  }
}

/** Say that the engine cannot work; any other error goes on.
 *  @param {unknown} error */
export function noEngine(error) {
  if (!(error instanceof NoEngine)) throw error;
  trouble(error.message);
  return null;
}

/** What is at work is not wanted any more. */
export const dropWork = () => current?.abort();

/** Another tab is shown: what the last one has begun is not gone on with. */
export function beginVisit() {
  visit++;
  dropWork();
}

/** Somebody presses Cancel. */
export const stopWork = () => current?.abort(STOP);

/** Say that something is wrong with the page itself; an empty text takes it away.
 *  @param {string} text */
export function trouble(text) {
  const line = place("trouble");
  line.hidden = text === "";
  fill(line, text);
}
