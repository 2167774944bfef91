// The adversary of Wordle, an opponent without a fixed secret: each reply leaves the most secrets. Which
// of equally good replies it gives, kernels decide, as in solver/game/adversary.py.

import { EngineError } from "./memory.js";
import { isOfCodes } from "./codes.js";
import { coloursOf } from "./words.js";

/** @import { Engine, Rules } from "./types.js" */

/**
 * What the adversary replies to guesses, one after the other, and the secrets that it leaves in the end.
 * @param {Engine} engine @param {Rules} rules @param {unknown} words
 */
export function adversary(engine, rules, words) {
  if (isOfCodes(rules)) throw new EngineError(`the adversary of a page plays Wordle, not ${rules.spec}`);
  if (!Array.isArray(words)) throw new EngineError("the guesses against an adversary are a list of words");
  const guesses = words.map((word) => rules.guessId(word));
  const { memory, kernels } = engine;
  return memory.scratch(() => {
    const replies = Array.from({ length: rules.nScores }, (_, score) => coloursOf(score, rules.length));
    const [yellows, greens] = [1, 2].map((colour) => (
      memory.of("int32", replies.map((reply) => reply.filter((other) => other === colour).length))
    ));
    const numbers = memory.array("int32", rules.nScores);
    kernels.call("number_replies", greens, yellows, rules.solved, numbers);
    let left = [...rules.secretIds.keys()];
    const state = [];
    for (const guess of guesses) {
      if (state.at(-1)?.[1] === rules.formatScore(rules.solved)) break;
      const scores = Int32Array.from(left, (at) => rules.grade(guess, rules.secretIds[at]));
      const score = memory.scratch(() => kernels.call("best_reply", memory.of("int32", scores), numbers));
      left = left.filter((_, k) => scores[k] === score);
      state.push([rules.guesses[guess], rules.formatScore(score)]);
    }
    return { state, remaining: left.length, secrets: left.map((at) => rules.secrets[at]) };
  });
}
