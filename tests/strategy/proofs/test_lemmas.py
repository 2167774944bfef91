"""Each lemma of the core of proofs against its naive twin: scores, parts, buckets, bounds."""

import random
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np
import pytest

from solver.game.game import Game
from strategy.checkers import lemmas, proof
from strategy.checkers.lemmas import INFINITE, LOSS, UNLIMITED
from strategy.checkers.proof import Checker, Claim, WrongProofError
from strategy.proofs.writer import _text_of
from tests.support import naive, refused
from tests.support.checker_twins import (
    ENDLESS,
    LEFTS,
    WIDE,
    WIDEST,
    WORLD,
    after,
    by_parts,
    checker_of,
    graded,
    ids,
    known_of,
    lemma_1,
    lemma_1a,
    lemma_2,
    lemma_6,
    one_step,
    some,
    state_of,
    words_at,
)
from tests.support.naive_checker import requires_no_more
from tests.support.naive_proof import legal_in
from tests.support.proof_worlds import told_apart
from tests.support.worlds import EVERYTHING, game_of

pytestmark = pytest.mark.plain

#: Some of what may be guessed, and of it some secrets.
REAL = game_of(list(EVERYTHING[::130]), [*EVERYTHING[::260], "aahed"])


# --- the board, parts and buckets --------------------------------------------------------------
@pytest.mark.parametrize("length", [2, 3, 5, 6, 11])
def test_the_board(length: int) -> None:
    """Eleven letters have 177,147 scores, more than two bytes tell apart."""
    draw = random.Random(length)
    words = sorted({"".join(draw.choices("abcz", k=length)) for _ in range(15)})
    game = game_of(words, words[::2])
    board = lemmas.new_board(game.guesses, game.secrets, 1, False)
    assert board.kinds == 3**length <= np.iinfo(board.scores.dtype).max + 1
    wanted = [[naive.grade(guess, secret) for guess in words] for secret in game.secrets]
    assert board.scores.tolist() == wanted
    assert [game.guesses[at] for at in board.guess_of] == [*game.secrets]
    letters = lemmas.alphabet_of(words)
    shown = [[*map(letters.find, word), *map(word.count, letters)] for word in words]
    board.own[:length] -= 1
    assert board.own.T.tolist() == shown
    assert ["".join("abcz"[x] for x in word) for word in board.letters] == words
    assert (board.price, board.others) == (1, len(game.secrets))
    assert lemmas.every_guess(board).tolist() == [*range(len(words))]


@pytest.mark.parametrize(("game", "most"), [(WORLD, 0), (REAL, 30), (WIDE, 64), (WIDEST, 256)])
def test_parts_are_counted(game: Game, most: int) -> None:
    """Each by itself: a least or a greatest of many would hide one that is wrong."""
    board, draw = lemmas.new_board(game.guesses, game.secrets, 1, False), random.Random(1)
    everyone, found = len(game.secrets), 0
    for size in sorted(size for size in {1, 2, 17, 70, 130, everyone} if size <= everyone):
        members = some(draw, game, size, size)
        words, guesses = words_at(game, members), draw.sample(range(len(game.guesses)), 30)
        wanted = [len(naive.split(guess, words, graded)) for guess in game.guesses]
        assert lemmas.parts_of(board, ids(members), lemmas.every_guess(board)).tolist() == wanted
        parts = lemmas.parts_of(board, ids(members), ids(guesses)).tolist()
        assert parts == [wanted[guess] for guess in guesses]
        found = max(found, *wanted)
        for guess in guesses:
            split = naive.split(game.guesses[guess], words, graded)
            buckets = lemmas.buckets_of(board, ids(members), guess)
            wanted_sets = [part for part in split.values() if part != [game.guesses[guess]]]
            assert sorted(words_at(game, bucket) for bucket in buckets) == sorted(wanted_sets)
            assert [*map(len, buckets)] == sorted(map(len, wanted_sets), reverse=True)
    assert found > most


def test_which_guesses_leave_a_set_whole() -> None:
    board, draw = lemmas.new_board(WORLD.guesses, WORLD.secrets, 1, False), random.Random(2)
    for _ in range(60):
        members = some(draw, WORLD, 1, 4)
        words = words_at(WORLD, members)
        wanted = [len(naive.split(guess, words)) == 1 for guess in WORLD.guesses]
        assert lemmas.leaves_whole(board, ids(members)).tolist() == wanted


# --- hard mode ---------------------------------------------------------------------------------
def test_what_hard_mode_shows_and_allows() -> None:
    checker, draw = checker_of(WORLD, hard=True), random.Random(3)
    board, texts = checker.board, ["...|"]
    for _ in range(60):
        state, legal = checker.root, set(WORLD.guesses)
        secret = draw.randrange(len(WORLD.secrets))
        for guess in draw.sample(range(len(WORLD.guesses)), draw.randint(1, 3)):
            state = state._replace(shown=checker.shown_after(state, guess, ids([secret])))
            word, hidden = WORLD.guesses[guess], WORLD.secrets[secret]
            legal = {one for one in legal if naive.may_follow(one, word, hidden)}
        texts.append(_text_of(state.shown, checker.alphabet))
        found = {WORLD.guesses[guess] for guess in checker.legal(state)}
        assert found == legal == set(legal_in(texts[-1], WORLD))
        assert (checker.shown_of(texts[-1]) == state.shown).all()
    for looser, tighter in product(texts, repeat=2):
        shown = checker.shown_of(looser), checker.shown_of(tighter)
        assert lemmas.is_shown(*shown, board.letters.shape[1]) == requires_no_more(looser, tighter)
    state = checker_of(WORLD).root
    assert checker_of(WORLD).shown_after(state, 0, ids([0])) is state.shown
    assert not checker_of(WORLD).shown_of("").any()
    refused(WrongProofError, "", checker_of(WORLD).shown_of, "a..|a")
    checker = checker_of(game_of(["aab", "aba", "bab"]), hard=True)
    for text, read in (("ab.|ab", [1, 2, 0, 1, 1]), ("b.a|aab", [2, 0, 1, 2, 1])):
        assert checker.shown_of(text).tolist() == read


@pytest.mark.parametrize(
    "text",
    " ... a.. ..|a ....| ...|ba ...|aba ...|A A..| a.1| ...|aaaa ...|a| ...|| ...|\u00e4 ...|~ "
    "{..| ~..|".split(" "),
)
def test_what_hard_mode_never_shows(text: str) -> None:
    refused(WrongProofError, "is not what hard mode shows", checker_of(WORLD, hard=True).shown_of,
            text)  # fmt: skip
    if text:
        refused(WrongProofError, "", checker_of(WORLD).shown_of, text)


# --- formulas ----------------------------------------------------------------------------------
def test_lemmas_1_and_2() -> None:
    """By Lemma 1a as many terms 1, 2, 3 … as there may be candidates that take so many guesses."""
    for left, price in product(LEFTS, (0, 1)):
        assert lemmas.after_guess(left) == after(left)
        board = lemmas.new_board(WORLD.guesses, WORLD.secrets, price, False)
        for n in range(1, 25):
            assert lemmas.lemma_1(n, board.others, price, left) == lemma_1(price, n, left)
        for n in range(1, 9):
            for p, hit in product(range(1, n + 1), (0, 1)):
                if p > hit or n == hit:
                    found = lemmas.by_depths(n, hit, p - hit, 24, price, left)
                    assert found == lemma_2(price, n, p, hit, left)
    for left, price, others, n in product(LEFTS, (0, 1), (1, 2, 3), range(1, 30)):
        for hit, second in ((1, others), (0, 1), (1, 2), (0, 5)):
            numbers = [hit, second, *(second * others**k for k in range(1, n + 1))]
            found = lemmas.by_depths(n, hit, second, others, price, left)
            assert found == lemma_1a(price, n, left, numbers)


@pytest.mark.parametrize("game", [WORLD, WIDE])
def test_lemma_2_of_guesses(game: Game) -> None:
    """In any order; what tells nothing costs more than everything (Lemma 15)."""
    draw, endless = random.Random(4), 0
    for left, price in product(LEFTS, (0, 1)):
        board = lemmas.new_board(game.guesses, game.secrets, price, False)
        members = some(draw, game, 1, 40 if left == 3 else 3)
        guesses = draw.sample(range(len(game.guesses)), 40)
        found = lemmas.lemma_2(board, ids(members), left, ids(guesses)).tolist()
        words = words_at(game, members)
        assert found == [by_parts(price, words, game.guesses[at], left) for at in guesses]
        endless += found.count(INFINITE)
    assert endless > 5


# --- bounds of guesses and states --------------------------------------------------------------
def legal_after(
    game: Game, hard: bool, guess: str, legal: Iterable[str]
) -> Callable[[list[str]], list[str]]:
    """What may be guessed in a bucket of a guess."""
    return lambda bucket: [
        word for word in legal if not hard or naive.may_follow(word, guess, bucket[0])
    ]


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("price", [0, 1])
def test_guesses_cost_at_least(price: int, hard: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lemma 6 of every guess, and the first guess that reaches a goal too cheaply (Theorem 1)."""
    monkeypatch.setattr(proof, "MOST_REMEMBERED", 7)
    checker = checker_of(WORLD, "total" if price else "worst", 3, hard=hard)
    draw, opened = random.Random(5), 0
    for number in range(14):
        members, left = some(draw, WORLD, 1, 24 if number % 3 else 6), draw.choice(LEFTS)
        text = draw.choice(["...|", "a..|a", "...|b", "...|cc", ".d.|ad"]) if hard else ""
        state, words = state_of(checker, members, left, text), words_at(WORLD, members)
        legal, costs = legal_in(text, WORLD), {}
        assert [WORLD.guesses[at] for at in checker.legal(state)] == [*legal]
        assert checker.of_one_step(state) == one_step(price, words, left, legal)
        for at in checker.legal(state).tolist():
            guess = WORLD.guesses[at]
            sixth = lemma_6(price, words, guess, left, legal_after(WORLD, hard, guess, legal))
            cost, buckets, bounds = checker.bounds(state, at, ENDLESS)
            assert cost == sixth
            losses = sum(map(len, buckets)) * LOSS * (left == 1)
            assert cost == len(words) * price + sum(bounds) + losses
            goal = sixth - draw.randint(0, 2)
            assert goal <= checker.bounds(state, at, goal)[0] <= sixth
            costs[at] = max(sixth, by_parts(price, words, guess, left))
        for goal in (min(costs.values()) + more for more in (0, 1, 2)):
            some_guesses = sorted(draw.sample([*costs], draw.randint(1, len(costs))))
            cheap = [at for at in some_guesses if costs[at] < goal]
            found = checker.open_guess(state, goal, ids(some_guesses))
            assert found == (cheap[0] if cheap else None)
            opened += found is not None
    assert opened > 10


@pytest.mark.parametrize("start", ["", "abc"])
@pytest.mark.parametrize("guess_from", ["secrets", "candidates"])
def test_bounds_where_some_words_may_be_guessed(guess_from: str, start: str) -> None:
    """The pool has a start, too: it is legal in every state unless candidates are guessed."""
    secrets = [letter + "zz" for letter in "abcdefgh"]
    game = game_of([*secrets, "abc", "def"], secrets)
    checker = checker_of(game, guess_from=guess_from, start=start)
    assert [*checker.guesses] == sorted([*secrets, *[start] * bool(start)])
    for left, (at, guess) in product(LEFTS, enumerate(checker.guesses)):
        own = guess_from == "candidates"
        legal = list if own else legal_after(game, False, guess, checker.guesses)
        cost, _, _ = checker.bounds(checker.root._replace(left=left), at, ENDLESS)
        assert cost == lemma_6(1, secrets, guess, left, legal)
        few = state_of(checker, range(1, 6), left)
        words = [checker.guesses[at] for at in checker.legal(few)]
        assert words == (secrets[1:6] if own else [*checker.guesses])


# --- claims: Lemmas 13 and 14 ------------------------------------------------------------------
TEXTS = ["...|", "a..|", "b..|", "a..|a", "ab.|ab", "...|a", "...|aa"]


def test_one_step_bounds_are_remembered_by_the_whole_state() -> None:
    """The set, the guesses left, what is shown; whatever was asked of the set before."""
    checker, draw, found = checker_of(WORLD, hard=True), random.Random(8), set[Any]()
    sets = [some(draw, WORLD, 3, 8) for _ in range(3)]
    for _ in range(150):
        members, left, text = draw.choice(sets), draw.choice(LEFTS), draw.choice(TEXTS)
        bound = checker.of_one_step(state_of(checker, members, left, text))
        assert bound == one_step(1, words_at(WORLD, members), left, legal_in(text, WORLD))
        found.add((members, left, bound))
    assert len(found) > len(sets) * len(LEFTS)


@pytest.mark.parametrize("hard", [False, True])
def test_claims_count_by_the_whole_state(hard: bool) -> None:
    """The set, the guesses left, what is shown; nothing else, and the best of them."""
    checker, draw, best = checker_of(WORLD, hard=hard), random.Random(7), 0
    noted: list[Claim] = []
    sets = [some(draw, WORLD, 1, 8) for _ in range(4)]
    sets += [sets[0][:-1], sets[1][1:]]

    def drawn() -> Claim:
        text = draw.choice(TEXTS) if hard else ""
        return Claim(draw.choice(sets), draw.choice(LEFTS), text, draw.randint(0, 50))

    for number in range(150):
        noted.append(drawn())
        checker.note_claim(noted[-1])
        asked = drawn()
        state = checker.state_of(asked)
        found = checker.of_claims(state, *checker.claims_in(state, [state.members]))
        assert found == known_of(noted, asked, 1)
        best += found > 0
        assert checker.noted == len(noted) == number + 1
    assert best > 30


def claims_of(game: Game, draw: random.Random, number: int) -> list[Claim]:
    """Claims about parts of buckets, of any value: whether they are true does not matter here."""
    claims = []
    for at in range(number):
        guess = draw.choice(game.guesses)
        bucket = draw.choice([*naive.split(guess, game.secrets).values()])
        part = bucket if at % 2 else draw.sample(bucket, draw.randint(1, len(bucket)))
        members = tuple(sorted(map(game.secrets.index, part)))
        losses, total = draw.randint(0, len(part)), draw.randint(0, 40)
        claims.append(Claim(members, draw.choice(LEFTS), "", losses * LOSS + total))
    return claims


@pytest.mark.parametrize(("objective", "named"), [
    ("losses", {}), ("worst", {}), ("losses", {"hard": True}),
    ("losses", {"guess_from": "secrets"}), ("losses", {"guess_from": "candidates"}),
], ids=str)  # fmt: skip
def test_a_bucket_of_all_costs_what_a_part_costs(objective: str, named: dict[str, object]) -> None:
    """Lemma 13 in all secrets, where every guess is legal in every state; Lemma 14 anywhere."""
    game, draw = told_apart(3, 12, 8, 12), random.Random(8)
    price, hard = int(objective != "worst"), bool(named.get("hard"))
    own = named.get("guess_from") == "candidates"
    everyone, raised, of_all = tuple(range(len(game.secrets))), 0, 0

    def cost(checker: Checker, words: list[str], guess: str, left: int, *more: Any) -> int:
        """Lemma 6 with claims, and whether those about subsets count."""
        claims, inside = more or ([], False)
        legal = list if own else legal_after(game, hard, guess, checker.guesses)

        def known(bucket: list[str]) -> int:
            asked = Claim(tuple(map(game.secrets.index, bucket)), after(left), "", 0)
            return known_of(claims, asked, price, inside)

        return lemma_6(price, words, guess, left, legal, known)

    for left in (1, 3, UNLIMITED):
        checker, claims = checker_of(game, objective, 3, **named), claims_of(game, draw, 40)
        for claim in claims:
            checker.note_claim(claim._replace(shown="...|" if hard else ""))
        for members, at in product((everyone, everyone[1:]), range(len(checker.guesses))):
            state, words = state_of(checker, members, left), words_at(game, members)
            if at in checker.legal(state):
                asked, whole = (checker, words, checker.guesses[at], left), members == everyone
                found = checker.bounds(state, at, ENDLESS)[0]
                assert found == cost(*asked, claims, whole and not (own or hard))
                raised += found > cost(*asked)
                of_all += found > cost(*asked, claims, False)
    assert raised > 10 and (of_all > 5) == (not own and not hard)


def test_what_is_noted_later_counts() -> None:
    """Of a guess that was looked at before, too; but a set of one says nothing of others.

    A guess that leaves one secret by itself may be that secret.
    """
    checker = checker_of(WORLD, "losses", 3)
    checker.note_claim(Claim((2,), UNLIMITED, "", 9 * LOSS))
    for guess in range(len(WORLD.guesses)):
        assert checker.bounds(checker.root, guess, ENDLESS)[0] < 9 * LOSS
    checker = checker_of(WORLD)
    for guess, value in product((3, 4), (60, 70, 80)):
        largest = lemmas.buckets_of(checker.board, checker.root.members, guess)[0]
        checker.note_claim(Claim(tuple(largest[1:].tolist()), UNLIMITED, "", value + guess))
        bucket = state_of(checker, largest, UNLIMITED)
        known = checker.claims_in(checker.root, [largest])
        assert checker.of_claims(bucket, *known) == value + guess + 1
