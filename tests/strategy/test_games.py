"""The trusted checker plays small strategies, line by line: quick enough for mutants."""

from array import array
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from solver.game.load import load_game
from solver.tree import Tree
from strategy.checkers import grading, referee
from strategy.checkers import lists as word_lists
from strategy.errors import StrategyError, WrongStrategyError
from strategy.files import strategy_file
from strategy.files.strategy_file import Origin
from strategy.tree import Strategy
from tests.support import naive, refused
from tests.support.proof_worlds import strategy_of
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain

WORDS = ["aab", "abb", "abc", "acb", "bab", "bca", "cab", "cba", "ccb", "bbc"]
GAME = game_of(WORDS, WORDS[:7])
#: Five that differ in a letter, and two that tell them apart.
ALIKE = ["abc", "abd", "abe", "abf", "abg", "cde", "fgh"]
COLUMNS = ("guess", "parent", "score", "hit")


def judge(strategy: Strategy) -> referee.Verdict:
    """Through a file, and against the lists."""
    contents = strategy_file.from_body(strategy_file.to_body(strategy.contents), "a file")
    played = Strategy.of_file(contents)
    return referee.verify(played, GAME.guesses, GAME.secrets, contents.digest)


def test_every_rule_of_the_checker() -> None:
    for length in (2, 3, 4):
        words = list(map("".join, product("abc", repeat=length)))
        for guess, secret in product(words, words):
            assert grading.grade_wordle(guess, secret) == naive.grade(guess, secret)
            assert grading.grade_pegs(guess, secret) == naive.pegs(guess, secret)
    for grade in (grading.grade_wordle, grading.grade_pegs):
        for guess, secret in (("ab", "abc"), ("abc", "ab")):
            refused(ValueError, "zip", grade, guess, secret)
    # All words against all games of one and of two guesses.
    words = list(map("".join, product("abc", repeat=3)))

    def is_refused(word: str, history: list[tuple[str, int]]) -> bool:
        try:
            referee.check_hard(word, history)
        except WrongStrategyError:
            return True
        return False

    for word, guess, secret in product(words, words, words):
        history = [(guess, naive.grade(guess, secret))]
        legal = naive.may_follow(word, guess, secret)
        assert is_refused(word, history) != legal
        if legal and word != "abc":
            second = [*history, ("abc", naive.grade("abc", secret))]
            assert is_refused(word, second) != naive.may_follow(word, "abc", secret)


@pytest.mark.parametrize("hard", [False, True])
def test_right_strategies_pass(hard: bool) -> None:
    for start in ("", *WORDS):
        strategy = strategy_of(GAME, start, hard)
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
        strategy = strategy_of(GAME, start, hard)
        for name, node, step in product(COLUMNS, range(strategy.nodes), (-1, 1, 2)):
            column = getattr(strategy, name)[:]
            if not 0 <= column[node] + step <= 26:
                continue
            column[node] += step
            refused((StrategyError, LookupError), "", judge, replace(strategy, **{name: column}))


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
        refused(WrongStrategyError, wrong[2], referee.conclude, strategy, *wrong[:2])
    hit = strategy.hit[:]
    hit[0] = 1 - hit[0]
    with pytest.raises(WrongStrategyError):
        referee.Checker(replace(strategy, hit=hit)).play_all(GAME.secrets)
    # A node too many; and a secret that is said to fall earlier, where it is only a guess.
    game = game_of(ALIKE)
    words = ["abc", "cde", "fgh", "fgh", "abd", "abe", "abf", "abg", "cde"]
    guess = [game.guesses.index(word) for word in words]
    tree = Tree.of(guess, [-1, 0, 1, 0, 3, 4, 3, 3, 0], [-1, 0, 0, 8, 0, 8, 1, 3, 9])
    strategy = Strategy.of_tree(game, Origin.of(game, "optimal", ("abc",)), tree)
    assert referee.verify(strategy).taken["fgh"] == 3
    hit = strategy.hit[:]
    hit[3] = 1
    with pytest.raises(WrongStrategyError, match="'fgh' took 3 guesses, the file says 2"):
        referee.verify(replace(strategy, hit=hit))
    more = {"guess": 0, "parent": 0, "score": 26, "hit": 0}
    longer = {name: array("I", [*getattr(strategy, name), last]) for name, last in more.items()}
    with pytest.raises(WrongStrategyError, match="1 nodes are unreachable: .* node 9, 'abc'"):
        referee.verify(replace(strategy, **longer))


def test_a_game_ends_or_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = strategy_of(GAME)
    monkeypatch.setattr(referee, "ENDLESS", strategy.worst)
    assert referee.Checker(strategy).play_all(strategy.secrets)
    monkeypatch.setattr(referee, "ENDLESS", strategy.worst - 1)
    with pytest.raises(WrongStrategyError, match="not reached within"):
        referee.Checker(strategy).play_all(strategy.secrets)
    with pytest.raises(WrongStrategyError, match="after 1 guesses, .* no branch"):
        referee.Checker(strategy).play_all(["zzz"])


def test_the_head() -> None:
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
            refused(WrongStrategyError, "", held, wrong)
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
    refused(WrongStrategyError, "not from candidates", referee.check_choice, narrow)
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
    digest = word_lists.words_digest(["11", "12", "22"])
    for head, reason in (
        ({}, "not the list that its head names"),
        ({"secrets_digest": digest}, "another list"),
        ({"secrets_digest": digest, "secrets": 3}, "does not have 3 codes"),
        ({"secrets_digest": digest, "secrets": 3, "game": "wordle"}, "is never reached"),
    ):
        wrong = replace(strategy, origin=replace(origin, **head), **short)
        refused(StrategyError, reason, referee.verify, wrong)
    assert referee.Checker(strategy).play_all(["11"]) == ({"11": 1}, {0})
    for at, reason in (
        (3, "'21' is never reached: after 2 guesses, the last '12', the strategy has no branch"),
        (1, "is never reached: after 1 guesses, the last '11', the strategy has no branch"),
    ):
        lost = replace(strategy, score=strategy.score[:])
        lost.score[at] = 1
        refused(WrongStrategyError, reason, referee.Checker(lost).play_all, strategy.secrets)
