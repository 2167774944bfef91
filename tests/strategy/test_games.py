"""The trusted checker plays small strategies, line by line: quick enough for mutants."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from solver.game.load import load_game
from solver.tree import Tree
from strategy import verification
from strategy.checkers import lists as word_lists
from strategy.checkers import verify
from strategy.errors import StrategyError, WrongStrategyError
from strategy.files.strategy_file import Origin, tree_of
from strategy.tree import Strategy
from tests.support import naive, refused
from tests.support.kept_lists import GAME, WORDS
from tests.support.proof_worlds import strategy_of
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain

#: Five that differ in a letter, and two that tell them apart.
ALIKE = ["abc", "abd", "abe", "abf", "abg", "cde", "fgh"]


def read(strategy: Strategy, **changes: Any) -> verify.Tree:
    """A strategy as its file has it, which is right, and then with another column or head."""
    return tree_of(strategy)._replace(**changes)


def headed(strategy: Strategy, **changes: Any) -> verify.Tree:
    tree = read(strategy)
    return tree._replace(head=tree.head | changes)


def checked(tree: verify.Tree) -> dict[str, int]:
    """The guesses that each secret takes, where all that the head says is so."""
    taken, passed = verify.play(tree, [*tree.solved()], verify.GRADERS[False])
    verify.check_played(tree, passed)
    return taken


def test_every_rule_of_the_checker() -> None:
    for length in (2, 3, 4):
        words = list(map("".join, product("abc", repeat=length)))
        for guess, secret in product(words, words):
            assert verify.grade_wordle(guess, secret) == naive.grade(guess, secret)
            assert verify.grade_pegs(guess, secret) == naive.pegs(guess, secret)
    for grade in (verify.grade_wordle, verify.grade_pegs):
        for guess, secret in (("ab", "abc"), ("abc", "ab")):
            refused(ValueError, "zip", grade, guess, secret)
    # All words against all games of one and of two guesses.
    words = list(map("".join, product("abc", repeat=3)))

    def is_refused(word: str, history: list[tuple[str, int]]) -> bool:
        try:
            verify.check_hard(word, history)
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
        verdict = verification.verify(strategy, GAME.guesses, GAME.secrets)
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
    verdict = verification.verify(only, ("abc",), ("abc",))
    assert (verdict.taken, verdict.beyond(0), verdict.beyond(1)) == ({"abc": 1}, ["abc"], [])


@pytest.mark.parametrize("hard", [False, True])
def test_every_changed_number_is_refused(hard: bool) -> None:
    for start in ("aab", "bbc"):
        strategy = strategy_of(GAME, start, hard)
        for name, node, step in product(verify.COLUMNS, range(strategy.nodes), (-1, 1, 2)):
            column = getattr(strategy, name)[:]
            if not 0 <= column[node] + step <= 26:
                continue
            column[node] += step
            wrong = replace(strategy, **{name: column}), GAME.guesses, GAME.secrets
            refused((StrategyError, LookupError), "", verification.verify, *wrong)


def test_where_games_end_and_what_they_come_to() -> None:
    strategy = strategy_of(GAME)
    tree = read(strategy)
    grade = verify.GRADERS[False]
    _, passed = verify.play(tree, strategy.secrets, grade)
    assert passed == {*range(strategy.nodes)}
    verify.check_played(tree, passed)
    refused(WrongStrategyError, "no secret ever comes to", verify.check_played, tree, passed - {2})
    refused(WrongStrategyError, "'zzz' is never reached", verify.play, tree, ["zzz"], grade)
    for node, hit in enumerate(tree.hit):
        wrong = read(strategy, hit=[*tree.hit[:node], 1 - hit, *tree.hit[node + 1 :]])
        if hit:
            said = f"{tree.word(node)!r} is solved where"
            refused(WrongStrategyError, said, verify.play, wrong, strategy.secrets, grade)
    # A secret that is said to fall earlier, where it is only a guess; and a node too many.
    game = game_of(ALIKE)
    words = ["abc", "cde", "fgh", "fgh", "abd", "abe", "abf", "abg", "cde"]
    guess = [game.guesses.index(word) for word in words]
    grown = Tree.of(guess, [-1, 0, 1, 0, 3, 4, 3, 3, 0], [-1, 0, 0, 8, 0, 8, 1, 3, 9])
    strategy = Strategy.of_tree(game, Origin.of(game, "optimal", ("abc",)), grown)
    assert checked(read(strategy))["fgh"] == 3
    hit = [*strategy.hit]
    hit[2], hit[3] = 0, 1
    refused(WrongStrategyError, "'fgh' is solved where", checked, read(strategy, hit=hit))
    more = {"guess": 0, "parent": 0, "score": 26, "hit": 0}
    longer = {name: [*getattr(strategy, name), last] for name, last in more.items()}
    refused(WrongStrategyError, "no secret ever comes to", checked, read(strategy, **longer))


def test_guesses_are_those_of_the_head() -> None:
    strategy = strategy_of(GAME, start="bbc")
    checked(read(strategy))
    second = strategy.words[strategy.guess[1]]
    for wrong, reason in (
        ({"start": ["aab"]}, "guess 1 is not always 'aab'"),
        ({"start": ["bbc", second]}, f"guess 2 is not always {second!r}"),
        ({"start": ["bbc", "bbc"]}, "guess 2 is not always 'bbc'"),
        ({"start": [], "guess_from": "secrets"}, "'bbc' is guessed, which is not from secrets"),
        ({"start": [], "guess_from": "candidates"}, "not from candidates"),
    ):  # fmt: skip
        refused(WrongStrategyError, reason, checked, headed(strategy, **wrong))
    others = {
        strategy.words[g] for g, d in zip(strategy.guess, strategy.depth, strict=True) if d == 2
    }
    assert len(others) > 1
    checked(read(strategy_of(game_of(WORDS), guess_from="candidates")))
    inside = strategy_of(game_of(ALIKE), start="abc", guess_from="secrets")
    checked(read(inside))
    assert not all(inside.hit)
    narrow = headed(inside, guess_from="candidates")
    refused(WrongStrategyError, "not from candidates", checked, narrow)
    outside = strategy_of(game_of(ALIKE, ALIKE[:5]), start="abc")
    assert len(outside.words) > len(outside.secrets)
    checked(read(outside))
    game = game_of(ALIKE)
    for start in ALIKE[:5]:
        free, hard = strategy_of(game, start=start), strategy_of(game, hard=True, start=start)
        checked(read(hard))
        checked(headed(hard, hard=False))
        wrong = headed(free, hard=True)
        refused(WrongStrategyError, "hard mode: 'cde' moves the green", checked, wrong)


def test_codes_are_played_by_pegs() -> None:
    """The four codes of two holes and two colours, and a strategy without the last of them."""
    game = load_game(spec="mastermind:2x2")
    origin = Origin.of(game, "optimal", ("11",))
    strategy = Strategy.of_tree(game, origin, Tree.of([0, 3, 1, 2], [-1, 0, 0, 2], [-1, 0, 3, 2]))
    verdict = verification.verify(strategy)
    assert verdict.taken == {"11": 1, "12": 2, "21": 3, "22": 2}
    assert verdict.lists == "all codes of mastermind:2x2"
    short = {name: getattr(strategy, name)[:3] for name in verify.COLUMNS}
    short |= {"words": ("11", "12", "22"), "guess": [0, 2, 1]}
    digests = dict.fromkeys(verify.DIGESTS, word_lists.words_digest(short["words"]))
    for head, reason in (
        ({}, "does not have 3 codes"),
        ({"game": "wordle"}, "is never reached"),
    ):
        wrong = replace(strategy, origin=replace(origin, **head, **digests, secrets=3), **short)
        refused(StrategyError, reason, verification.verify, wrong)
    tree = read(strategy)
    assert verify.play(tree, ["11"], verify.GRADERS[True]) == ({"11": 1}, {0})
    for at in (1, 3):
        score = [*tree.score]
        score[at] = 1
        lost = tree._replace(score=score), strategy.secrets, verify.GRADERS[True]
        refused(WrongStrategyError, "is never reached", verify.play, *lost)
