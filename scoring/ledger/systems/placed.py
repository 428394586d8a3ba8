"""The systems that award points by place alone: Swedish bronze and silver points, ACBL points."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date
from decimal import Decimal
from typing import Any

from django.conf import settings

from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.engine.eventjson import contestant_json
from scoring.engine.placed import PlacedEvent
from scoring.engine.points import plain
from scoring.engine.strictjson import Fields
from scoring.engine.types import Contestant
from scoring.ledger.queries.factors import factors_in_force
from scoring.regulations.acbl import CLUB_AWARDS, OVERALL
from scoring.regulations.acbl.club import ClubEvent
from scoring.regulations.acbl.overall import OverallEvent, half_tables
from scoring.regulations.places.scheme import PlaceScheme
from scoring.regulations.sbf_2019 import BRONZE, SILVER_POINTS
from scoring.regulations.sbf_2019.rules import SbfEvent
from scoring.regulations.sbf_2019.tables import decimals_on
from tournaments.drafts import Header, Row

from .seats import by_field, seats_of

# The name in `Tournament.params` of the data that each factor of the ACBL formula depends on.
CASES = {"R": "rating", "M": "limit", "T": "contest"}


def _in_force(scheme: PlaceScheme[Any], header: Header) -> PlaceScheme[Any]:
    day = header.end_date
    if day < scheme.valid_from:
        raise EngineError("no_regulation", "date", f"{scheme.code} was not in force on {day.isoformat()}")
    return scheme


def bronze_for(header: Header) -> PlaceScheme[Any]:
    """Return the rules of Swedish bronze points in force on the tournament's last day."""
    return regulations.in_force(BRONZE.family, header.end_date)


def silver_for(header: Header) -> PlaceScheme[Any]:
    """Return the rules of Swedish silver points in force on the tournament's last day."""
    return _in_force(SILVER_POINTS, header)


def acbl_for(header: Header) -> PlaceScheme[Any]:
    """Return the rules of the ACBL's overall awards or of its club awards, according to the event type."""
    return _in_force(OVERALL if header.event_type == "overall" else CLUB_AWARDS, header)


def build(
    regulation: PlaceScheme[Any],
    header: Header,
    rows: Sequence[Row],
    codes: Mapping[int, str],
    licensed: Container[int],
) -> list[tuple[str, PlacedEvent]]:
    """Return (field, event) pairs: the engine's input for each field of a ranking.

    Each field is scored on its own. One query if the regulation has factors that the office enters, else
    none.

    codes: not used, because categories do not affect these points
    licensed: ids of the players with a licence
    """
    contestants = by_field(
        (row, Contestant(str(row.position), row.place, seats_of(row, header, lambda _player: None, licensed)))
        for row in rows
    )
    common = {"date": header.end_date, "venue": header.venue, "ties": settings.TIES}
    has_factors = regulation.family == "acbl"
    factors = factors_on(regulation.code, header.end_date, header.params) if has_factors else {}
    return [
        (field, EVENTS[regulation.code](header, {**common, "contestants": listed}, factors))
        for field, listed in contestants.items()
    ]


def bronze_decimals(day: date) -> int:
    """Return the number of decimals that the settings give bronze points on `day`.

    It applies to tournaments that do not state a number of decimals of their own.
    """
    return decimals_on(day, settings.BRONZE_DECIMALS)


def decimals_of_bronze(params: Mapping[str, Any], day: date) -> int:
    """Return the number of decimals of a tournament's bronze points.

    day: the tournament's last day
    """
    return params.get("decimals", bronze_decimals(day))


def decimals_of_silver(params: Mapping[str, Any], day: date) -> int:
    """Return the number of decimals of a tournament's silver points.

    day: the tournament's last day
    """
    return params.get("decimals", SILVER_POINTS.default_decimals)


def _bronze(header: Header, common: dict[str, Any], factors: dict[str, Decimal]) -> SbfEvent:
    return SbfEvent(
        **common,
        decimals=decimals_of_bronze(header.params, header.end_date),
        places_table=header.params.get("places_table", "AY"),
    )


def _silver(header: Header, common: dict[str, Any], factors: dict[str, Decimal]) -> SbfEvent:
    return SbfEvent(
        **common, boards=header.boards, decimals=decimals_of_silver(header.params, header.end_date)
    )


def _overall(header: Header, common: dict[str, Any], factors: dict[str, Decimal]) -> OverallEvent:
    params = header.params
    persons = sum(len(contestant.seats) for contestant in common["contestants"])
    return OverallEvent(
        **common,
        tables=Decimal(params["tables"]) if "tables" in params else half_tables(persons),
        rating=params.get("rating", ""),
        sessions=params.get("sessions", 1),
        restriction=params.get("restriction", "none"),
        factors=factors,
    )


def _club(header: Header, common: dict[str, Any], factors: dict[str, Decimal]) -> ClubEvent:
    return ClubEvent(**common, factors=factors)


EVENTS = {BRONZE.code: _bronze, SILVER_POINTS.code: _silver, OVERALL.code: _overall, CLUB_AWARDS.code: _club}


def factors_on(regulation: str, day: date, params: Mapping[str, Any]) -> dict[str, Decimal]:
    """Return {name of a factor: value} for a tournament, from the values that the office entered.

    One query.

    regulation: code of the regulation
    day: the tournament's last day
    params: `Tournament.params`; some factors depend on them
    """
    cases = {name: params.get(param, "") for name, param in CASES.items()}
    return {
        row.name: row.value
        for row in factors_in_force(regulation, day)
        if row.case == cases.get(row.name, "")
    }


def to_json(event: PlacedEvent) -> dict[str, Any]:
    """Convert an event to the JSON that a run stores: strings, integers and objects, without None values."""
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    values["contestants"] = [contestant_json(contestant) for contestant in event.contestants]
    return {name: _plain(value) for name, value in values.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return plain(value, digits=60)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    return value


def from_json(regulation: PlaceScheme[Any], value: Any) -> PlacedEvent:
    """Convert the output of `to_json` back to an event.

    Raise EngineError, naming the field, if a value is wrong.
    """
    return replace(regulation.read(Fields.of(input_of(regulation, value))), venue=value["venue"])


def input_of(regulation: PlaceScheme[Any], stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a stored event that the scheme reads.

    Others are stored, too: silver events have a table of places, as bronze ones do.
    """
    known = {"contestants", "contestant_count", "ties", "date", *regulation.own_fields}
    return {name: member for name, member in stored.items() if name in known}
