"""Wrong input is refused by name, and no file is lost by it."""

import os
import shlex
import sys
from pathlib import Path

import pytest

from strategy.solving.by_rule import Settings, solve
from tests.support.commands import Knuthle
from tests.support.worlds import game_of

#: A small list, of which ``OWN`` makes a game.
WORDS = "crane slate abide adieu stare raise arise".split()
OWN = "--list w.txt --secrets allowed"
#: Weights of four of them, beside the list and ``s.strategy``, which begins with SLATE.
WEIGHTS = "crane 3\nslate 2.5\nraise .5\nstare 1\n"
USED = "--list w.txt --used used.txt"
GRID = "'🟨⬛⬛⬛🟩 🟩🟩🟩🟩🟩'"
#: A whole number that no option takes.
FAR = 2**63
#: The first line of recorded games; and what are none, in files by their numbers.
HEAD = (
    '{"format": "knuthle games", "version": 1, "player": "x", "game": "wordle", "seed": 0, '
    '"list": "original", "hard": false, "limit": 20, "sample": null}'
)
FORGED = [
    *(HEAD.replace(*it) for it in (("1", "2"), ("20", "0"), ("null", "-9"), ("false", "[]"))),
    *(HEAD.replace(f'"{name}": ', '"other": ') for name in ("player", "seed", "list", "sample")),
    *("", "7", "[[]]", "[" * 99_999, f"{HEAD}\n7", f"{HEAD}\n{{"),
]
#: A package that need not be there, and what takes it.
MISSING = {
    "distributed": ["sweep run --list w.txt --out u --dask tcp://h:1"],
    "matplotlib": ["export s.strategy -o a.svg", "openers --list w.txt --plot a.svg"],
    "mcp": ["mcp"],
}
INSTALLED = f"which is not installed: {shlex.quote(sys.executable)} -m pip install"

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
        ("suggest crane.bybb", "write all 5 marks, or crane.bbybb if"),
        ("suggest --used crane bybbb", "clues stand before --used"),
        ("suggest crxne bybbb", "did you mean crane or crone or crine?"),
        ("suggest crane bybbg --pattern 'r at 2'", "crane bybbg contradicts the pattern 'r at 2'"),
        ("suggest --pattern 'b near 1'", "makes no sense"),
        ("suggest --pattern '\x1b[2J near 1'", "'\\x1b[2j near 1' makes no sense"),
        ("suggest 'salet bbbbg salet bbbbb'", "salet bbbbg contradicts salet bbbbb"),
        ("optimal --state 'salet bbbbg salet bbbbb'", "salet bbbbg contradicts salet bbbbb"),
        ("review 'crane sloth rudy' --secret ruddy", "'rudy' has 4 letters; the words have 5"),
        ("review 'crane slorh ruddy' --secret ruddy", "'slorh' is not among"),
        (f"review {GRID} --hard", "a grid shows no words, so that nobody can say if it kept to"),
        (f"review 'Wordle 1 2/6* {GRID[1:]} --hard", "a grid shows no words, so that nobody can"),
        ("pairs crane", "name two words"), ("pairs crane crane", "twice"),
        ("pairs --game mastermind:6x8", "take 69 GB"),
        ("pairs --workers 0", "--workers: 0 is too small"),
        ("pairs --third --workers -1", "--workers: -1 is too small"),
        ("pairs --third --workers 1.5", "--workers: '1.5' is not a whole number"),
        ("pairs --third crane", "name two words"), ("pairs --third crane crane", "twice"),
        ("pairs --third --game mastermind:6x8", "take 69 GB"), ("openers cranz", "not among"),
        ("openers --top -1", "too small"), ("openers --top 1000000001", "at most 1000000000"),
        (f"verify w.txt --within {FAR}", "too large: at most 1000000"),
        (f"suggest --within {2 * FAR}", "too large: at most 1000000"),
        ("pairs --workers 1025", "too large: at most 1024"),
        (f"five-words w.txt --count {FAR}", "too large: at most 64"),
        ("five-words --count 0", "--count: 0 is too small"),
        ("five-words --letters x", "'x' is not a whole number"),
        ("five-words nowhere.txt", "there is no file or list named 'nowhere.txt'"),
        ("five-words w.txt --json w.txt", "w.txt: named for two things at once"),
        ("compile bukets", "knuthle compile: 'bukets' compiles nothing"),
        ("compile --workers 0", "0 is too small"),
        ("verify s.strategy --json s.strategy", "s.strategy: named for two things at once"),
        ("lookup s.strategy --json s.strategy", "s.strategy: named for two things at once"),
        ("openers --by letters --plot x.svg", "--by letters ranks by none"),
        ("openers --game mastermind:4x6 --by letters", "has none"),
        ("buckets crane --plot x.png", "of a split is .svg"), ("game --boards 33", "must be 1–32"),
        ("lists add", "required: FILE"), ("lists remove", "required: NAME"),
        ("lists add nowhere", "nowhere"), ("lists --name x", "invalid choice"),
        ("lists remove x --secrets y", "unrecognized arguments"), ("lists show no", "no list"),
        ("sweep", "required: run|status"), ("sweep rum", "did you mean run?"),
        ("sweep run --openers all --openers all", "given twice"),
        ("sweep report none", "none: there is no such file"),
        ("solvee crane", "no command 'solvee'; did you mean solve?"),
        (f"game --adversary {USED}", "--used exclude is for it"),
        *((f"{line} {USED}", "--used exclude leaves them out") for line in (
            "cheatsheet crane --group hits", "cheatsheet crane --rule optimal",
            "solve slate --rule minimax",
        )),
    ],
    f"suggest {OWN}": [
        ("--tpo", "unrecognized arguments: --tpo"),
        ("crane bbbbb", "no secret of w (allowed) gives crane bbbbb"),
        ("'slate bbgbg adieu ybbyb' --hard", "hard mode forbids 'adieu' after slate.bbgbg"),
    ],
    "lookup s.strategy": [
        ("slate.bbyb", "'.bbyb' after 'slate' has two meanings"), ("slate.y-b", "has 3 marks"),
        ("slate.-y-b", "has two meanings"),
        ("crane.bbbbb", "step 1: the strategy guesses 'slate'"),
    ],
    "export": [
        ("s.strategy --depth 2", "--depth is for --to dot"),
        ("s.strategy --to dot --depth 0", "0 is too small"),
        ("s.strategy --to svg", "a picture needs the name of a file"),
        ("s.strategy s.strategy --kind tree -o a.svg", "several strategies at a time"),
        ("s.strategy s.strategy -o a.txt", "several strategies at a time"),
        ("s.strategy --kind tree -o a.txt", "--kind is for pictures"),
        ("none.strategy -o a.svg", "none.strategy"), ("w.txt -o a.svg", "not a knuthle file"),
        ("s.strategy --to svg -o s.strategy", "holds something else already"),
        ("s.strategy --to svg -o w.txt", "holds something else already"),
        ("s.strategy -o gone/a.svg", "there is no directory"),
        ("s.strategy --out s.strategy", "holds something else already"),
    ],
    "solve": [
        ("ruddi", "'ruddi' is not among the 14,855 guesses of nyt-2026; did you mean"),
        ("crane --start cranz", "not among"), ("crane --rule optimal", "invalid choice"),
        ("crane --rule minimax --common", "--common is for the proposals"),
    ],
    "solve --strategy s.strategy": [
        ("crane --rule minimax", "--rule is for a game"),
        ("crane --start crane", "--start is for a game"), ("crane --hard", "not for hard mode"),
        ("crane --used exclude:w.txt", "--used is for a game without --strategy"),
        ("crane --list original --game mastermind:3x3", "'crane' is not a code"),
        ("zebra", "not among the 7 secrets of the strategy"), ("crany", "did you mean crane"),
    ],
    "solve-all": [
        ("--start larez", "did you mean"), ("--start lares,", "'' is not among the 12,972 guesses"),
        ("--strat lares", "did you mean --start?"), ("--workers 0", "0 is too small: at least 1"),
        ("--within 1000001", "too large: at most 1000000"),
        (f"{OWN} --start crane --then worst", "--then goes with --rule optimal"),
        (f"{OWN} --rule optimal --hard --start slate,adieu", "guess 'adieu' after slate."),
        (f"{OWN} --rule optimal --hard --start slate,slate", "--start guesses 'slate' twice"),
        (f"{OWN} --weights weights.txt", "--weights goes with --rule optimal"),
        ("--workers many", "'many' is not a whole number"), ("--within 0", "too small"),
        ("--rule entropie", "did you mean entropy?"), ("--list orignal", "did you mean original"),
        ("--secrets nowhere.txt", "nowhere.txt: No such file"), ("--list .", "Is a directory"),
        ("--out .", "is a directory, not a file"), ("--out none/a", "there is no directory none"),
        ("--json none/a", "there is no directory none"), ("--json", "expected one argument"),
        ("--game chess", "unknown game 'chess'"), ("--out -", "a strategy file is not text"),
        ("--json - --csv -", "only one of --json and --csv can have stdout"),
        ("--out x --json ./x", "x: named for two things at once"),
        ("--out x --resume x", "x: named for two things at once"),
        ("--secrets w.txt --json w.txt", "w.txt: named for two things at once"),
    ] + [
        (f"--list w.txt {option} w.txt", "w.txt: named for two things at once")
        for option in ("--out", "--json", "--csv", "--resume")
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
        ("s.strategy -o s.strategy", "s.strategy: named for two things at once"),
        ("s.strategy -o s.strategy --force", "s.strategy: named for two things at once"),
        ("s.strategy -o x --json x", "x: named for two things at once"),
    ],
    "web": [
        ("--out .", "is not empty"), ("--out w.txt", "w.txt: is a file, not a folder"),
        ("--out w.txt --force", "w.txt: is a file, not a folder"),
        ("--out -", "does not fit into stdout"), ("--port 0", "0 is too small: at least 1"),
        ("--port 65536", "65536 is too large: at most 65535"),
    ],
    "optimal": [
        ("--state crane.bybb", "write all 5 marks, or crane.bbybb if"),
        ("--game mastermind:3x4 --dask tcp://h:1", "of Wordle, not mastermind:3x4"),
        ("--dask-ca x", "for --dask, not given"),
    ],
    "optimal --game mastermind:2x6 --proof a.proof": [
        ("--start 12,13", "--proof is about all first guesses or about one --start, not several"),
        ("--hard", "hard mode is for Wordle only"),
    ],
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
        ("--state slate.bb", "slate"), (f"--within {FAR}", "too large: at most 1000000"),
        (f"--within {2 * FAR}", "too large: at most"), ("--time-limit 1e9", "too large: at most 1"),
        ("--hard --state 'slate bbgbg adieu ybbyb'", "hard mode forbids 'adieu' after slate.bbgbg"),
        ("--hard --start slate,adieu", "hard mode forbids the fixed guess 'adieu' after slate."),
        ("--hard --start slate,slate", "--start guesses 'slate' twice"),
        ("--then best", "no second objective 'best': worst, most-within:K or fewest-of:K"),
        ("--then fewest-of", "no second objective"),
        ("--then most-within:0", "a number of guesses is from 1"),
        ("--then worst --objective worst", "not with --objective worst"),
        ("--then worst --width 3", "no --width"),
        ("--then worst --proof p", "check-proof has no rule for --then"),
        ("--then worst --weights weights.txt", "--then is for equally likely secrets"),
        ("--then worst --state crane", "'crane'"),
        ("--then best --state crane.bbbbb", "no second objective"),
    ],
    f"optimal {OWN} --weights weights.txt": [
        ("--objective worst", "--weights goes with --objective total alone"),
        ("--objective losses", "--weights goes with --objective total alone"),
        ("--proof proof", "--proof is for equally likely secrets"),
        ("--resume there", "--resume is for equally likely secrets"),
        ("--width 2", "--width is for equally likely secrets"),
        ("--guess-from candidates", "--guess-from candidates is for equally likely secrets"),
        ("--state crane.bbbbb", "--weights is about whole strategies"),
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
    f"openers {OWN} --weights weights.txt": [
        ("--by letters", "--by letters counts letters of guesses"),
    ],
    f"suggest {OWN} --weights weights.txt": [
        ("slate bbbbb", "no secret of w (allowed with a weight) gives slate bbbbb"),
        ("slate bbybg", "other allowed words fit (abide)"),
    ],
    f"buckets crane {OWN} --weights weights.txt": [
        ("--json weights.txt", "weights.txt: named for two things at once"),
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
    "optimal --list w.txt --dask tcp://h:1": [
        ("--start crane", "with --start there are none to share"),
        ("--objective worst", "with --objective worst there are none"),
        ("--width 2", "with --width there are none"), ("--workers 2", "--dask has its own"),
        ("--state crane.bbbbb", "does not go with --state"),
    ],
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
        ("--timeout 0 -- x", "no time to wait"), ("--timeout 1e9 -- x", "too large: at most"),
        ("--sample 0 -- x", "too small"),
        (
            f"""-- {shlex.quote(sys.executable)} -c 'input(); print("what?")'""",
            "it must answer 'hello' with 'ready', not with 'what?'",
        ),
        ("--json - --csv - -- x", "only one of --json and --csv"),
        *((f"--check {at}", f"{at}: no games of 'referee --record'") for at in range(len(FORGED))),
        ("--check g.jsonl", "its guesses are not those of original; name them by --list and"),
    ],
    "regret --list w.txt": [
        ("slath", "'slath' is not among the 7 guesses"), ("slate crane.ggggg", "the game is over"),
        ("slate crane.ggggb", "no secret of w (allowed) gives crane ggggb"),
        ("raise 'slate bbgbg adieu ybbyb' --hard", "hard mode forbids 'adieu' after slate.bbgbg"),
    ],
    "regret --game mastermind:2x3": [("12 --hard", "hard mode is a rule of Wordle")],
}  # fmt: skip


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files beside which a line is refused."""
    path = tmp_path_factory.mktemp("world") / "s.strategy"
    solve(game_of(WORDS), Settings(("slate",))).strategy.save(path)
    texts = {"w.txt": "\n".join(WORDS), "weights.txt": WEIGHTS, "g.jsonl": HEAD}
    texts |= {str(at): text for at, text in enumerate(FORGED)} | {"used.txt": "crane"}
    return {name: text.encode() for name, text in texts.items()} | {path.name: path.read_bytes()}


@pytest.mark.parametrize(
    ("line", "reason"),
    [(f"{begin} {rest}", reason) for begin, rows in REFUSED.items() for rest, reason in rows]
    + [(line, f"{INSTALLED} {name}") for name, lines in MISSING.items() for line in lines],
)
def test_wrong_input_is_one_plain_line(
    knuthle: Knuthle,
    world: dict[str, bytes],
    line: str,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if reason.startswith(INSTALLED):
        monkeypatch.setitem(sys.modules, reason.rsplit(maxsplit=1)[-1], None)
    for name, content in world.items():
        Path(name).write_bytes(content)
    outcome = knuthle(*shlex.split(line), typed="")
    assert (outcome.code, outcome.out) == (2, "") and reason in outcome.err
    assert len(outcome.err.splitlines()) <= 2 and "\x1b" not in outcome.err
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == world


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory_is_named(knuthle: Knuthle, tiny: Path) -> None:
    Path().chmod(0o500)
    outcome = knuthle("solve-all", "--list", tiny)
    Path().chmod(0o700)
    assert outcome.code == 2 and "cannot be written" in outcome.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named(knuthle: Knuthle, tiny: Path) -> None:
    outcome = knuthle("solve-all", "--list", tiny, "--out", "/dev/full")
    assert outcome.code == 3 and "No space left on device" in outcome.err


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
