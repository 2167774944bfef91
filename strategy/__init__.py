"""The whole game: strategies as objects, as files, and the commands people run.

To begin with:
    load_game    the game: its guesses, its secrets, its rule of grading

Whole strategies:
    solve        build one by a rule, and play every secret through it
    Settings     how: the first guesses, the rule, which guesses, hard mode
    optimal      the provably best one
    shortest_win the fewest guesses against an adversary without a fixed word
    Strategy     one that is built or loaded: its guesses, totals, games, file
    verify       play every secret through one that others have made
    examine      the same for files of any program, and every fault by name
    compare      where two strategies part, and what it costs
    check_proof  derive again whatever a proof of the best one rests on
    page_of      one as a web page to click through

Every opener:
    sweep_openers  the whole strategy of each, its figures stored in a file
    sweep_optimal  what each is worth at best, exact or between bounds
    open_sweep     the rows of such a file
    merge_sweeps   files of several machines as one

Single words:
    suggest      what is still possible, and what to guess next
    openers      all first words, ranked
    buckets      the split of one word
    pairs        the best two words to begin with
    triples      the best third word, or all three
    cheat_sheet  the second word for every reply to the first, for a card
    five_words   sets of words that have no letter in common

Games:
    solve_word     how a known word is found, guess by guess
    HowToFind      how: the first guesses, the rule, which guesses, hard mode
    review         a game that is over, graded guess by guess
    regret         what a guess costs against the best one, exact or between bounds
    weighted_game  a game in which some secrets are likelier than others

Each name loads only what it needs, so that opening or verifying a strategy never imports numba.
"""

# Not even typing is loaded here: the scripts pass this way before they can look after Ctrl-C.
TYPE_CHECKING = False  # as type checkers read it
if TYPE_CHECKING:  # each name again as itself: so a type checker takes it for public
    from typing import Any

    from solver.advice.cheatsheet import cheat_sheet as cheat_sheet
    from solver.game.load import load_game as load_game

    from .pictures.page import page_of as page_of
    from .play.known_word import solve_word as solve_word
    from .play.regret import regret as regret
    from .play.review import review as review
    from .play.weights import weighted_game as weighted_game
    from .solving.by_rule import Settings as Settings
    from .solving.by_rule import solve as solve
    from .solving.optimal import optimal as optimal
    from .solving.shortest_win import shortest_win as shortest_win
    from .sweep.run import sweep_openers as sweep_openers
    from .sweep.run import sweep_optimal as sweep_optimal
    from .sweep.table import merge_sweeps as merge_sweeps
    from .sweep.table import open_sweep as open_sweep
    from .toolbox.comparison import compare as compare
    from .toolbox.guesses import HowToFind as HowToFind
    from .toolbox.guesses import buckets as buckets
    from .toolbox.guesses import openers as openers
    from .toolbox.guesses import suggest as suggest
    from .toolbox.word_sets import five_words as five_words
    from .toolbox.word_sets import pairs as pairs
    from .toolbox.word_sets import triples as triples
    from .tree import Strategy as Strategy
    from .verification import check_proof as check_proof
    from .verification import examine as examine
    from .verification import verify as verify

#: The modules and the public names that each of them has.
_NAMES_IN = {
    "solver.advice.cheatsheet": "cheat_sheet",
    "solver.game.load": "load_game",
    "strategy.pictures.page": "page_of",
    "strategy.play.known_word": "solve_word",
    "strategy.play.regret": "regret",
    "strategy.play.review": "review",
    "strategy.play.weights": "weighted_game",
    "strategy.solving.by_rule": "Settings solve",
    "strategy.solving.optimal": "optimal",
    "strategy.solving.shortest_win": "shortest_win",
    "strategy.sweep.run": "sweep_openers sweep_optimal",
    "strategy.sweep.table": "merge_sweeps open_sweep",
    "strategy.toolbox.comparison": "compare",
    "strategy.toolbox.guesses": "HowToFind buckets openers suggest",
    "strategy.toolbox.word_sets": "five_words pairs triples",
    "strategy.tree": "Strategy",
    "strategy.verification": "check_proof examine verify",
}
_HOMES = {name: module for module, names in _NAMES_IN.items() for name in names.split()}
__all__ = list(_HOMES)


def __getattr__(name: str) -> "Any":
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
