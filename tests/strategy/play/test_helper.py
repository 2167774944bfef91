"""The helper beside a game: what is left after any turns and undos, what it proposes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy.build.by_rule import solve
from strategy.play.boards import CluesContradictError, Lexicon, Position
from strategy.play.helper import Helper, read_excluded
from strategy.play.proposals import Choice, next_words
from strategy.toolbox.suggest import suggest
from tests.support.naive_play import guesses_to_end, looked_at

WORDS = sorted("aab abc acb bac bca cab cba abb cca bcc dab bad add cad".split())
ANSWERS = WORDS[1:12:2]
GAME = load_game(WORDS, ANSWERS)


class AnyGame(RuleBasedStateMachine):
    """Turns on boards whose secrets are known here, and undos, in any order."""

    @initialize(
        secrets=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
        excluded=st.sets(st.sampled_from(ANSWERS), max_size=3),
    )
    def begin(self, secrets: list[str], excluded: set[str]) -> None:
        self.secrets = secrets
        self.likely = [word for word in ANSWERS if word not in excluded]
        self.helper = Helper(GAME, boards=len(secrets), excluded=excluded, allow_unknown=True)
        self.guesses: list[str] = []

    @precondition(lambda self: not self.helper.position.solved)
    @rule(guess=st.sampled_from([*WORDS, "ddd", "xyz"]), as_text=st.booleans())
    def guess(self, guess: str, as_text: bool) -> None:
        scores = [GAME.grade(guess, self.secrets[at]) for at in self.helper.position.open]
        self.helper.tell(guess, *(map(GAME.format_score, scores) if as_text else scores))
        self.guesses.append(guess)

    @rule(count=st.integers(1, 3))
    def undo(self, count: int) -> None:
        self.helper.undo(count)
        self.guesses = self.guesses[: max(0, len(self.guesses) - count)]

    @rule()
    def resume(self) -> None:
        again = Helper(GAME, boards=len(self.secrets), excluded=set(ANSWERS) - {*self.likely},
                       allow_unknown=True)  # fmt: skip
        again.tell_state(self.helper.state)
        assert again.turns == self.helper.turns
        self.helper = again

    @invariant()
    def what_is_left(self) -> None:
        for at, words in enumerate(self.helper.remaining()):
            secret = self.secrets[at]
            made = self.guesses
            if secret in made:
                assert words == (secret,)
                made = made[: made.index(secret) + 1]
            clues = [(guess, GAME.grade(guess, secret)) for guess in made]
            assert list(self.helper.position.boards[at].clues) == clues
            if secret not in made:
                assert list(words) == looked_at(self.likely, WORDS, clues)


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(max_examples=25, stateful_step_count=10)


def test_it_proposes_what_suggest_does() -> None:
    game = load_game(list(WORDS))
    helper = Helper(game, Choice(within=6))
    for clues in ("", f"abc.{GAME.format_score(GAME.grade('abc', 'bac'))}"):
        helper.tell_state(clues)
        found = suggest(game, clues, top=5)
        assert found.exact is not None
        mine = helper.proposals(5)
        assert [(row.word, row.rank, row.mean) for row in mine.words] == [
            (row.word, row.rank, row.mean) for row in found.words
        ]
        assert helper.proposal().word == found.words[0].word
        assert mine.least == found.exact.mean
        assert helper.rated(found.words[3].word).mean == found.words[3].mean


@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=3, unique=True))
@settings(max_examples=10)
def test_it_finds_the_least_on_several_boards(secrets: list[str]) -> None:
    helper = Helper(load_game(WORDS), boards=len(secrets))
    helper.tell("abc", *(GAME.grade("abc", secret) for secret in secrets))
    if helper.position.solved or len(helper.position.open) < 2:
        return
    words = [helper.remaining()[at] for at in helper.position.open]
    found = helper.proposals(3)
    if found.least is not None:
        assert found.least == pytest.approx(float(guesses_to_end(words, WORDS)))
        assert helper.proposal().mean == found.least


def test_contradictions_change_nothing() -> None:
    helper = Helper(GAME)
    helper.tell("abc", "yyg")
    with pytest.raises(CluesContradictError, match="abc yyg contradicts cab ggg"):
        helper.tell("cab", "ggg")
    with pytest.raises(CluesContradictError):
        helper.tell_state("bac.yyg.abc.ggg")
    assert helper.state == "abc.yyg"
    assert len(helper.proposals(3).words) == 3


def test_it_widens_to_all_allowed_words_and_back() -> None:
    helper = Helper(GAME)
    [secret] = [word for word in WORDS if word not in ANSWERS][:1]
    for guess in ("bcc", "add", "cba"):
        helper.tell(guess, GAME.grade(guess, secret))
    assert helper.position.boards[0].widened
    assert secret in helper.remaining()[0]
    helper.undo(3)
    assert not helper.position.boards[0].widened
    assert helper.remaining()[0] == tuple(ANSWERS)


def test_a_strategy_proposes_as_long_as_the_game_goes_its_way() -> None:
    strategy = solve(GAME).strategy
    helper = Helper(GAME, strategy=strategy)
    first = helper.proposal()
    assert (first.word, first.by) == (strategy.next_guess(), "strategy")
    secret = ANSWERS[-1]
    helper.tell(first.word, GAME.grade(first.word, secret))
    assert helper.proposal().by == "strategy"
    helper.undo()
    other = next(word for word in WORDS if word != first.word)
    helper.tell(other, GAME.grade(other, secret))
    assert helper.proposal().by == "guesses"
    with pytest.raises(WrongInputError, match="one board"):
        Helper(GAME, boards=2, strategy=strategy)
    with pytest.raises(WrongInputError, match="not for wordle with words"):
        Helper(load_game(["zzz", "yyy"]), strategy=strategy)


def test_hard_mode_names_what_it_forbids() -> None:
    helper = Helper(GAME, Choice(hard=True))
    helper.tell("abc", "gbb")
    with pytest.raises(WrongInputError, match="hard mode forbids 'bac' after abc.gbb"):
        helper.tell("bac", "bbb")
    assert helper.proposal().word.startswith("a")
    assert all(row.word[0] == "a" for row in helper.proposals(None).words)
    with pytest.raises(WrongInputError, match="one board"):
        Helper(GAME, Choice(hard=True), boards=2)
    with pytest.raises(WrongInputError, match="rule of Wordle"):
        Helper(load_game(spec="mastermind:2x3"), Choice(hard=True))


def test_words_on_no_list() -> None:
    with pytest.raises(WrongInputError, match="--allow-unknown"):
        Helper(GAME).tell("aaa", "gbb")
    with pytest.raises(WrongInputError, match="no code"):
        Helper(load_game(spec="mastermind:2x3"), allow_unknown=True).tell("19", "0,0")
    helper = Helper(GAME, Choice(hard=True), allow_unknown=True)
    helper.tell("aaa", "gbb")
    assert helper.remaining()[0] == tuple(
        word for word in ANSWERS if word.count("a") == 1 and word[0] == "a"
    )
    helper.tell("azz", "ggg")
    assert helper.position.solved
    helper.undo()
    with pytest.raises(CluesContradictError):
        helper.tell("aza", "ggg")
    for wrong in ("aa", "aaaa", "a1a", "äaa", ""):
        with pytest.raises(WrongInputError):
            helper.tell(wrong, "gbb")


def test_a_game_that_is_over_has_no_proposal() -> None:
    helper = Helper(GAME)
    helper.tell(ANSWERS[0], "ggg")
    for call in (helper.proposal, helper.proposals, lambda: helper.tell("abc", "bbb")):
        with pytest.raises(WrongInputError, match="game is over"):
            call()
    assert helper.undo(5) == (("abc" if ANSWERS[0] == "abc" else ANSWERS[0], (26,)),)
    assert helper.undo() == ()


def test_weights_decide() -> None:
    weights = np.array([100.0] + [1.0] * (len(ANSWERS) - 1))
    helper = Helper(GAME, weights=weights)
    assert helper.proposals(1).least == pytest.approx(
        helper.rated(helper.proposal().word).mean or 0
    )
    assert helper.proposal().word == ANSWERS[0]
    one = Helper(GAME, boards=2, weights=weights).proposal()
    assert one.mean is not None


def test_excluded_words(tmp_path: Path) -> None:
    file = tmp_path / "played"
    file.write_text(f"{ANSWERS[0]}\n{ANSWERS[1]}\n# a comment\n")
    excluded = read_excluded(str(file), GAME)
    assert Helper(GAME, excluded=excluded).remaining()[0] == tuple(ANSWERS[2:])
    with pytest.raises(WrongInputError, match="all of them are excluded"):
        Helper(GAME, excluded=ANSWERS)
    file.write_text("zzz\n")
    with pytest.raises(WrongInputError, match="'zzz' is not among"):
        read_excluded(str(file), GAME)


@pytest.mark.parametrize(
    ("boards", "text", "fault"),
    [
        (2, "abc.bbb", "1 scores; 2 boards"),
        (2, "abc.bbb.bbb.abb", "0 scores; 2 boards"),
        (2, "abc.ggg.ggg.abb", "goes on after the last board"),
        (2, "abc bbb qqq", "'qqq'"),
        (1, "abc", "no score"),
        (9, "", "from 1 to 8"),
    ],
)
def test_wrong_states(boards: int, text: str, fault: str) -> None:
    with pytest.raises(WrongInputError, match=fault):
        Helper(GAME, boards=boards).tell_state(text)


def test_choices_are_checked() -> None:
    with pytest.raises(WrongInputError, match="no measure 'luck'"):
        Helper(GAME, Choice(by="luck"))
    with pytest.raises(WrongInputError, match="guesses come from"):
        Helper(GAME, Choice(guess_from="nowhere"))
    position = Position.start(Lexicon.of(GAME))
    only = next_words(position, Choice(guess_from="candidates"), None)
    assert {row.word for row in only.words} <= set(ANSWERS)
    with pytest.raises(WrongInputError, match="2 scores"):
        position.after("abc", [0, 0])
    assert json.dumps(position.turns) == "[]"
