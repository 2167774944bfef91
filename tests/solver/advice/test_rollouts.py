"""Words played out: the quick rule beside the slow truth, worlds, rounds, one known state."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice import rollouts
from solver.advice.boards import JointStates, OpenBoard, rank_over_boards
from solver.advice.rollouts import Deck, QuickRule, Rollouts, can_be_apart, play_out
from solver.errors import CouldNotFinishError
from solver.game.load import load_game
from solver.machine.clock import OutOfTimeError
from tests.support import refused
from tests.support.naive_rollouts import Board, all_worlds, slow_game, slow_mean

WORDS = sorted("aab abc acb bac bca cab cba abb cca bcc dab bad".split())
GAME = load_game(WORDS)
POOL = np.arange(len(WORDS), dtype=np.int32)
SOME = st.sets(st.integers(0, len(WORDS) - 1), min_size=1, max_size=4).map(sorted)
PLACES = st.lists(SOME, min_size=1, max_size=3)
WEIGHTS = st.one_of(st.none(), st.lists(st.integers(1, 9), min_size=4, max_size=4))


def _boards(
    places: list[list[int]], weights: list[int] | None = None
) -> tuple[list[OpenBoard], list[Board]]:
    """Boards as advice has them, and as the slow truth has them."""
    own = None if weights is None else np.array(weights, dtype=np.float64)
    boards = [
        OpenBoard(np.array(some, dtype=np.int32), None if own is None else own[: len(some)])
        for some in places
    ]
    slow = [
        dict(zip([WORDS[at] for at in some], board.chances().tolist(), strict=True))
        for some, board in zip(places, boards, strict=True)
    ]
    return boards, slow


def _played(
    boards: list[OpenBoard], places: list[int], worlds: int = 1000, seed: int = 1
) -> Rollouts:
    ranking = rank_over_boards(GAME, boards, POOL, POOL)
    return play_out(GAME, boards, ranking, places, worlds=worlds, seed=seed)


@pytest.mark.plain
@settings(max_examples=25, deadline=None)
@given(PLACES, WEIGHTS, st.integers(0, len(WORDS) - 1))
def test_games_are_those_of_the_slow_truth(
    places: list[list[int]], weights: list[int] | None, first: int
) -> None:
    boards, slow = _boards(places, weights)
    rule = QuickRule(GAME, boards, POOL)
    starts = np.cumsum([0, *map(len, places)])
    worlds = list(itertools.product(*(range(len(some)) for some in places)))
    found = rule.play(first, (np.array(worlds) + starts[:-1]).astype(np.int32))
    secrets = [[WORDS[places[board][at]] for board, at in enumerate(world)] for world in worlds]
    assert found.tolist() == [slow_game(GAME, slow, WORDS, it, WORDS[first]) for it in secrets]


@settings(max_examples=12, deadline=None)
@given(PLACES, WEIGHTS)
def test_all_worlds_have_the_mean_of_the_rule_and_no_error(
    places: list[list[int]], weights: list[int] | None
) -> None:
    boards, slow = _boards(places, weights)
    found = _played(boards, list(range(len(WORDS))))
    ranking = rank_over_boards(GAME, boards, POOL, POOL)
    assert found.complete
    means = [slow_mean(GAME, slow, WORDS, WORDS[guess]) for guess in ranking.guesses]
    for row in found.words:
        assert row.mean == pytest.approx(means[row.place])
        assert row.error == 0.0 and sum(row.chances.values()) == pytest.approx(1.0)
        expected = sum(count * chance for count, chance in row.chances.items())
        assert row.mean == pytest.approx(expected)
    order = [row.place for row in found.words]
    assert order == sorted(order, key=lambda place: (round(means[place], 9), place))


@settings(max_examples=20, deadline=None)
@given(PLACES)
def test_the_rule_takes_no_less_than_the_least(places: list[list[int]]) -> None:
    boards, _ = _boards(places)
    states = JointStates.of(GAME, boards, POOL)
    assert states is not None
    best = _played(boards, list(range(len(WORDS)))).words[0].mean
    least = states.best()[0]
    assert least - 1e-9 <= best <= least + 1.0


@settings(max_examples=50, deadline=None)
@given(st.lists(SOME, min_size=1, max_size=5))
def test_whether_all_boards_can_hide_different_words(places: list[list[int]]) -> None:
    apart = any(len({*world}) == len(world) for world in itertools.product(*places))
    assert can_be_apart(_boards(places)[0]) == apart


@pytest.mark.parametrize("weights", [None, [1, 2, 3, 4]])
def test_worlds_are_drawn_as_often_as_they_are_likely(weights: list[int] | None) -> None:
    boards, slow = _boards([[0, 1, 2], [1, 2, 3, 4], [2, 5]], weights)
    count = 20_000
    deck = Deck.of(boards, 3, 7)
    assert not deck.complete and len(deck.worlds) == 3
    members = np.concatenate([board.candidates for board in boards])
    drawn = rollouts._drawn(boards, count, 7, True) + np.array([0, 3, 7])
    often = Counter(tuple(WORDS[members[at]] for at in world) for world in drawn)
    chances = dict(all_worlds(slow))
    assert set(often) == set(chances)
    for world, chance in chances.items():
        share = float(chance)
        assert abs(often[world] - share * count) < 5 * (share * (1 - share) * count) ** 0.5


def test_the_same_worlds_for_the_same_seed_and_others_for_another() -> None:
    boards, _ = _boards([list(range(12))] * 4)
    decks = [Deck.of(boards, 100, seed).worlds for seed in (1, 1, 2)]
    assert (decks[0] == decks[1]).all() and (decks[0] != decks[2]).any()
    longer = Deck.of(boards, 200, 1).worlds
    assert all(len({*row}) == 4 for row in (longer % 12).tolist())
    found = [_played(boards, list(range(12)), 200, seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2] and not found[0].complete
    best = found[0].words[0]
    assert best.worlds == 200 and best.error > 0
    whole = _played(boards, [best.place], 12**4).words[0]
    assert abs(whole.mean - best.mean) < 4 * best.error


def test_boards_that_cannot_differ_hide_the_same() -> None:
    boards, slow = _boards([[3], [3], [3, 4]])
    found = _played(boards, [0, 1, 2])
    assert found.complete and found.words[0].mean == pytest.approx(
        min(slow_mean(GAME, slow, WORDS, word) for word in WORDS)
    )


def test_rounds_give_up_the_worse_half_and_what_is_surely_worse() -> None:
    boards, _ = _boards([list(range(12))] * 3)
    found = _played(boards, list(range(12)), 512)
    worlds = [row.worlds for row in found.words]
    assert worlds[0] == 512 and worlds == sorted(worlds, reverse=True)


def test_when_time_is_up_complete_rounds_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    boards, _ = _boards([list(range(12))] * 3)
    left = 0

    def check() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OutOfTimeError("the time is up")

    monkeypatch.setattr(rollouts, "limit_clock", lambda seconds: check)
    left = 5
    refused(CouldNotFinishError, "time is up", lambda: _played(boards, list(range(12))))
    left = 14
    found = _played(boards, list(range(12)))
    assert {row.worlds for row in found.words} == {128} and len(found.words) == 12


def test_too_many_candidates_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    boards, _ = _boards([list(range(12))] * 3)
    monkeypatch.setattr(rollouts, "MOST_CANDIDATES", 35)
    refused(CouldNotFinishError, "too many", lambda: _played(boards, [0]))


@pytest.mark.slow
def test_a_state_in_which_entropy_is_not_enough() -> None:
    """After TRAIN CLOSE, 2·13·3·20 are left: entropy's BUMPH takes 7.64 guesses, others 7.54."""
    game = load_game("original")
    left = [np.arange(len(game.secrets), dtype=np.int32)] * 4
    for word, scores in (
        ("train", "bbbbb bbbbb bybbb byybb"), ("close", "ybybb byybb bbbgg bbbby"),
    ):  # fmt: skip
        [row] = game.score_rows(np.array([game.guess_id(word)], dtype=np.int32))
        wanted = [game.parse_score(score) for score in scores.split()]
        left = [some[row[some] == score] for some, score in zip(left, wanted, strict=True)]
    boards = [OpenBoard(some) for some in left]
    assert [len(some) for some in left] == [2, 13, 3, 20]
    pool = np.arange(len(game.guesses), dtype=np.int32)
    ranking = rank_over_boards(game, boards, pool, pool)
    assert game.guesses[ranking.guesses[0]] == "bumph"
    [bumph] = play_out(game, boards, ranking, [0], worlds=2000).words
    assert 7.6 < 2 + bumph.mean < 7.7
    for worlds, error in ((2000, 0.0), (1000, 0.03)):
        places = rollouts.words_to_play(boards, ranking)
        found = play_out(game, boards, ranking, places, worlds=worlds)
        assert found.complete == (error == 0.0) and found.words[0].error <= error
        assert 2 + found.words[0].mean < 7.5
        assert found == play_out(game, boards, ranking, places, worlds=worlds)
