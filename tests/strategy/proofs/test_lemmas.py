"""Lemmas of the checker of proofs against the formulas of its page: quick enough for mutants."""

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
import pytest

from solver.game.game import Game
from solver.machine.jit import PLAIN
from strategy.proofs.checker import board as boards
from strategy.proofs.checker import bounds
from strategy.proofs.checker.bounds import LOSS, UNLIMITED
from strategy.proofs.checker.check import text_of_revealed
from strategy.proofs.checker.proof_file import Claim
from tests.support import naive
from tests.support.checker_twins import (
    LEFTS,
    WIDE,
    WIDEST,
    WORLD,
    after,
    checker_of,
    ids,
    lemma_1,
    lemma_2,
    lemma_6,
    one_step,
    some,
    state,
    word_of,
    words_at,
)
from tests.support.naive_proof import legal_in
from tests.support.proof_worlds import alike
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain
#: What is compiled only into others cannot be called from here then.
COMPILED = not PLAIN


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
        assert sorted(found) == sorted(split.values()) and not work.times.any()
        for secret in range(len(WORLD.secrets)):
            assert COMPILED or bool(bounds._holds(ids(*members), secret)) == (secret in members)


# --- lemmas ------------------------------------------------------------------------------------
def test_formulas() -> None:
    for left in LEFTS:
        assert bounds.after_guess(left) == after(left)
        for price in (0, 1):
            for n in range(1, 6):
                assert bounds.least(price, 9, n, left) == lemma_1(price, n, left)
                for p in range(1, n + 1):
                    for hit in (0, 1):
                        found = bounds.least_by_parts(price, 9, n, p, hit, left)
                        if p > hit or n == hit:
                            assert found == lemma_2(price, n, p, hit, left)


def test_formulas_where_a_guess_leaves_few_states() -> None:
    """As many terms 1, 2, 3 … as there may be candidates that take so many guesses."""
    for left, price, others, n in product(LEFTS, (0, 1), (1, 2, 3), range(1, 30)):
        for hit, second in ((1, others), (0, 1), (1, 2), (0, 5)):
            numbers = [hit, second, *(second * others**k for k in range(1, n + 1))]
            depths = [at for at, number in enumerate(numbers, 1) for _ in range(min(n, number))][:n]
            wanted = sum(depths) * price + LOSS * sum(depth > left for depth in depths)
            found = bounds.least_by_parts(price, others, n, hit + second, hit, left)
            assert found == wanted
            if (hit, second) == (1, others):
                assert bounds.least(price, others, n, left) == wanted


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("price", [0, 1])
def test_guesses_and_states_cost_at_least(
    price: int, hard: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lemmas 2 and 6, and the first guess that reaches a goal too cheaply (Lemma 15)."""
    if price:  # for larger sets than that no columns are sorted
        monkeypatch.setattr(bounds, "_NEAR", 10 * boards.BLOCK)
    objective = "total" if price else "worst"
    checker, draw = checker_of(WORLD, objective, 3, hard), random.Random(5)
    board = checker.board
    nothing = boards.nothing_revealed(board)
    for number in range(16):
        members, left = some(draw, WORLD, 1, 24 if number % 3 else 6), draw.choice(LEFTS)
        words, revealed = words_at(WORLD, members), nothing
        legal: Sequence[str] = WORLD.guesses
        if hard and number % 2:
            revealed = checker.revealed_of(draw.choice(["a..|a", "...|b", "...|cc", ".d.|ad"]))
            legal = legal_in(text_of_revealed(revealed, checker.words.alphabet), WORLD)
        checker.work.revealed[:] = revealed
        if not COMPILED:
            bounds._come_near(checker.work, ids(*members))
            found = bounds._one_step(board, checker.work, state(members, left, revealed))
            assert found == one_step(WORLD, price, words, left, legal)
        values = {}
        for column in range(len(WORLD.guesses)):
            guess = word_of(WORLD, board, column)
            values[column] = lemma_6(WORLD, price, words, guess, left, legal, hard)
            if guess in legal and number % 4 == 0:
                whole = checker.bound_of_column(state(members, left, revealed), column, 1 << 60)
                assert whole == values[column]
                goal = values[column] - draw.randint(0, 2)
                part = checker.bound_of_column(state(members, left, revealed), column, goal)
                assert goal <= part <= values[column]
        guesses = {column: word_of(WORLD, board, column) for column in values}
        buckets = {column: len(naive.split(word, words)) for column, word in guesses.items()}
        telling = [
            column
            for column, word in guesses.items()
            if word in legal and (buckets[column] > 1 or [word] == words)
        ]
        size = len(words)
        least = min((values[column] for column in telling), default=0)
        for goal in (least, least + 1, least + 2):
            begin, end = sorted(draw.choices(range(50), k=2)) if draw.random() < 0.5 else (0, 99)
            cheap = []
            for column in telling:
                hit = guesses[column] in words
                second = lemma_2(price, size, buckets[column], hit, left)
                if begin <= column < end and max(values[column], second) < goal:
                    cheap.append(column)
            open_ = checker.open_column(state(members, left, revealed), goal, begin, end)
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
        nothing = boards.nothing_revealed(checker.board)
        for column in range(len(game.guesses)):
            guess = word_of(game, checker.board, column)
            found = checker.bound_of_column(state(members, left, nothing), column, 1 << 60)
            assert found == lemma_6(game, 1, words, guess, left, game.guesses, hard)
            if guess == "qqq" and left == UNLIMITED:
                assert found == len(words) + 2 * len(words)


@pytest.mark.parametrize(
    ("game", "scores", "least"),
    [(WIDE, 64, 20), pytest.param(WIDEST, 256, 5, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.skipif(PLAIN, reason="two minutes; test_parts_are_counted has these worlds")
def test_bounds_hold_where_guesses_have_many_scores(
    game: Game, scores: int, least: int, hard: bool
) -> None:
    """A part that is overlooked makes a bound too high: what is false would follow."""
    checker, draw = checker_of(game, hard=hard), random.Random(10)
    board, nothing = checker.board, boards.nothing_revealed(checker.board)
    assert board.parts.max() > scores
    large = 0
    for number in range(24):
        members, left = some(draw, game, 30, 120), (2, 3, UNLIMITED)[number % 3]
        words = words_at(game, members)
        poor = draw.sample(range(len(game.guesses) - 40, len(game.guesses)), 3)
        for column in (draw.randrange(len(game.guesses)), *poor):
            guess = word_of(game, board, column)
            found = checker.bound_of_column(state(members, left, nothing), column, 1 << 60)
            assert found == lemma_6(game, 1, words, guess, left, game.guesses, hard)
            large += sum(len(bucket) > 16 for bucket in naive.split(guess, words).values())
    assert large >= least


# --- subsets: Lemma 13 -------------------------------------------------------------------------
def claims_of(game: Game, draw: random.Random, number: int) -> list[Claim]:
    """Claims about parts of buckets, of any value: whether they are true does not matter here."""
    claims = []
    for _ in range(number):
        guess = draw.choice(game.guesses)
        bucket = draw.choice(list(naive.split(guess, game.secrets).values()))
        part = draw.sample(bucket, draw.randint(1, len(bucket)))
        members = tuple(sorted(map(game.secrets.index, part)))
        losses, total = draw.randint(0, len(part)), draw.randint(0, 40)
        claims.append(Claim(members, draw.choice(LEFTS), "", losses * LOSS + total))
    return claims


def known_of(claims: list[Claim], members: set[int], left: int, price: int, inside: bool) -> int:
    """The most that claims say of a set; ``inside``: those about its subsets, too."""
    best = 0
    for claim in claims:
        own = set(claim.members)
        if claim.left >= left and (own == members or (inside and own < members and len(own) > 1)):
            best = max(best, claim.value + (len(members) - len(own)) * price)
    return best


def with_claims(
    game: Game, claims: list[Claim], state_: boards.State, guess: str, price: int, inside: bool
) -> int:
    """Lemma 6 with claims."""
    words, left = words_at(game, state_.members), state_.left

    def known(bucket: list[str]) -> int:
        if len(bucket) < (2 if inside else 3):
            return 0
        own = set(map(game.secrets.index, bucket))
        return known_of(claims, own, after(left), price, inside)

    return lemma_6(game, price, words, guess, left, game.guesses, False, known)


@pytest.mark.parametrize("objective", ["losses", pytest.param("worst", marks=pytest.mark.slow)])
def test_a_bucket_of_all_costs_what_a_part_of_it_costs(objective: str) -> None:
    price, draw = int(objective != "worst"), random.Random(7)
    everyone = tuple(range(len(WORLD.secrets)))
    raised = 0
    for left in (1, 3, UNLIMITED):
        checker, claims = checker_of(WORLD, objective, 3), claims_of(WORLD, draw, 25)
        for claim in claims:
            checker.note_claim(claim)
        shown = checker.revealed_of("")
        for members in (everyone, everyone[1:]):
            for column in range(len(WORLD.guesses)):
                guess, whole = word_of(WORLD, checker.board, column), members == everyone
                own = state(members, left, shown)
                found = checker.bound_of_column(own, column, 1 << 60)
                assert found == with_claims(WORLD, claims, own, guess, price, whole)
                raised += found > with_claims(WORLD, claims, own, guess, price, False)
        assert not checker.work.times.any()
    assert raised > 20


@pytest.mark.slow
@pytest.mark.parametrize("price", [0, 1])
def test_what_buckets_settle_changes_nothing(price: int) -> None:
    """The first guess that is too cheap by Lemma 6, with claims about buckets or without."""
    draw, settled, game = random.Random(8), 0, alike(1, 40, 16)
    for number in range(10):
        checker = checker_of(game, "losses" if price else "worst", 3)
        claims = claims_of(game, draw, 60) if number % 2 else []
        for claim in claims:
            checker.note_claim(claim)
        left = draw.choice((1, 2, 3, 4))
        own = state(some(draw, game, 8, 15), left, checker.revealed_of(""))
        words = words_at(game, own.members)
        guesses = [word_of(game, checker.board, at) for at in range(len(game.guesses))]
        costs = []
        for guess in guesses:
            parts = naive.split(guess, words)
            second = lemma_2(price, len(words), len(parts), guess in words, left)
            sixth = with_claims(game, claims, own, guess, price, False)
            costs.append(1 << 60 if len(parts) == 1 else max(second, sixth))
        for begin in (0, 10, 20, 30):
            goal = min(costs[begin:]) + draw.randint(0, 1)
            cheap = [at for at, cost in enumerate(costs) if at >= begin and cost < goal]
            assert checker.open_column(own, goal, begin) == min(cheap, default=-1)
            settled += int(checker.work.settled.sum())
    assert settled > 10


def test_a_set_of_one_settles_nothing() -> None:
    """A guess that leaves one secret by itself may be that secret."""
    checker, claim = checker_of(WORLD, "losses", 3), Claim((2,), UNLIMITED, "", 9 * LOSS)
    checker.note_claim(claim)
    everyone = tuple(range(len(WORLD.secrets)))
    for column in range(len(WORLD.guesses)):
        shown = checker.revealed_of("")
        found = checker.bound_of_column(state(everyone, 3, shown), column, 1 << 60)
        assert found < 9 * LOSS


# --- the memo of one-step bounds ---------------------------------------------------------------
@pytest.mark.parametrize("hard", [False, True])
def test_a_bound_is_stored_by_state(hard: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same sets over and over, with other guesses left and other letters revealed."""
    monkeypatch.setattr(bounds, "_MEMO", (60, 300))
    checker, draw = checker_of(WORLD, hard=hard), random.Random(9)
    texts = ["...|", "a..|a", "...|b", "...|cc", ".d.|ad"] if hard else [""]
    sets = [some(draw, WORLD, 6, 12) for _ in range(3)]
    columns = draw.sample(range(len(WORLD.guesses)), 3)
    for members, column, left, text in product(sets, columns, (2, 3, UNLIMITED), texts):
        legal = legal_in(text, WORLD) if hard else WORLD.guesses
        words, guess = words_at(WORLD, members), word_of(WORLD, checker.board, column)
        revealed = checker.revealed_of(text)
        found = checker.bound_of_column(state(members, left, revealed), column, 1 << 60)
        assert found == lemma_6(WORLD, 1, words, guess, left, legal, hard)


def test_sets_of_one_chain_are_remembered_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of one bucket, one after another: none takes the bound of the one before it."""
    monkeypatch.setattr(bounds, "_MEMO", (8, 60))
    checker, guess = checker_of(WORLD), "aaa"
    board, nothing = checker.board, checker.revealed_of("")
    column = int(np.flatnonzero(board.guess == WORLD.guesses.index(guess))[0])
    bucket = max(naive.split(guess, WORLD.secrets).values(), key=len)
    places = [WORLD.secrets.index(word) for word in bucket]
    chains: dict[int, list[tuple[int, ...]]] = {}
    for size in (3, 4, 5):
        for part in combinations(places, size):
            head = int(boards.chain_start(checker.work.memo, ids(*part)))
            chains.setdefault(head, []).append(part)

    @cache
    def least(part: tuple[int, ...]) -> int:
        return lemma_6(WORLD, 1, words_at(WORLD, part), guess, 9, WORLD.guesses, False)

    alike, longer = (
        [
            pair
            for chain in chains.values()
            for pair in permutations(chain, 2)
            if fits(*pair) and least(pair[0]) > least(pair[1])
        ]
        for fits in (lambda a, b: len(a) == len(b), lambda a, b: a[: len(b)] == b)
    )
    assert len(alike) > 10 and longer
    for pair in (*alike[:20], *longer):
        checker.work = bounds.new_workspace(board)
        for part in pair:
            found = checker.bound_of_column(state(part, 9, nothing), column, 1 << 60)
            assert found == least(part)
