"""Games that are clicked through on a page in a browser, each step compared with the look-up."""

from urllib.parse import quote

from strategy.files.text import score_text, solved_score
from strategy.tree import Strategy

from .browsers import Browser


def clicks_of(strategy: Strategy, score: int) -> list[int]:
    """How often each tile, or each hole, is clicked to show a reply."""
    length = len(strategy.words[0])
    if strategy.origin.game == "wordle":
        return [score // 3**place % 3 for place in range(length)]
    black, white = divmod(score, length + 1)
    return ([2] * black + [1] * white + [0] * length)[:length]


#: Plays a game by clicks: for every guess what each tile gets. What is seen before each click.
PLAY = """
const texts = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
const changed = (press) => new Promise((done) => {
  addEventListener("hashchange", done, {once: true});
  press.click();
});
return (async () => {
  const seen = [];
  for (const clicks of arguments[0]) {
    seen.push([...texts("#game-title bdi, #left-title"), texts("#secrets bdi"), location.hash]);
    const tiles = document.querySelectorAll("#board .now button");
    clicks.forEach((times, at) => { for (; times > 0; times--) tiles[at].click(); });
    await changed(document.querySelector("#play"));
  }
  seen.push([...texts("#game-title, #verdict"), texts("#board a.row"), location.hash]);
  await changed(document.querySelector("#again"));
  return seen;
})();
"""


def play(browser: Browser, strategy: Strategy, secret: str) -> None:
    """Click one game through, and compare each step with the look-up."""
    game = strategy.origin.game
    solved = solved_score(game, len(secret))
    steps = [*strategy.history_of(strategy.solved_at[secret]), (secret, solved)]
    *seen, end = browser.run(PLAY, [clicks_of(strategy, score) for _, score in steps])
    address: list[str] = []
    for number, (word, score) in enumerate(steps):
        left = strategy.remaining(steps[:number])
        remain = "1 possible answer" if len(left) == 1 else f"{len(left):,} possible answers"
        assert strategy.next_guess(steps[:number]) == word
        assert seen[number] == [word, remain, left[:240], "#" * bool(number) + ".".join(address)]
        address += [quote(word), score_text(game, len(secret), score)]
    title, verdict, rows, last = end
    assert title == f"Solved by guess {len(steps)}"
    assert verdict.startswith(f"{secret} is the answer")
    assert (rows, last) == ([word for word, _ in steps], "#" + ".".join(address))
