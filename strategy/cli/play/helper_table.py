"""What the helper says to somebody at the table."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...files.letters import capitals
from ...files.notation import counted, is_pegs
from .. import render

if TYPE_CHECKING:
    from solver.game.game import Game

    from ...play.helper import Helper, Proposal
    from ...play.typed_input import Heard, Talk
    from .prompt import Screen

#: So many secrets are named.
_NAMED = 20
#: Words that ``top`` shows without a number.
_TOP = 10
_HEADER = ("rank", "word", "entropy", "possible", "guesses")
_COMMANDS = (
    ("crane bybbb", "a guess and its colours; bybbb alone: those of the word proposed"),
    ("crane", "a guess alone: its colours are asked for"),
    ("undo [N]", "take back the last guess, or the last N"),
    ("left", "the secrets that remain"),
    ("top [N]", "the best words to guess, with their expected guesses"),
    ("rate WORD", "one word among them"),
    ("why", "what speaks for the word proposed"),
    ("save", "all clues on one line, for --state"),
    ("new", "another game"),
    ("quit", "leave (or Ctrl-D)"),
)
EXPLAINED = "\n".join(f"  {name:<12} {about}" for name, about in _COMMANDS)
SLASH = "A slash makes it a command where it is a word of the list, too: /undo."


class HelperTable:
    """The helper's talk with somebody at the table: lines read, answers shown."""

    def __init__(self, talk: Talk, screen: Screen, about: str, options: Sequence[str]) -> None:
        """``about`` is said at the beginning; with the ``options`` a later call goes on."""
        self._talk = talk
        self._helper = talk.helper
        self._game: Game = talk.helper.game
        self._screen = screen
        self._about = about
        self._options = options

    def sit(self) -> None:
        """Read lines from the table and answer them, to the end."""
        from solver.errors import WrongInputError

        from ...play.boards import CluesContradictError

        self._greet()
        while (line := self._screen.ask(self._prompt())) is not None:
            try:
                heard = self._talk.hear(line)
            except WrongInputError as error:
                self._screen.complain(str(error))
                if isinstance(error, CluesContradictError):
                    self._screen.complain("type it again, or undo the guess before it first")
                continue
            if heard.kind == "quit":
                return
            self._answer(heard)

    def leave(self) -> None:
        """Say how to go on with the game another time."""
        if self._helper.position.solved:
            self._screen.show("bye")
        elif not self._helper.turns:
            self._screen.show("bye; nothing was told")
        else:
            state = shlex.join([*self._options, "--state", self._helper.state])
            self._screen.show("bye; to go on:")
            self._screen.show_whole(f"knuthle play {state}")

    # --- what is shown --------------------------------------------------------------------

    def _greet(self) -> None:
        helper, game = self._helper, self._game
        boards = len(helper.position.boards)
        where = f"{boards} boards, " if boards > 1 else ""
        example = "1122 2,1" if is_pegs(game.spec) else "crane bybbb"
        if len(example.split(maxsplit=1)[0]) != game.length:
            example = f"{game.guesses[0]} {game.format_score(0)}"
        name = game.spec if is_pegs(game.spec) else game.list_name
        secrets = counted(int(helper.position.lexicon.likely.sum()), "secret")
        self._screen.show(
            f"{name}: {where}{secrets}. Type a guess and its colours ({example}), the colours "
            "alone if you took my word, ? for help."
        )
        if self._about:
            self._screen.show(self._about)
        self._show_turns(0)
        self._show_position()

    def _answer(self, heard: Heard) -> None:
        """What is shown after a line that was understood."""
        shown: dict[str, Callable[[Heard], None]] = {
            "help": self._show_help,
            "left": lambda heard: self._show_left(everything=True),
            "save": lambda heard: self._screen.show_whole(self._helper.state or "no clues yet"),
            "top": self._show_top,
            "rate": self._show_rated,
            "why": self._show_why,
            "undo": self._show_undone,
            "new": lambda heard: self._show_position(),
            "told": self._show_told,
            "nothing": lambda heard: self._show_proposal(),
            "asking": self._show_notes,
        }
        shown[heard.kind](heard)

    def _prompt(self) -> str:
        asked, position = self._talk.asked, self._helper.position
        if asked is not None:
            pegs = "pegs" if is_pegs(self._game.spec) else "colours"
            board = position.open[len(asked.scores)] + 1
            where = f" on board {board}" if len(position.boards) > 1 else ""
            return f"{pegs} of {capitals(asked.word)}{where}> "
        return "> " if position.solved else f"{len(self._helper.turns) + 1}> "

    def _show_told(self, heard: Heard) -> None:
        self._show_turns(len(self._helper.turns) - (heard.number or 1))
        self._show_notes(heard)
        self._show_position()

    def _show_notes(self, heard: Heard) -> None:
        for note in heard.notes:
            self._screen.show(note)

    def _show_help(self, heard: Heard) -> None:
        self._screen.show_whole(EXPLAINED)
        self._screen.show(SLASH)

    def _show_turns(self, first: int) -> None:
        """The turns from this one on, with their tiles."""
        tiles, open_boards = self._screen.tiles, list(range(len(self._helper.position.boards)))
        for number, (word, scores) in enumerate(self._helper.turns):
            if number >= first and len(self._helper.position.boards) == 1:
                self._screen.paint(f"{number + 1}  {tiles.row(self._game, word, scores[0])}")
            elif number >= first:
                by_board = dict(zip(open_boards, scores, strict=True))
                cells = [by_board.get(at) for at in range(len(self._helper.position.boards))]
                self._screen.paint(f"{number + 1:<2} {tiles.line(self._game, word, cells)}")
            solved = self._game.solved
            pairs = zip(open_boards, scores, strict=True)
            open_boards = [at for at, score in pairs if score != solved]

    def _show_position(self) -> None:
        """What remains, and the word proposed; or that it is done."""
        if self._helper.position.solved:
            self._show_solved()
            return
        self._show_left()
        self._show_proposal()

    def _show_solved(self) -> None:
        helper = self._helper
        boards = [[score for _, score in board.clues] for board in helper.position.boards]
        n_turns, limit = len(helper.turns), helper.choice.within
        of = f" of {limit}" if limit and n_turns <= limit else ""
        words = " ".join(capitals(board.solved) for board in helper.position.boards if board.solved)
        beyond = f", {n_turns - limit} too many" if limit and n_turns > limit else ""
        self._screen.show(f"solved in {n_turns}{of}{beyond}: {words}. Congratulations!")
        self._screen.show_whole(self._screen.tiles.grid(self._game, boards))
        if len(boards) == 1:
            clues = helper.position.boards[0].clues
            self._screen.show_review(self._game, clues, helper.choice.hard)
        self._screen.show("new begins another game")

    def _show_left(self, everything: bool = False) -> None:
        """How many secrets remain, and if they are few (or all are asked for) which."""
        boards, several = self._helper.remaining(), len(self._helper.position.boards) > 1
        for number, (secrets, board) in enumerate(
            zip(boards, self._helper.position.boards, strict=True), 1
        ):
            where = f"board {number}: " if several else ""
            if board.solved is not None:
                self._screen.show(f"{where}solved, {capitals(board.solved)}")
                continue
            verb = "remains" if len(secrets) == 1 else "remain"
            named = everything or len(secrets) <= _NAMED
            words = f": {' '.join(secrets)}" if named else ""
            wide = " (all allowed words)" if board.widened else ""
            self._screen.show(f"{where}{counted(len(secrets), 'secret')} {verb}{wide}{words}")

    def _show_proposal(self) -> None:
        if self._helper.position.solved or self._talk.asked is not None:
            return
        proposal = self._helper.proposal()
        word = self._screen.tiles.word(self._game, proposal.word)
        self._screen.paint(f"try {word}  {_reason(proposal, self._helper)}")

    def _show_undone(self, heard: Heard) -> None:
        for word, _ in heard.taken:
            self._screen.show(f"{capitals(word)} is taken back")
        self._show_position()

    def _show_why(self, heard: Heard) -> None:
        if self._helper.position.solved:
            self._screen.show("the game is over")
            return
        for line in _why(self._helper):
            self._screen.show(line)

    def _show_top(self, heard: Heard) -> None:
        if self._helper.position.solved:
            self._screen.show("the game is over")
            return
        found = self._helper.proposals(heard.number or _TOP)
        rows = [
            (
                f"{row.rank:,}",
                row.word,
                f"{row.entropy:.4f}",
                "yes" if row.candidate else "",
                "" if row.mean is None else f"{row.mean:.4f}",
            )
            for row in found.words
        ]
        self._screen.show_whole(render.table(_HEADER, rows))
        ranked = "exact expected guesses" if found.by == "guesses" else found.by
        self._screen.show(f"ranked by {ranked}")

    def _show_rated(self, heard: Heard) -> None:
        row = self._helper.rated(heard.word)
        mean = "" if row.mean is None else f", {row.mean:.4f} guesses expected (exact)"
        may_be = ", may be the secret" if row.candidate else ""
        measure = self._helper.choice.by or "entropy"
        self._screen.show(
            f"{capitals(row.word)}: rank {row.rank:,} by {measure}, "
            f"{row.entropy:.4f} bits{mean}{may_be}"
        )


def _reason(proposal: Proposal, helper: Helper) -> str:
    """What speaks for a word, in a few words."""
    may_be = ", may be it" if proposal.candidate else ""
    if proposal.by == "strategy":
        return f"by the strategy{may_be}"
    if proposal.candidate and all(
        len(left) == 1 for left in (helper.remaining()[at] for at in helper.position.open)
    ):
        return "certain"
    left = "" if not (helper.has_strategy and helper.turns) else "; the strategy does not go here"
    if proposal.mean is not None:
        return f"{proposal.mean:.4f} guesses expected, exact{may_be}{left}"
    return f"{proposal.entropy:.4f} bits{may_be}{left}"


def _why(helper: Helper) -> list[str]:
    """What speaks for the word proposed, in sentences."""
    proposal = helper.proposal()
    word = capitals(proposal.word)
    if proposal.by == "strategy":
        return [f"{word}: the strategy guesses it here; top shows what else there is"]
    found = helper.proposals(1)
    lines = []
    if proposal.by == "guesses" and found.least is not None:
        ties = f"; {counted(found.n_best, 'word')} equal" if found.n_best > 1 else ""
        limit = "" if found.within is None else f" within {found.within}"
        lines.append(
            f"{word}: the fewest guesses on average until all is solved{limit}, "
            f"{found.least:.4f}, proved{ties}"
        )
    elif proposal.by == "guesses":
        lines.append(f"{word}: the fewest exact guesses of those looked at, no proof for all words")
    else:
        lines.append(f"{word}: best of all words by {proposal.by}")
        if proposal.mean is None:
            lines.append("too many secrets remain for exact figures at once")
    if proposal.entropy is not None:
        over = " over all boards" if len(helper.position.open) > 1 else ""
        lines.append(f"its score tells {proposal.entropy:.4f} bits{over} on average")
    lines.append("it may be the secret" if proposal.candidate else "it cannot be the secret")
    return lines
