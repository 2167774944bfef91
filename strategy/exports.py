"""Strategies in forms that other programs read: text, an indented tree, JSON, CSV, Graphviz.

The text form is the strategy's identity: one line a secret with its whole game, so that a prefix
finds everything that follows from it (``grep '^lares bbybb '``), and its sha256 is the digest.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

from .checkers.lists import GameLists
from .files.strategy_file import Origin
from .files.text import is_pegs, score_text, solved_score
from .tree import Strategy, text_lines


def to_text(strategy: Strategy) -> str:
    """Export a strategy in the text form: a line for each secret, its guesses and scores."""
    return "".join(f"{line}\n" for line in text_lines(strategy))


def to_json(strategy: Strategy) -> str:
    """Export a strategy as JSON: head, results, and the tree as nested objects.

    An object is ``{guess, then: {score: …}}``. Written node by node: a deep tree must not depend on
    how deep a JSON library recurses.
    """
    length = len(strategy.words[0])
    pieces = [json.dumps(summary(strategy), allow_nan=False)[:-1], ', "tree": ']
    open_nodes = 0
    for node in range(strategy.nodes):
        depth = strategy.depth[node]
        first = depth > open_nodes
        pieces.append("}" if not first else "")
        while open_nodes > depth:
            pieces.append("}}")
            open_nodes -= 1
        if node:
            score = score_text(strategy.origin.game, length, strategy.score[node])
            pieces.append(f', "then": {{"{score}": ' if first else f', "{score}": ')
        pieces.append(f'{{"guess": "{strategy.words[strategy.guess[node]]}"')
        open_nodes = depth
    return "".join([*pieces, "}", "}}" * (open_nodes - 1), "}\n"])


def to_tree(strategy: Strategy) -> str:
    """Export a strategy as an indented tree: a game a line, but for what the line above has.

    Scores stand in the order of their texts. ``GUESS SCOREn`` for every guess, SCORE of B, G and Y;
    in Mastermind ``GUESS 1,2:n``.
    """
    lines = []
    row = ""
    begins = [0] * (max(strategy.depth) + 1)  # where the score of each guess of a game begins
    todo = [(0, "", False)]
    replies = _replies(strategy)
    while todo:
        node, score, ends = todo.pop()
        turn = strategy.depth[node] - (not ends)
        if score:
            row = f"{row or ' ' * begins[turn]}{score} "
        if ends:
            lines.append(f"{row.rstrip()}\n")
            row = ""
            continue
        row += f"{strategy.words[strategy.guess[node]]} "
        begins[turn + 1] = len(row)
        todo += reversed(replies[node])
    return "".join(lines)


def _replies(strategy: Strategy) -> list[list[tuple[int, str, bool]]]:
    """For each node its scores with what follows, in the order of their texts.

    What follows is a node; after the solved score it is the node itself, and the game ends.
    """
    game, length = strategy.origin.game, len(strategy.words[0])
    found: list[list[tuple[int, str, bool]]] = [[] for _ in strategy.guess]
    solved = solved_score(game, length)
    for node in range(strategy.nodes):
        number = strategy.depth[node]
        if node:
            text = _numbered(game, score_text(game, length, strategy.score[node]), number - 1)
            found[strategy.parent[node]].append((node, text, False))
        if strategy.hit[node]:
            text = _numbered(game, score_text(game, length, solved), number)
            found[node].append((node, text, True))
    for replies in found:
        replies.sort(key=lambda reply: reply[1])
    return found


def _numbered(game: str, score: str, number: int) -> str:
    """A score with the number of its guess, as the lines of a tree have it."""
    return f"{score}:{number}" if is_pegs(game) else f"{score.upper()}{number}"


def summary(strategy: Strategy) -> dict[str, Any]:
    """Exported as JSON: the head of a strategy, what it achieves, a search's claims (``claim``)."""
    origin = strategy.origin
    claim = {"limit" if name == "within" else name: x for name, x in origin.claim.items()}
    return head_facts(origin) | ({"claim": claim} if claim else {}) | results(strategy)


def game_facts(head: GameLists) -> dict[str, Any]:
    """Exported as JSON: which game a strategy, a proof or a sweep is about."""
    return {
        "game": head.game,
        "list": head.list_name,
        "n_guesses": head.guesses,
        "guesses_digest": head.guesses_digest,
        "n_secrets": head.secrets,
        "secrets_name": head.secrets_name,
        "secrets_digest": head.secrets_digest,
    }


def head_facts(origin: Origin) -> dict[str, Any]:
    """Exported as JSON: which game a strategy is for, and how it was chosen."""
    return game_facts(origin) | {
        "rule": origin.rule,
        "start": [word for word in origin.start if word != "auto"],
        "guess_from": origin.guess_from,
        "hard": origin.hard,
    }


def results(strategy: Strategy | None) -> dict[str, Any]:
    """Exported as JSON: what a strategy achieves; null for each where there is none."""
    names = ("histogram", "worst", "total", "mean", "digest")
    achieved = {name: getattr(strategy, name, None) for name in names}
    return {"n_nodes": None if strategy is None else strategy.nodes} | achieved


def to_csv(strategy: Strategy) -> str:
    """Export a strategy as CSV, one row a state: number, parent, the score between, guess."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["node", "parent", "score", "text", "depth", "guess", "candidate"])
    length = len(strategy.words[0])
    for node in range(strategy.nodes):
        came: list[Any] = [""] * 3
        if node:
            score = strategy.score[node]
            came = [strategy.parent[node], score, score_text(strategy.origin.game, length, score)]
        word = strategy.words[strategy.guess[node]]
        writer.writerow([node, *came, strategy.depth[node], word, strategy.hit[node]])
    return out.getvalue()


def to_dot(strategy: Strategy, depth: int | None = None) -> str:
    """Export a strategy as a Graphviz digraph; boxes may be the secret, ellipses cannot.

    With a ``depth`` only so many guesses of each game are in it.
    """
    length = len(strategy.words[0])
    lines = ["digraph strategy {", "  rankdir=LR; nodesep=0.05;"]
    lines.append('  node [fontname="monospace", height=0.25, margin="0.1,0.02"];')
    for node in range(strategy.nodes):
        if depth is not None and strategy.depth[node] > depth:
            continue
        shape = "box" if strategy.hit[node] else "ellipse"
        lines.append(f'  n{node} [label="{strategy.words[strategy.guess[node]]}", shape={shape}];')
        if node:
            score = score_text(strategy.origin.game, length, strategy.score[node])
            lines.append(f'  n{strategy.parent[node]} -> n{node} [label="{score}"];')
    return "\n".join([*lines, "}", ""])


#: What ``knuthle export --to`` offers.
EXPORTS: dict[str, Callable[[Strategy], str]] = {
    "text": to_text,
    "tree": to_tree,
    "json": to_json,
    "csv": to_csv,
    "dot": to_dot,
}
