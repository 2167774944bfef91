"""The command ``mcp``: questions about a game for language models, by the Model Context Protocol.

A tool is a function of the library; what it answers is an object with the names of its results.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

from solver.errors import KnuthleError, imported
from solver.shown import record_of

from ..columns import attributes
from . import options, output

if TYPE_CHECKING:
    from solver.game.game import Game

#: Secrets that are named where some fit.
MOST_NAMED = 50


def configure_mcp(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``mcp``: the game that all questions are about."""
    options.add_game_options(parser)
    options.add(parser, "--hard", help="hard mode is played")
    options.add(parser, "--quiet")


def run_mcp(args: argparse.Namespace) -> int:
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
    return 0


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
        """Name the answers that still fit, and rank the best next guesses.

        history has each guess and its score, such as "crane bybbb sloth bbbbb"; empty: none yet.
        total and mean count guesses to the end with best play, where they are known exactly.
        """
        found = suggested(game, history, top=top, hard=hard)
        some = {"remaining": len(found.secrets), "secrets": found.secrets[:MOST_NAMED]}
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
