"""Assign and revoke categories by hand.

Up to five single steps up a day, as of today, need no second person.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from players.category_changes import Change, approval_reasons, change_of, revoking_reasons
from players.models import Category, CategoryAssignment, Player, Proposal
from players.services import categories
from players.services.proposals import propose
from scoring.ledger.services import standings
from scoring.ledger.services.approval import being_set_up
from scoring.office.models import OfficeImport

KIND = "category"
# Category changes that one account may make a day without a second person, by hand and by lists.
MOST_ALONE = 5


@dataclass(frozen=True, slots=True)
class Assessment:
    """What assigning or revoking a category would change, and why it needs a second person.

    why: codes of the reasons; empty if no second person is needed
        backdated: past days change
        steps: the player would move neither one step up nor to a first category
        many: the account has made its daily number of changes alone
        approved: two persons made the assignment to revoke
    """

    change: Change
    ladder: Sequence[Category]
    why: tuple[str, ...]


def assignments_of(player_id: int) -> list[CategoryAssignment]:
    """Return the player's assignments that are not revoked, oldest first."""
    assignments = CategoryAssignment.objects.filter(player_id=player_id, revoked_at=None)
    return list(assignments.select_related("category").order_by("valid_from", "pk"))


def assess_assigning(player: Player, category: Category, valid_from: date, by) -> Assessment:
    """Return what assigning a category would change, and why that needs a second person."""
    before = assignments_of(player.pk)
    new = CategoryAssignment(player=player, category=category, valid_from=valid_from)
    after = sorted([*before, new], key=lambda assignment: assignment.valid_from)
    return _assess(before, after, valid_from, by, exempt=not before and being_set_up())


def assess_revoking(assignment: CategoryAssignment, by) -> Assessment:
    """Return what revoking an assignment would change, and why that needs a second person."""
    before = assignments_of(assignment.player_id)
    after = [kept for kept in before if kept.pk != assignment.pk]
    return _assess(before, after, assignment.valid_from, by, exempt=False, revoked=assignment)


def _assess(
    before, after, day: date, by, *, exempt: bool, revoked: CategoryAssignment | None = None
) -> Assessment:
    today = standings.today()
    change, ladder = change_of(before, after, day, today), list(Category.objects.on(day))
    if exempt:
        return Assessment(change, ladder, ())
    reasons = (revoking_reasons if revoked else approval_reasons)(change, ladder, today)
    many = count_changes_alone(by, today) >= MOST_ALONE
    why = {"backdated": reasons.backdated, "steps": reasons.steps, "many": many}
    why["approved"] = revoked is not None and revoked.by_two
    return Assessment(change, ladder, tuple(code for code, applies in why.items() if applies))


def lock_account(by) -> None:
    """Lock the account until the transaction ends, so that simultaneous changes are all counted.

    The caller must have locked the players before. `by` is None on the command line.
    """
    list(get_user_model().objects.select_for_update(no_key=True).filter(pk=by and by.pk).values_list("pk"))


def count_changes_alone(by, today: date) -> int:
    """Count the categories that the account changed today without a second person.

    Assignments and revocations by hand count, and changes by imported lists. Changes that a second person
    approved do not count.
    """
    begin = timezone.make_aware(datetime.combine(today, time.min))
    by_hand = CategoryAssignment.objects.filter(
        created_by=by, created_at__gte=begin, origin=CategoryAssignment.Origin.MANUAL, by_two=False
    )
    revoked = CategoryAssignment.objects.filter(revoked_by=by, revoked_at__gte=begin, revoked_alone=True)
    lists = OfficeImport.objects.filter(
        applied_by=by, applied_at__gte=begin, kind=OfficeImport.Kind.CATEGORIES, by_two=False
    )
    by_lists = sum(written.get("alone", 0) for written in lists.values_list("written", flat=True))
    return by_hand.count() + revoked.count() + by_lists


def proposal_key(player_id: int) -> str:
    """Return the key of proposals about a player's category. Only one of them can be pending at a time."""
    return f"player:{player_id}"


@transaction.atomic
def assign(
    player: Player,
    category: Category,
    valid_from: date,
    reason: str,
    by,
    *,
    evidence: str,
    follows: int | None = None,
) -> CategoryAssignment | Proposal:
    """Assign a category, or propose it if it needs a second person.

    Raises the same errors as `categories.build_assignment`.
    """
    categories.lock([player.pk])
    lock_account(by)
    checked = categories.build_assignment(
        player, category, valid_from, reason, by, evidence=evidence, follows=follows
    )
    if not assess_assigning(player, category, valid_from, by).why:
        return categories.assign(player, category, valid_from, reason, by, evidence=evidence, follows=follows)
    data = {
        "player": player.pk,
        "number": player.number,
        "category": category.code,
        "valid_from": valid_from.isoformat(),
        "follows": follows,
    }
    return propose(
        KIND, by, data, key=proposal_key(player.pk), reason=checked.reason, evidence=checked.evidence
    )


@transaction.atomic
def revoke(
    assignment: CategoryAssignment, reason: str, by, *, evidence: str
) -> CategoryAssignment | Proposal:
    """Revoke an assignment, or propose it if it needs a second person.

    Raises the same errors as `categories.revoke`.
    """
    categories.lock([assignment.player_id])
    lock_account(by)
    if not assess_revoking(assignment, by).why:
        return categories.revoke(assignment.pk, reason, by, evidence=evidence, alone=True)
    reason, evidence = categories.clean_justification(reason, evidence)
    data = {
        "player": assignment.player_id,
        "number": assignment.player.number,
        "category": assignment.category.code,
        "valid_from": assignment.valid_from.isoformat(),
        "revokes": assignment.pk,
    }
    return propose(KIND, by, data, key=proposal_key(assignment.player_id), reason=reason, evidence=evidence)
