"""What a sweep asks of every opener, so that it can be asked again, elsewhere or later."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from solver.choices import OPTIMAL, SWEPT_OBJECTIVES
from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.game.words import NAMED_LISTS, words_digest

from ..build.preconditions import has_own_rule
from ..checkers.word_lists import check_words
from ..errors import BadFileError, StrategyError
from ..files.names import quoted
from ..files.origin import Origin, identity_of

if TYPE_CHECKING:
    from solver.game.game import Game

#: How the parts of a question are called when two of them differ.
_CALLED = {
    "game": "the game",
    "list_name": "the list",
    "guesses": "the number of guesses",
    "guesses_digest": "the guesses (digest)",
    "secrets_name": "the secrets",
    "secrets": "the number of secrets",
    "secrets_digest": "the secrets (digest)",
    "rule": "--rule",
    "guess_from": "--guess-from",
    "hard": "--hard",
    "version": "the version of knuthle",
    "words": "the words",
    "objective": "--objective",
    "within": "--within",
}


def program_version() -> str:
    """The version of this program, which rows of a sweep are made by."""
    try:
        return version("knuthle")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True)
class SweepQuestion:
    """What a sweep asks of every opener: the game, the rule, the program's version.

    Lists are named by their digests. Words of a list that is not shipped travel with it, so that
    another machine can build the same game.
    """

    game: str
    list_name: str
    guesses: int
    guesses_digest: str
    secrets_name: str
    secrets: int
    secrets_digest: str
    rule: str
    guess_from: str
    hard: bool
    version: str
    #: The guesses and the secrets, words with spaces between them; None where they are shipped.
    words: tuple[str, str] | None = None
    #: With the rule ``optimal``: what is least (None with any other), and under which limit.
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
        """The question that a sweep asks of the openers of a game."""
        if has_own_rule(game):
            raise WrongInputError("sweeps know the rules of wordle and mastermind, and no others")
        words = None
        if game.spec == "wordle" and not _ships(game):
            guesses, secrets = " ".join(game.guesses), " ".join(game.secrets)
            words = (guesses, guesses if guesses == secrets else secrets)  # once, when it travels
        head = identity_of(game)
        return cls(**head, rule=rule, guess_from=guess_from, hard=hard,
                   version=program_version(), words=words,
                   objective=objective, within=within)  # fmt: skip

    def build(self) -> Game:
        """The game of the question, made anew here.

        Other lists, or another version of the program, are refused.
        """
        if self.version != program_version():
            raise WrongInputError(
                f"the sweep is made by knuthle {quoted(self.version)} and this is "
                f"{program_version()}: rows of two versions are not mixed; install the same here"
            )
        return self.same_game()

    def same_game(self) -> Game:
        """The game of the question, made anew by whatever version this is.

        Other lists are refused.
        """
        game = self._loaded()
        for what, mine, asked in (
            ("guesses", game.guesses_digest, self.guesses_digest),
            ("secrets", game.secrets_digest, self.secrets_digest),
        ):
            if mine != asked:
                raise WrongInputError(
                    f"the {what} of list {quoted(self.list_name)} have the digest {mine[:12]} "
                    f"here, in the sweep {asked[:12]}: it is another list"
                )
        return game

    def _loaded(self) -> Game:
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
        """The question for JSON objects, by the names that they have in all of them."""
        return {
            "game": self.game,
            "list": self.list_name,
            "n_guesses": self.guesses,
            "guesses_digest": self.guesses_digest,
            "n_secrets": self.secrets,
            "secrets_name": self.secrets_name,
            "secrets_digest": self.secrets_digest,
            "rule": self.rule,
            "guess_from": self.guess_from,
            "hard": self.hard,
            "version": self.version,
            **({} if self.objective is None else {"objective": self.objective}),
        }

    def require_same(self, other: SweepQuestion, where: str) -> None:
        """Refuse rows of another question, by the first thing in which it differs."""
        for item in fields(self):
            mine, theirs = getattr(self, item.name), getattr(other, item.name)
            if mine != theirs:
                raise StrategyError(
                    f"{where}: made with {_CALLED[item.name]} {_said(mine)}, not {_said(theirs)}; "
                    "rows are not mixed: name another file"
                )

    def to_text(self) -> str:
        """The question as text, as databases keep it."""
        found = asdict(self)
        if self.objective is None:
            del found["objective"], found["within"]
        return json.dumps(found)

    @classmethod
    def of_text(cls, text: Any, where: str) -> SweepQuestion:
        """The question in the text that a database keeps, looked at closely."""
        try:
            found = json.loads(text)
            words = found.pop("words")
            question = cls(**found, words=None if words is None else tuple(words))
            question._check()
        except (TypeError, ValueError, KeyError, AttributeError, StrategyError):
            raise BadFileError("format", f"{where}: its question cannot be read") from None
        return question

    def _check(self) -> None:
        """Raise ValueError for what no question can be."""
        kinds = {"guesses": int, "secrets": int, "hard": bool}
        for item in fields(self)[:-3]:
            if type(getattr(self, item.name)) is not kinds.get(item.name, str):
                raise ValueError(item.name)
        if self.game == "wordle" and self.words is None and not _ships(self):
            raise ValueError("list_name")
        limit, exact = self.within, self.rule == OPTIMAL
        bounded = limit is not None and not (type(limit) is int and limit > 0)
        if bounded or (self.objective in SWEPT_OBJECTIVES) != exact or (limit and not exact):
            raise ValueError("objective")
        if self.words is not None:
            guesses, secrets = (text.split(" ") for text in self.words)
            check_words(guesses)
            sound = all(words == sorted(set(words)) for words in (guesses, secrets))
            digests = [words_digest(guesses), words_digest(secrets)]
            known = digests == [self.guesses_digest, self.secrets_digest]
            if not (sound and known and set(secrets) <= set(guesses)):
                raise ValueError("words")


def _ships(names: Game | SweepQuestion) -> bool:
    """Whether this program has the lists that are named."""
    return names.list_name in NAMED_LISTS and names.secrets_name in ("allowed", "answers")


def _said(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else quoted(value)
