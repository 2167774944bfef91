"""The game: guesses, secrets and the grading rule, everything that defines the problem.

Searches see a game only through this class, and ``load`` alone knows which kinds there are. A new
rule of grading needs a subclass that grades one guess and reads and writes scores; what only some
games have (letters, hard mode, a code space with its symmetries) a game says of itself, and by
default it has none.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ..choices import GUESS_POOLS
from ..errors import WrongInputError
from ..shown import Described
from ..words import lists
from ..words.text import is_spelled, plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..machine.arrays import Ids
    from .codes import CodeSpace
    from .score_matrix import Scores

#: What may stand between the words and the scores of a state.
SEPARATORS = ".,:;/| \t\n"

#: Larger score matrices are refused instead of filling the machine's memory.
MOST_BYTES = 4 * 10**9
#: A history: guesses with the scores they got.
History = tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Game(Described, ABC):
    """A game to search: two sorted lists of words and a rule that grades one against the other."""

    list_name: str
    secrets_name: str
    guesses: tuple[str, ...] = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)

    #: What messages call a sign of a word, and what a guess gets as its reply.
    sign_noun: ClassVar[str] = "letter"
    reply_noun: ClassVar[str] = "score"

    def _line(self) -> str:
        words = f"{len(self.guesses):,} guesses, {len(self.secrets):,} secrets"
        return f"{self.spec}, {self.list_name}, {self.secrets_name}: {words}"

    # --- the rule -------------------------------------------------------------------------

    @property
    @abstractmethod
    def spec(self) -> str:
        """How ``--game`` and the strategy file name the rule: ``wordle``, ``mastermind:4x6``."""

    @property
    @abstractmethod
    def n_scores(self) -> int:
        """All scores are below this number."""

    @property
    @abstractmethod
    def solved(self) -> int:
        """The score of a guess that is the secret."""

    @abstractmethod
    def grade(self, guess: str, secret: str) -> int:
        """The score of one guess, by the readable rule."""

    @abstractmethod
    def parse_score(self, text: str) -> int:
        """Read one score; raise WrongInputError, or ValueError, with the reason if it is none."""

    @abstractmethod
    def format_score(self, score: int) -> str:
        """Write one score the way it is read back."""

    # --- what follows from it, one score after the other; shipped games know faster ways -----

    def score_rows(self, guess_ids: Ids | None = None, secret_ids: Ids | None = None) -> Scores:
        """Score the guesses (rows) against the secrets (columns), by position in the lists.

        ``None`` stands for all of them. The dtype is ``score_dtype``.
        """
        import numpy as np

        guesses = self.guesses if guess_ids is None else [self.guesses[at] for at in guess_ids]
        secrets = self.secrets if secret_ids is None else [self.secrets[at] for at in secret_ids]
        rows = np.empty((len(guesses), len(secrets)), dtype=self.score_dtype)
        for row, guess in zip(rows, guesses, strict=True):
            row[:] = [self.grade(guess, secret) for secret in secrets]
        return rows

    def all_scores(self, guess_ids: Ids | None = None) -> Scores:
        """The score matrix, for a search that joins any two rows of it; a huge one is refused.

        Of some of the guesses, or (None) of all.
        """
        from ..memory_limits import matrix_bytes, require_room

        count = len(self.guesses) if guess_ids is None else len(guess_ids)
        size = matrix_bytes(self, guesses=count)
        if size > MOST_BYTES:
            raise WrongInputError(
                f"the scores of {count:,} guesses against {len(self.secrets):,} secrets "
                f"take {size / 1e9:,.0f} GB of memory; the limit is {MOST_BYTES / 1e9:.0f} GB"
            )
        require_room(size, f"joining the scores of {count:,} guesses")
        return self.score_rows(guess_ids)

    def _score_texts(self, text: str, start: int) -> list[int]:
        """Where scores that begin at ``start`` of a state can end."""
        return [end for end in range(start + 1, len(text) + 1) if self._is_score(text[start:end])]

    def _is_score(self, text: str) -> bool:
        if text != text.strip(SEPARATORS):
            return False
        try:
            self.parse_score(text)
        except (WrongInputError, ValueError):
            return False
        return True

    # --- what only some games have -----------------------------------------------------------

    @property
    def letters(self) -> NDArray[np.uint8] | None:
        """The guesses as numbers of letters, a row each; None if the scores colour no letters."""
        return None

    @property
    def alphabet(self) -> str:
        """The letters by their numbers, up to 64; none if the scores colour no letters."""
        return ""

    @property
    def has_hard_mode(self) -> bool:
        """Whether the game has the rule that revealed letters must be used."""
        return False

    @property
    def code_space(self) -> CodeSpace | None:
        """All codes of a Mastermind board, if this game has them all: it then needs no matrix."""
        return None

    def worth_trying(self, candidates: Ids) -> Ids:
        """The guesses worth trying in a state, ascending; all, unless the game knows better.

        What is left out splits the candidates like a lower guess that is not.
        """
        import numpy as np

        return np.arange(len(self.guesses), dtype=np.int32)

    # --- what follows from the rule ----------------------------------------------------------

    def row_source(self, guess_ids: Ids | None = None) -> Callable[[Ids], Scores]:
        """Scores secret-major, ``rows[secret, guess]``, for some secrets at a time.

        Against all guesses or those given. The next call may write over them.
        """
        from .score_matrix import transposed

        return lambda secret_ids: transposed(self.score_rows(guess_ids, secret_ids))

    @property
    def length(self) -> int:
        """Letters in a word, holes in a code."""
        return len(self.guesses[0])

    @property
    def score_dtype(self) -> Any:
        """The smallest unsigned dtype that holds every score."""
        import numpy as np

        return np.min_scalar_type(self.n_scores - 1)

    @cached_property
    def _guess_index(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.guesses)}

    @cached_property
    def secret_ids(self) -> Ids:
        """The position of each secret among the guesses."""
        import numpy as np

        return np.array([self._guess_index[word] for word in self.secrets], dtype=np.int32)

    @cached_property
    def guesses_digest(self) -> str:
        """Digest of the guesses, as files and reports quote it."""
        return lists.words_digest(self.guesses)

    @cached_property
    def secrets_digest(self) -> str:
        """Digest of the secrets."""
        return lists.words_digest(self.secrets)

    def guess_id(self, word: str) -> int:
        """The position of a guess; an unknown word is refused with the nearest ones."""
        spelled = plain(word)
        try:
            return self._guess_index[spelled]
        except KeyError:
            hint = self.did_you_mean(spelled)
            raise WrongInputError(
                f"{word!r} is not among the {len(self.guesses):,} guesses of {self.list_name}{hint}"
            ) from None

    def did_you_mean(self, word: str) -> str:
        """The guesses that are like a word that is none, secrets first, as a question."""
        return lists.did_you_mean(word, self.guesses, likely=self.secrets)

    # --- states ---------------------------------------------------------------------------

    def parse_state(self, text: str) -> History:
        """Read a history such as ``parse.bybbb.clint.bbyyb`` or ``sigma xxxxx tenor xpppx``."""
        steps = self.read_state(text)
        return tuple((self.guesses[self.guess_id(word)], score) for word, score in steps)

    def read_state(self, text: str) -> History:
        """Read a history whose words need not be guesses of this game.

        Words and scores are read by their fixed widths, since a dot may separate them and may
        also be a grey mark: one separator after every word if that makes sense of the whole text,
        else none, else any number of them. Where a dot counts as a mark only because the score is
        one too short without it, the state is refused with both readings.
        """
        text = plain(text.strip()).replace("\ufe0f", "")
        doubts: list[tuple[int, int]] = []
        for doubtful in (False, True):
            for separators in ("one", "none", "any"):
                steps = self._read_steps(text, separators, doubts if doubtful else None)
                if steps is not None and doubtful:
                    raise WrongInputError(f"{text!r}: {self._two_readings(text, doubts)}")
                if steps is not None:
                    return steps
        raise WrongInputError(self._why_unreadable(text))

    def format_state(self, history: Sequence[tuple[str, int]]) -> str:
        """Write a history the way ``parse_state`` reads it."""
        return ".".join(f"{word}.{self.format_score(score)}" for word, score in history)

    def _read_steps(
        self, text: str, separators: str, doubts: list[tuple[int, int]] | None
    ) -> History | None:
        """The steps of a whole state with so many separators after each word, or None.

        With a list for ``doubts`` doubtful scores count too, and the list gets their places.
        """
        readings: dict[int, tuple[str, int, int]] = {}
        ends = set(range(len(text.rstrip(SEPARATORS)), len(text) + 1))
        for at in range(len(text) - 1, -1, -1):
            self._read_step(text, at, separators, ends, readings, doubts is not None)
        at = 0
        steps = []
        while at in readings:
            word, begin, at = readings[at]
            steps.append((word, self.parse_score(text[begin:at])))
            if doubts is not None and self._is_doubtful(text, begin, at):
                doubts.append((begin, at))
        return tuple(steps) if at in ends else None

    def _read_step(
        self,
        text: str,
        at: int,
        separators: str,
        ends: set[int],
        readings: dict[int, tuple[str, int, int]],
        doubtful: bool,
    ) -> None:
        """Note how ``text[at:]`` can begin with a step, if what follows the step can be read.

        A note is the word, and where its score begins and ends.
        """
        if text[at] in SEPARATORS:  # the step begins behind them: what was found there holds here
            if at + 1 in readings:
                readings[at] = readings[at + 1]
            return
        start = _after_separators(text, at)[-1]
        word = text[start : start + self.length]
        if len(word) < self.length or not is_spelled(word):
            return
        places = _after_separators(text, start + self.length)
        one, none = places[1:2], places[:1]
        begins = {"one": one, "none": none, "any": [*one, *none, *places[2:]]}[separators]
        for begin in begins:
            for end in self._score_texts(text, begin):
                clear = doubtful or not self._is_doubtful(text, begin, end)
                if clear and (end in ends or end in readings):
                    readings[at] = (word, begin, end)
                    return

    def _is_doubtful(self, text: str, begin: int, end: int) -> bool:
        """Whether a mark at the edge of a score in a state is as likely to be a separator."""
        return False

    def _two_readings(self, text: str, doubts: Sequence[tuple[int, int]]) -> str:
        """Both readings of the first doubtful score, for the error message."""
        begin, end = doubts[0]
        marks, word = text[begin:end], text[:begin].rstrip(SEPARATORS)[-self.length :]
        edge = marks[0] if marks[0] in "._-" else marks[-1]
        whole = self.format_score(self.parse_score(marks))
        return (
            f"{marks!r} after {word!r} has two meanings: {edge!r} is a separator and one mark is "
            f"missing, or {edge!r} is a grey letter; write all {self.length} marks, or "
            f"{word}.{whole} if {edge!r} is grey"
        )

    def _why_unreadable(self, text: str) -> str:
        """The first thing in a state that makes no sense, for the error message."""
        tokens = [token for token in re.split(r"[\s.]+", text) if token]
        for place, token in enumerate(tokens):
            if place % 2 == 0:
                if len(token) != self.length:
                    signs = self.sign_noun + ("" if len(token) == 1 else "s")
                    return f"{token!r} has {len(token)} {signs}; need {self.length}"
                if place + 1 == len(tokens):
                    example = self.format_score(min(3, self.n_scores - 1))
                    return f"{token!r}: add its {self.reply_noun}, e.g. {token} {example}"
            else:
                try:
                    self.parse_score(token)
                except (WrongInputError, ValueError) as error:
                    return f"{text!r}: {error}"
        return f"{text!r} must be guesses, each followed by its {self.reply_noun}"


def require_pool(guess_from: str) -> None:
    """Refuse a name of a pool of guesses that does not exist."""
    if guess_from not in GUESS_POOLS:
        raise WrongInputError(
            f"--guess-from is one of {', '.join(GUESS_POOLS)}, not {guess_from!r}"
        )


def refuse_other_rule(kind: type[Game], known: type[Game]) -> None:
    """Refuse a kind of game that grades otherwise than the one it is made from.

    Searches measure the letters or the pegs of the games they know, and never ask for the grade.
    """
    if kind.grade is not known.grade or kind.score_rows is not known.score_rows:
        raise TypeError(
            f"{kind.__name__} must not change the grading of {known.__name__}, which the searches "
            "rely on: derive it from Game, with a spec of its own"
        )


def _after_separators(text: str, at: int) -> list[int]:
    """``at`` itself and every position that is reached by skipping separators from it."""
    places = [at]
    while places[-1] < len(text) and text[places[-1]] in SEPARATORS:
        places.append(places[-1] + 1)
    return places
