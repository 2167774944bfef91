"""What a proof states, and the strategy that attains it, on small worlds."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from strategy.errors import StrategyError
from strategy.proofs.checker import check
from strategy.proofs.checker.board import RefutedSet
from strategy.proofs.checker.bounds import LOSS, UNLIMITED
from strategy.proofs.checker.check import CheckedWords, WrongProofError, value_text
from strategy.proofs.checker.proof_file import Claim, Proof, Refutation
from strategy.proofs.writer import statement_of
from strategy.tree import Strategy
from tests.support import naive, refused
from tests.support.checker_twins import checker_of, ids, word_of, words_at
from tests.support.naive_proof import search_of
from tests.support.proof_worlds import made_up, strategy_of
from tests.support.refuted_world import FEW, LIMIT, LISTED, is_proved, proof_with
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain

SMALL = made_up(1, 14, 5)


@pytest.mark.parametrize("hard", [False, True])
def test_statements_about_small_worlds(hard: bool) -> None:
    """Proved without claims where one step is enough; never more than is true."""
    search = search_of(SMALL.guesses, SMALL.secrets, 1, hard)
    proved = 0
    for start in ("", *SMALL.guesses[:6]):
        strategy = strategy_of(SMALL, start, hard)
        true = search.of_all(UNLIMITED, start)
        assert strategy.total == true
        for total in (true - 1, true, true + 1):
            statement = statement_of(SMALL, "total", 0, total, start=start, hard=hard)
            found = is_proved(Proof(statement, (), strategy), SMALL)
            assert not found or total == true
            assert found or total != true or start
            proved += found
    assert proved >= 5
    refused(WrongProofError, "'zzz' is not a guess", checker_of(SMALL, start="zzz").start_column)


def test_what_a_start_refutes() -> None:
    """A set that the start leaves whole, refuted with one guess less than the limit."""
    start = next(w for w in FEW.guesses if w not in FEW.secrets)
    for first in FEW.guesses:
        checker = checker_of(FEW, "worst", 2, start=first)
        column = checker.start_column()
        assert word_of(FEW, checker.board, column) == first
        for members in combinations(range(len(FEW.secrets)), 2):
            whole = len(naive.split(first, words_at(FEW, members))) == 1
            for left in (1, 2):
                checker.refuted[:] = [RefutedSet(ids(*members), left)]
                assert checker._is_refuted() == whole
            for limit in (3, 2, 1):
                other = checker_of(FEW, "worst", limit, start=first)
                other.refuted[:] = [RefutedSet(ids(*members), 1)]
                assert other._is_refuted() == (whole and limit <= 2)
    free = checker_of(FEW, "worst", 2)
    for left in (1, 2, 3):
        free.refuted[:] = [RefutedSet(ids(0, 1), left)]
        assert free._is_refuted() == (left >= 2)
    false = checker_of(FEW, "worst", LIMIT + 1)
    refused(WrongProofError, "is not proved", false.check_statement, 0, 99)
    false.refuted.append(RefutedSet(ids(0, 1), LIMIT + 1))
    false.check_statement(0, 99)
    total = checker_of(FEW, "total", 2, start=start)
    total.refuted[:] = [RefutedSet(ids(0, 1), 3)]
    assert not total._is_refuted()
    start, pair = next(
        (first, pair)
        for first in FEW.guesses
        for pair in combinations(range(len(FEW.secrets)), 2)
        if len(naive.split(first, words_at(FEW, pair))) == 1
    )
    fits, useless = RefutedSet(ids(*pair), 2), RefutedSet(ids(*pair), 1)
    for checker in (checker_of(FEW, "worst", 2), checker_of(FEW, "worst", 3, start=start)):
        for refuted in ([fits, useless], [useless, fits], [fits]):
            checker.refuted[:] = refuted
            assert checker._is_refuted()
        for refuted in ([useless, useless], []):
            checker.refuted[:] = refuted
            assert not checker._is_refuted()


def test_what_is_said() -> None:
    for objective, limit, value, numbers in (
        ("worst", 3, LOSS, (0, 3, LOSS)),
        ("losses", 2, 2 * LOSS + 7, (1, 2, 2 * LOSS + 7)),
        ("total", 0, 9, (1, UNLIMITED, 9)),
    ):
        statement = statement_of(SMALL, objective, limit, value)
        assert (statement.price, statement.left, statement.value) == numbers
    assert WrongProofError.exit_code == 1 and value_text(5) == "5 guesses"
    assert value_text(2 * LOSS + 1234) == "2 losses and 1,234 guesses"
    strategy = strategy_of(SMALL)
    start = strategy.origin.start[0]
    proof = Proof(statement_of(SMALL, "total", 6, 9, hard=True), (), strategy)
    assert check.summary(proof) == (
        "'test' 'test', 5 secrets in hard mode: no strategy within 6 takes fewer than 9 guesses; "
        f"the one from {start} takes as many"
    )
    proof = Proof(statement_of(SMALL, "worst", 2, LOSS, start="abc"), (), strategy)
    assert check.summary(proof) == (
        "'test' 'test', 5 secrets: no strategy from abc solves all within 2 guesses; 3 are enough"
    )
    assert check.summary(replace(proof, strategy=None)).endswith("within 2 guesses")


def test_the_form_of_statements() -> None:
    strategy = strategy_of(SMALL)
    one = (Refutation((0, 1), 1, ()),)
    for objective, limit, losses, total, plan, listed_, fits in (
        ("worst", 2, 1, 0, None, one, True), ("worst", 2, 1, 0, strategy, (), True),
        ("worst", 0, 1, 0, None, (), False), ("worst", 2, 0, 0, None, (), False),
        ("worst", 2, 2, 0, None, (), False), ("worst", 2, 1, 1, None, (), False),
        ("total", 2, 0, 9, strategy, (), True), ("total", 0, 0, 9, strategy, (), True),
        ("total", 2, 0, 9, strategy, one, False), ("total", 2, 0, 9, None, (), False),
        ("total", 2, 1, 9, strategy, (), False), ("losses", 2, 1, 9, strategy, (), True),
        ("losses", 2, 0, 9, strategy, (), True), ("losses", 0, 1, 9, strategy, (), False),
        ("losses", 0, 0, 9, strategy, (), True), ("losses", 2, 1, 9, None, (), False),
    ):  # fmt: skip
        statement = statement_of(SMALL, objective, limit, losses * LOSS + total)
        proof = Proof(statement, (), plan, listed_)
        if fits:
            check.check_form(proof)
        else:
            refused(WrongProofError, "", check.check_form, proof)


def test_the_strategy_fits_the_statement() -> None:
    words = CheckedWords(SMALL.guesses, SMALL.secrets)
    strategy = strategy_of(SMALL)

    def fits(objective: str, limit: int, value: int, plan: Strategy, **more: Any) -> bool:
        statement = statement_of(SMALL, objective, limit, value, **more)
        try:
            check.check_strategy(Proof(statement, (), plan), words)
        except WrongProofError:
            return False
        return True

    for limit in range(1, strategy.worst + 2):
        lost = len(strategy.beyond(limit))
        value = lost * LOSS + strategy.total
        for other in (value - 1, value, value + 1, value + LOSS):
            assert fits("losses", limit, other, strategy) == (other == value)
    assert fits("total", 0, strategy.total, strategy)
    start = strategy.origin.start[0]
    assert fits("total", 0, strategy.total, strategy, start=start)
    assert not fits("total", 0, strategy.total, strategy, start=SMALL.guesses[0] + "x")
    assert not fits("total", 0, strategy.total, strategy, hard=True)
    pegs = replace(strategy, origin=replace(strategy.origin, game="mastermind:3x4"))
    assert not fits("total", 0, strategy.total, pegs)
    wrong = replace(strategy, hit=strategy.hit[:-1] + type(strategy.hit)("B", [0]))
    assert not fits("total", 0, strategy.total, wrong)
    check.check_strategy(Proof(statement_of(SMALL, "worst", 2, LOSS), (), None), words)
    words, strategy = CheckedWords(FEW.guesses, FEW.secrets), strategy_of(FEW)
    assert strategy.worst > 2
    for limit in range(1, strategy.worst + 2):
        proof = Proof(statement_of(FEW, "worst", limit, LOSS), (), strategy)
        if strategy.worst <= limit + 1:
            check.check_strategy(proof, words)
        else:
            with pytest.raises(WrongProofError, match=f"needs {strategy.worst} guesses"):
                check.check_strategy(proof, words)
    for words in (["abc"], ["abc", "abd"]):
        game = game_of(words)
        strategy = strategy_of(game)
        assert strategy.words == game.guesses
        proof = Proof(statement_of(game, "total", 0, strategy.total), (), strategy)
        check.check_strategy(proof, CheckedWords(game.guesses, game.secrets))


def test_the_strategy_opens_with_the_start_of_the_statement() -> None:
    """By the first of its fixed guesses, which is the one that it makes first."""
    words, strategy = CheckedWords(SMALL.guesses, SMALL.secrets), strategy_of(SMALL)
    first = strategy.origin.start[0]
    for start in SMALL.guesses:
        proof = Proof(statement_of(SMALL, "total", 0, strategy.total, start=start), (), strategy)
        if start == first:
            check.check_strategy(proof, words)
        else:
            refused(WrongProofError, f"begin with '{start}'", check.check_strategy, proof, words)


def test_what_hard_mode_has_shown_is_a_sorted_row_of_letters() -> None:
    checker = checker_of(SMALL, hard=True)
    a, b, *_ = checker.words.alphabet
    for text, is_one in (
        ("...|", True), (f"{a}..|", True), (f"{a}..|{a}", True), (f"...|{a}{a}{b}", True),
        (f"...|{b}{a}", False), (f"...|{a}{b}{a}", False), (f"...|{a}{a}{a}{a}", False),
        ("...|~", False), ("~..|", False), ("...", False), ("..|", False), ("....|", False),
        ("", False), ("...||", False),
    ):  # fmt: skip
        if is_one:
            assert checker.revealed_of(text).sum() >= text.count(a)
        else:
            refused(WrongProofError, "no.* a record|not a record", checker.revealed_of, text)


def test_the_strategy_is_for_these_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compared once more after the games, whatever the referee compares before them."""
    words, strategy = CheckedWords(SMALL.guesses, SMALL.secrets), strategy_of(SMALL)
    proof = Proof(statement_of(SMALL, "total", 0, strategy.total), (), strategy)
    taken = check.referee.verify(strategy).taken
    check.check_strategy(proof, words)
    last = SMALL.secrets[-1]
    fewer = {word: number for word, number in taken.items() if word != last}
    fewer[SMALL.secrets[0]] += taken[last]
    foreign = replace(strategy, words=(*strategy.words, "zzz"))
    for plan, games in ((strategy, fewer), (foreign, taken)):
        verdict = check.referee.Verdict(games)
        assert verdict.total == strategy.total
        monkeypatch.setattr(check.referee, "verify", lambda *_, verdict=verdict: verdict)
        with pytest.raises(WrongProofError, match="for other lists"):
            check.check_strategy(replace(proof, strategy=plan), words)


def test_a_whole_proof_is_looked_at_before_it_is_gone_through() -> None:
    """Each is refused for what its lists, form, numbers, names and strategy are alone."""
    worst = proof_with(LISTED)
    assert is_proved(worst)
    strategy = strategy_of(SMALL)
    free = Proof(statement_of(SMALL, "total", 0, 0), (), strategy)
    no_price = Claim((0, 1), 1, "", -1)
    for proof, game, reason in (
        (proof_with(LISTED, game="mastermind:3x26"), FEW, "mastermind:3x26 does not have"),
        (worst, replace(FEW, guesses=FEW.guesses[:-1]), "about other guesses"),
        (worst, replace(FEW, secrets=FEW.secrets[:-1]), "about other secrets"),
        (
            proof_with(LISTED, secrets_name="allowed"),
            FEW,
            "secrets are all allowed words; they are not",
        ),
        (proof_with(LISTED, limit=0), FEW, "needs a limit, one loss and no total"),
        (replace(free, strategy=None), SMALL, "no strategy that attains"),
        (replace(worst, claims=(no_price,)), FEW, "out of range"),
        (free, SMALL, f"takes {strategy.total} guesses"),
    ):
        refused(StrategyError, reason, check.check, proof, game.guesses, game.secrets)
