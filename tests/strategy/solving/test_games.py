"""All games at once come to the same as one by one, by the lines of the checker."""

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
from strategy.solving import games
from strategy.tree import Strategy
from tests.support import naive
from tests.support.worlds import made_up_games


def words_of(length: int) -> st.SearchStrategy[str]:
    """Words with many letters in common, of any script."""
    return st.text("abz\u00df\u0431\u5e740", min_size=length, max_size=length)


@given(
    st.integers(1, 11).flatmap(
        lambda length: st.lists(st.tuples(words_of(length), words_of(length)), min_size=1)
    )
)
def test_pairs_are_graded_as_each_by_itself(pairs: list[tuple[str, str]]) -> None:
    guesses, secrets = zip(*pairs, strict=True)
    expected = [naive.grade(guess, secret) for guess, secret in pairs]
    assert games.grade_pairs(guesses, secrets) == expected
    assert [verify.grade_wordle(*pair) for pair in pairs] == expected


@pytest.mark.parametrize("length", [1, 3, 4])
def test_all_words_of_three_letters(length: int) -> None:
    words = list(map("".join, product("abc", repeat=length)))
    pairs = list(product(words, words))
    guesses, secrets = zip(*pairs, strict=True)
    assert games.grade_pairs(guesses, secrets) == [naive.grade(*pair) for pair in pairs]


def codes_of(length: int) -> st.SearchStrategy[str]:
    """Codes with many colours in common, and some that no board has."""
    return st.text("012az\u00df", min_size=length, max_size=length)


@given(
    st.integers(1, 16).flatmap(
        lambda length: st.lists(st.tuples(codes_of(length), codes_of(length)), min_size=1)
    )
)
@example([("0", "\u00df"), ("0", "0")])
@example([("0\u00df", "\u00df0")])
@example([(chr(48 + at) * 5, chr(48 + at) * 4 + "0") for at in range(64)])
def test_pairs_of_codes_are_graded_as_each_by_itself(pairs: list[tuple[str, str]]) -> None:
    guesses, secrets = zip(*pairs, strict=True)
    expected = [naive.pegs(guess, secret) for guess, secret in pairs]
    assert games.grade_peg_pairs(guesses, secrets) == expected
    assert [verify.grade_pegs(*pair) for pair in pairs] == expected


@pytest.mark.parametrize(("holes", "colours"), [(1, 2), (3, 3), (7, 2), (2, 36), (3, 36)])
def test_codes_of_few_holes_or_colours(holes: int, colours: int) -> None:
    """As many colours as make every peg a number below 128, and one board with more."""
    codes = list(
        map("".join, product("0123456789abcdefghijklmnopqrstuvwxyz"[:colours], repeat=holes))
    )
    pairs = [(code, codes[-number]) for number, code in enumerate(codes)]
    guesses, secrets = zip(*pairs, strict=True)
    assert games.grade_peg_pairs(guesses, secrets) == [naive.pegs(*pair) for pair in pairs]


def test_a_code_of_one_colour_against_itself() -> None:
    """The highest scores there are, up to one more peg than a byte can tell."""
    for holes in range(1, 17):
        code = "7" * holes
        assert games.grade_peg_pairs([code], [code]) == [holes * (holes + 1)]


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
    tree = tree_of(Strategy.of_tree(game, origin, grown).contents)
    tree = tree._replace(**{name: [*getattr(tree, name)] for name in verify.COLUMNS})
    secrets, both = (
        [*tree.solved()],
        [(games.PAIR_GRADERS[it], verify.GRADERS[it]) for it in (0, 1)],
    )
    right = games.play(tree, secrets, both[0][0])
    assert right == verify.play(tree, secrets, both[0][1]) and [*right[0]] == secrets
    for node in data.draw(st.lists(st.integers(0, len(tree.guess) - 1), min_size=1, max_size=2)):
        largest = {"guess": len(tree.words), "parent": max(node, 1), "score": 243, "hit": 2}
        column = data.draw(st.sampled_from(verify.COLUMNS))
        getattr(tree, column)[node] = data.draw(st.integers(0, largest[column] - 1))
    for many, one in both:
        assert outcome_of(games.play, tree, secrets, many) == outcome_of(
            verify.play, tree, secrets, one
        )
