"""What ``optimal`` says about an answer: the JSON object and the text, proved and bound apart."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ...files.notation import counted
from .. import render

if TYPE_CHECKING:
    from solver.exact.answers.answer import Answer
    from solver.game.game import Game

    from ...tree import Strategy


def facts_of(args: argparse.Namespace, game: Game, answer: Answer) -> dict[str, Any]:
    """The JSON object; what only a strategy has is null until there is one."""
    return {
        "start": None,
        "list": game.list_name,
        "game": game.spec,
        "guesses": len(game.guesses),
        "secrets": len(game.secrets),
        "secrets_name": game.secrets_name,
        "rule": "optimal",
        "guess_from": args.guess_from,
        "hard": args.hard,
        "histogram": None,
        "worst": None,
        "total": None,
        "mean": None,
        "within": within_facts(args, answer, met=False),
        "beyond": None,
        "nodes": None,
        "digest": None,
        "file": None,
        "objective": args.objective,
        "proved": answer.proved,
        "lower_bound": answer.lower_bound,
        "openers": [
            {
                "word": opener.word,
                "total": opener.total if opener.exact else None,
                "bound": None if opener.exact else opener.total,
                "losses": opener.losses,
                "exact": opener.exact,
            }
            for opener in answer.openers
        ],
    }


def facts_of_strategy(
    args: argparse.Namespace, answer: Answer, strategy: Strategy, path: str
) -> dict[str, Any]:
    """What the JSON object says about the strategy."""
    origin = strategy.origin
    beyond = [] if answer.within is None else strategy.beyond(answer.within)
    return {
        "start": origin.start[0] if len(origin.start) == 1 else list(origin.start),
        "histogram": strategy.histogram,
        "worst": strategy.worst,
        "total": strategy.total,
        "mean": strategy.mean,
        "within": within_facts(args, answer, met=not beyond),
        "beyond": beyond,
        "nodes": strategy.nodes,
        "digest": strategy.digest,
        "file": path,
    }


def within_facts(args: argparse.Namespace, answer: Answer, met: bool) -> dict[str, Any]:
    """The limit. That it is met is proved by playing; that it cannot be met, by the search."""
    excluded = answer.proved or (args.objective == "losses" and bool(answer.lower_bound))
    return {
        "limit": answer.within,
        "met": met,
        "method": "beam" if args.width else "exact",
        "proved": met or excluded,
    }


def text_of(args: argparse.Namespace, answer: Answer, report: dict[str, Any]) -> str:
    """What a person reads."""
    limit = "no limit" if answer.within is None else f"within {answer.within}"
    mode = ", hard mode" if args.hard else ""
    if answer.tree is None:
        what = "from any first guess" if args.start == "auto" else f"from {args.start.upper()}"
        return f"proved: {limit} is impossible {what}{mode}"
    lines = [
        f"objective {args.objective}, {limit}{mode}: {counted(report['secrets'], 'secret')} "
        f"({report['secrets_name']}), "
        f"{counted(report['guesses'], 'guess', 'guesses')} of {report['list']}"
        + (" (only secrets guessed)" if args.guess_from == "secrets" else ""),
        *_losses(args, answer, report),
        *_result(args, answer, report),
        "",
        f"every secret played; {counted(report['nodes'], 'node')}, digest {report['digest']}",
        f"written to {report['file']}",
    ]
    return "\n".join(lines)


def _losses(args: argparse.Namespace, answer: Answer, report: dict[str, Any]) -> list[str]:
    """How many secrets lie beyond the limit, which, and whether it must be so."""
    beyond = report["beyond"]
    if not beyond:
        return []
    label = ""
    if args.objective == "losses":
        least = len(beyond) if answer.proved else answer.lower_bound
        known = least == len(beyond)
        label = " (proved: no fewer)" if known else f" (bound: at least {least} must be)"
    return [f"beyond the limit: {len(beyond)}: {' '.join(beyond)}{label}"]


def _result(args: argparse.Namespace, answer: Answer, report: dict[str, Any]) -> list[str]:
    """What the search found, and which of it is proved."""
    label = "proved" if answer.proved else "bound"
    start = report["start"] if isinstance(report["start"], str) else "+".join(report["start"])
    total = f"total {report['total']:,}, mean {report['mean']:.4f}"
    if args.objective == "worst":
        why = "no fewer will do" if answer.proved else "fewer may do"
        least = answer.openers[0].exact
        how = f"least after {start.upper()}" if least else "not made least"
        return [f"worst {report['worst']} ({label}: {why}); {total} ({how})"]
    result = f"{total}, worst {report['worst']} ({label})"
    if answer.proved:
        return [result, "", _table(answer)]
    if args.objective == "total":
        result += f"; no strategy takes fewer than {answer.lower_bound:,}"
    return [f"{start.upper()}: {result}"]


def _table(answer: Answer) -> str:
    """The best openers, and how the others are excluded."""
    shown = [opener for opener in answer.openers if opener.exact]
    rows = [(opener.word, f"{opener.total:,}", opener.losses or "", "exact") for opener in shown]
    others = [opener for opener in answer.openers if not opener.exact]
    text = render.table(("opener", "total", "losses", ""), rows)
    if others:
        least = min(others, key=lambda opener: (opener.losses, opener.total))
        what = f"{least.total:,}" if least.losses == 0 else f"{least.losses} beyond the limit"
        text += f"\n{len(others):,} other first guesses: at least {what}"
    return text
