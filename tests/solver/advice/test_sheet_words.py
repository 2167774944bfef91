"""Second words of cheat sheets: published ones, and by plain counting."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.cheatsheet import cheat_sheet
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from tests.support import naive, published
from tests.support.joint import joint_weight
from tests.support.worlds import game_of, real_games


def test_published_cheat_sheets() -> None:
    game = load_game()
    for group, expected in (("hits", published.BY_HITS), ("colours", published.BY_COLOURS)):
        sheet = cheat_sheet(game, "soare", group=group)
        rows = {row.key[0]: row for row in sheet.rows}
        for key, (word, entropy, answers) in expected.items():
            assert (rows[key].word, rows[key].answers) == (word, answers)
            assert rows[key].joint_entropy == pytest.approx(entropy, abs=1e-9)
        assert sum(row.answers for row in sheet.rows) == 2315
        assert 100 * sheet.shares()["clint"] == pytest.approx(published.CLINT_SHARE, abs=5e-3)


@settings(max_examples=10)
@given(real_games(30, 60), st.sampled_from(["score", "hits", "colours"]), st.sampled_from([2, 3]))
def test_cheat_sheet_by_plain_counting(game: Game, group: str, depth: int) -> None:
    def seen(word: str, secret: str) -> str:
        marks = naive.marks(word, secret)
        hits, both = len(marks) - marks.count("b"), f"{marks.count('y')},{marks.count('g')}"
        return {"score": marks, "hits": str(hits), "colours": both}[group]

    sheet = cheat_sheet(game, game.guesses[0], group=group, depth=depth)
    for row in sheet.rows:
        left = [
            secret
            for secret in game.secrets
            if all(seen(w, secret) == k for w, k in zip(row.before, row.key, strict=True))
            and secret not in row.before
        ]
        assert row.answers == len(left)
        small = game_of(list(game.guesses), left)
        weights = {word: joint_weight(small, *row.before, word) for word in game.guesses}
        best = [word for word in game.guesses if weights[word] == min(weights.values())]
        assert row.tied == len(best)
        assert row.word == min(best, key=lambda word: (word not in left, word))


def test_cheat_sheet_refuses_what_it_cannot() -> None:
    game = game_of(["crane", "slate"])
    with pytest.raises(WrongInputError, match="grouped by"):
        cheat_sheet(game, "crane", group="vowels")
    with pytest.raises(WrongInputError, match="chosen by"):
        cheat_sheet(game, "crane", rule="parts")
    with pytest.raises(WrongInputError, match="from 2 to"):
        cheat_sheet(game, "crane", depth=1)
