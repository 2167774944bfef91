"""Hard mode: greens stay, yellows are used again, repeated letters count; told five times over.

The word arrays of ``solver.hard``, the packed bits of the exact search and the letter counts of the
checker of proofs are held against two plain tellings of the rule.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.exact.table import score_table as rooms
from solver.exact.table.layout import score_table_of
from solver.game.grading import colours_of, parse_score
from solver.game.hard_mode import legal_after
from solver.game.wordle import WordleGame
from strategy.proofs.checker import board as boards
from tests.support import naive, naive_exact
from tests.support.worlds import game_of, made_up_games

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


@pytest.mark.plain
@pytest.mark.parametrize(("guess", "reply", "allowed", "forbidden"), BY_HAND)
def test_by_hand(guess: str, reply: str, allowed: list[str], forbidden: list[str]) -> None:
    game = game_of([guess, *allowed, *forbidden])
    history = [(game.guess_id(guess), parse_score(reply, 5))]
    legal = [game.guesses[at] for at in legal_after(game, history)]
    assert legal == sorted([guess, *allowed])
    assert naive_exact.legal_after(guess, reply, game.guesses) == legal


def some_moves(game: WordleGame, data: st.DataObject) -> tuple[int, Moves]:
    """A secret, by its place among the secrets, and up to three guesses with their scores."""
    secret = data.draw(st.integers(0, len(game.secrets) - 1))
    guesses = data.draw(st.lists(st.integers(0, len(game.guesses) - 1), max_size=3))
    word = game.secrets[secret]
    return secret, [(guess, naive.grade(game.guesses[guess], word)) for guess in guesses]


def by_pairs(game: WordleGame, secret: int, moves: Moves) -> list[int]:
    """The first plain telling: every word against every guess made."""
    return [
        at
        for at, word in enumerate(game.guesses)
        if all(naive.may_follow(word, game.guesses[g], game.secrets[secret]) for g, _ in moves)
    ]


def by_replies(game: WordleGame, moves: Moves) -> list[int]:
    """The second: what each reply leaves."""
    words: Sequence[str] = game.guesses
    for guess, score in moves:
        reply = "".join("byg"[colour] for colour in colours_of(score, game.length))
        words = naive_exact.legal_after(game.guesses[guess], reply, words)
    return [game.guess_id(word) for word in words]


def by_search(game: WordleGame, secret: int, moves: Moves) -> list[int]:
    """As the exact search packs it."""
    table = score_table_of(game, hard=True)
    column_of = {int(guess): column for column, guess in enumerate(table.guess)}
    shown = np.zeros(4, dtype=np.uint64)
    for guess, _ in moves:
        after = np.zeros(4, dtype=np.uint64)
        rooms.show(table, column_of[guess], secret, shown, after)
        shown = after
    return [g for g in range(len(game.guesses)) if rooms.is_legal(table, column_of[g], shown)]


def by_checker(game: WordleGame, secret: int, moves: Moves) -> list[int]:
    """As the checker of proofs counts it."""
    board = boards.new_board(game.guesses, game.secrets, 1, True)
    letters = {int(guess): board.letters[column] for column, guess in enumerate(board.guess)}
    hidden = letters[game.guess_id(game.secrets[secret])]
    shown = boards.nothing_shown(board)
    for guess, _ in moves:
        after = boards.nothing_shown(board)
        boards.show(letters[guess], hidden, shown, after)
        shown = after
    return [g for g in range(len(game.guesses)) if boards.is_legal(letters[g], shown)]


@pytest.mark.plain
@given(made_up_games(max_words=25, longest=7), st.data())
@settings(max_examples=100)
def test_all_tell_the_same(game: WordleGame, data: st.DataObject) -> None:
    secret, moves = some_moves(game, data)
    truth = by_pairs(game, secret, moves)
    assert by_replies(game, moves) == truth
    assert legal_after(game, moves).tolist() == truth
    assert by_search(game, secret, moves) == truth
    assert by_checker(game, secret, moves) == truth


@pytest.mark.plain
@given(made_up_games(max_words=25, longest=7), st.data())
@settings(max_examples=60)
def test_what_follows_from_the_rule(game: WordleGame, data: st.DataObject) -> None:
    secret, moves = some_moves(game, data)
    legal = legal_after(game, moves).tolist()
    assert game.guess_id(game.secrets[secret]) in legal  # the game can always be won
    assert legal_after(game, moves[::-1]).tolist() == legal  # the order does not matter
    assert legal_after(game, [*moves, *moves]).tolist() == legal
    fewer = legal_after(game, moves[1:]).tolist()
    assert set(legal) <= set(fewer)  # more is never asked less
    for guess, _ in moves[:1]:
        assert guess in legal_after(game, moves[:1])  # a guess uses all that it has shown
