"""``review`` as people run it: tables, JSON, CSV, grids, files of games, pipes, what is wrong."""

import csv
import io
from pathlib import Path

import pytest

from tests.support import naive_review
from tests.support.commands import KNUTHLE, Knuthle, report_of, started

WORDS = ["abide", "adieu", "arise", "crane", "raise", "slate", "stare"]
GAME = "abide.ybbbg.slate.bbgbg.crane.ggggg"


def test_a_game_as_people_read_it(knuthle: Knuthle, tiny: Path) -> None:
    said = knuthle("review", GAME, "--list", tiny)
    assert said.code == 0
    header, *rows = said.out.splitlines()
    assert header.split()[:4] == ["guess", "score", "before", "after"]
    assert [row.split()[0] for row in rows[:3]] == ["abide", "slate", "crane"]
    assert said.out.splitlines()[-3] == (
        "skill 90.5, luck -0.86 guesses: Well played but very unlucky: 3 guesses, "
        "where the best play takes 1.86 on average; ARISE instead of ABIDE would have saved 0.29."
    )
    assert "≤" not in said.out and said.err == ""
    again = knuthle("review", "abide", "slate", "crane", "--secret", "CRANE", "--list", tiny)
    assert again.out == said.out


def test_json_and_csv_by_plain_python(knuthle: Knuthle, tiny: Path) -> None:
    options = ("review", GAME, "--list", tiny)
    result = report_of(knuthle, *options)
    played = [(word, score) for word, score in result["state"]]
    rows = naive_review.review(WORDS, dict.fromkeys(WORDS, 1.0), played)
    for said, row in zip(result["guesses"], rows, strict=True):
        assert said["best"] in row.pop("best") and said["exact"] is True
        for name, value in row.items():
            assert said[name] == (value if isinstance(value, str) else pytest.approx(value))
    assert result["skill"] == pytest.approx(sum(row["skill"] for row in rows) / 3)
    assert result["extra_bits"] == pytest.approx(sum(row["extra_bits"] for row in rows))
    table = list(csv.DictReader(io.StringIO(knuthle(*options, "--csv", "-").out)))
    assert [row["word"] for row in table] == ["abide", "slate", "crane"]
    assert table[0]["expected"] == str(result["guesses"][0]["expected"])


def test_lost_unfinished_and_widened(knuthle: Knuthle, tiny: Path, tmp_path: Path) -> None:
    half = knuthle("review", "abide.ybbbg", "--list", tiny)
    assert "3 answers left: crane slate stare" in half.out
    few = tmp_path / "few.txt"
    few.write_text("abide\nadieu\n")
    wide = knuthle("review", GAME, "--list", tiny, "--secrets", few)
    assert wide.out.startswith("the answer is none of the usual ones: all 7 allowed words ")
    strange = knuthle("review", "abode.ggbgg.abide.ggggg", "--list", tiny, "--allow-unknown")
    assert strange.code == 0 and "not in tiny list, taken as allowed: abode" in strange.err


def test_bounds_are_marked(knuthle: Knuthle) -> None:
    said = knuthle("review", "crane.bybbb.sloth.gbbyb.strut.ggggg")
    assert said.out.splitlines()[1].count("≤") == 2 and said.out.splitlines()[2].count("≤") == 0
    assert "--exact searches to the end" in said.out


def test_grids(knuthle: Knuthle, tiny: Path) -> None:
    grid = ("🟨⬛⬛⬛🟩", "⬛⬛🟩⬛🟩", "🟩🟩🟩🟩🟩")
    known = knuthle("review", *grid, "--secret", "crane", "--list", tiny)
    assert [line.split() for line in known.out.splitlines()[-5:-2]] == [
        ["ybbbg", "1"], ["bbgbg", "1"], ["ggggg", "1"],
    ]  # fmt: skip
    shared = "Wordle 1,234 3/6\n\n" + "\n".join(grid)
    found = knuthle("review", shared, "--list", tiny)
    assert "2 answers of 7 can have such a grid" in found.out


def test_many_games(knuthle: Knuthle, tiny: Path, tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text(f"# mine\n{GAME}\n\ncrane ggggg\r\nabide ybbbg\n")
    said = knuthle("review", "--games", games, "--list", tiny)
    assert said.out.splitlines()[-3].startswith("3 games, on average: skill ")
    assert "1 unsolved" in said.out
    result = report_of(knuthle, "review", "--games", games, "--list", tiny)
    skills = [game["skill"] for game in result["games"]]
    assert result["skill"] == pytest.approx(sum(skills) / 3)
    single = report_of(knuthle, "review", GAME, "--list", tiny)
    assert result["games"][0]["skill"] == single["skill"]
    assert result["games"][0]["sentence"] == single["sentence"]


def asked(piped: str, *arguments: object) -> tuple[int, str, str]:
    """The command as a process, into which something is piped."""
    process = started([*KNUTHLE, "review", *arguments], NO_COLOR="1")
    out, err = process.communicate(piped)
    return process.returncode, out, err


def test_games_through_a_pipe(tiny: Path) -> None:
    code, out, err = asked(f"{GAME}\ncrane ggggg\n", "--games", "-", "--list", tiny)
    assert (code, err) == (0, "")
    assert out.splitlines()[-3].startswith("2 games, on average: skill ")


@pytest.mark.slow
def test_a_game_is_pasted_with_its_words(tiny: Path) -> None:
    """On standard input, or as an argument; the star of hard mode counts."""
    shared = "Wordle 1,234 3/6\n\n🟨⬛⬛⬛🟩\n⬛⬛🟩⬛🟩\n🟩🟩🟩🟩🟩\nABIDE\nSLATE\nCRANE\n"
    plain = asked("", GAME, "--list", tiny)[1]
    for arguments in (["-"], []):
        assert asked(shared, *arguments, "--list", tiny) == (0, plain, "")
    illegal = "Wordle 1 2/6*\n🟨⬛⬛⬛🟩\n🟩🟩🟩🟩🟩\nABIDE\nADIEU"
    code, _, err = asked("", illegal, "--list", tiny)
    assert code == 2 and "hard mode forbids 'adieu' after abide.ybbbg" in err
    code, _, err = asked("")
    assert code == 2 and "no guess to review" in err


def test_what_is_piped_and_too_long_is_not_taken_for_less(knuthle: Knuthle, tiny: Path) -> None:
    for piped in ("crane bybbb " * 100_000, " " * 1_000_000 + "crane ggggg"):
        said = knuthle("review", "--list", tiny, typed=piped)
        assert said.code == 2
        assert said.err == "knuthle review: a game has at most 5,000 characters; here are more\n"


def test_luck_in_the_table_and_in_words_is_one_figure(knuthle: Knuthle) -> None:
    """A reply that says less than expected may be lucky: its bits are not called luck."""
    said = knuthle("review", "crane.bybbb.sloth.bbbbb.ruddy.ggggg")
    header, *rows = [line.split() for line in said.out.splitlines()]
    assert header[-1] == "luck" and "bits" not in said.out
    total = sum(float(row[-1]) for row in rows[:3])
    assert f"luck {total:+.2f} guesses: Well played and very lucky" in said.out
    result = report_of(knuthle, "review", "crane.bybbb.sloth.bbbbb.ruddy.ggggg")
    assert result["extra_bits"] < 0 < result["luck_guesses"] and "luck" not in result


def test_a_line_that_is_no_game_is_named(knuthle: Knuthle, tiny: Path) -> None:
    long, asked = "crane.bybbb." * 100_000, ("review", "--games", "games.txt", "--list", tiny)
    for lines, options, code, reason in (
        (f"{GAME}\n{long}\n", [], 2,
         "games.txt:2: a game has at most 5,000 characters; here are more"),
        (f"# mine\n{GAME}\n{long}\nabode.ggbgg.abide.ggggg\n", ["--allow-unknown"], 2,
         "games.txt:3: a game has at most 5,000 characters"),
        (f"{GAME}\nab-de.ggbgg # strange\n", ["--allow-unknown"], 2, "games.txt:2: "),
        (f"{GAME}\nabode.ggbgg.abide.ggggg\n", ["--allow-unknown"], 0, "taken as allowed: abode"),
    ):  # fmt: skip
        Path("games.txt").write_text(lines)
        said = knuthle(*asked, *options)
        assert (said.code, said.err.count(reason)) == (code, 1) and len(said.err) < 500


def test_mastermind(knuthle: Knuthle) -> None:
    said = knuthle("review", "12", "0,1", "31", "1,0", "41", "2,0", "--game", "mastermind:2x4")
    assert said.code == 0 and said.out.splitlines()[1].split()[:4] == ["12", "0,1", "16", "4"]
    named = knuthle("review", "12 31 41", "--secret", "41", "--game", "mastermind:2x4")
    assert named.code == 0
    said = knuthle("review", "1122", "1,1", "1345", "0,1", "--game", "mastermind:4x6")
    assert "better than 1345 3.505: 1314 3.452\n" in said.out, "1315 and 1316 are 1314 renamed"
    assert "34 codes are left" in said.out and "34 codes left: 2166" in said.out
    assert "best code" in said.out and "word" not in said.out
    bare = knuthle("review", "1122", "1345", "--game", "mastermind:4x6")
    assert "add the pegs of each code, or the hidden code with --secret" in bare.err


def test_what_is_foreign_is_shown_escaped(knuthle: Knuthle, tiny: Path) -> None:
    Path("games").write_text("\x1b[31mcrane ggggg\n")
    for asked in (("--games", "games"), ("\x1b[2J", "bbbbb"), ("crane", "--secret", "\x1b[2J")):
        said = knuthle("review", *asked, "--list", tiny)
        assert said.code == 2 and "\x1b" not in said.err
