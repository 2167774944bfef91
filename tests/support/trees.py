"""Trees of states put so that two searches can be compared, and played secret by secret."""

from collections import Counter
from collections.abc import Sequence

from solver.exact.problem import Answer, Problem
from solver.exact.values import CheckTime
from solver.exact.widening import BeamSearch
from solver.game.game import Game
from solver.tree import Tree

from . import naive


def described(game: Game, tree: Tree) -> list[tuple[int, int, str]]:
    """Depth, edge score and guess of every node, as ``naive.nodes`` says them."""
    depths = [depth - 1 for depth in tree.depths()]
    guesses = [game.guesses[guess] for guess in tree.guess]
    return list(zip(depths, tree.score.tolist(), guesses, strict=True))


def taken(game: Game, tree: Tree, secrets: Sequence[str] = (), hard: bool = False) -> list[int]:
    """The guesses that each secret takes, played by plain grading; no node is left over."""
    grader = naive.grade if game.spec == "wordle" else naive.pegs
    below, found, seen = tree.children(), [], {0}
    for secret in secrets or game.secrets:
        node, made = 0, list[str]()
        while (word := game.guesses[tree.guess[node]]) != secret:
            assert not hard or all(naive.may_follow(word, guess, secret) for guess in made)
            made.append(word)
            node = below[node][grader(word, secret)]
            seen.add(node)
        found.append(len(made) + 1)
    assert len(seen) == len(tree.guess)
    return found


def histogram(game: Game, tree: Tree) -> list[int]:
    """How many secrets are solved in 1, 2, ... guesses."""
    counts = Counter(taken(game, tree))
    return [counts[number] for number in range(1, max(counts) + 1)]


def beamed(
    problem: Problem,
    width: int,
    start: Sequence[str] = (),
    objective: str = "total",
    workers: int = 1,
    check_time: CheckTime = lambda: None,
) -> Answer:
    """The best strategy by beams of up to ``width`` guesses in every state."""
    search = BeamSearch(problem, start, objective, check_time)
    search.settle(width, workers)
    answer = search.answer()
    assert answer is not None
    return answer
