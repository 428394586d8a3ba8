"""Store the awards of a changeover's files as rows, and compare them with the register and the ledger."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from itertools import islice

from django.db import connection, transaction

from players.models import Player
from scoring.changeover import reading
from scoring.changeover.models import Changeover, ChangeoverAward, ChangeoverFile
from scoring.changeover.reading import Row, Unreadable
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import queue
from scoring.ledger.services.posting import OpeningRow, free_keys
from scoring.office.lists.opening import TITLE_LENGTH, is_online
from tournaments.formats.issues import IssueList
from tournaments.formats.licence import normalise
from tournaments.formats.limits import ISSUES_PER_CODE
from tournaments.formats.types import LINES_PER_FILE
from tournaments.formats.values import date_text
from ui.clock import today
from ui.copying import copy_rows
from ui.formatting import format_points

LEASE = queue.LONGEST_LEASE
ROWS_AT_ONCE = 50_000
FIELDS = (
    "changeover_id",
    "file",
    "line",
    "player_id",
    "played_on",
    "title",
    "online",
    "points",
    "source_key",
)


def read_history(changeover: Changeover) -> None:
    """Store the awards of the files that are not read yet. Raises `queue.LeaseLost`.

    Rows of a file that another worker has read in part are read again.
    """
    unread = changeover.files.filter(is_list=False, is_read=False)
    players = Register()
    posted_before = LedgerEntry.objects.filter(family=FAMILY, kind=LedgerEntry.Kind.OPENING).exists()
    for file in unread:
        with transaction.atomic():
            queue.lock_held(changeover)
            ChangeoverAward.objects.filter(changeover_id=changeover.pk, file=file.position).delete()
        before = changeover.done
        reader = AwardReader(file, players)
        awards = reader.awards()
        while part := list(islice(awards, ROWS_AT_ONCE)):
            _store(changeover, file, part, posted_before)
            changeover.done = before + reader.rows
            queue.renew(changeover, LEASE, done=changeover.done)
        file.rows, file.is_read = reader.rows, True
        file.issues = [item.to_json() for item in reader.issues.done()]
        with transaction.atomic():
            queue.lock_held(changeover)
            file.save(update_fields=["rows", "is_read", "issues"])
            changeover.done = before + reader.rows
            queue.renew(changeover, LEASE, done=changeover.done)


class Register:
    """All federation numbers with their players, held in memory: 150,000 take 30 MB.

    ids: {number: id of the player who gets its points}
    kept: {number that was merged: number that was kept}
    erased: numbers whose data were erased
    """

    def __init__(self) -> None:
        columns = ("number", "pk", "merged_into__number", "merged_into", "erased_on")
        rows = Player.objects.order_by().values_list(*columns)
        self.ids: dict[str, int] = {}
        self.kept: dict[str, str] = {}
        self.erased: set[str] = set()
        for number, pk, kept_number, kept, erased in rows.iterator(chunk_size=10_000):
            self.ids[number] = kept or pk
            if kept:
                self.kept[number] = kept_number
            if erased:
                self.erased.add(number)


@dataclass
class AwardReader:
    """Reads the awards of a file, and collects the issues of its rows.

    rows: how many rows were read so far, also those with issues
    """

    file: ChangeoverFile
    register: Register
    rows: int = 0
    issues: IssueList = field(default_factory=IssueList)
    today: date = field(default_factory=today)
    noted: set[str] = field(default_factory=set)  # numbers with a note, which is not repeated

    def awards(self) -> Iterator[tuple[int, OpeningRow]]:
        """Yield (line, award) of the rows without errors."""
        try:
            for row in reading.rows_of(bytes(self.file.content), reading.AWARDS):
                self.rows += 1
                if award := self._award(row):
                    yield row.line, award
        except Unreadable as error:
            self.issues.add(error.code, error.line, **error.params)

    def _award(self, row: Row) -> OpeningRow | None:
        cells = row.cells
        player = self._player(row)
        day = _day(cells.get("played_on", ""))
        title = _single_spaced(cells.get("title", ""))
        online = is_venue_online(cells.get("venue", ""))
        points = reading.hundredths(cells.get("points", ""))
        wrong = [
            ("played_on", "bad_date", day is None),
            ("played_on", "future_award", day is not None and day > self.today),
            ("title", "text_over_limit", len(title) > TITLE_LENGTH),
            ("venue", "bad_venue", online is None),
            ("points", "bad_points", points is None),
        ]
        if any(is_wrong for _key, _code, is_wrong in wrong) or not title:
            self._add_issues(row, wrong)
            return None
        if player is None or day is None or online is None or points is None:
            return None
        if not points:
            self._note("changeover_zero", row, "")
            return None
        return OpeningRow(player, day, title, online, points)

    def _add_issues(self, row: Row, wrong: Iterable[tuple[str, str, bool]]) -> None:
        for key in ("played_on", "title", "venue", "points"):
            if not row.cells.get(key):
                self._issue("missing_value", row, key)
        for key, code, is_wrong in wrong:
            if is_wrong and row.cells.get(key):
                limit = {"limit": TITLE_LENGTH} if code == "text_over_limit" else {}
                self._issue(code, row, key, **limit)

    def _player(self, row: Row) -> int | None:
        text = row.cells.get("number", "")
        number = _number(text)
        if number is None:
            self._issue("bad_federation_number" if text else "missing_value", row, "number")
            return None
        if number in self.register.erased:
            self._note("number_erased", row, number)
            return None
        if number not in self.register.ids:
            self._issue("unknown_number", row, "number")
            return None
        if number in self.register.kept:
            self._note("changeover_merged", row, number, kept=self.register.kept[number])
        return self.register.ids[number]

    def _issue(self, code: str, row: Row, key: str, **params: object) -> None:
        self.issues.add(code, row.line, HEADINGS[key], row.cells.get(key, ""), **params)

    def _note(self, code: str, row: Row, number: str, **params: object) -> None:
        """Add an info once for each number."""
        if (note := f"{code} {number}") not in self.noted:
            self.noted.add(note)
            line, heading = (row.line, HEADINGS["number"]) if number else (None, None)
            self.issues.add(code, line, heading, number, **params)


HEADINGS = {column.key: column.names[0] for column in reading.AWARDS}


# Few different texts stand in millions of rows.
@lru_cache(maxsize=20_000)
def _day(text: str) -> date | None:
    iso = date_text(text)
    return date.fromisoformat(iso) if iso else None


@lru_cache(maxsize=200_000)
def _single_spaced(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=200_000)
def _number(text: str) -> str | None:
    return normalise(text)


@lru_cache(maxsize=100)
def is_venue_online(text: str) -> bool | None:
    """Return whether the text of a cell means online; None if it means no venue."""
    return is_online(text)


def _store(
    changeover: Changeover, file: ChangeoverFile, awards: list[tuple[int, OpeningRow]], posted_before: bool
) -> None:
    """Store awards, with source keys under which they can be posted.

    An award that is posted keeps its key, so that `compare_with_ledger` finds it.

    posted_before: whether the ledger has any opening awards
    """
    keys = [award.source_key for _line, award in awards]
    free = free_keys(keys) if posted_before else {}
    rows = (
        (
            changeover.pk,
            file.position,
            line,
            award.player_id,
            award.played_on,
            award.title,
            award.online,
            award.points,
            free.get(key, key),
        )
        for (line, award), key in zip(awards, keys, strict=True)
    )
    with transaction.atomic():
        queue.lock_held(changeover)
        copy_rows(ChangeoverAward, FIELDS, rows)


# --- Compared as a whole --------------------------------------------------------------------------------
# An award of the files and one of the ledger are the same if player, day, title and venue are equal. A merge
# changes the source key of a posted award, so the keys are not compared.
POSTED = """
    FROM changeover_changeoveraward award
    JOIN ledger_ledgerentry entry
      ON entry.player_id = award.player_id AND entry.family = 'aeb'
     AND entry.played_on = award.played_on AND entry.online = award.online AND entry.title = award.title
    LEFT JOIN ledger_ledgerentry reversal ON reversal.reverses_id = entry.id
    WHERE award.changeover_id = %s AND entry.kind = 'opening' AND entry.tournament_id IS NULL
      AND reversal.id IS NULL """
DELETE_SAME = (
    "DELETE FROM changeover_changeoveraward WHERE id IN (SELECT award.id"  # noqa: S608 (no user input)
    + POSTED
    + "AND entry.points = award.points)"
)
OTHER_POINTS = (
    "SELECT award.file, award.line, award.player_id, entry.points"
    + POSTED
    + "AND entry.points <> award.points ORDER BY award.file, award.line"
)
FROM_ELSEWHERE = "SELECT 1" + POSTED + "AND entry.source_key <> award.source_key LIMIT 1"
REPEATED = """
    SELECT min(file), min(line), count(*), min(player_id) FROM changeover_changeoveraward
    WHERE changeover_id = %s GROUP BY source_key HAVING count(*) > 1 ORDER BY 1, 2"""


def compare_with_ledger(changeover: Changeover) -> IssueList:
    """Remove awards that are in the ledger already, and count them in `changeover.same`.

    Return issues about awards that stand twice in the files, and those that the ledger has with other points.
    """
    issues = IssueList()
    with connection.cursor() as cursor:
        _add_repeated(cursor, changeover, issues)
        cursor.execute(DELETE_SAME, [changeover.pk])
        changeover.same = cursor.rowcount
        _add_other_points(cursor, changeover, issues)
    return issues


def is_posted_otherwise(changeover: Changeover) -> bool:
    """Return whether the ledger has one of the awards from another source, such as an imported list."""
    with connection.cursor() as cursor:
        cursor.execute(FROM_ELSEWHERE, [changeover.pk])
        return cursor.fetchone() is not None


def _add_repeated(cursor, changeover: Changeover, issues: IssueList) -> None:  # type: ignore[no-untyped-def]
    cursor.execute(REPEATED, [changeover.pk])
    rows = cursor.fetchmany(ISSUES_PER_CODE)
    numbers = _numbers_of(player for *_place, player in rows)
    for file, line, count, player in rows:
        issues.add("changeover_repeated", line_in(file, line), None, numbers[player], count=count)
    issues.count_more("changeover_repeated", sum(1 for _row in iter(cursor.fetchone, None)))


def _add_other_points(cursor, changeover: Changeover, issues: IssueList) -> None:  # type: ignore[no-untyped-def]
    cursor.execute(OTHER_POINTS, [changeover.pk])
    rows = cursor.fetchmany(ISSUES_PER_CODE)
    numbers = _numbers_of(player for _file, _line, player, _points in rows)
    for file, line, player, points in rows:
        posted = format_points(points, "es")
        issues.add("changeover_other_points", line_in(file, line), None, numbers[player], posted=posted)
    issues.count_more("changeover_other_points", sum(1 for _row in iter(cursor.fetchone, None)))


def _numbers_of(player_ids: Iterable[int]) -> dict[int, str]:
    rows = Player.objects.filter(pk__in=set(player_ids)).order_by()
    return dict(rows.values_list("pk", "number"))


def line_in(file: int, line: int) -> int:
    """Return the number of a line that also says in which file it is, as issues of several files have it."""
    return file * LINES_PER_FILE + line
