"""Options that the commands share, so that a flag means the same everywhere."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..files.names import shown
from ..files.origin import GUESS_POOLS
from . import output

if TYPE_CHECKING:
    from solver.game.game import Game

    from ..play.weights import WeightedGame


#: How a reply is written, on every help page that takes one.
MARKS = "b grey (or x, -), y yellow (or p), g green (or o)"
#: The limit that a game has unless told otherwise.
USUAL = "usual"


def version() -> str:
    """The name and version that ``--version`` prints."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return f"knuthle {installed('knuthle')}"
    except PackageNotFoundError:
        return "knuthle (not installed)"


def add_game_options(
    parser: argparse.ArgumentParser, secrets: str = "answers", list_name: str = "original"
) -> None:
    """Add ``--list``, ``--secrets``, ``--game``: which game it is."""
    from solver.game import words

    group = parser.add_argument_group("game")
    group.add_argument(
        "--list",
        dest="list_name",
        metavar="NAME|FILE",
        default=list_name,
        help=f"the guesses: {', '.join(words.NAMED_LISTS)}, a list kept by 'knuthle lists', or "
        f"a file (default: {list_name})",
    )
    group.add_argument(
        "--secrets",
        metavar="allowed|answers|FILE",
        default=secrets,
        help=f"the words that may be hidden (default: {secrets})",
    )
    group.add_argument(
        "--game",
        metavar="wordle|mastermind:HxC[:distinct]",
        default="wordle",
        help="the rule of grading (default: wordle)",
    )


def game_from(args: argparse.Namespace) -> Game:
    """The game that the options ask for."""
    from solver.game.load import load_game
    from solver.game.words import ignore_remarks

    told = ignore_remarks if args.quiet else lambda sentence: output.say(shown(sentence))
    return load_game(args.list_name, args.secrets, args.game, told)


def add_weights_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--weights``: how likely each secret is."""
    parser.add_argument(
        "--weights",
        metavar="FILE",
        help="how likely each secret is, a line 'word weight'; words not named are no secrets",
    )


def weighted_from(args: argparse.Namespace) -> tuple[Game, WeightedGame | None]:
    """The game that the options ask for, with the secrets of ``--weights`` alone."""
    game = game_from(args)
    if args.weights is None:
        return game, None
    from ..play.weights import weighted_game

    weighted = weighted_game(game, args.weights)
    return weighted.game, weighted


def public_weights(weighted: WeightedGame | None) -> dict[str, Any]:
    """What JSON says of ``--weights``; nothing without."""
    return {"weights": weighted.public()} if weighted else {}


def add_judged_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--list``, ``--secrets``, ``--game``, ``--hard``: what a strategy is held to."""
    from ..checkers.judged_lists import NAMED

    group = parser.add_argument_group("what it is held to")
    group.add_argument(
        "--list",
        "--words",
        dest="list_name",
        metavar="NAME|FILE",
        help=f"the guesses: {', '.join(NAMED)}, a list that is kept, or a file (default: found out "
        "from the file)",
    )
    group.add_argument(
        "--secrets",
        metavar="allowed|answers|FILE",
        help="the words that may be hidden (default: found out, or answers)",
    )
    group.add_argument(
        "--game",
        default="",
        metavar="wordle|mastermind:HxC[:distinct]",
        help="the rule of grading (default: found out)",
    )
    group.add_argument("--hard", action="store_true", help="demand that it keeps to hard mode")


def held_to(args: argparse.Namespace) -> dict[str, Any]:
    """From the options of ``add_judged_options``: what a strategy's file is held to."""
    asked = {"words": args.list_name, "secrets": args.secrets, "game": args.game}
    return asked | {"hard": args.hard}


def check_words(game: Game, *words: str) -> None:
    """Refuse words in options and arguments that may not be guessed, before any heavy import."""
    for word in words:
        game.guess_id(word)


def starts_from(text: str, game: Game) -> tuple[str, ...]:
    """The words of ``--start``, or ``("auto",)``."""
    if text == "auto":
        return ("auto",)
    return tuple(game.guesses[game.guess_id(word.strip())] for word in text.split(","))


def add_state_argument(parser: argparse.ArgumentParser, example: str) -> None:
    """Add ``STATE…``: words and scores; a score such as ``-yg--`` is no option."""
    from solver.game.grading import SCORE_MARKS

    parser.add_argument("state", metavar="STATE", nargs="*", help=f"{example}: {MARKS}")
    # what argparse takes for a negative number, if it is no option, is an argument
    marks = re.escape("".join(sorted(SCORE_MARKS)))
    parser._negative_number_matcher = re.compile(rf"-(\d+$|[{marks}]+($|[.,:;/|]))")


def add_choice_options(parser: argparse.ArgumentParser, *more: str) -> None:
    """Add ``--rule``, ``--guess-from``, ``--hard``: how a guess is chosen."""
    from solver.choices import RULES

    group = parser.add_argument_group("choice of guesses")
    group.add_argument(
        "--rule",
        choices=(*RULES, *more),
        default=RULES[0],
        help=f"how the next guess is chosen ({RULES[0]})",
    )
    add_pool_options(group)


def add_pool_options(group: Any) -> None:
    """Add ``--guess-from`` and ``--hard``: which words may be guessed."""
    group.add_argument(
        "--guess-from",
        choices=GUESS_POOLS,
        default=GUESS_POOLS[0],
        help="guess any allowed word, only secrets, or only what is still possible (allowed)",
    )
    group.add_argument(
        "--hard",
        action="store_true",
        help="hard mode: greens stay in place, yellows are used again",
    )


def add_top_option(
    parser: argparse.ArgumentParser,
    default: int,
    noun: str = "N",
    least: Callable[[str], int] | None = None,
) -> None:
    """Add ``--top``: how many of the best are shown."""
    parser.add_argument(
        "--top",
        type=least or at_least_zero,
        default=default,
        metavar="N",
        help=f"the best {noun} ({default})",
    )


def add_bottom_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--bottom``: how many of the worst are shown besides."""
    parser.add_argument(
        "--bottom", type=at_least_zero, default=0, metavar="N", help="and the worst N (0)"
    )


def add_output_options(parser: argparse.ArgumentParser, csv_table: bool = False) -> None:
    """Add ``--json``, ``--csv`` where there is a table, ``--quiet``."""
    group = parser.add_argument_group("output")
    group.add_argument("--json", metavar="FILE|-", help="write the result as one JSON object")
    if csv_table:
        group.add_argument("--csv", metavar="FILE|-", help="write the table as CSV")
    add_force_option(group)
    group.add_argument("--quiet", action="store_true", help="print nothing but errors")


def add_force_option(group: Any) -> None:
    """Add ``--force``: replace a file that holds something else than is to be written."""
    group.add_argument(
        "--force", action="store_true", help="replace a file even if it holds something else"
    )


def add_workers_option(parser: argparse.ArgumentParser, default: str = "all cores") -> None:
    """Add ``--workers``: how many processes do the work."""
    parser.add_argument(
        "--workers",
        type=at_least_one,
        metavar="N",
        help=f"processes to share the work (default: {default}; 1: none but this one)",
    )


def add_measure_option(group: Any) -> None:
    """Add ``--by``: the measure that next guesses are ranked by."""
    from solver.choices import MEASURES

    group.add_argument(
        "--by",
        choices=MEASURES,
        help="the measure (exact guesses where they are known, else entropy)",
    )


def add_within_option(group: Any, about: str) -> None:
    """Add ``--within``: the guesses that a game allows."""
    group.add_argument(
        "--within",
        type=_limit_or_usual,
        default=USUAL,
        metavar="K|none",
        help=f"{about} (6; 7, 9, 13 on 2, 4, 8 boards; none in Mastermind)",
    )


def _limit_or_usual(text: str) -> int | str | None:
    return USUAL if text == USUAL else limit_from(text)


def add_boards_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--boards``: how many words are guessed at once."""
    parser.add_argument(
        "--boards",
        type=at_least_one,
        default=1,
        metavar="N",
        help="boards that share their guesses, such as 2, 4 or 8 (1)",
    )


def add_time_limit_option(group: Any, then: str = "exit 3, no file") -> None:
    """Add ``--time-limit``, and what follows if it is reached."""
    group.add_argument(
        "--time-limit", type=seconds, metavar="S", help=f"give up after S seconds: {then}"
    )


def seconds(text: str) -> float:
    """The seconds of an option, as an argparse type: more than none and less than for ever."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds") from None
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no time to wait")
    return number


def at_least_one(text: str) -> int:
    """The whole number of an option, from 1, as an argparse type."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small: at least 1")
    return number


def at_least_zero(text: str) -> int:
    """The whole number of an option, from 0, as an argparse type."""
    return 0 if text.strip() == "0" else at_least_one(text)


def limit_from(text: str) -> int | None:
    """The limit of an option, as an argparse type: a whole number from 1, or ``none``."""
    return None if text == "none" else at_least_one(text)
