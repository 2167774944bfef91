"""Interrupts that Python would lose."""

from __future__ import annotations

import signal
import time

import pytest

from strategy.cli import interrupt

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")


def test_an_interrupt_from_before_the_wait_breaks_it() -> None:
    with interrupt.remembered():
        with pytest.raises(KeyboardInterrupt), interrupt.heeded_soon():
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)  # and what it raised was dropped
            time.sleep(60)
        assert interrupt.ending() == ("interrupted", 130)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_a_timer_of_somebody_else_is_left_alone() -> None:
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        with interrupt.heeded_soon():
            assert signal.getsignal(signal.SIGALRM) == signal.SIG_IGN
            assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    finally:
        signal.signal(signal.SIGALRM, before)
