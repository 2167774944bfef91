"""What is still possible, and what to guess next.

Clues are words with their colours: parse.bybbb.clint.bbyyb, or with spaces, where b is grey (or
x, -), y yellow (or p), g green (or o). Without clues: the first word. Clues that contradict each
other are named (exit 2).

Where few secrets remain, "guesses" is the exact expected number of guesses still to be made: the
word, and then best play with any allowed word, so that every secret falls within the limit. A word
that cannot do that shows the limit with a >, one that is too hard to look through at once a dash.

All words that take the fewest guesses stand first, then the ten best by entropy in the order of
their guesses, ranked among these. Where too many secrets remain, and with --by, a measure ranks all
words. Of equal words those that are still possible stand first, then common ones (the answers of
the list); a line says how many more there are than are shown.

A score may begin with a dash, as in crane -yg--.

With --weights "guesses" is the expectation over the weights, with any allowed word and without a
limit, where at most 12 secrets remain; else a measure ranks.

In JSON each suggestion has these guesses as "mean", and summed over the secrets as "total", or
null; "exact" has the limit (or null), the best guesses of all and their total.

Examples: knuthle suggest crane bybbg
          knuthle suggest crane.bybbg.spore.bbyyg --top 3
"""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

from solver.choices import MEASURES

from ...files.letters import capitals
from ...files.notation import counted
from .. import options, output, render
from . import guess_rows

if TYPE_CHECKING:
    from solver.advice.forecast import Forecast

    from ...toolbox.suggest import Suggestion, Suggestions

HEADER = (*guess_rows.COLUMNS, "proportion", "possible", "guesses")
#: Columns that a narrow terminal does without, the first one first: it says what entropy says.
SPARE = ("remaining", "expected size", "largest", "proportion")
_SHOWN = 30


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``suggest``: the clues, the measure, the words allowed."""
    options.add_state_argument(parser, "crane bybbg")
    options.add_measure_option(parser)
    options.add_top_option(parser, 10)
    parser.add_argument(
        "--within",
        type=options.limit_from,
        default=6,
        metavar="K|none",
        help="the limit for exact figures, guesses made included; none lifts it (6)",
    )
    options.add_pool_options(parser.add_argument_group("choice of guesses"))
    options.add_game_options(parser)
    options.add_weights_option(parser)
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Run ``suggest``: print what is left and what to guess."""
    from ...toolbox.suggest import Suggestion, suggest

    output.check_outputs(args)
    game, weighted = options.weighted_from(args)
    state = game.parse_state(" ".join(args.state))
    if not state:  # clues leave few of a large game's secrets
        output.say_memory_needed(game, args.quiet)
    output.say_when_compiling(args.quiet)
    found = suggest(
        game,
        state,
        by=args.by,
        top=args.top,
        guess_from=args.guess_from,
        hard=args.hard,
        within=args.within,
        weights=weighted.weights if weighted else None,
    )
    result: dict[str, Any] = {
        "state": found.state,
        "remaining": len(found.secrets),
        "secrets": found.secrets,
        "by": found.by,
        **options.public_weights(weighted),
        "exact": _public(found.exact) if found.exact else None,
        "suggestions": [vars(row) for row in found.words],
        "n_more_tied": found.n_more_tied,
    }
    columns = [field.name for field in dataclasses.fields(Suggestion)]
    text = "\n".join([*([render.prose(weighted.about())] if weighted else []), _text(found, args)])
    output.emit(args, text, result, (columns, result["suggestions"]))
    return 0


def _public(ahead: Forecast) -> dict[str, Any]:
    """What JSON says of the exact figures."""
    return {
        "limit": ahead.within,
        "guesses": ahead.best,
        "total": None if ahead.weighted else ahead.least,
        "mean": ahead.mean,
    }


def _text(found: Suggestions, args: argparse.Namespace) -> str:
    """What a person reads."""
    more = " …" if len(found.secrets) > _SHOWN else ""
    verb = "remains" if len(found.secrets) == 1 else "remain"
    some = " ".join(found.secrets[:_SHOWN])
    lines = [render.prose(f"{counted(len(found.secrets), 'secret')} {verb}: {some}{more}"), ""]
    if found.words:
        rows = [_cells(row, found.exact) for row in found.words]
        lines.append(render.table(HEADER, rows, spare=SPARE))
        if found.n_more_tied:
            lines.append(render.prose(_more(found)))
    else:
        lines.append(f"solved: {found.solved}" if found.solved else "no word to show")
    if found.exact:
        lines += ["", *map(render.prose, _explain(found.exact, args))]
    return "\n".join(lines)


def _more(found: Suggestions) -> str:
    """How many words are not shown and as good as the last one that is."""
    last, words = found.words[-1], counted(found.n_more_tied, "more word")
    verb = "ties" if found.n_more_tied == 1 else "tie"
    if found.by == "guesses" and found.exact and last.mean == found.exact.mean is not None:
        return f"{words} {verb} with {last.word}"
    measure = MEASURES[0] if found.by == "guesses" else found.by
    return f"{words} {verb} with {last.word} by {measure}"


def _explain(ahead: Forecast, args: argparse.Namespace) -> list[str]:
    """What the exact figures are about, and the best words."""
    over = counted(ahead.secrets, "remaining secret")
    if ahead.weighted:
        names = " ".join(capitals(word) for word in ahead.best[:_SHOWN])
        more = " …" if len(ahead.best) > _SHOWN else ""
        about = f"guesses: expected, exact, over the {over} by weight, without a limit"
        return [about, f"fewest: {ahead.mean:.4f} by {names}{more}"]
    limit = "without a limit" if ahead.within is None else f"all within {ahead.within} guesses"
    lines = []
    if ahead.within is None and args.within is not None:
        lines.append(f"no word finds them all within {args.within} guesses")
    if not ahead.totals and ahead.least is None:
        return [*lines, "too hard for exact figures at once: knuthle optimal --state has the time"]
    mode = "in hard mode" if args.hard else "with any allowed word"
    lines.append(f"guesses: expected, exact, over the {over}, {limit}, played on {mode}")
    if ahead.least is not None:
        names = " ".join(capitals(word) for word in ahead.best[:_SHOWN])
        more = " …" if len(ahead.best) > _SHOWN else ""
        lines.append(f"fewest: {ahead.mean:.4f} ({ahead.least} in all) by {names}{more}")
    return lines


def _cells(row: Suggestion, ahead: Forecast | None) -> list[str]:
    """A row as a person reads it."""
    possible = "yes" if row.candidate else ""
    return [*guess_rows.cells(row), f"{row.proportion:.7f}", possible, _guesses(row, ahead)]


def _guesses(row: Suggestion, ahead: Forecast | None) -> str:
    """The exact figure, or why there is none."""
    if row.mean is not None:
        return f"{row.mean:.4f}"
    if ahead is None or row.word not in ahead.totals:
        return "–" if ahead else ""
    return f">{ahead.within}"
