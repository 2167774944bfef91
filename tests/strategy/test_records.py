"""The records, pages of languages, files of earlier versions: all that they say is found again."""

import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest

from solver.exact.engine import LossCounter
from solver.exact.problem import Problem
from solver.exact.table_layout import score_table_of
from strategy import Settings, Strategy, check_proof, load_game, openers, optimal, solve, verify
from strategy.checkers.lemmas import LOSS
from strategy.checkers.proof import Checker, Claim, Proof, check_form, check_strategy, words_of
from strategy.files import envelope
from strategy.proofs.proof_file import load
from strategy.sweep import store
from strategy.sweep.question import SweepQuestion
from strategy.sweep.work import ExactWorker, SweepBatch, TotalSearch
from tests.support import ROOT
from tests.support.commands import Knuthle, report_of
from tests.support.sweeps import altered
from tools import samples
from tools.records.allowed_openers import totals_proved
from tools.records.exact_openers import read_table
from tools.records.rows import FOLDER as ROWS_FOLDER
from tools.records.rows import DrawnRow, drawn_rows
from tools.records.small_boards import FOLDER as SMALL_FOLDER
from tools.records.small_boards import boards, game_of
from tools.records.tables import ALLOWED_TABLE, HARD_TABLE, TABLE, WITHIN_TABLE, rows_of

PAGE = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
FOLDER = ROOT / "data" / "records"


def rows_like(row: str) -> list[Any]:
    """The cells of the rows of the page that are like this one."""
    return re.findall(rf"^\| {row} \|$", PAGE, re.MULTILINE)


#: The question, the total, the file.
ROWS = rows_like(r"(from .+?) \| [^|]+ \| ([\d,]+) \| [^|]+ \| `(.+?)`")

#: The board, the total, the strategy.
CODES = rows_like(r"(\d+x\S+) \| [^|]+ \| ([\d,]+) \| [^|]+ \| `(.+?\.strategy)`")

#: The opener, the rest of the question in hard mode, the total, the strategy.
HARD = rows_like(
    r"([A-Z]{5}), `nyt-2023` in hard mode, (.+?) \| [^|]+ \| ([\d,]+) \| [^|]+ \| `(.+?)`"
)

#: The language, its first word, the total, the strategy.
LANGUAGES = rows_like(r"(\w+) \(`w.+?\) \| [\d,]+ \| ([A-Z]{5}) \| ([\d,]+) \| [^|]+ \| `(.+?)`")

#: The board, the value, the proof, its size.
PROOFS = rows_like(
    r"(\d+x\S+)[^|]* \| [^|]+ \| ([\d,]+(?: losses and [\d,]+)?) \| proved "
    r"\| `(.+?\.proof)` \| ([\d,]+)"
)

#: Places, colours, codes, the worst case, the total.
SMALL = rows_like(r"(\d) \| (\d+) \| ([\d,]+) \| (\d) \| ([\d,]+) \| [\d.]+")

_PROVED = r" \| [^|]+ \| ([\d,]+) \| proved \| `(.+?\.proof)` \| ([\d,]+)"
#: What four guesses solve, the proof, its size.
[FOUR] = rows_like("most answers within four guesses" + _PROVED)
#: The question, the least total over all first guesses, the proof, its size.
LEAST = rows_like("(least total .+?)" + _PROVED)


def figure(text: str) -> int:
    """A number as the page writes it."""
    return int(text.replace(",", ""))


#: Proofs of more bytes are checked whole by night only; of the largest no more than a part.
LARGE, LARGEST = 150_000, 2_000_000


def test_every_file_has_a_row_and_each_strategy_a_command() -> None:
    named = sorted(path.name for path in FOLDER.glob("*.strategy"))
    assert named == sorted(row[-1] for row in (*ROWS, *CODES, *HARD, *LANGUAGES))
    words = sorted(name for _, _, name in ROWS)
    assert words == sorted(re.findall(r"^\| `(.+?)` \| `optimal ", PAGE, re.MULTILINE))
    for board, _, _ in CODES:
        assert f"`optimal --game mastermind:{board} " in PAGE
    sizes = {path.name: path.stat().st_size for path in FOLDER.glob("*.proof")}
    rows = [(name, size) for _, _, name, size in PROOFS + LEAST] + [FOUR[1:]]
    assert sizes == {name: figure(size) for name, size in rows}
    small = {f"{row[0]}x{row[1]}-{what}.proof" for row in SMALL for what in ("worst", "total")}
    assert small == {path.name for path in SMALL_FOLDER.iterdir()}
    assert [(int(row[0]), int(row[1])) for row in SMALL] == list(boards(3_100))


#: The file, the total, the limit if there is one, and what else its head says.
RECORDS = [
    *(
        pytest.param(name, total, 6 if "within six" in question else None,
                     {"list_name": "original", "secrets": 12_972,
                      "start": (re.findall(r"[A-Z]{5}", question)[0].lower(),)},
                     marks=pytest.mark.slow)
        for question, total, name in ROWS
    ),
    *(
        (name, total, 6 if limit == "within six" else None,
         {"list_name": "nyt-2023", "secrets": 3158, "hard": True, "start": (opener.lower(),)})
        for opener, limit, total, name in HARD
    ),
    *(
        (name, total, 6, {"list_name": language.lower(), "start": (start.lower(),)})
        for language, start, total, name in LANGUAGES
    ),
    *((name, total, None, {"game": f"mastermind:{board}"}) for board, total, name in CODES),
]  # fmt: skip


@pytest.mark.parametrize(("name", "total", "within", "head"), RECORDS)
def test_a_record_holds(name: str, total: str, within: int | None, head: dict[str, object]) -> None:
    verdict, origin = verify(FOLDER / name, within=within), Strategy.load(FOLDER / name).origin
    assert verdict.total == figure(total) and len(verdict.taken) == origin.secrets
    assert {key: getattr(origin, key) for key in head} == head
    if head.get("list_name") in ("original", "nyt-2023"):
        assert verdict.lists == f"list {origin.list_name} as shipped"


@pytest.mark.parametrize(("board", "total", "name"), [
    pytest.param(*row, marks=pytest.mark.nightly(100) if figure(size) > LARGE else pytest.mark.slow)
    for *row, size in PROOFS if figure(size) < LARGEST
])  # fmt: skip
def test_a_proof_holds(board: str, total: str, name: str, knuthle: Knuthle) -> None:
    outcome = knuthle("check-proof", FOLDER / name)
    assert outcome.code == 0
    assert f"PROVED  mastermind:{board}, " in outcome.out
    assert f" takes fewer than {total} guesses" in outcome.out


@pytest.mark.parametrize(("places", "colours", "codes", "worst", "total"), SMALL)
def test_a_board_is_proved(places: str, colours: str, codes: str, worst: str, total: str) -> None:
    board = game_of(int(places), int(colours))
    assert len(board.secrets) == figure(codes)
    by_worst, by_total = (
        check_proof(SMALL_FOLDER / f"{places}x{colours}-{what}.proof", board.guesses).statement
        for what in ("worst", "total")
    )
    assert (by_worst.objective, by_worst.limit) == ("worst", int(worst) - 1)
    assert (by_total.limit, by_total.value) == (0, figure(total))
    assert board.guesses[0] == by_worst.start == by_total.start


@pytest.mark.parametrize(("table", "least", "said"), [
    (TABLE, 7920, "are settled, without"), (HARD_TABLE, 8116, "are settled in hard mode"),
])  # fmt: skip
def test_every_opener_has_a_row(table: Path, least: int, said: str) -> None:
    rows = read_table(table)
    assert tuple(row.opener for row in rows) == load_game("original").guesses
    assert f"All 12,972 openers {said}" in PAGE
    exact = {row.opener: row.total for row in rows}
    assert min(exact.values()) == exact["salet"] == least
    assert all(row.commit for row in rows)
    assert all(row.total >= easier.total for row, easier in zip(rows, read_table(), strict=True))


#: Lists, first guesses, limits, hard mode, and the least totals: of rows of both pages; by other
#: solvers, which no page shows; and after words that leave most secrets together.
FOUND_AGAIN = [
    *(("nyt-2023", opener.lower(), 6 if limit == "within six" else None, True, figure(total))
      for opener, limit, total, _ in HARD),
    *(("original", row.opener, None, table == HARD_TABLE, row.total)
      for number, table in ((0, TABLE), (1, TABLE), (2, TABLE), (0, HARD_TABLE))
      for row in [random.Random(number).choice(read_table(table))]),
    ("original", "salet", None, True, 8116), ("nyt-2023", "tarse", 6, False, 11_219),
    ("original", "jumpy", None, False, 8803),
    *(pytest.param("original", word, None, False, total, marks=pytest.mark.long)
      for word, total in (("fuzzy", 9183), ("qajaq", 9496))),
]  # fmt: skip


@pytest.mark.slow(14)
@pytest.mark.parametrize(("words", "opener", "within", "hard", "total"), FOUND_AGAIN)
def test_a_least_total_is_found_again(
    words: str, opener: str, within: int | None, hard: bool, total: int
) -> None:
    found = optimal(load_game(words), start=[opener], within=within, hard=hard, workers=1)
    assert found.proved and found.strategy is not None
    assert found.lower_bound == found.strategy.total == total
    assert within is None or found.strategy.worst <= within


#: The openers of which all is there: the least total, in hard mode, and whether six guesses do.
TWENTY = rows_like(r"([A-Z]{5}) \| ([\d,]+) \| ([\d,]+) \| (can|cannot)")
BEHIND = drawn_rows()


def test_twenty_openers_have_all_their_files() -> None:
    names = sorted(path.name for path in ROWS_FOLDER.iterdir())
    assert names == sorted(row.file.name for row in BEHIND)
    assert len(TWENTY) == 20
    for opener, total, hard, six in TWENTY:
        found = [row for row in BEHIND if row.opener == opener.lower()]
        assert [f"{row.total:,}" for row in found[:2]] == [total, hard]
        assert found[2].possible == (six == "can")


@pytest.mark.slow
@pytest.mark.parametrize("opener", [row[0].lower() for row in TWENTY])
def test_the_files_of_an_opener_hold(opener: str) -> None:
    for row in BEHIND:
        if row.opener == opener and row.possible:
            verdict = verify(row.file, within=6 if row.total is None else None)
            assert row.total in (None, verdict.total)
            origin = Strategy.load(row.file).origin
            assert (origin.start, origin.hard) == ((opener,), row.table == HARD_TABLE)


@pytest.mark.parametrize("row", [
    pytest.param(row, id=row.opener, marks=pytest.mark.slow if small else pytest.mark.long)
    for row in BEHIND if not row.possible
    for small in [row.file.stat().st_size < 130_000]
])  # fmt: skip
def test_six_guesses_are_not_enough(row: DrawnRow, knuthle: Knuthle) -> None:
    outcome = knuthle("check-proof", row.file)
    assert outcome.code == 0
    assert f"no strategy from {row.opener} solves all within 6 guesses" in outcome.out
    assert "original allowed, 12,972 secrets" in outcome.out


def test_the_page_counts_the_openers_within_six() -> None:
    states = [row["state"] for row in rows_of(WITHIN_TABLE.read_bytes())]
    can, cannot = states.count("possible"), states.count("impossible")
    assert len(states) == can + cannot == 12972
    assert f"all are decided: {can:,} of the 12,972 can and {cannot:,}\ncannot" in PAGE


@pytest.mark.slow
@pytest.mark.parametrize("state", ["possible", "impossible"])
def test_a_row_of_an_opener_within_six_is_found_again(state: str) -> None:
    rows = rows_of(WITHIN_TABLE.read_bytes())
    opener = random.Random(0).choice([it["opener"] for it in rows if it["state"] == state])
    game = load_game("original", "allowed")
    question = SweepQuestion.of(game, "optimal", "allowed", False, "possible", 6)
    batch = SweepBatch((game.guess_id(opener),))
    assert [row.state for row in ExactWorker(question).answer(batch).rows] == [state], opener


def test_small_equations_are_settled() -> None:
    """By the list that the page's program makes, from its row."""
    [script] = re.findall(r"```py\n(.+?)```", PAGE, re.DOTALL)
    [(count, total, worst)] = rows_like(r"6 \| (\d+) \| (\d+) \| .+ \| (\d) \| proved")
    printed = subprocess.run([sys.executable, "-c", script, "6"], check=True, capture_output=True)
    game = load_game(printed.stdout.decode().split())
    assert len(game.secrets) == int(count)
    by_total, by_worst = (
        optimal(game, objective=it, within=None, workers=1) for it in ("total", "worst")
    )
    assert by_total.strategy is not None and by_worst.strategy is not None
    assert by_total.proved and by_total.strategy.total == int(total)
    assert by_worst.proved and by_worst.strategy.worst == int(worst)


Drawn = Callable[[Sequence[Claim]], Iterable[int]]


def check_four_guesses(drawn: Drawn, openers: slice) -> None:
    """Some claims, and what follows for some openers."""
    proof = load(FOLDER / FOUR[1])
    statement = proof.statement
    assert (statement.objective, statement.limit, statement.start) == ("losses", 4, "")
    assert statement.secrets - statement.losses == figure(FOUR[0])
    assert f"Its least total then is {statement.total:,}" in PAGE
    check_part(proof, drawn, openers)


def check_part(proof: Proof, drawn: Drawn, openers: slice) -> None:
    """The claims drawn follow from those before them, and from all that of some openers."""
    statement, words = proof.statement, words_of(proof.statement, (None, None))
    check_form(proof)
    check_strategy(proof, words)
    checker, numbers = Checker(statement, words), {*drawn(proof.claims)}
    assert numbers
    for number, claim in enumerate(proof.claims):
        if number in numbers:
            checker.check_claim(number, claim)
        checker.note_claim(claim)
    begin, end, _ = openers.indices(len(words[0]))
    checker.check_statement(begin, end)


#: Proofs, what they state, the value, how many claims are drawn, and of which openers all is asked.
PARTS = [
    *(pytest.param(name, {"game": f"mastermind:{board}", "limit": 6 * ("losses" in value)},
                   value, 230, slice(None), marks=pytest.mark.slow(40))
      for board, value, name, size in PROOFS if figure(size) > LARGE),
    *(pytest.param(name, {"objective": "total", "limit": 6 * ("within six" in question),
                          "hard": "hard mode" in question, "losses": 0},
                   value, 40, slice(6000, 6100), marks=pytest.mark.slow)
      for question, value, name, _ in LEAST),
]  # fmt: skip


@pytest.mark.parametrize(("name", "stated", "value", "count", "openers"), PARTS)
def test_a_part_of_a_large_proof_holds(
    name: str, stated: dict[str, object], value: str, count: int, openers: slice
) -> None:
    proof, dice = load(FOLDER / name), random.Random(0)
    statement = proof.statement
    losses = f"{statement.losses} losses and " if statement.objective == "losses" else ""
    assert (statement.start, f"{losses}{statement.total:,}") == ("", value)
    assert {key: getattr(statement, key) for key in stated} == stated
    check_part(proof, lambda claims: dice.sample(range(len(claims)), count), openers)


@pytest.mark.slow
def test_a_thousandth_of_the_proof_of_four_guesses_holds() -> None:
    """And what it states of one opener in twelve."""
    drawn = random.Random(0)
    begin = drawn.randrange(12) * 1000
    check_four_guesses(
        lambda claims: drawn.sample(range(len(claims)), 6), slice(begin, begin + 1000)
    )


@pytest.mark.nightly(100)
def test_a_larger_part_of_the_proof_of_four_guesses_holds() -> None:
    """Ten more; a third of those about totals, from which the least total follows; all openers."""

    def drawn(claims: Sequence[Claim]) -> list[int]:
        totals = [at for at, claim in enumerate(claims) if claim.value % LOSS]
        assert len(totals) > 40
        return random.Random(1).sample(range(len(claims)), 10) + totals[::3]

    check_four_guesses(drawn, slice(None))


@pytest.mark.slow
def test_no_opener_loses_fewer_than_17_within_four_guesses() -> None:
    """Some drawn at random are counted again; TENOR, which loses just as many, among them."""
    assert "TENOR loses 17:" in PAGE
    game = load_game("original")
    table = score_table_of(game, hard=False)
    counter = LossCounter(table, lambda: None)
    everyone = np.arange(len(game.secrets), dtype=np.int32)
    words = ["tenor", *random.Random(0).sample(list(game.guesses), 20)]
    columns = table.guess.tolist()
    for word in words:
        lost = counter.after(everyone, columns.index(game.guess_id(word)), 17)
        assert lost == 17, word


@pytest.mark.slow
def test_bounds_of_openers_with_all_words_secret() -> None:
    """Strategies and bounds that are found at once are no better than the rows of the table."""
    game = load_game("original", "allowed")
    rows = [(it["opener"], int(it["lower_bound"]), int(it["upper_bound"]))
            for it in rows_of(ALLOWED_TABLE.read_bytes())]  # fmt: skip
    assert [opener for opener, _, _ in rows] == list(game.guesses)
    assert {it: low for it, low, high in rows if low == high} == totals_proved()
    assert all(low <= high for _, low, high in rows)
    search = TotalSearch(Problem(game, within=None), lambda: None)
    for opener, low, high in random.Random(7).sample(rows, 3):
        [bound] = search.quick_bounds([game.guess_id(opener)])
        assert bound is not None and bound <= low
        plan = solve(game, Settings(start=(opener,), rule="parts")).strategy
        assert high <= plan.total


PAGES = ["italian", "spanish"]


def page_of(language: str) -> str:
    return (ROOT / "docs" / f"{language}.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module", params=PAGES)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The list, made as its page says."""
    language = request.param
    if not Path(f"/usr/share/dict/{language}").exists():
        pytest.skip(f"no dictionary: apt-get install w{language}")
    page, path = page_of(language), tmp_path_factory.mktemp("lists") / f"{language}.txt"
    [command] = re.findall(r"\$ knuthle (lists make .*) -o \w+\.txt$", page, re.MULTILINE)
    words = [sys.executable, "-m", "strategy", *command.split(), "-o", str(path)]
    subprocess.run(words, check=True, capture_output=True)
    [digest] = re.findall(r"SHA-256 is `(\w{64})`", page)
    if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
        pytest.skip("the dictionary is of another version")
    return path


def first_words(page: str) -> list[tuple[str, int, str, int]]:
    """First word, total, mean, rank by entropy."""
    rows = re.findall(r"^\| ([A-Z]{5}) \| ([\d,]+) \| ([\d.]+) \| (\d+) \|$", page, re.MULTILINE)
    return [(word, figure(total), mean, int(rank)) for word, total, mean, rank in rows]


@pytest.mark.parametrize("language", PAGES)
def test_means_are_those_of_the_totals(language: str) -> None:
    page = page_of(language)
    [count] = re.findall(r"([\d,]+) words of five letters", page)
    rows = first_words(page)
    assert len(rows) > 10 and [row[1] for row in rows] == sorted(row[1] for row in rows)
    rules = re.findall(r" \| ([\d,]+) \| ([\d.]+)(?= \|)", page)
    for total, mean in [(str(row[1]), row[2]) for row in rows] + rules:
        assert f"{figure(total) / figure(count):.4f}" == mean


@pytest.mark.slow
def test_first_words_are_as_good_as_the_page_says(made: Path) -> None:
    page = page_of(made.stem)
    game, rows = load_game(made), first_words(page)
    ranks = {row.word: rank for rank, row in enumerate(openers(game), 1)}
    assert [ranks[word.lower()] for word, *_ in rows] == [rank for *_, rank in rows]
    word, total, *_ = rows[0]
    found = optimal(game, start=[word.lower()], within=None, workers=1)
    assert found.proved and found.strategy is not None
    assert found.strategy.total == total
    taken = ", ".join(f"{count:,}" for count in found.strategy.histogram[1:4])
    said = r"solves ([\d,]+) words in two guesses, ([\d,]+) in three, ([\d,]+) in"
    [counts] = re.findall(said, page.replace("\n", " "))
    assert taken == ", ".join(counts)
    then = found.strategy.state(f"{word}.bbbbb").guess
    assert f"are grey, guess {then.upper()}:" in page


@pytest.mark.slow
def test_rules_take_what_the_page_says(made: Path) -> None:
    page, game = page_of(made.stem), load_game(made)
    header = r"^\| rule \| after (\w+) \| mean \| after (\w+) \| mean \|$"
    [words] = re.findall(header, page, re.MULTILINE)
    rules = ("parts", "entropy", "expected-size", "proportion", "minimax")
    first, second = (
        {rule: solve(game, Settings(word.lower(), rule)).strategy.total for rule in rules}
        for word in words
    )
    rows = re.findall(r"^\| `(\S+)` \| ([\d,]+) \| [\d.]+ \| ([\d,]+) \|", page, re.MULTILINE)
    assert {rule: figure(one) for rule, one, _ in rows} == first
    assert {rule: figure(two) for rule, _, two in rows} == second


@pytest.mark.slow
def test_the_least_worst_case_is_what_the_page_says(made: Path, knuthle: Knuthle) -> None:
    outcome = knuthle("optimal", "--list", made, "--objective", "worst", "--workers", 1)
    [said] = re.findall(r"\| the least worst case \| (\w+) guesses \|", page_of(made.stem))
    assert outcome.code == 0
    assert f"worst {['five', 'six'].index(said) + 5} (proved" in outcome.out


SAMPLES = ROOT / "tests" / "samples"
FOLDERS = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
LATEST = SAMPLES / FOLDERS[-1]
#: What an answer has besides results: times, and sentences for people.
_NO_RESULT = ("seconds", "sentence")
OWN = "--list words.txt --secrets allowed"


def lost(said: Any, says: Any, where: str = "") -> Iterator[str]:
    """What an answer had and has no more, or has otherwise; keys may come to it."""
    if isinstance(said, dict) and isinstance(says, dict):
        for key, value in said.items():
            if key not in _NO_RESULT:
                below = f"{where}.{key}"
                yield from lost(value, says[key], below) if key in says else [f"{below} is gone"]
    elif isinstance(said, list) and isinstance(says, list) and len(said) == len(says):
        for at, (old, new) in enumerate(zip(said, says, strict=True)):
            yield from lost(old, new, f"{where}[{at}]")
    elif said != says:
        yield f"{where} was {said!r}, is {says!r}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_files_of_every_version_are_read_as_they_were(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(SAMPLES / folder, tmp_path / "copy"))
    wrong = []
    for answer in json.loads(Path("answers.json").read_text()):
        found = samples.asked(answer["run"])
        wrong += [f"{answer['run']}: {what}" for what in lost(answer, found)]
    assert not wrong, "\n".join(wrong)


def test_what_is_lost_of_an_answer_is_named() -> None:
    said = {"a": [1, {"b": 2}], "c": None, "seconds": 1}
    assert not [*lost(said, {**said, "seconds": 2, "new": 3})]
    assert [*lost(said, {"a": [1, {"b": 3}]})] == [".a[1].b was 2, is 3", ".c is gone"]
    assert [*lost([1, 2], [1])] == [" was [1, 2], is [1]"]


def test_each_format_has_a_sample_of_its_present_version() -> None:
    sealed, findings, databases = set(), set(), set()
    for path in SAMPLES.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        if content.startswith(envelope.MAGIC):
            kind, body = envelope.unpack(content, path.name)
            sealed.add((content[len(envelope.MAGIC)], kind))
            if kind == envelope.FINDINGS:
                findings.add(body["version"])
        elif content.startswith(b"SQLite"):
            databases.add(int.from_bytes(content[60:64], "big"))
    assert sealed >= {(envelope.VERSION, kind) for kind in envelope.KINDS}
    assert envelope.FINDINGS_VERSION in findings and store._FORM in databases


def test_each_folder_is_in_the_readme() -> None:
    readme = (SAMPLES / "README.md").read_text(encoding="utf-8")
    for folder in FOLDERS:
        assert f"| `{folder}` | {folder}" in readme


def test_the_page_names_the_versions_of_the_formats() -> None:
    page = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
    for what, version in (
        ("strategy, unfinished strategy, proof", envelope.VERSION),
        ("findings", f"{envelope.VERSION}, its body {envelope.FINDINGS_VERSION}"),
        ("database of a sweep", store._FORM),
    ):
        assert f"| {what} | {version} |" in page


# --- files of a version that is not known yet ----------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, knuthle: Knuthle) -> Path:
    """A copy of the latest samples, in which the command runs."""
    return Path(shutil.copytree(LATEST, Path.cwd(), dirs_exist_ok=True))


def renewed(path: Path) -> None:
    """Make a sealed file one of the next version, whatever that may be."""
    content = path.read_bytes()[:-32]
    at = len(envelope.MAGIC)
    content = content[:at] + bytes([envelope.VERSION + 1]) + content[at + 1 :]
    path.write_bytes(content + hashlib.sha256(content).digest())


def newer_findings(path: Path) -> None:
    """Make findings those of the next version, which has something new."""
    _, body = envelope.read(path)
    body["version"] = envelope.FINDINGS_VERSION + 1
    body["what nobody knows yet"] = msgpack.packb(1)
    path.write_bytes(envelope.pack(envelope.FINDINGS, body))


SWEPT = f"sweep run {OWN} --openers bcc --workers 1 --out"
SEALED = f"format version {envelope.VERSION + 1}; this knuthle reads up to"
FOUND = f"findings of version {envelope.FINDINGS_VERSION + 1}; this knuthle reads"
FORM = f"a sweep of form {store._FORM + 1}; this program knows {store._FORM}"
#: What makes files newer, which ones, what is said of them, and by which commands.
NEWER: list[tuple[Callable[[Path], None], str, str, list[str]]] = [
    (renewed, "*.strategy *.proof *.findings", SEALED, [
        "lookup minimax.strategy", "verify minimax.strategy", "export minimax.strategy",
        "compare minimax.strategy optimal.strategy", "explore minimax.strategy",
        "export minimax.strategy -o a.svg", "verify minimax.strategy -o b.strategy",
        "play --strategy minimax.strategy", "lookup total.proof", "check-proof total.proof",
        "lookup unfinished.strategy", "lookup search.findings",
        f"solve-all {OWN} --start bcc --resume unfinished.strategy",
        f"optimal {OWN} --resume search.findings",
    ]),
    (newer_findings, "search.findings", FOUND,
     ["lookup search.findings", f"optimal {OWN} --resume search.findings"]),
    (lambda path: altered(path, f"PRAGMA user_version={store._FORM + 1}"), "rule.sqlite", FORM,
     ["sweep status rule.sqlite", "sweep report rule.sqlite", f"{SWEPT} rule.sqlite",
      "sweep merge rule.sqlite --out new.sqlite"]),
]  # fmt: skip


@pytest.mark.parametrize(("renew", "files", "said", "line"), [
    (*newer, line) for *newer, lines in NEWER for line in lines
])  # fmt: skip
def test_a_file_of_a_newer_version_is_refused(
    folder: Path, knuthle: Knuthle, renew: Callable[[Path], None], files: str, said: str, line: str
) -> None:
    for path in chain(*map(folder.glob, files.split())):
        renew(path)
    ran = knuthle(*line.split())
    assert ran.code == 2 and len(ran.err.splitlines()) == 1 and said in ran.err


@pytest.mark.parametrize("name", ["rule.sqlite", "exact.sqlite"])
def test_a_sweep_of_another_version_is_read_and_not_continued(
    folder: Path, knuthle: Knuthle, name: str
) -> None:
    """It stays readable; rows of two versions do not come into one table."""
    altered(folder / name, "UPDATE question SET text = json_set(text, '$.version', ?)", "0.0.9")
    assert report_of(knuthle, "sweep", "report", name)["version"] == "0.0.9"
    assert knuthle("sweep", "status", name).code == 0
    assert knuthle("sweep", "merge", name, "--out", "merged.sqlite").code == 0
    rule = "" if name == "rule.sqlite" else "--rule optimal"
    ran = knuthle(*f"{SWEPT} {name} {rule}".split())
    assert ran.code == 2 and "the version of knuthle" in ran.err
