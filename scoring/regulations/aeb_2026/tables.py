"""The numbers of AEB 2026, with the article and table that print them."""

from decimal import Decimal

from scoring.regulations.aeb.shapes import MinimumBoards, MinimumLicences, RootCurve, Row, Table
from scoring.regulations.filing import PAIRS, TEAMS, Filing
from scoring.regulations.labels import gettext_noop

EVENT_TYPES = Table(
    name="1",
    article="2.1",
    rows=(
        Row("pool", Decimal("5"), gettext_noop("Club pool (or equivalent)")),
        Row("regional", Decimal("15"), gettext_noop("Regional AEB tournament (or equivalent)")),
        Row("national", Decimal("25"), gettext_noop("National AEB tournament (or equivalent)")),
        Row(
            "selection_mixed_women_senior",
            Decimal("30"),
            gettext_noop("Selection trials, Mixed, Women or Senior teams"),
        ),
        Row("selection_open", Decimal("40"), gettext_noop("Selection trials, Open teams")),
        Row("zonal", Decimal("30"), gettext_noop("Zonal qualifier of the Spanish Open Championship")),
        Row("mixed_women_teams", Decimal("34"), gettext_noop("Spanish Mixed or Women Teams Championship")),
        Row("pairs_championship", Decimal("40"), gettext_noop("Spanish Pairs Championship")),
        Row("league", Decimal("54"), gettext_noop("AEB League")),
        Row("teams_championship", Decimal("58"), gettext_noop("Spanish Teams Championship")),
    ),
)

FILING = Filing(
    alone=frozenset({"pool"}),
    regional=frozenset({"regional"}),
    formats={
        "selection_mixed_women_senior": TEAMS,
        "selection_open": TEAMS,
        "mixed_women_teams": TEAMS,
        "pairs_championship": PAIRS,
        "league": TEAMS,
        "teams_championship": TEAMS,
    },
)

C2 = RootCurve(
    article="2.2",
    equation="2",
    variable="m",
    factor=Decimal("0.23"),
    degree=2,
    offset=Decimal("-0.035"),
    low=20,
    low_value=Decimal("1"),
    high=120,
    high_value=Decimal("2.5"),
)

C3 = RootCurve(
    article="2.3",
    equation="3",
    variable="n",
    factor=Decimal("0.32"),
    degree=2,
    offset=Decimal("-0.012"),
    low=10,
    low_value=Decimal("1"),
    high=120,
    high_value=Decimal("3.5"),
)

# Categories from the lowest to the highest, titles ordered by value. The titles of 2022 do not distinguish
# open, women and senior. They count as open, as in the document's own worked example.
CATEGORIES = Table(
    name="2",
    article="2.4",
    rows=(
        Row("3D", Decimal("1.10"), "3♦"),
        Row("3C", Decimal("1.12"), "3♥"),
        Row("3P", Decimal("1.16"), "3♠"),
        Row("2D", Decimal("1.23"), "2♦"),
        Row("2C", Decimal("1.33"), "2♥"),
        Row("2P", Decimal("1.46"), "2♠"),
        Row("1D", Decimal("1.64"), "1♦"),
        Row("1C", Decimal("1.87"), "1♥"),
        Row("1P", Decimal("2.17"), "1♠"),
        Row("MN-D", Decimal("2.37"), "MN-D"),
        Row("MN-S", Decimal("2.37"), "MN-S"),
        Row("MN-O", Decimal("2.57"), "MN-O"),
        Row("ME-D", Decimal("2.90"), "ME-D"),
        Row("ME-S", Decimal("2.90"), "ME-S"),
        Row("MM-D", Decimal("3.07"), "MM-D"),
        Row("MM-S", Decimal("3.07"), "MM-S"),
        Row("ME-O", Decimal("3.50"), "ME-O"),
        Row("MM-O", Decimal("3.77"), "MM-O"),
    ),
    aliases={"MN": "MN-O", "MM": "MM-O"},
)

# Stated in the unnumbered summary at the beginning of the document.
MINIMUM_BOARDS = MinimumBoards(boards=20, article="0")
MINIMUM_LICENCES = MinimumLicences(per_cent=90, event_types=("pool",), article="0")
