"""Sections of a person's sheet that other rooms below the office fill, such as the person's cases."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from players.models import Player


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a person's sheet: a heading, and lines that lead to other pages.

    lines: (text, URL) of each line
    empty: the text if there are no lines
    more: (text, URL) of a link to the whole list; None without one
    """

    heading: str
    lines: Sequence[tuple[str, str]]
    empty: str
    more: tuple[str, str] | None = None


Source = Callable[[Player, Any], Section | None]
_SOURCES: list[Source] = []


def register(source: Source) -> None:
    """Register a function of (player, account that reads) that returns a section, or None to show nothing.

    The office's `AppConfig.ready` registers the functions. The number of queries of a function must not grow
    with the number of lines.
    """
    if source not in _SOURCES:
        _SOURCES.append(source)


def sections_of(player: Player, viewer) -> Iterator[Section]:
    """Yield the sections of a person's sheet, in the order of registration."""
    for source in _SOURCES:
        section = source(player, viewer)
        if section:
            yield section
