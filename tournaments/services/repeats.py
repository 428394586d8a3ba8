"""Detect repeated uploads: the same file, or the same tournament in another file."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django.db.models import Count, F, Max
from django.db.models.functions import Coalesce
from django.utils import timezone

from players.models import Player
from tournaments.drafts import Header, Row
from tournaments.formats.types import Issue
from tournaments.models import Contestant, ResultUpload, Revision, Seat, SeparateEvent, Tournament

from .alike import Line, is_half_of_shorter, is_most_of_smaller, same_lines
from .issues import issue

State = ResultUpload.State
# Equal rankings within this many days of each other are one event with a wrong date.
MAX_DAYS_APART = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Overlap:
    """A confirmed tournament that shares players with an upload.

    shared: ids of the players in both
    lines: those of its newest ranking; empty if too few players are shared to compare the two
    """

    tournament: Tournament
    shared: frozenset[int]
    lines: list[Line] = field(default_factory=list)

    @property
    def player_count(self) -> int:
        """The number of registered players in `lines`."""
        return sum(len(line.players) for line in self.lines)


def same_file(upload: ResultUpload) -> list[Issue]:
    """Return an error if the same bytes are confirmed, except as the tournament that this upload corrects.

    Return a note if they are in another draft of the club.
    """
    if not upload.sha256:
        return []
    issues = []
    twins = (
        ResultUpload.objects.filter(sha256=upload.sha256)
        .exclude(pk=upload.pk)
        .exclude(state__in=[State.DISCARDED, State.REFUSED])
        .exclude(revision__tournament__annulled_at__isnull=False)  # the file of an annulled one may return
        .select_related("revision__tournament")
        .defer("parsed", "details")  # long and not needed here
        .order_by("created_at")
    )
    for twin in twins:
        if twin.state == State.CONFIRMED:
            tournament = twin.revision.tournament
            if tournament.pk != upload.corrects_id:
                issues.append(issue("same_file", name=tournament.name, tournament=tournament.pk))
        elif twin.club_id == upload.club_id:
            since = timezone.localdate(twin.created_at)
            issues.append(issue("same_draft", since=since.isoformat(), upload=str(twin.pk)))
    # One link is enough. A confirmed tournament matters more than a draft.
    return sorted(issues, key=lambda item: item.severity != "error")[:1]


def corrected_meanwhile(upload: ResultUpload) -> list[Issue]:
    """Return a warning if another correction was confirmed after this upload, which would undo it.

    The first ranking does not count: the director may mark an upload as a correction of a tournament that was
    confirmed after it.
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
    """Return an error if the tournament that this upload corrects is annulled."""
    corrects = upload.corrects_id and Tournament.objects.get(pk=upload.corrects_id)
    if not corrects or not corrects.annulled_at:
        return []
    return [issue("corrects_annulled", name=corrects.name, tournament=corrects.pk)]


def same_source(upload: ResultUpload, header: Header) -> list[Issue]:
    """Return a warning if a tournament of the club and day has the same number in the scoring program."""
    if not header.source_id:
        return []
    tournaments = Tournament.objects.filter(
        club_id=header.club_id, end_date=header.end_date, source_id=header.source_id, annulled_at=None
    )
    first = tournaments.exclude(pk=upload.corrects_id).order_by("pk").first()
    return [issue("same_source", name=first.name, tournament=first.pk)] if first else []


def same_event(
    upload: ResultUpload, header: Header, rows: Sequence[Row], players: Mapping[int, Player]
) -> list[Issue]:
    """Return the issues about tournaments near in time with the same ranking or some of the same players.

    Takes a fixed number of queries: one if nobody played elsewhere in those days. They read the seats of
    these players by index, and the rankings of a few tournaments.
    """
    if not players or not rows:
        return []
    lines = [_line_of(row) for row in rows]
    overlaps = _overlaps(upload, header, len(lines), players)
    separate = _separate_events(upload) if any(overlap.lines for overlap in overlaps) else {}
    issues: list[Issue] = []
    for overlap in overlaps:
        issues += _overlap_issues(overlap, header, lines, players, separate.get(overlap.tournament.pk))
    return issues


def _overlap_issues(
    overlap: Overlap,
    header: Header,
    lines: list[Line],
    players: Mapping[int, Player],
    separate: SeparateEvent | None,
) -> list[Issue]:
    tournament = overlap.tournament
    params = {"name": tournament.name, "tournament": tournament.pk}
    same = len(same_lines(lines, overlap.lines))
    if is_half_of_shorter(same, len(lines), len(overlap.lines)):
        if separate is None or same > separate.alike:
            day = tournament.end_date.isoformat()
            total = min(len(lines), len(overlap.lines))
            club = tournament.club.name
            return [issue("same_ranking", **params, day=day, club=club, count=same, total=total)]
        return [issue("two_events", **params, reason=separate.reason)]
    if tournament.end_date != header.end_date:
        return []
    shared, player_count = len(overlap.shared), overlap.player_count
    if (
        tournament.club_id == header.club_id
        and overlap.lines
        and is_most_of_smaller(shared, len(players), player_count)
    ):
        return [issue("same_people", **params, count=shared, total=min(len(players), player_count))]
    return [
        issue("also_that_day", **params, person=players[player].public_name, player=player)
        for player in sorted(overlap.shared)
    ]


def count_same_lines(tournament: Tournament, rows: Sequence[Row]) -> int:
    """Return how many lines of the ranking are also in the tournament's newest one."""
    newest = tournament.revisions.order_by("-number").first()
    lines = _lines([newest.pk])[newest.pk] if newest else []
    return len(same_lines([_line_of(row) for row in rows], lines))


def _line_of(row: Row) -> Line:
    players = frozenset(seat.player_id for seat in row.seats if seat.player_id)
    guests = len(row.seats) - len(players)
    return Line(players, guests, row.field, row.place, row.score, row.percentage)


def _overlaps(upload: ResultUpload, header: Header, length: int, players: Collection[int]) -> list[Overlap]:
    """Return the tournaments of the family near in time whose newest ranking has any of the players.

    length: the number of lines of the upload's ranking
    """
    survivors = _survivors(players)
    window = (header.end_date - MAX_DAYS_APART, header.end_date + MAX_DAYS_APART)
    seats = (
        Seat.objects.filter(
            player__in=list(survivors),
            revision__tournament__end_date__range=window,
            revision__tournament__family=header.family,
            revision__tournament__annulled_at=None,
        )
        .exclude(revision__tournament=upload.corrects_id)
        .order_by()
    )
    shared: dict[int, set[int]] = defaultdict(set)
    for revision, player in seats.values_list("revision_id", "player_id"):
        shared[revision].add(survivors[player])
    if not shared:
        return []
    newest = dict(
        Revision.objects.filter(
            tournament__in=Revision.objects.filter(pk__in=list(shared)).values("tournament")
        )
        .order_by()
        .values("tournament")
        .annotate(number=Max("number"))
        .values_list("tournament", "number")
    )
    revisions = (
        Revision.objects.filter(pk__in=list(shared))
        .select_related("tournament__club")
        .annotate(length=Count("contestants"))
        .order_by("tournament_id")
    )
    current = [revision for revision in revisions if newest[revision.tournament_id] == revision.number]
    # A ranking that shares few players cannot be half the same.
    comparable = [
        revision.pk
        for revision in current
        if is_half_of_shorter(len(shared[revision.pk]), length, revision.length)
    ]
    lines = _lines(comparable) if comparable else {}
    return [
        Overlap(revision.tournament, frozenset(shared[revision.pk]), lines.get(revision.pk, []))
        for revision in current
    ]


def _survivors(players: Collection[int]) -> dict[int, int]:
    """Return the surviving player's id by player id, for these players and those merged into them."""
    merged = Player.objects.filter(merged_into__in=list(players)).values_list("pk", "merged_into")
    return {**{player: player for player in players}, **dict(merged)}


def _lines(revisions: Sequence[int]) -> dict[int, list[Line]]:
    """Return the lines of rankings by revision id, in two queries."""
    seated: dict[int, set[int]] = defaultdict(set)
    guests: dict[int, int] = defaultdict(int)
    seats = Seat.objects.filter(revision__in=revisions).order_by()
    for contestant, player in seats.values_list(
        "contestant_id", Coalesce(F("player__merged_into"), F("player"))
    ):
        if player is None:
            guests[contestant] += 1
        else:
            seated[contestant].add(player)
    lines: dict[int, list[Line]] = {revision: [] for revision in revisions}
    contestants = Contestant.objects.filter(revision__in=revisions).order_by("revision_id", "position")
    for pk, revision, *values in contestants.values_list(
        "pk", "revision_id", "field", "place", "score", "percentage"
    ):
        lines[revision].append(Line(frozenset(seated[pk]), guests[pk], *values))
    return lines


def _separate_events(upload: ResultUpload) -> dict[int, SeparateEvent]:
    """Return the office's statements about the upload by tournament id."""
    return {event.tournament_id: event for event in upload.separate_events.order_by("pk")}
