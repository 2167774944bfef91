"""The helper beside a real game, without input or output: told guesses and colours, it proposes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from solver.errors import WrongInputError
from solver.game.words import did_you_mean, read_words

from ..files.letters import plain
from ..files.names import quoted
from ..files.notation import is_pegs
from .boards import Lexicon, Position, Turn
from .proposals import Choice, NextWord, Proposals, legal_pool, next_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.game.game import Game

    from ..tree import Strategy

#: What proposes a word that stands in a strategy file.
BY_STRATEGY = "strategy"


@dataclass(frozen=True)
class Proposal:
    """The word to guess next, and what speaks for it."""

    word: str
    #: ``strategy``, ``guesses`` (exact figures) or the measure.
    by: str
    #: In bits, summed over the open boards; None: a strategy proposes it.
    entropy: float | None
    #: Whether it may be the secret of an open board.
    candidate: bool
    #: Guesses still to be made, this one included, on average, exactly; None: not known.
    mean: float | None


class Helper:
    """What is known in a game that is played elsewhere, and what to guess in it.

    >>> from strategy import load_game
    >>> from strategy.play.helper import Helper
    >>> helper = Helper(load_game(["abide", "crane", "raise", "slate", "stare"]))
    >>> helper.tell("abide", "ybbbg")
    >>> helper.remaining()
    [('crane', 'slate', 'stare')]
    >>> helper.proposal().word, helper.state
    ('crane', 'abide.ybbbg')
    """

    def __init__(
        self,
        game: Game,
        choice: Choice | None = None,
        *,
        boards: int = 1,
        strategy: Strategy | None = None,
        excluded: Iterable[str] = (),
        weights: NDArray[np.float64] | None = None,
        allow_unknown: bool = False,
    ) -> None:
        """Begin a game on so many boards, which share their guesses.

        A ``strategy`` proposes as long as the game goes its way. ``excluded`` secrets count as
        hidden already; ``weights`` say how likely each secret of the game is. With
        ``allow_unknown`` a word that is no guess of the game may be guessed all the same.
        """
        self.game = game
        self.choice = choice or Choice()
        self.allow_unknown = allow_unknown
        self._strategy = strategy
        start = Position.start(Lexicon.of(game, excluded, weights), boards)
        self.choice.check(start.lexicon, boards)
        if not start.lexicon.likely.any():
            raise WrongInputError("no secret is left: all of them are excluded")
        if strategy is not None:
            _check_fits(strategy, game, boards)
        self._positions = [start]
        self._known: dict[tuple[int, int | None], Proposals] = {}

    # --- what is known --------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """What is known of the boards now."""
        return self._positions[-1]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The guesses told so far, with their scores on the boards that were open."""
        return self.position.turns

    def earlier(self, count: int) -> Position:
        """The position after so many of the turns."""
        return self._positions[count]

    @property
    def state(self) -> str:
        """All turns on one line, as ``tell_state`` reads it."""
        score = self.game.format_score
        return ".".join(".".join([word, *map(score, scores)]) for word, scores in self.turns)

    def remaining(self) -> list[tuple[str, ...]]:
        """For each board the secrets that are looked at, in alphabetical order."""
        secrets = self.position.lexicon.game.secrets
        return [
            tuple(secrets[at] for at in board.left) if board.solved is None else (board.solved,)
            for board in self.position.boards
        ]

    # --- what is told ---------------------------------------------------------------------

    def check_word(self, word: str) -> str:
        """The word to be guessed, as the list spells it; one that cannot be is refused."""
        position, lexicon = self.position, self.position.lexicon
        spelled = plain(word.strip())
        if spelled not in lexicon.strange:
            try:
                spelled = self.game.guesses[self.game.guess_id(spelled)]
            except WrongInputError as error:
                if self._may_be_strange(spelled):
                    return spelled
                hint = "" if is_pegs(self.game.spec) else "; --allow-unknown takes it all the same"
                raise WrongInputError(f"{error}{hint}") from None
        if self.choice.hard:
            guess = lexicon.game.guess_id(spelled)
            if guess not in legal_pool(position, replace(self.choice, guess_from="allowed")):
                raise WrongInputError(
                    f"hard mode forbids {spelled!r} after {self.state}; "
                    "undo takes a turn back, without --hard it is allowed"
                )
        return spelled

    def is_strange(self, word: str) -> bool:
        """Whether a word is strange: no guess of the game."""
        return word not in self.game.guesses

    def neighbours(self, word: str) -> str:
        """What may have been meant by a strange word, for a message; or nothing."""
        return did_you_mean(word, self.game.guesses)

    def tell(self, word: str, *scores: str | int) -> None:
        """Tell the helper a guess that was made, with its score on each open board.

        A score is text or its integer. Clues that no word fits raise WrongInputError, which names
        them; nothing is changed then.
        """
        spelled = self.check_word(word)
        if self.position.solved:
            raise WrongInputError("the game is over; undo takes a turn back")
        given = [self.game.parse_score(x) if isinstance(x, str) else x for x in scores]
        position = self.position
        lexicon = position.lexicon
        if self.is_strange(spelled) and spelled not in lexicon.strange:
            position = replace(position, lexicon=lexicon.with_word(spelled))
        self._positions.append(position.after(spelled, given))

    def tell_state(self, text: str) -> None:
        """Tell the helper all turns of a state such as ``crane.bybbb.sloth.bbbbb``, or none.

        With several boards each guess is followed by its scores on the boards that were open.
        """
        before = len(self._positions)
        try:
            for word, scores in self._read(text):
                self.tell(word, *scores)
        except WrongInputError:
            del self._positions[before:]
            self._forget(before)
            raise

    def undo(self, count: int = 1) -> tuple[Turn, ...]:
        """Take back the last turns, as many as there are; returns these turns."""
        kept = max(1, len(self._positions) - count)
        taken = self.turns[kept - 1 :]
        del self._positions[kept:]
        self._forget(kept)
        return taken

    # --- what to guess --------------------------------------------------------------------

    def proposal(self) -> Proposal:
        """The word to guess next; a game that is over has none (WrongInputError)."""
        word = self._by_strategy()
        if word is not None:
            among = any(word in words for words in self.remaining())
            return Proposal(word, BY_STRATEGY, None, among, None)
        found = self.proposals(1)
        if not found.words:
            raise WrongInputError("no word may be guessed")
        best = found.words[0]
        return Proposal(best.word, found.by, best.entropy, best.candidate, best.mean)

    def proposals(self, top: int | None = 10) -> Proposals:
        """The words that may be guessed next, best first, with their expected guesses."""
        if self.position.solved:
            raise WrongInputError("the game is over; undo takes a turn back")
        key = (len(self._positions), top)
        if key not in self._known:
            self._known[key] = next_words(self.position, self.choice, top)
        return self._known[key]

    def rated(self, word: str) -> NextWord:
        """One word rated as the next guess, with its rank among all by the measure."""
        spelled = self.check_word(word)
        found = next_words(self.position, self.choice, named=spelled)
        if not found.words:
            raise WrongInputError(f"{spelled!r} is not among the words that may be guessed now")
        return found.words[0]

    @property
    def has_strategy(self) -> bool:
        """Whether the helper proposes by a strategy that was given."""
        return self._strategy is not None

    def _by_strategy(self) -> str | None:
        """The word of the strategy, if the game has gone its way and the word may be guessed."""
        if self._strategy is None or self.position.solved:
            return None
        word = self._strategy.get([(word, scores[0]) for word, scores in self.turns])
        try:
            return word and self.check_word(word)
        except WrongInputError:
            return None

    def _forget(self, kept: int) -> None:
        self._known = {key: known for key, known in self._known.items() if key[0] <= kept}

    def _may_be_strange(self, word: str) -> bool:
        if not self.allow_unknown or is_pegs(self.game.spec):
            return False
        return len(word) == self.game.length and set(self.game.alphabet).issuperset(word)

    def _read(self, text: str) -> list[tuple[str, list[int]]]:
        """The turns of a text: each word with as many scores as boards are open then."""
        if len(self.position.boards) == 1:
            return [(word, [score]) for word, score in self.game.read_state(text)]
        tokens = tokens_of(self.game, text)
        turns, n_open = [], len(self.position.open)
        while tokens:
            if not n_open:
                raise WrongInputError(
                    f"the state goes on after the last board: {quoted(tokens[0])}"
                )
            word, marks, tokens = tokens[0], tokens[1 : n_open + 1], tokens[n_open + 1 :]
            if len(marks) < n_open:
                raise WrongInputError(
                    f"{quoted(word)} has {len(marks)} scores; {n_open} boards are open"
                )
            scores = [self.game.parse_score(mark) for mark in marks]
            n_open -= scores.count(self.game.solved)
            turns.append((word, scores))
        return turns


def tokens_of(game: Game, text: str) -> list[str]:
    """The words and scores in a line that a player typed to the helper, one by one.

    They are parted by spaces, or where there are none, by dots and such.
    """
    parts = text.split()
    if len(parts) > 1:
        return parts
    return [
        part for part in re.split(r"[./|]" if is_pegs(game.spec) else r"[.,:;/|]", text) if part
    ]


def read_excluded(path: str, game: Game) -> frozenset[str]:
    """For who plays: the words of a file that were secrets already, each a word of the game."""
    words = read_words(path).words
    for word in words:
        game.guess_id(word)
    return frozenset(words)


def _check_fits(strategy: Strategy, game: Game, boards: int) -> None:
    """Refuse a strategy that is not for this game."""
    if boards > 1:
        raise WrongInputError("a strategy file plays one board, not several")
    if strategy.origin.game != game.spec or not set(strategy.words) <= set(game.guesses):
        raise WrongInputError(
            f"the strategy is for {strategy.origin.game} with the list "
            f"{strategy.origin.list_name} ({strategy.origin.guesses:,} guesses), "
            f"not for {game.spec} with {game.list_name} ({len(game.guesses):,}); "
            "--list, --secrets and --game say which"
        )
