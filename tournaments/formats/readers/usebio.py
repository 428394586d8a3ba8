"""Read USEBIO XML, the exchange format of the British, Irish and Australasian scoring programs.

The declared version is ignored, because programs mix the forms of 1.0 to 1.3. The ranking may be in the
element EVENT, SESSION or SECTION. A team's place and score are in TEAM.
"""

import re
from collections.abc import Iterator
from typing import Literal, cast

from tournaments.formats import checks, online, values
from tournaments.formats.declaration import Evidence, RawFile, ResultsFormat
from tournaments.formats.definitions import gettext_noop
from tournaments.formats.issues import IssueList
from tournaments.formats.types import Direction, Entry, EventInfo, Kind, ParsedResult, Person
from tournaments.formats.usebio_boards import board_counts, read_boards, read_deals, with_partners
from tournaments.formats.xml_tree import Node, XmlRefused, parse_xml

CODE = "usebio"

# Contact data, notes and play records are personal, and not needed.
_DROPPED = frozenset({"CONTACT", "LIN_DATA", "NOTES"})

_PAIRS = {"PAIRS", "MP_PAIRS", "BUTLER_PAIRS", "CROSS_IMP", "CROSS_IMPS", "CROSS_IMP_PAIRS", "AGGREGATE"}
_TEAMS = {"TEAMS", "MULTIPLE_TEAMS"}
_INDIVIDUAL = {"INDIVIDUAL", "MP_INDIVIDUAL"}
_WINNER_TYPES: dict[str, Literal[1, 2]] = {"1": 1, "2": 2}
_SCORING_OF_TYPE = {
    "MP_PAIRS": "match_points",
    "MP_INDIVIDUAL": "match_points",
    "BUTLER_PAIRS": "butler_imps",
    "CROSS_IMP": "cross_imps",
    "CROSS_IMPS": "cross_imps",
    "CROSS_IMP_PAIRS": "cross_imps",
    "AGGREGATE": "aggregate",
}
_SIDE_OF_NUMBER = re.compile(r".*\d\s*(NS|EW)", re.IGNORECASE)


def parse_usebio(
    file_name: str,
    data: bytes,
) -> ParsedResult:
    """Read a USEBIO file. Problems become issues with their line; no exception is raised."""
    try:
        root, encoding, encoding_issues = parse_xml(data, _DROPPED)
    except XmlRefused as refusal:
        return ParsedResult(CODE, file_name, issues=IssueList(refusal.issues).done())
    issues = IssueList(encoding_issues)
    event = _only_event(root, RawFile(file_name, data).root, issues)
    if event is None:
        return ParsedResult(CODE, file_name, encoding, issues=issues.done())
    kind = _kind(event, issues)
    if kind is None:
        return ParsedResult(CODE, file_name, encoding, issues=issues.done())
    entries = _entries(event, kind, issues)
    checks.check_entries(entries, kind, issues)
    boards = read_boards(event, issues)
    if kind == "individual":
        boards = with_partners(boards, entries)
    info = online.with_venue(_event_info(root, event, kind, issues), [(None, file_name)], issues)
    info = board_counts(info, entries, boards, values.count(event.value("BOARDS_PLAYED")), issues)
    deals = read_deals(root, event, issues) if boards else ()
    return ParsedResult(CODE, file_name, encoding, info, entries, boards, deals, issues.done())


def _only_event(root: Node, root_name: str, issues: IssueList) -> Node | None:
    """Return the event of the file, or None if it has none or several, or is of another kind.

    root_name: the name of the root element in its own case
    """
    if root.tag != "USEBIO":
        issues.add("unknown_xml", line=root.line, value=root_name)
        return None
    events = list(root.all("EVENT"))
    if not events:
        issues.add("no_event", line=root.line)
    elif len(events) > 1:
        issues.add("several_events", line=events[1].line, count=len(events))
    return events[0] if len(events) == 1 else None


def _event_type(event: Node) -> str:
    return event.attributes.get("EVENT_TYPE", "").strip().upper()


def _kind(event: Node, issues: IssueList) -> Kind | None:
    event_type = _event_type(event)
    if event_type in _PAIRS or event_type.startswith("SWISS_PAIRS"):
        return "pairs"
    if event_type in _TEAMS or event_type.startswith("SWISS_TEAMS"):
        return "teams"
    if event_type in _INDIVIDUAL:
        return "individual"
    issues.add("unknown_event_type", line=event.line, field="EVENT_TYPE", value=event_type)
    return None


def _event_info(root: Node, event: Node, kind: Kind, issues: IssueList) -> EventInfo:
    club = root.first("CLUB")
    winners = event.value("WINNER_TYPE")
    program = " ".join(filter(None, (event.value("PROGRAM_NAME"), event.value("PROGRAM_VERSION"))))
    return EventInfo(
        title=event.value("EVENT_DESCRIPTION", "TITLE") or None,
        date=_date(event, issues),
        club_name=(club.value("CLUB_NAME") if club else "") or None,
        club_number=(club.value("CLUB_ID_NUMBER") if club else "") or None,
        source_id=event.value("EVENT_ID", "EVENT_IDENTIFIER") or None,
        program=program or None,
        kind=kind,
        scoring=_scoring(event),
        unit="vp" if event.value("MATCH_SCORING_METHOD").upper() in ("VP", "VPS") else None,
        winner_type=_WINNER_TYPES.get(winners),
        session_count=values.count(event.value("SESSION_COUNT")),
    )


def _date(event: Node, issues: IssueList) -> str | None:
    """Return the date as ISO text, or None if it is missing or unreadable.

    Add an error if it is unreadable.
    """
    node = event.first("DATE")
    if node is None or not node.text:
        return None
    day = values.date_text(node.text)
    if day is None:
        issues.add("bad_date", line=node.line, field="DATE", value=node.text)
    return day


def _scoring(event: Node) -> str | None:
    stated = event.value("BOARD_SCORING_METHOD")
    if not stated:
        stated = _SCORING_OF_TYPE.get(_event_type(event), "") or event.value("SCORING_METHOD")
    return stated.lower() or None


def _lists(event: Node, issues: IssueList) -> Iterator[tuple[str | None, Node]]:
    """Yield (section, PARTICIPANTS element) for every part of the ranking. The section may be None.

    If there is a ranking of the whole event, rankings of its sessions are ignored. Several sessions without a
    ranking of the whole event are an error.
    """
    overall = list(event.all("PARTICIPANTS"))
    if overall:
        yield from ((None, node) for node in overall)
        return
    sessions = [lists for session in event.all("SESSION") if (lists := list(_session_lists(session)))]
    if len(sessions) > 1:
        issues.add("several_sessions", line=sessions[1][0][1].line, count=len(sessions))
        return
    for lists in sessions or [list(_session_lists(event))]:
        yield from lists


def _session_lists(session: Node) -> Iterator[tuple[str | None, Node]]:
    for node in session.all("PARTICIPANTS"):
        yield None, node
    for section in session.all("SECTION"):
        for node in section.all("PARTICIPANTS"):
            yield section.attributes.get("SECTION_ID") or None, node


def _entries(event: Node, kind: Kind, issues: IssueList) -> tuple[Entry, ...]:
    tag = {"pairs": "PAIR", "teams": "TEAM", "individual": "PLAYER"}[kind]
    return tuple(
        _entry(node, section, kind, issues)
        for section, participants in _lists(event, issues)
        for node in participants.all(tag)
    )


def _entry(node: Node, section: str | None, kind: Kind, issues: IssueList) -> Entry:
    number = node.value({"pairs": "PAIR_NUMBER", "teams": "TEAM_ID", "individual": "PLAYER_NUMBER"}[kind])
    return Entry(
        line=node.line,
        number=node.attributes.get("TEAM_ID") or number or None,
        place=node.value("PLACE") or None,
        score=_number(node, "TOTAL_SCORE", issues),
        percentage=_number(node, "PERCENTAGE", issues),
        direction=_direction(node, number),
        section=section,
        team=node.attributes.get("TEAM_NAME", "").strip() or node.value("TEAM_NAME") or None,
        people=_people(node, kind, issues),
        boards=values.count(node.value("BOARDS_PLAYED")),
    )


def _number(node: Node, tag: str, issues: IssueList) -> str | None:
    child = node.first(tag)
    if child is None:
        return None
    number = values.decimal_text(child.text)
    if number is None:
        issues.add("bad_number", line=child.line, field=tag, value=child.text)
    return number or None


def _direction(node: Node, number: str) -> Direction | None:
    """Return NS or EW, from the element DIRECTION or from a contestant's number such as 7NS, else None."""
    direction = values.direction_text(node.value("DIRECTION"))
    if not direction and (match := _SIDE_OF_NUMBER.fullmatch(number)):
        direction = match.group(1).upper()
    return cast("Direction | None", direction or None)


def _people(node: Node, kind: Kind, issues: IssueList) -> tuple[Person, ...]:
    if kind == "individual":
        return (_person(node, issues),)
    players = list(node.all("PLAYER"))
    for pair in node.all("PAIR"):
        players.extend(pair.all("PLAYER"))
    return tuple(_person(player, issues) for player in players)


def _person(node: Node, issues: IssueList) -> Person:
    number = node.value("NATIONAL_ID_NUMBER")
    return checks.person(number, node.value("PLAYER_NAME"), node.line, "NATIONAL_ID_NUMBER", issues)


def _sniff(file: RawFile) -> Evidence:
    """Return how strongly the file indicates USEBIO.

    Every XML file gives the same evidence (`Evidence.CONTAINER`), because this reader also receives XML that
    is not USEBIO. It refuses such a file with an issue that names the outermost element.
    """
    if file.is_xml:
        return Evidence.CONTAINER
    return Evidence.EXTENSION if file.extension == ".xml" else Evidence.NONE


FORMATS = (
    ResultsFormat(
        code=CODE,
        name="USEBIO XML",
        content="XML",
        extensions=(".xml", ".usebio"),
        sniff=_sniff,
        read=parse_usebio,
        reads=gettext_noop(
            "Versions 1.0 to 1.3 of pairs, teams and individual events, with the ranking under the event, a "
            "session or its sections."
        ),
    ),
)
