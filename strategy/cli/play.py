"""The command ``play``: help beside a real game, in lines that are typed or by the protocol."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError
from solver.words.lists import NAMED_LISTS

from ..columns import Column, attributes
from ..files.text import capitals, counted, terms_of
from ..toolbox.guesses import BY_FIRST, BY_GUESSES, BY_START, BY_STRATEGY
from ..tree import Strategy
from . import options, output, tables
from .option_table import USUAL
from .screen import Screen, board_facts, name_of, scores_of

if TYPE_CHECKING:
    from solver.game.game import Game

    from ..play.helper import Helper, InputParser, ParsedInput, Proposal


def _configure_play(parser: ArgumentParser) -> None:
    options.add_state_argument(parser, "crane bybbg")
    options.add(parser, "--state", dest="clues", help="the same, such as crane.bybbb")
    options.add(parser, "--boards")
    options.add(parser, "--strategy", help="propose by a strategy file")
    group = parser.add_argument_group("choice of guesses")
    options.add_start_option(group, "chosen like all others")
    options.add(group, "--by")
    options.add_within_option(group, "guesses allowed; on one board exact figures keep to it")
    options.add(group, "--guess-from", "--hard", "--common")
    options.add(parser, "--allow-unknown")
    options.add_game_options(parser, advice=True, used=True)
    parser.set_defaults(list_name=None, secrets=None, game=None)
    options.add(parser, "--weights", "--colours")
    options.add_output_options(parser, "--protocol")


def run_play(args: Namespace) -> None:
    """Get help during a game: it proposes a word, you type your guess and its
    colours.

    Type a guess and its colours (crane bybbb), or only the colours if you guessed
    the proposed word, or only a guess; then it asks for the colours. These may be
    012 or tiles, too; you may paste all clues so far. Commands: undo, left, top,
    rate WORD, why, save, new, quit; ? explains them.

    With --strategy the strategy file chooses the word as long as you follow it.
    Otherwise it is the word with the fewest expected guesses when few answers are
    possible, else the one with the most entropy; on several boards entropy is
    summed, and a word that is certain comes first.

    If no answer of the list fits the clues, all allowed words count as possible
    from then on; if none of them fits, the message names the clues that contradict
    each other.

    At the end of the input and after Ctrl-C it prints the command that resumes the
    game. Mastermind: knuthle play --game mastermind:4x6, with black,white pegs
    such as 2,1.

    Examples: knuthle play
              knuthle play crane bybbb
              knuthle play --boards 4 --state crane.bybbb.gbbbb.bbbbb.bbbby
    """
    from ..play.game import limit_of
    from ..play.helper import Helper, InputParser

    strategy = Strategy.load(args.strategy) if args.strategy else None
    of_game = {"list": args.list_name, **attributes(args, "secrets game")}
    if strategy is not None:  # what is left open is as in its file, else Wordle of today
        origin = strategy.origin
        args.game = origin.game if args.game is None else args.game
        if args.list_name is None and origin.list_name in NAMED_LISTS:
            args.list_name = origin.list_name
            if args.secrets is None and origin.secrets_name in ("allowed", "answers"):
                args.secrets = origin.secrets_name
    options.complete_game(args, args.usual_list)
    weighted = options.weighted_from(args)
    game, within = weighted.game, args.within
    within = limit_of(game, args.boards) if within == USUAL else within
    choice = options.how_from(args, game, within=within)
    how: Any = {**attributes(args, "boards allow_unknown"), "weights": weighted.weights}
    helper = Helper(game, choice, strategy=strategy, **how)
    if args.clues and args.state:
        raise WrongInputError("--state has the clues: no others can be given")
    if args.clues or args.state:
        helper.tell_state(args.clues or " ".join(args.state))
    if args.protocol:
        from ..play.arena import answerer_by, serve

        if args.boards > 1 or args.clues or args.state or args.json:
            raise WrongInputError("--protocol plays one board, without clues and --json")
        player, hard = answerer_by(helper), choice.hard
        serve(player, game.spec, game.length, sys.stdin or (), sys.stdout, hard=hard)
        return
    output.say_when_compiling(args.quiet, typed=True)
    screen = Screen(args.quiet, args.json, args.colours)
    given = _options_given(args, of_game)
    table = _HelperTable(InputParser(helper), screen, weighted.about, given)
    screen.sit(table.sit, table.leave)
    if args.json:
        output.emit(args, None, _play_facts(helper) | weighted.facts)


def _options_given(args: Namespace, of_game: dict[str, str | None]) -> list[str]:
    """The options with which a later call is about the same game."""
    flags = of_game | attributes(args, "strategy by used weights")
    usual = {"guess_from": "allowed", "start": "auto", "boards": 1, "within": USUAL}
    given = {name: getattr(args, name) for name in usual}
    flags |= {name: str(it or "none") for name, it in given.items() if it != usual[name]}
    flags |= attributes(args, "hard no_hard common allow_unknown")
    words = [(f"--{name.replace('_', '-')}", value) for name, value in flags.items() if value]
    return [word for pair in words for word in pair if word is not True]


def _play_facts(helper: Helper) -> dict[str, Any]:
    proposal = None if helper.position.solved else helper.proposal()
    boards = zip(helper.position.boards, helper.remaining(), strict=True)
    return {
        "game": helper.game.spec,
        "list": helper.game.list_name,
        "hard": helper.choice.hard,
        "count": len(helper.turns),
        "solved": helper.position.solved,
        "resume": helper.state,
        "boards": [
            board_facts(it.clues, secrets, it.solved is not None) | {"widened": it.widened}
            for it, secrets in boards
        ],
        "proposal": vars(proposal) if proposal else None,
    }


#: So many secrets are named.
_NAMED_SECRETS = 20
#: Of more boards it is only said how many secrets each has left.
_LISTED_BOARDS = 8
#: Words that ``top`` shows without a number.
_TOP_WORDS = 10
_RANK, _ENTROPY = Column("rank", "rank", ",d"), Column("entropy", "entropy", ".4f")
_POSSIBLE, _MEAN = Column("candidate", "possible"), Column("mean", "guesses", ".4f")
#: Columns that a narrow terminal does without, the first one first.
_TOP_SPARE = ("rank", "entropy", "possible")


class _HelperTable:
    """The helper's parser with somebody at the table: lines read, answers shown."""

    def __init__(
        self, parser: InputParser, screen: Screen, about: Sequence[str], options: Sequence[str]
    ) -> None:
        """``about`` is printed first; with the ``options`` a later call resumes the game."""
        from ..play.helper import example_of

        self._parser, self._helper, self._screen = parser, parser.helper, screen
        self._game: Game = parser.helper.game
        self._terms, self._example = terms_of(self._game.spec), example_of(self._game)
        self._about, self._options = about, options

    def sit(self) -> None:
        """Read lines from the table and answer them, to the end."""
        from ..play.position import CluesContradictError

        self._greet()
        while (line := self._screen.ask(self._prompt())) is not None:
            try:
                typed = self._parser.parse(line)
                if typed.kind == "quit":
                    return
                self._answer(typed)
            except WrongInputError as error:
                self._screen.complain(str(error))
                if isinstance(error, CluesContradictError):
                    self._screen.complain("type it again, or undo the last guess")

    def leave(self) -> None:
        """Say how to resume the game another time."""
        if self._helper.position.solved or not self._helper.turns:
            self._screen.show("Bye.")
        else:
            state = shlex.join([*self._options, "--state", self._helper.state])
            self._screen.show("To resume this game:")
            self._screen.show_whole(f"knuthle play {state}")

    def _greet(self) -> None:
        boards, terms = len(self._helper.position.boards), self._terms
        where = f", {boards} boards" if boards > 1 else ""
        both = f"Type a guess and its {terms.reply} ({' '.join(self._example)})"
        alone = f"the {terms.reply} alone for the proposed {terms.word}"
        self._screen.show(f"{name_of(self._game)}{where}. {both}, {alone}, ? for help.")
        self._screen.show(*self._about)
        self._show_turns(0)
        self._show_position()

    def _answer(self, typed: ParsedInput) -> None:
        """What is shown after a line that was understood."""
        if self._helper.position.solved and typed.kind in ("why", "top", "rate"):
            self._screen.show("the game is over")
            return
        if typed.kind == "clues":
            self._show_turns(len(self._helper.turns) - (typed.number or 1))
        self._screen.show(*typed.notes, *(f"{capitals(it)} is taken back" for it, _ in typed.taken))
        answers: dict[str, Callable[[], object]] = {
            "help": self._show_help,
            "left": lambda: self._show_left(everything=True),
            "save": lambda: self._screen.show_whole(self._helper.state or "no clues yet"),
            "top": lambda: self._show_top(typed.number or _TOP_WORDS),
            "rate": lambda: self._show_rated(typed.word),
            "why": lambda: self._screen.show(*self._why()),
            "nothing": self._show_proposal,
            "pending": lambda: None,
            **dict.fromkeys(("undo", "new", "clues"), self._show_position),
        }
        answers[typed.kind]()

    def _prompt(self) -> str:
        pending, position = self._parser.pending, self._helper.position
        if pending is not None:
            board = position.open[len(pending.scores)] + 1
            where = f" on board {board}" if len(position.boards) > 1 else ""
            return f"{self._terms.reply} of {capitals(pending.word)}{where}> "
        return "> " if position.solved else f"{len(self._helper.turns) + 1}> "

    def _show_help(self) -> None:
        terms, (guess, alone) = self._terms, self._example
        word, reply = terms.word, terms.reply
        both = f"a guess and its {reply}; {alone} alone: those of the {word} proposed"
        may_be_typed = (
            (f"{guess} {alone}", both),
            (guess, f"a guess alone; the next question is for its {reply}"),
            ("undo [N]", "take back the last guess, or the last N"),
            ("left", f"the possible {'codes' if word == 'code' else 'answers'}"),
            ("top [N]", f"the best {terms.words} to guess, with their expected guesses"),
            (f"rate {word.upper()}", f"one {word} among them"),
            ("why", f"what speaks for the {word} proposed"),
            ("save", "all clues on one line, for --state"),
            ("new", "another game"),
            ("quit", "leave (or Ctrl-D)"),
        )
        self._screen.show_whole(tables.explained(may_be_typed))
        if word == "word":
            self._screen.show(
                "A slash makes it a command where it is a word of the list, too: /undo."
            )

    def _show_turns(self, first: int) -> None:
        """The turns from this one on, with their tiles."""
        boards = [board.clues for board in self._helper.position.boards]
        for number, (word, _) in list(enumerate(self._helper.turns))[first:]:
            row = self._screen.tiles.turn(self._game, word, scores_of(number, boards))
            number_shown = f"{number + 1}  " if len(boards) == 1 else f"{number + 1:<2} "
            self._screen.paint(f"{number_shown}{row}")

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
            self._screen.show_review(self._game, clues, helper.choice.hard, helper.weights)
        self._screen.show("type new for another game")

    def _show_left(self, everything: bool = False) -> None:
        """How many secrets remain, and if they are few (or all are wanted) which.

        Of many boards only those that are open: how many secrets each has left, or the last one.
        """
        remaining, position = self._helper.remaining(), self._helper.position
        if len(position.boards) > _LISTED_BOARDS and not everything:
            few = ((at + 1, remaining[at]) for at in position.open)
            left = (f"{at}:{capitals(it[0]) if len(it) == 1 else f'{len(it):,}'}" for at, it in few)
            n_solved = len(position.boards) - len(position.open)
            solved = f"{counted(n_solved, 'board')} solved; " if n_solved else ""
            self._screen.show(f"{solved}possible on board {', '.join(left)}")
            return
        for number, (secrets, board) in enumerate(zip(remaining, position.boards, strict=True), 1):
            where = f"board {number}: " if len(position.boards) > 1 else ""
            if board.solved is not None:
                self._screen.show(f"{where}solved, {capitals(board.solved)}")
                continue
            named = everything or len(secrets) <= _NAMED_SECRETS
            shown = (self._screen.tiles.code(self._game, secret) for secret in secrets)
            words = f": {' '.join(shown)}" if named else ""
            wide = " (all allowed words)" if board.widened else ""
            name = "allowed" if board.widened else self._game.secrets_name
            possible = tables.possible(len(secrets), self._game.spec, name)
            self._screen.show(f"{where}{possible}{wide}{words}")

    def _show_proposal(self) -> None:
        if self._helper.position.solved or self._parser.pending is not None:
            return
        proposal = self._helper.proposal()
        word, reason = proposal.word, self._reason(proposal)
        has_room = 3 * len(word) + len(f"try   {reason}") <= tables.terminal_width()
        shown = self._screen.tiles.word(self._game, word)
        self._screen.paint(f"try {shown}  {reason}" if has_room else f"try {shown}")
        if not has_room:
            self._screen.show(f"    {reason}")

    def _show_top(self, number: int) -> None:
        found = self._helper.proposals(number)
        name = tables.word_column(self._game, self._screen.tiles.code)
        columns = (_RANK, name, _ENTROPY, _POSSIBLE, _MEAN)
        self._screen.show_whole(tables.table_of(columns, found.words, spare=_TOP_SPARE))
        ranked = "exact expected guesses" if found.by == BY_GUESSES else found.by
        self._screen.show(f"ranked by {ranked}")

    def _show_rated(self, word: str) -> None:
        row = self._helper.rated(word)
        mean = "" if row.mean is None else f", {row.mean:.4f} guesses expected (exact)"
        may_be = f", could be {self._terms.hidden}" if row.candidate else ""
        rank = f"rank {row.rank:,} by {self._helper.choice.by or 'entropy'}"
        bits = f"{row.entropy:.4f} bits"
        self._screen.show(f"{capitals(row.word)}: {rank}, {bits}{mean}{may_be}")

    def _reason(self, proposal: Proposal) -> str:
        """What speaks for a word, in a few words."""
        helper, terms = self._helper, self._terms
        may_be = f"; it could be {terms.hidden}" if proposal.candidate else ""
        if proposal.by == BY_STRATEGY:
            return f"by the strategy{may_be}"
        if proposal.by == BY_START:
            return f"your guess {len(helper.turns) + 1}{may_be}"
        if proposal.candidate and helper.is_certain:
            return "certain"
        left = "; the strategy has no guess here" if helper.strategy and helper.turns else ""
        if proposal.mean is not None:
            says = f"{proposal.mean:.4f} guesses expected, exact{self._cost(proposal)}"
        elif len(helper.position.open) == 1 and proposal.entropy is not None:
            says = f"leaves about 1 {terms.word} in {2**proposal.entropy:.0f}"
        else:
            says = f"{proposal.entropy:.4f} bits"
        return f"{says}{may_be}{left}"

    def _cost(self, proposal: Proposal) -> str:
        """What a common word costs more than the best, if that is wanted and known."""
        if proposal.mean is None or not self._helper.choice.common:
            return ""
        return tables.extra_cost(proposal.mean, self._helper.proposals(1).exact)

    def _why(self) -> list[str]:
        """What speaks for the word proposed, in sentences."""
        proposal, terms = self._helper.proposal(), self._terms
        word = capitals(proposal.word)
        if proposal.by in (BY_STRATEGY, BY_START):
            whose = "of the strategy" if proposal.by == BY_STRATEGY else "that you begin with"
            return [f"{word}: the guess {whose}; top shows other {terms.words}"]
        exact, lines = self._helper.proposals(1).exact, []
        average = f"{proposal.mean or 0:.4f} guesses on average"
        if proposal.by == BY_FIRST:
            why = f"a common word, {average}, at most 0.02 more than the best"
        elif proposal.by != BY_GUESSES:
            why = f"best of all {terms.words} by {proposal.by}"
            if proposal.mean is None:
                lines.append("too many are possible for exact figures")
                lines += ["what a common word costs is not known here"] * self._helper.choice.common
        elif cost := self._cost(proposal):
            why = f"a common word, {average}{cost}"
        elif exact and exact.mean is not None:
            ties = f"; {counted(len(exact.best), terms.word)} equal" * (len(exact.best) > 1)
            limit = "" if exact.within is None else f" within {exact.within}"
            least = f"{exact.mean:.4f}, proved{ties}"
            why = f"the fewest guesses on average until all is solved{limit}, {least}"
        else:
            why = f"the fewest guesses of the {terms.words} that were searched"
            why += "; others may be better"
        if proposal.entropy is not None:
            bits = f"{proposal.entropy:.1f} bits"
            fold = f"it cuts the list about {2**proposal.entropy:.0f}-fold ({bits})"
            summed = f"it tells {bits}, summed over all boards"
            lines.append(summed if len(self._helper.position.open) > 1 else fold)
        if n_alike := self._helper.proposals(1).words[0].n_alike:
            lines.append(f"{counted(n_alike, 'code')} like it, with other names")
        lines.append(f"it {'could' if proposal.candidate else 'cannot'} be {terms.hidden}")
        return [f"{word}: {why}", *lines]
