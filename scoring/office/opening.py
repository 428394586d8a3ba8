"""Opening awards: points of tournaments played before this system, one line an award."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.chunks import chunks
from players.formatting import format_date, format_points
from players.models import Player
from players.text import fold
from scoring.models import LedgerEntry
from scoring.office.plan import Detail, ImportKind, Plan, PlanLine, RowReader, iso
from scoring.services.moves import origin_of
from scoring.services.posting import OpeningRow, post_opening
from scoring.windows import first_day
from tournaments.formats.types import Column, TableRow

TITLE_LENGTH = LedgerEntry._meta.get_field("title").max_length
IN_PERSON = {"presencial", "in person"}
ONLINE = {"en linea", "online", "on line"}


class Opening(ImportKind):
    """Adds awards to the ledger, each once; what is there is never changed."""

    columns = (
        Column(
            "number",
            ("Número", "Number", "Licencia", "Número de licencia", "Licence"),
            "licence",
            filled=True,
        ),
        Column("played_on", ("Fecha final", "End date", "Fecha", "Date"), "date", filled=True),
        Column("title", ("Torneo", "Tournament"), filled=True),
        Column("venue", ("Lugar", "Venue"), filled=True),
        Column("points", ("Puntos", "Points"), filled=True),
    )

    def plan(self, rows: Sequence[TableRow], today: date) -> Plan:
        reader, plan = RowReader(self.columns), Plan()
        found = reader.known_players(rows)
        posted = _posted({player.pk for _row, player in found})
        old = 0
        for row, player in found:
            said = self._said(reader, row, player, today)
            if said is None or not reader.first_time(row, said.source_key, said.points):
                continue
            old += said.played_on < first_day(today)
            self._compare(reader, plan, row, player, said, posted.get(said.source_key, []))
        if old:
            reader.issues.add("old_award", count=old)
        plan.issues = reader.issues.done()
        return plan

    def _said(self, reader: RowReader, row: TableRow, player: Player, today: date) -> OpeningRow | None:
        day = iso(row.get("played_on"))
        title = reader.text(row, "title", TITLE_LENGTH)
        points = hundredths(row.get("points"))
        online = venue(row.get("venue"))
        if points is None and row.get("points"):
            reader.problem("bad_points", row, "points")
        if online is None and row.get("venue"):
            reader.problem("bad_venue", row, "venue")
        if day and day > today:
            reader.problem("future_award", row, "played_on")
            return None
        if day is None or not title or points is None or online is None:
            return None
        return OpeningRow(player_id=player.pk, played_on=day, title=title, online=online, points=points)

    def _compare(
        self,
        reader: RowReader,
        plan: Plan,
        row: TableRow,
        player: Player,
        said: OpeningRow,
        posted: list[int],
    ) -> None:
        language = get_language()
        if said.points in posted:
            plan.same += 1
            return
        if posted:
            new, old = format_points(said.points, language), format_points(posted[0], language)
            reader.problem("other_points", row, "points", new, old=old)
            return
        plan.add.append(said)
        details = (
            Detail(_("tournament"), f"{said.title}, {format_date(said.played_on, language)}"),
            Detail(_("venue"), gettext("online") if said.online else gettext("in person")),
            Detail(_("points"), format_points(said.points, language)),
        )
        plan.lines.append(PlanLine(row.line, False, player.number, player.desk_name, details))

    def apply(self, plan: Plan, by) -> set[int]:
        post_opening(plan.add, by)  # refreshes the standings itself
        return set()


def hundredths(text: str) -> int | None:
    """Points as written ("12,5", "12.50"), exactly; None for anything else than a positive number.

    "1.234" is refused: nobody can tell whether the point separates thousands.
    """
    if not re.fullmatch(r"[0-9]{1,7}([.,][0-9]{1,2})?", text.strip()):
        return None
    points = int(Decimal(text.strip().replace(",", ".")) * 100)
    return points or None


def venue(text: str) -> bool | None:
    """Whether it was played online; None for an unknown word."""
    words = " ".join(fold(text).replace("-", " ").split())
    if words in IN_PERSON:
        return False
    return True if words in ONLINE else None


def _posted(player_ids: set[int]) -> dict[str, list[int]]:
    """Points by source key of the opening awards that these players have.

    What a merging of two numbers moved counts as what a list would say of it; two awards can meet that way.
    """
    posted: dict[str, list[int]] = {}
    for chunk in chunks(sorted(player_ids)):
        entries = LedgerEntry.objects.filter(
            player_id__in=chunk, kind=LedgerEntry.Kind.OPENING, tournament=None
        )
        for source_key, reversed_by, *award in entries.values_list(
            "source_key", "reversed_by", "player_id", "played_on", "title", "online", "points"
        ):
            if origin_of(source_key):
                if reversed_by:
                    continue  # moved on, or back
                source_key = OpeningRow(*award).source_key
            posted.setdefault(source_key, []).append(award[-1])
    return posted
