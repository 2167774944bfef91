"""Advice in the middle of a game: the published walk, contradicting clues, hard mode."""

import pytest
from hypothesis import given, settings

from solver.advice.suggest import suggest
from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from tests.support import naive, published, refused
from tests.support.worlds import game_of, real_games


@pytest.mark.parametrize(("state", "left", "best"), published.ELIMINATED)
def test_published_clues(state: str, left: int, best: dict[str, float]) -> None:
    game = load_game()
    advice = suggest(game, game.parse_state(state), by="proportion", guess_from="secrets")
    assert len(advice.secrets) == left
    rows = list(advice.table.records())
    top = {row["word"]: row for row in rows[:3]}
    for word, share in best.items():
        assert top[word]["proportion"] == pytest.approx(share, abs=5e-8)
    if len(best) == 1:
        assert [row["rank"] for row in rows[:4]] == [1, 1, 1, 4]


def test_the_walk_ends() -> None:
    game, (state, left) = load_game(), published.WOVEN
    assert suggest(game, game.parse_state(state)).secrets == left


@pytest.mark.plain
def test_contradicting_clues_are_named() -> None:
    game = game_of(["crane", "slate", "abide", "stare", "sheep"])
    history = game.parse_state("crane bbgbg abide ybbbg sheep ggggg")
    refused(WrongInputError, "crane bbgbg contradicts sheep ggggg", suggest, game, history)
    reason, clue = "no secret of test .test. gives crane ggggb", naive.score_of("ggggb")
    refused(WrongInputError, reason, suggest, game, (("crane", clue),))
    # Two of these three fit each other, all three do not.
    game = game_of(["aa", "ab", "ac"])
    reason = "aa gb and ab gb contradict ac gb: no secret of test .test. fits all"
    refused(WrongInputError, reason, suggest, game, game.parse_state("aa gb ab gb ac gb"))


def test_answers_and_candidates() -> None:
    game = game_of(["crane", "slate", "abide"], ["slate"])
    reason = "other allowed words fit .abide.: try --secrets allowed"
    refused(WrongInputError, reason, suggest, game, game.parse_state("abide ggggg"))
    game = game_of(["aaa", "aab", "abb", "bbb", "zzz"], ["aab", "zzz"])
    rows = list(suggest(game, ()).table.records())
    assert [row["candidate"] for row in rows if row["rank"] == 1][:2] == [True, True]


@settings(max_examples=20)
@given(real_games(50, 120))
def test_hard_advice_follows_the_rule(game: WordleGame) -> None:
    secret, guess = game.secrets[0], game.guesses[-1]
    history = ((guess, naive.grade(guess, secret)),)
    words = {row["word"] for row in suggest(game, history, hard=True).table.records()}
    assert words == {word for word in game.guesses if naive.may_follow(word, guess, secret)}
