"""Imported lists of opening awards: points of tournaments from before the application was in use."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.models import Player
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services.approval import being_set_up
from scoring.ledger.services.posting import (
    OpeningRow,
    is_undone,
    post_adjustments,
    post_opening,
    proposal_key,
    take_back,
)
from scoring.ledger.source_keys import back_key, origin_of
from scoring.ledger.windows import first_day
from scoring.office.lists.plan import (
    NUMBER,
    Detail,
    ImportKind,
    Plan,
    PlanLine,
    RowReader,
    UndoPlan,
    Written,
    parse_date,
)
from scoring.office.models import ListPart, OfficeImport
from scoring.office.services.adjustments import Adjustment
from tournaments.formats.types import Column, TableRow
from ui.chunks import rows_in
from ui.formatting import format_date, format_points, format_signed_points
from ui.text import fold

TITLE_LENGTH = LedgerEntry._meta.get_field("title").max_length
IN_PERSON = {"presencial", "in person"}
ONLINE = {"en linea", "online", "on line"}


class Opening(ImportKind):
    """The list of opening awards.

    An award that is already posted is not posted again. If its points differ from those posted, the
    difference becomes an adjustment.
    """

    whole = True
    columns = (
        NUMBER,
        Column("played_on", ("Fecha final", "End date", "Fecha", "Date"), "date", filled=True),
        Column("title", ("Torneo", "Tournament"), filled=True, hints=("Prueba", "Event")),
        Column("venue", ("Lugar", "Venue"), filled=True, hints=("Modalidad", "Sede")),
        Column("points", ("Puntos", "Points"), filled=True, hints=("Pts", "PM")),
    )

    def plan(self, rows: Sequence[TableRow], today: date) -> Plan:
        reader, plan = RowReader(self.columns), Plan()
        known = reader.known_players(rows)
        ids = {player.pk for _row, player in known}
        posted, with_points, setup = _posted_points(ids), _players_with_points(ids), being_set_up()
        old = 0
        for row, player in known:
            award = self._parse(reader, row, player, today)
            if award is None or not reader.is_first(row, award.source_key, award.points):
                continue
            old += award.played_on < first_day(today)
            if self._compare(reader, plan, row, player, award, posted.get(award.source_key, [])):
                plan.second["points"] += player.pk in with_points or not setup
        if old:
            reader.issues.add("old_award", count=old)
        plan.issues = reader.issues.done()
        return plan

    def _parse(self, reader: RowReader, row: TableRow, player: Player, today: date) -> OpeningRow | None:
        day = parse_date(row.get("played_on"))
        title = reader.text(row, "title", TITLE_LENGTH)
        points = parse_hundredths(row.get("points"))
        online = is_online(row.get("venue"))
        if points is None and row.get("points"):
            reader.add_issue("bad_points", row, "points")
        if online is None and row.get("venue"):
            reader.add_issue("bad_venue", row, "venue")
        if day and day > today:
            reader.add_issue("future_award", row, "played_on")
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
        award: OpeningRow,
        posted: list[int],
    ) -> bool:
        """Add the award to the plan, or an adjustment if it is already posted with other points.

        Return whether the award is new.

        posted: points, in hundredths, of the award in the ledger; empty if it is new. After a merge, the
            ledger may have the award twice
        """
        language = get_language()
        if award.points in posted:
            plan.same += 1
            return False
        if posted:
            self._adjust(reader, plan, row, player, award, posted[0])
            return False
        plan.add.append(award)
        details = (
            Detail(_("tournament"), f"{award.title}, {format_date(award.played_on, language)}"),
            Detail(_("venue"), gettext("online") if award.online else gettext("in person")),
            Detail(_("points"), format_points(award.points, language)),
        )
        plan.lines.append(PlanLine(row.line, False, player.number, player.desk_name, details))
        return True

    def _adjust(
        self, reader: RowReader, plan: Plan, row: TableRow, player: Player, award: OpeningRow, posted: int
    ) -> None:
        language, difference = get_language(), award.points - posted
        new, old = format_points(award.points, language), format_points(posted, language)
        reader.add_issue("other_points", row, "points", new, old=old)
        plan.change.append(Adjustment(player.pk, award.played_on, award.title, award.online, difference))
        plan.second["adjustments"] += 1
        details = (
            Detail(_("tournament"), f"{award.title}, {format_date(award.played_on, language)}"),
            Detail(_("points"), new, old),
            Detail(_("adjustment"), format_signed_points(difference, language)),
        )
        plan.lines.append(PlanLine(row.line, True, player.number, player.desk_name, details))

    def apply(self, plan: Plan, by, proposal=None, part: int = 0) -> Written:
        # Leave `players` empty: both functions refresh the standings themselves.
        created = post_opening(plan.add, by)
        adjusted = []
        if plan.change:
            if proposal is None:
                raise ValueError("adjustments need the approval of a second person")
            key = f"{proposal_key(proposal)}-{part}"
            adjusted = post_adjustments(plan.change, key, proposal.reason, by)
        return Written(created=created, entries=adjusted)

    def plan_undo(self, written: dict[str, Any], today: date) -> UndoPlan:
        plan = UndoPlan()
        taken_back = _taken_back(written["entries"])
        entries = LedgerEntry.objects.order_by("pk")
        rows = entries.values_list("pk", "player__number", "title", "reversed_by")
        for target, ids in ((plan.remove, written["created"]), (plan.take_back, written["entries"])):
            for pk, number, title, reversal in rows_in(rows, "pk", ids):
                if reversal or pk in taken_back:
                    text = gettext("Number %(number)s: %(title)s was taken back already, or moved.")
                    plan.conflicts.append(text % {"number": number, "title": title})
                else:
                    target.append(pk)
        # While the federation is set up, awards to players without points need no second person. The players
        # here have points, because the awards to undo are theirs.
        plan.second["points"] = plan.number
        return plan

    def undo(self, plan: UndoPlan, reason: str, by, at, proposal=None) -> Written:
        return Written(entries=take_back([*plan.remove, *plan.take_back], reason, by))


def parse_hundredths(text: str) -> int | None:
    """Parse points ("12,5", "12.50") into hundredths. Return None unless they are a positive number.

    "1.234" is refused, because the point may be a decimal point or may separate thousands.
    """
    if not re.fullmatch(r"[0-9]{1,7}([.,][0-9]{1,2})?", text.strip()):
        return None
    points = int(Decimal(text.strip().replace(",", ".")) * 100)
    return points or None


def is_online(text: str) -> bool | None:
    """Return True if the text of a cell means online, False if it means in person, else None."""
    words = " ".join(fold(text).replace("-", " ").split())
    if words in IN_PERSON:
        return False
    return True if words in ONLINE else None


def _posted_points(player_ids: set[int]) -> dict[str, list[int]]:
    """Return {key: points of each award, in hundredths} for the opening awards of these players.

    The key is the source key that a list's row for the same award would have. It may differ from the stored
    source key, because a merge changes that. After a merge, two awards may have the same key. The points
    include later adjustments of the award. Awards of lists that were undone are left out, because they may be
    imported again.
    """
    posted: dict[str, list[int]] = defaultdict(list)
    adjusted: Counter[str] = Counter()
    kinds = (LedgerEntry.Kind.OPENING, LedgerEntry.Kind.ADJUSTMENT)
    entries = LedgerEntry.objects.filter(family=FAMILY, kind__in=kinds, tournament=None).order_by("pk")
    columns = ("player_id", "played_on", "title", "online", "points")
    rows = entries.values_list("kind", "source_key", "reversed_by__source_key", *columns)
    for kind, source_key, reversal, *award in rows_in(rows, "player", player_ids):
        key = OpeningRow(*award).source_key
        points = award[-1]
        if kind == LedgerEntry.Kind.ADJUSTMENT:
            adjusted[key] += points
        elif reversal is None or not (origin_of(source_key) or is_undone(reversal)):
            posted[key].append(points)
    return {key: [points + adjusted[key] for points in awards] for key, awards in posted.items()}


def _players_with_points(player_ids: set[int]) -> set[int]:
    """Return the ids of those players, among these, who have any ledger entry of AEB points."""
    entries = LedgerEntry.objects.filter(family=FAMILY).order_by()
    return set(rows_in(entries.values_list("player_id", flat=True).distinct(), "player", player_ids))


def _taken_back(entry_ids: list[int]) -> set[int]:
    """Return which of these adjustments were taken back, as a set of ledger entry ids."""
    keys = {back_key(pk): pk for pk in entry_ids}
    rows = LedgerEntry.objects.values_list("source_key", flat=True)
    return {keys[key] for key in rows_in(rows, "source_key", keys)}


def brought_in() -> Iterator[tuple[int, int]]:
    """Yield (id, id) of each entry that an imported list posted."""
    parts = ListPart.objects.filter(batch__kind=OfficeImport.Kind.OPENING).exclude(batch__applied_at=None)
    for entries in parts.values_list("written__created", flat=True):
        yield from zip(entries or (), entries or (), strict=True)
