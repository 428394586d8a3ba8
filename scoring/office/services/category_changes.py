"""Categories by hand: one step up from today needs one person, everything else a second one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.db import transaction
from django.utils import timezone

from players.category_changes import Change, approval_reasons, change_of
from players.models import Category, CategoryAssignment, Player, Proposal
from players.services import categories
from players.services.proposals import propose
from scoring.ledger.services import standings
from scoring.ledger.services.setting_up import being_set_up
from scoring.office.models import OfficeImport

KIND = "category"
MOST_ALONE = 5  # changes that one person makes alone on one day, by hand and by lists


@dataclass(frozen=True, slots=True)
class Looked:
    """What an act would change, and why a second person is needed: codes `backdated`, `steps`, `many`."""

    change: Change
    ladder: Sequence[Category]
    why: tuple[str, ...]


def assignments_of(player_id: int) -> list[CategoryAssignment]:
    """The assignments that hold, oldest first."""
    held = CategoryAssignment.objects.filter(player_id=player_id, revoked_at=None)
    return list(held.select_related("category").order_by("valid_from", "pk"))


def looked_at_giving(player: Player, category: Category, valid_from: date, by) -> Looked:
    """What giving a category would change."""
    held = assignments_of(player.pk)
    new = CategoryAssignment(player=player, category=category, valid_from=valid_from)
    after = sorted([*held, new], key=lambda each: each.valid_from)
    return _looked_at(held, after, valid_from, by, exempt=not held and being_set_up())


def looked_at_revoking(assignment: CategoryAssignment, by) -> Looked:
    """What revoking one would change."""
    held = assignments_of(assignment.player_id)
    after = [each for each in held if each.pk != assignment.pk]
    return _looked_at(held, after, assignment.valid_from, by, exempt=False, revoking=True)


def _looked_at(held, after, day: date, by, *, exempt: bool, revoking: bool = False) -> Looked:
    today = standings.today()
    change, ladder = change_of(held, after, day, today), list(Category.objects.on(day))
    if exempt:
        return Looked(change, ladder, ())
    reasons = approval_reasons(change, ladder, today)
    # What was given by mistake and does not hold yet, or holds since today, may be taken back.
    steps = reasons.steps and not (revoking and day >= today)
    why = {"backdated": reasons.backdated, "steps": steps, "many": made_alone(by, today) >= MOST_ALONE}
    return Looked(change, ladder, tuple(code for code, holds in why.items() if holds))


def made_alone(by, today: date) -> int:
    """Count the categories that the account changed today without a second person, by hand or by list."""
    begin = timezone.make_aware(datetime.combine(today, time.min))
    given = CategoryAssignment.objects.filter(
        created_by=by, created_at__gte=begin, origin=CategoryAssignment.Origin.MANUAL
    )
    lists = OfficeImport.objects.filter(
        applied_by=by, applied_at__gte=begin, kind=OfficeImport.Kind.CATEGORIES, by_two=False
    )
    return given.count() + sum(each.get("alone", 0) for each in lists.values_list("written", flat=True))


@transaction.atomic
def give(
    player: Player, category: Category, valid_from: date, reason: str, by, *,
    evidence: str, follows: int | None = None,
) -> CategoryAssignment | Proposal:  # fmt: skip
    """Give a category, or let a second person decide. Raises what `categories.prepared` does."""
    categories.lock([player.pk])
    checked = categories.build_assignment(
        player, category, valid_from, reason, by, evidence=evidence, follows=follows
    )
    if not looked_at_giving(player, category, valid_from, by).why:
        return categories.assign(player, category, valid_from, reason, by, evidence=evidence, follows=follows)
    data = {
        "player": player.pk, "number": player.number, "category": category.code,
        "valid_from": valid_from.isoformat(), "follows": follows,
    }  # fmt: skip
    return propose(
        KIND, by, data, key=f"player:{player.pk}", reason=checked.reason, evidence=checked.evidence
    )


@transaction.atomic
def take(assignment: CategoryAssignment, reason: str, by, *, evidence: str) -> CategoryAssignment | Proposal:
    """Revoke a category, or let a second person decide. Raises what `categories.revoke` does."""
    categories.lock([assignment.player_id])
    if not looked_at_revoking(assignment, by).why:
        return categories.revoke(assignment.pk, reason, by, evidence=evidence)
    reason, evidence = categories.clean_justification(reason, evidence)
    data = {
        "player": assignment.player_id, "number": assignment.player.number,
        "category": assignment.category.code, "valid_from": assignment.valid_from.isoformat(),
        "revokes": assignment.pk,
    }  # fmt: skip
    return propose(KIND, by, data, key=f"player:{assignment.player_id}", reason=reason, evidence=evidence)
