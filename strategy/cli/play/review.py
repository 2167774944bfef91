"""A finished game graded, guess by guess: skill, luck, and the better words there were.

"expected" is how many guesses were to be expected from this one on, itself included, on average
over the secrets that were possible before it, if the best words follow and nothing limits their
number. The skill of a guess is 100 where no word expects less, and falls by one for each hundredth
of a guess. Luck is what the score told beyond what was to be expected: in bits, and in guesses.

Up to 512 secrets are searched exactly. What is not, as the first guess, is a bound with a ≤ before
it, from a strategy that was found quickly; --exact searches to the end, whatever it takes.

If no answer of the list fits the colours, all allowed words are taken for possible, and it says so.
A share grid alone (⬛🟨🟩) yields how many words fit each of its rows. --games reads many games,
a line each, and gives mean skill and luck.

Examples: knuthle review crane.bybbb.sloth.bbbbb.ruddy.ggggg
          knuthle review crane sloth ruddy --secret ruddy
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError

from ...files.names import shown
from ...files.text import read_lines
from .. import options, output
from . import review_text

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...play.review import Review
    from ...play.review_of_games import Diary
    from ...play.share_grids import GridReview
    from ...play.weights import WeightedGame

_TIME_LIMIT = 10.0

Table = tuple[Sequence[str], Sequence[Mapping[str, Any]]]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``review``: the game, how it is looked at."""
    options.add_state_argument(parser, "crane bybbg")
    parser.add_argument("--secret", metavar="WORD", help="the word that was hidden")
    parser.add_argument("--games", metavar="FILE|-", help="review many games, a line each")
    parser.add_argument(
        "--exact", action="store_true", help="search the first guess to the end too (minutes)"
    )
    parser.add_argument(
        "--time-limit",
        type=options.seconds,
        metavar="S",
        help=f"search a guess for S seconds, then take a bound ({_TIME_LIMIT:g}; --exact: none)",
    )
    parser.add_argument("--hard", action="store_true", help="the game was played in hard mode")
    parser.add_argument(
        "--allow-unknown", action="store_true", help="take words that the list does not have"
    )
    options.add_game_options(parser, list_name="nyt-2023")
    options.add_weights_option(parser)
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Run ``review``: print what a game was worth."""
    from ...play.review import Reviewer, read_game, with_unknown
    from ...play.share_grids import read_grid, review_grid

    output.check_outputs(args, inputs=[args.games])
    text = " ".join(args.state)
    if args.games and (text or args.secret):
        raise WrongInputError("--games has the games: no other can be given, nor --secret")
    game, weighted = options.weighted_from(args)
    lines = _lines(args.games) if args.games else []
    if args.allow_unknown:
        for line in [*lines, f"{args.secret or ''} {text}"]:
            game = _allowing(args, game, with_unknown(game, line))
    output.say_when_compiling(args.quiet)
    if not lines and (scores := read_grid(game, text)) is not None:
        weights = weighted.weights if weighted else None
        return _print_grid(args, game, review_grid(game, scores, args.secret, weights), weighted)
    history = None if args.games else read_game(game, text, args.secret)
    reviewer = Reviewer(
        game,
        hard=args.hard,
        weights=weighted.weights if weighted else None,
        exact=args.exact,
        time_limit=args.time_limit or (None if args.exact else _TIME_LIMIT),
    )
    if history is None:
        from ...play.review_of_games import review_lines

        return _print_diary(args, game, review_lines(reviewer, lines, args.games), weighted)
    return _print_review(args, game, reviewer.review(history, args.secret), weighted)


def _lines(name: str) -> list[str]:
    return sys.stdin.read().splitlines() if name == "-" else read_lines(name)


def _allowing(args: argparse.Namespace, game: Game, found: tuple[Game, tuple[str, ...]]) -> Game:
    """The game with more words, after saying so."""
    wider, new = found
    if new and not args.quiet:
        output.say(f"not in {shown(game.list_name)}, taken as allowed: {' '.join(new)}")
    return wider


def _print_review(
    args: argparse.Namespace, game: Game, found: Review, weighted: WeightedGame | None
) -> int:
    rows = [public_guess(game, found, at) for at in range(len(found.guesses))]
    result = {
        "state": found.state,
        "solved": found.solved,
        "widened": found.widened,
        "remaining": len(found.secrets),
        "hard": args.hard,
        **options.public_weights(weighted),
        "guesses": rows,
        "skill": found.skill,
        "luck": found.luck,
        "luck_guesses": found.luck_guesses,
        "sentence": found.sentence,
    }
    text = review_text.of_review(game, found, weighted)
    output.emit(args, text, result, (list(rows[0]), rows))
    return 0


def public_guess(game: Game, found: Review, at: int) -> dict[str, Any]:
    """A guess of a reviewed game as the command shows it in JSON and CSV."""
    guess = found.guesses[at]
    return {
        "word": guess.word,
        "score": guess.score,
        "text": game.format_score(guess.score),
        "before": guess.before,
        "after": guess.after,
        "expected": guess.expected,
        "best": guess.best,
        "best_expected": guess.best_expected,
        "skill": guess.skill,
        "luck": guess.luck,
        "luck_guesses": guess.luck_guesses,
        "exact": guess.exact,
        "better": [better.word for better in guess.better],
        "better_expected": [better.expected for better in guess.better],
    }


def _print_diary(
    args: argparse.Namespace, game: Game, diary: Diary, weighted: WeightedGame | None
) -> int:
    rows = [
        {
            "text": game.format_state(found.state),
            "n_guesses": len(found.guesses),
            "solved": found.solved,
            "skill": found.skill,
            "luck": found.luck,
            "luck_guesses": found.luck_guesses,
            "sentence": found.sentence,
        }
        for found in diary.reviews
    ]
    result = {
        **options.public_weights(weighted),
        "games": rows,
        "n_games": len(rows),
        "skill": diary.skill,
        "luck": diary.luck,
        "luck_guesses": diary.luck_guesses,
    }
    output.emit(args, review_text.of_diary(game, diary, weighted), result, (list(rows[0]), rows))
    return 0


def _print_grid(
    args: argparse.Namespace, game: Game, grid: GridReview, weighted: WeightedGame | None
) -> int:
    if args.hard:
        raise WrongInputError("a grid shows no words, so that nobody can say if it kept to --hard")
    rows = [vars(row) for row in grid.rows]
    result = {**options.public_weights(weighted), "remaining": grid.n_secrets, "rows": rows}
    text = review_text.of_grid(game, grid, args.secret, weighted)
    output.emit(args, text, result, (list(rows[0]), rows))
    return 0
