"""The board of the checker of proofs, the counting on it, and the bounds that it knows."""

import random
from itertools import combinations, permutations, product

import numpy as np
import pytest

from solver.machine.jit import PLAIN
from strategy.proofs.checker import board as boards
from strategy.proofs.checker.bounds import UNLIMITED
from strategy.proofs.checker.check import WrongProofError, text_of_revealed
from tests.support import naive, refused
from tests.support.checker_twins import (
    LEFTS,
    WIDE,
    WIDEST,
    WORLD,
    checker_of,
    ids,
    lemma_2,
    some,
    state,
    word_of,
    words_at,
)
from tests.support.naive_checker import requires_no_more
from tests.support.naive_proof import legal_in
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain

plain_only = pytest.mark.skipif(not PLAIN, reason="a part of other kernels when compiled")


# --- the board ---------------------------------------------------------------------------------
def test_the_board() -> None:
    board = boards.new_board(WORLD.guesses, WORLD.secrets, 1, True)
    width = board.rows.shape[1]
    assert width % boards.BLOCK == 0 and 0 <= width - len(WORLD.guesses) < boards.BLOCK
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
        revealed, texts = boards.nothing_revealed(board), set(WORLD.guesses)
        secret = draw.choice(WORLD.secrets)
        for _ in range(draw.randint(1, 3)):
            column = draw.randrange(len(WORLD.guesses))
            hidden = board.letters[board.column[WORLD.secrets.index(secret)]]
            new = np.zeros_like(revealed)
            boards.reveal(board.letters[column], hidden, revealed, new)
            guess = word_of(WORLD, board, column)
            texts = {w for w in texts if naive.may_follow(w, guess, secret)}
            revealed = new
        legal = {
            word_of(WORLD, board, column)
            for column in range(len(WORLD.guesses))
            if boards.is_legal(board.letters[column], revealed)
        }
        assert (
            legal
            == texts
            == set(legal_in(text_of_revealed(revealed, checker.words.alphabet), WORLD))
        )
        assert (
            checker.revealed_of(text_of_revealed(revealed, checker.words.alphabet)) == revealed
        ).all()


@pytest.mark.parametrize(
    "text", " ... a.. ..|a ....| ...|ba ...|A A..| a.1| ...|aaaa ...|a| ...|\u00e4 {..|".split(" ")
)
def test_what_hard_mode_never_shows(text: str) -> None:
    with pytest.raises(WrongProofError, match="is not a record of hard mode"):
        checker_of(WORLD, hard=True).revealed_of(text)
    if text:
        refused(WrongProofError, "", checker_of(WORLD).revealed_of, text)
    assert not checker_of(WORLD).revealed_of("").any()
    refused(WrongProofError, "", checker_of(WORLD).revealed_of, "a..|a")
    checker = checker_of(WORLD, hard=True)
    first, last = checker.words.alphabet[0], checker.words.alphabet[-1]
    revealed = checker.revealed_of(f"{first}.{last}|{first}{first}{last}")
    assert revealed[[0, 2, 3, -1]].tolist() == [1, len(checker.words.alphabet), 2, 1]


def test_a_state_may_show_all_letters() -> None:
    checker = checker_of(game_of(["aab", "aba", "bab"]), hard=True)
    assert checker.revealed_of("ab.|ab").tolist() == [1, 2, 0, 1, 1]


# --- counting ----------------------------------------------------------------------------------
def many_words() -> tuple[list[str], str, list[str]]:
    """Words, the one among them that parts them most, and one word of each of its parts."""
    draw = random.Random(3)
    many = sorted({"".join(draw.choices("abcdefgh", k=5)) for _ in range(150)})
    best = max(many, key=lambda guess: len(naive.split(guess, many)))
    return many, best, sorted(bucket[0] for bucket in naive.split(best, many).values())


@plain_only
def test_parts_are_counted() -> None:
    """Wherever a column stands: it may have more codes than those before it have parts."""
    draw = random.Random(3)
    many, _, each = many_words()
    full = [game_of(many, each[:count]) for count in (64, 65, 66)]
    for game in (WORLD, game_of(many), WIDE, WIDEST, *full):
        board = boards.new_board(game.guesses, game.secrets, 1, False)
        tally, codes = boards.new_tally(), int(board.parts.max())
        assert codes == int(board.rows.max()) + 1
        everyone = len(game.secrets)
        for size in (everyone,) if game in (*full, WIDEST) else (1, 2, 3, 15, 16, 17, 18, everyone):
            members = some(draw, game, size, size)
            order = np.array(draw.sample(range(board.rows.shape[1]), board.rows.shape[1]))
            blocks = range(0, len(order), boards.BLOCK)
            for columns, first in product((np.arange(len(order)), order), blocks):
                boards.count_parts(board.rows[:, columns], codes, tally, ids(*members), first)
                for lane, column in enumerate(columns[first : first + boards.BLOCK]):
                    if board.guess[column] >= 0:
                        guess = word_of(game, board, column)
                        assert tally.parts[lane] == len(naive.split(guess, words_at(game, members)))
        assert game not in full or codes == everyone
        assert game is not WIDEST or codes > 256


@pytest.mark.parametrize("count", [64, 65, 66])
def test_no_part_is_overlooked_where_a_guess_has_many(count: int) -> None:
    """Codes that just fill one word of 64 bits, or just do not: a part less would cost more."""
    many, best, each = many_words()
    game = game_of(many, each[:count])
    checker = checker_of(game)
    whole, value = checker.whole(), lemma_2(1, count, count, best in game.secrets, UNLIMITED)
    assert checker.open_column(whole, value) == -1
    column = checker.open_column(whole, value + 1)
    assert len(naive.split(word_of(game, checker.board, column), game.secrets)) == count


@plain_only
@pytest.mark.parametrize("seed", range(20))
def test_bits_are_counted(seed: int) -> None:
    word = random.Random(seed).getrandbits(64) if seed > 1 else seed * ((1 << 64) - 1)
    assert int(boards._ones(np.uint64(word))) == word.bit_count()


@pytest.mark.parametrize("hard", [False, True])
def test_facts_are_known_by_the_whole_state(hard: bool) -> None:
    checker, draw = checker_of(WORLD, hard=hard), random.Random(6)
    board = checker.board
    texts = ["...|", "a..|", "b..|", "a..|a", "ab.|ab", "...|a", "...|aa"] if hard else [""]
    entries, room = 12, 60
    table = boards.new_known_bounds(board, entries, room)
    noted: list[tuple[tuple[int, ...], int, str, int]] = []
    used = 0
    sets = [some(draw, WORLD, 1, 8) for _ in range(6)]
    for _ in range(300):
        members, left, text = draw.choice(sets), draw.choice(LEFTS), draw.choice(texts)
        value = draw.randint(0, 50)
        if len(noted) == entries or used + len(members) > room:
            noted, used = [], 0
        boards.note_bound(table, state(members, left, checker.revealed_of(text)), value)
        noted.append((members, left, text, value))
        used += len(members)
        assert table.used.tolist() == [len(noted), used]
        members, left, text = draw.choice(sets), draw.choice(LEFTS), draw.choice(texts)
        best = max(
            (v for m, k, t, v in noted if m == members and k >= left and requires_no_more(t, text)),
            default=-1,
        )
        asked = state(members, left, checker.revealed_of(text))
        assert boards.known_bound(board, table, asked) == best


def test_facts_have_their_room() -> None:
    """What has no room drives out all others; nothing is written beyond the end."""
    checker = checker_of(WORLD)
    board, nothing = checker.board, checker.revealed_of("")
    first, second = state((0, 1, 2), 3, nothing), state((3, 4, 5), 3, nothing)
    for entries, room, used in (
        (2, 6, [2, 6]), (2, 5, [1, 3]), (1, 6, [1, 3]), (1, 3, [1, 3]), (3, 2, [0, 0]),
        (0, 5, [0, 0]),
    ):  # fmt: skip
        table = boards.new_known_bounds(board, entries, room)
        for noted, value in ((first, 7), (second, 8)):
            boards.note_bound(table, noted, value)
            assert boards.known_bound(board, table, noted) == (value if used[0] else -1)
        assert table.used.tolist() == used
        assert boards.known_bound(board, table, first) == (7 if used[0] == 2 else -1)


@plain_only
@pytest.mark.parametrize("at", range(3))
def test_rows_differ_wherever_they_do(at: int) -> None:
    assert boards.are_equal(ids(5, 6, 7), ids(5, 6, 7))
    assert not boards.are_equal(ids(5, 6, 7), ids(*(x + (x == 5 + at) for x in (5, 6, 7))))


def test_facts_of_sets_of_one_chain() -> None:
    checker = checker_of(WORLD)
    nothing = checker.revealed_of("")
    table = boards.new_known_bounds(checker.board, 3, 60)
    chains: dict[int, list[tuple[int, ...]]] = {}
    for count in (2, 3):
        for members in combinations(range(len(WORLD.secrets)), count):
            chains.setdefault(int(boards.chain_start(table, ids(*members))), []).append(members)
    pairs = [pair for chain in chains.values() for pair in permutations(chain, 2)]
    alike = next((a, b) for a, b in pairs if len(a) == len(b) and a[-1] != b[-1])
    longer = next((a, b) for a, b in pairs if a[:-1] == b)
    for noted, other in (alike, alike[::-1], longer, longer[::-1]):
        table = boards.new_known_bounds(checker.board, 3, 60)
        boards.note_bound(table, state(noted, 3, nothing), 9)
        assert boards.known_bound(checker.board, table, state(noted, 3, nothing)) == 9
        assert boards.known_bound(checker.board, table, state(other, 3, nothing)) == -1
