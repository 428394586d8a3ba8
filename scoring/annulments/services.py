"""Annulling a confirmed tournament, of bridge or of Go, and restoring it: with a reason, deleting nothing.

Of bridge, a run of the last ranking takes the points back, or gives again what the calculation before gave.
It is claimed, repeated and put in order with corrections like every other run. Of Go, the ratings go with the
act itself, as a dropped player's do in a correction, and a replay rates all later tournaments anew.
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
from scoring.ratings.services import repeats as go_twice
from tournaments.drafts import header_of, rows_of
from tournaments.models import ResultUpload, Tournament
from tournaments.services import repeats

Act = Annulment.Act
Event = Tournament | RatingTournament


def may_annul(user, event: Event) -> bool:
    """Whoever may correct the tournament."""
    if isinstance(event, RatingTournament):
        return register.may_correct(user, event)
    return uploadable_clubs(user).filter(pk=event.club_id).exists()


def may_restore(user, event: Event) -> bool:
    """The office; others only what they annulled themselves and may still correct."""
    if not may_annul(user, event):
        return False
    return roles_of(user).office or last_act(event).created_by_id == user.pk


@transaction.atomic
def annul(tournament_id: int, reason: str, by) -> ScoringRun:
    """Take a tournament out of the count; the workers take its points back. Raises ValidationError."""
    tournament = _locked(Tournament, tournament_id, annulled=False)
    if approval.waiting_run(tournament):
        raise ValidationError(
            _("This tournament waits for approval: withdraw it or have it returned instead of annulling it.")
        )
    last = _last_scoring(tournament)
    if last is None:
        raise ValidationError(_("This tournament has no confirmed ranking: there is nothing to annul."))
    _act(Act.ANNULLED, tournament, reason, by)
    return _asked(runs.create_annulling(last, by, reason))


@transaction.atomic
def restore(tournament_id: int, reason: str, by) -> ScoringRun:
    """Let a tournament count again; the workers give its points again. Raises ValidationError."""
    tournament = _locked(Tournament, tournament_id, annulled=True)
    _refuse_repeated(tournament)
    _act(Act.RESTORED, tournament, reason, by)
    return _asked(runs.create_restoring(_last_scoring(tournament), by, reason))


@transaction.atomic
def annul_go(tournament_id: int, reason: str, by) -> RatingReplay:
    """Take a Go tournament out of the ratings; what came later is rated anew. Raises ValidationError."""
    # First: a replay about to post holds it too, and would store ratings again behind us.
    replays.lock()
    event = _locked(RatingTournament, tournament_id, annulled=False)
    _act(Act.ANNULLED, event, reason, by)
    replay = replays.ask(event.end_date, by, event, reason)
    stored = Rating.objects.filter(entrant__tournament=event)
    gone = list(stored.values_list("entrant__player", "after"))
    RatingChange.objects.bulk_create(
        RatingChange(replay=replay, player_id=player, tournament=event, old=old) for player, old in gone
    )
    stored.delete()
    replays.refresh_players(player for player, _old in gone)
    replays.bump()
    return replay


@transaction.atomic
def restore_go(tournament_id: int, reason: str, by) -> RatingReplay:
    """Rate a Go tournament again, and what came later anew. Raises ValidationError."""
    replays.lock()
    event = _locked(RatingTournament, tournament_id, annulled=True)
    _refuse_played_again(event)
    _act(Act.RESTORED, event, reason, by)
    replays.bump()
    return replays.ask(event.end_date, by, event, reason)


def _locked(model: type[Event], pk: int, *, annulled: bool) -> Event:
    """The tournament's row, locked: a correction was stored before, or waits. Raises ValidationError."""
    event = model.objects.select_for_update(of=("self",), no_key=True).get(pk=pk)
    if annulled == bool(event.annulled_at):
        return event
    raise ValidationError(
        _("This tournament is not annulled.") if annulled else _("This tournament is annulled already.")
    )


def _act(act: str, event: Event, reason: str, by) -> None:
    event.annulled_at = timezone.now() if act == Act.ANNULLED else None
    event.save(update_fields=["annulled_at"])
    of = "rating_tournament" if isinstance(event, RatingTournament) else "tournament"
    Annulment.objects.create(act=act, reason=reason, created_by=by, **{of: event})


def _last_scoring(tournament: Tournament) -> ScoringRun | None:
    """The last calculation of the last ranking, whatever became of it."""
    scoring = tournament.runs.exclude(purpose=ScoringRun.Purpose.ANNUL)
    return scoring.order_by("revision__number", "number").last()


def _refuse_repeated(tournament: Tournament) -> None:
    """Refuse to restore what was uploaded again since, and so counts already."""
    revision = tournament.revisions.order_by("-number").first()
    upload = ResultUpload.objects.filter(revision=revision).first()
    if upload is None:
        return
    rows = rows_of(revision)
    ids = [seat.player_id for row in rows for seat in row.seats if seat.player_id]
    # As confirming does: neither would see the other.
    categories.lock(ids)
    players = Player.objects.in_bulk(ids)
    found = [*repeats.same_file(upload), *repeats.same_event(upload, header_of(tournament), rows, players)]
    for each in found:
        if each.severity == "error":
            raise ValidationError(
                _("It was uploaded again and counts as “%(name)s”: annul that one first.")
                % {"name": each.params["name"]}
            )


def _refuse_played_again(event: RatingTournament) -> None:
    """The same of a Go tournament, by its games."""
    upload = GoUpload.objects.filter(tournament=event).order_by("-confirmed_at").first()
    if upload is None:
        return
    result = register.result_of(upload)
    players = [each.player for each in event.entrants.select_related("player").order_by("position")]
    twice = go_twice.played_already(result, (event.start_date, event.end_date), players, [event.pk])
    if twice:
        raise ValidationError(
            _("It was uploaded again and counts as “%(name)s”: annul that one first.")
            % {"name": twice[0].name}
        )


def _asked(run: ScoringRun) -> ScoringRun:
    queue.tell_on_commit(run)
    # Nobody's points differ yet, but pages that name the tournament do.
    standings.bump_on_commit()
    return run
