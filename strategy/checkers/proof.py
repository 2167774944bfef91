"""What a PROVED rests on: a proof is read, and each of its steps is derived again.

Each line has its sentence in docs/proof-format.md. Nothing in the file is believed: a claim counts
for those after it once it was derived itself, and it does not matter where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple, get_type_hints

import numpy as np

from solver.machine.pool import Pool

from ..errors import BadFileError, StrategyError, WrongStrategyError
from ..files.text import is_name
from . import lemmas, lists, verify
from .lemmas import LOSS, UNLIMITED, Guesses, Members, Shown
from .verify import need

#: Guesses times secrets; claims, and refutations; candidates of claims, and of all that is cited;
#: symmetries times codes.
MOST_SCORES, MOST_LISTED, MOST_MEMBERS, MOST_ALIKE = 1 << 30, 1 << 20, 1 << 26, 1 << 28
#: One-step bounds that are remembered; candidates from which on they are asked for.
MOST_REMEMBERED, FEWEST = 1 << 17, 3
OBJECTIVES = ("total", "losses", "worst")
KEYS = {"statement": dict, "shown": list, "count": int, "claims": bytes}
KEYS |= {"refutation_count": int, "refutations": bytes}


class WrongProofError(StrategyError):
    """A well-formed proof that does not prove what it states."""

    exit_code = 1


#: Refuses a proof that was read unless something is fine.
hold = partial(verify.hold, error=WrongProofError)


@dataclass(frozen=True)
class Statement(lists.GameLists):
    """What a proof states, and of which game."""

    hard: bool
    start: str
    objective: str
    limit: int
    losses: int
    total: int
    guess_from: str = "allowed"

    @property
    def is_pegs(self) -> bool:
        """Whether it is about Mastermind."""
        return self.game != "wordle"

    @property
    def board(self) -> tuple[int, int]:
        """The holes and colours of Mastermind."""
        holes, colours = self.game.split(":")[1].split("x")
        return int(holes), int(colours)

    @property
    def price(self) -> int:
        """What a guess costs: nothing where only the limit counts."""
        return 0 if self.objective == "worst" else 1

    @property
    def left(self) -> int:
        """The guesses left at the start."""
        return self.limit or UNLIMITED

    @property
    def value(self) -> int:
        """No strategy costs less: that is to be proved."""
        return self.losses * LOSS + self.total


class Symmetry(NamedTuple):
    """A permutation of the holes and one of the colours of a board."""

    holes: tuple[int, ...]
    colours: tuple[int, ...]


class Claim(NamedTuple):
    """No strategy for these candidates costs less than ``value``."""

    members: tuple[int, ...]
    left: int
    shown: str
    value: int
    #: Those that map its set onto itself, and those by which images of it are claimed.
    fixing: tuple[Symmetry, ...] = ()
    images: tuple[Symmetry, ...] = ()


class Refutation(NamedTuple):
    """No strategy solves these candidates within ``left`` guesses, because of those it cites."""

    members: tuple[int, ...]
    left: int
    cites: tuple[int, ...]


@dataclass(frozen=True)
class Proof:
    """A proof as its file has it."""

    statement: Statement
    strategy: verify.Tree | None
    claims: tuple[Claim, ...]
    refutations: tuple[Refutation, ...]


# --- a proof is read ------------------------------------------------------------------------


def read_body(body: dict[str, Any]) -> Proof:
    """The proof that the body of a file holds."""
    statement, strategy = read_statement(body.get("statement")), body.get("strategy")
    keys = KEYS | ({"symmetries": list} if statement.is_pegs else {})
    verify.read_keys(body, keys | {"strategy": type(strategy)})
    shown, symmetries = body["shown"], body.get("symmetries", [])
    need(all(type(text) is str for text in shown), "what it has shown is no text")
    holes, colours = statement.board if statement.is_pegs else (0, 0)
    fits = (type(one) is bytes and len(one) == holes + colours for one in symmetries)
    need(all(fits), "a symmetry has not a byte for each hole and each colour")
    named = [Symmetry(tuple(one[:holes]), tuple(one[holes:])) for one in symmetries]
    counts = body["count"], body["refutation_count"]
    need(all(0 <= count <= MOST_LISTED for count in counts), "it lists too much")
    claims, refutations = Numbers(body["claims"]), Numbers(body["refutations"])
    proof = Proof(
        statement,
        None if strategy is None else verify.read_tree(strategy),
        tuple(read_claim(claims, statement, shown, named) for _ in range(counts[0])),
        tuple(read_refutation(refutations, statement, at) for at in range(counts[1])),
    )
    more = next(claims.rest, next(refutations.rest, None))
    need(more is None, "something follows its last claim or refutation")
    used = {claim.shown for claim in proof.claims}
    need(sorted(used) == shown, "texts that are not in order, or used by no claim")
    alike = {one for claim in proof.claims for one in claim.fixing + claim.images}
    need(sorted(alike) == named, "symmetries that are not in order, or named by no claim")
    return proof


def read_statement(head: Any) -> Statement:
    """The statement of a proof."""
    stated = {"guess_from": "allowed"} | head if type(head) is dict else head
    verify.read_keys(stated, get_type_hints(Statement))
    verify.read_lists(head)
    need(head.get("guess_from", "secrets") in verify.GUESS_POOLS[1:], "'guess_from' is no pool")
    need(head["objective"] in OBJECTIVES, "its objective is not known")
    need(head["start"] == "" or is_name(head["start"]), "its start is no name")
    need(0 <= head["limit"] < UNLIMITED and 0 <= head["total"] < LOSS, "a number is out of range")
    need(0 <= head["losses"] <= head["secrets"], "its losses are out of range")
    return Statement(**head)


class Numbers:
    """The numbers of a packed list, one after the other."""

    def __init__(self, packed: bytes) -> None:
        self.rest = iter(packed)
        self._same: dict[int, int] = {}  # equal numbers are one object, however many there are

    def next(self, below: int) -> int:
        """The next number: seven bits a byte, the lowest first, at most ten bytes."""
        number = 0
        for place in range(10):
            byte = next(self.rest, -1)
            need(byte >= 0, "a list ends too early")
            number |= (byte & 127) << 7 * place
            if byte < 128:
                need(number < below, "a number is out of range")
                return self._same.setdefault(number, number)
        raise BadFileError("format", "a number is too long")

    def ascending(self, count: int, below: int) -> tuple[int, ...]:
        """So many numbers from their differences, the first from -1."""
        numbers, last = [], -1
        for _ in range(count):
            gap = self.next(below - last)
            need(gap > 0, "the numbers of a set do not ascend")
            last += gap
            numbers.append(self._same.setdefault(last, last))
        return tuple(numbers)


def read_claim(
    numbers: Numbers, statement: Statement, shown: Sequence[str], symmetries: Sequence[Symmetry]
) -> Claim:
    """The next claim of a packed list."""
    count, left = numbers.next(statement.secrets + 1), numbers.next(UNLIMITED)
    text, losses = numbers.next(len(shown)), numbers.next(statement.secrets + 1)
    value = losses * LOSS + numbers.next(LOSS)
    need(count > 0, "a claim has no candidates")
    members, named, known = numbers.ascending(count, statement.secrets), [], len(symmetries)
    for _ in range(2 if statement.is_pegs else 0):
        places = numbers.ascending(numbers.next(known + 1), known)
        named.append(tuple(symmetries[at] for at in places))
    return Claim(members, left or UNLIMITED, shown[text], value, *named)


def read_refutation(numbers: Numbers, statement: Statement, number: int) -> Refutation:
    """The next refutation of a packed list."""
    count, left = numbers.next(statement.secrets + 1), numbers.next(UNLIMITED)
    need(count > 0 and left > 0, "a refutation has no candidates or no guesses left")
    members = numbers.ascending(count, statement.secrets)
    return Refutation(members, left, numbers.ascending(numbers.next(number + 1), number))


# --- lists, form and strategy ---------------------------------------------------------------

#: The guesses and the secrets.
Words = tuple[tuple[str, ...], tuple[str, ...]]


def words_of(statement: Statement, given: Sequence[Sequence[str] | None]) -> Words:
    """The words that a proof is about: given or shipped, with the digests that it states."""
    parts, codes = ("allowed", statement.secrets_name), None
    if statement.is_pegs:
        try:
            codes = lists.board_codes(statement.game, statement.secrets)
        except WrongStrategyError as error:
            raise WrongProofError(str(error)) from None
    found: list[Any] = []
    for part, some in zip(parts, given, strict=True):
        sources = codes, lists.shipped(statement.list_name, part), some
        found.append([it for it in sources if it is not None])
    if parts[1] == "allowed" and not found[1]:
        found[1] = found[0]
    there = all(sources and sources[-1] for sources in found)
    need(there, "its lists are not shipped; --words and --secrets give them", "lists")
    for some in (*found[0], *found[1]):
        lists.check_words(some, statement.game)
    words = []
    for what, sources in zip(verify.COUNTS, found, strict=True):
        stated = getattr(statement, what), getattr(statement, f"{what}_digest")
        for some in sources:  # all that are there must be what is stated
            ordered = tuple(sorted({*some}))
            same = stated == (len(ordered), lists.words_digest(ordered))
            hold(same, f"it is about other lists than these {len(ordered):,} words")
        words.append(ordered)
    guesses, secrets = words
    every = parts[1] != "allowed" or guesses == secrets
    hold(every, "it says that all guesses are secrets, and they are not")
    hold({*secrets} <= {*guesses}, "some of its secrets cannot be guessed")
    few = len(guesses) * len(secrets) <= MOST_SCORES
    need(few, f"its lists have more than {MOST_SCORES:,} scores", "lists")
    return guesses, secrets


def check_form(proof: Proof) -> None:
    """Refuse a statement that cannot be meant, and more than can be checked."""
    statement, claims = proof.statement, proof.claims
    sets = len(claims) + sum(len(claim.images) for claim in claims)
    members = sum(len(claim.members) * (1 + len(claim.images)) for claim in claims)
    alike = statement.secrets * sum(len(claim.fixing) for claim in claims)
    cited = (proof.refutations[at] for one in proof.refutations for at in one.cites)
    hold(sets <= MOST_LISTED, f"its claims and their images are over {MOST_LISTED:,}")
    hold(members <= MOST_MEMBERS, f"its claims have over {MOST_MEMBERS:,} candidates")
    hold(alike <= MOST_ALIKE, f"its symmetries are of over {MOST_ALIKE:,} codes")
    few = sum(len(one.members) for one in cited) <= MOST_MEMBERS
    hold(few, f"its refutations cite over {MOST_MEMBERS:,} candidates")
    hold(not (statement.is_pegs and statement.hard), "Mastermind has no hard mode")
    if statement.objective == "worst":
        whole = statement.limit > 0 and statement.value == LOSS
        hold(whole, "the objective worst needs a limit, one loss and no total")
    else:
        hold(not proof.refutations, "refutations can only prove that a limit cannot be kept")
        hold(proof.strategy is not None, "it has no strategy that attains its value")
        may_lose = statement.objective == "losses" and statement.limit > 0
        right = may_lose or statement.losses == 0
        hold(right, "only the objective losses, with a limit, allows losses")


def check_strategy(proof: Proof, words: Words) -> None:
    """Refuse a strategy that, played by letters, does not come to what is stated."""
    statement, tree = proof.statement, proof.strategy
    if tree is None:
        return
    head = tree.head
    same = (head["game"], head["hard"]) == (statement.game, statement.hard)
    hold(same, "its strategy is for another game")
    free = statement.guess_from == "allowed"
    same = free or head["guess_from"] == statement.guess_from
    hold(same, "its strategy guesses from another pool")
    start = [statement.start] if statement.start else []
    hold(head["start"][: len(start)] == start, "its strategy does not begin with its start")
    try:
        taken, _ = verify.play_all(tree, {"its statement": words})
        if not free:
            verify.check_guesses(tree, statement.guess_from, start)
    except (WrongStrategyError, BadFileError) as error:
        raise WrongProofError(f"its strategy is wrong: {error}") from None
    most, total = max(taken.values()), sum(taken.values())
    losses = sum(number > statement.left for number in taken.values())
    same = (losses, total) == (statement.losses, statement.total)
    fits = most <= statement.limit + 1 if statement.objective == "worst" else same
    hold(fits, f"its strategy takes {total:,} guesses, {most} at most, and loses {losses:,}")


# --- the steps ------------------------------------------------------------------------------


class State(NamedTuple):
    """What a bound is about: candidates, guesses left, what hard mode has shown."""

    members: Members
    left: int
    shown: Shown


#: Part of a proof: REFUTED, CLAIMED or STATED, and from which to which of these, by their numbers.
Step = tuple[int, int, int]
REFUTED, CLAIMED, STATED = 0, 1, 2
#: A claim, or an image of one, that counts for those after it: its state and its value.
Known = tuple[State, int]
#: One board, so that forked workers share its memory.
board_of = lru_cache(maxsize=1)(lemmas.new_board)


class Checker:
    """Derives the steps of a proof from those that it has noted."""

    def __init__(self, statement: Statement, words: Words) -> None:
        self.statement, (guesses, self.secrets) = statement, words
        free, pool = statement.guess_from == "allowed", {statement.start, *self.secrets}
        self.guesses = tuple(word for word in guesses if free or word in pool)
        self.board = board_of(self.guesses, self.secrets, statement.price, statement.is_pegs)
        self.every_guess = lemmas.every_guess(self.board)
        self.alphabet, self.length = lemmas.alphabet_of(self.guesses), len(self.guesses[0])
        nothing = np.zeros(self.length + len(self.alphabet), dtype=np.uint8)
        everyone = np.arange(len(self.secrets), dtype=np.int32)
        self.root = State(everyone, statement.left, nothing)
        self.taken: Step = (0, 0, 0)
        self.refuted: list[Refutation] = []
        self.known: list[Known] = []
        self.noted = 0
        self._by_set: dict[bytes, list[Known]] = {}
        self._one_steps: dict[tuple[bytes, int, bytes], int] = {}
        self._flat = self._begins = np.zeros(0, dtype=np.int64)

    def legal(self, state: State) -> Guesses:
        """The guesses that may be made in a state."""
        if self.statement.guess_from == "candidates":
            return self.board.guess_of[state.members]
        if self.statement.hard:
            return lemmas.legal_guesses(self.board, state.shown)
        return self.every_guess

    def of_one_step(self, bucket: State) -> int:
        """The one-step bound of a bucket: the least of Lemma 2 over all legal guesses."""
        key = bucket.members.tobytes(), bucket.left, bucket.shown.tobytes()
        if key not in self._one_steps:
            if len(self._one_steps) == MOST_REMEMBERED:
                self._one_steps.clear()
            costs = lemmas.lemma_2(self.board, bucket.members, bucket.left, self.legal(bucket))
            self._one_steps[key] = int(costs.min(initial=lemmas.INFINITE))
        return self._one_steps[key]

    def of_claims(self, bucket: State, known: Sequence[Known]) -> int:
        """The best that claims about a bucket or its subsets say (Lemmas 13, 14); or 0."""
        best = 0
        for (members, left, shown), value in known:
            if left >= bucket.left and lemmas.is_shown(shown, bucket.shown, self.length):
                others = len(bucket.members) - len(members)
                best = max(best, value + others * self.board.price)
        return best

    def claims_in(self, state: State, buckets: Sequence[Members]) -> list[list[Known]]:
        """What is known of each bucket: of exactly this set.

        In all secrets, and where every guess is legal, of all its subsets of two or more.
        """
        limited = self.statement.hard or self.statement.guess_from == "candidates"
        if limited or len(state.members) < len(self.secrets) or not self.known:
            return [self._by_set.get(members.tobytes(), []) for members in buckets]
        if len(self._begins) < len(self.known):  # the sets, one after the other
            sets = [members for (members, _, _), _ in self.known]
            self._flat = np.concatenate(sets)
            self._begins = np.cumsum([0, *map(len, sets[:-1])])
        bucket_of = np.full(len(self.secrets), -1, dtype=np.int32)
        for at, members in enumerate(buckets):
            bucket_of[members] = at
        numbers = bucket_of[self._flat]
        least = np.minimum.reduceat(numbers, self._begins)
        whole = (least == np.maximum.reduceat(numbers, self._begins)) & (least >= 0)
        found: list[list[Known]] = [[] for _ in buckets]
        for at in np.flatnonzero(whole).tolist():
            if len(self.known[at][0].members) > 1:
                found[least[at]].append(self.known[at])
        return found

    def bounds(self, state: State, guess: int, goal: int) -> tuple[int, list[Members], list[int]]:
        """Lemma 6: what a guess costs at least, with its buckets, and what each of them costs.

        These are raised, the largest bucket first, until the guess costs the goal.
        """
        board, then = self.board, lemmas.after_guess(state.left)
        buckets = lemmas.buckets_of(board, state.members, guess)
        best = [lemmas.lemma_1(len(it), board.others, board.price, then) for it in buckets]
        cost = len(state.members) * board.price + sum(best)
        cost += sum(map(len, buckets)) * LOSS if state.left == 1 else 0
        large = [members for members in buckets if len(members) >= FEWEST]  # the first ones
        known = self.claims_in(state, large)
        for last in (False, True):
            for at, members in enumerate(large):
                if cost < goal and (last or known[at]):
                    bucket = State(members, then, self.shown_after(state, guess, members))
                    bound = self.of_one_step(bucket) if last else self.of_claims(bucket, known[at])
                    more = max(0, bound - best[at])
                    best[at], cost = best[at] + more, cost + more
        return cost, buckets, best

    def shown_after(self, state: State, guess: int, members: Members) -> Shown:
        """What has been shown in a bucket of a guess."""
        if not self.statement.hard:
            return state.shown
        secret = self.board.guess_of[members[0]]
        return lemmas.show_more(self.board, guess, secret, state.shown)

    def open_guess(self, state: State, goal: int, guesses: Guesses) -> int | None:
        """The first of some legal guesses that may cost less than the goal (Theorem 1)."""
        costs = lemmas.lemma_2(self.board, state.members, state.left, guesses)
        for guess in guesses[costs < goal].tolist():
            if self.bounds(state, guess, goal)[0] < goal:
                return int(guess)
        return None

    def require(self, about: str, state: State, goal: int, guesses: Guesses) -> None:
        """Refuse what does not follow, since a legal guess may cost less than the goal."""
        guess = self.open_guess(state, goal, guesses)
        word = self.guesses[guess or 0]
        hold(guess is None, f"{about} does not follow: {word!r} may cost less")

    # --- symmetries

    def image(self, symmetry: Symmetry, members: Members) -> Members:
        """The codes that a symmetry maps some codes to, in their order (Lemma 5a).

        Codes are guesses and secrets, both in ascending order.
        """
        holes, colours = symmetry
        of_holes, of_colours = (sorted(it) == [*range(len(it))] for it in symmetry)
        hold(of_holes and of_colours, "a symmetry is no permutation")
        units = len(colours) ** np.arange(self.length, dtype=np.int64)[::-1]
        codes = np.array(colours, dtype=np.int64)[self.board.letters[members][:, holes]]
        return np.searchsorted(self.board.letters @ units, codes @ units).astype(np.int32)

    def lowest_alike(self, symmetries: Sequence[Symmetry]) -> Guesses:
        """The guesses that no symmetries, one after another, map to a lower one.

        The lowest number spreads over all guesses that are alike, forth and back.
        """
        lowest = self.every_guess.copy()
        images = [self.image(symmetry, self.every_guess) for symmetry in symmetries]
        while any((lowest[image] < lowest).any() for image in images):
            for image in images:
                lowest = np.minimum(lowest, lowest[image])
                lowest[image] = np.minimum(lowest, lowest[image])  # and back
            lowest = lowest[lowest]
        return np.flatnonzero(lowest == self.every_guess).astype(np.int32)

    def openers(self) -> Guesses:
        """The first guesses; of codes that are alike by all symmetries the lowest.

        These are made of exchanges of two neighbouring holes, and of two neighbouring colours.
        """
        if not self.statement.is_pegs:
            return self.every_guess
        alike = []
        for kind, count in enumerate(self.statement.board):
            for at in range(1, count):
                symmetry = [[*range(it)] for it in self.statement.board]
                symmetry[kind][at - 1 : at + 1] = at, at - 1
                alike.append(Symmetry(*map(tuple, symmetry)))
        return self.lowest_alike(alike)

    # --- claims

    def state_of(self, claim: Claim) -> State:
        """The state that a claim is about."""
        return State(np.array(claim.members, np.int32), claim.left, self.shown_of(claim.shown))

    def shown_of(self, text: str) -> Shown:
        """What hard mode has shown, from its text: ``s....|aes``; without hard mode nothing."""
        if text == "" and not self.statement.hard:
            return self.root.shown
        greens, bar, letters = text.partition("|")
        fits = self.statement.hard and len(greens) == self.length and bar == "|"
        fits = fits and {*greens} <= {*self.alphabet, "."} and {*letters} <= {*self.alphabet}
        fits = fits and letters == "".join(sorted(letters)) and len(letters) <= self.length
        hold(fits, f"{ascii(text)[:40]} is not what hard mode shows")
        numbers = [self.alphabet.find(letter) + 1 for letter in greens]  # 0 for a dot
        return np.array([*numbers, *map(letters.count, self.alphabet)], dtype=np.uint8)

    def check_claim(self, number: int, claim: Claim) -> None:
        """Refuse a claim that does not follow from those that are noted."""
        state = self.state_of(claim)
        for symmetry in claim.fixing:
            image = np.sort(self.image(symmetry, state.members))
            hold((image == state.members).all(), f"claim {number}: a symmetry moves its set")
        guesses = self.legal(state)
        if claim.fixing:
            guesses = guesses[np.isin(guesses, self.lowest_alike(claim.fixing))]
        self.require(f"claim {number}", state, claim.value, guesses)

    def note_claim(self, claim: Claim) -> None:
        """Let a claim and its images count from now on."""
        state = self.state_of(claim)
        self.note_set(state, claim.value)
        for symmetry in claim.images:
            members = np.sort(self.image(symmetry, state.members))
            self.note_set(state._replace(members=members), claim.value)
        self.noted += 1

    def note_set(self, state: State, value: int) -> None:
        """Let a bound of a state count from now on."""
        self.known.append((state, value))
        self._by_set.setdefault(state.members.tobytes(), []).append(self.known[-1])

    # --- refutations

    def check_refutation(self, number: int, refutation: Refutation) -> None:
        """Refuse a refutation that does not follow from those that are noted (Theorem 2)."""
        members, own = np.array(refutation.members, dtype=np.int32), {*refutation.members}
        fails = np.full(len(self.guesses), refutation.left == 1)
        if refutation.left > 2:
            fails |= lemmas.leaves_whole(self.board, members)
        if refutation.left == 2:
            fails |= lemmas.parts_of(self.board, members, self.every_guess) < len(members)
        for cited in refutation.cites:
            other = self.refuted[cited]
            lies = own.issuperset(other.members) and other.left >= refutation.left - 1
            hold(lies, f"refutation {number} cites {cited}, which does not hold in it")
            fails |= lemmas.leaves_whole(self.board, other.members)
        word, follows = self.guesses[int(fails.argmin())], len(members) > 1 and fails.all()
        hold(follows, f"refutation {number} does not follow: {word!r} may solve it")

    # --- the statement

    def check_statement(self, begin: int, end: int) -> None:
        """Refuse a statement that does not follow for some of the first guesses."""
        statement, start = self.statement, self.statement.start
        hold(start in ("", *self.guesses), f"{start!r} is not a guess")
        opener = self.guesses.index(start) if start else -1
        for one in self.refuted if statement.objective == "worst" else ():
            follows = one.left >= statement.limit  # Lemma 7, and 7a
            if start and one.left == statement.limit - 1:
                follows = lemmas.leaves_whole(self.board, one.members)[opener]
            if follows:
                return
        if start:
            cost, _, _ = self.bounds(self.root, opener, statement.value)
            hold(cost >= statement.value, f"the statement does not follow: {start!r} may cost less")
        else:
            some = self.openers()[begin:end]
            self.require("the statement", self.root, statement.value, some)

    # --- all steps

    def take(self, proof: Proof, step: Step) -> str:
        """Take a step of a proof, which rests on all before it alone; says what is wrong there."""
        if step <= self.taken:
            raise ValueError("steps must be taken in ascending order, each once")
        self.taken, (kind, begin, end) = step, step
        earlier = {REFUTED: 0, CLAIMED: begin, STATED: len(proof.claims)}[kind]
        self.refuted = [*proof.refutations[: begin if kind == REFUTED else None]]
        try:
            for claim in proof.claims[self.noted : earlier]:
                self.note_claim(claim)
            for one in proof.refutations[begin:end] if kind == REFUTED else ():
                self.check_refutation(len(self.refuted), one)
                self.refuted.append(one)
            for claim in proof.claims[begin:end] if kind == CLAIMED else ():
                self.check_claim(self.noted, claim)
                self.note_claim(claim)
            if kind == STATED:
                self.check_statement(begin, end)
        except WrongProofError as error:
            return str(error)
        return ""


def steps_of(proof: Proof, guesses: int) -> list[Step]:
    """All that a proof consists of, in order; the last ones may be of no first guess."""
    counts = (len(proof.refutations), 32), (len(proof.claims), 32), (guesses, 256)
    return [
        (kind, begin, min(begin + size, count))
        for kind, (count, size) in enumerate(counts)
        for begin in range(0, count, size)
    ]


def take_steps(proof: Proof, words: Words) -> Callable[[Step], str]:
    """Takes steps in ascending order, each resting on all before it; says what is wrong there."""
    return partial(Checker(proof.statement, words).take, proof)


def check(
    proof: Proof,
    given: Sequence[Sequence[str] | None] = (None, None),
    progress: Callable[[int, int], None] = lambda new, whole: None,
    workers: int = 1,
) -> None:
    """Check a whole proof; WrongProofError, of its first flaw, if it proves nothing."""
    words = words_of(proof.statement, given)
    check_form(proof)
    check_strategy(proof, words)
    steps = steps_of(proof, 1 if proof.statement.start else len(words[0]))
    whole = sum(end - begin for _, begin, end in steps)
    flaws: dict[int, str] = {}
    done = 0
    for number, flaw in _in_turn(steps, (proof, words), workers):
        _, begin, end = steps[number]
        progress(end - begin, whole)
        flaws[number] = flaw
        while done in flaws:
            hold(flaws[done] == "", flaws[done])
            done += 1
    hold(done == len(steps), "some of its steps were not taken")


def _in_turn(
    steps: Sequence[Step], arguments: tuple[Proof, Words], workers: int
) -> Iterator[tuple[int, str]]:
    """The steps as they are done, by number; several workers share them."""
    if workers == 1 or len(steps) == 1:
        yield from enumerate(map(take_steps(*arguments), steps))
        return
    Checker(arguments[0].statement, arguments[1])  # forked workers inherit its board
    with Pool(take_steps, arguments, min(workers, len(steps))) as pool:
        yield from pool.run(steps)
