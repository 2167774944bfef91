"""Options that the commands share, so that an option means the same everywhere."""

from __future__ import annotations

import argparse
import contextlib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import OutputError
from ..files.text import is_word, plain, printable, quoted
from . import output
from .commands import EXIT_CODES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.game.game import Game

    from ..sweep import runners, work

#: How a reply is written, on every help page that takes one.
MARKS = "b grey (or x, -), y yellow (or p), g green (or o)"
#: Which colours are shown; ``auto``: on a terminal, unless NO_COLOR is set.
COLOURS = ("auto", "always", "never", "colourblind")
#: The limit that a game has unless an option says otherwise.
USUAL = "usual"


def help_of(run: Callable[..., int]) -> dict[str, Any]:
    """The help of a command or action: its docstring, its examples first; the exit codes last."""
    about, found, examples = (inspect.getdoc(run) or "").rpartition("\n\nExamples: ")
    first = f"Examples: {examples}\n\n" if found else ""
    return {"description": first + (about if found else examples), "epilog": EXIT_CODES}


def version() -> str:
    """What ``--version`` prints: name and version, and of a checkout the commit."""
    from importlib import metadata

    from . import checkout

    try:
        name, notes = f"knuthle {metadata.version('knuthle')}", [checkout.described()]
    except metadata.PackageNotFoundError:
        name, notes = "knuthle", ["not installed", checkout.described()]
    noted = ", ".join(filter(None, notes))
    return f"{name} ({noted})" if noted else name


#: More than any table has rows, and far from what 64 bits cannot hold.
MOST = 1_000_000_000
#: The highest limit on the guesses of a game; ``solver/choices`` has the same.
_HIGHEST_LIMIT = 1_000_000
#: More worker processes than any machine has cores.
MOST_WORKERS = 1024
#: Three years, and a week: longer than anybody waits for a search, and for one answer.
LONGEST, LONGEST_ANSWER = 100_000_000, 604_800
#: So many characters of a number are shown when it is refused.
_SHOWN = 40


def seconds(text: str, most: int = LONGEST) -> float:
    """The seconds of an option, as an argparse type: more than none and not for ever."""
    shown = printable(text, _SHOWN)
    try:
        number = float(text if _FIGURES.fullmatch(text) else "")
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{shown}' is not a number of seconds") from None
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{shown} is no time to wait")
    if number > most:
        raise argparse.ArgumentTypeError(f"{shown} is too large: at most {most} seconds")
    return number


def seconds_for_an_answer(text: str) -> float:
    """The seconds that an answer may take, as an argparse type."""
    return seconds(text, LONGEST_ANSWER)


def whole(least: int, most: int) -> Callable[[str], int]:
    """An argparse type: a whole number from ``least`` to ``most``, anything else refused."""

    def number_of(text: str) -> int:
        shown = printable(text, _SHOWN)
        if not _WHOLE.fullmatch(text):
            raise argparse.ArgumentTypeError(f"'{shown}' is not a whole number")
        # a number of so many digits is out of range, and Python would not read the longest
        number = int(text) if len(text) <= _SHOWN else most + 1
        if number < least or text.startswith("-"):
            raise argparse.ArgumentTypeError(f"{shown} is too small: at least {least}")
        if number > most:
            raise argparse.ArgumentTypeError(f"{shown} is too large: at most {most}")
        return number

    return number_of


#: What may be a whole number, and any number: no spaces, no +, no figures of other scripts.
_WHOLE, _FIGURES = re.compile("-?[0-9]+"), re.compile("[0-9a-z.-][0-9a-z.+-]*")
#: The whole number of an option, from 1 or from 0, as argparse types.
at_least_one, at_least_zero = whole(1, MOST), whole(0, MOST)
#: What an option takes that is a whole number from 1, such as how many there are; and one from 0.
COUNT: Any = {"type": at_least_one, "metavar": "N"}
_FROM_ZERO: Any = {"type": at_least_zero, "metavar": "N"}
#: A limit on the guesses of a game, and the seed of chance, as argparse types.
highest_guess, seed = whole(1, _HIGHEST_LIMIT), whole(0, 2**63 - 1)
#: The port of a server, as an argparse type.
port = whole(1, 65_535)


def width_from(text: str) -> int | str:
    """The width of a beam, as an argparse type: a whole number from 1, or ``auto``."""
    return text if text == "auto" else at_least_one(text)


def limit_from(text: str) -> int | None:
    """The limit of an option, as an argparse type: a whole number from 1, or ``none``."""
    return None if text == "none" else highest_guess(text)


class Action(NamedTuple):
    """An action of a command; the docstring of ``run`` is its help."""

    about: str
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def add_actions(
    parser: argparse.ArgumentParser, actions: dict[str, Action], required: bool = True
) -> None:
    """Add a parser for each action of a command."""
    parsers = parser.add_subparsers(
        dest="action", required=required, metavar="|".join(actions), title="actions"
    )
    before = {it.dest for it in parser._actions}
    for name, action in actions.items():
        about, form = help_of(action.run), parser.formatter_class
        own = parsers.add_parser(name, help=action.about, formatter_class=form, **about)
        action.configure(own)
        for option in own._actions:  # what stands before the action holds if nothing follows it
            if option.dest in before:
                option.default = argparse.SUPPRESS


#: Options that mean the same everywhere and need nothing from who has them.
_SHARED: dict[str, dict[str, Any]] = {
    "--weights": {
        "metavar": "FILE",
        "help": "how likely each answer is, one line 'word weight' each; other words cannot "
        "be the answer",
    },
    "--then": {
        "metavar": "worst|most-within:K|fewest-of:K",
        "help": "among equal totals: the least worst case, the most secrets within K guesses, or "
        "the fewest that take exactly K",
    },
    "--used": {
        "nargs": "?",
        "const": "weigh",
        "metavar": "[exclude:]FILE|NAME",
        "help": "past answers are less likely, as measured: the newspaper's, or those of a file or "
        "kept list; 'exclude' alone, or before one as exclude:FILE, leaves them out",
    },
    "--hard": {
        "action": "store_true",
        "help": "hard mode: greens stay in place, yellow letters must be used again",
    },
    "--common": {
        "action": "store_true",
        "help": "prefer common words where they cost at most 0.02 guesses more",
    },
    "--boards": {**COUNT, "default": 1, "help": "boards that share their guesses, 1 to 32 (1)"},
    "--top": _FROM_ZERO,
    "--bottom": {**_FROM_ZERO, "default": 0, "help": "and the worst N (0)"},
    "--within": {
        "type": limit_from,
        "metavar": "K|none",
        "help": "no secret may take more guesses; none lifts the limit (6)",
    },
    "--time-limit": {
        "type": seconds,
        "metavar": "S",
        "help": "give up after S seconds: exit 3, no file",
    },
    "--seed": {"type": seed, "metavar": "N"},
    "--workers": {
        "type": whole(1, MOST_WORKERS),
        "metavar": "N",
        "help": "processes that share the work (default: all cores)",
    },
    "--list": {"dest": "list_name", "metavar": "NAME|FILE"},
    "--secrets": {"metavar": "allowed|answers|FILE"},
    "--game": {"metavar": "wordle|mastermind:HxC[:distinct]"},
    "--colours": {
        "choices": COLOURS,
        "default": COLOURS[0],
        "help": "colours in a terminal: auto, always, never, or colourblind, which has blue "
        "and orange for yellow and green (auto)",
    },
    "--json": {"metavar": "FILE|-", "help": "write the result as one JSON object"},
    "--csv": {"metavar": "FILE|-", "help": "write the table as CSV"},
    "--force": {"action": "store_true", "help": "replace a file even if it holds something else"},
    "--quiet": {"action": "store_true", "help": "print nothing but errors"},
    "--dask": {
        "metavar": "tcp://HOST:PORT",
        "help": "let the workers of this Dask scheduler do it",
    },
    "--dask-ca": {"metavar": "FILE", "help": "TLS: certificate of the authority"},
    "--dask-cert": {"metavar": "FILE", "help": "TLS: certificate of this machine"},
    "--dask-key": {"metavar": "FILE", "help": "TLS: the key to that certificate"},
    "--out": {"metavar": "FILE"},
    "--words": {"dest": "list_name", "metavar": "NAME|FILE"},
}
#: Options that can be written in another way too.
_OTHER_NAMES = {"--out": ("-o", "--out"), "--words": ("--list", "--words")}


def add(group: Any, *names: str, **own: Any) -> None:
    """Add options of these names to a parser, or to a group of one, with what is its ``own``."""
    for name in names:
        group.add_argument(*_OTHER_NAMES.get(name, (name,)), **(_SHARED[name] | own))


def add_game_options(
    parser: argparse.ArgumentParser,
    secrets: str = "answers",
    advice: bool = False,
    used: bool = False,
) -> None:
    """Add ``--list``, ``--secrets``, ``--game``, where wanted ``--used``: which game it is.

    With ``advice`` the default is the list of today's puzzle, for whatever advises a player.
    """
    from solver.words import lists

    list_name = lists.ADVICE_LIST if advice else lists.DEFAULT_LIST
    group = parser.add_argument_group("game")
    add(
        group,
        "--list",
        default=list_name,
        help=f"the guesses: {', '.join(lists.NAMED_LISTS)}, a list kept by 'knuthle lists', or "
        f"a file (default: {list_name})",
    )
    about = f"the words that may be hidden (default: {secrets})"
    add(group, "--secrets", default=secrets, help=about)
    add(group, "--game", default="wordle", help="the rule of grading (default: wordle)")
    if used:
        add(group, "--used")


def refuse(given: Mapping[str, object], why: str) -> None:
    """Refuse the first of these options that is given, since it has no meaning here."""
    for option, value in given.items():
        if value:
            raise OutputError(f"{option} {why}")


def complete_game(args: argparse.Namespace, usual_list: str | None = None) -> None:
    """Fill in what is left open of the game of somebody who plays: by default Wordle of today."""
    from solver.words.lists import ADVICE_LIST

    usual = {"list_name": usual_list or ADVICE_LIST, "secrets": "answers", "game": "wordle"}
    for name, value in usual.items():
        if getattr(args, name) is None:
            setattr(args, name, value)


def game_from(args: argparse.Namespace) -> Game:
    """The game that the options describe."""
    from solver.game.load import load_game

    remark = output.remarks(args.quiet)
    args.past = None
    lists = args.list_name, args.secrets, args.game
    if getattr(args, "used", None) is None:
        return load_game(*lists, remark)
    from solver.errors import WrongInputError
    from solver.game.load import used_words, without_used

    from ..play.newspaper import used_from

    try:
        past = used_from(args.used, remark)
    except WrongInputError as error:
        where = "; clues stand before --used" if is_word(args.used) else ""
        raise WrongInputError(f"--used: {error}{where}") from None
    game = load_game(*lists, remark)
    if past.exclude:
        return without_used(game, past.past, remark)
    used_words(game, past.past, remark)
    remark(past.sentence(game))
    args.past = past
    return game


class Weighted(NamedTuple):
    """The game of the options; what follows from ``--weights`` is empty without them."""

    game: Game
    weights: NDArray[np.float64] | None
    #: What people read of the weights, and what JSON says.
    about: Sequence[str]
    facts: dict[str, Any]
    #: Whether other allowed words count where no secret fits: ``--weights`` names all that can be.
    widens: bool = True


def weighs(args: argparse.Namespace) -> bool:
    """Whether the options weigh secrets, before any list is read."""
    how = (getattr(args, "used", None) or "exclude").partition(":")[0]
    return args.weights is not None or how != "exclude"


def weighted_from(args: argparse.Namespace) -> Weighted:
    """The game that the options describe, with its weights: by ``--weights``, by ``--used``."""
    game, past = game_from(args), args.past
    none = {"count": len(game.secrets), "n_left_out": 0, "n_no_secrets": 0}
    facts: dict[str, Any] = {"used": past.public(game), "weights": none} if past else {}
    if getattr(args, "weights", None) is None:
        return Weighted(game, past and past.weights(game), (), facts)
    from ..play.weights import weighted_game

    found = weighted_game(game, args.weights)
    weights = found.weights * past.weights(found.game) if past else found.weights
    facts["weights"] = found.public()
    return Weighted(found.game, weights, [found.about()], facts, False)


def add_requirement_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--list``, ``--secrets``, ``--game``, ``--hard``: what a strategy must keep to."""
    from ..foreign.reference_lists import NAMED

    group = parser.add_argument_group("what the strategy must keep to")
    add(
        group,
        "--words",
        help=f"the guesses: {', '.join(NAMED)}, a list kept by 'knuthle lists', or a file "
        "(default: found out from the strategy)",
    )
    add(group, "--secrets", help="the words that may be hidden (default: found out, or answers)")
    add(group, "--game", default="", help="the rule of grading (default: found out)")
    add(group, "--hard", help="it must follow hard mode")


def requirements(args: argparse.Namespace) -> dict[str, Any]:
    """What the options of ``add_requirement_options`` require of a strategy's file."""
    return {"words": args.list_name, "secrets": args.secrets, "game": args.game, "hard": args.hard}


def check_words(game: Game, *words: str) -> None:
    """Refuse words in options and arguments that may not be guessed, before any heavy import."""
    for word in words:
        game.guess_id(word)


def add_start_option(parser: Any, auto: str) -> None:
    """Add ``--start``: the first guesses, and which one ``auto`` is."""
    parser.add_argument(
        "--start",
        metavar="WORD[,WORD…]|auto",
        default="auto",
        help=f"the first guesses, whatever the replies; auto: {auto} (auto)",
    )


def starts_from(text: str, game: Game) -> tuple[str, ...]:
    """The words of ``--start``, or ``("auto",)``."""
    if text == "auto":
        return ("auto",)
    return tuple(game.guesses[game.guess_id(word.strip())] for word in text.split(","))


def first_guesses(args: argparse.Namespace, game: Game) -> tuple[str, ...]:
    """The words of ``--start``, none for ``auto``.

    Those of the settings hold only for lists that have them; a line says where they do not.
    """
    if "start" in args.from_settings and (strange := {*_words(args.start)} - {*game.guesses}):
        if not args.quiet:
            output.say(
                f"the opener of the settings is not used: {quoted(min(strange))} is no word of "
                f"{printable(game.list_name)} ('knuthle settings' shows the file)"
            )
        return ()
    start = starts_from(args.start, game)
    return () if start == ("auto",) else start


def _words(text: str) -> list[str]:
    return [plain(word.strip()) for word in text.split(",")]


def add_state_argument(parser: argparse.ArgumentParser, example: str, more: str = "") -> None:
    """Add ``STATE…``: words and scores; a score such as ``-yg--`` is no option."""
    from solver.game.wordle import SCORE_MARKS

    parser.add_argument(
        "state", metavar="STATE", nargs="*", help=f"clues, such as {example}: {MARKS}{more}"
    )
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
        metavar="RULE",
        help=f"how the next guess is chosen: {', '.join((*RULES, *more))} ({RULES[0]})",
    )
    add_pool_options(group)


def add_pool_options(group: Any) -> None:
    """Add ``--guess-from`` and ``--hard``: which words may be guessed."""
    from solver.choices import GUESS_POOLS

    group.add_argument(
        "--guess-from",
        choices=GUESS_POOLS,
        default=GUESS_POOLS[0],
        help="guess any allowed word, only secrets, or only words that are still "
        "possible (allowed)",
    )
    add(group, "--hard")


def add_output_options(parser: argparse.ArgumentParser, csv_table: bool = False) -> None:
    """Add ``--json``, ``--csv`` where there is a table, ``--force``, ``--quiet``."""
    group = parser.add_argument_group("output")
    add(group, "--json", *["--csv"] * csv_table, "--force", "--quiet")


def add_measure_option(group: Any) -> None:
    """Add ``--by``: the measure that next guesses are ranked by."""
    from solver.choices import MEASURES

    group.add_argument(
        "--by",
        choices=MEASURES,
        metavar="MEASURE",
        help=f"{', '.join(MEASURES)} (exact guesses if they are known, else entropy)",
    )


def add_within_option(group: Any, about: str) -> None:
    """Add ``--within``: the guesses that a game allows."""
    add(
        group,
        "--within",
        type=lambda text: USUAL if text == USUAL else limit_from(text),
        default=USUAL,
        help=f"{about} (6; 7, 9, 13 on 2, 4, 8 boards, else 5 more than there are boards; none in "
        "Mastermind)",
    )


def add_dask_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--dask`` and what TLS takes: workers of other machines."""
    group = parser.add_argument_group("many machines")
    add(group, "--dask", "--dask-ca", "--dask-cert", "--dask-key")


def dask_place_from(args: argparse.Namespace) -> runners.DaskPlace | None:
    """Where ``--dask`` says that the Dask scheduler is; None if it is not given."""
    from solver.errors import WrongInputError

    files = (args.dask_ca, args.dask_cert, args.dask_key)
    if args.dask is None:
        if any(files):
            raise WrongInputError("--dask-ca, --dask-cert and --dask-key are for --dask, not given")
        return None
    if args.workers:
        raise WrongInputError("--workers is for processes of this machine, --dask has its own")
    from ..sweep import runners

    place = runners.DaskPlace(args.dask, *files)
    runners.require_distributed()
    return place


def dask_helpers_from(
    args: argparse.Namespace, game: Game, after: contextlib.ExitStack
) -> work.OptimalHelpers | None:
    """The workers that ``--dask`` names as helpers of ``optimal``, until ``after`` is closed."""
    place = dask_place_from(args)
    if place is None:
        return None
    from ..solving import checks, search
    from ..sweep import runners, work

    wanted = (args.objective, args.within, args.hard, args.guess_from)
    start = checks.fixed_guesses(game, starts_from(args.start, game))
    question = search.Question(game, start, *wanted, width=args.width)
    question.check_shared()
    runner = after.enter_context(runners.by_dask(place))
    return work.OptimalHelpers(runner, question, args.time_limit)
