"""Rules and players for tests of the selection, and a slow selection to compare with."""

from decimal import Decimal
from fractions import Fraction
from math import ceil

from hypothesis import strategies as st

from scoring.promotions.pure.selection import Entrant, PlaceState, Rule

NO_RULE = Rule(
    share=None,
    minimum=0,
    count=None,
    points=None,
    tournaments=0,
    licence=True,
    average=None,
    effect="none",
    blocked_place="passes",
    demote_below=None,
)


def rule(**fields) -> Rule:
    """Return the rule of the shipped rule sets: share 10 %, at least one place, licence required.

    fields: criteria that replace those of the shipped rule
    """
    values = {name: getattr(NO_RULE, name) for name in NO_RULE.__dataclass_fields__}
    return Rule(**{**values, "share": Fraction(1, 10), "minimum": 1, **fields})


def entrant(player_id: int, points: int, **fields) -> Entrant:
    """Return a player with these points who meets every other criterion.

    points: hundredths
    fields: figures that replace the defaults
    """
    values = {
        "in_person": points,
        "online": 0,
        "tournaments": 10,
        "boards": 240,
        "licensed": True,
        "deceased": False,
        "club_id": None,
        "average": Decimal("52.5000"),
    }
    return Entrant(player_id=player_id, points=points, **{**values, **fields})


AVERAGES = st.none() | st.sampled_from([Decimal("49.9999"), Decimal("50.0000"), Decimal("50.0001")])
ENTRANTS = st.lists(
    st.builds(
        entrant,
        player_id=st.just(0),
        points=st.integers(-5, 30),
        tournaments=st.integers(0, 4),
        licensed=st.sampled_from([True, True, True, False]),
        deceased=st.sampled_from([False, False, False, False, True]),
        average=AVERAGES,
    ),
    max_size=40,
).map(lambda chosen: [item._replace(player_id=number) for number, item in enumerate(chosen, start=1)])
SHARES = st.fractions(min_value=Fraction(1, 1000), max_value=1)
RULES = st.builds(
    Rule,
    share=st.none() | SHARES,
    minimum=st.integers(0, 5),
    count=st.none() | st.integers(0, 12),
    points=st.none() | st.integers(1, 30),
    tournaments=st.integers(0, 3),
    licence=st.booleans(),
    average=st.none() | st.just(Decimal("50.00")),
    effect=st.sampled_from(["none", "warn", "block"]),
    blocked_place=st.sampled_from(["passes", "empty"]),
    demote_below=st.none() | st.integers(1, 30),
).filter(lambda chosen: chosen.share is not None or chosen.count is not None or chosen.points is not None)


# --- The slow selection ---------------------------------------------------------------------------------
def fails(entrant: Entrant, by: Rule) -> PlaceState | None:
    """Return why a player cannot take a place, regardless of all other players; None if the player can."""
    if entrant.deceased:
        return PlaceState.DECEASED
    if by.licence and not entrant.licensed:
        return PlaceState.UNLICENSED
    if by.points is not None and entrant.points < by.points:
        return PlaceState.LOW
    if entrant.tournaments < by.tournaments:
        return PlaceState.FEW
    return None


def too_low(entrant: Entrant, by: Rule) -> bool:
    return by.average is not None and entrant.average is not None and entrant.average < by.average


def quota_of(listed: int, by: Rule) -> int:
    quotas = [listed]
    if by.share is not None:
        quotas.append(max(ceil(by.share * listed), by.minimum))
    if by.count is not None:
        quotas.append(by.count)
    return min(quotas)


def slow(players: list[Entrant], by: Rule) -> dict[int, PlaceState]:
    """Return {player id: state} of all players with points, by a slow and simple selection.

    Of the players who meet the criteria, those with most points get the places of the list. Those with equal
    points all get a place, or none of them does.
    """
    playing = [player for player in players if player.points > 0]
    quota = left = quota_of(len([item for item in playing if item.licensed or not by.licence]), by)
    holders: list[Entrant] = []
    waiting = [
        item
        for item in playing
        if not fails(item, by)
        and not (by.effect == "block" and by.blocked_place == "passes" and too_low(item, by))
    ]
    while left and waiting:
        best = max(item.points for item in waiting)
        group = [item for item in waiting if item.points == best]
        waiting = [item for item in waiting if item.points != best]
        holders += group
        left = max(0, left - len(group))
    last = min((holder.points for holder in holders), default=None)
    crowded = not left and sum(holder.points == last for holder in holders) > 1

    def state(entrant: Entrant) -> PlaceState:
        # If places are left over, there is no cut to reach.
        within = quota > 0 and (left > 0 or (last is not None and entrant.points >= last))
        result = slow_state(entrant, by, within, crowded and entrant.points == last)
        stays = result not in (
            PlaceState.MOVES,
            PlaceState.TIED,
            PlaceState.WARNED,
            PlaceState.DECEASED,
            PlaceState.UNLICENSED,
        )
        falls = by.demote_below is not None and entrant.points < by.demote_below
        return PlaceState.DOWN if stays and falls else result

    return {entry.player_id: state(entry) for entry in playing}


def slow_state(entrant: Entrant, by: Rule, within: bool, tied: bool) -> PlaceState:
    failed = fails(entrant, by)
    if failed in (PlaceState.DECEASED, PlaceState.UNLICENSED, PlaceState.LOW):
        return failed
    if not within:
        return PlaceState.BELOW
    if failed:
        return failed
    if too_low(entrant, by) and by.effect != "none":
        return PlaceState.BLOCKED if by.effect == "block" else PlaceState.WARNED
    return PlaceState.TIED if tied else PlaceState.MOVES
