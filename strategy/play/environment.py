"""Games for programs that learn: one or ten thousand side by side, in the form of gymnasium.

``Games`` plays many games at once; a step is a few operations on arrays, whatever their number.
``Environment`` is one game with texts and arrays, with ``reset(seed)`` and ``step(guess)`` as
gymnasium has them; neither needs gymnasium. ``gymnasium_env`` makes an ``Env`` of it, for which
the extra ``rl`` brings gymnasium.

A guess is the number of a word of the game, or in ``Environment`` the word itself. What is no word
(any other number or text), and in hard mode what is not allowed, is *illegal*. Then, as wanted,
nothing happens (``refuse``), a guess is used up (``count``), or the game is lost (``lose``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.advice.by_buckets import scores_at_hand
from solver.choices import LIMIT
from solver.errors import WrongInputError, not_installed
from solver.game.game import Game
from solver.game.wordle import legal_after, require_hard_mode
from solver.machine.arrays import Ids

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
        """``limit`` guesses a game; rewards and what becomes of illegal guesses by their names.

        ``solved``: 1 for the secret. ``guesses``: -1 a guess, and one more for a game that is lost.
        ``information``: bits learnt. ``regret``: minus what the guess costs against the best one,
        exact where a search of two seconds comes to its end, else the middle of its bounds.
        """
        for name, known, what in ((reward, REWARDS, "reward"), (illegal, ILLEGAL, "illegal")):
            if name not in known:
                raise WrongInputError(f"{what} is one of {', '.join(known)}, not {name!r}")
        if count < 1 or limit < 1:
            raise WrongInputError("there must be at least one game of at least one guess")
        scores = scores_at_hand(game)
        if scores is None:
            raise WrongInputError("the scores of this game are too many to be kept at hand")
        self.game, self.count, self.limit, self.hard = game, count, limit, hard
        self._scores, self._reward, self._illegal = scores, reward, illegal
        self._letters = require_hard_mode(game) if hard else None
        self._by_guess = np.ascontiguousarray(scores.T) if reward == "information" else None
        self._judge = Judge(game, hard=hard) if reward == "regret" else None
        self._dice = np.random.Generator(np.random.PCG64())
        self._all = np.arange(count)
        width = len(game.secrets) if reward == "information" else 0
        #: Which secrets are possible in each game; the greens of each place, and how often each
        #: letter was shown, in hard mode.
        self._possible = np.ones((count, width), dtype=np.bool_)
        kinds = 0 if self._letters is None else int(self._letters.max()) + 1
        self._green = np.full((count, game.length), NONE, dtype=np.int16)
        self._shown = np.zeros((count, kinds), dtype=np.int8)
        self.secrets: Ids = np.zeros(count, dtype=np.int32)
        self.made: Ids = np.zeros(count, dtype=np.int32)
        self.over: Flags = np.ones(count, dtype=np.bool_)
        #: Guesses and scores of each game, NONE where there is none yet; of counted faults neither.
        self.guesses: Ids = np.full((count, limit), NONE, dtype=np.int32)
        self.scores: Ids = np.full((count, limit), NONE, dtype=np.int32)
        self.reset()

    def reset(self, seed: int | None = None, which: Flags | None = None) -> dict[str, Ids]:
        """Draw new secrets, for all games or some; equal seeds draw equal secrets."""
        if seed is not None:
            self._dice = np.random.Generator(np.random.PCG64(seed))
        at = self._all if which is None else np.flatnonzero(which)
        self.secrets[at] = self._dice.integers(0, len(self.game.secrets), size=len(at))
        self.made[at], self.over[at] = 0, False
        self.guesses[at], self.scores[at] = NONE, NONE
        self._possible[at], self._green[at], self._shown[at] = True, NONE, 0
        return self.observation()

    def observation(self) -> dict[str, Ids]:
        """The guesses and scores so far, a row a game; copies."""
        return {"guesses": self.guesses.copy(), "scores": self.scores.copy()}

    def step(self, guesses: Any) -> Stepped:
        """Make a guess in every game, by its number; in games that are over nothing happens."""
        wanted = np.asarray(guesses, dtype=np.int64)
        if wanted.shape != (self.count,):
            raise WrongInputError(f"{self.count:,} games need as many guesses")
        live = ~self.over
        legal = (wanted >= 0) & (wanted < len(self.game.guesses))
        chosen = np.where(legal, wanted, 0).astype(np.int32)
        if self._letters is not None:
            legal &= self._keeps_to_hints(chosen)
        faults, played = live & ~legal, live & legal
        at: Ids = np.flatnonzero(played).astype(np.int32)
        score = self._scores[self.secrets[at], chosen[at]].astype(np.int32)
        reward = np.zeros(self.count)
        reward[at] = self._rewards(at, chosen[at], score)
        self.guesses[at, self.made[at]], self.scores[at, self.made[at]] = chosen[at], score
        self.made[at] += 1
        solved = np.zeros(self.count, dtype=np.bool_)
        solved[at] = score == self.game.solved
        if self._letters is not None:
            self._take_hints(at, chosen[at], score)
        if self._illegal == "count":
            self.made[faults] += 1
        lost = faults & (self._illegal == "lose")
        truncated = live & ~solved & ~lost & (self.made >= self.limit)
        if self._reward == "guesses":
            reward[faults & (self._illegal != "refuse")] = -1.0
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
        allowed = np.ones(len(self.game.guesses), dtype=np.bool_)
        if self.hard:
            allowed[:] = False
            steps = [(self.game.guess_id(word), score) for word, score in self.history(at)]
            allowed[legal_after(self.game, steps)] = True
        return allowed

    def _rewards(self, at: Ids, chosen: Ids, score: Ids) -> Any:
        if self._reward == "solved":
            return score == self.game.solved
        if self._reward == "guesses":
            return np.full(len(at), -1.0)
        if self._by_guess is not None:
            before = self._possible[at].sum(axis=1)
            self._possible[at] &= self._by_guess[chosen] == score[:, None]
            return np.log2(before / self._possible[at].sum(axis=1))
        assert self._judge is not None
        words = [self.game.guesses[guess] for guess in chosen.tolist()]
        found = self._judge.regrets([self.history(game) for game in at.tolist()], words)
        middles = [each.regret and (each.regret.low + each.regret.high) / 2 for each in found]
        return -np.array(middles, dtype=np.float64)

    # --- hard mode ------------------------------------------------------------------------

    def _counts(self, letters: NDArray[Any], which: Flags | None = None) -> NDArray[np.int8]:
        """How often each letter stands in words, or in some places of them."""
        counts = np.zeros((len(letters), self._shown.shape[1]), dtype=np.int8)
        rows = np.arange(len(letters))
        for place in range(letters.shape[1]):
            counts[rows, letters[:, place]] += 1 if which is None else which[:, place]
        return counts

    def _keeps_to_hints(self, chosen: Ids) -> Flags:
        assert self._letters is not None
        letters = self._letters[chosen]
        greens = ((self._green == NONE) | (self._green == letters)).all(axis=1)
        kept: Flags = greens & (self._counts(letters) >= self._shown).all(axis=1)
        return kept

    def _take_hints(self, at: Ids, chosen: Ids, score: Ids) -> None:
        assert self._letters is not None
        letters = self._letters[chosen]
        colours = score[:, None] // 3 ** np.arange(self.game.length) % 3
        self._green[at] = np.where(colours == 2, letters, self._green[at])
        self._shown[at] = np.maximum(self._shown[at], self._counts(letters, colours > 0))


class Environment:
    """One game at a time, for a program that learns: ``reset(seed)``, ``step(guess)``.

    ``options`` are those of ``Games``.
    """

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
        return self._observation(), self._info()

    def step(self, guess: int | str) -> tuple[dict[str, Ids], float, bool, bool, dict[str, Any]]:
        """Make a guess: observation, reward, whether the game is over or cut off, and more.

        ``info`` has the game so far as ``text``, the ``mask`` of legal guesses, whether this one
        was ``illegal``, whether it ``solved`` the game, and at the end the ``secret``.
        """
        if isinstance(guess, str):
            try:
                guess = self.game.guess_id(guess)
            except WrongInputError:
                guess = NONE
        done = self.games.step([guess])
        terminated, truncated = bool(done.terminated[0]), bool(done.truncated[0])
        info = self._info() | {name: bool(flags[0]) for name, flags in done.info.items()}
        if terminated or truncated:
            info["secret"] = self.game.secrets[self.games.secrets[0]]
        return self._observation(), float(done.reward[0]), terminated, truncated, info

    def _observation(self) -> dict[str, Ids]:
        return {name: rows[0] for name, rows in self.games.observation().items()}

    def _info(self) -> dict[str, Any]:
        history = self.games.history(0)
        text = " ".join(f"{word} {self.game.format_score(score)}" for word, score in history)
        return {"text": text, "mask": self.games.mask()}


def gymnasium_env(game: Game, **options: Any) -> Any:
    """An ``Environment`` as an ``Env`` of gymnasium, with its spaces: guesses are numbers.

    Raises:
        WrongInputError: gymnasium is not installed.
    """
    try:
        import gymnasium
        from gymnasium import spaces
    except ImportError:
        raise WrongInputError(f"this needs gymnasium, {not_installed('gymnasium')}") from None
    inner = Environment(game, **options)
    limit = inner.games.limit

    class Env(gymnasium.Env):  # type: ignore[misc]
        """The game as gymnasium sees it."""

        metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as gymnasium has it
        action_space = spaces.Discrete(len(game.guesses))
        observation_space = spaces.Dict(
            guesses=spaces.Box(NONE, len(game.guesses) - 1, (limit,), np.int32),
            scores=spaces.Box(NONE, game.n_scores - 1, (limit,), np.int32),
        )

        def reset(
            self, *, seed: int | None = None, options: dict[str, Any] | None = None
        ) -> tuple[dict[str, Ids], dict[str, Any]]:
            """Begin a game."""
            super().reset(seed=seed)
            return inner.reset(seed=seed, options=options)

        def step(self, action: Any) -> tuple[dict[str, Ids], float, bool, bool, dict[str, Any]]:
            """Make a guess."""
            return inner.step(int(action))

    return Env()
