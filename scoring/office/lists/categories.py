"""Dated categories: number, category, first day, reason, evidence."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from math import inf
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.categories import superseded_by
from players.category_changes import Change, approval_reasons, change_of
from players.models import Category, CategoryAssignment, Player
from scoring.ledger.services.setting_up import being_set_up
from scoring.office.category_wording import code_words, past_words, steps_words
from scoring.office.lists.plan import (
    Detail,
    ImportKind,
    Plan,
    PlanLine,
    RowReader,
    Undoing,
    Written,
    category_code,
    iso,
)
from scoring.office.services.category_changes import MOST_ALONE, made_alone
from tournaments.formats.types import Column, TableRow
from ui.chunks import chunks
from ui.formatting import format_date

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
        new: list[tuple[TableRow, CategoryAssignment]] = []
        for row, player in found:
            said = self._said(reader, row, player, ladder)
            # A title stands next to others of the same day; of steps there can be one.
            if said is None or not reader.first_time(
                row,
                (player.pk, said.valid_from, said.category.is_title and said.category.code),
                said.category.code,
            ):
                continue
            if self._is_new(reader, plan, row, said, held.get(player.pk, [])):
                new.append((row, said))
        self._weigh(reader, plan, new, held, today)
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

    def _is_new(self, reader: RowReader, plan: Plan, row: TableRow, said, held: list) -> bool:
        day = format_date(said.valid_from, get_language())
        same_day = [each.category for each in held if each.valid_from == said.valid_from]
        if said.category in same_day:
            plan.same += 1
            return False
        rivals = [category.code for category in same_day if not category.is_title]
        if rivals and not said.category.is_title:
            reader.problem("category_taken", row, "category", old=rivals[0], day=day)
            return False
        return True

    def _weigh(self, reader: RowReader, plan: Plan, new: list, held: dict[int, list], today: date) -> None:
        """Say of each new line what it changes, and whether it needs a second person."""
        setup, categories = being_set_up(), list(Category.objects.all())
        of_player: dict[int, list] = defaultdict(list)
        for _row, said in new:
            of_player[said.player_id].append(said)
        for row, said in new:
            before = held.get(said.player_id, [])
            # What the file's other lines give is there already: a history comes in many lines.
            others = [each for each in of_player[said.player_id] if each is not said]
            change = change_of(in_order([*before, *others]), in_order([*before, *others, said]),
                               said.valid_from, today)  # fmt: skip
            ladder = [each for each in categories if in_ladder(each, said.valid_from)]
            plan.add.append(said)
            self._tell(reader, plan, row, said, before, change, ladder, today)
            if setup and not before:
                continue
            reasons = approval_reasons(change, ladder, today)
            plan.alone += change.moves
            plan.second["backdated"] += reasons.backdated
            plan.second["steps"] += reasons.steps

    def weigh_for(self, plan: Plan, by, today: date) -> None:
        if plan.alone and plan.alone + made_alone(by, today) > MOST_ALONE:
            plan.second["many"] = plan.alone

    def _tell(self, reader, plan: Plan, row: TableRow, said, held, change: Change, ladder, today) -> None:
        day = format_date(said.valid_from, get_language())
        code, before = said.category.code, change.before and change.before.code
        details = [Detail(_("category"), code, before if change.moves else None), Detail(_("from"), day)]
        if change.moves:
            details.append(Detail(_("steps"), steps_words(change.steps(ladder))))
        else:
            held_words = gettext("%(category)s already: nothing changes") % {"category": before}
            details.append(Detail(_("list of that day"), held_words))
        if change.today_before != change.today_after:
            details.append(
                Detail(_("list of today"), code_words(change.today_after), code_words(change.today_before))
            )
        if past := past_words(change, today):
            details.append(Detail(_("lists of past days"), past))
        if later := superseded_by(said, held):
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

    def apply(self, plan: Plan, by, proposal=None) -> Written:
        for assignment in plan.add:
            assignment.created_by = by
        made = CategoryAssignment.objects.bulk_create(plan.add, batch_size=1000)
        return Written(
            created=[each.pk for each in made],
            players={each.player_id for each in made},
            alone=0 if proposal else plan.alone,
            since=min((each.valid_from for each in made), default=None),
        )

    def undoing(self, written: dict[str, Any]) -> Undoing:
        found = Undoing()
        for chunk in chunks(written["created"]):
            rows = CategoryAssignment.objects.filter(pk__in=chunk).order_by("pk")
            for pk, number, revoked in rows.values_list("pk", "player__number", "revoked_at"):
                if revoked:
                    text = gettext("Number %(number)s: the category was revoked already.")
                    found.conflicts.append(text % {"number": number})
                else:
                    found.remove.append(pk)
        return found

    def undo(self, undoing: Undoing, reason: str, by, proposal=None) -> Written:
        evidence = proposal.evidence if proposal else ""
        rows: list[CategoryAssignment] = []
        for chunk in chunks(undoing.remove):
            found = CategoryAssignment.objects.filter(pk__in=chunk)
            rows += found
            found.update(
                revoked_at=timezone.now(), revoked_by=by, revoked_reason=reason, revoked_evidence=evidence
            )
        return Written(
            players={each.player_id for each in rows},
            since=min((each.valid_from for each in rows), default=None),
        )


def in_order(assignments: list[CategoryAssignment]) -> list[CategoryAssignment]:
    """Oldest first, as `held_on` takes them; of one day, what is not stored yet comes last."""
    return sorted(assignments, key=lambda each: (each.valid_from, each.pk or inf))


def in_ladder(category: Category, day: date) -> bool:
    """Whether the ladder of a day has the category."""
    return category.valid_from <= day and (category.valid_to is None or day <= category.valid_to)


def _assignments_of(player_ids: set[int]) -> dict[int, list[CategoryAssignment]]:
    """Each player's assignments, without the revoked ones."""
    held: dict[int, list[CategoryAssignment]] = {}
    for chunk in chunks(sorted(player_ids)):
        assignments = CategoryAssignment.objects.filter(player_id__in=chunk, revoked_at=None)
        for assignment in assignments.select_related("category"):
            held.setdefault(assignment.player_id, []).append(assignment)
    return held
