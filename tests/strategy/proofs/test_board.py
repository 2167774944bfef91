"""The board of the checker of proofs, and the counting on it, against the naive twins."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solver.machine.jit import PLAIN
from strategy.proofs.checker import board as boards
from strategy.proofs.checker import parts
from strategy.proofs.checker.bounds import UNLIMITED
from strategy.proofs.checker.steps import WrongProofError, text_of_shown
from tests.support import naive
from tests.support.checker_twins import WORLD, checker_of, ids, lemma_2, some, word_of, words_at
from tests.support.naive_proof import legal_in
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain
plain_only = pytest.mark.skipif(not PLAIN, reason="a part of other kernels when compiled")

# --- the board ---------------------------------------------------------------------------------


def test_the_board() -> None:
    board = boards.new_board(WORLD.guesses, WORLD.secrets, 1, True)
    width = board.rows.shape[1]
    assert width % boards.LANES == 0
    assert 0 <= width - len(WORLD.guesses) < boards.LANES
    assert sorted(board.guess[: len(WORLD.guesses)]) == list(range(len(WORLD.guesses)))
    assert set(board.guess[len(WORLD.guesses) :]) <= {-1}
    assert list(board.parts) == sorted(board.parts, reverse=True)
    for column in range(width):
        if board.guess[column] < 0:
            assert (board.secret[column], board.parts[column]) == (-1, 0)
            continue
        word = word_of(WORLD, board, column)
        assert "".join(chr(97 + x) for x in board.letters[column]) == word
        secret = board.secret[column]
        assert (secret >= 0) == (word in WORLD.secrets)
        assert secret < 0 or (WORLD.secrets[secret], board.column[secret]) == (word, column)
        split = naive.split(word, WORLD.secrets)
        assert board.parts[column] == len(split)
        rows = [[WORLD.secrets.index(word) for word in bucket] for bucket in split.values()]
        codes = [set(board.rows[row, column].tolist()) for row in rows]
        assert sorted(codes, key=min) == [{code} for code in range(len(split))]


def test_scores_of_long_words() -> None:
    draw = random.Random(1)
    for length in (2, 5, 6, 11):
        words = tuple(sorted({"".join(draw.choices("abcz", k=length)) for _ in range(9)}))
        board = boards.new_board(words, words, 1, False)
        for column, guess in enumerate(board.guess[: len(words)]):
            assert board.parts[column] == len(naive.split(words[guess], words))


def test_what_hard_mode_shows_and_allows() -> None:
    checker, draw = checker_of(WORLD, hard=True), random.Random(2)
    board = checker.board
    for _ in range(60):
        shown, texts = boards.nothing_shown(board), set(WORLD.guesses)
        secret = draw.choice(WORLD.secrets)
        for _ in range(draw.randint(1, 3)):
            column = draw.randrange(len(WORLD.guesses))
            hidden = board.letters[board.column[WORLD.secrets.index(secret)]]
            new = np.zeros_like(shown)
            boards.show(board.letters[column], hidden, shown, new)
            guess = word_of(WORLD, board, column)
            texts = {w for w in texts if naive.may_follow(w, guess, secret)}
            shown = new
        legal = {
            word_of(WORLD, board, column)
            for column in range(len(WORLD.guesses))
            if boards.is_legal(board.letters[column], shown)
        }
        assert legal == texts == set(legal_in(text_of_shown(shown, checker.words.alphabet), WORLD))
        assert (checker.shown_of(text_of_shown(shown, checker.words.alphabet)) == shown).all()


NEVER_SHOWN = " ... a.. ..|a ....| ...|ba ...|A A..| a.1| ...|aaaa ...|a| ...|\u00e4 {..|"


@pytest.mark.parametrize("text", NEVER_SHOWN.split(" "))
def test_what_hard_mode_never_shows(text: str) -> None:
    with pytest.raises(WrongProofError, match="nothing that hard mode shows"):
        checker_of(WORLD, hard=True).shown_of(text)
    if text:
        with pytest.raises(WrongProofError):
            checker_of(WORLD).shown_of(text)
    assert not checker_of(WORLD).shown_of("").any()
    with pytest.raises(WrongProofError):
        checker_of(WORLD).shown_of("a..|a")
    checker = checker_of(WORLD, hard=True)
    first, last = checker.words.alphabet[0], checker.words.alphabet[-1]
    shown = checker.shown_of(f"{first}.{last}|{first}{first}{last}")
    assert shown[[0, 2, 3, -1]].tolist() == [1, len(checker.words.alphabet), 2, 1]


# --- counting ----------------------------------------------------------------------------------


def many_words() -> tuple[list[str], str, list[str]]:
    """Words, the one among them that parts them most, and one word of each of its parts."""
    draw = random.Random(3)
    many = sorted({"".join(draw.choices("abcdefgh", k=5)) for _ in range(150)})
    best = max(many, key=lambda guess: len(naive.split(guess, many)))
    return many, best, sorted(bucket[0] for bucket in naive.split(best, many).values())


@plain_only
def test_parts_are_counted() -> None:
    draw = random.Random(3)
    many, _, each = many_words()
    full = [game_of(many, each[:count]) for count in (64, 65, 66)]
    for game in (WORLD, game_of(many), *full):
        board = boards.new_board(game.guesses, game.secrets, 1, False)
        tally, lanes = parts.new_tally(), np.zeros(boards.LANES, dtype=np.int64)
        everyone = len(game.secrets)
        for size in (everyone,) if game in full else (1, 2, 3, 15, 16, 17, 18, everyone):
            members = some(draw, game, size, size)
            for first in {0, draw.randrange(0, board.rows.shape[1], boards.LANES)}:
                parts.count_parts(board, tally, ids(*members), first, lanes)
                for lane in range(boards.LANES):
                    if board.guess[first + lane] >= 0:
                        guess = word_of(game, board, first + lane)
                        assert lanes[lane] == len(naive.split(guess, words_at(game, members)))
        assert game not in full or int(board.parts.max()) == everyone


@pytest.mark.parametrize("count", [64, 65, 66])
def test_no_part_is_overlooked_where_a_guess_has_many(count: int) -> None:
    """Codes that just fill one word of 64 bits, or just do not: a part less would cost more."""
    many, best, each = many_words()
    game = game_of(many, each[:count])
    checker, members = checker_of(game), ids(*range(count))
    value = lemma_2(1, count, count, best in game.secrets, UNLIMITED)
    nothing = boards.nothing_shown(checker.board)
    assert checker.open_column(members, UNLIMITED, nothing, value) == -1
    column = checker.open_column(members, UNLIMITED, nothing, value + 1)
    assert len(naive.split(word_of(game, checker.board, column), game.secrets)) == count


@plain_only
@pytest.mark.parametrize("seed", range(20))
def test_bits_are_counted(seed: int) -> None:
    word = random.Random(seed).getrandbits(64) if seed > 1 else seed * ((1 << 64) - 1)
    assert int(parts._ones(np.uint64(word))) == word.bit_count()
