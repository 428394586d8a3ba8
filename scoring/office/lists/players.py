"""Players: number, first name, surname, club and whether they are hidden."""

from collections.abc import Sequence
from copy import copy
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Club, Player
from scoring.office.lists.plan import (
    Detail,
    ImportKind,
    Plan,
    PlanLine,
    RowReader,
    Undoing,
    Written,
    players_by_number,
)
from scoring.office.lists.undoing import differences, in_use, restorable
from tournaments.formats.types import Column, TableRow
from ui.chunks import chunks
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
    """The clubs by what a list calls them: the code, or else the name, whatever its case and accents."""

    def __init__(self) -> None:
        self._by_code: dict[str, Club] = {}
        self._by_name: dict[str, list[Club]] = {}
        for club in Club.objects.all():
            self._by_code[club.code.upper()] = club
            self._by_name.setdefault(fold(club.name), []).append(club)

    def called(self, text: str) -> list[Club]:
        if club := self._by_code.get(text.upper()):
            return [club]
        return self._by_name.get(fold(text), [])


class Players(ImportKind):
    """Adds players and brings known ones up to date; never takes one away.

    A blank club or a blank "hidden" leaves what is there, so that a list without them undoes nothing.
    """

    columns = (
        Column(
            "number",
            ("Número", "Number", "Licencia", "Número de licencia", "Licence"),
            "licence",
            filled=True,
        ),
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
            said = self._said(reader, row, clubs)
            if not reader.first_time(row, number, said):
                continue
            if number not in known:
                self._new(plan, row, number, said)
            elif not reader.merged(row, known[number]):
                self._compare(reader, plan, row, known[number], said)
        plan.issues = reader.issues.done()
        return plan

    def _said(self, reader: RowReader, row: TableRow, clubs: _Clubs) -> dict:
        """The fields that the row sets; a field it leaves blank is missing."""
        said = {name: reader.text(row, name, LIMITS[name]) for name in ("given_name", "surname")}
        if text := row.get("club").strip():
            found = clubs.called(text)
            if len(found) == 1:
                said["club"] = found[0]
            elif found:
                codes = ", ".join(sorted(club.code for club in found))
                reader.problem("several_clubs", row, "club", codes=codes)
            else:
                reader.problem("unknown_club", row, "club")
        said["hidden"] = reader.yes_no(row, "hidden")
        return {name: value for name, value in said.items() if value not in (None, "")}

    def _new(self, plan: Plan, row: TableRow, number: str, said: dict) -> None:
        player = Player(number=number, **said)
        player.derive_from_name()
        plan.add.append(player)
        details = [_detail(name, said[name]) for name in ("club", "hidden") if said.get(name)]
        plan.lines.append(PlanLine(row.line, False, number, player.desk_name, tuple(details)))

    def _compare(self, reader: RowReader, plan: Plan, row: TableRow, player: Player, said: dict) -> None:
        stored = copy(player)
        old = {name: getattr(player, name) for name in said}
        details = tuple(_detail(name, said[name], old[name]) for name in said if said[name] != old[name])
        if not details:
            plan.same += 1
            return
        before, shown = player.full_name, player.desk_name
        for name, value in said.items():
            setattr(player, name, value)
        player.derive_from_name()
        if not set(fold(before).split()) & set(player.search_text.split()):
            reader.problem("another_name", row, "number", player.number, old=before, new=player.full_name)
        plan.change.append(player)
        plan.before[player.pk] = differences(player.number, player.pk, stored, COLUMNS, player)
        plan.lines.append(PlanLine(row.line, True, player.number, shown, details))

    def apply(self, plan: Plan, by, proposal=None) -> Written:
        # In one order for every list: two lists at once must not wait for each other's rows.
        for rows in (plan.add, plan.change):
            rows.sort(key=lambda player: player.number)
        Player.objects.bulk_create(plan.add, batch_size=1000)
        # An upsert: bulk_update's CASE for each row takes many times longer.
        Player.objects.bulk_create(
            plan.change, update_conflicts=True, unique_fields=["number"],
            update_fields=[*FIELDS, "search_text", "sort_key"], batch_size=1000,
        )  # fmt: skip
        return Written(
            created=list(
                Player.objects.filter(number__in=[each.number for each in plan.add]).values_list(
                    "pk", flat=True
                )
            ),
            changed=[plan.before[player.pk] for player in plan.change],
            players={player.pk for player in plan.change},
        )

    def undoing(self, written: dict[str, Any]) -> Undoing:
        found = Undoing()
        used = in_use(written["created"])
        for chunk in chunks(written["created"]):
            for pk, number in Player.objects.filter(pk__in=chunk).values_list("pk", "number"):
                if pk in used:
                    text = _("Number %(number)s stays: something else names it by now.")
                    found.conflicts.append(text % {"number": number})
                else:
                    found.remove.append(pk)
        ids = [each["id"] for each in written["changed"]]
        rows = [player for chunk in chunks(ids) for player in Player.objects.filter(pk__in=chunk)]
        restorable(rows, written["changed"], lambda player: player.number, found)
        return found

    def undo(self, undoing: Undoing, reason: str, by, proposal=None) -> Written:
        for chunk in chunks(undoing.remove):
            Player.objects.filter(pk__in=chunk).delete()
        known = {}
        for chunk in chunks(each["id"] for each in undoing.restore):
            known |= Player.objects.in_bulk(chunk)
        for each in undoing.restore:
            player = known[each["id"]]
            for name, value in each["before"].items():
                setattr(player, name, value)
            player.derive_from_name()
        Player.objects.bulk_update(known.values(), [*FIELDS, "search_text", "sort_key"], batch_size=500)
        return Written(players=set(known))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value) if value else "—"


def _detail(name: str, new: object, old: object = ...) -> Detail:
    return Detail(LABELS[name], _shown(new), None if old is ... else _shown(old))
