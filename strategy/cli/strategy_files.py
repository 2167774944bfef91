"""The commands ``lookup``, ``export`` and ``compare``: what a strategy file holds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from .. import verification
from ..columns import Column, attributes, records
from ..errors import OutputError
from ..exports import EXPORTS, summary, to_dot
from ..files import envelope, strategy_file
from ..files.output import Kind, check_apart, check_target, write_whole
from ..files.text import counted, printable, score_text
from ..pictures.plot import FORMS, Named, distributions, icicle, require_matplotlib
from ..toolbox.comparison import Comparison, compare
from ..tree import Strategy
from . import options, output, tables

_NAMED_SECRETS = 10
#: What facts of files are called in words, where it is not their key without ``n_``.
_NAMES = {"n_nodes": "states", "n_beyond": "lost", "n_found": "found", "guess": "first guess"}


def _configure_lookup(parser: ArgumentParser) -> None:
    about = "a strategy; without STATE any file of knuthle"
    parser.add_argument("file", metavar="FILE", help=about)
    options.add_state_argument(parser, "lares.bbybb.cling.bybbb")


def run_lookup(args: Namespace) -> None:
    """The next guess after some guesses with their colours, from a strategy file;
    without any, what the file says of itself.

    Write the guesses with their colours, with dots or spaces between them. Without
    any: the game, lists, rule, results and first guess of a strategy, what a proof
    states, or the state of an interrupted search (--resume).

    Examples: knuthle lookup lares-original-allowed-minimax.strategy lares bbybb
              knuthle lookup lares-original-allowed-minimax.strategy
    """
    facts: dict[str, Any] = {}
    if args.state:
        strategy = Strategy.load(args.file)
    else:  # any file of ours; read once, since it may be a pipe
        kind, body = envelope.read(args.file)
        if kind != envelope.STRATEGY:
            facts = verification.described(kind, body, args.file)
            output.emit(args, _described(facts), facts)
            return
        strategy = Strategy.of_file(strategy_file.from_body(body, args.file))
        facts = {"kind": "strategy"} | summary(strategy)
    history = strategy.parse_state(" ".join(args.state))
    guess, remaining = strategy.next_guess(history), strategy.remaining(history)
    result: dict[str, Any] = {"state": history, "guess": guess}
    result |= {"remaining": len(remaining), "secrets": remaining}
    origin = strategy.origin
    possible = tables.possible(len(remaining), origin.game, origin.secrets_name)
    some = f": {' '.join(remaining)}" if 0 < len(remaining) <= _NAMED_SECRETS else ""
    text = f"{guess}  ({possible}{some})" if args.state else _described(facts | {"guess": guess})
    output.emit(args, text, facts | result)


def _described(facts: dict[str, Any]) -> str:
    """What a file says of itself, a line each."""
    names = [_NAMES.get(it, it.removeprefix("n_").replace("_", " ")) for it in facts]
    values, width = map(_in_words, facts.values()), max(map(len, names))
    rows = zip(names, values, strict=True)
    lines = [f"{printable(name):<{width}}  {printable(value)}" for name, value in rows]
    if facts["kind"] in ("proof", "strategy"):
        lines.append("All this is what the file claims; 'knuthle verify' checks it.")
    return "\n".join(lines)


def _in_words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    if isinstance(value, dict):
        said = {key: "as it claims" if inner is True else inner for key, inner in value.items()}
        return ", ".join(f"{key.replace('_', ' ')} {inner}" for key, inner in said.items())
    if isinstance(value, bool | None):
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, int | float):
        return f"{value:,}" if isinstance(value, int) else f"{value:.8f}"
    return str(value)


#: A page or two of a drawing; whole strategies are twenty metres high.
_GRAPH_DEPTH = 2


def _configure_export(parser: ArgumentParser) -> None:
    about = "a strategy file, of pictures several"
    parser.add_argument("files", metavar="FILE", nargs="+", help=about)
    options.add(parser, "--to", choices=[*EXPORTS, *FORMS])
    options.add(parser, "--out", metavar="FILE|-", default="-", help="where to (stdout)")
    options.add(parser, "--depth", "--kind")
    options.add(parser, "--force")


def run_export(args: Namespace) -> None:
    """Write a strategy in a form that other programs read, or draw it.

    text  one line per secret, guess and score in turn: every line begins with the
          whole history, so grep finds all that follows from a state; its sha256
          is the digest of the strategy
    tree  one line per game, indented by what it shares with the line above
    json  the results and the tree as nested objects
    csv   one row per state
    dot   a Graphviz digraph of the first guesses of every game (--depth: how many)
    svg, png, pdf  a picture: how many secrets take how many guesses, strategies
          side by side; --kind tree: a row for each guess and a box for each state,
          as wide as it has secrets. Drawing needs matplotlib

    The first four can be read again: 'knuthle verify FILE -o' makes the same
    strategy of them.

    Examples: knuthle export salet.strategy --to tree --out salet.tree
              knuthle export salet.strategy lares.strategy -o guesses.svg
    """
    ending = Path(args.out).suffix.lower().removeprefix(".")
    to = args.to or (ending if ending in FORMS else "text")
    is_picture = to in FORMS
    if args.depth is not None and to != "dot":
        raise OutputError("--depth is for --to dot; the other forms are whole")
    if args.kind is not None and not is_picture:
        raise OutputError("--kind is for pictures: --to svg, png or pdf")
    if len(args.files) > 1 and (not is_picture or args.kind == "tree"):
        raise OutputError("only pictures of guesses show several strategies at a time")
    if is_picture and args.out == "-":
        raise OutputError("a picture needs the name of a file: --out FILE")
    check_target(args.out, Kind[to.upper()], force=args.force)
    check_apart([args.out], args.files)
    if is_picture:
        require_matplotlib()
    strategies = [Named(Path(name).stem, Strategy.load(name)) for name in args.files]
    if is_picture:
        drawn = distributions(strategies, to) if args.kind != "tree" else icicle(strategies[0], to)
        write_whole(args.out, drawn, force=args.force)
        return
    strategy, depth = strategies[0].strategy, args.depth or _GRAPH_DEPTH
    left_out = sum(below > depth for below in strategy.depth) if to == "dot" else 0
    if left_out:
        reach = f"drawn to {counted(int(depth), 'guess', 'guesses')}"
        of = f"{left_out:,} of {counted(strategy.nodes, 'state')} left out"
        output.say(f"{reach}; {of} (--depth N or all draws more)")
    text = to_dot(strategy, int(depth)) if left_out else EXPORTS[to](strategy)
    output.write_text(args.out, text, args.force)


def _configure_compare(parser: ArgumentParser) -> None:
    parser.add_argument("first", metavar="A", help="a strategy, in any form that is read")
    parser.add_argument("second", metavar="B", help="the other one")
    options.add_requirement_options(parser)
    options.add(parser, "--top", default=10, help="show N states and N secrets")


def run_compare(args: Namespace) -> None:
    """Where two strategies first differ, and the extra guesses.

    Both may have any form that 'verify' reads; a wrong strategy is not compared.
    Figures are over the secrets that both solve. A state is listed where both have
    made the same guesses, got the same replies, and guess differently next.

    Examples: knuthle compare mine.strategy salet.tree
              knuthle compare a.json b.json --list words.txt --json -
    """
    files = [args.first, args.second]
    required = verification.Requirements(args.list_name, args.secrets, args.hard, game=args.game)
    strategies = [verification.load(path, required) for path in files]
    found = compare(*strategies)
    # a pair has a figure of the first and one of the second
    result = {
        "files": files,
        "same": found.same,
        "n_secrets": len(found.taken),
        **attributes(found, "totals worsts means"),
        "n_alone": [len(words) for words in found.alone],
        "alone": found.alone,
        "differences": [{"n_more": more, "count": n} for more, n in found.differences.items()],
        "secrets": [{"word": word, "n_taken": pair} for word, pair in found.different.items()],
        "n_partings": len(found.partings),
        "partings": records(_PARTING_COLUMNS, found.partings),
    }
    output.emit(args, _comparison_text(args, found, strategies[0]), result)


_PARTING_COLUMNS = [Column(name) for name in ("state", "guesses", "n_secrets", "totals", "worsts")]


def _comparison_text(args: Namespace, found: Comparison, strategy: Strategy) -> str:
    names = f"A {printable(args.first)}\nB {printable(args.second)}"
    if found.same:
        return f"{names}\nthe same guesses in every state: total {found.totals[0]:,}"
    (total, other), (worst, worst_too), means = found.totals, found.worsts, found.means
    figures = f"total {total:,} and {other:,} ({other - total:+,}), worst {worst} and {worst_too}"
    figures += f", mean {means[0]:.4f} and {means[1]:.4f}"
    lines = [names, f"{counted(len(found.taken), 'secret')} of both: {figures}"]
    for name, words in zip("AB", found.alone, strict=True):
        if words:
            some = tables.some_of(words, 10)
            lines.append(f"only {name} solves {counted(len(words), 'secret')}: {some}")
    table = _partings(args, found, strategy)
    return "\n".join([tables.prose("\n".join(lines)), *table, *_differing_secrets(args, found)])


def _partings(args: Namespace, found: Comparison, strategy: Strategy) -> list[str]:
    if not found.partings:
        return ["the same guesses in every state that both meet"]
    game, length, rows = strategy.origin.game, len(strategy.words[0]), []
    for each in found.partings[: args.top]:
        steps = (f"{word} {score_text(game, length, score)}" for word, score in each.state)
        more = f"{each.totals[1] - each.totals[0]:+,}"
        figures = f"{each.n_secrets:,}", more, f"{each.worsts[0]} {each.worsts[1]}"
        rows.append((" ".join(steps) or "the beginning", *each.guesses, *figures))
    head = ("state", "A", "B", "secrets", "B costs more", "worst of each")
    states = f"they part in {counted(len(found.partings), 'state')}"
    lines = ["", f"{states}, first in:", "", tables.table(head, rows)] if rows else ["", states]
    if n_more := len(found.partings) - len(rows):
        lines.append(f"… and {n_more:,} more (--top, --json)")
    return lines


def _differing_secrets(args: Namespace, found: Comparison) -> list[str]:
    """How many secrets take more and fewer guesses, and which differ most."""
    if not found.different:
        return ["", "every secret takes as many guesses in both"]
    differences = [(more, count) for more, count in found.differences.items() if more]
    counts = [f"{counted(count, 'secret')} {more:+}" for more, count in differences]
    most = sorted(found.different.items(), key=lambda item: -abs(item[1][1] - item[1][0]))
    some = [f"{word} {one}→{other}" for word, (one, other) in most[: args.top]]
    about = [f"guesses in B against A: {', '.join(counts)}"]
    about += [f"most: {', '.join(some)}"] if some else []
    return ["", *map(tables.prose, about)]
