"""Licences: number, season or first and last day, and for foreign ones who issued them."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.models import Licence, Player
from scoring.office.lists.plan import Detail, ImportKind, Plan, PlanLine, RowReader, Undoing, Written, iso
from scoring.office.lists.undoing import differences, restorable
from tournaments.formats.types import Column, TableRow
from ui.chunks import chunks
from ui.formatting import format_date

COLUMNS = ("valid_to", "equivalent")
ISSUER_LENGTH = Licence._meta.get_field("issuer").max_length


class Licences(ImportKind):
    """A licence is known by player, issuer and first day; its last day and its equivalence can change."""

    columns = (
        Column(
            "number",
            ("Número", "Number", "Licencia", "Número de licencia", "Licence"),
            "licence",
            filled=True,
        ),
        Column("season", ("Temporada", "Season", "Año", "Year"), required=False),
        Column("valid_from", ("Desde", "From", "Válida desde"), "date", required=False),
        Column("valid_to", ("Hasta", "To", "Válida hasta"), "date", required=False),
        Column("issuer", ("Federación extranjera", "Foreign federation"), required=False),
        Column("equivalent", ("Equivalente", "Counts as ours"), required=False),
    )

    def plan(self, rows: Sequence[TableRow], today: date) -> Plan:
        reader, plan = RowReader(self.columns), Plan()
        found = reader.known_players(rows)
        held = _licences_of({player.pk for _row, player in found})
        for row, player in found:
            said = self._said(reader, row, player)
            if said is None:
                continue
            key = (player.pk, said.issuer, said.valid_from)
            if reader.first_time(row, key, (said.valid_to, said.equivalent)):
                self._compare(reader, plan, row, player, said, held.get(player.pk, []))
        plan.issues = reader.issues.done()
        return plan

    def _said(self, reader: RowReader, row: TableRow, player: Player) -> Licence | None:
        days = _days(reader, row)
        issuer = reader.text(row, "issuer", ISSUER_LENGTH)
        if days is None or issuer is None:
            return None
        # Our own always counts; a foreign one only when the office says so.
        equivalent = bool(issuer) and bool(reader.yes_no(row, "equivalent"))
        return Licence(
            player=player, valid_from=days[0], valid_to=days[1], issuer=issuer, equivalent=equivalent
        )

    def _compare(self, reader, plan: Plan, row: TableRow, player: Player, said: Licence, held: list) -> None:
        same_key = [
            licence
            for licence in held
            if (licence.issuer, licence.valid_from) == (said.issuer, said.valid_from)
        ]
        if any(
            licence.issuer == said.issuer and licence not in same_key
            and licence.valid_from <= said.valid_to and said.valid_from <= licence.valid_to
            for licence in held
        ):  # fmt: skip
            reader.problem("licence_overlap", row, "number", player.number)
        if not same_key:
            plan.add.append(said)
            plan.lines.append(PlanLine(row.line, False, player.number, player.desk_name, _details(said)))
            return
        old = same_key[0]
        details = _details(said, old)
        if not details:
            plan.same += 1
            return
        plan.change.append(said)
        plan.before[old.pk] = differences(player.number, old.pk, old, COLUMNS, said)
        plan.lines.append(PlanLine(row.line, True, player.number, player.desk_name, details))

    def apply(self, plan: Plan, by, proposal=None) -> Written:
        # In one order for every list: two lists at once must not wait for each other's rows.
        for rows in (plan.add, plan.change):
            rows.sort(key=lambda licence: (licence.player_id, licence.issuer, licence.valid_from))
        Licence.objects.bulk_create(plan.add, batch_size=1000)
        Licence.objects.bulk_create(
            plan.change, update_conflicts=True, unique_fields=["player", "issuer", "valid_from"],
            update_fields=["valid_to", "equivalent"], batch_size=1000,
        )  # fmt: skip
        return Written(
            created=[each.pk for each in plan.add],
            changed=list(plan.before.values()),
            players={licence.player_id for licence in plan.add + plan.change},
        )

    def undoing(self, written: dict[str, Any]) -> Undoing:
        found = Undoing()
        for chunk in chunks(written["created"]):
            # What is gone already needs no undoing; what was changed by hand is still what the list added.
            found.remove += Licence.objects.filter(pk__in=chunk).values_list("pk", flat=True)
        ids = [each["id"] for each in written["changed"]]
        rows = [
            row
            for chunk in chunks(ids)
            for row in Licence.objects.select_related("player").filter(pk__in=chunk)
        ]
        restorable(rows, written["changed"], lambda row: row.player.number, found)
        return found

    def undo(self, undoing: Undoing, reason: str, by, proposal=None) -> Written:
        players: set[int] = set()
        for chunk in chunks(undoing.remove):
            rows = Licence.objects.filter(pk__in=chunk)
            players |= set(rows.values_list("player_id", flat=True))
            rows.delete()
        known: dict[int, Licence] = {}
        for chunk in chunks(each["id"] for each in undoing.restore):
            known |= Licence.objects.in_bulk(chunk)
        for each in undoing.restore:
            row = known[each["id"]]
            row.valid_to = date.fromisoformat(each["before"]["valid_to"])
            row.equivalent = each["before"]["equivalent"]
        Licence.objects.bulk_update(known.values(), COLUMNS, batch_size=500)
        return Written(players=players | {row.player_id for row in known.values()})


def _licences_of(player_ids: set[int]) -> dict[int, list[Licence]]:
    held: dict[int, list[Licence]] = {}
    for chunk in chunks(sorted(player_ids)):
        for licence in Licence.objects.filter(player_id__in=chunk):
            held.setdefault(licence.player_id, []).append(licence)
    return held


def _days(reader: RowReader, row: TableRow) -> tuple[date, date] | None:
    """First and last day, from the season where the dates are blank."""
    first, last = iso(row.get("valid_from")), iso(row.get("valid_to"))
    if season := row.get("season").strip():
        if not re.fullmatch(r"20[0-9]{2}", season):
            reader.problem("bad_season", row, "season")
            return None
        first = first or date(int(season), 1, 1)
        last = last or date(int(season), 12, 31)
    if first is None or last is None:
        reader.problem("licence_dates_missing", row, "season", "")
        return None
    if last < first:
        reader.problem("dates_reversed", row, "valid_to", first=str(first))
        return None
    return first, last


def _details(said: Licence, old: Licence | None = None) -> tuple[Detail, ...]:
    """What a new licence is, or what of a known one changes."""
    language = get_language()

    def yes_no(value: bool) -> str:
        return gettext("yes") if value else gettext("no")

    if old is None:
        span = f"{format_date(said.valid_from, language)} – {format_date(said.valid_to, language)}"
        details = [Detail(_("valid"), span)]
        if said.issuer:
            details.append(Detail(_("foreign federation"), said.issuer))
            details.append(Detail(_("counts as ours"), yes_no(said.equivalent)))
        return tuple(details)
    details = []
    if said.valid_to != old.valid_to:
        details.append(
            Detail(_("last day"), format_date(said.valid_to, language), format_date(old.valid_to, language))
        )
    if said.equivalent != old.equivalent:
        details.append(Detail(_("counts as ours"), yes_no(said.equivalent), yes_no(old.equivalent)))
    return tuple(details)
