"""A data set for Reasoning Gym: states of a game, where an answer is worth one less its regret."""

import math
import random
from dataclasses import dataclass
from typing import Any

from reasoning_gym.dataset import ProceduralDataset
from reasoning_gym.factory import register_dataset

from solver.errors import WrongInputError
from strategy import load_game
from strategy.play.regret import Judge


@dataclass
class StatesConfig:
    """How many states, by which seed, after how many guesses."""

    size: int = 500
    seed: int | None = None
    guesses: int = 2


class States(ProceduralDataset):  # type: ignore[misc]
    """The guesses of a player that takes any word that fits; what is the best next one?"""

    def __init__(self, config: StatesConfig) -> None:
        super().__init__(config, config.seed, config.size)
        self.judge = Judge(load_game(), time_limit=math.inf)  # the same on every machine

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """A state by its number."""
        dice, game = random.Random(f"{self.seed} {idx}"), self.judge.game
        history: list[tuple[str, int]] = []
        secret = dice.choice(game.secrets)
        while len(history) < self.config.guesses:
            word = game.secrets[int(dice.choice(self.judge.candidates(history)))]
            if word == secret:  # begin anew with another one
                secret, history = dice.choice(game.secrets), []
            else:
                history.append((word, game.grade(word, secret)))
        state = game.format_state(history)
        return {
            "question": f"Wordle, b grey, y yellow, g green: {state}\nYour next guess, one word:",
            "answer": self.judge.best(history)[1][0],
            "metadata": {"source_dataset": "wordle_states", "source_index": idx, "state": state},
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """One for a best guess; a tenth of a guess that is lost takes a tenth."""
        try:
            found = self.judge.regret(entry["metadata"]["state"], (answer or "").strip().lower())
        except WrongInputError:  # no word of the game
            return 0.0
        return 0.0 if found.regret is None else max(0.0, 1.0 - found.regret.high)


register_dataset("wordle_states", States, StatesConfig)

if __name__ == "__main__":  # questions, and what four answers to each are worth
    import reasoning_gym

    for seed in (1, 2):
        states = reasoning_gym.create_dataset("wordle_states", size=2, seed=seed)
        for entry in states:
            answers = (entry["answer"], "fuzzy", "nonsense", None)
            worth = [f"{it} {states.score_answer(it, entry):.3f}" for it in answers]
            print(f"{entry['metadata']['state']}: {', '.join(worth)}")
