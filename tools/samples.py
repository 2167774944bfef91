"""Make a sample of every file that knuthle writes and reads again, and record what is read.

    .venv/bin/python -m tools.samples FOLDER
    .venv/bin/python -m tools.samples tests/samples/1.1.0

Once for each version that writes a format in a new form; the folder has the version's name.
``tests/strategy/test_records.py`` has every later version read the files of all folders. Samples
are never made again: what counts is what that version wrote.
"""

import contextlib
import io
import itertools
import json
import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

from solver.exact.problem import GuessBounds, Problem
from solver.game.load import load_game
from strategy import cli
from strategy.files.strategy_file import Origin
from strategy.play.known_word import solve_word
from strategy.solving.by_rule import GrowingStrategy
from strategy.solving.search import save_checkpoint
from strategy.toolbox.guesses import HowToFind

#: From BCC by Knuth's rule one of them takes four guesses; three suffice.
WORDS = "bcc beb bhd cbc cbg cfg dff ece ega egc egd ege fgg gab".split()
#: Secrets that differ in one letter, and guesses that tell two from the rest: many claims.
SECRETS = [f"{letter}zz" for letter in "abcdefghi"]
MORE = [f"{a}{b}{c}" for a, b in itertools.combinations("aebdcfgih", 2) for c in "yz"][::2]
_ALIKE = "--list alike.txt --secrets secrets.txt"
_OWN = "--list words.txt --secrets allowed"
#: What is run to make the files, in this order.
MAKE = (
    f"solve-all {_OWN} --start bcc --out minimax.strategy",
    f"solve-all {_OWN} --start bcc --hard --out hard.strategy",
    f"solve-all {_OWN} --within 3 --out repaired.strategy",
    "solve-all --game mastermind:2x3 --out pegs.strategy",
    f"optimal {_OWN} --out optimal.strategy --proof total.proof",
    f"optimal {_ALIKE} --out alike.strategy --proof alike.proof",
    f"optimal {_ALIKE} --hard --out alike-hard.strategy --proof hard.proof",
    f"optimal {_OWN} --within none --objective worst --out worst.strategy --proof worst.proof",
    f"sweep run {_OWN} --out rule.sqlite --openers bcc,beb,gab --workers 1",
    f"sweep run {_OWN} --rule optimal --out exact.sqlite --openers bcc,beb --workers 1",
    "sweep run --list original --openers lares --out lares.sqlite --workers 1",
    "lists add words.txt --name kept",
    *(f"export minimax.strategy --to {form} --out minimax.{form}"
      for form in ("text", "tree", "csv", "json")),
)  # fmt: skip
#: What is asked of the files; what is answered is recorded.
ASK = (
    *(f"lookup {name}" for name in (
        "minimax.strategy", "hard.strategy", "repaired.strategy", "pegs.strategy",
        "optimal.strategy", "unfinished.strategy", "total.proof", "alike.proof", "hard.proof",
        "worst.proof",
        "search.findings",
    )),
    *(f"verify {name}.strategy --list words.txt"
      for name in ("minimax", "hard", "repaired", "optimal", "worst")),
    "verify hard.strategy --list words.txt --hard",
    "verify repaired.strategy --list words.txt --within 3",
    "verify minimax.strategy --list words.txt --within 3",
    "verify pegs.strategy",
    "lookup minimax.strategy bcc.bbb",
    "lookup pegs.strategy 11.0,0",
    *(f"check-proof {name}.proof --words words.txt" for name in ("total", "worst")),
    *(f"check-proof {name}.proof --words alike.txt --secrets secrets.txt"
      for name in ("alike", "hard")),
    f"solve-all {_OWN} --start bcc --resume unfinished.strategy --out resumed.strategy",
    f"optimal {_OWN} --resume search.findings --out found.strategy",
    *(f"sweep {action} {name}.sqlite"
      for name in ("rule", "exact", "lares") for action in ("status", "report")),
    "sweep merge rule.sqlite --out merged.sqlite",
    "sweep merge exact.sqlite --out both.sqlite",
    *(f"verify minimax.{form} {_OWN}" for form in ("text", "tree", "csv", "json")),
    *(f"verify minimax.{form} {_OWN} -o {form}.strategy"
      for form in ("text", "tree", "csv", "json")),
    "suggest --list kept --secrets allowed bcc.bbb",
    f"suggest {_OWN} --weights weights.txt bcc.bbb",
    f"review {_OWN} --games games.txt",
)  # fmt: skip


def asked(line: str) -> dict[str, Any]:
    """Run a command in this folder: what it says as JSON, and its exit code."""
    words = shlex.split(line)
    first = 2 if words[0] == "sweep" else 1
    with kept_here(), contextlib.redirect_stdout(io.StringIO()) as out:
        code = cli.main([*words[:first], "--quiet", "--json", "-", *words[first:]])
    said = out.getvalue()  # nothing where it was refused
    return {"run": line, "exit": code, "says": json.loads(said) if said else None}


def kept_here() -> Any:
    """Have this folder hold the lists that are kept under a name."""
    return mock.patch.dict(os.environ, XDG_DATA_HOME=str(Path.cwd()))


def make() -> None:
    """Make all files in this folder."""
    Path("words.txt").write_text("\n".join(WORDS) + "\n")
    Path("alike.txt").write_text("\n".join(sorted(SECRETS + MORE)) + "\n")
    Path("secrets.txt").write_text("\n".join(SECRETS) + "\n")
    Path("weights.txt").write_text("bcc 2\negc 1\nege 3\ndff 1\n")
    Path("games.txt").write_text("bcc.bbb.dff.ggg\nege.ggg\n")
    game = load_game("words.txt", "allowed")
    # what interrupted commands leave, which no command leaves at will
    begun = GrowingStrategy(game, Origin.of(game, "minimax", ("bcc",)))
    for secret in ("cbg", "ege"):
        place = (-1, -1)
        for guess in solve_word(game, secret, HowToFind(("bcc",), "minimax")).guesses:
            known = [*zip(begun.tree.parent, begun.tree.score, strict=True)]
            if place not in known:
                begun.tree.add(game.guess_id(guess.word), *place)
            place = ([*known, place].index(place), guess.score)
    begun.save(Path("unfinished.strategy"))
    problem = Problem(game, hard=False, within=6)
    save_checkpoint("search.findings", problem, GuessBounds(found={1: (2 * len(WORDS), False)}))
    for line in MAKE:
        with kept_here():
            code = cli.main([*shlex.split(line)] + ["--quiet"] * (" export " not in f" {line}"))
        if code:
            raise SystemExit(f"{line}: exit code {code}")


def main() -> int:
    """Make a folder of samples with its answers; the exit code."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True)  # refused if it is there
    os.chdir(folder)
    make()
    with tempfile.TemporaryDirectory() as aside:
        os.chdir(shutil.copytree(folder, aside, dirs_exist_ok=True))
        answers = ",\n".join(json.dumps(asked(line)) for line in ASK)
        os.chdir(folder)
    Path("answers.json").write_text(f"[\n{answers}\n]\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
