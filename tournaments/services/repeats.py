"""Detect repeated uploads: the same file, or the same tournament in another file."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from operator import attrgetter
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from players.models import Player
from tournaments.drafts import Header, Row
from tournaments.formats.types import Issue
from tournaments.models import (
    Contestant,
    FurtherFile,
    ResultUpload,
    Revision,
    Seat,
    SeparateEvent,
    Tournament,
)
from ui.text import PARTICLES, words_of

from .alike import Likeness, Line, compare, is_half_of_shorter, is_most_of_smaller
from .files import digests_of, digests_with_results
from .issues import SEVERITIES, issue

State = ResultUpload.State
# Equal rankings within this many days of each other are one event with a wrong date.
MAX_DAYS_APART = timedelta(days=7)
NEARNESS = attrgetter("is_same", "same")  # sort key of a `Likeness`


@dataclass(frozen=True, slots=True)
class Overlap:
    """A stored ranking that shares players with an upload.

    shared: ids of the players in both
    lines: the lines of the stored ranking; empty if it shares too few players to be the same ranking
    """

    revision: Revision
    shared: frozenset[int]
    lines: list[Line] = field(default_factory=list)

    @property
    def player_count(self) -> int:
        """The number of registered players in `lines`."""
        return sum(len(line.players) for line in self.lines)


def same_file(upload: ResultUpload, rows: Sequence[Row], players: Mapping[int, Player]) -> list[Issue]:
    """Return at most one issue, as a list: the most severe one about other uploads with the same bytes.

    * An error if the other upload is confirmed, unless this upload corrects its tournament.
    * A warning if the other upload is confirmed, but a correction has since replaced its ranking.
    * A note if the office stated that the two are separate events, or if the other upload is a draft of the
      same club.

    rows: the upload's ranking
    players: {player id: player} of the players in `rows`
    """
    digests = digests_of(upload)
    if not digests:
        return []
    issues = []
    twins = _uploads_with(digests, upload)
    confirmed = [twin.revision for twin in twins if twin.state == State.CONFIRMED]
    revisions = Revision.objects.select_related("tournament").in_bulk(confirmed) if confirmed else {}
    for twin in twins:
        if twin.state == State.CONFIRMED:
            revision = revisions[twin.revision]
            if revision.tournament_id != upload.corrects_id:
                issues.append(_same_confirmed_file(upload, revision, rows, players))
        elif twin.club == upload.club_id:
            since = timezone.localdate(twin.created_at)
            issues.append(issue("same_draft", since=since.isoformat(), upload=str(twin.pk)))
    # One link is enough. A confirmed tournament matters more than a draft.
    return sorted(issues, key=lambda item: SEVERITIES.index(item.severity))[:1]


def _uploads_with(digests: Sequence[str], but: ResultUpload) -> list[Any]:
    """Return other uploads that still count and have results in one of these files, the oldest first.

    An upload beside whose results such a file is only a list of names is not among them.

    digests: digests of files
    but: the upload that is left out
    """
    further = FurtherFile.objects.filter(upload=OuterRef("pk"), sha256__in=digests)
    uploads = (
        ResultUpload.objects.filter(Q(sha256__in=digests) | Exists(further))
        .exclude(pk=but.pk)
        .exclude(state__in=[State.DISCARDED, State.REFUSED])
        .exclude(revision__tournament__annulled_at__isnull=False)  # may be uploaded again
        .order_by("created_at")
        .values_list("pk", "state", "club", "created_at", "revision", "sha256", "parsed__files", named=True)
    )
    files = defaultdict(list)
    for pk, digest in FurtherFile.objects.filter(upload__in=[row.pk for row in uploads]).values_list(
        "upload", "sha256"
    ):
        files[pk].append(digest)
    return [
        row
        for row in uploads
        if not set(digests).isdisjoint(digests_with_results([row.sha256, *files[row.pk]], row.parsed__files))
    ]


def _same_confirmed_file(
    upload: ResultUpload, revision: Revision, rows: Sequence[Row], players: Mapping[int, Player]
) -> Issue:
    """Return the issue about a stored ranking that comes from a file with the same bytes.

    revision: the stored ranking
    rows: the ranking of the upload under review
    """
    tournament = revision.tournament
    params = {"name": tournament.name, "tournament": tournament.pk}
    if not _still_counts(revision):
        return issue("same_file_replaced", **params)
    if separate := _separate_events(upload).get(tournament.pk):
        _nearest, likeness = nearest_ranking(tournament, rows, players)
        if _is_covered(likeness, separate):
            return issue("two_events", **params, reason=separate.reason)
    return issue("same_file", **params)


def _is_covered(likeness: Likeness, separate: SeparateEvent) -> bool:
    """Return whether the office's statement that two rankings are separate events still applies.

    It no longer applies if more contestants are the same in both rankings than when it was made.
    """
    return likeness.same <= separate.alike


def _still_counts(revision: Revision) -> bool:
    """Return whether a tournament still has this ranking.

    It does if the ranking is a current one of the tournament (see `_current`), or the same as a current one.
    Three queries at most.
    """
    current = set(_current(revision.tournament.revisions.all()).values_list("pk", flat=True))
    if revision.pk in current:
        return True
    lines = _stored_lines([revision.pk, *current])
    return any(compare(lines[revision.pk], lines[other]).is_same for other in current)


def corrected_meanwhile(upload: ResultUpload) -> list[Issue]:
    """Return a warning if confirming this upload would undo a correction confirmed since it was uploaded.

    The first ranking of a tournament is not a correction, even if it was confirmed after this upload. The
    director may turn an upload into a correction of such a tournament. A correction of boards undoes nothing,
    because `board_rebase` adds it to the others.
    """
    if not upload.corrects_id or "revision" in upload.parsed:
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
    """Return a warning if another tournament of the club and day has the same number in the scoring program.

    Scoring programs number their events, and some files contain this number.
    """
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
    """Return the issues about tournaments of nearby days with the same ranking or some of the same players.

    Takes a fixed number of queries; only one if none of the players has another tournament in those days.
    """
    if not players or not rows:
        return []
    lines = _lines_of(rows, players)
    overlaps = _overlaps(upload, header, lines, players)
    separate = _separate_events(upload) if any(overlap.lines for overlap in overlaps) else {}
    by_tournament: dict[Tournament, list[Overlap]] = defaultdict(list)
    for overlap in overlaps:
        by_tournament[overlap.revision.tournament].append(overlap)
    issues: list[Issue] = []
    for tournament, same in by_tournament.items():
        issues += _same_ranking(tournament, same, lines, separate.get(tournament.pk)) or (
            _same_day(tournament, same, header, players) if tournament.end_date == header.end_date else []
        )
    return issues


def _same_ranking(
    tournament: Tournament, overlaps: Sequence[Overlap], lines: list[Line], separate: SeparateEvent | None
) -> list[Issue]:
    """Return an error if a stored ranking of the tournament is the same as the upload's ranking.

    Return only a note if the office stated that the two are separate events.

    overlaps: the stored rankings of the tournament
    lines: the lines of the upload's ranking
    """
    likeness = max((compare(lines, overlap.lines) for overlap in overlaps), key=NEARNESS)
    if not likeness.is_same:
        return []
    params = {"name": tournament.name, "tournament": tournament.pk}
    if separate and _is_covered(likeness, separate):
        return [issue("two_events", **params, reason=separate.reason)]
    params |= {"day": tournament.end_date.isoformat(), "club": tournament.club.name}
    return [issue("same_ranking", **params, count=likeness.same, total=likeness.total)]


def _same_day(
    tournament: Tournament, overlaps: Sequence[Overlap], header: Header, players: Mapping[int, Player]
) -> list[Issue]:
    """Return the issues about a tournament of the same day that has some of the upload's players.

    Return a warning if nearly the same people played in the same club, else a note for each player in both.
    """
    params = {"name": tournament.name, "tournament": tournament.pk}
    for overlap in overlaps if tournament.club_id == header.club_id else ():
        count, total = len(overlap.shared), min(len(players), overlap.player_count)
        if is_most_of_smaller(count, len(players), overlap.player_count) and overlap.lines:
            return [issue("same_people", **params, count=count, total=total)]
    return [
        issue("also_that_day", **params, person=players[player].public_name, player=player)
        for player in sorted(frozenset().union(*(overlap.shared for overlap in overlaps)))
    ]


def nearest_ranking(
    tournament: Tournament, rows: Sequence[Row], players: Mapping[int, Player]
) -> tuple[Revision | None, Likeness]:
    """Return the current ranking of a tournament that is most like `rows`, and how similar they are.

    Three queries.

    players: {player id: player} of the players in `rows`
    """
    revisions = list(_current(Revision.objects.filter(tournament=tournament)).order_by("-number"))
    stored, lines = _stored_lines([revision.pk for revision in revisions]), _lines_of(rows, players)
    likenesses = [(revision, compare(lines, stored[revision.pk])) for revision in revisions]
    return max(likenesses, key=lambda pair: NEARNESS(pair[1]), default=(None, Likeness()))


def _lines_of(rows: Sequence[Row], players: Mapping[int, Player]) -> list[Line]:
    """Return the lines, for comparison, of a ranking under review.

    players: {player id: player} of the players in `rows`
    """
    return [
        Line(
            players=frozenset(seat.player_id for seat in row.seats if seat.player_id),
            guests=sum(not seat.player_id for seat in row.seats),
            field=row.field,
            place=row.place,
            score=row.score,
            percentage=row.percentage,
            words=_words(
                players[seat.player_id].full_name if seat.player_id else seat.guest_name for seat in row.seats
            ),
        )
        for row in rows
    ]


def _words(names: Iterable[str]) -> frozenset[str]:
    """Return the words of names, without particles, initials and numbers, which do not distinguish people."""
    words = frozenset(word for name in names for word in words_of(name))
    return frozenset(word for word in words - PARTICLES if len(word) > 1 and not word.isdecimal())


def _current(revisions: QuerySet[Revision]) -> QuerySet[Revision]:
    """Filter revisions to the current ones: the published and the newest revision of each tournament.

    The newest revision may still be waiting to be scored or approved.
    """
    newest = Revision.objects.filter(tournament=OuterRef("tournament"), number__gt=OuterRef("number"))
    return revisions.filter(Q(published_as__isnull=False) | ~Exists(newest))


def _overlaps(
    upload: ResultUpload, header: Header, lines: list[Line], players: Collection[int]
) -> list[Overlap]:
    """Return the current rankings of nearby days and the same family that share players with the upload.

    lines: the lines of the upload's ranking
    players: ids of the players in the upload's ranking
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
        .exclude(revision__tournament=upload.corrects_id or _own_tournament(upload))
        .order_by()
    )
    shared: dict[int, set[int]] = defaultdict(set)
    for revision, player in seats.values_list("revision_id", "player_id"):
        shared[revision].add(survivors[player])
    if not shared:
        return []
    revisions = _current(Revision.objects.filter(pk__in=list(shared))).select_related("tournament__club")
    current = list(revisions.order_by("tournament_id", "number"))
    comparable = _comparable(lines, {revision.pk: len(shared[revision.pk]) for revision in current})
    stored = _stored_lines(comparable) if comparable else {}
    return [
        Overlap(revision, frozenset(shared[revision.pk]), stored.get(revision.pk, [])) for revision in current
    ]


def _own_tournament(upload: ResultUpload) -> int | None:
    """Return the id of the tournament that the upload became, if it is confirmed."""
    return upload.revision.tournament_id if upload.revision else None


def _comparable(lines: list[Line], shared: Mapping[int, int]) -> list[int]:
    """Return the ids of the stored rankings that may be the same ranking as `lines`. One query.

    Rankings that share too few people with `lines` are left out. A line with a guest always counts as shared,
    because a later comparison may recognise the guest by name.

    shared: {revision id: number of registered players whom the stored ranking shares with `lines`}
    """
    with_players, with_guests = (
        Count("contestant", distinct=True, filter=Q(player__isnull=is_guest)) for is_guest in (False, True)
    )
    counts = (
        Seat.objects.filter(revision__in=list(shared))
        .order_by()
        .values("revision")
        .annotate(known=with_players, open=with_guests)
    )
    known, open_ = sum(bool(line.players) for line in lines), sum(bool(line.guests) for line in lines)
    return [
        row["revision"]
        for row in counts
        # Two lines are matched by a shared player or, if they have guests, by names.
        if is_half_of_shorter(shared[row["revision"]] + open_ + row["open"], known, row["known"])
    ]


def _survivors(players: Collection[int]) -> dict[int, int]:
    """Return {player id: surviving player's id} for these players and those merged into them."""
    merged = Player.objects.filter(merged_into__in=list(players)).values_list("pk", "merged_into")
    return {**{player: player for player in players}, **dict(merged)}


def _stored_lines(revisions: Sequence[int]) -> dict[int, list[Line]]:
    """Return {revision id: lines of its ranking}. Two queries."""
    seated: dict[int, set[int]] = defaultdict(set)
    names: dict[int, list[str]] = defaultdict(list)
    guests: Counter[int] = Counter()
    seats = Seat.objects.filter(revision__in=revisions).order_by()
    for contestant, player, *written in seats.values_list(
        "contestant_id",
        Coalesce(F("player__merged_into"), F("player")),
        "player__given_name",
        "player__surname",
        "guest_name",
    ):
        names[contestant] += filter(None, written)
        if player is None:
            guests[contestant] += 1
        else:
            seated[contestant].add(player)
    lines: dict[int, list[Line]] = {revision: [] for revision in revisions}
    contestants = Contestant.objects.filter(revision__in=revisions).order_by("revision_id", "position")
    for pk, revision, *values in contestants.values_list(
        "pk", "revision_id", "field", "place", "score", "percentage"
    ):
        line = Line(frozenset(seated[pk]), guests[pk], *values, words=_words(names[pk]))
        lines[revision].append(line)
    return lines


def _separate_events(upload: ResultUpload) -> dict[int, SeparateEvent]:
    """Return {tournament id: statement by the office that the upload is a separate event}."""
    return {event.tournament_id: event for event in upload.separate_events.order_by("pk")}
