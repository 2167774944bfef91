"""Games for programs that learn: one or ten thousand side by side, in the form of gymnasium.

A step of ``Games`` is a few operations on arrays, whatever their number; an ``Environment`` is one
game with texts too. Neither needs gymnasium, which the extra ``rl`` brings for ``gymnasium_env``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.choices import LIMIT
from solver.errors import WrongInputError, imported
from solver.game.game import Game
from solver.game.wordle import GREEN, GREY, require_hard_mode
from solver.machine.arrays import Ids
from solver.memory_limits import matrix_bytes, require_room

from .regret import Judge

#: What a step may be rewarded by, and what may become of an illegal guess.
REWARDS = ("solved", "guesses", "information", "regret")
ILLEGAL = ("refuse", "count", "lose")
#: In place of a guess or a score: there is none.
NONE = -1
Flags = NDArray[np.bool_]


class Stepped(NamedTuple):
    """What a step has done, an entry a game; gymnasium's five things."""

    observation: dict[str, Ids]
    reward: NDArray[np.float64]
    #: Whether the game is over: solved, lost by an illegal guess; out of guesses.
    terminated: Flags
    truncated: Flags
    info: dict[str, Any]


class Games:
    """Many games side by side. Those that are over stand still until they are reset."""

    def __init__(
        self, game: Game, count: int, *, hard: bool = False, limit: int = LIMIT,
        reward: str = "solved", illegal: str = "refuse",
    ) -> None:  # fmt: skip
        """``limit`` guesses a game; ``reward`` names what a step is rewarded by.

        ``solved``: 1 for the secret. ``guesses``: -1 a guess, and one more for a game that is lost.
        ``information``: bits learnt. ``regret``: minus what the guess costs against the best one,
        exact where a search of two seconds comes to its end, else the middle of its bounds.
        What is no word, or not allowed in hard mode, is ``illegal``: nothing happens (``refuse``),
        a guess is used up (``count``), or the game is lost (``lose``).
        """
        for name, known, what in ((reward, REWARDS, "reward"), (illegal, ILLEGAL, "illegal")):
            if name not in known:
                raise WrongInputError(f"{what} is one of {', '.join(known)}, not {name!r}")
        if count < 1 or limit < 1:
            raise WrongInputError("there must be at least one game of at least one guess")
        self.game, self.count, self.limit, self.hard = game, count, limit, hard
        self._reward, self._illegal = reward, illegal
        require_room(matrix_bytes(game), "to grade games side by side")
        self._scores = game.score_rows(None)
        self._judge: Any = Judge(game, hard=hard) if reward == "regret" else None
        self._dice = np.random.Generator(np.random.PCG64())
        #: Which secrets are possible in each game, where bits of information are the reward.
        width = len(game.secrets) if reward == "information" else 0
        self._possible = np.ones((count, width), dtype=np.bool_)
        #: In hard mode: which letter each guess has in which place, and at the end how often; what
        #: the hints of each game ask for of these.
        letters = require_hard_mode(game) if hard else np.zeros((len(game.guesses), 0), np.uint8)
        spelt = letters[:, :, None] == np.unique(letters)
        self._has = _with_counts(spelt, spelt)
        self._needs = np.zeros((count, *self._has.shape[1:]), dtype=np.int8)
        self.secrets, self.made = np.zeros((2, count), dtype=np.int32)
        self.over: Flags = np.ones(count, dtype=np.bool_)
        #: Guesses and scores of each game, NONE where there is none yet; of counted faults neither.
        self.guesses, self.scores = np.full((2, count, limit), NONE, dtype=np.int32)
        self.reset()

    def reset(self, seed: int | None = None, which: Flags | None = None) -> dict[str, Ids]:
        """Draw new secrets, for all games or some; equal seeds draw equal secrets."""
        if seed is not None:
            self._dice = np.random.Generator(np.random.PCG64(seed))
        at = np.arange(self.count) if which is None else np.flatnonzero(which)
        self.secrets[at] = self._dice.integers(0, len(self.game.secrets), size=len(at))
        self.made[at], self.over[at] = 0, False
        self.guesses[at], self.scores[at] = NONE, NONE
        self._possible[at], self._needs[at] = True, 0
        return self.observation()

    def observation(self) -> dict[str, Ids]:
        """The guesses and scores so far, a row a game; copies."""
        return {"guesses": self.guesses.copy(), "scores": self.scores.copy()}

    def step(self, guesses: Any) -> Stepped:
        """Make a guess in every game, by its number; in games that are over nothing happens."""
        wanted = np.asarray(guesses, dtype=np.int64)
        if wanted.shape != (self.count,):
            raise WrongInputError(f"{self.count:,} games need as many guesses")
        chosen = wanted.clip(0, len(self.game.guesses) - 1).astype(np.int32)
        legal = (chosen == wanted) & self._allowed(slice(None), chosen)
        faults = ~self.over & ~legal
        at: Ids = np.flatnonzero(~self.over & legal).astype(np.int32)
        score = self._scores[chosen[at], self.secrets[at]].astype(np.int32)
        solved = np.zeros(self.count, dtype=np.bool_)
        solved[at] = score == self.game.solved
        reward = np.zeros(self.count)
        reward[at] = self._rewards(at, chosen[at], score)
        self.guesses[at, self.made[at]], self.scores[at, self.made[at]] = chosen[at], score
        self.made[at] += 1
        if self.hard:
            colours = score[:, None, None] // 3 ** np.arange(self.game.length)[:, None] % 3
            spelt = self._has[chosen[at], :-1]
            hints = _with_counts(spelt * (colours == GREEN), spelt * (colours > GREY))
            self._needs[at] = np.maximum(self._needs[at], hints)
        self.made[faults] += self._illegal == "count"
        lost = faults & (self._illegal == "lose")
        truncated = ~(self.over | solved | lost) & (self.made >= self.limit)
        if self._reward == "guesses":
            reward[faults] -= self._illegal != "refuse"
            reward[lost | truncated] -= 1.0
        self.over |= solved | lost | truncated
        info = {"illegal": faults, "solved": solved}
        return Stepped(self.observation(), reward, solved | lost, truncated, info)

    def history(self, at: int) -> tuple[tuple[str, int], ...]:
        """The words and scores of one game."""
        pairs = zip(self.guesses[at].tolist(), self.scores[at].tolist(), strict=True)
        return tuple((self.game.guesses[guess], score) for guess, score in pairs if guess != NONE)

    def mask(self, at: int = 0) -> Flags:
        """Which guesses are legal in one game."""
        return self._allowed(at, slice(None))

    def _allowed(self, at: Any, guesses: Any) -> Flags:
        """Whether hard mode, where that is played, allows guesses in games."""
        allowed: Flags = (self._has[guesses] >= self._needs[at]).all(axis=(-2, -1))
        return allowed

    def _rewards(self, at: Ids, chosen: Ids, score: Ids) -> Any:
        if self._reward == "information":
            before = self._possible[at].sum(axis=1)
            self._possible[at] &= self._scores[chosen] == score[:, None]
            return np.log2(before / self._possible[at].sum(axis=1))
        if self._reward != "regret":
            return score == self.game.solved if self._reward == "solved" else -1.0
        words = [self.game.guesses[guess] for guess in chosen.tolist()]
        found = self._judge.regrets([self.history(game) for game in at.tolist()], words)
        return -np.array([sum(each.regret or ()) / 2 for each in found])


def _with_counts(placed: NDArray[Any], counted: NDArray[Any]) -> NDArray[np.int8]:
    """Letters in their places, and behind these how often each is counted in all of them."""
    often = counted.sum(axis=1, keepdims=True)
    return np.concatenate([placed, often], axis=1, dtype=np.int8, casting="unsafe")


class Environment:
    """One game for a learner: ``reset(seed)``, ``step(guess)``; ``options`` of ``Games``."""

    def __init__(self, game: Game, **options: Any) -> None:
        self.games = Games(game, 1, **options)
        self.game = game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Ids], dict[str, Any]]:
        """Begin a game; ``options`` may name the ``secret``."""
        self.games.reset(seed)
        if options and "secret" in options:
            secret = self.game.guesses[self.game.guess_id(options["secret"])]
            if secret not in self.game.secrets:
                raise WrongInputError(f"{secret!r} is not among the secrets of this game")
            self.games.secrets[0] = self.game.secrets.index(secret)
        return self._seen()

    def step(self, guess: int | str) -> tuple[dict[str, Ids], float, bool, bool, dict[str, Any]]:
        """Guess by word or number: observation, reward, whether it is over or cut off, and more.

        ``info`` has the game so far as ``text``, the ``mask`` of legal guesses, whether this one
        was ``illegal``, whether it ``solved`` the game, and at the end the ``secret``.
        """
        if isinstance(guess, str):
            try:
                guess = self.game.guess_id(guess)
            except WrongInputError:
                guess = NONE
        done = self.games.step([guess])
        reward, terminated, truncated = (each[0].item() for each in done[1:4])
        observation, info = self._seen()
        info |= {name: bool(flags[0]) for name, flags in done.info.items()}
        if terminated or truncated:
            info["secret"] = self.game.secrets[self.games.secrets[0]]
        return observation, reward, terminated, truncated, info

    def _seen(self) -> tuple[dict[str, Ids], dict[str, Any]]:
        steps = (f"{word} {self.game.format_score(score)}" for word, score in self.games.history(0))
        info = {"text": " ".join(steps), "mask": self.games.mask()}
        return {name: rows[0] for name, rows in self.games.observation().items()}, info


def gymnasium_env(game: Game, **options: Any) -> Any:
    """An ``Environment`` as an ``Env`` of gymnasium, with its spaces: guesses are numbers.

    Raises:
        WrongInputError: gymnasium is not installed.
    """
    gymnasium = imported("gymnasium", "this needs gymnasium")
    spaces = gymnasium.spaces

    class Env(Environment, gymnasium.Env):  # type: ignore[misc,name-defined]
        """The game as gymnasium sees it."""

        def reset(self, **kwargs: Any) -> tuple[dict[str, Ids], dict[str, Any]]:
            gymnasium.Env.reset(self, **kwargs)
            return Environment.reset(self, **kwargs)

    env = Env(game, **options)
    env.action_space = spaces.Discrete(len(game.guesses))
    env.observation_space = spaces.Dict(
        guesses=spaces.Box(NONE, len(game.guesses) - 1, (env.games.limit,), np.int32),
        scores=spaces.Box(NONE, game.n_scores - 1, (env.games.limit,), np.int32),
    )
    return env
