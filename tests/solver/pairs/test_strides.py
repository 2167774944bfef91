"""Strides of a search: in order for any number of workers, and nobody is left when it is enough."""

from __future__ import annotations

import multiprocessing
import os
import signal
from itertools import pairwise

import pytest

from solver.errors import CouldNotFinishError
from solver.pairs.strides import STRIDE, Span, strides


class Counting:
    """Answers with the span, the task of its time, and the process."""

    def __init__(self, killed: int = -1) -> None:
        self.heard, self.killed = 0, killed

    def task(self, span: Span) -> tuple[Span, int]:
        return span, self.heard

    def take(self, task: tuple[Span, int]) -> tuple[Span, int, int]:
        span, heard = task
        if span[0] == self.killed:
            os.kill(os.getpid(), signal.SIGKILL)
        return span, heard, os.getpid()


@pytest.mark.parametrize("whole", [0, 1, 7, STRIDE, STRIDE + 1, 5 * STRIDE + 3])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_strides_come_in_order(whole: int, workers: int) -> None:
    searcher = Counting()
    taken = []
    for span, (told, heard, process) in strides(searcher, 0, whole, workers):
        assert told == span
        assert heard <= searcher.heard
        assert (process == os.getpid()) == (workers == 1 or span[0] == 0)
        searcher.heard += 1
        taken.append(span)
    assert [first for first, _ in taken[:1]] == [0][:whole]
    assert [last for _, last in taken[-1:]] == [whole][:whole]
    assert all(one[1] == other[0] for one, other in pairwise(taken))
    assert {last for _, last in taken} >= set(range(STRIDE, whole, STRIDE))
    assert not multiprocessing.active_children()


def test_who_has_heard_enough_leaves_no_worker() -> None:
    for span, _ in strides(Counting(), 2 * STRIDE, 100 * STRIDE, 2):
        if span[1] >= 4 * STRIDE:
            break
    assert not multiprocessing.active_children()


def test_a_worker_that_is_killed_ends_the_search() -> None:
    searcher = Counting(killed=2 * STRIDE)
    with pytest.raises(CouldNotFinishError, match="a worker process died in task .*SIGKILL"):
        list(strides(searcher, 0, 9 * STRIDE, 2))
    assert not multiprocessing.active_children()
