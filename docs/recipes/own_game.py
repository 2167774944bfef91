"""A game of your own: only greens count, and only their number is shown.

A game is a list of guesses, a list of secrets and a rule of grading. The rule says what score a
guess gets; scores are small integers from zero. All searches take it from there, one guess after
the other by ``grade``: for lists of thousands of words write a faster ``score_rows``.
"""

from dataclasses import dataclass

from solver.game.game import Game
from strategy import Settings, load_game, openers, solve, suggest


@dataclass(frozen=True, eq=False)
class Greens(Game):
    """The score is the number of letters that stand in the right place."""

    @property
    def spec(self) -> str:
        """The name of the rule: any that no shipped game has."""
        return "greens"

    @property
    def n_scores(self) -> int:
        """From none to all of the letters."""
        return self.length + 1

    @property
    def solved(self) -> int:
        """All of them."""
        return self.length

    def grade(self, guess: str, secret: str) -> int:
        """Count the places at which both have the same letter."""
        return sum(g == s for g, s in zip(guess, secret, strict=True))

    def parse_score(self, text: str) -> int:
        """Read a score; a ValueError says that it is none."""
        score = int(text)
        if not 0 <= score <= self.length:
            raise ValueError(f"{score} letters of {self.length} cannot be right")
        return score

    def format_score(self, score: int) -> str:
        """Write it the same way."""
        return str(score)


def main() -> None:
    """Play it with every tenth answer of Wordle."""
    words = load_game("original").secrets[::10]
    game = Greens("every tenth answer", "all of them", guesses=words, secrets=words)

    for row in openers(game, top=3):
        print(f"{row.word}: {row.entropy:.3f} bits, {row.parts} different scores")

    solved = solve(game, Settings(rule="entropy"))
    strategy = solved.strategy
    print(f"{len(words)} words, worst {strategy.worst}, mean {strategy.mean:.3f}")
    print(f"played by {solved.verdict.graded_by}")

    opener = strategy.next_guess()
    print(f"{opener} 2, then {strategy.next_guess([(opener, 2)])}")
    print(f"{opener} 2 leaves {', '.join(suggest(game, f'{opener} 2').secrets)}")


if __name__ == "__main__":
    main()
