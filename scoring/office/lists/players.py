"""Imported lists of players: number, name, club, whether they are hidden, e-mail address, year of birth."""

import re
from collections.abc import Sequence
from copy import copy
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Club, Player, PlayerChange
from players.services.privacy import with_minors_hidden
from players.services.register_journal import PLAYER_FIELDS, Kind, differences, player_change, values_of
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

COLUMNS = ("given_name", "surname", "club_id", "hidden", "email", "birth_year")
FIELDS = ["given_name", "surname", "club", "hidden", "email", "birth_year"]
PRIVATE = ("email", "birth_year")  # auditors, who see imported lists, see none of their values
LABELS = {
    "given_name": gettext_lazy("first name"),
    "surname": gettext_lazy("surname"),
    "club": gettext_lazy("club"),
    "hidden": gettext_lazy("hidden"),
    "email": gettext_lazy("e-mail address"),
    "birth_year": gettext_lazy("year of birth"),
}
OLDEST = 120  # no living player is older, in years
LIMITS = {name: Player._meta.get_field(name).max_length for name in ("given_name", "surname")}
VALID_EMAIL = Player._meta.get_field("email")


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

    A blank cell of an optional column leaves the stored value unchanged.
    """

    columns = (
        NUMBER,
        Column(
            "given_name", ("Nombre", "First name"), filled=True, hints=("Given name", "Forename", "Nombres")
        ),
        Column(
            "surname", ("Apellidos", "Surname", "Apellido"), filled=True, hints=("Last name", "Family name")
        ),
        Column(
            "club", ("Club", "Club code", "Código de club"), required=False, hints=("Asociación", "Entidad")
        ),
        Column("hidden", ("Oculto", "Hidden"), required=False, hints=("Privado", "Private")),
        Column("email", ("Correo", "E-mail", "Email", "Correo electrónico"), required=False, hints=("Mail",)),
        Column(
            "birth_year",
            ("Año de nacimiento", "Year of birth", "Nacimiento"),
            required=False,
            hints=("Año", "Nac", "Nacido", "Year", "Born"),
        ),
    )

    def plan(self, rows: Sequence[TableRow], today: date) -> Plan:
        reader, plan = RowReader(self.columns), Plan()
        clubs = _Clubs()
        numbered = [(row, number) for row in rows if (number := reader.number(row))]
        known = players_by_number(number for _row, number in numbered)
        for row, number in numbered:
            values = self._parse(reader, row, clubs) | self._parse_private(reader, row, today)
            if not reader.is_first(row, number, values):
                continue
            player = known.get(number)
            if player and (reader.is_merged(row, player) or reader.is_erased(row, player)):
                continue
            if reader.is_wrong(row):
                continue
            values = with_minors_hidden(values, player, today)
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

    def _parse_private(self, reader: RowReader, row: TableRow, today: date) -> dict:
        """Return {field name: value} of the fields that only the office and the player see, as `_parse`."""
        values: dict[str, Any] = {}
        if email := row.get("email").strip():
            try:
                VALID_EMAIL.run_validators(email)
                values["email"] = email
            except ValidationError:
                reader.add_issue("bad_email", row, "email", "")
        if year := row.get("birth_year").strip():
            if re.fullmatch("[0-9]{4}", year) and today.year - OLDEST <= int(year) <= today.year:
                values["birth_year"] = int(year)
            else:
                reader.add_issue("bad_birth_year", row, "birth_year", "", first=today.year - OLDEST)
        return values

    def _add(self, plan: Plan, row: TableRow, number: str, values: dict) -> None:
        player = Player(number=number, **values)
        player.derive_from_name()
        plan.add.append(player)
        shown = ("club", "hidden", *PRIVATE)
        details = [_detail(name, values[name]) for name in shown if values.get(name)]
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
            plan.second["names"] += 1
        plan.change.append(player)
        plan.former[player.pk] = values_of(stored, PLAYER_FIELDS)
        plan.before[player.pk] = change_record(player.number, player.pk, stored, COLUMNS, player)
        plan.lines.append(PlanLine(row.line, True, player.number, stored.desk_name, details))

    def apply(self, plan: Plan, by, proposal=None, part: int = 0) -> Written:
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

    def journal(self, plan: Plan) -> list[PlayerChange]:
        lines = []
        for player in (*plan.add, *plan.change):
            old, new = differences(plan.former.get(player.pk, {}), values_of(player, PLAYER_FIELDS))
            if player.pk in plan.former:
                lines.append(player_change(player, Kind.CHANGED, old, new, None))
            else:
                filled = {name: value for name, value in new.items() if value not in (None, "", False)}
                lines.append(player_change(player, Kind.ADDED, {}, filled, None))
        return lines

    def undo_journal(self, plan: UndoPlan) -> list[PlayerChange]:
        removed = rows_in(Player.objects.select_related("club"), "pk", plan.remove)
        lines = [
            player_change(player, Kind.ADDED, values_of(player, PLAYER_FIELDS), {}, None)
            for player in removed
        ]
        changes = {change["id"]: change["before"] for change in plan.restore}
        clubs = Club.objects.in_bulk({before["club_id"] for before in changes.values()} - {None})
        for player in rows_in(Player.objects.select_related("club"), "pk", changes):
            stored = values_of(player, PLAYER_FIELDS)
            for name, value in changes[player.pk].items():
                setattr(player, name, value)
            player.club = clubs.get(player.club_id)
            old, new = differences(stored, values_of(player, PLAYER_FIELDS))
            lines.append(player_change(player, Kind.CHANGED, old, new, None))
        return lines

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

    def undo(self, plan: UndoPlan, reason: str, by, at, proposal=None) -> Written:
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
    return Detail(LABELS[name], _text(new), None if old is ... else _text(old), private=name in PRIVATE)
