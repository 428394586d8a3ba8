"""The JSON schemas of the ACBL's overall and club awards."""

from scoring.regulations.json_schema import INTEGER, Schema, closed, either, numerals, one_of, ref, text
from scoring.regulations.places.json_schema import RESULT, event

from . import tables

OVERALL_SCHEMA = Schema(
    event(
        "acbl-overall",
        "ACBL overall awards",
        ("tables", "rating", "sessions", "factors"),
        {
            "tables": {
                "description": "Tables, in halves",
                **either({**INTEGER, "minimum": 1}, text(r"^[0-9]{1,12}(\.[05]0*)?$")),
            },
            "rating": one_of(tables.RATINGS),
            "sessions": one_of(numerals(range(1, tables.MOST_SESSIONS + 1))),
            "restriction": one_of(tables.RESTRICTIONS, default="none"),
            "factors": closed(
                tables.UNSOURCED,
                {
                    **{name: ref("amount", "A multiplier from 0.0001 to 1000") for name in tables.FACTORS},
                    "depth": ref("amount", "Share of the contestants that is paid"),
                },
            ),
        },
    ),
    RESULT,
)
CLUB_SCHEMA = Schema(
    event(
        "acbl-club",
        "ACBL club awards",
        (),
        {
            "factors": closed(
                (),
                {"depth": ref("amount", "Share of the contestants that is paid, 0.4 unless given")},
            )
        },
    ),
    RESULT,
)
