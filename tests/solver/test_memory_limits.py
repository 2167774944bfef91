"""What is refused for its size, what is said of it before, and what a system says of its memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from solver import memory_limits
from solver.advice.forecast import FEW
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact.repair.deciders import decider_for
from solver.exact.table import layout
from solver.game import game as game_module
from solver.game.load import load_game
from solver.rules.searcher import Searcher
from strategy.build.by_rule import Settings, solve
from strategy.build.optimal import optimal
from strategy.build.optimal_state import next_words
from strategy.sweep.optimal.run import ExactSettings
from strategy.toolbox.openers import openers
from strategy.toolbox.pairs import pairs
from strategy.toolbox.suggest import suggest
from tests.support.commands import Knuthle
from tests.support.worlds import game_of, words_by_score

WORDS = ["abide", "crane", "raise", "slate", "stare", "trace"]


def test_what_does_not_fit_is_refused_before_it_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(WORDS)
    monkeypatch.setattr(memory_limits, "available", lambda: 10)
    with pytest.raises(CouldNotFinishError, match=r"takes 62 MB of memory and 1 MB is left"):
        solve(game, Settings())
    with pytest.raises(CouldNotFinishError, match="joining the scores of 6 guesses takes"):
        game.all_scores()
    everyone = Searcher(game).pool
    with pytest.raises(CouldNotFinishError, match="a state of 6 secrets takes"):
        decider_for(game)(everyone, 3)
    for ranking in (openers, suggest):
        with pytest.raises(CouldNotFinishError, match="this ranking takes 62 MB of memory"):
            ranking(game)
    assert openers(load_game(spec="mastermind:2x3"), top=1)  # their scores are few
    monkeypatch.setattr(memory_limits, "available", lambda: None)
    assert len(openers(game)) == len(suggest(game).secrets) == 6
    assert solve(game, Settings()).strategy.total > 0
    assert game.all_scores().shape == (6, 6)


def test_a_matrix_beyond_the_limit_is_wrong_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_module, "MOST_BYTES", 35)
    game = game_of(WORDS)
    with pytest.raises(WrongInputError, match="6 guesses against 6 secrets"):
        game.all_scores()
    with pytest.raises(WrongInputError, match="6 guesses against 6 secrets"):
        pairs(game, both_secrets=True)
    few = game_of(WORDS, WORDS[:5])
    with pytest.raises(WrongInputError, match="6 guesses against 5 secrets"):
        monkeypatch.setattr(game_module, "MOST_BYTES", 29)
        few.all_scores()
    assert few.all_scores(few.secret_ids).shape == (5, 5)


@pytest.mark.parametrize("hard", [False, True])
def test_exact_searches_are_refused_before_they_begin(
    monkeypatch: pytest.MonkeyPatch, hard: bool
) -> None:
    """Words with too many scores, and tables that memory does not hold."""
    game, few = game_of(words_by_score("abcdef")), game_of(WORDS)
    state = game.parse_state("zzzzef.ggggbb")
    asked: list[tuple[Callable[[], object], str]] = [
        (lambda: optimal(game, hard=hard), "'abcdef' has 723 here"),
        (lambda: optimal(game, hard=hard, width=2), "'abcdef' has 723 here"),
        (lambda: optimal(game, hard=hard, objective="worst"), "'abcdef' has 723 here"),
        (lambda: ExactSettings(hard=hard).question(game, timed=True), "'abcdef' has 723 here"),
        (lambda: optimal(few, hard=hard), "exact search over all secrets takes"),
        (
            lambda: next_words(game, state, hard=hard),
            r"exact search over \d+ secrets takes \d+ MB of memory and",
        ),
    ]
    monkeypatch.setattr(layout, "dense_codes", None)  # what every table begins with
    for number, (ask, said) in enumerate(asked):
        if number == 4:
            monkeypatch.setattr(memory_limits, "available", lambda: 10)
        kind = CouldNotFinishError if number >= 4 else layout.NoTableError
        with pytest.raises(kind, match=said):
            ask()


def test_what_hard_mode_cannot_spell_is_refused_before_it_begins() -> None:
    """A rule's strategy needs no table, and is mended without one."""
    for words, said, worst in (
        (["aaaaaaaab", "aaaabaaaa", "abaaaaaaa"], "up to 7 equal letters", 2),
        (["abcdefghijklm", "bcdefghijklma", "cdefghijklmab"], "so many letters apart", 3),
    ):
        game = game_of(words)
        with pytest.raises(layout.NoTableError, match=said):
            optimal(game, hard=True)
        assert optimal(game, workers=1).proved
        assert suggest(game).secrets
        solved = solve(game, Settings(hard=True), within=2)
        assert (solved.outcome.met, solved.outcome.proved) == (worst == 2, True)
        assert solved.verdict.worst == worst


def test_a_forecast_is_left_out_where_no_table_is_made() -> None:
    words = words_by_score("abcdef")
    game = game_of(words, ["abcdef", *words[1:256]])
    advice = suggest(game)
    assert len(advice.secrets) == FEW
    assert advice.exact is None
    assert advice.words[0].word == "abcdef"
    told = suggest(game_of(words, words[1:256]))
    assert told.exact is not None
    assert told.words[0].total == 2 * 255


def test_only_large_games_are_worth_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert memory_limits.what_it_takes(load_game("original", secrets="allowed")) is None
    game = game_of(WORDS)
    monkeypatch.setattr(memory_limits, "_UNSAID", 35)
    said = memory_limits.what_it_takes(game)
    assert said == (
        "6 guesses against 6 secrets: 1 MB of scores, made some at a time; about 62 MB of memory"
    )
    assert memory_limits.what_it_takes(load_game(spec="mastermind:2x3")) is None
    many = replace(game, guesses=tuple(f"{n:06}" for n in range(50_000)))
    assert memory_limits.search_bytes(many) < 100 << 20  # few secrets: few scores


def test_commands_say_it_beforehand(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("w.txt").write_text("\n".join(WORDS))
    monkeypatch.setattr(memory_limits, "_UNSAID", 35)
    lines: tuple[tuple[str, ...], ...] = (("openers",), ("suggest",), ("solve-all", "--out", "s"))
    for line in lines:
        outcome = knuthle(*line, "--list", "w.txt")
        assert "6 guesses against 6 secrets: 1 MB of scores" in outcome.err, line
        assert (outcome.code, knuthle(*line, "--list", "w.txt", "--quiet").err) == (0, "")
    assert "MB of scores" not in knuthle("suggest", "--list", "w.txt", "crane.bbbbb").err
    monkeypatch.setattr(memory_limits, "available", lambda: 10)
    for line in lines:
        outcome = knuthle(*line, "--list", "w.txt")
        assert outcome.code == 3, line
        assert "is left; free some, or take shorter lists" in outcome.err


def test_the_least_that_is_left_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    meminfo, limit, used = (tmp_path / name for name in ("meminfo", "max", "current"))
    meminfo.write_text("MemTotal: 9000 kB\nMemAvailable:    5000 kB\n")
    monkeypatch.setattr(memory_limits, "_MEMINFO", meminfo)
    monkeypatch.setattr(memory_limits, "_GROUPS", ((str(limit), str(used)),))
    monkeypatch.setattr(memory_limits, "_own_left", lambda: None)
    assert memory_limits.available() == 5000 * 1024
    limit.write_text("max\n")
    used.write_text("1000\n")
    assert memory_limits.available() == 5000 * 1024
    limit.write_text("5000\n")
    assert memory_limits.available() == 4000
    used.write_text("6000\n")
    assert memory_limits.available() == 1


def test_a_system_that_says_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory_limits, "_MEMINFO", tmp_path / "none")
    monkeypatch.setattr(memory_limits, "_GROUPS", ())
    monkeypatch.setattr(memory_limits, "_own_left", lambda: None)
    left = memory_limits.available()
    assert left is None or left > 0
    monkeypatch.delattr("os.sysconf", raising=False)
    assert memory_limits.available() is None
