"""Plain dataclasses for a tournament and its ranking, whether stored or still under review.

An upload under review and a stored revision are both converted to a `Header` and `Row`s, so that the preview
and the scoring run the same code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

from tournaments.models import Contestant, Revision, Seat, Tournament


@dataclass(frozen=True, slots=True)
class Header:
    """The data of a tournament as a whole, with the codes of `tournaments.models.Tournament`."""

    name: str
    club_id: int
    event_type: str
    format: str
    venue: str
    start_date: date
    end_date: date
    boards: int  # played by the winner
    boards_scheduled: int
    ranking: str = Tournament.Ranking.ONE.value
    regulation_override: str = ""
    override_reason: str = ""
    source_id: str = ""
    family: str = Tournament.Family.AEB.value
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One person of a contestant: a registered player, or a guest. `guest_country` as in the model `Seat`."""

    player_id: int | None
    guest_name: str = ""
    guest_country: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One contestant of a ranking.

    position: the contestant's number in the ranking, from 1, which no other contestant has
    place: the place, which tied contestants share
    field: "NS" or "EW" if the two are ranked separately, else ""
    boards: boards played, if the file states them
    """

    position: int
    place: int
    seats: tuple[SeatRow, ...]
    field: str = ""
    label: str = ""
    team_name: str = ""
    score: Decimal | None = None
    percentage: Decimal | None = None
    boards: int | None = None


HEADER_FIELDS = [name for name in Header.__slots__ if name != "source_id"]


def header_of(tournament: Tournament) -> Header:
    """Return the header of a stored tournament."""
    return Header(**{name: getattr(tournament, name) for name in Header.__slots__})


def rows_of(revision: Revision) -> list[Row]:
    """Return the rows of a stored revision in the order of their positions. Two queries."""
    seats: dict[int, list[SeatRow]] = {}
    for contestant_id, *seat in revision.seats.order_by("contestant_id", "position").values_list(
        "contestant_id", "player_id", "guest_name", "guest_country"
    ):
        seats.setdefault(contestant_id, []).append(SeatRow(*seat))
    return [
        Row(
            position=contestant.position,
            place=contestant.place,
            seats=tuple(seats.get(contestant.pk, ())),
            field=contestant.field,
            label=contestant.label,
            team_name=contestant.team_name,
            score=contestant.score,
            percentage=contestant.percentage,
            boards=contestant.boards,
        )
        for contestant in revision.contestants.order_by("position")
    ]


def store(
    header: Header,
    rows: list[Row],
    by,
    *,
    corrects: Tournament | None = None,
    reason: str = "",
    apply: bool = True,
) -> Revision:
    """Store a ranking as a new tournament, or as the next revision of `corrects`. Call it in a transaction.

    A correction also updates the tournament's own data (name, boards …) unless `apply` is False. Runs of
    earlier revisions keep the old data in their stored inputs.

    by: the account that stores it
    """
    if corrects is None:
        tournament = Tournament.objects.create(
            created_by=by, **{name: getattr(header, name) for name in Header.__slots__}
        )
        number = 1
    else:
        tournament = Tournament.objects.select_for_update(no_key=True).get(pk=corrects.pk)
        number = tournament.revisions.count() + 1
    if apply:
        apply_header(tournament, header)
    revision = Revision.objects.create(tournament=tournament, number=number, reason=reason, created_by=by)
    store_rows(revision, rows)
    return revision


def apply_header(tournament: Tournament, header: Header) -> None:
    """Save a header's data in a tournament.

    If the header's `source_id`, the number in the scoring program, is blank, the stored one is kept.
    """
    header = replace(header, source_id=header.source_id or tournament.source_id)
    for name in Header.__slots__:
        setattr(tournament, name, getattr(header, name))
    tournament.save()


def store_rows(revision: Revision, rows: list[Row]) -> None:
    """Store the contestants and seats of a revision in bulk."""
    contestants = Contestant.objects.bulk_create(
        Contestant(
            revision=revision,
            position=row.position,
            field=row.field,
            place=row.place,
            label=row.label,
            team_name=row.team_name,
            score=row.score,
            percentage=row.percentage,
            boards=row.boards,
        )
        for row in rows
    )
    Seat.objects.bulk_create(
        Seat(
            revision=revision,
            contestant=contestant,
            position=position,
            player_id=seat.player_id,
            guest_name=seat.guest_name,
            guest_country=seat.guest_country,
        )
        for contestant, row in zip(contestants, rows, strict=True)
        for position, seat in enumerate(row.seats, start=1)
    )
