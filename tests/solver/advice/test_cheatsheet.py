"""Cheat sheets: published ones, brute force on small lists, pools and hard mode."""

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.cheatsheet import Row, cheat_sheet
from solver.advice.totals import ExactTotals
from solver.choices import GUESS_POOLS
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from tests.support import naive, naive_exact, published, refused
from tests.support.worlds import game_of, made_up_games, measured, real_games

pools = st.sampled_from(GUESS_POOLS)
groups = st.sampled_from(["score", "hits", "colours"])
#: Secrets by what all words so far showed for them.
States = dict[tuple[str, ...], list[str]]


def seen(group: str, word: str, secret: str) -> str:
    """What a person sees of a reply."""
    marks = naive.marks(word, secret)
    hits, both = len(marks) - marks.count("b"), f"{marks.count('y')},{marks.count('g')}"
    return {"score": marks, "hits": str(hits), "colours": both}[group]


def states_of(game: Game, group: str, row: Row) -> States:
    """The secrets of a row, by their full scores."""
    states: States = {}
    for secret in game.secrets:
        keys = tuple(seen(group, word, secret) for word in row.before)
        if secret not in row.before and row.key == keys:
            marks = tuple(naive.marks(word, secret) for word in row.before)
            states.setdefault(marks, []).append(secret)
    return states


def legal(words: list[str], before: tuple[str, ...], secret: str) -> list[str]:
    for guess in before:
        words = [word for word in words if naive.may_follow(word, guess, secret)]
    return words


def pool_of(game: Game, row: Row, states: States, guess_from: str, hard: bool) -> list[str]:
    """The words from which the word of a row is to be chosen."""
    left = sorted(chain(*states.values()))
    pool = list({"allowed": game.guesses, "secrets": game.secrets, "candidates": left}[guess_from])
    if hard:
        for secret in left:
            pool = legal(pool, row.before, secret)
        pool = [word for word in pool if word not in row.before]
    return pool


def joint_sizes(word: str, states: States) -> list[int]:
    return [len(part) for state in states.values() for part in naive.split(word, state).values()]


def total_of(
    game: Game, row: Row, word: str, states: States, hard: bool, left: int
) -> tuple[int, int]:
    """The least (losses, total) over all states of a row, if this is its word."""
    losses = total = 0
    for state in states.values():
        total += len(state)
        for part in naive.split(word, state).values():
            if part != [word]:
                allowed = list(game.guesses)
                if hard:
                    allowed = legal(allowed, (*row.before, word), part[0])
                values = naive_exact.values_of_guesses(allowed, part, left - 1, hard)
                lost, more = min(values.values())
                losses, total = losses + lost, total + more
    return losses, total


def chosen(game: Game, row: Row, best: list[str], states: States) -> None:
    """The row has the first of the best words: one still possible, else a secret, if there is."""
    left = set(chain(*states.values()))
    assert row.tied == len(best)
    assert row.word == min(best, key=lambda it: (it not in left, it not in game.secrets, it))


@settings(max_examples=12)
@given(
    real_games(30, 60),
    groups,
    st.sampled_from(["entropy", "minimax"]),
    pools,
    st.booleans(),
    st.sampled_from([2, 3]),
)
def test_rules(game: Game, group: str, rule: str, guess_from: str, hard: bool, depth: int) -> None:
    how = {"group": group, "rule": rule, "depth": depth}
    sheet = cheat_sheet(game, game.guesses[7], guess_from=guess_from, hard=hard, **how)  # type: ignore[arg-type]
    for row in sheet.rows:
        states = states_of(game, group, row)
        pool = pool_of(game, row, states, guess_from, hard)
        assert row.answers == sum(map(len, states.values()))
        if not pool:
            assert (row.word, row.joint_entropy, row.tied) == (None, None, 0)
            continue
        costs = {word: naive.RULES[rule](joint_sizes(word, states), False) for word in pool}
        chosen(game, row, [word for word in pool if costs[word] == min(costs.values())], states)
        assert row.word is not None
        expected = naive.entropy(joint_sizes(row.word, states))
        assert row.joint_entropy == pytest.approx(expected, abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(made_up_games(max_words=9, longest=5), groups, pools, st.booleans(), st.sampled_from([2, 3]))
def test_the_rule_optimal(game: Game, group: str, guess_from: str, hard: bool, depth: int) -> None:
    how = {"group": group, "rule": "optimal", "depth": depth}
    sheet = cheat_sheet(game, game.guesses[0], guess_from=guess_from, hard=hard, **how)  # type: ignore[arg-type]
    for row in sheet.rows:
        states = states_of(game, group, row)
        pool = pool_of(game, row, states, guess_from, hard)
        if not pool:
            assert (row.word, row.total, row.claim) == (None, None, "none")
            continue
        left = 6 - len(row.before) if row.within else naive_exact.UNLIMITED
        totals = {word: total_of(game, row, word, states, hard, left) for word in pool}
        least = min(totals.values())
        assert (row.claim, (0, row.total)) == ("proved", least)
        chosen(game, row, [word for word in pool if totals[word] == least], states)


def test_hard_mode_can_leave_no_word() -> None:
    """One hit of AB: an A or a B was seen, and only a word with both suits both."""
    game = game_of(["ab", "ca", "bc", "cc"])
    (none, one) = cheat_sheet(game, "ab", group="hits", hard=True).rows
    assert (none.key, none.word) == (("0",), "cc")
    assert (one.key, one.word, one.joint_entropy, one.answers) == (("1",), None, None, 2)
    sheet = cheat_sheet(game, "ab", group="hits", hard=True, depth=3)
    assert sheet.shares() == {"cc": 0.25}
    by_score = cheat_sheet(game, "ab", group="score", hard=True)
    assert [row.word for row in by_score.rows] == ["cc", "bc", "ca"]


def test_refusals() -> None:
    game, codes = game_of(["crane", "slate"]), load_game(spec="mastermind:3x4")
    refused(WrongInputError, "hard mode is a rule of Wordle", cheat_sheet, codes, "112", hard=True)
    for reason, wrong in (
        ("--guess-from is one of", {"guess_from": "dreams"}), ("must be 2–", {"depth": 1}),
        ("--group is one of", {"group": "vowels"}), ("rule for second words", {"rule": "parts"}),
    ):  # fmt: skip
        refused(WrongInputError, reason, cheat_sheet, game, "crane", **wrong)


def test_published_cheat_sheets() -> None:
    game = load_game()
    for group, expected in (("hits", published.BY_HITS), ("colours", published.BY_COLOURS)):
        sheet = cheat_sheet(game, "soare", group=group)
        rows = {row.key[0]: row for row in sheet.rows}
        for key, (word, entropy, answers) in expected.items():
            assert (rows[key].word, rows[key].answers) == (word, answers)
            assert rows[key].joint_entropy == pytest.approx(entropy, abs=1e-9)
        assert sum(row.answers for row in sheet.rows) == 2315
        assert 100 * sheet.shares()["clint"] == pytest.approx(published.CLINT_SHARE, abs=5e-3)


@settings(max_examples=6)
@given(real_games(30, 60), groups, st.sampled_from([2, 3]))
def test_optimal_rows_name_a_best_word(game: Game, group: str, depth: int) -> None:
    sheet = cheat_sheet(game, game.guesses[0], group=group, depth=depth, rule="optimal")
    by_entropy = cheat_sheet(game, game.guesses[0], group=group, depth=2)
    others = {row.key: row for row in by_entropy.rows}
    for row in sheet.rows:
        assert row.claim == "proved" and row.total is not None
        if len(row.key) == 1:
            assert row.answers == others[row.key].answers
            states = measured(game, states_of(game, group, row).values())
            total = ExactTotals(game, states, None).total(game.guess_id(others[row.key].word))
            assert total is not None and row.total <= total
        if row.answers == 1:
            assert (row.total, row.tied) == (1, 1)
