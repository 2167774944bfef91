"""The provably best strategy: over all first guesses, or after given ones.

Objective total: the fewest guesses over all secrets; worst: the smallest number of guesses that
always suffices; losses: the fewest secrets beyond the limit, then the fewest guesses.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import container
from ..errors import OutputError
from . import common, render

if TYPE_CHECKING:
    from solver.exact.api import Answer
    from solver.exact.openers import Openers, Problem
    from solver.game import Game

    from ..tree import Strategy

HELP = "the provably best strategy, or the best next guess of a state"
LIMIT = 6
OBJECTIVES = ("total", "worst", "losses")
_SHOWN = 10


def configure(parser: argparse.ArgumentParser) -> None:
    """All options of the command."""
    parser.add_argument(
        "--start",
        metavar="WORD[,WORD…]|auto",
        default="auto",
        help="the first guesses, whatever the replies; auto: the best one, with proof (auto)",
    )
    common.add_game_options(parser)
    group = parser.add_argument_group("what is best")
    group.add_argument(
        "--objective", choices=OBJECTIVES, default="total", help="what is made least (total)"
    )
    group.add_argument(
        "--within",
        type=limit_from,
        metavar="K|none",
        default=LIMIT,
        help=f"no secret may take more guesses; none lifts the limit ({LIMIT})",
    )
    group.add_argument("--hard", action="store_true", help="hard mode")
    group.add_argument(
        "--state", metavar="STATE", help="the best next guesses after WORD.SCORE.WORD.SCORE…"
    )
    group.add_argument(
        "--top",
        type=common.at_least_one,
        metavar="N",
        default=1,
        help="make the N best first guesses exact; the others are only excluded (1)",
    )
    group = parser.add_argument_group("work")
    common.add_workers_option(parser)
    common.add_time_limit_option(group)
    group.add_argument(
        "--resume", metavar="FILE", help="continue from FILE; an interrupted run leaves it there"
    )
    common.add_output_options(parser, csv_table=True)
    parser.add_argument(
        "--proof", metavar="FILE", help="write a proof that check-proof can check (takes minutes)"
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="the strategy file (default: START-LIST-SECRETS-optimal.strategy in this directory)",
    )


def limit_from(text: str) -> int | None:
    """An argparse type: a whole number from 1, or ``none``."""
    return None if text == "none" else common.at_least_one(text)


def run(args: argparse.Namespace) -> int:
    """Search, verify, write, report."""
    common.check_outputs(args, args.resume, args.proof)
    container.check_target(args.resume)
    container.check_target(args.proof)
    if args.proof and (args.state or "," in args.start or args.game != "wordle"):
        raise OutputError("--proof goes with no --start or with one word of Wordle, no --state")
    if args.out == "-":
        raise OutputError("a strategy file is not text; --out names a file, export prints text")
    game = common.game_from(args)
    common.say_when_compiling(args.quiet)
    if args.state:
        return _best_next(args, game)
    from solver.exact.openers import Openers, Problem, time_limit

    problem = Problem(game, args.hard, args.within, losses=args.objective == "losses")
    state = Openers(args.top, problem.ceiling)
    if args.resume:
        from ..exact import take_up

        take_up(args.resume, problem, state)
    try:
        with _Bar(args.quiet) as bar:
            answer = _search(args, problem, state, bar, time_limit(args.time_limit))
    except BaseException:
        _leave(args, problem, state)
        raise
    return _report(args, game, answer)


def _search(
    args: argparse.Namespace, problem: Problem, state: Openers, bar: _Bar, check_time: Any
) -> Answer:
    """The answer to what the options ask."""
    from solver.exact import api
    from solver.pool import available_cores

    words = common.starts_from(args.start, problem.game)
    start = () if words == ("auto",) else words
    if problem.game.spec != "wordle":
        from solver.exact.pegs import best_pegs

        return best_pegs(problem, start, args.objective, check_time)
    if args.objective == "worst":
        return api.least_limit(problem, start, bar, check_time)
    workers = args.workers or available_cores()
    return api.best_strategy(problem, start, args.top, workers, state, bar, check_time)


def _report(args: argparse.Namespace, game: Game, answer: Answer) -> int:
    """Write the strategy, print the result; the exit code."""
    report = _facts(args, game, answer)
    strategy = None
    if answer.tree is not None:
        strategy = _strategy(args, game, answer)
        path = args.out or strategy.origin.file_name
        strategy.save(path)
        report |= _facts_of_strategy(strategy, path)
        if args.resume:
            Path(args.resume).unlink(missing_ok=True)
    rows = [
        (opener["word"], opener["total"], opener["bound"], opener["losses"])
        for opener in report["openers"]
    ]
    if args.proof and answer.proved:
        _prove(args, game, answer, strategy)
    table = (("word", "total", "bound", "losses"), rows)
    common.emit(args, _text(args, answer, report), report, table)
    return 0 if answer.tree is not None else 1


def _prove(args: argparse.Namespace, game: Game, answer: Answer, strategy: Strategy | None) -> None:
    """Write down why no strategy does better."""
    from ..proofs import file
    from ..proofs.oracle import prove_optimal

    start = "" if args.start == "auto" else common.starts_from(args.start, game)[0]
    proof = prove_optimal(game, args.objective, answer.within, args.hard, strategy, start)
    file.save(proof, args.proof)


def _strategy(args: argparse.Namespace, game: Game, answer: Answer) -> Strategy:
    from ..exact import Asked, strategy_of

    words = common.starts_from(args.start, game)
    start = () if words == ("auto",) else words
    strategy, _ = strategy_of(game, Asked(args.objective, answer.within, args.hard), answer, start)
    return strategy


def _facts(args: argparse.Namespace, game: Game, answer: Answer) -> dict[str, Any]:
    """The JSON object, without what only a strategy has."""
    return {
        "list": game.list_name,
        "game": game.spec,
        "guesses": len(game.guesses),
        "secrets": len(game.secrets),
        "secrets_name": game.secrets_name,
        "rule": "optimal",
        "hard": args.hard,
        "objective": args.objective,
        "proved": answer.proved,
        "lower_bound": answer.lower_bound,
        "within": {
            "limit": answer.within,
            "met": answer.tree is not None,
            "method": "exact",
            "proved": answer.proved,
        },
        "openers": [
            {
                "word": opener.word,
                "total": opener.total if opener.exact and args.objective != "worst" else None,
                "bound": None if opener.exact else opener.total,
                "losses": opener.losses,
                "exact": opener.exact,
            }
            for opener in answer.openers
        ],
    }


def _facts_of_strategy(strategy: Strategy, path: str) -> dict[str, Any]:
    """What the JSON object says about the strategy."""
    origin = strategy.origin
    limit = origin.claim["within"]
    beyond = strategy.beyond(limit) if limit is not None else []
    return {
        "start": origin.start[0] if len(origin.start) == 1 else list(origin.start),
        "histogram": strategy.histogram,
        "worst": strategy.worst,
        "total": strategy.total,
        "mean": strategy.mean,
        "beyond": beyond,
        "nodes": strategy.nodes,
        "digest": strategy.digest,
        "file": path,
        "within": {
            "limit": limit,
            "met": not beyond,
            "method": "exact",
            "proved": origin.claim["proved"],
        },
    }


def _text(args: argparse.Namespace, answer: Answer, report: dict[str, Any]) -> str:
    """What a person reads."""
    label = "proved" if answer.proved else "bound"
    limit = "no limit" if answer.within is None else f"within {answer.within}"
    mode = ", hard mode" if args.hard else ""
    if answer.tree is None:
        what = "from any first guess" if args.start == "auto" else f"from {args.start.upper()}"
        return f"proved: {limit} is impossible {what}{mode}"
    lines = [
        f"objective {args.objective}, {limit}{mode}: {report['secrets']:,} secrets "
        f"({report['secrets_name']}), {report['guesses']:,} guesses of {report['list']}",
        *_result(args, answer, report, label),
        "",
        f"every secret played; {report['nodes']:,} nodes, digest {report['digest']}",
        f"written to {report['file']}",
    ]
    if report["beyond"]:
        lines.insert(2, f"beyond the limit: {len(report['beyond'])}: {' '.join(report['beyond'])}")
    return "\n".join(lines)


def _result(
    args: argparse.Namespace, answer: Answer, report: dict[str, Any], label: str
) -> list[str]:
    """What the search found, and which of it is proved."""
    total = f"total {report['total']:,}, mean {report['mean']:.4f}"
    if args.objective == "worst":  # among the strategies that meet it, the first that was found
        return [f"worst {report['worst']} ({label}: no fewer will do); {total} (not made least)"]
    return [f"{total}, worst {report['worst']} ({label})", "", _table(answer)]


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


def _best_next(args: argparse.Namespace, game: Game) -> int:
    """The best next guesses of a state."""
    from solver.exact.api import best_next

    from ..exact import candidates_after

    history = game.parse_state(args.state)
    candidates = candidates_after(game, history)
    if len(candidates) == 0:
        raise OutputError(f"no secret fits the state {args.state!r}")
    left = None if args.within is None else args.within - len(history)
    if left is not None and left < 1:
        raise OutputError(f"{len(history)} guesses are made and {args.within} are allowed")
    ids = [(game.guess_id(word), score) for word, score in history]
    found = best_next(game, candidates, left, args.hard, ids, args.top)
    count = len(candidates)
    report = {
        "state": game.format_state(history),
        "candidates": count,
        "guesses_left": left,
        "hard": args.hard,
        "proved": True,
        "best": [
            {
                "word": opener.word,
                "total": opener.total,
                "mean": opener.total / count,
                "losses": opener.losses,
            }
            for opener in found
        ],
    }
    rows = [(o.word, f"{o.total:,}", f"{o.total / count:.4f}", o.losses) for o in found]
    head = ("guess", "total", "mean", "losses")
    noun = "candidate" if count == 1 else "candidates"
    text = f"{count:,} {noun}; best next guesses, exact:\n{render.table(head, rows)}"
    common.emit(args, text, report, (head, rows))
    return 0


def _leave(args: argparse.Namespace, problem: Problem, state: Openers) -> None:
    """What an unfinished search leaves behind: its findings, and the best strategy so far."""
    from solver.exact.api import concluded
    from solver.exact.openers import Workbench

    if args.resume:
        from ..exact import lay_aside

        lay_aside(args.resume, problem, state)
    if state.best is None or args.objective == "worst":
        return
    answer = concluded(Workbench(problem), state, proved=False)
    strategy = _strategy(args, problem.game, answer)
    strategy.save(args.out or strategy.origin.file_name)


class _Bar:
    """How far the proof is: openers excluded or exact, still open, the best total so far."""

    def __init__(self, quiet: bool) -> None:
        self._progress = common.Progress(quiet)
        self._seen = 0

    def __call__(self, state: Openers, count: int) -> None:
        """Show what is known now."""
        settled = sum(1 for bound, exact in state.found.values() if exact or bound > state.limit)
        best = "none yet" if state.best is None else f"{state.best % (1 << 32):,}"
        self._progress(f"first guesses excluded, best {best}", settled - self._seen, count)
        self._seen = settled

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.close()
