"""What a sweep computes of every opener, and which openers it is about.

A question is plain data: another machine, or a later run, builds the same game from it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.choices import GUESS_POOLS, HIGHEST_LIMIT, OPTIMAL, RULES, SWEPT_OBJECTIVES
from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.words.lists import NAMED_LISTS, named_list, read_words, words_digest
from solver.words.text import plain

from ..checkers.lists import GameLists, check_words
from ..columns import attributes
from ..errors import BadFileError, StrategyError
from ..exports import game_facts
from ..files.output import is_readable
from ..files.strategy_file import Origin, identity_of
from ..files.text import is_known, quoted
from ..solving.checks import has_own_rule

if TYPE_CHECKING:
    from solver.game.game import Game

#: The names of a question's fields in messages; the others are called as their options are.
_FIELD_NAMES = {
    "game": "the game",
    "list_name": "the list",
    "guesses": "the number of guesses",
    "guesses_digest": "the guesses (digest)",
    "secrets_name": "the secrets",
    "secrets": "the number of secrets",
    "secrets_digest": "the secrets (digest)",
    "version": "the version of knuthle",
    "words": "the words",
}


def program_version() -> str:
    """The version of this program, which rows of a sweep are made by."""
    try:
        return version("knuthle")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True)
class SweepQuestion(GameLists):
    """What a sweep computes of every opener: the game, the rule, the program's version."""

    rule: str
    guess_from: str
    hard: bool
    version: str
    #: The guesses and the secrets, words with spaces between them; None where they are shipped.
    words: tuple[str, str] | None = None
    #: With the rule ``optimal``: what is made least, and the limit; None with any other rule.
    objective: str | None = None
    within: int | None = None

    @classmethod
    def of(
        cls,
        game: Game,
        rule: str,
        guess_from: str,
        hard: bool,
        objective: str | None = None,
        within: int | None = None,
    ) -> SweepQuestion:
        """The question of a sweep over openers of a game."""
        if has_own_rule(game):
            raise WrongInputError("sweeps know the rules of wordle and mastermind, and no others")
        words = None
        if game.spec == "wordle" and not _ships(game):
            guesses, secrets = " ".join(game.guesses), " ".join(game.secrets)
            words = (guesses, guesses if guesses == secrets else secrets)  # once, when it travels
        return cls(**identity_of(game), rule=rule, guess_from=guess_from, hard=hard,
                   version=program_version(), words=words,
                   objective=objective, within=within)  # fmt: skip

    def build(self) -> Game:
        """The game of the question; other lists or another version of the program are refused."""
        if self.version != program_version():
            raise WrongInputError(
                f"the sweep is made by knuthle {quoted(self.version)} and this is "
                f"{program_version()}: rows of two versions are not mixed; install the same here"
            )
        return self.same_game()

    def same_game(self) -> Game:
        """The game of the question, whatever version this is; other lists are refused."""
        game = self._load()
        for what, mine, required in (
            ("guesses", game.guesses_digest, self.guesses_digest),
            ("secrets", game.secrets_digest, self.secrets_digest),
        ):
            if mine != required:
                raise WrongInputError(
                    f"the {what} of list {quoted(self.list_name)} have the digest {mine[:12]} "
                    f"here, in the sweep {required[:12]}: it is another list"
                )
        return game

    def _load(self) -> Game:
        if self.game != "wordle":
            return load_game(spec=self.game)
        if self.words is None:
            return load_game(self.list_name, self.secrets_name)
        from solver.game.wordle import WordleGame

        guesses, secrets = (tuple(text.split(" ")) for text in self.words)
        return WordleGame(self.list_name, self.secrets_name, guesses, secrets)

    def origin_of(self, opener: str) -> Origin:
        """The head of the strategy of one opener of the sweep."""
        head = {item.name: getattr(self, item.name) for item in fields(self)[:10]}
        return Origin(**head, start=(opener,))

    def facts(self) -> dict[str, Any]:
        """The question as part of a JSON object."""
        names = "rule guess_from hard version" + ("" if self.objective is None else " objective")
        return game_facts(self) | attributes(self, names)

    def require_same(self, other: SweepQuestion, where: str) -> None:
        """Refuse rows of another question; the error names the first difference."""
        for item in fields(self):
            mine, theirs = getattr(self, item.name), getattr(other, item.name)
            if mine != theirs:
                name = _FIELD_NAMES.get(item.name, f"--{item.name.replace('_', '-')}")
                raise StrategyError(
                    f"{where}: made with {name} {_value_text(mine)}, not {_value_text(theirs)}; "
                    "rows are not mixed: name another file"
                )

    def to_text(self) -> str:
        """The question as JSON text, as databases store it."""
        found = asdict(self)
        if self.objective is None:
            del found["objective"], found["within"]
        return json.dumps(found)

    @classmethod
    def of_text(cls, text: Any, where: str) -> SweepQuestion:
        """The question in the text of a database; BadFileError if anything in it is wrong."""
        try:
            found = json.loads(text)
            words = found.pop("words")
            question = cls(**found, words=None if words is None else tuple(words))
            question._check()
        except (
            TypeError, ValueError, KeyError, AttributeError, RecursionError, StrategyError
        ):  # fmt: skip
            raise BadFileError("format", f"{where}: its question cannot be read") from None
        return question

    def _check(self) -> None:
        """Raise ValueError if no question can have these values."""
        kinds = {"guesses": int, "secrets": int, "hard": bool}
        for item in fields(self)[:-3]:
            if type(getattr(self, item.name)) is not kinds.get(item.name, str):
                raise ValueError(item.name)
        exact, limit = self.rule == OPTIMAL, self.within
        bounded = limit is None or (type(limit) is int and 0 < limit <= HIGHEST_LIMIT)
        sound = is_known(self.game) and self.guess_from in GUESS_POOLS and bounded
        sound = sound and self.rule in (*RULES, OPTIMAL) and 1 <= self.secrets <= self.guesses
        sound = sound and (self.objective in SWEPT_OBJECTIVES) == exact and (exact or limit is None)
        if self.words is not None:
            guesses, secrets = (text.split(" ") for text in self.words)
            check_words(guesses)
            digests = [words_digest(words) for words in (guesses, secrets)]
            sound = sound and digests == [self.guesses_digest, self.secrets_digest]
            sound = sound and set(secrets) <= set(guesses)
        elif self.game == "wordle":  # no other file is read because a database names it
            sound = sound and _ships(self)
        if not sound:
            raise ValueError(self.list_name)


def _ships(names: Game | SweepQuestion) -> bool:
    """Whether this program has the lists that are named."""
    return names.list_name in NAMED_LISTS and names.secrets_name in ("allowed", "answers")


def _value_text(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else quoted(value)


# --- openers ------------------------------------------------------------------------------

#: The openers that have a name: every guess, and the answers of the list.
ALL, ANSWERS = "all", "answers"


def chosen_openers(game: Game, source: str | Path | Iterable[str] = ALL) -> list[int]:
    """The numbers of the openers that a sweep is to look at, ascending, each once.

    ``all``, ``answers``, the name of a file with a word a line, or words with commas between them;
    a word of the list is a word even where a file is called so. Whatever is no guess is refused.
    """
    if source == ALL:
        return list(range(len(game.guesses)))
    if source == ANSWERS:
        is_shipped = game.spec == "wordle" and game.list_name in NAMED_LISTS
        answers = named_list(game.list_name, ANSWERS).words if is_shipped else game.secrets
        return sorted(map(game.guess_id, answers))
    words = _words(game, source)
    if not words:
        raise WrongInputError("no opener is named: all, answers, a file, or words with commas")
    return sorted({game.guess_id(word) for word in words})


def _words(game: Game, source: str | Path | Iterable[str]) -> list[str]:
    if isinstance(source, str):
        named = [word.strip() for word in source.split(",") if word.strip()]
        if "," in source or not is_readable(source) or plain(source) in game.guesses:
            if len(named) == 1 and plain(named[0]) not in game.guesses and not named[0].isalnum():
                raise WrongInputError(f"--openers: no file named {quoted(named[0])}")  # nor a word
            return named
    if isinstance(source, str | Path):
        return list(read_words(source).words)
    return list(source)


def shard_of(openers: list[int], shard: tuple[int, int]) -> list[int]:
    """The share of a sweep's openers that falls to machine I of N: every N-th, from the I-th."""
    number, count = shard
    if not 1 <= number <= count:
        raise WrongInputError(f"--shard {number}/{count}: the first is 1/{count}, the last {count}")
    return openers[number - 1 :: count]


def by_common_letters(game: Game, openers: list[int]) -> list[int]:
    """The openers of a sweep, ordered so that those with most letters in common are neighbours.

    First those with the commonest letter, and so on down: neighbours are made of the same letters,
    or differ in a rare one. So they leave the same sets of secrets more often than others do.
    """
    common = Counter(letter for word in game.guesses for letter in set(word))

    def letters(opener: int) -> list[tuple[int, str]]:
        return sorted((-common[letter], letter) for letter in game.guesses[opener])

    return sorted(openers, key=letters)
