"""Reviews against a plain-Python twin, odd games, grids, diaries, and files of weights."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.advice.hindsight import GuessValue, Insight
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from strategy.errors import BadFileError
from strategy.play import review as reviews
from strategy.play.grids import read_shared, review_grid
from strategy.play.review import Review, Reviewer, read_game, review, with_unknown
from strategy.play.weights import WeightSource, weighted_game
from tests.support import naive, naive_review, refused
from tests.support.worlds import game_of, some_world

WORDS = ["abide", "crane", "raise", "slate", "stare"]
STRUT = "crane.bybbb.sloth.gbbyb.strut.ggggg"


def test_scores_may_be_texts_as_in_suggest() -> None:
    game = load_game(WORDS)
    score = game.grade("abide", "crane")
    steps = [("ABIDE", game.format_score(score)), ("crane", game.solved)]
    assert review(game, steps) == review(game, [("abide", score), ("crane", game.solved)])
    refused(WrongInputError, "the score 'bb' ", review, game, [("abide", "bb")])


@pytest.fixture(scope="module")
def answers() -> Game:
    return load_game("nyt-2026")


@pytest.fixture(scope="module")
def strut(answers: Game) -> Review:
    return review(answers, STRUT, time_limit=None)


def played_game(
    game: Game, dice: random.Random, hard: bool, is_open: bool = False
) -> tuple[tuple[str, int], ...]:
    """A game as somebody plays who guesses at random; an open one without what solved it."""
    secret, legal = dice.choice(game.secrets), list(game.guesses)
    steps: list[tuple[str, int]] = []
    while len(steps) < dice.randint(1, 5) and (not steps or steps[-1][1] != game.solved):
        guess = dice.choice([*legal, secret])
        steps.append((guess, game.grade(guess, secret)))
        if hard:
            legal = [word for word in legal if naive.may_follow(word, guess, secret)]
    return tuple(it for it in steps if it[1] != game.solved or not is_open)


def assert_same(found: Review, rows: list[dict[str, Any]]) -> None:
    assert len(found.guesses) == len(rows)
    for guess, row in zip(found.guesses, rows, strict=True):
        assert guess.exact and guess.best in row["best"]
        for name in row.keys() - {"best"}:
            said, value = getattr(guess, name), row[name]
            assert said == (value if isinstance(said, str) else pytest.approx(value, abs=1e-9))
        for better in guess.better:
            assert better.expected < guess.expected
    for name in ("skill", "extra_bits", "luck_guesses"):
        total = sum(row[name] for row in rows) / (len(rows) if name == "skill" else 1)
        assert getattr(found, name) == pytest.approx(total, abs=1e-9)


def test_perfect_is_only_what_could_not_have_been_better(strut: Review) -> None:
    best = replace(strut.guesses[0], expected=3.5, best_expected=3.5, skill=100.0, better=())
    nearly = replace(best, expected=3.503, skill=99.7)
    perfect, very_well = (replace(strut, guesses=some) for some in ((best,) * 3, (best, nearly)))
    assert perfect.perfect and perfect.sentence.startswith("Perfectly played")
    assert not very_well.perfect and very_well.sentence.startswith("Very well played")


def twin(game: Game, found: Review, weights: Mapping[str, float], hard: bool = False) -> Any:
    return naive_review.review(game.guesses, weights, found.state, hard)


@pytest.mark.parametrize("hard", [False, True])
def test_every_figure_by_plain_python(hard: bool) -> None:
    dice = random.Random(3)
    for _ in range(12):
        game = some_world(dice, 6, 22)
        found = review(game, played_game(game, dice, hard), hard=hard)
        assert_same(found, twin(game, found, dict.fromkeys(game.secrets, 1.0), hard))


def test_every_figure_over_weights_by_plain_python() -> None:
    dice = random.Random(4)
    for _ in range(8):
        world = some_world(dice, 6, 22)
        names = dice.sample(world.secrets, min(10, len(world.secrets)))
        weights = {name: dice.choice([0.5, 1.0, 3.0, 20.0]) for name in names}
        game, by_secret, *_ = weighted_game(world, weights)
        found = review(game, played_game(game, dice, False), weights=by_secret)
        assert_same(found, twin(game, found, weights))
    game = load_game(spec="mastermind:2x4")
    found = review(game, "12 0,1 31 1,0 33 0,0")
    weights = dict.fromkeys(game.secrets, 1.0)

    def pegs(guess: str, secret: str) -> int:
        return naive.pegs(guess, secret)

    assert_same(found, naive_review.review(game.guesses, weights, found.state, grader=pegs))


@pytest.mark.slow
def test_a_game_of_the_size_that_people_play(answers: Game, strut: Review) -> None:
    """Five secrets and 14,855 words: the twin looks through all that can follow."""
    first, second, third = strut.guesses
    left = list(answers.secrets)
    for guess in strut.guesses:
        parts = naive.split(guess.word, left)
        sizes = [len(part) for part in parts.values()]
        after = parts[guess.score]
        assert (guess.before, guess.after) == (len(left), len(after))
        bits = np.log2(len(left) / len(after)) - naive.entropy(sizes)
        assert guess.extra_bits == pytest.approx(bits, abs=1e-9)
        left = after
        if guess is second:
            ahead = naive_review.Ahead(answers.guesses, dict.fromkeys(left, 1.0))
            best = ahead.best(frozenset(left), answers.guesses)
            mine = ahead.expected("strut", frozenset(left), answers.guesses)
    assert (third.best, third.best_expected) in {(word, float(v)) for word, v in best.items()}
    assert third.expected == pytest.approx(float(mine))
    assert {row.word for row in third.better} <= set(best)
    assert (second.best, second.expected) == ("shout", pytest.approx(278 / 104))
    assert second.best_expected == pytest.approx(264 / 104)
    assert (first.exact, second.exact, third.exact) == (False, True, True)
    assert first.best_expected <= first.expected and strut.solved and not strut.widened


def test_skill_and_luck_account_for_the_guesses_made(strut: Review) -> None:
    dice = random.Random(8)
    game = some_world(dice, 15, 25)
    secret = game.secrets[0]
    other = review(game, f"{game.guesses[3]} {game.guesses[5]} {secret}", secret=secret)
    for found in (strut, other):
        lost = sum(guess.wasted for guess in found.guesses)
        made = found.guesses[0].best_expected + lost - found.luck_guesses
        assert made == pytest.approx(len(found.guesses))


def test_exact_to_the_end(answers: Game) -> None:
    """Where a bound is doubted, the search is asked: here over few hundred secrets."""
    hidden = list(answers.secrets[::5])
    few = game_of(list({*answers.guesses[::8], *hidden}), hidden)
    state = f"{few.guesses[100]} {few.secrets[7]}"
    found = review(few, state, secret=few.secrets[7], exact=True, time_limit=None)
    assert all(guess.exact for guess in found.guesses)
    hasty = review(few, state, secret=few.secrets[7], time_limit=1e-9)
    assert not hasty.guesses[0].exact
    assert hasty.guesses[0].best_expected >= found.guesses[0].best_expected - 1e-9


def test_reviews_of_small_games() -> None:
    game = game_of(WORDS)
    found = review(game, "crane", secret="crane")
    assert found.skill == 100 and found.guesses[0].best == "crane" and found.guesses[0].better == ()
    perfect = "Perfectly played and very lucky: 1 guess, where the best play takes 1.80 on average."
    assert found.sentence == perfect
    assert reviews.one_line(found) == f"skill 100.0, luck +0.80 guesses: {found.sentence}"
    lost = review(game, "abide " * 6, secret="crane")
    assert (lost.solved, lost.lost) == (False, True)
    poor = "Poorly played and unlucky: not found in 6 guesses, with 3 words left"
    assert lost.sentence.startswith(poor)
    assert "CRANE instead of ABIDE would have saved 1.00" in lost.sentence
    half = review(game, "abide ybbbg")
    assert (half.solved, half.lost, half.secrets) == (False, False, ("crane", "slate", "stare"))
    assert "1 guess so far, and 3 words are left" in half.sentence
    codes = review(load_game(spec="mastermind:2x3"), "11 0,0 " * 6)
    assert not codes.lost and "6 guesses so far" in codes.sentence  # there is no limit of six


def test_what_nobody_can_have_played() -> None:
    game = game_of(WORDS)
    for state, options, reason in (
        ("", {}, "no guess to review"),
        ("crane ggggg slate bbgbg", {}, "crane ended the game; guess 2 comes after it"),
        ("crane slate", {}, "add the colours of each word, or .*--secret"),
        ("crane bbbbb", {}, "no secret of test .test. gives crane bbbbb"),
        ("crane bbgbg slate bbbbb", {}, "gives slate bbbbb"),
        ("crane bbbbb", {"secret": "slate"}, "crane bbbbb does not fit the secret slate: .* bbgbg"),
        ("abide ybbbg abide ybbbg", {"hard": True}, None),
        ("abide ybbbg stare ybggb", {"hard": True}, "contradict|gives"),
        ("crane ybgbg raise bybbb", {"hard": True}, "hard mode forbids 'raise'"),
        ("crawl bbbbb", {}, "'crawl' is not among the 5 guesses"),
        ("crane", {"secret": "crawl"}, "'crawl' is not among the 5 guesses"),
    ):
        if reason is None:
            review(game, state, **options)
            continue
        refused(WrongInputError, reason, review, game, state, **options)


def test_which_words_are_reviewed() -> None:
    game = game_of(WORDS, ["abide", "crane"])
    wide = review(game, "abide slate", secret="slate")
    assert wide.widened and wide.guesses[0].before == 5
    assert_same(wide, twin(game, wide, dict.fromkeys(WORDS, 1.0)))
    assert not review(game, "abide crane", secret="crane").widened
    assert review(game, "abide", secret="slate").widened, "though ABIDE's score fits CRANE too"
    refused(WrongInputError, "abide bbbbb", review, game, "abide bbbbb")
    few = weighted_game(game, {"abide": 1.0})
    refused(WrongInputError, "answers|weight", review, few.game, "crane bbgbg", weights=few.weights)
    game = game_of(WORDS)
    wider, new = with_unknown(game, "crane slatt")
    assert new == ("slatt",) and wider.secrets == game.secrets
    assert review(wider, "slatt stare", secret="stare").solved
    wider, new = with_unknown(game, "slatt yybbb")
    assert new == ("slatt",)
    for text in ("cran crane", "cr\u00e4ne"):
        refused(WrongInputError, "must be 5 letters that the list uses", with_unknown, game, text)


def test_forms_of_games(answers: Game) -> None:
    words = read_game(answers, "CRANE sloth,strut", "strut")
    assert words == read_game(answers, STRUT) == read_game(answers, STRUT, "strut")
    reviewer = Reviewer(game_of(WORDS))
    lines = ["# mine", "", "crane ggggg", "abide ybbbg crane ggggg # today"]
    diary = reviews.review_lines(reviewer, lines, "games.txt")
    skills = [found.skill for found in diary.reviews]
    assert skills == [100, 80] and diary.skill == pytest.approx(90)
    assert diary.extra_bits == pytest.approx(sum(found.extra_bits for found in diary.reviews) / 2)
    for wrong, reason in (
        (["crane ggggg", "crane"], "games.txt:2: "),
        (["#"], "games.txt: the file has no games"),
    ):
        refused(WrongInputError, reason, reviews.review_lines, reviewer, wrong, "games.txt")


def test_grids_by_plain_python() -> None:
    dice = random.Random(2)
    for _ in range(10):
        game = some_world(dice, 8, 30)
        secret = dice.choice(game.secrets)
        steps = played_game(game, dice, False)
        scores = tuple(game.grade(word, secret) for word, _ in steps if word != secret)
        if not scores:
            continue
        fit = [{w for w in game.guesses if naive.grade(w, secret) == score} for score in scores]
        known = review_grid(game, scores, secret)
        assert [row.n_words for row in known.rows] == [len(words) for words in fit]
        can = [
            hidden
            for hidden in game.secrets
            if all(any(naive.grade(w, hidden) == score for w in game.guesses) for score in scores)
        ]
        found = review_grid(game, scores)
        assert (found.n_secrets, found.n_of) == (len(can), len(game.secrets))
        for row, score in zip(found.rows, scores, strict=True):
            pairs = [(w, h) for w in game.guesses for h in can if naive.grade(w, h) == score]
            assert row.n_words == len({word for word, _ in pairs})
            assert row.mean == pytest.approx(len(pairs) / len(can))
        weights = np.arange(1.0, len(game.secrets) + 1)
        over = review_grid(game, scores, weights=weights)
        share = {hidden: weights[game.secrets.index(hidden)] for hidden in can}
        for row, score in zip(over.rows, scores, strict=True):
            counts = {h: sum(naive.grade(w, h) == score for w in game.guesses) for h in can}
            mean = sum(share[h] * counts[h] for h in can) / sum(share.values())
            assert row.mean == pytest.approx(mean)


def test_grids_that_no_word_gives() -> None:
    game = game_of(WORDS)
    for reason, *asked in (
        ("ggggy, for any secret", (game.parse_score("ggggy"),)),
        ("bbbbb, for the secret crane", (0,), "crane"),
    ):
        refused(WrongInputError, f"no word gives row 1, {reason}", review_grid, game, *asked)


FORMS = "# of my own\nCrane 3\n\nslate, 2.5 # often\n  raise\t5e-1\nabide,0\r\n"


@pytest.fixture
def file_of(tmp_path: Path) -> Callable[[bytes | str], Path]:
    def make(content: bytes | str) -> Path:
        path = tmp_path / "my weights.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return make


def weights_of(source: WeightSource, game: Game) -> list[float]:
    """The weight of each secret of a game, zero for those that have none."""
    found = weighted_game(game, source)
    by_word = dict(zip(found.game.secrets, found.weights.tolist(), strict=True))
    return [by_word.get(word, 0) for word in game.secrets]


def test_words_and_weights_in_every_form(file_of: Callable[[str], Path]) -> None:
    game = load_game(WORDS)
    assert weights_of(file_of(FORMS), game) == [0, 3, 0.5, 2.5, 0]
    assert weights_of(file_of("\ufeff" + FORMS), game) == [0, 3, 0.5, 2.5, 0]
    assert weights_of({"Crane": 1, "slate": 2}, game) == [0, 1, 0, 2, 0]
    found = weighted_game(load_game(spec="mastermind:2x3"), file_of("12 1\n33 2\n"))
    assert found.game.secrets == ("12", "33") and found.game.code_space is None


def test_what_has_no_weight_is_no_secret(file_of: Callable[[str], Path]) -> None:
    game = load_game(WORDS, ["crane", "slate", "abide"])
    found = weighted_game(game, file_of(FORMS))
    assert found.game.secrets == ("crane", "slate") and found.game.guesses == game.guesses
    assert found.weights.tolist() == [3, 2.5] and (found.n_left_out, found.n_no_secrets) == (1, 1)
    assert found.about() == (
        "averages over 2 secrets by weight, 1 without weight left out; "
        "1 weight of words that are not secrets does not count"
    )
    assert found.public() == {"count": 2, "n_left_out": 1, "n_no_secrets": 1}
    every = weighted_game(load_game(["crane", "slate"]), {"crane": 1, "slate": 1})
    assert every.about() == "averages over 2 secrets by weight"


@pytest.mark.parametrize(("content", "reason"), [
    ("crane 1\nslat 2\n", "my weights.txt:2: 'slat' is not among the 5 guesses of words"),
    ("crain 1\n", "did you mean crane"),
    ("crane 1\ncrane 2\n", "my weights.txt:2: 'crane' has two weights"),
    ("crane -1\n", "my weights.txt:1: a weight must be a number of 0 or more, not -1"),
    ("crane 1e999\n", "a weight must be a number of 0 or more, not inf"),
    ("crane nan\n", "my weights.txt:1: a weight must be a number of 0 or more, not 'nan'"),
    ("crane 1_0\n", "not '1_0'"),
    ("crane ١\n", "a weight must be a number of 0 or more, not"),
    ("crane\n", "'crane' must be a word and its weight"),
    ("crane 1 2\n", "must be a word and its weight"), (",1\n", "must be a word and its weight"),
    ("\x1b[2J 1\n", r"'\\x1b\[2j' is not among"),
    ("", "no secret of words .allowed. has a weight above 0"),
    ("crane 0\n", "no secret of words .allowed. has a weight above 0"),
    (b"crane 1\n\xff\xfe 2\n", "my weights.txt:2: not a text file"),
])  # fmt: skip
def test_faults(file_of: Callable[[bytes | str], Path], content: bytes | str, reason: str) -> None:
    with pytest.raises((WrongInputError, BadFileError), match=reason):
        weighted_game(load_game(WORDS), file_of(content))


def test_no_file(tmp_path: Path) -> None:
    game, none = load_game(WORDS), tmp_path / "no file.txt"
    refused(BadFileError, "no file.txt: No such file", weighted_game, game, none)
    refused(WrongInputError, "not inf", weighted_game, game, {"crane": float("inf")})
    refused(BadFileError, "Is a directory", weights_of, tmp_path, game)


def test_of_equal_words_the_possible_come_first_and_then_the_secrets() -> None:
    """Then A to Z. Which of the two comes first cannot matter: what is possible is a secret."""
    game = game_of(["aab", "aba", "abb", "baa", "bba"], ["abb", "baa", "bba"])
    value = {word: game.guess_id(word) for word in game.guesses}
    equal = tuple(GuessValue(value[word], 2.0) for word in ("aab", "aba", "abb", "baa"))
    candidates = np.array([game.secrets.index("baa"), game.secrets.index("bba")])
    insight = Insight(candidates, 2.0, equal, 3.0, exact=True)
    graded = reviews._graded(game, ("bba", 0), insight, 1, 0.0, None)
    assert graded.best == "baa"
    assert [better.word for better in graded.better] == ["baa", "abb", "aab", "aba"][: reviews.TOP]


def test_a_secret_in_capitals_is_the_word_of_the_list(answers: Game) -> None:
    found = review(answers, "crane sloth ruddy", secret="RUDDY")
    assert not found.widened and found.solved and found.guesses[0].before == len(answers.secrets)


# --- share grids with their words
GAME = load_game(WORDS)
ROWS = ["🟨⬛⬛⬛🟩", "⬛⬛🟩⬛🟩", "🟩🟩🟩🟩🟩"]
GUESSED = ["abide", "slate", "crane"]
PLAYED = GAME.parse_state("abide.ybbbg.slate.bbgbg.crane.ggggg")


@pytest.mark.parametrize("heading", [
    "Wordle 1,234 3/6", "Wordle 1.234 3/6*", "Wordle 1\u202f234 3/6", "WORDLE 12 3/6",
    "knuthle nyt-2026 3/6", "",
])  # fmt: skip
def test_words_stand_beside_their_rows_or_in_lines_below_or_above(heading: str) -> None:
    beside = "\n".join(f"{row} {word}" for row, word in zip(ROWS, GUESSED, strict=True))
    before = "\r\n".join(f"{word.upper()}: {row}" for row, word in zip(ROWS, GUESSED, strict=True))
    below, above = "\n".join(ROWS + GUESSED), "\n".join(GUESSED + ROWS)
    for text in (beside, before, below, above):
        assert read_game(GAME, f"{heading}\n\n{text}") == PLAYED
    assert read_game(GAME, f"{heading} {GAME.format_state(PLAYED)}") == PLAYED


def test_tiles_may_be_light_or_for_the_colour_blind() -> None:
    for marks in ("⬜🟨🟩", "⬛🟦🟧", "⬜🟦🟧"):
        rows = "\n".join(ROWS).translate(str.maketrans("⬛🟨🟩", marks))
        assert read_game(GAME, f"{rows}\n{' '.join(GUESSED)}") == PLAYED
    with_selectors = f"{ROWS[0]} {ROWS[1]}.{ROWS[2]}".replace("⬛", "⬛\ufe0f")
    assert read_game(GAME, f"{with_selectors}\n{' '.join(GUESSED)}") == PLAYED


def test_the_star_means_hard_mode() -> None:
    for heading, hard in (("Wordle 1,234 3/6*", True), ("Wordle 1,234 3/6", False), ("", False)):
        found = read_shared(GAME, f"{heading}\n" + "\n".join(ROWS))
        assert found is not None and found.hard is hard and found.words == ()


def test_a_game_that_failed_has_an_x() -> None:
    failed = "Wordle 7 X/6\n" + "\n".join([ROWS[1]] * 6 + ["slate"] * 6)
    assert read_game(GAME, failed) == (("slate", PLAYED[1][1]),) * 6


@pytest.mark.parametrize(("text", "reason"), [
    (f"{ROWS[0]} abide {ROWS[1]}", "2 rows, but there is 1 word .abide.; write one word for each"),
    (f"Wordle 1 3/6 {ROWS[0]} {ROWS[2]} abide crane", "'Wordle 1 3/6' means 3 rows, .* 2 rows"),
    (f"Wordle 1 2/6 {ROWS[0]} {ROWS[1]} abide crane", "was solved, but no row is all green"),
    (f"Wordle 1 X/1 {ROWS[2]} crane", "was not solved, but the last row is all green"),
    (f"{ROWS[2]} {ROWS[0]} crane abide", "row 1 of the grid is all green"),
    (f"{ROWS[0]} abode", "'abode' is not among the 5 guesses"),
    ("🟨⬛⬛🟩 abide", "has 4 marks"), ("🟨⬛🟧⬛🟩 abide", "mixes notations"),
])  # fmt: skip
def test_what_is_wrong_with_a_grid(text: str, reason: str) -> None:
    refused(WrongInputError, reason, read_game, GAME, text)


def test_a_grid_must_be_of_the_game_and_of_its_secret() -> None:
    text, said = "\n".join(ROWS[:2] + GUESSED[:2]), "abide ybbbg does not fit the secret raise"
    assert read_game(GAME, text, "crane") == PLAYED[:2]
    refused(WrongInputError, said, read_game, GAME, text, "raise")
    codes = load_game(spec="mastermind:2x4")
    refused(WrongInputError, "only Wordle has share grids", read_shared, codes, "🟨⬛")
