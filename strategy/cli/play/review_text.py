"""Reviews of games as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...files.letters import capitals, plain
from ...files.notation import counted
from .. import render

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...play.review import GradedGuess, Review
    from ...play.review_of_games import Diary
    from ...play.share_grids import GridReview
    from ...play.weights import WeightedGame

_HEADER = (
    *("guess", "score", "before", "after", "expected", "best word", "its expected", "skill"),
    *("luck in bits", "in guesses"),
)
#: Columns that a narrow terminal does without, the first one first.
_SPARE = ("luck in bits", "in guesses", "before", "after")


def of_review(game: Game, found: Review, weighted: WeightedGame | None) -> str:
    """The review of a game as the command prints it: the table, better words, the sentence."""
    lines = _about(weighted)
    if found.widened:
        lines.append(
            render.prose(
                f"the words that are usually hidden do not fit: "
                f"all {len(game.guesses):,} allowed words are taken for secrets"
            )
        )
    rows = [_cells(game, guess) for guess in found.guesses]
    lines.append(render.table(_HEADER, rows, spare=_SPARE))
    if any(not guess.exact for guess in found.guesses):
        lines.append(render.prose("≤ by a strategy found quickly; --exact searches to the end"))
    lines += ["", *(_better(guess) for guess in found.guesses if guess.better)]
    if not found.solved:
        some = " ".join(found.secrets[:20]) + (" …" if len(found.secrets) > 20 else "")
        lines.append(render.prose(f"{counted(len(found.secrets), 'secret')} left: {some}"))
    lines.append(_totals(found))
    lines.append(render.prose(found.sentence))
    return "\n".join(lines)


def of_diary(game: Game, diary: Diary, weighted: WeightedGame | None) -> str:
    """The reviews of several games as the command prints them: a row a game, and the means."""
    header = ("game", "guesses", "skill", "luck in bits", "in guesses")
    rows = [
        (
            game.format_state(found.state),
            f"{len(found.guesses)}" if found.solved else f"{len(found.guesses)} unsolved",
            f"{found.skill:.1f}",
            f"{found.luck:+.2f}",
            f"{found.luck_guesses:+.2f}",
        )
        for found in diary.reviews
    ]
    table = render.table(header, rows, short={"game": 30}, spare=("luck in bits",))
    games = counted(len(rows), "game")
    return "\n".join([*_about(weighted), table, "", f"{games}, on average: {_totals(diary)}"])


def of_grid(game: Game, grid: GridReview, secret: str | None, weighted: WeightedGame | None) -> str:
    """The review of a share grid as the command prints it: how many words fit each row."""
    lines = _about(weighted)
    if secret is None:
        each = counted(grid.n_secrets, "secret")
        lines.append(render.prose(f"{each} of {grid.n_of:,} can have such a grid; words that fit:"))
        header: tuple[str, ...] = ("row", "for any of them", "for each, on average")
        rows = [[row.text, f"{row.n_words:,}", f"{row.mean:,.1f}"] for row in grid.rows]
    else:
        lines.append(f"Words that fit if {plain(secret)} is hidden:")
        header = ("row", "words")
        rows = [[row.text, f"{row.n_words:,}"] for row in grid.rows]
    return "\n".join([*lines, "", render.table(header, rows)])


def _about(weighted: WeightedGame | None) -> list[str]:
    return [render.prose(weighted.about()), ""] if weighted else []


def _cells(game: Game, guess: GradedGuess) -> list[str]:
    """A row as a person reads it."""
    bound = "" if guess.exact else "≤"
    return [
        guess.word,
        game.format_score(guess.score),
        f"{guess.before:,}",
        f"{guess.after:,}",
        f"{bound}{guess.expected:.3f}",
        guess.best,
        f"{bound}{guess.best_expected:.3f}",
        f"{guess.skill:.1f}",
        f"{guess.luck:+.2f}",
        f"{guess.luck_guesses:+.2f}",
    ]


def _better(guess: GradedGuess) -> str:
    """The words that were to be preferred."""
    bound = "" if guess.exact else "≤"
    some = ", ".join(f"{capitals(word)} {bound}{value:.3f}" for word, value in guess.better)
    return render.prose(f"better than {capitals(guess.word)} {bound}{guess.expected:.3f}: {some}")


def _totals(found: Review | Diary) -> str:
    """Skill and luck in a line."""
    bits, guesses = f"{found.luck:+.2f} bits", f"{found.luck_guesses:+.2f} guesses"
    return f"skill {found.skill:.1f}, luck {bits}, {guesses}"
