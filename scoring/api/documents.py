"""Build the documents that the interface returns from uploads under review and confirmed ones."""

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse

from players.access import name_for
from scoring.api.numbers import points_or_none
from scoring.api.schemas import ContestantOut, IssueOut, PersonOut, SummaryOut, UploadOut
from scoring.uploads.services.review import Review, review_of
from tournaments.drafts import Row, header_of
from tournaments.formats.types import Issue, Person
from tournaments.models import ResultUpload
from tournaments.ranking import Ranked
from tournaments.services.issues import describe

READER = AnonymousUser()  # sees the public names of players alone


def upload_document(request: HttpRequest, upload: ResultUpload, notes: Sequence[Issue] = ()) -> UploadOut:
    """Return the document of an upload, with its issues in the active language.

    notes: issues about the request, which come first
    """
    confirmed = upload.state == upload.State.CONFIRMED
    review = None if confirmed else review_of(upload)
    return UploadOut(
        id=upload.pk,
        state="unread" if upload.is_unread else upload.state,
        file_name=upload.file_name,
        sha256=upload.sha256,
        issues=[_issue(item) for item in (*notes, *(review.issues if review else ()))],
        summary=_summary(review) if review else _confirmed_summary(upload),
        preview=_preview(review) if review else [],
        review_url=request.build_absolute_uri(reverse("upload_review", args=[upload.pk])),
    )


def _issue(item: Issue) -> IssueOut:
    text = describe(item)
    return IssueOut(
        code=item.code,
        severity=item.severity,
        line=item.line,
        field=item.field,
        value=str(item.value),
        message=text.message,
        remedy=text.remedy,
    )


def _summary(review: Review) -> SummaryOut:
    draft = review.draft
    known = draft.known
    return SummaryOut(
        name=known.name or None,
        event_type=known.event_type or None,
        format=known.format or None,
        venue=known.venue or None,
        start_date=known.start_date or known.end_date,
        end_date=known.end_date,
        boards=known.boards,
        people=draft.person_count,
        recognised=len(draft.players),
        licensed=len(draft.licensed & draft.players.keys()),
        errors=sum(item.severity == "error" for item in review.issues),
        ticks_missing=len(draft.unticked),
        ready=review.ready,
        counts=review.evaluation.eligible if review.evaluation else None,
        needs_approval=review.needs_approval,
    )


def _confirmed_summary(upload: ResultUpload) -> SummaryOut:
    """Return the summary of a confirmed upload, from the stored tournament."""
    header = header_of(upload.revision.tournament)
    seats = upload.revision.seats
    return SummaryOut(
        name=header.name,
        event_type=header.event_type,
        format=header.format,
        venue=header.venue,
        start_date=header.start_date,
        end_date=header.end_date,
        boards=header.boards,
        people=seats.count(),
        recognised=seats.filter(player__isnull=False).count(),
        licensed=None,
        errors=0,
        ticks_missing=0,
        ready=False,
        counts=None,
        needs_approval=False,
    )


def _preview(review: Review) -> list[ContestantOut]:
    draft = review.draft
    return [_contestant(review, row, ranked) for row, ranked in zip(draft.rows, draft.ranked, strict=True)]


def _contestant(review: Review, row: Row, ranked: Ranked) -> ContestantOut:
    entry = ranked.entry
    return ContestantOut(
        place=row.place,
        direction=row.field or None,
        label=row.team_name or row.label,
        percentage=entry.percentage,
        score=entry.score,
        people=[
            _person(review, seat.player_id, person)
            for seat, person in zip(row.seats, entry.people, strict=True)
        ],
    )


def _person(review: Review, player_id: int | None, person: Person) -> PersonOut:
    if player_id is None:
        return PersonOut(number=person.number, name=person.name, points=None)
    player = review.players[player_id]
    points = review.points_by_player.get(player_id)
    return PersonOut(
        number=player.number,
        name=name_for(READER, player),
        points=points_or_none(points),
    )
