"""Renew the licences of a season in one act, and undo a renewal as a whole."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from players.access import require, roles_of
from players.models import Club, Licence, Player, PlayerChange
from players.services import categories
from players.services.changes import send_players_changed
from players.services.register_journal import Source, licence_change, licence_values
from scoring.ledger.services import queue
from scoring.office.models import LicenceRenewal, RenewedLicence
from scoring.office.queries import licences as queries
from ui.chunks import chunks
from ui.clock import today
from ui.formatting import format_whole

LEASE = timedelta(seconds=60)
AT_ONCE = 200  # licences up to which a renewal does not wait for a worker
NAMED = 5  # persons that a message names
State = LicenceRenewal.State


def digest(players: Iterable[int]) -> str:
    """Return a digest of the players whose licence is renewed, by which a changed list is noticed."""
    return sha256(repr(sorted(players)).encode()).hexdigest()


def renew(
    season: int,
    first: date,
    by,
    reason: str,
    *,
    club: Club | None,
    foreign: bool,
    chosen: Sequence[int] | None,
    seen: str,
) -> LicenceRenewal:
    """Renew last year's list of licences, and return the renewal.

    Up to `AT_ONCE` licences are given at once, more by a worker.

    first: the first day of the new licences; they end with the season
    chosen: ids of the players, if only some were chosen; None for all
    seen: `digest` of the players whom the preview listed

    Raises PermissionDenied if `by` does not have the office role, and ValidationError if there is nobody to
    renew, the reason is missing, the list changed meanwhile or another renewal is under way.
    """
    require(roles_of(by).office)
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: it stays in the history.")})
    if not queries.first_day(season) <= first <= queries.last_day(season):
        raise ValidationError(_("The first day is not in the season."))
    offered = queries.plan(season, first, club and club.pk, foreign=foreign).ids
    if digest(offered) != seen:
        raise ValidationError(_("The list has changed meanwhile: look at it again."), code="changed")
    ids = sorted(offered if chosen is None else set(chosen) & set(offered))
    if not ids:
        raise ValidationError(_("There is nobody to renew."), code="nobody")
    renewal = LicenceRenewal(
        season=season,
        first=first,
        last=queries.last_day(season),
        club=club,
        foreign=foreign,
        chosen=[] if chosen is None else ids,
        reason=reason.strip(),
        created_by=by,
        total=len(ids),
    )
    _begin(renewal)
    return renewal


def ask_undo(renewal_id: int, by, reason: str) -> LicenceRenewal:
    """Take back all licences of a renewal, at once or by a worker. Return the renewal.

    Raises PermissionDenied if `by` does not have the office role, and ValidationError if something depends on
    the licences, the renewal is not done or undone already, or the reason is missing.
    """
    require(roles_of(by).office)
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: it stays in the history.")})
    with transaction.atomic():
        renewal = LicenceRenewal.objects.select_for_update().get(pk=renewal_id)
        if renewal.state != State.DONE or renewal.undo_asked_at:
            raise ValidationError(_("This renewal cannot be undone now."), code="settled")
        if sentences := dependents(renewal):
            raise ValidationError(sentences, code="used")
        renewal.undo_asked_at, renewal.undone_by, renewal.undone_reason = timezone.now(), by, reason.strip()
        queue.restart(renewal)
        renewal.done, renewal.total = 0, renewal.licences.count()
    _begin(renewal)
    return renewal


def _begin(renewal: LicenceRenewal) -> None:
    """Store the row and do its work: at once if it is little, otherwise by a worker."""
    try:
        with transaction.atomic():
            renewal.save()
            if renewal.total > AT_ONCE:
                queue.enqueue_on_commit(renewal)
    except IntegrityError:
        raise ValidationError(
            _("Another renewal is under way: wait until it is done."), code="under_way"
        ) from None
    if renewal.total <= AT_ONCE:
        perform(renewal.pk)
        renewal.refresh_from_db()


def dependents(renewal: LicenceRenewal) -> list[str]:
    """Return sentences about what depends on the licences of a renewal; empty if it can be undone."""
    sentences = []
    changed = [row.licence.player for row in queries.changed_since(renewal)[: NAMED + 1]]
    if changed:
        text = _("Licences that were corrected since: %(numbers)s. Remove these on the person's page.")
        sentences.append(text % {"numbers": _numbers(changed)})
    played = queries.played_since(renewal)
    if number := played.count():
        text = ngettext(
            "%(number)s person has played since (%(numbers)s): the tournament may count because of it.",
            "%(number)s persons have played since (%(numbers)s): their tournaments may count because of it.",
            number,
        )
        few = _numbers(played[: NAMED + 1])
        values = {"number": format_whole(number, get_language() or ""), "numbers": few}
        sentences.append(text % values)
    return sentences


def _numbers(players: Iterable[Player]) -> str:
    numbers = [player.number for player in players]
    return ", ".join(numbers[:NAMED]) + ("…" if len(numbers) > NAMED else "")


def perform(renewal_id: int) -> None:
    """Give, or take back, the licences of a renewal. Safe to repeat: it goes on where it stopped."""
    queue.work_on(LicenceRenewal, renewal_id, LEASE, _give_or_undo)


def _give_or_undo(renewal: LicenceRenewal) -> None:
    (_undo if renewal.undo_asked_at else _give)(renewal)
    queue.finish(renewal)


def _give(renewal: LicenceRenewal) -> None:
    wanted = queries.to_renew(
        renewal.season,
        renewal.first,
        club=renewal.club,
        foreign=renewal.foreign,
        chosen=() if len(renewal.chosen) > 500 else renewal.chosen,
    )
    chosen = set(renewal.chosen)
    ids = [pk for pk in wanted.order_by("pk").values_list("pk", flat=True) if not chosen or pk in chosen]
    for part in chunks(ids):
        with transaction.atomic():
            queue.lock_held(renewal)
            categories.lock(part)
            # Who got a licence since the list was read is left out.
            players = queries.players_of(renewal, part)
            licences = Licence.objects.bulk_create(
                Licence(
                    player=player,
                    valid_from=renewal.first,
                    valid_to=renewal.last,
                    issuer=player.issuer,
                    equivalent=bool(player.issuer),
                )
                for player in players
            )
            RenewedLicence.objects.bulk_create(
                RenewedLicence(renewal=renewal, licence=licence) for licence in licences
            )
            _note(renewal, licences, Source.RENEWAL)
            _settle(renewal, [player.pk for player in players])


def _undo(renewal: LicenceRenewal) -> None:
    rows = renewal.licences.order_by("licence__player", "pk").values_list("licence__player", "licence")
    for part in chunks(list(rows)):
        with transaction.atomic():
            queue.lock_held(renewal)
            categories.lock(player for player, _licence in part)
            licences = Licence.objects.select_related("player").filter(pk__in=[pk for _player, pk in part])
            _note(renewal, list(licences), Source.RENEWAL_UNDONE)
            licences.delete()
            _settle(renewal, [player for player, _licence in part])


def _note(renewal: LicenceRenewal, licences: Sequence[Licence], source: str) -> None:
    undone = source == Source.RENEWAL_UNDONE
    by, reason = renewal.created_by, renewal.reason
    if undone:
        by, reason = renewal.undone_by, renewal.undone_reason
    PlayerChange.objects.bulk_create(
        licence_change(
            licence.player,
            licence_values(licence) if undone else {},
            {} if undone else licence_values(licence),
            by,
            reason=reason,
            source=source,
            reference=str(renewal.pk),
        )
        for licence in licences
    )


def _settle(renewal: LicenceRenewal, players: Sequence[int]) -> None:
    """Update the standings, and note how far the work is."""
    send_players_changed(players if renewal.first <= today() else (), renewal.first)
    renewal.done += len(players)
    queue.renew(renewal, LEASE, done=renewal.done)
