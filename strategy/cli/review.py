"""The commands ``review`` and ``regret``: games graded guess by guess; what guesses cost."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError
from solver.words.text import plain

from ..columns import Column, attributes, names, records
from ..files.text import LARGEST_TEXT, capitals, counted, printable, read_lines, terms_of
from . import options, output, tables
from .option_table import or_word, seconds
from .screen import Tiles

if TYPE_CHECKING:
    from solver.game.game import Game

    from ..play.grids import GridReview
    from ..play.review import Diary, GradedGuess, Review


def _configure_review(parser: ArgumentParser) -> None:
    more = "; a share grid with its words; - reads stdin"
    options.add_state_argument(parser, "crane bybbg", more)
    options.add(parser, "--secret", metavar="WORD", help="the word that was hidden")
    options.add(parser, "--games", "--exact")
    about = "search each guess for at most S seconds, then give an upper limit (10; --exact: none)"
    options.add(parser, "--time-limit", help=about)
    options.add(parser, "--hard", help="the game was played in hard mode")
    options.add(parser, "--allow-unknown")
    options.add_game_options(parser, advice=True, used=True)
    options.add(parser, "--weights", "--colours")


def run_review(args: Namespace) -> None:
    """Grade a finished game, guess by guess: skill, luck, and better words.

    "expected" is the average number of guesses from this one on, itself included,
    over the answers that were possible before it, with best play and without a
    limit. The skill of a guess is 100 if no word has a smaller "expected", and one
    less for each hundredth of a guess. Luck is in guesses: how many more the reply
    saved than were to be expected.

    With up to 512 possible answers the figures are exact. Other guesses, such as
    the first, get an upper limit, marked by ≤, from a strategy that was found
    quickly; --exact searches to the end, however long it takes.

    If no answer of the list fits the colours, all allowed words count as possible,
    and the review says so.

    A share grid can be pasted as it is (Wordle 1,234 3/6 and its tiles), as an
    argument or on standard input, with a word for each row beside it, or below the
    grid one per line. The star of hard mode counts as --hard. For a grid without
    words it counts the words that fit each row. --games reads many games, one per
    line of at most 5,000 characters, and gives mean skill and luck.

    Examples: knuthle review crane.bybbb.sloth.bbbbb.ruddy.ggggg
              knuthle review crane sloth ruddy --secret ruddy
              knuthle review - < shared.txt
    """
    from ..play import grids, review

    text = _text_given(args)
    if args.games and (text or args.secret):
        raise WrongInputError("--games has the games: no other can be given, nor --secret")
    weighted = options.weighted_from(args)
    game, weights = weighted.game, weighted.weights
    lines, remark = _game_lines(args.games) if args.games else [], output.remarks(args.quiet)
    if args.allow_unknown:
        for number, line in enumerate([*lines, f"{args.secret or ''} {text}"], 1):
            where = f"{printable(args.games)}:{number}: " if lines else ""
            try:
                game, new = review.with_unknown(game, line.partition("#")[0])
            except WrongInputError as error:
                raise WrongInputError(f"{where}{error}") from None
            if new:
                remark(f"not in {game.list_name}, taken as allowed: {' '.join(new)}")
    output.say_when_compiling(args.quiet)
    is_game = not args.games and len(text) <= review.LONGEST_GAME
    shared = grids.read_shared(game, text) if is_game else None
    typed, args.hard = args.hard, args.hard or (shared is not None and shared.hard)
    if shared is not None and not shared.words:
        if typed and "hard" not in args.from_settings:
            why = "a grid shows no words, so that nobody can say if it kept to --hard"
            raise WrongInputError(why)
        grid = grids.review_grid(game, shared.scores, args.secret, weights)
        said, facts, table = _grid_report(args, grid, weighted)
    else:
        history = None if args.games else review.read_game(game, text, args.secret)
        limit = args.time_limit or (None if args.exact else review.TIME_LIMIT)
        how: Any = {**attributes(args, "hard exact"), "widens": weighted.widens}
        reviewer = review.Reviewer(game, weights=weights, time_limit=limit, **how)
        if history is None:
            diary = review.review_lines(reviewer, lines, args.games)
            said, facts, table = _diary_report(game, diary, weighted)
        else:
            found = reviewer.review(history, args.secret)
            said, facts, table = _review_report(args, game, found, weighted)
    about = [*map(tables.prose, weighted.about), ""] if weighted.about else []
    output.emit(args, "\n".join([*about, said]), facts, table, game)


def _game_lines(name: str) -> list[str]:
    if name != "-":
        return read_lines(name)
    text = "" if sys.stdin is None else sys.stdin.read(LARGEST_TEXT + 1)
    if len(text) > LARGEST_TEXT:
        raise WrongInputError(f"standard input has more than {LARGEST_TEXT:,} characters of games")
    return text.split("\n")


def _text_given(args: Namespace) -> str:
    """The game in the arguments; of ``-``, or without any where stdin is piped, that on stdin."""
    from ..play.review import LONGEST_GAME

    piped = not args.state and not args.games and sys.stdin is not None and not sys.stdin.isatty()
    if args.state != ["-"] and not piped:
        return " ".join(args.state)
    try:
        text = "" if sys.stdin is None else sys.stdin.read(LONGEST_GAME + 1)
        return text if len(text) > LONGEST_GAME else text.strip()
    except (OSError, ValueError):  # stdin is closed
        return ""


#: A review as text, as JSON, and the columns of its table with the name of the rows.
_Report = tuple[str, dict[str, Any], tuple[Sequence[str], str]]
_LUCK = Column("luck_guesses", "luck", "+.2f")
_SKILL_AND_LUCK = (Column("skill", "skill", ".1f"), Column("extra_bits"), _LUCK)
#: Columns that a narrow terminal does without, the first one first.
_REVIEW_SPARE = ("before", "after", "its expected", "expected")


def _review_report(
    args: Namespace, game: Game, found: Review, weighted: options.Weighted
) -> _Report:
    """A game: a row a guess, better words, the sentence."""
    from ..play.review import one_line

    code, lines = Tiles.of(sys.stdout, args.colours).code, []

    def bound(name: str) -> Callable[[GradedGuess], str]:
        """The text of a figure; what is a bound has a sign before it."""
        return lambda guess: f"{'' if guess.exact else '≤'}{getattr(guess, name):.3f}"

    columns = (
        Column("word", "guess", lambda guess: code(game, guess.word)),
        Column("score"),
        Column("text", "score", value=lambda guess: game.format_score(guess.score)),
        Column("before", "before", ",d"),
        Column("after", "after", ",d"),
        Column("expected", "expected", bound("expected")),
        Column("best", f"best {terms_of(game.spec).word}", lambda guess: code(game, guess.best)),
        Column("best_expected", "its expected", bound("best_expected")),
        *_SKILL_AND_LUCK,
        Column("exact"),
        Column("better", value=lambda guess: [better.word for better in guess.better]),
        Column("better_expected", value=lambda guess: [it.expected for it in guess.better]),
    )
    facts = {
        **attributes(found, "state solved widened"),
        "remaining": len(found.secrets),
        "hard": args.hard,
        **weighted.facts,
        "guesses": records(columns, found.guesses),
        **attributes(found, "skill extra_bits luck_guesses sentence"),
    }
    if found.widened:
        wide = f"all {len(game.guesses):,} allowed words count as possible"
        lines.append(tables.prose(f"the answer is none of the usual ones: {wide}"))
    lines.append(tables.table_of(columns, found.guesses, spare=_REVIEW_SPARE))
    if any(not guess.exact for guess in found.guesses):
        lines.append(tables.prose("≤ by a strategy found quickly; --exact searches to the end"))
    lines.append("")
    for guess in found.guesses:
        sign = "" if guess.exact else "≤"
        some = ", ".join(f"{capitals(word)} {sign}{value:.3f}" for word, value in guess.better)
        made = f"{capitals(guess.word)} {sign}{guess.expected:.3f}"
        lines += [tables.prose(f"better than {made}: {some}")] if some else []
    if not found.solved:
        some = tables.some_of([code(game, word) for word in found.secrets], 20)
        secrets = counted(len(found.secrets), terms_of(game.spec).secret)
        lines.append(tables.prose(f"{secrets} left: {some}"))
    text = "\n".join([*lines, tables.prose(one_line(found))])
    return text, facts, (names(columns), "guesses")


def _diary_report(game: Game, diary: Diary, weighted: options.Weighted) -> _Report:
    """Several games: a row a game, and the means."""
    from ..play.review import totals_text

    def guesses(found: Review) -> str:
        return f"{len(found.guesses)}{'' if found.solved else ' unsolved'}"

    columns = (
        Column("text", "game", value=lambda found: game.format_state(found.state)),
        Column("n_guesses", "guesses", guesses, lambda found: len(found.guesses)),
        Column("solved"),
        *_SKILL_AND_LUCK,
        Column("sentence"),
    )
    rows = records(columns, diary.reviews)
    facts = {**weighted.facts, "games": rows, "n_games": len(rows)}
    facts |= attributes(diary, "skill extra_bits luck_guesses")
    table = tables.table_of(columns, diary.reviews, short={"game": 30})
    means = f"{counted(len(rows), 'game')}, on average: {totals_text(diary)}"
    return f"{table}\n\n{means}", facts, (names(columns), "games")


def _grid_report(args: Namespace, grid: GridReview, weighted: options.Weighted) -> _Report:
    """A share grid: how many words fit each row."""
    rows = [vars(row) for row in grid.rows]
    facts = {**weighted.facts, "remaining": grid.n_secrets, "rows": rows}
    heading, each = "words", None
    title = f"Words that fit if {plain(args.secret or '')} is hidden:"
    if args.secret is None:
        some = counted(grid.n_secrets, "answer")
        title = tables.prose(f"{some} of {grid.n_of:,} can have such a grid; words that fit:")
        heading, each = "for any of them", "for each, on average"
    shown = Column("text", "row"), Column("n_words", heading, ",d"), Column("mean", each, ",.1f")
    return f"{title}\n\n{tables.table_of(shown, grid.rows)}", facts, (list(rows[0]), "rows")


def _configure_regret(parser: ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORD[,WORD…]", help="the guesses to judge")
    options.add_state_argument(parser, "crane bybbg")
    options.add(parser, "--hard", help="hard mode is played: what it forbids has no regret")
    kind = or_word("none", None, seconds)
    about = "give bounds after S seconds a guess; none: search to the end (2)"
    options.add(parser, "--time-limit", type=kind, default=2.0, metavar="S|none", help=about)
    options.add_game_options(parser)
    options.add(parser, "--weights", "--colours")


def run_regret(args: Namespace) -> None:
    """What a guess costs against the best one, in guesses.

    The regret is the average number of guesses that are still needed from this
    guess on, itself included, less that of the best guess: 0 for a best one. The
    average is over the answers that fit the clues, with best play and without a
    limit of guesses. Where the search takes too long two bounds are given, low and
    high, and the regret lies between them.

    With up to 100 possible answers it is exact, and takes some milliseconds. First
    guesses of the list 'original' come from a table of records, where all 12,972
    are settled. "fits" says whether a guess keeps to all clues so far; with --hard
    a guess that is not allowed has no regret.

    Examples: knuthle regret sloth crane bybbb
              knuthle regret crane,soare --json -
    """
    from ..play.regret import Judge

    words = [word.strip() for word in args.words.split(",")]
    weighted = options.weighted_from(args, *words)
    game = weighted.game
    state = game.parse_state(" ".join(args.state))
    output.say_when_compiling(args.quiet)
    judge = Judge(game, hard=args.hard, weights=weighted.weights, time_limit=args.time_limit)
    found = judge.regrets([state] * len(words), words)
    first, code = found[0], Tiles.of(sys.stdout, args.colours).code
    columns = (
        Column("word", "guess", lambda row: code(game, row.word)),
        *tables.between("regret", "not allowed"),
        *tables.between("expected", "not allowed"),
        Column("exact"),
        Column("legal"),
        Column("consistent", "fits"),
    )
    facts = {"state": state, "remaining": first.remaining, "hard": args.hard, **weighted.facts}
    facts |= records(tables.between("least"), [first])[0] | attributes(first, "best recorded")
    facts["guesses"] = records(columns, found)
    secrets = counted(first.remaining, terms_of(game.spec).secret)
    best = " ".join(code(game, capitals(word)) for word in first.best)
    notes = [f"{secrets} possible; the best guess takes {first.least} on average: {best}"]
    if first.recorded:
        notes.append("by the table of records")
    if any(each.regret and not each.exact for each in found):
        notes.append("– between bounds; --time-limit none searches to the end")
    lines = [*map(tables.prose, weighted.about), tables.table_of(columns, found), ""]
    text = "\n".join([*lines, *map(tables.prose, notes)])
    output.emit(args, text, facts, (names(columns), "guesses"), game)
