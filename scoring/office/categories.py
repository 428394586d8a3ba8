"""Dated categories: number, category, first day, reason, evidence."""

from collections.abc import Sequence
from datetime import date

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from players.categories import overtaken_by
from players.chunks import chunks
from players.formatting import format_date
from players.models import Category, CategoryAssignment, Player
from scoring.office.plan import Detail, ImportKind, Plan, PlanLine, RowReader, category_code, iso
from tournaments.formats.types import Column, TableRow

REASON_LENGTH = CategoryAssignment._meta.get_field("reason").max_length
EVIDENCE_LENGTH = CategoryAssignment._meta.get_field("evidence").max_length


class Categories(ImportKind):
    """Adds assignments; one that is there is never changed, only revoked by hand."""

    columns = (
        Column(
            "number",
            ("Número", "Number", "Licencia", "Número de licencia", "Licence"),
            "licence",
            filled=True,
        ),
        Column("category", ("Categoría", "Category"), filled=True),
        Column("valid_from", ("Desde", "From"), "date", filled=True),
        Column("reason", ("Motivo", "Reason"), required=False),
        Column("evidence", ("Documento", "Evidence"), required=False),
    )

    def plan(self, rows: Sequence[TableRow], today: date) -> Plan:
        reader, plan = RowReader(self.columns), Plan()
        ladder = {category.code: category for category in Category.objects.all()}
        found = reader.known_players(rows)
        held = _assignments_of({player.pk for _row, player in found})
        for row, player in found:
            said = self._said(reader, row, player, ladder)
            # A title stands next to others of the same day; of steps there can be one.
            if said is None or not reader.first_time(
                row,
                (player.pk, said.valid_from, said.category.is_title and said.category.code),
                said.category.code,
            ):
                continue
            self._compare(reader, plan, row, said, held.get(player.pk, []))
        plan.issues = reader.issues.done()
        return plan

    def _said(self, reader: RowReader, row: TableRow, player: Player, ladder) -> CategoryAssignment | None:
        category = ladder.get(category_code(row.get("category")))
        day = iso(row.get("valid_from"))
        reason = reader.text(row, "reason", REASON_LENGTH)
        evidence = reader.text(row, "evidence", EVIDENCE_LENGTH)
        if category is None:
            reader.problem("unknown_category", row, "category")
            return None
        if day is None or reason is None or evidence is None:
            return None
        if day < category.valid_from or (category.valid_to and day > category.valid_to):
            reader.problem("category_not_in_ladder", row, "category", day=format_date(day, get_language()))
            return None
        return CategoryAssignment(
            player=player, category=category, valid_from=day, reason=reason, evidence=evidence,
            origin=CategoryAssignment.Origin.IMPORT,
        )  # fmt: skip

    def _compare(self, reader: RowReader, plan: Plan, row: TableRow, said, held: list) -> None:
        day = format_date(said.valid_from, get_language())
        same_day = [each.category for each in held if each.valid_from == said.valid_from]
        if said.category in same_day:
            plan.same += 1
            return
        rivals = [category.code for category in same_day if not category.is_title]
        if rivals and not said.category.is_title:
            reader.problem("category_taken", row, "category", old=rivals[0], day=day)
            return
        plan.add.append(said)
        details = [Detail(_("category"), said.category.code), Detail(_("from"), day)]
        # What the file's other lines give later is their own affair: a history comes in many lines.
        if later := overtaken_by(said, held):
            until, code = format_date(later.valid_from, get_language()), later.category.code
            reader.problem("category_overtaken", row, "category", day=until, new=code, why=later.words)
            details.append(Detail(_("until"), f"{until} ({code})"))
        if said.reason:
            details.append(Detail(_("reason"), said.reason))
        if said.evidence:
            details.append(Detail(_("evidence"), said.evidence))
        plan.lines.append(
            PlanLine(row.line, False, said.player.number, said.player.desk_name, tuple(details))
        )

    def apply(self, plan: Plan, by) -> set[int]:
        for assignment in plan.add:
            assignment.created_by = by
        CategoryAssignment.objects.bulk_create(plan.add, batch_size=1000)
        return {assignment.player_id for assignment in plan.add}


def _assignments_of(player_ids: set[int]) -> dict[int, list[CategoryAssignment]]:
    """Each player's assignments, without the revoked ones."""
    held: dict[int, list[CategoryAssignment]] = {}
    for chunk in chunks(sorted(player_ids)):
        assignments = CategoryAssignment.objects.filter(player_id__in=chunk, revoked_at=None)
        for assignment in assignments.select_related("category"):
            held.setdefault(assignment.player_id, []).append(assignment)
    return held
