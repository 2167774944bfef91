"""What files of others say: each form shows by looking; what is none is named with its line."""

import json
import random
from ast import literal_eval
from collections.abc import Callable
from pathlib import Path

import pytest

from strategy.checkers.verify import GRADERS
from strategy.errors import BadFileError
from strategy.files import json_form, text_forms
from strategy.files.draft import Draft, FaultKind
from tests.support import refused

#: What cannot be read, and what is said of it.
UNREAD = Path(__file__).with_name("unread.txt")
EXAMPLE = """\
salet BBBBB1 courd BBBBB2 nymph BBBBY3 whiff GGGGG4
                                BGYYB3 pygmy GGGGG4
                   GGGGG2
"""
#: Guesses, parents, scores and ends of that tree.
STATES = (
    ["salet", "courd", "nymph", "whiff", "pygmy"], [-1, 0, 1, 2, 2], [0, 0, 0, 81, 42], {1, 3, 4},
)  # fmt: skip


def read(text: str | bytes, game: str = "") -> Draft:
    whole = text.encode() if isinstance(text, str) else text
    return text_forms.read_any_form(whole, "f", GRADERS, game)


def ordered(draft: Draft) -> tuple[list[str], list[int], list[int], set[int]]:
    """Guesses, parents, scores and ends, the states in the order of STATES."""
    order = sorted(range(len(draft.guess)), key=lambda node: STATES[0].index(draft.guess[node]))
    above = [draft.parent[node] for node in order]
    return (
        [draft.guess[node] for node in order],
        [order.index(parent) if parent >= 0 else -1 for parent in above],
        [draft.score[node] for node in order],
        {order.index(node) for node in draft.ends},
    )


WHIFF = {"guess": "whiff", "map": {"ggggg": None}}
PYGMY = {"guess": "pygmy", "map": {"ggggg": None}}
NYMPH = {"guess": "nymph", "map": {"bbbby": WHIFF, "bgyyb": PYGMY}}
COURD = {"guess": "courd", "map": {"bbbbb": NYMPH, "ggggg": None}}
SALET = {"guess": "salet", "map": {"bbbbb": COURD}}


def renamed(value: object, names: dict[str, str]) -> object:
    if isinstance(value, dict):
        return {names.get(key, key): renamed(inner, names) for key, inner in value.items()}
    return value


def backwards(value: object) -> object:
    """The same with the keys of every object from the last to the first."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return value


def scores(spell: Callable[[str], str]) -> dict[str, str]:
    return {text: spell(text) for text in ("bbbbb", "bbbby", "bgyyb", "ggggg")}


def spelled(signs: str) -> Callable[[str], str]:
    return lambda text: text.translate(str.maketrans("byg", signs))


@pytest.mark.parametrize(("form", "text"), [
    ("tree", EXAMPLE), ("tree", EXAMPLE.replace("\n", "\r\n")), ("tree", "\ufeff" + EXAMPLE),
    ("tree", EXAMPLE.replace("\n", "   \n\n\t \n")),
    ("tree", "".join(f"        {line}\n" for line in EXAMPLE.splitlines())),
    ("tree", EXAMPLE.lower()), ("tree", "# made elsewhere\n" + EXAMPLE),
    ("games", "salet bbbbb courd bbbbb nymph bbbby whiff ggggg\n"
              "salet bbbbb courd bbbbb nymph bgyyb pygmy ggggg\nsalet bbbbb courd ggggg\n"),
    ("games", "SALET,BBBBB,COURD,BBBBB,NYMPH,BBBBY,WHIFF\n"
              '"salet","....."," courd",_____,nymph,_!??_,pygmy,22222,,\nsalet,0,courd,242\n'),
    ("games without scores", "salet,courd,nymph,whiff\nsalet,courd,nymph,pygmy\nsalet,courd"),
    ("games without scores",
     "guess_1;guess_2;guess_3;guess_4\nsalet;courd;nymph;whiff\nsalet;courd;nymph;pygmy;;\n"
     "salet;courd;;\n"),
    ("games without scores", "salet\tcourd\tnymph\twhiff\nsalet\tcourd\tnymph\tpygmy\n"
                             "salet\tcourd"),
    ("table of states", "node,parent,score,text,depth,guess,candidate\n0,,,,1,salet,0\n"
                        "1,0,0,bbbbb,2,courd,1\n2,1,0,bbbbb,3,nymph,0\n3,2,81,bbbby,4,whiff,1\n"
                        "4,2,42,bgyyb,4,pygmy,1\n"),
    ("table of states", "guess,node,parent,candidate,score\nsalet,0,,false,\ncourd,1,0,true,0\n"
                        "nymph,2,1,false,0\nwhiff,3,2,true,81\npygmy,4,2,true,42\n"),
])  # fmt: skip
def test_every_form_says_the_same(form: str, text: str) -> None:
    draft = read(text)
    assert (draft.form, draft.says_all_ends, draft.faults) == (form, True, [])
    assert ordered(draft) == STATES


JSON_FORMS = {
    "as it is": SALET,
    "other names": renamed(SALET, {"guess": "next_Guess", "map": "Children"}),
    "words": renamed(SALET, {"guess": "word", "map": "responses"}),
    "digits": renamed(SALET, scores(spelled("012"))),
    "numbers": renamed(SALET, scores(lambda text: str(int(spelled("012")(text)[::-1], 3)))),
    "capitals": renamed(SALET, scores(str.upper)),
    "tiles": renamed(SALET, scores(spelled("⬛🟨🟩"))),
    "more keys": {"made by": "me", "depth": [1, [2, {}]], "tree": SALET | {"ranking": {"a": [1]}}},
    "branches first": backwards(SALET),
    "leaves are words": {"guess": "salet", "map": {"bbbbb": {"guess": "courd", "map": {
        "bbbbb": {"guess": "nymph", "map": {"bbbby": "whiff", "bgyyb": "pygmy", "yyyyy": None}},
        "ggggg": "courd"}}}},
    "leaves without branches": {"guess": "salet", "then": {"bbbbb": {"guess": "courd", "then": {
        "bbbbb": {"guess": "nymph", "then": {"bbbby": {"guess": "whiff"},
                                             "bgyyb": {"guess": "pygmy", "then": {}}}},
        "ggggg": {}}}}},
    "words as keys": {"salet": {"bbbbb": {"courd": {"bbbbb": {"nymph": {
        "bbbby": {"whiff": None}, "bgyyb": "pygmy"}}, "ggggg": None}}}},
    "lists": {"guess": "salet", "children": [{"guess": "courd", "score": ".....", "children": [
        {"children": [{"guess": "whiff", "reply": "bbbby"}, {"clue": "bgyyb", "word": "pygmy"}],
         "guess": "nymph", "result": "00000"}]}]},
}  # fmt: skip


@pytest.mark.parametrize("name", JSON_FORMS)
@pytest.mark.parametrize("indent", [None, 2])
def test_json_in_many_spellings(name: str, indent: int | None) -> None:
    draft = read(json.dumps(JSON_FORMS[name], indent=indent, ensure_ascii=name != "tiles"))
    assert not draft.faults and draft.says_all_ends == (name != "lists")
    guess, parent, score, ends = ordered(draft)
    assert (guess, parent, score) == STATES[:3]
    assert ends >= {3, 4} and (1 in ends) == draft.says_all_ends


def test_numbers_may_begin_at_the_other_end() -> None:
    draft = read(json.dumps(JSON_FORMS["numbers"]))
    assert draft.spelling.numbers and draft.mirrored().score == [0, 0, 0, 1, 3 + 9 + 2 * 27]
    assert draft.mirrored().mirrored().score == draft.score
    assert not read(EXAMPLE).spelling.numbers


@pytest.mark.parametrize(("text", "form"), [
    ("1122 1,2:1 1344 4,0:2\n", "tree"), ("1122 1,2 1344 4,0\n", "games"),
    ('1122,"1,2",1344\n', "games"), ("1122,1344\n", "games without scores"),
    ('{"guess":"1122","then":{"1,2":{"guess":"1344"}}}', "json"),
    ('{"guess":"1122","then":{"7":{"guess":"1344"}}}', "json"),
])  # fmt: skip
def test_codes_have_pegs(text: str, form: str) -> None:
    draft = read(text)
    if form == "games without scores":
        assert draft.score == [0, GRADERS[True]("1122", "1344")]
    else:
        assert draft.score == [0, 1 * 5 + 2]
    assert (draft.form, draft.guess, set(draft.ends)) == (form, ["1122", "1344"], {1})
    assert draft.game == "mastermind"


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        (EXAMPLE + "salet BBBBB1 courd GGGGG2\n", FaultKind.TWICE, 4),
        (EXAMPLE + "                   BBBBG2 vivid GGGGG3 vivid GGGGG4\n", FaultKind.NO_END, 4),
        (EXAMPLE + "                   BBBBG2 vivid BBBBB3\n", FaultKind.NO_END, 4),
        (EXAMPLE + "salet BBBBB1 mourn GGGGG2\n", FaultKind.TWO_GUESSES, 4),
        (EXAMPLE + "crane BBBBB1 mourn GGGGG2\n", FaultKind.TWO_GUESSES, 4),
        ("salet,courd\nsalet,courd\n", FaultKind.TWICE, 2),
        ("salet,salet\n", FaultKind.NO_END, 1),
        ('{"guess":"salet","map":{"ggggg":null,"22222":null}}', FaultKind.TWICE, None),
        ('{"guess":"salet","map":{"bbbbb":"courd",\n"00000":{"guess":"x",\n"map":{"bb":1}}}}',
         "", 0),
        ('{"guess":"salet","map":{"bbbbb":"courd",\n"00000":{"guess":"nymph"}}}',
         FaultKind.TWO_GUESSES, None),
        ('{"guess":"salet","map":{"ggggg":{"guess":"nymph"}}}', FaultKind.NO_END, None),
    ],
)  # fmt: skip
def test_faults_that_show_without_playing(text: str, kind: str, line: int | None) -> None:
    if not kind:
        refused(BadFileError, "f: 'x' is no", read, text)
        return
    (fault,) = read(text).faults
    assert (fault.kind, fault.line) == (kind, line)


@pytest.mark.parametrize(("text", "reason"), [
    [*map(literal_eval, row.split("  →  "))] for row in UNREAD.read_text("utf-8").splitlines()[2:]
])  # fmt: skip
def test_what_cannot_be_read_is_named(text: str, reason: str) -> None:
    with pytest.raises(BadFileError) as caught:
        read(text)
    assert reason in str(caught.value) and str(caught.value).isprintable()


@pytest.mark.parametrize("nested", ["[", '{"guess":', '{"guess":"salet","map":{"bbbbb":', '{"a":['])
def test_deep_nesting_is_no_recursion(nested: str) -> None:
    """Deep games are refused by number."""
    for count in (900, 5000, 200_000):
        refused(BadFileError, "", read, nested * count)
    deep = '{"guess":"salet","map":{"bbbbb":' * 9001 + "null" + "}}" * 9001
    refused(BadFileError, "more than 1000 guesses in a game|too deep", read, deep)
    line = " ".join(f"salet BBBBB{n}" for n in range(1, 1002))
    refused(BadFileError, "more than 1000 guesses", read, line)
    refused(BadFileError, "more than 32,768 characters in a line", read, "salet BBBBB1 " * 10_000)


def test_rubbish_is_refused_whatever_it_is() -> None:
    dice = random.Random(7)
    for size in (1, 2, 3, 100, 10_000):
        for _ in range(20):
            refused(BadFileError, "", read, dice.randbytes(size) + b"\xff")
    refused(BadFileError, "byte 1 is zero", read, b"a\0")
    refused(BadFileError, "UTF-16; save it as UTF-8", read, EXAMPLE.encode("utf-16"))


@pytest.mark.parametrize(
    "start", ["[", "{", '{"', "salet ", "salet BBBBB1\n", " ", "\n", "x,", '{"a":1,', "😀", '"\\']
)
def test_every_prefix_of_much_is_refused_soon(start: str) -> None:
    """Two megabytes of the same; what is said is one short line."""
    text = start * (2_000_000 // len(start.encode()))
    with pytest.raises(BadFileError) as caught:
        read(text)
    assert len(str(caught.value)) < 400


def test_files_are_no_larger_than_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 101)
    monkeypatch.setattr(text_forms, "LARGEST", 100)
    refused(BadFileError, "more than 100 bytes is no strategy", text_forms.bytes_of, path)
    monkeypatch.setattr(text_forms, "MOST_LINES", 2)
    refused(BadFileError, "more than 2 lines", read, "crane\n\n\n")
    monkeypatch.setattr(json_form, "LONGEST_JSON", 20)
    refused(BadFileError, "more than 20 characters of JSON", read, '{"guess": "salet", "a": []}')
    path.write_bytes(b"")
    refused(BadFileError, "the file is empty", text_forms.bytes_of, path)
    refused(BadFileError, "Not a directory", text_forms.bytes_of, path / "nothing")
