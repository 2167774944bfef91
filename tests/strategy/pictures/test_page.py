"""The page of a strategy: small, the same every time, whole, and nothing but itself in it."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from solver.game.load import load_game
from strategy.build.by_rule import Settings, Solved, solve
from strategy.errors import OutputError
from strategy.exports import summary
from strategy.pictures.page import page_of
from strategy.tree import Strategy
from tests.support import ROOT
from tests.support.pages import HOSTILE_NAME, HOSTILE_WORDS, Page, hostile, unpacked
from tests.support.worlds import game_of

PARTS = ROOT / "strategy" / "pictures" / "page"
MOST_BYTES = 400_000


def small() -> Strategy:
    words = "abide adieu arise crane raise slate stare trace baker".split()
    return solve(game_of(words)).strategy


def long_words() -> Strategy:
    """Scores of seven letters need two digits, and one opener is no secret."""
    words = "abalone cabbage academy already balance because cabinet".split()
    return solve(game_of(words, words[2:]), Settings(start=("abalone",))).strategy


def pegs() -> Strategy:
    return solve(load_game("original", "allowed", "mastermind:3x4")).strategy


MAKERS = pytest.mark.parametrize("make", [small, long_words, pegs])


@MAKERS
def test_the_page_holds_the_strategy(make: Callable[[], Strategy]) -> None:
    strategy = make()
    payload = Page(page_of(strategy)).payload
    found = unpacked(payload)
    assert found.word == [strategy.words[guess] for guess in strategy.guess]
    assert found.depth == list(strategy.depth)
    assert found.parent == list(strategy.parent)
    assert found.score == list(strategy.score)
    assert found.hit == list(strategy.hit)
    assert payload["about"] == summary(strategy)
    assert payload["game"] == strategy.origin.game


def test_all_allowed_words_fit(lares: Solved) -> None:
    page = page_of(lares.strategy)
    assert len(page.encode()) <= MOST_BYTES
    found = unpacked(Page(page).payload)
    solved = {word: depth for word, depth, hit in zip(*found[:2], found.hit, strict=True) if hit}
    assert solved == {
        word: lares.strategy.depth[node] for word, node in lares.strategy.solved_at.items()
    }
    assert found.parent == list(lares.strategy.parent)
    assert found.score == list(lares.strategy.score)


@MAKERS
def test_equal_strategies_give_equal_pages(make: Callable[[], Strategy]) -> None:
    assert page_of(make()) == page_of(make())


def test_no_page_knows_where_or_when_it_was_made() -> None:
    page = page_of(small())
    assert str(ROOT) not in page
    assert not re.search(r"20\d\d-\d\d-\d\d", page)


@MAKERS
def test_the_policy_allows_the_parts_of_the_page_and_nothing_else(
    make: Callable[[], Strategy],
) -> None:
    page = Page(page_of(make()))
    _, script = page.text_of("script")
    (style,) = page.text_of("style")
    said = dict(part.split(" ", 1) for part in page.policy.split("; "))
    assert said == {
        "default-src": "'none'",
        "script-src": source(script),
        "style-src": source(style),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }


def source(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def test_nothing_leads_out_of_the_page() -> None:
    page = Page(page_of(small()))
    for _, attributes in page.tags:
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert not {"src", "srcset", "action", "integrity"} & set(attributes)
        href = attributes.get("href") or "#"
        assert href.startswith(("#", "data:image/svg+xml,"))
    for name in (*sorted(PARTS.glob("*.js")), PARTS / "page.css"):
        text = name.read_text(encoding="utf-8")
        assert not re.search(r"https?:|@import|url\(|</", text), name
        sinks = r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|fetch\("
        assert not re.search(sinks, text), name


def test_every_part_is_in_the_page() -> None:
    page = page_of(small())
    for path in PARTS.iterdir():
        if path.suffix in (".js", ".css"):
            lines = [
                line for line in path.read_text(encoding="utf-8").splitlines() if line.isascii()
            ]
            assert [line for line in lines if line not in page] == []
    assert "{{" not in page


def test_no_way_through_a_pipe_can_change_a_page() -> None:
    assert page_of(hostile(small())).isascii()


def test_hostile_words_and_names_are_no_markup() -> None:
    strategy = hostile(small())
    plain, page = Page(page_of(small())), Page(page_of(strategy))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert unpacked(page.payload).word == [strategy.words[guess] for guess in strategy.guess]
    assert set(unpacked(page.payload).word) <= set(HOSTILE_WORDS)
    assert page.payload["about"]["list"] == HOSTILE_NAME
    assert "".join(page.text_of("title")).endswith(f"by {HOSTILE_NAME}")


def test_games_of_a_rule_of_ones_own_have_no_page() -> None:
    strategy = small()
    with pytest.raises(OutputError, match="knows? the rules"):
        page_of(replace(strategy, origin=replace(strategy.origin, game="chess")))


def test_a_page_is_made_without_numpy() -> None:
    program = "import sys, strategy.pictures.page; print('numpy' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout == "False\n"
