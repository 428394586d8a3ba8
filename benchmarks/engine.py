"""Measure the engine's awards per second in one process.

    python -m benchmarks.engine [rounds]

The events have 20 to 240 players (pairs, teams and individuals), under both regulations. No event is scored
twice, so that caches do not help. An award is what one contestant earns; its players are not counted
separately.
"""

import sys
import time
from collections.abc import Iterator
from datetime import date
from random import Random

from scoring import regulations
from scoring.engine.digest import digest
from scoring.engine.eventjson import event_from_json, event_to_json
from scoring.engine.types import Contestant, Event, Seat

from .timing import line

BAR = 20_000
EVENTS = 400
SEATS = {"pairs": 2, "teams": 4, "individual": 1}


def events(rng: Random, number: int) -> Iterator[tuple[object, Event]]:
    """Yield `number` random events, each with its regulation. Some contestants share a place."""
    for index in range(number):
        regulation = regulations.of_family("aeb")[index % 2]
        format = rng.choice(list(SEATS))
        count = rng.randint(20, 240) // SEATS[format]
        categories = [row.code for row in regulation.categories.rows]
        places, place = [], 0
        for position in range(1, count + 1):
            place = position if not places or rng.random() > 0.05 else place
            places.append(place)
        contestants = tuple(
            Contestant(
                id=str(position),
                place=place,
                seats=tuple(
                    Seat(f"{position}-{seat}", rng.choice([*categories, None]), rng.random() < 0.99)
                    for seat in range(SEATS[format])
                ),
            )
            for position, place in enumerate(places, start=1)
        )
        day = date(2025, 3, 1) if regulations.valid_to(regulation) else date(2026, 3, 1)
        event = Event("regional", format, rng.randint(20, 60), "in_person", contestants, date=day)
        yield regulation, event


def rate(rounds: int, work) -> float:
    """Return the best rate of several rounds, in awards per second.

    work: function that scores an event by a regulation and returns the awards
    """
    best = 0.0
    for seed in range(rounds):
        jobs = list(events(Random(seed), EVENTS))
        started = time.perf_counter()
        awards = sum(len(work(regulation, event)) for regulation, event in jobs)
        best = max(best, awards / (time.perf_counter() - started))
    return best


def from_storage(regulation, event: Event):
    """Score an event as an audit does: read it from JSON, compute its digest, score. Return the awards."""
    stored = event_to_json(event)
    digest(stored)
    return regulation.score(event_from_json(stored)).awards


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"Engine, one process, best of {rounds} rounds of {EVENTS} events")
    plain = rate(rounds, lambda regulation, event: regulation.score(event).awards)
    line("awards a second", f"{plain:,.0f}", f"at least {BAR:,}", plain >= BAR)
    stored = rate(rounds, from_storage)
    line("with JSON and digest, as a run is stored", f"{stored:,.0f}")


if __name__ == "__main__":
    main()
