"""Determine the tournament's data of an upload: the form's values, else those of the file."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any

from django.utils import timezone

from players.models import Club
from tournaments.drafts import Header
from tournaments.formats.issues import IssueList
from tournaments.formats.online import names_online
from tournaments.formats.types import EventInfo, Issue
from tournaments.models import ResultUpload, Tournament
from ui.text import one_line, words_of

from .issues import issue

BOARDS = range(1, 1000)
# The only type that is proposed or taken from another tournament: a championship has to be chosen every time.
POOL = "pool"
# A name with a word of the first set names a pool, unless it has a word of the second one.
POOL_WORDS = frozenset({"pool", "pools"})
OTHER_TYPE_WORDS = frozenset(
    {
        "campeonato", "championship", "liga", "league", "nacional", "national", "pruebas", "regional",
        "seleccion", "selection", "trials", "zonal",
    }
)  # fmt: skip
# The issue of each value that neither the form nor the file gives. Dates and boards have checks of their own.
REQUIRED = {
    "name": "missing_name",
    "event_type": "missing_event_type",
    "venue": "missing_venue",
    "format": "missing_format",
}
NAME_LENGTH = Tournament._meta.get_field("name").max_length
SOURCE_LENGTH = Tournament._meta.get_field("source_id").max_length


@dataclass(frozen=True, slots=True)
class Known:
    """The tournament's data that the form or the file of an upload states. Unknown values are None or ""."""

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
    """Convert values of a form to JSON for `ResultUpload.details`.

    Dates become ISO text; blanks are left out.
    """
    return {
        key: value.isoformat() if isinstance(value, date) else value
        for key, value in values.items()
        if value not in (None, "", {})
    }


def stated_details(upload: ResultUpload, event: EventInfo) -> dict[str, Any]:
    """Return the data that the form or the file states, as in `ResultUpload.details`, without defaults."""
    of_file = {
        "name": event.title,
        "format": event.kind,
        "end_date": event.date,
        "start_date": _first_day(upload.details, event),
        "boards": event.boards,
        "boards_scheduled": _scheduled(upload.details, event),
    }
    return of_file | upload.details


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def last_day(details: Mapping[str, Any], event: EventInfo) -> date | None:
    """Return the tournament's last day, from the form's values or else from the file; None if unknown."""
    return _day(details.get("end_date") or event.date)


def _first_day(details: Mapping[str, Any], event: EventInfo) -> str | None:
    """Return the first day as the file states it, unless the form has another last day."""
    return event.start_date if details.get("end_date") in (None, "", event.date) else None


def known_of(upload: ResultUpload, event: EventInfo) -> Known:
    """Return the tournament's data from the form and the file; the form takes precedence.

    If only one of `boards` and `boards_scheduled` is known, use it for both.
    """
    details, corrected = upload.details, upload.corrects
    end = last_day(details, event)
    boards = details.get("boards") or event.boards
    scheduled = _scheduled(details, event)
    return Known(
        name=one_line(details.get("name") or event.title or "")[:NAME_LENGTH],
        event_type=details.get("event_type", ""),
        format=details.get("format") or event.kind or "",
        venue=details.get("venue", ""),
        start_date=_day(details.get("start_date") or _first_day(details, event)) or end,
        end_date=end,
        boards=boards or scheduled,
        boards_scheduled=scheduled or boards,
        ranking=details.get("ranking") or Tournament.Ranking.ONE.value,
        # Only the office sets an override: a correction always takes the tournament's current one.
        regulation_override=corrected.regulation_override if corrected else "",
        override_reason=corrected.override_reason if corrected else "",
        source_id=(event.source_id or "")[:SOURCE_LENGTH],
        family=details.get("family") or Tournament.Family.AEB.value,
        params=details.get("params", {}),
    )


def _scheduled(details: Mapping[str, Any], event: EventInfo) -> int | None:
    """Return the number of boards scheduled: the one typed on the form or else the one in the file.

    Some files state the same number for the boards scheduled and for the winner's boards. If the director
    has corrected the winner's boards of such a file, return None. The corrected number is then used for the
    boards scheduled too.
    """
    if typed := details.get("boards_scheduled"):
        return typed
    corrected = details.get("boards") not in (None, event.boards)
    return None if corrected and event.boards == event.boards_scheduled else event.boards_scheduled


def is_proposed(details: Mapping[str, Any]) -> bool:
    """Return whether name and type of an upload are those that were proposed, changed by nobody.

    details: `ResultUpload.details`
    """
    name = details.get("proposed")
    return bool(name) and (details.get("name"), details.get("event_type")) == (name, POOL)


def names_pool(name: str) -> bool:
    """Return whether the words of a tournament's name say that it is a pool, and of no other type."""
    words = set(words_of(name))
    return bool(words & POOL_WORDS) and not words & OTHER_TYPE_WORDS


def is_type_of_name(details: Mapping[str, Any]) -> bool:
    """Return whether the type of an upload was taken from its name, and nobody chose another one.

    details: `ResultUpload.details`
    """
    return "type_of_name" in details and details.get("event_type") == POOL


def header_of(upload: ResultUpload, known: Known) -> Header | None:
    """Return the tournament's complete data, or None while any are missing or impossible."""
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
    values = {item.name: getattr(known, item.name) for item in fields(known)}
    return Header(club_id=upload.club_id, **values)


def check(
    upload: ResultUpload, event: EventInfo, known: Known, issues: IssueList, awaited: Collection[str] = ()
) -> None:
    """Add issues about data of the tournament that are missing, impossible or contradictory.

    awaited: the data that may be missing, because the answer to another issue will fill them in
    """
    for name, code in REQUIRED.items():
        if not getattr(known, name) and name not in awaited:
            issues.add(code, field=name)
    if is_proposed(upload.details):
        issues.add("pool_proposed", field="name", value=known.name)
    if is_type_of_name(upload.details) and upload.details["type_of_name"] == known.name:
        issues.add("type_of_name", field="event_type", value=known.name)
    if known.format and event.kind and known.format != event.kind:
        issues.add("format_differs", field="format", value=event.kind, chosen=known.format)
    if contradicts_venue(event, known.venue) or _contradicts_name(upload, known):
        issues.add("venue_differs", field="venue")
    issues.extend(_check_dates(event, known) + _check_boards(upload, event, known))


def contradicts_venue(event: EventInfo, venue: str) -> bool:
    """Return whether a file states that it was played online, and `venue` is in person.

    A file does not state whether cameras watched the players, so it contradicts no other venue.
    """
    return bool(event.venue) and venue == Tournament.Venue.IN_PERSON


def venue_by(event: EventInfo, venue: str) -> str:
    """Return a venue, or that of the file if this contradicts it."""
    return event.venue if contradicts_venue(event, venue) else venue


def _contradicts_name(upload: ResultUpload, known: Known) -> bool:
    """Return whether the name says that it was played online, and the venue is in person.

    A correction that keeps the venue of its tournament is not asked again.
    """
    is_kept = upload.corrects is not None and upload.corrects.venue == known.venue
    return not is_kept and known.venue == Tournament.Venue.IN_PERSON and names_online(known.name)


def _check_dates(event: EventInfo, known: Known) -> list[Issue]:
    if known.end_date is None:
        return [issue("missing_date", field="end_date")]
    issues = []
    if known.end_date > timezone.localdate():
        issues.append(issue("date_in_future", field="end_date", value=known.end_date.isoformat()))
    if known.start_date > known.end_date:
        last = known.end_date.isoformat()
        issues.append(
            issue("dates_reversed", field="start_date", value=known.start_date.isoformat(), last=last)
        )
    in_file = _day(event.date)
    # A file may date an event of several days by any of them.
    if in_file and not min(known.start_date, known.end_date) <= in_file <= known.end_date:
        chosen = known.end_date.isoformat()
        issues.append(issue("date_differs", field="end_date", value=in_file.isoformat(), chosen=chosen))
    return issues


def _check_boards(upload: ResultUpload, event: EventInfo, known: Known) -> list[Issue]:
    if not known.boards:
        return [issue("missing_boards", field="boards")]
    impossible = {known.boards, known.boards_scheduled} - set(BOARDS)
    if impossible:
        return [issue("bad_boards_count", field="boards", value=number) for number in impossible]
    if known.boards > known.boards_scheduled:
        scheduled = known.boards_scheduled
        return [issue("boards_over_scheduled", field="boards", value=known.boards, scheduled=scheduled)]
    if known.boards == known.boards_scheduled == upload.details.get("boards_like"):
        return [issue("boards_like_last", field="boards", value=known.boards)]
    both = (upload.details.get("boards") or event.boards) and _scheduled(upload.details, event)
    return [] if both else [issue("boards_assumed", field="boards", value=known.boards)]


# --- Another club ---------------------------------------------------------------------------------------
# Words that are common in names of clubs and so do not distinguish them.
COMMON = frozenset(
    {
        "a", "al", "asociacion", "association", "b", "bc", "bridge", "c", "cb", "ch", "circulo", "club",
        "cultural", "d", "de", "del", "deportivo", "e", "el", "en", "federacion", "i", "la", "las", "los",
        "of", "real", "s", "sociedad", "social", "the", "y",
    }
)  # fmt: skip


def other_club(written: str | None, chosen: Club) -> list[Issue]:
    """Return a warning if the file names a registered club that is not the chosen one. One query at most.

    Names are compared by their words, without common ones such as "club". The file names another club if both
    names have the same words. It also names another club if one of the two names contains all words of the
    other. This second rule does not apply if the file's name shares a word with the chosen club, or consists
    only of the other club's town.
    """
    words = _distinctive_words(written or "")
    if not words or words == _distinctive_words(chosen.name):
        return []
    related = bool(words & _distinctive_words(f"{chosen.name} {chosen.city} {chosen.code}"))
    clubs = Club.objects.exclude(pk=chosen.pk).order_by("name", "pk").values_list("name", "city")
    for name, city in clubs:
        own = _distinctive_words(name)
        included = bool(own) and (words <= own or own <= words) and not words <= _distinctive_words(city)
        if own == words or (included and not related):
            return [issue("other_club", field="club", value=written, name=name, chosen=chosen.name)]
    return []


def _distinctive_words(text: str) -> frozenset[str]:
    return frozenset(words_of(text)) - COMMON
