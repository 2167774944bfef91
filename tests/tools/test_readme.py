"""What the README, the docs and their recipes show is what comes out of it."""

import ast
import doctest
import json
import os
import re
import runpy
import shlex
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

import pytest

from strategy import Settings, Strategy, exports, load_game, optimal, solve
from strategy.cli import main
from tests.support import ROOT
from tests.support.commands import Knuthle, ran
from tests.support.node import require_node

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_systems_that_were_tried() -> None:
    """The README says what the classifiers of the package say."""
    package = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall('Operating System :: (.*)"', package) == ["POSIX :: Linux"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "on Linux, where every version is tested; on macOS and [Windows]" in readme


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path, language: str) -> list[str]:
    """The blocks of a page that are Python, or show commands and what they print."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


@pytest.mark.parametrize("page", [it for it in PAGES if blocks_of(it, "python")], ids=name_of)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = "\n".join(blocks_of(page, "python"))
    example = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert results.attempted and not results.failed


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("*.md")], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target and "made/" not in target:  # these are made by tools/docs
            assert (page.parent / target).exists(), target


#: Pages whose commands are run: what they show must come out.
OF_DOCS = ("start.md", "tour.md", "results.md", "faq.md")
SHOWN = [
    page for page in PAGES
    if blocks_of(page, "console") and (page.parent != ROOT / "docs" or page.name in OF_DOCS)
]  # fmt: skip
#: Pages of which the first commands are read before anything is installed. They run as people
#: start them, each a process; those of the other pages are called.
AS_PROCESSES = {"README.md", "docs/start.md"}
#: What a shell would do something with.
_OF_A_SHELL = set("|<>;&()$`*?~#")


def arguments_of(command: str) -> list[str] | None:
    """The words of a plain call of ours; None of anything else, which takes a shell."""
    split = shlex.shlex(command, posix=True, punctuation_chars=True)
    split.whitespace_split, split.commenters = True, ""
    words = list(split)
    if not words or words[0] not in ("knuthle", "solve-all") or _OF_A_SHELL & set(command):
        return None
    return words[words[0] == "knuthle" :]


#: Pages whose commands take more than a few seconds, and how many.
SLOW = {"tour.md": 45, "README.md": 30, "players.md": 5, "proofs.md": 5}


@pytest.mark.parametrize("page", sorted(AS_PROCESSES))
def test_what_is_shown_first_works_in_a_checkout(page: str) -> None:
    steps = re.findall(r"^\$ (.*)", "\n".join(blocks_of(ROOT / page, "console")), re.M)
    assert steps and not [it for it in steps if not it.startswith("./tools/run ")]


@pytest.mark.parametrize("page", [
    pytest.param(it, id=name_of(it), marks=[
        pytest.mark.slow(SLOW[name]) for name in SLOW if name == it.name
    ])
    for it in SHOWN
])  # fmt: skip
def test_the_commands_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Every ``$`` line is run in one directory, in order; shown lines must come out in order.

    A line that ends in … stands for all that begin so.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KNUTHLE_SETTINGS", str(tmp_path / "settings.toml"))

    def said(command: str) -> tuple[str, str]:
        """What a command prints and complains of."""
        arguments = arguments_of(command)
        if arguments is None or name_of(page) in AS_PROCESSES:
            done = ran(["bash", "-c", prelude + command], tmp_path, PYTHON=sys.executable)
            return done.stdout, done.stderr
        capfd.readouterr()
        main(arguments)
        return capfd.readouterr()

    prelude = 'knuthle() { "$PYTHON" -m strategy "$@"; }; solve-all() { knuthle solve-all "$@"; }\n'
    prelude += 'export KNUTHLE_SETTINGS="$PWD/settings.toml"\n'  # what a page sets ends with it
    for block in blocks_of(page, "console"):
        for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *shown = [line.rstrip() for line in step.splitlines()]
            out, err = said(re.sub(r"^\./tools/run (knuthle )?", "knuthle ", command))
            printed = iter(out.splitlines())
            for line in filter(None, shown):
                begun, dots, _ = line.partition("…") if line.endswith("…") else (line, "", "")
                assert any(
                    found.startswith(begun) if dots else found.rstrip() == begun
                    for found in printed
                ), f"{command}: {line!r} is not in\n{out}{err}"


RECIPES = ROOT / "docs" / "recipes"
READER = RECIPES / "lookup.mjs"
RECIPES_PAGE = (RECIPES / "index.md").read_text(encoding="utf-8")
PRINTED = dict(
    re.findall(
        r"^```\{literalinclude\} (\S+\.py)\n```\n[^#]*?^```text\n(.*?)^```",
        RECIPES_PAGE,
        re.M | re.S,
    )
)
#: For those who learn: recipe → the packages that it takes, and for how many seconds it fetches
#: them.
PACKAGES = {
    "learners/ask_mcp.py": ("mcp==2.3.0", pytest.mark.long(20)),
    "learners/wordle_states.py": ("reasoning-gym==0.1.25", pytest.mark.nightly(150)),
    "learners/wordle_openenv.py": ("openenv==0.10.0", pytest.mark.nightly(150)),
    "learners/wordle_verifiers.py": ("verifiers==0.4.0 uv", pytest.mark.nightly(150)),
}
#: A trial instead of a demonstration: it prints nothing, and ends well if all is as it should be.
TRIALS = {"learners/wordle_openenv.py": Path(__file__).with_name("try_wordle_openenv.py")}
WORDS = "abide crane grant giant plant raise slant slate stare".split()


def test_every_recipe_is_on_the_page() -> None:
    recipes = sorted(str(path.relative_to(RECIPES)) for path in RECIPES.rglob("*.py"))
    assert sorted(re.findall(r"literalinclude\} (\S+\.py)\n", RECIPES_PAGE)) == recipes
    assert sorted([*PRINTED, *TRIALS]) == recipes
    assert sorted(PACKAGES) == [it for it in recipes if "/" in it]


@pytest.mark.parametrize("name", [name for name in PRINTED if name not in PACKAGES])
def test_it_prints_what_the_page_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["5"] if name == "sweep_openers.py" else []
    monkeypatch.setattr(sys, "argv", [name, *few])
    runpy.run_path(str(RECIPES / name), run_name="__main__")
    assert capsys.readouterr().out.strip() == PRINTED[name].strip()


@pytest.mark.parametrize("name", [pytest.param(it, marks=PACKAGES[it][1]) for it in PACKAGES])
def test_with_the_real_package_it_prints_what_the_page_shows(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # some have half a gigabyte
        venv.create(folder, with_pip=True)
        (site,) = Path(folder).glob("lib/python*/site-packages")
        (site / "tests.pth").write_text(sysconfig.get_path("purelib"))  # behind its own packages
        python, packages = Path(folder, "bin", "python"), PACKAGES[name][0].split()
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        done = ran([*pip, *packages], timeout=1800)
        if done.returncode:
            pytest.skip(f"{packages} cannot be installed: {done.stderr[-200:]}")
        path = os.pathsep.join([str(python.parent), os.environ["PATH"]])  # it has uv
        recipe = RECIPES / name
        found = os.pathsep.join(map(str, (ROOT, recipe.parent)))
        program = [python, TRIALS.get(name, recipe)]
        done = ran(program, recipe.parent, timeout=600, PATH=path, PYTHONPATH=found)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == PRINTED.get(name, "").strip()


def test_the_notebook_of_the_lesson_runs() -> None:
    """Each cell ends with what the notebook draws, or with plain values."""
    notebook = json.loads((RECIPES / "lesson.ipynb").read_text(encoding="utf-8"))
    cells = notebook["cells"]
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 4), "later cells have ids"
    names: dict[str, object] = {}
    shown = []
    for cell in cells:
        if cell["cell_type"] == "code":
            *before, last = ast.parse("".join(cell["source"])).body
            exec(ast.unparse(ast.Module(before, [])), names)
            shown.append(eval(ast.unparse(last), names))
    drawn = [it for it in shown if hasattr(it, "_repr_html_")]
    assert ["<svg" in it._repr_html_() for it in drawn] == [True, False, False, True, False]
    assert [it for it in shown if it not in drawn] == [(2315, 12972), (6, 8036)]
    assert [type(it).__name__ for it in drawn] == [
        "WordSplit", "Rows", "Suggestions", "Solved", "Review"
    ]  # fmt: skip
    text = "".join(line for cell in cells for line in cell["source"])
    assert "90 secrets fit" in repr(drawn[2]) and "90 words fit" in text


@pytest.fixture
def built() -> Strategy:
    return solve(load_game(WORDS), Settings(rule="entropy")).strategy


def test_javascript_plays_the_same_games(built: Strategy, tmp_path: Path) -> None:
    """The JSON is as the page says."""
    (tmp_path / "s.json").write_text(exports.to_json(built))
    script = f"""
        import {{ play, grade, nextGuess }} from {json.dumps(READER.as_uri())}
        import {{ readFileSync }} from 'node:fs'
        const strategy = JSON.parse(readFileSync('s.json', 'utf8'))
        const games = {json.dumps(WORDS)}.map(word => [word, play(strategy, word, grade)])
        const unmet = nextGuess(strategy, [['qqqqq', 'bbbbb']])
        console.log(JSON.stringify([Object.fromEntries(games), unmet]))
    """
    command = [require_node(), "--input-type=module", "--eval", script]
    games, unmet = json.loads(ran(command, tmp_path).stdout)
    game, tree = load_game(WORDS), json.loads(exports.to_json(built))["tree"]
    assert unmet is None
    for secret, history in built.games():
        texts, node = [[word, game.format_score(score)] for word, score in history], tree
        assert games[secret] == [*texts, [secret, "ggggg"]]
        for word, score in texts:
            assert node["guess"] == word
            node = node["then"][score]
        assert node["guess"] == secret


def test_javascript_answers_on_a_command_line(built: Strategy, tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(exports.to_json(built))
    secret, history = next((s, h) for s, h in built.games() if h)
    state = load_game(WORDS).format_state(history)
    for typed, answer in ((state, secret), ("crane.qqqqq", "this strategy never meets that state")):
        done = ran([require_node(), READER, "s.json", typed], tmp_path)
        assert (done.returncode, done.stdout.strip()) == (0, answer)


RESULTS = ROOT / "docs" / "results.md"
COLUMNS = ["total", "mean", "worst", "histogram"]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in RESULTS.read_text(encoding="utf-8").splitlines()
    if re.match(r"\| `(solve-all|optimal) .*` \| [\d,]+ \|", line)
]
QUICK = ["--start lares", "1122 --rule minimax", "crate --secrets answers", "parts --hard"]


def test_there_are_such_tables() -> None:
    heads = re.findall(r"^\| command \|(.*)\|$", RESULTS.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(ROWS) > 20
    assert {tuple(cell.strip() for cell in head.split("|")) for head in heads} == {tuple(COLUMNS)}


@pytest.mark.parametrize("row", [
    pytest.param(row, id=row[0].strip("`"),
                 marks=[pytest.mark.slow] * (not any(part in row[0] for part in QUICK)))
    for row in ROWS
])  # fmt: skip
def test_a_row_is_what_its_command_prints(row: list[str], knuthle: Knuthle) -> None:
    command = row[0].strip("`").split()
    if command[0] == "optimal":
        command += ["--workers", "1"]
    outcome = knuthle(*command, "--json", "-")
    said = json.loads(outcome.out)
    histogram = ", ".join(f"{count:,}" for count in said["histogram"])
    found = [f"{said['total']:,}", f"{said['mean']:.4f}", str(said["worst"]), histogram]
    assert outcome.code == 0 and row[1:] == found


#: Board, rule, first guess, total, mean, worst, histogram.
BOARDS = re.findall(
    r"^\| (\d+x\S+) \| ([\w -]+) \| (\d+) \| ([\d,]+)(?: \(published: the same\))? \| ([\d.]+)"
    r" \| (\d) \| ([\d, ]+) \|$",
    (ROOT / "docs" / "mastermind.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
#: Boards of tens of thousands of codes.
LARGE = ("5x8", "6x6")


@pytest.mark.parametrize(("board", "rule", "first", "total", "mean", "worst", "histogram"), [
    pytest.param(*row, marks=[pytest.mark.slow] * (row[0] in LARGE)) for row in BOARDS
])  # fmt: skip
def test_a_rule_on_a_board(
    board: str, rule: str, first: str, total: str, mean: str, worst: str, histogram: str
) -> None:
    """A rule from this first guess, which it makes by itself in its first row."""
    game, (by, _, limit) = load_game(spec=f"mastermind:{board}"), rule.partition(" within ")
    is_own = next(row[2] for row in BOARDS if row[:2] == (board, rule)) == first
    if by == "optimal":
        found = optimal(game, within=int(limit) if limit else None, workers=1).strategy
    else:
        found = solve(game, Settings("auto" if is_own else first, by)).strategy
    assert found is not None
    told = f"{found.total:,}", f"{found.mean:.4f}", str(found.worst)
    assert (found.next_guess(), *told) == (first, total, mean, worst)
    assert histogram == ", ".join(f"{count:,}" for count in found.histogram)
