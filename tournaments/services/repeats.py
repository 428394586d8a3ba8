"""Recognising what was uploaded before: the same file, or the same tournament in another file."""

from django.utils import timezone

from tournaments.drafts import Header
from tournaments.formats.types import Issue
from tournaments.models import ResultUpload, Revision, Seat, Tournament

from .issues import issue

State = ResultUpload.State


def same_file(upload: ResultUpload) -> list[Issue]:
    """The very same bytes, confirmed (an error, unless this corrects that tournament) or in another draft."""
    if not upload.sha256:
        return []
    found = []
    others = (
        ResultUpload.objects.filter(sha256=upload.sha256)
        .exclude(pk=upload.pk)
        .exclude(state=State.DISCARDED)
        .select_related("revision__tournament")
        .defer("parsed", "details")  # long, and of no use here
        .order_by("created_at")
    )
    for other in others:
        if other.state == State.CONFIRMED:
            tournament = other.revision.tournament
            if tournament.pk != upload.corrects_id:
                found.append(issue("same_file", name=tournament.name, tournament=tournament.pk))
        elif other.club_id == upload.club_id:
            since = timezone.localdate(other.created_at)
            found.append(issue("same_draft", since=since.isoformat(), upload=str(other.pk)))
    # One link is enough; a tournament that counts says more than a draft beside it.
    return sorted(found, key=lambda each: each.severity != "error")[:1]


def corrected_meanwhile(upload: ResultUpload) -> list[Issue]:
    """Another correction of the tournament, confirmed since this one was begun, which this one would undo."""
    if not upload.corrects_id:
        return []
    later = Revision.objects.filter(tournament=upload.corrects_id, created_at__gt=upload.created_at)
    newest = later.order_by("number").last()
    if newest is None:
        return []
    return [issue("corrected_meanwhile", value=newest.reason, tournament=upload.corrects_id)]


def same_event(upload: ResultUpload, header: Header, players: set[int]) -> list[Issue]:
    """A tournament that looks like the same one: by the scoring program's number, or by its players."""
    near = Tournament.objects.filter(club_id=header.club_id, end_date=header.end_date)
    near = list(near.exclude(pk=upload.corrects_id).order_by("pk"))
    for tournament in near:
        if header.source_id and tournament.source_id == header.source_id:
            return [issue("same_event", name=tournament.name, tournament=tournament.pk, alike="alike_source")]
    near = [each for each in near if each.event_type == header.event_type]
    if not near or not players:
        return []
    seated: dict[int, dict[int, set[int]]] = {}
    seats = Seat.objects.filter(revision__tournament__in=near, player__isnull=False)
    for tournament_id, number, player in seats.values_list(
        "revision__tournament_id", "revision__number", "player_id"
    ):
        seated.setdefault(tournament_id, {}).setdefault(number, set()).add(player)
    for tournament in near:
        revisions = seated.get(tournament.pk, {})
        if revisions and revisions[max(revisions)] == players:
            return [
                issue("same_event", name=tournament.name, tournament=tournament.pk, alike="alike_players")
            ]
    return []
