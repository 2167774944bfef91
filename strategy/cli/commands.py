"""The table of all commands, with their modules, which ``knuthle --help`` prints.

No module of a command is imported for it.
"""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """A command: its module, with ``_configure_NAME``, ``run_NAME``, and what ``--help`` says."""

    module: str
    about: str


#: What people want → commands, in the order that ``--help`` shows them.
GROUPS = {
    "play a game": {
        "suggest": Command("guesses", "the words still possible and the best next guess"),
        "play": Command("play", "get help during a game: type the colours, see the next word"),
        "game": Command("game", "guess a hidden word"),
        "review": Command("review", "grade a finished game: skill, luck, better words"),
        "cheatsheet": Command(
            "word_sets", "the second word for every reply, also as a card to print"
        ),
        "web": Command("pages", "open the page for any browser: help, games, reviews, strategies"),
        "mcp": Command("referee", "answer language models (Model Context Protocol)"),
    },
    "look into words": {
        "openers": Command("guesses", "rank first words by entropy, group sizes or letters"),
        "buckets": Command("guesses", "show how a word splits the answers into groups"),
        "regret": Command("review", "what a guess costs against the best one, in guesses"),
        "pairs": Command("word_sets", "the best two words to begin with, or the best third word"),
        "five-words": Command("word_sets", "find all sets of five words with 25 different letters"),
        "solve": Command("game", "how a word that you know is found, guess by guess"),
        "lists": Command("lists", "show the word lists; make, add or remove one of your own"),
    },
    "solve the whole game": {
        "solve-all": Command(
            "solve_all", "build, check and write the whole strategy of one opener"
        ),
        "optimal": Command("optimal", "the provably best strategy, or the best next guess"),
        "sweep": Command("sweep", "whole strategies of every opener, in a table"),
        "referee": Command("referee", "let any program play, and count its guesses"),
    },
    "use files of strategies and proofs": {
        "verify": Command("verify", "check a strategy by playing every game, or a proof"),
        "check-proof": Command("verify", "check a proof of 'optimal' with separate code"),
        "lookup": Command("strategy_files", "the next guess of a strategy; what a file says"),
        "compare": Command("strategy_files", "where two strategies differ, and the extra guesses"),
        "export": Command("strategy_files", "write a strategy in another form, or draw it"),
        "explore": Command("pages", "write a strategy as a web page to click through"),
    },
    "set up": {
        "settings": Command("settings", "show or set what holds where no option says otherwise"),
        "compile": Command("settings", "compile beforehand, so that first runs start at once"),
    },
}

#: The same without what they are for.
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}

#: The commands whose result is also a table, and those that have output options of their own.
WITH_TABLE = frozenset(
    "suggest review cheatsheet openers buckets regret pairs solve-all optimal referee".split()
)
OWN_OUTPUT = ("play", "mcp", "lists", "sweep", "export")

#: The commands that read settings; all others do the same on every machine.
READING_SETTINGS = ("play", "game", "suggest", "solve", "review")

#: For those who know the game and nothing else: what is typed, and what it is for.
EXAMPLES = {
    "knuthle game": "guess a hidden word",
    "knuthle suggest crane bybbg": "R yellow, E green: what next?",
    "knuthle review crane sloth ruddy --secret ruddy": "how good were these guesses?",
}

EXIT_CODES = (
    "Exit codes: 0 done, 1 the check failed, 2 wrong input,\n"
    "            3 could not finish, 130 interrupted."
)


def overview() -> str:
    """The text that ``knuthle --help`` prints: all commands by what they are for."""
    lines = ["usage: knuthle COMMAND [OPTIONS]", ""]
    lines += ["Compute, prove and use whole strategies for Wordle and Mastermind."]
    wide, width = (max(map(len, column)) for column in (EXAMPLES, COMMANDS))
    lines += ["", "examples:", *(f"  {it:<{wide}}  {about}" for it, about in EXAMPLES.items())]
    for purpose, commands in GROUPS.items():
        lines += ["", f"{purpose}:"]
        lines += (f"  {name:<{width}}  {command.about}" for name, command in commands.items())
    lines += ["", "'knuthle COMMAND --help' explains a command.", EXIT_CODES]
    return "\n".join(lines)
