"""The head of a strategy file: which game it is for, and how its guesses were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from .names import is_name, quoted

if TYPE_CHECKING:
    from solver.game.game import Game

#: What ``guess_from`` can be.
GUESS_POOLS = ("allowed", "secrets", "candidates")


def identity_of(game: Game) -> dict[str, Any]:
    """Which game it is, as the heads of strategies and of proofs have it: lists, digests.

    A name that no reader would accept is refused here, where all files get theirs.
    """
    for name in (game.list_name, game.secrets_name):
        if not is_name(name):
            raise OutputError(
                f"{quoted(name)} cannot be the name of a list in a file: at most 200 characters, "
                "all of them visible, no slash and no backslash; rename the list"
            )
    return {
        "game": game.spec,
        "list_name": game.list_name,
        "guesses": len(game.guesses),
        "guesses_digest": game.guesses_digest,
        "secrets_name": game.secrets_name,
        "secrets": len(game.secrets),
        "secrets_digest": game.secrets_digest,
    }


@dataclass(frozen=True)
class Origin:
    """Which game a strategy is for, and how it was chosen: the head of its file."""

    game: str
    list_name: str
    guesses: int
    guesses_digest: str
    secrets_name: str
    secrets: int
    secrets_digest: str
    rule: str
    start: tuple[str, ...]
    guess_from: str = "allowed"
    hard: bool = False
    #: What an exact search claims for it (objective, limit, bound, proved); empty for a rule's.
    claim: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, rule: str, start: Sequence[str], **more: Any) -> Origin:
        """The head of a strategy for ``game``, chosen by ``rule`` from ``start`` on."""
        return cls(**identity_of(game), rule=rule, start=tuple(start), **more)

    @property
    def file_name(self) -> str:
        """The usual name of the strategy's file: START-LIST-SECRETS-RULE[-hard].strategy."""
        hard = "-hard" if self.hard else ""
        start = "+".join(self.start)
        name = f"{start}-{self.list_name}-{self.secrets_name}-{self.rule}{hard}.strategy"
        return name.replace(":", "_")
