"""Whole Mastermind strategies, rules x boards, as the Markdown table of ``docs/mastermind.md``.

    .venv/bin/python -m tools.records.mastermind [BOARD…] [--optimal BOARD…]

Every figure is computed anew. A rule's own first guess is used, and the first guesses for which
there are published figures. The trusted checker plays every secret of each strategy.
"""

import argparse
import sys
from collections.abc import Iterator

from solver.choices import RULES
from strategy import Settings, Strategy, load_game, optimal, solve

BOARDS = ("3x8", "4x5", "4x6", "4x7", "5x4", "5x6", "5x8", "6x6", "4x10:distinct")
OPTIMAL = ("3x8", "4x5", "4x6", "4x7", "5x4")
#: Published totals: board, rule, first guess.
PUBLISHED = {
    ("4x6", "minimax", "1122"): 5801,
    ("4x6", "expected-size", "1123"): 5696,
    ("4x6", "parts", "1123"): 5668,
    ("4x6", "entropy", "1234"): 5722,
    ("5x8", "minimax", "11223"): 183_775,
    ("5x8", "minimax", "11234"): 183_966,
    ("3x8", "optimal", ""): 2359,
    ("4x5", "optimal", ""): 2463,
    ("4x6", "optimal", ""): 5625,
    ("4x6", "optimal within 5", ""): 5626,
    ("4x7", "optimal", ""): 11_228,
    ("5x4", "optimal", ""): 3954,
}
HEAD = ("board", "rule", "first guess", "total", "mean", "worst", "solved in 1, 2, … guesses")


def row(board: str, rule: str, found: Strategy, published: int | None) -> str:
    """One line of the table; a published total is set beside ours."""
    shown = f"{found.total:,}"
    if published is not None:
        same = "the same" if published == found.total else f"{published:,}"
        shown += f" (published: {same})"
    counts = ", ".join(f"{count:,}" for count in found.histogram)
    first, mean = found.next_guess(), f"{found.mean:.4f}"
    return f"| {board} | {rule} | {first} | {shown} | {mean} | {found.worst} | {counts} |"


def rows_of_rules(board: str) -> Iterator[str]:
    """Every rule from its own first guess and from those with published figures."""
    game = load_game(spec=f"mastermind:{board}")
    for rule in RULES:
        own = solve(game, Settings(rule=rule)).strategy
        first = str(own.next_guess())
        yield row(board, rule, own, PUBLISHED.get((board, rule, first)))
        for (other, by, start), total in PUBLISHED.items():
            if (other, by) == (board, rule) and start != first:
                yield row(board, rule, solve(game, Settings(start, rule)).strategy, total)


def rows_of_optima(board: str) -> Iterator[str]:
    """The optimum, and the optimum in one guess less where there is one."""
    game = load_game(spec=f"mastermind:{board}")
    best = optimal(game, within=None).strategy
    assert best is not None
    yield row(board, "optimal", best, PUBLISHED.get((board, "optimal", "")))
    rule = f"optimal within {best.worst - 1}"
    fewer = optimal(game, within=best.worst - 1).strategy
    if fewer is not None:
        yield row(board, rule, fewer, PUBLISHED.get((board, rule, "")))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="tools.records.mastermind", description=__doc__)
    parser.add_argument("boards", nargs="*", default=BOARDS, metavar="BOARD")
    parser.add_argument("--optimal", nargs="*", default=OPTIMAL, metavar="BOARD")
    args = parser.parse_args()
    print("|", " | ".join(HEAD), "|")
    print("|" + "---|" * len(HEAD))
    for board in args.boards:
        for line in rows_of_rules(board):
            print(line, flush=True)
        for line in rows_of_optima(board) if board in args.optimal else ():
            print(line, flush=True)
        print(f"{board} done", file=sys.stderr)


if __name__ == "__main__":
    main()
