"""Proofs about Mastermind: set beside brute force and the other checker, and forged by name."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.game.game import Game
from solver.game.load import load_game
from strategy.checkers import lemmas
from strategy.checkers.lemmas import UNLIMITED
from strategy.checkers.proof import Claim, Proof, Symmetry, WrongProofError, check, check_form
from strategy.errors import BadFileError, StrategyError
from strategy.files import envelope
from strategy.proofs import proof_file
from strategy.proofs.codes import CodeForms, composed
from strategy.proofs.writer import prove_optimal, statement_of
from strategy.solving.optimal import optimal
from tests.conftest import Knuthle
from tests.support import naive, refused
from tests.support.checker_twins import checker_of, graded_pegs, ids
from tests.support.naive_checker import NaiveChecker
from tests.support.naive_proof import all_true, impossible, search_of
from tests.support.proof_worlds import claim_with, holds, judge, stated, through_a_file

#: Boards that brute force solves, and those whose proofs need claims.
SMALL = [
    *("2x3", "2x4"),
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("3x3", "2x5", "3x4:distinct")),
    *(pytest.param(name, marks=pytest.mark.long) for name in ("4x4:distinct", "5x2")),
]
CLAIMED = ("2x6", "4x4:distinct")


@cache
def board(name: str) -> Game:
    return load_game(spec=f"mastermind:{name}")


@lru_cache
def proof_of(name: str, start: str = "", guess_from: str = "allowed", limit: int = 0) -> Proof:
    game, starts = board(name), (start,) if start else ()
    found = optimal(game, start=starts, within=limit or None, guess_from=guess_from)
    more = (False, found.strategy, start)
    return prove_optimal(game, "total", limit, *more, guess_from=guess_from)


def both_accept(proof: Proof, game: Game) -> bool:
    """Whether the checker accepts a proof; the other one says the same."""
    found = holds(proof, game)
    assert NaiveChecker(proof_file.to_body(proof), game).accepts() == found
    return found


# --- what is proved ----------------------------------------------------------------------------
@pytest.mark.parametrize("guess_from", ["allowed", "candidates"])
@pytest.mark.parametrize("name", SMALL)
def test_totals_are_those_of_brute_force(name: str, guess_from: str) -> None:
    """Over all openers and from some, with and without a limit."""
    game = board(name)
    search = search_of(game, guess_from=guess_from)
    worst = optimal(game, within=None, guess_from=guess_from).strategy
    assert worst is not None
    for start, limit in (("", 0), ("", worst.worst), (game.guesses[0], 0), (game.guesses[-2], 0)):
        proof = proof_of(name, start, guess_from, limit)
        assert proof.statement.value == search.of_all(limit or UNLIMITED, start)
        assert both_accept(proof, game) and all_true(proof, game)
        for change in (-1, 1):
            assert not holds(stated(proof, total=proof.statement.total + change), game)


@pytest.mark.parametrize("guess_from", ["allowed", "candidates"])
@pytest.mark.parametrize("name", SMALL)
def test_worst_cases_are_those_of_brute_force(name: str, guess_from: str) -> None:
    game = board(name)
    for start in ("", game.guesses[0]):
        no = [k for k in range(1, 9) if impossible(game, k, False, start, guess_from)]
        least = max(no)
        proof = prove_optimal(game, "worst", least, False, None, start, guess_from=guess_from)
        assert both_accept(proof, game)
        assert not both_accept(stated(proof, limit=least + 1), game)
        asked = (game, "worst", least + 1, False, None, start)
        refused(WrongProofError, "cannot be proved", prove_optimal, *asked, guess_from=guess_from)


@pytest.mark.parametrize("name", SMALL)
def test_losses_are_those_of_brute_force(name: str) -> None:
    game = board(name)
    search = search_of(game)
    for start, limit in product(("", game.guesses[0]), (2, 3)):
        starts = (start,) if start else ()
        plan = optimal(game, start=starts, objective="losses", within=limit).strategy
        proof = prove_optimal(game, "losses", limit, False, plan, start)
        lost = proof.statement.losses
        assert proof.statement.value == search.of_all(limit, start)
        assert both_accept(proof, game) and all_true(proof, game)
        for other in {abs(lost - 1), lost + 1}:
            assert not holds(stated(proof, losses=other), game)


def test_the_total_of_a_board_whose_proof_has_claims_and_images() -> None:
    proof, game = proof_of("4x4:distinct"), board("4x4:distinct")
    search = search_of(game)
    assert proof.statement.value == search.of_all(UNLIMITED) == 86
    assert any(claim.fixing for claim in proof.claims) and both_accept(proof, game)
    assert all_true(proof, game)
    # The secrets are all codes.
    allowed, secrets = (proof_of("2x6", guess_from=which) for which in ("allowed", "secrets"))
    assert allowed.claims == secrets.claims and allowed.claims
    assert both_accept(secrets, board("2x6"))


@pytest.mark.parametrize(("name", "guess_from", "total"), [
    ("4x6", "allowed", 5625), pytest.param("4x5", "allowed", 2463, marks=pytest.mark.slow),
    pytest.param("5x4", "allowed", 3954, marks=pytest.mark.slow),
    pytest.param("4x6", "candidates", 5660, marks=pytest.mark.slow),
    pytest.param("3x10", "allowed", 5242, marks=pytest.mark.long),
    pytest.param("5x5", "allowed", 13_496, marks=pytest.mark.long),
    pytest.param("4x7", "allowed", 11_228, marks=pytest.mark.nightly(60)),
])  # fmt: skip
def test_published_totals(name: str, guess_from: str, total: int) -> None:
    """That of 4x6 within five stands in docs/guide/mastermind.md, whose commands are run."""
    proof = proof_of(name, guess_from=guess_from)
    assert proof.statement.total == total and len(proof.claims) > 20
    again = through_a_file(proof)
    assert again == proof
    check(again, workers=2)


# --- the lemmas --------------------------------------------------------------------------------
@pytest.mark.plain
@pytest.mark.parametrize("name", ["2x3", "3x2", "3x3:distinct", "2x11"])
def test_scores_are_those_of_the_rule(name: str) -> None:
    game = board(name)
    found = checker_of(game).board
    truth = [[graded_pegs(guess, secret) for guess in game.guesses] for secret in game.secrets]
    assert found.scores.tolist() == truth and found.scores.max() < found.kinds
    parts = [len(naive.split(guess, game.secrets, graded_pegs)) for guess in game.guesses]
    everything = ids(range(len(game.guesses)))
    assert lemmas.parts_of(found, everything, everything).tolist() == parts
    assert found.others == max(parts) - 1


@pytest.mark.parametrize("name", ["2x3", pytest.param("3x4:distinct", marks=pytest.mark.slow)])
def test_bounds_of_sets_and_guesses_hold(name: str) -> None:
    """Lemmas 1a, 2 and 6, for sets of any size and any number of guesses left."""
    game, draw = board(name), random.Random(6)
    search = search_of(game)
    checker = checker_of(game)
    for _ in range(40):
        size = draw.randint(1, len(game.secrets) if draw.random() < 0.2 else 7)
        places = sorted(draw.sample(range(len(game.secrets)), size))
        members = tuple(game.secrets[place] for place in places)
        left = draw.choice([1, 2, 3, UNLIMITED])
        value = search.value(members, left, game.guesses)
        assert value >= lemmas.lemma_1(size, checker.board.others, checker.board.price, left)
        state = checker.root._replace(members=ids(places), left=left)
        guesses = draw.sample(range(len(game.guesses)), 4)
        least = lemmas.lemma_2(checker.board, state.members, left, ids(guesses)).tolist()
        assert value >= checker.of_one_step(state)
        for guess, bound in zip(guesses, least, strict=True):
            word = game.guesses[guess]
            telling = len(naive.split(word, members, naive.pegs)) > 1 or (word,) == members
            assert telling == (bound < lemmas.INFINITE)
            if telling:
                cost = search.after(word, left, members, game.guesses)
                assert cost >= max(bound, checker.bounds(state, guess, 1 << 70)[0])


def image_of(symmetry: Symmetry, code: str, signs: str) -> str:
    holes, colours = symmetry
    return "".join(signs[colours[signs.index(code[hole])]] for hole in holes)


def every_symmetry(game: Game) -> list[Symmetry]:
    ranges = range(game.length), range(len({*"".join(game.guesses)}))
    return [Symmetry(*both) for both in product(*map(permutations, ranges))]


@pytest.mark.parametrize("name", ["2x3", "3x3:distinct", "3x2", "2x4:distinct"])
def test_symmetries_change_no_score(name: str) -> None:
    """Lemma 5a: images of codes are codes, and scores are what they were."""
    game, checker = board(name), checker_of(board(name))
    for symmetry in every_symmetry(game):
        images = [game.guesses[at] for at in checker.image(symmetry, checker.every_guess)]
        assert images == [image_of(symmetry, code, checker.alphabet) for code in game.guesses]
        assert sorted(images) == [*game.guesses]
        both = [*zip(game.guesses, images, strict=True)]
        for (guess, there), (secret, then) in product(both, repeat=2):
            assert graded_pegs(guess, secret) == graded_pegs(there, then)


@given(st.sampled_from(["2x3", "3x3:distinct", "3x2", "3x3"]), st.data())
@settings(max_examples=60)
def test_guesses_alike(name: str, data: st.DataObject) -> None:
    """The lowest of all guesses that symmetries map to each other is kept, and no other.

    A claim may name those that map its set onto itself, and no other.
    """
    game, checker = board(name), checker_of(board(name))
    drawn = data.draw(st.lists(st.sampled_from(every_symmetry(game)), max_size=3))
    kept = []
    for code in game.guesses:
        reached, todo = {code}, [code]
        while todo:
            one = todo.pop()
            new = {image_of(symmetry, one, checker.alphabet) for symmetry in drawn} - reached
            reached |= new
            todo += new
        kept += [code] * (code == min(reached))
    assert [game.guesses[at] for at in checker.lowest_alike(drawn)] == kept
    members = tuple(sorted(data.draw(st.sets(st.sampled_from(checker.every_guess.tolist()),
                                             min_size=1))))  # fmt: skip
    words = {game.guesses[at] for at in members}
    for symmetry in drawn:
        claim = Claim(members, UNLIMITED, "", 0, (symmetry,))
        if {image_of(symmetry, code, checker.alphabet) for code in words} == words:
            checker.check_claim(7, claim)
        else:
            refused(WrongProofError, "claim 7: a symmetry moves", checker.check_claim, 7, claim)


def test_all_symmetries_leave_one_guess_of_each_pattern() -> None:
    """And forms of images are mostly the same."""
    for name in ("4x4", "3x5", "4x5:distinct", "5x2", "1x3"):
        game, checker = board(name), checker_of(board(name))
        patterns = {tuple(sorted(map(code.count, {*code}))) for code in game.guesses}
        assert len(checker.openers()) == len(patterns)
    game, checker, draw = board("4x6"), checker_of(board("4x6")), random.Random(2)
    assert game.code_space is not None
    forms, same = CodeForms(game.code_space), 0
    for _ in range(40):
        members = ids(sorted(draw.sample(range(len(game.guesses)), draw.randint(3, 30))))
        symmetry = Symmetry(*(tuple(draw.sample(range(n), n)) for n in (4, 6)))
        turned = np.sort(checker.image(symmetry, members))
        same += forms.form_of(members).key == forms.form_of(turned).key
    assert same >= 36


@given(st.sampled_from(["3x4", "4x4:distinct", "2x6"]), st.data())
@settings(max_examples=60)
def test_the_writer_finds_symmetries(name: str, data: st.DataObject) -> None:
    """Those that it names fix the set; sets of one form are images of each other."""
    game, checker = board(name), checker_of(board(name))
    assert game.code_space is not None
    forms = CodeForms(game.code_space)
    draw = random.Random(data.draw(st.integers(0, 1 << 20)))
    members = ids(sorted(draw.sample(range(len(game.guesses)), draw.randint(1, 12))))
    for symmetry in forms.symmetries_of(members):
        assert np.array_equal(np.sort(checker.image(symmetry, members)), members)
    turned = np.sort(checker.image(draw.choice(every_symmetry(game)), members))
    one, other = forms.form_of(members), forms.form_of(turned)
    if one.key == other.key:
        image = checker.image(composed(one.symmetry, other.symmetry), members)
        assert np.array_equal(np.sort(image), turned)


# --- forged proofs -----------------------------------------------------------------------------
NOTHING = Symmetry((0, 1, 2, 3), (0, 1, 2, 3))
NO_HOLES, NO_COLOURS = NOTHING._replace(holes=(0, 1, 1, 3)), NOTHING._replace(colours=(0,) * 4)
OUT_OF_RANGE = NOTHING._replace(colours=(0, 1, 2, 9))


def moved(proof: Proof, number: int) -> Symmetry:
    """A symmetry that does not fix the candidates of a claim."""
    checker, members = checker_of(board("4x4:distinct")), ids(proof.claims[number].members)
    every = every_symmetry(board("4x4:distinct"))
    return next(s for s in every if {*checker.image(s, members)} != {*members})


NONE = "a symmetry is no permutation"
FORGED: dict[str, tuple[Callable[[Proof], Proof], str]] = {
    "the total is lower": (lambda p: stated(p, total=p.statement.total - 1), "its strategy takes"),
    "the total is higher": (lambda p: stated(p, total=p.statement.total + 1), "its strategy takes"),
    "no claims": (lambda p: replace(p, claims=()), "does not follow: '1234'"),
    "a claim is missing": (lambda p: replace(p, claims=p.claims[:-1]), "does not follow: '1234'"),
    "a claim is too much": (
        lambda p: claim_with(p, 0, value=p.claims[0].value + 1), "claim 0 does not follow",
    ),
    "no symmetry of the holes": (lambda p: claim_with(p, 1, fixing=(NO_HOLES,)), NONE),
    "no symmetry of the colours": (lambda p: claim_with(p, 1, images=(NO_COLOURS,)), NONE),
    "a colour that is none": (lambda p: claim_with(p, 3, images=(OUT_OF_RANGE,)), NONE),
    "a symmetry that moves the candidates": (
        lambda p: claim_with(p, 1, fixing=(moved(p, 1),)), "claim 1: a symmetry moves its set",
    ),
    "the image of a claim is missing": (
        lambda p: replace(p, claims=tuple(c._replace(images=()) for c in p.claims)), "not follow",
    ),
    "the image is another": (
        lambda p: claim_with(p, [bool(c.images) for c in p.claims].index(True), images=(NOTHING,)),
        "does not follow",
    ),
    "another board": (lambda p: stated(p, game="mastermind:4x5:distinct"), "not have 24 codes"),
    "a board with repeated colours": (lambda p: stated(p, game="mastermind:4x4"), "have 24 codes"),
    "another game": (lambda p: stated(p, game="wordle"), ""),
    "other codes": (lambda p: stated(p, guesses_digest="0" * 64), "it is about other lists"),
    "other secrets": (lambda p: stated(p, secrets_digest="0" * 64), "it is about other lists"),
    "fewer guesses": (lambda p: stated(p, guesses=23), "it is about other lists"),
    "hard mode": (lambda p: stated(p, hard=True), "Mastermind has no hard mode"),
    "another opener": (lambda p: stated(p, start="2134"), "does not begin with its start"),
    "candidates only": (lambda p: stated(p, guess_from="candidates"), "guesses from"),
    "a smaller limit": (lambda p: stated(p, limit=3), "its strategy takes"),
    "no strategy": (lambda p: replace(p, strategy=None), "no strategy that attains"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_forged_proofs_are_refused(name: str) -> None:
    forge, reason = FORGED[name]
    proof, game = proof_of("4x4:distinct"), board("4x4:distinct")
    assert holds(proof, game) and len(proof.claims) == 4 and any(c.images for c in proof.claims)
    for workers in (1, 2):
        refused(StrategyError, reason, partial(check, workers=workers), forge(proof))


def test_symmetries_are_about_mastermind() -> None:
    """The file of a proof about words has no place for them."""
    claim = Claim((0, 1), UNLIMITED, "", 0, (NOTHING,), (NOTHING,))
    statement = statement_of(load_game(["aa", "bb"]), "worst", 1, 1 << 32)
    listed = proof_file.to_body(Proof(statement, None, (claim,), ()))
    assert "symmetries" not in listed
    assert through_a_file(Proof(statement, None, (claim,), ())).claims == (Claim(*claim[:4]),)


def test_the_lists_of_a_proof_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it costs to apply symmetries to all codes, and to compare sets."""
    every = sorted(bytes(one.holes + one.colours) for one in every_symmetry(board("4x6")))
    count, packed = len(every), bytearray()
    proof_file._append(packed, 2, 0, 0, 0, 3, 1, 1, count, *[1] * count, 0)
    body = proof_file.to_body(proof_of("4x6")) | {"symmetries": every}
    assert count * 1296 * 11 <= 1 << 28 < count * 1296 * 12
    for claims in (11, 12):
        listed = {"count": claims, "claims": bytes(packed * claims)}
        (tmp_path / "a.proof").write_bytes(envelope.pack(envelope.PROOF, body | listed))
        proof = proof_file.load(tmp_path / "a.proof")
        if claims == 11:
            check_form(proof)
        else:
            refused(WrongProofError, "symmetries are of over 268,435,456 codes", check, proof)
    written = proof_of("2x6")
    monkeypatch.setattr("strategy.checkers.proof.MOST_MEMBERS", 20)
    refused(WrongProofError, "over 20 candidates", check, written)
    refused(WrongProofError, "over 20 candidates", proof_of, "2x6", "11")  # nor is it written


@pytest.mark.slow
@given(st.sampled_from(CLAIMED), st.sampled_from(["allowed", "candidates"]), st.integers(0))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_no_random_change_proves_what_is_false(name: str, guess_from: str, seed: int) -> None:
    judge(board(name), proof_file.to_body(proof_of(name, guess_from=guess_from)), seed, 10)


# --- the file and the commands -----------------------------------------------------------------
@pytest.mark.parametrize("change", [
    {"symmetries": [b"\0\1"]}, {"symmetries": b""}, {"symmetries": [1]}, {"symmetries": []},
    {"claims": b""}, {"count": 3}, {"more": 1},
], ids=str)  # fmt: skip
def test_malformed_bodies_are_refused(change: dict[str, Any]) -> None:
    body = proof_file.to_body(proof_of("4x4:distinct"))
    more, named = [*body["symmetries"], bytes(8)], body["symmetries"]
    others = ({"symmetries": it} for it in (more, sorted(more), named[::-1]))
    for other in (change, *others):
        content = envelope.pack(envelope.PROOF, body | other)
        refused(BadFileError, "", proof_file.from_bytes, content, "proof")


def test_a_proof_is_written_and_checked(knuthle: Knuthle, tmp_path: Path) -> None:
    path = tmp_path / "a.proof"
    written = knuthle("optimal", "--game", "mastermind:2x6", "--within", "none", "--proof", path)
    assert written.code == 0 and path.is_file()
    found = knuthle("check-proof", path)
    assert found.code == 0
    said = "PROVED  mastermind:2x6, 36 codes: no strategy takes fewer than 132 guesses"
    assert said in found.out and "3 claims" in found.out
    words = tmp_path / "codes.txt"
    words.write_text("\n".join(board("2x6").guesses))
    assert knuthle("check-proof", path, "--words", words).code == 0
    words.write_text("\n".join(board("2x6").guesses[1:]))
    other = knuthle("check-proof", path, "--words", words)
    assert other.code == 1 and "it is about other lists" in other.out
    forged = proof_file.load(path)
    proof_file.save(stated(forged, total=131), path)
    assert knuthle("check-proof", path).code == 1
    # 4 holes, 6 colours: more codes stay together than three guesses find.
    path.unlink()
    written = knuthle("optimal", "--game", "mastermind:4x6", "--within", 4, "--proof", path)
    assert written.code == 1
    found = knuthle("check-proof", path)
    said = "mastermind:4x6, 1,296 codes: no strategy solves all within 4 guesses"
    assert found.code == 0 and said in found.out
    assert proof_file.load(path).statement.limit == 4
