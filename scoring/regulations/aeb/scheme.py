"""The scoring scheme of all AEB regulations; each year's folder provides the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from scoring.engine.errors import EngineError
from scoring.engine.points import EXACT, ONE, ZERO, Curve, hundredths, mean, product, snap
from scoring.engine.ranking import tie_sizes
from scoring.engine.strictjson import Fields
from scoring.engine.types import Award, Event, Reason, Result, Step
from scoring.engine.validation import check_event, seats_with_paths
from scoring.regulations.filing import Filing
from scoring.regulations.labels import gettext_noop

from . import lines, receipt
from .shapes import FieldStrength, MinimumBoards, MinimumLicences, RootCurve, Table

# Codes of the reasons why an event earns no points.
REASONS = ("too_few_boards", "too_few_licences")
# How many pairs each contestant counts as, by format.
PAIRS_EACH = {"pairs": Decimal(1), "teams": Decimal(2), "individual": Decimal("0.5")}


@dataclass(frozen=True, eq=False)
class Scheme:
    """One AEB regulation: its first day, its tables and the rules that differ between years.

    ``p_min_of(C1, C5, Pmax)`` computes the points of the last place from the coefficients of the event type
    (C1) and the venue (C5), and from the winner's points (Pmax). ``p_min_text`` is its formula.
    """

    code: str
    valid_from: date
    event_types: Table
    c2_curve: RootCurve
    c3_curve: RootCurve
    categories: Table
    venues: Table
    p_min_of: Callable[[Decimal, Decimal, Decimal], Decimal]
    p_min_text: str
    filing: Filing
    minimum_boards: MinimumBoards | None = None
    minimum_licences: MinimumLicences | None = None
    family: str = "aeb"
    title: str = gettext_noop("AEB points %(year)s")

    def __str__(self) -> str:
        return self.code

    def c2(self, boards: int) -> Decimal:
        """Return the unrounded coefficient for the number of boards that the winner played (C2)."""
        return self.c2_curve.value(Decimal(boards))

    def c3(self, n: int | Decimal) -> Decimal:
        """Return the unrounded coefficient for the size of the field (C3).

        n: the number of contestants counted as pairs; two individuals are one pair, so n can end in .5
        """
        return self.c3_curve.value(Decimal(n))

    def pairs(self, event: Event) -> Decimal:
        """Return the size of the field in pairs, n in the formulas (article 1).

        A team counts as two pairs, an individual as half a pair.
        """
        return EXACT.multiply(PAIRS_EACH[event.format], event.count)

    def position(self, event: Event, place: int | Decimal) -> Decimal:
        """Return the position, i, of a place in a ranking of n pairs (article 1). The winner's position is 1.

        With the place rule ``text``, every further place adds the number of pairs that a contestant counts
        as: 1 for a pair, 2 for a team, 0.5 for an individual. With the place rule ``even``, which tables 5 to
        7 of 2022 follow, the places are spread evenly from 1 to n.

        place: the place, or the mean of the places that tied contestants share
        """
        steps = EXACT.subtract(place, ONE)
        if event.place_rule == "even" and event.count > 1:
            rise = EXACT.multiply(steps, EXACT.subtract(self.pairs(event), ONE))
            return EXACT.add(ONE, EXACT.divide(rise, Decimal(event.count - 1)))
        return EXACT.fma(PAIRS_EACH[event.format], steps, ONE)

    def strength(self, event: Event) -> FieldStrength:
        """Count the event's seats by category, and sum the values of their categories.

        The coefficient for the field's strength, C4, is computed from the result. Seats without a category
        are counted separately.
        """
        counts = Counter(seat.category for seat in event.seats)
        unclassified = counts.pop(None, 0)
        by_code: dict[str, int] = {}
        for row in self.categories.rows:
            spellings = [row.code, *(a for a, code in self.categories.aliases.items() if code == row.code)]
            number = sum(counts[spelling] for spelling in spellings)
            if number:
                by_code[row.code] = number
        total = ZERO
        for code, number in by_code.items():
            total = EXACT.fma(self.categories.row(code).value, number, total)
        return FieldStrength(by_code, unclassified, total)

    def score(self, event: Event) -> Result:
        """Return the event's coefficients and the award of every contestant, in the order of the event.

        Raise EngineError, which names the faulty field, if the event is invalid.
        """
        self.check(event)
        n = self.pairs(event)
        strength = self.strength(event)
        c1 = self.event_types.row(event.event_type).value
        c2 = self.c2(event.boards)
        c3 = self.c3(n)
        c5 = self.venues.row(event.venue).value
        total, divisor = self._c4(event, strength)
        # Divide last: the winner's points often are a finite decimal even if the mean of the categories is
        # not.
        p_max = snap(EXACT.divide(product((c1, c2, c3, c5, total)), divisor))
        p_min = snap(self.p_min_of(c1, c5, p_max))
        reasons = self._reasons(event)
        return Result(
            regulation=self.code,
            eligible=not reasons,
            reasons=reasons,
            n=n,
            coefficients={"C1": c1, "C2": c2, "C3": c3, "C4": EXACT.divide(total, divisor), "C5": c5},
            p_max=p_max,
            p_min=p_min,
            awards=() if reasons else self._awards(event, Curve(n, p_max, p_min)),
        )

    def check(self, event: Event) -> None:
        """Raise EngineError for the first invalid value of the event."""
        check_event(event)
        if self.event_types.find(event.event_type) is None:
            known = ", ".join(row.code for row in self.event_types.rows)
            message = f"{event.event_type!r} is not an event type of {self.code}: {known}"
            raise EngineError("unknown_event_type", "event_type", message)
        if self.venues.find(event.venue) is None:
            known = ", ".join(row.code for row in self.venues.rows)
            raise EngineError("unknown_venue", "venue", f"{event.venue!r} is not one of {known}")
        known_categories = {None, *self.categories.aliases, *(row.code for row in self.categories.rows)}
        for path, seat in seats_with_paths(event):
            if seat.category not in known_categories:
                message = f"{seat.category!r} is not a category of {self.code}"
                raise EngineError("unknown_category", f"{path}.category", message)
        tie_sizes(event)

    def _c4(self, event: Event, strength: FieldStrength) -> tuple[Decimal, Decimal]:
        """Return the coefficient for the field's strength (C4) as a dividend and a divisor.

        The caller divides last, after multiplying all coefficients, to keep the points exact.
        """
        if event.c4 is not None:
            return event.c4, ONE
        if not strength.classified:
            return self.categories.lowest, ONE
        return strength.total, Decimal(strength.classified)

    def _reasons(self, event: Event) -> tuple[Reason, ...]:
        reasons = []
        boards = event.boards if event.boards_scheduled is None else event.boards_scheduled
        if self.minimum_boards is not None and boards < self.minimum_boards.boards:
            params = {"boards": boards, "minimum": self.minimum_boards.boards}
            reasons.append(Reason("too_few_boards", params))
        rule = self.minimum_licences
        if rule is not None and event.event_type in rule.event_types:
            participants = len(event.seats)
            licensed = sum(seat.licensed for seat in event.seats)
            needed = rule.needed(participants)
            if licensed < needed:
                params = {"licensed": licensed, "participants": participants}
                params |= {"needed": needed, "missing": needed - licensed, "per_cent": rule.per_cent}
                reasons.append(Reason("too_few_licences", params))
        return tuple(reasons)

    def _awards(self, event: Event, curve: Curve) -> tuple[Award, ...]:
        sizes = tie_sizes(event)
        shared = {place: self._tied(event, curve, place, size) for place, size in sizes.items()}
        awards = []
        for contestant in event.contestants:
            if contestant.place is None:
                assert contestant.i is not None  # `check_contestants` refuses a contestant with neither
                i, exact = contestant.i, curve.at(contestant.i)
                points = hundredths(exact)
            else:
                i, exact, points = shared[contestant.place]
            seats = tuple(seat.id for seat in contestant.seats)
            awards.append(Award(contestant.id, contestant.place, i, points, exact, seats))
        return tuple(awards)

    def _tied(self, event: Event, curve: Curve, place: int, size: int) -> tuple[Decimal, Decimal, int]:
        """Return the position, exact award and award in hundredths of every contestant at a place.

        size: the number of contestants who share the place, 1 if there is no tie
        """
        i = self.position(event, place)
        if size == 1 or event.ties == "best":
            exact = curve.at(i)
        elif event.ties == "mean_place":
            i = self.position(event, EXACT.divide(2 * place + size - 1, 2))
            exact = curve.at(i)
        else:
            occupied = range(place, place + size)
            exact = snap(mean([curve.unsnapped(self.position(event, k)) for k in occupied]))
        return i, exact, hundredths(exact)

    def curve(self, result: Result) -> Curve:
        """Return the curve of points of a scored event; ``curve.at(i)`` is the award at position i."""
        return Curve(result.n, result.p_max, result.p_min)

    def explain(self, event: Event, result: Result, contestant_id: str) -> tuple[Step, ...]:
        """Return the steps of one contestant's receipt.

        If the event is not eligible, nobody gets points. The receipt then ends with the step ``p_min``, which
        computes the points of the last place.
        """
        return receipt.steps(self, event, result, contestant_id)

    def answer(self, fields: Fields) -> dict[str, Any]:
        """Return the output of ``manage.py score`` for an input object. Raise EngineError if it is wrong."""
        return lines.line(fields, self.score(lines.read(fields)))
