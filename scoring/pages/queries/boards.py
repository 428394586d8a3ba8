"""Queries for the pages of a tournament's boards: the list, a board's traveller, a contestant's card."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Q

from scoring.engine.boards import TOLERANCE, means
from scoring.ledger.queries.people import seats_of
from scoring.strength.figures import StoredResult, earned_results
from tournaments.models import BoardResult, Contestant, Deal, Revision, Seat, Tournament
from ui.memo import per_version

CENT = Decimal("0.01")
PLAY = ("contract", "declarer", "lead", "tricks")
NS, EW = "NS", "EW"


class PlayedBoard(NamedTuple):
    """The result of one board at one table.

    pk: id of the stored result
    ns, ew: ids of the contestants; None for one who is not in the ranking
    score: points for North-South; None for an artificial score
    adjusted: the artificial percentages of North-South and East-West, else None
    results: what the board gave North-South and East-West, in percent or IMPs with two decimals
    """

    pk: int
    board: int
    section: str
    ns: int | None
    ew: int | None
    score: int | None
    adjusted: tuple[int, int] | None
    contract: str
    declarer: str
    lead: str
    tricks: int | None
    results: tuple[Decimal, Decimal] | None


@dataclass(frozen=True, slots=True)
class PlayedSession:
    """The board results of a ranking.

    scored: how they were scored, as in `Revision.boards_scored`
    boards: {number of a board: its results, best for North-South first}, in order of the numbers
    means: {contestant id: mean result per board, in percent or IMPs}
    """

    scored: str
    boards: dict[int, tuple[PlayedBoard, ...]]
    means: dict[int, Fraction]

    def card_of(self, contestant: int) -> list[tuple[str, PlayedBoard]]:
        """Return (side, result) of all boards that a contestant played, in order of the boards' numbers."""
        return [
            (NS if line.ns == contestant else EW, line)
            for lines in self.boards.values()
            for line in lines
            if contestant in (line.ns, line.ew)
        ]


@per_version(16)
def session_of(revision_id: int) -> PlayedSession | None:
    """Return the board results of a revision, or None if it has none. Two queries. Cached."""
    scored = Revision.objects.values_list("boards_scored", flat=True).get(pk=revision_id)
    if not scored:
        return None
    stored = BoardResult.objects.filter(revision=revision_id).order_by("pk")
    width = len(StoredResult._fields)
    rows = list(stored.values_list(*StoredResult._fields, *PLAY, "pk"))
    results = [StoredResult(*row[:width]) for row in rows]
    earned = earned_results(scored, results)
    boards: dict[int, list[PlayedBoard]] = defaultdict(list)
    for result, row, sides in zip(results, rows, earned, strict=True):
        boards[result.board].append(
            PlayedBoard(
                pk=row[-1],
                board=result.board,
                section=result.section,
                ns=result.ns_id,
                ew=result.ew_id,
                score=result.score,
                adjusted=None
                if result.adjusted_ns is None
                else (result.adjusted_ns, result.adjusted_ew or 0),
                contract=row[width],
                declarer=row[width + 1],
                lead=row[width + 2],
                tricks=row[width + 3],
                results=None if sides is None else (rounded(sides.ns), rounded(sides.ew)),
            )
        )
    sides_of = [
        side
        for result, both in zip(results, earned, strict=True)
        if both is not None
        for side in ((result.ns_id, both.ns), (result.ew_id, both.ew))
        if side[0] is not None
    ]
    ordered = {number: tuple(sorted(boards[number], key=_best_first)) for number in sorted(boards)}
    return PlayedSession(scored, ordered, means(sides_of))


def rounded(value: Fraction) -> Decimal:
    """Round a result in percent or IMPs to two decimals."""
    return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(CENT, ROUND_HALF_UP)


def _best_first(line: PlayedBoard) -> tuple:
    """Return a sort key: the best result for North-South first, results without a score last."""
    return (line.results is None, -line.results[0] if line.results else 0, -(line.score or 0))


def differs(stated: Decimal | None, computed: Fraction) -> bool:
    """Return whether a stated percentage differs from the computed one by more than rounding explains."""
    return stated is not None and abs(Fraction(stated) - computed) > TOLERANCE


def deals_of(revision_id: int, board: int) -> list[Deal]:
    """Return the deals of a board: one of each section, or only one if all are the same cards. One query."""
    deals = list(Deal.objects.filter(revision=revision_id, board=board).order_by("section"))
    return deals[:1] if len({deal.hands for deal in deals}) == 1 else deals


class Sides:
    """The contestants of some board results, with the names that may be shown. Two queries."""

    def __init__(self, tournament: Tournament, lines: Iterable[PlayedBoard]) -> None:
        revision = tournament.published_id
        assert revision is not None  # board results belong to the published ranking
        ids = {pk for line in lines for pk in (line.ns, line.ew) if pk is not None}
        self.url = tournament.get_absolute_url()
        self.people = seats_of(revision, list(ids))
        rows = Contestant.objects.filter(pk__in=ids).values_list("pk", "position", "label", "team_name")
        self.contestants = {pk: rest for pk, *rest in rows}

    def __call__(self, contestant: int | None) -> dict[str, Any] | None:
        """Return number, names and URL of the card of a contestant; None if it is not in the ranking."""
        if contestant not in self.contestants:
            return None
        position, label, team = self.contestants[contestant]
        people = self.people.get(contestant, [])
        return {
            "label": label or str(position),
            "team": team,
            "people": people,
            "card": card_address(self.url, position),
            "player_ids": {person["player_id"] for person in people},
        }


def card_address(tournament_url: str, position: int) -> str:
    """Return the URL of the card of the contestant at a position in the ranking."""
    return f"{tournament_url}tarjetas/{position}/"


def own_card(tournament: Tournament, player: int) -> str:
    """Return the URL of the card of a player's contestant; "" if it has none. One query."""
    seats = Seat.objects.filter(revision=tournament.published_id, contestant__boards_played__gt=0)
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
        ns, ew = sides(line.ns), sides(line.ew)
        own = {person for side in (ns, ew) if side for person in side["player_ids"]}
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
    """Return the records of a contestant's boards. Points and results are the contestant's own."""
    played = session.card_of(contestant)
    sides = Sides(tournament, [line for _side, line in played])
    return [
        {
            **_play(line),
            "board": line.board,
            "url": board_address(sides.url, line.board),
            "side": side,
            "opponents": sides(line.ew if side == NS else line.ns),
            "points": line.score if side == NS or line.score is None else -line.score,
            "result": line.results and line.results[side == EW],
        }
        for side, line in played
    ]


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
