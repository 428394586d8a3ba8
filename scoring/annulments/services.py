"""Annul and restore confirmed tournaments of bridge and Go, with a reason.

The results stay stored.

Bridge: annulling creates a run that reverses the awards. Restoring creates a run that posts the awards of the
last scoring run again, from its stored inputs. Workers process both like any other run.

Go: annulling deletes the tournament's ratings at once, in the same transaction. Restoring leaves computing
them to a replay. In both cases, a replay then rates the later tournaments again.
"""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access import roles_of, uploadable_clubs
from players.models import Player, Proposal
from players.services import categories
from scoring.annulments.models import Annulment
from scoring.ledger.correcting import window_of
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.annulled import last_act
from scoring.ledger.services import approval, queue, runs, standings
from scoring.ratings.models import GoUpload, Rating, RatingChange, RatingReplay, RatingTournament
from scoring.ratings.services import register, replays
from scoring.ratings.services import repeats as go_repeats
from tournaments.drafts import header_of, rows_of
from tournaments.models import ResultUpload, Tournament
from tournaments.services import announcements, repeats

Act = Annulment.Act
Event = Tournament | RatingTournament


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a tournament cannot be annulled or restored now.

    text: the reason, and what the user has to do first
    blocking: the proposal to decide first or the tournament to annul first; None if there is none
    """

    text: str
    blocking: Event | Proposal | None = None


def may_annul(user, event: Event) -> bool:
    """Return whether the user may annul the tournament. Whoever may correct a tournament may annul it."""
    if isinstance(event, RatingTournament):
        return register.may_correct(user, event)
    return uploadable_clubs(user).filter(pk=event.club_id).exists()


def may_restore(user, event: Event) -> bool:
    """Return whether the user may restore the tournament.

    The office may restore any tournament. Other users may restore tournaments that they annulled themselves
    and may still correct.
    """
    if not may_annul(user, event):
        return False
    return roles_of(user).office or last_act(event).created_by_id == user.pk


def needs_second_person(user, event: Event) -> bool:
    """Return whether a second person has to approve when the user annuls or restores the tournament.

    It is so for the clubs of bridge tournaments once the days for free corrections are over. Otherwise they
    could annul a tournament and upload it anew, instead of asking for a correction.
    """
    if isinstance(event, RatingTournament) or roles_of(user).office:
        return False
    return not window_of(event).open


def obstacle(event: Event) -> Obstacle | None:
    """Return why the tournament cannot be annulled now or, if it is annulled, why it cannot be restored now.

    Return None if there is no obstacle. The page calls this before it shows the form. The functions that
    annul and restore call it again after locking.
    """
    if isinstance(event, RatingTournament):
        return _registered_again(event) if event.annulled_at else None
    return _uploaded_again(event) if event.annulled_at else _not_scored(event)


@transaction.atomic
def annul(tournament_id: int, reason: str, by) -> ScoringRun:
    """Annul a tournament. Return the run by which a worker will reverse the awards.

    Raise ValidationError if the tournament cannot be annulled now.
    """
    tournament = _lock(Tournament, tournament_id, annulled=False)
    _refuse_if_obstacle(tournament)
    _record_act(Act.ANNULLED, tournament, reason, by)
    announcements.release(tournament)
    return _enqueue(runs.create_annulling(_last_scoring(tournament), by, reason))


@transaction.atomic
def restore(tournament_id: int, reason: str, by) -> ScoringRun:
    """Restore an annulled tournament. Return the run by which a worker will post the awards again.

    Raise ValidationError if the tournament cannot be restored now.
    """
    tournament = _lock(Tournament, tournament_id, annulled=True)
    # Confirming a ranking takes the same locks, so that a simultaneous confirmation is noticed.
    categories.lock(tournament.revisions.latest("number").player_ids())
    _refuse_if_obstacle(tournament)
    _record_act(Act.RESTORED, tournament, reason, by)
    announcements.link_again(tournament)
    return _enqueue(runs.create_restoring(_last_scoring(tournament), by, reason))


@transaction.atomic
def annul_go(tournament_id: int, reason: str, by) -> RatingReplay:
    """Annul a Go tournament: delete its ratings. Return the replay that rates the later tournaments again.

    Raise ValidationError if the tournament cannot be annulled now.
    """
    # Lock the replays before anything else: one about to post would otherwise store the ratings again.
    replays.lock()
    event = _lock(RatingTournament, tournament_id, annulled=False)
    _record_act(Act.ANNULLED, event, reason, by)
    replay = replays.request(event.end_date, by, event, reason)
    ratings = Rating.objects.filter(entrant__tournament=event)
    deleted = list(ratings.values_list("entrant__player", "after"))
    RatingChange.objects.bulk_create(
        RatingChange(replay=replay, player_id=player, tournament=event, old=old) for player, old in deleted
    )
    ratings.delete()
    replays.refresh_players(player for player, _old in deleted)
    replays.bump()
    return replay


@transaction.atomic
def restore_go(tournament_id: int, reason: str, by) -> RatingReplay:
    """Restore an annulled Go tournament. Return the replay that rates it and the later tournaments again.

    Raise ValidationError if the tournament cannot be restored now.
    """
    replays.lock()
    event = _lock(RatingTournament, tournament_id, annulled=True)
    _refuse_if_obstacle(event)
    _record_act(Act.RESTORED, event, reason, by)
    replays.bump()
    return replays.request(event.end_date, by, event, reason)


def _lock(model: type[Event], pk: int, *, annulled: bool) -> Event:
    """Lock the tournament's row against simultaneous corrections, and return a fresh copy.

    Raise ValidationError if the tournament is annulled but `annulled` is false, or the other way round.
    """
    event = model.objects.select_for_update(of=("self",), no_key=True).get(pk=pk)
    if annulled == bool(event.annulled_at):
        return event
    raise ValidationError(
        _("This tournament is not annulled.") if annulled else _("This tournament is annulled already.")
    )


def _record_act(act: str, event: Event, reason: str, by) -> None:
    event.annulled_at = timezone.now() if act == Act.ANNULLED else None
    event.save(update_fields=["annulled_at"])
    field = "rating_tournament" if isinstance(event, RatingTournament) else "tournament"
    Annulment.objects.create(act=act, reason=reason, created_by=by, **{field: event})


def _last_scoring(tournament: Tournament) -> ScoringRun | None:
    """Return the latest run of the tournament's latest revision, whatever its state.

    Runs that annul do not count.
    """
    scoring = tournament.runs.exclude(purpose=ScoringRun.Purpose.ANNUL)
    return scoring.order_by("revision__number", "number").last()


def _refuse_if_obstacle(event: Event) -> None:
    if problem := obstacle(event):
        raise ValidationError(problem.text)


def _not_scored(tournament: Tournament) -> Obstacle | None:
    """Return why the tournament cannot be annulled: it waits for approval, or has no confirmed ranking.

    Return None if it can be annulled.
    """
    run = approval.waiting_run(tournament)
    if run:
        text = _("A correction of it waits for approval: withdraw it or have it returned before annulling.")
        if run.revision.number == 1:
            text = _(
                "This tournament waits for approval: withdraw it or have it returned instead of annulling it."
            )
        return Obstacle(text, approval.proposal_of(run.revision.upload))
    if _last_scoring(tournament) is None:
        return Obstacle(_("This tournament has no confirmed ranking: there is nothing to annul."))
    return None


def _uploaded_again(tournament: Tournament) -> Obstacle | None:
    """Return why the tournament cannot be restored: it was uploaded again after it was annulled.

    Return None if it can be restored.
    """
    revision = tournament.revisions.latest("number")
    upload = ResultUpload.objects.filter(revision=revision).first()
    if upload is None:
        return None
    rows, players = rows_of(revision), Player.objects.in_bulk(revision.player_ids())
    issues = repeats.same_file(upload, rows, players)
    issues += repeats.same_event(upload, header_of(tournament), rows, players)
    for issue in issues:
        if issue.severity == "error":
            return _counts_again(Tournament.objects.get(pk=issue.params["tournament"]))
    return None


def _registered_again(event: RatingTournament) -> Obstacle | None:
    """Return why a Go tournament cannot be restored: another Go tournament of these days has the same games.

    Return None if it can be restored.
    """
    upload = GoUpload.objects.filter(tournament=event).order_by("-confirmed_at").first()
    if upload is None:
        return None
    result = register.result_of(upload)
    players = [entrant.player for entrant in event.entrants.select_related("player").order_by("position")]
    repeated = go_repeats.find_overlap(result, (event.start_date, event.end_date), players, [event.pk])
    return _counts_again(repeated[0]) if repeated else None


def _counts_again(other: Event) -> Obstacle:
    text = _("It was uploaded again and counts as “%(name)s”: annul that one first.")
    return Obstacle(text % {"name": other.name}, other)


def _enqueue(run: ScoringRun) -> ScoringRun:
    queue.enqueue_on_commit(run)
    # Points change later, in the worker, but pages that name the tournament are already out of date.
    standings.bump_on_commit()
    return run
