"""The checker of proofs against the formulas of its page: quick enough for mutants."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
import pytest

from solver.machine.jit import config
from strategy.proofs.checker import board as boards
from strategy.proofs.checker import bounds, facts, parts
from strategy.proofs.checker.bounds import UNLIMITED
from strategy.proofs.checker.steps import WrongProofError, text_of
from tests.support import naive
from tests.support.checker_twins import (
    LEFTS,
    WORLD,
    after,
    checker_of,
    ids,
    lemma_1,
    lemma_2,
    lemma_4,
    one_step,
    some,
    word_of,
    words_at,
)
from tests.support.naive_proof import legal_in
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain
#: What is compiled only into others cannot be called from here then.
COMPILED = not config.DISABLE_JIT
plain_only = pytest.mark.skipif(COMPILED, reason="a part of other kernels when compiled")

# --- the board ---------------------------------------------------------------------------------


def test_the_board() -> None:
    board = boards.new_board(WORLD.guesses, WORLD.secrets, 1, True)
    width = board.rows.shape[1]
    assert width % boards.LANES == 0
    assert 0 <= width - len(WORLD.guesses) < boards.LANES
    assert sorted(board.guess[: len(WORLD.guesses)]) == list(range(len(WORLD.guesses)))
    assert set(board.guess[len(WORLD.guesses) :]) <= {-1}
    assert list(board.parts) == sorted(board.parts, reverse=True)
    for column in range(width):
        if board.guess[column] < 0:
            assert (board.secret[column], board.parts[column]) == (-1, 0)
            continue
        word = word_of(WORLD, board, column)
        assert "".join(chr(97 + x) for x in board.letters[column]) == word
        secret = board.secret[column]
        assert (secret >= 0) == (word in WORLD.secrets)
        assert secret < 0 or (WORLD.secrets[secret], board.column[secret]) == (word, column)
        split = naive.split(word, WORLD.secrets)
        assert board.parts[column] == len(split)
        rows = [[WORLD.secrets.index(word) for word in bucket] for bucket in split.values()]
        codes = [set(board.rows[row, column].tolist()) for row in rows]
        assert sorted(codes, key=min) == [{code} for code in range(len(split))]


def test_scores_of_long_words() -> None:
    draw = random.Random(1)
    for length in (2, 5, 6, 11):
        words = tuple(sorted({"".join(draw.choices("abcz", k=length)) for _ in range(9)}))
        board = boards.new_board(words, words, 1, False)
        for column, guess in enumerate(board.guess[: len(words)]):
            assert board.parts[column] == len(naive.split(words[guess], words))


def test_what_hard_mode_shows_and_allows() -> None:
    checker, draw = checker_of(WORLD, hard=True), random.Random(2)
    board = checker.board
    for _ in range(60):
        shown, texts = boards.nothing_shown(board), set(WORLD.guesses)
        secret = draw.choice(WORLD.secrets)
        for _ in range(draw.randint(1, 3)):
            column = draw.randrange(len(WORLD.guesses))
            hidden = board.letters[board.column[WORLD.secrets.index(secret)]]
            new = np.zeros_like(shown)
            boards.show(board.letters[column], hidden, shown, new)
            guess = word_of(WORLD, board, column)
            texts = {w for w in texts if naive.may_follow(w, guess, secret)}
            shown = new
        legal = {
            word_of(WORLD, board, column)
            for column in range(len(WORLD.guesses))
            if boards.is_legal(board.letters[column], shown)
        }
        assert legal == texts == set(legal_in(text_of(shown, 3), WORLD))
        assert (checker.shown_of(text_of(shown, 3)) == shown).all()


NEVER_SHOWN = " ... a.. ..|a ....| ...|ba ...|A A..| a.1| ...|aaaa ...|a| ...|\u00e4 {..|"


@pytest.mark.parametrize("text", NEVER_SHOWN.split(" "))
def test_what_hard_mode_never_shows(text: str) -> None:
    with pytest.raises(WrongProofError, match="nothing that hard mode shows"):
        checker_of(WORLD, hard=True).shown_of(text)
    if text:
        with pytest.raises(WrongProofError):
            checker_of(WORLD).shown_of(text)
    assert not checker_of(WORLD).shown_of("").any()
    with pytest.raises(WrongProofError):
        checker_of(WORLD).shown_of("a..|a")
    assert checker_of(WORLD, hard=True).shown_of("a.z|aaz")[[0, 2, 3, 28]].tolist() == [1, 26, 2, 1]


# --- counting ----------------------------------------------------------------------------------


@plain_only
def test_parts_are_counted() -> None:
    draw = random.Random(3)
    many = tuple(sorted({"".join(draw.choices("abcdefgh", k=5)) for _ in range(150)}))
    for game in (WORLD, game_of(list(many))):
        board = boards.new_board(game.guesses, game.secrets, 1, False)
        tally, lanes = parts.new_tally(), np.zeros(boards.LANES, dtype=np.int64)
        for size in (1, 2, 3, 15, 16, 17, 18, len(game.secrets)):
            members = some(draw, game, size, size)
            first = draw.randrange(0, board.rows.shape[1], boards.LANES)
            parts.count_parts(board, tally, ids(*members), first, lanes)
            for lane in range(boards.LANES):
                if board.guess[first + lane] >= 0:
                    guess = word_of(game, board, first + lane)
                    assert lanes[lane] == len(naive.split(guess, words_at(game, members)))
    assert int(board.parts.max()) > 64


@plain_only
@pytest.mark.parametrize("seed", range(20))
def test_bits_are_counted(seed: int) -> None:
    word = random.Random(seed).getrandbits(64) if seed > 1 else seed * ((1 << 64) - 1)
    assert int(parts._ones(np.uint64(word))) == word.bit_count()


def test_sets_are_split() -> None:
    checker, draw = checker_of(WORLD), random.Random(4)
    board, work = checker.board, checker.work
    for _ in range(60):
        members, column = some(draw, WORLD), draw.randrange(len(WORLD.guesses))
        buckets = bounds.split(board, work, ids(*members), column)
        found = []
        for k in range(buckets):
            start, size = int(work.starts[k]), int(work.sizes[k])
            found.append(words_at(WORLD, [int(m) for m in work.members[start : start + size]]))
        assert [len(b) for b in found] == sorted(map(len, found), reverse=True)
        split = naive.split(word_of(WORLD, board, column), words_at(WORLD, members))
        assert sorted(found) == sorted(split.values())
        assert not work.times.any()
        for secret in range(len(WORLD.secrets)):
            assert COMPILED or bool(bounds._holds(ids(*members), secret)) == (secret in members)


# --- lemmas ------------------------------------------------------------------------------------


def test_formulas() -> None:
    for left in LEFTS:
        assert bounds.after_guess(left) == after(left)
        for price in (0, 1):
            for n in range(1, 6):
                assert bounds.least(price, n, left) == lemma_1(price, n, left)
                for p in range(1, n + 1):
                    for hit in (0, 1):
                        found = bounds.least_by_parts(price, n, p, hit, left)
                        assert found == lemma_2(price, n, p, hit, left)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("price", [0, 1])
def test_guesses_and_states_cost_at_least(price: int, hard: bool) -> None:
    """Lemmas 2 and 4, and the first guess that reaches a goal too cheaply (Lemma 5)."""
    objective = "total" if price else "worst"
    checker, draw = checker_of(WORLD, objective, 3, hard), random.Random(5)
    board = checker.board
    nothing = boards.nothing_shown(board)
    for number in range(30):
        members, left = some(draw, WORLD, 1, 24 if number % 3 else 6), draw.choice(LEFTS)
        words, shown = words_at(WORLD, members), nothing
        legal: Sequence[str] = WORLD.guesses
        if hard and number % 2:
            shown = checker.shown_of(draw.choice(["a..|a", "...|b", "...|cc", ".d.|ad"]))
            legal = legal_in(text_of(shown, 3), WORLD)
        checker.work.shown[:] = shown
        if not COMPILED:
            found = bounds._one_step(board, checker.work, ids(*members), left, shown)
            assert found == one_step(WORLD, price, words, left, legal)
        values = {}
        for column in range(len(WORLD.guesses)):
            guess = word_of(WORLD, board, column)
            values[column] = lemma_4(WORLD, price, words, guess, left, legal, hard)
            if guess in legal and number % 4 == 0:
                whole = checker.bound_of_column(ids(*members), column, left, shown, 1 << 60)
                assert whole == values[column]
                goal = values[column] - draw.randint(0, 2)
                part = checker.bound_of_column(ids(*members), column, left, shown, goal)
                assert goal <= part <= values[column]
        telling = [
            column
            for column in values
            if word_of(WORLD, board, column) in legal
            and (
                len(naive.split(word_of(WORLD, board, column), words)) > 1
                or [word_of(WORLD, board, column)] == words
            )
        ]
        least = min((values[column] for column in telling), default=0)
        for goal in (least, least + 1, least + 2):
            begin, end = sorted(draw.choices(range(50), k=2)) if draw.random() < 0.5 else (0, 99)
            cheap = [
                column
                for column in telling
                if begin <= column < end
                and max(
                    values[column],
                    lemma_2(
                        price,
                        len(words),
                        len(naive.split(word_of(WORLD, board, column), words)),
                        word_of(WORLD, board, column) in words,
                        left,
                    ),
                )
                < goal
            ]
            open_ = checker.open_column(ids(*members), left, shown, goal, begin, end)
            assert open_ == min(cheap, default=-1)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("letters", ["abc", "yxw", "bad"])
def test_every_guess_counts_wherever_it_stands(letters: str, hard: bool) -> None:
    """A bucket that one guess alone parts: the first of all words, or a later one."""
    words = [letter + "zz" for letter in (*letters, "e")]
    game = game_of(sorted([*words, letters, "qqq"]), sorted(words))
    members = range(len(words))
    for left in LEFTS:
        checker = checker_of(game, hard=hard)
        nothing = boards.nothing_shown(checker.board)
        for column in range(len(game.guesses)):
            guess = word_of(game, checker.board, column)
            found = checker.bound_of_column(ids(*members), column, left, nothing, 1 << 60)
            assert found == lemma_4(game, 1, words, guess, left, game.guesses, hard)
            if guess == "qqq" and left == UNLIMITED:
                assert found == len(words) + 2 * len(words)


# --- the memo of one-step bounds ---------------------------------------------------------------


@pytest.mark.parametrize("hard", [False, True])
def test_a_bound_is_remembered_for_its_state_alone(
    hard: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same sets over and over, with other guesses left and other letters shown."""
    monkeypatch.setattr(bounds, "_MEMO", (60, 300))
    checker, draw = checker_of(WORLD, hard=hard), random.Random(9)
    texts = ["...|", "a..|a", "...|b", "...|cc", ".d.|ad"] if hard else [""]
    sets = [some(draw, WORLD, 6, 12) for _ in range(3)]
    columns = draw.sample(range(len(WORLD.guesses)), 3)
    for members, column, left, text in product(sets, columns, (2, 3, UNLIMITED), texts):
        legal = legal_in(text, WORLD) if hard else WORLD.guesses
        words, guess = words_at(WORLD, members), word_of(WORLD, checker.board, column)
        shown = checker.shown_of(text)
        found = checker.bound_of_column(ids(*members), column, left, shown, 1 << 60)
        assert found == lemma_4(WORLD, 1, words, guess, left, legal, hard)


def test_sets_of_one_chain_are_remembered_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of one bucket, one after another: none takes the bound of the one before it."""
    monkeypatch.setattr(bounds, "_MEMO", (8, 60))
    checker, guess = checker_of(WORLD), "aaa"
    board, nothing = checker.board, checker.shown_of("")
    column = int(np.flatnonzero(board.guess == WORLD.guesses.index(guess))[0])
    bucket = max(naive.split(guess, WORLD.secrets).values(), key=len)
    places = [WORLD.secrets.index(word) for word in bucket]
    chains: dict[int, list[tuple[int, ...]]] = {}
    for size in (3, 4, 5):
        for part in combinations(places, size):
            head = int(facts.head_of(checker.work.memo, ids(*part)))
            chains.setdefault(head, []).append(part)

    @cache
    def least(part: tuple[int, ...]) -> int:
        return lemma_4(WORLD, 1, words_at(WORLD, part), guess, 9, WORLD.guesses, False)

    alike, longer = (
        [
            pair
            for chain in chains.values()
            for pair in permutations(chain, 2)
            if fits(*pair) and least(pair[0]) > least(pair[1])
        ]
        for fits in (lambda a, b: len(a) == len(b), lambda a, b: a[: len(b)] == b)
    )
    assert len(alike) > 10
    assert longer
    for pair in (*alike[:20], *longer):
        checker.work = bounds.new_workspace(board)
        for part in pair:
            found = checker.bound_of_column(ids(*part), column, 9, nothing, 1 << 60)
            assert found == least(part)


# --- facts -------------------------------------------------------------------------------------


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
        facts.note(board, table, ids(*members), left, checker.shown_of(text), value)
        noted.append((members, left, text, value))
        used += len(members)
        assert table.used.tolist() == [len(noted), used]
        members, left, text = draw.choice(sets), draw.choice(LEFTS), draw.choice(texts)
        best = max(
            (v for m, k, t, v in noted if m == members and k >= left and asks_no_more(t, text)),
            default=-1,
        )
        assert facts.known(board, table, ids(*members), left, checker.shown_of(text)) == best
    before = table.used.tolist()
    facts.note(board, facts.new_facts(board, 3, 2), ids(0, 1, 2), 1, checker.shown_of(texts[0]), 1)
    empty = facts.new_facts(board, 0, 5)
    facts.note(board, empty, ids(0), 1, checker.shown_of(texts[0]), 1)
    assert empty.used.tolist() == [0, 0]
    assert table.used.tolist() == before


def test_facts_have_their_room() -> None:
    """What has no room drives out all others; nothing is written beyond the end."""
    checker = checker_of(WORLD)
    board, nothing = checker.board, checker.shown_of("")
    for entries, room, used in ((2, 6, [2, 6]), (2, 5, [1, 3]), (1, 6, [1, 3]), (1, 3, [1, 3])):
        table = facts.new_facts(board, entries, room)
        for members, value in ((ids(0, 1, 2), 7), (ids(3, 4, 5), 8)):
            facts.note(board, table, members, 3, nothing, value)
            assert facts.known(board, table, members, 3, nothing) == value
        assert table.used.tolist() == used
        first = facts.known(board, table, ids(0, 1, 2), 3, nothing)
        assert first == (7 if used[0] == 2 else -1)


def test_a_part_of_a_set_is_another_set() -> None:
    """Also where both are found in the same chain."""
    checker = checker_of(WORLD)
    board, nothing = checker.board, checker.shown_of("")
    table = facts.new_facts(board, 3, 60)
    whole = next(
        members
        for members in combinations(range(len(WORLD.secrets)), 3)
        if facts.head_of(table, ids(*members)) == facts.head_of(table, ids(*members[:2]))
    )
    for noted, other in ((whole, whole[:2]), (whole[:2], whole)):
        table = facts.new_facts(board, 3, 60)
        facts.note(board, table, ids(*noted), 3, nothing, 9)
        assert facts.known(board, table, ids(*noted), 3, nothing) == 9
        assert facts.known(board, table, ids(*other), 3, nothing) == -1


def test_sets_of_one_chain_are_told_apart() -> None:
    checker = checker_of(WORLD)
    board, nothing = checker.board, checker.shown_of("")
    table = facts.new_facts(board, 3, 60)
    heads: dict[int, tuple[int, ...]] = {}
    for members in combinations(range(len(WORLD.secrets)), 3):
        other = heads.setdefault(int(facts.head_of(table, ids(*members))), members)
        if other[2] != members[2]:
            break
    facts.note(board, table, ids(*other), 3, nothing, 9)
    assert facts.known(board, table, ids(*other), 3, nothing) == 9
    assert facts.known(board, table, ids(*members), 3, nothing) == -1


def asks_no_more(looser: str, tighter: str) -> bool:
    if not looser:
        return True
    greens = all(a in (".", b) for a, b in zip(looser[:3], tighter[:3], strict=True))
    return greens and all(looser.count(x, 4) <= tighter.count(x, 4) for x in "abc")
