"""The commands ``settings`` and ``compile``, and what settings mean for those that read them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Set

from solver.errors import WrongInputError

from ..files.text import printable
from ..toolbox import machine_code, user_settings
from . import options, output, tables
from .interrupts import call_every
from .progress import Compiling

#: What each setting is.
_MEANINGS = {
    "list": "the word list, by its name or its file",
    "hard": "hard mode: yes or no",
    "opener": "the first guess of play and solve",
    "colours": "auto, always, never or colourblind",
    "strategy": "the strategy file of play and solve",
}
#: Options that say which words are played with, or how: with one of them a strategy of the
#: settings is not asked.
_AGAINST_STRATEGY = frozenset(
    "list_name secrets game games boards by rule start weights guess_from".split()
)


def _configure_settings(parser: ArgumentParser) -> None:
    about = "; ".join([*map(": ".join, _MEANINGS.items()), "NAME= takes a setting away"])
    parser.add_argument("changes", metavar="NAME=VALUE", nargs="*", help=about)


def run_settings(args: Namespace) -> None:
    """Show or change what holds where no option says otherwise.

    Settings are kept in a small file; the last line names it.

    Only play, game, suggest, solve and review read it. An option always wins, and
    --no-hard is against hard mode in the settings; with --list, --game and other
    options that choose the words or the guesses, the strategy is not asked.
    The variable KNUTHLE_SETTINGS names another file; empty, it means no settings.

    Examples: knuthle settings
              knuthle settings list=nyt-2022 hard=yes opener=crane
              knuthle settings hard=
    """
    settings = user_settings.read_settings()
    path = user_settings.settings_path()
    changes: dict[str, str] = {}
    for text in args.changes:
        name, equals, value = text.partition("=")
        if not equals:
            raise WrongInputError(f"write NAME=VALUE, such as list=nyt-2022, not {printable(text)}")
        if name in changes:
            raise WrongInputError(f"{name} is set twice")
        changes[name] = value.strip()
    if changes:
        settings = user_settings.changed_settings(settings, changes)
        path = user_settings.write_settings(settings)
    where = printable(path) if path else "none: KNUTHLE_SETTINGS is empty"
    result = {"file": None if path is None else str(path), "settings": vars(settings)}
    texts, kept = {True: "yes", False: "no", None: "–"}, vars(settings).items()
    rows = [(name, printable(texts.get(it, it)), _MEANINGS[name]) for name, it in kept]
    table = tables.table(("setting", "value", "meaning"), rows, flow=True)
    output.emit(args, f"{table}\n\nfile {where}", result)


def apply_settings(args: Namespace, given: Set[str]) -> None:
    """Let the settings hold where no option was given; ``given`` are the options with a value."""
    if args.no_hard and args.hard:
        raise WrongInputError("--hard and --no-hard: only one of them can be meant")
    args.from_settings, args.usual_list = (), None
    if getattr(args, "protocol", False):  # a referee says what is played
        return
    wanted = _wanted(args, user_settings.read_settings(), given)
    for name, value in wanted.items():
        if name in ("list_name", "strategy"):  # nobody has typed it: the file is named
            key = name.removesuffix("_name")
            where = f"{user_settings.settings_path()}: {key}: "
            user_settings.check_there(key, str(value), where)
        setattr(args, name, value)
    args.from_settings = tuple(wanted)


def _wanted(
    args: Namespace, settings: user_settings.UserSettings, given: Set[str]
) -> dict[str, object]:
    """Options that follow from the settings: such as the command has, and none that is given."""
    wanted: dict[str, object] = {}
    if settings.colours and "colours" not in given:
        wanted["colours"] = settings.colours
    if "game" in given and not str(args.game).startswith("wordle"):
        return wanted
    if settings.list and "list_name" not in given:
        wanted["list_name"] = settings.list
    if settings.hard and not (args.hard or args.no_hard) and getattr(args, "boards", 1) == 1:
        wanted["hard"] = True
    if settings.opener and "start" in args and not {"start", "strategy"} & given:
        wanted["start"] = settings.opener
    if settings.strategy and "strategy" in args and not given & {"strategy", *_AGAINST_STRATEGY}:
        wanted["strategy"] = settings.strategy
        wanted.pop("start", None)
        args.usual_list = wanted.pop("list_name", None)  # the strategy knows its own
    return wanted


#: Seconds after which a line says how far it is, where there is no bar.
_INTERVAL = 10.0


def _configure_compile(parser: ArgumentParser) -> None:
    known = machine_code.commands_with_kernels()
    about = f"for these alone: {', '.join(known)}"
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help=about)
    options.add(parser, "--clear", "--workers")


def run_compile(args: Namespace) -> None:
    """Compile beforehand all that commands need, with any option, on all cores.

    The first run of a command compiles what it needs and keeps it in a folder of
    this user (where NUMBA_CACHE_DIR or XDG_CACHE_HOME says, else
    ~/.cache/knuthle; if none can be written, a temporary one). After this command
    the first run of each command starts at once, too. A wheel for
    Linux on x86-64 or 64-bit ARM may be compiled already; then nothing is left
    to do.

    Examples: knuthle compile
              knuthle compile solve-all suggest
              knuthle compile --clear
    """
    commands = machine_code.wanted_commands(args.commands)
    made = whole = removed = 0
    if args.clear:
        from solver.machine.cache import clear

        removed = clear()
        text = f"removed {removed} compiled kernels"
    else:
        say, notice = None if args.quiet else output.say, machine_code.notice
        compiling = Compiling(say, lambda _: notice(kernels=compiling.whole // 2), typed=False)
        with compiling, call_every(_INTERVAL, compiling.say_how_far):
            made, whole = machine_code.compile_for(commands, args.workers, compiling.next_of)
        text = f"{made} kernels compiled, {whole - made} were there"
    output.emit(args, text, {"n_compiled": made, "n_kernels": whole, "n_removed": removed})
