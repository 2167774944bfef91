"""Loads a game by its name: the one place that knows which kinds of game there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import WrongInputError
from ..words import lists
from .game import Game
from .wordle import WordleGame


def load_game(
    guesses: lists.Source = lists.DEFAULT_LIST,
    secrets: lists.Source = "answers",
    spec: str = "wordle",
    remark: lists.Remark = lists.ignore_remarks,
    used: lists.Source | None = None,
) -> Game:
    """The game that somebody names: its guesses, its secrets, its rule of grading.

    Args:
        guesses: A shipped list (``original``, ``nyt-2022``, ``nyt-2023``; without a name the first,
            to which published figures belong, while commands that advise a player take the last:
            for advice on today's puzzle name it), one that is kept
            (``knuthle lists add``), a file with a word a line, or the words themselves.
        secrets: ``answers`` (of a list that has a name; else as ``allowed``), ``allowed`` (any
            guess), a file or words.
        spec: ``wordle``, or a Mastermind board such as ``mastermind:4x6`` or
            ``mastermind:4x10:distinct``, played with all its codes.
        remark: Is called with a sentence on words that a list has more than once, and on what is
            ``used``.
        used: Past answers that will not come again: a file, a list that is kept, or the words.
            They may be guessed, but are no secrets.

    Returns:
        The game, which all other functions take.

    Raises:
        WrongInputError: There is no such list, game or file; a word is none, or a secret is no
            guess.

    >>> from strategy import load_game
    >>> game = load_game(["crane", "slate", "abide"], secrets=["slate"])
    >>> game.guesses, game.secrets
    (('abide', 'crane', 'slate'), ('slate',))
    >>> game.format_score(game.grade("crane", "slate"))
    'bbgbg'
    """
    if is_mastermind(spec):
        from .mastermind import mastermind_game

        if guesses not in lists.NAMED_LISTS or secrets not in ("allowed", "answers"):
            raise WrongInputError(f"{spec} is played with all its codes, not with a word list")
        if used is not None:
            raise WrongInputError(f"used answers are words; {spec} has none")
        return mastermind_game(spec)
    short, allowed, hidden = lists.load_lists(guesses, secrets, remark)
    game = WordleGame(short, hidden.name, allowed.words, hidden.words)
    return game if used is None else _without_used(game, used, remark)


def _without_used(game: WordleGame, used: lists.Source, remark: lists.Remark) -> WordleGame:
    """The game without the secrets that were used; words that it does not have are remarked on."""
    gone = lists.load_words(used, remark)
    where = f"used answers {gone.name}"
    if gone.length != game.length:
        raise WrongInputError(
            f"{where}: its words have {gone.length} letters, those of list {game.list_name} "
            f"{game.length}"
        )
    dropped, known = {*gone.words}, {*game.guesses}
    left = tuple(word for word in game.secrets if word not in dropped)
    if not left:
        raise WrongInputError(f"{where}: no possible answer is left, all are used")
    strange = [word for word in gone.words if word not in known]
    if strange:
        hint = lists.did_you_mean(strange[0], game.guesses)
        more = f" and {len(strange) - 1:,} more" if len(strange) > 1 else ""
        remark(f"{where}: not on list {game.list_name}: {strange[0]}{more}{hint}")
    n_gone = len(game.secrets) - len(left)
    remark(f"{where}: {n_gone:,} of {len(game.secrets):,} {game.secrets_name} will not come again")
    return replace(game, secrets=left, secrets_name=f"unused {game.secrets_name}")


def game_of_words(spec: str, guesses: Sequence[str]) -> Game:
    """Load a game over just these words: enough to grade, and to read and write states."""
    if is_mastermind(spec):
        from .mastermind import MastermindGame, parse_board

        return MastermindGame("words", "words", tuple(guesses), tuple(guesses), parse_board(spec))
    return WordleGame("words", "words", tuple(guesses), tuple(guesses))


def is_mastermind(spec: str) -> bool:
    """Whether a spec means Mastermind or Wordle; any other is refused."""
    kind = spec.strip().lower().partition(":")[0]
    if kind not in ("wordle", "mastermind") or (kind == "wordle" and kind != spec):
        raise WrongInputError(f"unknown game {spec!r}; known: wordle, mastermind:HxC[:distinct]")
    return kind == "mastermind"
