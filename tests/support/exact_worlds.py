"""Worlds for the exact search: rhymes, states after a guess, words that are long or alike."""

import random

from solver.exact.problem import Problem
from solver.game.wordle import WordleGame

from .naive import legal_after, marks
from .naive_exact import NOTHING_FOUND, UNLIMITED, Value, values_of_guesses
from .worlds import EVERYTHING, game_of, of_few_letters, some_world, words_by_score

#: A game, a problem of it, and the true (losses, total) of every guess that tells anything.
World = tuple[WordleGame, Problem, dict[str, Value]]


def truth_of(game: WordleGame, within: int | None, hard: bool) -> dict[str, Value]:
    """Brute force: (losses, total) of every first guess that tells anything."""
    values = values_of_guesses(game.guesses, game.secrets, within or UNLIMITED, hard)
    return {word: value for word, value in values.items() if value != NOTHING_FOUND}


def small_world(seed: int, most: int) -> WordleGame:
    """Few words: of a shipped list, or of few letters."""
    dice = random.Random(seed)
    real = dice.random() < 0.5
    return some_world(dice, 3, most) if real else of_few_letters(dice, "abc", most, 3)


def rhymes_among_others(seed: int) -> World:
    """Rhymes among random words, all or some of them hidden; the value of every first guess."""
    dice = random.Random(seed)
    rhymes = {f"{letter}zz" for letter in dice.sample("abcdefghij", dice.randint(2, 9))}
    others = {"".join(dice.choices("abcdez", k=3)) for _ in range(dice.randint(3, 12))}
    words = sorted(rhymes | others)
    secrets = words if seed % 3 else sorted(dice.sample(words, 2 * len(words) // 3))
    limit, hard = (2, 3, 4, 1, None)[seed % 5], seed % 2 == 1
    game = game_of(words, secrets)
    return game, Problem(game, hard, limit, losses=True), truth_of(game, limit, hard)


def drawn_state(seed: int, hard: bool) -> World:
    """A game after one guess: the problem, and the true value of every word."""
    dice = random.Random(seed)
    game = of_few_letters(dice, "abcdef", 26, 3)
    first, hidden = dice.choice(game.guesses), dice.choice(game.secrets)
    colours, score = marks(first, hidden), game.grade(first, hidden)
    left = [at for at, word in enumerate(game.secrets) if marks(first, word) == colours]
    legal = legal_after(first, colours, game.guesses) if hard else game.guesses
    limit = 1 + seed % 3
    rest = [game.secrets[at] for at in left]
    truth = {
        word: value
        for word, value in values_of_guesses(legal, rest, limit, hard).items()
        if word in rest or len({marks(word, other) for other in rest}) > 1  # it tells something
    }
    history = ((game.guess_id(first), score),)
    return game, Problem(game, hard, limit, tuple(left), history), truth


def rhymes(seed: int, most: int) -> WordleGame:
    """A world of words that differ in their first letters above all: few guesses lose some."""
    dice = random.Random(seed)
    firsts = "abcdefghijkl"[: dice.randint(5, 12)]
    drawn = {dice.choice(firsts) + "".join(dice.choices("xyz", k=2)) for _ in range(most)}
    words = sorted(drawn)
    return game_of(words, sorted(dice.sample(words, dice.randint(len(words) // 2, len(words)))))


def of_any_length(dice: random.Random) -> WordleGame:
    """Up to 40 words of few letters, some of them hidden."""
    length, letters = dice.choice([2, 3, 3, 4]), dice.choice(["ab", "abc", "abcd", "abcdef"])
    drawn = {"".join(dice.choices(letters, k=length)) for _ in range(dice.randint(3, 40))}
    words = sorted(drawn)
    return game_of(words, dice.sample(words, dice.randint(1, len(words))))


def long_world(dice: random.Random, least: int, most: int) -> WordleGame:
    """Words of six to eight letters, few different ones: many have the same score."""
    length, letters = dice.randint(6, 8), "abcd"[: dice.randint(2, 4)]
    count = dice.randint(least, most)
    words: set[str] = set()
    while len(words) < count:
        word = "".join(dice.choices(letters, k=length))
        words |= {word} if len(set(word)) > 1 else set()  # hard mode counts a letter up to seven
    guesses = sorted(words)
    return game_of(guesses, dice.sample(guesses, dice.randint(min(3, count), count)))


def wide_world(seed: int) -> WordleGame:
    """Words of which one has more than 255 scores; some others have the same score as these."""
    dice = random.Random(seed)
    words = dice.sample(sorted(set(words_by_score("abcdef")) - {"abcdef"}), 280)
    twins = [word.replace("z", "y") for word in dice.sample(words, 60)]
    return game_of(sorted({"abcdef", *words, *twins}))


def words_alike(dice: random.Random, least: int, most: int) -> WordleGame:
    """Words that differ in few letters: the rule needs many guesses, and repair has work."""
    centre = dice.choice(EVERYTHING)
    near = sorted(EVERYTHING, key=lambda w: (-sum(map(str.__eq__, w, centre)), dice.random()))
    words = dice.sample(near[: 2 * most], dice.randint(least, most))
    words += dice.sample(EVERYTHING, dice.randint(0, 5))
    words = sorted(set(words))
    return game_of(words, dice.sample(words, dice.randint(max(3, len(words) // 2), len(words))))


def hard_words() -> WordleGame:
    """Rhymes among other words: a narrow beam takes seven guesses after AMNIA, six suffice."""
    rhymes = [word for word in EVERYTHING if word[1:] == "ooks"]
    return game_of(sorted({*rhymes, *random.Random(5).sample(EVERYTHING, 150)}))


def some_weights(dice: random.Random, count: int) -> tuple[int, ...]:
    most = dice.choice([1, 2, 5, 100, 10_000])
    return tuple(dice.randint(1, most) for _ in range(count))


def weighted_problem(
    seed: int, most: int, hard: bool, within: int | None
) -> tuple[random.Random, Problem]:
    dice = random.Random(seed)
    game = some_world(dice, 3, most)
    return dice, Problem(game, hard, within, weights=some_weights(dice, len(game.secrets)))


def drawn_problem(seed: int) -> tuple[Problem, tuple[str, ...], str, tuple[int, int]]:
    """A small problem with its first guesses, its objective and the least (losses, total)."""
    dice = random.Random(seed)
    game = some_world(dice, 3, 14)
    hard, limit = dice.random() < 0.3, dice.choice([None, 2, 3, 3, 4, 5])
    start = dice.choice([(), (dice.choice(game.guesses),)])
    objective = "total" if limit is None else dice.choice(["total", "total", "losses"])
    values = values_of_guesses(game.guesses, game.secrets, limit or UNLIMITED, hard)
    least = values[start[0]] if start else min(values.values())
    problem = Problem(game, hard, limit, losses=objective == "losses")
    return problem, start, objective, least
