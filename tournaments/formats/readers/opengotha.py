"""Read tournaments saved by OpenGotha."""

from collections.abc import Iterator, Mapping

from tournaments.formats.declaration import Evidence, GoFormat, RawFile
from tournaments.formats.definitions import gettext_noop
from tournaments.formats.go_checks import (
    StatedGame,
    check_board_size,
    check_games,
    check_players,
    check_rengo,
    is_grade,
    name_key,
    pin_or_blank,
    rating_or_blank,
    read_day,
    read_game,
    read_grade,
)
from tournaments.formats.go_types import BOTH, FORFEIT, NEITHER, UNFINISHED, GoGame, GoPlayer, GoResult
from tournaments.formats.issues import IssueList
from tournaments.formats.readers.macmahon import is_macmahon
from tournaments.formats.xml_tree import Node, XmlRefused, parse_xml

CODE = "opengotha"
# By OpenGotha's code of a result: White's score, and the reason why the game is not rated ("" if it is).
RESULTS = {
    "RESULT_WHITEWINS": ("1", ""),
    "RESULT_BLACKWINS": ("0", ""),
    "RESULT_EQUAL": ("0.5", ""),
    "RESULT_WHITEWINS_BYDEF": ("1", FORFEIT),
    "RESULT_BLACKWINS_BYDEF": ("0", FORFEIT),
    "RESULT_EQUAL_BYDEF": ("0.5", FORFEIT),
    "RESULT_BOTHWIN": ("", BOTH),
    "RESULT_BOTHWIN_BYDEF": ("", BOTH),
    "RESULT_BOTHLOSE": ("", NEITHER),
    "RESULT_BOTHLOSE_BYDEF": ("", NEITHER),
    "RESULT_UNKNOWN": ("", UNFINISHED),
}


def parse_opengotha(file_name: str, data: bytes) -> GoResult:
    """Read a Go tournament. Problems become issues of the result; no exception is raised."""
    try:
        root, encoding, encoding_issues = parse_xml(data)
    except XmlRefused as refusal:
        return GoResult(CODE, file_name, issues=IssueList(refusal.issues).done())
    issues = IssueList(encoding_issues)
    if root.tag != "TOURNAMENT":
        issues.add("not_go", line=root.line, found="XML")
        return GoResult(CODE, file_name, encoding, issues=issues.done())
    general = _general(root)
    check_board_size(general.get("size", ""), issues)
    nodes = [(node, _key(node)) for node in _children(root, "PLAYERS", "PLAYER")]
    played = {
        name_key(game.attributes.get(side, ""))
        for game in _children(root, "GAMES", "GAME")
        for side in ("whitePlayer", "blackPlayer")
    }
    # Leave out people who only registered and did not play.
    present = [
        (node, key)
        for node, key in nodes
        if node.attributes.get("registeringStatus") == "FIN" or key in played
    ]
    players = tuple(_player(node, issues) for node, _name_key in present)
    check_players(players, issues)
    if without_grade := sum(not is_grade(node.attributes.get("grade", "")) for node, _name_key in present):
        issues.add("go_rank_taken", count=without_grade)
    check_rengo((general.get(name, "") for name in ("name", "shortName", "location")), players, issues)
    positions = _positions(present, players, issues)
    if foreign := sum(_has_foreign_rating(node) for node, _name_key in present):
        issues.add("go_foreign_ratings", count=foreign)
    games = tuple(_games(root, positions, issues))
    check_games(games, players, issues)
    return GoResult(
        CODE,
        file_name,
        encoding,
        (general.get("name") or general.get("shortName", "")).strip()[:150],
        read_day(general.get("beginDate", ""), "beginDate", issues),
        read_day(general.get("endDate", ""), "endDate", issues),
        "",
        players,
        games,
        issues.done(),
    )


def _positions(
    present: list[tuple[Node, str]], players: tuple[GoPlayer, ...], issues: IssueList
) -> dict[str, int]:
    """Return {key of the player's name: position in the list of players}.

    Add an issue for each name that is listed twice.
    """
    positions: dict[str, int] = {}
    for position, (node, key) in enumerate(present, start=1):
        if key in positions:
            first = present[positions[key] - 1][0].line
            name = players[position - 1].name
            issues.add("go_listed_twice", line=node.line, field="player", value=name, first=first)
        positions.setdefault(key, position)
    return positions


def _general(root: Node) -> Mapping[str, str]:
    """Return the XML attributes with the tournament's general data: name, dates, board size."""
    parameters = root.first("TOURNAMENTPARAMETERSET")
    node = parameters and parameters.first("GENERALPARAMETERSET")
    return node.attributes if node else {}


def _children(root: Node, group: str, tag: str) -> list[Node]:
    return [child for holder in root.all(group) for child in holder.all(tag)]


def _key(node: Node) -> str:
    """Return the text by which the file's games refer to a player.

    It is the surname and the first name, without blanks, accents or case.
    """
    return name_key(node.attributes.get("name", "") + node.attributes.get("firstName", ""))


def _player(node: Node, issues: IssueList) -> GoPlayer:
    get = node.attributes.get
    name = " ".join(f"{get('name', '')} {get('firstName', '')}".split())[:120]
    # The grade is free text ("20", "3C"). The rank is set by the program.
    stated = get("grade", "")
    grade = read_grade(stated if is_grade(stated) else get("rank", ""), name, node.line, issues)
    is_european = get("ratingOrigin", "").strip().upper().startswith("EGF")
    return GoPlayer(
        node.line,
        name,
        grade,
        pin_or_blank(get("egfPin", "")),
        get("country", "").strip().upper()[:2],
        rating_or_blank(get("rating", "")) if is_european else "",
        " ".join(get("firstName", "").split()),
    )


def _has_foreign_rating(node: Node) -> bool:
    return node.attributes.get("ratingOrigin", "").strip().upper().startswith(("FFG", "AGA"))


def _games(root: Node, positions: dict[str, int], issues: IssueList) -> Iterator[GoGame]:
    for node in _children(root, "GAMES", "GAME"):
        get = node.attributes.get
        stated = StatedGame(
            node.line,
            get("roundNumber", ""),
            (get("whitePlayer", ""), get("blackPlayer", "")),
            get("handicap", "0") or "0",
            get("result", ""),
            RESULTS.get(get("result", "")),
            get("knownColor", "true").lower() != "false",
        )
        if game := read_game(stated, lambda name: positions.get(name_key(name)), issues):
            yield game


def _sniff(file: RawFile) -> Evidence:
    is_ours = file.root == "Tournament" and not is_macmahon(file)
    return Evidence.SIGNATURE if is_ours else Evidence.NONE


FORMATS = (
    GoFormat(
        code=CODE,
        name=gettext_noop("OpenGotha XML"),
        extensions=(".xml",),
        sniff=_sniff,
        read=parse_opengotha,
        reads=gettext_noop("Tournaments saved by OpenGotha."),
    ),
)
