"""The worked examples of the AEB's documents, as printed and as computed by the engine."""

from collections import Counter
from decimal import Decimal

from django.utils.translation import gettext as _

from scoring.engine.points import Curve
from scoring.engine.types import Contestant, Event, Seat
from scoring.regulations.aeb.scheme import Scheme

from .examples import Example
from .figures import whole

FORMULA = Curve(Decimal(20), Decimal(10), Decimal(1))  # the example below formula 1
# Players by category in the example of C4; None is without category.
FIELDS = {
    "aeb-2022": {"3C": 3, "2D": 4, "2P": 3, "1P": 5, "MN": 2, "MM": 1, None: 2},
    "aeb-2026": {"3D": 2, "3C": 3, "2D": 4, "2P": 3, "1P": 5, "MN-O": 2, "MM-O": 1},
}


def examples_of(scheme: Scheme) -> list[Example]:
    """Return the examples of the regulation's document, in its order."""
    return {"aeb-2022": _of_2022, "aeb-2026": _of_2026}[scheme.code](scheme)


def _formula(year: str) -> list[Example]:
    cut = _("cut off, not rounded")
    intercept = FORMULA.bare(Decimal(0))
    case = _("n = 20, Pmax = 10, Pmin = 1")
    return [
        Example(
            f"e{year}-01",
            _("%(given)s: slope") % {"given": case},
            "-8.073",
            FORMULA.bare(Decimal(1)) - intercept,
            cut,
        ),
        Example(f"e{year}-02", _("%(given)s: intercept") % {"given": case}, "18.073", intercept, cut),
        Example(f"e{year}-03", f"{case}: P(6)", "5.44", FORMULA.at(Decimal(6))),
    ]


def _c2(row: str, scheme: Scheme, boards: int, printed: str, reason: str = "") -> Example:
    return Example(row, f"C2, m = {whole(boards)}", printed, scheme.c2(boards), reason)


def _c3(row: str, scheme: Scheme, pairs: int, printed: str, reason: str = "") -> Example:
    return Example(row, f"C3, n = {whole(pairs)}", printed, scheme.c3(pairs), reason)


def _c4(row: str, scheme: Scheme, printed: str) -> Example:
    codes = list(Counter(FIELDS[scheme.code]).elements())
    contestants = tuple(
        Contestant(str(k), place=k, seats=(Seat(str(k), code, True),)) for k, code in enumerate(codes, 1)
    )
    event = Event("pool", "individual", 24, "in_person", contestants)
    return Example(row, _("C4 of the field of the example"), printed, scheme.score(event).coefficients["C4"])


def _first(scheme: Scheme, **values) -> Decimal:
    """Return the winner's points of a club pool, with ``values`` replaced."""
    event = Event(
        format="pairs",
        contestants=(Contestant("1", i=Decimal(1)),),
        **{"event_type": "pool", "venue": "in_person", **values},
    )
    return scheme.score(event).p_max


def _largest_pool(scheme: Scheme, category: str) -> Decimal:
    value = scheme.categories.find(category).value
    return _first(scheme, boards=120, contestant_count=120, c4=value)


def _of_2022(scheme: Scheme) -> list[Example]:
    cut = _("cut off, not rounded")
    return [
        *_formula("22"),
        _c2("e22-04", scheme, 48, "1.177", cut),
        _c2("e22-05", scheme, 80, "1.269"),
        _c3("e22-06", scheme, 48, "1.334", cut),
        _c3("e22-07", scheme, 80, "1.475"),
        _c4("e22-08", scheme, "1.145"),
        Example("e22-10", _("Largest pool, all of them world masters"), "29.16", _largest_pool(scheme, "MM")),
        _c2("e22-11", scheme, 14, "1.00"),
        _c2("e22-12", scheme, 120, "1.35"),
        _c3("e22-13", scheme, 10, "1.00"),
        _c3("e22-14", scheme, 120, "1.60"),
        Example(
            "e22-15",
            _("Teams championship, Open: points of the first"),
            "384",
            _first(
                scheme,
                event_type="teams_championship_open",
                boards=80,
                contestant_count=12,
                c4=Decimal("1.32"),
            ),
            _("its own table 7 prints 389.10"),
        ),
        _c3("e22-16", scheme, 48, "1.32", _("the table has 45 pairs, which give 1.32")),
        Example(
            "e22-17",
            _("Online pool of 60 pairs, C4 = 1.18: points of the first"),
            "4.11",
            _first(scheme, boards=14, contestant_count=60, c4=Decimal("1.18"), venue="online"),
        ),
    ]


def _of_2026(scheme: Scheme) -> list[Example]:
    rows = scheme.categories.rows
    return [
        *_formula("26"),
        _c2("e26-04", scheme, 52, "1.62"),
        _c2("e26-05", scheme, 90, "2.15"),
        _c3("e26-06", scheme, 35, "1.88"),
        _c3("e26-07", scheme, 90, "3.02"),
        _c4("e26-08", scheme, "1.731"),
        Example("e26-11", _("Greatest C4"), "3.09", rows[-1].value, _("table 2 goes up to 3.77")),
        Example("e26-12", _("Least C4"), "1.20", rows[0].value, _("table 2 begins with 1.10")),
        Example(
            "e26-13",
            _("Largest pool"),
            "135.2",
            _largest_pool(scheme, rows[-1].code),
            _("computed with 3.09 instead of the 3.77 of table 2"),
        ),
        _c2("e26-14", scheme, 20, "1.00"),
        _c2("e26-15", scheme, 120, "2.50"),
        _c3("e26-16", scheme, 10, "1.00"),
        _c3("e26-17", scheme, 120, "3.50"),
    ]
