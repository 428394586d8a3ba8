"""Convert a stored ranking and its boards to what the readers return, as the start of a correction."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from django.db.models import F

from tournaments.boards import (
    APART,
    IMPS,
    INDIVIDUAL,
    INDIVIDUAL_IMPS,
    MATCHPOINTS,
    MATCHPOINTS_APART,
    TEAMS,
)
from tournaments.formats.contestants import line_reference
from tournaments.formats.types import BoardResult, Deal, Entry, EventInfo, ParsedResult, Person
from tournaments.models import Revision, Tournament

from .people import Choice, Seat

TYPED = "typed"
# No entry has this line: it stands for a contestant who is not in the ranking.
NOBODY = 0
# What an `EventInfo` states as its scoring, for each value of `Revision.boards_scored`.
SCORINGS = {
    **dict.fromkeys((MATCHPOINTS, INDIVIDUAL), "match_points"),
    MATCHPOINTS_APART: f"match_points{APART}",
    **dict.fromkeys((IMPS, INDIVIDUAL_IMPS, TEAMS), "imps"),
}


def stored_entries(revision: Revision | None) -> tuple[Entry, ...]:
    """Return the contestants of a stored ranking as if they had been typed. Lines are the positions.

    Two queries.
    """
    if revision is None:
        return ()
    seats = revision.seats.select_related("player").order_by("contestant_id", "position")
    people: dict[int, list[Person]] = {}
    for seat in seats:
        # Leave out the names of players with a number, because directors may not see the names of hidden
        # players.
        person = Person(seat.player.number, "") if seat.player else Person(None, seat.guest_name)
        people.setdefault(seat.contestant_id, []).append(person)
    return tuple(
        Entry(
            line=row,
            number=contestant.label or None,
            place=str(contestant.place),
            score=decimal_text(contestant.score),
            percentage=decimal_text(contestant.percentage),
            direction=contestant.field or None,
            section=None,
            team=contestant.team_name or None,
            people=tuple(people.get(contestant.pk, ())),
            boards=contestant.boards,
        )
        for row, contestant in enumerate(revision.contestants.order_by("position"), start=1)
    )


def stored_guests(revision: Revision | None) -> dict[Seat, Choice]:
    """Return the decisions that make the guests of a stored ranking guests again, with their federations.

    The seats are those of `stored_entries`. Two queries.
    """
    if revision is None:
        return {}
    guests = revision.seats.filter(player=None).annotate(row=F("contestant__position"))
    positions = revision.contestants.order_by("position").values_list("position", flat=True)
    rows = {position: row for row, position in enumerate(positions)}
    return {
        (rows[seat.row], seat.position - 1): Choice(None, guest=True, country=seat.guest_country)
        for seat in guests
    }


def decimal_text(number: Decimal | None) -> str | None:
    """Return a number without zeros at its end, as the readers write it."""
    return None if number is None else f"{number.normalize():f}"


def stored_result(revision: Revision) -> ParsedResult:
    """Return a stored ranking with its boards, in the order of their ids, and its deals. Six queries.

    The board results refer to the contestants by the lines of their entries.
    """
    tournament = revision.tournament
    return ParsedResult(
        TYPED,
        "",
        event=EventInfo(
            kind=tournament.format,
            scoring=SCORINGS.get(revision.boards_scored),
            unit=revision.unit or None,
        ),
        entries=stored_entries(revision),
        boards=tuple(_boards(revision)),
        deals=tuple(
            Deal(deal.board, deal.section or None, deal.dealer, deal.vulnerable, tuple(deal.hands.split()))
            for deal in revision.deals.order_by("pk")
        ),
    )


def _boards(revision: Revision) -> Iterator[BoardResult]:
    lines = dict(revision.contestants.values_list("pk", "position"))
    lines = {pk: row for row, pk in enumerate(sorted(lines, key=lines.__getitem__), start=1)}
    is_individual = revision.tournament.format == Tournament.Format.INDIVIDUAL
    for stored in revision.boards.order_by("pk"):
        score = f"A{stored.adjusted_ns:02}{stored.adjusted_ew:02}" if stored.score is None else stored.score
        yield BoardResult(
            board=stored.board,
            section=stored.section or None,
            ns=_references(lines, stored.ns_id, stored.ns_partner_id, is_individual),
            ew=_references(lines, stored.ew_id, stored.ew_partner_id, is_individual),
            score=str(score),
            round_number=None if stored.round is None else str(stored.round),
            ns_points=decimal_text(stored.ns_points),
            ew_points=decimal_text(stored.ew_points),
            contract=stored.contract or None,
            declarer=stored.declarer or None,
            lead=stored.lead or None,
            tricks=None if stored.tricks is None else str(stored.tricks),
        )


def _references(
    lines: Mapping[int, int], contestant: int | None, partner: int | None, is_individual: bool
) -> tuple[str, ...]:
    """Return what stands in a board result for the contestants of a side.

    lines: {contestant id: line of its entry}
    """
    seated = (contestant, partner) if is_individual else (contestant,)
    return tuple(line_reference(NOBODY if pk is None else lines[pk]) for pk in seated)
