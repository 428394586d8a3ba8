"""Read tournaments saved by Gerlach's MacMahon (version 3).

No real file has been available. The reader follows the two shapes that public readers of such files know:
the root is `Tournament`, with participants and rounds as its children, or `TournamentData`, with the same
elements in lists. In both, a player is an element with an `Id` and a `GoPlayer`, and a game is a `Pairing`
below an element with a `RoundNumber`. The files state no days.
"""

import re
from collections.abc import Iterator

from tournaments.formats.declaration import Evidence, GoFormat, RawFile
from tournaments.formats.definitions import gettext_noop, warning
from tournaments.formats.go_checks import (
    StatedGame,
    check_games,
    check_players,
    check_rengo,
    pin_or_blank,
    rating_or_blank,
    read_game,
    read_grade,
)
from tournaments.formats.go_types import BOTH, FORFEIT, NEITHER, UNFINISHED, GoGame, GoPlayer, GoResult
from tournaments.formats.issues import IssueList
from tournaments.formats.xml_tree import Node, XmlRefused, parse_xml

CODE = "macmahon"
# By the text of a result, which states Black's score first: White's score, and the reason why the game is not
# rated ("" if it is).
_RESULTS = {
    "1-0": ("0", ""),
    "0-1": ("1", ""),
    "½-½": ("0.5", ""),
    "1/2-1/2": ("0.5", ""),
    "0.5-0.5": ("0.5", ""),
    "1-1": ("", BOTH),
    "0-0": ("", NEITHER),
    "?-?": ("", UNFINISHED),
    "": ("", UNFINISHED),
}
_ROOT_VERSION = re.compile(r"<Tournament\b[^<>]*\stypeversion\b")


def parse_macmahon(file_name: str, data: bytes) -> GoResult:
    """Read a Go tournament. Problems become issues of the result; no exception is raised."""
    try:
        root, encoding, encoding_issues = parse_xml(data)
    except XmlRefused as refusal:
        return GoResult(CODE, file_name, issues=IssueList(refusal.issues).done())
    issues = IssueList(encoding_issues)
    tournament = root if root.tag == "TOURNAMENT" else root.first("TOURNAMENT") or root
    entrants = [node for node in _below(root) if node.first("GOPLAYER")]
    rounds = [
        (node.value("ROUNDNUMBER"), pairing) for node in _below(root) for pairing in node.all("PAIRING")
    ]
    games = [item for item in rounds if item[1].value("PAIRINGWITHBYE").lower() != "true"]
    played = {pairing.value(side) for _round, pairing in games for side in ("WHITE", "BLACK")}
    # Leave out people who only registered and did not play.
    present = [
        node
        for node in entrants
        if node.value("PRELIMINARYREGISTRATION").lower() != "true" or node.value("ID") in played
    ]
    players = tuple(_player(node, issues) for node in present)
    check_players(players, issues)
    name = tournament.value("NAME")[:150]
    check_rengo([name], players, issues)
    positions = _positions(present, players, issues)
    result = tuple(game for item in games if (game := _game(*item, positions, issues)))
    check_games(result, players, issues)
    stated = tournament.value("NUMBEROFROUNDS")
    last = max((game.round for game in result), default=0)
    if stated.isdecimal() and last < int(stated[:5]) and not issues.has_errors:
        issues.add("go_rounds_missing", value=stated, round=last)
    return GoResult(CODE, file_name, encoding, name, players=players, games=result, issues=issues.done())


def _below(node: Node) -> Iterator[Node]:
    """Yield the element and all elements inside it, in the order of the file."""
    yield node
    for child in node.children:
        yield from _below(child)


def _player(node: Node, issues: IssueList) -> GoPlayer:
    person = node.first("GOPLAYER") or node
    name = f"{person.value('SURNAME')} {person.value('FIRSTNAME')}".strip()[:120]
    pin = pin_or_blank(person.value("EGDPIN"))
    return GoPlayer(
        node.line,
        name,
        read_grade(person.value("GOLEVEL"), name, node.line, issues),
        pin,
        person.value("COUNTRY").upper()[:2],
        # The file does not say whose rating it is. With a PIN, both come from the European list.
        rating_or_blank(person.value("RATING")) if pin else "",
        person.value("FIRSTNAME").strip()[:120],
    )


def _positions(present: list[Node], players: tuple[GoPlayer, ...], issues: IssueList) -> dict[str, int]:
    """Return {id in the file: position in the list of players}. Add an issue for each id listed twice."""
    positions: dict[str, int] = {}
    for position, node in enumerate(present, start=1):
        identifier = node.value("ID")
        first = positions.setdefault(identifier, position)
        if first != position:
            params = {"value": identifier, "first": players[first - 1].line}
            issues.add("go_listed_twice", line=node.line, field="player", **params)
    return positions


def _game(number: str, node: Node, positions: dict[str, int], issues: IssueList) -> GoGame | None:
    """Return the game of a pairing. If it is impossible, add an issue and return None."""
    text = node.value("RESULT").replace(" ", "")
    outcome = _RESULTS.get(text.removesuffix("!"))
    by_referee = text.endswith("!") or node.value("RESULTBYREFEREE").lower() == "true"
    if outcome and not outcome[1] and by_referee:
        outcome = (outcome[0], FORFEIT)
    sides = (node.value("WHITE"), node.value("BLACK"))
    stated = StatedGame(node.line, number, sides, node.value("HANDICAP") or "0", text, outcome)
    return read_game(stated, positions.get, issues)


def is_macmahon(file: RawFile) -> bool:
    """Return whether the file is one of MacMahon. OpenGotha's files may have the same root element."""
    is_named_so = bool(_ROOT_VERSION.search(file.head)) or b"<IndividualParticipant" in file.data
    return file.root == "TournamentData" or (file.root == "Tournament" and is_named_so)


def _sniff(file: RawFile) -> Evidence:
    return Evidence.SIGNATURE if is_macmahon(file) else Evidence.NONE


FORMATS = (
    GoFormat(
        code=CODE,
        name="MacMahon XML",
        extensions=(".xml",),
        sniff=_sniff,
        read=parse_macmahon,
        reads=gettext_noop(
            "Tournaments of Gerlach's MacMahon 3, by the published shape of its files. None of a real "
            "tournament has been tried yet: look at every game."
        ),
        issues={
            "go_rounds_missing": warning(
                gettext_noop("Rounds announced by the file: %(value)s. Round of its last game: %(round)s."),
                gettext_noop("If it was saved before the end, save it again and upload that file."),
            ),
        },
    ),
)
