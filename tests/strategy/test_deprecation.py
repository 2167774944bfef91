"""What is deprecated still works, and says what takes its place: with names made up here."""

import inspect
import json
import warnings
from importlib.metadata import version

import pytest

import strategy
from strategy import deprecation
from strategy.deprecation import Successor, renamed_arguments
from tests.support.commands import Knuthle

WORDS = "list_of_words"  # of a function that is made up, and was ``words`` before


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables as they would be: a name, an argument, options and keys that are made up."""
    for name, entry in {
        "NAMES": {"grow": Successor("solve", "2.0")},
        "ARGUMENTS": {"five_words": {"how_many": Successor("count", "2.0")}},
        "OPTIONS": {
            "openers": {"--best": Successor("--top", "2.0")},
            "sweep run": {"--words": Successor("--list", "2.0")},
        },
        "KEYS": {
            "openers": {
                "openers[].bits": Successor("entropy", "2.0"),
                "n_answers": Successor("n_secrets", "2.0"),
                "nowhere.old": Successor("new", "2.0"),
            }
        },
    }.items():
        monkeypatch.setattr(deprecation, name, entry)
    monkeypatch.delitem(vars(strategy), "five_words", raising=False)


@pytest.mark.usefixtures("tables")
def test_a_name_warns_where_it_is_used() -> None:
    with pytest.warns(DeprecationWarning) as seen:
        found = strategy.grow
        line = inspect.currentframe().f_lineno - 1  # type: ignore[union-attr]
    assert found is strategy.solve
    assert str(seen[0].message) == (
        "strategy.grow is deprecated and will be gone in 2.0: use solve"
    )
    assert (seen[0].filename, seen[0].lineno) == (__file__, line)


@pytest.mark.usefixtures("tables")
def test_a_name_warns_where_it_is_imported() -> None:
    program = compile("from strategy import grow", "theirs.py", "exec")
    with pytest.warns(DeprecationWarning, match="use solve") as seen:
        exec(program, {})
    assert {warning.filename for warning in seen} == {"theirs.py"}


@pytest.mark.usefixtures("tables")
def test_an_argument_of_a_public_function_warns_where_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ["abc", "def", "ghi", "adg"]
    with pytest.warns(DeprecationWarning) as seen:
        found = strategy.five_words(words, letters=3, how_many=3)  # type: ignore[call-arg]
    monkeypatch.delitem(vars(strategy), "five_words")  # the one with the old argument
    assert str(seen[0].message) == (
        "the argument how_many of five_words is deprecated and will be gone in 2.0: use count"
    )
    assert seen[0].filename == __file__
    with warnings.catch_warnings(action="error"):
        assert strategy.five_words(words, letters=3, count=3).sets == found.sets


def test_a_method_takes_an_old_argument_and_no_two_of_one() -> None:
    class Made:
        @renamed_arguments({"words": Successor(WORDS, "2.0")})
        def count(self, list_of_words: str) -> int:
            return len(list_of_words)

    with pytest.warns(DeprecationWarning, match="argument words of count"):
        assert Made().count(words="ab") == 2
    assert Made().count("ab") == Made().count(list_of_words="ab") == 2
    with pytest.raises(TypeError, match="are one argument"):
        Made().count(words="ab", list_of_words="ab")
    assert list(inspect.signature(Made.count).parameters) == ["self", WORDS]


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("old", [("--best", "2"), ("--best=2",)])
def test_an_option_is_one_line_on_stderr_and_the_result_is_the_same(
    knuthle: Knuthle, tiny: str, old: tuple[str, ...]
) -> None:
    plain = knuthle("openers", "--list", tiny, "--top", "2")
    ran = knuthle("openers", "--list", tiny, *old)
    assert (ran.code, ran.out) == (0, plain.out)
    assert ran.err == plain.err + ("--best is deprecated and will be gone in 2.0: use --top\n")


@pytest.mark.usefixtures("tables")
def test_options_of_an_action_and_of_another_program() -> None:
    said: list[str] = []
    line = ["run", "--words", "w", "--", "--words", "x"]
    renewed = deprecation.with_new_options("sweep", line, said.append)
    assert renewed == ["run", "--list", "w", "--", "--words", "x"] and len(said) == 1
    line[0] = "report"
    assert deprecation.with_new_options("sweep", line, said.append) == line and len(said) == 1


@pytest.mark.usefixtures("tables")
def test_a_key_stands_beside_the_new_one(knuthle: Knuthle, tiny: str) -> None:
    ran = knuthle("openers", "--list", tiny, "--json", "-", "--quiet")
    found = json.loads(ran.out)
    assert found["n_answers"] == found["n_secrets"] == 7
    assert all(row["bits"] == row["entropy"] for row in found["openers"])
    assert ran.err.splitlines() == [
        "the key openers[].bits of JSON is deprecated and will be gone in 2.0: use entropy",
        "the key n_answers of JSON is deprecated and will be gone in 2.0: use n_secrets",
        "the key nowhere.old of JSON is deprecated and will be gone in 2.0: use new",
    ]
    assert "JSON" not in knuthle("openers", "--list", tiny).err


def test_nothing_stays_longer_than_it_was_announced() -> None:
    here = [int(part) for part in version("knuthle").split(".")[:2]]
    tables = (deprecation.ARGUMENTS, deprecation.OPTIONS, deprecation.KEYS)
    entries = [*deprecation.NAMES.items()]
    entries += [entry for table in tables for some in table.values() for entry in some.items()]
    late = [
        f"{old} was to be gone in {successor.gone_in}"
        for old, successor in entries
        if [int(part) for part in successor.gone_in.split(".")] <= here
    ]
    assert not late
