"""What the package strategy offers: names, examples, words in and out, what notebooks show."""

import doctest
import pydoc
import random
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import knuthle
import strategy
from solver.errors import WrongInputError
from solver.rules.searcher import Searcher
from strategy import solve
from strategy.errors import UnknownStateError, WrongStrategyError
from strategy.toolbox.guesses import MORE_MEASURES, spelled_opener
from tests.support import ROOT, refused, said_by
from tests.support.worlds import game_of, some_world

WORDS = ["abide", "crane", "raise", "slate", "stare"]


@pytest.mark.parametrize("name", strategy.__all__)
def test_examples(name: str) -> None:
    (found,) = doctest.DocTestFinder(recurse=False).find(getattr(strategy, name), name)
    assert found.examples
    said: list[str] = []
    assert doctest.DocTestRunner().run(found, out=said.append).failed == 0, "".join(said)


def test_names_of_the_package() -> None:
    promised = "load_game Settings solve optimal suggest openers pairs triples cheat_sheet"
    promised += " five_words verify check_proof Strategy review weighted_game buckets"
    promised += " examine compare page_of sweep_openers open_sweep merge_sweeps"
    promised += " sweep_optimal solve_word HowToFind shortest_win regret"
    assert sorted(strategy.__all__) == sorted(promised.split())
    assert set(strategy.__all__) <= set(dir(strategy))
    with pytest.raises(AttributeError, match="no attribute 'oracle'"):
        _ = strategy.oracle
    # In the order in which one meets them, a line each.
    listed = re.findall(r"^    (\w+) +\S", strategy.__doc__ or "", re.MULTILINE)
    assert sorted(listed) == sorted(strategy.__all__)
    helped = pydoc.plaintext.document(strategy, "strategy")
    for name in strategy.__all__:
        assert (getattr(strategy, name).__doc__ or "").splitlines()[0] in helped
    with pytest.raises(WrongInputError, match=r"strategy\.optimal and solve-all --rule optimal"):
        Searcher(game_of(WORDS), "optimal")


def test_knuthle_offers_the_same_and_its_version() -> None:
    assert set(knuthle.__all__) == {*strategy.__all__, "__version__"} <= set(dir(knuthle))
    for name in strategy.__all__:
        assert getattr(knuthle, name) is getattr(strategy, name)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert knuthle.__version__ == project["version"]
    with pytest.raises(AttributeError, match="'knuthle' has no attribute 'cli'"):
        _ = knuthle.cli


def test_one_word_is_not_its_letters_and_several_may_be_one_text() -> None:
    game = game_of(WORDS)
    for start in ("stare", " stare ", ["stare"], ("stare",)):
        assert strategy.Settings(start).start == ("stare",)
        assert strategy.solve(game, strategy.Settings(start)).strategy.origin.start == ("stare",)
        best = strategy.optimal(game, start=start, workers=1).strategy
        assert best is not None and best.origin.start == ("stare",)
    assert strategy.Settings("stare, Crane").start == ("stare", "Crane")
    assert strategy.Settings("stare,crane") == strategy.Settings(["stare", "crane"])
    assert hash(strategy.Settings(["stare"])) == hash(strategy.Settings("stare"))
    assert strategy.Settings("auto") == strategy.Settings()


def test_a_name_is_a_callable_whatever_has_been_imported() -> None:
    """Modules of the same names are somewhere below; none may take the place of its function."""
    said_by(
        "import pkgutil, importlib, strategy\n"
        "for found in pkgutil.walk_packages(strategy.__path__, 'strategy.'):\n"
        "    found.name.endswith('__main__') or importlib.import_module(found.name)\n"
        "assert all(callable(getattr(strategy, name)) for name in strategy.__all__)"
    )


# --- words in, words out ------------------------------------------------------------------
def test_words_and_clues() -> None:
    game = strategy.load_game([word.upper() for word in reversed(WORDS)], iter(["stare"]))
    assert (game.guesses, game.secrets) == (tuple(WORDS), ("stare",))
    assert (game.list_name, game.secrets_name) == ("words", "words")
    for reason, *lists in (
        ("words:2: 'cranes' has 6 letters, 'abide'", ["abide", "cranes"]),
        ("secrets:1: the secret 'crane' is not a guess", ["abide"], ["crane"]),
    ):
        refused(WrongInputError, reason, strategy.load_game, *lists)
    game = game_of(WORDS)
    score = game.grade("crane", "slate")
    found = strategy.suggest(game, [("crane", score)])
    assert found == strategy.suggest(game, f"crane {game.format_score(score)}")
    assert found == strategy.suggest(game, [("CRANE", game.format_score(score))])
    assert (found.secrets, found.solved) == (("slate",), None)
    solved = strategy.suggest(game, "crane ggggg")
    assert (solved.solved, solved.words, solved.exact) == ("crane", [], None)
    refused(WrongInputError, "--guess-from is one of", strategy.suggest, game, guess_from="dreams")


def test_openers_and_pairs() -> None:
    game = game_of(WORDS)
    every = strategy.openers(game)
    assert [row.rank for row in every] == sorted(row.rank for row in every)
    assert strategy.openers(game, top=1, bottom=2) == [every[0], *every[-2:]]
    assert strategy.openers(game, top=4, bottom=4) == every
    two = [row for row in every if row.word in ("abide", "slate")]
    assert strategy.openers(game, ["slate", "abide"]) == two
    refused(WrongInputError, "without the first", strategy.pairs, game, None, "crane")
    refused(WrongInputError, "needs two", strategy.triples, game, "crane")
    game = game_of(["care", "cart", "core", "sane"])
    found = spelled_opener(game, ["CORE"])
    assert found.letters.spelled == "care"
    assert [row.word for row in found.words] == ["care", "cart", "core"]
    for by in MORE_MEASURES:
        ranks = {row.word: row.rank for row in strategy.openers(game, by=by)}
        assert all(row.ranks[by] == ranks[row.word] for row in found.words)


def test_suggestions_are_ranked_by_what_is_exact() -> None:
    """The least totals first, though entropy says otherwise; ranks follow the totals."""
    game = strategy.load_game()
    for state in ("crane bygbb", "salet bbbbb abide bbbbb", "salet bbbbb"):
        found = strategy.suggest(game, state)
        assert (found.by, len(found.words)) == ("guesses", 10) and found.exact is not None
        totals = [row.total for row in found.words]
        assert totals == sorted(totals, key=lambda total: total or 10**9)
        assert totals[0] == found.exact.least
        ranks = [1 + sum(other < total for other in totals) for total in totals]
        assert [row.rank for row in found.words] == ranks
        assert {row.word for row in found.words if row.rank == 1} == set(found.exact.best)
        assert strategy.suggest(game, state, top=3).words == found.words[:3]
        measured = strategy.suggest(game, state, by="entropy")
        assert measured.by == "entropy"
        bits = [row.entropy for row in measured.words]
        assert bits == sorted(bits, reverse=True) and found.words != measured.words


def test_rankings() -> None:
    everything = strategy.load_game(secrets="allowed")
    found = strategy.suggest(everything, "lares bgbgb")
    assert found.exact is not None and (found.by, found.exact.least) == ("entropy", None)
    assert strategy.suggest(everything, top=3).by == "entropy"
    game = strategy.load_game()
    found = strategy.suggest(game, "sigma xxxxx tenor xpppx", top=1)
    assert [row.word for row in found.words] == ["cloze"] and found.n_more_tied == 1
    assert strategy.suggest(game, "sigma xxxxx tenor xpppx", top=0).n_more_tied == 0
    assert strategy.suggest(game, "crane bbgbb", top=2, by="parts").by == "parts"


@pytest.mark.slow
def test_ties_are_counted_and_in_order() -> None:
    """Words that may be the secret first, then answers of the shipped lists, then the alphabet."""
    lists = ("original", "nyt-2022", "nyt-2023", "nyt-2026")
    answers = {word for name in lists for word in strategy.load_game(name).secrets}
    for secrets in ("answers", "allowed"):
        game = strategy.load_game(secrets=secrets)
        every = strategy.suggest(game, "crane bgbbg", top=None, by="minimax")
        for rows in (every.words, strategy.suggest(game, "crane bgbbg", top=None).words):
            keys = [(it.rank, not it.candidate, it.word not in answers, it.word) for it in rows]
            assert all(keys[k] < keys[k + 1] for k in range(len(keys) - 1))
        for top in (1, 10, 500):
            some = strategy.suggest(game, "crane bgbbg", top=top, by="minimax")
            assert some.words == every.words[:top]
            last = some.words[-1].rank
            assert some.n_more_tied == sum(row.rank == last for row in every.words[top:])
        assert every.n_more_tied == 0


def test_five_words_come_from_words_and_files(tmp_path: Path) -> None:
    path = tmp_path / "more.txt"
    path.write_text("Dog\nbirds\n")
    found = strategy.five_words(["cat"], files=[path], count=2, letters=3)
    assert found.sets == (("cat", "dog"),)
    assert (found.words_read, found.skipped, found.masks) == (2, 1, 2)
    assert strategy.five_words([]).sets == ()


def test_verify_takes_what_there_is(lares_file: Path, tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text("\n".join(WORDS))
    made = strategy.solve(strategy.load_game(listed)).strategy
    made.save(tmp_path / "s")
    for given in (made, tmp_path / "s", str(tmp_path / "s")):
        for words in (WORDS, listed, str(listed)):
            assert strategy.verify(given, words).lists == "lists as given"
    said = "35 secrets take more than 6"
    refused(WrongStrategyError, said, strategy.verify, lares_file, within=6)
    refused(WrongStrategyError, "another list", strategy.verify, lares_file, WORDS)


def test_states_show_what_can_follow() -> None:
    for seed in range(4):
        strategy = solve(some_world(random.Random(seed), 15, 40)).strategy
        for node in range(0, strategy.nodes, 3):
            history = strategy.history_of(node)
            state = strategy.state(history)
            assert state.guess == strategy.next_guess(history)
            assert list(state.remaining) == strategy.remaining(history)
            assert sum(count for _, count, _ in state.replies) == len(state.remaining)
            for text, count, then in state.replies:
                after = [*history, (state.guess, text)]
                if then is None:
                    assert state.guess in state.remaining
                    continue
                assert strategy.next_guess(after) == then
                assert len(strategy.remaining(after)) == count
            ElementTree.fromstring(f"<div>{state._repr_html_()}</div>")
    text = ".".join(f"{word}.{score}" for word, score in strategy.state(history).history)
    assert strategy.state(text) == strategy.state(history)
    refused(UnknownStateError, "", strategy.state, "zzzzz.bbbbb")
