"""The JSON schemas of Swedish bronze and silver points."""

from scoring.regulations.json_schema import Json, Schema, numerals, one_of, ref
from scoring.regulations.places.json_schema import RESULT, event

from .rules import BRONZE, MOST_DECIMALS, SILVER_POINTS, Sbf2019
from .tables import PLACES_TABLES


def _decimals(scheme: Sbf2019) -> Json:
    values = numerals(range(MOST_DECIMALS + 1))
    return one_of(values, "Decimals of the points", default=scheme.default_decimals)


BRONZE_SCHEMA = Schema(
    event(
        "sbf-bronze",
        "Swedish bronze points",
        (),
        {
            "decimals": _decimals(BRONZE),
            "places_table": one_of(
                PLACES_TABLES,
                "The factor from place to place: interpolated or three quarters",
                default=PLACES_TABLES[0],
            ),
        },
    ),
    RESULT,
)
SILVER_SCHEMA = Schema(
    event(
        "sbf-silver",
        "Swedish silver points",
        ("boards",),
        {"boards": ref("natural"), "decimals": _decimals(SILVER_POINTS)},
    ),
    RESULT,
)
