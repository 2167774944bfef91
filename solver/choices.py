"""The names by which a caller chooses, so that ``--help`` can list them and load nothing else."""

from __future__ import annotations

#: One-step rules; a test compares them with ``rules.RULES``.
RULES = ("minimax", "entropy", "expected-size", "parts", "proportion")
#: What words can be ranked by. ``remaining``, the information still missing, orders as entropy.
MEASURES = ("entropy", "remaining", "expected-size", "parts", "minimax", "proportion")
#: What somebody who reads a cheat sheet looks at in a reply.
GROUPS = ("score", "hits", "colours")
#: How the words of a cheat sheet are chosen.
SHEET_RULES = ("entropy", "minimax", "optimal")
#: The rule by which nothing is better, and what may be least of every opener by it.
OPTIMAL = "optimal"
SWEPT_OBJECTIVES = ("total", "worst", "possible")
