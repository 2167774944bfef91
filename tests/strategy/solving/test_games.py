"""All games at once come to the same as one by one, by the lines of the checker."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solver.game.game import Game
from solver.rules.searcher import Searcher
from strategy.checkers import verify
from strategy.errors import WrongStrategyError
from strategy.files.strategy_file import Origin, tree_of
from strategy.solving import checks
from strategy.tree import Strategy
from tests.support import naive
from tests.support.worlds import made_up_games

#: Of words, and of codes: graders of many pairs, of one by the checker, and the plain one.
WORDS = checks.grade_pairs, verify.grade_wordle, naive.grade
CODES = checks.grade_peg_pairs, verify.grade_pegs, naive.pegs


def graded_alike(graders: tuple[Any, Any, Any], pairs: Iterable[tuple[str, ...]]) -> None:
    """Pairs get what each gets by itself."""
    many, one, plain = graders
    pairs = [*pairs]
    guesses, secrets = zip(*pairs, strict=True)
    expected = [plain(guess, secret) for guess, secret in pairs]
    assert many(guesses, secrets) == expected
    assert [one(*pair) for pair in pairs] == expected


def pairs_of(letters: str, longest: int) -> st.SearchStrategy[list[tuple[str, str]]]:
    """Pairs of words with many letters in common."""

    def pairs(length: int) -> st.SearchStrategy[list[tuple[str, str]]]:
        word = st.text(letters, min_size=length, max_size=length)
        return st.lists(st.tuples(word, word), min_size=1)

    return st.integers(1, longest).flatmap(pairs)


@given(pairs_of("abz\u00df\u0431\u5e740", 11))
def test_pairs_are_graded_as_each_by_itself(pairs: list[tuple[str, str]]) -> None:
    """Words of any script."""
    graded_alike(WORDS, pairs)


@given(pairs_of("012az\u00df", 16))
@example([("0", "\u00df"), ("0", "0")])
@example([("0\u00df", "\u00df0")])
@example([(chr(48 + at) * 5, chr(48 + at) * 4 + "0") for at in range(64)])
def test_pairs_of_codes_are_graded_as_each_by_itself(pairs: list[tuple[str, str]]) -> None:
    """Codes with some colours that no board has."""
    graded_alike(CODES, pairs)


@pytest.mark.parametrize("length", [1, 3, 4])
def test_all_words_of_three_letters(length: int) -> None:
    graded_alike(WORDS, product(map("".join, product("abc", repeat=length)), repeat=2))


@pytest.mark.parametrize(("holes", "colours"), [(1, 2), (3, 3), (7, 2), (2, 36), (3, 36)])
def test_codes_of_few_holes_or_colours(holes: int, colours: int) -> None:
    """As many colours as make every peg a number below 128, and one board with more."""
    signs = "0123456789abcdefghijklmnopqrstuvwxyz"[:colours]
    codes = list(map("".join, product(signs, repeat=holes)))
    graded_alike(CODES, [(code, codes[-number]) for number, code in enumerate(codes)])


def test_a_code_of_one_colour_against_itself() -> None:
    """The highest scores there are, up to one more peg than a byte can tell."""
    for holes in range(1, 17):
        code = "7" * holes
        assert checks.grade_peg_pairs([code], [code]) == [holes * (holes + 1)]


def outcome_of(play: Any, *given: Any) -> Any:
    """What comes of playing; None for a strategy that is refused."""
    try:
        return play(*given)
    except WrongStrategyError:
        return None


@given(made_up_games(), st.data())
def test_games_are_played_as_one_by_one(game: Game, data: st.DataObject) -> None:
    """A strategy that is right, then one with some numbers changed, most of them wrong."""
    opener = data.draw(st.integers(0, len(game.guesses) - 1))
    grown = Searcher(game).grow(None, (opener,))
    origin = Origin.of(game, "minimax", (game.guesses[opener],))
    tree = tree_of(Strategy.of_tree(game, origin, grown))
    tree = tree._replace(**{name: [*getattr(tree, name)] for name in verify.COLUMNS})
    secrets, both = (
        [*tree.solved()],
        [(checks.PAIR_GRADERS[it], verify.GRADERS[it]) for it in (0, 1)],
    )
    right = checks.play(tree, both[0][0], secrets)
    assert right == verify.play(tree, secrets, both[0][1]) and [*right[0]] == secrets
    for node in data.draw(st.lists(st.integers(0, len(tree.guess) - 1), min_size=1, max_size=2)):
        largest = {"guess": len(tree.words), "parent": max(node, 1), "score": 243, "hit": 2}
        column = data.draw(st.sampled_from(verify.COLUMNS))
        getattr(tree, column)[node] = data.draw(st.integers(0, largest[column] - 1))
    for many, one in both:
        assert outcome_of(checks.play, tree, many, secrets) == outcome_of(
            verify.play, tree, secrets, one
        )
