"""A tournament's data while its upload is under review: what the form says, else what the file says."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any

from django.utils import timezone

from tournaments.drafts import Header
from tournaments.formats.issues import IssueList
from tournaments.formats.types import EventInfo
from tournaments.models import ResultUpload, Tournament

from .issues import issue

BOARDS = range(1, 1000)
NAME_LENGTH = Tournament._meta.get_field("name").max_length
SOURCE_LENGTH = Tournament._meta.get_field("source_id").max_length


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a tournament; None or "" where neither form nor file says it."""

    name: str
    event_type: str
    format: str
    venue: str
    start_date: date | None
    end_date: date | None
    boards: int | None
    boards_scheduled: int | None
    ranking: str
    regulation_override: str
    override_reason: str
    source_id: str
    family: str = Tournament.Family.AEB.value
    params: Mapping[str, Any] = field(default_factory=dict)


def stored_details(values: dict[str, Any]) -> dict[str, Any]:
    """Values of a form as `ResultUpload.details` keeps them: JSON, dates as ISO, nothing blank."""
    return {
        key: value.isoformat() if isinstance(value, date) else value
        for key, value in values.items()
        if value not in (None, "", {})
    }


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def known_of(upload: ResultUpload, event: EventInfo) -> Known:
    """Join form and file. The form wins; one missing number of boards is taken to equal the other."""
    said, corrected = upload.details, upload.corrects
    end = _day(said.get("end_date") or event.date)
    boards = said.get("boards") or event.boards
    scheduled = _scheduled(said, event)
    return Known(
        name=(said.get("name") or event.title or "")[:NAME_LENGTH],
        event_type=said.get("event_type", ""),
        format=said.get("format") or event.kind or "",
        venue=said.get("venue", ""),
        start_date=_day(said.get("start_date")) or end,
        end_date=end,
        boards=boards or scheduled,
        boards_scheduled=scheduled or boards,
        ranking=said.get("ranking") or Tournament.Ranking.ONE.value,
        # The office's to say, not the director's: a correction keeps it, whenever it was begun.
        regulation_override=corrected.regulation_override if corrected else "",
        override_reason=corrected.override_reason if corrected else "",
        source_id=(event.source_id or "")[:SOURCE_LENGTH],
        family=said.get("family") or Tournament.Family.AEB.value,
        params=said.get("params", {}),
    )


def _scheduled(said: Mapping[str, Any], event: EventInfo) -> int | None:
    """The boards scheduled as form or file has them; None where they follow the boards of the winner.

    A file in which the winner played them all has one number, not two: who corrects it corrects both.
    """
    if typed := said.get("boards_scheduled"):
        return typed
    corrected = said.get("boards") not in (None, event.boards)
    return None if corrected and event.boards == event.boards_scheduled else event.boards_scheduled


def header_of(upload: ResultUpload, known: Known) -> Header | None:
    """The header, once nothing is missing or impossible."""
    required = (
        known.name,
        known.event_type,
        known.venue,
        known.format,
        known.end_date,
        known.boards,
        known.boards_scheduled,
    )
    if not all(required) or not {known.boards, known.boards_scheduled} <= set(BOARDS):
        return None
    values = {each.name: getattr(known, each.name) for each in fields(known)}
    return Header(club_id=upload.club_id, **values)


def check(upload: ResultUpload, event: EventInfo, known: Known, issues: IssueList) -> None:
    """Add what is missing, impossible or contradictory in the tournament's data."""
    found = []
    if not known.name:
        found.append(issue("missing_name", field="name"))
    if not known.event_type:
        found.append(issue("missing_event_type", field="event_type"))
    if not known.venue:
        found.append(issue("missing_venue", field="venue"))
    if not known.format:
        found.append(issue("missing_format", field="format"))
    elif event.kind and known.format != event.kind:
        found.append(issue("format_differs", field="format", value=event.kind, chosen=known.format))
    issues.extend(found + _check_dates(event, known) + _check_boards(upload, event, known))


def _check_dates(event: EventInfo, known: Known) -> list:
    if known.end_date is None:
        return [issue("missing_date", field="end_date")]
    found = []
    if known.end_date > timezone.localdate():
        found.append(issue("date_in_future", field="end_date", value=known.end_date.isoformat()))
    if known.start_date > known.end_date:
        last = known.end_date.isoformat()
        found.append(
            issue("dates_reversed", field="start_date", value=known.start_date.isoformat(), last=last)
        )
    in_file = _day(event.date)
    # An event of several days is dated by any of them.
    if in_file and not min(known.start_date, known.end_date) <= in_file <= known.end_date:
        chosen = known.end_date.isoformat()
        found.append(issue("date_differs", field="end_date", value=in_file.isoformat(), chosen=chosen))
    return found


def _check_boards(upload: ResultUpload, event: EventInfo, known: Known) -> list:
    if not known.boards:
        return [issue("missing_boards", field="boards")]
    impossible = [each for each in {known.boards, known.boards_scheduled} if each not in BOARDS]
    if impossible:
        return [issue("bad_boards_count", field="boards", value=each) for each in impossible]
    if known.boards > known.boards_scheduled:
        return [
            issue(
                "boards_over_scheduled",
                field="boards",
                value=known.boards,
                scheduled=known.boards_scheduled,
            )
        ]
    both = (upload.details.get("boards") or event.boards) and _scheduled(upload.details, event)
    return [] if both else [issue("boards_assumed", field="boards", value=known.boards)]
