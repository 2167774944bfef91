"""The order in which a race looks at first guesses, in plain lists."""

import random
from collections.abc import Callable, Iterator, Sequence

#: The guesses among which promising ones are looked for; how many set the pace, beyond the best.
PROMISING, PACEMAKERS = 128, 3

#: The columns of a task, and what is to be done with them.
Task = tuple[str, list[int]]


class NaiveRace:
    """A race of some columns, whose guesses are numbered; the ``top`` best are to be exact."""

    def __init__(
        self, columns: Sequence[int], guess: Sequence[int], top: int, highest: int, together: int
    ) -> None:
        self.columns, self.guess, self.top = list(columns), list(guess), top
        self.highest, self.together = highest, together
        self.bounds: dict[int, int] = {}
        self.values: dict[int, int] = {}

    @property
    def limit(self) -> int:
        """The last of the best values; without as many the highest of interest."""
        best = sorted(self.values.values())
        return best[self.top - 1] if len(best) >= self.top else self.highest

    def tasks(
        self, bound_of: Callable[[int], int], screened: Callable[[int, int, bool], tuple[int, bool]]
    ) -> Iterator[Task]:
        """All tasks in turn; each is done before the next one is chosen."""

        def screen(kind: str, chosen: list[int]) -> Iterator[Task]:
            yield kind, chosen
            limit = self.limit
            for column in chosen:
                bound, exact = screened(column, limit, kind == "patiently")
                if exact:
                    self.values[column] = bound
                    self.bounds.pop(column, None)
                else:
                    self.bounds[column] = max(bound, self.bounds.get(column, 0))

        first = self.columns[:PROMISING]
        if not first:
            return
        yield "bound", first
        order = sorted(first, key=bound_of)
        few = self.top + PACEMAKERS
        for at in range(0, len(order), few):
            if bound_of(order[at]) > self.limit or (at > 0 and self.values):
                break
            for column in order[at : at + few]:
                if column not in self.values:
                    yield from screen("patiently", [column])
        seen = {*self.values, *self.bounds}
        todo = [column for column in self.columns if column not in seen]
        for at in range(0, len(todo), self.together):
            yield from screen("quickly", todo[at : at + self.together])
        while open_ := [column for column, bound in self.bounds.items() if bound <= self.limit]:
            least = min(open_, key=lambda column: (self.bounds[column], self.guess[column]))
            yield from screen("patiently", [least])


class Made:
    """Guesses with made-up bounds and values, some of which only patience finds out."""

    def __init__(self, dice: random.Random, count: int) -> None:
        self.bounds = [dice.randint(10, 40) for _ in range(count)]
        self.values = [bound + dice.choice([0, 0, 1, 3, 9, 1 << 32]) for bound in self.bounds]
        self.hard = [dice.random() < 0.4 for _ in range(count)]

    def screened(self, column: int, limit: int, patient: bool) -> tuple[int, bool]:
        bound, value = self.bounds[column], self.values[column]
        if bound > limit or (self.hard[column] and not patient):
            return bound, False
        return (value, True) if value <= limit else (limit + 1, False)
