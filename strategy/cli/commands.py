"""Which commands there are, by what they are for; ``knuthle --help`` is this table and no more.

To answer it takes no module of a command: they would be imported for a line each.
"""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """A command as ``--help`` lists it: its module below this package, and what it does."""

    module: str
    about: str


#: What people want → commands, in the order that ``--help`` shows them.
GROUPS = {
    "play a game": {
        "suggest": Command("toolbox.suggest", "the words still possible and the best next guess"),
        "play": Command("play.play", "propose words beside a real game, told its colours"),
        "game": Command("play.game", "guess a hidden word"),
        "review": Command("play.review", "grade a finished game: skill, luck, better words"),
        "cheatsheet": Command(
            "toolbox.cheatsheet",
            "the second word for every reply to an opener, also as a card that prints",
        ),
    },
    "look into words": {
        "openers": Command(
            "toolbox.openers",
            "rank first words by entropy, expected size, largest bucket, parts, letters",
        ),
        "buckets": Command("toolbox.buckets", "show how a word splits the secrets, score by score"),
        "pairs": Command(
            "toolbox.pairs", "the best pairs of first words by joint entropy, over all of them"
        ),
        "triples": Command("toolbox.triples", "the best third word after two, and good triples"),
        "five-words": Command(
            "toolbox.five_words", "find all sets of five words with twenty-five different letters"
        ),
        "lists": Command(
            "toolbox.lists", "show the word lists, keep one under a name, or remove it"
        ),
        "words": Command(
            "toolbox.words", "make a word list of a dictionary, saying what was dropped and why"
        ),
    },
    "solve the whole game": {
        "solve-all": Command(
            "strategies.solve_all", "build, verify and write the whole strategy of one opener"
        ),
        "optimal": Command(
            "strategies.optimal", "the provably best strategy, or the best next guess of a state"
        ),
        "sweep": Command(
            "sweep.command", "whole strategies of every opener, stored, resumed, reported"
        ),
        "check-proof": Command(
            "files.check_proof", "check a proof of 'optimal' with separate code"
        ),
        "referee": Command(
            "play.referee", "let any program play all secrets, and count what it takes"
        ),
    },
    "use strategy files": {
        "verify": Command(
            "files.verify", "play every secret through a strategy of any form, by letters alone"
        ),
        "lookup": Command("files.lookup", "look up the next guess in a strategy file"),
        "info": Command("files.info", "say what a file is"),
        "compare": Command("files.compare", "where two strategies part, and what it costs"),
        "export": Command(
            "files.export", "write a strategy as text, a tree, JSON, CSV or a Graphviz graph"
        ),
        "import": Command(
            "files.import_file", "turn another program's strategy into a strategy file"
        ),
        "explore": Command(
            "play.explore",
            "write a strategy as a web page to click through, or show it to a browser",
        ),
        "plot": Command("play.plot", "draw strategies: guesses side by side, or a tree"),
    },
    "set up": {
        "compile": Command(
            "compile", "compile beforehand what commands need, or clear what was compiled"
        ),
        "completion": Command("completion", "print a completion script for bash, zsh or fish"),
    },
}

#: The same without what they are for.
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}

#: For those who know the game and nothing else: what is typed, and what it asks.
EXAMPLES = {
    "knuthle game": "guess a hidden word",
    "knuthle suggest crane bybbg": "CRANE showed R yellow and E green: what next?",
    "knuthle review crane sloth ruddy --secret ruddy": "how good were these guesses?",
}

EXIT_CODES = (
    "Exit codes: 0 done, 1 it does not hold, 2 wrong input, 3 could not finish, 130 interrupted."
)


def overview() -> str:
    """The text that ``knuthle --help`` prints: all commands by what they are for."""
    lines = ["usage: knuthle COMMAND [OPTIONS]", ""]
    lines += ["Compute, prove and use whole strategies for Wordle, Mastermind and their like.", ""]
    lines += ["examples:", *_columns(EXAMPLES)]
    width = max(map(len, COMMANDS))
    for purpose, commands in GROUPS.items():
        rows = {name: command.about for name, command in commands.items()}
        lines += ["", f"{purpose}:", *_columns(rows, width)]
    lines += ["", "'knuthle COMMAND --help' explains a command.", EXIT_CODES]
    return "\n".join(lines)


def _columns(rows: dict[str, str], width: int = 0) -> list[str]:
    width = width or max(map(len, rows))
    return [f"  {left:<{width}}  {right}" for left, right in rows.items()]
