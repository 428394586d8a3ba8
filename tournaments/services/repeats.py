"""Recognising what was uploaded before: the same file, or the same tournament in another file."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django.db.models import Count, F, Max
from django.db.models.functions import Coalesce
from django.utils import timezone

from players.models import Player
from tournaments.drafts import Header, Row
from tournaments.formats.types import Issue
from tournaments.models import Contestant, ResultUpload, Revision, Seat, SeparateEvent, Tournament

from .alike import Line, are_mostly, is_half, same_lines
from .issues import issue

State = ResultUpload.State
# The same ranking this many days before or after is the same event with a wrong date.
NEAR = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Other:
    """A confirmed tournament that shares people with an upload.

    shared: ids of the players common to both; `players` and `lines` are of its newest ranking, and empty
    where too few people are common for the two to be compared
    """

    tournament: Tournament
    shared: frozenset[int]
    lines: list[Line] = field(default_factory=list)

    @property
    def players(self) -> int:
        return sum(len(line.players) for line in self.lines)


def same_file(upload: ResultUpload) -> list[Issue]:
    """The very same bytes, confirmed (an error, unless this corrects that tournament) or in another draft."""
    if not upload.sha256:
        return []
    found = []
    others = (
        ResultUpload.objects.filter(sha256=upload.sha256)
        .exclude(pk=upload.pk)
        .exclude(state__in=[State.DISCARDED, State.REFUSED])
        .exclude(revision__tournament__annulled_at__isnull=False)  # what does not count is no obstacle
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
    """Another correction of the tournament, confirmed since this one was begun, which this one would undo.

    The first ranking is no correction: an upload may be said to correct a tournament confirmed after it came.
    """
    if not upload.corrects_id:
        return []
    later = Revision.objects.filter(
        tournament=upload.corrects_id, created_at__gt=upload.created_at, number__gt=1
    )
    newest = later.order_by("number").last()
    if newest is None:
        return []
    return [issue("corrected_meanwhile", value=newest.reason, tournament=upload.corrects_id)]


def annulled(upload: ResultUpload) -> list[Issue]:
    """The tournament that this corrects was annulled, before or since the draft was begun: an error."""
    corrects = upload.corrects_id and Tournament.objects.get(pk=upload.corrects_id)
    if not corrects or not corrects.annulled_at:
        return []
    return [issue("corrects_annulled", name=corrects.name, tournament=corrects.pk)]


def same_source(upload: ResultUpload, header: Header) -> list[Issue]:
    """A tournament with the scoring program's own number, of the same club and day."""
    if not header.source_id:
        return []
    near = Tournament.objects.filter(
        club_id=header.club_id, end_date=header.end_date, source_id=header.source_id, annulled_at=None
    )
    first = near.exclude(pk=upload.corrects_id).order_by("pk").first()
    return [issue("same_source", name=first.name, tournament=first.pk)] if first else []


def same_event(
    upload: ResultUpload, header: Header, rows: Sequence[Row], players: Mapping[int, Player]
) -> list[Issue]:
    """Tournaments near in time that this one repeats, or whose people it shares.

    A fixed number of queries: one where nobody played anywhere else in those days. They read the seats of
    these players alone, by its index, and the rankings of a few tournaments.
    """
    if not players or not rows:
        return []
    lines = [_line_of(row) for row in rows]
    others = _others(upload, header, len(lines), players)
    apart = _kept_apart(upload) if any(each.lines for each in others) else {}
    found: list[Issue] = []
    for other in others:
        found += _compared(other, header, lines, players, apart.get(other.tournament.pk))
    return found


def _compared(
    other: Other,
    header: Header,
    lines: list[Line],
    players: Mapping[int, Player],
    apart: SeparateEvent | None,
) -> list[Issue]:
    tournament = other.tournament
    named = {"name": tournament.name, "tournament": tournament.pk}
    same = len(same_lines(lines, other.lines))
    if is_half(same, len(lines), len(other.lines)):
        if apart is None or same > apart.alike:
            day = tournament.end_date.isoformat()
            total = min(len(lines), len(other.lines))
            club = tournament.club.name
            return [issue("same_ranking", **named, day=day, club=club, count=same, total=total)]
        return [issue("two_events", **named, reason=apart.reason)]
    if tournament.end_date != header.end_date:
        return []
    shared = len(other.shared)
    if (
        tournament.club_id == header.club_id
        and other.lines
        and are_mostly(shared, len(players), other.players)
    ):
        return [issue("same_people", **named, count=shared, total=min(len(players), other.players))]
    return [
        issue("also_that_day", **named, person=players[player].public_name, player=player)
        for player in sorted(other.shared)
    ]


def alike(tournament: Tournament, rows: Sequence[Row]) -> int:
    """How many lines of the ranking are the same in the tournament's newest one."""
    newest = tournament.revisions.order_by("-number").first()
    there = _lines([newest.pk])[newest.pk] if newest else []
    return len(same_lines([_line_of(row) for row in rows], there))


def _line_of(row: Row) -> Line:
    players = frozenset(seat.player_id for seat in row.seats if seat.player_id)
    guests = len(row.seats) - len(players)
    return Line(players, guests, row.field, row.place, row.score, row.percentage)


def _others(upload: ResultUpload, header: Header, length: int, players: Collection[int]) -> list[Other]:
    """Tournaments of one points system in these days whose newest ranking has any of these players."""
    numbers = _numbers_of(players)
    window = (header.end_date - NEAR, header.end_date + NEAR)
    seats = (
        Seat.objects.filter(
            player__in=list(numbers),
            revision__tournament__end_date__range=window,
            revision__tournament__family=header.family,
            revision__tournament__annulled_at=None,
        )
        .exclude(revision__tournament=upload.corrects_id)
        .order_by()
    )
    shared: dict[int, set[int]] = defaultdict(set)
    for revision, player in seats.values_list("revision_id", "player_id"):
        shared[revision].add(numbers[player])
    if not shared:
        return []
    newest = (
        Revision.objects.filter(
            tournament__in=Revision.objects.filter(pk__in=list(shared)).values("tournament")
        )
        .order_by()
        .values("tournament")
        .annotate(number=Max("number"))
        .values_list("tournament", "number")
    )
    newest = dict(newest)
    revisions = (
        Revision.objects.filter(pk__in=list(shared))
        .select_related("tournament__club")
        .annotate(length=Count("contestants"))
        .order_by("tournament_id")
    )
    current = [each for each in revisions if newest[each.tournament_id] == each.number]
    # A ranking with too few people in common cannot be half the same.
    close = [each.pk for each in current if is_half(len(shared[each.pk]), length, each.length)]
    lines = _lines(close) if close else {}
    return [Other(each.tournament, frozenset(shared[each.pk]), lines.get(each.pk, [])) for each in current]


def _numbers_of(players: Collection[int]) -> dict[int, int]:
    """Id -> id of the number kept, for these players and for those merged into them."""
    merged = Player.objects.filter(merged_into__in=list(players)).values_list("pk", "merged_into")
    return {**{player: player for player in players}, **dict(merged)}


def _lines(revisions: Iterable[int]) -> dict[int, list[Line]]:
    """The lines of each ranking by its id, in two queries."""
    wanted = list(revisions)
    seated: dict[int, set[int]] = defaultdict(set)
    guests: dict[int, int] = defaultdict(int)
    seats = Seat.objects.filter(revision__in=wanted).order_by()
    for contestant, player in seats.values_list(
        "contestant_id", Coalesce(F("player__merged_into"), F("player"))
    ):
        if player is None:
            guests[contestant] += 1
        else:
            seated[contestant].add(player)
    found: dict[int, list[Line]] = {revision: [] for revision in wanted}
    contestants = Contestant.objects.filter(revision__in=wanted).order_by("revision_id", "position")
    for pk, revision, *values in contestants.values_list(
        "pk", "revision_id", "field", "place", "score", "percentage"
    ):
        found[revision].append(Line(frozenset(seated[pk]), guests[pk], *values))
    return found


def _kept_apart(upload: ResultUpload) -> dict[int, SeparateEvent]:
    """Tournament -> the office's word that this upload is another event."""
    return {each.tournament_id: each for each in upload.separate_events.order_by("pk")}
