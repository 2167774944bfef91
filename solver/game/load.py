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
        guesses: A shipped list (``original``, ``nyt-2022``, ``nyt-2023``, ``nyt-2026``;
            without a name the first, to which published figures belong, while commands that advise
            a player take the last: for advice on today's puzzle name it), one that is kept
            (``knuthle lists add``), a file with a word a line, or the words themselves.
        secrets: ``answers`` (of a list that has a name; else as ``allowed``), ``allowed`` (any
            guess), a file or words.
        spec: ``wordle``, or a Mastermind board such as ``mastermind:4x6`` or
            ``mastermind:4x10:distinct``, played with all its codes.
        remark: Is called with a sentence on words that a list has more than once, and on what is
            ``used``.
        used: Past answers that do not come again: a file, a list that is kept, or the words.
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
        game: Game = mastermind_game(spec)
    else:
        short, allowed, hidden = lists.load_lists(guesses, secrets, remark)
        game = WordleGame(short, hidden.name, allowed.words, hidden.words)
    return game if used is None else without_used(game, used, remark)


def used_words(
    game: Game, used: lists.Source | lists.WordList, remark: lists.Remark
) -> lists.WordList:
    """Past answers for a game; words that it does not have are remarked on."""
    if is_mastermind(game.spec):
        raise WrongInputError(f"used answers are words; {game.spec} has none")
    past = used if isinstance(used, lists.WordList) else lists.load_words(used, remark)
    where = f"used answers {past.name}"
    if past.length != game.length:
        raise WrongInputError(
            f"{where}: its words have {past.length} letters, those of list {game.list_name} "
            f"{game.length}"
        )
    known = {*game.guesses}
    strange = [word for word in past.words if word not in known]
    if strange:
        hint = game.did_you_mean(strange[0])
        more = f" and {len(strange) - 1:,} more" if len(strange) > 1 else ""
        remark(f"{where}: not on list {game.list_name}: {strange[0]}{more}{hint}")
    return past


def without_used(
    game: Game, used: lists.Source | lists.WordList, remark: lists.Remark = lists.ignore_remarks
) -> Game:
    """The game without the secrets that were used."""
    gone = used_words(game, used, remark)
    dropped = {*gone.words}
    left = tuple(word for word in game.secrets if word not in dropped)
    if not left:
        raise WrongInputError(f"used answers {gone.name}: no possible answer is left, all are used")
    n_gone, n_all = len(game.secrets) - len(left), len(game.secrets)
    remark(f"used answers {gone.name}: {n_gone:,} of {n_all:,} {game.secrets_name} are left out")
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
