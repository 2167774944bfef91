"""The game that somebody names: the one place that knows which kinds of game there are."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import WrongInputError
from . import words
from .game import Game
from .wordle import WordleGame


def load_game(
    list_name: str = words.DEFAULT_LIST, secrets: str = "answers", spec: str = "wordle"
) -> Game:
    """The game that ``--list``, ``--secrets`` and ``--game`` ask for."""
    if is_mastermind(spec):
        from .mastermind import mastermind_game

        if list_name not in words.NAMED_LISTS or secrets not in ("allowed", "answers"):
            raise WrongInputError(f"{spec} is played with all its codes, not with a word list")
        return mastermind_game(spec)
    short, guesses, hidden = words.load_lists(list_name, secrets)
    return WordleGame(short, hidden.name, guesses.words, hidden.words)


def game_of_words(spec: str, guesses: Sequence[str]) -> Game:
    """A game over just these words: enough to grade, and to read and write states."""
    if is_mastermind(spec):
        from .mastermind import MastermindGame, parse_board

        return MastermindGame("words", "words", tuple(guesses), tuple(guesses), parse_board(spec))
    return WordleGame("words", "words", tuple(guesses), tuple(guesses))


def is_mastermind(spec: str) -> bool:
    """Which of the two kinds of game a spec asks for; what is neither is refused."""
    kind = spec.strip().lower().partition(":")[0]
    if kind not in ("wordle", "mastermind") or (kind == "wordle" and kind != spec):
        raise WrongInputError(f"unknown game {spec!r}; known: wordle, mastermind:HxC[:distinct]")
    return kind == "mastermind"
