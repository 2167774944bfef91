"""The command ``optimal``: the best strategy, the best next guesses of a state, a shortest win."""

from __future__ import annotations

import contextlib
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from solver.choices import LIMIT
from solver.machine.clock import Interrupted, OutOfTimeError

from ..columns import Column, attributes, names, records
from ..errors import OutputError, UnfinishedError
from ..files.output import Kind, bound_name, check_target
from ..files.strategy_file import Origin
from ..files.text import capitals, counted, printable
from . import options, output, tables
from .interrupts import interrupt_came, interrupt_set_aside, reporting_what_is_known
from .option_table import COUNT
from .solve_all import check_out, report_of, rounded, second_lines, weight_facts

if TYPE_CHECKING:
    from solver.game.game import Game

    from ..solving.optimal import NextGuesses, Optimal
    from ..solving.shortest_win import ShortestWin


def _configure_optimal(parser: ArgumentParser) -> None:
    options.add_start_option(parser, "the best one, with proof")
    options.add_game_options(parser, used=True)
    group = parser.add_argument_group("what is best")
    options.add(group, "--objective", "--then", "--opponent")
    options.add(group, "--within", default=LIMIT)
    options.add(group, "--guess-from", "--hard")
    options.add(parser, "--weights")
    options.add(group, "--state")
    about = "find the N best first guesses exactly"
    options.add(group, "--top", **COUNT, default=1, help=about)
    group = parser.add_argument_group("work")
    options.add(parser, "--workers")
    about = "give up after S seconds: exit 3, and the best so far is a bound, in a file whose name "
    about += "ends in -bound.strategy; so it is after Ctrl-C; compiling does not count"
    options.add(group, "--time-limit", help=about)
    options.add(group, "--width", "--resume", "--recheck")
    options.add_dask_options(parser)
    options.add(parser, "--proof")
    about = "the strategy file (default: START-LIST-SECRETS-optimal.strategy in this directory); "
    about += "a search that is broken off adds -bound to the name"
    options.add(parser, "--out", help=about)


def run_optimal(args: Namespace) -> int | None:
    """The provably best strategy, over all first guesses or after given ones.

    --objective says what is best. total: the fewest guesses, summed over all
    secrets; worst: the smallest number of guesses that always suffices; losses:
    the fewest secrets that take more guesses than --within allows, then the fewest
    guesses. Every result says whether it is proved or a bound. With --weights the
    total is the sum of weight times guesses.

    --then chooses among all strategies that are equally good; with --objective
    losses it comes after the total.

    --opponent adversary is Absurdle, with words or codes of Mastermind. A win is
    one sequence of guesses.

    After --time-limit, Ctrl-C or SIGTERM it tells the best strategy so far and a
    bound that no strategy is better than, and writes that strategy to a file whose
    name ends in -bound.strategy: it never takes the place of a proved one, nor of
    a better bound that an earlier search has left there.

    Examples: knuthle optimal --start salet
              knuthle optimal --state crane.bybbg
    """
    if args.opponent == "adversary":
        return _run_adversary(args)
    if args.out not in (None, "-"):
        check_target(bound_name(args.out), Kind.STRATEGY, force=args.force)
    options.dask_place_from(args)
    if args.state is not None:
        given = {"start": args.start != "auto", "objective": args.objective == "worst"}
        why = "is about whole strategies; it does not go with --state"
        options.refuse(given | _of_strategies(args), why)
    if args.proof == "-":
        raise OutputError("a proof is not text; --proof names a file")
    weighted = options.weighted_from(args)
    game = weighted.game
    if args.state is not None:
        from ..solving.optimal import next_words

        history, report = game.parse_state(args.state), partial(_report_state, args, game)
        with reporting_what_is_known(report), output.at_work(args.quiet):
            best = next_words(game, history, **options.asked(next_words, args))
        report(best)
        return None
    check_out(args, weighted, "optimal")
    keeper = _Keeper(args)
    try:
        found = _searched(args, weighted, keeper)
    except (Exception, KeyboardInterrupt) as error:
        raise _unfinished(args, weighted, keeper, error) from None
    return _report_optimal(args, weighted, found, keeper)


@dataclass
class _Keeper:
    """Saves the strategy before anything else is written; ``path`` is where it is then.

    A better bound stays that an earlier search has left there.
    """

    args: Namespace
    path: str | None = None

    def __call__(self, found: Optimal) -> None:
        from ..solving.optimal import better_bound

        if found.strategy is None:
            return
        path, kept = self.args.out or found.strategy.origin.file_name, None
        if found.broken_off and not found.settled:
            path = bound_name(path)
            kept = better_bound(found, path, any_start=self.args.start == "auto")
        if kept is None:
            found.strategy.save(path, force=self.args.force)
            self.path = path
            return
        why = "stays as it is: an earlier search has left a better bound there"
        least = kept.origin.claim.get("lower_bound")
        known = f", lower bound {least:,}" if isinstance(least, int) else ""
        output.say(f"{printable(path)} {why} (total {kept.total:,}, worst {kept.worst}{known})")


def _of_strategies(args: Namespace) -> dict[str, object]:
    """The options that are about whole strategies alone, and whether each is given."""
    weighs = args.weights is not None or (args.used or "exclude").partition(":")[0] != "exclude"
    return attributes(args, "out proof resume recheck width dask") | {"weights": weighs}


def _searched(args: Namespace, weighted: options.Weighted, keeper: _Keeper) -> Optimal:
    from ..solving.optimal import optimal

    game, place = weighted.game, options.dask_place_from(args)
    with contextlib.ExitStack() as after:
        progress = after.enter_context(output.at_work(args.quiet))
        asked = options.asked(optimal, args, weights=weighted.weights, keep=keeper)
        if place is not None:
            from ..solving import checks, search
            from ..sweep import runners, work

            wanted = (args.objective, args.within, args.hard, args.guess_from)
            start = checks.fixed_guesses(game, args.start)
            question = search.Question(game, start, *wanted, width=args.width)
            question.check_shared()
            runner = after.enter_context(runners.by_dask(place))
            asked["helpers"] = work.OptimalHelpers(runner, question, args.time_limit)
        found = optimal(game, **asked, progress=progress)
    if interrupt_came():
        raise Interrupted(found)
    return found


def _unfinished(
    args: Namespace, weighted: options.Weighted, keeper: _Keeper, error: BaseException
) -> BaseException:
    """Report what was found all the same; the error to end with."""
    best = getattr(error, "best", None)
    if best is not None and isinstance(error, KeyboardInterrupt | OutOfTimeError | UnfinishedError):
        try:
            with interrupt_set_aside():
                _report_optimal(args, weighted, best, keeper)
        except UnfinishedError as failure:
            output.say(printable(failure))
        if isinstance(error, OutOfTimeError) and not best.settled:
            error.args = (f"{error}; what is reported is a bound",)
        elif args.proof and best.proved and not best.proof_written:
            output.say("no proof written: the search for it was broken off")
    elif keeper.path is not None:
        what = "the strategy that was found without them"
        output.say(f"{what}, is written to {printable(keeper.path)}")
    elif isinstance(error, KeyboardInterrupt | OutOfTimeError):
        output.say("nothing is known yet, no strategy file written")
    return error


def _report_optimal(
    args: Namespace, weighted: options.Weighted, found: Optimal, keeper: _Keeper
) -> int:
    from ..solving.checks import fixed_guesses

    if args.proof and not found.proved:
        output.say("no proof written: the result is a bound")
    elif args.proof and found.outcome.limit == 1 and not found.proof_written:
        output.say(f"one guess is the least there is; {printable(args.proof)} is not written")
    game, strategy = weighted.game, found.strategy
    pool, start = attributes(args, "guess_from hard"), fixed_guesses(game, args.start)
    origin = Origin.of(game, "optimal", start, **pool) if strategy is None else strategy.origin
    report = report_of(origin, strategy, found.outcome, keeper.path) | {
        "objective": args.objective,
        **attributes(found, "proved lower_bound"),
        **({"then": found.then and found.then.facts()} if args.then else {}),
        "relying_on": found.findings and found.findings.facts(),
        "openers": records(_OPENER_COLUMNS, found.first_guesses),
        "seconds": rounded(found.seconds),
        **weight_facts(weighted, strategy),
    }
    text = _optimal_text(args, found, report, weighted.about)
    if found.proof_written:
        text += f"\nproof written to {printable(args.proof)}"
    table = (names(_OPENER_COLUMNS), "openers")
    output.emit(args, text, report, table, game if strategy is None else None)
    return 0 if strategy is not None else 1


_OPENER = Column("word", "opener", value=lambda opener: "+".join(opener.words))
#: First guesses; people see the exact ones alone.
_OPENER_COLUMNS = (
    _OPENER,
    Column("total", "total", ",d", lambda opener: opener.total if opener.exact else None),
    Column("bound", value=lambda opener: None if opener.exact else opener.total),
    Column("n_beyond", "losses", lambda opener: f"{opener.losses or ''}", attrgetter("losses")),
    Column("proved", "", lambda opener: "exact", attrgetter("exact")),
)


def _optimal_text(
    args: Namespace, found: Optimal, report: dict[str, Any], about: Sequence[str]
) -> str:
    limit = "no limit" if found.outcome.limit is None else f"within {found.outcome.limit}"
    mode = ", hard mode" if args.hard else ""
    if found.strategy is None:
        what = "from any first guess" if args.start == "auto" else f"from {capitals(args.start)}"
        return f"proved{_reliance(found)}: {limit} is impossible {what}{mode}"
    pool = f" (only {args.guess_from} guessed)" if args.guess_from != "allowed" else ""
    beyond, n_lost = [], len(report["beyond"])
    if n_lost:  # how many secrets lie beyond the limit, which, and whether it must be so
        known = found.proved or found.lower_bound == n_lost
        why = "proved: no fewer" if known else f"bound: at least {found.lower_bound} must be"
        label = f" ({why})" if args.objective == "losses" else ""
        beyond = [f"beyond the limit: {n_lost}: {' '.join(report['beyond'])}{label}"]
    secrets = f"{counted(report['n_secrets'], 'secret')} ({printable(report['secrets_name'])})"
    guesses = f"{counted(report['n_guesses'], 'guess', 'guesses')} of {printable(report['list'])}"
    lines = [
        f"objective {args.objective}, {limit}{mode}: {secrets}, {guesses}{pool}",
        *about,
        *beyond,
        *_result(args, found, report),
        *second_lines(report.get("then")),
        "",
        f"every secret played; {counted(report['n_nodes'], 'node')}, digest {report['digest']}",
        f"written to {printable(report['file'])}" if report["file"] else "no strategy file written",
    ]
    return "\n".join(lines)


def _result(args: Namespace, found: Optimal, report: dict[str, Any]) -> list[str]:
    """What the search found, and which of it is proved."""
    label = ("proved" if found.proved else "bound") + _reliance(found)
    start = "+".join(report["start"])
    total = f"total {report['total']:,}, mean {report['mean']:.4f}"
    if args.objective == "worst":
        why = "fewer are impossible" if found.proved else "fewer may suffice"
        least = found.first_guesses[0].exact
        how = f"least after {capitals(start)}" if least else "not minimal"
        bound = "" if found.proved else f"; no strategy has a worst below {found.lower_bound}"
        return [f"worst {report['worst']} ({label}: {why}); {total} ({how}){bound}"]
    result = f"{total}, worst {report['worst']} ({label})"
    if found.proved:  # the best openers, and how the others are excluded
        exact = [opener for opener in found.first_guesses if opener.exact]
        others = [opener for opener in found.first_guesses if not opener.exact]
        lines = [result, "", tables.table_of(_OPENER_COLUMNS, exact)]
        if others:
            first = min(others, key=attrgetter("losses", "total"))
            what = f"{first.losses} beyond the limit" if first.losses else f"{first.total:,}"
            lines.append(f"{len(others):,} other first guesses: at least {what}")
        return lines
    if args.objective == "total":
        result += f"; no strategy takes fewer than {found.lower_bound:,}"
    return [f"{capitals(start)}: {result}"]


def _reliance(found: Optimal) -> str:
    """What a result that rests on the findings of an earlier search has to add."""
    return "" if found.findings is None else f", {found.findings.reliance}"


#: So many of the words that share the last place are shown: candidates, then common words.
_TIED = 10


def _report_state(args: Namespace, game: Game, found: NextGuesses) -> None:
    from solver.advice.suggest import candidates_after, common_words

    count = found.candidates
    columns = [
        Column("word", "guess"),
        Column("total", "total", ",d"),
        Column("mean", "mean", ".4f", lambda guess: guess.total / count),
        Column("n_beyond", "losses", value=attrgetter("losses")),
    ]
    report = {
        "state": found.history,
        "remaining": count,
        "n_guesses_left": found.guesses_left,
        **attributes(args, "hard guess_from"),
        "proved": found.proved,
        "n_beyond_bound": found.least_losses,
    }
    if args.then:
        columns.append(Column("then", args.then, ",d"))
        # without a value where the search was broken off
        second = None if found.solved else {"objective": args.then, "value": None, "proved": False}
        report["then"] = found.then.facts() if found.then else second
    report["suggestions"] = records(columns, found.words)
    if found.solved:
        text = f"solved: {found.history[-1][0]}"
    else:
        heading = "the best next guesses found: a bound, others may be better "
        heading += f"(no word loses fewer than {found.least_losses})"
        if found.proved:
            then = f", then by {found.then.objective}" if found.then else ""
            heading = f"best next guesses, exact{then}"
        candidates = {game.secrets[at] for at in candidates_after(game, found.history)}
        common = {game.guesses[at] for at in common_words(game)}
        # a few of the words that share the last place: candidates first, then common words
        value = attrgetter("total", "losses", "then")
        tied = [guess for guess in found.words if value(guess) == value(found.words[-1])]
        tied.sort(key=lambda guess: (guess.word not in candidates, guess.word not in common))
        before = found.words[: len(found.words) - len(tied)]
        few = max(_TIED, args.top - len(before))
        best = tables.table_of(columns, [*before, *tied[:few]])
        text = f"{counted(count, 'candidate')}; {heading}:\n{best}"
        if len(tied) > few:
            text += f"\nand {len(tied) - few:,} more as good as the last"
    output.emit(args, text, report, (names(columns), "suggestions"), game)


#: So many openers are printed; ``--json`` and ``--csv`` have all.
_SHOWN_OPENERS = 40
_LEFT, _SEQUENCES = Column("n_left", "left", ",d"), Column("n_sequences", "sequences", ",d")
_WIN_COLUMNS = (_OPENER, _LEFT, _SEQUENCES)


def _run_adversary(args: Namespace) -> int:
    given = {"objective": args.objective != "total", "then": args.then}
    given |= {"state": args.state is not None, "top": args.top != 1}
    why = "is about strategies; a win against the adversary is one sequence of guesses"
    options.refuse(given | _of_strategies(args), why)
    game = options.game_from(args)
    from ..solving.shortest_win import shortest_win

    report = partial(_report_win, args, game)
    with reporting_what_is_known(report), output.at_work(args.quiet) as progress:
        found = shortest_win(game, **options.asked(shortest_win, args, progress=progress))
    report(found)
    return 0 if found.sequence is not None else 1


def _report_win(args: Namespace, game: Game, found: ShortestWin) -> None:
    from ..solving.checks import fixed_guesses

    # people read a score as letters or pegs, programs as its number
    score = Column("score", "score", lambda step: game.format_score(step.score))
    step_columns = (Column("word", "guess"), score, _LEFT)
    report = {
        "opponent": args.opponent,
        "game": game.spec,
        "list": game.list_name,
        "n_guesses": len(game.guesses),
        "secrets_name": game.secrets_name,
        "n_secrets": len(game.secrets),
        "start": list(fixed_guesses(game, args.start)),
        **attributes(args, "guess_from hard"),
        "within": found.outcome.facts(),
        **attributes(found, "length proved lower_bound"),
        "sequence": found.sequence and records(step_columns, found.sequence),
        "openers": records(_WIN_COLUMNS, found.openers),
        "n_undecided": found.n_undecided,
        "seconds": rounded(found.seconds),
    }
    mode = ", hard mode" if args.hard else ""
    pool = f", only {args.guess_from} guessed" if args.guess_from != "allowed" else ""
    about = f"against the adversary{mode}{pool}"
    if found.sequence is None:
        lines = [f"proved: no win within {found.outcome.limit} {about}"]
    else:
        why = f"bound: none is shorter than {found.lower_bound}"
        why = "proved: no win is shorter" if found.proved else why
        many = counted(len(found.sequence), "guess", "guesses")
        table = tables.table_of(step_columns, found.sequence)
        lines = [f"{many} {about} ({why})", "", table]
    if found.sequence and found.proved and (found.openers or found.n_undecided):
        many = counted(len(found.openers), "first guess", "first guesses")
        after = "" if args.start == "auto" else f" after {capitals(printable(args.start))}"
        undecided = f"; {found.n_undecided:,} undecided" if found.n_undecided else ""
        lines += ["", f"{many}{after} can win in {found.lower_bound}{undecided}:"]
        lines.append(tables.table_of(_WIN_COLUMNS, found.openers[:_SHOWN_OPENERS]))
        if more := len(found.openers[_SHOWN_OPENERS:]):
            lines.append(f"and {more:,} more (--json and --csv have all)")
    output.emit(args, "\n".join(lines), report, (names(_WIN_COLUMNS), "openers"), game)
