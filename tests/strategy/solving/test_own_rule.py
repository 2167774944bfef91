"""Games of somebody's own: searched, and checked by their own grade, which is said."""

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import pytest

import strategy
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.mastermind import MastermindGame
from solver.game.wordle import WordleGame
from strategy import exports
from strategy.errors import OutputError, WrongStrategyError
from strategy.files.strategy_file import BY_REFEREE, OWN_GRADE
from strategy.solving.checks import play_every_secret
from tests.support import refused
from tests.support.naive_exact import brute
from tests.support.worlds import game_of

WORDS = tuple(sorted("abide crane raise slate stare slant grant plant giant".split()))


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


GAME = Bulls("mine", "mine", WORDS, WORDS)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("rule", ["minimax", "entropy", "optimal"])
def test_a_rule_of_ones_own_checks_itself(rule: str, workers: int) -> None:
    solved = strategy.solve(GAME, strategy.Settings(rule=rule), workers, within=9)
    assert solved.verdict.graded_by == OWN_GRADE
    taken = {word: len(history) + 1 for word, history in solved.strategy.games()}
    assert solved.verdict.taken == taken and set(taken) == set(WORDS)
    least = brute(WORDS, WORDS, grader=GAME.grade).best()[1]
    assert solved.strategy.total == least if rule == "optimal" else solved.strategy.total >= least


def test_its_strategy_is_asked_like_any_other() -> None:
    made = strategy.solve(GAME, strategy.Settings(start=("crane",))).strategy
    for secret in WORDS[:3]:
        history: list[tuple[str, int]] = []
        while (guess := made.next_guess(history)) != secret:
            history.append((guess, GAME.grade(guess, secret)))
            assert secret in made.remaining(history)
            as_text = [(word, str(score)) for word, score in history]
            assert made.state(GAME.format_state(history)).guess == made.next_guess(as_text)
    state = made.state([])
    assert sum(count for _, count, _ in state.replies) == len(WORDS)
    assert ("5", 1, None) in state.replies
    assert made.get([("crane", 4)]) is None


def test_its_states_are_read() -> None:
    state = (("crane", 3), ("slate", 0))
    for text in ("crane.3.slate.0", "crane 3 slate 0", "crane3slate0", GAME.format_state(state)):
        assert GAME.parse_state(text) == state


@pytest.mark.parametrize("by", [None, "parts"])
def test_suggestions_go_by_its_grade(by: str | None) -> None:
    found = strategy.suggest(GAME, [("crane", 3)], by=by)
    assert found.secrets == tuple(word for word in WORDS if GAME.grade("crane", word) == 3)
    (row,) = strategy.openers(GAME, ["crane"])
    assert row.parts == len({GAME.grade("crane", word) for word in WORDS})
    refused(WrongInputError, "invalid literal .* 'many'", strategy.suggest, GAME, "crane many")


def test_known_rules_are_played_by_the_referee() -> None:
    assert strategy.solve(game_of(WORDS)).verdict.graded_by == BY_REFEREE
    board = strategy.load_game(spec="mastermind:2x3")
    assert strategy.optimal(board, workers=1).verdict.graded_by == BY_REFEREE


def test_a_wrong_strategy_is_found_out() -> None:
    made = strategy.solve(GAME).strategy
    score = made.score[:]
    score[1] += 1
    wrong = replace(made, score=score)
    refused(WrongStrategyError, "never reached", play_every_secret, wrong, GAME)


def test_nothing_is_written_that_nobody_could_read(tmp_path: Path) -> None:
    made = strategy.solve(GAME).strategy
    path = tmp_path / "s"
    for write in (made.save, lambda _: made.digest, lambda _: exports.to_text(made)):
        refused(OutputError, "no file holds and no text shows .* 'bulls'", write, path)
    refused(WrongInputError, "rule of its own", strategy.solve, GAME, resume=path)
    said = "--proof is for lists of words and whole boards of Mastermind"
    refused(WrongInputError, said, strategy.optimal, GAME, proof=path)
    assert not path.exists()


def test_another_rule_needs_another_name() -> None:
    said = "Bulls has a rule of its own and goes by"
    for name, search in product(("wordle", "mastermind:4x6"), (strategy.solve, strategy.optimal)):
        refused(WrongInputError, said, search, Bulls("mine", "mine", WORDS, WORDS, name))


@pytest.mark.parametrize("known", [WordleGame, MastermindGame])
@pytest.mark.parametrize("part", ["grade", "score_rows"])
def test_a_known_game_keeps_its_rule(known: type[Game], part: str) -> None:
    """Or openers and searches would measure by letters and pegs what is graded otherwise."""
    with pytest.raises(TypeError, match=f"Other must not change the grading of {known.__name__}"):
        type("Other", (known,), {part: lambda *_: 0})
