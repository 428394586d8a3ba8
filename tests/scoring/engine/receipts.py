"""Receipts under every regulation, as data to compare with a golden file.

`python -m tests.scoring.engine.receipts` writes the golden file.
"""

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

from scoring.engine.types import Contestant, Event, Seat, Step
from scoring.regulations import get
from scoring.regulations.acbl.club import ClubEvent
from scoring.regulations.acbl.overall import OverallEvent
from scoring.regulations.egf.types import Game, Player, Tournament
from scoring.regulations.sbf_2019.rules import SbfEvent
from tests.folders import GOLDEN

FILE = GOLDEN / "receipts.json"


def _field(places: tuple[int, ...], seats: int) -> tuple[Contestant, ...]:
    """Return contestants on these places. Their players have various categories, and some have none.

    seats: the number of players of each contestant
    """
    codes = ("3D", "2C", "1P", "MN", None, "2P")

    def seated(k: int) -> tuple[Seat, ...]:
        return tuple(Seat(f"{k}-{n}", codes[(k + n) % len(codes)], True) for n in range(seats))

    return tuple(Contestant(str(k), place, seated(k)) for k, place in enumerate(places))


def _aeb(code: str, **values: Any) -> Event:
    common = {"event_type": "pool", "format": "pairs", "boards": 26, "venue": "online"}
    return Event(**{**common, **values})


def _placed(*places: int) -> tuple[Contestant, ...]:
    return tuple(Contestant(str(k), place) for k, place in enumerate(places))


def cases() -> dict[str, tuple[str, Any, str]]:
    """Return {name: (regulation code, event, contestant id)}, the cases whose receipts are compared.

    They include single, shared and unpaid places, and teams.
    """
    factors = {"M": Decimal("0.87"), "T": Decimal("0.95"), "depth": Decimal("0.25")}
    pairs = _field((1, 2, 3, 3, 5, 6, 7, 8, 9, 10, 11, 12), 2)
    teams = _field((1, 2, 3), 4)
    result: dict[str, tuple[str, Any, str]] = {}
    for code in ("aeb-2022", "aeb-2026"):
        result[f"{code}, a place alone"] = (code, _aeb(code, contestants=pairs), "5")
        result[f"{code}, a shared place"] = (code, _aeb(code, contestants=pairs), "2")
        for ties in ("mean_place", "best"):
            event = _aeb(code, contestants=pairs, ties=ties)
            result[f"{code}, a shared place by {ties}"] = (code, event, "2")
        for rule in ("text", "even"):
            event = _aeb(
                code,
                contestants=teams,
                format="teams",
                event_type="zonal",
                boards=80,
                venue="in_person",
                place_rule=rule,
            )
            result[f"{code}, last of three teams by {rule}"] = (code, event, "2")
    bronze = SbfEvent(contestants=_placed(*range(1, 21)), decimals=2)
    silver = SbfEvent(contestants=_placed(1, 2, 2, *range(4, 25)), decimals=1, boards=24)
    overall = OverallEvent(
        contestants=_placed(*range(1, 25)),
        tables=Decimal("11.5"),
        rating="unit",
        sessions=2,
        restriction="one",
        factors=factors,
    )
    club = ClubEvent(contestants=_placed(1, 2, 3, 3, *range(5, 15)))
    result["sbf-2019-bronze, fourth"] = ("sbf-2019-bronze", bronze, "3")
    last = replace(bronze, contestants=_placed(1, 2, 3, 4, 4, 4, *range(7, 21)))
    result["sbf-2019-bronze, a shared place of which two are paid"] = ("sbf-2019-bronze", last, "4")
    result["sbf-2019-silver, a shared second"] = ("sbf-2019-silver", silver, "1")
    for ties in ("mean_place", "best"):
        name = f"sbf-2019-silver, a shared second by {ties}"
        result[name] = ("sbf-2019-silver", replace(silver, ties=ties), "1")
    result["acbl-overall, third"] = ("acbl-overall", overall, "2")
    result["acbl-overall, unpaid"] = ("acbl-overall", overall, "20")
    for contestants in (15, 16):
        event = ClubEvent(contestants=_placed(*range(1, contestants + 1)))
        result[f"acbl-club, first of {contestants}"] = ("acbl-club", event, "0")
    result["acbl-club, a shared third"] = ("acbl-club", club, "3")
    result["acbl-club, fifth"] = ("acbl-club", club, "4")
    return result


def rated() -> dict[str, tuple[str, Tournament, str]]:
    """Return {name: (code of the rating system, tournament, player id)}, the cases for ratings.

    They include every result of a game, a handicap, and ratings at the ends of the tables.
    """
    players = tuple(
        Player(name, Decimal(rating))
        for name, rating in (("a", "1675"), ("b", "2700"), ("c", "100"), ("d", "2213.456"))
    )
    games = (
        Game(1, "a", "d", 0.0, 0), Game(2, "c", "a", 0.5, 0), Game(3, "d", "a", 1.0, 4),
        Game(4, "b", "d", 1.0, 0),
    )  # fmt: skip
    event = Tournament(players=players, games=games, tournament_class="B")
    return {
        f"{code}, player {player}": (code, event, player)
        for code in ("egf-classic", "egf-2021")
        for player in ("a", "b", "c")
    }


def step_json(step: Step) -> dict[str, Any]:
    """Return the data of a receipt step that pages show or build texts from, as JSON values."""
    return {
        "key": step.key,
        "code": step.code,
        "value": str(step.value),
        "formula": step.formula,
        "working": step.working,
        "article": step.article,
        "table": step.table,
        "params": json.loads(json.dumps(step.params, default=str)),
    }


def receipts() -> dict[str, list[dict[str, Any]]]:
    """Return {name of a case: steps of its receipt}."""
    result = {}
    for name, (code, event, contestant) in cases().items():
        regulation = get(code)
        steps = regulation.explain(event, regulation.score(event), contestant)
        result[name] = [step_json(step) for step in steps]
    for name, (code, event, player) in rated().items():
        system = get(code)
        result[name] = [step_json(step) for step in system.explain(event, system.rate(event), player)]
    return result


if __name__ == "__main__":
    FILE.write_text(json.dumps(receipts(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
