"""The trusted checker of strategies: plays every secret through a file, by letters alone.

The command ``referee``, which plays with other people's programs, is ``strategy.play.arena``.

It shares nothing with the solver. It reads the file, grades with its own few lines, and compares
what happens with what the file says. Checking a tree through the solver's matrix would certify the
matrix's own bugs. Standard library, msgpack and this project's file reader only.

A strategy of ours is refused with its first fault (``verify``); of one that others have made all
faults are found (``find_faults``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import ne
from typing import NamedTuple

from ..errors import BadFileError, WrongStrategyError
from ..files.draft import Draft, Fault, FaultKind, in_order
from ..files.strategy_file import DEEPEST
from ..files.text import is_pegs, printable, score_text
from ..tree import Strategy
from .grading import grade_pairs, grade_peg_pairs, grade_pegs, grade_wordle
from .lists import check_lists, check_words

#: The scores of many guesses, each against the secret beside it.
GradeAll = Callable[[Sequence[str], Sequence[str]], Iterable[int]]
#: Which rule grades: that of Wordle, or that of pegs; a guess, or many with a secret each.
GRADERS = {False: grade_wordle, True: grade_pegs}
PAIR_GRADERS: dict[bool, GradeAll] = {False: grade_pairs, True: grade_peg_pairs}
#: More guesses than any sane strategy takes: the checker must not trust the file for an end.
ENDLESS = 1000
#: Who graded the games of a verdict: the lines of this file, or the game, for want of such lines.
BY_REFEREE, OWN_GRADE = "the referee", "the game itself"


@dataclass(frozen=True, repr=False)
class Verdict:
    """What the games of a strategy came to: how many guesses each secret took."""

    taken: dict[str, int]
    #: Whether the lists are the shipped ones (or those given), or could not be compared.
    lists: str = "list not verified"
    #: Who graded: BY_REFEREE, or OWN_GRADE where only the game knows its rule.
    graded_by: str = BY_REFEREE

    def __repr__(self) -> str:
        figures = f"worst {self.worst}, total {self.total:,}" if self.taken else "nothing"
        return f"<Verdict: {len(self.taken):,} secrets played, {figures}, {self.lists}>"

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


class PlayedGames(NamedTuple):
    """What became of the games of some secrets that were played through a strategy."""

    #: Of each secret that was solved: in how many guesses, and at which node.
    taken: dict[str, int]
    ends: dict[str, int]
    #: The nodes that some game came to.
    passed: set[int]
    #: Of each secret that was not: the node where its game stopped, and the guesses made; one more
    #: than are allowed if the game could go on.
    stuck: dict[str, tuple[int, int]]


def play(
    words: Sequence[str],
    branch: Mapping[tuple[int, int], int],
    grade: GradeAll,
    secrets: Sequence[str],
    most: int,
) -> PlayedGames:
    """Play every secret through a strategy, all games in step, a guess of each at a time.

    ``words`` are the guesses by node, ``branch`` leads from a node and a score to the node below;
    no game goes on for more than ``most`` guesses.
    """
    taken: dict[str, int] = {}
    ends: dict[str, int] = {}
    passed: set[int] = set()
    stuck: dict[str, tuple[int, int]] = {}
    playing, nodes = list(secrets), [0] * len(secrets)
    for made in range(1, most + 1):
        passed.update(nodes)
        guesses = [words[node] for node in nodes]
        going = list(map(ne, guesses, playing))
        for secret, node, goes in zip(playing, nodes, going, strict=True):
            if not goes:
                taken[secret], ends[secret] = made, node
        playing, nodes = list(compress(playing, going)), list(compress(nodes, going))
        if not playing:
            break
        scores = grade(list(compress(guesses, going)), playing)
        there = list(map(branch.get, zip(nodes, scores, strict=True)))
        for secret, node, child in zip(playing, nodes, there, strict=True):
            if child is None:
                stuck[secret] = node, made
        playing = [
            secret for secret, child in zip(playing, there, strict=True) if child is not None
        ]
        nodes = [child for child in there if child is not None]
    for secret, node in zip(playing, nodes, strict=True):
        stuck[secret] = node, most + 1
    return PlayedGames(taken, ends, passed, stuck)


class Checker:
    """The trusted checker of one strategy: it plays games through it by letters alone."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self._grade = PAIR_GRADERS[is_pegs(strategy.origin.game)]
        self._guesses = [strategy.words[guess] for guess in strategy.guess]
        states = zip(strategy.parent[1:], strategy.score[1:], strict=True)
        self._branch = dict(zip(states, range(1, strategy.nodes), strict=True))

    def play_all(self, secrets: Sequence[str]) -> tuple[dict[str, int], set[int]]:
        """Guesses taken by each secret, and all the nodes that were passed through.

        Of games that come to no end, or to a wrong one, the first in the order of the secrets is
        named.
        """
        games = play(self._guesses, self._branch, self._grade, secrets, ENDLESS)
        for secret in secrets:
            if secret in games.stuck:
                node, made = games.stuck[secret]
                if made > ENDLESS:
                    raise WrongStrategyError(f"{secret!r} is not reached within {ENDLESS} guesses")
                raise WrongStrategyError(
                    f"{secret!r} is never reached: after {made} guesses, the last "
                    f"{self._guesses[node]!r}, the strategy has no branch for what it answers"
                )
        for secret in secrets:
            if not self.strategy.hit[games.ends[secret]]:
                raise WrongStrategyError(f"{secret!r} is solved where the file says it cannot be")
        return {secret: games.taken[secret] for secret in secrets}, games.passed


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
    check_second(strategy)
    if digest is not None and digest != strategy.digest:
        raise WrongStrategyError("the strategy is not the one that its digest names")
    return Verdict(taken, lists)


def conclude(strategy: Strategy, taken: dict[str, int], passed: set[int]) -> None:
    """Compare the games that were played with the columns of the strategy's file."""
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
    """Compare the guesses of a strategy with its head: start, pool, hard mode."""
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


def check_second(strategy: Strategy) -> None:
    """Compare what a strategy claims of a second objective with the guesses that its secrets take.

    That no other strategy does better is not shown by playing it.
    """
    claimed = strategy.origin.then
    kind, _, number = str(claimed.get("objective")).partition(":")
    guesses = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
    counts = strategy.histogram
    attained = {
        "worst": len(counts),
        "most-within": sum(counts[:guesses]),
        "fewest-of": counts[guesses - 1] if 1 <= guesses <= len(counts) else 0,
    }
    if kind in attained and claimed.get("value") != attained[kind]:
        raise WrongStrategyError(
            f"it claims {printable(claimed['objective'])} {printable(claimed.get('value'))}; "
            f"it has {attained[kind]:,}"
        )


def check_hard(word: str, history: Sequence[tuple[str, int]]) -> None:
    """Refuse a guess against hard mode: greens stay, letters are used as often as revealed."""
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


# --- all faults ---------------------------------------------------------------------------

#: So many steps of a state are said in a sentence.
_STEPS_SHOWN = 8


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
        grade = PAIR_GRADERS[is_pegs(rules.game)]
        games = play(draft.guess, branch, grade, rules.secrets, DEEPEST)
        self._taken, self._solved_at, self._passed = games.taken, games.ends, games.passed

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
