"""The command ``review``: finished games graded guess by guess, as tables and JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import WrongInputError
from solver.words.text import plain

from ..columns import Column, names, records
from ..files.text import capitals, counted, printable, read_lines
from . import options, output, tables

if TYPE_CHECKING:
    from solver.game.game import Game

    from ..play.review import Diary, GradedGuess, GridReview, Review

_TIME_LIMIT = 10.0


def configure_review(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``review``: the game, how it is looked at."""
    options.add_state_argument(parser, "crane bybbg")
    parser.add_argument("--secret", metavar="WORD", help="the word that was hidden")
    parser.add_argument("--games", metavar="FILE|-", help="review many games, a line each")
    parser.add_argument(
        "--exact", action="store_true", help="search the first guess to the end too (minutes)"
    )
    parser.add_argument(
        "--time-limit",
        type=options.seconds,
        metavar="S",
        help=f"search each guess for at most S seconds, then give an upper limit "
        f"({_TIME_LIMIT:g}; --exact: none)",
    )
    parser.add_argument("--hard", action="store_true", help="the game was played in hard mode")
    parser.add_argument(
        "--allow-unknown", action="store_true", help="accept words that are not on the list"
    )
    options.add_game_options(parser, advice=True)
    options.add(parser, "--weights")
    options.add_output_options(parser, csv_table=True)


def run_review(args: argparse.Namespace) -> int:
    """Grade a finished game, guess by guess: skill, luck, and better words.

    "expected" is the average number of guesses from this one on, itself included,
    over the answers that were possible before it, with best play and without a
    limit. The skill of a guess is 100 if no word has a smaller "expected", and one
    less for each hundredth of a guess. Luck is how much more the reply helped than
    expected: in bits, and in guesses.

    With up to 512 possible answers the figures are exact. Other guesses, such as
    the first, get an upper limit, marked by ≤, from a strategy that was found
    quickly; --exact searches to the end, however long it takes.

    If no answer of the list fits the colours, all allowed words count as possible,
    and the review says so. For a share grid alone (⬛🟨🟩) it counts the words that
    fit each row. --games reads many games, one per line, and gives mean skill and
    luck.

    Examples: knuthle review crane.bybbb.sloth.bbbbb.ruddy.ggggg
              knuthle review crane sloth ruddy --secret ruddy
    """
    from ..play import review

    output.check_outputs(args, inputs=[args.games])
    text = " ".join(args.state)
    if args.games and (text or args.secret):
        raise WrongInputError("--games has the games: no other can be given, nor --secret")
    weighted = options.weighted_from(args)
    game, weights = weighted.game, weighted.weights
    lines = _game_lines(args.games) if args.games else []
    if args.allow_unknown:
        for line in [*lines, f"{args.secret or ''} {text}"]:
            game, new = review.with_unknown(game, line)
            if new and not args.quiet:
                name = printable(game.list_name)
                output.say(f"not in {name}, taken as allowed: {' '.join(new)}")
    output.say_when_compiling(args.quiet)
    if not lines and (scores := review.read_grid(game, text)) is not None:
        grid = review.review_grid(game, scores, args.secret, weights)
        report = _grid_report(args, grid, weighted)
    else:
        history = None if args.games else review.read_game(game, text, args.secret)
        limit = args.time_limit or (None if args.exact else _TIME_LIMIT)
        reviewer = review.Reviewer(
            game, hard=args.hard, weights=weights, exact=args.exact, time_limit=limit
        )
        if history is None:
            report = _diary_report(game, review.review_lines(reviewer, lines, args.games), weighted)
        else:
            found = reviewer.review(history, args.secret)
            report = _review_report(args, game, found, weighted)
    about = [*map(tables.prose, weighted.about), ""] if weighted.about else []
    output.emit(args, "\n".join([*about, report.text]), report.facts, report.table, game)
    return 0


def _game_lines(name: str) -> list[str]:
    return sys.stdin.read().splitlines() if name == "-" else read_lines(name)


# ---- What is printed


class _Report(NamedTuple):
    """A review as text, as JSON, and as a table of CSV."""

    text: str
    facts: dict[str, Any]
    table: tuple[Sequence[str], Sequence[dict[str, Any]]]


_SKILL_AND_LUCK = (
    Column("skill", "skill", ".1f"),
    Column("luck", "luck in bits", "+.2f"),
    Column("luck_guesses", "in guesses", "+.2f"),
)
#: Columns that a narrow terminal does without, the first one first.
_REVIEW_SPARE = ("luck in bits", "in guesses", "before", "after")


def _review_report(
    args: argparse.Namespace, game: Game, found: Review, weighted: options.Weighted
) -> _Report:
    """A game: a row a guess, better words, the sentence."""
    columns = _guess_columns(game)
    rows = records(columns, found.guesses)
    facts = {
        "state": found.state,
        "solved": found.solved,
        "widened": found.widened,
        "remaining": len(found.secrets),
        "hard": args.hard,
        **weighted.facts,
        "guesses": rows,
        "skill": found.skill,
        "luck": found.luck,
        "luck_guesses": found.luck_guesses,
        "sentence": found.sentence,
    }
    return _Report(_review_text(game, found, columns), facts, (names(columns), rows))


def _review_text(game: Game, found: Review, columns: Sequence[Column]) -> str:
    lines = []
    if found.widened:
        lines.append(
            tables.prose(
                f"the words that are usually hidden do not fit: "
                f"all {len(game.guesses):,} allowed words are taken for secrets"
            )
        )
    lines.append(tables.table_of(columns, found.guesses, spare=_REVIEW_SPARE))
    if any(not guess.exact for guess in found.guesses):
        lines.append(tables.prose("≤ by a strategy found quickly; --exact searches to the end"))
    lines += ["", *(_better_text(guess) for guess in found.guesses if guess.better)]
    if not found.solved:
        some = tables.some_of(found.secrets, 20)
        lines.append(tables.prose(f"{counted(len(found.secrets), 'secret')} left: {some}"))
    return "\n".join([*lines, _totals_text(found), tables.prose(found.sentence)])


def _guess_columns(game: Game) -> Sequence[Column]:
    """The columns of a game's guesses; a bound has a sign before it."""

    def bound(name: str) -> Callable[[GradedGuess], str]:
        return lambda guess: f"{'' if guess.exact else '≤'}{getattr(guess, name):.3f}"

    return (
        Column("word", "guess"),
        Column("score"),
        Column("text", "score", value=lambda guess: game.format_score(guess.score)),
        Column("before", "before", ",d"),
        Column("after", "after", ",d"),
        Column("expected", "expected", bound("expected")),
        Column("best", "best word"),
        Column("best_expected", "its expected", bound("best_expected")),
        *_SKILL_AND_LUCK,
        Column("exact"),
        Column("better", value=lambda guess: [better.word for better in guess.better]),
        Column("better_expected", value=lambda guess: [it.expected for it in guess.better]),
    )


def _better_text(guess: GradedGuess) -> str:
    """The words that were to be preferred."""
    bound = "" if guess.exact else "≤"
    some = ", ".join(f"{capitals(word)} {bound}{value:.3f}" for word, value in guess.better)
    return tables.prose(f"better than {capitals(guess.word)} {bound}{guess.expected:.3f}: {some}")


def _diary_report(game: Game, diary: Diary, weighted: options.Weighted) -> _Report:
    """Several games: a row a game, and the means."""

    def guesses(found: Review) -> str:
        return f"{len(found.guesses)}{'' if found.solved else ' unsolved'}"

    columns = (
        Column("text", "game", value=lambda found: game.format_state(found.state)),
        Column("n_guesses", "guesses", guesses, lambda found: len(found.guesses)),
        Column("solved"),
        *_SKILL_AND_LUCK,
        Column("sentence"),
    )
    rows = records(columns, diary.reviews)
    facts = {
        **weighted.facts,
        "games": rows,
        "n_games": len(rows),
        "skill": diary.skill,
        "luck": diary.luck,
        "luck_guesses": diary.luck_guesses,
    }
    table = tables.table_of(columns, diary.reviews, short={"game": 30}, spare=("luck in bits",))
    means = f"{counted(len(rows), 'game')}, on average: {_totals_text(diary)}"
    return _Report(f"{table}\n\n{means}", facts, (names(columns), rows))


def _grid_report(args: argparse.Namespace, grid: GridReview, weighted: options.Weighted) -> _Report:
    """A share grid: how many words fit each row."""
    if args.hard and "hard" not in args.from_settings:
        raise WrongInputError("a grid shows no words, so that nobody can say if it kept to --hard")
    rows = [vars(row) for row in grid.rows]
    facts = {**weighted.facts, "remaining": grid.n_secrets, "rows": rows}
    if args.secret is None:
        each = counted(grid.n_secrets, "secret")
        title = tables.prose(f"{each} of {grid.n_of:,} can have such a grid; words that fit:")
        heading, more = "for any of them", [Column("mean", "for each, on average", ",.1f")]
    else:
        title = f"Words that fit if {plain(args.secret)} is hidden:"
        heading, more = "words", []
    columns = (Column("text", "row"), Column("n_words", heading, ",d"), *more)
    text = f"{title}\n\n{tables.table_of(columns, grid.rows)}"
    return _Report(text, facts, (list(rows[0]), rows))


def _totals_text(found: Review | Diary) -> str:
    bits, guesses = f"{found.luck:+.2f} bits", f"{found.luck_guesses:+.2f} guesses"
    return f"skill {found.skill:.1f}, luck {bits}, {guesses}"
