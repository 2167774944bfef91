"""Whole Mastermind strategies, rules x boards, as the Markdown table of ``docs/mastermind.md``.

    python -m tools.mastermind_table [BOARD…] [--optimal BOARD…]

Every figure is computed anew. A rule's own first guess is used, and the first guesses for
which there are published figures. Each strategy is played through by the grader, secret by secret.
"""

import argparse
import sys
from collections.abc import Iterator

import numpy as np

from solver.exact.code_engine import solve_exactly
from solver.game.mastermind import MastermindGame, mastermind_game
from solver.rules.searcher import RULES, Searcher
from solver.tree import Tree

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

Row = tuple[str, ...]


def histogram(game: MastermindGame, tree: Tree) -> list[int]:
    """Secrets by the number of guesses they take, by playing all of them at once."""
    children: dict[tuple[int, int], int] = {}
    for node, (parent, score) in enumerate(zip(tree.parent, tree.score, strict=True)):
        children[int(parent), int(score)] = node
    at = np.zeros(len(game.secrets), dtype=np.int64)
    left = np.arange(len(game.secrets), dtype=np.int32)
    counts = []
    while len(left):
        order = left[np.argsort(at[left], kind="stable")]
        nodes, starts = np.unique(at[order], return_index=True)
        solved: list[int] = []
        for node, some in zip(nodes, np.split(order, starts[1:]), strict=True):
            guess = np.array(tree.guess[node : node + 1], dtype=np.int32)
            scores = game.score_rows(guess, np.sort(some))[0]
            for secret, score in zip(np.sort(some), scores, strict=True):
                if score == game.solved:
                    solved.append(int(secret))
                else:
                    at[secret] = children[int(node), int(score)]
        counts.append(len(solved))
        left = np.setdiff1d(left, solved)
    return counts


def row(game: MastermindGame, rule: str, tree: Tree, published: int | None) -> Row:
    """One line of the table; a published total is set beside ours."""
    counts = histogram(game, tree)
    total = sum(turn * count for turn, count in enumerate(counts, 1))
    shown = f"{total:,}"
    if published is not None:
        shown += " (published: the same)" if published == total else f" (published: {published:,})"
    return (
        game.spec.partition(":")[2],
        rule,
        game.guesses[tree.guess[0]],
        shown,
        f"{total / len(game.secrets):.4f}",
        str(len(counts)),
        ", ".join(f"{count:,}" for count in counts),
    )


def rows_of_rules(board: str) -> Iterator[Row]:
    """Every rule from its own first guess and from those with published figures."""
    game = mastermind_game(f"mastermind:{board}")
    everything = np.arange(len(game.secrets), dtype=np.int32)
    for rule in RULES:
        searcher = Searcher(game, rule)
        starts = [game.guesses[searcher.next_guess(everything)]]
        starts += [s for b, r, s in PUBLISHED if (b, r) == (board, rule) and s not in starts]
        for start in starts:
            tree = searcher.grow(everything, [game.guess_id(start)])
            yield row(game, rule, tree, PUBLISHED.get((board, rule, start)))


def rows_of_optima(board: str) -> Iterator[Row]:
    """The optimum, and the optimum in one guess less where there is one."""
    game = mastermind_game(f"mastermind:{board}")
    found = solve_exactly(game)
    if found is None:
        return
    yield row(game, "optimal", found.tree, PUBLISHED.get((board, "optimal", "")))
    fewer = solve_exactly(game, found.worst - 1)
    if fewer is not None:
        rule = f"optimal within {found.worst - 1}"
        yield row(game, rule, fewer.tree, PUBLISHED.get((board, rule, "")))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="tools/mastermind_table", description=__doc__)
    parser.add_argument("boards", nargs="*", default=BOARDS, metavar="BOARD")
    parser.add_argument("--optimal", nargs="*", default=OPTIMAL, metavar="BOARD")
    args = parser.parse_args()
    print("|", " | ".join(HEAD), "|")
    print("|" + "---|" * len(HEAD))
    for board in args.boards:
        rows = list(rows_of_rules(board))
        if board in args.optimal:
            rows += rows_of_optima(board)
        for line in rows:
            print("|", " | ".join(line), "|", flush=True)
        print(f"{board} done", file=sys.stderr)


if __name__ == "__main__":
    main()
