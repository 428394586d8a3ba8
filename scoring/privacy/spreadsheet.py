"""Write a section of the copy of one's data as a CSV file for people: in words, with points and days.

The JSON file of the copy has the same rows for programs: names of fields, and codes as they are stored.
"""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Field, Model
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players import proposals
from players.models import Player
from scoring.cases.wording import ACTS
from scoring.letters.models import Letter
from scoring.letters.registry import KINDS
from scoring.privacy.sections import Section
from scoring.promotions.wording import problem_words
from scoring.ratings.models import RatedPlayer
from tournaments.models import Tournament
from ui.exports import csv_lines

# Headings of the columns whose field has no name of its own: {column: heading}.
HEADINGS: dict[str, Promise] = {
    "act": _("What"),
    "after": _("After"),
    "answer__at": _("Answered on"),
    "at": _("When"),
    "before": _("Before"),
    "by__username": _("Account"),
    "case": _("Case"),
    "category__code": _("Category"),
    "changed_at": _("When"),
    "closed_at": _("Closed"),
    "club__name": _("Club"),
    "contestant__boards_played": _("Boards played"),
    "contestant__field": _("Line"),
    "contestant__percentage": _("Percentage"),
    "contestant__place": _("Place"),
    "contestant__score": _("Score"),
    "created_at": _("Entered on"),
    "data": _("What it was about"),
    "day": _("Day of play"),
    "delivery": _("By e-mail"),
    "detail": _("What it was about"),
    "details": _("What you typed"),
    "email": _("E-mail address"),
    "entrant__tournament__name": _("Tournament"),
    "family": _("Kind of points"),
    "file_name": _("File"),
    "finished_at": _("Finished on"),
    "half_points": _("Points of the first player"),
    "ip": _("IP address"),
    "kind": _("Kind"),
    "language": _("Language"),
    "last_seen_at": _("Last seen"),
    "last_used_at": _("Last used"),
    "made_at": _("When"),
    "party": _("Who"),
    "pk": _("Number"),
    "opened_at": _("Opened"),
    "posted_at": _("Entered on"),
    "problem": _("If it was not changed, why"),
    "reason": _("Reason"),
    "refused": _("Address that takes no e-mail"),
    "revision__number": _("Version"),
    "revision__tournament__name": _("Tournament"),
    "revoked_at": _("Revoked on"),
    "revoked_reason": _("Reason for revoking"),
    "seen_at": _("Read on"),
    "state": _("State"),
    "text": _("Text"),
    "title": _("Title"),
    "tournament__name": _("Tournament"),
    "type": _("Kind"),
    "undone": _("Undone"),
    "user_agent": _("Browser"),
}
NAMING = ("name", "number", "code", "username")  # fields that stand for the row to which a column refers
POINTS = ("points", "points_in_person", "points_online")  # stored in hundredths
# The models whose fields are the keys of a column with what was changed: {section: model}.
CHANGED = {"register_changes": Player, "go_changes": RatedPlayer}


def csv_of(section: Section, rows: list[dict[str, Any]]) -> bytes:
    """Return the CSV file of a section in the active language."""
    heads = [heading(section.model, path) for path in section.fields]
    writers = [(path, _writer(section, path)) for path in section.fields]
    cells = ([write(row[path]) for path, write in writers] for row in rows)
    return b"".join(csv_lines(heads, cells, get_language() or ""))


def heading(model: type[Model], path: str) -> str:
    """Return the heading of a column in the active language: the name of its field, or one of `HEADINGS`."""
    *relations, last = fields_on(model, path)
    field = relations[-1] if relations and last.name in NAMING else last
    name = getattr(field, "verbose_name", "")
    return capfirst(str(name if isinstance(name, Promise) else HEADINGS[path]))


def fields_on(model: type[Model], path: str) -> list[Any]:
    """Return the fields that a path of `QuerySet.values` goes through."""
    fields: list[Any] = []
    for name in path.split("__"):
        owner = fields[-1].related_model if fields else model
        fields.append(owner._meta.pk if name == "pk" else owner._meta.get_field(name))
    return fields


def _codes(section: Section, path: str, field: Field) -> dict[Any, Any] | None:
    """Return {code: words} for a column of codes; None for other columns."""
    if path == "kind" and section.name in ("notices", "notice_choices", "letters"):
        return {code: kind.label for code, kind in KINDS.items()} | {Letter.WEEKLY: _("weekly")}
    if path == "kind" and section.name == "proposals":
        return proposals.labels()
    if path == "family":
        return dict(Tournament.Family.choices)
    if path == "act":
        return dict(ACTS)
    return dict(field.flatchoices) if field.choices else None


def _writer(section: Section, path: str) -> Callable[[Any], Any]:
    """Return the function that turns the values of a column into cells."""
    field = fields_on(section.model, path)[-1]
    if codes := _codes(section, path, field):
        return lambda code: str(codes.get(code, "" if code is None else code))
    if path in POINTS:
        return lambda points: None if points is None else Decimal(points).scaleb(-2)
    if path == "half_points":
        return lambda halves: None if halves is None else Decimal(halves) / 2
    if path == "problem":
        return lambda code: problem_words(code) if code else ""
    owner = CHANGED.get(section.name)
    return lambda value: _cell(value, owner)


def _cell(value: Any, owner: type[Model] | None) -> Any:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(sep=" ", timespec="seconds")[:19]  # without the offset
    if isinstance(value, dict):
        return "; ".join(f"{_key(key, owner)}: {_cell(item, None)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(str(_cell(item, None)) for item in value)
    return value


def _key(key: str, owner: type[Model] | None) -> str:
    """Return the name of a changed field in words; a key of other data as it is stored."""
    fields = {field.name: field for field in owner._meta.fields} if owner else {}
    return str(fields[key].verbose_name) if key in fields else key
