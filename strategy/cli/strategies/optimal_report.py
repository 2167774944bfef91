"""What ``optimal`` says about an answer: the JSON object and the text, proved and bound apart."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ...files.letters import capitals
from ...files.names import shown
from ...files.notation import counted
from ...files.origin import Origin
from .. import options, render
from .report import report_of, rounded

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...build.optimal import Optimal


def facts_of(
    args: argparse.Namespace, game: Game, found: Optimal, path: str | None
) -> dict[str, Any]:
    """The JSON object of ``optimal``; what only a strategy has is null if there is none."""
    strategy = found.strategy
    pool = {"guess_from": args.guess_from, "hard": args.hard}
    start = options.starts_from(args.start, game)
    origin = Origin.of(game, "optimal", start, **pool) if strategy is None else strategy.origin
    return report_of(origin, strategy, found.outcome, path) | {
        "objective": args.objective,
        "proved": found.proved,
        "lower_bound": found.lower_bound,
        "relying_on": found.findings and found.findings.facts(),
        "openers": [
            {
                "word": "+".join(opener.words),
                "total": opener.total if opener.exact else None,
                "bound": None if opener.exact else opener.total,
                "n_beyond": opener.losses,
                "proved": opener.exact,
            }
            for opener in found.first_guesses
        ],
        "seconds": rounded(found.seconds),
    }


def text_of(args: argparse.Namespace, found: Optimal, report: dict[str, Any]) -> str:
    """The answer of ``optimal`` as a person reads it."""
    limit = "no limit" if found.outcome.limit is None else f"within {found.outcome.limit}"
    mode = ", hard mode" if args.hard else ""
    if found.strategy is None:
        what = "from any first guess" if args.start == "auto" else f"from {capitals(args.start)}"
        return f"proved{_reliance(found)}: {limit} is impossible {what}{mode}"
    lines = [
        f"objective {args.objective}, {limit}{mode}: {counted(report['n_secrets'], 'secret')} "
        f"({shown(report['secrets_name'])}), "
        f"{counted(report['n_guesses'], 'guess', 'guesses')} of {shown(report['list'])}"
        + (" (only secrets guessed)" if args.guess_from == "secrets" else ""),
        *_losses(args, found, report),
        *_result(args, found, report),
        "",
        f"every secret played; {counted(report['n_nodes'], 'node')}, digest {report['digest']}",
        f"written to {shown(report['file'])}" if report["file"] else "no strategy file written",
    ]
    return "\n".join(lines)


def _losses(args: argparse.Namespace, found: Optimal, report: dict[str, Any]) -> list[str]:
    """How many secrets lie beyond the limit, which, and whether it must be so."""
    beyond = report["beyond"]
    if not beyond:
        return []
    label = ""
    if args.objective == "losses":
        least = len(beyond) if found.proved else found.lower_bound
        known = least == len(beyond)
        label = " (proved: no fewer)" if known else f" (bound: at least {least} must be)"
    return [f"beyond the limit: {len(beyond)}: {' '.join(beyond)}{label}"]


def _result(args: argparse.Namespace, found: Optimal, report: dict[str, Any]) -> list[str]:
    """What the search found, and which of it is proved."""
    label = ("proved" if found.proved else "bound") + _reliance(found)
    start = "+".join(report["start"])
    total = f"total {report['total']:,}, mean {report['mean']:.4f}"
    if args.objective == "worst":
        why = "no fewer will do" if found.proved else "fewer may do"
        least = found.first_guesses[0].exact
        how = f"least after {capitals(start)}" if least else "not made least"
        return [f"worst {report['worst']} ({label}: {why}); {total} ({how})"]
    result = f"{total}, worst {report['worst']} ({label})"
    if found.proved:
        return [result, "", _table(found)]
    if args.objective == "total":
        result += f"; no strategy takes fewer than {found.lower_bound:,}"
    return [f"{capitals(start)}: {result}"]


def _reliance(found: Optimal) -> str:
    """What a result that rests on the findings of an earlier search has to add."""
    return "" if found.findings is None else f", {found.findings.reliance}"


def _table(found: Optimal) -> str:
    """The best openers, and how the others are excluded."""
    exact = [opener for opener in found.first_guesses if opener.exact]
    rows = [
        ("+".join(opener.words), f"{opener.total:,}", opener.losses or "", "exact")
        for opener in exact
    ]
    others = [opener for opener in found.first_guesses if not opener.exact]
    text = render.table(("opener", "total", "losses", ""), rows)
    if others:
        least = min(others, key=lambda opener: (opener.losses, opener.total))
        what = f"{least.total:,}" if least.losses == 0 else f"{least.losses} beyond the limit"
        text += f"\n{len(others):,} other first guesses: at least {what}"
    return text
