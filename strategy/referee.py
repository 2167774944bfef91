"""The trusted checker: plays every secret through a strategy file, by letters alone.

It shares nothing with the solver. It reads the file, grades with its own few lines, and compares
what happens with what the file says. Checking a tree through the solver's matrix would certify the
matrix's own bugs. Standard library, msgpack and this project's file reader only.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, permutations, product
from math import perm
from operator import ne
from pathlib import Path

from .checkers.grading import grade_pairs, grade_peg_pairs, grade_pegs, grade_wordle
from .errors import BadFileError, WrongStrategyError
from .files.kept_lists import kept_list
from .files.letters import MOST_LETTERS, is_letter, is_word, plain
from .files.names import is_name, quoted
from .files.notation import is_pegs
from .files.strategy_file import LONGEST_WORD, MOST_WORDS
from .tree import Strategy

#: The scores of many guesses, each against the secret beside it.
_GradeAll = Callable[[Sequence[str], Sequence[str]], Iterable[int]]
#: More guesses than any sane strategy takes: the checker must not trust the file for an end.
ENDLESS = 1000
#: Letters of a word in Wordle; of codes the readers of files ask for no more than LONGEST_WORD.
SHORTEST, LONGEST = 2, 11
_LARGEST_LIST = 1 << 26
_CODE = re.compile(f"[a-z0-9]{{1,{LONGEST_WORD}}}")
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
    """Hold the guesses of a strategy to what its head says: start, pool, hard mode."""
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


def check_lists(
    strategy: Strategy, guesses: Sequence[str] | None, secrets: Sequence[str] | None
) -> str:
    """Compare the words of a strategy with the lists it names and with those given.

    What they were compared with is returned, for people.
    """
    origin = strategy.origin
    if words_digest(strategy.secrets) != origin.secrets_digest:
        raise WrongStrategyError("its secrets are not the list that its head names")
    seen = []
    if is_pegs(origin.game):
        codes = board_codes(origin.game, origin.secrets)
        if _agree(strategy, codes, codes):
            seen.append(f"all codes of {origin.game}")
    else:
        allowed = shipped(origin.list_name, "allowed")
        same = origin.secrets_name == "allowed"
        part = allowed if same else shipped(origin.list_name, origin.secrets_name)
        if _agree(strategy, allowed, part):
            seen.append(f"list {origin.list_name} as shipped")
        elif _agree(strategy, *_kept_lists(strategy)):
            seen.append(f"list {origin.list_name} as kept here")
    if _agree(strategy, guesses, secrets):
        seen.append("lists as given")
    return ", ".join(seen) or "list not verified"


def _kept_lists(strategy: Strategy) -> tuple[list[str] | None, list[str] | None]:
    """The lists that are kept under the names of a strategy's, if they are the same ones."""
    origin = strategy.origin
    guesses = kept_list(origin.list_name, "allowed", origin.guesses_digest)
    if origin.secrets_name == "allowed":
        return guesses, guesses
    return guesses, kept_list(origin.list_name, origin.secrets_name, origin.secrets_digest)


def board_codes(game: str, count: int) -> list[str]:
    """All codes of a Mastermind board, in order, by the trusted referee's own code.

    ``count`` is how many the file says there are, and bounds the work on a file that lies.
    """
    _, board, *rest = game.split(":")
    holes, colours = map(int, board.split("x"))
    digits = "123456789" if colours <= 9 else "0123456789abcdefghijklmnopqrstuvwxyz"
    if count != (perm(colours, holes) if rest else colours**holes):
        raise WrongStrategyError(f"{game} does not have {count:,} codes")
    pegs = digits[:colours]
    codes = permutations(pegs, holes) if rest else product(pegs, repeat=holes)
    return ["".join(code) for code in codes]


def _agree(
    strategy: Strategy, guesses: Sequence[str] | None, secrets: Sequence[str] | None
) -> bool:
    """Whether both lists were there to compare; raise WrongStrategyError if one differs."""
    origin = strategy.origin
    if guesses is not None:
        _compare("guesses", guesses, origin.guesses, origin.guesses_digest)
        unknown = sorted(set(strategy.words) - set(guesses))
        if unknown:
            raise WrongStrategyError(f"{unknown[0]!r} is no guess of the list {origin.list_name}")
    if secrets is not None:
        _compare("secrets", secrets, origin.secrets, origin.secrets_digest)
    return guesses is not None and secrets is not None


def _compare(what: str, words: Sequence[str], count: int, digest: str) -> None:
    if len(words) != count or words_digest(sorted(words)) != digest:
        raise WrongStrategyError(
            f"it is for another list: {count:,} {what} with digest {digest[:12]}, "
            f"not these {len(words):,} with {words_digest(sorted(words))[:12]}"
        )


def words_digest(words: Iterable[str]) -> str:
    """The digest of a word list, as the files hold it, by the trusted referee's own code."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def shipped(list_name: str, part: str) -> list[str] | None:
    """The words of a shipped list as the trusted referee reads them; None if there is none."""
    root = Path(__file__).resolve().parent.parent
    if part not in ("allowed", "answers") or not is_name(list_name):
        return None
    for folder in (root / "solver" / "_data" / "words", root / "data" / "words"):
        path = folder / f"{list_name}-{part}.txt"
        if path.is_file():
            return read_list(str(path))
    return None


def check_words(words: Iterable[object], game: str = "wordle") -> None:
    """Refuse, as the trusted referee, words that no game is played with.

    Wordle: 2 to 11 letters or digits of any script, not too many different ones. Mastermind: the
    pegs 0-9 and a-z. All of one length.
    """
    given = tuple(words)
    plain = [word for word in given if isinstance(word, str)]
    pegs, kind = is_pegs(game), game.partition(":")[0]
    if pegs or len(plain) < len(given) or not _are_latin(plain):
        is_fit = _is_code if pegs else _is_word
        for word in given:
            if not isinstance(word, str) or not is_fit(word):
                raise BadFileError("lists", f"{quoted(word)} is no word of {kind}")
            if len(word) != len(plain[0]):
                reason = f"{word!r} is not as long as the words before it: {len(plain[0])}"
                raise BadFileError("lists", reason)
    letters = set("".join(plain))
    if len(letters) > MOST_LETTERS:
        raise BadFileError(
            "lists", f"its words have {len(letters)} different letters, more than {MOST_LETTERS}"
        )


def _are_latin(words: Sequence[str]) -> bool:
    """Whether all are words of a-z, of one length: most are, and it is seen at once."""
    text, lengths = "".join(words), set(map(len, words))
    fit = len(lengths) == 1 and SHORTEST <= min(lengths) <= LONGEST
    return fit and text.isascii() and text.isalpha() and text == text.lower()


def _is_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None


def _is_word(text: str) -> bool:
    return SHORTEST <= len(text) <= LONGEST and is_word(text)


def read_list(path: str) -> list[str]:
    """The words of a file with a word a line, sorted, each once, as the referee reads it.

    Whatever is no word is refused with its line; codes of Mastermind pass as well.
    """
    try:
        with Path(path).open("rb") as source:
            content = source.read(_LARGEST_LIST + 1)
    except OSError as error:
        raise BadFileError("unreadable", f"{path}: {error.strerror or error}") from None
    if len(content) > _LARGEST_LIST:
        raise BadFileError("lists", f"{path}: more than {_LARGEST_LIST:,} bytes is no word list")
    return sorted(_plain_words(content) or _read_lines(content, path))


def _read_lines(content: bytes, path: str) -> set[str]:
    words: set[str] = set()
    for number, line in enumerate(_lines_of(content, path), 1):
        text = line.partition("#")[0].strip()
        word = plain(text)
        if not word:
            continue
        if not all(map(is_letter, word)) or len(word) > LONGEST_WORD:
            raise BadFileError("lists", f"{path}:{number}: {quoted(text)} is no word")
        if words and len(word) != len(next(iter(words))):
            raise BadFileError("lists", f"{path}:{number}: {word!r} is not as long as the others")
        words.add(word)
        if len(words) > MOST_WORDS:
            raise BadFileError("lists", f"{path}: more than {MOST_WORDS:,} words")
    return words


def _plain_words(content: bytes) -> set[str]:
    """The words of a list with nothing but words in it, a line each; none if there is more."""
    text = content.decode("utf-8", "replace")
    lines = text.removesuffix("\n").split("\n")
    fit = len(lines[0]) <= LONGEST_WORD and set(map(len, lines)) == {len(lines[0])}
    return set(lines) if fit and len(lines) <= MOST_WORDS and is_word("".join(lines)) else set()


def _lines_of(content: bytes, path: str) -> Iterator[str]:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reason = f"{path}:{line}: not a text file (byte {error.start} is not UTF-8)"
        raise BadFileError("unreadable", reason) from None
    return io.TextIOWrapper(io.BytesIO(content), "utf-8-sig")
