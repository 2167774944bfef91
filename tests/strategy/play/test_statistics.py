"""Statistics of games: what is counted, what is kept, and what becomes of a damaged file."""

import json
from pathlib import Path

import pytest

from strategy.play.game import Statistics, keep_game, kind_of, statistics_path
from tests.support.terminal import Terminal


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "knuthle"


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_games_are_counted_and_read_again(data: Path) -> None:
    assert statistics_path() == data / "statistics.json"
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
    assert set(json.loads(statistics_path().read_text())["kinds"]) == {
        "nyt-2026", "nyt-2026, 4 boards",
    }  # fmt: skip
    assert names_in(data) == ["statistics.json"], "nothing half-written is left"


GOOD = {"games": 2, "won": 1, "streak": 1, "best": 1, "guesses": {"3": 1}}


@pytest.mark.parametrize("content", [
    "", "{", "[]", "null", "\x00\x01", "[" * 100_000, '{"version": 1}',
    '{"version": 0, "kinds": {}}', '{"version": "1", "kinds": {}}',
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
    statistics_path().write_text(content)
    found, remark = keep_game("nyt-2026", 3)
    told = f"{data / 'statistics.json'} cannot be read as statistics: this game is not counted"
    assert (found, remark) == (None, told)
    assert statistics_path().read_text() == content and names_in(data) == ["statistics.json"]


def test_what_cannot_be_kept_is_told(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data.mkdir(parents=True)
    newer = '{"version": 2, "kinds": {}}'
    statistics_path().write_text(newer)
    found, remark = keep_game("nyt-2026", 3)
    assert found is None and "cannot be read" in remark and statistics_path().read_text() == newer
    statistics_path().unlink()
    statistics_path().mkdir()
    assert keep_game("nyt-2026", 3)[0] is None and "cannot be read" in keep_game("nyt-2026", 3)[1]
    monkeypatch.setenv("XDG_DATA_HOME", str(data / "statistics.json" / "x"))
    (data / "statistics.json" / "x").write_text("a file where a folder belongs")
    found, remark = keep_game("nyt-2026", 3)
    assert found is None and "the statistics were not kept" in remark


def test_a_write_that_fails_keeps_the_old_file(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_game("nyt-2026", 3)
    before = statistics_path().read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    found, remark = keep_game("nyt-2026", 3)
    assert found is None and "No space left" in remark
    assert statistics_path().read_bytes() == before and names_in(data) == ["statistics.json"]


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
