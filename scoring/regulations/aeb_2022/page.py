"""The parts of the page that only AEB 2022 has: examples, printed tables and misprints."""

from decimal import Decimal

from scoring.regulations.aeb.examples import c2, c3, c4, first_of_pool, formula, largest_pool
from scoring.regulations.aeb.notes import RULINGS as SHARED
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.page import Erratum, Example
from scoring.regulations.texts import _

RULINGS = (
    *SHARED,
    _("The 0.03 that table 3 prints for the last individual belongs to the 49th; the 50th gets it too."),
)

ERRATA = (
    # The rows of C1 and C3 in table 7 have slipped by one column.
    Erratum(_("Table 7, C1 of the team divisions"), "225 · 168.75 · 112.5", "168.75 · 112.5 · 225"),
    Erratum(_("Table 7, C3 of the first and fourth column"), "1.03 · 1.22", "1.22 · 1.03"),
    # Section 2 and the table itself have the right number.
    Erratum(_("Below table 3, C5 of the online pools"), "0.15", "0.25"),
    Erratum(_("Below table 7, pairs of the pairs championships"), "48", "45"),
    # Table 7 prints 389.10.
    Erratum(_("Last sentence, greatest award of the examples"), "384", "389.10"),
    Erratum(_("Example of formula 1, exponent"), "−0.25", "+0.25"),
    Erratum(_("Name of the curve"), _("exponential"), _("a power of i")),
)

# The number of players by category in the example of C4. The key None stands for players without a category.
FIELD: dict[str | None, int] = {"3C": 3, "2D": 4, "2P": 3, "1P": 5, "MN": 2, "MM": 1, None: 2}


def examples(scheme: Scheme) -> list[Example]:
    """Return the examples of the document, in its order."""
    cut = _("cut off, not rounded")
    return [
        *formula("22"),
        c2("e22-04", scheme, 48, "1.177", cut),
        c2("e22-05", scheme, 80, "1.269"),
        c3("e22-06", scheme, 48, "1.334", cut),
        c3("e22-07", scheme, 80, "1.475"),
        c4("e22-08", scheme, FIELD, "1.145"),
        Example("e22-10", _("Largest pool, all of them world masters"), "29.16", largest_pool(scheme, "MM")),
        c2("e22-11", scheme, 14, "1.00"),
        c2("e22-12", scheme, 120, "1.35"),
        c3("e22-13", scheme, 10, "1.00"),
        c3("e22-14", scheme, 120, "1.60"),
        Example(
            "e22-15",
            _("Teams championship, Open: points of the first"),
            "384",
            first_of_pool(
                scheme,
                event_type="teams_championship_open",
                boards=80,
                contestant_count=12,
                c4=Decimal("1.32"),
            ),
            _("its own table 7 prints 389.10"),
        ),
        c3("e22-16", scheme, 48, "1.32", _("the table has 45 pairs, which give 1.32")),
        Example(
            "e22-17",
            _("Online pool of 60 pairs, C4 = 1.18: points of the first"),
            "4.11",
            first_of_pool(scheme, boards=14, contestant_count=60, c4=Decimal("1.18"), venue="online"),
        ),
    ]
