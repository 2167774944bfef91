"""The names by which a caller chooses, so that ``--help`` can list them and load nothing else."""

from __future__ import annotations

#: One-step rules; a test compares them with those of ``rules/searcher``.
RULES = ("minimax", "entropy", "expected-size", "parts", "proportion")
#: Which guesses may be made: any, those that may be the secret, those that still may be.
GUESS_POOLS = ("allowed", "secrets", "candidates")
#: What words can be ranked by. ``remaining``, the information still missing, orders as entropy.
MEASURES = ("entropy", "remaining", "expected-size", "parts", "minimax", "proportion")
#: What the reader of a cheat sheet looks at in a reply.
GROUPS = ("score", "hits", "colours")
#: How the words of a cheat sheet are chosen.
SHEET_RULES = ("entropy", "minimax", "optimal")
#: The most guesses that a player of the real game has.
LIMIT = 6
#: The highest limit that can be asked for; every number in a proof's file must be below 2^20.
HIGHEST_LIMIT = 1_000_000
#: What exact search minimises.
OBJECTIVES = ("total", "worst", "losses")
#: What it minimises among strategies of equal value; all but the first with a number of guesses.
THEN = ("worst", "most-within", "fewest-of")
#: The name of exact search among the rules, and what it can minimise for every opener.
OPTIMAL = "optimal"
SWEPT_OBJECTIVES = ("total", "worst", "possible")
