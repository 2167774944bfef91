"""Strategies that were tampered with, re-sealed with right checksums and digests, so that what
catches them is the structure or the play, never the seal alone."""

import contextlib
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.game.game import Game
from solver.rules.searcher import Searcher
from strategy.checkers import lists, referee
from strategy.errors import BadFileError, StrategyError, UnknownStateError, WrongStrategyError
from strategy.files import envelope, strategy_file
from strategy.files.draft import Draft, Spelling
from strategy.files.strategy_file import Origin
from strategy.tree import Strategy
from strategy.verification import draft_of
from tests.support import refused
from tests.support.proof_worlds import strategy_of
from tests.support.worlds import game_of, small_game

pytestmark = pytest.mark.plain

Body = dict[str, Any]

GAME = small_game(1, 300, 300)
TREE = ("guess", "parent", "score", "hit")
#: Five that differ in a letter, and two that tell them apart.
ALIKE = ["abc", "abd", "abe", "abf", "abg", "cde", "fgh"]


def played(game: Game) -> Strategy:
    origin = Origin.of(game, "minimax", (game.guesses[0],))
    return Strategy.of_tree(game, origin, Searcher(game).grow(None, (0,)))


#: A strategy that is right, as the body of its file.
RIGHT = strategy_file.to_body(played(GAME).contents)
NODES = RIGHT["nodes"]


def body_of(path: Path) -> Body:
    return envelope.read(path)[1]


def columns(body: Body) -> dict[str, list[int]]:
    read = strategy_file.Reader(body, "test")
    return {name: list(read.column(name, body["nodes"])) for name in TREE}


def resealed(body: Body, path: Path, **tree: list[int]) -> Path:
    """Write a body with new columns; counts, digest and checksum made to fit where they can."""
    body = dict(body)
    for name, column in tree.items():
        body[name] = strategy_file.pack_column(column)
    body["nodes"] = len(columns_length(body))
    # a cycle or a wrong index has no digest: there the reader must see it first
    with contextlib.suppress(IndexError, KeyError):
        strategy = unchecked(body)
        body["histogram"] = strategy.histogram
        body["origin"] = body["origin"] | {"secrets": len(strategy.secrets)}
        body["digest"] = strategy.digest
    path.write_bytes(envelope.pack(envelope.STRATEGY, body))
    return path


def columns_length(body: Body) -> bytes:
    width, packed = body["guess"]
    return bytes(packed[::width])


def unchecked(body: Body) -> Strategy:
    read = strategy_file.Reader(body, "test")
    tree = {name: read.column(name, body["nodes"]) for name in TREE}
    return Strategy(strategy_file.read_origin(read), read.words("words", "length"), **tree)


def judge(path: Path) -> None:
    contents = strategy_file.load(path)
    strategy, digest = Strategy.of_file(contents), contents.digest
    referee.verify(strategy, GAME.guesses, GAME.secrets, digest)


def test_what_was_not_tampered_with_passes(tmp_path: Path) -> None:
    judge(resealed(RIGHT, tmp_path / "right"))


def leaf(tree: dict[str, list[int]]) -> int:
    """A node with nothing below it, not too near the root."""
    parents = set(tree["parent"])
    return next(n for n in range(NODES) if tree["parent"][n] > 0 and n not in parents)


def swap_a_guess(tree: dict[str, list[int]]) -> None:
    node = next(n for n in range(1, NODES) if not tree["hit"][n])
    tree["guess"][node] = (tree["guess"][node] + 1) % len(GAME.guesses)


def drop_a_branch(tree: dict[str, list[int]]) -> None:
    node = leaf(tree)
    for column in tree.values():
        del column[node]
    tree["parent"][:] = [p - (p > node) for p in tree["parent"]]


def drop_a_secret(tree: dict[str, list[int]]) -> None:
    tree["hit"][leaf(tree)] = 0


def make_a_cycle(tree: dict[str, list[int]]) -> None:
    tree["parent"][10], tree["parent"][11] = 11, 10


def point_at_itself(tree: dict[str, list[int]]) -> None:
    tree["parent"][10] = 10


def guess_out_of_range(tree: dict[str, list[int]]) -> None:
    tree["guess"][10] = 60_000


def hang_below_nothing(tree: dict[str, list[int]]) -> None:
    tree["parent"][10] = 50_000


def answer_twice(tree: dict[str, list[int]]) -> None:
    second = tree["parent"].index(0, 2)
    tree["score"][second] = tree["score"][1]


def add_an_unreachable_node(tree: dict[str, list[int]]) -> None:
    tree["guess"].append(5)
    tree["parent"].append(0)
    tree["score"].append(241)
    tree["hit"].append(0)


def change_the_opener(tree: dict[str, list[int]]) -> None:
    tree["guess"][0] += 1


def change_a_score(tree: dict[str, list[int]]) -> None:
    last = len(tree["score"]) - 1
    tree["score"][last] = 241 if tree["score"][last] != 241 else 240


@pytest.mark.parametrize(("tamper", "error", "reason"), [
    (swap_a_guess, WrongStrategyError, "is never reached|is solved where|took"),
    (drop_a_branch, WrongStrategyError, "not the list"),
    (drop_a_secret, WrongStrategyError, "not the list"),
    (make_a_cycle, BadFileError, "a cycle"), (point_at_itself, BadFileError, "a cycle"),
    (guess_out_of_range, BadFileError, "guesses word 60000 of"),
    (hang_below_nothing, BadFileError, "which does not exist"),
    (answer_twice, BadFileError, "comes twice|out of order"),
    (add_an_unreachable_node, WrongStrategyError, "unreachable"),
    (change_the_opener, StrategyError, "never reached|is solved|not always"),
    (change_a_score, StrategyError, "never reached|out of order|unreachable"),
])  # fmt: skip
def test_resealed_tampering_is_caught(
    tmp_path: Path,
    tamper: Callable[[dict[str, list[int]]], None],
    error: type[StrategyError],
    reason: str,
) -> None:
    tree = columns(RIGHT)
    tamper(tree)
    refused(error, reason, judge, resealed(RIGHT, tmp_path / "tampered", **tree))


@pytest.mark.parametrize("drop", [drop_a_branch, drop_a_secret])
def test_a_dropped_secret_is_caught_with_every_digest_mended(
    tmp_path: Path, drop: Callable[[dict[str, list[int]]], None]
) -> None:
    tree = columns(RIGHT)
    drop(tree)
    body = body_of(resealed(RIGHT, tmp_path / "dropped", **tree))
    digest = lists.words_digest(unchecked(body).secrets)
    body["origin"] = body["origin"] | {"secrets_digest": digest, "secrets_name": "allowed"}
    path = resealed(body, tmp_path / "dropped")
    refused(WrongStrategyError, "for another list: 299 secrets", judge, path)
    for name, given in (("secrets", GAME.secrets), ("guesses", GAME.guesses)):
        with pytest.raises(WrongStrategyError, match="for another list: 299 secrets"):
            referee.verify(unchecked(body), **{name: given})


@pytest.mark.parametrize(("lie", "error", "reason"), [
    ({"hard": True}, WrongStrategyError, "hard mode"),
    ({"list_name": "nyt-2022"}, WrongStrategyError, "for another list"),
    ({"guess_from": "candidates"}, WrongStrategyError, "not from candidates"),
    ({"list_name": "original", "secrets_name": "answers"}, WrongStrategyError, "another list"),
    ({"guess_from": "anywhere"}, BadFileError, "none of allowed"),
    ({"start": []}, BadFileError, "start"),
    ({"start": ["crane"]}, WrongStrategyError, "not always 'crane'"),
    ({"game": "wordle:x"}, BadFileError, "game 'wordle:x'"),
    ({"game": "mastermind:4x6"}, WrongStrategyError, "does not have"),
    ({"guesses_digest": "junk"}, BadFileError, "no sha256"),
    ({"list_name": "a\nb"}, BadFileError, "no name"),
    ({"list_name": "x" * 5000}, BadFileError, "no name"),
    ({"claim": {"x": b"y"}}, BadFileError, "plain values"),
    ({"claim": {"x": float("nan")}}, BadFileError, "plain values"),
    ({"more": 1}, BadFileError, "expected"), ({b"more": 1}, BadFileError, "expected|msgpack"),
])  # fmt: skip
def test_lies_in_the_head_are_caught(
    tmp_path: Path, lie: Body, error: type[StrategyError], reason: str
) -> None:
    path = tmp_path / "lie"
    body = RIGHT | {"origin": RIGHT["origin"] | lie}
    path.write_bytes(envelope.pack(envelope.STRATEGY, body))
    refused(error, reason, judge, path)


@pytest.mark.parametrize(("change", "reason"), [
    ({"more": 1}, "expected"), ({"guess": [[2], b""]}, "does not hold"),
    ({"hit": [1, bytes(NODES)]}, "yes and no|solves nothing|solves 0"),
    ({"score": [4, bytes(4 * NODES)]}, "wider than"), ({"length": 100_000}, "do not make words"),
    ({"histogram": [True, *RIGHT["histogram"][1:]]}, "counts"),
])  # fmt: skip
def test_other_spellings_are_refused(tmp_path: Path, change: Body, reason: str) -> None:
    path = tmp_path / "other"
    path.write_bytes(envelope.pack(envelope.STRATEGY, RIGHT | change))
    refused(BadFileError, reason, judge, path)


def test_unused_words_are_caught(tmp_path: Path) -> None:
    path = resealed(RIGHT | {"words": RIGHT["words"] + "zzzzz"}, tmp_path / "unused")
    refused(WrongStrategyError, "is no guess", judge, path)
    with pytest.raises(WrongStrategyError, match="never guesses"):
        referee.verify(unchecked(body_of(path)))


def test_errors_can_be_sent_between_processes() -> None:
    for error in (BadFileError("kind", "reason"), UnknownStateError(2, "step 2: reason")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_renamed_word_is_caught(tmp_path: Path) -> None:
    word = GAME.guesses[-1]
    path = resealed(RIGHT | {"words": RIGHT["words"].replace(word, "zzzzz")}, tmp_path / "renamed")
    refused(WrongStrategyError, "not the list", judge, path)
    body = body_of(path)
    digest = lists.words_digest(unchecked(body).secrets)
    body["origin"] = body["origin"] | {"secrets_digest": digest}
    refused(WrongStrategyError, "is no guess of the list", judge, resealed(body, path))


def test_a_wrong_digest_is_caught(tmp_path: Path) -> None:
    path = tmp_path / "digest"
    path.write_bytes(envelope.pack(envelope.STRATEGY, RIGHT | {"digest": "0" * 64}))
    refused(WrongStrategyError, "its digest names", judge, path)


def test_the_last_guess_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    grade = referee.PAIR_GRADERS[False]
    for most in (1, 2):
        games = referee.play(["abc", "abc"], {(0, 8): 1}, grade, ["abd"], most)
        assert games.stuck == {"abd": (1, 2)}
    monkeypatch.setattr(referee, "ENDLESS", 1)
    checker = referee.Checker(strategy_of(game_of(["abc"])))
    refused(WrongStrategyError, "after 1 guesses, .* no branch", checker.play_all, ["abd"])


def test_guesses_are_from_all_words_unless_it_is_said() -> None:
    strategy = strategy_of(game_of(ALIKE, ALIKE[:5]), start="abc")
    assert len(strategy.words) > len(strategy.secrets)
    referee.check_choice(strategy)


def test_all_faults_are_named() -> None:
    """Of a strategy that is right, but for the rules that it is held to."""
    game = game_of(ALIKE)
    draft = draft_of(strategy_of(game, start="abc"))
    rules = referee.Rules("wordle", game.guesses, game.secrets)
    assert not referee.find_faults(draft, rules).faults
    for broken, said in (
        (rules._replace(guesses=game.guesses[1:]), "'abc' at the beginning is on no list"),
        (rules._replace(hard=True), "'cde' after abc .* moves the green of 'abc'"),
        (rules._replace(secrets=ALIKE[:6]), "'fgh' after abc .* may not be hidden"),
    ):
        faults = referee.find_faults(draft, broken).faults
        assert len(faults) == 1 and re.match(said, faults[0].text) and faults[0].line is None
    assert referee.find_faults(draft, rules._replace(guesses=None)).taken
    refused(BadFileError, "letters", referee.find_faults, draft, rules._replace(guesses=["ab"]))


def test_each_fault_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word is guessed below itself, one that is on no list is guessed twice."""
    monkeypatch.setattr(referee, "_STEPS_SHOWN", 1)
    draft = Draft("games", Spelling("f", "wordle"))
    draft.spelling.length = 3
    for parent, score, word, line in (
        (-1, 0, "abc", 1), (0, 26, "abc", 2), (0, 8, "abe", 0), (2, 8, "abd", 4), (2, 0, "abd", 0),
    ):  # fmt: skip
        draft.end(draft.add(parent, score, word, line), line)
    rules = referee.Rules("wordle", ["abc"], ["abc", "abe"])
    assert [(fault.line, fault.text) for fault in referee.find_faults(draft, rules).faults] == [
        (None, "'abe' after abc ggb is on no list of guesses"),
        (4, "'abd' after … abe ggb is on no list of guesses"),
        (None, "'abd' answers 'abe' with ggb, not bbb"),
        (2, "'abc' is solved after abc ggg too; the first is in line 1"),
        (4, "'abd' after … abe ggb may not be hidden"),
    ]


def test_hard_mode_names_the_guess_that_showed_a_letter_first() -> None:
    required: Any = (("",) * 3, {})
    for guess, score, shown in (
        ("abc", 1, (1, "abc")),
        ("dae", 3, (1, "abc")),
        ("aab", 4, (2, "aab")),
    ):
        required = referee._more_required(required, guess, score)
        assert required == (("",) * 3, {"a": shown})


def test_hard_mode_is_the_same_for_all_strategies() -> None:
    strategy = played(GAME)
    said = []
    for node, guess in enumerate(strategy.guess):
        try:
            referee.check_hard(strategy.words[guess], strategy.history_of(node))
        except WrongStrategyError as error:
            said.append(str(error))
    rules = referee.Rules("wordle", GAME.guesses, GAME.secrets, hard=True)
    faults = referee.find_faults(draft_of(strategy), rules).faults
    assert len(faults) == len(said) > 5
    assert {word for text in said for word in ("moves", "drops") if word in text} == {
        word for fault in faults for word in ("moves", "drops") if word in str(fault)
    }


def test_what_the_games_came_to() -> None:
    none = referee.CheckResult({}, {}, 2, ())
    assert (none.histogram, none.worst, none.total, none.mean) == ([], None, None, None)
    some = referee.CheckResult({"ab": 1, "cd": 4}, {"ab": 0, "cd": 3}, 2, ())
    assert (some.histogram, some.worst, some.total, some.mean) == ([1, 0, 0, 1], 4, 5, 2.5)
    refused(AttributeError, "", setattr, some, "n_secrets", 3)
