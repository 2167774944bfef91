"""Help beside a real game: it proposes a word, you type what you guessed and the colours you got.

Type a guess and its colours (crane bybbb), or the colours alone if you took the word proposed, or
a guess alone and be asked. Colours are b grey (or x, -), y yellow (or p), g green (or o), or
012, or tiles; a whole state may be pasted. Commands: undo, left, top, rate WORD, why, save, new,
quit; ? explains them.

A word is proposed by a strategy file as long as the game goes its way (--strategy), else by exact
expected guesses where few secrets remain, else by entropy; on several boards by entropy summed over
them, words that are certain first. If no secret of the list fits the clues, all allowed words are
looked at from there on; if none of them does, the clues that contradict each other are named.

The end of the input and Ctrl-C say how to go on later. Mastermind: knuthle play --game
mastermind:4x6, with black,white pegs such as 2,1.

Examples: knuthle play
          knuthle play --boards 4 --state crane.bybbb.gbbbb.bbbbb.bbbby
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from .. import options, output

if TYPE_CHECKING:
    from ...play.helper import Helper
    from ...tree import Strategy


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``play``: the state, the boards, how words are chosen."""
    parser.add_argument("--state", metavar="STATE", help="clues so far, such as crane.bybbb")
    options.add_boards_option(parser)
    parser.add_argument("--strategy", metavar="FILE", help="propose by a strategy file")
    group = parser.add_argument_group("choice of guesses")
    options.add_measure_option(group)
    options.add_within_option(group, "the limit for exact figures")
    options.add_pool_options(group)
    parser.add_argument("--exclude", metavar="FILE", help="secrets that were played already")
    parser.add_argument(
        "--allow-unknown", action="store_true", help="guess words that are on no list, too"
    )
    parser.add_argument(
        "--protocol",
        action="store_true",
        help="play by the lines of knuthle referee, on one board, instead of talking",
    )
    options.add_game_options(parser, list_name="nyt-2023")
    parser.set_defaults(list_name=None, secrets=None, game=None)
    options.add_weights_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``play``: help beside a game until the end of the input."""
    from ...play.typed_input import Talk
    from ...tree import Strategy
    from .helper_table import HelperTable
    from .prompt import Screen

    output.check_outputs(args, inputs=[args.strategy, args.exclude])
    strategy = Strategy.load(args.strategy) if args.strategy else None
    talk = Talk(_helper(args, strategy))
    if args.protocol:
        return _serve(args, talk.helper)
    output.say_when_compiling(args.quiet)
    screen = Screen(args.quiet, args.json)
    table = HelperTable(talk, screen, args.about, _given(args))
    try:
        table.sit()
    except KeyboardInterrupt:
        screen.show()  # what was typed stays on its line
        raise
    finally:
        table.leave()
    if args.json:
        result = _result(talk.helper) | args.weighted
        output.emit(argparse.Namespace(**{**vars(args), "quiet": True}), "", result)
    return 0


def _serve(args: argparse.Namespace, helper: Helper) -> int:
    """Play as a referee asks, from the beginning of a game."""
    from solver.errors import WrongInputError

    from .protocol import serve

    if args.boards > 1 or args.state or args.json:
        raise WrongInputError("--protocol plays one board, without --state and --json")
    return serve(helper)


def _helper(args: argparse.Namespace, strategy: Strategy | None) -> Helper:
    """The helper that the options ask for."""
    from ...play.helper import Helper, read_excluded
    from ...play.hosts.match import limit_of
    from ...play.proposals import Choice

    _complete(args, strategy)
    game, weighted = options.weighted_from(args)
    within = limit_of(game, args.boards) if args.within == options.USUAL else args.within
    helper = Helper(
        game,
        Choice(args.by, args.guess_from, args.hard, within),
        boards=args.boards,
        strategy=strategy,
        excluded=read_excluded(args.exclude, game) if args.exclude else (),
        weights=weighted.weights if weighted else None,
        allow_unknown=args.allow_unknown,
    )
    if args.state:
        helper.tell_state(args.state)
    args.about = weighted.about() if weighted else ""
    args.weighted = options.public_weights(weighted)
    return helper


def _complete(args: argparse.Namespace, strategy: Strategy | None) -> None:
    """Fill in what the options leave open: the game of the strategy, else Wordle of today."""
    from solver.game.words import NAMED_LISTS

    args.asked = {name: getattr(args, name) for name in ("list_name", "secrets", "game")}
    origin = strategy.origin if strategy else None
    if origin and args.game is None:
        args.game = origin.game
    if origin and args.list_name is None and origin.list_name in NAMED_LISTS:
        args.list_name = origin.list_name
        if args.secrets is None and origin.secrets_name in ("allowed", "answers"):
            args.secrets = origin.secrets_name
    for name, value in (("list_name", "nyt-2023"), ("secrets", "answers"), ("game", "wordle")):
        if getattr(args, name) is None:
            setattr(args, name, value)


def _given(args: argparse.Namespace) -> list[str]:
    """The options with which a later call is about the same game."""
    flags = {"--list": args.asked["list_name"], "--secrets": args.asked["secrets"]}
    flags |= {"--game": args.asked["game"], "--strategy": args.strategy, "--by": args.by}
    flags |= {"--exclude": args.exclude, "--weights": args.weights}
    flags["--guess-from"] = args.guess_from if args.guess_from != "allowed" else None
    flags["--boards"] = str(args.boards) if args.boards > 1 else None
    flags["--within"] = str(args.within).lower() if args.within != options.USUAL else None
    words = [word for flag, value in flags.items() if value for word in (flag, value)]
    return [*words, *["--hard"] * args.hard, *["--allow-unknown"] * args.allow_unknown]


def _result(helper: Helper) -> dict[str, Any]:
    """What JSON says of the game so far."""
    proposal = None if helper.position.solved else helper.proposal()
    boards = zip(helper.position.boards, helper.remaining(), strict=True)
    return {
        "game": helper.game.spec,
        "list": helper.game.list_name,
        "hard": helper.choice.hard,
        "count": len(helper.turns),
        "solved": helper.position.solved,
        "resume": helper.state,
        "boards": [
            {
                "state": list(board.clues),
                "solved": board.solved is not None,
                "remaining": len(secrets),
                "secrets": secrets,
                "widened": board.widened,
            }
            for board, secrets in boards
        ],
        "proposal": vars(proposal) if proposal else None,
    }
