"""The checker of proofs, lemma by lemma, on small worlds: quick enough for mutants.

Its twins are the formulas of docs/proof-format.md, with scores by ``naive``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from solver.game.game import Game
from strategy.files.origin import Origin
from strategy.proofs.checker import board as boards
from strategy.proofs.checker import bounds, check, facts, parts, refutations
from strategy.proofs.checker.bounds import LOSS, UNLIMITED
from strategy.proofs.checker.proof_file import Claim, Proof, Refutation
from strategy.proofs.checker.refutations import Refuted
from strategy.proofs.checker.steps import ProofChecker, Words, WrongProofError, text_of, value_text
from strategy.proofs.writer.claims import statement_of
from strategy.tree import Strategy
from tests.support import naive
from tests.support.naive_proof import impossible, legal_in, search_of
from tests.support.proof_worlds import alike, made_up
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain

WORLD = made_up(3, 40, 24)
LEFTS = (1, 2, 3, 4, UNLIMITED)


def checker_of(
    game: Game,
    objective: str = "total",
    limit: int = 0,
    hard: bool = False,
    start: str = "",
    value: int = LOSS,
) -> ProofChecker:
    statement = statement_of(game, objective, limit, value, start=start, hard=hard)
    return ProofChecker(Words(game.guesses, game.secrets), statement, 50, 500)


def ids(*members: int) -> Any:
    return np.array(members, dtype=np.int32)


def some(draw: random.Random, game: Game, least: int = 1, most: int = 99) -> tuple[int, ...]:
    count = len(game.secrets)
    return tuple(sorted(draw.sample(range(count), draw.randint(least, min(most, count)))))


def words_at(game: Game, members: Sequence[int]) -> list[str]:
    return [game.secrets[member] for member in members]


def word_of(game: Game, board: boards.Board, column: int) -> str:
    return game.guesses[board.guess[column]]


# --- twins -------------------------------------------------------------------------------------


def after(left: int) -> int:
    return UNLIMITED if left in (1, UNLIMITED) else left - 1


def lemma_1(price: int, n: int, left: int) -> int:
    return (2 * n - 1) * price + (n - 1) * LOSS * (left == 1)


def lemma_2(price: int, n: int, p: int, hit: int, left: int) -> int:
    value = (3 * n - p - hit) * price
    return value + LOSS * ((n - hit) if left == 1 else (n - p) if left == 2 else 0)


def one_step(game: Game, price: int, words: list[str], left: int, legal: Sequence[str]) -> int:
    return min(
        (
            lemma_2(price, len(words), len(naive.split(guess, words)), guess in words, left)
            for guess in legal
        ),
        default=1 << 60,
    )


def lemma_4(
    game: Game,
    price: int,
    words: list[str],
    guess: str,
    left: int,
    legal: Sequence[str],
    hard: bool,
) -> int:
    total = len(words) * price
    for bucket in naive.split(guess, words).values():
        if bucket == [guess]:
            continue
        best = lemma_1(price, len(bucket), after(left))
        if len(bucket) >= 3:
            then = [w for w in legal if not hard or naive.may_follow(w, guess, bucket[0])]
            best = max(best, one_step(game, price, bucket, after(left), then))
        total += best + len(bucket) * LOSS * (left == 1)
    return total


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
            assert bool(bounds._holds(ids(*members), secret)) == (secret in members)


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


def asks_no_more(looser: str, tighter: str) -> bool:
    if not looser:
        return True
    greens = all(a in (".", b) for a, b in zip(looser[:3], tighter[:3], strict=True))
    return greens and all(looser.count(x, 4) <= tighter.count(x, 4) for x in "abc")


# --- claims ------------------------------------------------------------------------------------


@pytest.mark.parametrize("hard", [False, True])
def test_claims_follow_up_to_their_value(hard: bool) -> None:
    checker, draw = checker_of(WORLD, hard=hard), random.Random(7)
    text = "...|" if hard else ""
    for number in range(12):
        members, left = some(draw, WORLD, 1, 12), draw.choice(LEFTS)
        words = words_at(WORLD, members)
        value = min(
            max(
                lemma_4(WORLD, 1, words, guess, left, WORLD.guesses, hard),
                lemma_2(1, len(words), len(naive.split(guess, words)), guess in words, left),
            )
            for guess in WORLD.guesses
            if len(naive.split(guess, words)) > 1 or [guess] == words
        )
        checker.check_claim(number, Claim(members, left, text, value))
        with pytest.raises(WrongProofError, match=f"claim {number} does not follow"):
            checker.check_claim(number, Claim(members, left, text, value + 1))
    assert checker.noted == (0, 0)
    checker.note_claim(Claim((0, 1, 2), 3, text, 77))
    assert checker.noted == (0, 1)
    known = facts.known(checker.board, checker.facts, ids(0, 1, 2), 3, checker.shown_of(text))
    assert known == 77


# --- refutations -------------------------------------------------------------------------------


def refuter(game: Game, members: tuple[int, ...], left: int, listed: list[Refutation]) -> int:
    """Write down why a set cannot be solved, if it cannot; the number of that, or -1."""
    words = words_at(game, members)
    if len(members) < 2:
        return -1
    cites: set[int] = set()
    if left > 1:
        for guess in game.guesses:
            split = naive.split(guess, words)
            if len(split) == 1:
                continue
            for bucket in split.values():
                inner = tuple(game.secrets.index(word) for word in bucket)
                number = refuter(game, inner, left - 1, listed)
                if number >= 0:
                    cites.add(number)
                    break
            else:
                return -1
    new = Refutation(members, left, tuple(sorted(cites)))
    if new not in listed:
        listed.append(new)
    return listed.index(new)


FEW = alike(0, 10, 6)
LIMIT = max(k for k in range(1, 9) if impossible(FEW, k, False))


@pytest.fixture(scope="module")
def listed() -> tuple[Refutation, ...]:
    found: list[Refutation] = []
    assert refuter(FEW, tuple(range(len(FEW.secrets))), LIMIT, found) == len(found) - 1
    assert {refutation.left for refutation in found} == set(range(1, LIMIT + 1))
    return tuple(found)


def proof_with(listed: Sequence[Refutation], **stated: Any) -> Proof:
    statement = statement_of(FEW, "worst", LIMIT, LOSS)
    return Proof(replace(statement, **stated), (), None, tuple(listed))


def holds(proof: Proof, game: Game = FEW) -> bool:
    try:
        check.check(proof, game.guesses, game.secrets)
    except WrongProofError:
        return False
    return True


def test_refutations_hold(listed: tuple[Refutation, ...]) -> None:
    assert holds(proof_with(listed))
    assert holds(proof_with(listed, hard=True))
    assert holds(proof_with(listed, limit=LIMIT - 1))
    assert not holds(proof_with(listed, limit=LIMIT + 1))


def test_a_single_candidate_is_never_refuted(listed: tuple[Refutation, ...]) -> None:
    """With it a false proof would hold: one candidate, no guess that parts it, whatever is left."""
    alone = Refutation((0,), LIMIT + 1, ())
    assert not holds(proof_with((alone,), limit=LIMIT + 1))
    checker = checker_of(FEW, "worst", 3)
    for left in (1, 2, 3):
        with pytest.raises(WrongProofError, match="refutation 5 does not follow"):
            checker.check_refutation(5, Refutation((0,), left, ()))
        if left == 1:
            checker.check_refutation(5, Refutation((0, 1), left, ()))


def test_every_part_of_a_refutation_counts(listed: tuple[Refutation, ...]) -> None:
    """Whatever is changed is refused, or true by brute force."""
    search = search_of(FEW.guesses, FEW.secrets, 0, False)
    for number, one in list(enumerate(listed))[::3]:
        for at in range(len(one.cites)):
            less = replace(one, cites=one.cites[:at] + one.cites[at + 1 :])
            checker = checker_of(FEW, "worst", LIMIT)
            for before in listed[:number]:
                checker.note_refutation(before)
            checker.check_refutation(number, one)
            state = Refuted(ids(*one.members), one.left)
            marks = refutations.promising(checker.board, state)
            for cite in less.cites:
                refutations.strike(checker.board, checker.refuted[cite], marks)
            if marks.any():
                with pytest.raises(WrongProofError, match="does not follow"):
                    checker.check_refutation(number, less)
        for change in ({"left": one.left + 1}, {"members": one.members[1:]}):
            changed = (*listed[:number], replace(one, **change), *listed[number + 1 :])
            if one.left + 1 < 1 << 20 and holds(proof_with(changed)):
                words = tuple(words_at(FEW, changed[number].members))
                assert search.value(words, changed[number].left, FEW.guesses)[0] >= LOSS
    assert checker.noted[0] == number


def test_lemmas_6_and_7() -> None:
    checker, draw = checker_of(WORLD, "worst", 3), random.Random(8)
    board = checker.board
    width = board.rows.shape[1]
    for _ in range(40):
        members, left = some(draw, WORLD, 2, 5), draw.randint(1, 3)
        words = words_at(WORLD, members)
        marks = refutations.promising(board, Refuted(ids(*members), left))
        other = some(draw, WORLD, 2, 3)
        struck = marks.copy()
        refutations.strike(board, Refuted(ids(*other), 1), struck)
        for column in range(len(WORLD.guesses)):
            guess = word_of(WORLD, board, column)
            count = len(naive.split(guess, words))
            wanted = left > 1 and count > 1 and (left > 2 or count == len(words))
            assert bool(marks[column]) == wanted
            whole = len(naive.split(guess, words_at(WORLD, other))) == 1
            assert bool(struck[column]) == (wanted and not whole)
            assert refutations.leaves_whole(board, column, ids(*other)) == whole
        assert not marks[len(WORLD.guesses) :].any()
        inside = np.zeros(len(WORLD.secrets), dtype=np.bool_)
        inside[list(members)] = True
        for more in (left - 1, left, left + 1):
            part = set(other) <= set(members)
            assert refutations.holds_in(Refuted(ids(*other), left), inside, more) == (
                part and left >= more
            )
            assert refutations.holds_in(Refuted(ids(*members), left), inside, more) == (
                left >= more
            )
    assert width == len(marks)


def test_a_citation_must_lie_within_and_leave_enough(listed: tuple[Refutation, ...]) -> None:
    number, one = next((n, r) for n, r in enumerate(listed) if r.cites)
    for change in ({"left": one.left + 1}, {"members": one.members[:1]}):
        checker = checker_of(FEW, "worst", LIMIT)
        for before in listed[:number]:
            checker.note_refutation(before)
        with pytest.raises(WrongProofError, match=f"refutation {number} "):
            checker.check_refutation(number, replace(one, **change))


# --- statements --------------------------------------------------------------------------------


def strategy_of(game: Game, start: str = "", hard: bool = False) -> Strategy:
    columns = search_of(game.guesses, game.secrets, 1, hard).columns(UNLIMITED, start)
    origin = Origin.of(game, "optimal", (game.guesses[columns[0][0]],), hard=hard)
    return Strategy.from_columns(game, origin, *columns)


SMALL = made_up(1, 14, 5)


@pytest.mark.parametrize("hard", [False, True])
def test_statements_about_small_worlds(hard: bool) -> None:
    """Proved without claims where one step is enough; never more than is true."""
    search = search_of(SMALL.guesses, SMALL.secrets, 1, hard)
    proved = 0
    for start in ("", *SMALL.guesses[:6]):
        strategy = strategy_of(SMALL, start, hard)
        true = search.of_all(UNLIMITED, start)
        assert strategy.total == true
        for total in (true - 1, true, true + 1):
            statement = statement_of(SMALL, "total", 0, total, start=start, hard=hard)
            found = holds(Proof(statement, (), strategy), SMALL)
            assert not found or total == true
            proved += found
    assert proved >= 5
    with pytest.raises(WrongProofError, match="'zzz' is no guess"):
        checker_of(SMALL, start="zzz").start_column()


def test_what_a_start_refutes() -> None:
    """A set that the start leaves whole, refuted with one guess less than the limit."""
    start = next(w for w in FEW.guesses if w not in FEW.secrets)
    for first in FEW.guesses:
        checker = checker_of(FEW, "worst", 2, start=first)
        column = checker.start_column()
        assert word_of(FEW, checker.board, column) == first
        for members in combinations(range(len(FEW.secrets)), 2):
            whole = len(naive.split(first, words_at(FEW, members))) == 1
            for left in (1, 2):
                checker.refuted[:] = [Refuted(ids(*members), left)]
                assert checker._is_refuted() == whole
            for limit in (3, 2, 1):
                other = checker_of(FEW, "worst", limit, start=first)
                other.refuted[:] = [Refuted(ids(*members), 1)]
                assert other._is_refuted() == (whole and limit <= 2)
    free = checker_of(FEW, "worst", 2)
    for left in (1, 2, 3):
        free.refuted[:] = [Refuted(ids(0, 1), left)]
        assert free._is_refuted() == (left >= 2)
    total = checker_of(FEW, "total", 2, start=start)
    total.refuted[:] = [Refuted(ids(0, 1), 3)]
    assert not total._is_refuted()


def test_the_form_of_statements() -> None:
    strategy = strategy_of(SMALL)
    one = (Refutation((0, 1), 1, ()),)
    for objective, limit, losses, total, plan, listed_, fits in (
        ("worst", 2, 1, 0, None, one, True),
        ("worst", 2, 1, 0, strategy, (), True),
        ("worst", 0, 1, 0, None, (), False),
        ("worst", 2, 0, 0, None, (), False),
        ("worst", 2, 2, 0, None, (), False),
        ("worst", 2, 1, 1, None, (), False),
        ("total", 2, 0, 9, strategy, (), True),
        ("total", 0, 0, 9, strategy, (), True),
        ("total", 2, 0, 9, strategy, one, False),
        ("total", 2, 0, 9, None, (), False),
        ("total", 2, 1, 9, strategy, (), False),
        ("losses", 2, 1, 9, strategy, (), True),
        ("losses", 2, 0, 9, strategy, (), True),
        ("losses", 0, 1, 9, strategy, (), False),
        ("losses", 0, 0, 9, strategy, (), True),
        ("losses", 2, 1, 9, None, (), False),
    ):
        statement = statement_of(SMALL, objective, limit, losses * LOSS + total)
        proof = Proof(statement, (), plan, listed_)
        if fits:
            check.check_form(proof)
        else:
            with pytest.raises(WrongProofError):
                check.check_form(proof)


def test_the_strategy_is_held_to_the_statement() -> None:
    words = Words(SMALL.guesses, SMALL.secrets)
    strategy = strategy_of(SMALL)

    def fits(objective: str, limit: int, value: int, plan: Strategy, **more: Any) -> bool:
        statement = statement_of(SMALL, objective, limit, value, **more)
        try:
            check.check_strategy(Proof(statement, (), plan), words)
        except WrongProofError:
            return False
        return True

    for limit in range(1, strategy.worst + 2):
        assert fits("worst", limit, LOSS, strategy) == (strategy.worst <= limit + 1)
        lost = len(strategy.beyond(limit))
        value = lost * LOSS + strategy.total
        for other in (value - 1, value, value + 1, value + LOSS):
            assert fits("losses", limit, other, strategy) == (other == value)
    assert fits("total", 0, strategy.total, strategy)
    start = strategy.origin.start[0]
    assert fits("total", 0, strategy.total, strategy, start=start)
    assert not fits("total", 0, strategy.total, strategy, start=SMALL.guesses[0] + "x")
    assert not fits("total", 0, strategy.total, strategy, hard=True)
    pegs = replace(strategy, origin=replace(strategy.origin, game="mastermind:3x4"))
    assert not fits("total", 0, strategy.total, pegs)
    wrong = replace(strategy, hit=strategy.hit[:-1] + type(strategy.hit)("B", [0]))
    assert not fits("total", 0, strategy.total, wrong)
    check.check_strategy(Proof(statement_of(SMALL, "worst", 2, LOSS), (), None), words)


def test_what_is_said() -> None:
    assert value_text(5) == "5 guesses"
    assert value_text(2 * LOSS + 1234) == "2 losses and 1,234 guesses"
    strategy = strategy_of(SMALL)
    start = strategy.origin.start[0]
    proof = Proof(statement_of(SMALL, "total", 6, 9, hard=True), (), strategy)
    assert check.summary(proof) == (
        "'test' 'test', 5 secrets in hard mode: no strategy within 6 takes fewer than 9 guesses; "
        f"the one from {start} takes as many"
    )
    proof = Proof(statement_of(SMALL, "worst", 2, LOSS, start="abc"), (), strategy)
    assert check.summary(proof) == (
        "'test' 'test', 5 secrets: no strategy from abc solves all within 2 guesses; 3 are enough"
    )
    assert check.summary(replace(proof, strategy=None)).endswith("within 2 guesses")


def test_the_whole_is_checked_in_steps(
    listed: tuple[Refutation, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is gone through once, in order, and nothing behind the first flaw."""
    seen: list[tuple[int, int]] = []

    def tell(new: int, whole: int) -> None:
        seen.append((new, whole))

    for block in (1, 3, 500):
        monkeypatch.setattr(check, "_LISTED", block)
        monkeypatch.setattr(check, "_OPENERS", block)
        seen.clear()
        check.check(proof_with(listed), FEW.guesses, FEW.secrets, tell)
        whole = len(listed) + len(FEW.guesses)
        assert sum(new for new, _ in seen) == whole
        assert {told for _, told in seen} == {whole}
        assert max(new for new, _ in seen) <= block
        broken = (*listed[:2], replace(listed[2], cites=(), left=3), *listed[3:-1])
        with pytest.raises(WrongProofError, match="refutation 2 "):
            check.check(proof_with(broken), FEW.guesses, FEW.secrets)
    with_start = proof_with(listed, start=FEW.guesses[0])
    assert sum(step.end - step.begin for step in check._steps(with_start, Words(*_lists()))) == (
        len(listed) + 1
    )


def _lists() -> tuple[tuple[str, ...], tuple[str, ...]]:
    return FEW.guesses, FEW.secrets
