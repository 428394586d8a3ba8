"""Registry of sanity checks: what must never be in the database, and where each finding can be mended.

A room declares its checks in a module `sanity.py` and registers them in `AppConfig.ready`. `scoring.sanity`
runs them each night and shows what they report. docs/sanity.md lists them all.

A finding is stored as a key, made of ids, never as a text with a name: its words are written when somebody
reads them, so that a person who was erased or hidden since is not named.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol

from django.db.models import Model, QuerySet
from django.utils.functional import Promise

ROWS = 2_000  # rows that one query fetches at a time


class Severity(IntEnum):
    """How bad a finding is, the worst first."""

    ERROR = 1  # points, rights or privacy are wrong, or the database is damaged
    WARNING = 2  # somebody should look and probably mend something
    NOTE = 3  # may well be as it should


@dataclass(frozen=True, slots=True)
class Description:
    """A finding in words, and the address of the page on which it can be mended; "" if there is none."""

    text: str
    url: str = ""


class Finder(Protocol):
    """What searches the database for the findings of a check."""

    def keys(self) -> Iterator[str]:
        """Yield the key of each finding, at most 60 characters, in a fixed order, reading as a stream."""

    def describe(self, keys: Sequence[str]) -> dict[str, Description]:
        """Return {key: description} in the reader's language, of what is still there. A few queries."""


@dataclass(frozen=True, slots=True)
class Check:
    """A sanity check.

    code: stable; names it in the command, in what is stored, and in docs/sanity.md
    title: what is wrong, in the plural: "Licences that overlap"
    why: why it matters, and how to mend it
    """

    code: str
    severity: Severity
    title: str | Promise
    why: str | Promise
    finder: Finder


class RowsOf:
    """Finder whose findings are rows of one model, by primary key.

    query: function that returns the wrong rows
    text, url: functions of a row
    related: the relations that `text` and `url` read
    """

    def __init__(
        self,
        query: Callable[[], QuerySet],
        text: Callable[[Any], str],
        url: Callable[[Any], str],
        related: Sequence[str] = (),
    ) -> None:
        self.query, self.text, self.url, self.related = query, text, url, related

    def keys(self) -> Iterator[str]:
        """Yield the primary keys of the rows."""
        ids = self.query().order_by("pk").values_list("pk", flat=True)
        yield from map(str, ids.iterator(chunk_size=ROWS))

    def describe(self, keys: Sequence[str]) -> dict[str, Description]:
        """Return {key: description} of the rows that there are."""
        rows = in_bulk(self.query().model, keys, self.related)
        return {key: Description(self.text(row), self.url(row)) for key, row in rows.items()}


class GroupsOf:
    """Finder whose findings are several rows of one model that do not go together.

    groups: function that yields the primary keys of the rows of each finding
    text, url: functions of the list of rows
    """

    def __init__(
        self,
        model: type[Model],
        groups: Callable[[], Iterable[Sequence[int]]],
        text: Callable[[list[Any]], str],
        url: Callable[[list[Any]], str],
        related: Sequence[str] = (),
    ) -> None:
        self.model, self.groups, self.text, self.url, self.related = model, groups, text, url, related

    def keys(self) -> Iterator[str]:
        """Yield the primary keys of each finding, with hyphens between them."""
        for group in self.groups():
            yield "-".join(map(str, group))

    def describe(self, keys: Sequence[str]) -> dict[str, Description]:
        """Return {key: description} of the groups that are complete."""
        groups = {key: key.split("-") for key in keys}
        rows = in_bulk(self.model, [pk for group in groups.values() for pk in group], self.related)
        whole = {key: [rows.get(pk) for pk in group] for key, group in groups.items()}
        return {
            key: Description(self.text(group), self.url(group))
            for key, group in whole.items()
            if None not in group
        }


class TextsOf:
    """Finder whose findings are not rows, such as a trigger that is missing: the key is the text."""

    def __init__(self, texts: Callable[[], Iterable[str]]) -> None:
        self.texts = texts

    def keys(self) -> Iterator[str]:
        """Yield the texts."""
        for text in self.texts():
            yield text[:60]

    def describe(self, keys: Sequence[str]) -> dict[str, Description]:
        """Return {key: description}; no page mends it."""
        return {key: Description(key) for key in keys}


def in_bulk(model: type[Model], keys: Iterable[str], related: Sequence[str]) -> dict[str, Any]:
    """Return {key: row} of the rows with these primary keys. One query."""
    rows = model._default_manager.select_related(*related) if related else model._default_manager
    return {str(pk): row for pk, row in rows.in_bulk(list(set(keys))).items()}


_CHECKS: dict[str, Check] = {}


def register(*added: Check) -> None:
    """Register checks. Safe to repeat. Raise ValueError if another check has the code."""
    for check in added:
        if _CHECKS.setdefault(check.code, check) is not check:
            raise ValueError(f"there already is a sanity check {check.code!r}")


def checks() -> list[Check]:
    """Return all checks, the most severe first, then by code."""
    return sorted(_CHECKS.values(), key=lambda check: (check.severity, check.code))
