"""Imported lists of licences: number, season or first and last day, and the issuer of foreign licences."""

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.models import Licence, Player, PlayerChange
from players.services.register_journal import licence_change, licence_values
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
from scoring.office.lists.undoing import change_record, plan_restoring
from tournaments.formats.types import Column, TableRow
from ui.chunks import chunks, rows_in
from ui.formatting import format_date

COLUMNS = ("valid_to", "equivalent")
ISSUER_LENGTH = Licence._meta.get_field("issuer").max_length


class Licences(ImportKind):
    """The list of licences. It adds and changes licences, identified by player, issuer and first day."""

    columns = (
        NUMBER,
        Column("season", ("Temporada", "Season", "Año", "Year"), required=False),
        Column(
            "valid_from",
            ("Desde", "From", "Válida desde"),
            "date",
            required=False,
            hints=("Alta", "Inicio", "Start"),
        ),
        Column(
            "valid_to",
            ("Hasta", "To", "Válida hasta"),
            "date",
            required=False,
            hints=("Caducidad", "Fin", "Expiry", "End"),
        ),
        Column(
            "issuer", ("Federación extranjera", "Foreign federation"), required=False, hints=("Extranjera",)
        ),
        Column("equivalent", ("Equivalente", "Counts as ours"), required=False),
    )

    def plan(self, rows: Sequence[TableRow], today: date) -> Plan:
        reader, plan = RowReader(self.columns), Plan()
        known = reader.known_players(rows)
        existing = _licences_of({player.pk for _row, player in known})
        for row, player in known:
            licence = self._parse(reader, row, player)
            if licence is None:
                continue
            key = (player.pk, licence.issuer, licence.valid_from)
            if reader.is_first(row, key, (licence.valid_to, licence.equivalent)):
                self._compare(reader, plan, row, licence, existing[player.pk])
        plan.issues = reader.issues.done()
        return plan

    def _parse(self, reader: RowReader, row: TableRow, player: Player) -> Licence | None:
        days = _days(reader, row)
        issuer = reader.text(row, "issuer", ISSUER_LENGTH)
        if days is None or issuer is None:
            return None
        # `equivalent` concerns foreign licences only: a licence of this federation always counts.
        equivalent = bool(issuer) and bool(reader.yes_no(row, "equivalent"))
        if reader.is_wrong(row):
            return None
        return Licence(
            player=player, valid_from=days[0], valid_to=days[1], issuer=issuer, equivalent=equivalent
        )

    def _compare(
        self, reader: RowReader, plan: Plan, row: TableRow, new: Licence, existing: list[Licence]
    ) -> None:
        player = new.player
        same_key = [
            licence
            for licence in existing
            if (licence.issuer, licence.valid_from) == (new.issuer, new.valid_from)
        ]
        if any(
            licence.issuer == new.issuer
            and licence not in same_key
            and licence.valid_from <= new.valid_to
            and new.valid_from <= licence.valid_to
            for licence in existing
        ):
            reader.add_issue("licence_overlap", row, "number", player.number)
        if not same_key:
            plan.add.append(new)
            plan.lines.append(PlanLine(row.line, False, player.number, player.desk_name, _details(new)))
            return
        old = same_key[0]
        details = _changes(new, old)
        if not details:
            plan.same += 1
            return
        plan.change.append(new)
        plan.former[_key(new)] = licence_values(old)
        plan.before[old.pk] = change_record(player.number, old.pk, old, COLUMNS, new)
        plan.lines.append(PlanLine(row.line, True, player.number, player.desk_name, details))

    def apply(self, plan: Plan, by, proposal=None, part: int = 0) -> Written:
        # Always write in the same order: two simultaneous lists must not deadlock on each other's rows.
        for rows in (plan.add, plan.change):
            rows.sort(key=lambda licence: (licence.player_id, licence.issuer, licence.valid_from))
        Licence.objects.bulk_create(plan.add, batch_size=1000)
        Licence.objects.bulk_create(
            plan.change,
            update_conflicts=True,
            unique_fields=["player", "issuer", "valid_from"],
            update_fields=["valid_to", "equivalent"],
            batch_size=1000,
        )
        return Written(
            created=[licence.pk for licence in plan.add],
            changed=list(plan.before.values()),
            players={licence.player_id for licence in plan.add + plan.change},
            since=min((licence.valid_from for licence in plan.add + plan.change), default=None),
        )

    def journal(self, plan: Plan) -> list[PlayerChange]:
        return [
            licence_change(new.player, plan.former.get(_key(new), {}), licence_values(new), None)
            for new in (*plan.add, *plan.change)
        ]

    def undo_journal(self, plan: UndoPlan) -> list[PlayerChange]:
        licences = Licence.objects.select_related("player")
        lines = [
            licence_change(licence.player, licence_values(licence), {}, None)
            for licence in rows_in(licences, "pk", plan.remove)
        ]
        changes = {change["id"]: change["before"] for change in plan.restore}
        for licence in rows_in(licences, "pk", changes):
            stored = licence_values(licence)
            lines.append(licence_change(licence.player, stored, stored | changes[licence.pk], None))
        return lines

    def plan_undo(self, written: dict[str, Any], today: date) -> UndoPlan:
        plan = UndoPlan()
        # Remove the licences that the list added, even if they were changed since.
        plan.remove += rows_in(Licence.objects.values_list("pk", flat=True), "pk", written["created"])
        licences = Licence.objects.select_related("player")
        plan_restoring(licences, written["changed"], lambda licence: licence.player.number, plan)
        return plan

    def undo(self, plan: UndoPlan, reason: str, by, at, proposal=None) -> Written:
        removed = list(rows_in(Licence.objects.values_list("player_id", "valid_from"), "pk", plan.remove))
        for chunk in chunks(plan.remove):
            Licence.objects.filter(pk__in=chunk).delete()
        ids = [change["id"] for change in plan.restore]
        licences = {licence.pk: licence for licence in rows_in(Licence.objects, "pk", ids)}
        for change in plan.restore:
            licence = licences[change["id"]]
            licence.valid_to = date.fromisoformat(change["before"]["valid_to"])
            licence.equivalent = change["before"]["equivalent"]
        Licence.objects.bulk_update(licences.values(), COLUMNS, batch_size=500)
        restored = [(licence.player_id, licence.valid_from) for licence in licences.values()]
        return Written(
            players={player for player, _first in (*removed, *restored)},
            since=min((first for _player, first in (*removed, *restored)), default=None),
        )


def _key(licence: Licence) -> tuple[int, str, date]:
    """Return what identifies a licence in a list."""
    return licence.player_id, licence.issuer, licence.valid_from


def _licences_of(player_ids: set[int]) -> dict[int, list[Licence]]:
    by_player: dict[int, list[Licence]] = defaultdict(list)
    for licence in rows_in(Licence.objects, "player", player_ids):
        by_player[licence.player_id].append(licence)
    return by_player


def _days(reader: RowReader, row: TableRow) -> tuple[date, date] | None:
    """Return the licence's first and last day. Blank dates default to those of the season.

    Return None and add an issue if the dates are missing or invalid.
    """
    first, last = parse_date(row.get("valid_from")), parse_date(row.get("valid_to"))
    if season := row.get("season").strip():
        if not re.fullmatch(r"20[0-9]{2}", season):
            reader.add_issue("bad_season", row, "season")
            return None
        first = first or date(int(season), 1, 1)
        last = last or date(int(season), 12, 31)
    if first is None or last is None:
        reader.add_issue("licence_dates_missing", row, "season", "")
        return None
    if last < first:
        reader.add_issue("licence_dates_reversed", row, "valid_to", first=str(first))
        return None
    return first, last


def _details(new: Licence) -> tuple[Detail, ...]:
    """Return the details of a new licence for the preview."""
    language = get_language()
    span = f"{format_date(new.valid_from, language)} – {format_date(new.valid_to, language)}"
    details = [Detail(_("valid"), span)]
    if new.issuer:
        details.append(Detail(_("foreign federation"), new.issuer))
        details.append(Detail(_("counts as ours"), _yes_no(new.equivalent)))
    return tuple(details)


def _changes(new: Licence, old: Licence) -> tuple[Detail, ...]:
    """Return the details of what changes in an existing licence, for the preview; empty if nothing does."""
    language = get_language()
    details = []
    if new.valid_to != old.valid_to:
        details.append(
            Detail(_("last day"), format_date(new.valid_to, language), format_date(old.valid_to, language))
        )
    if new.equivalent != old.equivalent:
        details.append(Detail(_("counts as ours"), _yes_no(new.equivalent), _yes_no(old.equivalent)))
    return tuple(details)


def _yes_no(value: bool) -> str:
    return gettext("yes") if value else gettext("no")
