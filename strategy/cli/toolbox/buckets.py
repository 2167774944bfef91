"""The split that a word makes: every score with its count; two words side by side.

--plot draws it: a bar a score, as SVG or PNG by the name of the file.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ...errors import OutputError
from ...files.notation import counted
from .. import options, output, render

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...pictures.splits import Split

HELP = "show how a word splits the secrets, score by score"


def configure(parser: argparse.ArgumentParser) -> None:
    """One or two words."""
    parser.add_argument("word", metavar="WORD")
    parser.add_argument("other", metavar="WORD2", nargs="?")
    parser.add_argument("--show-words", action="store_true", help="list the secrets too")
    parser.add_argument("--plot", metavar="FILE.svg|png", help="draw a picture")
    options.add_game_options(parser)
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Print the splits."""
    import numpy as np

    from ...pictures.splits import Split

    if args.plot and not args.plot.lower().endswith((".svg", ".png")):
        raise OutputError(f"{args.plot}: a picture is .svg or .png")
    output.check_outputs(args)
    game = options.game_from(args)
    ids = [game.guess_id(word) for word in (args.word, args.other) if word is not None]
    rows = game.score_rows(np.array(ids, dtype=np.int32))
    splits = []
    for guess, row in zip(ids, rows, strict=True):
        scores, counts = np.unique(row, return_counts=True)
        buckets = sorted(
            zip(scores.tolist(), counts.tolist(), strict=True), key=lambda b: (-b[1], b[0])
        )
        splits.append(Split(game.guesses[guess], buckets))
    words = [
        {score: _secrets(game, row == score) for score, _ in split.buckets}
        for split, row in zip(splits, rows, strict=True)
    ]
    if args.plot:
        _plot(args.plot, game, splits)
    result = {"splits": [_public(game, *each) for each in zip(splits, words, strict=True)]}
    table = [
        (split.word, game.format_score(score), count, " ".join(found[score]))
        for split, found in zip(splits, words, strict=True)
        for score, count in split.buckets
    ]
    text = _text(game, splits, words, args.show_words)
    output.emit(args, text, result, (("word", "score", "count", "secrets"), table))
    return 0


def _secrets(game: Game, chosen: Any) -> list[str]:
    return [game.secrets[at] for at in chosen.nonzero()[0]]


def _public(game: Game, split: Split, words: dict[int, list[str]]) -> dict[str, Any]:
    return {
        "word": split.word,
        "buckets": [
            {"score": score, "text": game.format_score(score), "count": n, "secrets": words[score]}
            for score, n in split.buckets
        ],
    }


def _plot(target: str, game: Game, splits: list[Split]) -> None:
    from ...files.output import write_whole
    from ...pictures.splits import as_png, as_svg

    picture = as_png(game, splits) if target.lower().endswith(".png") else None
    write_whole(target, picture or as_svg(game, splits).encode())


def _text(
    game: Game, splits: list[Split], words: list[dict[int, list[str]]], show_words: bool
) -> str:
    if len(splits) == 2 and not show_words:
        return _side_by_side(game, splits)
    parts = []
    for split, found in zip(splits, words, strict=True):
        largest = split.buckets[0][1]
        header = ["score", "count", ""]
        rows = [
            [game.format_score(s), f"{n:,}", render.bar(n, largest, 30)] for s, n in split.buckets
        ]
        if show_words:
            header[2] = "secrets"
            rows = [[game.format_score(s), f"{n:,}", " ".join(found[s])] for s, n in split.buckets]
        table = render.table(header, rows, "  ", flow=show_words)
        parts.append(f"{_title(game, split)}\n{table}")
    return "\n\n".join(parts)


def _side_by_side(game: Game, splits: list[Split]) -> str:
    """All scores that either word gets, with both counts."""
    counts = [dict(split.buckets) for split in splits]
    largest = max(max(each.values()) for each in counts)
    scores = sorted(set(counts[0]) | set(counts[1]), key=lambda s: (-counts[0].get(s, 0), s))
    header = ["score"]
    for split in splits:
        header += [split.word, ""]
    rows = []
    for score in scores:
        row = [game.format_score(score)]
        for each in counts:
            n = each.get(score, 0)
            row += [f"{n:,}", render.bar(n, largest, 24)]
        rows.append(row)
    titles = "\n".join(_title(game, split) for split in splits)
    return f"{titles}\n{render.table(header, rows, '  ')}"


def _title(game: Game, split: Split) -> str:
    largest = split.buckets[0]
    secrets, buckets = counted(len(game.secrets), "secret"), counted(len(split.buckets), "bucket")
    score = game.format_score(largest[0])
    return render.prose(
        f"{split.word.upper()}: {secrets} in {buckets}, the largest {score} with {largest[1]:,}"
    )
