"""The parts of the page that only AEB 2026 has: examples, rulings and misprints."""

from scoring.regulations.aeb.examples import c2, c3, c4, formula, largest_pool
from scoring.regulations.aeb.notes import RULINGS as SHARED
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.page import Erratum, Example
from scoring.regulations.texts import _

RULINGS = (
    *SHARED,
    _("C4 is taken from table 2, from 1.10 to 3.77; the text speaks of 1.2 to 3.09."),
    _("MN and MM without a section are read as MN-O and MM-O, as the document's own example does."),
    _("The licence has to be valid on the tournament's last day, and exactly 90 per cent is enough."),
)

ERRATA = (
    # 3.09 is near the 3.07 of MM-D and MM-S; table 2 goes on to MM-O.
    Erratum(_("Section 2, range of C4"), "1.2–3.09", "1.10–3.77"),
    Erratum(_("Section 2, greatest award of a pool"), "135.2", "164.9"),
    # The printed numbers are cut off, not rounded.
    Erratum(_("Example of formula 1"), "−8.073 · 18.073", "−8.074 · 18.074"),
)

# The number of players by category in the example of C4.
FIELD: dict[str | None, int] = {"3D": 2, "3C": 3, "2D": 4, "2P": 3, "1P": 5, "MN-O": 2, "MM-O": 1}


def examples(scheme: Scheme) -> list[Example]:
    """Return the examples of the document, in its order."""
    rows = scheme.categories.rows
    return [
        *formula("26"),
        c2("e26-04", scheme, 52, "1.62"),
        c2("e26-05", scheme, 90, "2.15"),
        c3("e26-06", scheme, 35, "1.88"),
        c3("e26-07", scheme, 90, "3.02"),
        c4("e26-08", scheme, FIELD, "1.731"),
        Example("e26-11", _("Greatest C4"), "3.09", rows[-1].value, _("table 2 goes up to 3.77")),
        Example("e26-12", _("Least C4"), "1.20", rows[0].value, _("table 2 begins with 1.10")),
        Example(
            "e26-13",
            _("Largest pool"),
            "135.2",
            largest_pool(scheme, rows[-1].code),
            _("computed with 3.09 instead of the 3.77 of table 2"),
        ),
        c2("e26-14", scheme, 20, "1.00"),
        c2("e26-15", scheme, 120, "2.50"),
        c3("e26-16", scheme, 10, "1.00"),
        c3("e26-17", scheme, 120, "3.50"),
    ]
