"""The command ``solve``: how a known word is played, tile by tile."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from solver.choices import LIMIT
from solver.errors import WrongInputError

from ..files.text import capitals, counted
from ..tree import Strategy
from . import options, output
from .screen import Screen

if TYPE_CHECKING:
    from solver.game.game import Game

    from ..play.known_word import SolvedWord
    from ..toolbox.guesses import HowToFind


def configure_solve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``solve``: the word, who plays."""
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
    options.add_output_options(parser)


def run_solve(args: argparse.Namespace) -> int:
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
    from ..play.known_word import game_of_strategy, solve_word

    strategy, weighted = Strategy.load(args.strategy) if args.strategy else None, None
    if strategy is None or any((args.list_name, args.secrets, args.game)):
        options.complete_game(args)
        weighted = options.weighted_from(args)
        game = weighted.game
        options.check_words(game, args.word)
    else:
        game = game_of_strategy(strategy)
    if strategy is not None:
        _check_strategy(args, strategy, game)
    output.say_when_compiling(args.quiet)
    how = None if strategy else _how_from(args, game)
    weights, facts = (weighted.weights, weighted.facts) if weighted else (None, {})
    found = solve_word(game, args.word, how, strategy=strategy, weights=weights)
    _show(args, game, found)
    output.emit_json(args, lambda: _facts(args, game, found) | facts)
    return 0


def _how_from(args: argparse.Namespace, game: Game) -> HowToFind:
    how = options.how_from(args, game)
    if args.rule and args.common:
        raise WrongInputError("--common is for the proposals of suggest, not for a rule")
    if args.rule and args.past:
        raise WrongInputError("no rule weighs used answers: --used exclude leaves them out")
    return how


def _check_strategy(args: argparse.Namespace, strategy: Strategy, game: Game) -> None:
    """Refuse options that a strategy's file has answered already, and a file for another game."""
    from ..play.helper import check_fits

    given = {"--rule": args.rule, "--start": args.start != "auto"}
    given |= {"--guess-from": args.guess_from != "allowed", "--common": args.common}
    given |= {"--used": args.used}
    options.refuse(given, "is for a game without --strategy, which has its own")
    if args.hard and not strategy.origin.hard and "hard" not in args.from_settings:
        raise WrongInputError("the strategy is not for hard mode")
    args.hard = strategy.origin.hard
    check_fits(strategy, game, boards=1)


def _show(args: argparse.Namespace, game: Game, found: SolvedWord) -> None:
    """The game on the screen; where JSON has stdout nothing is shown."""
    screen = Screen(args.quiet or args.json == "-", None, args.colours)
    for number, guess in enumerate(found.guesses, 1):
        row = screen.tiles.row(game, guess.word, guess.score)
        left = "" if guess.score == game.solved else f"{guess.after:,} left"
        screen.paint(f"{number:<2} {row}  {left}".rstrip())
    screen.show(_sentence(args, found))
    if found.widened:
        screen.show(
            f"{capitals(found.secret)} is none of the {game.secrets_name} of {game.list_name}: "
            f"all {len(game.guesses):,} allowed words counted as possible"
            + ("" if args.rule else " once no other fitted")
        )
    screen.show(output.about_list(game))


def _sentence(args: argparse.Namespace, found: SolvedWord) -> str:
    number = len(found.guesses)
    many = f", more than {LIMIT}" if number > LIMIT and args.game in (None, "wordle") else ""
    by = "the proposals of suggest"
    if args.strategy:
        by = "the strategy"
    elif args.rule:
        by = f"the rule {args.rule}"
    return f"found in {counted(number, 'guess', 'guesses')}{many}, by {by}"


def _facts(args: argparse.Namespace, game: Game, found: SolvedWord) -> dict[str, Any]:
    rows = [{**guess._asdict(), "text": game.format_score(guess.score)} for guess in found.guesses]
    return {
        "game": game.spec,
        "list": game.list_name,
        "hard": args.hard,
        "secret": found.secret,
        "count": len(rows),
        "widened": found.widened,
        "state": found.state,
        "guesses": rows,
    }
