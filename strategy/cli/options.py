"""What commands share of their options: how they are added, and the game that they describe."""

from __future__ import annotations

import dataclasses
import inspect
import re
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import OutputError
from ..files.text import is_word, plain, printable, quoted
from . import output
from .commands import EXIT_CODES
from .option_table import LIMIT_OR_NONE, MARKS, OPTIONS, USUAL, or_word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.game.game import Game

    from ..sweep import runners
    from ..toolbox.guesses import HowToFind


class Action(NamedTuple):
    """A command, or an action of one; the docstring of ``run`` is its help."""

    about: str
    configure: Callable[[ArgumentParser], None]
    #: Returns the exit code, or nothing where all is well.
    run: Callable[[Namespace], int | None]
    #: Whether its result is also a table; None: it has output options of its own.
    csv_table: bool | None = False

    def add_to(self, parser: ArgumentParser) -> None:
        """Add its help, its arguments, and the options of its output where it has none of its own.

        The help is its docstring, the examples first; the exit codes stand last.
        """
        about, found, examples = (inspect.getdoc(self.run) or "").rpartition("\n\nExamples: ")
        first = f"Examples: {examples}\n\n" if found else ""
        parser.description, parser.epilog = first + (about if found else examples), EXIT_CODES
        self.configure(parser)
        if self.csv_table is not None:
            add_output_options(parser, csv_table=self.csv_table)


def add_actions(parser: ArgumentParser, actions: dict[str, Action], required: bool = True) -> None:
    """Add a parser for each action of a command."""
    parsers = parser.add_subparsers(
        dest="action", required=required, metavar="|".join(actions), title="actions"
    )
    before = {it.dest for it in parser._actions}
    for name, action in actions.items():
        own = parsers.add_parser(name, help=action.about, formatter_class=parser.formatter_class)
        action.add_to(own)
        for option in own._actions:  # what stands before the action holds if nothing follows it
            if option.dest in before:
                option.default = SUPPRESS


def add(group: Any, *names: str, **own: Any) -> None:
    """Add options of the table to a parser, or to a group of one, with what is its ``own``.

    The help ends with what holds without the option, unless the sentence says that itself.
    """
    for name in names:
        given = OPTIONS[name] | own
        typed = given.pop("typed", name).split()
        if isinstance(given.get("choices"), str):
            from solver import choices

            given["choices"] = getattr(choices, given["choices"])
        if given.get("default") is ...:
            given["default"] = given["choices"][0]
        about, default = given["help"], given.get("default")
        is_shown = isinstance(default, str | float | int) and default not in ("", SUPPRESS)
        if is_shown and not isinstance(default, bool) and not about.endswith(")"):
            about = f"{about} ({default})"
        given["help"] = about.replace("{choices}", ", ".join(map(str, given.get("choices") or ())))
        group.add_argument(*typed, **given)


def add_game_options(
    parser: ArgumentParser, secrets: str = "answers", advice: bool = False, used: bool = False
) -> None:
    """Add ``--list``, ``--secrets``, ``--game``, where wanted ``--used``: which game it is.

    With ``advice`` the default is the list of today's puzzle, for whatever advises a player.
    """
    from solver.words import lists

    list_name = lists.ADVICE_LIST if advice else lists.DEFAULT_LIST
    group = parser.add_argument_group("game")
    names = f"{', '.join(lists.NAMED_LISTS)}, a list kept by 'knuthle lists', or a file"
    about = f"the guesses: {names} (default: {list_name})"
    add(group, "--list", default=list_name, help=about)
    about = f"the words that may be hidden (default: {secrets})"
    add(group, "--secrets", default=secrets, help=about)
    add(group, "--game", *["--used"] * used)


def asked(function: Callable[..., Any], args: Namespace, **own: Any) -> dict[str, Any]:
    """The keywords of a function of the library: options have their names, but for its ``own``."""
    taken = inspect.signature(function).parameters.values()
    keywords = {it.name for it in taken if it.kind is it.KEYWORD_ONLY}
    return {name: value for name, value in vars(args).items() if name in keywords} | own


def refuse(given: Mapping[str, object], why: str) -> None:
    """Refuse the first of these options that is given, since it has no meaning here."""
    for name, value in given.items():
        if value:
            raise OutputError(f"--{name.replace('_', '-')} {why}")


def complete_game(args: Namespace, usual_list: str | None = None) -> None:
    """Fill in what is left open of the game of somebody who plays: by default Wordle of today."""
    from solver.words.lists import ADVICE_LIST

    usual = {"list_name": usual_list or ADVICE_LIST, "secrets": "answers", "game": "wordle"}
    vars(args).update({name: it for name, it in usual.items() if getattr(args, name) is None})


def game_from(args: Namespace, *words: str) -> Game:
    """The game that the options describe, in which all these words may be guessed.

    Long words are noted among what was asked for.
    """
    from solver.errors import WrongInputError
    from solver.game.load import load_game, used_words, without_used

    from ..errors import BadFileError

    remark, past, args.past = output.remarks(args.quiet), None, None
    if getattr(args, "used", None) is not None:
        from ..play.weights import used_from

        try:
            past = used_from(args.used, remark)
        except (WrongInputError, BadFileError) as error:
            where = "; clues stand before --used" if is_word(args.used) else ""
            raise WrongInputError(f"--used: {error}{where}") from None
    game = load_game(args.list_name, args.secrets, args.game, remark)
    if past is not None and past.exclude:
        game = without_used(game, past.past, remark)
    elif past is not None:
        used_words(game, past.past, remark)
        remark(past.sentence(game))
        args.past = past
    for word in words:
        game.guess_id(word)
    if game.n_scores > 256:  # more than a byte holds: words of six letters
        from ..toolbox.machine_code import LONG

        output.asked = {*output.asked, LONG}
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


def weighted_from(args: Namespace, *words: str) -> Weighted:
    """The game that the options describe, with its weights: by ``--weights``, by ``--used``."""
    game, past = game_from(args, *words), args.past
    none = {"count": len(game.secrets), "n_left_out": 0, "n_no_secrets": 0}
    facts: dict[str, Any] = {"used": past.public(game), "weights": none} if past else {}
    if getattr(args, "weights", None) is None:
        return Weighted(game, past and past.weights(game), (), facts)
    from ..play.weights import weighted_game

    found = weighted_game(game, args.weights)
    weights = found.weights * past.weights(found.game) if past else found.weights
    facts["weights"] = found.public()
    return Weighted(found.game, weights, [found.about()], facts, False)


def add_requirement_options(parser: ArgumentParser) -> None:
    """Add ``--list``, ``--secrets``, ``--game``, ``--hard``: what a strategy must keep to."""
    from ..foreign.reference_lists import NAMED

    group = parser.add_argument_group("what the strategy must keep to")
    names = f"{', '.join(NAMED)}, a list kept by 'knuthle lists', or a file"
    add(group, "--words", help=f"the guesses: {names} (default: found out from the strategy)")
    add(group, "--secrets", help="the words that may be hidden (default: found out, or answers)")
    add(group, "--game", default="", help="the rule of grading (default: found out)")
    add(group, "--hard", help="it must follow hard mode")


def add_start_option(parser: Any, auto: str) -> None:
    """Add ``--start``: the first guesses, and which one ``auto`` is."""
    add(parser, "--start", help=f"{OPTIONS['--start']['help']}; auto: {auto}")


def first_guesses(args: Namespace, game: Game) -> tuple[str, ...]:
    """The words of ``--start``, none for ``auto``.

    Those of the settings hold only for lists that have them; a line says where they do not.
    """
    from ..solving.checks import fixed_guesses, start_words

    words = {plain(word) for word in start_words(args.start)}
    if "start" in args.from_settings and (strange := words - {*game.guesses}):
        why = f"{quoted(min(strange))} is no word of {printable(game.list_name)}"
        if not args.quiet:
            file = "('knuthle settings' shows the file)"
            output.say(f"the opener of the settings is not used: {why} {file}")
        return ()
    return fixed_guesses(game, args.start)


def how_from(args: Namespace, game: Game, **own: Any) -> HowToFind:
    """How the options want guesses to be chosen; ``own`` are values that they do not have."""
    from ..toolbox.guesses import HowToFind

    named = {it.name for it in dataclasses.fields(HowToFind)}
    given = {name: value for name, value in vars(args).items() if name in named}
    return HowToFind(**given | {"start": first_guesses(args, game)} | own)


def add_state_argument(parser: ArgumentParser, example: str, more: str = "") -> None:
    """Add ``STATE…``: words and scores; a score such as ``-yg--`` is no option."""
    from solver.game.wordle import SCORE_MARKS

    about = f"clues, such as {example}: {MARKS}{more}"
    parser.add_argument("state", metavar="STATE", nargs="*", help=about)
    # what argparse takes for a negative number, if it is no option, is an argument
    marks = re.escape("".join(sorted(SCORE_MARKS)))
    parser._negative_number_matcher = re.compile(rf"-(\d+$|[{marks}]+($|[.,:;/|]))")


def add_choice_options(parser: ArgumentParser, *more: str) -> None:
    """Add ``--rule``, ``--guess-from``, ``--hard``: how a guess is chosen."""
    from solver.choices import RULES

    group = parser.add_argument_group("choice of guesses")
    add(group, "--rule", choices=(*RULES, *more))
    add(group, "--guess-from", "--hard")


def add_output_options(parser: ArgumentParser, *more: str, csv_table: bool = False) -> None:
    """Add ``--json``, ``--csv`` where there is a table, ``--force``, ``--quiet``, and ``more``."""
    group = parser.add_argument_group("output")
    add(group, "--json", *["--csv"] * csv_table, "--force", "--quiet", *more)


def add_within_option(group: Any, about: str) -> None:
    """Add ``--within``: the guesses that a game allows."""
    kind = or_word(USUAL, USUAL, LIMIT_OR_NONE)
    about += " (6; 7, 9, 13 on 2, 4, 8 boards, else 5 more than there are boards; none in "
    add(group, "--within", type=kind, default=USUAL, help=f"{about}Mastermind)")


def add_dask_options(parser: ArgumentParser) -> None:
    """Add ``--dask`` and what TLS takes: workers of other machines."""
    group = parser.add_argument_group("many machines")
    add(group, "--dask", "--dask-ca", "--dask-cert", "--dask-key")


def dask_place_from(args: Namespace) -> runners.DaskPlace | None:
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
