"""Words of any script and alphabets of all sizes: searched, written, judged, shown, read again."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from solver.errors import WrongInputError
from solver.exact.best_strategy import best_strategy
from solver.exact.kernels.score_table import is_legal, reveal, revealed_by
from solver.exact.problem import Problem
from solver.exact.table_layout import score_table_of
from solver.game.wordle import WordleGame, legal_after
from solver.rules.searcher import Searcher
from solver.splits.measures import split_measures
from solver.splits.ranking import letter_statistics, measures_of
from solver.word_sets.pairs import PairSearch
from solver.words import text as solving
from solver.words.text import LATIN, MOST_LETTERS
from strategy import Strategy, solve, verify
from strategy.checkers import lemmas
from strategy.checkers.lists import words_digest
from strategy.errors import BadFileError
from strategy.files import envelope, strategy_file
from strategy.files import text as filing
from strategy.files.text import capitals, columns_of, is_right_to_left, plain
from strategy.play.game import Hidden, Match
from strategy.play.helper import Helper, InputParser
from strategy.solving.checks import grade_pairs
from tests.support import naive, refused
from tests.support.commands import Knuthle
from tests.support.naive_exact import values_of_guesses
from tests.support.trees import described
from tests.support.worlds import LISTS, MIXED, all_secrets, game_of, made_up, ranked_pairs, words_in

SCRIPTS = sorted(LISTS)


@pytest.fixture
def written(tmp_path: Path, script: str) -> Path:
    path = tmp_path / f"{script}.txt"
    text = "\n".join(map(capitals, words_in(script)))
    path.write_text(text, encoding="utf-8")
    return path


def test_both_rules_of_spelling_are_one() -> None:
    """The checkers' and the solver's agree on characters, and say the same twice."""
    for number in [*range(0x2E80), *range(0x2E80, 0xD800, 37), *range(0xF900, 0x20000, 7)]:
        sign = chr(number)
        spelled = filing.plain(sign)
        assert spelled == solving.plain(sign) == filing.plain(spelled)
        is_word = filing.is_word(spelled)
        assert is_word == (spelled != "" and solving.is_spelled(spelled))
        if is_word and len(spelled) == 1:
            capital = filing.capitals(spelled)
            assert len(capital) == 1 and filing.plain(capital) == spelled


@pytest.mark.parametrize(("typed", "meant"), [
    ("CAN\u0303ON", "cañon"), ("ΛΌΓΟΣ", "λόγοσ"), ("λόγος", "λόγοσ"), ("STRAẞE", "straße"),
    ("İZMİR", "izmir"), ("I\u0307", "i"), ("ırmak", "ırmak"), ("ЁЛКА", "ёлка"),
    ("\u212a\u212b", "kå"),
])  # fmt: skip
def test_words_are_spelled_in_one_way(typed: str, meant: str) -> None:
    assert solving.plain(typed) == plain(typed) == meant and solving.is_spelled(meant)


def test_how_words_look() -> None:
    assert list(map(columns_of, ["crane", "größe", "年月", "שלום", "n\u0303"])) == [5, 5, 4, 4, 1]
    assert list(map(is_right_to_left, ["crane", "größe", "年月", "שלום", "سلام", ""])) == [
        *[False] * 3, True, True, False,
    ]  # fmt: skip
    rows = Match(Hidden(game := game_of(words_in("spanish")), ["cañón"])).keys
    assert "ñ" in rows[-1] and sorted("".join(rows)) == sorted(game.alphabet)
    latin = game_of(["crane", "slate"])
    assert Match(Hidden(latin, ["slate"])).keys == ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    hebrew = game_of(words_in("hebrew"))
    assert "".join(Match(Hidden(hebrew, [hebrew.secrets[0]])).keys) == hebrew.alphabet


@pytest.mark.parametrize("script", SCRIPTS)
def test_all_commands(knuthle: Knuthle, written: Path, script: str, tmp_path: Path) -> None:
    words = sorted(map(plain, words_in(script)))
    file, again = tmp_path / "a.strategy", tmp_path / "b.strategy"
    start = words[0]
    made = knuthle("solve-all", "--list", written, "--start", capitals(start), "--out", file)
    assert made.code == 0, made.err
    assert sorted(Strategy.load(file).secrets) == words
    assert knuthle("verify", file, "--list", written).code == 0
    held = ("--list", written, "--secrets", "allowed", "--game", "wordle")
    for form in ("text", "tree", "json", "csv"):
        text = tmp_path / f"a.{form}"
        for _ in range(2):  # a file may be replaced by its like
            assert knuthle("export", file, "--to", form, "--out", text).code == 0
        read = knuthle("verify", text, *held, "-o", again)
        assert read.code == 0, (form, read.err)
        assert Strategy.load(again).digest == Strategy.load(file).digest
        again.unlink()
    looked_up = knuthle("lookup", file)
    assert capitals(start) in looked_up.out or start in looked_up.out
    proof, best = tmp_path / "a.proof", tmp_path / "best.strategy"
    asked = ("optimal", "--list", written, "--out", best, "--proof", proof, "--workers", 1)
    for hard in ([], ["--hard"]):
        proved = knuthle(*asked, *hard)
        assert proved.code == 0, proved.err
        assert knuthle("check-proof", proof, "--words", written, "--secrets", written).code == 0
        best.unlink()
        proof.unlink()


@pytest.mark.parametrize("script", SCRIPTS)
def test_tables_and_pages(knuthle: Knuthle, written: Path, script: str, tmp_path: Path) -> None:
    game = ("--list", written)
    first, *_, last = sorted(map(plain, words_in(script)))
    for command in (
        ("suggest", *game, first, "b" * len(first)), ("pairs", *game, "--top", 2),
        ("pairs", "--third", *game, "--top", 2), ("openers", *game, "--by", "letters"),
        ("openers", *game, "--top", 3), ("buckets", *game, capitals(first)),
        ("review", *game, first, last, "--secret", last),
    ):  # fmt: skip
        outcome = knuthle(*command)
        assert outcome.code in (0, 2 if command[0] == "suggest" else 0), (command, outcome.err)
    for end in ("svg", "html"):
        card = tmp_path / f"card.{end}"
        outcome = knuthle("cheatsheet", *game, first, "--card", card)
        assert outcome.code == 0, outcome.err
        assert capitals(first) in card.read_text(encoding="utf-8")
    picture = tmp_path / "a.svg"
    outcome = knuthle("buckets", capitals(first), *game, "--plot", picture)
    assert outcome.code == 0 and picture.read_bytes().startswith(b"<svg"), outcome.err
    western = all(letter.encode("cp1252", "ignore") for word in words_in(script) for letter in word)
    card = tmp_path / "card.pdf"
    outcome = knuthle("cheatsheet", *game, first, "--card", card)
    assert (outcome.code, card.exists()) == ((0, True) if western else (2, False)), outcome.err
    assert not western or card.read_bytes().startswith(b"%PDF")
    file, page = tmp_path / "a.strategy", tmp_path / "a.html"
    knuthle("solve-all", *game, "--start", first, "--out", file)
    assert knuthle("explore", file, "--out", page).code == 0
    payload = page.read_text(encoding="ascii").partition('type="application/json">')[2]
    assert set(json.loads(payload.partition("</script>")[0])["words"]) >= set(first)


# --- what is refused ------------------------------------------------------------------------
def respelled(strategy: Strategy, folder: Path, old: str, new: str) -> Path:
    """A file that spells a word in another way, with the digest of its secrets mended."""
    body = strategy_file.to_body(strategy)
    assert old in body["words"]
    body["words"] = body["words"].replace(old, new)
    secrets = sorted({*strategy.secrets} - {old} | {new})
    body["origin"] = body["origin"] | {"secrets_digest": words_digest(secrets)}
    path = folder / "a.strategy"
    path.write_bytes(envelope.pack(envelope.STRATEGY, body))
    return path


@pytest.mark.parametrize(
    "new", ["an\u0303jo", "AÑEJO", "aςejo", "a½ejo", "a\u05b0ejo", "a.ejo", "a ejo"]
)
def test_a_file_with_words_that_are_none(tmp_path: Path, new: str) -> None:
    """The first is apart, and as long."""
    path = respelled(solve(game_of(words_in("spanish"))).strategy, tmp_path, "añejo", new)
    said = "a.strategy: (no words of letters|its words are not in order)"
    refused(BadFileError, said, Strategy.load, path)


def test_a_file_with_too_many_letters(tmp_path: Path) -> None:
    words = [chr(0x4E00 + at) * 2 for at in range(64)]
    strategy = solve(game_of(words)).strategy
    assert verify(strategy).worst
    path = respelled(strategy, tmp_path, words[-1], words[-1][0] + "龍")
    refused(BadFileError, "65 different letters", verify, Strategy.load(path))


# --- at the table -----------------------------------------------------------------------------
def test_digits_are_words_or_scores_by_where_they_stand() -> None:
    game = game_of(words_in("digits"))
    assert game.read_state("01234.11111") == (("01234", 121),)
    assert game.read_state("0123411111 12340 22222") == (("01234", 121), ("12340", 242))
    talk = InputParser(Helper(game))
    assert talk.parse("12121 00000").kind == "clues"
    talk.parse("undo")
    assert talk.parse("12121").kind == "pending"  # on the list: a word
    assert talk.parse("00000").kind == "clues"  # asked for: a score
    talk.parse("new")
    assert talk.parse("00000").kind == "clues"  # not on the list: a score of what was proposed


def test_a_card_in_letters_that_the_font_lacks(knuthle: Knuthle) -> None:
    Path("years.txt").write_text("年月\n年日\n日月\n", encoding="utf-8")
    asked = ("cheatsheet", "年月", "--list", "years.txt", "--card")
    outcome = knuthle(*asked, "a.pdf")
    assert outcome.code == 2 and "the fonts of a PDF have no '年'" in outcome.err
    assert ".svg or .html" in outcome.err
    assert knuthle(*asked, "a.svg").code == 0
    table = knuthle("openers", "--list", "years.txt").out.splitlines()
    before = {columns_of(line[: line.index("1.58")]) for line in table if "1.58" in line}
    assert before == {table[-3].index("1.58") + 2}


SIZES = (2, 10, 27, 33, 64)


def game_with(letters: int, length: int = 5, words: int = 60, seed: int = 0) -> WordleGame:
    found = made_up(letters, min(length, 5) if letters > 2 else length, words, seed)
    return game_of(found, found[::2])


@pytest.mark.parametrize("letters", SIZES)
def test_scores_measures_and_choices(letters: int) -> None:
    game = game_with(letters, 5, 32 if letters == 2 else 60)
    assert game.alphabet == MIXED[:letters] and game.letters.dtype == np.uint8
    for word, row in zip(game.guesses, game.letters, strict=True):
        assert word == "".join(game.alphabet[at] for at in row)
    truth = [[naive.grade(guess, secret) for secret in game.secrets] for guess in game.guesses]
    board = lemmas.new_board(game.guesses, game.secrets, 1, False)
    graded = [[game.grade(guess, secret) for secret in game.secrets] for guess in game.guesses]
    at_once = [grade_pairs([guess] * len(game.secrets), game.secrets) for guess in game.guesses]
    by_row = game.row_source()(all_secrets(game)).T.tolist()
    for scores in (game.score_rows().tolist(), board.scores.T.tolist(), graded, at_once, by_row):
        assert scores == truth
    some = np.arange(0, len(game.guesses), 7, dtype=np.int32)
    assert game.score_rows(some).tolist() == truth[::7]
    rows = split_measures(game.score_rows(), game.n_scores)
    found = measures_of(game, np.arange(len(game.guesses), dtype=np.int32))
    assert all(map(np.array_equal, found, rows))
    for rule in ("minimax", "entropy"):
        grown = described(game, Searcher(game, rule).grow())
        assert grown == list(naive.nodes(game.guesses, game.secrets, rule, secrets=game.secrets))
    game = game_with(letters, 4, 14)
    best = [pair.words for pair in PairSearch(game).best(5).pairs]
    assert best == [words for _, words in ranked_pairs(game, game.guesses)[:5]]


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("letters", SIZES)
def test_exact_search(letters: int, hard: bool) -> None:
    game = game_with(letters, 4, 16, seed=3)
    answer = best_strategy(Problem(game, hard, None))
    best = answer.first_guesses[0]
    values = values_of_guesses(game.guesses, game.secrets, hard=hard)
    assert answer.proved and (best.losses, best.total) == min(values.values())


def test_numbers_of_letters() -> None:
    game = game_of(["crane", "slate"])
    assert game.alphabet == LATIN and game.letters.tolist()[0] == [2, 17, 0, 13, 4]
    words = [chr(0x4E00 + 2 * at) + chr(0x4E01 + 2 * at) for at in range(MOST_LETTERS // 2)]
    assert len(game_of(words).alphabet) == MOST_LETTERS
    refused(WrongInputError, "65 different letters", lambda: game_of([*words, "aa"]).letters)
    # Eleven places, each with all of sixty-four letters.
    words = [(MIXED[at:] + MIXED[:at])[:11] for at in range(64)]
    refused(WrongInputError, "handle this many letters", score_table_of, game_of(words), True)
    assert score_table_of(game_of([word[:10] for word in words]), True).hard
    found = letter_statistics(game_of(["0100", "1101", "1110"]))
    assert found.alphabet == "01" and len(found.spelled) == 4 and set(found.spelled) == {"0", "1"}


@pytest.mark.parametrize(("letters", "length"), [(2, 5), *product(SIZES[1:], (5, 11))])
def test_hard_mode(letters: int, length: int) -> None:
    draw = np.random.default_rng(letters)
    pairs = zip(made_up(letters, 5, 24, 1), made_up(letters, 5, 24, 2), strict=True)
    words = [(one + other + one)[:length] for one, other in pairs]
    game = game_of(sorted(set(words)))
    table = score_table_of(game, True)
    column_of = {int(guess): column for column, guess in enumerate(table.guess) if guess >= 0}
    for _ in range(20):
        secret = int(draw.integers(len(game.secrets)))
        guesses = draw.integers(len(game.guesses), size=2).tolist()
        moves = [(g, naive.grade(game.guesses[g], game.secrets[secret])) for g in guesses]
        shown = revealed_by(table, (column_of[guess] for guess in guesses), secret)
        legal = [g for g in range(len(game.guesses)) if is_legal(table, column_of[g], shown)]
        assert legal == legal_after(game, moves).tolist()
        after = np.zeros_like(shown)
        reveal(table, column_of[guesses[0]], secret, shown, after)
        assert (after == shown).all()  # what was shown once is shown
