"""Small games for property tests: words over few letters or of any script, lists, codes."""

import random
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from solver.advice.totals import MeasuredState
from solver.game.codes import CodeSpace
from solver.game.game import Game
from solver.game.mastermind import MastermindGame, mastermind_game
from solver.game.wordle import WordleGame
from solver.machine.arrays import Ids
from solver.splits.measures import fixed_log_weights
from solver.words.lists import named_list
from tests.support import PLAIN

#: All words that may be guessed.
EVERYTHING = named_list("original", "allowed").words
#: Letters of words that are made up: of one script, or of several, digits among them.
SCRIPTS = (
    "abcdefghijkl", "abcdefghijkl", "\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b8",
    "a\u00df\u05d0\u5e74z0\u00f1\u04f91\u03c32\u0431",
)  # fmt: skip


def game_of(guesses: list[str], secrets: list[str] | None = None) -> WordleGame:
    """A game of some words; all of them may be hidden unless said otherwise."""
    words = tuple(sorted(guesses))
    return WordleGame("test", "test", words, tuple(sorted(secrets or words)))


def all_secrets(game: Game) -> Ids:
    """The secrets of a game by their numbers, as kernels take them."""
    return np.arange(len(game.secrets), dtype=np.int32)


#: Tables of 3 to the power of the length are slow to go through without compilation.
LONGEST = 6 if PLAIN else 11


@st.composite
def made_up_games(
    draw: st.DrawFn, max_words: int = 40, shortest: int = 2, longest: int = LONGEST
) -> WordleGame:
    """Words of 2 to 11 letters, of any script, with many repeats; some of them secrets."""
    length = draw(st.integers(shortest, longest))
    alphabet = draw(st.sampled_from(SCRIPTS))[: draw(st.integers(2, 12))]
    word = st.text(alphabet, min_size=length, max_size=length)
    guesses = draw(st.lists(word, min_size=2, max_size=max_words, unique=True))
    secrets = draw(st.lists(st.sampled_from(guesses), min_size=1, unique=True))
    return game_of(guesses, secrets)


@st.composite
def real_games(draw: st.DrawFn, least: int = 50, most: int = 300) -> WordleGame:
    """A random part of the original list, half of it secrets or all."""
    random = draw(st.randoms(use_true_random=False))
    guesses = random.sample(EVERYTHING, draw(st.integers(least, most)))
    secrets = guesses[: len(guesses) // 2] if draw(st.booleans()) else guesses
    return game_of(guesses, secrets)


def some_candidates(data: st.DataObject, secrets: int, least: int, most: int) -> Ids:
    """Some of so many secrets, at least so many if there are."""
    size = min(least, secrets)
    chosen = st.sets(st.integers(0, secrets - 1), min_size=size, max_size=max(size, most))
    return np.array(sorted(data.draw(chosen)), dtype=np.int32)


def small_game(seed: int, guesses: int, secrets: int) -> Game:
    """A Wordle game over a random part of the original list."""
    draw = random.Random(seed)
    words = draw.sample(EVERYTHING, guesses)
    return game_of(words, draw.sample(words, secrets))


def some_world(dice: random.Random, least: int, most: int) -> WordleGame:
    """Words at random, or words that resemble each other: those are hard to tell apart."""
    count = dice.randint(least, most)
    if dice.random() < 0.5:
        centre = dice.choice(EVERYTHING)
        near = sorted(
            dice.sample(EVERYTHING, 2000), key=lambda word: -sum(map(str.__eq__, word, centre))
        )
        guesses = dice.sample(near[: 2 * count], count)
    else:
        guesses = dice.sample(EVERYTHING, count)
    secrets = dice.sample(guesses, dice.randint(min(3, count), count))
    return game_of(guesses, secrets)


def of_few_letters(dice: random.Random, letters: str, most: int, least: int) -> WordleGame:
    """Words hard to tell apart, 8 or more: small limits cannot be met, and much is lost."""
    words = sorted({"".join(dice.choices(letters, k=3)) for _ in range(dice.randint(8, most))})
    return game_of(words, dice.sample(words, dice.randint(least, len(words))))


def words_by_score(guess: str) -> list[str]:
    """A word for every score that a guess without repeats can get, as far as there is one."""
    places, found = range(len(guess)), set()
    for score in product(range(3), repeat=len(guess)):
        word = [guess[at] if score[at] == 2 else "z" for at in places]
        yellow = [at for at in places if score[at] == 1]
        grey = [at for at in places if score[at] == 0]
        to = grey[:1] if len(yellow) == 1 else yellow[1:] + yellow[:1]
        for source, target in zip(yellow, to, strict=False):
            word[target] = guess[source]
        if len(to) == len(yellow):
            found.add("".join(word))
    return sorted(found)


def alike(seed: int, guesses: int, secrets: int) -> WordleGame:
    """Words of few letters: large buckets, and secrets that bear the same marks."""
    dice = random.Random(seed)
    words = [word for word in EVERYTHING if len(set(word) & set("aeiolnrst")) >= 4]
    drawn = dice.sample(words, guesses)
    return game_of(drawn, drawn[:secrets])


def measured(game: Game, states: Iterable[Iterable[str]]) -> list[MeasuredState]:
    """States as the exact totals take them, from their secrets."""
    ids = ([game.secrets.index(word) for word in state] for state in states)
    return [MeasuredState.of(game, np.array(state, dtype=np.int32)) for state in ids]


def joint_weight(game: Game, *words: str) -> int:
    """The weight of words guessed together, by plain counting."""
    weights = fixed_log_weights(len(game.secrets))
    sizes = Counter(tuple(game.grade(word, secret) for word in words) for secret in game.secrets)
    return sum(int(weights[size]) for size in sizes.values())


def ranked_pairs(game: Game, words: tuple[str, ...]) -> list[tuple[int, tuple[str, str]]]:
    """All pairs, best first, ties in alphabetical order."""
    weights = fixed_log_weights(len(game.secrets)).tolist()
    rows = {word: [game.grade(word, secret) for secret in game.secrets] for word in words}

    def weight(a: str, b: str) -> int:
        return sum(weights[size] for size in Counter(zip(rows[a], rows[b], strict=True)).values())

    return sorted((weight(*pair), pair) for pair in combinations(words, 2))


#: A small game, and its lists as they are kept in a folder of the user.
WORDS = ["aab", "abb", "abc", "acb", "bab", "bca", "cab", "cba", "ccb", "bbc"]
GAME = game_of(WORDS, WORDS[:7])
GUESSES, SECRETS = list(GAME.guesses), list(GAME.secrets)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept lists, with those of the game."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "knuthle" / "lists"
    folder.mkdir(parents=True)
    for name, words in (("mine-allowed", GUESSES), ("mine-answers", SECRETS)):
        (folder / f"{name}.txt").write_text("\n".join(words) + "\n")
    (folder / "alone-allowed.txt").write_text("ab\ncd")
    return folder


@cache
def board_of(board: str) -> MastermindGame:
    return mastermind_game(f"mastermind:{board}")


def space_of(board: str) -> CodeSpace:
    """All codes of a board, as kernels see them."""
    space = board_of(board).code_space
    assert space is not None
    return space


class Plain(MastermindGame):
    """The same game without a search of its own: by the score matrix, all guesses looked at."""

    code_space = None


def plain(board: str) -> Plain:
    here = board_of(board)
    return Plain("plain", "plain", here.guesses, here.secrets, here.board)


def orbits(game: Game, candidates: set[str]) -> dict[str, set[str]]:
    """Each code with all that renamings make of it which leave the candidates as they are.

    A colour that no candidate has may stand for any other such colour.
    """
    symbols = sorted({*"".join(game.guesses)})
    maps = []
    for colours in permutations(symbols):
        paint = dict(zip(symbols, colours, strict=True))
        for order in permutations(range(game.length)):
            turned = {"".join(paint[code[hole]] for hole in order) for code in candidates}
            if turned == candidates:
                maps.append((paint, order))
    absent = [symbol for symbol in symbols if all(symbol not in code for code in candidates)]
    alike = {}
    for code in game.guesses:
        found, waiting = {code}, [code]
        while waiting:
            here = waiting.pop()
            near = {"".join(paint[here[hole]] for hole in order) for paint, order in maps}
            for at, sign in enumerate(here):
                near |= {here[:at] + x + here[at + 1 :] for x in absent if sign in absent}
            new = (near & {*game.guesses}) - found
            found |= new
            waiting += new
        alike[code] = found
    return alike


small_boards = st.sampled_from(
    "1x2 1x6 2x2 2x3 2x5 3x2 3x3 3x4 4x3 5x2 2x4:distinct 3x5:distinct".split()
)
boards = small_boards | st.sampled_from("4x6 2x12 3x10 6x4 4x7:distinct 8x3 10x2".split())


#: Words of one length a script, from dictionaries: name → words.
LISTS = {
    "spanish": "cañón cañas araña arpón señal señor sueño niñez piñón uñada ozono añejo dueño",
    "german": "größe stoß grüße maßen älter öfter süßer müßig weiß büßer größer heißt spaß fuß",
    "greek": "λόγος νόμος άλλος τόπος χώρος νέφος δρόμος τρόπος χρόνος πόνος φόβος όλους πόλης",
    "cyrillic": "ёлка ночь день вода рука нога поле море тело дело мать рожь ложь съел ёмко",
    "hebrew": "שלום תודה ילדה כלבה מלכה חברה עבדה נערה שמלה דולר ספרי שלמה מלון",
    "joining": "abᄀ ᅡbc ᅡcd cbᄀ ᅡbb abc acd cdᄀ dbᄀ ᅡdd",  # letters that make one where words meet
    "digits": "01234 12340 56789 00112 22110 98765 13579 02468 11111 22222 12121 21212",
}


def words_in(script: str) -> list[str]:
    """The words of a script that have the commonest length of its list."""
    words = LISTS[script].split()
    lengths = [len(word) for word in words]
    common = max(sorted(set(lengths)), key=lengths.count)
    return [word for word in words if len(word) == common]


#: Letters of several scripts and widths, in the order of their code points.
MIXED = "0123456789abcdefghijklmnopqrstuvwxyzßñαβγδεабвгдяאבגש一三二五六四年日月本語"


def made_up(letters: int, length: int, count: int, seed: int) -> list[str]:
    """Different words of so many letters, all of which occur if the words have room for them."""
    draw, alphabet = random.Random(seed), MIXED[:letters]
    spelled = "".join(alphabet) * (-(-count * length // letters))
    cut = [spelled[at : at + length] for at in range(0, count * length, length)]
    drawn = {"".join(draw.choice(alphabet) for _ in range(length)) for _ in range(4 * count)}
    found = dict.fromkeys([*cut[: -(-letters // length)], *sorted(drawn)])
    return sorted(list(found)[:count])
