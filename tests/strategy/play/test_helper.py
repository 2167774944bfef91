"""The helper beside a game: what is left, proposed and typed; how a known word is found."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import legal_after
from solver.rules.searcher import Searcher
from strategy.play.helper import Helper, InputParser, next_words
from strategy.play.known_word import SolvedWord, game_of_strategy, solve_word
from strategy.play.position import CluesContradictError, Lexicon, Position
from strategy.solving.by_rule import Settings, solve
from strategy.toolbox.guesses import HowToFind, suggest
from strategy.tree import Strategy
from tests.support import refused
from tests.support.naive_play import guesses_to_end, looked_at
from tests.support.worlds import small_game

WORDS = sorted("aab abc acb bac bca cab cba abb cca bcc dab bad add cad".split())
ANSWERS = WORDS[1:12:2]
GAME = load_game(WORDS, ANSWERS)


class AnyGame(RuleBasedStateMachine):
    """Turns on boards whose secrets are known here, and undos, in any order."""

    @initialize(
        secrets=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
        likely=st.sets(st.sampled_from(ANSWERS), min_size=3),
    )
    def begin(self, secrets: list[str], likely: set[str]) -> None:
        self.secrets = secrets
        self.likely = sorted(likely)
        self.game = load_game(WORDS, self.likely)
        self.helper = Helper(self.game, boards=len(secrets), allow_unknown=True)
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
        again = Helper(self.game, boards=len(self.secrets), allow_unknown=True)
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


def seen(words: Any) -> list[tuple[str, int, float | None]]:
    """Of proposed words what people see."""
    return [(row.word, row.rank, row.mean) for row in words]


def test_it_proposes_what_suggest_does() -> None:
    game = load_game(list(WORDS))
    helper = Helper(game, HowToFind(within=6))
    for clues in ("", f"abc.{GAME.format_score(GAME.grade('abc', 'bac'))}"):
        helper.tell_state(clues)
        found = suggest(game, clues, top=5)
        assert found.exact is not None
        mine = helper.proposals(5)
        assert seen(mine.words) == seen(found.words)
        assert helper.proposal().word == found.words[0].word and mine.exact == found.exact
        assert helper.rated(found.words[3].word).mean == found.words[3].mean


@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=3, unique=True))
@settings(max_examples=10)
def test_it_finds_the_least_on_several_boards(secrets: list[str]) -> None:
    helper = Helper(load_game(WORDS), boards=len(secrets))
    helper.tell("abc", *(GAME.grade("abc", secret) for secret in secrets))
    if helper.position.solved or len(helper.position.open) < 2:
        return
    words = [helper.remaining()[at] for at in helper.position.open]
    exact = helper.proposals(3).exact
    if exact is not None:
        assert exact.mean == pytest.approx(float(guesses_to_end(words, WORDS)))
        assert helper.proposal().mean == exact.mean


def test_end_and_contradictions() -> None:
    helper = Helper(GAME)
    helper.tell("abc", "yyg")
    refused(CluesContradictError, "abc yyg contradicts cab ggg", helper.tell, "cab", "ggg")
    refused(CluesContradictError, "", helper.tell_state, "bac.yyg.abc.ggg")
    assert helper.state == "abc.yyg" and len(helper.proposals(3).words) == 3
    helper = Helper(GAME)
    helper.tell(ANSWERS[0], "ggg")
    rate, tell = (lambda: helper.rated("abc")), lambda: helper.tell("abc", "bbb")
    for call in (helper.proposal, helper.proposals, rate, tell):
        refused(WrongInputError, "game is over", call)
    assert helper.undo(5) == (("abc" if ANSWERS[0] == "abc" else ANSWERS[0], (26,)),)
    assert helper.undo() == ()


def test_which_words() -> None:
    helper = Helper(GAME)
    [secret] = [word for word in WORDS if word not in ANSWERS][:1]
    for guess in ("bcc", "add", "cba"):
        helper.tell(guess, GAME.grade(guess, secret))
    assert helper.position.boards[0].widened and secret in helper.remaining()[0]
    turns = helper.turns
    assert (*helper.undo(), *helper.undo(2)) == (turns[2], *turns[:2])
    assert not helper.position.boards[0].widened and helper.remaining()[0] == tuple(ANSWERS)
    refused(WrongInputError, "--allow-unknown", Helper(GAME).tell, "aaa", "gbb")
    codes = Helper(load_game(spec="mastermind:2x3"), allow_unknown=True)
    refused(WrongInputError, "is not a code", codes.tell, "19", "0,0")
    helper = Helper(GAME, HowToFind(hard=True), allow_unknown=True)
    helper.tell("aaa", "gbb")
    fits = tuple(word for word in ANSWERS if word.count("a") == 1 and word[0] == "a")
    assert helper.remaining()[0] == fits
    helper.tell("azz", "ggg")
    assert helper.position.solved
    helper.undo()
    refused(CluesContradictError, "", helper.tell, "aza", "ggg")
    for wrong in ("aa", "aaaa", "a1a", "äaa", ""):
        refused(WrongInputError, "", helper.tell, wrong, "gbb")


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
    refused(WrongInputError, "one board", Helper, GAME, boards=2, strategy=strategy)
    other = load_game(["zzz", "yyy"])
    refused(WrongInputError, "not for wordle with words", Helper, other, strategy=strategy)


def test_hard_mode_names_what_it_forbids() -> None:
    helper = Helper(GAME, HowToFind(hard=True))
    helper.tell("abc", "gbb")
    refused(WrongInputError, "hard mode forbids 'bac' after abc.gbb", helper.tell, "bac", "bbb")
    assert helper.proposal().word.startswith("a")
    assert all(row.word[0] == "a" for row in helper.proposals(None).words)
    refused(WrongInputError, "one board", Helper, GAME, HowToFind(hard=True), boards=2)
    refused(WrongInputError, "rule of Wordle", Helper, CODES, HowToFind(hard=True))


def test_choices() -> None:
    weights = np.array([100.0] + [1.0] * (len(ANSWERS) - 1))
    helper = Helper(GAME, weights=weights)
    first = helper.proposal().word
    exact = helper.proposals(1).exact
    assert exact is not None and exact.mean == pytest.approx(helper.rated(first).mean or 0)
    assert first == ANSWERS[0]
    rows, hard = suggest(GAME, weights=weights, hard=True, top=9).words, HowToFind(hard=True)
    mine = Helper(GAME, hard, weights=weights).proposals(9).words
    assert seen(mine) == seen(rows)
    assert all(row.mean is not None for row in mine)
    one = Helper(GAME, boards=2, weights=weights).proposal()
    assert one.mean is not None
    refused(WrongInputError, "no measure 'luck'", Helper, GAME, HowToFind(by="luck"))
    nowhere = HowToFind(guess_from="nowhere")
    refused(WrongInputError, "--guess-from is one of", Helper, GAME, nowhere)
    position = Position.start(Lexicon.of(GAME))
    only = next_words(position, HowToFind(guess_from="candidates"), None)
    assert {row.word for row in only.words} <= set(ANSWERS)
    refused(WrongInputError, "2 scores", position.after, "abc", [0, 0])
    assert json.dumps(position.turns) == "[]"


@pytest.mark.parametrize(("boards", "text", "fault"), [
    (2, "abc.bbb", "'abc' needs 2 scores, one per open board, not 1"),
    (2, "abc.bbb.bbb.abb", "'abb' needs 2 scores, one per open board, not 0"),
    (2, "abc.ggg.ggg.abb", "all boards are solved before"), (2, "abc bbb qqq", "'qqq'"),
    (1, "abc", "add its colours"), (33, "", "must be 1–32"),
])  # fmt: skip
def test_wrong_states(boards: int, text: str, fault: str) -> None:
    refused(WrongInputError, fault, lambda: Helper(GAME, boards=boards).tell_state(text))


LISTED = "abide adieu arise clues crane crony north raise slate sloth stare words gypsy".split()
REAL = load_game(LISTED)
CODES = load_game(spec="mastermind:3x4")


@pytest.mark.parametrize("line", [
    "crane bybbb", "CRANE BYBBB", "  crane   bybbb ", "crane: bybbb", "crane,bybbb", "crane.bybbb",
    "cranebybbb", "crane b y b b b", "crane 01000", "crane xyxxx", "crane xpxxx", "crane _?___",
    "crane .y...", "Crane ⬛🟨⬛⬛⬛", "crane ⬜🟨⬜⬜⬜", "crane ⬛🟦⬛⬛⬛",
    "crane ⬛\ufe0f🟨⬛\ufe0f⬛\ufe0f⬛\ufe0f",
])  # fmt: skip
def test_a_guess_with_its_colours(line: str) -> None:
    talk = InputParser(Helper(REAL))
    assert talk.parse(line).kind == "clues" and talk.helper.state == "crane.bybbb"


@pytest.mark.parametrize("line", ["bybbb", "⬛🟨⬛⬛⬛", "b y b b b", "01000"])
def test_colours_alone_are_those_of_the_word_asked_about_or_proposed(line: str) -> None:
    talk = InputParser(Helper(REAL))
    proposed = talk.helper.proposal().word
    score = REAL.format_score(REAL.grade(proposed, "sloth"))
    talk.parse(score)
    assert talk.helper.state == f"{proposed}.{score}"
    talk = InputParser(Helper(REAL))
    assert talk.parse("crony").kind == "pending" and talk.pending is not None
    assert talk.pending.word == "crony" and talk.parse(line).kind == "clues"
    assert talk.helper.state == "crony.bybbb" and talk.pending is None


def test_commands_and_words_of_their_spelling() -> None:
    talk = InputParser(Helper(REAL))
    for line, kind in [
        ("?", "help"), ("HELP", "help"), ("left", "left"), ("list", "left"), ("top", "top"),
        ("why", "why"), ("save", "save"), ("quit", "quit"), ("q", "quit"), ("", "nothing"),
        ("/words", "left"), ("/state", "save"), ("new", "new"), ("rate sloth", "rate"),
    ]:  # fmt: skip
        assert talk.parse(line).kind == kind
    assert talk.parse("words").kind == "pending", "a word of the list is a guess"
    assert talk.parse("undo").taken == (), "it takes back the question first"
    assert talk.pending is None and talk.parse("top 25").number == 25
    assert talk.parse("rate CRANE").word == "crane"


@pytest.mark.parametrize(("line", "fault"), [
    ("undo", "nothing to undo"), ("undo x", "takes a number"), ("undo 0", "takes a number"),
    ("undo -1", "takes a number"), ("top 99999999", "takes a number"), ("rate", "needs a word"),
    ("rate zzzzz", "not among"), ("why not", "takes no argument"),
    ("/nonsense", "there is no command"),
    ("zzzzz", "'zzzzz' is not among the 13 guesses"),
    ("crone bbbbb", "did you mean crane or crony"), ("cran bybb", "'cran' has 4 letters; need 5"),
    ("crane bybb", "4 marks"), ("crane bybbq", "'q'"), ("crane bybbb sloth", "add its colours"),
    ("bybb", "'bybb' has 4 letters; need 5"), ("x" * 9000, "9,000 characters"),
    ("\x1b[2J", "need 5"),
    ("🎉", "need 5"), ("crane\x00bybbb", "need 5"),
])  # fmt: skip
def test_wrong_lines_change_nothing(line: str, fault: str) -> None:
    talk = InputParser(Helper(REAL))
    refused(WrongInputError, fault, talk.parse, line)
    assert talk.helper.turns == () and talk.pending is None


def check_counts(game: Game, found: SolvedWord) -> None:
    """Grades are true, and the counts are those of the secrets that fit."""
    left = list(game.secrets)
    for guess in found.guesses:
        assert guess.score == game.grade(guess.word, found.secret)
        assert guess.before == len(left)
        left = [word for word in left if game.grade(guess.word, word) == guess.score]
        assert guess.after == len(left)
    assert left == [found.secret]


def test_by_proposals_each_guess_is_the_first_that_suggest_has() -> None:
    game = small_game(3, 200, 80)
    for secret in game.secrets[::20]:
        found = solve_word(game, secret)
        check_counts(game, found)
        for at, guess in enumerate(found.guesses):
            best = suggest(game, found.state[:at], top=1)
            assert (guess.word, guess.mean) == (best.words[0].word, best.words[0].mean)


def test_by_a_rule_it_is_the_game_of_the_whole_strategy() -> None:
    game = small_game(3, 200, 80)
    for wanted in (Settings(), Settings(start=game.guesses[:2], rule="entropy")):
        whole = solve(game, wanted).strategy
        start = () if wanted.start == ("auto",) else wanted.start
        for secret in game.secrets[::9]:
            found = solve_word(game, secret, HowToFind(start, wanted.rule))
            check_counts(game, found)
            steps = [*whole.history_of(whole.solved_at[secret]), (secret, game.solved)]
            assert list(found.state) == steps
            assert solve_word(game, secret, strategy=whole).state == found.state
            check_counts(game, solve_word(game, secret, strategy=whole))


def test_by_a_rule_only_the_states_on_the_way_are_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def seen(self: Searcher, *state: Any) -> int:
        asked.append(state)
        return next_guess(self, *state)

    next_guess = Searcher.next_guess
    monkeypatch.setattr(Searcher, "next_guess", seen)
    game = small_game(4, 300, 100)
    found = solve_word(game, game.secrets[7], HowToFind(rule="minimax"))
    assert len(asked) == len(found.guesses)


def test_common_words_may_be_preferred() -> None:
    """After CRANE, TOILS takes 2.683 guesses on average, and SPILT 2.698."""
    game = load_game("nyt-2026")
    for common, second in ((False, "toils"), (True, "spilt")):
        found = solve_word(game, "bulge", HowToFind(("crane",), common=common))
        assert found.guesses[1].word == second


@pytest.mark.parametrize("rule", [None, "minimax"])
def test_hard_mode_is_kept(rule: str | None) -> None:
    game = small_game(5, 200, 60)
    for secret in game.secrets[::11]:
        found = solve_word(game, secret, HowToFind(rule=rule, hard=True))
        clues = [(game.guess_id(guess.word), guess.score) for guess in found.guesses]
        for at, (guess, _) in enumerate(clues):
            assert guess in legal_after(game, clues[:at])


@pytest.mark.parametrize("rule", [None, "minimax"])
def test_a_word_that_is_usually_not_hidden_is_found_all_the_same(rule: str | None) -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"], secrets=["slate", "stare"])
    found = solve_word(game, "crane", HowToFind(rule=rule))
    assert found.widened and found.guesses[-1].word == "crane"
    assert not solve_word(game, "slate", HowToFind(rule=rule)).widened


def test_first_guesses_come_first_unless_the_word_is_found() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"])
    for by in (None, "parts"):
        found = solve_word(game, "stare", HowToFind(("abide", "raise"), by))
        assert [guess.word for guess in found.guesses][:2] == ["abide", "raise"]
        assert [guess.by for guess in found.guesses][:2] == ["start", "start"]
        assert len(solve_word(game, "abide", HowToFind(("abide", "raise"), by)).guesses) == 1


def test_mastermind_codes_are_words_too() -> None:
    game = load_game(spec="mastermind:3x4")
    for by in (None, "minimax"):
        check_counts(game, solve_word(game, "432", HowToFind(rule=by)))


def test_a_strategy_file_knows_its_game(tmp_path: Path) -> None:
    game = small_game(6, 150, 50)
    solve(game, Settings()).strategy.save(tmp_path / "s")
    strategy = Strategy.load(tmp_path / "s")
    known = game_of_strategy(strategy)
    found = solve_word(known, game.secrets[3], strategy=strategy)
    assert (known.list_name, found.guesses[-1].word) == (game.list_name, game.secrets[3])


def test_what_cannot_be_is_refused() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"], secrets=["slate", "stare"])
    strategy = solve(game, Settings()).strategy
    for word, how, kind, message in (
        ("zzzzz", None, None, "not among the 5 guesses"),
        ("crane", None, strategy, "not among the 2 secrets of the strategy"),
        ("slate", HowToFind(rule="minimax"), strategy, "has its own"),
        ("slate", HowToFind(rule="best"), None, "no rule 'best'"),
        ("slate", HowToFind(by="luck"), None, "no measure 'luck'"),
        ("slate", HowToFind(("slate", "slate")), None, "twice"),
        ("slate", HowToFind(("bbbbb",)), None, "not among"),
    ):
        refused(WrongInputError, message, solve_word, game, word, how, strategy=kind)
