"""The trusted checker for strategies that others have made: it plays them, and names every fault.

Like the referee it shares nothing with the solver, and grades by the referee's few lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import BadFileError
from ..files.faults import (
    BEYOND,
    HARD_MODE,
    MISSING,
    NO_SECRET,
    NOT_ALLOWED,
    TWICE,
    UNREACHED,
    WRONG_SCORE,
    Fault,
    in_order,
)
from ..files.importers.draft import Draft
from ..files.notation import is_pegs, score_text
from ..files.strategy_file import DEEPEST
from ..tree import Strategy
from .grading import grade_pairs, grade_peg_pairs, grade_pegs, grade_wordle

#: Which rule grades: that of Wordle, or that of pegs.
GRADERS = {False: grade_wordle, True: grade_pegs}
#: So many steps of a state are said in a sentence.
_STEPS_SHOWN = 8


class Rules(NamedTuple):
    """What a strategy of others is held to: game, guesses, secrets, hard mode, limit."""

    game: str
    #: None: the list is not known, and any word may be guessed.
    guesses: Sequence[str] | None
    secrets: Sequence[str]
    hard: bool = False
    #: None: no limit.
    within: int | None = None


@dataclass(frozen=True)
class Judgement:
    """What the games of a strategy came to, and every fault of it."""

    #: The number of guesses for each secret that was solved.
    taken: Mapping[str, int]
    #: The node that solves each.
    solved_at: Mapping[str, int]
    n_secrets: int
    faults: tuple[Fault, ...]

    @property
    def histogram(self) -> list[int]:
        """How many secrets take 1, 2, … guesses."""
        counts = Counter(self.taken.values())
        return [counts[number] for number in range(1, max(counts, default=0) + 1)]

    @property
    def worst(self) -> int | None:
        """Most guesses that any secret took; None if none was solved."""
        return max(self.taken.values(), default=None)

    @property
    def total(self) -> int | None:
        """Guesses over all secrets that were solved."""
        return sum(self.taken.values()) if self.taken else None

    @property
    def mean(self) -> float | None:
        """Guesses for a secret that was solved, on average; None if none was."""
        return sum(self.taken.values()) / len(self.taken) if self.taken else None


def judge(draft: Draft, rules: Rules) -> Judgement:
    """Find all faults of a strategy of others: every secret is played through it.

    What the file says of itself is compared with the games.
    """
    length = draft.spelling.length
    for words in (rules.guesses or (), rules.secrets):
        if words and len(words[0]) != length:
            where = f"{draft.spelling.name}: its words have {length} letters"
            raise BadFileError("lists", f"{where}, those of the list {len(words[0])}")
    return _Judge(draft, rules).judged()


def draft_of(strategy: Strategy) -> Draft:
    """To find faults in a strategy of ours as in anybody's: its states as a draft."""
    from ..files.importers.spelling import Spelling

    spelling = Spelling("strategy", strategy.origin.game)
    spelling.length = len(strategy.words[0])
    draft = Draft("strategy", spelling)
    for node in range(strategy.nodes):
        word = strategy.words[strategy.guess[node]]
        draft.add(strategy.parent[node] if node else -1, strategy.score[node], word, 0)
        if strategy.hit[node]:
            draft.end(node, 0)
    return draft


class _Judge:
    def __init__(self, draft: Draft, rules: Rules) -> None:
        self._draft, self._rules = draft, rules
        self._grade = GRADERS[is_pegs(rules.game)]
        self._length = draft.spelling.length
        pairs = zip(draft.parent, draft.score, strict=True)
        self._below = {pair: node for node, pair in enumerate(pairs) if node}
        self._taken: dict[str, int] = {}
        self._solved_at: dict[str, int] = {}
        self._passed = {0}

    def judged(self) -> Judgement:
        """All that is asked, one after the other."""
        self._play_all()
        faults = [*self._draft.faults, *self._words(), *self._ends(), *self._missing()]
        faults += self._unreached()
        if self._rules.hard:
            faults += self._forbidden()
        faults += self._beyond()
        found = in_order(faults)
        return Judgement(self._taken, self._solved_at, len(self._rules.secrets), found)

    def _play_all(self) -> None:
        """All games in step, each to its end or to where the strategy knows no more."""
        guess, below = self._draft.guess, self._below
        playing = [(secret, 0) for secret in self._rules.secrets]
        for number in range(1, DEEPEST + 1):
            self._passed.update(node for _, node in playing)
            for secret, node in playing:
                if guess[node] == secret:
                    self._taken[secret], self._solved_at[secret] = number, node
            playing = [(secret, node) for secret, node in playing if guess[node] != secret]
            if not playing:
                return
            guesses = [guess[node] for _, node in playing]
            secrets = [secret for secret, _ in playing]
            scores = self._grade_all(guesses, secrets)
            going = zip(playing, scores, strict=True)
            states = ((secret, below.get((node, score))) for (secret, node), score in going)
            playing = [(secret, node) for secret, node in states if node is not None]

    def _grade_all(self, guesses: Sequence[str], secrets: Sequence[str]) -> Iterable[int]:
        """The score of each guess against the secret beside it."""
        if is_pegs(self._rules.game):
            return grade_peg_pairs(guesses, secrets)
        return grade_pairs(guesses, secrets)

    def _words(self) -> Iterator[Fault]:
        """Guesses that are on no list."""
        if self._rules.guesses is None:
            return
        allowed = set(self._rules.guesses)
        seen: set[str] = set()
        for node, word in enumerate(self._draft.guess):
            if word not in allowed and word not in seen:
                seen.add(word)
                text = f"{word!r} {self._after(node)} is on no list of guesses"
                yield self._fault(NOT_ALLOWED, text, node)

    def _ends(self) -> Iterator[Fault]:
        """What the file says of the places where secrets are solved, held against the games."""
        draft = self._draft
        secrets = set(self._rules.secrets)
        first: dict[str, int] = {}
        for node, line in sorted(draft.ends.items()):
            word = draft.guess[node]
            if word in first and word in secrets:
                where = f"; the first is in line {draft.line[first[word]]}" if line else ""
                yield Fault(TWICE, f"{word!r} is solved {self._after(node)} too{where}", word, line)
            first.setdefault(word, node)
            if self._solved_at.get(word) == node:
                continue
            if word not in secrets and self._is_possible(node, word):
                text = f"{word!r} {self._after(node)} may not be hidden"
                yield Fault(NO_SECRET, text, word, line or None)
            else:
                yield from self._wrong_score(node, word)

    def _is_possible(self, node: int, word: str) -> bool:
        """Whether the word answers every guess on the way as the file says."""
        return all(self._grade(guess, word) == x for guess, x in self._draft.history(node))

    def _wrong_score(self, node: int, word: str) -> Iterator[Fault]:
        """The first score on the way to a node that its word does not give."""
        for guess, score in self._draft.history(node):
            right = self._grade(guess, word)
            if right != score:
                text = (
                    f"{word!r} answers {guess!r} with {self._text(right)}, not {self._text(score)}"
                )
                yield Fault(WRONG_SCORE, text, word, self._draft.ends[node] or None)
                return

    def _missing(self) -> Iterator[Fault]:
        """Secrets without a game of their own."""
        for secret in self._rules.secrets:
            at = self._solved_at.get(secret)
            if at is None and secret not in self._draft.named:
                yield Fault(MISSING, f"no game comes to {secret!r}", secret)
            elif at is not None and self._draft.says_all_ends and secret not in self._draft.named:
                text = f"{secret!r} is guessed {self._after(at)}, and the file has no end there"
                yield Fault(MISSING, text, secret)

    def _unreached(self) -> Iterator[Fault]:
        """States that no secret comes to, the first of each branch, but for games told of above."""
        draft = self._draft
        known = set(self._passed)
        for end in draft.ends:
            node = end
            while node >= 0 and node not in known:
                known.add(node)
                node = draft.parent[node]
        for node, above in enumerate(draft.parent):
            if node not in known and above in known:
                text = f"{draft.guess[node]!r} {self._after(node)}: no secret comes there"
                yield self._fault(UNREACHED, text, node)

    def _forbidden(self) -> Iterator[Fault]:
        """Guesses that hard mode forbids: greens stay, what was shown is used again."""
        draft = self._draft
        #: By node: for each place the guess that showed its green; for each letter how often.
        asked: list[tuple[tuple[str, ...], dict[str, tuple[int, str]]]] = []
        for node, word in enumerate(draft.guess):
            above = draft.parent[node]
            if above < 0:
                asked.append((("",) * self._length, {}))
                continue
            greens, shown = _more_asked(asked[above], draft.guess[above], draft.score[node])
            asked.append((greens, shown))
            for place, guess in enumerate(greens):
                if guess and word[place] != guess[place]:
                    text = f"{word!r} {self._after(node)} moves the green of {guess!r}"
                    yield self._fault(HARD_MODE, text, node)
                    break
            else:
                for letter, (times, guess) in shown.items():
                    if word.count(letter) < times:
                        text = f"{word!r} {self._after(node)} drops {letter!r} of {guess!r}"
                        yield self._fault(HARD_MODE, text, node)
                        break

    def _beyond(self) -> Iterator[Fault]:
        """Secrets that take more guesses than were demanded."""
        limit = self._rules.within
        for secret, number in sorted(self._taken.items()):
            if limit is not None and number > limit:
                yield Fault(BEYOND, f"{secret!r} takes {number} guesses", secret)

    def _fault(self, kind: str, text: str, node: int) -> Fault:
        return Fault(kind, text, self._draft.guess[node], self._draft.line[node] or None)

    def _after(self, node: int) -> str:
        """The state of a node, in words."""
        history = self._draft.history(node)
        if not history:
            return "at the beginning"
        steps = [f"{guess} {self._text(score)}" for guess, score in history[-_STEPS_SHOWN:]]
        more = "… " if len(history) > _STEPS_SHOWN else ""
        return f"after {more}{' '.join(steps)}"

    def _text(self, score: int) -> str:
        return score_text(self._rules.game, self._length, score)


def _more_asked(
    asked: tuple[tuple[str, ...], dict[str, tuple[int, str]]], guess: str, score: int
) -> tuple[tuple[str, ...], dict[str, tuple[int, str]]]:
    """What hard mode asks of the next word, after one more guess and its score."""
    greens, shown = list(asked[0]), asked[1]
    counts: dict[str, int] = {}
    for place, letter in enumerate(guess):
        colour = score // 3**place % 3
        if colour == 2:
            greens[place] = guess
        if colour:
            counts[letter] = counts.get(letter, 0) + 1
    new = {
        letter: (times, guess)
        for letter, times in counts.items()
        if times > shown.get(letter, (0, ""))[0]
    }
    return tuple(greens), (shown | new if new else shown)
