"""The lines between a referee and a player, and the side that answers them."""

from __future__ import annotations

import io

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy import Settings, Strategy
from strategy.checkers.grading import grade_wordle
from strategy.play.arena import protocol
from tests.support.players import WORDS, first_that_fits, strategy_of


def spoken(strategy: Strategy, *lines: str, hard: bool = False) -> list[str]:
    sink = io.StringIO()
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    answerer = protocol.answerer_of(strategy)
    protocol.serve(answerer, "wordle", 5, source, sink, hard=hard)
    return sink.getvalue().splitlines()


def test_the_side_that_answers() -> None:
    strategy = strategy_of(WORDS, "crane")
    hello = protocol.hello("wordle", 5, False)
    assert hello == "hello 1 wordle 5"
    assert spoken(strategy, hello, "go", "", "go slate bbbbb", "go crane ggggg") == [
        "ready knuthle", "crane", "?", "?",
    ]  # fmt: skip
    score = strategy.score[1]
    ((_, second),) = [("", strategy.words[strategy.guess[1]])]
    question = protocol.guess_request("wordle", 5, [("crane", score)])
    assert spoken(strategy, question) == [second]
    assert protocol.hello("wordle", 5, True) == "hello 1 wordle 5 hard"
    assert spoken(strategy, "hello 1 wordle 5 hard") == [
        "no its guesses need not keep to hard mode"
    ]
    assert spoken(strategy, "hello 1 wordle 5 hard", hard=True) == ["ready knuthle"]
    assert spoken(strategy, "hello 2 wordle 5")[0].startswith("no version 2")
    assert spoken(strategy, "hello 1 mastermind:4x6 4")[0] == "no it plays wordle with words of 5"
    assert spoken(strategy, "hello")[0].startswith("no the line")
    for line in ("go crane", "stop", "hello? 1"):
        with pytest.raises(protocol.ProtocolError, match="is no line of a referee"):
            spoken(strategy, line)


class Fits:
    """Proposes the first word that fits, and counts what it is told."""

    def __init__(self) -> None:
        self.game = load_game(WORDS)
        self.choice = Settings()
        self.told: list[tuple[str, int]] = []
        self.n_told = 0

    def tell(self, word: str, *scores: str | int) -> None:
        self.game.guess_id(word)
        self.told.append((word, self.game.parse_score(str(scores[0]))))
        self.n_told += 1

    def undo(self, count: int = 1) -> None:
        del self.told[-count:]

    def proposal(self) -> Fits:
        fits = (w for w in WORDS if all(self.game.grade(g, w) == score for g, score in self.told))
        self.word = next(fits, "")
        if not self.word:
            raise WrongInputError("nothing fits")
        return self


def test_whatever_proposes_can_play() -> None:
    """The same as thinking anew each time; what is known is not told again."""
    proposer = Fits()
    answer = protocol.answerer_by(proposer)
    for _ in range(2):
        for secret in WORDS:
            history: list[tuple[str, str]] = []
            while (guess := answer(history)) != secret:
                assert guess is not None
                history.append((guess, proposer.game.format_score(grade_wordle(guess, secret))))
            assert len(history) + 1 == first_that_fits(WORDS, secret)
        assert proposer.n_told <= 2 * len(WORDS)
    assert answer([("abide", "ggggb")]) is None
    assert answer([("zzzzz", "bbbbb")]) is None
    assert answer([("abide", "nonsense")]) is None
    assert answer([]) == WORDS[0]
