// Reads what `knuthle export salet.strategy --to json --out salet.json` has written.
//
//   node lookup.mjs salet.json [STATE]        node lookup.mjs salet.json salet.bbybb
//
// `tree` is { guess, then: { score: { guess, then … } } }; a score is written b, y, g from
// left to right ("1,2" in Mastermind). Where the guess was right there is nothing more.

/** The node that a strategy comes to, or null if it never meets this state. */
export function nodeOf(strategy, history) {
  let node = strategy.tree
  for (const [word, score] of history) {
    if (node.guess !== word.toLowerCase()) return null
    node = node.then?.[score]
    if (!node) return null
  }
  return node
}

/** What to guess next, or null. */
export function nextGuess(strategy, history = []) {
  return nodeOf(strategy, history)?.guess ?? null
}

/** The whole game of a secret, given how a guess is scored. */
export function play(strategy, secret, grade) {
  const history = []
  for (let guess; (guess = nextGuess(strategy, history)) !== null; ) {
    history.push([guess, grade(guess, secret)])
  }
  return history
}

/** Wordle's rule: greens first, then yellows from the left, each letter of the secret once. */
export function grade(guess, secret) {
  const left = [...secret].filter((letter, at) => letter !== guess[at])
  const isLeft = letter => left.includes(letter) && left.splice(left.indexOf(letter), 1)
  const colour = (letter, at) => letter === secret[at] ? 'g' : isLeft(letter) ? 'y' : 'b'
  return [...guess].map(colour).join('')
}

if (typeof process !== 'undefined' && decodeURIComponent(new URL(import.meta.url).pathname) === process.argv[1]) {
  const { readFileSync } = await import('node:fs')
  const strategy = JSON.parse(readFileSync(process.argv[2], 'utf8'))
  const words = (process.argv[3] ?? '').split('.').filter(Boolean)
  const history = []
  for (let at = 0; at + 1 < words.length; at += 2) history.push([words[at], words[at + 1]])
  console.log(nextGuess(strategy, history) ?? 'this strategy never meets that state')
}
