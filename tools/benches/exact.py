"""Exact search: single first guesses, candidates only, a second objective, shortest wins."""

from functools import partial

from solver.exact.candidates_only import CandidateSearch
from solver.exact.problem import Answer, Problem, SearchContext
from solver.exact.second_objective import SecondObjective, SecondOfWords
from solver.exact.values import Value
from solver.game.game import Game
from solver.game.load import load_game
from strategy.solving.shortest_win import ShortestWin, shortest_win

from .harness import Bench

#: List of guesses, first guess, hard mode, and the total that must come out.
SINGLE = [
    ("original", "salet", False, 7920),
    ("original", "salet", True, 8122),
    ("nyt-2023", "tarse", False, 11219),
]
#: List or board, the limit, and the least total of strategies that guess candidates only.
CANDIDATES = [
    ("mastermind:4x6", None, 5660), ("mastermind:5x4", None, 3982), ("original", None, 8145),
    ("original", 6, 8227), ("mastermind:4x7", None, 11_362),
]  # fmt: skip
#: List or board, first guess, guesses of the shortest win against the adversary, all its openers.
SHORTEST = [
    ("original", "saute", 4, 1), ("mastermind:4x6", None, 5, 1290),
    ("mastermind:5x4", None, 5, 1024), ("mastermind:4x8", None, 6, 4088),
]  # fmt: skip
#: So many take seconds.
_QUICK = 3


def value_of(word: str, bench: SearchContext) -> Value:
    """One first guess, no other known."""
    guess = bench.problem.game.guess_id(word)
    return bench.value(bench.column_of[guess], bench.problem.highest_value)


def run(bench: Bench) -> None:
    """First guesses alone, and what else is proved; all of them together: exact-openers."""
    with bench.ladder("One first guess exactly, within six") as ladder:
        rungs = []
        for name, word, hard, total in SINGLE[: 2 if bench.quick else None]:
            problem = Problem(load_game(name), hard=hard)
            rung = ladder.rung(
                f"{word}, {name}{', hard mode' if hard else ''}",
                partial(value_of, word),
                fresh=partial(SearchContext, problem),
                repeat=7,
                total=lambda value: value.bound,
            )
            rungs.append((rung, total))
    for rung, total in rungs:
        bench.check(rung.result.exact and rung.result.bound == total, f"{rung.label}: {total:,}")
    candidates_only(bench)
    second_objective(bench)
    shortest_wins(bench)


def game_of(name: str) -> Game:
    """A list's game, or that of a board."""
    return load_game(spec=name) if ":" in name else load_game(name)


def candidates_only(bench: Bench) -> None:
    """The best strategies that guess candidates only, from an empty memo, the strategy made."""

    def best(name: str, within: int | None) -> Answer:
        return CandidateSearch(Problem(game_of(name), within=within)).answer()

    with bench.ladder("Least totals with candidates only, proved") as ladder:
        rungs = [
            (ladder.rung(f"{name}, within {within or 'any'}", partial(best, name, within)), total)
            for name, within, total in CANDIDATES[: _QUICK if bench.quick else None]
        ]
    for rung, total in rungs:
        bench.check(rung.result.lower_bound == total, f"{rung.label}: {total:,}, proved")


def second_objective(bench: Bench) -> None:
    """What it takes to choose among all strategies of SALET's least total, beside one of them."""
    fresh, fives = partial(SearchContext, Problem(load_game())), SecondObjective.of("fewest-of:5")

    def plan(desk: SearchContext) -> Value:
        return desk.plan(desk.column_of[desk.problem.game.guess_id("salet")])[0]

    def fewest(desk: SearchContext) -> Value:
        columns = [desk.column_of[desk.problem.game.guess_id("salet")]]
        return SecondOfWords(desk, fives).least(desk.state, 0, forced=columns)

    with bench.ladder("SALET whole, then the fewest secrets that take five guesses") as ladder:
        ladder.rung("one strategy of least total", plan, fresh=fresh, repeat=3)
        least = ladder.rung("the fewest fives among all", fewest, fresh=fresh, repeat=3)
    bench.check(least.result.bound == 39, "39 secrets take five guesses, no fewer can")


def shortest_wins(bench: Bench) -> None:
    """The shortest win of whole games against the adversary, by one worker, all openers listed."""

    def solved(game: Game, start: str | None) -> ShortestWin:
        first = () if start is None else (start,)
        return shortest_win(game, start=first, within=None, hard=False, workers=1)

    with bench.ladder("The shortest win proved, all its openers listed") as ladder:
        rungs = [
            (ladder.rung(name, partial(solved, game_of(name), start), repeat=3), length, count)
            for name, start, length, count in SHORTEST[: _QUICK if bench.quick else None]
        ]
    for rung, length, count in rungs:
        found: ShortestWin = rung.result
        holds = found.proved and (found.length, len(found.openers)) == (length, count)
        bench.check(holds, f"{rung.label}: {length} guesses, {count:,} openers")
