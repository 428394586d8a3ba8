"""Imported lists of category assignments: number, category, first day, reason, evidence."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from math import inf
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.categories import superseded_by
from players.category_changes import Change, approval_reasons, change_of, revoking_reasons
from players.models import Category, CategoryAssignment, Player
from players.services.categories import send_categories_changed
from scoring.ledger.services.approval import being_set_up
from scoring.office.category_wording import code_words, past_words, steps_words
from scoring.office.lists.plan import (
    NUMBER,
    Comparison,
    Detail,
    ImportKind,
    Plan,
    PlanLine,
    RowReader,
    Undoing,
    UndoPlan,
    Written,
    category_code,
    parse_date,
)
from scoring.office.services.category_changes import MOST_ALONE, count_changes_alone
from tournaments.formats.types import Column, TableRow
from ui.chunks import chunks, rows_in
from ui.formatting import format_date

REASON_LENGTH = CategoryAssignment._meta.get_field("reason").max_length
EVIDENCE_LENGTH = CategoryAssignment._meta.get_field("evidence").max_length


class Categories(ImportKind):
    """The list of category assignments. It adds assignments and never changes or revokes existing ones."""

    columns = (
        NUMBER,
        Column("category", ("Categoría", "Category"), filled=True, hints=("Cat", "Título", "Title")),
        Column("valid_from", ("Desde", "From"), "date", filled=True, hints=("Fecha", "Date")),
        Column("reason", ("Motivo", "Reason"), required=False),
        Column("evidence", ("Documento", "Evidence"), required=False, hints=("Acta", "Minutes")),
    )

    def plan(self, rows: Sequence[TableRow], today: date) -> Plan:
        reader, plan = RowReader(self.columns), Plan()
        categories = {category.code: category for category in Category.objects.all()}
        known = reader.known_players(rows)
        existing = _assignments_of({player.pk for _row, player in known})
        new: list[tuple[TableRow, CategoryAssignment]] = []
        for row, player in known:
            assignment = self._parse(reader, row, player, categories)
            if assignment is None:
                continue
            code = assignment.category.code
            # With the same first day, a player can get one category of the ladder and any number of titles.
            key = (player.pk, assignment.valid_from, assignment.category.is_title and code)
            if not reader.is_first(row, key, code):
                continue
            if self._is_new(reader, plan, row, assignment, existing[player.pk]):
                new.append((row, assignment))
        self._plan_new(reader, plan, new, existing, today)
        plan.issues = reader.issues.done()
        return plan

    def _parse(
        self, reader: RowReader, row: TableRow, player: Player, categories: dict[str, Category]
    ) -> CategoryAssignment | None:
        category = categories.get(category_code(row.get("category")))
        day = parse_date(row.get("valid_from"))
        reason = reader.text(row, "reason", REASON_LENGTH)
        evidence = reader.text(row, "evidence", EVIDENCE_LENGTH)
        if category is None:
            reader.add_issue("unknown_category", row, "category")
            return None
        if day is None or reason is None or evidence is None:
            return None
        if not in_ladder(category, day):
            reader.add_issue("category_not_in_ladder", row, "category", day=format_date(day, get_language()))
            return None
        return CategoryAssignment(
            player=player,
            category=category,
            valid_from=day,
            reason=reason,
            evidence=evidence,
            origin=CategoryAssignment.Origin.IMPORT,
        )

    def _is_new(
        self,
        reader: RowReader,
        plan: Plan,
        row: TableRow,
        new: CategoryAssignment,
        existing: list[CategoryAssignment],
    ) -> bool:
        day = format_date(new.valid_from, get_language())
        same_day = [assignment.category for assignment in existing if assignment.valid_from == new.valid_from]
        if new.category in same_day:
            plan.same += 1
            return False
        steps = [category.code for category in same_day if not category.is_title]
        if steps and not new.category.is_title:
            reader.add_issue("category_taken", row, "category", old=steps[0], day=day)
            return False
        return True

    def _plan_new(
        self,
        reader: RowReader,
        plan: Plan,
        new: list[tuple[TableRow, CategoryAssignment]],
        existing: dict[int, list[CategoryAssignment]],
        today: date,
    ) -> None:
        """Add the new assignments to the plan: what each changes, and whether it needs a second person.

        existing: {player id: the player's stored assignments}
        """
        setup, categories = being_set_up(), list(Category.objects.all())
        by_player: dict[int, list[CategoryAssignment]] = defaultdict(list)
        for _row, assignment in new:
            by_player[assignment.player_id].append(assignment)
        for row, assignment in new:
            before = existing[assignment.player_id]
            # Weigh each line as if the file's other lines were applied already, because the history of a
            # player may take several lines.
            others = [
                from_file for from_file in by_player[assignment.player_id] if from_file is not assignment
            ]
            change = change_of(
                in_order([*before, *others]),
                in_order([*before, *others, assignment]),
                assignment.valid_from,
                today,
            )
            ladder = [category for category in categories if in_ladder(category, assignment.valid_from)]
            plan.add.append(assignment)
            self._add_line(reader, plan, row, assignment, before, change, ladder, today)
            if setup and not before:
                continue
            reasons = approval_reasons(change, ladder, today)
            plan.alone += change.moves
            plan.second["backdated"] += reasons.backdated
            plan.second["steps"] += reasons.steps

    def count_reasons_for(self, plan: Comparison | Undoing, by, today: date) -> None:
        if plan.alone and plan.alone + count_changes_alone(by, today) > MOST_ALONE:
            plan.second["many"] = plan.alone

    def _add_line(
        self,
        reader: RowReader,
        plan: Plan,
        row: TableRow,
        new: CategoryAssignment,
        existing: list[CategoryAssignment],
        change: Change,
        ladder: list[Category],
        today: date,
    ) -> None:
        """Add the line of a new assignment to the preview. Warn if a later assignment replaces it."""
        day = format_date(new.valid_from, get_language())
        code, before = new.category.code, change.before and change.before.code
        details = [Detail(_("category"), code, before if change.moves else None), Detail(_("from"), day)]
        if change.moves:
            details.append(Detail(_("steps"), steps_words(change.steps(ladder))))
        else:
            unchanged = gettext("%(category)s already: nothing changes") % {"category": before}
            details.append(Detail(_("list of that day"), unchanged))
        if change.today_before != change.today_after:
            details.append(
                Detail(
                    _("list of today"),
                    code_words(change.today_after),
                    code_words(change.today_before),
                    daily=True,
                )
            )
        if past := past_words(change, today):
            details.append(Detail(_("lists of past days"), past, daily=True))
        if later := superseded_by(new, existing):
            until, code = format_date(later.valid_from, get_language()), later.category.code
            reader.add_issue("category_overtaken", row, "category", day=until, new=code, why=later.words)
            details.append(Detail(_("until"), f"{until} ({code})"))
        if new.reason:
            details.append(Detail(_("reason"), new.reason))
        if new.evidence:
            details.append(Detail(_("evidence"), new.evidence))
        plan.lines.append(PlanLine(row.line, False, new.player.number, new.player.desk_name, tuple(details)))

    def apply(self, plan: Plan, by, proposal=None, part: int = 0) -> Written:
        for assignment in plan.add:
            assignment.created_by, assignment.by_two = by, proposal is not None
        created = CategoryAssignment.objects.bulk_create(plan.add, batch_size=1000)
        send_categories_changed(made=created)
        return Written(
            created=[assignment.pk for assignment in created],
            players={assignment.player_id for assignment in created},
            since=min((assignment.valid_from for assignment in created), default=None),
        )

    def plan_undo(self, written: dict[str, Any], today: date) -> UndoPlan:
        plan = UndoPlan()
        removed: list[CategoryAssignment] = []
        assignments = CategoryAssignment.objects.select_related("category", "player").order_by("pk")
        for assignment in rows_in(assignments, "pk", written["created"]):
            if assignment.revoked_at:
                text = gettext("Number %(number)s: the category was revoked already.")
                plan.conflicts.append(text % {"number": assignment.player.number})
            else:
                removed.append(assignment)
        plan.remove = [assignment.pk for assignment in removed]
        _weigh_removing(plan, removed, today)
        return plan

    def undo(self, plan: UndoPlan, reason: str, by, at, proposal=None) -> Written:
        evidence = proposal.evidence if proposal else ""
        revoked: list[CategoryAssignment] = []
        for chunk in chunks(plan.remove):
            assignments = CategoryAssignment.objects.filter(pk__in=chunk)
            revoked += assignments
            assignments.update(revoked_at=at, revoked_by=by, revoked_reason=reason, revoked_evidence=evidence)
        send_categories_changed(revoked=revoked)
        return Written(
            players={assignment.player_id for assignment in revoked},
            since=min((assignment.valid_from for assignment in revoked), default=None),
        )


def _weigh_removing(plan: UndoPlan, removed: list[CategoryAssignment], today: date) -> None:
    """Add to the plan why a second person must approve removing these assignments.

    The reasons are the same as for revoking the assignments by hand.
    """
    categories, ids = list(Category.objects.all()), set(plan.remove)
    existing = _assignments_of({assignment.player_id for assignment in removed})
    for assignment in removed:
        # Weigh each line as if the file's other lines were undone already, because the history of a player
        # may take several lines.
        after = [kept for kept in existing[assignment.player_id] if kept.pk not in ids]
        change = change_of(in_order([*after, assignment]), in_order(after), assignment.valid_from, today)
        ladder = [category for category in categories if in_ladder(category, assignment.valid_from)]
        reasons = revoking_reasons(change, ladder, today)
        plan.alone += change.moves
        plan.second["backdated"] += reasons.backdated
        plan.second["steps"] += reasons.steps


def in_order(assignments: list[CategoryAssignment]) -> list[CategoryAssignment]:
    """Return the assignments, oldest first. Of those that start on the same day, unsaved ones are last."""
    return sorted(assignments, key=lambda assignment: (assignment.valid_from, assignment.pk or inf))


def in_ladder(category: Category, day: date) -> bool:
    """Return whether the category belongs to the ladder in force on `day`."""
    return category.valid_from <= day and (category.valid_to is None or day <= category.valid_to)


def _assignments_of(player_ids: set[int]) -> dict[int, list[CategoryAssignment]]:
    """Return {player id: assignments that are not revoked}, with an empty list for every other id."""
    by_player: dict[int, list[CategoryAssignment]] = defaultdict(list)
    assignments = CategoryAssignment.objects.filter(revoked_at=None).select_related("category")
    for assignment in rows_in(assignments, "player", player_ids):
        by_player[assignment.player_id].append(assignment)
    return by_player
