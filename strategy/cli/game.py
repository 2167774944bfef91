"""The commands ``game`` and ``solve``: a hidden word, guessed by a player or by the program."""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from solver.choices import LIMIT
from solver.errors import WrongInputError

from ..columns import attributes
from ..files.text import capitals, counted, plain, terms_of
from ..tree import Strategy
from . import options, output, tables
from .option_table import USUAL
from .screen import Screen, board_facts, name_of, scores_of

if TYPE_CHECKING:
    from ..play.game import Host, Match
    from ..play.known_word import SolvedWord

#: Seeds that are chosen here are below this number.
_SEEDS = 1_000_000
_QUIT = ("quit", "give up (or Ctrl-D); with a slash it is always a command: /quit")
#: What may be typed, and what it does; first of all a guess.
_TYPED = (("", "a guess"), ("keys", "the letters used so far"), _QUIT)
_TYPED_CODES = (
    ("", "a guess; its reply is black,white: black pegs for colours in their hole,"),
    (" ", "white pegs for colours in another hole"),
    ("quit", "give up (or Ctrl-D)"),
)
#: What may be typed beside guesses.
_COMMANDS = {"?": "help", "help": "help", "keys": "keys"}
_COMMANDS |= dict.fromkeys(("quit", "q", "exit"), "quit")


def _configure_game(parser: ArgumentParser) -> None:
    options.add(parser, "--secret", "--seed", "--adversary", "--boards")
    options.add_within_option(parser, "number of guesses allowed")
    options.add(parser, "--hard")
    options.add_game_options(parser, advice=True, used=True)
    options.add(parser, "--no-statistics", "--colours")


def run_game(args: Namespace) -> None:
    """Guess a hidden word.

    Type one guess per line; ? shows the other commands. The word is drawn from the
    answers of the list; --seed draws the same word again, --secret lets somebody
    else choose it. With --used it is drawn as the newspaper draws: past answers
    are rare.

    With --adversary there is no fixed word: replies keep the most words possible,
    and without --within any number of guesses is allowed.
    Ties: a reply that does not solve the game, then the fewest green letters, then
    the fewest yellow letters (in Mastermind black and white pegs).

    Mastermind: knuthle game --game mastermind:4x6; replies are black,white pegs.

    In a terminal games are counted, with your streak, if the word was drawn and the
    usual number of guesses allowed; a game that is given up after a guess is lost.
    The figures are in ~/.local/share/knuthle/statistics.json (or in XDG_DATA_HOME).

    Examples: knuthle game
              knuthle game --boards 4 --seed 7
              knuthle game --adversary --hard
    """
    from ..play.game import Match, limit_of

    output.say_when_compiling(args.quiet, typed=True)
    weighted = options.weighted_from(args)
    game = weighted.game
    host, seed = _host(args, weighted)
    usual = None if args.adversary else limit_of(game, host.boards)
    match = Match(host, usual if args.within == USUAL else args.within, args.hard)
    screen = Screen(args.quiet, args.json, args.colours)
    drawn = args.seed is None and args.secret is None and not args.adversary
    counts = drawn and match.limit == usual and screen.is_terminal and not args.no_statistics
    table = _GameTable(match, screen, seed, counts)
    screen.sit(table.sit, table.leave)
    facts = {
        "game": game.spec,
        "list": game.list_name,
        **attributes(match, "limit hard"),
        "adversary": args.adversary,
        "seed": seed,
        "count": len(match.turns),
        "solved": match.won,
        "boards": [
            board_facts(tuple(board), host.possible(at), at not in match.open)
            for at, board in enumerate(match.boards)
        ],
    }
    output.emit(args, None, facts | weighted.facts)


def _host(args: Namespace, weighted: options.Weighted) -> tuple[Host, int | None]:
    """Who hides the words, and the seed by which they were drawn, if they were."""
    from ..play.game import Adversary, Hidden

    game, weights = weighted.game, weighted.weights
    given = [name for name in ("secret", "seed") if getattr(args, name) is not None]
    given += ["adversary"] * args.adversary
    if len(given) > 1:
        raise WrongInputError(f"--{given[0]} and --{given[1]}: one of them says what is hidden")
    if args.adversary:
        if args.boards > 1:
            why = "--adversary plays one board: on several it would answer the same everywhere"
            raise WrongInputError(why)
        if weights is not None:
            raise WrongInputError("--adversary draws no word; --used exclude is for it")
        return Adversary(game), None
    if args.secret is not None:
        secrets = args.secret.split(",")
        if args.boards not in (1, len(secrets)):
            raise WrongInputError(f"{len(secrets)} secrets for {args.boards} boards")
        return Hidden(game, secrets), None
    seed = random.randrange(_SEEDS) if args.seed is None else args.seed
    return Hidden.drawn(game, args.boards, seed, weights), seed


class _GameTable:
    """Somebody who guesses, and what is shown to them."""

    def __init__(self, match: Match, screen: Screen, seed: int | None, counts: bool) -> None:
        """A game that ``counts`` gets into the statistics."""
        self._match, self._screen, self._seed, self._counts = match, screen, seed, counts
        self._game, self._terms = match.game, terms_of(match.game.spec)
        self._of = "" if match.limit is None else f"/{match.limit}"

    def sit(self) -> None:
        """Read guesses and answer them, until the game is over."""
        self._greet()
        while not self._match.over:
            line = self._screen.ask(f"{len(self._match.turns) + 1}{self._of}> ")
            command = None if line is None else self._command(line)
            if line is None or command == "quit":
                return
            if command == "help":
                self._show_help()
            elif command == "keys":
                self._show_keyboard()
            elif line.strip():
                self._guess(line)

    def leave(self) -> None:
        """How it went, what was hidden, and if the game counts what the statistics are now."""
        from ..play.game import keep_game, kind_of

        match, host = self._match, self._match.host
        n_turns = len(match.turns)
        if match.won:
            of = "" if match.limit is None else f" of {match.limit}"
            self._screen.show(f"solved in {n_turns}{of}. Congratulations!")
        else:
            words = []
            for few in map(host.possible, match.open):  # the secret, or what it could have been
                some = f"still any of {len(few):,} {self._terms.words}, such as "
                first = self._screen.tiles.code(self._game, capitals(few[0]))
                words.append(first if len(few) == 1 else some + first)
            verb = "it was" if len(words) == 1 else "hidden were"
            many = counted(n_turns, "guess", "guesses")
            self._screen.show(f"not solved after {many}; {verb} {', '.join(words)}")
        if match.turns:
            result = f"{name_of(self._game)} {n_turns if match.won else 'X'}{self._of}"
            self._screen.show_whole(f"\nknuthle {result}{'*' * match.hard}")
            scores = [[score for _, score in board] for board in match.boards]
            self._screen.show_whole(self._screen.tiles.grid(self._game, scores))
            if match.over and len(scores) == 1:
                self._screen.show_review(self._game, tuple(match.boards[0]), match.hard)
        if self._counts and match.turns:
            kind = kind_of(name_of(self._game), match.host.boards)
            found, remark = keep_game(kind, n_turns if match.won else None)
            if remark:
                self._screen.complain(remark)
            self._screen.show(*(found.lines if found else ()))
        if self._seed is not None:
            self._screen.show(f"(--seed {self._seed} hides the same)")

    def _greet(self) -> None:
        game, match = self._game, self._match
        boards = "" if match.host.boards == 1 else f"{match.host.boards} boards, "
        limit = "no limit" if match.limit is None else counted(match.limit, "guess", "guesses")
        hard = ", hard mode" if match.hard else ""
        secrets = counted(len(game.secrets), self._terms.secret)
        about = f"{name_of(game)}: {boards}{secrets}, {limit}{hard}"
        self._screen.show(f"{about}. Type a guess; ? for help.")

    def _show_help(self) -> None:
        """What may be typed, in the terms of the game."""
        from ..play.helper import example_of

        word = example_of(self._game)[0]
        typed = _TYPED_CODES if self._terms.word == "code" else _TYPED
        rows = [(name or word, about) for name, about in typed]
        self._screen.show_whole(tables.explained(rows))

    def _command(self, line: str) -> str | None:
        text = plain(line.strip())
        if text.startswith("/"):
            return _COMMANDS.get(text[1:], "help")
        return None if text in self._game.guesses else _COMMANDS.get(text)

    def _guess(self, line: str) -> None:
        match, tiles = self._match, self._screen.tiles
        try:
            if self._terms.word == "code" and "," in line:
                raise WrongInputError("a guess is a code; its pegs are what the game replies")
            match.guess(line)
        except WrongInputError as error:
            self._screen.complain(str(error))
            return
        number = len(match.turns)
        scores = scores_of(number - 1, match.boards)
        self._screen.paint(f"{number:<2} {tiles.turn(self._game, match.turns[-1].word, scores)}")
        if not match.over:
            self._show_keyboard()

    def _show_keyboard(self) -> None:
        colours = self._match.keyboard()
        for indent, row in enumerate(self._match.keys if colours else ()):
            keys = "".join(self._screen.tiles.key(letter, colours[letter]) for letter in row)
            self._screen.paint((" " * (2 * min(indent, 2) + 3) + keys).rstrip())


def _configure_solve(parser: ArgumentParser) -> None:
    parser.add_argument("word", metavar="WORD", help="the hidden word")
    group = parser.add_argument_group("who plays")
    about = "a rule, as in solve-all: {choices} (default: what 'suggest' proposes)"
    options.add(group, "--strategy")
    options.add(group, "--rule", default=None, help=about)
    options.add_start_option(group, "chosen like all others")
    about = "the limit for exact figures of 'suggest'; none lifts it"
    options.add(group, "--within", default=LIMIT, help=about)
    options.add(group, "--guess-from", "--hard", "--common")
    options.add_game_options(parser, advice=True, used=True)
    parser.set_defaults(list_name=None, secrets=None, game=None)
    options.add(parser, "--colours")


def run_solve(args: Namespace) -> None:
    """How a word that you know is found, guess by guess, by who does not know it.

    Each line has a guess, its colours, and how many answers are possible after it.
    Without more the first proposal of 'knuthle suggest' is guessed each time.
    --rule plays as the whole strategy of solve-all does, and computes no more of it
    than this one game; --strategy plays by a file, with the words that it knows.
    JSON has the expected guesses too, where they are exactly known.

    If the word is allowed, but no answer of the list or a --used one, all allowed
    words count as possible once no answer fits (by a rule: from the beginning), and
    a line says so.

    Examples: knuthle solve ruddy
              knuthle solve ruddy --start crane,sloth
              knuthle solve ruddy --rule minimax --start lares --list original
    """
    from ..play.helper import check_fits
    from ..play.known_word import game_of_strategy, solve_word

    strategy = Strategy.load(args.strategy) if args.strategy else None
    if strategy is None or any((args.list_name, args.secrets, args.game)):
        options.complete_game(args)
        weighted = options.weighted_from(args, args.word)
    else:
        weighted = options.Weighted(game_of_strategy(strategy), None, (), {})
    game = weighted.game
    if strategy is not None:
        given = {"rule": args.rule, "start": args.start != "auto"}
        given |= {"guess_from": args.guess_from != "allowed", **attributes(args, "common used")}
        options.refuse(given, "is for a game without --strategy, which has its own")
        if args.hard and not strategy.origin.hard and "hard" not in args.from_settings:
            raise WrongInputError("the strategy is not for hard mode")
        args.hard = strategy.origin.hard
        check_fits(strategy, game, boards=1)
    output.say_when_compiling(args.quiet)
    how = None if strategy else options.how_from(args, game)
    if args.rule and args.common:
        raise WrongInputError("--common is for the proposals of suggest, not for a rule")
    if args.rule and args.past:
        raise WrongInputError("no rule weighs used answers: --used exclude leaves them out")
    found = solve_word(game, args.word, how, strategy=strategy, weights=weighted.weights)
    _report_solved(args, weighted, found)


def _report_solved(args: Namespace, weighted: options.Weighted, found: SolvedWord) -> None:
    """The game on the screen, unless JSON has stdout, and as JSON."""
    game, n_guesses = weighted.game, len(found.guesses)
    screen = Screen(args.quiet or args.json == "-", None, args.colours)
    for number, guess in enumerate(found.guesses, 1):
        row = screen.tiles.row(game, guess.word, guess.score)
        left = "" if guess.score == game.solved else f"{guess.after:,} left"
        screen.paint(f"{number:<2} {row}  {left}".rstrip())
    many = f", more than {LIMIT}" if n_guesses > LIMIT and args.game in (None, "wordle") else ""
    by = f"the rule {args.rule}" if args.rule else "the proposals of suggest"
    by = "the strategy" if args.strategy else by
    screen.show(f"found in {counted(n_guesses, 'guess', 'guesses')}{many}, by {by}")
    if found.widened:
        none = f"{capitals(found.secret)} is none of the {game.secrets_name} of {game.list_name}"
        wide = f"all {len(game.guesses):,} allowed words counted as possible"
        screen.show(f"{none}: {wide}{'' if args.rule else ' once no other fitted'}")
    screen.show(output.about_list(game))
    facts = {
        "game": game.spec,
        "list": game.list_name,
        "hard": args.hard,
        "secret": found.secret,
        "count": n_guesses,
        **attributes(found, "widened state"),
        "guesses": [it._asdict() | {"text": game.format_score(it.score)} for it in found.guesses],
    }
    output.emit(args, None, facts | weighted.facts)
