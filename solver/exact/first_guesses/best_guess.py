"""Which guess is best in a state, with proof: every guess settled or excluded.

Guesses are screened in batches, those with the most parts first. Whatever is not excluded at a
glance is searched with the best total so far as its limit; guesses with a hard bucket wait until
the others have lowered it. Workers take batches as they become free and always get the latest
limit. What is reported does not depend on who was first: all totals within the final limit are
exact, and all other guesses are known to be above it.
"""

from __future__ import annotations

from collections.abc import Callable

from ...tree import Tree
from .schedule import Course
from .standings import FirstGuesses
from .workbench import BATCH, Workbench
from .workers import Helpers, Workers

#: Called after every task with what is known, if anything is, and how many guesses there are.
Progress = Callable[[FirstGuesses, int], None]


def settle(
    state: FirstGuesses,
    bench: Workbench,
    workers: int | Helpers = 1,
    progress: Progress = lambda state, count: None,
    check_time: Callable[[], None] = lambda: None,
    planned: bool = False,
) -> dict[int, Tree]:
    """Settle or exclude every first guess of a problem; ``state`` is complete after it.

    An interrupt or a time limit leaves in ``state`` what is known by then. With ``planned`` the
    best guesses get their strategies.
    """
    alone = isinstance(workers, int) and len(bench.columns) <= BATCH
    with Workers(bench, 1 if alone else workers) as pool:
        course = Course(state, bench, pool.count, planned)
        for _ in pool.run(course):
            if state.found:
                progress(state, len(bench.columns))
            check_time()
    return course.plans
