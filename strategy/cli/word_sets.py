"""The commands ``pairs``, ``five-words`` and ``cheatsheet``: words that are chosen together."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

from solver.errors import WrongInputError
from solver.words.lists import DEFAULT_LIST, NAMED_LISTS
from solver.words.text import plain

from ..columns import Column, attributes, names, records
from ..errors import OutputError
from ..files.output import write_whole
from ..files.text import capitals, counted, printable
from . import options, output, tables
from .option_table import SECONDS_OF_A_ROW

if TYPE_CHECKING:
    from solver.game.game import Game

_Found = TypeVar("_Found")
#: What ``pairs`` shows of words that are worth something together.
_JOINT = (
    Column("rank", "rank"),
    Column("words", "words", lambda row: " ".join(row.words)),
    Column("joint_entropy", "joint entropy", ".9f"),
    Column("remaining_bits", "remaining", ".7f"),
)
#: Columns that a narrow terminal does without: what remains says what the entropy says.
_SPARE = ("remaining", "rank")


def _configure_pairs(parser: ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORD", nargs="*", help="two words, to see their rank")
    options.add(parser, "--top", default=20)
    options.add(parser, "--bottom", "--with", "--both-answers", "--third")
    options.add_game_options(parser, advice=True)
    options.add(parser, "--workers", help="processes that share the work (default: 1)")


def run_pairs(args: Namespace) -> None:
    """The best two words to begin with, exactly, over all pairs; with --third the
    best third words.

    Pairs are ranked by joint entropy: the information of the replies to both words
    together, in bits, where one bit halves the number of possible answers. The
    more, the fewer answers are left after both, in any order. Without words: the
    best pairs; with two words: that pair and its rank among all; --with WORD: the
    best partners of a word. --bottom adds the worst pairs.

    With two words, --third ranks all words by what they add to both, exactly.
    There are too many triples to try all: without words --third finds a good
    triple, reached from the best pairs by changing one word at a time. Unless the
    list is tiny it is a bound, and the output says so.

    Examples: knuthle pairs --top 5
              knuthle pairs crane moist --third
    """
    if len(args.words) not in (0, 2) or (args.words and args.partner):
        raise WrongInputError("name two words, or none, or --with one")
    if args.third and (args.partner or args.both_answers or args.bottom):
        raise WrongInputError("--third takes two words or none, and --top")
    (_third_words if args.third else _pairs)(args)


def _pairs(args: Namespace) -> None:
    from ..toolbox.word_sets import pairs

    named = args.words or ([args.partner] if args.partner else [])
    more = {"bottom": args.bottom, "both_secrets": args.both_answers}
    game, found = _searched(args, "pairs", partial(pairs, **more), named)
    none = "no pair to show" if found.in_all else "no pair: a pair needs two words"
    of_word = f" with {plain(args.partner)}" if args.partner else ""
    rest = ", the others decided by proved bounds" if found.evaluated < found.in_all else ""
    about = f"{counted(found.in_all, 'pair')}{of_word} against "
    about += f"{counted(len(game.secrets), 'secret')}; {found.evaluated:,} evaluated{rest}"
    text = tables.best_and_worst(_JOINT, found.best, found.worst, _SPARE) or none
    result = {"pairs": records(_JOINT, [*found.best, *found.worst]), "n_pairs": found.in_all}
    result |= {"n_evaluated": found.evaluated}
    table = (names(_JOINT), "pairs")
    output.emit(args, f"{tables.prose(about)}\n\n{text}", result, table, game)


def _third_words(args: Namespace) -> None:
    from ..toolbox.word_sets import triples

    if not args.top:
        raise WrongInputError("--third shows one word at least: --top 1")
    game, found = _searched(args, "triples", triples, args.words)
    claim = "proved" if found.proved else "bound"
    about = f"{claim}: {found.search}; {counted(found.evaluated, 'triple')} evaluated"
    text = tables.best_and_worst(_JOINT, found.triples, (), _SPARE)
    text = text or "no triple: a triple needs three words"
    result = {"triples": records(_JOINT, found.triples), **attributes(found, "proved search")}
    result |= {"n_evaluated": found.evaluated}
    output.emit(args, f"{tables.prose(about)}\n\n{text}", result, (names(_JOINT), "triples"), game)


def _searched(
    args: Namespace, what: str, search: Callable[..., _Found], named: Sequence[str]
) -> tuple[Game, _Found]:
    """The game, and what a search of the library has found in it."""
    game = options.game_from(args, *named)
    if len({*map(plain, named)}) < len(named):  # before anything is compiled
        raise WrongInputError(f"two different words are needed; {plain(named[0])!r} is given twice")
    with output.at_work(args.quiet) as progress:
        how: Any = {"workers": args.workers or 1, "progress": partial(progress, what)}
        return game, search(game, *named, top=args.top, **how)


def _configure_five_words(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="files of words (-: stdin)")
    about = "a word list, joined with the files if there are any (default without: original)"
    options.add(parser, "--list", help=about)
    options.add(parser, "--count", "--letters", "--anagrams")


def run_five_words(args: Namespace) -> None:
    """Find all sets of five words with 25 different letters (or N words of L
    letters).

    FILE is any list of words, one per line; several are joined. Capitals become
    small letters, all letters of Unicode are allowed, and other lines or lengths
    are skipped and counted. Without --anagrams, words with the same letters count
    as one; the first of them is shown.

    Examples: knuthle five-words
              knuthle five-words words.txt --anagrams
    """
    started = time.perf_counter()
    from ..toolbox.word_sets import five_words

    output.say_when_compiling(args.quiet)
    imports = time.perf_counter() - started
    files = [*([args.list_name] if args.list_name else []), *args.files]
    found = five_words(**options.asked(five_words, args, files=files))
    took = found.seconds | {"imports": imports, "all": time.perf_counter() - started}
    seconds = {part: took[part] for part in ("read", "imports", "search", "compile", "all")}
    named = {"-": "stdin", **{name: name for name in NAMED_LISTS}}  # of a file no folder is named
    list_name = "+".join(named.get(it, PurePath(it).stem) for it in files or [DEFAULT_LIST])
    result = {
        "list": list_name,
        "sets": found.sets,
        "count": len(found.sets),
        "n_words": found.words_read,
        "n_skipped": found.skipped,
        "n_letter_sets": found.masks,
        "seconds": {name: round(value, 6) for name, value in seconds.items()},
    }
    lines, number = [" ".join(words) for words in found.sets], len(found.sets)
    what = f"{counted(args.count, 'word')} with {args.count * args.letters} different letters"
    lines.append(f"{counted(number, 'set')} of {what}" if number else f"no {what}")
    read = f"{found.words_read:,} words of {args.letters} letters"
    read += f", {counted(found.skipped, 'line')} skipped"
    lines.append(f"{read}, {found.masks:,} different sets of letters without a repeat")
    output.emit(args, "\n".join([*lines, f"\nlist {printable(list_name)}"]), result)
    if not args.quiet:
        some = [(name, value) for name, value in seconds.items() if value or name != "compile"]
        output.say(f"seconds: {', '.join(f'{name} {value:.4f}' for name, value in some)}")


_SHEET_COLUMNS = (
    Column("groups", "group", lambda row: " > ".join(row.key), lambda row: row.key),
    Column("guesses", "words before", lambda row: " ".join(row.before), lambda row: row.before),
    Column("word", "word", lambda row: row.word or "no legal word"),
    Column("joint_entropy", "joint entropy", lambda row: _dash(row.joint_entropy, ".6f")),
    Column("remaining", "answers", ",d", lambda row: row.answers),
    Column("n_tied", "tied", ",d", lambda row: row.tied),
)
#: The columns of the rule ``optimal`` besides; without a word nothing is proved or not.
_EXACT_COLUMNS = (
    Column("total", "total", lambda row: _dash(row.total, ",d")),
    Column("mean", "guesses", lambda row: _dash(row.mean, ".4f")),
    Column("limit", value=lambda row: row.within),
    Column("proved", "claim", attrgetter("claim"), lambda row: row.word and row.claim == "proved"),
)
_CARDS = (".pdf", ".html", ".svg")
#: So many second words are named with their shares.
_SHOWN = 5


def _configure_cheatsheet(parser: ArgumentParser) -> None:
    parser.add_argument("word", metavar="WORD", help="the opener")
    options.add(parser, "--group", "--words-in-all", "--sheet-rule")
    about = "seconds that --rule optimal may take for a row"
    options.add(parser, "--time-limit", type=SECONDS_OF_A_ROW, default=30, help=about)
    options.add(parser, "--card")
    options.add(parser.add_argument_group("choice of guesses"), "--guess-from", "--hard")
    options.add_game_options(parser, advice=True, used=True)


def run_cheatsheet(args: Namespace) -> None:
    """The best second word for every reply to an opener, as a table or a card to
    print.

    --card writes a card of 85.6 x 54 mm panels to print, cut and fold. The second
    word is chosen by entropy (the information of its reply in bits), by Knuth's
    minimax (its largest bucket is smallest; a bucket is what one reply leaves
    possible), or (--rule optimal) by the fewest guesses to the end of the game,
    exactly: summed over the answers in the group, where later guesses use the full
    scores. Then a row says "proved", or "bound" if the time limit ended the search.
    The joint entropy in a row is that of all its words within the group.

    --guess-from chooses the words on the sheet; candidates: those that are still
    possible in the row. With --hard a word must be legal after every full score in
    the row, and words already guessed are left out; a row without such a word says
    "no legal word" (in JSON its word is null). Totals of --rule optimal allow any
    words (with --hard: any legal words) after those on the sheet.

    Examples: knuthle cheatsheet crane
              knuthle cheatsheet crane --group hits --rule optimal
    """
    from solver.advice.cheatsheet import cheat_sheet

    if args.card and PurePath(args.card).suffix.lower() not in _CARDS:
        raise OutputError(f"{args.card}: a card is one of {', '.join(_CARDS)}")
    weighted = options.weighted_from(args, args.word)
    game = weighted.game
    if args.past and (args.rule, args.group) != ("entropy", "score"):
        why = "--used weighs answers by entropy and full scores only"
        raise WrongInputError(f"{why}; --used exclude leaves them out")
    with output.at_work(args.quiet) as progress:
        own: Any = {"weights": weighted.weights, "progress": partial(progress, "second words")}
        sheet = cheat_sheet(game, args.word, **options.asked(cheat_sheet, args, **own))
    if args.card:
        from ..pictures import cards

        write_whole(args.card, cards.card_in_form(args.card, sheet), force=args.force)
    exact = sheet.rule == "optimal"
    columns = (*_SHEET_COLUMNS, *_EXACT_COLUMNS) if exact else _SHEET_COLUMNS
    result = {
        "start": [sheet.opener],
        "n_secrets": sheet.answers,
        **attributes(sheet, "group rule"),
        **attributes(args, "guess_from hard"),
        **weighted.facts,
        "rows": records(columns, sheet.rows),
        "shares": sheet.shares(),
        **(attributes(sheet, "total mean proved") if exact else {}),
    }
    shares = list(sheet.shares().items())[:_SHOWN]
    some = ", ".join(f"{capitals(word)} {100 * share:.2f} %" for word, share in shares)
    title = f"{capitals(sheet.opener)}, then by {sheet.group}, {counted(sheet.answers, 'answer')}"
    rows = tables.table_of(columns, sheet.rows) if sheet.rows else "the opener solves every game"
    best = f"share of answers for which a second word is the best: {some or 'none'}"
    lines = [title, "", rows, "", tables.prose(best)]
    if sheet.total is not None:
        mean = f"mean {sheet.mean:.4f} ({'proved' if sheet.proved else 'bound'})"
        lines.append(f"{counted(sheet.total, 'guess', 'guesses')} for all answers, {mean}")
    output.emit(args, "\n".join(lines), result, (names(columns), "rows"), game)


def _dash(value: float | None, form: str) -> str:
    """A figure as people read it; a dash stands for none."""
    return "–" if value is None else format(value, form)
