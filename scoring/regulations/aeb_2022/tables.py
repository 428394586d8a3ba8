"""The numbers of AEB 2022, with the article and table that print them."""

from decimal import Decimal

from scoring.regulations.aeb.shapes import RootCurve, Row, Table
from scoring.regulations.filing import PAIRS, TEAMS, Filing
from scoring.regulations.labels import gettext_noop

EVENT_TYPES = Table(
    name="1",
    article="2.1",
    rows=(
        Row("pool", Decimal("10"), gettext_noop("Club pool (or equivalent)")),
        Row("regional", Decimal("30"), gettext_noop("Regional AEB tournament (or equivalent)")),
        Row("national", Decimal("70"), gettext_noop("National AEB tournament (or equivalent)")),
        Row(
            "selection_mixed_women_senior",
            Decimal("70"),
            gettext_noop("Selection trials, Mixed, Women or Senior teams"),
        ),
        Row("selection_open", Decimal("100"), gettext_noop("Selection trials, Open teams")),
        Row("zonal", Decimal("100"), gettext_noop("Zonal qualifier of the Spanish Open Championship")),
        Row(
            "mixed_women_teams_diamond",
            Decimal("50"),
            gettext_noop("Spanish Mixed or Women Teams Championship (Diamond)"),
        ),
        Row(
            "mixed_women_teams_heart",
            Decimal("75"),
            gettext_noop("Spanish Mixed or Women Teams Championship (Heart)"),
        ),
        Row(
            "mixed_women_teams_open",
            Decimal("100"),
            gettext_noop("Spanish Mixed or Women Teams Championship (Open)"),
        ),
        Row(
            "pairs_championship_diamond",
            Decimal("75"),
            gettext_noop("Spanish Pairs Championship (Diamond)"),
        ),
        Row("pairs_championship_heart", Decimal("112.5"), gettext_noop("Spanish Pairs Championship (Heart)")),
        Row("pairs_championship_open", Decimal("150"), gettext_noop("Spanish Pairs Championship (Open)")),
        Row(
            "teams_championship_diamond",
            Decimal("112.5"),
            gettext_noop("Spanish Open Teams Championship (Diamond)"),
        ),
        Row(
            "teams_championship_heart",
            Decimal("168.75"),
            gettext_noop("Spanish Open Teams Championship (Heart)"),
        ),
        Row(
            "teams_championship_open",
            Decimal("225"),
            gettext_noop("Spanish Open Teams Championship (Open)"),
        ),
    ),
)

FILING = Filing(
    alone=frozenset({"pool"}),
    regional=frozenset({"regional"}),
    formats={
        **dict.fromkeys(("selection_mixed_women_senior", "selection_open"), TEAMS),
        **{
            f"{name}_{division}": formats
            for name, formats in (
                ("mixed_women_teams", TEAMS),
                ("pairs_championship", PAIRS),
                ("teams_championship", TEAMS),
            )
            for division in ("diamond", "heart", "open")
        },
    },
)

C2 = RootCurve(
    article="2.2",
    equation="2",
    variable="m",
    factor=Decimal("0.2545"),
    degree=4,
    offset=Decimal("0.5077"),
    low=14,
    low_value=Decimal("1"),
    high=120,
    high_value=Decimal("1.35"),
)

C3 = RootCurve(
    article="2.3",
    equation="3",
    variable="n",
    factor=Decimal("0.3918"),
    degree=4,
    offset=Decimal("0.3033"),
    low=10,
    low_value=Decimal("1"),
    high=120,
    high_value=Decimal("1.6"),
)

# From the lowest category to the highest.
CATEGORIES = Table(
    name="2",
    article="2.4",
    rows=(
        Row("3D", Decimal("1"), "3♦"),
        Row("3C", Decimal("1.02"), "3♥"),
        Row("3P", Decimal("1.04"), "3♠"),
        Row("2D", Decimal("1.06"), "2♦"),
        Row("2C", Decimal("1.08"), "2♥"),
        Row("2P", Decimal("1.10"), "2♠"),
        Row("1D", Decimal("1.13"), "1♦"),
        Row("1C", Decimal("1.17"), "1♥"),
        Row("1P", Decimal("1.22"), "1♠"),
        Row("MN", Decimal("1.28"), "MN"),
        Row("MM", Decimal("1.35"), "MM"),
    ),
)
