"""One short digest of what the program says: a commit that only tidies up must not change it.

The benchmarks show what a commit makes faster; this shows that it changes nothing else. Some fifty
questions are put to the command line, each in a folder of its own. What goes into the digest is
what a user gets: exit codes, stdout, and every byte of the files written (strategies, proofs,
cards, pictures, JSON), less the durations. What is said on stderr is left out.

    ./tools/bench signature [--lines] [--only NAME]…

Two runs on one machine give one digest, whatever else goes on there: the environment is made here,
numbers of workers are given, no time limit is within reach, and no answer may
depend on which worker is first. (Hashes of strings stay random, so that an order that rests on them
is found out.) Another machine may round the last bit of an entropy otherwise.

The command is found through pyproject.toml and nothing is imported from the project: this file can
be copied into any commit and run there, by ``.venv/bin/python tools/benches/signature.py``.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .harness import Bench

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 2
#: A command that takes longer has hung; the first run of all compiles, on a busy machine perhaps.
PATIENCE = 1_800
DIGITS = 16

ONE_STEP = "minimax | entropy | expected-size | parts | proportion"
RULES = f"{ONE_STEP} | optimal"
MEASURES = "entropy | remaining | expected-size | parts | minimax | proportion | letters"
COMMANDS = (
    "solve-all | optimal | verify | check-proof | lookup | export | compare | explore | "
    "five-words | openers | buckets | pairs | cheatsheet | suggest | regret | review | lists | "
    "play | solve | settings | game | referee | sweep | web | mcp"
)
#: The small list: many words that are much alike, as they make games long.
OWN = "--list words.txt --secrets secrets.txt"
ALONE = "--workers 1"


def each(values: str, command: str) -> str:
    """A command for each value, which takes the place of the ``@`` in it."""
    return " ; ".join(command.replace("@", value) for value in values.split(" | "))


#: The questions: commands one after the other in one folder, which each write ``--json`` besides.
QUESTIONS = {
    # strategies by rules
    "lares": "solve-all --start lares --out s ; verify s ; verify s --within 6 ; export s"
    " ; lookup s ; lookup s lares.bgbgb.nymph.bbbby",
    "entropy": "solve-all --rule entropy --list nyt-2022 --secrets answers --csv s.csv",
    "expected-size": "solve-all --rule expected-size --list nyt-2023 --secrets answers",
    "parts-hard": "solve-all --rule parts --hard --secrets answers --start trace",
    "proportion-secrets": "solve-all --rule proportion --secrets answers --guess-from secrets",
    "minimax-candidates": "solve-all --list nyt-2023 --guess-from candidates --start lares",
    "optimal-rule": f"solve-all --rule optimal --secrets answers --start salet {ALONE}",
    "two-starts": "solve-all --start lares,cling --rule entropy",
    "workers": "solve-all --start soare --rule entropy --list nyt-2022 --workers 2",
    "sweep": each(ONE_STEP, f"sweep run {OWN} --rule @ --quiet {ALONE} --out @.sqlite")
    + " ; sweep report minimax.sqlite --csv m.csv ; sweep report entropy.sqlite --markdown",
    "own-rules": each(RULES, f"solve-all {OWN} --rule @ --out @.strategy ; verify @.strategy"),
    "own-hard": each(RULES, f"solve-all {OWN} --rule @ --within 6 --hard --out @.strategy"),
    "own-pools": each(ONE_STEP, f"solve-all {OWN} --rule @ --guess-from candidates --out c.@")
    + " ; "
    + each(RULES, f"solve-all {OWN} --rule @ --guess-from secrets --start auto --out s.@"),
    # within a limit
    "repair": "solve-all --start lants --within 6 --out s ; verify s --within 6",
    "impossible": "solve-all --start lares --within 6",
    "pure": "solve-all --start lares --within 6 --pure",
    "own-within": each(
        "2 | 3 | 4 | 5 | 6 | 4 --start lined | 5 --start mated,doner",
        f"solve-all {OWN} --out s --within @",
    ),
    # the best strategy
    "optimal": f"optimal {ALONE} --csv openers.csv",
    "salet": f"optimal --start salet {ALONE} --out s ; verify s ; lookup s",
    "reast": f"optimal --start reast {ALONE}",
    "crane": f"optimal --start crane --list nyt-2022 {ALONE}",
    "tarse": f"optimal --start tarse --list nyt-2023 {ALONE}",
    "adversary": f"optimal --opponent adversary --start saute {ALONE}"
    f" ; optimal --opponent adversary --start saute --hard {ALONE}",
    "adversary-codes": each(
        "4x6 | 5x4 | 3x5:distinct", f"optimal --game mastermind:@ --opponent adversary {ALONE}"
    ),
    "optimal-two-starts": f"optimal --start raise,clout {ALONE}",
    "optimal-hard": f"optimal --start salet --hard {ALONE}",
    "optimal-secrets": f"optimal --start raise --guess-from secrets {ALONE}",
    "optimal-candidates": f"optimal --start raise --guess-from candidates {ALONE}"
    f" ; optimal --game mastermind:4x5 --guess-from candidates {ALONE} --out codes",
    "width": f"optimal --width 5 --start slate {ALONE} ; optimal --width 3 {OWN} --hard",
    "worst": f"optimal --objective worst --start salet {ALONE}",
    "losses": f"optimal --objective losses --start lares --secrets allowed {ALONE}",
    "own-optimal": each(
        "--top 5 | --within none | --hard --top 3 | --guess-from secrets | --within 3"
        " | --guess-from candidates --top 3 | --guess-from candidates --objective worst",
        f"optimal {OWN} {ALONE} @",
    ),
    "own-objectives": each(
        "worst | worst --hard | losses --within 4 | losses --within 4 --hard"
        " | losses --within 3 --start liter | losses --within 3 --guess-from secrets",
        f"optimal {OWN} {ALONE} --objective @",
    ),
    "second-objectives": f"optimal --start salet --then fewest-of:5 {ALONE} --out s ; verify s"
    f" ; optimal --game mastermind:4x6 --within none --then fewest-of:6 {ALONE} --out codes ; "
    + each(
        "worst --hard | most-within:2 --within none | fewest-of:3 --guess-from candidates"
        " | fewest-of:3 --within 3 --objective losses",
        f"optimal {OWN} {ALONE} --then @",
    )
    + f" ; optimal {ALONE} --state salet.bbbbb --top 3 --then worst",
    "states": each(
        "salet.bbbbb --top 3 | parse.bybbb.clint.bbyyb | crane.bbybb --hard"
        " | raise.bbbbg --list nyt-2023 --guess-from secrets"
        " | lares.bgbgb --secrets allowed --within 4",
        f"optimal {ALONE} --csv s.csv --state @",
    ),
    # proofs
    "proof": f"optimal --start salet {ALONE} --proof p ; check-proof p --workers 2 ; lookup p",
    "proof-impossible": f"optimal --start salet --within 4 {ALONE} --proof p"
    f" ; check-proof p {ALONE}",
    "proof-codes": each(
        "2x6 --within none | 4x4 --within 5 | 4x4 --objective worst | 3x5:distinct --within 3"
        " | 3x4 --guess-from candidates --start 111",
        f"optimal {ALONE} --proof p --game mastermind:@ ; check-proof p ; lookup p",
    ),
    "own-proofs": each(
        "total | worst --hard | losses --within 4 | total --within 3 --start liter --hard",
        f"optimal {OWN} {ALONE} --proof p --objective @"
        f" ; check-proof p --words words.txt --secrets secrets.txt {ALONE} ; lookup p",
    ),
    # before and in the middle of a game
    "openers": each(MEASURES, "openers --list nyt-2022 --top 30 --bottom 5 --csv @.csv --by @")
    + " ; openers crane salet fuzzy",
    "buckets": "buckets crane --show-words --csv b.csv ; buckets salet reast --plot b.svg"
    " ; buckets lares --secrets allowed",
    "pairs": "pairs --top 12 --bottom 4 --csv p.csv ; pairs trace lions --list nyt-2022"
    " ; pairs --with salet --bottom 3 ; pairs --both-answers --top 5",
    "own-pairs": each("--top 50 --bottom 50 | dales moner | --with moner", f"pairs {OWN} @"),
    "third-words": f"pairs soare clint --third ; pairs {OWN} --third"
    f" ; pairs {OWN} --third --csv t.csv dales moner",
    "cheatsheet": each("score | hits | colours", "cheatsheet salet --group @ --card @.pdf")
    + " ; cheatsheet crane --depth 3 --group hits --card c.svg --csv c.csv"
    " ; cheatsheet lares --rule minimax --hard --card c.html --guess-from candidates",
    "cheatsheet-optimal": "cheatsheet salet --rule optimal --group colours --time-limit 90000"
    " --guess-from secrets",
    "suggest": "suggest ; suggest sigma xxxxx tenor xpppx --by proportion --guess-from secrets"
    " ; suggest crane.bbybb.laity.bybbb --hard --csv s.csv ; suggest salet.bbbbb --within 4"
    " ; suggest lares.bgbgb --secrets allowed --top 3 ; suggest crane.ggggg",
    "review": "review crane.bybbb.sloth.bbbbb.ruddy.ggggg --csv r.csv --time-limit 90000"
    " ; review crane short strut --secret strut --hard ; review 🟩🟩⬛⬛🟩 🟩🟩🟩🟩🟩"
    " ; review 1122.0,1.3313.1,1 --game mastermind:4x6",
    "regret": "regret crane,soare --csv r.csv ; regret sloth,ruddy crane.bybbb"
    " ; regret sloth,fuzzy crane.bybbb --hard ; regret 1122,1134 1234.1,1 --game mastermind:4x6",
    "players": f"referee {OWN} --player random,consistent,entropy,optimal"
    f" ; referee {OWN} --player consistent --record g.jsonl ; referee {OWN} --check g.jsonl",
    "play": "play --state crane.bybbb ; play --boards 4"
    " --state crane.bybbb.gbbbb.bbbbb.bbbby ; play --game mastermind:4x6 --state 1122.2,1"
    " ; game --seed 7 ; game --adversary --hard"
    " ; solve ruddy --start crane ; solve ruddy --hard ; solve zuzim --rule minimax",
    "five-words": "five-words ; five-words --anagrams ; five-words --list nyt-2023"
    " ; five-words --list words.txt --count 2",
    # Mastermind
    "mastermind": each(ONE_STEP, "solve-all --game mastermind:4x6 --rule @ --out @.strategy")
    + " ; solve-all --game mastermind:4x6 --start 1122 --out s ; verify s ; export s",
    "mastermind-boards": "solve-all --game mastermind:5x8 --out s"
    " ; solve-all --game mastermind:3x6:distinct --rule optimal"
    " ; optimal --game mastermind:3x5 ; optimal --game mastermind:3x5 --objective worst"
    " ; solve-all --game mastermind:4x10:distinct --rule entropy --out t",
    # files and words about them
    "export": f"solve-all {OWN} --out s ; "
    + each("text | tree | json | csv | dot", "export s --to @ --out s.@"),
    "foreign": f"solve-all {OWN} --out s ; "
    + each(
        "text | tree | json | csv",
        f"export s --to @ --out s.@ ; verify s.@ {OWN} ; verify s.@ {OWN} -o @.strategy",
    )
    + f" ; solve-all {OWN} --rule parts --out u ; compare s u ; verify s.tree",
    "explore": f"solve-all {OWN} --out s ; explore s --out page.html",
    "lists": "lists --csv l.csv",
    "help": each(COMMANDS, "@ --help") + " ; --help",
}


class Answer(NamedTuple):
    """What a question came to; ``trouble`` is why its digest is worth nothing, if it is not."""

    name: str
    digest: str
    seconds: float
    trouble: str = ""


def own_list() -> list[str]:
    """Words of a made-up language, three hundred and the same on every machine."""
    parts = "bcdfhlmprt", "aio", "lnst", "e", "drs"
    every = ["".join(letters) for letters in itertools.product(*parts)]
    return sorted(every[place * 97 % len(every)] for place in range(300))


def without_durations(value: object) -> object:
    """JSON without whatever a clock has measured, which differs from run to run."""
    if isinstance(value, dict):
        timed = re.compile("seconds|cpu|timing")
        kept = {name: inner for name, inner in value.items() if not timed.search(str(name))}
        return {name: without_durations(inner) for name, inner in kept.items()}
    return [without_durations(inner) for inner in value] if isinstance(value, list) else value


def cleaned(name: str, content: bytes) -> bytes:
    """Output without durations: in JSON by their keys, on stdout by their unit."""
    if name.endswith(".sqlite"):
        return b""  # it keeps the CPU time of each row; its report does not
    if name.endswith(".json"):
        return json.dumps(without_durations(json.loads(content))).encode()
    if name != "stdout":
        return content
    content = re.sub(rb", compilation \d+(\.\d+)? s\b", b"", content)  # by first runs alone
    return re.sub(rb"\b\d+(\.\d+)? s\b", b"# s", content)


def environment() -> dict[str, str]:
    """Only what Python needs to start and the kernels to be kept, and no terminal."""
    kept = "PATH HOME USERPROFILE SYSTEMROOT TMPDIR NUMBA_CACHE_DIR XDG_CACHE_HOME LOCALAPPDATA"
    fixed = "KNUTHLE_SETTINGS="
    fixed += " LC_ALL=C.UTF-8 PYTHONUTF8=1 COLUMNS=80 LINES=24 NO_COLOR=1 TERM=dumb TZ=UTC"
    given = {name: os.environ[name] for name in kept.split() if name in os.environ}
    made = dict(setting.split("=") for setting in fixed.split())
    return given | made | {"PYTHONPATH": str(ROOT)}


def program() -> list[str]:
    """How to start ``knuthle`` from this checkout, wherever pyproject.toml says that it begins."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, function = project["scripts"]["knuthle"].partition(":")
    start = f"import sys; from {module} import {function} as f; sys.argv[0] = 'knuthle'"
    return [sys.executable, "-P", "-c", f"{start}; sys.exit(f())"]


def ask(name: str) -> Answer:
    """Put one question and digest all that comes back."""
    digest, begun, trouble = hashlib.sha256(), time.perf_counter(), ""

    def take(part: str, content: bytes) -> None:
        digest.update(f"{part}\0{len(content)}\0".encode() + content)

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        words = own_list()
        (folder / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
        (folder / "secrets.txt").write_text("\n".join(words[::3]) + "\n", encoding="utf-8")
        for number, command in enumerate(QUESTIONS[name].split(" ; ")):
            done = run_command(command.split(), number, folder)
            take(command, str(done.returncode).encode())
            take("stdout", cleaned("stdout", done.stdout))
            said = done.stderr.decode(errors="replace")
            if done.returncode not in (0, 1) or "Traceback" in said:
                trouble = trouble or f"{command}: exit {done.returncode}\n{said}"
            for path in sorted(folder.iterdir()):  # now: the next command may overwrite them
                take(path.name, cleaned(path.name, path.read_bytes()))
    return Answer(name, digest.hexdigest()[:DIGITS], time.perf_counter() - begun, trouble)


def run_command(words: list[str], number: int, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """One command in the question's folder; one without end counts as failed."""
    more = [] if words[0] == "export" or "--help" in words else ["--json"]
    command = [*program(), *words, *more, *(f"{number}.json" for _ in more)]
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, b"", b"no end in sight")


def signature(found: Sequence[Answer]) -> str:
    """One digest of them all."""
    lines = "".join(f"{answer.name} {answer.digest}\n" for answer in found)
    return hashlib.sha256(lines.encode()).hexdigest()[:DIGITS]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the signature, or say which questions failed (exit 1)."""
    parser = argparse.ArgumentParser(
        prog="tools/bench signature", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--lines", action="store_true", help="a line for each question, too")
    parser.add_argument(
        "--only", action="append", choices=[*QUESTIONS], metavar="NAME", help=", ".join(QUESTIONS)
    )
    args = parser.parse_args(arguments)
    found = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for answer in pool.map(ask, args.only or QUESTIONS):
            found.append(answer)
            if args.lines:
                print(f"{answer.name:20} {answer.digest} {answer.seconds:7.1f}", flush=True)
            if answer.trouble:
                print(f"{parser.prog}: {answer.name} FAILED: {answer.trouble}", file=sys.stderr)
    failed = [answer.name for answer in found if answer.trouble]
    if failed:
        print(f"{parser.prog}: none, since these failed: {' '.join(failed)}", file=sys.stderr)
        return 1
    print(signature(found))
    return 0


def run(bench: Bench) -> None:
    """The signature among other topics, a line for each question."""
    bench.check(main(["--lines"]) == 0, "every question is answered")


if __name__ == "__main__":
    sys.exit(main())
