"""The whole game: strategies as objects, as files, and the commands people run.

To begin with:
    load_game    the game: its guesses, its secrets, its rule of grading

Whole strategies:
    solve        build one by a rule, and play every secret through it
    Settings     how: the first guesses, the rule, which guesses, hard mode
    optimal      the provably best one
    Strategy     one that is built or loaded: its guesses, totals, games, file
    verify       play every secret through one that others have made
    examine      the same for files of any program, and every fault by name
    compare      where two strategies part, and what it costs
    check_proof  derive again whatever a proof of the best one rests on
    page_of      one as a web page to click through

Every opener:
    sweep_openers  the whole strategy of each, its figures stored in a file
    open_sweep     the rows of such a file
    merge_sweeps   files of several machines as one
    sweep_optimal       what each is worth at best, exact or between bounds
    open_exact_sweep    the rows of such a file
    merge_exact_sweeps  and several as one

Single words:
    suggest      what is still possible, and what to guess next
    openers      all first words, ranked
    buckets      the split of one word
    pairs        the best two words to begin with
    triples      the best third word, or all three
    cheat_sheet  the second word for every reply to the first, for a card
    five_words   sets of words that have no letter in common

Games:
    review         a game that is over, graded guess by guess
    weighted_game  a game in which some secrets are likelier than others

Each name loads only what it needs, so that opening or verifying a strategy never imports numba.
"""

# Not even typing is loaded here: the scripts pass this way before they can look after Ctrl-C.
TYPE_CHECKING = False  # as type checkers read it
if TYPE_CHECKING:
    from typing import Any

    from solver.advice.cheatsheet import cheat_sheet
    from solver.game.load import load_game

    from .any_form import examine
    from .build.by_rule import Settings, solve
    from .build.optimal import optimal
    from .pictures.page import page_of
    from .play.review import review
    from .play.weights import weighted_game
    from .sweep.merge import merge_sweeps
    from .sweep.optimal.merge import merge_exact_sweeps
    from .sweep.optimal.run import sweep_optimal
    from .sweep.optimal.view import open_exact_sweep
    from .sweep.run import sweep_openers
    from .sweep.view import open_sweep
    from .toolbox.buckets import buckets
    from .toolbox.comparison import compare
    from .toolbox.five_words import five_words
    from .toolbox.openers import openers
    from .toolbox.pairs import pairs, triples
    from .toolbox.suggest import suggest
    from .tree import Strategy
    from .verification import check_proof, verify

__all__ = [
    "Settings",
    "Strategy",
    "buckets",
    "cheat_sheet",
    "check_proof",
    "compare",
    "examine",
    "five_words",
    "load_game",
    "merge_exact_sweeps",
    "merge_sweeps",
    "open_exact_sweep",
    "open_sweep",
    "openers",
    "optimal",
    "page_of",
    "pairs",
    "review",
    "solve",
    "suggest",
    "sweep_openers",
    "sweep_optimal",
    "triples",
    "verify",
    "weighted_game",
]

#: Public name → the module that has it.
_HOMES = {
    "Settings": "strategy.build.by_rule",
    "Strategy": "strategy.tree",
    "buckets": "strategy.toolbox.buckets",
    "cheat_sheet": "solver.advice.cheatsheet",
    "check_proof": "strategy.verification",
    "compare": "strategy.toolbox.comparison",
    "examine": "strategy.any_form",
    "five_words": "strategy.toolbox.five_words",
    "load_game": "solver.game.load",
    "merge_exact_sweeps": "strategy.sweep.optimal.merge",
    "merge_sweeps": "strategy.sweep.merge",
    "open_exact_sweep": "strategy.sweep.optimal.view",
    "open_sweep": "strategy.sweep.view",
    "openers": "strategy.toolbox.openers",
    "optimal": "strategy.build.optimal",
    "page_of": "strategy.pictures.page",
    "pairs": "strategy.toolbox.pairs",
    "review": "strategy.play.review",
    "solve": "strategy.build.by_rule",
    "suggest": "strategy.toolbox.suggest",
    "sweep_openers": "strategy.sweep.run",
    "sweep_optimal": "strategy.sweep.optimal.run",
    "triples": "strategy.toolbox.pairs",
    "verify": "strategy.verification",
    "weighted_game": "strategy.play.weights",
}


def __getattr__(name: str) -> "Any":
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
