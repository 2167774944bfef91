"""A search of pairs in strides, one after the other, by this process or by several.

A stride is a run of guesses that take the part of A. Strides are answered in their order, however
many processes work on them, so what comes of them is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from typing import Generic, NamedTuple, Protocol, TypeVar, overload

from ..machine.pool import Pool

#: Guesses that take the part of A between two reports of progress.
STRIDE = 64
#: The first stride is cut in pieces of so many.
_PIECE = 8

#: Told how many more of all guesses have taken the part of A.
Told = Callable[[int, int], None]
#: From which guess to before which one.
Span = tuple[int, int]
#: Lets the guesses from one to another be A, and says whether no later one has to.
Search = Callable[[int, int], bool]
T = TypeVar("T")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Stride(NamedTuple, Generic[R]):
    """What a stride of a search of pairs has found, and the guesses that took the part of A."""

    span: Span
    result: R


class InStrides(Protocol[T, R_co]):
    """A search of pairs in strides. Processes that do not inherit it are sent a recipe of it."""

    def task(self, span: Span) -> T:
        """What has to be known for a stride of the search, asked for when it begins."""

    def take(self, task: T) -> R_co:
        """What one stride of the search finds."""


def ignore_strides(_new: int, _whole: int) -> None:
    """A listener to the progress of a search of pairs that ignores it."""


def search_all(search: Search, whole: int, told: Told) -> None:
    """For pairs, let all guesses be A, stride by stride, until no later one has to be.

    After each stride an interrupt is heard.
    """
    for first in range(0, whole, STRIDE):
        last = min(first + STRIDE, whole)
        done = search(first, last)
        told(whole - first if done else last - first, whole)
        if done:
            break


def strides(searcher: InStrides[T, R], first: int, whole: int, workers: int) -> Iterator[Stride[R]]:
    """The strides of a search of pairs from a guess on, in order, as long as somebody listens.

    The first stride is cut in pieces, and one of them is taken here in any case: it compiles the
    kernels, once, before there are workers that would all compile them. A worker begins with what
    the searcher has by then.
    """
    begins = [*range(first, min(first + STRIDE, whole), _PIECE)]
    begins += [*range(first + STRIDE, whole, STRIDE), whole]
    spans = list(pairwise(begins))
    here = len(spans) if workers == 1 else min(1, len(spans))
    for span in spans[:here]:
        yield Stride(span, searcher.take(searcher.task(span)))
    if spans[here:]:
        with closing(_by_workers(searcher, spans[here:], workers)) as others:
            yield from others


def _by_workers(searcher: InStrides[T, R], spans: list[Span], workers: int) -> Generator[Stride[R]]:
    """The strides of a pool, in order; a worker that nobody listens to any more is ended."""
    waiting: dict[int, R] = {}
    following = 0
    with Pool[T, R](_taker, (searcher,), min(workers, len(spans))) as pool:
        for number, result in pool.run(_Tasks(searcher, spans)):
            waiting[number] = result
            while following in waiting:
                yield Stride(spans[following], waiting.pop(following))
                following += 1


def _taker(searcher: InStrides[T, R]) -> Callable[[T], R]:
    """What a worker answers tasks with: the searcher it inherited, or was sent the recipe of."""
    return searcher.take


class _Tasks(Sequence[T]):
    """The tasks of some strides, made when they are handed out."""

    def __init__(self, searcher: InStrides[T, R], spans: list[Span]) -> None:
        self._searcher: InStrides[T, R] = searcher
        self._spans = spans

    def __len__(self) -> int:
        return len(self._spans)

    @overload
    def __getitem__(self, number: int) -> T: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[T]: ...
    def __getitem__(self, number: int | slice) -> T | Sequence[T]:
        if isinstance(number, slice):
            return [self._searcher.task(span) for span in self._spans[number]]
        return self._searcher.task(self._spans[number])
