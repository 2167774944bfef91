"""Wordle: grading, scores and states as people write them, hard mode five times, replies."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.exact.kernels import score_table as rooms
from solver.exact.table_layout import score_table_of
from solver.game import score_matrix, wordle
from solver.game.adversary import ReplyOrder
from solver.game.load import load_game
from solver.game.reply_order import best_reply, number_replies
from solver.game.wordle import WordleGame, colours_of, legal_after, parse_score
from solver.machine.arrays import LINE
from strategy.checkers import lemmas
from strategy.checkers.verify import grade_wordle
from tests.support import PLAIN, naive, refused
from tests.support.naive_play import reply_of
from tests.support.worlds import all_secrets, game_of, made_up_games

pytestmark = pytest.mark.plain

WORDS = st.text(alphabet="abcde", min_size=5, max_size=5)
SCORES = st.integers(min_value=0, max_value=242)
GAME = load_game()


@pytest.mark.parametrize(("guess", "secret", "score"), [
    ("speed", "abide", "bbyby"), ("speed", "erase", "ybyyb"), ("speed", "steal", "gbgbb"),
    ("speed", "crepe", "bygyb"), ("allee", "eagle", "yybyg"), ("geese", "these", "bbggg"),
    ("aabbb", "bbbaa", "yygyy"),
])  # fmt: skip
def test_repeated_letters(guess: str, secret: str, score: str) -> None:
    assert wordle.format_score(wordle.grade(guess, secret), 5) == score


@given(WORDS, WORDS, st.permutations("abcde"))
def test_what_any_grader_does(guess: str, secret: str, names: list[str]) -> None:
    score = wordle.grade(guess, secret)
    assert score == naive.grade(guess, secret) == grade_wordle(guess, secret)
    assert (score == wordle.solved_score(5)) == (guess == secret)
    colours = colours_of(score, 5)
    for letter in set(guess):
        hits = sum(1 for g, c in zip(guess, colours, strict=True) if g == letter and c)
        assert hits == min(guess.count(letter), secret.count(letter))
    assert Counter(colours) == Counter(colours_of(wordle.grade(secret, guess), 5))
    renamed = str.maketrans("abcde", "".join(names))
    assert wordle.grade(guess.translate(renamed), secret.translate(renamed)) == score


@given(SCORES, st.sampled_from(sorted(wordle.NOTATIONS.values())), st.sampled_from("._-"))
def test_every_notation_is_read_back(score: int, symbols: str, grey: str) -> None:
    """And any grey goes with any letters."""
    for colours in (symbols, f"{grey}yg", f"{grey}po"):
        text = wordle.format_score(score, 5, colours)
        assert wordle.parse_score(text, 5) == wordle.parse_score(text.upper(), 5) == score


def test_tiles_may_carry_variation_selectors_and_greys_be_mixed() -> None:
    assert wordle.parse_score("⬛\ufe0f🟨🟩⬛⬛", 5) == naive.score_of("bygbb")
    for text in ("bybbx", "xybb-", "b1bb0", "bpbxx", "_y-bx"):
        assert wordle.parse_score(text, 5) == naive.score_of("bybbb"), text
    refused(WrongInputError, "has 0 marks", wordle.parse_score, "", 5)


#: A guess, its reply, words that may follow, words that may not.
BY_HAND = [
    ("crane", "bbbbb", ["moist", "eerie"], []),
    ("crane", "bbgbb", ["slate", "aaaaa"], ["about", "moist"]),
    ("crane", "bbybb", ["about", "slate"], ["moist"]),  # a yellow letter need not move
    ("eerie", "ybbbb", ["crane", "moved"], ["moist"]),  # one e is shown: one is enough
    ("eerie", "yybbb", ["geese", "elope"], ["crane"]),  # two are shown: two are asked
    ("geese", "bgbbg", ["genre", "delve"], ["eagle", "beach"]),
    ("geese", "bgbby", ["beech", "sever"], ["beach", "elope"]),  # a green and a yellow
    ("allay", "ygbyb", ["flaxa", "alala"], ["larva", "slain", "aloud"]),
]

Moves = list[tuple[int, int]]


@pytest.mark.parametrize(("guess", "reply", "allowed", "forbidden"), BY_HAND)
def test_by_hand(guess: str, reply: str, allowed: list[str], forbidden: list[str]) -> None:
    game = game_of([guess, *allowed, *forbidden])
    history = [(game.guess_id(guess), parse_score(reply, 5))]
    legal = [game.guesses[at] for at in legal_after(game, history)]
    assert legal == sorted([guess, *allowed])
    assert naive.legal_after(guess, reply, game.guesses) == legal


def by_search(game: WordleGame, secret: int, moves: Moves) -> list[int]:
    table = score_table_of(game, hard=True)
    column_of = {int(guess): column for column, guess in enumerate(table.guess)}
    shown = rooms.revealed_by(table, (column_of[guess] for guess, _ in moves), secret)
    return [g for g in range(len(game.guesses)) if rooms.is_legal(table, column_of[g], shown)]


def by_checker(game: WordleGame, secret: int, moves: Moves) -> list[int]:
    board = lemmas.new_board(game.guesses, game.secrets, 1, False)
    shown = np.zeros(game.length + len(lemmas.alphabet_of(game.guesses)), dtype=np.uint8)
    for guess, _ in moves:
        shown = lemmas.show_more(board, guess, board.guess_of[secret], shown)
    return [int(guess) for guess in lemmas.legal_guesses(board, shown)]


@given(made_up_games(max_words=25, longest=7), st.data())
@settings(max_examples=80)
def test_all_tell_the_same_and_what_follows(game: WordleGame, data: st.DataObject) -> None:
    secret = data.draw(st.integers(0, len(game.secrets) - 1))
    guesses = data.draw(st.lists(st.integers(0, len(game.guesses) - 1), max_size=3))
    words: Sequence[str] = game.guesses
    moves = []
    for guess in guesses:
        reply = naive.marks(game.guesses[guess], game.secrets[secret])
        moves.append((guess, naive.score_of(reply)))
        words = naive.legal_after(game.guesses[guess], reply, words)
        assert "".join("byg"[it] for it in colours_of(moves[-1][1], game.length)) == reply
    legal = [game.guess_id(word) for word in words]
    assert legal_after(game, moves).tolist() == legal
    assert by_search(game, secret, moves) == legal == by_checker(game, secret, moves)
    assert game.guess_id(game.secrets[secret]) in legal  # the game can always be won
    for same in (moves[::-1], [*moves, *moves]):  # the order does not matter
        assert legal_after(game, same).tolist() == legal
    assert set(legal) <= {*legal_after(game, moves[1:])}  # more is never asked less
    for guess, _ in moves[:1]:
        assert guess in legal_after(game, moves[:1])  # a guess uses all that it has shown


@st.composite
def clues(draw: st.DrawFn) -> tuple[list[int], list[int], int, list[int]]:
    """Greens and yellows of a few scores, which of them solves, and what candidates give."""
    count = draw(st.integers(1, 30))
    numbers = st.lists(st.integers(0, 5), min_size=count, max_size=count)
    score = st.integers(0, count - 1)
    given_scores = draw(st.lists(score, min_size=1, max_size=40))
    return draw(numbers), draw(numbers), draw(score), given_scores


@given(clues())
def test_the_kernels_follow_the_order(world: tuple[list[int], list[int], int, list[int]]) -> None:
    greens, yellows, solved, scores = world
    every = range(len(greens))
    order = sorted(every, key=lambda it: (it == solved, greens[it], yellows[it], it))
    most = max(scores.count(score) for score in every)
    kept = next(score for score in order if scores.count(score) == most)
    row = np.array(scores, dtype=np.int32)
    kernels = number_replies, best_reply
    plain = (getattr(kernel, "py_func", kernel) for kernel in kernels)
    for numbered, reply in (kernels, plain):
        numbers = np.full(len(greens), -1, dtype=np.int32)
        given_clues = (np.array(each, dtype=np.int32) for each in (greens, yellows))
        numbered(*given_clues, solved, numbers)
        assert np.argsort(numbers).tolist() == order
        assert reply(row, numbers) == kept


@pytest.mark.parametrize("length", [2, 5, 6])
def test_the_reply_of_a_game(length: int) -> None:
    dice = np.random.default_rng(length)
    words = sorted({"".join(dice.choice(list("abc"), length)) for _ in range(40)})
    game = load_game(words)
    for guess in words:
        row = game.score_rows(np.array([game.guess_id(guess)], dtype=np.int32))[0]
        score, kept = ReplyOrder(game).reply_of(row)
        left = tuple(word for word, is_kept in zip(game.secrets, kept, strict=True) if is_kept)
        assert (score, left) == reply_of(guess, game.secrets)


STEPS = st.lists(st.tuples(st.sampled_from(GAME.secrets), SCORES), max_size=6)


@pytest.mark.parametrize(("text", "history"), [
    ("", ()), ("lares.......", (("lares", 0),)), ("lares.....", (("lares", 0),)),
    ("LARES ⬛⬛⬛⬛⬛", (("lares", 0),)), ("lares.y....", (("lares", 1),)),
    ("lares...y..", (("lares", 9),)), ("lares   y....", (("lares", 1),)),
    ("parse.BYBBB.clint.bbyyb", (("parse", 3), ("clint", 36))),
    ("sigma xxxxx tenor xpppx", (("sigma", 0), ("tenor", 39))),
    ("sigma:00000, tenor:01110", (("sigma", 0), ("tenor", 39))),
    ("lares.......cling.bybbb", (("lares", 0), ("cling", 3))),
    ("laresbbbbbclingbybbb", (("lares", 0), ("cling", 3))),
    ("lares.bbbbb." * 3000, (("lares", 0),) * 3000), ("lares...y..." * 200, (("lares", 9),) * 200),
    # grey marks that also separate
    ("lares..gbbb", (("lares", 6),)), ("lares .gbbb", (("lares", 6),)),
    ("tares b.y..", (("tares", 9),)), ("lares.gyyg.", (("lares", 68),)),
    ("crane-yg--", (("crane", 21),)), ("lares _y___ crane -yg--", (("lares", 3), ("crane", 21))),
    ("laresy....clingbybbb", (("lares", 1), ("cling", 3))),
    ("lares.....cling.bybbb", (("lares", 0), ("cling", 3))),
])  # fmt: skip
def test_states_are_read(text: str, history: tuple[tuple[str, int], ...]) -> None:
    assert GAME.parse_state(text) == tuple(GAME.read_state(text)) == history


#: Notations of scores, each with the separators that may stand beside it.
NOTATIONS = [*wordle.NOTATIONS.values(), ".yg", "-yg", "_yg", ".12", "-po"]
SEPARATED = st.tuples(st.sampled_from(NOTATIONS), st.sampled_from([".", " ", ", ", ": ", "/"]))
JOINED = st.tuples(st.sampled_from(list(wordle.NOTATIONS.values())), st.just(""))


def written(steps: list[tuple[str, int]], notation: str) -> list[str]:
    return [it for word, score in steps for it in (word, wordle.format_score(score, 5, notation))]


@given(STEPS, SEPARATED | JOINED)
def test_every_notation_of_states_is_read_back(
    steps: list[tuple[str, int]], how: tuple[str, str]
) -> None:
    notation, between = how
    assert GAME.parse_state(between.join(written(steps, notation))) == tuple(steps)
    text = GAME.format_state(steps)
    assert GAME.parse_state(text) == GAME.parse_state(text.replace(".", " ")) == tuple(steps)


@given(STEPS, SEPARATED | JOINED, st.data())
def test_mark_lost(steps: list[tuple[str, int]], how: tuple[str, str], data: st.DataObject) -> None:
    """Without one of its marks a score must not borrow a separator; dots alone are grey anyway."""
    notation, between = how
    tokens = written(steps or [("crane", 21)], notation)
    short = 2 * data.draw(st.integers(0, len(tokens) // 2 - 1)) + 1
    gone = data.draw(st.integers(0, 4))
    tokens[short] = tokens[short][:gone] + tokens[short][gone + 1 :]
    if set(tokens[short]) == {"."} and between == ".":
        return
    for end in ("", between):
        if between == "." and (tokens[short + 1 :] or end) and notation[0] not in tokens[short]:
            continue  # a dot after four marks without a grey one is the fifth: it is read so
        refused(WrongInputError, "", GAME.read_state, between.join(tokens) + end)


class Counted(str):
    """A text that counts the characters that are taken out of it."""

    taken = 0

    def __getitem__(self, key: Any) -> str:
        found = super().__getitem__(key)
        Counted.taken += len(found)
        return found


@pytest.mark.parametrize("step", ["lares.bybbb.", "lares" + 6 * " " + "bybbb", "lares.....y."])
def test_the_work_for_a_state_grows_with_its_length(step: str) -> None:
    """Twice the text is twice the work, be it words and scores or one long gap."""
    taken = []
    for count in (200, 400):
        text = Counted(step * count + " " * (5 * count) + "lares bbbbb")
        Counted.taken = 0
        for separators in ("one", "none", "any"):
            GAME._read_steps(text, separators, [])
        taken.append(Counted.taken)
    assert taken[1] < 2.5 * taken[0]


@pytest.mark.plain
@settings(max_examples=20 if PLAIN else 100)
@given(made_up_games(max_words=12))
def test_all_of_the_matrix_and_parts_are_the_rule(game: WordleGame) -> None:
    scores, everything = game.score_rows(), all_secrets(game)
    truth = [[naive.grade(guess, secret) for secret in game.secrets] for guess in game.guesses]
    assert scores.dtype == game.score_dtype and scores.tolist() == truth
    assert scores.ctypes.data % LINE == 0 and scores.strides[0] % LINE == 0
    assert (game.row_source()(everything) == scores.T).all()
    assert (score_matrix.transposed(scores) == scores.T).all()
    some = np.arange(len(game.guesses), dtype=np.int32)[::-2]
    assert (game.score_rows(some, everything[::2]) == scores[some][:, ::2]).all()
    assert (game.score_rows(some[:0]).shape) == (0, len(game.secrets))
    assert (game.row_source(some)(everything) == scores[some].T).all()


@given(made_up_games())
def test_rows_at_need_are_those_of_the_matrix(game: WordleGame) -> None:
    everything = all_secrets(game)
    for pool in (None, game.secret_ids):
        source, whole = game.row_source(pool), game.score_rows(pool).T
        for asked in (everything[:0], everything[::2], everything[::-1]):
            assert (source(asked) == whole[asked]).all()
    with patch.multiple(score_matrix, COLUMNS_LIMIT=0):
        source, whole = game.row_source(), game.score_rows().T
        for step in (1, 2, -1):
            assert (source(everything[::step]) == whole[::step]).all()


def test_long_rows_are_made_in_strips() -> None:
    """One guess has few columns, so that its row is made at once; that of all guesses is not."""
    game = load_game(secrets="allowed")
    whole, dice = game.score_rows(), np.random.default_rng(7)
    for guess in range(0, len(game.guesses), 1_000):
        [row] = game.score_rows(np.array([guess], dtype=np.int32))
        assert (row == whole[guess]).all()
    for guess, secret in dice.integers(0, len(game.guesses), (4_000, 2)).tolist():
        assert whole[guess, secret] == naive.grade(game.guesses[guess], game.guesses[secret])
