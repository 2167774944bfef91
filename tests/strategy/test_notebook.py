"""What notebooks show: strategies, their states, splits."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from solver.game.load import load_game
from strategy import buckets, solve
from strategy.errors import UnknownStateError
from strategy.files.notebook import Bar, bars_svg, paragraph, table_html
from tests.support.worlds import some_world


def test_a_strategy_shows_its_figures() -> None:
    strategy = solve(load_game(["abide", "crane", "raise", "slate", "stare"])).strategy
    shown = strategy._repr_html_()
    assert "5 secrets, worst 2, total 9, mean 1.8000" in shown
    assert ElementTree.fromstring(f"<div>{shown}</div>").find(".//*[@role='img']") is not None


def test_states_show_what_can_follow() -> None:
    for seed in range(4):
        strategy = solve(some_world(random.Random(seed), 15, 40)).strategy
        for node in range(0, strategy.nodes, 3):
            history = strategy.history_of(node)
            state = strategy.state(history)
            assert state.guess == strategy.next_guess(history)
            assert list(state.remaining) == strategy.remaining(history)
            assert sum(count for _, count, _ in state.replies) == len(state.remaining)
            for text, count, then in state.replies:
                after = [*history, (state.guess, text)]
                if then is None:
                    assert state.guess in state.remaining
                    continue
                assert strategy.next_guess(after) == then
                assert len(strategy.remaining(after)) == count
            ElementTree.fromstring(f"<div>{state._repr_html_()}</div>")
    text = ".".join(f"{word}.{score}" for word, score in strategy.state(history).history)
    assert strategy.state(text) == strategy.state(history)
    with pytest.raises(UnknownStateError):
        strategy.state("zzzzz.bbbbb")


def test_splits_show_themselves() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"])
    drawn = ElementTree.fromstring(buckets(game, "abide")._repr_svg_())
    assert "ABIDE: 5 secrets, 3 buckets" in "".join(drawn.itertext())


def test_what_is_foreign_is_text() -> None:
    wild = '<script>alert("x")</script>&'
    for markup in (
        bars_svg([Bar(wild, 1, wild), Bar("", 0, "")], wild),
        table_html([wild], [[wild]]),
        paragraph(wild, wild),
        bars_svg([], "none"),
    ):
        assert "<script" not in markup
        ElementTree.fromstring(markup)
