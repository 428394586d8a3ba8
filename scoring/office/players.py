"""Players: number, first name, surname, club and whether they are hidden."""

from collections.abc import Sequence
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Club, Player
from players.text import fold
from scoring.office.plan import Detail, ImportKind, Plan, PlanLine, RowReader, players_by_number
from tournaments.formats.types import Column, TableRow

FIELDS = ["given_name", "surname", "club", "hidden"]
LABELS = {
    "given_name": gettext_lazy("first name"),
    "surname": gettext_lazy("surname"),
    "club": gettext_lazy("club"),
    "hidden": gettext_lazy("hidden"),
}
LIMITS = {name: Player._meta.get_field(name).max_length for name in ("given_name", "surname")}


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
        clubs = {club.code.upper(): club for club in Club.objects.all()}
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

    def _said(self, reader: RowReader, row: TableRow, clubs: dict[str, Club]) -> dict:
        """The fields that the row sets; a field it leaves blank is missing."""
        said = {name: reader.text(row, name, LIMITS[name]) for name in ("given_name", "surname")}
        if code := row.get("club").strip().upper():
            if code in clubs:
                said["club"] = clubs[code]
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
        plan.lines.append(PlanLine(row.line, True, player.number, shown, details))

    def apply(self, plan: Plan, by) -> set[int]:
        # In one order for every list: two lists at once must not wait for each other's rows.
        for rows in (plan.add, plan.change):
            rows.sort(key=lambda player: player.number)
        Player.objects.bulk_create(plan.add, batch_size=1000)
        # An upsert: bulk_update's CASE for each row takes many times longer.
        Player.objects.bulk_create(
            plan.change, update_conflicts=True, unique_fields=["number"],
            update_fields=[*FIELDS, "search_text", "sort_key"], batch_size=1000,
        )  # fmt: skip
        return {player.pk for player in plan.change}


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value) if value else "—"


def _detail(name: str, new: object, old: object = ...) -> Detail:
    return Detail(LABELS[name], _shown(new), None if old is ... else _shown(old))
