"""A whole strategy, frozen: what to guess in every state that can come up.

The tree is columnar. Nodes are the states in which a guess is made, in preorder, children by
ascending score; node 0 is the empty history. Four columns describe a node:

* ``guess``: which word to guess there, an index into ``words``;
* ``parent`` and ``score``: the state came from guessing at ``parent`` and getting ``score``;
* ``hit``: whether the guess may itself be the secret. Every secret has exactly one such node, and
  the depth of that node is the number of guesses the secret takes.

Plain Python throughout: opening a strategy must not cost the import of numpy.
"""

from __future__ import annotations

import contextlib
import hashlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import UnknownStateError
from .files import strategy_file
from .files.text import capitals, counted, is_known, plain, score_text, solved_score

if TYPE_CHECKING:
    from solver.game.game import Game
    from solver.tree import Tree

    from .checkers import verify

#: A step of a history as users give it: the score as text or as its integer.
Step = tuple[str, str | int]
#: So many secrets of a state are shown.
_SHOWN = 20


@dataclass(frozen=True, repr=False)
class StrategyState:
    """A state that a strategy meets: what it guesses there, and what can follow."""

    #: The guesses made, with their scores as text.
    history: tuple[tuple[str, str], ...]
    guess: str
    #: The secrets that are still possible.
    remaining: tuple[str, ...]
    #: Each score of the guess as text, how many secrets give it, and the guess that follows; None
    #: where the guess was right. Most secrets first.
    replies: tuple[tuple[str, int, str | None], ...]

    def _line(self) -> str:
        before = ".".join(f"{word}.{score}" for word, score in self.history) or "at the beginning"
        secrets = counted(len(self.remaining), "secret")
        return f"{before}: guess {capitals(self.guess)}, {secrets}"

    def __repr__(self) -> str:
        return f"<StrategyState: {self._line()}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from solver.shown import html_of  # only here: checks load nothing of the solver

        some = " ".join(self.remaining[:_SHOWN]) + (" …" if len(self.remaining) > _SHOWN else "")
        rows = [
            {"score": text, "secrets": count, "then": then or "solved"}
            for text, count, then in self.replies
        ]
        return html_of(f"{self._line()}: {some}", rows)


@dataclass(frozen=True, eq=False, repr=False)
class Strategy(strategy_file.Stored):
    """A finished strategy. Build one with ``solve`` or ``optimal``; read one with ``load``.

    >>> from strategy import Strategy, load_game, solve
    >>> strategy = solve(load_game(["abide", "crane", "raise", "slate", "stare"])).strategy
    >>> strategy.next_guess()
    'crane'
    >>> strategy.next_guess([("crane", "bbgbg")])
    'slate'
    >>> strategy.worst, strategy.mean
    (2, 1.8)
    """

    @classmethod
    def load(cls, path: str | Path) -> Strategy:
        """Read a strategy file; everything about it is checked but the play itself."""
        return cls.of_file(strategy_file.load_tree(path))

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the strategy file, whole or not at all; ``force`` replaces what is no strategy."""
        strategy_file.save(self, path, force=force)

    @classmethod
    def of_file(cls, tree: verify.Tree) -> Strategy:
        """The strategy that a file holds."""
        columns = tree.guess, tree.parent, tree.score, tree.hit
        return cls(strategy_file.Origin.of_head(tree.head), tree.words, *columns)

    @classmethod
    def of_tree(cls, game: Game, origin: strategy_file.Origin, tree: Tree) -> Strategy:
        """The strategy that a search has found, its guesses being positions in ``game.guesses``."""
        tree = tree.in_preorder()
        hit = _find_hits(game, tree)
        import numpy as np  # as a game has it, whose arrays are numpy's

        wanted = np.zeros(len(game.guesses), dtype=bool)
        wanted[np.array(tree.guess)] = wanted[game.secret_ids] = True
        used = np.flatnonzero(wanted)
        needed = [game.guesses[number] for number in used.tolist()]
        place = np.zeros(len(game.guesses), dtype=np.uint32)
        place[used] = np.arange(len(used))
        guess = array("I", place[np.array(tree.guess)].tobytes())
        parent, score = (array("I", column.tobytes()) for column in (tree.parent, tree.score))
        parent[0] = score[0] = 0
        strategy = cls(origin, tuple(needed), guess, parent, score, hit)
        if not is_known(game.spec):
            strategy.__dict__["_rules"] = game  # nobody else can say what its scores are
        return strategy

    # --- results --------------------------------------------------------------------------

    @property
    def nodes(self) -> int:
        """How many states there are in which the strategy makes a guess."""
        return len(self.guess)

    @cached_property
    def depth(self) -> array[int]:
        """The number of the guess made at each node, the first being 1."""
        depth = [1]
        for parent in self.parent[1:]:
            depth.append(depth[parent] + 1)
        return array("I", depth)

    @cached_property
    def solved_at(self) -> dict[str, int]:
        """For each secret the node whose guess it is."""
        words, nodes = compress(self.guess, self.hit), compress(range(self.nodes), self.hit)
        found = dict(zip(words, nodes, strict=True))
        return {self.words[word]: found[word] for word in sorted(found)}

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """The secrets in alphabetical order."""
        return tuple(self.solved_at)

    @cached_property
    def histogram(self) -> list[int]:
        """How many secrets take 1, 2, … guesses."""
        return strategy_file.histogram_of(compress(self.depth, self.hit))

    def beyond(self, limit: int) -> list[str]:
        """The secrets that take more than ``limit`` guesses, in alphabetical order."""
        return [word for word, node in self.solved_at.items() if self.depth[node] > limit]

    @cached_property
    def digest(self) -> str:
        """What this strategy does, as one number: sha256 of its text export."""
        text = "".join([f"{line}\n" for line in text_lines(self)])
        return hashlib.sha256(text.encode()).hexdigest()

    def children(self) -> list[list[int]]:
        """For each node those below it, by ascending scores."""
        found: list[list[int]] = [[] for _ in self.guess]
        for node in range(1, self.nodes):
            found[self.parent[node]].append(node)
        return found

    def games(self) -> Iterator[tuple[str, list[tuple[str, int]]]]:
        """Every secret with the guesses and scores of its game, the solving guess left out."""
        for word, node in self.solved_at.items():
            yield word, self.history_of(node)

    def history_of(self, node: int) -> list[tuple[str, int]]:
        """The guesses and scores that lead to a node."""
        history = []
        while node:
            above = self.parent[node]
            history.append((self.words[self.guess[above]], self.score[node]))
            node = above
        return history[::-1]

    @property
    def line(self) -> str:
        """The strategy in one line: its first guesses, its lists and rule, its figures."""
        start = "+".join(capitals(word) for word in self.origin.start)
        of = f"{self.origin.list_name}, {self.origin.secrets_name}, {self.origin.rule}"
        hard = ", hard mode" if self.origin.hard else ""
        return (
            f"{start} ({of}{hard}): {counted(len(self.secrets), 'secret')}, worst {self.worst}, "
            f"total {self.total:,}, mean {self.mean:.4f}"
        )

    def __repr__(self) -> str:
        return f"<Strategy: {self.line}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from solver.shown import bars_svg, html_of  # only here: checks load nothing of the solver

        bars = [(str(n), count, f"{count:,}") for n, count in enumerate(self.histogram, 1)]
        return html_of(self.line) + bars_svg(bars, f"Secrets by guesses: {self.line}")

    # --- look-up --------------------------------------------------------------------------

    def next_guess(self, history: Sequence[Step] = ()) -> str:
        """The guess in a state; a state that the strategy never meets raises UnknownStateError."""
        return self.words[self.guess[self.node_of(history)]]

    def get(self, history: Sequence[Step], default: str | None = None) -> str | None:
        """The guess in a state, or ``default`` in one that the strategy never meets."""
        try:
            return self.next_guess(history)
        except UnknownStateError:
            return default

    def remaining(self, history: Sequence[Step] = ()) -> list[str]:
        """The secrets that are still possible in a state, in alphabetical order."""
        return self.secrets_below(self.node_of(history))

    def state(self, history: Sequence[Step] | str = ()) -> StrategyState:
        """All about a state, given as steps or as text; one never met raises UnknownStateError."""
        steps = self.parse_state(history) if isinstance(history, str) else history
        node, text = self.node_of(steps), self._rules.format_score
        replies: list[tuple[str, int, str | None]] = [
            (text(self.score[child]), sum(self.hit[child : self._end(child)]), self._word(child))
            for child in range(node + 1, self._end(node))
            if self.parent[child] == node
        ]
        if self.hit[node]:
            replies.append((text(self._rules.solved), 1, None))
        return StrategyState(
            tuple((word, text(score)) for word, score in self.history_of(node)),
            self._word(node),
            tuple(self.secrets_below(node)),
            tuple(sorted(replies, key=lambda reply: (-reply[1], reply[0]))),
        )

    def _word(self, node: int) -> str:
        return self.words[self.guess[node]]

    def _end(self, node: int) -> int:
        """Where the subtree ends: the nodes of a subtree lie side by side."""
        end = node + 1
        while end < self.nodes and self.depth[end] > self.depth[node]:
            end += 1
        return end

    def secrets_below(self, node: int) -> list[str]:
        """The secrets that are found in the subtree of a node, in alphabetical order."""
        return sorted(self._word(n) for n in range(node, self._end(node)) if self.hit[n])

    def parse_state(self, text: str) -> list[Step]:
        """The steps of a state that is written such as ``lares.bbybb.cling.bybbb``."""
        return list(self._rules.read_state(text))

    def node_of(self, history: Sequence[Step]) -> int:
        """The node of a state, given as steps."""
        node = 0
        for number, (word, score) in enumerate(history, 1):
            expected = self.words[self.guess[node]]
            if plain(word) != expected:
                raise _unknown(number, f"the strategy guesses {expected!r} there, not {word!r}")
            code = self._code(number, score)
            if code == self._rules.solved:
                raise _unknown(number, f"{word!r} is the secret; the game is over")
            child = self._child(node, code)
            if child is None:
                text = self._rules.format_score(code)
                raise _unknown(number, f"no possible secret gives {text!r} to {word!r} there")
            node = child
        return node

    def _code(self, number: int, score: str | int) -> int:
        """The integer of a score, whatever it was given as."""
        if not isinstance(score, str):
            return index(score)
        try:
            return self._rules.parse_score(score)
        except Exception as error:
            raise _unknown(number, str(error)) from error

    def _child(self, node: int, score: int) -> int | None:
        """The child of a node by a score: a scan of a column is fast and needs no index."""
        child = node
        with contextlib.suppress(ValueError):
            while True:
                child = self.parent.index(node, child + 1)
                if self.score[child] == score:
                    return child
        return None

    @cached_property
    def _rules(self) -> Game:
        """The game over the words of this file: enough to read states and to grade."""
        from solver.game.load import game_of_words

        return game_of_words(self.origin.game, self.words)


def _unknown(step: int, why: str) -> UnknownStateError:
    return UnknownStateError(step, f"step {step}: {why}")


def _find_hits(game: Game, tree: Tree) -> array[int]:
    """Mark the node where each secret is guessed while it is still possible.

    Every secret has such a node. One that is guessed in a single place has it there, and so has one
    that is guessed in a single place from where nothing goes on; neither needs grading. Of the
    others, a word is possible where every guess on the way grades it as the edge says.
    """
    import numpy as np

    guess, parent, score = tree.guess, tree.parent, tree.score
    words = np.array(guess)
    possible = np.zeros(len(game.guesses), dtype=bool)
    possible[game.secret_ids] = True
    ends = np.ones(len(tree), dtype=bool)
    ends[np.array(parent[1:], dtype=np.int64)] = False
    times, ended = (np.bincount(some, minlength=len(possible)) for some in (words, words[ends]))
    once, only_end = times[words] == 1, (times[words] > 1) & (ended[words] == 1)
    hit = array("B", (possible[words] & (once | only_end & ends)).astype(np.uint8).tobytes())
    for node in np.flatnonzero(possible[words] & ~once & ~only_end).tolist():
        below, text = node, game.guesses[guess[node]]
        while below and game.grade(game.guesses[guess[parent[below]]], text) == score[below]:
            below = parent[below]
        hit[node] = below == 0
    return hit


def text_lines(strategy: Strategy) -> Iterator[str]:
    """A strategy's tree as the lines of its text form: a secret a line, guess and score in turn.

    Secrets are in alphabetical order; the line ends with the solving guess and its score.
    """
    length = len(strategy.words[0])
    game = strategy.origin.game
    texts: dict[int, str] = {}
    solved = score_text(game, length, solved_score(game, length))
    heads = [""] * strategy.nodes
    for node in range(1, strategy.nodes):
        score = strategy.score[node]
        if score not in texts:
            texts[score] = score_text(game, length, score)
        above = strategy.parent[node]
        heads[node] = f"{heads[above]}{strategy.words[strategy.guess[above]]} {texts[score]} "
    for secret, node in strategy.solved_at.items():
        yield f"{heads[node]}{secret} {solved}"
