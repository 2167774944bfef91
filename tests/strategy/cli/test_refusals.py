"""Wrong input is refused by name, and no file is lost by it."""

import io
import os
import shlex
import sys
from pathlib import Path

import pytest

from tests.support.commands import Knuthle

#: A small list, of which ``OWN`` makes a game.
WORDS = "crane slate abide adieu stare raise arise".split()
OWN = "--list w.txt --secrets allowed"

#: How a line begins → how it goes on, and what is said of it.
REFUSED = {
    "": [
        ("solve-al", "did you mean solve-all?"),
        ("sugest", "no command 'sugest'; did you mean suggest?"),
        ("solve-all --start crane --start slate", "given twice"),
        ("solve-all --start=crane --start=slate", "given twice"),
        ("suggest --top 3 crane bybbg --top 4", "given twice"),
        ("lists --json - --json x", "given twice"), ("verify", "required"),
        ("verify nowhere", "nowhere: No such file"), ("verify .", "Is a directory"),
        ("verify w.txt", "one word a line is a list of words, not a strategy"),
        ("lookup nowhere", "nowhere: No such file"), ("export nowhere", "nowhere: No such file"),
        ("lookup nowhere", "nowhere: No such file"),
        ("suggest crane.bybb", "write all 5 marks, or crane.bbybb if"),
        ("pairs crane", "name two words"), ("pairs crane crane", "twice"),
        ("pairs --game mastermind:6x8", "take 69 GB"),
        ("pairs --workers 0", "--workers: 0 is too small"),
        ("pairs --third --workers -1", "--workers: -1 is too small"),
        ("pairs --third --workers 1.5", "--workers: '1.5' is not a whole number"),
        ("pairs --third crane", "name two words"), ("pairs --third crane crane", "twice"),
        ("pairs --third --game mastermind:6x8", "take 69 GB"), ("openers cranz", "not among"),
        ("openers --top -1", "too small"),
        ("openers --game mastermind:4x6 --by letters", "has none"),
        ("buckets crane --plot x.png", "of a split is .svg"), ("game --boards 33", "must be 1–32"),
        ("lists add", "required: FILE"), ("lists remove", "required: NAME"),
        ("lists add nowhere", "nowhere"), ("lists --name x", "invalid choice"),
        ("lists remove x --secrets y", "unrecognized arguments"), ("lists show no", "no list"),
    ],
    "solve-all": [
        ("--start larez", "did you mean"), ("--start lares,", "'' is not among the 12,972 guesses"),
        ("--strat lares", "did you mean --start?"), ("--workers 0", "0 is too small: at least 1"),
        ("--workers many", "'many' is not a whole number"), ("--within 0", "too small"),
        ("--rule entropie", "did you mean entropy?"), ("--list orignal", "did you mean original"),
        ("--secrets nowhere.txt", "nowhere.txt: No such file"), ("--list .", "Is a directory"),
        ("--out .", "is a directory, not a file"), ("--out none/a", "there is no directory none"),
        ("--json none/a", "there is no directory none"), ("--json", "expected one argument"),
        ("--game chess", "unknown game 'chess'"),
    ],
    "cheatsheet": [
        ("crane --card x.doc", "a card is one of"),
        ("crane --card missing/x.pdf", "missing"),
        ("112233 --game mastermind:6x8", "take 69 GB"),
        ("112 --game mastermind:3x4 --hard", "hard mode is a rule of Wordle"),
        ("crane --guess-from dreams", "invalid choice: 'dreams'"),
    ],
    "explore": [
        ("nowhere", "nowhere: No such file"), (".", "Is a directory"),
        ("w.txt", "not a knuthle file"), ("x --serve 0", "0 is too small: at least 1"),
        ("x --serve 65536", "65536 is too large: at most 65535"),
        ("x --serve many", "'many' is not a whole number"),
        ("x -o none/a", "there is no directory none"),
        ("x -o - --json -", "--out - has stdout to itself"),
        ("x -o - --serve", "--out - has stdout to itself"),
    ],
    "web": [
        ("--out .", "is not empty"), ("--out w.txt", "w.txt: is a file, not a folder"),
        ("--out w.txt --force", "w.txt: is a file, not a folder"),
        ("--out -", "does not fit into stdout"), ("--port 0", "0 is too small: at least 1"),
        ("--port 65536", "65536 is too large: at most 65535"),
    ],
    "optimal": [("--state crane.bybb", "write all 5 marks, or crane.bbybb if")],
    "optimal --proof a.proof": [
        ("--state salet.bbbbb", "--proof"),
        ("--start salet,clint", "not several"), ("--width 5", "no --proof"),
    ],
    f"optimal {OWN}": [
        ("--proof -", "a proof is not text"), ("--proof none/a", "there is no directory none"),
        ("--start zzzzz", "zzzzz"), ("--within 0", "--within"), ("--top 0", "--top"),
        ("--width 0", "--width"), ("--objective mean", "--objective"),
        ("--width 2 --resume a", "--width gives a bound at once"),
        ("--width 2 --proof a", "--width gives a bound at once"),
        ("--start slate,crane --proof a", "--proof is about all first guesses"),
        ("--guess-from candidates --width 2", "searched whole, without --width"),
        ("--guess-from candidates --resume a", "begins anew each time"),
        ("--guess-from candidates --dask tcp://h:1", "needs no helpers"),
        ("--out -", "a strategy file is not text"), ("--out 'no such folder/a'", "no such folder"),
        ("--state slate.bb", "slate"),
    ],
    f"optimal {OWN} --state slate.bbgbg": [
        ("--start crane", "--start is about whole strategies"),
        ("--objective worst", "--objective is about whole strategies"),
        ("--out a", "--out is about whole strategies"),
        ("--proof a", "--proof is about whole strategies"),
        ("--resume a", "--resume is about whole strategies"),
        ("--recheck", "--recheck is about whole strategies"),
        ("--width 3", "--width is about whole strategies"),
        ("--within 1", "1 guess made, and --within 1 allows no more"),
    ],
    "sweep run --list w.txt": [
        ("", "required: -o/--out"), ("--out w.txt", "named for two things at once"),
        ("--out none/s", "there is no directory none"), ("--out -", "a database is a file"),
    ],
    "sweep run --list w.txt --out s": [
        ("--openers zzzzz", "'zzzzz' is not among the 7 guesses"),
        ("--openers none.txt", "no file named 'none.txt'"), ("--openers ,", "no opener is named"),
        ("--openers ''", "no opener is named"), ("--shard 4/3", "'4/3' is no part such as 3/8"),
        ("--shard 0/3", "'0/3' is no part"), ("--shard x", "'x' is no part"),
        ("--rule minmax", "did you mean minimax?"), ("--dask-ca x", "for --dask, not given"),
        ("--dask local:2", "expected tcp://HOST:PORT"),
        ("--dask tcp://h:1 --workers 2", "--dask has its own"),
        ("--rule minimax --objective worst", "are for --rule optimal"),
        ("--rule minimax --within 6", "are for --rule optimal"),
        ("--rule minimax --time-limit 6", "are for --rule optimal"),
    ],
    "sweep run --list w.txt --out s --rule optimal": [
        ("--objective losses", "invalid choice: 'losses'"),
        ("--objective possible --within none", "--within K"), ("--within 0", "at least 1"),
        ("--time-limit 0", "no time to wait"), ("--guess-from candidates", "not candidates"),
        ("--openers zzzzz", "'zzzzz' is not among the 7 guesses"),
    ],
    "review --list w.txt": [
        ("", "no guess to review"),
        ("crane", "add the colours of each word"),
        ("crane bbgbg --games none.txt", "--games has the games"),
        ("--games none.txt", "none.txt: No such file"),
        ("crane ggggg --time-limit 0", "is no time to wait"),
        ("abide ybbbg adieu ybbby --hard", "forbids"),
    ],
    "optimal --list w.txt --opponent adversary": [
        (option, "is about strategies; a win against the adversary is one sequence")
        for option in (
            "--objective losses", "--then worst", "--weights w.txt", "--state crane.bybbb",
            "--top 2", "--width 9", "--resume f", "--dask tcp://h:1", "--proof f", "--out f",
        )
    ] + [("--game mastermind:2x3", "not with a word list"), ("--start crane,crane", "twice")],
    "game --list w.txt": [
        ("--secret zzzzz", "'zzzzz' is not among"),
        ("--secret crane,slate,stare --boards 2", "3 secrets for 2 boards"),
        ("--secret crane --seed 1", "--secret and --seed"),
        ("--secret crane --adversary", "--secret and --adversary"),
        ("--adversary --boards 2", "one board"), ("--hard --boards 2", "one board"),
        ("--boards 9", "9 boards, but only 7 secrets"), ("--seed -1", "too small"),
        ("--within 0", "too small"),
    ],
    "play --list w.txt": [
        ("--state crane", "'crane': add its colours, e.g. crane bybbb"),
        ("--state zzzzz.bbbbb", "--allow-unknown"), ("--boards 33", "must be 1–32"),
        ("--boards 0", "at least 1"), ("--boards 2 --hard", "one board"),
        ("--by luck", "invalid choice"), ("--within x", "not a whole number"),
        ("--strategy w.txt", "w.txt"), ("--strategy none", "none"),
        ("--used none", "there is no list or file named 'none'"),
        ("--used exclude:w.txt", "all are used"),
        ("--weights none", "none: No such file"), ("--json w.txt", "w.txt"),
    ],
    "referee": [
        ("", "no command to play with"),
        ("--", "no command to play with"),
        ("--player random -- x", "one of them plays"),
        ("--player greedy", "no player 'greedy'; players: random"),
        ("--player random,entropy --record g", "--record writes the games of one player"),
        ("--check none", "none: No such file"),
        ("--plot p.gif -- x", "must end in .svg"),
        ("--list nothing -- x", "there is no list or file named"),
        ("--hard --game mastermind:2x3 -- x", "hard mode is a rule of Wordle"),
        ("-- './\x1b[2Jx'", "'./\\x1b[2Jx' cannot be started: No such file"),
        ("--timeout 0 -- x", "no time to wait"),
        ("--sample 0 -- x", "too small"),
        (
            f"""-- {shlex.quote(sys.executable)} -c 'input(); print("what?")'""",
            "it must answer 'hello' with 'ready', not with 'what?'",
        ),
        ("--json - --csv - -- x", "only one of --json and --csv"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "reason"),
    [(f"{begin} {rest}", reason) for begin, rows in REFUSED.items() for rest, reason in rows],
)
def test_wrong_input_is_one_plain_line(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch, line: str, reason: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    words = Path("w.txt")
    words.write_text("\n".join(WORDS))
    outcome = knuthle(*shlex.split(line))
    assert (outcome.code, outcome.out) == (2, "") and reason in outcome.err
    assert len(outcome.err.splitlines()) <= 2
    assert list(Path().iterdir()) == [words] and words.read_text().split() == WORDS


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory_is_named(knuthle: Knuthle, tiny: Path) -> None:
    Path().chmod(0o500)
    outcome = knuthle("solve-all", "--list", tiny)
    Path().chmod(0o700)
    assert outcome.code == 2 and "cannot be written" in outcome.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named(knuthle: Knuthle, tiny: Path) -> None:
    outcome = knuthle("solve-all", "--list", tiny, "--out", "/dev/full")
    assert outcome.code == 3 and "No space left on device" in outcome.err


def test_outputs_are_kept_apart(knuthle: Knuthle, tiny: Path) -> None:
    assert knuthle("solve-all", "--list", tiny, "--out", "x", "--json", "./x").code == 2
    assert knuthle("solve-all", "--list", tiny, "--out", "x", "--resume", "x").code == 2
    assert knuthle("solve-all", "--list", tiny, "--out", "-").code == 2
    assert knuthle("solve-all", "--list", tiny, "--json", "-", "--csv", "-").code == 2
    assert knuthle("solve-all", "--list", tiny, "--out", "x").code == 0
    before = Path("x").read_bytes()
    assert knuthle("verify", "x", "--json", "x").code == 2
    assert knuthle("lookup", "x", "--json", "x").code == 2
    assert knuthle("export", "x", "--out", "x").code == 2
    assert Path("x").read_bytes() == before


def test_word_lists_are_not_overwritten(knuthle: Knuthle, tiny: Path) -> None:
    before = tiny.read_bytes()
    for option in ("--out", "--json", "--csv", "--resume"):
        outcome = knuthle("solve-all", "--list", tiny, option, tiny)
        assert (outcome.code, "named for two things" in outcome.err) == (2, True)
    assert knuthle("solve-all", "--list", tiny, "--secrets", tiny, "--json", tiny).code == 2
    assert knuthle("five-words", tiny, "--json", tiny).code == 2 and tiny.read_bytes() == before


def test_one_list_may_be_both_the_words_and_the_secrets(knuthle: Knuthle, tiny: Path) -> None:
    assert knuthle("solve-all", "--list", tiny, "--secrets", tiny, "--out", "s").code == 0
    outcome = knuthle("verify", "s", "--words", tiny, "--secrets", tiny)
    assert (outcome.code, "lists as given" in outcome.out) == (0, True)


def test_links_are_followed(knuthle: Knuthle, tiny: Path) -> None:
    Path("link").symlink_to("real")
    assert knuthle("solve-all", "--list", tiny, "--out", "link").code == 0
    assert Path("link").is_symlink()
    assert Path("real").is_file()


def test_a_list_must_not_pretend_to_be_a_shipped_one(knuthle: Knuthle, tiny: Path) -> None:
    Path("original.txt").write_text(tiny.read_text())
    outcome = knuthle("solve-all", "--list", "original.txt")
    assert outcome.code == 2 and "rename the file" in outcome.err
