"""The shortest win against the adversary agrees with brute force, by any number of workers."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.choices import GUESS_POOLS
from solver.exact.adversary import AdversarySearch
from solver.game.alike import kinds_of
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.clock import OutOfTimeError
from strategy.play.game import Adversary
from strategy.solving.shortest_win import ShortestWin, shortest_win
from tests.support import PLAIN, worlds
from tests.support.naive import Grader, grade, pegs
from tests.support.naive_play import reply_of, winning_openers
from tests.support.worlds import all_secrets, made_up_games, of_few_letters, some_candidates


def grader_of(game: Game) -> Grader:
    return grade if game.spec == "wordle" else pegs


def check(game: Game, hard: bool, pool: str, start: tuple[str, ...] = ()) -> ShortestWin:
    found = shortest_win(game, start=start, within=None, hard=hard, guess_from=pool, workers=1)
    grader = grader_of(game)
    length, openers = winning_openers(game.guesses, game.secrets, hard, pool, start, grader)
    assert found.proved and found.length == length and found.n_undecided == 0
    assert {opener.words[-1]: opener.n_sequences or openers[opener.words[-1]]
            for opener in found.openers} == openers  # fmt: skip
    check_sequence(game, found)
    return found


def check_sequence(game: Game, found: ShortestWin) -> None:
    """The sequence, played against the adversary of ``knuthle game``, wins with its last guess."""
    assert found.sequence is not None
    host = Adversary(game)
    for step in found.sequence:
        assert host.answer(0, step.word) == step.score
        assert len(host.possible(0)) == step.n_left
    assert [step.score == game.solved for step in found.sequence].index(True) + 1 == found.length
    assert found.openers[0].words[0] == found.sequence[0].word


SMALL = "1x2 1x5 2x2 2x3 2x4 3x2 3x3 4x2 2x4:distinct 3x4:distinct".split()


def board_of(board: str) -> Game:
    return load_game(spec=f"mastermind:{board}")


few_letters = st.randoms(use_true_random=False).map(lambda dice: of_few_letters(dice, "abc", 10, 6))
made_up = made_up_games(max_words=8, longest=6)


#: Machine code multiplies modulo 2^64 in silence, numpy with a warning.
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.plain
@settings(max_examples=100 if PLAIN else 200)
@given(made_up if PLAIN else made_up | few_letters, st.booleans(), st.sampled_from(GUESS_POOLS))
def test_small_worlds_agree_with_brute_force(game: WordleGame, hard: bool, pool: str) -> None:
    check(game, hard, pool)


@settings(max_examples=200)
@given(
    made_up_games(max_words=7, longest=6) | st.sampled_from(SMALL).map(board_of), st.booleans(),
    st.sampled_from(GUESS_POOLS), st.data(),
)  # fmt: skip
def test_forced_guesses(game: Game, hard: bool, pool: str, data: st.DataObject) -> None:
    start = data.draw(st.sampled_from(game.guesses))
    if reply_of(start, game.secrets, grader_of(game))[0] != game.solved:
        hard = hard and game.has_hard_mode
        found = check(game, hard, pool, (start,))
        assert all(opener.words[0] == start for opener in found.openers)


@pytest.mark.plain
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.parametrize("board", SMALL)
@pytest.mark.parametrize("pool", ["allowed", "candidates"])  # all codes are secrets
def test_small_boards_agree_with_brute_force(board: str, pool: str) -> None:
    check(board_of(board), False, pool)


@given(st.sampled_from(["2x3", "3x3", "4x2", "2x4", "3x4", "3x4:distinct"]), st.data())
def test_codes_of_a_kind_are_alike(board: str, data: st.DataObject) -> None:
    game = board_of(board)
    left, count = all_secrets(game), len(game.secrets)
    if data.draw(st.booleans()):
        left = some_candidates(data, count, 1, count)
    for _ in range(data.draw(st.integers(0, 2))):
        guess = data.draw(st.integers(0, count - 1))
        row = game.score_rows(np.array([guess], dtype=np.int32))[0, left]
        left = left[row == data.draw(st.sampled_from(row.tolist()))]
    kinds = kinds_of(game, left)
    assert sorted({*kinds.tolist()}) == game.worth_trying(left).tolist()
    sizes = [sorted(Counter(row).values()) for row in game.score_rows(None, left).tolist()]
    for guess, kind in enumerate(kinds.tolist()):
        assert kind <= guess and sizes[guess] == sizes[kind]


def test_a_state_fails_for_the_guesses_that_are_legal_in_it() -> None:
    """In hard mode: with others it may be won."""
    search = AdversarySearch(worlds.game_of(["aab", "aac", "aad", "aae"]), hard=True)
    few = search.root._replace(legal=search.root.legal[:1])
    assert search.win(few, 3) is None and search.win(search.root, 3) is not None


@pytest.mark.parametrize(("game", "start", "length", "count"), [
    (board_of("4x6"), (), 5, 1290), (board_of("5x4"), (), 5, 1024),
    pytest.param(load_game(), ("saute",), 4, 2, marks=pytest.mark.slow),
])  # fmt: skip
def test_what_people_play(game: Game, start: tuple[str, ...], length: int, count: int) -> None:
    """So many openers; or, of the words of Absurdle, sequences."""
    found = shortest_win(game, start=start, within=None, workers=2 if start else 1)
    assert found.proved and found.length == length
    assert sum(opener.n_sequences or not start for opener in found.openers) == count
    check_sequence(game, found)


def test_one_word_needs_one_guess() -> None:
    found = shortest_win(load_game(["crane"]), workers=1)
    assert (found.length, [it.words for it in found.openers]) == (1, [("crane",)])
    begun = shortest_win(load_game(["crane"]), start=["crane"], workers=1)
    assert begun.proved and begun.length == 1 and begun.openers == ()


def test_workers_find_the_same_and_limits_are_kept() -> None:
    game = worlds.small_game(3, 120, 60)
    alone, together = (shortest_win(game, hard=True, workers=workers) for workers in (1, 2))
    assert (alone.sequence, alone.openers) == (together.sequence, together.openers)
    length = shortest_win(game, workers=1).length
    assert length is not None
    none = shortest_win(game, within=length - 1, workers=1)
    assert none.sequence is None and none.outcome.impossible and none.openers == ()
    assert shortest_win(game, within=length, workers=1).outcome.met
    with pytest.raises(OutOfTimeError) as caught:
        shortest_win(game, workers=1, time_limit=1e-9)
    best = caught.value.best
    assert best.lower_bound <= best.length and not best.proved and best.openers == ()
    assert best.n_undecided == len(game.guesses)
