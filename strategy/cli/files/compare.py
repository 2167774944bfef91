"""Where two strategies part first, and what it costs.

Both may be of any form that 'verify' reads; what is wrong is not compared. Figures are over the
secrets that both solve. A state is where both have made the same guesses and got the same scores,
and guess differently next.

Examples: knuthle compare mine.strategy salet.tree
          knuthle compare a.json b.json --list words.txt --json -
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ...files.names import shown
from ...files.notation import counted, score_text
from .. import options, output, render

if TYPE_CHECKING:
    from ...toolbox.comparison import Comparison, Parting, Steps
    from ...tree import Strategy


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``compare``: the two files, and what they are held to."""
    parser.add_argument("first", metavar="A", help="a strategy, in any form that is read")
    parser.add_argument("second", metavar="B", help="the other one")
    options.add_judged_options(parser)
    options.add_top_option(parser, 10, "N states and secrets")
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``compare``: load two strategies, compare them, print where they part."""
    from ... import any_form
    from ...toolbox.comparison import compare

    output.check_outputs(args, inputs=[args.first, args.second])
    asked = options.held_to(args)
    strategies = [any_form.load(path, **asked) for path in (args.first, args.second)]
    found = compare(strategies[0], strategies[1])
    result = {"files": [args.first, args.second]} | _facts(found)
    output.emit(args, _text(args, found, strategies[0]), result)
    return 0


def _facts(found: Comparison) -> dict[str, Any]:
    """The JSON: a pair has a figure of the first and one of the second."""
    return {
        "same": found.same,
        "n_secrets": len(found.taken),
        "totals": found.totals,
        "worsts": found.worsts,
        "means": found.means,
        "n_alone": [len(words) for words in found.alone],
        "alone": found.alone,
        "differences": [
            {"n_more": more, "count": count} for more, count in found.differences.items()
        ],
        "secrets": [
            {"word": word, "n_taken": list(pair)} for word, pair in found.different.items()
        ],
        "n_partings": len(found.partings),
        "partings": [_row(parting) for parting in found.partings],
    }


def _row(parting: Parting) -> dict[str, Any]:
    return {
        "state": parting.state,
        "guesses": parting.guesses,
        "n_secrets": parting.n_secrets,
        "totals": parting.totals,
        "worsts": parting.worsts,
    }


def _text(args: argparse.Namespace, found: Comparison, strategy: Strategy) -> str:
    names = f"A {shown(args.first)}\nB {shown(args.second)}"
    if found.same:
        return f"{names}\nthe same guesses in every state: total {found.totals[0]:,}"
    (total, other), (worst, worst_too), means = found.totals, found.worsts, found.means
    lines = [
        names,
        f"{counted(len(found.taken), 'secret')} of both: "
        f"total {total:,} and {other:,} ({other - total:+,}), "
        f"worst {worst} and {worst_too}, mean {means[0]:.4f} and {means[1]:.4f}",
    ]
    for name, words in zip("AB", found.alone, strict=True):
        if words:
            lines.append(f"only {name} solves {counted(len(words), 'secret')}: {_some(words)}")
    table = _partings(args, found, strategy)
    return "\n".join([render.prose("\n".join(lines)), *table, *_secrets(args, found)])


def _partings(args: argparse.Namespace, found: Comparison, strategy: Strategy) -> list[str]:
    """A table of the first states where they part."""
    if not found.partings:
        return ["the same guesses in every state that both meet"]
    game, length = strategy.origin.game, len(strategy.words[0])
    rows = [
        (
            _state(each.state, game, length),
            *each.guesses,
            f"{each.n_secrets:,}",
            f"{each.totals[1] - each.totals[0]:+,}",
            f"{each.worsts[0]} {each.worsts[1]}",
        )
        for each in found.partings[: args.top]
    ]
    head = ("state", "A", "B", "secrets", "B costs more", "worst of each")
    more = len(found.partings) - len(rows)
    lines = ["", f"they part in {counted(len(found.partings), 'state')}, first in:", ""]
    lines += [render.table(head, rows)] if rows else []
    return [*lines, *([f"… and {more:,} more (--top, --json)"] if more else [])]


def _secrets(args: argparse.Namespace, found: Comparison) -> list[str]:
    """How many secrets take more and fewer guesses, and which differ most."""
    if not found.different:
        return ["", "every secret takes as many guesses in both"]
    counts = [
        f"{counted(count, 'secret')} {more:+}" for more, count in found.differences.items() if more
    ]
    most = sorted(found.different.items(), key=lambda item: -abs(item[1][1] - item[1][0]))
    some = [f"{word} {one}→{other}" for word, (one, other) in most[: args.top]]
    more = [f"most: {', '.join(some)}"] if some else []
    return [
        "",
        render.prose(f"guesses in B against A: {', '.join(counts)}"),
        *map(render.prose, more),
    ]


def _state(state: Steps, game: str, length: int) -> str:
    steps = (f"{word} {score_text(game, length, score)}" for word, score in state)
    return " ".join(steps) or "the beginning"


def _some(words: list[str]) -> str:
    return " ".join(words[:10]) + (" …" if len(words) > 10 else "")
