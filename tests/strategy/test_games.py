"""The trusted checker, line by line, on small strategies: quick enough for mutants."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.game.game import Game
from solver.game.load import load_game
from solver.tree import Tree
from strategy import grades, referee
from strategy.errors import BadFileError, StrategyError, WrongStrategyError
from strategy.files import strategy_file
from strategy.files.origin import Origin
from strategy.tree import Strategy
from tests.support import naive
from tests.support.naive_proof import UNLIMITED, search_of
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain

WORDS = ["aab", "abb", "abc", "acb", "bab", "bca", "cab", "cba", "ccb", "bbc"]
GAME = game_of(WORDS, WORDS[:7])
#: Five that differ in a letter, and two that tell them apart.
ALIKE = ["abc", "abd", "abe", "abf", "abg", "cde", "fgh"]
COLUMNS = ("guess", "parent", "score", "hit")


def strategy_of(game: Game, hard: bool = False, start: str = "", **more: Any) -> Strategy:
    """A best strategy by brute force."""
    columns = search_of(game.guesses, game.secrets, 1, hard).columns(UNLIMITED, start)
    origin = Origin.of(game, "optimal", (game.guesses[columns[0][0]],), hard=hard, **more)
    return Strategy.of_tree(game, origin, Tree.of(*columns))


def judge(strategy: Strategy) -> referee.Verdict:
    """Through a file, and against the lists."""
    contents = strategy_file.from_body(strategy_file.to_body(strategy.contents), "a file")
    played = Strategy.of_file(contents)
    return referee.verify(played, GAME.guesses, GAME.secrets, contents.digest)


def test_scores_are_those_of_the_rule() -> None:
    for length in (2, 3, 4):
        words = list(map("".join, product("abc", repeat=length)))
        for guess, secret in product(words, words):
            assert grades.grade_wordle(guess, secret) == naive.grade(guess, secret)
            assert grades.grade_pegs(guess, secret) == naive.pegs(guess, secret)
    for grade in (grades.grade_wordle, grades.grade_pegs):
        for guess, secret in (("ab", "abc"), ("abc", "ab")):
            with pytest.raises(ValueError, match="zip"):
                grade(guess, secret)


@pytest.mark.parametrize("hard", [False, True])
def test_right_strategies_pass(hard: bool) -> None:
    for start in ("", *WORDS):
        strategy = strategy_of(GAME, hard, start)
        verdict = judge(strategy)
        games = {word: len(history) + 1 for word, history in strategy.games()}
        assert verdict.taken == games
        assert (verdict.total, verdict.worst) == (sum(games.values()), max(games.values()))
        assert verdict.lists == "lists as given"
        for limit in range(6):
            assert verdict.beyond(limit) == sorted(w for w, n in games.items() if n > limit)
        assert list(verdict.taken) == list(GAME.secrets)
    with pytest.raises(AttributeError):
        verdict.lists = "another"  # type: ignore[misc]


def test_a_game_of_one_word() -> None:
    only = strategy_of(game_of(["abc"]))
    verdict = referee.verify(only, ("abc",), ("abc",))
    assert (verdict.taken, verdict.beyond(0), verdict.beyond(1)) == ({"abc": 1}, ["abc"], [])


@pytest.mark.parametrize("hard", [False, True])
def test_every_changed_number_is_refused(hard: bool) -> None:
    for start in ("aab", "bbc"):
        strategy = strategy_of(GAME, hard, start)
        for name, node, step in product(COLUMNS, range(strategy.nodes), (-1, 1, 2)):
            column = getattr(strategy, name)[:]
            if not 0 <= column[node] + step <= 26:
                continue
            column[node] += step
            with pytest.raises((StrategyError, LookupError)):
                judge(replace(strategy, **{name: column}))


def test_what_is_concluded_of_the_games() -> None:
    strategy = strategy_of(GAME)
    taken, passed = referee.Checker(strategy).play_all(strategy.secrets)
    referee.conclude(strategy, taken, passed)
    secret = strategy.secrets[3]
    for wrong in (
        (taken | {secret: taken[secret] + 1}, passed, "took"),
        (taken | {secret: taken[secret] - 1}, passed, "took"),
        ({w: n for w, n in taken.items() if w != secret}, passed, "not of both"),
        (taken | {"zzz": 1}, passed, "not of both"),
        (taken, passed - {2}, "1 nodes are unreachable: no secret ever comes to node 2"),
        (taken, passed - {3, 2, 4}, "3 nodes are unreachable: no secret ever comes to node 2"),
    ):
        with pytest.raises(WrongStrategyError, match=wrong[2]):
            referee.conclude(strategy, *wrong[:2])
    hit = strategy.hit[:]
    hit[0] = 1 - hit[0]
    with pytest.raises(WrongStrategyError):
        referee.Checker(replace(strategy, hit=hit)).play_all(GAME.secrets)


def test_a_game_ends_or_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = strategy_of(GAME)
    monkeypatch.setattr(referee, "ENDLESS", strategy.worst)
    assert referee.Checker(strategy).play_all(strategy.secrets)
    monkeypatch.setattr(referee, "ENDLESS", strategy.worst - 1)
    with pytest.raises(WrongStrategyError, match="not reached within"):
        referee.Checker(strategy).play_all(strategy.secrets)
    with pytest.raises(WrongStrategyError, match="after 1 guesses, .* no branch"):
        referee.Checker(strategy).play("zzz")


def test_hard_mode_is_that_of_the_rule() -> None:
    """All words against all games of one and of two guesses."""
    words = list(map("".join, product("abc", repeat=3)))

    def refused(word: str, history: list[tuple[str, int]]) -> bool:
        try:
            referee.check_hard(word, history)
        except WrongStrategyError:
            return True
        return False

    for word, guess, secret in product(words, words, words):
        history = [(guess, naive.grade(guess, secret))]
        legal = naive.may_follow(word, guess, secret)
        assert refused(word, history) != legal
        if legal and word != "abc":
            second = [*history, ("abc", naive.grade("abc", secret))]
            assert refused(word, second) != naive.may_follow(word, "abc", secret)


def test_the_head_is_held_to() -> None:
    strategy = strategy_of(GAME, start="bbc")

    def headed(**changes: Any) -> Strategy:
        return replace(strategy, origin=replace(strategy.origin, **changes))

    referee.check_choice(headed())
    second = strategy.words[strategy.guess[1]]
    for wrong in (
        headed(start=("aab",)),
        headed(start=("bbc", "bbc")),
        headed(start=(), guess_from="secrets"),
        headed(start=(), guess_from="candidates"),
        replace(strategy, words=(*strategy.words, "zzz")),
    ):
        for held in (referee.check_choice, referee.verify):
            with pytest.raises(WrongStrategyError):
                held(wrong)
    others = {
        strategy.words[g] for g, d in zip(strategy.guess, strategy.depth, strict=True) if d == 2
    }
    assert len(others) > 1
    with pytest.raises(WrongStrategyError, match="guess 2 is not always"):
        referee.check_choice(headed(start=("bbc", second)))
    referee.check_choice(strategy_of(game_of(WORDS), guess_from="candidates"))
    inside = strategy_of(game_of(ALIKE), start="abc", guess_from="secrets")
    referee.check_choice(inside)
    assert not all(inside.hit)
    narrow = replace(inside, origin=replace(inside.origin, guess_from="candidates"))
    with pytest.raises(WrongStrategyError, match="not from candidates"):
        referee.check_choice(narrow)


def test_hard_mode_is_what_the_head_says() -> None:
    game = game_of(ALIKE)
    for start in ALIKE[:5]:
        free, hard = strategy_of(game, start=start), strategy_of(game, hard=True, start=start)
        referee.verify(hard)
        referee.verify(replace(hard, origin=free.origin))
        with pytest.raises(WrongStrategyError, match="hard mode: 'cde' moves the green"):
            referee.verify(replace(free, origin=hard.origin))


def test_codes_are_played_by_pegs() -> None:
    """The four codes of two holes and two colours, and a strategy without the last of them."""
    game = load_game(spec="mastermind:2x2")
    origin = Origin.of(game, "optimal", ("11",))
    strategy = Strategy.of_tree(game, origin, Tree.of([0, 3, 1, 2], [-1, 0, 0, 2], [-1, 0, 3, 2]))
    verdict = referee.verify(strategy)
    assert verdict.taken == {"11": 1, "12": 2, "21": 3, "22": 2}
    assert verdict.lists == "all codes of mastermind:2x2"
    short = {name: getattr(strategy, name)[:3] for name in COLUMNS}
    digest = referee.words_digest(["11", "12", "22"])
    for head, reason in (
        ({}, "not the list that its head names"),
        ({"secrets_digest": digest}, "another list"),
        ({"secrets_digest": digest, "secrets": 3}, "does not have 3 codes"),
        ({"secrets_digest": digest, "secrets": 3, "game": "wordle"}, "is no word of wordle"),
    ):
        wrong = replace(strategy, origin=replace(origin, **head), **short)
        with pytest.raises(StrategyError, match=reason):
            referee.verify(wrong)


def test_lists_are_compared() -> None:
    strategy = strategy_of(GAME)
    guesses, secrets = GAME.guesses, GAME.secrets
    assert referee.verify(strategy).lists == "list not verified"
    assert referee.verify(strategy, guesses).lists == "list not verified"
    assert referee.verify(strategy, None, secrets).lists == "list not verified"
    assert referee.verify(strategy, guesses[::-1], secrets[::-1]).lists == "lists as given"
    for wrong in (
        (guesses[1:], secrets),
        (guesses, secrets[1:]),
        ((*guesses, "zzz"), secrets),
        (("zzz", *guesses[1:]), secrets),
        (None, ("zzz", *secrets[1:])),
        (guesses, guesses),
    ):
        with pytest.raises(WrongStrategyError, match="another list"):
            referee.verify(strategy, *wrong)
    with pytest.raises(WrongStrategyError, match="digest names"):
        referee.verify(strategy, digest="0" * 64)
    everything = game_of(WORDS)
    named = replace(everything, secrets_name="allowed")
    assert referee.verify(strategy_of(named), guesses).lists == "lists as given"
    with pytest.raises(WrongStrategyError, match="another list: 10 secrets"):
        referee.verify(strategy_of(named), guesses, guesses[1:])
    for count in (9, 11):
        miscounted = replace(strategy.origin, guesses=count)
        with pytest.raises(WrongStrategyError, match="another list"):
            referee.verify(replace(strategy, origin=miscounted), guesses, secrets)
    lying = replace(strategy.origin, secrets_digest="0" * 64)
    with pytest.raises(WrongStrategyError, match="not the list that its head names"):
        referee.verify(replace(strategy, origin=lying))
    other = strategy_of(GAME, start="bbc")
    digest = referee.words_digest(secrets)
    foreign = replace(other.origin, guesses_digest=digest, guesses=len(secrets))
    with pytest.raises(WrongStrategyError, match="is no guess of the list"):
        referee.verify(replace(other, origin=foreign), secrets, secrets)


def test_a_named_list_is_compared_with_what_is_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    def headed(**changes: Any) -> Strategy:
        strategy = strategy_of(GAME)
        return replace(strategy, origin=replace(strategy.origin, **changes))

    for wrong in ({"list_name": "original"}, {"list_name": "nyt-2022", "secrets_name": "answers"}):
        with pytest.raises(WrongStrategyError, match="another list: 10 guesses"):
            referee.verify(headed(**wrong))
    lists = {("mine", "allowed"): GAME.guesses, ("mine", "answers"): GAME.secrets}
    monkeypatch.setattr(referee, "shipped", lambda *name: lists.get(name))
    whole, part = headed(list_name="mine", secrets_name="answers"), headed(list_name="mine")
    assert referee.verify(whole).lists == "list mine as shipped"
    both = referee.verify(whole, GAME.guesses, GAME.secrets)
    assert both.lists == "list mine as shipped, lists as given"
    assert referee.verify(part).lists == "list not verified"
    for name, words in lists.items():
        other = lists | {name: (*words[1:], "zzz")}
        monkeypatch.setattr(referee, "shipped", lambda *name, other=other: other.get(name))
        with pytest.raises(WrongStrategyError, match="another list"):
            referee.verify(whole)


@pytest.mark.parametrize(
    ("game", "first", "last", "count"),
    [
        ("mastermind:2x3", "11", "33", 9),
        ("mastermind:2x3:distinct", "12", "32", 6),
        ("mastermind:1x9", "1", "9", 9),
        ("mastermind:1x10", "0", "9", 10),
        ("mastermind:2x12", "00", "bb", 144),
    ],
)
def test_codes_of_a_board(game: str, first: str, last: str, count: int) -> None:
    codes = referee.board_codes(game, count)
    assert (codes[0], codes[-1], len(codes)) == (first, last, count)
    assert codes == sorted(set(codes))
    for wrong in (count - 1, count + 1):
        with pytest.raises(WrongStrategyError, match="does not have"):
            referee.board_codes(game, wrong)


def test_solved_counts_are_those_of_the_head() -> None:
    strategy = strategy_of(GAME)
    for step in (-1, 1):
        body = strategy_file.to_body(strategy.contents)
        body["origin"] = body["origin"] | {"secrets": len(GAME.secrets) + step}
        with pytest.raises(BadFileError, match="it solves 7 secrets; its head says"):
            strategy_file.from_body(body, "a file")


# --- words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "game", "fits"),
    [
        (["ab", "cd"], "wordle", True),
        (["a" * 11], "wordle", True),
        (["az" * 5], "wordle", True),
        (["a" * 12], "wordle", False),
        (["a"], "wordle", False),
        (["a1"], "wordle", False),
        (["ab", "abc"], "wordle", False),
        (["abc", "ab"], "wordle", False),
        (["ab\n"], "wordle", False),
        (["1"], "mastermind:1x4", True),
        (["0z9a"], "mastermind:4x36", True),
        (["1" * 16], "mastermind:16x2", True),
        (["1" * 17], "mastermind:17x2", False),
        (["A1"], "mastermind:2x2", False),
        ([""], "mastermind:2x2", False),
        ([], "wordle", True),
    ],
)
def test_words_of_a_game(words: list[str], game: str, fits: bool) -> None:
    if fits:
        referee.check_words(words, game)
    else:
        with pytest.raises(BadFileError):
            referee.check_words(words, game)


@pytest.mark.parametrize("where", ["words", "guesses", "secrets"])
def test_the_words_of_a_strategy_are_looked_at(where: str) -> None:
    strategy = strategy_of(GAME)
    wrong = ("a1b", *GAME.guesses)
    with pytest.raises(BadFileError, match="'a1b' is no word of wordle"):
        if where == "words":
            referee.verify(replace(strategy, words=wrong))
        else:
            referee.verify(strategy, **{where: wrong})


def test_a_list_is_read_to_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"AB # x\n\ncd\nab\nAB\nef")
    assert referee.read_list(str(path)) == ["ab", "cd", "ef"]
    monkeypatch.setattr(referee, "_LARGEST_LIST", 19)
    monkeypatch.setattr(referee, "MOST_WORDS", 3)
    assert referee.read_list(str(path)) == ["ab", "cd", "ef"]
    monkeypatch.setattr(referee, "MOST_WORDS", 2)
    with pytest.raises(BadFileError, match="more than 2 words"):
        referee.read_list(str(path))
    monkeypatch.setattr(referee, "_LARGEST_LIST", 18)
    with pytest.raises(BadFileError, match="more than 18 bytes"):
        referee.read_list(str(path))
    for content, reason in (
        (b"ab\nabc", ":2: 'abc' is not as long"),
        (b"a" * 18 + b"\xff", "more than"),
        (b"a\n\xff", ":2: not a text"),
        (b"\n\xff", ":2: not a text"),
        (b"a b", ":1: 'a b' is no word"),
        (b"\xc3\xa4b", ":1: '\u00e4b' is no word"),
        (b"ka\n\xe2\x84\xaaa", ":2: '\u212aa' is no word"),
    ):
        path.write_bytes(content)
        with pytest.raises(BadFileError, match=reason):
            referee.read_list(str(path))
    monkeypatch.setattr(referee, "_LARGEST_LIST", 100)
    path.write_bytes(b"a" * 16)
    assert referee.read_list(str(path)) == ["a" * 16]
    path.write_bytes(b"a" * 17)
    with pytest.raises(BadFileError, match="is no word"):
        referee.read_list(str(path))


def test_only_shipped_lists_have_their_names() -> None:
    assert len(referee.shipped("original", "answers") or ()) == 2315
    for name, part in (
        ("original", "other"),
        ("../words/original", "answers"),
        ("nyt", "2022-answers"),
        ("none", "allowed"),
    ):
        assert referee.shipped(name, part) is None


@given(st.text(alphabet="aB1 #\n\r\ufeff\u00e4", max_size=24))
def test_a_plain_list_is_read_as_any_other(text: str) -> None:
    content = text.encode()
    words = referee._plain_words(content)
    assert not words or words == referee._read_lines(content, "list")
