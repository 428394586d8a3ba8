"""Opening awards: points of tournaments played before this system, one line an award."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.models import Player
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services.posting import (
    OpeningRow,
    is_undone,
    post_adjustments,
    post_opening,
    proposal_key,
    take_back,
)
from scoring.ledger.services.setting_up import being_set_up
from scoring.ledger.source_keys import back_key, origin_of
from scoring.ledger.windows import first_day
from scoring.office.lists.plan import Detail, ImportKind, Plan, PlanLine, RowReader, Undoing, Written, iso
from scoring.office.services.adjustments import Adjustment
from tournaments.formats.types import Column, TableRow
from ui.chunks import chunks
from ui.formatting import format_date, format_points, format_signed_points
from ui.text import fold

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
        ids = {player.pk for _row, player in found}
        posted, with_points, setup = _posted(ids), _with_points(ids), being_set_up()
        old = 0
        for row, player in found:
            said = self._said(reader, row, player, today)
            if said is None or not reader.first_time(row, said.source_key, said.points):
                continue
            old += said.played_on < first_day(today)
            if self._compare(reader, plan, row, player, said, posted.get(said.source_key, [])):
                plan.second["points"] += player.pk in with_points or not setup
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
    ) -> bool:
        """Whether the line adds an award; one with other points than before becomes an adjustment."""
        language = get_language()
        if said.points in posted:
            plan.same += 1
            return False
        if posted:
            self._adjust(reader, plan, row, player, said, posted[0])
            return False
        plan.add.append(said)
        details = (
            Detail(_("tournament"), f"{said.title}, {format_date(said.played_on, language)}"),
            Detail(_("venue"), gettext("online") if said.online else gettext("in person")),
            Detail(_("points"), format_points(said.points, language)),
        )
        plan.lines.append(PlanLine(row.line, False, player.number, player.desk_name, details))
        return True

    def _adjust(
        self, reader, plan: Plan, row: TableRow, player: Player, said: OpeningRow, posted: int
    ) -> None:
        language, difference = get_language(), said.points - posted
        new, old = format_points(said.points, language), format_points(posted, language)
        reader.problem("other_points", row, "points", new, old=old)
        plan.change.append(Adjustment(player.pk, said.played_on, said.title, said.online, difference))
        plan.second["adjustments"] += 1
        details = (
            Detail(_("tournament"), f"{said.title}, {format_date(said.played_on, language)}"),
            Detail(_("points"), new, old),
            Detail(_("adjustment"), format_signed_points(difference, language)),
        )
        plan.lines.append(PlanLine(row.line, True, player.number, player.desk_name, details))

    def apply(self, plan: Plan, by, proposal=None) -> Written:
        # Both refresh the standings themselves.
        made = post_opening(plan.add, by)
        adjusted = []
        if plan.change:
            if proposal is None:
                raise ValueError("adjustments stand on the approval of a second person")
            adjusted = post_adjustments(plan.change, proposal_key(proposal), proposal.reason, by)
        return Written(created=made, entries=adjusted)

    def undoing(self, written: dict[str, Any]) -> Undoing:
        found = Undoing()
        back = _taken_back(written["entries"])
        for name, ids in (("remove", written["created"]), ("take_back", written["entries"])):
            for chunk in chunks(ids):
                rows = LedgerEntry.objects.filter(pk__in=chunk).order_by("pk")
                for pk, number, title, reversal in rows.values_list(
                    "pk", "player__number", "title", "reversed_by"
                ):
                    if reversal or pk in back:
                        text = gettext("Number %(number)s: %(title)s was taken back already, or moved.")
                        found.conflicts.append(text % {"number": number, "title": title})
                    else:
                        getattr(found, name).append(pk)
        return found

    def undo(self, undoing: Undoing, reason: str, by, proposal=None) -> Written:
        return Written(entries=take_back([*undoing.remove, *undoing.take_back], reason, by))


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
    """Points by source key of the opening awards that these players have, as adjusted since.

    What a merging of two numbers moved counts as what a list would say of it; two awards can meet that way.
    What was undone with its list may come again.
    """
    posted: dict[str, list[int]] = {}
    adjusted: Counter[str] = Counter()
    kinds = (LedgerEntry.Kind.OPENING, LedgerEntry.Kind.ADJUSTMENT)
    for chunk in chunks(sorted(player_ids)):
        entries = LedgerEntry.objects.filter(
            player_id__in=chunk, family=FAMILY, kind__in=kinds, tournament=None
        ).order_by("pk")
        for kind, source_key, reversal, *award in entries.values_list(
            "kind", "source_key", "reversed_by__source_key", "player_id", "played_on", "title", "online",
            "points",
        ):  # fmt: skip
            key = OpeningRow(*award).source_key
            if kind == LedgerEntry.Kind.ADJUSTMENT:
                adjusted[key] += award[-1]
            elif reversal is None or not (origin_of(source_key) or is_undone(reversal)):
                posted.setdefault(key, []).append(award[-1])
    return {key: [points + adjusted[key] for points in found] for key, found in posted.items()}


def _with_points(player_ids: set[int]) -> set[int]:
    """Those of these players whose account has any line."""
    found: set[int] = set()
    for chunk in chunks(sorted(player_ids)):
        entries = LedgerEntry.objects.filter(player_id__in=chunk, family=FAMILY).order_by()
        found |= set(entries.values_list("player_id", flat=True).distinct())
    return found


def _taken_back(entry_ids: list[int]) -> set[int]:
    """Those of these adjustments that another one takes back."""
    keys = {back_key(pk): pk for pk in entry_ids}
    found: set[int] = set()
    for chunk in chunks(keys):
        rows = LedgerEntry.objects.filter(source_key__in=chunk).values_list("source_key", flat=True)
        found |= {keys[key] for key in rows}
    return found
