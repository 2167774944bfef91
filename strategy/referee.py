"""The trusted checker: plays every secret through a strategy file, by letters alone.

It shares nothing with the solver. It reads the file, grades with its own few lines, and compares
what happens with what the file says. Checking a tree through the solver's matrix would certify the
matrix's own bugs. Standard library, msgpack and this project's file reader only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import ne

from .checkers.grading import grade_pairs, grade_peg_pairs, grade_pegs, grade_wordle
from .checkers.word_lists import check_lists, check_words
from .errors import WrongStrategyError
from .files.notation import is_pegs
from .tree import Strategy

#: The scores of many guesses, each against the secret beside it.
_GradeAll = Callable[[Sequence[str], Sequence[str]], Iterable[int]]
#: More guesses than any sane strategy takes: the checker must not trust the file for an end.
ENDLESS = 1000
#: Who graded the games of a verdict: the lines of this file, or the game, for want of such lines.
BY_REFEREE, OWN_GRADE = "the referee", "the game itself"


@dataclass(frozen=True)
class Verdict:
    """What the games of a strategy came to: how many guesses each secret took."""

    taken: dict[str, int]
    #: Whether the lists are the shipped ones (or those given), or could not be compared.
    lists: str = "list not verified"
    #: Who graded: BY_REFEREE, or OWN_GRADE where only the game knows its rule.
    graded_by: str = BY_REFEREE

    @property
    def worst(self) -> int:
        """Most guesses that any secret took."""
        return max(self.taken.values())

    @property
    def total(self) -> int:
        """Guesses over all secrets."""
        return sum(self.taken.values())

    def beyond(self, limit: int) -> list[str]:
        """The secrets that took more than ``limit`` guesses."""
        return sorted(word for word, number in self.taken.items() if number > limit)


class Checker:
    """The trusted checker of one strategy: it plays games through it by letters alone."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        pegs = is_pegs(strategy.origin.game)
        self._grade = grade_pegs if pegs else grade_wordle
        self._grade_all: _GradeAll = grade_peg_pairs if pegs else grade_pairs
        states = zip(strategy.parent[1:], strategy.score[1:], strict=True)
        self._branch = dict(zip(states, range(1, strategy.nodes), strict=True))

    def play(self, secret: str) -> list[int]:
        """The nodes that the game of one secret passes through, the solving one last."""
        strategy = self.strategy
        node, path = 0, [0]
        while len(path) <= ENDLESS:
            guess = strategy.words[strategy.guess[node]]
            if guess == secret:
                return path
            child = self._branch.get((node, self._grade(guess, secret)))
            if child is None:
                raise WrongStrategyError(
                    f"{secret!r} is never reached: after {len(path)} guesses, the last "
                    f"{guess!r}, the strategy has no branch for what it answers"
                )
            node = child
            path.append(node)
        raise WrongStrategyError(f"{secret!r} is not reached within {ENDLESS} guesses")

    def play_all(self, secrets: Sequence[str]) -> tuple[dict[str, int], set[int]]:
        """Guesses taken by each secret, and all the nodes that were passed through.

        All games go on in step, a guess of each at a time. If one comes to no end, each is played
        by itself, so that the first of them in the order of the secrets is named.
        """
        ends: dict[str, tuple[int, int]] = {}
        passed: set[int] = set()
        playing, nodes = list(secrets), [0] * len(secrets)
        for made in range(1, ENDLESS + 1):
            passed.update(nodes)
            playing, nodes = self._go_on(playing, nodes, made, ends)
            if not playing:
                break
        if len(ends) < len(set(secrets)):
            for secret in secrets:
                self.play(secret)
        for secret in secrets:
            if not self.strategy.hit[ends[secret][0]]:
                raise WrongStrategyError(f"{secret!r} is solved where the file says it cannot be")
        return {secret: ends[secret][1] for secret in secrets}, passed

    def _go_on(
        self, playing: list[str], nodes: list[int], made: int, ends: dict[str, tuple[int, int]]
    ) -> tuple[list[str], list[int]]:
        """One guess more in all games: what is still played, at which nodes.

        ``ends`` is told where a game ends, in how many; one without a branch to go on is dropped.
        """
        words, guess = self.strategy.words, self.strategy.guess
        guesses = [words[guess[node]] for node in nodes]
        going = list(map(ne, guesses, playing))
        for secret, node, goes in zip(playing, nodes, going, strict=True):
            if not goes:
                ends[secret] = node, made
        playing, nodes = list(compress(playing, going)), list(compress(nodes, going))
        if not playing:
            return [], []
        guesses = list(compress(guesses, going))
        states = zip(nodes, self._grade_all(guesses, playing), strict=True)
        there = list(map(self._branch.get, states))
        known = [child is not None for child in there]
        return list(compress(playing, known)), [child for child in there if child is not None]


def verify(
    strategy: Strategy,
    guesses: Sequence[str] | None = None,
    secrets: Sequence[str] | None = None,
    digest: str | None = None,
) -> Verdict:
    """Play every secret of a strategy by letters and compare with what its file says of itself.

    WrongStrategyError is raised if it lies. A named list is compared with the shipped text.
    ``guesses`` and ``secrets`` are more lists to compare with; guesses alone stand for the secrets
    too where all guesses are secrets.
    """
    if secrets is None and strategy.origin.secrets_name == "allowed":
        secrets = guesses
    for words in (strategy.words, guesses, secrets):
        check_words(words or (), strategy.origin.game)
    lists = check_lists(strategy, guesses, secrets)
    taken, passed = Checker(strategy).play_all(strategy.secrets)
    conclude(strategy, taken, passed)
    check_choice(strategy)
    if digest is not None and digest != strategy.digest:
        raise WrongStrategyError("the strategy is not the one that its digest names")
    return Verdict(taken, lists)


def conclude(strategy: Strategy, taken: dict[str, int], passed: set[int]) -> None:
    """As referee, compare the games that were played with the columns of the strategy's file."""
    if len(passed) != strategy.nodes:
        node = min(set(range(strategy.nodes)) - passed)
        raise WrongStrategyError(
            f"{strategy.nodes - len(passed)} nodes are unreachable: no secret ever comes to node "
            f"{node}, {strategy.words[strategy.guess[node]]!r}"
        )
    if taken.keys() != strategy.solved_at.keys():
        lost = sorted(taken.keys() ^ strategy.solved_at.keys())
        raise WrongStrategyError(f"{lost[0]!r} is a secret of the game or of the file, not of both")
    for secret, node in strategy.solved_at.items():
        if taken[secret] != strategy.depth[node]:
            raise WrongStrategyError(
                f"{secret!r} took {taken[secret]} guesses, the file says {strategy.depth[node]}"
            )


def check_choice(strategy: Strategy) -> None:
    """As referee, hold the guesses of a strategy to what its head says: start, pool, hard mode."""
    origin = strategy.origin
    secrets = strategy.solved_at
    if len(set(strategy.guess)) != len(strategy.words):
        raise WrongStrategyError("it holds words that it never guesses")
    for node, depth in enumerate(strategy.depth):
        word = strategy.words[strategy.guess[node]]
        if depth <= len(origin.start):
            if word != origin.start[depth - 1]:
                raise WrongStrategyError(f"guess {depth} is not always {origin.start[depth - 1]!r}")
        elif (origin.guess_from == "secrets" and word not in secrets) or (
            origin.guess_from == "candidates" and not strategy.hit[node]
        ):
            raise WrongStrategyError(f"{word!r} is guessed, which is not from {origin.guess_from}")
        if origin.hard:
            check_hard(word, strategy.history_of(node))


def check_hard(word: str, history: Sequence[tuple[str, int]]) -> None:
    """Refuse, as the trusted referee, a guess against hard mode: greens stay, letters are used.

    They are used as often as they were shown.
    """
    for guess, score in history:
        shown: list[str] = []
        for place, letter in enumerate(guess):
            colour = score // 3**place % 3
            if colour == 2 and word[place] != letter:
                raise WrongStrategyError(f"hard mode: {word!r} moves the green of {guess!r}")
            shown += [letter] * (colour > 0)
        for letter in shown:
            if word.count(letter) < shown.count(letter):
                raise WrongStrategyError(f"hard mode: {word!r} drops {letter!r} after {guess!r}")
