"""Proofs: small worlds proved and checked; nothing that was tampered with passes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver.game import Game
from strategy import container
from strategy.cli import main
from strategy.errors import BadFileError
from strategy.proofs import board as boards
from strategy.proofs import file as proof_file
from strategy.proofs.check import check
from strategy.proofs.checker import WrongProofError, text_of
from strategy.proofs.file import Claim, Proof
from strategy.proofs.write import prove, statement_of
from strategy.tree import Origin, Strategy

from . import naive
from .naive_proof import LOSS, UNLIMITED, NaiveSearch
from .worlds import game_of

LIMIT = 6


class NaiveOracle:
    """The exact search, played by brute force."""

    def __init__(self, search: NaiveSearch) -> None:
        self._search = search

    def bound(
        self, members: NDArray[np.int32], left: int, shown: NDArray[np.uint8], enough: int
    ) -> int:
        search = self._search
        state = tuple(search.secrets[member] for member in members)
        legal = tuple(word for word in search.guesses if follows(word, shown))
        return search.value(state, left, legal)[0]


def follows(word: str, shown: NDArray[np.uint8]) -> bool:
    """Whether a word has the greens and the letters that were shown."""
    greens, letters = text_of(shown, len(word)).split("|")
    kept = all(green in (".", letter) for green, letter in zip(greens, word, strict=True))
    return kept and all(word.count(letter) >= letters.count(letter) for letter in letters)


def made_up(seed: int, words: int, secrets: int, alphabet: str = "abcd", length: int = 3) -> Game:
    """Words so alike that one-step bounds do not reach far."""
    draw = random.Random(seed)
    found: set[str] = set()
    while len(found) < words:
        found.add("".join(draw.choice(alphabet) for _ in range(length)))
    return game_of(sorted(found), draw.sample(sorted(found), secrets))


def alike(seed: int, words: int, secrets: int) -> Game:
    """Secrets that differ in a letter, and guesses that tell two from the rest: many claims."""
    draw = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwx"[:secrets]
    hidden = [letter + "zz" for letter in letters]
    others: set[str] = set()
    while len(others) < words - secrets:
        others.add("".join(draw.sample(letters, 2)) + draw.choice("yz"))
    return game_of(hidden + sorted(others), hidden)


def proof_of(
    game: Game, objective: str = "total", limit: int = 0, hard: bool = False, start: str = ""
) -> Proof:
    """A proof by brute force."""
    search = NaiveSearch(game.guesses, game.secrets, int(objective != "worst"), hard)
    left = limit or UNLIMITED
    if start:
        value = search.of_guess(game.secrets, left, game.guesses, start)
    else:
        value = search.value(game.secrets, left, game.guesses)[0]
    strategy = None
    if objective != "worst":
        columns = search.columns(left, start)
        first = game.guesses[columns[0][0]]
        origin = Origin.of(game, "optimal", (first,), hard=hard)
        strategy = Strategy.from_columns(game, origin, *columns)
    else:
        value = LOSS
    statement = statement_of(game, objective, limit, value, start=start, hard=hard)
    return prove(game, statement, strategy, NaiveOracle(search))


def through_a_file(proof: Proof) -> Proof:
    """Written and read again."""
    packed = container.pack(container.PROOF, proof_file.to_body(proof))
    return proof_file.from_body(container.unpack(packed, "proof")[1], "proof")


@pytest.fixture(scope="module")
def game() -> Game:
    return alike(0, 16, 9)


@pytest.fixture(scope="module")
def proof(game: Game) -> Proof:
    return proof_of(game, "total", LIMIT)


def holds(proof: Proof, game: Game) -> bool:
    """Whether the checker accepts a proof, after it has been through a file."""
    try:
        check(through_a_file(proof), game.guesses, game.secrets)
    except (WrongProofError, BadFileError):
        return False
    return True


# --- the board ------------------------------------------------------------------------------


@pytest.mark.plain
@given(st.integers(0, 1000), st.booleans())
@settings(max_examples=20)
def test_the_board_splits_as_the_rule_says(seed: int, long: bool) -> None:
    game = made_up(seed, 12, 7, "abc", 6 if long else 3)
    board = boards.new_board(game.guesses, game.secrets, 1, False)
    for column, guess in enumerate(board.guess):
        if guess >= 0:
            word = game.guesses[guess]
            rows: dict[int, list[str]] = {}
            for secret, code in zip(game.secrets, board.rows[:, column], strict=True):
                rows.setdefault(int(code), []).append(secret)
            assert sorted(rows.values()) == sorted(naive.split(word, game.secrets).values())
            assert board.parts[column] == len(rows)


# --- what is true can be proved -------------------------------------------------------------


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("limit", [0, 2, 3, 4, 6])
def test_small_worlds_are_proved(limit: int, hard: bool) -> None:
    for seed in range(2):
        game = alike(seed, 14, 8) if seed % 2 else made_up(10 * limit + seed, 30, 20)
        search = NaiveSearch(game.guesses, game.secrets, 1, hard)
        lost = search.value(game.secrets, limit or UNLIMITED, game.guesses)[0] >= LOSS
        objective = "losses" if lost else "total"
        assert holds(proof_of(game, objective, limit, hard), game)
        start = game.guesses[seed]
        assert holds(proof_of(game, "losses" if limit else "total", limit, hard, start), game)
        if lost:
            assert holds(proof_of(game, "worst", limit, hard), game)


def test_most_of_these_worlds_need_claims(proof: Proof, game: Game) -> None:
    assert len(proof.claims) >= 5
    assert not holds(replace(proof, claims=()), game)
    assert holds(proof, game)


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_find_the_same_first_flaw(
    workers: int, proof: Proof, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strategy.proofs.check._LISTED", 1)
    monkeypatch.setattr("strategy.proofs.check._OPENERS", 3)
    seen: list[int] = []
    check(proof, game.guesses, game.secrets, lambda new, whole: seen.append(new), workers)
    assert sum(seen) == len(proof.claims) + len(game.guesses)
    for flawed in (inflated(proof), replace(proof, claims=proof.claims[1:])):
        reasons = set()
        for number in (1, workers):
            with pytest.raises(WrongProofError) as error:
                check(flawed, game.guesses, game.secrets, workers=number)
            reasons.add(str(error.value))
        assert len(reasons) == 1


def test_the_same_proof_has_the_same_bytes(proof: Proof, game: Game) -> None:
    assert proof_file.to_body(proof_of(game, "total", LIMIT)) == proof_file.to_body(proof)


# --- what is false cannot -------------------------------------------------------------------


def changed(proof: Proof, number: int, **changes: Any) -> Proof:
    """With one claim changed."""
    claims = list(proof.claims)
    claims[number] = replace(claims[number], **changes)
    return replace(proof, claims=tuple(claims))


def stated(proof: Proof, **changes: Any) -> Proof:
    """With another statement."""
    return replace(proof, statement=replace(proof.statement, **changes))


def inflated(proof: Proof) -> Proof:
    """Every claim raised by one."""
    claims = tuple(replace(claim, value=claim.value + 1) for claim in proof.claims)
    return replace(proof, claims=claims)


def swapped_guess(proof: Proof) -> Proof:
    """The strategy makes another guess somewhere."""
    strategy = proof.strategy
    assert strategy is not None
    guess = strategy.guess[:]
    guess[0] = (guess[0] + 1) % len(strategy.words)
    return replace(proof, strategy=replace(strategy, guess=guess))


def worse_strategy(proof: Proof) -> Proof:
    """A correct strategy, but of another opener and a larger total."""
    game = alike(0, 16, 9)
    starts = (proof_of(game, "losses", LIMIT, start=word) for word in game.guesses)
    other = next(found for found in starts if found.statement.value > proof.statement.value)
    return replace(proof, strategy=other.strategy)


LAST = -1
MUTATIONS: dict[str, Callable[[Proof], Proof]] = {
    "the total is lower": lambda p: stated(p, total=p.statement.total - 1),
    "the total is higher": lambda p: stated(p, total=p.statement.total + 1),
    "another list": lambda p: stated(p, guesses_digest="0" * 64),
    "other secrets": lambda p: stated(p, secrets_digest="0" * 64),
    "fewer guesses": lambda p: stated(p, guesses=p.statement.guesses - 1),
    "it forgets the claims": lambda p: replace(p, claims=()),
    "it forgets the first claim": lambda p: replace(p, claims=p.claims[1:]),
    "it forgets the last claim": lambda p: replace(p, claims=p.claims[:-1]),
    "a claim is too much": lambda p: changed(p, LAST, value=p.claims[LAST].value + 9),
    "a claim is enormous": lambda p: changed(p, 0, value=p.claims[0].value + LOSS),
    "all claims are too much": inflated,
    "a claim is too little": lambda p: changed(p, LAST, value=p.claims[LAST].value - 1),
    "a claim is about fewer": lambda p: changed(p, LAST, members=p.claims[LAST].members[1:]),
    "claims change places": lambda p: replace(
        p,
        claims=(
            replace(p.claims[0], members=p.claims[-1].members),
            *p.claims[1:-1],
            replace(p.claims[-1], members=p.claims[0].members),
        ),
    ),
    "a claim rests on later ones": lambda p: replace(p, claims=p.claims[::-1]),
    "the strategy guesses another word": swapped_guess,
    "the strategy is worse": worse_strategy,
    "the strategy is missing": lambda p: replace(p, strategy=None),
    "no opener but one": lambda p: stated(p, start="zzz"),
    "another opener": lambda p: stated(p, start="bzz"),
    "hard mode": lambda p: stated(p, hard=True),
    "another limit": lambda p: stated(p, limit=2),
    "another objective": lambda p: stated(p, objective="worst"),
    "losses": lambda p: stated(p, losses=1),
    "hard mode in a claim": lambda p: changed(p, 0, shown="a..|a"),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_tampered_proofs_are_refused(name: str, proof: Proof, game: Game) -> None:
    assert not holds(MUTATIONS[name](proof), game)


def test_a_claim_that_is_true_but_unsupported_is_refused(proof: Proof, game: Game) -> None:
    everything = Claim(
        tuple(range(len(game.secrets))), proof.statement.limit, "", proof.statement.value
    )
    assert not holds(replace(proof, claims=(everything,)), game)


@given(st.data())
@settings(max_examples=40)
def test_no_random_change_proves_what_is_false(data: st.DataObject) -> None:
    """A changed proof may still prove its statement, but never one that is not so."""
    game = alike(data.draw(st.integers(0, 3)), 13, 7)
    hard, limit = data.draw(st.booleans()), data.draw(st.sampled_from([0, 2, 3]))
    proof = proof_of(game, "losses" if limit else "total", limit, hard)
    claims = list(proof.claims)
    for _ in range(data.draw(st.integers(1, 3))):
        size = data.draw(st.integers(2, 7))
        members = sorted(data.draw(st.sets(st.integers(0, 6), min_size=size)))
        left = data.draw(st.sampled_from([1, 2, 3, UNLIMITED]))
        value = data.draw(st.integers(0, 26)) + LOSS * data.draw(st.integers(0, 3))
        shown = ("..." + "|") if hard else ""
        at = data.draw(st.integers(0, len(claims)))
        claims.insert(at, Claim(tuple(members), left, shown, value))
    search = NaiveSearch(game.guesses, game.secrets, 1, hard)
    mutated = replace(proof, claims=tuple(claims))
    if holds(mutated, game):
        for claim in claims:
            state = tuple(game.secrets[member] for member in claim.members)
            assert search.value(state, claim.left, legal_of(claim, game))[0] >= claim.value


def legal_of(claim: Claim, game: Game) -> tuple[str, ...]:
    """The guesses that a claim is about."""
    greens, _, letters = claim.shown.partition("|")
    greens = greens or "." * game.length
    return tuple(
        word
        for word in game.guesses
        if all(green in (".", letter) for green, letter in zip(greens, word, strict=True))
        and all(word.count(letter) >= letters.count(letter) for letter in letters)
    )


def test_a_wrong_oracle_ends_in_no_proof(game: Game, proof: Proof) -> None:
    class Liar:
        def bound(self, members: Sequence[int], left: int, shown: Any, enough: int) -> int:
            return enough

    with pytest.raises(WrongProofError):
        prove(game, replace(proof.statement, total=proof.statement.total - 1), None, Liar())
    with pytest.raises(WrongProofError):
        statement = replace(proof.statement, objective="worst", losses=1, total=0, limit=6)
        prove(game, statement, None, Liar())


# --- the file and the command ---------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path, proof: Proof, game: Game) -> list[str]:
    """A proof file and options that give its lists."""
    proof_file.save(proof, tmp_path / "small.proof")
    (tmp_path / "words").write_text("\n".join(game.guesses))
    (tmp_path / "secrets").write_text("\n".join(game.secrets))
    lists = ["--words", str(tmp_path / "words"), "--secrets", str(tmp_path / "secrets")]
    return [str(tmp_path / "small.proof"), *lists]


def test_the_command(
    files: list[str], proof: Proof, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["check-proof", *files]) == 0
    assert f"takes fewer than {proof.statement.total} guesses" in capsys.readouterr().out
    assert main(["check-proof", files[0]]) == 2
    assert "--words" in capsys.readouterr().err
    assert main(["info", files[0]]) == 0
    assert "claims" in capsys.readouterr().out
    wrong = stated(proof, total=proof.statement.total + 1)
    proof_file.save(wrong, files[0])
    assert main(["check-proof", *files]) == 1
    assert "NOT PROVED" in capsys.readouterr().out


def test_damaged_files_are_named(files: list[str], proof: Proof) -> None:
    whole = Path(files[0]).read_bytes()
    for content in (whole[:-1], whole[:60], b"", whole[:50] + b"\0" + whole[51:], b"x" + whole):
        Path(files[0]).write_bytes(content)
        assert main(["check-proof", *files]) == 2
    strategy = proof.strategy
    assert strategy is not None
    strategy.save(files[0])
    assert main(["check-proof", *files]) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"claims": b"\x80"},
        {"claims": b"\xff" * 12},
        {"claims": b""},
        {"count": 0},
        {"count": -1},
        {"shown": [1]},
        {"shown": []},
        {"statement": {}},
        {"strategy": {}},
        {"more": 1},
    ],
)
def test_malformed_bodies_are_refused(change: dict[str, Any], proof: Proof) -> None:
    with pytest.raises(BadFileError):
        proof_file.from_body(proof_file.to_body(proof) | change, "proof")
