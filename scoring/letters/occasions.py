"""Queue letters when something happens: points are posted, a proposal is made or returned, a day begins.

Letters are stored in the transaction of what they are about, so that neither exists without the other. The
sweeper lets the workers send them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from players.models import Player, Proposal, Role
from scoring.ledger.correcting import ANNULMENT_ACT, POINTS_ACT
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.queries.corrected import places_changed
from scoring.letters import kinds
from scoring.letters.models import Letter
from tournaments.models import Announcement, ResultUpload, Revision

MORNING = time(8)  # in the federation's time zone
PATIENCE = timedelta(days=2)  # from the last day of an announced tournament until its result is missing
MADE_UP = timedelta(days=7)  # how many days of reminders are made up if no worker ran


def queue_letters(
    kind: kinds.Kind,
    accounts: Iterable[int | None],
    key: str,
    data: Mapping[str, Any],
    not_before: datetime | None = None,
) -> None:
    """Queue a letter to each of the accounts that are open and have an e-mail address.

    Nothing is queued on a site that sends no mail. A letter of this kind, account and key is queued once.

    accounts: ids; None is ignored
    not_before: when to send the letters; None for at once
    """
    if not settings.MAIL:
        return
    ids = {account for account in accounts if account}
    readers = User.objects.filter(pk__in=ids, is_active=True).exclude(email="")
    Letter.objects.bulk_create(
        [
            Letter(kind=kind.code, account_id=account, key=key, data=dict(data), not_before=not_before)
            for account in readers.order_by("pk").values_list("pk", flat=True)
        ],
        ignore_conflicts=True,
    )


def tell_of_points(
    run: ScoringRun,
    reversed_awards: Sequence[LedgerEntry],
    awards: Sequence[LedgerEntry],
    **kwargs: Any,
) -> None:
    """Queue the letters about a run whose points were just posted. Receiver of the signal `posted`."""
    data, key = {"run": run.pk}, str(run.pk)
    senders = {run.created_by_id}
    if run.purpose == ScoringRun.Purpose.SCORE and run.number == 1:
        uploads = ResultUpload.objects.filter(revision=run.revision_id)
        senders |= set(uploads.values_list("created_by", flat=True))
        queue_letters(kinds.POINTS, senders, key, data)
    if run.reason:
        queue_letters(kinds.CORRECTED, _directors(run.tournament_id) - senders, key, data)
        players = _players_with_other_points(reversed_awards, awards) | places_changed([run])[run.pk].keys()
        linked = Player.objects.filter(pk__in=players, user__isnull=False, deceased_on=None)
        queue_letters(kinds.OWN_POINTS, linked.values_list("user", flat=True), key, data)


def _directors(tournament: int) -> set[int]:
    """Return the ids of the accounts that confirmed a tournament's rankings."""
    revisions = Revision.objects.filter(tournament=tournament, created_by__isnull=False)
    return set(revisions.values_list("created_by", flat=True))


def _players_with_other_points(old: Iterable[LedgerEntry], new: Iterable[LedgerEntry]) -> set[int]:
    """Return the ids of the players whose points changed.

    old, new: the awards that were reversed, and those that were given
    """
    changes: Counter[int] = Counter()
    for sign, entries in ((-1, old), (1, new)):
        for entry in entries:
            changes[entry.player_id] += sign * entry.points
    # An award of a merged player is given to the number on the ranking and then moved to the surviving one.
    merged = Player.objects.filter(pk__in=changes).kept()
    for duplicate, survivor in merged.items():
        changes[survivor] += changes.pop(duplicate)
    return {player for player, change in changes.items() if change}


def tell_of_proposal(proposal: Proposal, **kwargs: Any) -> None:
    """Queue the letters about a tournament that waits for approval or was returned.

    Receiver of the signal `proposal_changed`.
    """
    state = Proposal.State
    kind = {state.PENDING: kinds.WAITING, state.RETURNED: kinds.RETURNED}.get(proposal.state)
    if kind is None or proposal.kind not in (POINTS_ACT, ANNULMENT_ACT):
        return
    concerned = {proposal.prepared_by_id}
    if proposal.kind == POINTS_ACT:
        concerned.add(proposal.data["uploaded_by"])
    if kind is kinds.WAITING:
        concerned |= _directors(kinds.tournament_of(proposal).pk)
    queue_letters(kind, concerned, str(proposal.pk), {"proposal": proposal.pk})


def ask_for_results(day: date) -> None:
    """Queue the letters to the directors of clubs whose announced tournaments lack a result. Once for each.

    day: today
    """
    days = (day - PATIENCE - MADE_UP, day - PATIENCE)
    morning = timezone.make_aware(datetime.combine(day, MORNING))
    for announcement in Announcement.objects.without_result(day).filter(end_date__range=days):
        directors = Role.objects.filter(kind=Role.Kind.DIRECTOR, club=announcement.club_id)
        queue_letters(
            kinds.MISSING,
            directors.values_list("user", flat=True),
            str(announcement.pk),
            {"announcement": announcement.pk},
            not_before=morning,
        )
