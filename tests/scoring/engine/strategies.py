"""Hypothesis strategies that draw random eligible events."""

from hypothesis import strategies as st

from scoring.engine.types import FORMATS, PLACE_RULES, TIES, Contestant, Event, Seat

SEATS_EACH = {"pairs": 2, "teams": 4, "individual": 1}


@st.composite
def places(draw, largest=40):
    """Draw a ranking with ties (1, 2, 2, 4) in random order."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=largest))
    ranking, place = [], 1
    for size in sizes:
        ranking += [place] * size
        place += size
    return draw(st.permutations(ranking[:largest]))


@st.composite
def events(draw, regulation, ties=TIES):
    """Draw a pool, or an event of the last type in table 1 of the regulation, with enough boards to count.

    There are up to 40 contestants, all licensed.
    """
    categories = [None, *(row.code for row in regulation.categories.rows), *regulation.categories.aliases]
    minimum = regulation.minimum_boards
    event_format = draw(st.sampled_from(FORMATS))
    contestants = tuple(
        Contestant(
            id=str(number),
            place=place,
            seats=tuple(
                Seat(f"{number}-{seat}", draw(st.sampled_from(categories)), True)
                for seat in range(SEATS_EACH[event_format])
            ),
        )
        for number, place in enumerate(draw(places()))
    )
    return Event(
        event_type=draw(st.sampled_from(("pool", regulation.event_types.rows[-1].code))),
        format=event_format,
        boards=draw(st.integers(minimum.boards if minimum else 1, 130)),
        venue=draw(st.sampled_from(("in_person", "online_supervised", "online"))),
        contestants=contestants,
        ties=draw(st.sampled_from(ties)),
        place_rule=draw(st.sampled_from(PLACE_RULES)),
    )
