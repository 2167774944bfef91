"""The pictures of the pages that say how it works, drawn from what the program itself finds."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import colours_of, grade
from solver.shown import bars_svg
from solver.words.lists import named_list
from strategy import Settings, buckets, solve
from strategy.pictures.cards import splits_as_svg
from strategy.pictures.plot import Named, distributions, icicle

from .drawing import COLOURS, Drawing, figure
from .sources import write_if_changed

_OPENER = "lares"
#: Eight rhymes that every guess takes one or two at a time.
RHYMES = ("bound", "found", "hound", "mound", "pound", "round", "sound", "wound")


def write_pictures(folder: Path) -> None:
    """All of them, each a piece of markup that a page takes in."""
    for name, draw in PICTURES.items():
        write_if_changed(folder / f"{name}.html", draw().encode())
    for name, picture in _by_commands().items():
        write_if_changed(folder / name, picture)


def _by_commands() -> dict[str, bytes]:
    """What ``knuthle buckets --plot`` and ``knuthle export`` draw."""
    built = [
        Named(word, solve(_game(), Settings(start=(word,), rule="entropy")).strategy)
        for word in ("salet", "adieu")
    ]
    return {
        "buckets.svg": splits_as_svg(_game(), [buckets(_game(), "raise").split]).encode(),
        "guesses.svg": distributions(built, "svg"),
        "tree.svg": icicle(built[0], "svg"),
    }


@cache
def _game() -> Game:
    return load_game("original")


@cache
def _rhymes() -> Game:
    return load_game("original", secrets=RHYMES)


def _parts_of_all(scores: NDArray[Any]) -> NDArray[np.int64]:
    """Into how many parts each row of scores falls."""
    seen = np.zeros((len(scores), 243), dtype=bool)
    seen[np.arange(len(scores))[:, None], scores] = True
    parts: NDArray[np.int64] = seen.sum(axis=1)
    return parts


def parts_of_rhymes() -> dict[int, int]:
    """Into how many parts the guesses split the rhymes: parts → how many guesses."""
    parts = _parts_of_all(_rhymes().score_rows())
    return {int(n): int((parts == n).sum()) for n in np.unique(parts)}


def majority_classes() -> tuple[list[int], int, int]:
    """Of LARES over the answers: the largest class of each letter, what is in all, the truth."""
    secrets = _game().secrets
    colours = np.array([colours_of(grade(_OPENER, secret), 5) for secret in secrets])
    largest = [np.bincount(column).argmax() for column in colours.T]
    inside = colours == largest
    rows = np.array([grade(_OPENER, secret) for secret in secrets])
    return (
        [int(n) for n in inside.sum(axis=0)],
        int(inside.all(axis=1).sum()),
        int(np.bincount(rows).max()),
    )


def ceiling_sizes() -> list[tuple[str, int, int]]:
    """What a bucket of SALET lies in: a name, how many words, the most parts of any guess."""
    game, bucket_of = _game(), "salet"
    colours = np.array([colours_of(grade(bucket_of, word), 5) for word in game.secrets])
    wanted = np.array(colours_of(grade(bucket_of, "crony"), 5))
    same = colours == wanted
    sets = [
        ("all answers", np.ones(len(game.secrets), dtype=bool)),
        ("no E", same[:, 3]),
        ("no E, no A", same[:, 3] & same[:, 1]),
        ("the bucket", same.all(axis=1)),
    ]
    scores = game.score_rows()
    return [
        (name, int(chosen.sum()), int(_parts_of_all(scores[:, chosen]).max()))
        for name, chosen in sets
    ]


def _column_sums() -> str:
    secrets = ("slate", "raise", "lunar", "crane")
    picture = Drawing(560, 60 + 44 * len(secrets), "LARES against four words, letter by letter")
    for place, letter in enumerate(_OPENER):
        picture.text(152 + 62 * place, 22, f"{letter.upper()} is worth", anchor="middle")
        picture.text(152 + 62 * place, 40, f"{3**place} a step", anchor="middle")
    picture.text(500, 40, "score", anchor="middle")
    for row, secret in enumerate(secrets):
        top = 56 + 44 * row
        score = grade(_OPENER, secret)
        picture.text(10, top + 21, secret)
        for place, colour in enumerate(colours_of(score, 5)):
            left = 126 + 62 * place
            picture.box(left, top, 52, 32, COLOURS[colour])
            style = "fill:#fff;font-weight:bold"
            says = f"{colour} × {3**place}"
            picture.text(left + 26, top + 21, says, anchor="middle", style=style)
        picture.text(500, top + 21, f"= {score}", anchor="middle", style="font-weight:bold")
    caption = (
        "A colour is a digit (grey 0, yellow 1, green 2), a score a number with five such digits. "
        "Each box depends on one letter alone."
    )
    return figure(picture.svg(), caption)


def _majority() -> str:
    classes, bound, truth = majority_classes()
    bars = [
        (f"no {letter.upper()}", n, f"{n:,}") for letter, n in zip(_OPENER, classes, strict=True)
    ]
    bars += [("none of the five", bound, f"{bound:,}: the bound")]
    bars += [("largest bucket", truth, f"{truth:,}: the truth")]
    return figure(bars_svg(bars, "Classes of LARES"), "LARES over the 2,315 answers.")


def _bars(rows: Sequence[tuple[str, int, str]], says: str, caption: str) -> str:
    return figure(bars_svg(rows, says), caption)


def _parts() -> str:
    rows = [
        (f"{parts} parts", count, f"{count:,} guesses: {3 * len(RHYMES) - parts} at least")
        for parts, count in sorted(parts_of_rhymes().items())
    ]
    words = " ".join(RHYMES)
    return _bars(rows, "Guesses by their parts", f"All 12,972 guesses, by how they split {words}.")


def _ceilings() -> str:
    rows = [(name, size, f"{size:,} words, {parts} parts") for name, size, parts in ceiling_sizes()]
    caption = "The bucket of SALET in which CRONY lies, and what it lies in."
    return _bars(rows, "Sets around a bucket", caption)


def _cores() -> str:
    parts = _parts_of_all(_rhymes().score_rows())
    guess = _rhymes().guesses[int(parts.argmax())]
    by_score: dict[int, list[str]] = {}
    for secret in RHYMES:
        by_score.setdefault(grade(guess, secret), []).append(secret)
    rows = sorted(by_score.items(), key=lambda item: -len(item[1]))
    picture = Drawing(560, 20 + 36 * len(rows), f"How {guess.upper()} splits eight rhymes")
    for row, (score, secrets) in enumerate(rows):
        top = 10 + 36 * row
        picture.tiles(10, top, guess, colours_of(score, 5))
        picture.text(156, top + 17, " ".join(secrets))
    caption = (
        f"{guess.upper()}, one of the guesses that split the rhymes best: into {len(rows)} parts. "
        "One more guess solves one word of each part."
    )
    return figure(picture.svg(), caption)


def _hitting() -> str:
    words = [word for word in named_list("original", "allowed").words if len(set(word)) == 5]
    counts = [sum(len(set(word) & set("aeiou")) == n for word in words) for n in range(5)]
    rows = [(f"{n} of a e i o u", count, f"{count:,} words") for n, count in enumerate(counts)]
    return _bars(rows, "Words by vowels", "Words of the original list with five different letters.")


#: Name → what draws it.
PICTURES: dict[str, Callable[[], str]] = {
    "column-sums": _column_sums,
    "majority": _majority,
    "parts": _parts,
    "ceilings": _ceilings,
    "cores": _cores,
    "hitting": _hitting,
}
