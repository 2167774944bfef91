"""Foreign text reaches the terminal escaped."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from strategy.files import envelope, strategy_file
from strategy.files.text import is_name, printable, quoted
from strategy.proofs import proof_file
from tests.support.commands import Knuthle
from tests.support.proof_worlds import alike, proof_of, strategy_of

#: Clears the screen, sets the title, turns text round, begins a line.
EVIL = "\x1b[2J\x1b]0;title\x07\u202e\u2028\x9b31m\nPROVED  original answers\r"


@given(st.text())
def test_whatever_is_shown_is_plainly_visible(text: str) -> None:
    assert printable(text).isprintable() and quoted(text).isprintable()
    assert len(printable(text, 5)) <= 5 * 10
    if text.isprintable():
        assert printable(text) == text


def test_what_is_shown_can_be_told_apart() -> None:
    assert printable("a\x1b[31m\u202e\udc80") == r"a\x1b[31m\u202e\udc80"
    assert printable("\u00e9t\u00e9 \U0001f7e9") == "\u00e9t\u00e9 \U0001f7e9"
    assert printable("abcdef", 4) == "abc\u2026" and printable("abcd", 4) == "abcd"
    assert quoted("x" * 1000) == f"'{'x' * 199}\u2026'"


@given(st.text(min_size=1))
def test_names_are_one_line(text: str) -> None:
    if is_name(text):
        assert len(text.splitlines()) == 1
        assert not set(text) & set("/\\\x1b\x9b\u202e\u200b")


def test_nothing_in_a_file_reaches_the_terminal_raw(knuthle: Knuthle, tmp_path: Path) -> None:
    game = alike(0, 12, 7)
    proof = proof_of(game)
    body = strategy_file.to_body(strategy_of(game))
    stated = proof_file.to_body(proof)
    heads = [
        {key: EVIL}
        for key in ("list_name", "secrets_name", "guesses_digest", "game", "rule", "guess_from")
    ] + [{EVIL: 1}, {"claim": {EVIL: EVIL, "objective": [EVIL, {EVIL: 1}]}}, {"start": [EVIL]}]
    bodies = [(envelope.STRATEGY, body | {EVIL: 1}), (envelope.STRATEGY, body | {"digest": EVIL})]
    bodies += [(envelope.STRATEGY, body | {"origin": body["origin"] | head}) for head in heads]
    for key in stated["statement"]:
        changed = stated["statement"] | {key: EVIL}
        bodies.append((envelope.PROOF, stated | {"statement": changed}))
    bodies += [(envelope.PROOF, stated | {"shown": [EVIL]}), (envelope.FINDINGS, {EVIL: EVIL})]
    bodies += [(envelope.FINDINGS, {"found": [], EVIL: EVIL, "game": EVIL})]
    (tmp_path / "words").write_text("\n".join(game.guesses))
    for number, (kind, changed) in enumerate(bodies):
        path = tmp_path / f"{number}{EVIL}"
        path.write_bytes(envelope.pack(kind, changed))
        for command in (
            ("verify", path), ("check-proof", path, "--words", tmp_path / "words"),
            ("export", path, "--out", "x"), ("lookup", path),
        ):  # fmt: skip
            outcome = knuthle(*command)
            assert (outcome.out + outcome.err).replace("\n", "").isprintable(), (command, changed)
        path.unlink()
        Path("x").unlink(missing_ok=True)
