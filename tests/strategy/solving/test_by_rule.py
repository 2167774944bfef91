"""Whole strategies: published, naive, by any workers; games of somebody's own."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import strategy
from solver.choices import GUESS_POOLS
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.mastermind import MastermindGame
from solver.game.wordle import WordleGame
from solver.rules.searcher import RULES, Searcher
from solver.tree import Tree
from strategy import Strategy, exports, load_game
from strategy import verify as judge
from strategy.checkers import verify
from strategy.errors import BadFileError, OutputError, StrategyError, WrongStrategyError
from strategy.files.strategy_file import BY_REFEREE, OWN_GRADE, Origin, to_bytes, tree_of
from strategy.solving import checks
from strategy.solving.by_rule import GrowingStrategy, Settings, Solved, origin_of, solve
from strategy.solving.checks import play_every_secret
from strategy.solving.progress import ignore
from tests.support import naive, published, refused
from tests.support.naive_exact import brute
from tests.support.worlds import game_of, made_up_games, small_game


def test_serai_and_lares() -> None:
    solved = solve(load_game(secrets="allowed"), Settings())
    histogram, mean = published.SERAI
    assert solve(load_game(), Settings(start=("lares",))).strategy.worst == 5, "over the answers"
    assert solved.strategy.origin.start == ("serai",)
    assert solved.strategy.histogram == histogram and round(solved.strategy.mean, 8) == mean
    assert len(solved.verdict.beyond(6)) == sum(histogram[6:])
    # Two forced openers are played in every game.
    game = load_game()
    strategy = solve(game, Settings(start=("lares", "cling"))).strategy
    words = zip(strategy.depth, strategy.guess, strict=True)
    assert {strategy.words[guess] for depth, guess in words if depth == 2} == {"cling"}
    assert strategy.histogram[0] == 0 or "lares" in game.secrets
    judge(strategy)


# --- the naive twin -----------------------------------------------------------------------
@settings(max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    size=st.sampled_from([(50, 50), (50, 20), (120, 120), (300, 60)]),
    rule=st.sampled_from(list(RULES)),
    guess_from=st.sampled_from(GUESS_POOLS),
    hard=st.booleans(),
    starts=st.integers(0, 2),
)
def test_strategies_are_the_naive_ones(
    seed: int, size: tuple[int, int], rule: str, guess_from: str, hard: bool, starts: int
) -> None:
    game = small_game(seed, *size)
    start = game.guesses[:1] if hard else game.guesses[:starts]
    solved = solve(game, Settings(start or ("auto",), rule, guess_from, hard))
    strategy = solved.strategy
    more = {"starts": start, "guess_from": guess_from, "secrets": game.secrets, "hard": hard}
    expected = naive.nodes(game.guesses, game.secrets, rule, edge=strategy.score[0], **more)
    columns = zip(strategy.depth, strategy.score, strategy.guess, strict=True)
    found = [(depth - 1, score, strategy.words[guess]) for depth, score, guess in columns]
    assert found == list(expected) and sum(strategy.histogram) == len(game.secrets)


@pytest.mark.plain
@pytest.mark.parametrize("count", [1, 2, 3])
def test_tiny_lists(count: int) -> None:
    game = small_game(count, count, count)
    strategy = solve(game, Settings()).strategy
    assert strategy.worst <= count and strategy.secrets == game.secrets
    judge(strategy)


# --- workers ------------------------------------------------------------------------------
@pytest.mark.parametrize("workers", [2, 4])
def test_the_same_bytes_for_any_number_of_workers(workers: int) -> None:
    game = small_game(7, 3000, 1200)
    settings_ = Settings(start=(game.guesses[100],))
    alone = solve(game, settings_).strategy
    shared = solve(game, settings_, workers=workers).strategy
    assert to_bytes(shared) == to_bytes(alone)


def test_workers_play_every_secret(lares: Solved, monkeypatch: pytest.MonkeyPatch) -> None:
    """They may be spawned."""
    game = load_game(secrets="allowed")
    assert play_every_secret(lares.strategy, game, workers=2) == lares.verdict
    monkeypatch.setattr("sys.platform", "elsewhere")
    game = small_game(8, 300, 100)
    assert solve(game, Settings(), workers=2).verdict == solve(game, Settings()).verdict


# --- a strategy in the making -------------------------------------------------------------
def grown(game: Game, settings_: Settings) -> GrowingStrategy:
    searcher = Searcher(game)
    growing = GrowingStrategy(game, origin_of(game, settings_, searcher))
    growing.grow(searcher, 1, ignore)
    return growing


def test_what_is_saved_belongs_to_one_question(tmp_path: Path) -> None:
    game, path = small_game(4, 400, 150), tmp_path / "partial"
    growing = grown(game, Settings())
    growing.save(path)
    refused(BadFileError, "an unfinished strategy", Strategy.load, path)
    other = Settings(growing.origin.start, rule="entropy")
    said = "begun with rule 'minimax', not 'e"
    refused(StrategyError, said, solve, game, other, resume=path)


def test_an_interrupted_run_lays_its_tree_aside(tmp_path: Path) -> None:
    game = small_game(5, 800, 400)
    path = tmp_path / "partial"

    def interrupt(what: str, new: int, whole: int) -> None:
        if what == "solving":
            raise KeyboardInterrupt

    refused(KeyboardInterrupt, "", solve, game, Settings(), resume=path, progress=interrupt)
    finished = solve(game, Settings(), resume=path).strategy
    assert to_bytes(finished) == to_bytes(solve(game, Settings()).strategy)


@pytest.mark.parametrize("starts", [1, 2])
def test_a_run_cut_at_any_node_is_continued(tmp_path: Path, starts: int) -> None:
    game = small_game(9, 200, 40)
    settings_ = Settings(start=game.guesses[:starts])
    whole = solve(game, settings_).strategy
    growing = grown(game, settings_)
    guess, parent, score = growing.tree.guess, growing.tree.parent, growing.tree.score
    for cut in range(len(growing.tree)):
        part = GrowingStrategy(game, growing.origin)
        part.tree = Tree(guess[: cut + 1], parent[: cut + 1], score[:cut])  # between two columns
        path = tmp_path / f"cut at {cut}"
        part.save(path)
        continued = solve(game, settings_, resume=path).strategy
        assert to_bytes(continued) == to_bytes(whole)


#: Of words, and of codes: graders of many pairs, of one by the checker, and the plain one.
WORDS = checks.grade_pairs, verify.grade_wordle, naive.grade
CODES = checks.grade_peg_pairs, verify.grade_pegs, naive.pegs


def graded_alike(graders: tuple[Any, Any, Any], pairs: Iterable[tuple[str, ...]]) -> None:
    """Pairs get what each gets by itself."""
    many, one, plain = graders
    pairs = [*pairs]
    guesses, secrets = zip(*pairs, strict=True)
    expected = [plain(guess, secret) for guess, secret in pairs]
    assert many(guesses, secrets) == expected
    assert [one(*pair) for pair in pairs] == expected


def pairs_of(letters: str, longest: int) -> st.SearchStrategy[list[tuple[str, str]]]:
    """Pairs of words with many letters in common."""

    def pairs(length: int) -> st.SearchStrategy[list[tuple[str, str]]]:
        word = st.text(letters, min_size=length, max_size=length)
        return st.lists(st.tuples(word, word), min_size=1)

    return st.integers(1, longest).flatmap(pairs)


@given(pairs_of("abz\u00df\u0431\u5e740", 11))
def test_pairs_are_graded_as_each_by_itself(pairs: list[tuple[str, str]]) -> None:
    """Words of any script."""
    graded_alike(WORDS, pairs)


@given(pairs_of("012az\u00df", 16))
@example([("0", "\u00df"), ("0", "0")])
@example([("0\u00df", "\u00df0")])
@example([(chr(48 + at) * 5, chr(48 + at) * 4 + "0") for at in range(64)])
def test_pairs_of_codes_are_graded_as_each_by_itself(pairs: list[tuple[str, str]]) -> None:
    """Codes with some colours that no board has."""
    graded_alike(CODES, pairs)


@pytest.mark.parametrize("length", [1, 3, 4])
def test_all_words_of_three_letters(length: int) -> None:
    graded_alike(WORDS, product(map("".join, product("abc", repeat=length)), repeat=2))


@pytest.mark.parametrize(("holes", "colours"), [(1, 2), (3, 3), (7, 2), (2, 36), (3, 36)])
def test_codes_of_few_holes_or_colours(holes: int, colours: int) -> None:
    """As many colours as make every peg a number below 128, and one board with more."""
    signs = "0123456789abcdefghijklmnopqrstuvwxyz"[:colours]
    codes = list(map("".join, product(signs, repeat=holes)))
    graded_alike(CODES, [(code, codes[-number]) for number, code in enumerate(codes)])
    for pegs in range(1, 17):  # the highest scores, up to one more peg than a byte can tell
        code = "7" * pegs
        assert checks.grade_peg_pairs([code], [code]) == [pegs * (pegs + 1)]


def outcome_of(play: Any, *given: Any) -> Any:
    """What comes of playing; None for a strategy that is refused."""
    try:
        return play(*given)
    except WrongStrategyError:
        return None


@given(made_up_games(), st.data())
def test_games_are_played_as_one_by_one(game: Game, data: st.DataObject) -> None:
    """A strategy that is right, then one with some numbers changed, most of them wrong."""
    opener = data.draw(st.integers(0, len(game.guesses) - 1))
    grown = Searcher(game).grow(None, (opener,))
    origin = Origin.of(game, "minimax", (game.guesses[opener],))
    tree = tree_of(Strategy.of_tree(game, origin, grown))
    tree = tree._replace(**{name: [*getattr(tree, name)] for name in verify.COLUMNS})
    secrets = [*tree.solved()]
    both = [(checks.PAIR_GRADERS[it], verify.GRADERS[it]) for it in (0, 1)]
    right = checks.play(tree, both[0][0], secrets)
    assert right == verify.play(tree, secrets, both[0][1]) and [*right[0]] == secrets
    for node in data.draw(st.lists(st.integers(0, len(tree.guess) - 1), min_size=1, max_size=2)):
        largest = {"guess": len(tree.words), "parent": max(node, 1), "score": 243, "hit": 2}
        column = data.draw(st.sampled_from(verify.COLUMNS))
        getattr(tree, column)[node] = data.draw(st.integers(0, largest[column] - 1))
    for many, one in both:
        found = outcome_of(checks.play, tree, many, secrets)
        assert found == outcome_of(verify.play, tree, secrets, one)


BULLS = tuple(sorted("abide crane raise slate stare slant grant plant giant".split()))


@dataclass(frozen=True, eq=False)
class Bulls(Game):
    """The score is the number of letters in place."""

    name: str = "bulls"

    @property
    def spec(self) -> str:
        return self.name

    @property
    def n_scores(self) -> int:
        return self.length + 1

    @property
    def solved(self) -> int:
        return self.length

    def grade(self, guess: str, secret: str) -> int:
        return sum(map(str.__eq__, guess, secret))

    def parse_score(self, text: str) -> int:
        return int(text)

    def format_score(self, score: int) -> str:
        return str(score)


GAME = Bulls("mine", "mine", BULLS, BULLS)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("rule", ["minimax", "entropy", "optimal"])
def test_a_rule_of_ones_own_checks_itself(rule: str, workers: int) -> None:
    solved = strategy.solve(GAME, strategy.Settings(rule=rule), workers, within=9)
    assert solved.verdict.graded_by == OWN_GRADE
    taken = {word: len(history) + 1 for word, history in solved.strategy.games()}
    assert solved.verdict.taken == taken and set(taken) == set(BULLS)
    least = brute(BULLS, BULLS, grader=GAME.grade).best()[1]
    assert solved.strategy.total == least if rule == "optimal" else solved.strategy.total >= least


def test_its_strategy_is_asked_like_any_other() -> None:
    made = strategy.solve(GAME, strategy.Settings(start=("crane",))).strategy
    for secret in BULLS[:3]:
        history: list[tuple[str, int]] = []
        while (guess := made.next_guess(history)) != secret:
            history.append((guess, GAME.grade(guess, secret)))
            assert secret in made.remaining(history)
            as_text = [(word, str(score)) for word, score in history]
            assert made.state(GAME.format_state(history)).guess == made.next_guess(as_text)
    state = made.state([])
    assert sum(count for _, count, _ in state.replies) == len(BULLS)
    assert ("5", 1, None) in state.replies
    assert made.get([("crane", 4)]) is None
    read = (("crane", 3), ("slate", 0))
    for text in ("crane.3.slate.0", "crane 3 slate 0", "crane3slate0", GAME.format_state(read)):
        assert GAME.parse_state(text) == read


@pytest.mark.parametrize("by", [None, "parts"])
def test_suggestions_go_by_its_grade(by: str | None) -> None:
    found = strategy.suggest(GAME, [("crane", 3)], by=by)
    assert found.secrets == tuple(word for word in BULLS if GAME.grade("crane", word) == 3)
    (row,) = strategy.openers(GAME, ["crane"])
    assert row.parts == len({GAME.grade("crane", word) for word in BULLS})
    refused(WrongInputError, "invalid literal .* 'many'", strategy.suggest, GAME, "crane many")


def test_a_wrong_strategy_is_found_out() -> None:
    """Known rules are played by the referee."""
    assert strategy.solve(game_of(BULLS)).verdict.graded_by == BY_REFEREE
    board = strategy.load_game(spec="mastermind:2x3")
    assert strategy.optimal(board, workers=1).verdict.graded_by == BY_REFEREE
    made = strategy.solve(GAME).strategy
    score = made.score[:]
    score[1] += 1
    wrong = replace(made, score=score)
    refused(WrongStrategyError, "never reached", play_every_secret, wrong, GAME)


def test_nothing_is_written_that_nobody_could_read(tmp_path: Path) -> None:
    """Another rule needs another name."""
    made = strategy.solve(GAME).strategy
    path = tmp_path / "s"
    for write in (made.save, lambda _: made.digest, lambda _: exports.to_text(made)):
        refused(OutputError, "no file holds and no text shows .* 'bulls'", write, path)
    refused(WrongInputError, "rule of its own", strategy.solve, GAME, resume=path)
    said = "--proof is for lists of words and whole boards of Mastermind"
    refused(WrongInputError, said, strategy.optimal, GAME, proof=path)
    assert not path.exists()
    said = "Bulls has a rule of its own and goes by"
    for name, search in product(("wordle", "mastermind:4x6"), (strategy.solve, strategy.optimal)):
        refused(WrongInputError, said, search, Bulls("mine", "mine", BULLS, BULLS, name))


@pytest.mark.parametrize("known", [WordleGame, MastermindGame])
@pytest.mark.parametrize("part", ["grade", "score_rows"])
def test_a_known_game_keeps_its_rule(known: type[Game], part: str) -> None:
    """Or openers and searches would measure by letters and pegs what is graded otherwise."""
    with pytest.raises(TypeError, match=f"Other must not change the grading of {known.__name__}"):
        type("Other", (known,), {part: lambda *_: 0})
