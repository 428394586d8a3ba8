"""The colour of ACBL points follows every rule of the sources, and is empty where they give none."""

import pytest

from scoring.ledger import place_wording
from scoring.regulations.acbl.pigments import PIGMENTS, pigment
from scoring.regulations.acbl.tables import RATINGS


@pytest.mark.parametrize(
    ("event", "colour"),
    [
        (("club", "in_person"), "black"),
        (("club", "online"), "none"),
        (("club", "online_supervised"), "none"),
        (("overall", "online", "national"), "none"),
        (("overall", "in_person", "sectional"), "silver"),
        (("overall", "in_person", "regional"), "gold"),
        (("overall", "in_person", "regional", "300"), "gold"),
        (("overall", "in_person", "national"), "platinum"),
        (("overall", "in_person", "national", "750"), "gold"),
        (("overall", "in_person", "national", "0-1500"), "gold"),
        (("overall", "in_person", "national", "749"), ""),
        (("overall", "in_person", "national", "Novices"), ""),
        (("overall", "in_person", "unit"), ""),
        (("overall", "in_person", ""), ""),
    ],
)
def test_the_colour_of_points_depends_on_kind_venue_rating_and_limit(event, colour):
    assert pigment(*event) == colour


def test_every_rating_has_one_of_the_known_colours():
    result = {pigment("overall", "in_person", rating, limit) for rating in RATINGS for limit in ("", "200")}
    assert result <= set(PIGMENTS) and len(result) == 4


def test_every_colour_of_points_has_a_name():
    assert set(place_wording.PIGMENTS) == set(PIGMENTS)
