"""The trusted checker plays small strategies, line by line, and compares lists of words."""

import contextlib
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.rules.searcher import Searcher
from solver.tree import Tree
from solver.words.lists import NAMED_LISTS, kept_folder, named_list
from strategy import verification
from strategy.checkers import lists as word_lists
from strategy.checkers import verify
from strategy.checkers.proof import WrongProofError, words_of
from strategy.errors import BadFileError, StrategyError, UnknownStateError, WrongStrategyError
from strategy.files import envelope, strategy_file
from strategy.files.strategy_file import Origin, tree_of
from strategy.foreign.reference_lists import NAMED
from strategy.proofs.writer import statement_of
from strategy.sweep.question import SweepQuestion
from strategy.sweep.rows import OpenerRow
from strategy.tree import Strategy
from strategy.verification import verify as verify_file
from tests.support import naive, refused
from tests.support.proof_worlds import strategy_of
from tests.support.worlds import GAME, WORDS, game_of, kept, small_game, words_in

__all__ = ["kept"]
pytestmark = pytest.mark.plain

#: Five that differ in a letter, and two that tell them apart.
ALIKE = ["abc", "abd", "abe", "abf", "abg", "cde", "fgh"]


def read(strategy: Strategy, **changes: Any) -> verify.Tree:
    """A strategy as its file has it, which is right, and then with another column or head."""
    return tree_of(strategy)._replace(**changes)


def headed(strategy: Strategy, **changes: Any) -> verify.Tree:
    tree = read(strategy)
    return tree._replace(head=tree.head | changes)


def checked(tree: verify.Tree) -> dict[str, int]:
    """The guesses that each secret takes, where all that the head says is so."""
    taken, passed = verify.play(tree, [*tree.solved()], verify.GRADERS[False])
    verify.check_played(tree, passed)
    return taken


def test_every_rule_of_the_checker() -> None:
    for length in (2, 3, 4):
        words = list(map("".join, product("abc", repeat=length)))
        for guess, secret in product(words, words):
            assert verify.grade_wordle(guess, secret) == naive.grade(guess, secret)
            assert verify.grade_pegs(guess, secret) == naive.pegs(guess, secret)
    for grade in (verify.grade_wordle, verify.grade_pegs):
        for guess, secret in (("ab", "abc"), ("abc", "ab")):
            refused(ValueError, "zip", grade, guess, secret)
    # All words against all games of one and of two guesses.
    words = list(map("".join, product("abc", repeat=3)))

    def is_refused(word: str, history: list[tuple[str, int]]) -> bool:
        try:
            verify.check_hard(word, history)
        except WrongStrategyError:
            return True
        return False

    for word, guess, secret in product(words, words, words):
        history = [(guess, naive.grade(guess, secret))]
        legal = naive.may_follow(word, guess, secret)
        assert is_refused(word, history) != legal
        if legal and word != "abc":
            second = [*history, ("abc", naive.grade("abc", secret))]
            assert is_refused(word, second) != naive.may_follow(word, "abc", secret)


@pytest.mark.parametrize("hard", [False, True])
def test_right_strategies_pass(hard: bool) -> None:
    for start in ("", *WORDS):
        strategy = strategy_of(GAME, start, hard)
        verdict = verification.verify(strategy, GAME.guesses, GAME.secrets)
        games = {word: len(history) + 1 for word, history in strategy.games()}
        assert verdict.taken == games
        assert (verdict.total, verdict.worst) == (sum(games.values()), max(games.values()))
        assert verdict.lists == "lists as given"
        for limit in range(6):
            assert verdict.beyond(limit) == sorted(w for w, n in games.items() if n > limit)
        assert list(verdict.taken) == list(GAME.secrets)
    with pytest.raises(AttributeError):
        verdict.lists = "another"  # type: ignore[misc]
    only = strategy_of(game_of(["abc"]))
    verdict = verification.verify(only, ("abc",), ("abc",))
    assert (verdict.taken, verdict.beyond(0), verdict.beyond(1)) == ({"abc": 1}, ["abc"], [])


@pytest.mark.parametrize("hard", [False, True])
def test_every_changed_number_is_refused(hard: bool) -> None:
    for start in ("aab", "bbc"):
        strategy = strategy_of(GAME, start, hard)
        for name, node, step in product(verify.COLUMNS, range(strategy.nodes), (-1, 1, 2)):
            column = getattr(strategy, name)[:]
            if not 0 <= column[node] + step <= 26:
                continue
            column[node] += step
            wrong = replace(strategy, **{name: column}), GAME.guesses, GAME.secrets
            refused((StrategyError, LookupError), "", verification.verify, *wrong)


def test_where_games_end_and_what_they_come_to() -> None:
    strategy = strategy_of(GAME)
    tree = read(strategy)
    grade = verify.GRADERS[False]
    _, passed = verify.play(tree, strategy.secrets, grade)
    assert passed == {*range(strategy.nodes)}
    verify.check_played(tree, passed)
    refused(WrongStrategyError, "no secret ever comes to", verify.check_played, tree, passed - {2})
    refused(WrongStrategyError, "'zzz' is never reached", verify.play, tree, ["zzz"], grade)
    for node, hit in enumerate(tree.hit):
        wrong = read(strategy, hit=[*tree.hit[:node], 1 - hit, *tree.hit[node + 1 :]])
        if hit:
            said = f"{tree.word(node)!r} is solved where"
            refused(WrongStrategyError, said, verify.play, wrong, strategy.secrets, grade)
    # A secret that is said to fall earlier, where it is only a guess; and a node too many.
    game = game_of(ALIKE)
    words = ["abc", "cde", "fgh", "fgh", "abd", "abe", "abf", "abg", "cde"]
    guess = [game.guesses.index(word) for word in words]
    grown = Tree.of(guess, [-1, 0, 1, 0, 3, 4, 3, 3, 0], [-1, 0, 0, 8, 0, 8, 1, 3, 9])
    strategy = Strategy.of_tree(game, Origin.of(game, "optimal", ("abc",)), grown)
    assert checked(read(strategy))["fgh"] == 3
    hit = [*strategy.hit]
    hit[2], hit[3] = 0, 1
    refused(WrongStrategyError, "'fgh' is solved where", checked, read(strategy, hit=hit))
    more = {"guess": 0, "parent": 0, "score": 26, "hit": 0}
    longer = {name: [*getattr(strategy, name), last] for name, last in more.items()}
    refused(WrongStrategyError, "no secret ever comes to", checked, read(strategy, **longer))


def test_guesses_are_those_of_the_head() -> None:
    strategy = strategy_of(GAME, start="bbc")
    checked(read(strategy))
    second = strategy.words[strategy.guess[1]]
    for wrong, reason in (
        ({"start": ["aab"]}, "guess 1 is not always 'aab'"),
        ({"start": ["bbc", second]}, f"guess 2 is not always {second!r}"),
        ({"start": ["bbc", "bbc"]}, "guess 2 is not always 'bbc'"),
        ({"start": [], "guess_from": "secrets"}, "'bbc' is guessed, which is not from secrets"),
        ({"start": [], "guess_from": "candidates"}, "not from candidates"),
    ):  # fmt: skip
        refused(WrongStrategyError, reason, checked, headed(strategy, **wrong))
    guessed = zip(strategy.guess, strategy.depth, strict=True)
    assert len({strategy.words[guess] for guess, depth in guessed if depth == 2}) > 1
    checked(read(strategy_of(game_of(WORDS), guess_from="candidates")))
    inside = strategy_of(game_of(ALIKE), start="abc", guess_from="secrets")
    checked(read(inside))
    assert not all(inside.hit)
    narrow = headed(inside, guess_from="candidates")
    refused(WrongStrategyError, "not from candidates", checked, narrow)
    outside = strategy_of(game_of(ALIKE, ALIKE[:5]), start="abc")
    assert len(outside.words) > len(outside.secrets)
    checked(read(outside))
    game = game_of(ALIKE)
    for start in ALIKE[:5]:
        free, hard = strategy_of(game, start=start), strategy_of(game, hard=True, start=start)
        checked(read(hard))
        checked(headed(hard, hard=False))
        wrong = headed(free, hard=True)
        refused(WrongStrategyError, "hard mode: 'cde' moves the green", checked, wrong)


def test_codes_are_played_by_pegs() -> None:
    """The four codes of two holes and two colours, and a strategy without the last of them."""
    game = load_game(spec="mastermind:2x2")
    origin = Origin.of(game, "optimal", ("11",))
    strategy = Strategy.of_tree(game, origin, Tree.of([0, 3, 1, 2], [-1, 0, 0, 2], [-1, 0, 3, 2]))
    verdict = verification.verify(strategy)
    assert verdict.taken == {"11": 1, "12": 2, "21": 3, "22": 2}
    assert verdict.lists == "all codes of mastermind:2x2"
    short = {name: getattr(strategy, name)[:3] for name in verify.COLUMNS}
    short |= {"words": ("11", "12", "22"), "guess": [0, 2, 1]}
    digests = dict.fromkeys(verify.DIGESTS, word_lists.words_digest(short["words"]))
    for head, reason in (({}, "not have 3 codes"), ({"game": "wordle"}, "is never reached")):
        wrong = replace(strategy, origin=replace(origin, **head, **digests, secrets=3), **short)
        refused(StrategyError, reason, verification.verify, wrong)
    tree = read(strategy)
    assert verify.play(tree, ["11"], verify.GRADERS[True]) == ({"11": 1}, {0})
    for at in (1, 3):
        score = [*tree.score]
        score[at] = 1
        lost = tree._replace(score=score), strategy.secrets, verify.GRADERS[True]
        refused(WrongStrategyError, "is never reached", verify.play, *lost)


# --- tampered with, and re-sealed: with right checksums and digests -----------------------------
Body, Columns = dict[str, Any], dict[str, list[int]]

LARGE = small_game(1, 300, 300)
TREE = ("guess", "parent", "score", "hit")
ORIGIN = Origin.of(LARGE, "minimax", (LARGE.guesses[0],))
#: A strategy that is right, as the body of its file.
RIGHT = strategy_file.to_body(Strategy.of_tree(LARGE, ORIGIN, Searcher(LARGE).grow(None, (0,))))
NODES = RIGHT["nodes"]


def columns(body: Body) -> Columns:
    return {name: list(verify.read_column(body[name], body["nodes"])) for name in TREE}


def resealed(body: Body, path: Path, **tree: list[int]) -> Path:
    """Write a body with new columns; counts, digest and checksum made to fit where they can."""
    body = dict(body)
    for name, column in tree.items():
        body[name] = strategy_file.pack_column(column)
    width, packed = body["guess"]
    body["nodes"] = len(packed[::width])
    # a cycle or a wrong index has no digest: there the reader must see it first
    with contextlib.suppress(IndexError, KeyError):
        strategy = unchecked(body)
        body["histogram"] = strategy.histogram
        body["origin"] = body["origin"] | {"secrets": len(strategy.secrets)}
        body["digest"] = strategy.digest
    path.write_bytes(envelope.pack(envelope.STRATEGY, body))
    return path


def unchecked(body: Body) -> Strategy:
    tree = {name: verify.read_column(body[name], body["nodes"]) for name in TREE}
    text, length = body["words"], body["length"]
    words = tuple(text[at : at + length] for at in range(0, len(text), length))
    return Strategy(Origin.of_head(body["origin"]), words, **tree)


LISTS = LARGE.guesses, LARGE.secrets


def judge(path: Path, given: Sequence[Sequence[str] | None] = LISTS) -> None:
    kind, body = verify.unseal(path.read_bytes())
    assert kind == envelope.STRATEGY
    verify.verify(verify.read_tree(body), given)


OF_RIGHT = columns(RIGHT)
ABOVE = OF_RIGHT["parent"]
#: A node with nothing below it, not too near the root; one without a secret; the second reply.
LEAF = next(node for node, above in enumerate(ABOVE) if above > 0 and node not in ABOVE)
INNER, SECOND = OF_RIGHT["hit"].index(0, 1), ABOVE.index(0, 2)


def changed(name: str, *numbers: tuple[int, int]) -> Columns:
    """All columns, one of them with other numbers at some nodes."""
    column = OF_RIGHT[name][:]
    for node, number in numbers:
        column[node] = number
    return OF_RIGHT | {name: column}


#: Without a branch, without a secret, with a node that nothing leads to.
FEWER = {name: column[:LEAF] + column[LEAF + 1 :] for name, column in OF_RIGHT.items()}
FEWER["parent"] = [above - (above > LEAF) for above in FEWER["parent"]]
UNHIT = changed("hit", (LEAF, 0))
LONGER = {name: [*OF_RIGHT[name], last] for name, last in zip(TREE, (5, 0, 241, 0), strict=True)}


@pytest.mark.parametrize(("tampered", "error", "reason"), [
    (changed("guess", (INNER, (OF_RIGHT["guess"][INNER] + 1) % 300)), WrongStrategyError,
     "is never reached|is solved where"),
    (FEWER, WrongStrategyError, "secrets are not those of its head"),
    (UNHIT, WrongStrategyError, "secrets are not those of its head"),
    (changed("parent", (10, 11), (11, 10)), BadFileError, "node 10 does not stand in preorder"),
    (changed("parent", (10, 10)), BadFileError, "node 10 does not stand in preorder"),
    (changed("parent", (10, 50_000)), BadFileError, "node 10 does not stand in preorder"),
    (changed("guess", (10, 60_000)), BadFileError, "a guess is no word"),
    (changed("score", (SECOND, OF_RIGHT["score"][1])), BadFileError, "not stand in preorder"),
    (LONGER, WrongStrategyError, "no secret ever comes to"),
    (changed("guess", (0, OF_RIGHT["guess"][0] + 1)), StrategyError,
     "never reached|is solved|not always"),
    (changed("score", (NODES - 1, 240 + (OF_RIGHT["score"][-1] != 241))), StrategyError,
     "never reached|in preorder|ever comes to"),
])  # fmt: skip
def test_resealed_tampering_is_caught(
    tmp_path: Path, tampered: Columns, error: type[StrategyError], reason: str
) -> None:
    judge(resealed(RIGHT, tmp_path / "right"))
    refused(error, reason, judge, resealed(RIGHT, tmp_path / "tampered", **tampered))


@pytest.mark.parametrize("tree", [FEWER, UNHIT])
def test_a_dropped_secret_is_caught_with_every_digest_mended(tmp_path: Path, tree: Columns) -> None:
    body = envelope.read(resealed(RIGHT, tmp_path / "dropped", **tree))[1]
    strategy = unchecked(body)
    digest = word_lists.words_digest(strategy.secrets)
    unused = {*strategy.words} - {strategy.words[guess] for guess in strategy.guess}
    body["origin"] = body["origin"] | {"secrets_digest": digest}
    path = resealed(body, tmp_path / "dropped")
    for given in (LISTS, (None, LARGE.secrets)):
        reason = "never guesses" if unused else "secrets are not those of lists as given"
        refused(WrongStrategyError, reason, judge, path, given)
    body["origin"] = body["origin"] | {"secrets_name": "allowed"}
    resealed(body, path)
    refused(WrongStrategyError, "not all of its guesses are secrets", judge, path, (None, None))


#: What a head says, and how that is refused.
LIES: list[tuple[Body, type[StrategyError], str]] = [
    ({"hard": True}, WrongStrategyError, "hard mode"),
    ({"list_name": "nyt-2022"}, WrongStrategyError, "for another list"),
    ({"guess_from": "candidates"}, WrongStrategyError, "not from candidates"),
    ({"list_name": "original", "secrets_name": "answers"}, WrongStrategyError, "another list"),
    ({"guess_from": "anywhere"}, BadFileError, "none of allowed"),
    ({"start": []}, BadFileError, "start"),
    ({"start": ["crane"]}, WrongStrategyError, "guess 1 is not always 'crane'"),
    ({"game": "wordle:x"}, BadFileError, "game 'wordle:x'"),
    ({"game": "mastermind:4x6"}, WrongStrategyError, "does not have"),
    ({"guesses_digest": "junk"}, BadFileError, "no sha256"),
    ({"list_name": "a\nb"}, BadFileError, "no name"),
    ({"list_name": "x" * 5000}, BadFileError, "no name"),
    ({"claim": {"x": b"y"}}, BadFileError, "plain values"),
    ({"claim": {"x": float("nan")}}, BadFileError, "plain values"),
    ({"claim": {"x": [[[[[[[[[[]]]]]]]]]]}}, BadFileError, "plain values"),
    ({"more": 1}, BadFileError, "keys: .'more'"), ({b"more": 1}, BadFileError, "keys: .*more"),
]  # fmt: skip
#: What the whole says otherwise.
SPELLED: list[tuple[Body, str]] = [
    ({"more": 1}, "too many or too few keys"), ({"guess": [[2], b""]}, "does not hold"),
    ({"hit": [1, bytes(NODES)]}, "hits are not 0 and 1"), ({"length": 100_000}, "too long"),
    ({"score": [4, bytes(4 * NODES)]}, "wider than"),
    ({"histogram": [*RIGHT["histogram"], 0]}, "counts"),
    ({"histogram": [True, *RIGHT["histogram"][1:]]}, "counts"),
    ({"words": RIGHT["words"] + RIGHT["words"][-5:]}, "its words are not in order"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "error", "reason"), [
    *(({"origin": RIGHT["origin"] | lie}, error, reason) for lie, error, reason in LIES),
    *((change, BadFileError, reason) for change, reason in SPELLED),
    ({"digest": "0" * 64}, WrongStrategyError, "its digest names"),
])  # fmt: skip
def test_lies_and_other_spellings_are_refused(
    tmp_path: Path, change: Body, error: type[StrategyError], reason: str
) -> None:
    path = tmp_path / "other"
    path.write_bytes(envelope.pack(envelope.STRATEGY, RIGHT | change))
    refused(error, reason, judge, path)


def test_errors_can_be_sent_between_processes() -> None:
    for error in (BadFileError("kind", "reason"), UnknownStateError(2, "step 2: reason")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_unused_and_renamed_words_are_caught(tmp_path: Path) -> None:
    path = resealed(RIGHT | {"words": RIGHT["words"] + "zzzzz"}, tmp_path / "unused")
    for given in (LISTS, (None, None)):
        refused(WrongStrategyError, "never guesses", judge, path, given)
    word = LARGE.guesses[-1]
    path = resealed(RIGHT | {"words": RIGHT["words"].replace(word, "zzzzz")}, tmp_path / "renamed")
    refused(WrongStrategyError, "secrets are not those of its head", judge, path)
    body = envelope.read(path)[1]
    digest = word_lists.words_digest(unchecked(body).secrets)
    body["origin"] = body["origin"] | {"secrets_digest": digest}
    resealed(body, path)
    refused(WrongStrategyError, "secrets are not those of lists as given", judge, path)
    refused(WrongStrategyError, "a guess is none of", judge, path, (LARGE.guesses, None))


# --- lists ------------------------------------------------------------------------------------
STRATEGY = strategy_of(GAME)
#: The strategy of the game with another head.
of_game = partial(headed, STRATEGY)


def compared(tree: verify.Tree, *given: Sequence[str] | None) -> str:
    """With which lists a strategy was compared."""
    return verify.verify(tree, given or (None, None))[1]


def test_lists_are_compared() -> None:
    tree, (guesses, secrets) = read(STRATEGY), (GAME.guesses, GAME.secrets)
    for given in ((None, None), (guesses, None), (None, secrets)):
        assert compared(tree, *given) == "list not verified"
    assert compared(tree, guesses[::-1], secrets[::-1]) == "lists as given"
    for wrong in (
        (guesses[1:], secrets), (guesses, secrets[1:]), ((*guesses, "zzz"), secrets),
        (("zzz", *guesses[1:]), secrets), (None, ("zzz", *secrets[1:])), (guesses, guesses),
    ):  # fmt: skip
        refused(WrongStrategyError, "another list", compared, tree, *wrong)
    refused(WrongStrategyError, "digest names", compared, tree._replace(digest="0" * 64))
    named = tree_of(strategy_of(replace(game_of(WORDS), secrets_name="allowed")))
    assert compared(named, guesses, None) == "lists as given"
    said = "another list: its secrets are not those of lists as given"
    refused(WrongStrategyError, said, compared, named, guesses, guesses[1:])
    for count in (9, 11):
        refused(WrongStrategyError, "another list", compared, of_game(guesses=count), guesses, None)
    lying = of_game(secrets_digest="0" * 64)
    refused(WrongStrategyError, "secrets are not those of its head", compared, lying)
    other = tree_of(strategy_of(GAME, start="bbc"))
    digest = word_lists.words_digest(secrets)
    foreign = other._replace(head=other.head | {"guesses_digest": digest, "guesses": len(secrets)})
    refused(WrongStrategyError, "a guess is none of lists as", compared, foreign, secrets, secrets)
    body = strategy_file.to_body(strategy_of(GAME))
    for count in (len(secrets) - 1, len(secrets) + 1):
        miscounted = body | {"origin": body["origin"] | {"secrets": count}}
        refused(BadFileError, "another number of secrets", verify.read_tree, miscounted)


def test_a_named_list_is_compared_with_what_is_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ({"list_name": "original"}, {"list_name": "nyt-2022", "secrets_name": "answers"}):
        said = f"another list: its guesses are not those of list {wrong['list_name']} as shipped"
        refused(WrongStrategyError, said, compared, of_game(**wrong))
    lists = {("mine", "allowed"): GAME.guesses, ("mine", "answers"): GAME.secrets}
    monkeypatch.setattr(word_lists, "shipped", lambda *name: lists.get(name))
    mine = {"list_name": "mine"}
    whole, part = of_game(**mine, secrets_name="answers"), of_game(**mine)
    assert compared(whole) == "list mine as shipped"
    assert compared(whole, GAME.guesses, GAME.secrets) == "list mine as shipped, lists as given"
    assert compared(part) == "list not verified"
    for name, words in lists.items():
        other = lists | {name: (*words[1:], "zzz")}
        monkeypatch.setattr(word_lists, "shipped", lambda *name, other=other: other.get(name))
        refused(WrongStrategyError, "another list", compared, whole)


@pytest.mark.parametrize(("game", "first", "last", "count"), [
    ("mastermind:2x3", "11", "33", 9), ("mastermind:2x3:distinct", "12", "32", 6),
    ("mastermind:1x9", "1", "9", 9), ("mastermind:1x10", "0", "9", 10),
    ("mastermind:2x12", "00", "bb", 144),
])  # fmt: skip
def test_codes_of_a_board(game: str, first: str, last: str, count: int) -> None:
    codes = word_lists.board_codes(game, count)
    assert (codes[0], codes[-1], len(codes)) == (first, last, count)
    assert codes == sorted(set(codes))
    for wrong in (count - 1, count + 1):
        refused(WrongStrategyError, "does not have", word_lists.board_codes, game, wrong)


# --- kept lists, given ones, named ones --------------------------------------------------------
@pytest.mark.parametrize(("name", "part", "content", "digest"), [
    ("mine", "other", b"ab", ""), ("a\u200bb", "allowed", b"ab", ""),
    ("mine", "allowed", b"ab", "0" * 64), ("mine", "allowed", b"", ""),
    ("mine", "allowed", b"a-b", ""), ("mine", "allowed", b"ab\xff", ""),
])  # fmt: skip
def test_no_kept_list(kept: Path, name: str, part: str, content: bytes, digest: str) -> None:
    (kept / f"{name}-{part}.txt").write_bytes(content)
    assert word_lists.kept_list(name, part, digest) is None


def test_what_a_name_says_of_lists_that_are_not_known(tmp_path: Path) -> None:
    """It is refused, and does not count as nothing asked."""
    strategy_of(GAME).save(tmp_path / "a")
    for part in ("answers", "allowed"):
        reason = "is no list that is known"
        refused(BadFileError, reason, verify_file, tmp_path / "a", secrets=part)


def test_where_lists_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, local = Path("~/.local/share").expanduser(), str(tmp_path / "local")
    for data, platform, windows, folder in (
        (str(tmp_path), "win32", local, tmp_path), ("near", "linux", local, home),
        ("", "win32", "", home), ("", "win32", local, Path(local)),
    ):  # fmt: skip
        monkeypatch.setenv("XDG_DATA_HOME", data)
        monkeypatch.setenv("LOCALAPPDATA", windows)
        monkeypatch.setattr(sys, "platform", platform)
        assert word_lists._kept_folder() == kept_folder() == folder / "knuthle" / "lists"


def test_a_strategy_is_compared_with_kept_lists(kept: Path) -> None:
    mine = {"list_name": "mine"}
    whole = of_game(**mine, secrets_name="answers")
    assert compared(whole) == "list mine as kept here"
    assert compared(of_game(list_name="none")) == "list not verified"
    lying = of_game(**mine, secrets_name="allowed")
    refused(WrongStrategyError, "secrets", compared, lying)
    for part in ("answers", "allowed"):
        (kept / f"mine-{part}.txt").write_text("abc\nbca\n")
        assert compared(whole) == "list not verified", "another list under the same name"
    words = sorted(words_in("joining"))  # they make a letter where they meet
    (kept / "mine-allowed.txt").write_text("\n".join(words), encoding="utf-8")
    assert word_lists.kept_list("mine", "allowed") == words


# --- words -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("words", "game", "fits"), [
    (["ab", "cd"], "wordle", True), (["a" * 11], "wordle", True), (["az" * 5], "wordle", True),
    (["a" * 12], "wordle", False), (["a"], "wordle", False), (["a1"], "wordle", True),
    (["\u00e41", "\u05d01"], "wordle", True), (["\u00c41"], "wordle", False),
    (["a\u0308"], "wordle", False), (["\u03b1\u03c2"], "wordle", False),
    (["a\u00bd"], "wordle", False), ([chr(0x4E00 + at) * 2 for at in range(64)], "wordle", True),
    ([chr(0x4E00 + at) * 2 for at in range(65)], "wordle", False),
    (["ab", "abc"], "wordle", "'abc' is not .* before it: 2"),
    (["abc", "ab"], "wordle", False), (["ab\n"], "wordle", False), (["1"], "mastermind:1x4", True),
    (["0z9a"], "mastermind:4x36", True), (["1" * 16], "mastermind:16x2", True),
    (["1" * 17], "mastermind:17x2", False), (["A1"], "mastermind:2x2", False),
    ([""], "mastermind:2x2", False), ([], "wordle", True),
])  # fmt: skip
def test_words_of_a_game(words: list[str], game: str, fits: bool | str) -> None:
    """What does not fit is refused, and sometimes it matters with which words."""
    if fits is True:
        word_lists.check_words(words, game)
    else:
        refused(BadFileError, fits or "", word_lists.check_words, words, game)


def test_the_words_of_a_strategy_are_looked_at() -> None:
    codes = load_game(spec="mastermind:1x2")
    grown = Tree.of([0, 1], [-1, 0], [-1, 0])
    tree = tree_of(Strategy.of_tree(codes, Origin.of(codes, "x", ("1",)), grown))
    assert compared(tree) == "all codes of mastermind:1x2"
    wrong = tree._replace(words=("1", "\u00e4"))
    digest = word_lists.words_digest(wrong.words)
    wrong = wrong._replace(head=wrong.head | dict.fromkeys(verify.DIGESTS, digest))
    refused(BadFileError, "'\u00e4' is no word of mastermind", compared, wrong)


def test_a_list_is_read_to_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "list"
    monkeypatch.setattr(word_lists, "_LARGEST_LIST", 19)
    for content in (b"ab\ncd\nef\n", b"AB # x\n\ncd\nab\nAB\nef"):
        path.write_bytes(content)
        monkeypatch.setattr(word_lists, "MOST_WORDS", 3)
        assert word_lists.read_list(str(path)) == ["ab", "cd", "ef"]
        monkeypatch.setattr(word_lists, "MOST_WORDS", 2)
        refused(BadFileError, "more than 2 words", word_lists.read_list, str(path))
    monkeypatch.setattr(word_lists, "_LARGEST_LIST", 18)
    refused(BadFileError, "more than 18 bytes", word_lists.read_list, str(path))
    for content, reason in (
        (b"ab\nabc", ":2: 'abc' is not as long"), (b"a" * 18 + b"\xff", "more than"),
        (b"a\n\xff", r":2: not a text file \(byte 2 is not UTF-8\)"), (b"\n\xff", ":2: not a text"),
        (b"a b", ":1: 'a b' is no word"), ("q\u0308b".encode(), ":1: 'q.*b' is no word"),
        ("ka\n\u00bdz".encode(), ":2: '\u00bdz' is no word"),
    ):  # fmt: skip
        path.write_bytes(content)
        refused(BadFileError, reason, word_lists.read_list, str(path))
    monkeypatch.setattr(word_lists, "_LARGEST_LIST", 100)
    for sign in (b"a", b"A"):
        path.write_bytes(sign * 16)
        assert word_lists.read_list(str(path)) == ["a" * 16]
        path.write_bytes(sign * 17)
        refused(BadFileError, "is no word", word_lists.read_list, str(path))


def test_the_checkers_and_the_games_have_the_same_shipped_lists() -> None:
    """And no others have their names."""
    for (name, part), (count, digest) in word_lists.SHIPPED.items():
        found = named_list(name, part)
        assert (len(found.words), found.digest) == (count, digest)
    assert {name for name, _ in word_lists.SHIPPED} == set(NAMED_LISTS) == set(NAMED)
    assert len(word_lists.shipped("original", "answers") or ()) == 2315
    for name, part in (
        ("original", "other"), ("../words/original", "answers"), ("nyt", "2022-answers"),
        ("none", "allowed"),
    ):  # fmt: skip
        assert word_lists.shipped(name, part) is None


# --- digests, of which one sign is another ----------------------------------------------------
GAME_LISTS = list(GAME.guesses), list(GAME.secrets)
STATED = statement_of(GAME, "total", 6, STRATEGY.total)
SWEPT = SweepQuestion.of(GAME, "minimax", "allowed", hard=False)
KINDS = ("guesses_digest", "secrets_digest")


def nearly(digest: str) -> Iterator[str]:
    """Digests of which one sign is another: at both ends, and on both sides of the middle."""
    for at in (0, 15, 16, 31, 32, 63):
        yield digest[:at] + ("0" if digest[at] != "0" else "1") + digest[at + 1 :]


ASKED: list[tuple[Callable[[dict[str, Any]], object], type[Exception]]] = [
    (lambda it: words_of(replace(STATED, **it), GAME_LISTS), WrongProofError),
    (lambda it: verify_file(replace(STRATEGY, origin=replace(STRATEGY.origin, **it)), *GAME_LISTS),
     WrongStrategyError),
    (lambda it: replace(SWEPT, **it).same_game(), WrongInputError),
    (lambda it: SweepQuestion.of_text(replace(SWEPT, **it).to_text(), "x"), BadFileError),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ask", "error"), ASKED)
def test_lists_have_another_digest_if_one_sign_differs(
    ask: Callable[[dict[str, Any]], object], error: type[Exception], kind: str
) -> None:
    right = str(getattr(GAME, kind))
    ask({kind: right})
    for digest in nearly(right):
        refused(error, "", ask, {kind: digest})


def test_a_strategy_has_another_digest_if_one_sign_differs() -> None:
    """So have its secrets where no list is at hand."""
    row = OpenerRow("aab", (1,), 1, STRATEGY.digest)
    for digest in nearly(STRATEGY.digest):
        lying = tree_of(STRATEGY)._replace(digest=digest)
        refused(WrongStrategyError, "its digest names", verify.verify, lying, GAME_LISTS)
        refused(WrongStrategyError, "digest", row.joined, replace(row, digest=digest))
    assert verify_file(STRATEGY).lists == "list not verified"
    for digest in nearly(GAME.secrets_digest):
        origin = replace(STRATEGY.origin, secrets_digest=digest)
        refused(WrongStrategyError, "its secrets", verify_file, replace(STRATEGY, origin=origin))


@pytest.mark.usefixtures("kept")
def test_lists_are_known_by_their_whole_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are kept, and those that are shipped; these by their number of words, too."""
    assert word_lists.kept_list("mine", "allowed", GAME.guesses_digest) == list(GAME.guesses)
    for digest in nearly(GAME.guesses_digest):
        assert word_lists.kept_list("mine", "allowed", digest) is None
    name = "original", "answers"
    count, right = word_lists.SHIPPED[name]
    others = [(count, digest) for digest in (*nearly(right), f"{right}0")]
    for meant in (*others, (count - 1, right), (count + 1, right)):
        monkeypatch.setattr(word_lists, "SHIPPED", {name: meant})
        refused(BadFileError, "not the list that was shipped", word_lists.shipped, *name)
