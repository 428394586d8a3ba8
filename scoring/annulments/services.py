"""Annul and restore confirmed tournaments of bridge and Go, with a reason.

The results stay stored.

Bridge: annulling creates a run that reverses the awards; restoring creates one that posts
again the awards of the last scoring run, from its stored inputs. Workers process both like
any other run.
Go: annulling deletes the ratings at once, in the same transaction; restoring leaves them
to the replay. In both cases, a replay then rates the later tournaments again.
"""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access import roles_of, uploadable_clubs
from players.models import Player
from players.services import categories
from scoring.annulments.models import Annulment
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.annulled import last_act
from scoring.ledger.services import approval, queue, runs, standings
from scoring.ratings.models import GoUpload, Rating, RatingChange, RatingReplay, RatingTournament
from scoring.ratings.services import register, replays
from scoring.ratings.services import repeats as go_repeats
from tournaments.drafts import header_of, rows_of
from tournaments.models import ResultUpload, Tournament
from tournaments.services import repeats

Act = Annulment.Act
Event = Tournament | RatingTournament


def may_annul(user, event: Event) -> bool:
    """Return whether the user may annul the tournament: everybody who may correct it may."""
    if isinstance(event, RatingTournament):
        return register.may_correct(user, event)
    return uploadable_clubs(user).filter(pk=event.club_id).exists()


def may_restore(user, event: Event) -> bool:
    """Return whether the user may restore the tournament.

    The office may restore any; others only what they annulled themselves and may still correct.
    """
    if not may_annul(user, event):
        return False
    return roles_of(user).office or last_act(event).created_by_id == user.pk


@transaction.atomic
def annul(tournament_id: int, reason: str, by) -> ScoringRun:
    """Annul a tournament; a worker reverses its awards. Raise ValidationError if refused."""
    tournament = _lock(Tournament, tournament_id, annulled=False)
    if approval.waiting_run(tournament):
        raise ValidationError(
            _("This tournament waits for approval: withdraw it or have it returned instead of annulling it.")
        )
    last = _last_scoring(tournament)
    if last is None:
        raise ValidationError(_("This tournament has no confirmed ranking: there is nothing to annul."))
    _record_act(Act.ANNULLED, tournament, reason, by)
    return _enqueue(runs.create_annulling(last, by, reason))


@transaction.atomic
def restore(tournament_id: int, reason: str, by) -> ScoringRun:
    """Restore a tournament; a worker posts its awards again. Raise ValidationError if refused."""
    tournament = _lock(Tournament, tournament_id, annulled=True)
    _refuse_if_uploaded_again(tournament)
    _record_act(Act.RESTORED, tournament, reason, by)
    return _enqueue(runs.create_restoring(_last_scoring(tournament), by, reason))


@transaction.atomic
def annul_go(tournament_id: int, reason: str, by) -> RatingReplay:
    """Annul a Go tournament: delete its ratings and have the later tournaments rated again.

    Raise ValidationError if refused.
    """
    # Lock before anything else: a replay about to post would otherwise store the ratings again.
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
    """Restore a Go tournament: have it and the later ones rated again.

    Raise ValidationError if refused.
    """
    replays.lock()
    event = _lock(RatingTournament, tournament_id, annulled=True)
    _refuse_if_registered_again(event)
    _record_act(Act.RESTORED, event, reason, by)
    replays.bump()
    return replays.request(event.end_date, by, event, reason)


def _lock(model: type[Event], pk: int, *, annulled: bool) -> Event:
    """Return the tournament's row, locked against simultaneous corrections.

    Raise ValidationError unless the tournament is annulled, or not, as stated by `annulled`.
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
    """Return the last scoring run of the last revision, in whatever state."""
    scoring = tournament.runs.exclude(purpose=ScoringRun.Purpose.ANNUL)
    return scoring.order_by("revision__number", "number").last()


def _refuse_if_uploaded_again(tournament: Tournament) -> None:
    """Raise ValidationError if the tournament was uploaded again since, and so counts already."""
    revision = tournament.revisions.order_by("-number").first()
    upload = ResultUpload.objects.filter(revision=revision).first()
    if upload is None:
        return
    rows = rows_of(revision)
    ids = [seat.player_id for row in rows for seat in row.seats if seat.player_id]
    # Confirming takes the same lock: without it, a simultaneous confirmation would go unnoticed.
    categories.lock(ids)
    players = Player.objects.in_bulk(ids)
    issues = [*repeats.same_file(upload), *repeats.same_event(upload, header_of(tournament), rows, players)]
    for issue in issues:
        if issue.severity == "error":
            raise ValidationError(
                _("It was uploaded again and counts as “%(name)s”: annul that one first.")
                % {"name": issue.params["name"]}
            )


def _refuse_if_registered_again(event: RatingTournament) -> None:
    """Raise ValidationError if another Go tournament of the same days has the same games."""
    upload = GoUpload.objects.filter(tournament=event).order_by("-confirmed_at").first()
    if upload is None:
        return
    result = register.result_of(upload)
    players = [entrant.player for entrant in event.entrants.select_related("player").order_by("position")]
    repeated = go_repeats.find_overlap(result, (event.start_date, event.end_date), players, [event.pk])
    if repeated:
        raise ValidationError(
            _("It was uploaded again and counts as “%(name)s”: annul that one first.")
            % {"name": repeated[0].name}
        )


def _enqueue(run: ScoringRun) -> ScoringRun:
    queue.enqueue_on_commit(run)
    # Points change later, in the worker, but pages that name the tournament are already out of date.
    standings.bump_on_commit()
    return run
