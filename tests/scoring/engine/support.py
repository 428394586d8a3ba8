"""Helpers that create events, and that read the golden files with the published numbers."""

import csv
from decimal import ROUND_HALF_UP, Decimal, localcontext

from scoring.engine.types import Contestant, Event, Seat
from scoring.regulations import FOLDERS, of_family
from tests.folders import REGULATIONS


def golden(folder, name):
    """Return the rows of a golden file in a regulation's folder, as dicts."""
    with (REGULATIONS / folder / "golden" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def has_golden(folder, name):
    return (REGULATIONS / folder / "golden" / f"{name}.csv").exists()


def golden_of(regulation, name):
    """Return the rows of a regulation's golden file.

    If the regulation has no golden file of this name, return the rows of the latest earlier regulation that
    has it.
    """
    family = of_family(regulation.family)
    years = family[family.index(regulation) :: -1]
    return golden(next(FOLDERS[year.code] for year in years if has_golden(FOLDERS[year.code], name)), name)


def category_code(printed):
    """Return the code of a category that is printed with the letter of an English suit: 3H (hearts) is 3C."""
    return (
        printed.translate(str.maketrans("HS", "CP"))
        if len(printed) == 2 and printed[0].isdigit()
        else printed
    )


def half_up(value, decimals):
    with localcontext(prec=100):
        return Decimal(value).quantize(Decimal(1).scaleb(-int(decimals)), rounding=ROUND_HALF_UP)


def numbers(args):
    """Parse 'i=6;n=20' to {'i': Decimal(6), 'n': Decimal(20)}. Parts without '=' are left out."""
    pairs = (part.split("=") for part in args.split(";") if "=" in part)
    return {name: Decimal(value) for name, value in pairs}


def check_row(row, value):
    """Assert that a rounded value is a golden row's printed number or, for a misprint, the corrected one."""
    printed = Decimal(row["published"])
    rounded = half_up(value, row["decimals"])
    if row["status"] == "ok":
        assert rounded == printed
    else:
        assert row["status"] == "erratum"
        assert rounded == half_up(row["corrected"], row["decimals"])
        assert rounded != printed


def pairs_at(places, category="3D", licensed=True):
    """Return pairs with these places; all players have the same category."""
    return tuple(
        Contestant(
            id=str(number),
            place=place,
            seats=(Seat(f"{number}a", category, licensed), Seat(f"{number}b", category, licensed)),
        )
        for number, place in enumerate(places, start=1)
    )


def event(places=(1, 2, 3, 4), category="3D", licensed=True, **changes):
    """Return an event of pairs with these places, by default a pool of 24 boards, in person."""
    values = {
        "event_type": "pool",
        "format": "pairs",
        "boards": 24,
        "venue": "in_person",
        "contestants": pairs_at(places, category, licensed),
    }
    return Event(**(values | changes))
