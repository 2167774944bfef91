"""Games against a host: who hides what, what is answered, how it ends."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from strategy.play.game import Adversary, Hidden, Match, limit_of
from tests.support import refused
from tests.support.naive import Grader, grade, pegs
from tests.support.naive_adversary import reply_of
from tests.support.worlds import made_up_games

GAME = load_game("abide crane crony north raise slate sloth".split())
CODES = load_game(spec="mastermind:3x4")


def check_replies(game: Game, guesses: Iterable[str], grader: Grader = grade) -> None:
    """Each reply of the adversary, and what it keeps, is what its definition says."""
    host = Adversary(game)
    for guess in guesses:
        before = host.possible(0)
        assert (host.answer(0, guess), (*host.possible(0),)) == reply_of(guess, before, grader)


@settings(max_examples=40)
@given(made_up_games(max_words=20, longest=5), st.data())
def test_the_adversary_of_words(game: WordleGame, data: st.DataObject) -> None:
    guess = st.sampled_from(game.guesses)
    check_replies(game, data.draw(st.lists(guess, min_size=4, max_size=4)))


@settings(max_examples=20)
@given(st.lists(st.sampled_from(CODES.guesses), min_size=1, max_size=5))
def test_the_adversary_of_codes(guesses: list[str]) -> None:
    check_replies(CODES, guesses, pegs)


def test_hosts() -> None:
    match = Match(Adversary(load_game(["abide", "crane"])))
    assert match.guess("crane").scores != (GAME.solved,), "the other word remains, as one does"
    assert match.guess("abide").scores == (GAME.solved,) and match.won
    hosts = [Hidden.drawn(GAME, 7, 5) for _ in range(2)]
    words = [[host.possible(at) for at in range(7)] for host in hosts]
    assert words[0] == words[1] and len(set(words[0])) == 7
    refused(WrongInputError, "8 boards, but only 7 secrets", Hidden.drawn, GAME, 8, 5)
    refused(WrongInputError, "did you mean crane or crony", Hidden, GAME, ["crone"])


def test_a_match_to_its_end() -> None:
    match = Match(Hidden(GAME, ["sloth"]), limit=3)
    assert match.guess(" CRANE ").scores == (0,)
    refused(WrongInputError, "not among the 7 guesses", match.guess, "zzzzz")
    with pytest.raises(WrongInputError, match="cannot be guessed") as caught:
        match.guess("x" * 9000)
    assert len(str(caught.value)) < 300
    assert len(match.turns) == 1, "what may not be guessed costs nothing"
    match.guess("north")
    assert not match.over
    match.guess("slate")
    assert match.over and not match.won
    refused(WrongInputError, "game is over", match.guess, "sloth")


def test_boards_and_hard_mode() -> None:
    match = Match(Hidden(GAME, ["sloth", "crane"]), limit=limit_of(GAME, 2))
    assert len(match.guess("crane").scores) == 2 and match.open == [0]
    assert len(match.guess("north").scores) == 1
    assert [len(board) for board in match.boards] == [2, 1]
    match.guess("sloth")
    assert match.won and [limit_of(GAME, boards) for boards in (1, 2, 3, 4, 8)] == [6, 7, 8, 9, 13]
    assert limit_of(CODES, 1) is None
    match = Match(Hidden(GAME, ["sloth"]), hard=True)
    match.guess("slate")
    refused(WrongInputError, "hard mode forbids 'crane' after slate", match.guess, "crane")
    match.guess("sloth")
    assert match.won
    refused(WrongInputError, "rule of Wordle", Match, Hidden(CODES, ["123"]), hard=True)
    refused(WrongInputError, "one board", Match, Hidden(GAME, ["sloth", "crane"]), hard=True)


def test_the_keyboard_shows_the_best_colour_of_each_letter() -> None:
    match = Match(Hidden(GAME, ["sloth"]))
    assert set(match.keyboard().values()) == {None}
    match.guess("north")
    keys = match.keyboard()
    assert [keys[letter] for letter in "northz"] == [0, 1, 0, 2, 2, None]
    match.guess("slate")
    keys = match.keyboard()
    assert [keys[letter] for letter in "slt"] == [2, 2, 2]
    assert Match(Hidden(CODES, ["123"])).keyboard() == {}
    both = Match(Hidden(GAME, ["crane", "sloth"]))
    both.guess("crane")
    assert both.keyboard()["c"] == 0, "the board that is solved does not count"
