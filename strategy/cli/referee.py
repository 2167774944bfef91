"""The commands ``referee`` and ``mcp``: programs play, and language models ask, over their pipes.

A tool of ``mcp`` is a function of the library; its answers are objects with the names of results.
"""

from __future__ import annotations

import json
import math
from argparse import REMAINDER, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from operator import attrgetter
from statistics import fmean
from threading import Lock
from typing import TYPE_CHECKING, Any

from solver.errors import KnuthleError, WrongInputError, imported
from solver.game.wordle import require_hard_mode
from solver.machine.pool import available_cores
from solver.shown import record_of
from solver.words.lists import DEFAULT_LIST, is_named

from ..checkers.lists import GameLists
from ..columns import Column, attributes, names, records
from ..exports import game_facts
from ..files.output import write_whole
from ..files.strategy_file import identity_of
from ..files.text import counted, printable, read_lines
from ..pictures.plot import form_of, regrets_by_guess
from ..play.arena import Contest, PlayedGame, Terms, contest, games_within, sampled
from . import options, output, tables
from .option_table import COUNT, LONGEST_ANSWER, seconds

if TYPE_CHECKING:
    from solver.game.game import Game

    from ..play.trajectories import Judged, Line
    from .progress import Progress

_WORD, _GUESSES = Column("word", value=attrgetter("secret")), Column("guesses")
_TAKEN = Column("n_taken", value=lambda game: len(game.guesses) if game.solved else None)
_GAME_COLUMNS = (_WORD, _TAKEN, _GUESSES)
_FAULT_COLUMNS = (Column("fault"), _WORD, _GUESSES, Column("reason"))


def _configure_referee(parser: ArgumentParser) -> None:
    add = parser.add_argument
    options.add_game_options(parser)
    options.add(parser, "--hard", help="the player must follow hard mode")
    add("--sample", **COUNT, help="play only N of the secrets")
    about = "draw the sample by this number: the same S, the same sample (0)"
    options.add(parser, "--seed", default=0, metavar="S", help=about)
    kind = partial(seconds, most=LONGEST_ANSWER)
    about = "seconds for an answer (10; 120 until it is ready)"
    add("--timeout", type=kind, default=10.0, metavar="S", help=about)
    add("--stop-after", **COUNT, default=20, help="end a game after N guesses (20)")
    about = "players that are built in instead of a program, compared by their regret: random, "
    about += "consistent, optimal, or a measure, whose first choice is guessed"
    add("--player", metavar="NAME[,NAME…]", help=about)
    add("--record", metavar="FILE.jsonl", help="write every game with the regret of each guess")
    add("--check", metavar="FILE.jsonl", help="play recorded games again, and compare all of it")
    options.add(parser, "--plot", help="draw the regret by guess")
    options.add(parser, "--workers")
    add("command", nargs=REMAINDER, metavar="-- COMMAND …", help="the program that plays")


def run_referee(args: Namespace) -> int:
    """Let any program play, over its stdin and stdout, and count its guesses.

    The program answers each line with a line (docs/referee.md has the protocol on
    half a page, and players in Python, C and JavaScript). Every secret is played,
    or a sample; several processes of the program share them. Each game that is not
    won is a fault with a name: unknown word, hard-mode breach, too many guesses,
    gives up; crash, silence, garbage, out of turn. After one of the last four the
    process is stopped and the next game gets a new one; after ten of these the
    rest is not played. Exit 0: all games won; 1: some not; 2: the program does not
    follow the protocol. No shell is used; every process is stopped.

    --record writes the games as lines of JSON, with what each guess costs against
    the best one (see knuthle regret); --check grades and judges them again, and
    draws the secrets again (exit 1 if anything differs). --player plays with what
    is built in: random takes any guess, consistent any answer that fits, optimal a
    best guess, entropy and the other measures what they rank first.

    Examples: knuthle referee --sample 100 -- python3 player.py
              knuthle referee --player random,consistent,entropy --sample 20
              knuthle referee --list nyt-2023 --hard --json - -- ./player words.txt
    """
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if bool(command) + bool(args.player) + bool(args.check) > 1:
        raise WrongInputError("one of them plays: a command after --, --player, --check")
    if args.plot:
        form_of(args.plot)
    lines: list[Line] = []
    if args.check:
        from ..play import trajectories

        lines = trajectories.read_recorded(read_lines(args.check), args.check)
        head = lines[0]  # the options are those that were given then
        args.game, args.hard, args.stop_after = head["game"], head["hard"], head["limit"]
        args.sample, args.seed = head["sample"], head["seed"]
        if is_named(head["list"]) and args.list_name == DEFAULT_LIST:
            args.list_name = head["list"]
    elif not command and not args.player:
        raise WrongInputError("no command to play with; it follows after --")
    game = options.game_from(args)
    secrets = sampled(game.secrets, args.sample, args.seed) if args.sample else game.secrets
    if args.hard:
        require_hard_mode(game)
    limits = (args.hard, args.stop_after, args.timeout)
    terms = Terms(game.spec, frozenset(game.guesses), secrets, *limits)
    about = game_facts(GameLists(**identity_of(game))) | {"n_secrets": len(secrets)}
    about |= {"hard": args.hard, "limit": args.stop_after, **attributes(args, "sample seed")}
    found, players = None, []
    with output.at_work(args.quiet) as progress:
        if command:
            workers = args.workers or available_cores()
            found = contest(command, terms, workers, partial(progress, "playing"))
        if not command or args.record or args.plot:
            program = {found.player or command[0]: found.games} if found else {}
            players = _judged(args, game, terms, about, lines, program, progress)
    facts = about | (_facts(found) | {"command": command} if found else {})
    texts = [_text(found, facts)] if found else []
    failed = any(len(it.taken) < len(secrets) for it in ([found] if found else players))
    if players:
        facts["players"] = records(_PLAYER_COLUMNS, players)
        texts.append(tables.table_of(_PLAYER_COLUMNS, players))
    if lines:
        faults = [*trajectories.differences(lines, players[0].recorded(about))]
        facts["faults"] = [{"line": line, "reason": reason} for line, reason in faults]
        said = [f"{printable(args.check)}:{line}: {reason}" for line, reason in faults]
        good = f"{counted(len(secrets), 'game')}: all of it holds"
        texts.append("\n".join(tables.first_lines(said) or [good]))
        failed = bool(said)
    columns, rows = (_GAME_COLUMNS, "games") if found else (_PLAYER_COLUMNS, "players")
    output.emit(args, "\n\n".join(texts), facts, (names(columns), rows), game)
    return int(failed)


_PLAYER_COLUMNS = (
    Column("player", "player", lambda it: printable(it.player)),
    Column("n_games", value=lambda it: len(it.lines)),
    Column("n_solved", "won", ",d", lambda it: len(it.taken)),
    Column("mean", "mean", ".4f"),
    Column("worst", "worst"),
    *tables.between("regret", heading="regret a game"),
    Column("by_guess"),
)


def _judged(
    args: Namespace, game: Game, terms: Terms, about: Line, recorded: Sequence[Line],
    program: Mapping[str, Iterable[PlayedGame]], progress: Progress,
) -> list[Judged]:  # fmt: skip
    """Judge the games of a program, recorded ones or built-in players'; write and draw them."""
    from ..play.regret import Judge
    from ..play.trajectories import Judged, built_in, judged, replayed

    judge = Judge(game, hard=args.hard, time_limit=math.inf)  # no figure depends on the clock
    played: dict[str, Iterable[PlayedGame]] = {**program}
    if recorded:
        played[recorded[0]["player"]] = games_within(replayed(recorded, game), terms)
    for name in map(str.strip, args.player.split(",") if args.player else ()):
        played[name] = games_within(built_in(name, judge, args.seed), terms)
    if args.record and len(played) > 1:
        raise WrongInputError("--record writes the games of one player")
    found = []
    for name, games in played.items():
        found.append(Judged(name, []))
        for each in games:
            found[-1].lines.append(judged(judge, terms, each))
            progress(f"judging {printable(name)}", 1, len(terms.secrets))
    if args.record:
        text = "".join(f"{json.dumps(it, ensure_ascii=False)}\n" for it in found[0].recorded(about))
        write_whole(args.record, text.encode(), force=args.force)
    if args.plot:
        content = regrets_by_guess({it.player: it.by_guess for it in found}, form_of(args.plot))
        write_whole(args.plot, content, force=args.force)
    return found


def _facts(found: Contest) -> dict[str, Any]:
    """What JSON says of the games of a program."""
    times = [took for game in found.games for took in game.seconds]
    return {
        "player": found.player or None,
        "n_played": len(found.games),
        "n_solved": len(found.taken),
        **attributes(found, "histogram worst total mean"),
        "n_faults": len(found.faults),
        "faults": records(_FAULT_COLUMNS, found.faults),
        "n_restarts": found.n_restarts,
        "games": records(_GAME_COLUMNS, found.games),
        "seconds": {
            "start": round(max(found.starts), 4) if found.starts else None,
            "guess": round(fmean(times), 6) if times else None,
            "slowest": round(max(times), 6) if times else None,
        },
    }


def _text(found: Contest, report: dict[str, Any]) -> str:
    lines = [printable(report["player"])] if report["player"] else []
    lines += [tables.histogram(found.histogram), ""] if found.histogram else []
    guesses = "worst {worst}, total {total:,}, mean {mean:.4f}; {n_solved:,}"
    won = guesses.format_map(report) if report["n_solved"] else "none"
    lines.append(f"{won} of {counted(report['n_played'], 'game')} won")
    seconds = report["seconds"]
    if seconds["guess"] is not None:
        mean, slowest = (f"{1000 * seconds[name]:.3g} ms" for name in ("guess", "slowest"))
        lines.append(f"{mean} a guess, {slowest} the slowest; ready in {seconds['start']:.3g} s")
    faults = []
    for game in found.faults:
        after = f"{game.secret} after {' '.join(game.guesses)}" if game.guesses else game.secret
        faults.append(f"  {game.fault}: {after}: {printable(game.reason)}")
    if faults:
        lines += [f"{counted(len(faults), 'fault')}:", *tables.first_lines(faults)]
    if found.n_left:
        left = counted(found.n_left, "secret")
        lines.append(f"{left} not played: {found.n_restarts} processes had to be replaced")
    return tables.prose("\n".join(lines))


def _configure_mcp(parser: ArgumentParser) -> None:
    options.add_game_options(parser)
    options.add(parser, "--hard", help="hard mode is played")
    options.add(parser, "--quiet")


def run_mcp(args: Namespace) -> None:
    """Answer language models, by the Model Context Protocol on stdin and stdout.

    The tools: grade scores a guess, suggest names the answers that fit and the best
    guesses, regret says what a guess costs against the best one, review grades a
    finished game. All are about the game of the options, and search as the commands
    of these names do. A program that has a model starts the server, and ends it by
    closing its stdin. It needs the package mcp.

    Examples: knuthle mcp
              knuthle mcp --list nyt-2026 --hard
    """
    sdk = imported("mcp.server.mcpserver", "this needs mcp from 2.0 on")
    from mcp.server.mcpserver.exceptions import ToolError

    game, one_by_one = options.game_from(args), Lock()
    text = f"Exact advice on one game: {output.about_list(game)}{', hard mode' * args.hard}."
    server = sdk.MCPServer("knuthle", instructions=text, log_level="WARNING")
    output.say_when_compiling(args.quiet)

    @contextmanager
    def in_plain_words() -> Iterator[None]:
        try:
            with one_by_one:
                yield
        except KnuthleError as error:
            raise ToolError(str(error)) from None

    for ask in questions(game, args.hard):
        server.add_tool(in_plain_words()(ask))
    server.run("stdio")


def questions(game: Game, hard: bool) -> tuple[Callable[..., dict[str, Any]], ...]:
    """What a model may ask; docstrings are what it reads."""
    from ..play.regret import Judge
    from ..play.review import review as reviewed
    from ..toolbox.guesses import suggest as suggested

    judge = Judge(game, hard=hard)

    def grade(guess: str, secret: str) -> dict[str, Any]:
        """Score a guess against the hidden word: b grey, y yellow, g green, or black,white pegs."""
        game.guess_id(secret)
        return {"score": game.format_score(game.grade(guess, secret))}

    def suggest(history: str = "", top: int = 10) -> dict[str, Any]:
        """Name the answers that still fit, 50 at most, and rank the best next guesses.

        history has each guess and its score, such as "crane bybbb sloth bbbbb"; empty: none yet.
        total and mean count guesses to the end with best play, where they are known exactly.
        """
        found = suggested(game, history, top=top, hard=hard)
        some = {"remaining": len(found.secrets), "secrets": found.secrets[:50]}
        return {**some, **attributes(found, "solved by"), "guesses": found.rows}

    def regret(guess: str, history: str = "") -> dict[str, Any]:
        """Say what a guess costs after a history, in guesses expected more than from a best guess.

        Figures are [low, high]: equal if known exactly. 0 is a best guess; best names some.
        """
        return record_of(judge.regret(history, guess))

    def review(played: str, secret: str | None = None) -> dict[str, Any]:
        """Grade each guess of a finished game for skill and luck, with better words.

        played has each guess and its score, or the guesses alone if the secret is given.
        """
        found = reviewed(game, played, secret=secret, hard=hard)
        return {**attributes(found, "sentence solved skill luck_guesses"), "guesses": found.rows}

    return grade, suggest, regret, review
