"""Notify accounts when something happens: points are posted, a category changes, a day begins."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from players.category_changes import held_on
from players.models import CategoryAssignment, Player, Proposal, Role
from scoring.ledger.correcting import ANNULMENT_ACT, POINTS_ACT
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.queries.corrected import places_changed
from scoring.ledger.windows import first_day
from scoring.letters import kinds
from scoring.letters.kinds.acts import tournaments_of
from scoring.letters.notifying import accounts_of, notify, notify_each
from tournaments.models import Announcement, ResultUpload, Revision
from ui.chunks import chunks
from ui.clock import today

MORNING = time(8)  # in the federation's time zone
PATIENCE = timedelta(days=2)  # until a result is missing, or an upload is left unconfirmed
MADE_UP = timedelta(days=7)  # how many days of reminders are made up if no worker ran
OF_CLUBS = (Role.Kind.DIRECTOR, Role.Kind.CLUB_ADMIN)


# --- Points -----------------------------------------------------------------------------------------------
def tell_of_points(
    run: ScoringRun,
    reversed_awards: Sequence[LedgerEntry],
    awards: Sequence[LedgerEntry],
    **kwargs: Any,
) -> None:
    """Notify those concerned by a run whose points were just posted. Receiver of the signal `posted`."""
    data, key = {"run": run.pk}, str(run.pk)
    senders = {run.created_by_id}
    if run.purpose == ScoringRun.Purpose.SCORE and run.number == 1:
        uploads = ResultUpload.objects.filter(revision=run.revision_id)
        senders |= set(uploads.values_list("created_by", flat=True))
        notify(kinds.POINTS, senders, key, data)
    if run.reason:
        notify(kinds.CORRECTED, _directors(run.tournament_id) - senders, key, data)
        _tell_of_correction(run, reversed_awards, awards)
    elif run.number == 1:
        _tell_of_awards(run, awards)


def _directors(tournament: int) -> set[int]:
    """Return the ids of the accounts that confirmed a tournament's rankings."""
    revisions = Revision.objects.filter(tournament=tournament, created_by__isnull=False)
    return set(revisions.values_list("created_by", flat=True))


def _tell_of_correction(
    run: ScoringRun, reversed_awards: Sequence[LedgerEntry], awards: Sequence[LedgerEntry]
) -> None:
    """Notify the players whose points or places a correction changed."""
    old, new = _points_of(reversed_awards), _points_of(awards)
    places = places_changed([run])[run.pk]
    changed = {player for player in old.keys() | new.keys() if old[player] != new[player]} | places.keys()
    notices = {
        account: {
            "run": run.pk,
            "old": old[player],
            "new": new[player],
            "places": places.get(player),
        }
        for player, account in accounts_of(changed).items()
    }
    notify_each(kinds.OWN_POINTS, notices, str(run.pk))


def _points_of(entries: Iterable[LedgerEntry]) -> Counter[int]:
    """Return {player id: points of these awards}, with the survivors of merged players."""
    points: Counter[int] = Counter()
    for entry in entries:
        points[entry.player_id] += entry.points
    # An award of a merged player is given to the number on the ranking and then moved to the surviving one.
    for duplicate, survivor in Player.objects.filter(pk__in=points).kept().items():
        points[survivor] += points.pop(duplicate)
    return points


def _tell_of_awards(run: ScoringRun, awards: Sequence[LedgerEntry]) -> None:
    """Notify the players of their new points, unless the tournament is so old that these no longer count."""
    if not awards or awards[0].played_on < first_day(today()):
        return
    points = _points_of(awards)
    accounts = accounts_of(points)
    seats = run.revision.seats.filter(player__in=accounts) if accounts else run.revision.seats.none()
    rows = seats.values_list("player", "contestant__place", "contestant__field")
    places = {player: (place, field) for player, place, field in rows}
    notices = {
        account: {"run": run.pk, "points": points[player], "place": places.get(player)}
        for player, account in accounts.items()
        if points[player]
    }
    notify_each(kinds.AWARDS, notices, str(run.pk))


def tell_of_leaving(day: date) -> None:
    """Notify players once a month, on its first days, of the points that leave their 12 months in it.

    day: today
    """
    first = day.replace(day=1)
    if day - first >= MADE_UP:
        return
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    # On a day the awards of the same day a year before leave: those that counted the day before.
    played = (first_day(first - timedelta(days=1)), first_day(last) - timedelta(days=1))
    rows = LedgerEntry.objects.filter(family=FAMILY, played_on__range=played, player__user__isnull=False)
    results = rows.order_by().values_list("player", "player__user", "tournament", "title", "played_on")
    points: Counter[int] = Counter()
    awards: Counter[int] = Counter()
    for _player, account, _event, _title, _day, won in results.annotate(won=Sum("points")):
        points[account] += won
        awards[account] += won > 0
    notices = {
        account: {"first": first.isoformat(), "points": points[account], "awards": awards[account]}
        for account in points
        if points[account] > 0
    }
    notify_each(kinds.LEAVING, notices, f"{first:%Y-%m}", _morning(day))


# --- Categories -------------------------------------------------------------------------------------------
def tell_of_categories(
    player_ids: Iterable[int], made: Sequence[int], revoked: Sequence[int], **kwargs: Any
) -> None:
    """Notify players whose category changes. Receiver of the signal `categories_changed`."""
    accounts = accounts_of(player_ids)
    held: defaultdict[int, list[CategoryAssignment]] = defaultdict(list)
    for ids in chunks(accounts):
        rows = CategoryAssignment.objects.filter(player__in=ids).select_related("category")
        for row in rows.order_by("valid_from", "pk"):
            held[row.player_id].append(row)
    notices = {
        account: change
        for player, account in accounts.items()
        if (change := _change(held[player], set(made), set(revoked)))
    }
    notify_each(kinds.CATEGORY, notices, f"{'+' if made else '-'}{max((*made, *revoked), default=0)}")


def _change(held: Sequence[CategoryAssignment], made: set[int], revoked: set[int]) -> dict[str, Any] | None:
    """Return the data of a notice about a player's change of category, None if the category stays the same.

    held: all assignments of the player, oldest first
    made, revoked: ids of the assignments that were just made and revoked, of all players
    """
    former = [row for row in held if row.pk in revoked or not (row.revoked_at or row.pk in made)]
    present = [row for row in held if not row.revoked_at]
    days = {max(row.valid_from, today()) for row in held if row.pk in made | revoked}
    for day in sorted(days, reverse=True):
        before, after = held_on(former, day), held_on(present, day)
        if before != after:
            codes = {"before": before and before.code, "after": after and after.code}
            return {"day": day.isoformat(), **codes}
    return None


# --- Proposals --------------------------------------------------------------------------------------------
def tell_of_proposal(proposal: Proposal, **kwargs: Any) -> None:
    """Notify those concerned of a tournament that waits for approval or was returned.

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
        concerned |= _directors(tournaments_of([proposal])[proposal.pk].pk)
    notify(kind, concerned, str(proposal.pk), {"proposal": proposal.pk})


# --- Results that are not there ---------------------------------------------------------------------------
def ask_for_results(day: date) -> None:
    """Notify clubs whose announced tournaments lack a result. Once for each tournament.

    day: today
    """
    days = (day - PATIENCE - MADE_UP, day - PATIENCE)
    for announcement in Announcement.objects.without_result(day).filter(end_date__range=days):
        directors, administrators = (_people_of(announcement.club_id, kind) for kind in OF_CLUBS)
        key, data = str(announcement.pk), {"announcement": announcement.pk}
        notify(kinds.MISSING, directors, key, data, _morning(day))
        notify(kinds.CLUB_MISSING, administrators - directors, key, data, _morning(day))


def ask_for_confirmation(day: date) -> None:
    """Notify clubs whose uploads have not been confirmed for two days. Once for each upload.

    day: today
    """
    midnight = timezone.make_aware(datetime.combine(day, time()))
    age = (midnight - PATIENCE - MADE_UP, midnight - PATIENCE + timedelta(days=1))
    drafts = ResultUpload.objects.drafts().filter(created_at__range=age).only("club", "created_by", "token")
    for upload in drafts:
        directors, administrators = (_people_of(upload.club_id, kind) for kind in OF_CLUBS)
        senders = directors if upload.token_id else {upload.created_by_id}
        notify(
            kinds.STALE, senders | administrators, str(upload.pk), {"upload": str(upload.pk)}, _morning(day)
        )


def _people_of(club: int, kind: str) -> set[int]:
    """Return the ids of the accounts with a role in a club."""
    return set(Role.objects.filter(kind=kind, club=club).values_list("user", flat=True))


def _morning(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, MORNING))
