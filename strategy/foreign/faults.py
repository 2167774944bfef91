"""All faults of a strategy, of ours or of others: every secret is played, and what differs is said.

A fault that is found here is for people to mend; that there is none is for ``strategy.checkers`` to
say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..checkers.verify import DEEPEST, GRADERS, Grade
from ..errors import BadFileError
from ..files.draft import Draft, Fault, FaultKind, in_order
from ..files.strategy_file import histogram_of
from ..files.text import is_pegs, score_text

#: So many steps of a state are said in a sentence.
_STEPS_SHOWN = 8


def play(
    words: Sequence[str],
    branch: Mapping[tuple[int, int], int],
    grade: Grade,
    secrets: Sequence[str],
) -> tuple[dict[str, int], dict[str, int], set[int]]:
    """Play every secret through a strategy, as far as it goes: for DEEPEST guesses at most.

    ``words`` are the guesses by node, ``branch`` leads from a node and a score to the node below.
    Of each secret that was solved: in how many guesses, and at which node; the nodes passed.
    """
    taken: dict[str, int] = {}
    ends: dict[str, int] = {}
    passed: set[int] = set()
    for secret in secrets:
        node = 0
        for made in range(1, DEEPEST + 1):
            passed.add(node)
            if words[node] == secret:
                taken[secret], ends[secret] = made, node
                break
            node = branch.get((node, grade(words[node], secret)), -1)
            if node < 0:
                break
    return taken, ends, passed


class Rules(NamedTuple):
    """What a strategy of others is checked by: game, guesses, secrets, hard mode, limit."""

    game: str
    #: None: the list is not known, and any word may be guessed.
    guesses: Sequence[str] | None
    secrets: Sequence[str]
    hard: bool = False
    #: None: no limit.
    within: int | None = None


@dataclass(frozen=True, repr=False)
class CheckResult:
    """What the games of a strategy came to, and every fault of it."""

    #: The number of guesses for each secret that was solved.
    taken: Mapping[str, int]
    #: The node that solves each.
    solved_at: Mapping[str, int]
    n_secrets: int
    faults: tuple[Fault, ...]

    def __repr__(self) -> str:
        solved = f"{len(self.taken):,} of {self.n_secrets:,} secrets solved"
        return f"<CheckResult: {solved}, {len(self.faults):,} faults>"

    @property
    def histogram(self) -> list[int]:
        """How many secrets take 1, 2, … guesses."""
        return histogram_of(self.taken.values())

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


def find_faults(draft: Draft, rules: Rules) -> CheckResult:
    """Find all faults of a strategy of others: every secret is played through it.

    What the file says of itself is compared with the games.
    """
    length = draft.spelling.length
    for words in (rules.guesses, rules.secrets):
        if words and len(words[0]) != length:
            where = f"{draft.spelling.name}: its words have {length} letters"
            raise BadFileError("lists", f"{where}, those of the list {len(words[0])}")
    return _FaultFinder(draft, rules).result()


class _FaultFinder:
    def __init__(self, draft: Draft, rules: Rules) -> None:
        self._draft, self._rules = draft, rules
        self._grade = GRADERS[is_pegs(rules.game)]
        self._length = draft.spelling.length
        pairs = zip(draft.parent, draft.score, strict=True)
        branch = {pair: node for node, pair in enumerate(pairs) if node}
        games = play(draft.guess, branch, self._grade, rules.secrets)
        self._taken, self._solved_at, self._passed = games

    def result(self) -> CheckResult:
        """The games and all faults, one kind after the other."""
        faults = [*self._draft.faults, *self._words(), *self._ends(), *self._missing()]
        faults += self._unreached()
        if self._rules.hard:
            faults += self._forbidden()
        faults += self._beyond()
        found = in_order(faults)
        return CheckResult(self._taken, self._solved_at, len(self._rules.secrets), found)

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
                yield self._fault(FaultKind.NOT_ALLOWED, text, node)

    def _ends(self) -> Iterator[Fault]:
        """What the file says of the places where secrets are solved, compared with the games."""
        draft = self._draft
        secrets = set(self._rules.secrets)
        first: dict[str, int] = {}
        for node, line in sorted(draft.ends.items()):
            word = draft.guess[node]
            if word in first and word in secrets:
                where = f"; the first is in line {draft.line[first[word]]}" if line else ""
                yield Fault(
                    FaultKind.TWICE,
                    f"{word!r} is solved {self._after(node)} too{where}",
                    word,
                    line,
                )
            first.setdefault(word, node)
            if self._solved_at.get(word) == node:
                continue
            if word not in secrets and self._is_possible(node, word):
                text = f"{word!r} {self._after(node)} may not be hidden"
                yield Fault(FaultKind.NO_SECRET, text, word, line or None)
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
                yield Fault(FaultKind.WRONG_SCORE, text, word, self._draft.ends[node] or None)
                return

    def _missing(self) -> Iterator[Fault]:
        """Secrets without a game of their own."""
        for secret in self._rules.secrets:
            at = self._solved_at.get(secret)
            if secret in self._draft.named:
                continue
            if at is None:
                yield Fault(FaultKind.MISSING, f"no game comes to {secret!r}", secret)
            elif self._draft.says_all_ends:
                text = f"{secret!r} is guessed {self._after(at)}, and the file has no end there"
                yield Fault(FaultKind.MISSING, text, secret)

    def _unreached(self) -> Iterator[Fault]:
        """States that no secret comes to, the first of each branch, but for games named above."""
        draft = self._draft
        known = {0, *self._passed}
        for end in draft.ends:
            node = end
            while node not in known:
                known.add(node)
                node = draft.parent[node]
        for node, above in enumerate(draft.parent):
            if node not in known and above in known:
                text = f"{draft.guess[node]!r} {self._after(node)}: no secret comes there"
                yield self._fault(FaultKind.UNREACHED, text, node)

    def _forbidden(self) -> Iterator[Fault]:
        """Guesses that hard mode forbids: greens stay, what was revealed is used again."""
        draft = self._draft
        #: By node: for each place the guess that showed its green; for each letter how often.
        required: list[tuple[tuple[str, ...], dict[str, tuple[int, str]]]] = []
        for node, word in enumerate(draft.guess):
            above = draft.parent[node]
            if above < 0:
                required.append((("",) * self._length, {}))
                continue
            greens, shown = _more_required(required[above], draft.guess[above], draft.score[node])
            required.append((greens, shown))
            for place, guess in enumerate(greens):
                if guess and word[place] != guess[place]:
                    text = f"{word!r} {self._after(node)} moves the green of {guess!r}"
                    yield self._fault(FaultKind.HARD_MODE, text, node)
                    break
            else:
                for letter, (times, guess) in shown.items():
                    if word.count(letter) < times:
                        text = f"{word!r} {self._after(node)} drops {letter!r} of {guess!r}"
                        yield self._fault(FaultKind.HARD_MODE, text, node)
                        break

    def _beyond(self) -> Iterator[Fault]:
        """Secrets that take more guesses than were demanded."""
        limit = self._rules.within
        for secret, number in sorted(self._taken.items()):
            if limit is not None and number > limit:
                yield Fault(FaultKind.BEYOND, f"{secret!r} takes {number} guesses", secret)

    def _fault(self, kind: FaultKind, text: str, node: int) -> Fault:
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


def _more_required(
    required: tuple[tuple[str, ...], dict[str, tuple[int, str]]], guess: str, score: int
) -> tuple[tuple[str, ...], dict[str, tuple[int, str]]]:
    """What hard mode requires of the next word, after one more guess and its score."""
    greens, shown = list(required[0]), required[1]
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
