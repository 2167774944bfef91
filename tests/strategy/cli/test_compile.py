"""``knuthle compile``: prepared beforehand, cleared, and refused."""

import json
from pathlib import Path

import pytest

from solver.machine import cache
from tests.support import needs_compiler
from tests.support.commands import Knuthle

pytestmark = needs_compiler


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "kernel_folder", cache.kernel_folder.__wrapped__)


def test_prepared_once_then_cleared(knuthle: Knuthle) -> None:
    first, again, cleared, none = (
        knuthle("compile", *words, "--json", "-")
        for words in (["buckets"], ["buckets"], ["--clear"], ["--clear"])
    )
    count = json.loads(first.out)["n_kernels"]
    assert count > 2
    assert json.loads(first.out) == {"n_compiled": count, "n_kernels": count, "n_removed": 0}
    assert first.err.startswith("compiling, this once: ")
    assert json.loads(again.out) == {"n_compiled": 0, "n_kernels": count, "n_removed": 0}
    assert again.err == ""
    assert json.loads(cleared.out)["n_removed"] == count
    assert json.loads(none.out) == dict.fromkeys(json.loads(first.out), 0)


def test_wrong_input(knuthle: Knuthle) -> None:
    unknown = knuthle("compile", "bukets")
    assert unknown.code == 2
    assert unknown.err.startswith("knuthle compile: 'bukets' compiles nothing")
    assert knuthle("compile", "--workers", "0").code == 2


def test_without_a_safe_folder(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "kernel_folder", lambda: None)
    outcome = knuthle("compile", "buckets")
    assert outcome.code == 3 and "NUMBA_CACHE_DIR" in outcome.err
    assert knuthle("compile", "--clear").out == "removed 0 compiled kernels\n"
