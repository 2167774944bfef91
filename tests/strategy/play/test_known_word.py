"""How a known word is found: by proposals, by a rule, by a strategy; and the command."""

from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import legal_after
from solver.rules.searcher import Searcher
from strategy.cli.screen import Tiles
from strategy.play.known_word import SolvedWord, game_of_strategy, solve_word
from strategy.solving.by_rule import Settings, solve
from strategy.toolbox.guesses import HowToFind, suggest
from strategy.tree import Strategy
from tests.support import refused
from tests.support.commands import Knuthle, report_of
from tests.support.worlds import small_game


def check_counts(game: Game, found: SolvedWord) -> None:
    """Grades are true, and the counts are those of the secrets that fit."""
    left = list(game.secrets)
    for guess in found.guesses:
        assert guess.score == game.grade(guess.word, found.secret)
        assert guess.before == len(left)
        left = [word for word in left if game.grade(guess.word, word) == guess.score]
        assert guess.after == len(left)
    assert left == [found.secret]


def test_by_proposals_each_guess_is_the_first_that_suggest_has() -> None:
    game = small_game(3, 200, 80)
    for secret in game.secrets[::20]:
        found = solve_word(game, secret)
        check_counts(game, found)
        for at, guess in enumerate(found.guesses):
            best = suggest(game, found.state[:at], top=1)
            assert (guess.word, guess.mean) == (best.words[0].word, best.words[0].mean)


def test_by_a_rule_it_is_the_game_of_the_whole_strategy() -> None:
    game = small_game(3, 200, 80)
    for settings in (Settings(), Settings(start=game.guesses[:2], rule="entropy")):
        whole = solve(game, settings).strategy
        start = () if settings.start == ("auto",) else settings.start
        for secret in game.secrets[::9]:
            found = solve_word(game, secret, HowToFind(start, settings.rule))
            check_counts(game, found)
            steps = [*whole.history_of(whole.solved_at[secret]), (secret, game.solved)]
            assert list(found.state) == steps
            assert solve_word(game, secret, strategy=whole).state == found.state
            check_counts(game, solve_word(game, secret, strategy=whole))


def test_by_a_rule_only_the_states_on_the_way_are_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def seen(self: Searcher, *state: Any) -> int:
        asked.append(state)
        return next_guess(self, *state)

    next_guess = Searcher.next_guess
    monkeypatch.setattr(Searcher, "next_guess", seen)
    game = small_game(4, 300, 100)
    found = solve_word(game, game.secrets[7], HowToFind(rule="minimax"))
    assert len(asked) == len(found.guesses)


def test_common_words_may_be_preferred() -> None:
    """After CRANE, TOILS takes 2.683 guesses on average, and SPILT 2.698."""
    game = load_game("nyt-2026")
    for common, second in ((False, "toils"), (True, "spilt")):
        found = solve_word(game, "bulge", HowToFind(("crane",), common=common))
        assert found.guesses[1].word == second


@pytest.mark.parametrize("rule", [None, "minimax"])
def test_hard_mode_is_kept(rule: str | None) -> None:
    game = small_game(5, 200, 60)
    for secret in game.secrets[::11]:
        found = solve_word(game, secret, HowToFind(rule=rule, hard=True))
        clues = [(game.guess_id(guess.word), guess.score) for guess in found.guesses]
        for at, (guess, _) in enumerate(clues):
            assert guess in legal_after(game, clues[:at])


@pytest.mark.parametrize("rule", [None, "minimax"])
def test_a_word_that_is_usually_not_hidden_is_found_all_the_same(rule: str | None) -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"], secrets=["slate", "stare"])
    found = solve_word(game, "crane", HowToFind(rule=rule))
    assert found.widened and found.guesses[-1].word == "crane"
    assert not solve_word(game, "slate", HowToFind(rule=rule)).widened


def test_first_guesses_come_first_unless_the_word_is_found() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"])
    for rule in (None, "parts"):
        found = solve_word(game, "stare", HowToFind(("abide", "raise"), rule))
        assert [guess.word for guess in found.guesses][:2] == ["abide", "raise"]
        assert [guess.by for guess in found.guesses][:2] == ["start", "start"]
        assert len(solve_word(game, "abide", HowToFind(("abide", "raise"), rule)).guesses) == 1


def test_mastermind_codes_are_words_too() -> None:
    game = load_game(spec="mastermind:3x4")
    for rule in (None, "minimax"):
        check_counts(game, solve_word(game, "432", HowToFind(rule=rule)))


def test_a_strategy_file_knows_its_game(tmp_path: Path) -> None:
    game = small_game(6, 150, 50)
    solve(game, Settings()).strategy.save(tmp_path / "s")
    strategy = Strategy.load(tmp_path / "s")
    known = game_of_strategy(strategy)
    found = solve_word(known, game.secrets[3], strategy=strategy)
    assert (known.list_name, found.guesses[-1].word) == (game.list_name, game.secrets[3])


def test_what_cannot_be_is_refused() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"], secrets=["slate", "stare"])
    strategy = solve(game, Settings()).strategy
    for word, how, kind, message in (
        ("zzzzz", None, None, "not among the 5 guesses"),
        ("crane", None, strategy, "not among the 2 secrets of the strategy"),
        ("slate", HowToFind(rule="minimax"), strategy, "has its own"),
        ("slate", HowToFind(rule="best"), None, "no rule 'best'"),
        ("slate", HowToFind(by="luck"), None, "no measure 'luck'"),
        ("slate", HowToFind(("slate", "slate")), None, "twice"),
        ("slate", HowToFind(("bbbbb",)), None, "not among"),
    ):
        refused(WrongInputError, message, solve_word, game, word, how, strategy=kind)


def test_a_game_is_shown_guess_by_guess(knuthle: Knuthle, tiny: Path) -> None:
    said = knuthle("solve", "stare", "--list", tiny, "--start", "abide")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "1  ABIDE ybbbg  3 left"
    assert lines[-3:] == [
        f"{len(lines) - 2}  STARE ggggg",
        f"found in {len(lines) - 2} guesses, by the proposals of suggest",
        "list tiny list (allowed)",
    ]


def test_json_has_what_is_shown(knuthle: Knuthle, tiny: Path) -> None:
    result = report_of(knuthle, "solve", "STARE", "--list", tiny)
    assert (result["secret"], result["list"], result["widened"]) == ("stare", "tiny list", False)
    assert [row["word"] for row in result["guesses"]] == [word for word, _ in result["state"]]
    assert result["guesses"][-1]["text"] == "ggggg" and result["count"] == len(result["state"])


def test_the_list_of_today_is_asked_without_a_name(knuthle: Knuthle) -> None:
    asked = ("solve", "balsa", "--rule", "minimax", "--start", "crane")
    said = knuthle(*asked).out
    assert said.splitlines()[-1] == "list nyt-2026 (answers)"
    assert "by the rule minimax" in said and "counted as possible" not in said
    old = knuthle(*asked, "--list", "original").out
    assert "BALSA is none of the answers of original: all 12,972 allowed words" in old
    codes = knuthle("solve", "1122", "--game", "mastermind:4x6", "--rule", "minimax")
    assert codes.code == 0 and codes.out.endswith("by the rule minimax\ngame mastermind:4x6\n")


def test_a_strategy_plays_with_its_own_words(knuthle: Knuthle, tiny: Path) -> None:
    knuthle("solve-all", "--list", tiny, "--start", "slate", "--out", "s.strategy")
    said = knuthle("solve", "crane", "--strategy", "s.strategy")
    assert said.out.startswith("1  SLATE bbgbg  1 left\n2  CRANE ggggg\n")
    assert said.out.endswith("found in 2 guesses, by the strategy\nlist tiny list (allowed)\n")
    assert knuthle("solve", "crane", "--strategy", "s.strategy", "--list", tiny).out == said.out


def test_on_a_terminal_the_colours_are_tiles(
    knuthle: Knuthle, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tiles, "of", classmethod(lambda cls, stream, wanted: cls(True, True)))
    said = knuthle("solve", "crane", "--list", tiny, "--start", "slate")
    assert "\x1b[97;100m S \x1b[0m" in said.out and "\x1b[30;42m A \x1b[0m" in said.out
