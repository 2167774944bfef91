"""A game: a word is hidden, you guess it.

Type a guess a line; ? shows what else can be typed. The word is drawn from the secrets of the list,
by --seed if you want the same one again, or given by somebody else (--secret).

With --adversary no word is chosen: each answer leaves as many secrets as possible. Of answers that
leave equally many it is the one that tells least: not that the guess is right; then the one with
fewest greens, then with fewest yellows (black and white pegs, in Mastermind).

Mastermind: knuthle game --game mastermind:4x6, answered by black,white pegs.

Examples: knuthle game
          knuthle game --boards 4 --seed 7
          knuthle game --adversary --hard
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError

from ...files.letters import capitals, plain
from ...files.notation import counted, is_pegs
from .. import options, output

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...play.hosts.hidden import Host
    from ...play.hosts.match import Match
    from .prompt import Screen

#: Seeds that are chosen here are below this number.
_SEEDS = 1_000_000
_EXPLAINED = """\
  crane  a guess
  keys   the letters used so far
  quit   give up (or Ctrl-D)
A slash makes it a command where it is a word of the list, too: /quit."""
#: What may be typed beside guesses.
_COMMANDS = {
    **dict.fromkeys(("?", "help"), "help"),
    "keys": "keys",
    **dict.fromkeys(("quit", "q", "exit"), "quit"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``game``: which word is hidden, how many, by which rules."""
    parser.add_argument("--secret", metavar="WORD[,WORD…]", help="the word to hide, one a board")
    parser.add_argument("--seed", type=options.at_least_zero, metavar="N", help="draw it by a seed")
    parser.add_argument(
        "--adversary", action="store_true", help="choose no word: answer so that most remain"
    )
    options.add_boards_option(parser)
    options.add_within_option(parser, "the guesses that there are")
    parser.add_argument(
        "--hard", action="store_true", help="hard mode: greens stay in place, yellows return"
    )
    options.add_game_options(parser, list_name="nyt-2023")
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``game``: play to the end of the game or of the input."""
    from ...play.hosts.match import Match, limit_of
    from .prompt import Screen

    output.check_outputs(args)
    game = options.game_from(args)
    host, seed = _host(args, game)
    usual = None if args.adversary else limit_of(game, host.boards)
    match = Match(host, usual if args.within == options.USUAL else args.within, args.hard)
    screen = Screen(args.quiet, args.json)
    table = _GameTable(match, screen)
    try:
        table.sit()
    except KeyboardInterrupt:
        screen.show()  # what was typed stays on its line
        raise
    finally:
        table.leave(seed)
    if args.json:
        quiet = argparse.Namespace(**{**vars(args), "quiet": True})
        output.emit(quiet, "", _result(match, seed, args.adversary))
    return 0


def _host(args: argparse.Namespace, game: Game) -> tuple[Host, int | None]:
    """Who hides the words, and the seed by which they were drawn, if they were."""
    from ...play.hosts.adversary import Adversary
    from ...play.hosts.hidden import Hidden

    given = [name for name in ("secret", "seed") if getattr(args, name) is not None]
    given += ["adversary"] * args.adversary
    if len(given) > 1:
        raise WrongInputError(f"--{given[0]} and --{given[1]}: one of them says what is hidden")
    if args.adversary:
        if args.boards > 1:
            raise WrongInputError(
                "--adversary plays one board: on several it would answer the same everywhere"
            )
        return Adversary(game), None
    if args.secret is not None:
        secrets = args.secret.split(",")
        if args.boards not in (1, len(secrets)):
            raise WrongInputError(f"{len(secrets)} secrets for {args.boards} boards")
        return Hidden(game, secrets), None
    import random

    seed = random.randrange(_SEEDS) if args.seed is None else args.seed
    return Hidden.drawn(game, args.boards, seed), seed


class _GameTable:
    """Somebody who guesses, and what is shown to them."""

    def __init__(self, match: Match, screen: Screen) -> None:
        self._match = match
        self._game = match.game
        self._screen = screen

    def sit(self) -> None:
        """Read guesses and answer them, until the game is over."""
        self._greet()
        while not self._match.over:
            line = self._screen.ask(self._prompt())
            command = None if line is None else self._command(line)
            if line is None or command == "quit":
                return
            if command == "help":
                self._screen.show_whole(_EXPLAINED)
            elif command == "keys":
                self._show_keyboard()
            elif line.strip():
                self._guess(line)

    def leave(self, seed: int | None) -> None:
        """How it went, and what was hidden."""
        match, host = self._match, self._match.host
        n_turns = len(match.turns)
        if match.won:
            of = "" if match.limit is None else f" of {match.limit}"
            self._screen.show(f"solved in {n_turns}{of}. Congratulations!")
        else:
            words = [_hidden(host.possible(at)) for at in match.open]
            verb = "it was" if len(words) == 1 else "hidden were"
            self._screen.show(f"not solved after {counted(n_turns, 'guess', 'guesses')}; "
                              f"{verb} {', '.join(words)}")  # fmt: skip
        if match.turns:
            name = self._game.spec if is_pegs(self._game.spec) else self._game.list_name
            result = f"{n_turns}" if match.won else "X"
            limit = "" if match.limit is None else f"/{match.limit}"
            self._screen.show_whole(f"\nknuthle {name} {result}{limit}{'*' * match.hard}")
            scores = [[score for _, score in board] for board in match.boards]
            self._screen.show_whole(self._screen.tiles.grid(self._game, scores))
            if match.over and len(scores) == 1:
                self._screen.show_review(self._game, tuple(match.boards[0]), match.hard)
        if seed is not None:
            self._screen.show(f"(--seed {seed} hides the same)")

    def _greet(self) -> None:
        game, match = self._game, self._match
        name = game.spec if is_pegs(game.spec) else game.list_name
        boards = "" if match.host.boards == 1 else f"{match.host.boards} boards, "
        limit = "no limit" if match.limit is None else counted(match.limit, "guess", "guesses")
        hard = ", hard mode" if match.hard else ""
        about = f"{name}: {boards}{counted(len(game.secrets), 'secret')}, {limit}{hard}"
        self._screen.show(f"{about}. Type a guess; ? for help.")

    def _prompt(self) -> str:
        limit = "" if self._match.limit is None else f"/{self._match.limit}"
        return f"{len(self._match.turns) + 1}{limit}> "

    def _command(self, line: str) -> str | None:
        text = plain(line.strip())
        if text.startswith("/"):
            return _COMMANDS.get(text[1:], "help")
        return None if text in self._game.guesses else _COMMANDS.get(text)

    def _guess(self, line: str) -> None:
        from solver.errors import WrongInputError

        match, tiles = self._match, self._screen.tiles
        before = match.open
        try:
            turn = match.guess(line)
        except WrongInputError as error:
            self._screen.complain(str(error))
            return
        number = len(match.turns)
        if match.host.boards == 1:
            row = tiles.row(self._game, turn.word, turn.scores[0])
        else:
            by_board = dict(zip(before, turn.scores, strict=True))
            row = tiles.line(
                self._game, turn.word, [by_board.get(at) for at in range(match.host.boards)]
            )
        self._screen.paint(f"{number:<2} {row}")
        if not match.over:
            self._show_keyboard()

    def _show_keyboard(self) -> None:
        colours = self._match.keyboard()
        for indent, row in enumerate(self._match.keys if colours else ()):
            keys = "".join(self._screen.tiles.key(letter, colours[letter]) for letter in row)
            self._screen.paint((" " * (2 * min(indent, 2) + 3) + keys).rstrip())


def _hidden(possible: tuple[str, ...]) -> str:
    """The secret, or one that it could have been."""
    if len(possible) == 1:
        return capitals(possible[0])
    return f"still any of {len(possible):,} words, such as {capitals(possible[0])}"


def _result(match: Match, seed: int | None, adversary: bool) -> dict[str, Any]:
    """What JSON says of the game."""
    return {
        "game": match.game.spec,
        "list": match.game.list_name,
        "limit": match.limit,
        "hard": match.hard,
        "adversary": adversary,
        "seed": seed,
        "count": len(match.turns),
        "solved": match.won,
        "boards": [
            {
                "state": board,
                "solved": at not in match.open,
                "remaining": len(match.host.possible(at)),
                "secrets": match.host.possible(at),
            }
            for at, board in enumerate(match.boards)
        ],
    }
