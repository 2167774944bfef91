"""The commands ``lookup``, ``info``, ``export`` and ``compare``: what a strategy file holds."""

from __future__ import annotations

import argparse
import math
from typing import Any

from .. import verification
from ..columns import Column, records
from ..errors import OutputError
from ..exports import EXPORTS, to_dot
from ..files.output import Kind, check_apart, check_target
from ..files.text import counted, printable, score_text
from ..toolbox.comparison import Comparison, Steps, compare
from ..tree import Strategy
from . import options, output, tables

# ---- lookup and info

_NAMED_SECRETS = 10


def configure_lookup(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lookup``: the strategy file and the state."""
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    options.add_state_argument(parser, "lares.bbybb.cling.bybbb")
    options.add_output_options(parser)


def run_lookup(args: argparse.Namespace) -> int:
    """The next guess after some guesses with their colours, from a strategy file.

    Write the guesses with their colours: lares.bbybb.cling.bybbb, or with spaces,
    where b is grey (or x, -), y yellow (or p), g green (or o). Without any: the
    first guess.

    Examples: knuthle lookup lares-original-allowed-minimax.strategy
              knuthle lookup lares-original-allowed-minimax.strategy lares bbybb
    """
    output.check_outputs(args, inputs=[args.file])
    strategy = Strategy.load(args.file)
    history = strategy.parse_state(" ".join(args.state))
    guess = strategy.next_guess(history)
    remaining = strategy.remaining(history)
    result = {
        "state": [list(step) for step in history],
        "guess": guess,
        "remaining": len(remaining),
        "secrets": remaining,
    }
    origin = strategy.origin
    possible = tables.possible(len(remaining), origin.game, origin.secrets_name)
    some = f": {' '.join(remaining)}" if 0 < len(remaining) <= _NAMED_SECRETS else ""
    output.emit(args, f"{guess}  ({possible}{some})", result)
    return 0


def configure_info(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``info``: the file."""
    parser.add_argument("file", metavar="FILE", help="a file that knuthle wrote")
    options.add_output_options(parser)


def run_info(args: argparse.Namespace) -> int:
    """Show what is in a file of knuthle: its game, lists, rule and results.

    The file may be a strategy, a proof, or the state of an interrupted search
    (--resume).

    Examples: knuthle info lares-original-allowed-minimax.strategy
              knuthle info salet.tree --json -
    """
    output.check_outputs(args, inputs=[args.file])
    result = verification.describe(args.file)
    rows = {printable(key): printable(_info_value(value)) for key, value in result.items()}
    width = max(map(len, rows))
    text = "\n".join(f"{key:<{width}}  {value}" for key, value in rows.items())
    checks = "check-proof" if result["kind"] == "proof" else "verify"
    if result["kind"] in ("proof", "strategy"):
        text += f"\nAll this is what the file claims; 'knuthle {checks}' checks it."
    output.emit(args, text, result)
    return 0


def _info_value(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        said = {key: "as it claims" if inner is True else inner for key, inner in value.items()}
        return ", ".join(f"{key} {inner}" for key, inner in said.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.8f}" if isinstance(value, float) else str(value)


# ---- export

#: A page or two of a drawing; whole strategies are twenty metres high.
_GRAPH_DEPTH = 2


def configure_export(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``export``: the strategy file and the form."""
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    parser.add_argument("--to", choices=list(EXPORTS), default="text", help="the form (text)")
    parser.add_argument("-o", "--out", metavar="FILE|-", default="-", help="where to (stdout)")
    parser.add_argument(
        "--depth",
        type=_depth_from,
        metavar="N|all",
        help=f"with --to dot: so many guesses of every game ({_GRAPH_DEPTH})",
    )
    options.add(parser, "--force")


def run_export(args: argparse.Namespace) -> int:
    """Write a strategy in a form that other programs read.

    text  one line per secret, guess and score in turn: every line begins with the
          whole history, so grep finds all that follows from a state; its sha256
          is the digest of the strategy
    tree  one line per game, indented by what it shares with the line above
    json  the results and the tree as nested objects
    csv   one row per state
    dot   a Graphviz digraph of the first guesses of every game (--depth: how many)

    All but dot can be read again: 'knuthle import' makes the same strategy of
    them.

    Examples: knuthle export salet.strategy --to tree --out salet.tree
              knuthle export salet.strategy | grep '^salet bbbbb '
    """
    if args.depth is not None and args.to != "dot":
        raise OutputError("--depth is for --to dot; the other forms are whole")
    check_target(args.out, Kind[args.to.upper()], force=args.force)
    check_apart([args.out], [args.file])
    strategy = Strategy.load(args.file)
    depth = args.depth or _GRAPH_DEPTH
    text = _graph_text(strategy, depth) if args.to == "dot" else EXPORTS[args.to](strategy)
    output.write_text(args.out, text, args.force)
    return 0


def _depth_from(text: str) -> float:
    """An argparse type: a whole number from 1, or ``all``."""
    return math.inf if text == "all" else options.at_least_one(text)


def _graph_text(strategy: Strategy, depth: float) -> str:
    """The first guesses as a graph; a line on stderr says what is left out."""
    left_out = sum(below > depth for below in strategy.depth)
    if left_out:
        output.say(
            f"drawn to {counted(int(depth), 'guess', 'guesses')}; {left_out:,} of "
            f"{counted(strategy.nodes, 'state')} left out (--depth N or all draws more)"
        )
    return to_dot(strategy, int(depth) if left_out else None)


# ---- compare


def configure_compare(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``compare``: the two files, and what they are held to."""
    parser.add_argument("first", metavar="A", help="a strategy, in any form that is read")
    parser.add_argument("second", metavar="B", help="the other one")
    options.add_requirement_options(parser)
    options.add_top_option(parser, 10, "show N states and N secrets")
    options.add_output_options(parser)


def run_compare(args: argparse.Namespace) -> int:
    """Where two strategies first differ, and the extra guesses.

    Both may have any form that 'verify' reads; a wrong strategy is not compared.
    Figures are over the secrets that both solve. A state is listed where both have
    made the same guesses, got the same replies, and guess differently next.

    Examples: knuthle compare mine.strategy salet.tree
              knuthle compare a.json b.json --list words.txt --json -
    """
    output.check_outputs(args, inputs=[args.first, args.second])
    files = [args.first, args.second]
    strategies = [verification.load(path, **options.requirements(args)) for path in files]
    found = compare(*strategies)
    result = {"files": files} | _comparison_facts(found)
    output.emit(args, _comparison_text(args, found, strategies[0]), result)
    return 0


def _comparison_facts(found: Comparison) -> dict[str, Any]:
    """The JSON: a pair has a figure of the first and one of the second."""
    return {
        "same": found.same,
        "n_secrets": len(found.taken),
        "totals": found.totals,
        "worsts": found.worsts,
        "means": found.means,
        "n_alone": [len(words) for words in found.alone],
        "alone": found.alone,
        "differences": [{"n_more": more, "count": n} for more, n in found.differences.items()],
        "secrets": [{"word": word, "n_taken": pair} for word, pair in found.different.items()],
        "n_partings": len(found.partings),
        "partings": records(_PARTING_COLUMNS, found.partings),
    }


_PARTING_COLUMNS = [Column(name) for name in ("state", "guesses", "n_secrets", "totals", "worsts")]


def _comparison_text(args: argparse.Namespace, found: Comparison, strategy: Strategy) -> str:
    names = f"A {printable(args.first)}\nB {printable(args.second)}"
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
            some = tables.some_of(words, 10)
            lines.append(f"only {name} solves {counted(len(words), 'secret')}: {some}")
    table = _partings(args, found, strategy)
    return "\n".join([tables.prose("\n".join(lines)), *table, *_differing_secrets(args, found)])


def _partings(args: argparse.Namespace, found: Comparison, strategy: Strategy) -> list[str]:
    """A table of the first states where they part."""
    if not found.partings:
        return ["the same guesses in every state that both meet"]
    game, length = strategy.origin.game, len(strategy.words[0])
    rows = [
        (
            _state_text(each.state, game, length),
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
    lines += [tables.table(head, rows)] if rows else []
    return [*lines, *([f"… and {more:,} more (--top, --json)"] if more else [])]


def _differing_secrets(args: argparse.Namespace, found: Comparison) -> list[str]:
    """How many secrets take more and fewer guesses, and which differ most."""
    if not found.different:
        return ["", "every secret takes as many guesses in both"]
    counts = [
        f"{counted(count, 'secret')} {more:+}" for more, count in found.differences.items() if more
    ]
    most = sorted(found.different.items(), key=lambda item: -abs(item[1][1] - item[1][0]))
    some = [f"{word} {one}→{other}" for word, (one, other) in most[: args.top]]
    about = [f"guesses in B against A: {', '.join(counts)}"]
    about += [f"most: {', '.join(some)}"] if some else []
    return ["", *map(tables.prose, about)]


def _state_text(state: Steps, game: str, length: int) -> str:
    steps = (f"{word} {score_text(game, length, score)}" for word, score in state)
    return " ".join(steps) or "the beginning"
