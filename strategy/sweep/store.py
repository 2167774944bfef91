"""Where a sweep stores its rows: an SQLite database that cannot be left half-written, and its lock.

Rows are written in small batches, a transaction each: whatever ends a run (a killed process, a full
disk) loses at most the batches that were being computed. Who reads meanwhile sees whole batches.

One run at a time writes. Its lock is SQLite's own, on an empty database beside the other, and the
system releases it however the process ends. It is not inherited: a worker that outlives its parent
by a moment keeps nobody waiting.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from solver.errors import CouldNotFinishError

from ..checkers.verify import DIGEST
from ..errors import BadFileError, OutputError, StrategyError, UnfinishedError
from ..files.output import check_target, faults_named
from .question import SweepQuestion
from .rows import ExactRow, OpenerRow, SavedSearch

#: What SQLite notes in the head of our databases: whose they are, and of which form.
_OURS, _FORM = 0x6B6E7573, 1
_TABLES = """
CREATE TABLE question (text TEXT NOT NULL);
CREATE TABLE asked (opener TEXT PRIMARY KEY) WITHOUT ROWID;
"""
#: All that a database is made of: an index that SQLite makes itself has no SQL.
_SCHEMA = "SELECT sql FROM sqlite_master"
#: Seconds that a reader waits for a writer's transaction.
_PATIENCE = 10.0

# --- the two kinds of rows ----------------------------------------------------------------


class RowKind(NamedTuple):
    """How databases store one kind of rows."""

    #: The table of the rows, and the columns that are written and read: attributes of a row.
    table: str
    columns: str
    #: The SQL that makes the table in an empty database.
    schema: str
    #: The row of such values; None if they do not add up to a row of the question.
    row: Callable[[SweepQuestion, Sequence[Any]], Any]

    def values(self, row: Any) -> list[Any]:
        """What is stored of a row, column by column: numbers of a tuple as text."""
        found = [getattr(row, name) for name in self.columns.split(", ")]
        return [" ".join(map(str, x)) if isinstance(x, tuple) else x for x in found]

    def has_tables(self, found: set[str]) -> bool:
        """Whether the SQL of a database is that of this kind; spaces do not count."""
        tables = (" ".join(one.split()) for one in (_TABLES + self.schema).split(";"))
        return set(filter(None, tables)) == found


def _opener_row(question: SweepQuestion, values: Sequence[Any]) -> OpenerRow | None:
    opener, histogram, nodes, digest, seconds, replayed, *sums = values
    counts = tuple(map(int, histogram.split(" ")))
    row = OpenerRow(opener, counts, nodes, digest, float(seconds), bool(replayed))
    # a secret has a node of its own, and no more than it takes guesses
    sound = sum(counts) == question.secrets <= nodes <= row.total and DIGEST.fullmatch(digest)
    return row if sound and [row.worst, row.total, row.n_beyond] == sums else None


def _exact_row(question: SweepQuestion, values: Sequence[Any]) -> ExactRow | None:
    opener, state, lower, upper, seconds, replayed = values
    row = ExactRow(opener, state, lower, upper, float(seconds), bool(replayed))
    return row if row.is_sound else None


_OPENER_ROWS = RowKind(
    "openers",
    "opener, histogram, nodes, digest, seconds, replayed, worst, total, n_beyond",
    """
CREATE TABLE openers (
    opener TEXT PRIMARY KEY, worst INTEGER NOT NULL, total INTEGER NOT NULL,
    n_beyond INTEGER NOT NULL, nodes INTEGER NOT NULL, histogram TEXT NOT NULL,
    digest TEXT NOT NULL, seconds REAL NOT NULL, replayed INTEGER NOT NULL
) WITHOUT ROWID;
""",
    _opener_row,
)
_EXACT_ROWS = RowKind(
    "exact",
    "opener, state, lower, upper, seconds, replayed",
    """
    CREATE TABLE exact (
        opener TEXT PRIMARY KEY, state TEXT NOT NULL, lower INTEGER, upper INTEGER,
        seconds REAL NOT NULL, replayed INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE begun (
        opener TEXT PRIMARY KEY, times INTEGER NOT NULL, notes TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
    _exact_row,
)

# --- the database -------------------------------------------------------------------------


def check_database(path: str | Path) -> None:
    """Refuse early a place where no database of a sweep can be: no file, or something else's."""
    place = Path(path)
    if str(path) == "-" or (place.exists() and not (place.is_file() or place.is_dir())):
        raise OutputError(f"{path}: a database is a file; --out names one")
    check_target(place)


class SweepStore:
    """An open database of a sweep, closed where its ``with`` statement ends.

    Its rows are ``ExactRow`` if its question has an objective, else ``OpenerRow``.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, question: SweepQuestion) -> None:
        self.path = path
        self.question = question
        self._kind = _kind_of(question)
        self._connection = connection

    @classmethod
    def open(cls, path: str | Path, question: SweepQuestion) -> Self:
        """Open the database for writing, made if it is not there; it must be of this question."""
        place = Path(path)
        check_database(place)
        with _connected(place) as connection:
            _make_tables(connection, question, _kind_of(question).schema)
            found = _question_in(connection, place)
            found.require_same(question, str(place))
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            return cls(place, connection, found)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Open the database for reading; what is no such database is refused."""
        place = Path(path)
        if not place.is_file():
            raise BadFileError("unreadable", f"{path}: there is no such file")
        if not place.stat().st_size:
            raise BadFileError("kind", f"{path}: is empty, there is no sweep in it yet")
        with _connected(place, "?mode=ro") as connection:
            return cls(place, connection, _question_in(connection, place))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # if nobody else has it open, it becomes one plain file
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("PRAGMA busy_timeout=0")
            self._connection.execute("PRAGMA journal_mode=DELETE")
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    # --- writing --------------------------------------------------------------------------

    def add_openers(self, openers: Iterable[str]) -> None:
        """Store which openers the sweep is about, besides those that are stored."""
        with self._transaction():
            self._connection.executemany(
                "INSERT OR IGNORE INTO asked VALUES (?)", [(word,) for word in openers]
            )

    def improve(self, rows: Iterable[Any]) -> list[Any]:
        """Store what rows add to those that are stored, all or none; the rows as they are then."""
        with self._transaction():
            found = [self._improved(row) for row in rows]
            self._put(found)
        return found

    def replace(self, rows: Collection[Any]) -> None:
        """Store rows in the place of those that are stored, all of them or none."""
        with self._transaction():
            self._put(rows)

    def save_search(self, search: SavedSearch) -> None:
        """Store an exact search that the time limit has ended, once more."""
        query = (
            "INSERT INTO begun VALUES (?, ?, ?) ON CONFLICT (opener) DO UPDATE "
            "SET times = times + excluded.times, notes = excluded.notes"
        )
        with self._transaction():
            self._connection.execute(query, (search.opener, search.times, search.notes))

    def _improved(self, row: Any) -> Any:
        query = f"SELECT {self._kind.columns} FROM {self._kind.table} WHERE opener = ?"
        known = self._connection.execute(query, (row.opener,)).fetchone()
        return row if known is None else self._row(known).joined(row)

    def _put(self, rows: Collection[Any]) -> None:
        kind = self._kind
        marks = ", ".join("?" * len(kind.columns.split()))
        self._connection.executemany(
            f"INSERT OR REPLACE INTO {kind.table} ({kind.columns}) VALUES ({marks})",
            [kind.values(row) for row in rows],
        )
        if kind is _EXACT_ROWS:
            finished = [(row.opener,) for row in rows if not row.open]
            self._connection.executemany("DELETE FROM begun WHERE opener = ?", finished)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """A transaction; an error of any kind takes it back."""
        with _translated_errors(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    # --- reading --------------------------------------------------------------------------

    def openers(self) -> list[str]:
        """The openers that the sweep is about, A to Z."""
        return [str(word) for (word,) in self._all("SELECT opener FROM asked ORDER BY opener")]

    def rows(self) -> list[Any]:
        """All rows of the database, in alphabetical order of the openers."""
        kind = self._kind
        found = self._all(f"SELECT {kind.columns} FROM {kind.table} ORDER BY opener")
        return [self._row(values) for values in found]

    def saved_searches(self) -> dict[str, SavedSearch]:
        """The exact searches that the time limit has ended, by their openers."""
        if self._kind is not _EXACT_ROWS:
            return {}
        found = self._all("SELECT opener, times, notes FROM begun")
        return {opener: SavedSearch(opener, notes, times) for opener, times, notes in found}

    def _row(self, values: Sequence[Any]) -> Any:
        """A row as it was stored; damaged if its values do not agree."""
        with contextlib.suppress(TypeError, ValueError, AttributeError, OverflowError):
            row = self._kind.row(self.question, values)
            if row is not None and type(row.opener) is str:
                return row
        raise BadFileError("damaged", f"{self.path}: damaged: a row of it does not add up")

    def _all(self, query: str) -> list[Any]:
        with _translated_errors(self.path):
            return self._connection.execute(query).fetchall()


def _kind_of(question: SweepQuestion) -> RowKind:
    return _OPENER_ROWS if question.objective is None else _EXACT_ROWS


@contextlib.contextmanager
def _connected(place: Path, how: str = "") -> Iterator[sqlite3.Connection]:
    """A connection that stays open unless an error comes while a store is made of it.

    The database may call no function that it brings in, and its pages are looked at before use.
    """
    with _translated_errors(place):
        name = f"{place.resolve().as_uri()}{how}"
        connection = sqlite3.connect(name, timeout=_PATIENCE, isolation_level=None, uri=True)
        try:
            connection.execute("PRAGMA trusted_schema=OFF")
            connection.execute("PRAGMA cell_size_check=ON")
            yield connection
        except BaseException:
            connection.close()
            raise


def _make_tables(connection: sqlite3.Connection, question: SweepQuestion, schema: str) -> None:
    """Make a database for a question in a file that is new, or left by a run killed at once."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    if tables or owner:
        return
    whose = f"PRAGMA application_id={_OURS}; PRAGMA user_version={_FORM};"
    connection.executescript(f"BEGIN IMMEDIATE; {whose} {_TABLES} {schema}")
    connection.execute("INSERT INTO question VALUES (?)", (question.to_text(),))
    connection.execute("COMMIT")


def _question_in(connection: sqlite3.Connection, path: Path) -> SweepQuestion:
    """The question of an open database, if it is ours."""
    (ours,) = connection.execute("PRAGMA application_id").fetchone()
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    if ours != _OURS:
        raise BadFileError("kind", f"{path}: an SQLite database, but not of a sweep")
    if form != _FORM:
        raise BadFileError("version", f"{path}: a sweep of form {form}; this program knows {_FORM}")
    # views, triggers and indexes would be among the tables: nothing is read before this
    tables = {" ".join(str(sql).split()) for (sql,) in connection.execute(_SCHEMA)}
    kind = next((it for it in (_OPENER_ROWS, _EXACT_ROWS) if it.has_tables(tables)), None)
    if kind is None:
        raise BadFileError("damaged", f"{path}: damaged: its tables are not those of a sweep")
    texts = connection.execute("SELECT text FROM question").fetchall()
    if len(texts) != 1:
        raise BadFileError("damaged", f"{path}: damaged: it has {len(texts)} questions")
    question = SweepQuestion.of_text(texts[0][0], str(path))
    if _kind_of(question) is not kind:
        raise BadFileError("damaged", f"{path}: damaged: its rows are not those of its question")
    return question


#: What SQLite says of a file that is no database, or a broken one.
_DAMAGE = ("file is not a database", "malformed", "no such table", "no such column")


@contextlib.contextmanager
def _translated_errors(path: Path) -> Iterator[None]:
    """Errors of SQLite and the system as errors of ours: the file, the place, or the disk."""
    try:
        with faults_named(path):
            yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _translated(error, path) from None


def _translated(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> StrategyError:
    said = str(error)
    # of what SQLite says about a schema Python may not even read the text
    if isinstance(error, UnicodeDecodeError) or "Could not decode" in said:
        return BadFileError("damaged", f"{path}: damaged: a text in it is no UTF-8")
    if any(words in said for words in _DAMAGE):
        kind = "is no database of a sweep" if "not a database" in said else f"damaged: {said}"
        return BadFileError("damaged", f"{path}: {kind}")
    if "unable to open" in said or "readonly" in said:
        return OutputError(f"{path}: {said}")
    return UnfinishedError(
        f"{path}: {said}; what was stored before is safe: make room, and the same command goes on"
    )


# --- the lock -----------------------------------------------------------------------------

#: Seconds that a lock is waited for: whoever only looks holds it for a moment.
_LOCK_PATIENCE = 1.0


@contextlib.contextmanager
def locked(database: Path) -> Iterator[None]:
    """Hold the lock of a sweep's database; CouldNotFinishError if another run holds it."""
    end = time.monotonic() + _LOCK_PATIENCE
    while (lock := _acquired(database)) is None:
        if time.monotonic() > end:
            raise CouldNotFinishError(
                f"{database}: another run is at work on it; wait for it, or name another file"
            )
        time.sleep(0.05)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            _lock_file(database).unlink()
        lock.close()


def is_locked(database: Path) -> bool:
    """Whether a run is at work on the database of a sweep."""
    if not os.access(_lock_file(database), os.W_OK):
        return False
    lock = _acquired(database)
    if lock is not None:
        lock.close()
    return lock is None


def _lock_file(database: Path) -> Path:
    where = Path(os.path.realpath(database))
    return where.with_name(f"{where.name}.lock")


def _acquired(database: Path) -> sqlite3.Connection | None:
    """A connection that has the lock, which is an empty database; None if somebody else has it."""
    place = _lock_file(database)
    with _translated_errors(place):
        place.touch()
        there = place.stat()
    lock = sqlite3.connect(place, timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
        # whoever had it may have removed the file in between: then it is nobody's lock
        if os.path.samestat(there, place.stat()):
            return lock
    except (sqlite3.Error, OSError):
        pass
    lock.close()
    return None
