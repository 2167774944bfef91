"""A table made some columns at a time, against the one that is made at once."""

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.exact import table_layout
from solver.exact.table_layout import possibility_table, score_table_of
from solver.game.wordle import WordleGame
from tests.support import refused
from tests.support.worlds import all_secrets, game_of, made_up_games


@given(made_up_games(max_words=100), st.sampled_from([1, 1 << 23]), st.sampled_from([0, 3, 8, 255]))
def test_blocks_are_those_of_the_whole_table(game: WordleGame, stride: int, narrow: int) -> None:
    """As if a byte numbered fewer scores: some block is the first with too many."""
    bytes_alone = score_table_of(game, hard=False, price=0)
    with patch.multiple(table_layout, _STRIDE_BYTES=stride, MOST_NARROW=narrow):
        whole = score_table_of(game, hard=False, price=0)
        table = possibility_table(game, all_secrets(game), whole.guess[whole.guess >= 0])
    for name in ("rows", "parts", "spread", "guess", "secret", "column"):
        assert np.array_equal(getattr(table, name), getattr(whole, name)), name
        assert np.array_equal(getattr(bytes_alone, name), getattr(whole, name)), name
    assert table.scores.size == 0
    kind = np.uint8 if whole.parts[0] <= narrow else np.uint16
    assert all(it.dtype == kind for it in (whole.rows, whole.scores, table.rows, table.parts))


def test_too_many_parts_are_refused_by_word() -> None:
    letters = "abcdefgh"
    words = [a + b + c + d + "zz" for a in letters for b in letters for c in letters for d in "ab"]
    game = game_of(words)
    everyone = all_secrets(game)
    with patch.multiple(table_layout, MOST_NARROW=10, MOST_WIDE=20):
        reason = "at most 20 different scores for a guess; '[a-z]{6}' has"
        refused(WrongInputError, reason, possibility_table, game, everyone, everyone)
        refused(WrongInputError, reason, score_table_of, game, hard=False)
