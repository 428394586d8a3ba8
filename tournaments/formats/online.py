"""Recognise files and names of tournaments that were played online."""

import re
from collections.abc import Iterable
from dataclasses import replace

from . import values
from .issues import IssueList
from .types import EventInfo

# Programs and sites for playing online, as `values.fold` leaves their names. "Real Bridge" is a club.
_SITES = re.compile(
    r"\b(?:bbo[0-9]*|bbotoxml|bridgebase|bridge base online|bridge ?club ?live|funbridge|intobridge|okbridge|"
    r"realbridge|stepbridge|swan ?games)\b"
)
# "En línea N-S" is a line of play.
_WORDS = re.compile(
    r"\b(?:online|on line|por internet|virtual|en linea(?! (?:n|s|e|o|w|norte|sur|este|oeste)))\b"
)


def names_site(text: str) -> bool:
    """Return whether a text names a program or site on which bridge is played online."""
    return bool(_SITES.search(values.fold(text)))


def names_online(title: str) -> bool:
    """Return whether the name of a tournament says that it was played online."""
    return names_site(title) or bool(_WORDS.search(values.fold(title)))


def with_venue(event: EventInfo, marks: Iterable[tuple[int | None, str]], issues: IssueList) -> EventInfo:
    """Return the event with the venue, and add a note, if the file says that it was played online.

    The event's name, program and club say so, or other texts of the file.

    marks: (line or None, text) of these texts
    """
    title = event.title or ""
    stated = [(None, event.program or ""), (None, event.club_name or ""), *marks]
    signs = [mark for mark in stated if names_site(mark[1])]
    if names_online(title):
        signs.insert(0, (None, title))
    if not signs:
        return event
    line, text = signs[0]
    issues.add("played_online", line=line, value=text)
    return replace(event, venue="online")
