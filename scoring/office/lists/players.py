"""Imported lists of players: number, first name, surname, club, and whether they are hidden."""

from collections.abc import Sequence
from copy import copy
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Club, Player
from scoring.office.lists.plan import (
    NUMBER,
    Detail,
    ImportKind,
    Plan,
    PlanLine,
    RowReader,
    UndoPlan,
    Written,
    players_by_number,
)
from scoring.office.lists.undoing import change_record, plan_restoring, players_in_use
from tournaments.formats.types import Column, TableRow
from ui.chunks import chunks, rows_in
from ui.text import fold

COLUMNS = ("given_name", "surname", "club_id", "hidden")
FIELDS = ["given_name", "surname", "club", "hidden"]
LABELS = {
    "given_name": gettext_lazy("first name"),
    "surname": gettext_lazy("surname"),
    "club": gettext_lazy("club"),
    "hidden": gettext_lazy("hidden"),
}
LIMITS = {name: Player._meta.get_field(name).max_length for name in ("given_name", "surname")}


class _Clubs:
    """Finds clubs by code, or else by name, ignoring case and accents."""

    def __init__(self) -> None:
        self._by_code: dict[str, Club] = {}
        self._by_name: dict[str, list[Club]] = {}
        for club in Club.objects.all():
            self._by_code[club.code.upper()] = club
            self._by_name.setdefault(fold(club.name), []).append(club)

    def find(self, text: str) -> list[Club]:
        if club := self._by_code.get(text.upper()):
            return [club]
        return self._by_name.get(fold(text), [])


class Players(ImportKind):
    """The list of players. It adds and updates players and never removes any.

    A blank cell for the club or for "hidden" leaves the stored value unchanged.
    """

    columns = (
        NUMBER,
        Column("given_name", ("Nombre", "First name"), filled=True),
        Column("surname", ("Apellidos", "Surname", "Apellido"), filled=True),
        Column("club", ("Club", "Club code", "Código de club"), required=False),
        Column("hidden", ("Oculto", "Hidden"), required=False),
    )

    def plan(self, rows: Sequence[TableRow], today: date) -> Plan:
        reader, plan = RowReader(self.columns), Plan()
        clubs = _Clubs()
        numbered = [(row, number) for row in rows if (number := reader.number(row))]
        known = players_by_number(number for _row, number in numbered)
        for row, number in numbered:
            values = self._parse(reader, row, clubs)
            if not reader.is_first(row, number, values):
                continue
            player = known.get(number)
            if (player and reader.is_merged(row, player)) or reader.is_wrong(row):
                continue
            if player:
                self._compare(reader, plan, row, player, values)
            else:
                self._add(plan, row, number, values)
        plan.issues = reader.issues.done()
        return plan

    def _parse(self, reader: RowReader, row: TableRow, clubs: _Clubs) -> dict:
        """Return {field name: value} of the player's fields that the row sets. Blank cells set nothing."""
        values = {name: reader.text(row, name, LIMITS[name]) for name in ("given_name", "surname")}
        if text := row.get("club").strip():
            matches = clubs.find(text)
            if len(matches) == 1:
                values["club"] = matches[0]
            elif matches:
                codes = ", ".join(sorted(club.code for club in matches))
                reader.add_issue("several_clubs", row, "club", codes=codes)
            else:
                reader.add_issue("unknown_club", row, "club")
        values["hidden"] = reader.yes_no(row, "hidden")
        return {name: value for name, value in values.items() if value not in (None, "")}

    def _add(self, plan: Plan, row: TableRow, number: str, values: dict) -> None:
        player = Player(number=number, **values)
        player.derive_from_name()
        plan.add.append(player)
        details = [_detail(name, values[name]) for name in ("club", "hidden") if values.get(name)]
        plan.lines.append(PlanLine(row.line, False, number, player.desk_name, tuple(details)))

    def _compare(self, reader: RowReader, plan: Plan, row: TableRow, player: Player, values: dict) -> None:
        stored = copy(player)
        old = {name: getattr(player, name) for name in values}
        details = tuple(
            _detail(name, value, old[name]) for name, value in values.items() if value != old[name]
        )
        if not details:
            plan.same += 1
            return
        for name, value in values.items():
            setattr(player, name, value)
        player.derive_from_name()
        old_name, new_name = stored.full_name, player.full_name
        if not set(fold(old_name).split()) & set(player.search_text.split()):
            reader.add_issue("another_name", row, "number", player.number, old=old_name, new=new_name)
        plan.change.append(player)
        plan.before[player.pk] = change_record(player.number, player.pk, stored, COLUMNS, player)
        plan.lines.append(PlanLine(row.line, True, player.number, stored.desk_name, details))

    def apply(self, plan: Plan, by, proposal=None) -> Written:
        # Always write in the same order: two simultaneous lists must not deadlock on each other's rows.
        for rows in (plan.add, plan.change):
            rows.sort(key=lambda player: player.number)
        Player.objects.bulk_create(plan.add, batch_size=1000)
        # Upsert: bulk_update, with a CASE for each row, takes many times longer.
        Player.objects.bulk_create(
            plan.change,
            update_conflicts=True,
            unique_fields=["number"],
            update_fields=[*FIELDS, "search_text", "sort_key"],
            batch_size=1000,
        )
        created = Player.objects.filter(number__in=[player.number for player in plan.add])
        return Written(
            created=list(created.values_list("pk", flat=True)),
            changed=[plan.before[player.pk] for player in plan.change],
            players={player.pk for player in plan.change},
        )

    def plan_undo(self, written: dict[str, Any], today: date) -> UndoPlan:
        plan = UndoPlan()
        in_use = players_in_use(written["created"])
        for pk, number in rows_in(Player.objects.values_list("pk", "number"), "pk", written["created"]):
            if pk in in_use:
                text = _("Number %(number)s stays: something else names it by now.")
                plan.conflicts.append(text % {"number": number})
            else:
                plan.remove.append(pk)
        plan_restoring(Player.objects, written["changed"], lambda player: player.number, plan)
        return plan

    def undo(self, plan: UndoPlan, reason: str, by, proposal=None) -> Written:
        for chunk in chunks(plan.remove):
            Player.objects.filter(pk__in=chunk).delete()
        ids = [change["id"] for change in plan.restore]
        players = {player.pk: player for player in rows_in(Player.objects, "pk", ids)}
        for change in plan.restore:
            player = players[change["id"]]
            for name, value in change["before"].items():
                setattr(player, name, value)
            player.derive_from_name()
        Player.objects.bulk_update(players.values(), [*FIELDS, "search_text", "sort_key"], batch_size=500)
        return Written(players=set(players))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value) if value else "—"


def _detail(name: str, new: object, old: object = ...) -> Detail:
    return Detail(LABELS[name], _text(new), None if old is ... else _text(old))
