"""What is refused for its size, what is said of it before, and what a system says of its memory."""

from dataclasses import replace
from pathlib import Path

import pytest

from solver import memory_limits
from solver.advice.suggest import MOST_FORECAST
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact import table_layout
from solver.exact.repair import decider_for
from solver.game import game as game_module
from solver.rules.searcher import Searcher
from strategy import Settings, load_game, openers, pairs, solve, suggest, sweep_optimal
from strategy.solving.optimal import next_words, optimal
from tests.support import refused
from tests.support.commands import Knuthle
from tests.support.worlds import game_of, words_by_score

WORDS = ["abide", "crane", "raise", "slate", "stare", "trace"]


def test_what_does_not_fit_is_refused_before_it_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    game, codes = game_of(WORDS), load_game(spec="mastermind:2x3")
    everyone, repaired = Searcher(game).pool, decider_for(game)
    monkeypatch.setattr(memory_limits, "available", lambda: 10)
    for reason, ask, args in (
        ("needs 62 MB of memory, but only 1 MB is free", solve, (game, Settings())),
        ("joining the scores of 6 guesses needs", game.all_scores, ()),
        ("a state of 6 secrets needs", repaired, (everyone, 3, ())),
        ("this ranking needs 62 MB of memory", openers, (game,)),
        ("this ranking needs 62 MB of memory", suggest, (game,)),
    ):
        refused(CouldNotFinishError, reason, ask, *args)
    assert openers(codes, top=1)  # their scores are few
    monkeypatch.setattr(memory_limits, "available", lambda: None)
    assert len(openers(game)) == len(suggest(game).secrets) == 6
    assert solve(game, Settings()).strategy.total > 0 and game.all_scores().shape == (6, 6)


def test_a_matrix_beyond_the_limit_is_wrong_input(monkeypatch: pytest.MonkeyPatch) -> None:
    game, few = game_of(WORDS), game_of(WORDS, WORDS[:5])
    monkeypatch.setattr(game_module, "MOST_BYTES", 29)
    refused(WrongInputError, "6 guesses against 6 secrets", game.all_scores)
    refused(WrongInputError, "6 guesses against 6 secrets", pairs, game, both_secrets=True)
    refused(WrongInputError, "6 guesses against 5 secrets", few.all_scores)
    assert few.all_scores(few.secret_ids).shape == (5, 5)
    monkeypatch.setattr(game_module, "MOST_BYTES", 35)
    refused(WrongInputError, "6 guesses against 6 secrets", game.all_scores)


@pytest.mark.parametrize("hard", [False, True])
def test_exact_searches_are_refused_first(monkeypatch: pytest.MonkeyPatch, hard: bool) -> None:
    """Words with more scores than are numbered (as if these were 300), and too little memory."""
    monkeypatch.setattr(table_layout, "MOST_WIDE", 300)
    game, few = game_of(words_by_score("abcdef")), game_of(WORDS)
    state = game.parse_state("zzzzef.ggggbb")
    monkeypatch.setattr(table_layout, "dense_codes", None)  # what every table begins with
    for ask in (
        lambda: optimal(game, hard=hard), lambda: optimal(game, hard=hard, width=2),
        lambda: optimal(game, hard=hard, objective="worst"),
        lambda: sweep_optimal(game, "s", hard=hard, time_limit=1),
    ):  # fmt: skip
        refused(table_layout.NoTableError, "'abcdef' has 723 here", ask)
    monkeypatch.setattr(memory_limits, "available", lambda: 10)
    whole, some = "exact search over all secrets needs", r"over \d+ secrets needs \d+ MB of memory"
    refused(CouldNotFinishError, whole, optimal, few, hard=hard)
    refused(CouldNotFinishError, some, next_words, game, state, hard=hard)


def test_what_hard_mode_cannot_spell_is_refused_before_it_begins() -> None:
    """A rule's strategy needs no table; to be mended it does."""
    for words, said, worst in (
        (["aaaaaaaab", "aaaabaaaa", "abaaaaaaa"], "a letter at most 7 times", 2),
        (["abcdefghijklm", "bcdefghijklma", "cdefghijklmab"], "this many letters", 3),
    ):
        game = game_of(words)
        refused(table_layout.NoTableError, said, optimal, game, hard=True)
        assert optimal(game, workers=1).proved and suggest(game).secrets
        solved = solve(game, Settings(hard=True), within=3)
        assert (solved.outcome.met, solved.verdict.worst) == (True, worst)
        if worst > 2:
            refused(table_layout.NoTableError, said, solve, game, Settings(hard=True), within=2)


def test_large_games(monkeypatch: pytest.MonkeyPatch) -> None:
    words = words_by_score("abcdef")
    advice = suggest(game_of(words, ["abcdef", *words[1:256]]))
    assert len(advice.secrets) == MOST_FORECAST and advice.exact is not None
    assert (advice.words[0].word, advice.words[0].total) == ("abcdef", 2 * 256 - 1)
    fewer = suggest(game_of(words, words[1:256]))
    assert fewer.exact is not None and fewer.words[0].total == 2 * 255
    assert memory_limits.what_it_takes(load_game("original", secrets="allowed")) is None
    game = game_of(WORDS)
    monkeypatch.setattr(memory_limits, "_UNSAID", 35)
    assert memory_limits.what_it_takes(game) == (
        "6 guesses against 6 secrets: 1 MB of scores, computed in portions; "
        "needs about 62 MB of memory"
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
        assert "is free; close other programs, or use shorter lists" in outcome.err


def test_what_the_system_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    meminfo, limit, used = (tmp_path / name for name in ("meminfo", "max", "current"))
    meminfo.write_text("MemTotal: 9000 kB\nMemAvailable:    5000 kB\n")
    monkeypatch.setattr(memory_limits, "_MEMINFO", meminfo)
    monkeypatch.setattr(memory_limits, "_GROUPS", ((str(limit), str(used)),))
    monkeypatch.setattr(memory_limits, "_own_left", lambda: None)
    assert memory_limits.available() == 5000 * 1024
    for most, now, left in (("max", 1000, 5000 * 1024), ("5000", 1000, 4000), ("5000", 6000, 1)):
        limit.write_text(f"{most}\n")
        used.write_text(f"{now}\n")
        assert memory_limits.available() == left
    monkeypatch.setattr(memory_limits, "_MEMINFO", tmp_path / "none")
    monkeypatch.setattr(memory_limits, "_GROUPS", ())
    assert memory_limits.available() is None or memory_limits.available() > 0  # type: ignore[operator]
    monkeypatch.delattr("os.sysconf", raising=False)
    assert memory_limits.available() is None
