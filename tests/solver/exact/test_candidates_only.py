"""Exact search among candidates only, against brute force on small worlds."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import CouldNotFinishError
from solver.exact import set_engine
from solver.exact.candidates_only import CandidateSearch
from solver.exact.kernels.lemmas import LOSS
from solver.exact.kernels.lemmas import UNLIMITED as NO_LIMIT
from solver.exact.kernels.set_frames import ideals_of
from solver.exact.problem import Answer, Problem
from solver.exact.set_engine import CandidateEngine, candidate_table
from solver.exact.values import state_of
from solver.game.game import Game
from solver.game.wordle import WordleGame
from solver.tree import Tree
from tests.support import PLAIN, naive, raising, refused
from tests.support.exact_worlds import small_world
from tests.support.naive_exact import UNLIMITED, Brute, Value, brute
from tests.support.pegs import game as board
from tests.support.proof_worlds import made_up
from tests.support.trees import taken
from tests.support.worlds import all_secrets, game_of, made_up_games


def truth_of(game: Game, state: Sequence[str] = ()) -> Brute:
    """All secrets, or some of them, of which only candidates are guessed."""
    grader = naive.grade if game.spec == "wordle" else naive.pegs
    return brute(game.guesses, tuple(state or game.secrets), False, "candidates", grader)


def played(game: Game, tree: Tree, start: int = 0) -> list[int]:
    """How many guesses each secret takes; every guess behind the start is a candidate."""
    turns = taken(game, tree)
    assert sum(number > start for number in turns) == sum(it > start for it in tree.depths())
    return turns


def check(game: Game, answer: Answer, value: Value, limit: int | None, start: int = 0) -> None:
    """The strategy of an answer attains a value; so many first guesses were forced."""
    assert answer.tree is not None
    turns = played(game, answer.tree, start)
    assert (sum(limit is not None and one > limit for one in turns), sum(turns)) == value


small_worlds = st.integers(0, 10**6).map(lambda seed: small_world(seed, 12))
limits = st.sampled_from([None, 1, 2, 3, 4, 6])
any_length = made_up_games(max_words=9)


@pytest.mark.plain
@settings(max_examples=12 if PLAIN else 110, deadline=None)
@given(any_length if PLAIN else small_worlds | any_length, limits)
def test_all_first_guesses(game: WordleGame, limit: int | None) -> None:
    """The values of all, the losses first; the strategy attains the least, at the least depth.

    Of words of any length: scores beyond what a byte holds are numbered.
    """
    values = truth_of(game).values(limit or UNLIMITED)
    problem = Problem(game, within=limit, losses=True)
    answer = CandidateSearch(problem, objective="losses", top=len(values)).answer()
    found = {it.word: (it.losses, it.total) for it in answer.first_guesses}
    assert found == values and all(it.exact for it in answer.first_guesses) and answer.proved
    best = min(values.values())
    check(game, answer, best, limit)
    assert answer.lower_bound == best[1]
    if answer.tree is not None and best[0] == 0:
        depths = (depth for depth in range(1, 20) if truth_of(game).best(depth) == best)
        assert answer.tree.height == min(depths)


@settings(max_examples=60, deadline=None)
@given(small_worlds, limits, st.integers(1, 3))
def test_the_least_total(game: WordleGame, limit: int | None, top: int) -> None:
    """Within a limit, or proved that none meets it; the best are exact, ties included."""
    values = truth_of(game).values(limit or UNLIMITED)
    answer = CandidateSearch(Problem(game, within=limit), top=top).answer()
    totals = sorted(total for losses, total in values.values() if not losses)
    assert answer.proved and (answer.tree is None) == (not totals)
    if not totals:
        assert all(not it.exact and it.losses for it in answer.first_guesses)
        return
    assert answer.lower_bound == totals[0]
    check(game, answer, (0, totals[0]), limit)
    last = totals[min(top, len(totals)) - 1]
    for it in answer.first_guesses:
        losses, total = values[it.word]
        assert it.exact == (not losses and (total <= last or len(totals) < top))
        assert (it.losses, it.total) == (0, total) or not it.exact
        assert it.losses * LOSS + it.total <= losses * LOSS + total


@settings(max_examples=40, deadline=None)
@given(small_worlds, st.data(), limits, st.booleans())
def test_forced(game: WordleGame, data: st.DataObject, limit: int | None, losses: bool) -> None:
    """They need not be candidates."""
    words = st.lists(st.sampled_from(game.guesses), min_size=1, max_size=2, unique=True)
    start, objective = data.draw(words), "losses" if losses else "total"
    value = truth_of(game).after(start, limit or UNLIMITED)
    answer = CandidateSearch(Problem(game, within=limit, losses=losses), start, objective).answer()
    assert answer.proved and (answer.tree is None) == (value[0] > 0 and not losses)
    [first] = answer.first_guesses
    assert first.words == tuple(start) and (value[0] or (first.losses, first.total) == value)
    if answer.tree is not None:
        check(game, answer, value, limit, len(start))


@settings(max_examples=40, deadline=None)
@given(small_worlds, st.sampled_from([None, 1, 2, 4]))
def test_the_least_worst_case(game: WordleGame, limit: int | None) -> None:
    worst = truth_of(game).least_worst()
    answer = CandidateSearch(Problem(game, within=limit), objective="worst").answer()
    assert answer.proved and (answer.tree is None) == (limit is not None and limit < worst)
    if answer.tree is not None:
        assert (answer.within, answer.lower_bound) == (worst, worst)
        check(game, answer, truth_of(game).best(worst), worst)
    else:
        assert answer.lower_bound == worst if limit is None else limit + 1


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["2x3", "3x2", "2x4:distinct", "1x6", "3x3"]), st.data(), limits)
def test_states_of_mastermind(name: str, data: st.DataObject, limit: int | None) -> None:
    """Some of the codes, and which are best of them."""
    game = board(name)
    some = data.draw(st.sets(st.integers(0, len(game.secrets) - 1), min_size=1, max_size=9))
    values = truth_of(game, [game.secrets[at] for at in some]).values(limit or UNLIMITED)
    problem = Problem(game, within=limit, candidates=tuple(sorted(some)), losses=True)
    search = CandidateSearch(problem)
    search.settle()
    found = {it.word: (it.losses, it.total) for it in search.best()}
    best = min(values.values())
    assert found == {word: value for word, value in values.items() if value == best}
    assert search.proved and search.least_losses == best[0]


@pytest.mark.parametrize(("name", "within"), [("3x4", None), ("3x5", None), ("2x4", 5)])
def test_whole_boards(name: str, within: int | None) -> None:
    """Codes that are one first guess with other names need no search of their own."""
    game = board(name)
    answer = CandidateSearch(Problem(game, within=within)).answer()
    engine = CandidateEngine(game)
    value = engine.value_of_state(state_of(engine.members, NO_LIMIT if within is None else within))
    assert value.exact and answer.lower_bound == value.bound and answer.tree is not None
    assert sum(played(game, answer.tree)) == value.bound


def test_a_set_can_be_easier_than_its_subsets() -> None:
    """The example of docs/exact.md: no bound of a set holds for the sets within it."""
    rhymes = ["bight", "fight", "light", "night"]
    for words, total, worst in ((rhymes, 10, 4), ([*rhymes, "flown"], 9, 2)):
        answer = CandidateSearch(Problem(game_of(words), within=None)).answer()
        assert answer.tree is not None
        assert (answer.lower_bound, answer.tree.height) == (total, worst)
        assert truth_of(game_of(words)).best() == (0, total)


def test_the_guess_does_not_depend_on_what_is_known() -> None:
    """Of the guesses that attain a value it is the same, whatever was searched before."""
    dice = random.Random(3)
    game = made_up(1, 40, 40)
    fresh, used = CandidateEngine(game), CandidateEngine(game)
    for _ in range(60):
        some = np.array(sorted(dice.sample(range(len(game.secrets)), 9)), dtype=np.int32)
        state = state_of(some, dice.choice([2, 3, NO_LIMIT]))
        used.value_of_state(state, dice.choice([18, 20, 22, LOSS, 5 * LOSS]))
    for left in (3, 4, NO_LIMIT):
        state = state_of(used.members, left)
        assert used.plan(state) == fresh.plan(state)


def test_a_limit_on_the_value() -> None:
    """What is above it has a bound that is above it, and no more than the value."""
    game = made_up(1, 40, 40)
    for left in (2, 3, NO_LIMIT):
        state, engine = state_of(np.arange(12, dtype=np.int32), left), CandidateEngine(game)
        value = CandidateEngine(game).value_of_state(state).bound
        for limit in (value - LOSS, value - 3, value - 1, value, value + 2):
            found = engine.value_of_state(state, limit)
            assert limit < found.bound <= value or (found.bound, found.exact) == (value, True)


def test_interrupted_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search goes on where it was, and a memo that forgets changes nothing."""
    game = board("3x5")
    whole = CandidateSearch(Problem(game)).answer()
    monkeypatch.setattr(set_engine, "_BUDGET", 3)
    looks: list[None] = []
    search = CandidateSearch(Problem(game), check_time=lambda: looks.append(None))
    memo = search._engine._memo
    search._engine._memo = memo._replace(
        slots=memo.slots[:16], facts=memo.facts[:8], rows=memo.rows[:400]
    )
    assert search.answer() == whole and len(looks) > 30


@pytest.mark.parametrize("objective", ["total", "losses", "worst"])
@pytest.mark.parametrize("forced", [0, 1])
@pytest.mark.parametrize("looks", [0, 1, 5, 40])
def test_broken_off(
    objective: str, forced: int, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known by then: a strategy, and a bound that none is below."""
    monkeypatch.setattr(set_engine, "_BUDGET", 1)
    game = made_up(1, 40, 40)
    start, check_time = game.guesses[:forced], raising(CouldNotFinishError("time is up"), looks)
    problem = Problem(game, within=4, losses=objective == "losses")
    search = CandidateSearch(problem, start, objective, check_time=check_time)
    refused(CouldNotFinishError, "", search.answer)
    best, truth = search.best_so_far(), CandidateSearch(problem, start, objective).answer()
    assert not best.proved and best.tree is not None and best.lower_bound is not None
    assert truth.lower_bound is not None and truth.tree is not None and best.first_guesses
    turns = played(game, best.tree, len(start))
    if objective == "total":
        assert best.lower_bound <= truth.lower_bound <= sum(turns) or max(turns) > 4
    elif objective == "worst":
        assert best.lower_bound <= truth.lower_bound <= max(turns)
    else:
        lost = sum(depth > 4 for depth in truth.tree.depths())
        assert best.lower_bound <= lost <= sum(depth > 4 for depth in turns)


@pytest.mark.parametrize(("game", "within"), [
    (made_up(1, 40, 40), 3), (game_of(["azz", "bzz", "czz", "dzz", "ezz"]), 5),
])  # fmt: skip
def test_next_words_broken_off(
    game: WordleGame, within: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_engine, "_BUDGET", 1)
    problem = Problem(game, within=within, losses=True)
    search = CandidateSearch(problem, check_time=raising(CouldNotFinishError("time is up")))
    refused(CouldNotFinishError, "", search.settle)
    [word, *_], least = search.best(), truth_of(game).best(within)
    assert not search.proved and not word.exact and (word.losses, word.total) >= least
    assert search.least_losses <= least[0] <= word.losses <= max(len(game.guesses) - within, 0)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 30), st.integers(1, 6))
def test_ideal_totals(most: int, others: int) -> None:
    """One is found by the first guess, so many by the second, and so on."""
    depths = [1]
    while len(depths) < most:
        full = depths.count(depths[-1]) == others ** (depths[-1] - 1)
        depths.append(depths[-1] + full)
    for left, row in enumerate(ideals_of(others, most)[1:], 1):
        for n in range(1, most + 1):
            lost = sum(depth > left for depth in depths[:n])
            assert row[n] == sum(depths[:n]) + lost * LOSS


def test_numbers_of_scores() -> None:
    """Equal where scores are equal, of one byte if these suffice."""
    game = made_up(1, 60, 60, "abcdefgh", 7)
    table = candidate_table(game, game.secret_ids, all_secrets(game))
    for guess, row in zip(game.secrets, table.scores.tolist(), strict=True):
        pairs = {(game.grade(guess, it), at) for it, at in zip(game.secrets, row, strict=True)}
        assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
        assert len(pairs) <= table.n_scores
