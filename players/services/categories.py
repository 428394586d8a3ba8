"""Assign and revoke categories: one by hand, or many in a year-end change."""

from collections.abc import Iterable, Sequence
from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.categories import superseded_by
from players.models import Category, CategoryAssignment, Player
from players.services.changes import send_players_changed
from ui.chunks import chunks
from ui.formatting import format_date

BATCH = 1000
# Sent inside the transaction that stores or revokes assignments, with the ids of the players (`player_ids`),
# of the new assignments (`made`) and of those revoked (`revoked`).
categories_changed = Signal()


class Superseded(ValidationError):
    """Raised for a new assignment that would end when a later assignment of the same player starts.

    by: the later assignment
    """

    def __init__(self, by: CategoryAssignment) -> None:
        message = _("From %(day)s on the player has %(code)s (%(why)s), which takes the place of this one.")
        day, code = format_date(by.valid_from, get_language()), by.category.code
        super().__init__(message % {"day": day, "code": code, "why": by.words}, code="superseded")
        self.by = by


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
    by_two: bool = False,
) -> CategoryAssignment:
    """Assign a category to a player from a day on.

    Tournaments that are already scored keep the strength factor (C4) computed from the earlier categories.

    `scoring.office.services.category_changes` decides whether one person may do this alone. The other
    arguments and the errors are those of `build_assignment`.

    by_two: a second person approved the assignment
    """
    # Without the lock two people could assign two steps for the same day.
    lock([player.pk])
    assignment = build_assignment(
        player, category, valid_from, reason, by, evidence=evidence, follows=follows
    )
    assignment.by_two = by_two
    assignment.save()
    send_categories_changed(made=[assignment])
    send_players_changed({player.pk}, valid_from)
    return assignment


def build_assignment(
    player: Player,
    category: Category,
    valid_from: date,
    reason: str,
    by,
    *,
    evidence: str,
    follows: int | None = None,
) -> CategoryAssignment:
    """Validate an assignment of a category to a player, and return it unsaved.

    evidence: the document that records the decision
    follows: the id of the player's later assignment that supersedes this one, if the user has been shown it

    Raises ValidationError if `reason` or `evidence` is empty, or if the ladder of that day lacks the
    category. Raises ValidationError if the player already has an assignment of the same category that starts
    on that day. Two steps (categories that are no titles) cannot start on the same day either. Raises
    Superseded if an assignment other than `follows` supersedes this one.
    """
    reason, evidence = clean_justification(reason, evidence)
    day = format_date(valid_from, get_language())
    if not Category.objects.on(valid_from).filter(pk=category.pk).exists():
        message = _("The ladder in force on %(day)s has no category %(code)s.")
        raise ValidationError({"category": message % {"day": day, "code": category.code}})
    held = list(player.assignments.filter(revoked_at=None).select_related("category"))
    _refuse_second(held, category, valid_from)
    assignment = CategoryAssignment(
        player=player,
        category=category,
        valid_from=valid_from,
        reason=reason,
        evidence=evidence,
        created_by=by,
        origin=CategoryAssignment.Origin.MANUAL,
    )
    later = superseded_by(assignment, held)
    if later and later.pk != follows:
        raise Superseded(later)
    return assignment


def clean_justification(reason: str, evidence: str) -> tuple[str, str]:
    """Return both texts without surrounding spaces.

    Raises ValidationError, with an error for each field that is empty.
    """
    reason, evidence = reason.strip(), evidence.strip()
    missing = {}
    if not reason:
        missing["reason"] = _("Say why: the reason is part of the player's history.")
    if not evidence:
        missing["evidence"] = _("Name the document: it is part of the player's history.")
    if missing:
        raise ValidationError(missing)
    return reason, evidence


def _refuse_second(held: Iterable[CategoryAssignment], category: Category, valid_from: date) -> None:
    """Raise ValidationError if the player has an assignment from the same day that conflicts with a new one.

    A player cannot get two steps on one day, nor the same category twice.

    held: the player's assignments that are not revoked
    """
    for assignment in held:
        current = assignment.category
        conflicts = current.pk == category.pk or not (current.is_title or category.is_title)
        if assignment.valid_from == valid_from and conflicts:
            message = _("The player already has %(code)s from %(day)s on: revoke it first.")
            day = format_date(valid_from, get_language())
            raise ValidationError({"valid_from": message % {"code": current.code, "day": day}})


@transaction.atomic
def revoke(assignment_id: int, reason: str, by, *, evidence: str, alone: bool = False) -> CategoryAssignment:
    """Revoke an assignment: it no longer has any effect, but stays in the player's history.

    evidence: the document that records the decision
    alone: nobody else approved the revocation, so it counts towards the changes that the account may make
        alone in a day

    Raises ValidationError if `reason` or `evidence` is empty, or if the assignment is already revoked.
    """
    reason, evidence = clean_justification(reason, evidence)
    # Lock the player first, in the same order as `assign`, so that neither acts on data the other changes.
    lock(CategoryAssignment.objects.filter(pk=assignment_id).values_list("player_id", flat=True))
    assignment = CategoryAssignment.objects.select_for_update(of=("self",)).get(pk=assignment_id)
    if assignment.revoked_at:
        raise ValidationError(_("This category was already revoked."))
    assignment.revoked_at = timezone.now()
    assignment.revoked_by = by
    assignment.revoked_reason, assignment.revoked_evidence = reason, evidence
    assignment.revoked_alone = alone
    assignment.save(
        update_fields=["revoked_at", "revoked_by", "revoked_reason", "revoked_evidence", "revoked_alone"]
    )
    send_categories_changed(revoked=[assignment])
    send_players_changed({assignment.player_id}, assignment.valid_from)
    return assignment


# --- In bulk ----------------------------------------------------------------------------------------------
def lock(player_ids: Iterable[int]) -> None:
    """Lock the rows of these players until the surrounding transaction ends.

    Call it before changing the categories of players, or before confirming or annulling their tournaments.
    """
    for ids in chunks(sorted(player_ids), BATCH):
        rows = Player.objects.select_for_update(no_key=True).filter(pk__in=ids)
        list(rows.order_by("pk").values_list("pk", flat=True))


def assign_all(
    grants: Sequence[tuple[int, Category]], valid_from: date, reason: str, by
) -> list[CategoryAssignment]:
    """Assign categories to many players in a year-end change, inside the caller's transaction.

    The caller must have locked the players by `lock` and checked their current categories.

    grants: (player id, category)
    """
    assignments = CategoryAssignment.objects.bulk_create(
        [
            CategoryAssignment(
                player_id=player,
                category_id=category.pk,
                valid_from=valid_from,
                reason=reason,
                created_by=by,
                by_two=True,
                origin=CategoryAssignment.Origin.CAMPAIGN,
            )
            for player, category in grants
        ],
        batch_size=BATCH,
    )
    send_categories_changed(made=assignments)
    _send_players_changed_from(valid_from, {player for player, _category in grants})
    return assignments


def revoke_all(assignments: Sequence[CategoryAssignment], reason: str, by) -> None:
    """Revoke assignments that start on the same day, inside the caller's transaction.

    The caller must have locked the players by `lock`.
    """
    now = timezone.now()
    for ids in chunks((assignment.pk for assignment in assignments), BATCH):
        CategoryAssignment.objects.filter(pk__in=ids).update(
            revoked_at=now, revoked_by=by, revoked_reason=reason
        )
    if assignments:
        send_categories_changed(revoked=assignments)
        player_ids = {assignment.player_id for assignment in assignments}
        _send_players_changed_from(assignments[0].valid_from, player_ids)


def send_categories_changed(
    made: Sequence[CategoryAssignment] = (), revoked: Sequence[CategoryAssignment] = ()
) -> None:
    """Send `categories_changed` about assignments that were just stored or revoked."""
    categories_changed.send(
        sender=CategoryAssignment,
        player_ids={assignment.player_id for assignment in (*made, *revoked)},
        made=[assignment.pk for assignment in made],
        revoked=[assignment.pk for assignment in revoked],
    )


def _send_players_changed_from(valid_from: date, player_ids: set[int]) -> None:
    """Send `players_changed` after a change of categories that starts on the day `valid_from`.

    If that day is in the future, no standing changes yet, and no player ids are sent.
    """
    send_players_changed(player_ids if valid_from <= timezone.localdate() else (), valid_from)
