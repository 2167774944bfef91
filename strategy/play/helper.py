"""The helper beside a real game: reads guesses and colours, and proposes the next word."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.advice.boards import JointRanking, JointStates, OpenBoard, rank_over_boards
from solver.advice.joint_ranking import rank_means
from solver.advice.suggest import LOOKED_AT, MOST_FOR_COMMON, Forecast
from solver.choices import LIMIT, MEASURES
from solver.errors import CouldNotFinishError, WrongInputError
from solver.game.game import Game
from solver.game.wordle import legal_after

from ..files.text import capitals, counted, is_pegs, is_word, plain, quoted, terms_of
from ..toolbox import guesses
from ..tree import Strategy
from .grids import is_tiles, scores_in, without_heading
from .position import Lexicon, Position, Turn, check_boards

#: By digests of guesses, secrets and weights ("": none): such a word, which costs at most 0.02
#: guesses a game more than the best that is known, and its least mean, within six or more guesses.
FIRST_WORDS = {
    ("a7898cd20f36686d", "110b5c9fa3194b43", ""): ("trace", 11281 / 3160),
    ("a7898cd20f36686d", "110b5c9fa3194b43", "fbb4c83ab94b29c2"): ("caret", 50623 / 14788),
}


@dataclass(frozen=True)
class Proposal:
    """The word to guess next, and what speaks for it."""

    word: str
    #: One of ``BY_STRATEGY``, ``BY_START``, ``BY_FIRST``, ``BY_GUESSES``, or the measure.
    by: str
    #: In bits, summed over the open boards; None: of a strategy, or no word of the pool.
    entropy: float | None
    #: Whether it may be the secret of an open board.
    candidate: bool
    #: Guesses still to be made, this one included, on average, exactly; None: not known.
    mean: float | None


class Helper:
    """What is known in a game that is played elsewhere, and what to guess in it.

    >>> from strategy import load_game
    >>> from strategy.play.helper import Helper
    >>> helper = Helper(load_game(["abide", "crane", "raise", "slate", "stare"]))
    >>> helper.tell("abide", "ybbbg")
    >>> helper.remaining()
    [('crane', 'slate', 'stare')]
    >>> helper.proposal().word, helper.state
    ('crane', 'abide.ybbbg')
    """

    def __init__(
        self,
        game: Game,
        choice: guesses.HowToFind | None = None,
        *,
        boards: int = 1,
        strategy: Strategy | None = None,
        weights: NDArray[np.float64] | None = None,
        allow_unknown: bool = False,
    ) -> None:
        """Begin a game on so many boards, which share their guesses.

        A ``strategy`` proposes as long as the game goes its way. ``weights`` say how likely each
        secret of the game is. With ``allow_unknown`` a word that is no guess of the game may be
        guessed all the same.
        """
        self.game = game
        self.choice = choice or guesses.HowToFind()
        self.allow_unknown = allow_unknown
        self.strategy = strategy
        #: How likely each secret of the game is; None: all are equally likely.
        self.weights = weights
        check_boards(game, boards, self.choice.hard)
        guesses.check_proposing(self.choice)
        if strategy is not None:
            check_fits(strategy, game, boards)
        self._positions = [Position.start(Lexicon.of(game, weights), boards)]
        self._ranked = functools.lru_cache(maxsize=16)(next_words)

    @property
    def position(self) -> Position:
        """What is known of the boards now."""
        return self._positions[-1]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The guesses so far, with their scores on the boards that were open."""
        return self.position.turns

    @property
    def state(self) -> str:
        """All turns on one line, as ``tell_state`` reads it."""
        score = self.game.format_score
        return ".".join(".".join([word, *map(score, scores)]) for word, scores in self.turns)

    def remaining(self) -> list[tuple[str, ...]]:
        """For each board the secrets that are looked at, in alphabetical order."""
        secrets = self.position.lexicon.game.secrets
        return [
            tuple(secrets[at] for at in board.left) if board.solved is None else (board.solved,)
            for board in self.position.boards
        ]

    @property
    def is_certain(self) -> bool:
        """Whether one secret is left of each open board."""
        return all(len(self.remaining()[at]) == 1 for at in self.position.open)

    def check_word(self, word: str) -> str:
        """The word to be guessed, as the list spells it; one that cannot be is refused."""
        lexicon, spelled = self._lexicon_with(plain(word.strip()))
        if self.choice.hard:
            game, clues = lexicon.game, self.position.boards[0].clues
            made = [(game.guess_id(guess), score) for guess, score in clues]
            if game.guess_id(spelled) not in legal_after(game, made):
                hint = "undo takes back the last guess; without --hard the word is allowed"
                raise WrongInputError(f"hard mode forbids {spelled!r} after {self.state}; {hint}")
        return spelled

    def _lexicon_with(self, word: str) -> tuple[Lexicon, str]:
        """The words of the game with this one, if it may be guessed, and its spelling there."""
        lexicon, pegs = self.position.lexicon, is_pegs(self.game.spec)
        try:
            return lexicon, lexicon.game.guesses[lexicon.game.guess_id(word)]
        except WrongInputError as error:
            if self.allow_unknown and not pegs:
                with contextlib.suppress(WrongInputError):
                    return lexicon.with_word(word), word
            hint = "; start knuthle play --allow-unknown to guess it all the same"
            raise WrongInputError(f"{error}{'' if pegs else hint}") from None

    def tell(self, word: str, *scores: str | int) -> None:
        """Tell the helper a guess that was made, with its score on each open board.

        A score is text or its integer. Clues that no word fits raise WrongInputError, which names
        them; nothing is changed then.
        """
        spelled = self.check_word(word)
        self._require_open()
        given = [self.game.parse_score(x) if isinstance(x, str) else x for x in scores]
        position = replace(self.position, lexicon=self._lexicon_with(spelled)[0])
        self._positions.append(position.after(spelled, given))

    def tell_state(self, text: str) -> None:
        """Tell the helper all turns of a state such as ``crane.bybbb.sloth.bbbbb``, or none.

        With several boards each guess is followed by its scores on the boards that were open.
        """
        before = len(self._positions)
        try:
            for word, scores in self._read(text):
                self.tell(word, *scores)
        except WrongInputError:
            del self._positions[before:]
            raise

    def undo(self, count: int = 1) -> tuple[Turn, ...]:
        """Take back the last turns, as many as there are; returns these turns."""
        kept = max(1, len(self._positions) - count)
        taken = self.turns[kept - 1 :]
        del self._positions[kept:]
        return taken

    def _require_open(self) -> None:
        if self.position.solved:
            raise WrongInputError("the game is over; undo takes a turn back")

    def proposal(self) -> Proposal:
        """The word to guess next; a game that is over has none (WrongInputError)."""
        word, by, start = None, guesses.BY_STRATEGY, self.choice.start[len(self.turns) :]
        rated: Sequence[AnyWord] = ()
        if self.strategy is not None and not self.position.solved:  # if the game went its way
            steps = [(guess, scores[0]) for guess, scores in self.turns]
            word = self._allowed(self.strategy.get(steps))
        if word is None and start and not self.is_certain and (word := self._allowed(start[0])):
            by, rated = guesses.BY_START, next_words(self.position, self.choice, named=word).words
        if word is None:
            if (first := self._by_first()) is not None:
                return first
            found = self.proposals(1)
            by, rated = found.by, found.words
        if rated:
            best = rated[0]
            return Proposal(best.word, by, best.entropy, best.candidate, best.mean)
        if word is None:
            raise WrongInputError("no word is left to guess")
        # of a strategy, or a first guess that the pool leaves out
        among = any(word in words for words in self.remaining())
        return Proposal(word, by, None, among, None)

    def proposals(self, top: int | None = 10) -> Proposals:
        """The words that may be guessed next, best first, with their expected guesses."""
        self._require_open()
        return self._ranked(self.position, self.choice, top)

    def rated(self, word: str) -> AnyWord:
        """One word rated as the next guess, with its rank among all by the measure."""
        self._require_open()
        spelled = self.check_word(word)
        found = next_words(self.position, self.choice, named=spelled)
        if not found.words:
            raise WrongInputError(f"{spelled!r} may not be guessed now")
        return found.words[0]

    def _allowed(self, word: str | None) -> str | None:
        """A word as the list spells it; None if there is none, or it may not be guessed."""
        with contextlib.suppress(WrongInputError):
            return word and self.check_word(word)
        return None

    def _by_first(self) -> Proposal | None:
        """A first word that most people know, where one is known to cost little."""
        choice = self.choice
        free = choice.by is None and choice.guess_from == "allowed" and not choice.hard
        free = free and (choice.within is None or choice.within >= LIMIT)
        if not free or self.turns or len(self.position.boards) > 1:
            return None
        weights = "" if self.weights is None else sha256(self.weights.tobytes()).hexdigest()
        key = self.game.guesses_digest[:16], self.game.secrets_digest[:16], weights[:16]
        if key not in FIRST_WORDS:
            return None
        word, mean = FIRST_WORDS[key]
        return Proposal(word, guesses.BY_FIRST, None, word in self.game.secrets, mean)

    def _read(self, text: str) -> list[tuple[str, list[int]]]:
        """The turns of a text: each word with as many scores as boards are open then."""
        if len(self.position.boards) == 1:
            return [(word, [score]) for word, score in self.game.read_state(text)]
        tokens, turns, n_open = tokens_of(self.game, text), [], len(self.position.open)
        while tokens:
            word, marks, tokens = tokens[0], tokens[1 : n_open + 1], tokens[n_open + 1 :]
            if not n_open:
                raise WrongInputError(f"all boards are solved before {quoted(word)}")
            if len(marks) < n_open:
                why = f"{quoted(word)} needs {n_open} scores, one per open board, not {len(marks)}"
                raise WrongInputError(why)
            scores = [self.game.parse_score(mark) for mark in marks]
            n_open -= scores.count(self.game.solved)
            turns.append((word, scores))
        return turns


def example_of(game: Game) -> tuple[str, str]:
    """A guess of a game and a reply to it, as an example of what may be typed."""
    word, reply = terms_of(game.spec).example.split()
    fits = len(word) == game.length and (word in game.guesses or not is_pegs(game.spec))
    return (word, reply) if fits else (game.guesses[0], game.format_score(0))


def tokens_of(game: Game, text: str) -> list[str]:
    """The words and scores in a typed line: between spaces, or if there are none, dots and such."""
    parts = text.split()
    if len(parts) > 1:
        return parts
    separators = r"[./|]" if is_pegs(game.spec) else r"[.,:;/|]"
    return [part for part in re.split(separators, text) if part]


def check_fits(strategy: Strategy, game: Game, boards: int) -> None:
    """Refuse a strategy that is not for this game."""
    if boards > 1:
        raise WrongInputError("a strategy file is for one board only")
    if strategy.origin.game != game.spec or not set(strategy.words) <= set(game.guesses):
        theirs = strategy.origin
        its = f"{theirs.game} with the list {theirs.list_name} ({theirs.guesses:,} guesses)"
        ours = f"{game.spec} with {game.list_name} ({len(game.guesses):,})"
        hint = "choose the same by --list, --secrets and --game"
        raise WrongInputError(f"the strategy is for {its}, not for {ours}; {hint}")


@dataclass(frozen=True)
class NextWord:
    """A word that may be guessed next on several boards, with its rank and measures."""

    word: str
    #: Equal ones share the first of their ranks.
    rank: int
    #: In bits, summed over the open boards.
    entropy: float
    #: Whether it may be the secret of an open board.
    candidate: bool
    #: Guesses still to be made, this one included, on average, exactly; None: not known.
    mean: float | None
    #: How many other codes are this one with other names: on several boards not looked for.
    n_alike: int = 0


#: On one board a word has all its measures.
AnyWord = NextWord | guesses.Suggestion


@dataclass(frozen=True)
class Proposals:
    """The next words of a position, best first."""

    #: What ranks them: ``guesses`` or a measure.
    by: str
    words: Sequence[AnyWord]
    #: The exact figures of these and of the best words; None: there are none.
    exact: Forecast | None


def next_words(
    position: Position, choice: guesses.HowToFind, top: int | None = 1, named: str | None = None
) -> Proposals:
    """The words that are proposed next, ranked, and what they will take in all.

    On one board they are those of ``suggest``. On several all that can be hidden is gone through,
    where that is little; otherwise a measure ranks the words, summed over the open boards.
    Of those that no exact figures rank, a measure's best get them at least. With a ``named`` word
    there is just this one, ranked by the measure among all.
    """
    lexicon, weights = position.lexicon, position.lexicon.weights
    if len(position.open) != 1 or (weights is not None and len(position.boards) > 1):
        return _on_boards(position, choice, top, named)
    board, game = position.boards[position.open[0]], lexicon.narrow
    if board.widened:
        game, weights = lexicon.game, None
    likely = None if weights is None else weights[lexicon.likely]
    most = top if named is None else None
    found = guesses.suggest_after(game, board.clues, choice, top=most, named=named, weights=likely)
    return Proposals(found.by, found.words, found.exact)


def _on_boards(
    position: Position, choice: guesses.HowToFind, top: int | None, named: str | None
) -> Proposals:
    """By the sum over the open boards, and by going through all states where these are few."""
    lexicon, measure = position.lexicon, choice.by or MEASURES[0]
    game, common = lexicon.game, lexicon.common
    boards = []
    for board in (position.boards[at] for at in position.open):
        weights = None if board.widened else lexicon.weights
        boards.append(OpenBoard(board.left, None if weights is None else weights[board.left]))
    pool = np.arange(len(game.guesses), dtype=np.int32)
    if choice.guess_from != "allowed":
        some = [board.candidates for board in boards]
        likely = [np.flatnonzero(lexicon.likely)] if choice.guess_from == "secrets" else []
        pool = game.secret_ids[np.unique(np.concatenate([*likely, *some]))]
    ranking = rank_over_boards(game, boards, pool, common, measure)
    words = [game.guesses[guess] for guess in ranking.guesses]
    is_common = np.isin(ranking.guesses, common)
    wanted = list(range(len(words))[: max(top or 0, LOOKED_AT)])
    wanted += np.flatnonzero(is_common)[:LOOKED_AT].tolist() if choice.common else []
    wanted = [words.index(named)] if named in words else wanted
    means, best = _means(JointStates.of(game, boards, ranking.guesses), wanted)
    order, ranks, by = list(range(len(words))), ranking.ranks.tolist(), measure
    if best and choice.by is None and named is None:
        by = guesses.BY_GUESSES
        order, ranks = _by_means(ranking, means, is_common, choice.common)
    shown = (it for it in zip(order, ranks, strict=True) if named in (None, words[it[0]]))
    entropy, may_be = ranking.entropy.tolist(), (ranking.hits > 0).tolist()
    few = islice(shown, top)
    found = [NextWord(words[at], it, entropy[at], may_be[at], means.get(at)) for at, it in few]
    exact = Forecast(None, 1, {}, means[best[0]], tuple(words[at] for at in best)) if best else None
    return Proposals(by, found, exact)


def _by_means(
    ranking: JointRanking, means: dict[int, float], is_common: NDArray[np.bool_], prefer: bool
) -> tuple[list[int], list[int]]:
    """Places of a ranking in the order of their expected guesses, and their ranks."""
    places = np.array(sorted(means), dtype=np.int32)
    expected = np.array([means[place] for place in places.tolist()])
    order, rank = np.empty((2, len(places)), dtype=np.int32)
    rebate = MOST_FOR_COMMON if prefer else 0.0
    common = is_common[places].view(np.uint8)
    rank_means(expected, ranking.hits[places], common, rebate, order, rank)
    return places[order].tolist(), rank.tolist()


def _means(states: JointStates | None, wanted: Sequence[int]) -> tuple[dict[int, float], list[int]]:
    """Place → expected guesses of the best and of wanted ones, as far as known; the best places."""
    means, best = dict[int, float](), list[int]()
    if states is not None:
        with contextlib.suppress(CouldNotFinishError):
            least, best = states.best()
            means = dict.fromkeys(best, least)
            for place in wanted:
                if place not in means:
                    means[place] = states.mean(place)
    return means, best


# ---- What a player types
#
# A line is a guess with its colours, colours alone (for the word that was proposed, or the one that
# was named before), a guess alone (whose colours must follow), or a command. A word of the list is
# always a guess; with a slash before it a command is a command whatever the list holds.

#: Commands, each with what else may be typed for it.
_COMMANDS = {
    **{"help": "?", "undo": "u back", "left": "list words", "top": "", "rate": "try"},
    **{"why": "", "save": "state", "new": "again", "quit": "q exit bye"},
}
#: What may be typed → the command that is meant.
COMMANDS = {text: it for it, more in _COMMANDS.items() for text in (it, *more.split())}
#: Commands that are followed by a number, or by a word.
_NUMBERED, _WORDED = ("undo", "top"), ("rate",)
#: What is meant as pegs, be they possible or not.
_PEGS = re.compile(r"\s*[0-9]{1,3}\s*,\s*[0-9]{1,3}\s*")
#: A longer line is nothing that was meant for a game.
_LONGEST = 8_000


class ParsedInput(NamedTuple):
    """What a line that was typed means, and what became of it."""

    #: ``clues`` (turns were made), ``pending`` (colours are missing), ``nothing``, or a command.
    kind: str
    #: Sentences that should be said about it.
    notes: tuple[str, ...] = ()
    #: The number behind a command, if there was one; how many turns the clues are.
    number: int | None = None
    #: The word behind a command.
    word: str = ""
    #: Turns that were taken back.
    taken: tuple[Turn, ...] = ()


#: What is said of a share grid.
_GRID = "a share grid does not say what was guessed; type each guess with its colours"


class InputParser:
    """A parser of lines that a player types; it passes guesses and clues to a helper."""

    def __init__(self, helper: Helper) -> None:
        self.helper = helper
        #: The guess of which some colours are missing; None: a guess comes next.
        self.pending: Turn | None = None
        #: Whether the lines are those of a share grid, which shows no words.
        self._in_grid = False

    def parse(self, line: str) -> ParsedInput:
        """Do what a typed line says; one not understood does nothing but raise WrongInputError."""
        text = line.replace("\ufe0f", "").strip()
        if len(text) > _LONGEST:
            raise WrongInputError(f"the line is too long for a guess: {len(text):,} characters")
        if not text:
            return ParsedInput("nothing")
        if self._in_grid and is_tiles(text):
            return ParsedInput("pending")  # what is missing was said of the heading
        self._in_grid = without_heading(text) != text
        if self._in_grid:
            raise WrongInputError(_GRID)
        command = self._command(text)
        if command is None:
            return self._clue(text)
        if command.kind == "undo" and self.pending is None:
            command = command._replace(taken=self.helper.undo(command.number or 1))
            if not command.taken:
                raise WrongInputError("nothing to undo: there is no guess yet")
        if command.kind == "new":
            self.helper.undo(len(self.helper.turns))
        if command.kind in ("undo", "new"):
            self.pending = None
        return command

    def _command(self, text: str) -> ParsedInput | None:
        """The command that a line is, if it is one."""
        name, _, rest = text.partition(" ")
        spelled = plain(name).lstrip("/")
        kind, rest = COMMANDS.get(spelled), rest.strip()
        if not name.startswith("/") and (kind is None or spelled in self.helper.game.guesses):
            return None
        if kind is None:
            raise WrongInputError(f"there is no command {quoted(name)}; ? lists the commands")
        if kind in _WORDED:
            if not rest:
                noun, word = terms_of(self.helper.game.spec).word, example_of(self.helper.game)[0]
                raise WrongInputError(f"{spelled} needs a {noun}, e.g. {spelled} {word}")
            return ParsedInput(kind, word=self.helper.check_word(rest))
        if rest and kind not in _NUMBERED:
            raise WrongInputError(f"{spelled} takes no argument; remove {quoted(rest)}")
        if rest and not re.fullmatch("[1-9][0-9]{0,4}", rest):
            raise WrongInputError(f"{spelled} takes a number, e.g. {spelled} 3, not {quoted(rest)}")
        return ParsedInput(kind, number=int(rest) if rest else None)

    def _clue(self, text: str) -> ParsedInput:
        helper = self.helper
        if helper.position.solved:
            raise WrongInputError("the game is over; type new for another game, or undo")
        text = _mended(text, is_pegs(helper.game.spec), helper.game.length)
        tokens, n_open = tokens_of(helper.game, text), len(helper.position.open)
        names = {plain(text), *map(plain, tokens[:1])}
        scores = scores_in(helper.game, [text]) or scores_in(helper.game, tokens)
        if self.pending is None and names.intersection(helper.game.guesses):
            scores = None  # words of digits may look like scores
        if scores is None and is_pegs(helper.game.spec) and _PEGS.fullmatch(text):
            helper.game.parse_score(text)  # it says what is wrong with the pegs
        if scores is not None:
            if len(scores) > n_open:
                raise WrongInputError(_GRID)
            return self._more(self.pending or Turn(helper.proposal().word, ()), scores)
        first, *marks = tokens or [""]
        scores = scores_in(helper.game, marks)  # a word and some of its scores, or none yet
        is_guess = len(plain(first)) == helper.game.length and is_word(plain(first))
        if scores is not None and (0 < len(marks) < n_open or (not marks and is_guess)):
            return self._more(Turn(helper.check_word(first), ()), scores)
        before = helper.position
        helper.tell_state(text)
        self.pending = None
        return self._clues_given(before)

    def _more(self, guess: Turn, scores: Sequence[int]) -> ParsedInput:
        """A guess with some more of its scores: made, once they are all there."""
        helper = self.helper
        given, n_open = (*guess.scores, *scores), len(helper.position.open)
        if len(given) > n_open:
            n_given, still = counted(len(given), "score"), counted(n_open, "board is", "boards are")
            raise WrongInputError(f"{n_given} for {capitals(guess.word)}, but {still} open")
        if len(given) < n_open:
            strange = () if self.pending else self._strange(guess.word)
            self.pending = Turn(guess.word, given)
            return ParsedInput("pending", strange)
        before = helper.position
        was_pending = self.pending is not None
        self.pending = Turn(guess.word, ()) if was_pending else None
        helper.tell(guess.word, *given)
        self.pending = None
        return self._clues_given(before, named=was_pending)

    def _clues_given(self, before: Position, named: bool = False) -> ParsedInput:
        """The turns since then, and what should be said of them."""
        game, now = self.helper.game, self.helper.position
        turns = now.turns[len(before.turns) :]
        notes = [] if named else [it for word, _ in turns for it in self._strange(word)]
        for number, (board, then) in enumerate(zip(now.boards, before.boards, strict=True), 1):
            if board.widened and not then.widened and board.solved is None:
                where = f"board {number}: " if len(now.boards) > 1 else ""
                none = f"none of the {game.secrets_name} of {game.list_name} fits these clues"
                wide = f"all {len(now.lexicon.game.secrets):,} allowed words count as possible"
                notes.append(f"{where}{none}; from now on {wide}")
        return ParsedInput("clues", tuple(notes), number=len(turns))

    def _strange(self, word: str) -> tuple[str, ...]:
        game = self.helper.game
        if word in game.guesses:
            return ()
        return (f"{capitals(word)} is not on the list {game.list_name}{game.did_you_mean(word)}",)


def _mended(text: str, pegs: bool, length: int) -> str:
    """A line with single marks moved together, and a comma between pegs where it was left out."""
    if pegs:
        return re.sub(r"(^|\s)([0-9]{1,2})\s+([0-9]{1,2})$", r"\1\2,\3", text)
    tokens = text.split()
    if len(tokens) > length and all(len(token) == 1 for token in tokens[-length:]):
        return " ".join([*tokens[:-length], "".join(tokens[-length:])])
    return "".join(tokens) if len(tokens) == length and set(map(len, tokens)) == {1} else text
