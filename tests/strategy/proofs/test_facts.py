"""Bounds that the checker of proofs knows, each of exactly its state."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from strategy.proofs.checker import facts
from tests.support.checker_twins import LEFTS, WORLD, checker_of, ids, some

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("hard", [False, True])
def test_facts_are_known_by_the_whole_state(hard: bool) -> None:
    checker, draw = checker_of(WORLD, hard=hard), random.Random(6)
    board = checker.board
    texts = ["...|", "a..|", "a..|a", "ab.|ab", "...|a", "...|aa"] if hard else [""]
    entries, room = 12, 60
    table = facts.new_facts(board, entries, room)
    noted: list[tuple[tuple[int, ...], int, str, int]] = []
    used = 0
    sets = [some(draw, WORLD, 1, 8) for _ in range(6)]
    for _ in range(300):
        members, left, text = draw.choice(sets), draw.choice(LEFTS), draw.choice(texts)
        value = draw.randint(0, 50)
        if len(noted) == entries or used + len(members) > room:
            noted, used = [], 0
        facts.note_bound(board, table, ids(*members), left, checker.shown_of(text), value)
        noted.append((members, left, text, value))
        used += len(members)
        assert table.used.tolist() == [len(noted), used]
        members, left, text = draw.choice(sets), draw.choice(LEFTS), draw.choice(texts)
        best = max(
            (v for m, k, t, v in noted if m == members and k >= left and asks_no_more(t, text)),
            default=-1,
        )
        assert facts.known_bound(board, table, ids(*members), left, checker.shown_of(text)) == best
    before = table.used.tolist()
    facts.note_bound(
        board, facts.new_facts(board, 3, 2), ids(0, 1, 2), 1, checker.shown_of(texts[0]), 1
    )
    empty = facts.new_facts(board, 0, 5)
    facts.note_bound(board, empty, ids(0), 1, checker.shown_of(texts[0]), 1)
    assert empty.used.tolist() == [0, 0]
    assert table.used.tolist() == before


def test_facts_have_their_room() -> None:
    """What has no room drives out all others; nothing is written beyond the end."""
    checker = checker_of(WORLD)
    board, nothing = checker.board, checker.shown_of("")
    for entries, room, used in ((2, 6, [2, 6]), (2, 5, [1, 3]), (1, 6, [1, 3]), (1, 3, [1, 3])):
        table = facts.new_facts(board, entries, room)
        for members, value in ((ids(0, 1, 2), 7), (ids(3, 4, 5), 8)):
            facts.note_bound(board, table, members, 3, nothing, value)
            assert facts.known_bound(board, table, members, 3, nothing) == value
        assert table.used.tolist() == used
        first = facts.known_bound(board, table, ids(0, 1, 2), 3, nothing)
        assert first == (7 if used[0] == 2 else -1)


def test_a_part_of_a_set_is_another_set() -> None:
    """Also where both are found in the same chain."""
    checker = checker_of(WORLD)
    board, nothing = checker.board, checker.shown_of("")
    table = facts.new_facts(board, 3, 60)
    whole = next(
        members
        for members in combinations(range(len(WORLD.secrets)), 3)
        if facts.chain_start(table, ids(*members)) == facts.chain_start(table, ids(*members[:2]))
    )
    for noted, other in ((whole, whole[:2]), (whole[:2], whole)):
        table = facts.new_facts(board, 3, 60)
        facts.note_bound(board, table, ids(*noted), 3, nothing, 9)
        assert facts.known_bound(board, table, ids(*noted), 3, nothing) == 9
        assert facts.known_bound(board, table, ids(*other), 3, nothing) == -1


def test_sets_of_one_chain_are_told_apart() -> None:
    checker = checker_of(WORLD)
    board, nothing = checker.board, checker.shown_of("")
    table = facts.new_facts(board, 3, 60)
    heads: dict[int, tuple[int, ...]] = {}
    for members in combinations(range(len(WORLD.secrets)), 3):
        other = heads.setdefault(int(facts.chain_start(table, ids(*members))), members)
        if other[2] != members[2]:
            break
    facts.note_bound(board, table, ids(*other), 3, nothing, 9)
    assert facts.known_bound(board, table, ids(*other), 3, nothing) == 9
    assert facts.known_bound(board, table, ids(*members), 3, nothing) == -1


def asks_no_more(looser: str, tighter: str) -> bool:
    if not looser:
        return True
    greens = all(a in (".", b) for a, b in zip(looser[:3], tighter[:3], strict=True))
    return greens and all(looser.count(x, 4) <= tighter.count(x, 4) for x in "abc")
