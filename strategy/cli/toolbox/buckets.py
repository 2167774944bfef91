"""How a word parts the secrets: each score with the secrets that get it; two words side by side.

The secrets that get the same score are a bucket: what is left after that reply. --plot draws it: a
bar a score, as SVG or PNG by the name of the file. In a score b is grey, y yellow, g green: if
REACT is hidden, CRANE gets yygby.

Examples: knuthle buckets crane
          knuthle buckets crane slate --plot crane.svg
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ...errors import OutputError
from ...files.letters import capitals
from ...files.notation import counted
from ...files.output import write_whole
from .. import options, output, render

if TYPE_CHECKING:
    from solver.splits.split_of_word import Split

    from ...play.weights import WeightedGame

BUCKET = ("score", "text", "count", "secrets")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``buckets``: one or two words."""
    parser.add_argument("word", metavar="WORD")
    parser.add_argument("other", metavar="WORD2", nargs="?")
    parser.add_argument("--show-words", action="store_true", help="list the secrets too")
    parser.add_argument("--plot", metavar="FILE.svg|png", help="draw a picture")
    options.add_game_options(parser)
    options.add_weights_option(parser)
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Run ``buckets``: print how words split the secrets."""
    from solver.splits.split_of_word import split_by_score

    if args.plot and not args.plot.lower().endswith((".svg", ".png")):
        raise OutputError(f"{args.plot}: a picture is .svg or .png")
    output.check_outputs(args)
    game, weighted = options.weighted_from(args)
    weights = weighted.weights if weighted else None
    words = [word for word in (args.word, args.other) if word is not None]
    splits = [split_by_score(game, word, weights) for word in words]
    if args.plot:
        from ...pictures.splits import splits_in_form

        write_whole(args.plot, splits_in_form(args.plot, game, splits), force=args.force)
    text = _side_by_side(splits)
    if args.show_words or len(splits) == 1:
        text = "\n\n".join(_alone(split, args.show_words, weighted) for split in splits)
    if weighted:
        expected = (f"\n{_expected(split)}" for split in splits)
        text = f"{render.prose(weighted.about())}{''.join(expected)}\n\n{text}"
    public = [_public(split, weighted) for split in splits]
    result = {**options.public_weights(weighted), "splits": public}
    rows = [{"word": split["word"], **row} for split in public for row in split["buckets"]]
    columns = ("word", *BUCKET, "chance") if weighted else ("word", *BUCKET)
    output.emit(args, text, result, (columns, rows))
    return 0


def _public(split: Split, weighted: WeightedGame | None) -> dict[str, Any]:
    """A split as JSON shows it: with chances, and what is expected, only over weights."""
    buckets = []
    for bucket in split.buckets:
        values = (bucket.score, bucket.text, bucket.size, bucket.secrets)
        row = dict(zip(BUCKET, values, strict=True))
        buckets.append(row | {"chance": bucket.chance} if weighted else row)
    expected = {"entropy": split.entropy, "expected_size": split.expected_size}
    return {"word": split.word, **(expected if weighted else {}), "buckets": buckets}


def _expected(split: Split) -> str:
    """What the score of a word is expected to tell and to leave."""
    return render.prose(
        f"{capitals(split.word)}: entropy {split.entropy:.6f} bits, "
        f"expected size {split.expected_size:,.3f}"
    )


def _alone(split: Split, show_words: bool, weighted: WeightedGame | None) -> str:
    """The scores of one word, with bars or with the secrets themselves."""
    lengths = [bucket.chance if weighted else bucket.size for bucket in split.buckets]
    rows = [
        (
            bucket.text,
            f"{bucket.size:,}",
            *([f"{bucket.chance:.4f}"] if weighted else []),
            " ".join(bucket.secrets) if show_words else render.bar(length, max(lengths), 30),
        )
        for bucket, length in zip(split.buckets, lengths, strict=True)
    ]
    header = ("score", "count", *(["chance"] if weighted else []), "secrets" if show_words else "")
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
        f"{capitals(split.word)}: {secrets} in {buckets}, "
        f"the largest {largest.text} with {largest.size:,}"
    )
