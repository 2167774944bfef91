"""Where a sweep keeps its rows: an SQLite database that nothing can leave half-written.

Rows come in by small batches, a transaction each, so that whatever ends a run (a killed process, a
full disk) costs at most the batches that were in the works. Who reads meanwhile sees whole batches.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ..errors import BadFileError, OutputError, StrategyError, UnfinishedError
from ..files.names import quoted
from ..files.output import check_target
from .question import SweepQuestion
from .rows import OpenerRow

if TYPE_CHECKING:
    from solver.game.game import Game

#: What SQLite notes in the head of our databases: whose they are, and of which form.
_OURS, _FORM = 0x6B6E7573, 1
_TABLES = """
CREATE TABLE question (text TEXT NOT NULL);
CREATE TABLE asked (opener TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_ROWS = """
CREATE TABLE openers (
    opener TEXT PRIMARY KEY, worst INTEGER NOT NULL, total INTEGER NOT NULL,
    n_beyond INTEGER NOT NULL, nodes INTEGER NOT NULL, histogram TEXT NOT NULL,
    digest TEXT NOT NULL, seconds REAL NOT NULL, replayed INTEGER NOT NULL
) WITHOUT ROWID;
"""
_NAMES = "opener, histogram, nodes, digest, seconds, replayed, worst, total, n_beyond"
#: How every SQLite database begins.
_MAGIC = b"SQLite format 3\0"
#: Seconds that a reader waits for a writer's moment.
_PATIENCE = 10.0


def check_database(path: str | Path) -> None:
    """Refuse early a place where no database of a sweep can be: no file, or something else's."""
    place = Path(path)
    if str(path) == "-" or (place.exists() and not (place.is_file() or place.is_dir())):
        raise OutputError(f"{path}: a database is a file; --out names one")
    check_target(place)
    with _told(place):
        if place.exists():
            with place.open("rb") as found:
                head = found.read(len(_MAGIC))
            if head not in (b"", _MAGIC):
                raise BadFileError("kind", f"{path}: is no database of a sweep")


class RowStore:
    """An open database of rows of any kind; close it, or use it in a ``with`` statement."""

    #: The tables that it has besides those which all have.
    tables: ClassVar[str]

    def __init__(self, path: Path, connection: sqlite3.Connection, question: SweepQuestion) -> None:
        self.path = path
        self.question = question
        self._connection = connection

    @classmethod
    def open(cls, path: str | Path, question: SweepQuestion) -> Self:
        """Open the database for writing, made if it is not there.

        One of another question is refused.
        """
        place = Path(path)
        check_database(place)
        with _told(place):
            connection = sqlite3.connect(place, timeout=_PATIENCE, isolation_level=None)
            try:
                if _is_empty(connection):
                    _begin(connection, question, cls.tables)
                found = _question_in(connection, place)
                found.require_same(question, str(place))
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
            except BaseException:
                connection.close()
                raise
        return cls(place, connection, found)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Open the database for reading; what is no such database is refused."""
        place = Path(path)
        if not place.is_file():
            raise BadFileError("unreadable", f"{path}: there is no such file")
        if not place.stat().st_size:
            raise BadFileError("kind", f"{path}: is empty, there is no sweep in it yet")
        with _told(place):
            name = f"{place.resolve().as_uri()}?mode=ro"
            connection = sqlite3.connect(name, timeout=_PATIENCE, isolation_level=None, uri=True)
            try:
                question = _question_in(connection, place)
            except BaseException:
                connection.close()
                raise
        return cls(place, connection, question)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; if nobody else has it open, it becomes one plain file."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("PRAGMA busy_timeout=0")
            self._connection.execute("PRAGMA journal_mode=DELETE")
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    # --- writing --------------------------------------------------------------------------

    def ask(self, openers: Iterable[str]) -> None:
        """Store which openers are wanted, besides those that were before."""
        with self._whole():
            self._connection.executemany(
                "INSERT OR IGNORE INTO asked VALUES (?)", [(word,) for word in openers]
            )

    @contextlib.contextmanager
    def _whole(self) -> Iterator[None]:
        """A transaction: whatever breaks it off takes it back."""
        with _told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    # --- reading --------------------------------------------------------------------------

    def asked(self, rows: Iterable[str] = ()) -> list[str]:
        """The openers that are wanted, in alphabetical order; those of all ``rows`` must be."""
        found = [word for (word,) in self._all("SELECT opener FROM asked ORDER BY opener")]
        if not all(isinstance(word, str) for word in found):
            raise self._damage("an opener of it is no word")
        if not set(found).issuperset(rows):
            raise self._damage("it has a row that nobody has asked for")
        return found

    def require_openers(self, game: Game) -> None:
        """Refuse a database that asks for words which are no guesses of its game."""
        guesses = set(game.guesses)
        for word in self.asked():
            if word not in guesses:
                raise self._damage(f"its opener {quoted(word)} is no guess of the game")

    def _damage(self, what: str) -> BadFileError:
        return BadFileError("damaged", f"{self.path}: damaged: {what}")

    def _all(self, query: str) -> list[Any]:
        with _told(self.path):
            return self._connection.execute(query).fetchall()


def question_of(path: str | Path) -> SweepQuestion:
    """The question that a sweep's database is about, whatever rows it has."""
    with RowStore.read(path) as store:
        return store.question


class SweepStore(RowStore):
    """The database of a sweep by a rule: a row for each opener."""

    tables = _ROWS

    def add(self, rows: Iterable[OpenerRow]) -> None:
        """Store rows of openers, all of them or none."""
        values = [
            (
                row.opener, " ".join(map(str, row.histogram)), row.nodes, row.digest,
                row.seconds, int(row.replayed), row.worst, row.total, row.n_beyond,
            )
            for row in rows
        ]  # fmt: skip
        marks = ", ".join("?" * len(_NAMES.split()))
        with self._whole():
            self._connection.executemany(f"INSERT INTO openers ({_NAMES}) VALUES ({marks})", values)

    def done(self) -> set[str]:
        """The openers that have their row."""
        return {word for (word,) in self._all("SELECT opener FROM openers")}

    def rows(self) -> list[OpenerRow]:
        """All rows of the database, in alphabetical order of the openers."""
        found = self._all(f"SELECT {_NAMES} FROM openers ORDER BY opener")
        return [self._row(values) for values in found]

    def _row(self, values: tuple[Any, ...]) -> OpenerRow:
        """A row as it was stored: what does not hang together is refused."""
        try:
            opener, histogram, nodes, digest, seconds, replayed, *sums = values
            counts = tuple(map(int, histogram.split(" ")))
            row = OpenerRow(opener, counts, int(nodes), digest, float(seconds), bool(replayed))
            whole = sum(counts) == self.question.secrets and min(counts) >= 0 < counts[-1]
            if whole and [row.worst, row.total, row.n_beyond] == sums and len(digest) == 64:
                return row
        except (TypeError, ValueError, AttributeError):
            pass
        raise self._damage("a row of it does not add up")


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing is in it: a new file, or what a run left that was killed at its beginning."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (whose,) = connection.execute("PRAGMA application_id").fetchone()
    return (tables, whose) == (0, 0)


def _begin(connection: sqlite3.Connection, question: SweepQuestion, tables: str) -> None:
    """An empty database for a question."""
    whose = f"PRAGMA application_id={_OURS}; PRAGMA user_version={_FORM};"
    connection.executescript(f"BEGIN IMMEDIATE; {whose} {_TABLES} {tables}")
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
    found = connection.execute("SELECT text FROM question").fetchall()
    if len(found) != 1:
        raise BadFileError("damaged", f"{path}: damaged: it has {len(found)} questions")
    return SweepQuestion.of_text(found[0][0], str(path))


#: What SQLite says of a file that is no database, or a broken one.
_DAMAGE = ("file is not a database", "malformed", "no such table", "no such column")


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Whatever SQLite meets, as an error of ours: it is the file, the place, or the disk."""
    try:
        yield
    except sqlite3.Error as error:
        raise _named(error, path) from None
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror or error}") from None


def _named(error: sqlite3.Error, path: Path) -> StrategyError:
    said = str(error)
    if any(words in said for words in _DAMAGE):
        kind = "is no database of a sweep" if "not a database" in said else f"damaged: {said}"
        return BadFileError("damaged", f"{path}: {kind}")
    if "unable to open" in said or "readonly" in said:
        return OutputError(f"{path}: {said}")
    return UnfinishedError(
        f"{path}: {said}; what was stored before is safe: make room, and the same command goes on"
    )
