"""Games against a host, how they end, and the statistics that are kept of them."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from strategy.play.game import Adversary, Hidden, Match, Statistics, keep_game, kind_of, limit_of
from tests.support import raising, refused
from tests.support.commands import Terminal
from tests.support.naive import Grader, grade, pegs
from tests.support.naive_play import reply_of
from tests.support.worlds import made_up_games

GAME = load_game("abide crane crony north raise slate sloth".split())
CODES = load_game(spec="mastermind:3x4")


def check_replies(game: Game, guesses: Iterable[str], grader: Grader = grade) -> None:
    """Each reply of the adversary, and what it keeps, is what its definition says."""
    host = Adversary(game)
    for guess in guesses:
        before = host.possible(0)
        assert (host.answer(0, guess), (*host.possible(0),)) == reply_of(guess, before, grader)


@settings(max_examples=40)
@given(made_up_games(max_words=20, longest=5), st.data())
def test_the_adversary_of_words(game: WordleGame, data: st.DataObject) -> None:
    guess = st.sampled_from(game.guesses)
    check_replies(game, data.draw(st.lists(guess, min_size=4, max_size=4)))


@settings(max_examples=20)
@given(st.lists(st.sampled_from(CODES.guesses), min_size=1, max_size=5))
def test_the_adversary_of_codes(guesses: list[str]) -> None:
    check_replies(CODES, guesses, pegs)


def test_hosts() -> None:
    match = Match(Adversary(load_game(["abide", "crane"])))
    assert match.guess("crane").scores != (GAME.solved,), "the other word remains, as one does"
    assert match.guess("abide").scores == (GAME.solved,) and match.won
    hosts = [Hidden.drawn(GAME, 7, 5) for _ in range(2)]
    words = [[host.possible(at) for at in range(7)] for host in hosts]
    assert words[0] == words[1] and len(set(words[0])) == 7
    refused(WrongInputError, "8 boards, but only 7 secrets", Hidden.drawn, GAME, 8, 5)
    refused(WrongInputError, "did you mean crane or crony", Hidden, GAME, ["crone"])


def test_a_match_to_its_end() -> None:
    match = Match(Hidden(GAME, ["sloth"]), limit=3)
    assert match.guess(" CRANE ").scores == (0,)
    refused(WrongInputError, "not among the 7 guesses", match.guess, "zzzzz")
    with pytest.raises(WrongInputError, match="cannot be guessed") as caught:
        match.guess("x" * 9000)
    assert len(str(caught.value)) < 300
    assert len(match.turns) == 1, "what may not be guessed costs nothing"
    match.guess("north")
    assert not match.over
    match.guess("slate")
    assert match.over and not match.won
    refused(WrongInputError, "game is over", match.guess, "sloth")


def test_boards_and_hard_mode() -> None:
    match = Match(Hidden(GAME, ["sloth", "crane"]), limit=limit_of(GAME, 2))
    assert len(match.guess("crane").scores) == 2 and match.open == [0]
    assert len(match.guess("north").scores) == 1
    assert [len(board) for board in match.boards] == [2, 1]
    match.guess("sloth")
    assert match.won and [limit_of(GAME, boards) for boards in (1, 2, 3, 4, 8)] == [6, 7, 8, 9, 13]
    assert limit_of(CODES, 1) is None
    match = Match(Hidden(GAME, ["sloth"]), hard=True)
    match.guess("slate")
    refused(WrongInputError, "hard mode forbids 'crane' after slate", match.guess, "crane")
    match.guess("sloth")
    assert match.won
    refused(WrongInputError, "rule of Wordle", Match, Hidden(CODES, ["123"]), hard=True)
    refused(WrongInputError, "one board", Match, Hidden(GAME, ["sloth", "crane"]), hard=True)


def test_the_keyboard_shows_the_best_colour_of_each_letter() -> None:
    match = Match(Hidden(GAME, ["sloth"]))
    assert set(match.keyboard().values()) == {None}
    match.guess("north")
    keys = match.keyboard()
    assert [keys[letter] for letter in "northz"] == [0, 1, 0, 2, 2, None]
    match.guess("slate")
    keys = match.keyboard()
    assert [keys[letter] for letter in "slt"] == [2, 2, 2]
    assert Match(Hidden(CODES, ["123"])).keyboard() == {}
    both = Match(Hidden(GAME, ["crane", "sloth"]))
    both.guess("crane")
    assert both.keyboard()["c"] == 0, "the board that is solved does not count"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "knuthle"


def is_alone(folder: Path) -> bool:
    """Whether nothing half-written is left beside the statistics."""
    return [it.name for it in folder.iterdir()] == ["statistics.json"]


def test_games_are_counted_and_read_again(data: Path) -> None:
    for guesses in (4, 3, None, 6, 4):
        found, remark = keep_game("nyt-2026", guesses)
        assert remark == ""
    other, _ = keep_game(kind_of("nyt-2026", 4), None)
    assert found == Statistics(5, 4, 2, 2, {3: 1, 4: 2, 6: 1}) and other == Statistics(1)
    assert found is not None and found.lines == [
        "5 games, 4 won (80 %), streak 2", "won in 3: 1, in 4: 2, in 6: 1",
    ]  # fmt: skip
    lost, _ = keep_game("nyt-2026", None)
    assert lost is not None and lost.lines[0] == "6 games, 4 won (67 %), streak 0, longest 2"
    assert other is not None and other.lines == ["1 game, 0 won (0 %), streak 0"]
    assert set(json.loads((data / "statistics.json").read_text())["kinds"]) == {
        "nyt-2026", "nyt-2026, 4 boards",
    }  # fmt: skip
    assert is_alone(data)


GOOD = {"games": 2, "won": 1, "streak": 1, "best": 1, "guesses": {"3": 1}}


@pytest.mark.parametrize("content", [
    "", "{", "[]", "null", "\x00\x01", "[" * 100_000, '{"version": 1}',
    *(f'{{"version": {version}, "kinds": {{}}}}' for version in ("0", "2", '"1"')),
    *(
        json.dumps({"version": 1, "kinds": {"nyt-2026": {**GOOD, **wrong}}})
        for wrong in (
            {"games": 0}, {"games": -1}, {"games": "2"}, {"games": True}, {"won": 2}, {"best": 2},
            {"streak": 2}, {"guesses": {"3": 2}}, {"guesses": {"x": 1}}, {"guesses": []},
            {"games": 1e300}, {"more": 1},
        )
    ),
    " " * (1 << 20) + "{}",
])  # fmt: skip
def test_a_damaged_file_stays_as_it_is(data: Path, content: str) -> None:
    data.mkdir(parents=True)
    path = data / "statistics.json"
    path.write_text(content)
    found, remark = keep_game("nyt-2026", 3)
    told = f"{path} cannot be read as statistics: this game is not counted"
    assert (found, remark) == (None, told)
    assert path.read_text() == content and is_alone(data)


def test_what_cannot_be_kept_is_told(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = data / "statistics.json"
    path.mkdir(parents=True)
    assert keep_game("nyt-2026", 3)[0] is None and "cannot be read" in keep_game("nyt-2026", 3)[1]
    monkeypatch.setenv("XDG_DATA_HOME", str(path / "x"))
    (path / "x").write_text("a file where a folder belongs")
    found, remark = keep_game("nyt-2026", 3)
    assert found is None and "the statistics were not kept" in remark


def test_a_write_that_fails_keeps_the_old_file(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_game("nyt-2026", 3)
    path = data / "statistics.json"
    before = path.read_bytes()

    monkeypatch.setattr("os.fsync", raising(OSError(28, "No space left on device")))
    found, remark = keep_game("nyt-2026", 3)
    assert found is None and "No space left" in remark
    assert path.read_bytes() == before and is_alone(data)


@pytest.mark.slow
def test_only_games_that_somebody_plays_count(tmp_path: Path, data: Path) -> None:
    """Drawn words in a terminal, after a guess; no seed, no secret, no adversary, no --within."""
    (tmp_path / "w.txt").write_text("crane\nslate\n")

    def play(*options: str, typed: tuple[str, ...] = ("crane\n", "slate\n")) -> str:
        terminal = Terminal("game", "--list", "w.txt", *options, folder=tmp_path)
        for at, line in enumerate(typed, 1):
            terminal.until(f"{at}/")
            terminal.until("> ")
            terminal.type(line)
        terminal.end()
        return terminal.text

    for options in (["--seed", "1"], ["--secret", "slate"], ["--within", "5"], ["--no-statistics"]):
        assert "streak" not in play(*options, typed=("\x04",))
        assert not data.exists()
    assert "streak" not in play(typed=("\x04",)) and not data.exists(), "nothing was guessed"
    said = play("--boards", "2")
    assert "1 game, 1 won (100 %), streak 1" in said and "won in 2: 1" in said
    again = play("--boards", "2", typed=("crane\n", "\x04"))
    assert "2 games, 1 won (50 %), streak 0, longest 1" in again
    [kept] = json.loads((data / "statistics.json").read_text())["kinds"].values()
    assert (kept["games"], kept["won"]) == (2, 1)
