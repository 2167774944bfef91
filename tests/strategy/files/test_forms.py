"""Files of others: each form shows by looking, what is right passes, what is wrong is named."""

import json
import random
from ast import literal_eval
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.game import Game
from solver.game.wordle import WordleGame
from strategy import Settings, Strategy, examine, load_game, solve, verification
from strategy.checkers.verify import GRADERS
from strategy.errors import BadFileError, WrongStrategyError
from strategy.exports import EXPORTS
from strategy.files import json_form, strategy_file, text_forms
from strategy.files.draft import Draft, Fault, FaultKind
from strategy.foreign.faults import Rules, find_faults
from strategy.solving.by_rule import Solved
from strategy.toolbox.comparison import NotComparableError, compare
from strategy.verification import draft_of
from tests.support import naive, refused
from tests.support.worlds import game_of, made_up_games

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


@pytest.mark.parametrize(("text", "kind", "line"), [
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
])  # fmt: skip
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


READABLE = ("text", "tree", "json", "csv")
WORDS = "abide adieu arise crane raise slate stare".split()
#: All games of one strategy over them, by guess and score.
GAME = load_game(WORDS)


def made(game: Game, start: str = "auto", hard: bool = False) -> Strategy:
    return solve(game, Settings(start=(start,), hard=hard)).strategy


RIGHT = made(GAME, "crane")
TEXT = EXPORTS["text"](RIGHT)


def judged(text: str, **more: object) -> list[Fault]:
    draft = text_forms.read_any_form(text.encode(), "f", GRADERS)
    rules = Rules("wordle", GAME.guesses, GAME.secrets)._replace(**more)
    return list(find_faults(draft, rules).faults)


def named(text: str, **more: object) -> list[tuple[FaultKind, str]]:
    """The faults of a text, and the words that they name."""
    return [(fault.kind, fault.word) for fault in judged(text, **more)]


def solved_by(text: str, secrets: tuple[str, ...]) -> dict[str, int]:
    """What comes of playing a text of games, the plain way: a guess for each history."""
    guesses: dict[tuple[object, ...], str] = {}
    for line in text.splitlines():
        steps = line.split()
        for number in range(0, len(steps), 2):
            guesses.setdefault(tuple(steps[:number]), steps[number])
    taken = {}
    for secret in secrets:
        history: tuple[object, ...] = ()
        while history in guesses and len(history) < 40:
            guess = guesses[history]
            if guess == secret:
                taken[secret] = len(history) // 2 + 1
                break
            history = (*history, guess, naive.marks(guess, secret))
    return taken


# --- what was exported comes back ----------------------------------------------------------------


@given(made_up_games(max_words=25), st.booleans())
@settings(max_examples=25)
def test_exports_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, game: WordleGame, hard: bool
) -> None:
    folder = tmp_path_factory.mktemp("exports")
    strategy = made(game, hard=hard)
    for form in READABLE:
        (folder / form).write_text(EXPORTS[form](strategy))
        found = examine(folder / form, game.guesses, game.secrets, hard=hard)
        assert found.ok, (form, found.result.faults)
        assert found.strategy is not None
        assert found.digest == found.strategy.digest == strategy.digest
        bodies = [strategy_file.to_body(it) | {"origin": None} for it in (found.strategy, strategy)]
        assert bodies[0] == bodies[1]
        assert found.result.histogram == strategy.histogram
    found.strategy.save(folder / "again")
    again = examine(folder / "again", game.guesses, game.secrets, hard=hard)
    assert (again.form, again.ok, again.digest) == ("strategy", True, strategy.digest)


@pytest.mark.parametrize("board", ["mastermind:2x3", "mastermind:3x4:distinct"])
def test_boards_come_back_and_are_found_out(tmp_path: Path, board: str) -> None:
    strategy = solve(load_game(spec=board), Settings(start=("auto",))).strategy
    for form in READABLE:
        (tmp_path / form).write_text(EXPORTS[form](strategy))
        found = examine(tmp_path / form)
        assert (found.lists.game, found.digest) == (board, strategy.digest), form
        assert found.lists.how == f"all codes of {board}"
    refused(BadFileError, "hard mode is a rule of Wordle", examine, tmp_path / "text", hard=True)
    refused(BadFileError, "played with all its codes", examine, tmp_path / "text", ["112", "121"])
    (tmp_path / "half").write_text("".join(EXPORTS["text"](strategy).splitlines(True)[:3]))
    refused(BadFileError, "say --game mastermind:", examine, tmp_path / "half")
    assert not examine(tmp_path / "half", game=board).ok
    refused(BadFileError, "codes; 1 to", examine, tmp_path / "half", game="mastermind:9x9")


def test_the_main_job_comes_back(lares: Solved, tmp_path: Path) -> None:
    """12,972 secrets; which list it is shows by itself."""
    for form in ("tree", "json"):
        (tmp_path / form).write_text(EXPORTS[form](lares.strategy))
        found = examine(tmp_path / form)
        assert (found.ok, found.digest) == (True, lares.strategy.digest)
        assert found.lists.how == "list original allowed as shipped"


TREE = """\
salet BBBBB1 courd BBBBB2 nymph BBBBY3 whiff GGGGG4
                                BGYYB3 pygmy GGGGG4
                                GGGGG3
                   BBBBG2 vivid GGGGG3
                   BBBBY2 dingy GGGGG3
                   GGGGG2
      BBBBY1 ninth GGGGG2
      GGGGG1
"""


def test_the_tree_is_laid_out_as_its_readers_expect(tmp_path: Path) -> None:
    """B before G before Y, as texts are sorted; not in the order of our own files."""
    (tmp_path / "x").write_text(TREE)
    found = examine(tmp_path / "x")
    assert found.strategy is not None and EXPORTS["tree"](found.strategy) == TREE


# --- what is wrong is found ----------------------------------------------------------------------


def changed(change: Callable[[list[str]], object]) -> str:
    lines = TEXT.splitlines()
    change(lines)
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("number", range(len(WORDS)))
def test_a_secret_that_is_missing_or_stands_there_twice_is_named(number: int) -> None:
    text = changed(lambda lines: lines.pop(number))
    assert named(text) == [(FaultKind.MISSING, WORDS[number])]
    text = changed(lambda lines: lines.append(lines[number]))
    (fault,) = judged(text)
    assert (fault.kind, fault.word, fault.line) == (FaultKind.TWICE, WORDS[number], len(WORDS) + 1)
    both = changed(lambda lines: lines.append(f"crane yyyyy {WORDS[number]} ggggg"))
    kinds = {kind for kind, word in named(both) if word == WORDS[number]}
    assert kinds == {FaultKind.TWICE, FaultKind.WRONG_SCORE}


def test_every_wrong_score_is_named() -> None:
    """Each score of each game, changed: the fault names the secret, and what it answers."""
    lines = TEXT.splitlines()
    for number, line in enumerate(lines):
        steps = line.split()
        for at in range(1, len(steps) - 2, 2):
            wrong = "yyyyy" if steps[at] != "yyyyy" else "bbbbb"
            other = [*lines[:number], " ".join([*steps[:at], wrong, *steps[at + 1 :]])]
            text = "\n".join([*other, *lines[number + 1 :]])
            (fault,) = (fault for fault in judged(text) if fault.word == WORDS[number])
            assert (fault.kind, fault.line) == (FaultKind.WRONG_SCORE, number + 1), text
            assert f"with {steps[at]}, not {wrong}" in fault.text


def test_words_of_other_lists_limits_and_states_that_nobody_comes_to_are_named() -> None:
    """And nothing of what is right."""
    assert judged(TEXT) == []
    assert find_faults(draft_of(RIGHT), Rules("wordle", WORDS, WORDS)).faults == ()
    assert named(TEXT.replace("crane", "zzzzz"))[0] == (FaultKind.NOT_ALLOWED, "zzzzz")
    assert named(TEXT, guesses=GAME.guesses[1:]) == [(FaultKind.NOT_ALLOWED, "abide")]
    assert named(TEXT, secrets=WORDS[1:]) == [(FaultKind.NO_SECRET, "abide")]
    slow = [word for word, node in RIGHT.solved_at.items() if RIGHT.depth[node] > 1]
    assert named(TEXT, within=1) == [(FaultKind.BEYOND, word) for word in slow]
    tree = {"guess": "crane", "then": {"bbbbb": {"guess": "slate", "then": {"bbbbb": "stare"}}}}
    kinds = {kind for kind, _ in named(json.dumps(tree))}
    assert kinds == {FaultKind.WRONG_SCORE, FaultKind.MISSING}
    table = "node,parent,score,guess,candidate\n0,,,crane,1\n1,0,0,slate,0\n2,1,0,stare,0\n"
    assert named(table, secrets=["crane"]) == [(FaultKind.UNREACHED, "slate")]


def test_hard_mode_is_held_to() -> None:
    """As the referee says it of each state; and a strategy of hard mode passes."""
    words = "abide crane slate stare raise arise adieu crate trace caret grace brace".split()
    game = game_of(words)
    free, hard = made(game, "raise"), made(game, "raise", hard=True)
    rules = Rules("wordle", words, words, True)
    assert find_faults(draft_of(hard), rules).faults == ()
    forbidden = set()
    for node in range(free.nodes):
        word, history = free.words[free.guess[node]], free.history_of(node)
        secret = free.remaining(history)[0]
        if not all(naive.may_follow(word, guess, secret) for guess, _ in history):
            forbidden.add(word)
    found = find_faults(draft_of(free), rules).faults
    assert {fault.word for fault in found} == forbidden
    assert {fault.kind for fault in found} <= {FaultKind.HARD_MODE}


@given(made_up_games(max_words=14, longest=5), st.integers(0, 10**6))
@settings(max_examples=60)
def test_whatever_is_changed_is_found(game: WordleGame, seed: int) -> None:
    """What is solved, and in how many guesses, is what the plain way of playing says."""
    dice = random.Random(seed)
    strategy = made(game)
    lines = EXPORTS["text"](strategy).splitlines()
    number = dice.randrange(len(lines))
    steps = lines[number].split()
    at = dice.randrange(len(steps))
    steps[at] = dice.choice(game.guesses) if at % 2 == 0 else "".join(
        dice.choice("byg") for _ in steps[at]
    )  # fmt: skip
    other, before, behind = " ".join(steps), lines[:number], lines[number + 1 :]
    changed_lines = dice.choice(
        [[*before, other, *behind], [*lines, other], [*before, *behind] or [other]]
    )
    text = "\n".join(changed_lines)
    draft = text_forms.read_any_form(text.encode(), "f", GRADERS)
    if draft.form == "games without scores":  # words of b, y and g may be taken for scores
        return
    found = find_faults(draft, Rules("wordle", game.guesses, game.secrets))
    if sorted(changed_lines) != sorted(lines):
        assert found.faults
    assert found.taken == solved_by(text, game.secrets)


# --- which lists --------------------------------------------------------------------------------


def test_lists_are_given_named_or_found_out(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(TEXT)
    words = tmp_path / "mine.txt"
    words.write_text("\n".join(WORDS).upper())
    assert examine(path).lists.how == "list not verified"
    found = examine(path, words, "answers")
    assert (found.ok, found.lists.name, found.lists.part) == (True, "mine", "allowed")
    assert examine(path, str(words), WORDS[1:]).result.faults[0].kind == FaultKind.NO_SECRET
    assert examine(path, "original", WORDS).lists.name == "original"
    assert len(examine(path, secrets="allowed").lists.secrets) == 12972
    assert len(examine(path, secrets="answers").lists.secrets) == 2315
    answers = tmp_path / "answers.txt"
    answers.write_text("\n".join(WORDS))
    for reason, *lists in (
        ("the secret 'crane' is no guess of list", WORDS[:3], ["crane"]), ("no words in it", []),
        ("its words have 5 letters, those of the list 2", ["ab", "cd"]),
        ("names of other lists; rename the file", "original", answers),
    ):  # fmt: skip
        refused(BadFileError, reason, examine, path, *lists)
    refused(BadFileError, "unknown game 'chess'", examine, path, game="chess")
    path.write_text(EXPORTS["json"](RIGHT))
    refused(BadFileError, "name its list with --list", examine, path)


def test_numbers_are_read_from_either_end(tmp_path: Path) -> None:
    for digits in (1, -1):
        lines = []
        for secret, history in RIGHT.games():
            cells = []
            for guess, score in history:
                text = "".join(str(score // 3**place % 3) for place in range(5))
                cells += [guess, str(int(text[::-digits], 3))]
            lines.append(",".join([*cells, secret]))
        path = tmp_path / "x"
        path.write_text("\n".join(lines))
        assert examine(path, WORDS).digest == RIGHT.digest


def test_our_own_files_are_judged_too(tmp_path: Path) -> None:
    path = tmp_path / "x"
    RIGHT.save(path)
    found = examine(path, WORDS, within=3)
    assert (found.form, found.ok, found.lists.how) == ("strategy", True, "lists as given")
    worse = examine(path, WORDS, within=1)
    assert worse.reason == f"{len(WORDS) - 1} secrets take more than 1"
    other = examine(path, ["crane", "slate"])
    assert other.reason.startswith("it is for another list")
    kinds = {fault.kind for fault in other.result.faults}
    assert kinds == {FaultKind.NOT_ALLOWED, FaultKind.NO_SECRET}
    six = examine(path, ["aahing", "aaliis"])
    assert [fault.kind for fault in six.result.faults] == [FaultKind.HEAD]
    assert examine(path, WORDS, hard=True).ok
    asked = verification.Requirements(["crane", "slate"])
    said = "'knuthle verify' lists every fault"
    refused(WrongStrategyError, said, verification.load, path, asked)
    refused(BadFileError, "the strategy is for wordle", examine, path, game="mastermind:4x6")


# --- side by side -------------------------------------------------------------------------------


@given(made_up_games(max_words=20, longest=5), st.integers(0, 10**6))
@settings(max_examples=25)
def test_two_strategies_side_by_side(game: WordleGame, seed: int) -> None:
    """Against games played one by one."""
    dice = random.Random(seed)
    worlds = (
        game_of(list(game.guesses), dice.sample(game.secrets, dice.randint(1, len(game.secrets))))
        for _ in range(2)
    )
    first, second = (made(world, dice.choice(game.guesses)) for world in worlds)
    common = set(first.solved_at) & set(second.solved_at)
    if not common:
        with pytest.raises(NotComparableError, match="the strategies have no secret in common"):
            compare(first, second)
        return
    found = compare(first, second)
    played = [{word: [*history, (word, 0)] for word, history in x.games()} for x in (first, second)]
    assert found.taken == {w: (len(played[0][w]), len(played[1][w])) for w in sorted(common)}
    assert found.totals == tuple(sum(len(p[w]) for w in common) for p in played)
    assert found.alone == tuple(sorted(set(p) - common) for p in played)
    partings: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for word in common:
        one, other = played[0][word], played[1][word]
        at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a[0] != b[0]), -1)
        if at >= 0:
            partings.setdefault(tuple(one[:at]), []).append(word)
    assert {p.state: p.n_secrets for p in found.partings} == {
        state: len(words) for state, words in partings.items()
    }
    for parting in found.partings:
        words = partings[parting.state]
        at = len(parting.state)
        assert parting.guesses == tuple(p[words[0]][at][0] for p in played)
        assert parting.totals == tuple(sum(len(p[w]) for w in words) for p in played)
        assert parting.worsts == tuple(max(len(p[w]) for w in words) for p in played)
    depths = [len(parting.state) for parting in found.partings]
    assert depths == sorted(depths)
    assert compare(first, first).same
    assert sum(found.differences.values()) == len(common)


def test_two_games_are_not_compared() -> None:
    reason = "wordle with words of 5 and wordle with words of 2"
    refused(NotComparableError, reason, compare, RIGHT, made(game_of(["ab", "cd"])))
