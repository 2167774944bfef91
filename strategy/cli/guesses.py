"""The commands ``openers``, ``buckets`` and ``suggest``: single words, ranked and split."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from solver.choices import LIMIT, MEASURES
from solver.errors import WrongInputError

from ..columns import Column, attributes, names, records
from ..errors import OutputError
from ..files.output import write_whole
from ..files.text import capitals, counted, is_pegs, printable, terms_of
from ..pictures.plot import Dot, form_of, plane
from ..toolbox import guesses
from . import options, output, tables
from .screen import Tiles

if TYPE_CHECKING:
    from solver.advice.suggest import Forecast
    from solver.game.game import Game
    from solver.splits.ranking import Split

_WORD = Column("word", "word")
_RANK = Column("rank", "rank")
_MEASURES = (
    Column("entropy", "entropy", ".6f"),
    Column("remaining_bits", "remaining", ".6f"),
    Column("expected_size", "expected size", ".3f"),
    Column("largest", "largest", ",d"),
    Column("parts", "parts", ",d"),
)
_PROPORTION = Column("proportion", "proportion", ".7f")
#: What programs read of an opener, and what people do.
_OPENER = (_WORD, _RANK, *_MEASURES, _PROPORTION, Column("candidate"))
_SHOWN_OPENER = (_RANK, _WORD, *_MEASURES, Column("candidate", "answer"))
_SHOWN_CODE = (_RANK, Column("word", "code"), *_MEASURES, Column("candidate", "possible"))
#: Columns that a narrow terminal does without, the first one first: it says what entropy says.
_OPENER_SPARE = ("remaining", "expected size", "largest")


def _configure_openers(parser: ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORD", nargs="*", help="rank these words (default: all)")
    options.add(parser, "--by", choices=(*MEASURES, "letters"), default=..., help="{choices}")
    options.add(parser, "--top", default=20)
    options.add(parser, "--bottom", "--plot", "--against")
    options.add_game_options(parser, advice=True, used=True)
    options.add(parser, "--weights")


def run_openers(args: Namespace) -> None:
    """Rank openers: every word, or the words that you name.

    The possible replies to a word split the answers into groups; the smaller the
    groups, the better the word. parts: the number of groups; minimax: the size of
    the largest group; expected-size: how many answers are left on average.
    entropy: the information of the reply in bits, where one bit halves the number
    of possible answers; remaining: the bits that are still missing after it.
    proportion: the share of answers that is ruled out on average, and a little
    more for a word that may be the answer itself. Ties share a rank and stand in
    alphabetical order. --by letters counts letters by place, spells a word from
    the commonest letters, and ranks it and similar words.

    Examples: knuthle openers --top 10
              knuthle openers crane slate --list nyt-2023
    """
    if args.plot:
        if args.by == "letters":
            raise WrongInputError("--plot draws measures, and --by letters ranks by none")
        form_of(args.plot)
    if args.by == "letters" and args.weights:
        raise WrongInputError("--by letters counts letters of guesses, which --weights does not do")
    weighted = options.weighted_from(args, *args.words)
    game, weights = weighted.game, weighted.weights
    output.say_memory_needed(game, args.quiet)
    output.say_when_compiling(args.quiet)
    facts = {"by": args.by, "n_guesses": len(game.guesses), "n_secrets": len(game.secrets)}
    if args.by == "letters":
        _report_letters(args, game, facts)
        return
    asked = options.asked(guesses.openers, args, weights=weights)
    rows = guesses.openers(game, args.words, **asked)
    if args.plot:
        _draw_openers(args, game, rows, weights)
    cut = len(rows) if args.words else args.top
    terms, is_code = terms_of(game.spec), is_pegs(game.spec)
    columns = _SHOWN_CODE if is_code else _SHOWN_OPENER
    text = tables.best_and_worst(columns, rows[:cut], rows[cut:], _OPENER_SPARE)
    words = counted(len(game.guesses), terms.word)
    secrets = counted(len(game.secrets), "possible code" if is_code else terms.secret)
    about = [f"{words} by {args.by} against {secrets}", *weighted.about]
    result = {**facts, **weighted.facts, "openers": records(_OPENER, rows)}
    text = "\n".join([*map(tables.prose, about), "", text or f"no {terms.word} to show"])
    output.emit(args, text, result, (names(_OPENER), "openers"), game)


def _draw_openers(
    args: Namespace, game: Game, rows: list[guesses.RankedGuess], weights: Any | None
) -> None:
    """The rows of the table in a plane."""
    says, measure = args.against.replace("-", " "), args.against.replace("-", "_")
    if args.against == "guesses":
        heights = guesses.guesses_by_entropy(game, [row.word for row in rows], weights)
        says = "expected guesses, if entropy chooses all later ones"
    else:
        heights = [getattr(row, measure) for row in rows]
    dots = [Dot(row.word, row.entropy, height) for row, height in zip(rows, heights, strict=True)]
    terms, by_weight = terms_of(game.spec), ", by weight" * (weights is not None)
    secrets = counted(len(game.secrets), terms.secret)
    title = f"{counted(len(dots), f'first {terms.word}')} against {secrets}{by_weight}"
    content = plane(dots, "entropy in bits", says, title, form_of(args.plot))
    write_whole(args.plot, content, force=args.force)


def _report_letters(args: Namespace, game: Game, facts: dict[str, Any]) -> None:
    """Letter frequencies, the word they spell, and what its neighbours are worth."""
    spelled = guesses.spelled_opener(game, args.words)
    letters, rows = spelled.letters, spelled.words

    def ranks(by: str) -> Column:
        name = f"rank_{by.replace('-', '_')}"
        return Column(name, f"by {by}", value=lambda row: row.ranks[by])

    more = [*map(ranks, guesses.MORE_MEASURES)]
    columns = (*_OPENER, *more)
    by_place = (zip(letters.alphabet, shares.tolist(), strict=True) for shares in letters.shares)
    places = [{letter: share for letter, share in pairs if share} for pairs in by_place]
    result = facts | attributes(letters, "spelled allowed") | {"places": places}
    result["openers"] = records(columns, rows)
    header = ("letter", *(f"place {place + 1}" for place in range(game.length)))
    by_letter = zip(letters.alphabet, letters.shares.T, strict=True)
    shown = [(it, *(f"{x:.3f}" for x in shares)) for it, shares in by_letter if shares.any()]
    order = ", ".join(str(place + 1) for place in letters.order)
    near = counted(len(letters.neighbours), "allowed word is", "allowed words are")
    kind = "an allowed word" if letters.allowed else "no allowed word"
    sentence = f"The commonest letter, place by place ({order}), none twice, spells "
    sentence += f"{capitals(letters.spelled)}: {kind}.\n{near} one letter away."
    title = f"Shares of {counted(len(game.guesses), 'word')} with a letter at a place"
    text = f"{title}\n\n{tables.table(header, shown)}\n\n{tables.prose(sentence)}"
    if rows:
        text += "\n\n" + tables.table_of((*_SHOWN_OPENER, *more), rows, spare=_OPENER_SPARE)
    output.emit(args, text, result, (names(columns), "openers"), game)


_SUGGESTION = (*_OPENER, Column("total"), Column("mean"), Column("n_alike"))
_SUGGESTION_SPARE = (*_OPENER_SPARE, "proportion", "parts", "rank", "entropy", "possible")
_POSSIBLE = Column("candidate", "possible")
#: A measure by which words may be ranked → its column.
_COLUMN_OF = dict(
    zip(MEASURES, (*_MEASURES[:3], _MEASURES[4], _MEASURES[3], _PROPORTION), strict=True)
)
_NAMED_WORDS = 30


def _configure_suggest(parser: ArgumentParser) -> None:
    options.add_state_argument(parser, "crane bybbg")
    options.add(parser, "--pattern", "--by")
    options.add(parser, "--top", default=10)
    about = "the limit for exact figures, guesses made included; none lifts it"
    options.add(parser, "--within", default=LIMIT, help=about)
    options.add(parser, "--all")
    group = parser.add_argument_group("choice of guesses")
    options.add(group, "--guess-from", "--hard", "--common")
    options.add_game_options(parser, advice=True, used=True)
    options.add(parser, "--weights", "--colours")


def run_suggest(args: Namespace) -> None:
    """Which answers are still possible, and what to guess next.

    Clues are words with their colours: parse.bybbb.clint.bbyyb, or with spaces; a
    score may begin with a dash, as in crane -yg--. Without clues: the first word.
    If no answer of the list fits, all allowed words count as possible; if none of
    them fits, the message names the clues that contradict each other (exit 2).

    The first line says what to guess. The table has the best words with their
    guesses: the exact average number to the end of the game, with best play and all
    allowed words, so that every answer is found within the limit, if few answers
    are possible. > and the limit stand for a word that cannot do that, a dash for
    what is too slow to compute. All measures are shown with --all, or where the
    terminal is wide enough.

    First come all words with the fewest guesses, then the ten best by entropy, in
    the order of their guesses and with their rank among these. When too many
    answers are possible, or with --by, one measure ranks all words. Ties: words
    that are still possible come first, then common words (the answers of the
    shipped lists); a line says how many more there are.

    --pattern says what else is known of the answer, one condition or several with
    commas between them: c.a.e (a dot for any letter), b at 3, b not 3 (or 1 3),
    contains ab (aab: a twice at least), exactly 2 e, without xyz. Places are
    counted from 1, and first to fifth and last are places too. What contradicts a
    clue or another pattern is named (exit 2).

    With --weights "guesses" is the average over the weights, with any allowed word
    and without a limit, if at most 256 answers are possible; otherwise a measure
    ranks.

    In JSON each suggestion has these guesses as "mean", and summed over the
    secrets as "total", or null; "exact" has the limit (or null), the best guesses
    of all and their total.

    Examples: knuthle suggest crane bybbg
              knuthle suggest crane.bybbg.spore.bbyyg --top 3
              knuthle suggest --pattern '..a.e, contains r, t not first'
    """
    from solver.advice.suggest import widened

    weighted = options.weighted_from(args)
    game, weights = weighted.game, weighted.weights
    state = game.parse_state(" ".join(args.state))
    if weights is not None and weighted.widens and widened(game, state) is not None:
        weights = None
    limit, solved = args.within, any(score == game.solved for _, score in state)
    if limit is not None and limit <= len(state) and not (solved or args.quiet):
        made = counted(len(state), "guess", "guesses")
        output.say(f"{made} made, and --within {limit} allows no more: figures have no limit")
    if not state:  # clues leave few of a large game's secrets
        output.say_memory_needed(game, args.quiet)
    output.say_when_compiling(args.quiet)
    asked = options.asked(guesses.suggest, args, weights=weights, patterns=args.pattern)
    found = guesses.suggest(game, state, **asked)
    ahead: dict[str, Any] | None = None
    if exact := found.exact:
        ahead = {"limit": exact.within, "guesses": exact.best}
        ahead |= {"total": None if exact.weighted else exact.least, "mean": exact.mean}
    result = {
        "state": found.state,
        "remaining": len(found.secrets),
        **attributes(found, "secrets widened by"),
        "patterns": args.pattern,
        **weighted.facts,
        "exact": ahead,
        "suggestions": records(_SUGGESTION, found.words),
        "n_more_tied": found.n_more_tied,
    }
    text = "\n".join([*map(tables.prose, weighted.about), _suggestions_text(game, found, args)])
    output.emit(args, text, result, (names(_SUGGESTION), "suggestions"), game)


def _suggestions_text(game: Game, found: guesses.Suggestions, args: Namespace) -> str:
    if found.solved:
        return f"solved: {found.solved}"
    terms, code = terms_of(game.spec), Tiles.of(sys.stdout, args.colours).code
    secrets = [code(game, secret) for secret in found.secrets[: _NAMED_WORDS + 1]]
    about = [_advice_text(game, found, args)]
    about.append(f"Possible: {tables.some_of(secrets, _NAMED_WORDS)}")
    if found.widened:
        usual = f"None of the {printable(game.secrets_name)} of {printable(game.list_name)}"
        wide = f"all {len(game.guesses):,} allowed words count as possible."
        about.insert(0, f"{usual} fits these clues: {wide}")
    lines, whole = [*map(tables.prose, about)], args.all
    if not found.words:
        lines += ["", f"no {terms.word} to show"]
    elif whole or len(found.secrets) > 1:  # of the only word all is said
        name = tables.word_column(game, code)
        mean = Column("mean", "guesses", partial(_guesses_cell, found.exact))
        columns: Sequence[Column] = (_RANK, name, *_MEASURES, _PROPORTION, _POSSIBLE, mean)
        whole = args.all or tables.has_room(columns, found.words)
        if not whole:
            columns = (name, *([mean] if found.exact else []), _POSSIBLE)
            if found.by != guesses.BY_GUESSES:
                columns = (name, _COLUMN_OF[found.by], *columns[1:])
        lines += ["", tables.table_of(columns, found.words, spare=_SUGGESTION_SPARE)]
        if more := found.n_more_tied:  # how many are not shown and as good as the last one that is
            last, exactly = found.words[-1], found.by == guesses.BY_GUESSES
            equal = exactly and found.exact and last.mean == found.exact.mean is not None
            by = "" if equal else f" by {MEASURES[0] if exactly else found.by}"
            ties = counted(more, f"more {terms.word} ties", f"more {terms.words} tie")
            lines.append(tables.prose(f"{ties} with {last.word}{by}"))
    if found.exact and (about := _exact_lines(found, args, game, whole)):
        lines += ["", *map(tables.prose, about)]
    return "\n".join(lines)


def _advice_text(game: Game, found: guesses.Suggestions, args: Namespace) -> str:
    """What to guess, in one sentence; and what is to be said of common words if they are wanted."""
    terms = terms_of(game.spec)
    fits = counted(len(found.secrets), f"{terms.word} fits", f"{terms.words} fit") + "."
    if not found.words:
        return fits
    best = found.words[0]
    if best.mean is None:
        then = f"it leaves {best.expected_size:,.1f} {terms.words} on average"
    else:
        then = "1 more guess" if best.mean == 1 else f"about {best.mean:.2f} more guesses"
        then += tables.extra_cost(best.mean, found.exact) if args.common else ""
    unknown = args.common and found.by != guesses.BY_GUESSES
    note = " What a common word costs is not known here." if unknown else ""
    return f"{fits} Guess {capitals(best.word)}: {then}.{note}"


def _exact_lines(found: guesses.Suggestions, args: Namespace, game: Game, whole: bool) -> list[str]:
    """What the exact figures are about, and the best words, those shown first.

    If not the ``whole`` is to be said, only that the limit is lifted, or nothing could be computed.
    """
    ahead, terms, lines = found.exact, terms_of(game.spec), []
    assert ahead is not None
    if not ahead.weighted and ahead.within is None and args.within is not None:
        most = counted(args.within, "guess", "guesses")
        lines.append(f"no {terms.word} finds all answers within {most}")
    if not ahead.totals and ahead.least is None:
        return [*lines, "too slow to compute here: use knuthle optimal --state"]
    if not whole:
        return lines
    limit = "without a limit" if ahead.within is None else f"all within {ahead.within} guesses"
    mode = "in hard mode" if args.hard else f"with any allowed {terms.word}"
    limit = "without a limit" if ahead.weighted else f"{limit}, played on {mode}"
    over = counted(ahead.secrets, f"possible {terms.secret}") + " by weight" * ahead.weighted
    lines.append(f"guesses: expected, exact, over the {over}, {limit}")
    if ahead.least is not None:
        code, shown = Tiles.of(sys.stdout, args.colours).code, [row.word for row in found.words]
        best = dict.fromkeys([*(it for it in shown if it in ahead.best), *ahead.best])
        some = tables.some_of([code(game, capitals(each)) for each in best], _NAMED_WORDS)
        in_all = "" if ahead.weighted else f" ({ahead.least} in all)"
        lines.append(f"fewest: {ahead.mean:.4f}{in_all} by {some}")
    return lines


def _guesses_cell(ahead: Forecast | None, row: guesses.Suggestion) -> str:
    """The exact figure, or why there is none."""
    if row.mean is not None:
        return f"{row.mean:.4f}"
    if ahead is None:
        return ""
    return f">{ahead.within}" if row.word in ahead.totals else "–"


_COUNT = Column("count", "count", ",d", lambda bucket: bucket.size)
_BUCKET = (Column("score"), Column("text"), _COUNT, Column("secrets"))
_CHANCE = Column("chance", "chance", ".4f")


def _configure_buckets(parser: ArgumentParser) -> None:
    parser.add_argument("word", metavar="WORD", help="the word that splits the answers")
    parser.add_argument("other", metavar="WORD2", nargs="?", help="a word to compare with it")
    options.add(parser, "--show-words")
    options.add(parser, "--plot", metavar="FILE.svg", help="draw a bar for each reply")
    options.add_game_options(parser, advice=True, used=True)
    options.add(parser, "--weights")


def run_buckets(args: Namespace) -> None:
    """How a word splits the answers into groups; two words side by side.

    A group (bucket) is all answers that give the same reply. --plot draws one bar
    for each reply, as SVG. In a reply b is grey, y yellow, g green: if REACT is the
    answer, CRANE gets yygby.

    Examples: knuthle buckets crane
              knuthle buckets crane slate --plot crane.svg
    """
    from solver.splits.ranking import split_by_score

    if args.plot and not args.plot.lower().endswith(".svg"):
        raise OutputError(f"{args.plot}: a picture of a split is .svg")
    weighted = options.weighted_from(args)
    game, about = weighted.game, weighted.about
    output.say_when_compiling(args.quiet)
    words = [word for word in (args.word, args.other) if word is not None]
    splits = [split_by_score(game, word, weighted.weights) for word in words]
    chance = (_CHANCE,) if about else ()
    if args.plot:
        from ..pictures.cards import splits_as_svg

        write_whole(args.plot, splits_as_svg(game, splits).encode(), force=args.force)
    text = _side_by_side(game, splits)
    if args.show_words or len(splits) == 1:
        text = "\n\n".join(_split_text(game, split, args.show_words, chance) for split in splits)
    if about:
        figures = "entropy {0.entropy:.6f} bits, expected size {0.expected_size:,.3f}"
        expected = (f"{capitals(split.word)}: {figures.format(split)}" for split in splits)
        text = "\n".join([*map(tables.prose, (*about, *expected)), "", text])
    columns, measures = (*_BUCKET, *chance), "entropy expected_size" if about else ""
    public, rows = [], list[dict[str, Any]]()
    for split in splits:
        found = records(columns, split.buckets)
        public.append({**attributes(split, f"word {measures}"), "buckets": found})
        rows += ({"word": split.word, **row} for row in found)
    result = {**weighted.facts, "splits": public}
    output.emit(args, text, result, (["word", *names(columns)], rows), game)


def _split_text(game: Game, split: Split, show_words: bool, chance: Sequence[Column]) -> str:
    """The scores of one word, with bars or with the secrets themselves; ``chance`` by weights."""
    length = attrgetter("chance" if chance else "size")
    longest = max(map(length, split.buckets))
    last = Column("", "", lambda bucket: tables.bar(length(bucket), longest, 30))
    if show_words:
        heading = f"{terms_of(game.spec).secret}s"
        last = Column("secrets", heading, lambda bucket: " ".join(bucket.secrets))
    columns = (Column("text", _score_heading(game)), _COUNT, *chance, last)
    table = tables.table_of(columns, split.buckets, "  ", flow=show_words)
    return f"{_split_title(game, split)}\n{table}"


def _side_by_side(game: Game, splits: list[Split]) -> str:
    """All scores that either word gets, with both counts."""
    counts = [{bucket.score: bucket.size for bucket in split.buckets} for split in splits]
    texts = {bucket.score: bucket.text for split in splits for bucket in split.buckets}
    largest = max(max(each.values()) for each in counts)
    header = [_score_heading(game), *(text for split in splits for text in (split.word, ""))]
    rows = []
    for score in sorted(texts, key=lambda score: (-counts[0].get(score, 0), score)):
        sizes = [each.get(score, 0) for each in counts]
        cells = ((f"{size:,}", tables.bar(size, largest, 24)) for size in sizes)
        rows.append([texts[score], *(cell for pair in cells for cell in pair)])
    titles = [_split_title(game, split) for split in splits]
    return "\n".join([*titles, tables.table(header, rows, "  ")])


def _score_heading(game: Game) -> str:
    """What stands above scores: in Mastermind these are pegs."""
    return terms_of(game.spec).reply if is_pegs(game.spec) else "score"


def _split_title(game: Game, split: Split) -> str:
    largest = f"the largest {split.buckets[0].text} with {split.buckets[0].size:,}"
    secrets = counted(split.secrets, terms_of(game.spec).secret)
    buckets = counted(len(split.buckets), "bucket")
    return tables.prose(f"{capitals(split.word)}: {secrets} in {buckets}, {largest}")
