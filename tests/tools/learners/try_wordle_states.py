"""The data set by its name: the same by a seed, its answers worth 1, others what they cost less."""

import reasoning_gym
import wordle_states  # noqa: F401 - it registers the data set

one, two = (reasoning_gym.create_dataset("wordle_states", size=4, seed=1) for _ in range(2))
assert len(one) == 4 and list(one) == list(two)
assert list(one) != list(reasoning_gym.create_dataset("wordle_states", size=4, seed=2))
for entry in one:
    worth = [one.score_answer(it, entry) for it in (entry["answer"], "fuzzy", "nonsense", None)]
    assert worth[0] == 1 > worth[1] >= 0 == worth[2] == worth[3]
assert len({entry["metadata"]["state"] for entry in one}) == 4
