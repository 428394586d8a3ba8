"""Giving and taking back categories, by hand and, at year end, many at once."""

from collections.abc import Iterable, Sequence
from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.categories import overtaken_by
from players.models import Category, CategoryAssignment, Player
from players.services.changes import tell
from ui.chunks import chunks
from ui.formatting import format_date

BATCH = 1000


class Overtaken(ValidationError):
    """The player has another category from a later day on, which takes the place of the one to be given.

    by: the assignment of that
    """

    def __init__(self, by: CategoryAssignment) -> None:
        message = _("From %(day)s on the player has %(code)s (%(why)s), which takes the place of this one.")
        day, code = format_date(by.valid_from, get_language()), by.category.code
        super().__init__(message % {"day": day, "code": code, "why": by.words}, code="overtaken")
        self.by = by


@transaction.atomic
def assign(
    player: Player, category: Category, valid_from: date, reason: str, by, *,
    evidence: str, follows: int | None = None,
) -> CategoryAssignment:  # fmt: skip
    """Give a player a category from a day on; earlier tournaments keep the C4 they were scored with.

    Whether one person may do that alone is decided by `scoring.office.services.category_changes`. Arguments
    and errors are those of `prepared`.
    """
    # Two people giving two steps of one day would leave it open which of them counts.
    lock([player.pk])
    assignment = prepared(player, category, valid_from, reason, by, evidence=evidence, follows=follows)
    assignment.save()
    tell({player.pk}, valid_from)
    return assignment


def prepared(
    player: Player, category: Category, valid_from: date, reason: str, by, *,
    evidence: str, follows: int | None = None,
) -> CategoryAssignment:  # fmt: skip
    """The assignment, checked and not stored.

    evidence: the document that the decision stands in
    follows: the id of the assignment that the giver knows will take its place later, if there is one

    Raises ValidationError without reason or evidence, where the ladder of that day has no such category, or
    where another step (or the same category) already starts on it; Overtaken where another one follows than
    the giver knows of.
    """
    reason, evidence = said_why(reason, evidence)
    day = format_date(valid_from, get_language())
    if not Category.objects.on(valid_from).filter(pk=category.pk).exists():
        message = _("The ladder in force on %(day)s has no category %(code)s.")
        raise ValidationError({"category": message % {"day": day, "code": category.code}})
    held = list(player.assignments.filter(revoked_at=None).select_related("category"))
    _refuse_second(held, category, valid_from)
    assignment = CategoryAssignment(
        player=player, category=category, valid_from=valid_from, reason=reason, evidence=evidence,
        created_by=by, origin=CategoryAssignment.Origin.MANUAL,
    )  # fmt: skip
    later = overtaken_by(assignment, held)
    if later and later.pk != follows:
        raise Overtaken(later)
    return assignment


def said_why(reason: str, evidence: str) -> tuple[str, str]:
    """Both without blanks around them; ValidationError naming what is missing."""
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
    """Of a day there is one step, and each title once."""
    for each in held:
        twice = each.category_id == category.pk or not (each.category.is_title or category.is_title)
        if each.valid_from == valid_from and twice:
            message = _("The player already has %(code)s from %(day)s on: revoke it first.")
            day = format_date(valid_from, get_language())
            raise ValidationError({"valid_from": message % {"code": each.category.code, "day": day}})


@transaction.atomic
def revoke(assignment_id: int, reason: str, by, *, evidence: str) -> CategoryAssignment:
    """Take an assignment back, as if it had never been given, and keep it in the history.

    evidence: the document that the decision stands in

    Raises ValidationError without reason or evidence, or when it was revoked before.
    """
    reason, evidence = said_why(reason, evidence)
    # The player first, as whoever gives a category does: what they look at meanwhile stays as it is.
    lock(CategoryAssignment.objects.filter(pk=assignment_id).values_list("player_id", flat=True))
    assignment = CategoryAssignment.objects.select_for_update(of=("self",)).get(pk=assignment_id)
    if assignment.revoked_at:
        raise ValidationError(_("This category was already revoked."))
    assignment.revoked_at = timezone.now()
    assignment.revoked_by = by
    assignment.revoked_reason, assignment.revoked_evidence = reason, evidence
    assignment.save(update_fields=["revoked_at", "revoked_by", "revoked_reason", "revoked_evidence"])
    tell({assignment.player_id}, assignment.valid_from)
    return assignment


# --- Many at once -----------------------------------------------------------------------------------------
def lock(player_ids: Iterable[int]) -> None:
    """Keep these players' categories and tournaments as they are until the surrounding transaction ends."""
    for ids in chunks(sorted(player_ids), BATCH):
        rows = Player.objects.select_for_update(no_key=True).filter(pk__in=ids)
        list(rows.order_by("pk").values_list("pk", flat=True))


def assign_all(
    grants: Sequence[tuple[int, Category]], valid_from: date, reason: str, by
) -> list[CategoryAssignment]:
    """Give each player (by id) a category in a year-end change, inside the caller's transaction.

    The caller holds `lock` on them and has looked at what they have.
    """
    made = CategoryAssignment.objects.bulk_create(
        [
            CategoryAssignment(
                player_id=player, category_id=category.pk, valid_from=valid_from, reason=reason,
                created_by=by, origin=CategoryAssignment.Origin.CAMPAIGN,
            )
            for player, category in grants
        ],
        batch_size=BATCH,
    )  # fmt: skip
    _tell_from(valid_from, {player for player, _category in grants})
    return made


def revoke_all(assignments: Sequence[CategoryAssignment], reason: str, by) -> None:
    """Take assignments of one day back, as if they had never been given; the same for the caller as above."""
    now = timezone.now()
    for ids in chunks((each.pk for each in assignments), BATCH):
        CategoryAssignment.objects.filter(pk__in=ids).update(
            revoked_at=now, revoked_by=by, revoked_reason=reason
        )
    if assignments:
        _tell_from(assignments[0].valid_from, {each.player_id for each in assignments})


def _tell_from(valid_from: date, player_ids: set[int]) -> None:
    """Lists by category change only where the category holds already; pages of players change anyway."""
    tell(player_ids if valid_from <= timezone.localdate() else (), valid_from)
