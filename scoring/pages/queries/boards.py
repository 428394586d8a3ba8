"""Queries for the pages of a tournament's boards: the list, a board's traveller, a contestant's card."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext

from scoring.engine.board_changes import figures_of, likely_percentages
from scoring.engine.boards import (
    TOLERANCE,
    TravellerLine,
    both_rooms,
    imp_results,
    match_results,
)
from scoring.ledger.queries.people import Written, seats_of
from tournaments.boards import IN_PERCENT, MATCHPOINTS_APART, TEAMS
from tournaments.models import BoardResult, Contestant, Deal, Revision, Seat, Tournament
from ui.memo import per_version

CENT = Decimal("0.01")
# The columns of a stored result: what a `PlayedBoard` has, with the artificial score as two, and the points
# that the file states.
COLUMNS = (
    *("pk", "board", "section", "ns_id", "ew_id", "ns_partner_id", "ew_partner_id", "round"),
    *("score", "adjusted_ns", "adjusted_ew", "contract", "declarer", "lead", "tricks"),
    *("ns_points", "ew_points"),
)
NS, EW = "NS", "EW"


class PlayedBoard(NamedTuple):
    """The result of one board at one table.

    pk: id of the stored result
    ns, ew: ids of the contestants; None for one who is not in the ranking
    ns_partner, ew_partner: in an individual event, ids of the other two players
    round: the round of a match of teams, if it is known
    score: points for North-South; None for an artificial score
    adjusted: the artificial percentages of North-South and East-West, else None
    results: what the board gave North-South and East-West, in percent or IMPs with two decimals
    """

    pk: int
    board: int
    section: str
    ns: int | None
    ew: int | None
    ns_partner: int | None
    ew_partner: int | None
    round: int | None
    score: int | None
    adjusted: tuple[int, int] | None
    contract: str
    declarer: str
    lead: str
    tricks: int | None
    results: tuple[Decimal, Decimal] | None

    def on(self, side: str) -> tuple[int | None, ...]:
        """Return the contestants on a side: one, or two in an individual event."""
        seats = (self.ns, self.ns_partner) if side == NS else (self.ew, self.ew_partner)
        return seats if self.is_individual else seats[:1]

    @property
    def is_individual(self) -> bool:
        return self.ns_partner is not None or self.ew_partner is not None


@dataclass(frozen=True, slots=True)
class PlayedSession:
    """The board results of a ranking.

    scored: how they were scored, as in `Revision.boards_scored`
    boards: {number of a board: its results, best for North-South first}, in order of the numbers
    figures: {contestant id: mean result per board, in percent or IMPs; of a team the sum of its IMPs}
    """

    scored: str
    boards: dict[int, tuple[PlayedBoard, ...]]
    figures: dict[int, Fraction]

    def card_of(self, contestant: int) -> list[tuple[str, PlayedBoard]]:
        """Return (side, result) of all boards that a contestant played, in order of the boards' numbers."""
        return [
            (side, line)
            for lines in self.boards.values()
            for line in lines
            for side in (NS, EW)
            if contestant in line.on(side)
        ]


@per_version(16)
def session_of(revision_id: int) -> PlayedSession | None:
    """Return the board results of a revision, or None if it has none. At most three queries. Cached."""
    scored = Revision.objects.values_list("boards_scored", flat=True).get(pk=revision_id)
    if not scored:
        return None
    rows = list(BoardResult.objects.filter(revision=revision_id).order_by("pk").values_list(*COLUMNS))
    played = [_played(*row) for row in rows]
    lines = [_traveller_line(line, *row[-2:]) for line, row in zip(played, rows, strict=True)]
    sides = [(_known(line.on(NS)), _known(line.on(EW))) for line in played]
    if scored == TEAMS:
        rounds = [line.round for line in played]
        shown = both_rooms(lines, sides, rounds)
        figures = figures_of(match_results(lines, sides, rounds), sides, is_total=True)
    elif scored in IN_PERCENT:
        stated = Contestant.objects.filter(revision=revision_id, percentage__isnull=False)
        sections = [line.section for line in played] if scored == MATCHPOINTS_APART else None
        printed = dict(stated.values_list("pk", "percentage"))
        shown, figures = likely_percentages(lines, sides, printed, sections)
    else:
        shown = imp_results(lines)
        figures = figures_of(shown, sides, is_total=False)
    boards: dict[int, list[PlayedBoard]] = defaultdict(list)
    for line, result in zip(played, shown, strict=True):
        results = result and (rounded(result.ns), rounded(result.ew))
        boards[line.board].append(line._replace(results=results))
    ordered = {number: tuple(sorted(boards[number], key=_best_first)) for number in sorted(boards)}
    return PlayedSession(scored, ordered, {pk: value for pk, value in figures.items() if isinstance(pk, int)})


def _played(*row: Any) -> PlayedBoard:
    """Return a board result without its results; `row` has the values of COLUMNS."""
    *before, score, adjusted_ns, adjusted_ew, contract, declarer, lead, tricks, _ns, _ew = row
    adjusted = None if adjusted_ns is None else (adjusted_ns, adjusted_ew or 0)
    return PlayedBoard(*before, score, adjusted, contract, declarer, lead, tricks, results=None)


def _traveller_line(line: PlayedBoard, ns: Decimal | None, ew: Decimal | None) -> TravellerLine:
    """Return a result as the engine takes it, without its section.

    ns, ew: the points that the file states
    """
    adjusted = line.adjusted and (Fraction(line.adjusted[0]), Fraction(line.adjusted[1]))
    stated = (None if ns is None else Fraction(ns), None if ew is None else Fraction(ew))
    return TravellerLine(line.board, line.score, adjusted, stated)


def _known(contestants: tuple[int | None, ...]) -> tuple[int, ...]:
    return tuple(pk for pk in contestants if pk is not None)


def rounded(value: Fraction) -> Decimal:
    """Round a result in percent or IMPs to two decimals."""
    return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(CENT, ROUND_HALF_UP)


def _best_first(line: PlayedBoard) -> tuple:
    """Return a sort key: the best result for North-South first, results without a score last."""
    return (line.results is None, -line.results[0] if line.results else 0, -(line.score or 0))


def differs(stated: Decimal | None, computed: Fraction) -> bool:
    """Return whether a stated percentage differs from the computed one by more than rounding explains."""
    return stated is not None and abs(Fraction(stated) - computed) > TOLERANCE


class ListedCard(NamedTuple):
    """A contestant with its card, for the list of boards.

    name: the name of the team, or the names of the people
    stated, computed: the percentages of the ranking and of the boards, for cards where they differ
    """

    place: int
    name: str
    url: str
    stated: Decimal | None
    computed: Decimal


@dataclass(frozen=True, slots=True)
class Cards:
    """The contestants with board results, in the order of the ranking.

    first: the first of them
    count: how many there are
    compared: how many have a percentage in the ranking, to compare with that of their boards
    differing: the first of those whose two percentages differ by more than rounding explains
    differ: how many those are
    """

    first: list[ListedCard]
    count: int
    compared: int
    differing: list[ListedCard]
    differ: int

    @property
    def most_differ(self) -> bool:
        """Whether the ranking as a whole does not follow from the boards, rather than single results."""
        return 2 * self.differ > self.compared


def cards(tournament: Tournament, session: PlayedSession, most: int) -> Cards:
    """Return the cards of a tournament, in each list at most `most`. Two queries."""
    revision = tournament.published_id
    assert revision is not None  # board results belong to the published ranking
    columns = ("pk", "position", "place", "team_name", "percentage")
    contestants = Contestant.objects.filter(revision=revision).order_by("position").values_list(*columns)
    played = [row for row in contestants if row[0] in session.figures]
    compared = [row for row in played if session.scored in IN_PERCENT and row[-1] is not None]
    wrong = [row for row in compared if differs(row[-1], session.figures[row[0]])]
    shown = [*played[:most], *wrong[:most]]
    people = seats_of(revision, [row[0] for row in shown])
    written = Written(row[3] for row in shown)

    def listed(pk: int, position: int, place: int, team: str, stated: Decimal | None) -> ListedCard:
        own = people.get(pk, [])
        name = written.team(team, own) or " – ".join(person["name"] or gettext("guest") for person in own)
        url = card_address(tournament.get_absolute_url(), position)
        return ListedCard(place, name, url, stated, rounded(session.figures[pk]))

    return Cards(
        first=[listed(*row) for row in played[:most]],
        count=len(played),
        compared=len(compared),
        differing=[listed(*row) for row in wrong[:most]],
        differ=len(wrong),
    )


def deals_of(revision_id: int, board: int) -> list[Deal]:
    """Return the deals of a board: one of each section, or only one if all are the same cards. One query."""
    deals = list(Deal.objects.filter(revision=revision_id, board=board).order_by("section"))
    return deals[:1] if len({deal.hands for deal in deals}) == 1 else deals


def count_of_deals(revision_id: int) -> int:
    """Return of how many boards the hands are known. One query."""
    return Deal.objects.filter(revision=revision_id).values("board").distinct().count()


class Sides:
    """The contestants of some board results, with the names that may be shown. Two queries."""

    def __init__(self, tournament: Tournament, lines: Iterable[PlayedBoard]) -> None:
        revision = tournament.published_id
        assert revision is not None  # board results belong to the published ranking
        ids = {pk for line in lines for side in (NS, EW) for pk in _known(line.on(side))}
        self.url = tournament.get_absolute_url()
        self.people = seats_of(revision, list(ids))
        rows = Contestant.objects.filter(pk__in=ids).values_list("pk", "position", "label", "team_name")
        self.contestants = {pk: rest for pk, *rest in rows}
        self.written = Written(text for _position, *texts in self.contestants.values() for text in texts)

    def __call__(self, line: PlayedBoard, side: str) -> list[dict[str, Any]]:
        """Return the contestants on a side of a result, as dicts; [] if none is in the ranking.

        label: the number in the ranking
        team: the name of the team
        people: the records of `seats_of`
        card: URL of the card
        player_ids: ids of the players
        """
        return [self.contestant(pk) for pk in line.on(side) if pk in self.contestants]

    def contestant(self, pk: int) -> dict[str, Any]:
        """Return one of the contestants, as `__call__` does."""
        position, label, team = self.contestants[pk]
        people = self.people.get(pk, [])
        return {
            "label": self.written.label(label, people) or str(position),
            "team": self.written.team(team, people),
            "people": people,
            "card": card_address(self.url, position),
            "player_ids": {person["player_id"] for person in people},
        }


def card_address(tournament_url: str, position: int) -> str:
    """Return the URL of the card of the contestant at a position in the ranking."""
    return f"{tournament_url}tarjetas/{position}/"


def own_card(tournament: Tournament, player: int, session: PlayedSession) -> str:
    """Return the URL of the card of a player's contestant; "" if it has none. One query."""
    seats = Seat.objects.filter(revision=tournament.published_id, contestant__in=list(session.figures))
    own = seats.filter(Q(player=player) | Q(player__merged_into=player))
    position = own.values_list("contestant__position", flat=True).first()
    return card_address(tournament.get_absolute_url(), position) if position else ""


def board_address(tournament_url: str, board: int) -> str:
    """Return the URL of a board's page."""
    return f"{tournament_url}manos/{board}/"


def traveller(tournament: Tournament, lines: list[PlayedBoard]) -> list[dict[str, Any]]:
    """Return the records of the table of a board's results."""
    sides = Sides(tournament, lines)
    records = []
    for line in lines:
        ns, ew = sides(line, NS), sides(line, EW)
        own = {person for contestant in (*ns, *ew) for person in contestant["player_ids"]}
        records.append(
            {
                **_play(line),
                "pk": line.pk,
                "ns": ns,
                "ew": ew,
                "points": line.score,
                "player_ids": own,
                "side": NS,
            }
        )
    return records


def card(tournament: Tournament, contestant: int, session: PlayedSession) -> list[dict[str, Any]]:
    """Return the records of a contestant's boards. Points and results are the contestant's own.

    The boards of a team are in order of its matches: by the rounds if known, else by the first board.
    """
    played = session.card_of(contestant)
    sides = Sides(tournament, [line for _side, line in played])
    if session.scored == TEAMS:
        order = _match_order(contestant, played)
        played.sort(key=lambda item: (order[_match(contestant, item[1])], item[1].board, item[0] != NS))
    return [
        {
            **_play(line),
            "board": line.board,
            "url": board_address(sides.url, line.board),
            "side": side,
            "round": line.round,
            "opponents": sides(line, EW if side == NS else NS),
            "partner": [sides.contestant(pk) for pk in _known(line.on(side)) if pk != contestant],
            "points": line.score if side == NS or line.score is None else -line.score,
            "result": line.results and line.results[side == EW],
        }
        for side, line in played
    ]


def _match(contestant: int, line: PlayedBoard) -> int | None:
    """Return the opponents of a team in a result; None if they are not in the ranking."""
    return line.ew if line.ns == contestant else line.ns


def _match_order(contestant: int, played: list[tuple[str, PlayedBoard]]) -> dict[int | None, tuple[int, int]]:
    """Return {opponents of a team: sort key of its match against them}."""
    first: dict[int | None, tuple[int, int]] = {}
    for _side, line in played:
        key = (line.round or 0, line.board)
        first[_match(contestant, line)] = min(key, first.get(_match(contestant, line), key))
    return first


def matches(tournament: Tournament, contestant: int, session: PlayedSession) -> list[dict[str, Any]]:
    """Return the records of a team's matches: opponents, boards, and IMPs for and against.

    A board counts if it was played in both rooms. All boards against the same team are one match.
    """
    played = session.card_of(contestant)
    sides = Sides(tournament, [line for _side, line in played])
    order = _match_order(contestant, played)
    by_board: dict[int | None, dict[int, dict[str, list[Decimal]]]] = defaultdict(dict)
    for side, line in played:
        rooms = by_board[_match(contestant, line)].setdefault(line.board, {NS: [], EW: []})
        if line.results is not None:
            rooms[side].append(line.results[side == EW])
    records = []
    for opponents in sorted(order, key=lambda key: order[key]):
        # Both rooms of a board have the same result; an artificial one may have only one of the rooms.
        boards = by_board[opponents].values()
        swings = [swing for rooms in boards for swing in rooms[NS] or rooms[EW]]
        records.append(
            {
                "round": order[opponents][0] or None,
                "opponents": [sides.contestant(opponents)] if opponents in sides.contestants else [],
                "boards": len(swings),
                "imps_for": sum((swing for swing in swings if swing > 0), Decimal(0)),
                "imps_against": -sum((swing for swing in swings if swing < 0), Decimal(0)),
            }
        )
    return records


def _play(line: PlayedBoard) -> dict[str, Any]:
    return {
        "contract": line.contract,
        "declarer": line.declarer,
        "lead": line.lead,
        "tricks": line.tricks,
        "adjusted": line.adjusted,
        "result": line.results and line.results[0],
    }


def summaries(url: str, session: PlayedSession) -> list[dict[str, Any]]:
    """Return the records of the list of boards.

    url: URL of the tournament
    """
    return [_summary(board_address(url, board), board, lines) for board, lines in session.boards.items()]


def _summary(url: str, board: int, lines: tuple[PlayedBoard, ...]) -> dict[str, Any]:
    scores = [line.score for line in lines if line.score is not None]
    contracts = Counter((line.contract, line.declarer) for line in lines if line.contract)
    common = contracts.most_common(1)
    return {
        "board": board,
        "url": url,
        "contract": common[0][0] if common else None,
        "times": common[0][1] if common else None,
        "count": len(lines),
        "best_ns": max(scores, default=None),
        "best_ew": -min(scores) if scores else None,
    }
