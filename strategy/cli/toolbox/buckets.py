"""The split that a word makes: every score with its count; two words side by side.

--plot draws it: a bar a score, as SVG or PNG by the name of the file. In a score b is grey, y
yellow, g green: if REACT is hidden, CRANE gets yygby.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ...errors import OutputError
from ...files.notation import counted
from ...files.output import write_whole
from .. import options, output, render

if TYPE_CHECKING:
    from solver.splits.split import Split

BUCKET = ("score", "text", "count", "secrets")
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
    from solver.splits.split import split_by_score

    if args.plot and not args.plot.lower().endswith((".svg", ".png")):
        raise OutputError(f"{args.plot}: a picture is .svg or .png")
    output.check_outputs(args)
    game = options.game_from(args)
    words = [word for word in (args.word, args.other) if word is not None]
    splits = [split_by_score(game, word) for word in words]
    if args.plot:
        from ...pictures.splits import drawn

        write_whole(args.plot, drawn(args.plot, game, splits), force=args.force)
    text = _side_by_side(splits)
    if args.show_words or len(splits) == 1:
        text = "\n\n".join(_alone(split, args.show_words) for split in splits)
    result = {"splits": [{"word": split.word, "buckets": _public(split)} for split in splits]}
    rows = [{"word": split.word, **row} for split in splits for row in _public(split)]
    output.emit(args, text, result, (("word", *BUCKET), rows))
    return 0


def _public(split: Split) -> list[dict[str, Any]]:
    """The buckets of a split as JSON shows them."""
    return [
        dict(zip(BUCKET, (bucket.score, bucket.text, bucket.size, bucket.secrets), strict=True))
        for bucket in split.buckets
    ]


def _alone(split: Split, show_words: bool) -> str:
    """The scores of one word, with bars or with the secrets themselves."""
    largest = split.buckets[0].size
    rows = [
        (
            bucket.text,
            f"{bucket.size:,}",
            " ".join(bucket.secrets) if show_words else render.bar(bucket.size, largest, 30),
        )
        for bucket in split.buckets
    ]
    header = ("score", "count", "secrets" if show_words else "")
    return f"{_title(split)}\n{render.table(header, rows, '  ', flow=show_words)}"


def _side_by_side(splits: list[Split]) -> str:
    """All scores that either word gets, with both counts."""
    counts = [{bucket.score: bucket.size for bucket in split.buckets} for split in splits]
    texts = {bucket.score: bucket.text for split in splits for bucket in split.buckets}
    largest = max(max(each.values()) for each in counts)
    header = ["score"]
    for split in splits:
        header += [split.word, ""]
    rows = []
    for score in sorted(texts, key=lambda score: (-counts[0].get(score, 0), score)):
        row = [texts[score]]
        for each in counts:
            n = each.get(score, 0)
            row += [f"{n:,}", render.bar(n, largest, 24)]
        rows.append(row)
    return "\n".join([*map(_title, splits), render.table(header, rows, "  ")])


def _title(split: Split) -> str:
    largest = split.buckets[0]
    secrets, buckets = counted(split.secrets, "secret"), counted(len(split.buckets), "bucket")
    return render.prose(
        f"{split.word.upper()}: {secrets} in {buckets}, "
        f"the largest {largest.text} with {largest.size:,}"
    )
