"""Another checker of proofs, written from docs/proof-format.md alone: slow, short, plain Python.

It takes the body of a file whose strategy has been played. What it accepts and refuses must be what
``check-proof`` accepts and refuses.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from solver.game.game import Game

from .naive import grade, pegs
from .naive import split as split_by
from .naive_proof import LOSS, UNLIMITED, legal_in, pool_of

State = tuple[frozenset[str], int, str]
#: A symmetry: the image of each code.
Codes = dict[str, str]


class NaiveChecker:
    """Goes through a body in the order of the file."""

    def __init__(self, body: dict[str, Any], game: Game) -> None:
        self.stated = body["statement"]
        guess_from = self.stated.get("guess_from", "allowed")
        self.consistent = guess_from == "candidates"
        self.game = pool_of(game, guess_from, self.stated["start"])
        self.hard = self.stated["hard"]
        self.worst = self.stated["objective"] == "worst"
        self.price = 0 if self.worst else 1
        self.refuted: list[tuple[frozenset[str], int]] = []
        self.claims: list[tuple[State, int]] = []
        self.body = body
        self.grader = pegs if self.stated["game"] != "wordle" else grade
        everything = [len(self._split(guess, game.secrets)) for guess in game.guesses]
        self.others = len(game.secrets) if self.grader is grade else max(everything) - 1

    def _split(self, guess: str, members: Iterable[str]) -> dict[int, list[str]]:
        return split_by(guess, sorted(members), self.grader)

    def _undivided(self, guess: str, members: frozenset[str]) -> bool:
        return len(self._split(guess, members)) == 1

    def accepts(self) -> bool:
        """Steps 4 to 6."""
        refutations = all(self._refutation(*found) for found in self._listed_refutations())
        claims = all(self._claim(*found) for found in self._listed_claims())
        return refutations and claims and self._statement()

    # --- refutations ----------------------------------------------------------------------

    def _listed_refutations(self) -> Iterator[tuple[frozenset[str], int, list[int]]]:
        numbers = numbers_of(self.body["refutations"])
        for _ in range(self.body["refutation_count"]):
            count, left = next(numbers), next(numbers)
            members = self._set(numbers, count)
            yield members, left, ascending(numbers, next(numbers))

    def _refutation(self, members: frozenset[str], left: int, cites: list[int]) -> bool:
        cited = [self.refuted[at] for at in cites]
        self.refuted.append((members, left))
        fits = all(part <= members and more >= left - 1 for part, more in cited)
        return (
            fits
            and len(members) > 1
            and all(
                left == 1
                or (left == 2 and len(self._split(guess, members)) < len(members))
                or any(
                    self._undivided(guess, part) for part in (members, *(part for part, _ in cited))
                )
                for guess in self.game.guesses
            )
        )

    # --- claims ---------------------------------------------------------------------------

    def _listed_claims(self) -> Iterator[tuple[State, int, list[Codes], list[Codes]]]:
        numbers = numbers_of(self.body["claims"])
        for _ in range(self.body["count"]):
            count, left, shown, losses, total = (next(numbers) for _ in range(5))
            members = self._set(numbers, count)
            state = members, left or UNLIMITED, self.body["shown"][shown]
            named: list[list[Codes]] = [[], []]
            for symmetries in named if self.grader is pegs else ():
                places = ascending(numbers, next(numbers))
                symmetries += [self._symmetry(self.body["symmetries"][at]) for at in places]
            yield state, losses * LOSS + total, named[0], named[1]

    def _symmetry(self, packed: bytes) -> Codes:
        """The image of every code; nothing if it is none."""
        length = self.game.length
        holes, colours = packed[:length], packed[length:]
        signs = sorted({*"".join(self.game.secrets)})
        if sorted(holes) != [*range(length)] or sorted(colours) != [*range(len(signs))]:
            return {}
        return {
            code: "".join(signs[colours[signs.index(code[hole])]] for hole in holes)
            for code in self.game.secrets
        }

    def _claim(
        self, state: State, value: int, symmetries: list[Codes], images: list[Codes]
    ) -> bool:
        if not self._is_shown(state[2]) or not all(symmetries) or not all(images):
            return False
        members, left, shown = state
        fixed = all({to[code] for code in members} == members for to in symmetries)
        holds = fixed and self._follows(state, value, self._first_of_each(symmetries))
        for sets in (members, *(frozenset(to[code] for code in members) for to in images)):
            self.claims.append(((sets, left, shown), value))
        return holds

    def _first_of_each(self, symmetries: list[Codes]) -> set[str]:
        """Of all guesses that symmetries map to each other, the first."""
        found: set[str] = set()
        reached: set[str] = set()
        for guess in self.game.guesses:
            if guess in reached:
                continue
            found.add(guess)
            todo = [guess]
            while todo:
                code = todo.pop()
                if code not in reached:
                    reached.add(code)
                    todo += [to[code] for to in symmetries]
        return found

    def _is_shown(self, text: str) -> bool:
        """Whether it is something that hard mode can show, or nothing without hard mode."""
        greens, bar, letters = text.partition("|")
        length = self.game.length
        well_formed = (len(greens), bar) == (length, "|") and len(letters) <= length
        return well_formed and [*letters] == sorted(letters) if self.hard else not text

    def _follows(self, state: State, value: int, among: Iterable[str]) -> bool:
        """Theorem 1, for the guesses that symmetry leaves."""
        members = state[0]
        return all(
            self._lemma_2(state, guess) >= value or self._lemma_6(state, guess) >= value
            for guess in self._legal(state)
            if guess in among and (not self._undivided(guess, members) or members == {guess})
        )

    def _legal(self, state: State) -> list[str]:
        """The guesses that may be made: where only candidates may be, the members."""
        members, _, shown = state
        legal = legal_in(shown, self.game)
        return [guess for guess in legal if guess in members or not self.consistent]

    def _lemma_1(self, count: int, left: int) -> int:
        return self._by_depth(count, 1, self.others, left)

    def _lemma_2(self, state: State, guess: str) -> int:
        members, left, _ = state
        hit = guess in members
        others = len(self._split(guess, members)) - hit
        return self._by_depth(len(members), int(hit), others, left)

    def _by_depth(self, count: int, first: int, second: int, left: int) -> int:
        """``first`` candidates take one guess, ``second`` two, ``others`` times as many three."""
        depths: list[int] = [1] * first
        number = second
        while len(depths) < count:
            depths += [depths[-1] + 1 if depths else 2] * min(number, count)
            number *= self.others
        depths = depths[:count]
        return sum(depths) * self.price + LOSS * sum(depth > left for depth in depths)

    def _lemma_6(self, state: State, guess: str) -> int:
        members, left, shown = state
        then = UNLIMITED if left in (1, UNLIMITED) else left - 1
        total = len(members) * self.price
        for bucket in self._split(guess, members).values():
            if bucket != [guess]:
                below = self._shown_after(shown, guess, bucket[0])
                of_all = len(members) == len(self.game.secrets)
                total += self._bound((frozenset(bucket), then, below), of_all)
                total += len(bucket) * LOSS * (left == 1)
        return total

    def _bound(self, state: State, of_all: bool) -> int:
        """The best of Lemma 1, and from three candidates on the claims and the one-step bound.

        ``of_all``: of a bucket of all secrets, where Lemma 13 counts.
        """
        members, left, shown = state
        bounds = [self._lemma_1(len(members), left)]
        if of_all and not (self.hard or self.consistent):
            bounds += [
                value + (len(members) - len(claimed)) * self.price
                for (claimed, more, _), value in self.claims
                if claimed <= members and len(claimed) > 1 and more >= left
            ]
        if len(members) > 2:
            bounds.append(
                min((self._lemma_2(state, guess) for guess in self._legal(state)), default=1 << 60)
            )
            bounds += [
                value
                for (claimed, more, asked), value in self.claims
                if claimed == members and more >= left and requires_no_more(asked, shown)
            ]
        return max(bounds)

    def _shown_after(self, shown: str, guess: str, secret: str) -> str:
        """What hard mode has shown once the guess is made, too."""
        if not self.hard:
            return ""
        greens, _, letters = shown.partition("|")
        kept = (g if g == s else old for g, s, old in zip(guess, secret, greens, strict=True))
        copies = {x: letters.count(x) for x in letters}
        for x in guess:
            copies[x] = max(copies.get(x, 0), min(guess.count(x), secret.count(x)))
        return "".join(kept) + "|" + "".join(x * copies[x] for x in sorted(copies))

    # --- the statement --------------------------------------------------------------------

    def _statement(self) -> bool:
        stated, game = self.stated, self.game
        left = stated["limit"] or UNLIMITED
        start = stated["start"]
        if start and start not in game.guesses:
            return False
        for members, enough in self.refuted if self.worst else ():
            if enough >= left or (start and enough >= left - 1 and self._undivided(start, members)):
                return True
        nothing = "." * game.length + "|" if self.hard else ""
        state = (frozenset(game.secrets), left, nothing)
        value = stated["losses"] * LOSS + stated["total"]
        if start:
            return self._lemma_6(state, start) >= value
        return self._follows(state, value, self._openers())

    def _openers(self) -> Iterable[str]:
        """The guesses, of codes one of each pattern: the first in which colours come in order."""
        guesses = self.game.guesses
        if self.grader is grade:
            return guesses
        patterns = {}
        for guess in reversed(guesses):
            patterns[tuple(sorted(map(guess.count, {*guess})))] = guess
        return patterns.values()

    def _set(self, numbers: Iterator[int], count: int) -> frozenset[str]:
        return frozenset(self.game.secrets[at] for at in ascending(numbers, count))


def numbers_of(packed: bytes) -> Iterator[int]:
    """Seven bits a byte, the lowest first."""
    number = shift = 0
    for byte in packed:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0


def ascending(numbers: Iterator[int], count: int) -> list[int]:
    """From differences, the first from −1."""
    found = [-1]
    for _ in range(count):
        found.append(found[-1] + next(numbers))
    return found[1:]


def requires_no_more(looser: str, tighter: str) -> bool:
    greens, _, letters = looser.partition("|")
    kept, _, more = tighter.partition("|")
    return all(a in (".", b) for a, b in zip(greens, kept, strict=True)) and all(
        letters.count(x) <= more.count(x) for x in letters
    )
