"""Sets of codes and words searched whole, also among candidates only: by brute force."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import CouldNotFinishError
from solver.exact import set_engine
from solver.exact.best_strategy import best_strategy
from solver.exact.candidates_only import CandidateSearch
from solver.exact.kernels.lemmas import LOSS, UNLIMITED
from solver.exact.kernels.set_frames import ideal_totals, ideals_of
from solver.exact.problem import Answer, Problem
from solver.exact.set_engine import CandidateEngine, ExactCodes, candidate_table
from solver.exact.values import state_of
from solver.game.game import Game
from solver.game.wordle import WordleGame
from solver.machine.clock import OutOfTimeError
from solver.tree import Tree
from tests.support import PLAIN, naive, raising, refused
from tests.support.commands import Knuthle, report_of
from tests.support.exact_worlds import small_world
from tests.support.naive_exact import Brute, Value, brute
from tests.support.proof_worlds import made_up
from tests.support.trees import histogram, taken
from tests.support.worlds import (
    all_secrets,
    board_of,
    game_of,
    made_up_games,
    plain,
    small_boards,
    some_candidates,
)


def least(here: Game, left: int, names: Sequence[str] = (), starts: Sequence[str] = ()) -> int:
    """Brute force: the least of losses * LOSS + total; lost codes are found all the same."""
    search = brute(here.guesses, here.secrets, grader=naive.pegs)
    losses, total = search.after(starts, left, names or here.secrets)
    return int(losses * LOSS + total)


class Solved(NamedTuple):
    """The least value of a whole board, and a strategy that attains it."""

    total: int
    losses: int
    tree: Tree


def graded(search: ExactCodes, tree: Tree) -> Tree:
    """A strategy with its scores."""
    return Problem(search.game).graded(tree)


def solve(
    search: ExactCodes, within: int | None = None, starts: Sequence[int] = ()
) -> Solved | None:
    """The best strategy of a board; None if it has losses and may not."""
    state = state_of(search.members, within or UNLIMITED)
    value = search.value_of_forced(state, starts)
    if not value.exact:
        return None
    tree = graded(search, search.plan_of_forced(state, starts))
    return Solved(value.bound % LOSS, value.bound // LOSS, tree)


def solved(search: ExactCodes, within: int | None = None) -> Solved:
    found = solve(search, within)
    assert found is not None
    return found


def value_of(here: Game, tree: Tree, names: Sequence[str] = (), within: int = UNLIMITED) -> int:
    """The value of a strategy, every code of it played."""
    turns = taken(here, tree, names)
    return sum(number > within for number in turns) * LOSS + sum(turns)


def check_board(board: str, within: int | None, starts: Sequence[int] = ()) -> None:
    """With losses, and without; what was found is the bound."""
    here, limit = board_of(board), within or UNLIMITED
    expected = least(here, limit, (), [here.guesses[at] for at in starts])
    found = solve(ExactCodes(here), within, starts)
    assert (found is None) == (expected >= LOSS) and (found is None or found.total == expected)
    search = ExactCodes(here, losses=True)
    found = solve(search, within, starts)
    assert found is not None and found.losses * LOSS + found.total == expected
    assert value_of(here, found.tree, within=limit) == expected
    assert found.tree.height == max(taken(here, found.tree))
    assert starts or search.least_value(state_of(search.members, limit)) == expected


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["3x3", "3x4", "4x3", "5x2", "7x2", "3x4:distinct"]), st.data())
def test_states_by_brute_force(board: str, data: st.DataObject) -> None:
    """Small states and, where few holes make them so, large ones; scores beyond 32 numbers too.

    The least total, and the fewest codes beyond the guesses left: strategies attain both.
    """
    here = board_of(board)
    members = some_candidates(data, len(here.secrets), 1, 9)
    left = data.draw(st.sampled_from([1, 2, 3, 4, UNLIMITED]))
    names, state = [here.secrets[at] for at in members], state_of(members, left)
    expected = least(here, left, names)
    for losses in (False, True):
        search = ExactCodes(here, losses=losses)
        value = search.value_of_state(state)
        if not losses and expected >= LOSS:
            assert value.bound >= LOSS
            continue
        assert value.bound == expected and (value.exact or not losses)
        best = here.guesses[next(search.optimal_guesses(state, value.bound))]
        assert least(here, left, names, (best,)) == expected
        tree = graded(search, search.plan(state))
        assert value_of(here, tree, names, left) == expected


@settings(max_examples=55, deadline=None)
@given(st.sampled_from(["4x3", "3x5"]), st.sampled_from([*[None] * 3, 1, 2, 3]), st.data())
def test_larger_states_by_both(board: str, within: int | None, data: st.DataObject) -> None:
    """The search of words agrees, and bounds above a limit are no more than the value."""
    here, losses = board_of(board), within is not None
    members = some_candidates(data, len(here.secrets), 3, 40)
    state = state_of(members, within or UNLIMITED)
    value = ExactCodes(here, losses=losses).value_of_state(state).bound
    rows = tuple(members.tolist())
    problem = Problem(plain(board), within=within, candidates=rows, losses=losses)
    best = best_strategy(problem).first_guesses[0]
    assert (best.losses, best.total) == divmod(value, LOSS)
    search = ExactCodes(here, losses=losses)
    limits = (value - LOSS, value - 3, value - 1, value, value + 2, value + LOSS)
    for limit in data.draw(st.permutations(limits)):
        found = search.value_of_state(state, limit)
        assert found.exact or limit < found.bound <= value
        assert not found.exact or found.bound == value
        assert found.exact or limit < value


@pytest.mark.parametrize("board", ["4x3", "3x5"])
def test_a_memo_that_forgets(board: str) -> None:
    """What does not fit is searched again, in the plan too."""
    here, small = board_of(board), ExactCodes(board_of(board))
    memo = small._memo
    small._memo = memo._replace(slots=memo.slots[:8], facts=memo.facts[:4], rows=memo.rows[:400])
    assert solved(small) == solved(ExactCodes(here))


@pytest.mark.parametrize(("board", "within"), [
    ("3x5", 5), ("4x3", None), ("1x9", None), pytest.param("7x2", None, marks=pytest.mark.slow),
])  # fmt: skip
def test_the_search_of_words_agrees(board: str, within: int | None) -> None:
    """That knows nothing of Mastermind but the scores."""
    total = solved(ExactCodes(board_of(board)), within).total
    assert total == best_strategy(Problem(plain(board), within=within)).lower_bound


def test_interrupted_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search goes on where it was, whatever the work between two looks at the clock."""
    first, looks = ExactCodes(board_of("4x4")), list[None]()
    whole = solved(first)
    monkeypatch.setattr(set_engine, "_BUDGET", 7)
    search = ExactCodes(board_of("4x4"), lambda: looks.append(None))
    assert solved(search) == whole and len(looks) > 30
    assert search._stack is not None and first._stack is not None
    assert search._stack.work[1] == first._stack.work[1], "so many states were searched"


PLAIN_2X2 = pytest.param("2x2", marks=pytest.mark.plain)


@pytest.mark.parametrize("board", ["1x2", "1x4", PLAIN_2X2, "2x3", "3x2", "2x4:distinct"])
@pytest.mark.parametrize("within", [1, 2, 3, 4, None])
def test_tiny_boards_by_brute_force(board: str, within: int | None) -> None:
    check_board(board, within)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 8), min_size=1, max_size=3), st.sampled_from([1, 2, 3, 4, None]))
def test_fixed_first_guesses(starts: list[int], within: int | None) -> None:
    """Also more of them than the limit has guesses."""
    check_board("2x3", within, starts)


@pytest.mark.parametrize(("board", "within", "value", "counts"), [
    ("4x5", 3, 499 * LOSS + 2467, [1, 11, 114, 393, 106]),
    ("4x6", 4, 528 * LOSS + 5630, [1, 8, 78, 681, 513, 15]),
])  # fmt: skip
def test_the_fewest_codes_beyond_a_limit(
    board: str, within: int, value: int, counts: list[int]
) -> None:
    """With no limit on those beyond it: Slovesnov's 539 of 4x6 take five guesses, none six."""
    here = board_of(board)
    found = solved(ExactCodes(here, losses=True), within)
    assert found.losses * LOSS + found.total == value == value_of(here, found.tree, within=within)
    assert histogram(here, found.tree) == counts
    assert solve(ExactCodes(here), within) is None, "where nothing may be lost"


@pytest.mark.parametrize("second", [(), ("--then", "worst")])
def test_losses_on_the_command_line(knuthle: Knuthle, tmp_path: Path, second: Any) -> None:
    """The fewest codes beyond the limit, their names, the total, and the opener's row."""
    asked = ("--game", "mastermind:3x4", "--objective", "losses", "--within", 3, *second)
    out = ("--out", tmp_path / "a.strategy", "--force")
    report = report_of(knuthle, "optimal", *asked, *out)
    found = solved(ExactCodes(board_of("3x4"), losses=True), 3)
    assert found.losses
    assert (report["total"], report["lower_bound"]) == (found.total, found.total)
    assert len(report["beyond"]) == found.losses and report["proved"]
    opener = report["openers"][0]
    assert (opener["total"], opener["n_beyond"]) == (found.total, found.losses)
    text = knuthle("optimal", *asked, *out).out
    assert f"beyond the limit: {found.losses}: " in text and "(proved: no fewer)" in text
    assert knuthle("verify", tmp_path / "a.strategy").code == 0


@pytest.mark.parametrize("start", ["auto", "11223", "11223,13445"])
def test_losses_on_a_command_line_broken_off(knuthle: Knuthle, tmp_path: Path, start: str) -> None:
    """A strategy, and how few losses are not excluded."""
    asked = ("--game", "mastermind:5x5", "--objective", "losses", "--within", 4, "--start", start)
    out = ("--out", tmp_path / "a.strategy", "--time-limit", "0.000001")
    outcome = knuthle("optimal", *asked, *out, "--json", "-")
    report = json.loads(outcome.out)
    assert outcome.code == 3 and not report["proved"]
    assert 0 < report["lower_bound"] <= len(report["beyond"])


@pytest.mark.slow
def test_losses_that_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """At every look at the clock the bound is no more than the value, the strategy no better."""
    here, value, bounds = board_of("3x5"), 77 * LOSS + 452, list[int]()
    monkeypatch.setattr(set_engine, "_BUDGET", 100)

    def look() -> None:
        bounds.append(search.least_value(whole))
        assert value_of(here, graded(search, search.best_so_far(whole)), within=3) >= value

    search = ExactCodes(here, look, losses=True)
    whole = state_of(search.members, 3)
    assert value_of(here, solved(search, 3).tree, within=3) == value
    assert 0 < max(bounds) <= value and search.least_value(whole, (0,)) >= value


@pytest.mark.parametrize(("board", "total"), [
    ("3x10", 5242), pytest.param("5x5", 13_496, marks=pytest.mark.slow),
])  # fmt: skip
def test_published_optima(board: str, total: int) -> None:
    """Of boards without a row in docs/mastermind.md: the proof, and the strategy of it."""
    found = solved(ExactCodes(board_of(board)))
    assert found.total == total == value_of(board_of(board), found.tree)
    assert max(found.tree.depths()) == found.tree.height


def test_the_ideal_is_what_one_would_count() -> None:
    """Four holes: one code at once, 13 at the second guess, 169 at the third."""
    ideal = ideal_totals(13, 200, 3)
    assert ideal[:4].tolist() == [0, 1, 3, 5] and ideal[14] == 1 + 13 * 2
    assert ideal[183] == 1 + 13 * 2 + 169 * 3 and ideal[184] == ideal[183] + 4 + LOSS


@pytest.mark.parametrize(("start", "least"), [("auto", 3), ("11,22", 4)])
def test_the_least_worst_case_is_the_bound(knuthle: Knuthle, start: str, least: int) -> None:
    board = ("--game", "mastermind:2x3", "--objective", "worst", "--start", start)
    report = report_of(knuthle, "optimal", *board)
    assert (report["worst"], report["lower_bound"], report["proved"]) == (least, least, True)
    assert set(report["seconds"]) == {"search", "verify", "compile", "all"}
    outcome = knuthle("optimal", *board, "--within", least - 1, "--json", "-")
    assert (outcome.code, json.loads(outcome.out)["lower_bound"]) == (1, least)


@pytest.mark.plain
@settings(max_examples=40, deadline=None)
@given(small_boards, st.data())
def test_a_split_is_the_plain_one(board: str, data: st.DataObject) -> None:
    """Buckets by ascending score; the solved one is left out."""
    here = board_of(board)
    members = some_candidates(data, len(here.secrets), 1, 30)
    guess = data.draw(st.integers(0, len(here.guesses) - 1))
    words = [here.secrets[at] for at in members]
    expected = naive.split(here.guesses[guess], words, naive.pegs)
    buckets = [
        [here.secrets[at] for at in bucket.members]
        for bucket in ExactCodes(here).buckets(state_of(members, UNLIMITED), guess)
    ]
    assert buckets == [it for _, it in sorted(expected.items()) if it != [here.guesses[guess]]]


@pytest.mark.plain
@settings(max_examples=40, deadline=None)
@given(small_boards, st.data())
def test_bounds_are_the_ideal_totals_of_the_buckets(board: str, data: st.DataObject) -> None:
    """What is not offered is not better than what is, and no offer above a limit is made."""
    here = board_of(board)
    members = some_candidates(data, len(here.secrets), 2, 30)
    left = data.draw(st.sampled_from([1, 2, 3, UNLIMITED]))
    others = (here.length + 1) * (here.length + 2) // 2 - 2
    ideal = ideal_totals(others, len(here.secrets), left - 1)
    words = [here.guesses[at] for at in members]

    def bound(guess: int) -> int:
        buckets = naive.split(here.guesses[guess], words, naive.pegs)
        left_over = (it for it in buckets.values() if it != [here.guesses[guess]])
        return len(words) + sum(int(ideal[len(it)]) for it in left_over)

    search = ExactCodes(here, losses=True)
    offered = search.listed(state_of(members, left))
    assert [known for known, _ in offered] == [bound(guess) for _, guess in offered]
    graded = [[naive.pegs(guess, word) for word in words] for guess in here.guesses]
    assert offered[0][0] == min(bound(at) for at, row in enumerate(graded) if len({*row}) > 1)
    few = search.listed(state_of(members, left), offered[len(offered) // 2][0])
    assert few == [it for it in offered if it[0] <= offered[len(offered) // 2][0]]


def test_what_is_broken_off_goes_on_from_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as a first guess has a value, the strategy at once begins with it."""
    monkeypatch.setattr(set_engine, "_BUDGET", 500)
    seen: list[int] = []

    def look() -> None:
        if key in search.best_yet():
            seen.append(search.best_yet()[key])
            raise OutOfTimeError("undecided")

    search = ExactCodes(board_of("4x6"), look)
    whole = state_of(search.members, UNLIMITED)
    key = search.members.tobytes(), len(search.members)
    refused(OutOfTimeError, "", solve, search)
    tree = graded(search, search.best_so_far(whole))
    assert seen == [tree.guess[0]]
    assert search.least_value(whole) <= 5625 and tree.height <= 12


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
    game = board_of(name)
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
    game = board_of(name)
    answer = CandidateSearch(Problem(game, within=within)).answer()
    engine = CandidateEngine(game)
    value = engine.value_of_state(state_of(engine.members, UNLIMITED if within is None else within))
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
        state = state_of(some, dice.choice([2, 3, UNLIMITED]))
        used.value_of_state(state, dice.choice([18, 20, 22, LOSS, 5 * LOSS]))
    for left in (3, 4, UNLIMITED):
        state = state_of(used.members, left)
        assert used.plan(state) == fresh.plan(state)


def test_a_limit_on_the_value() -> None:
    """What is above it has a bound that is above it, and no more than the value."""
    game = made_up(1, 40, 40)
    for left in (2, 3, UNLIMITED):
        state, engine = state_of(np.arange(12, dtype=np.int32), left), CandidateEngine(game)
        value = CandidateEngine(game).value_of_state(state).bound
        for limit in (value - LOSS, value - 3, value - 1, value, value + 2):
            found = engine.value_of_state(state, limit)
            assert limit < found.bound <= value or (found.bound, found.exact) == (value, True)


def test_candidates_only_interrupted_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search goes on where it was, and a memo that forgets changes nothing."""
    game = board_of("3x5")
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
