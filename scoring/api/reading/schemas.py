"""The documents of the addresses that anybody may read.

Numbers with decimals are texts with a point, dates ISO. Names of people are those of the pages: of a hidden
player, only the number.
"""

from datetime import date, datetime

from django.utils.translation import gettext_noop as _
from ninja import Field, Schema

from scoring.api.numbers import Number, Points

NEXT = Field(description=_("address of the next document of this list; null in the last one"))


class RegionRef(Schema):
    """A region."""

    code: str
    name: str


class ClubRef(Schema):
    """A club, as other documents name it."""

    code: str
    name: str


class ClubOut(Schema):
    """An active club."""

    code: str
    name: str
    city: str
    region: RegionRef
    url: str = Field(description=_("its page for people"))


class ClubsOut(Schema):
    """The active clubs by code."""

    items: list[ClubOut]
    next: str | None = NEXT


class PlayerOut(Schema):
    """A player as the public sees it. The number is that of today, if the one asked for was merged."""

    number: str
    name: str = Field(description=_("of a hidden player, only the number"))
    club: ClubRef | None
    region: RegionRef | None
    category: str | None = Field(examples=["2P"])
    licence: str = Field(description=_("valid, lapsed, foreign or none"))
    as_of: date = Field(description=_("the day of category and licence"))
    url: str = Field(description=_("the player's page for people"))


class WeekOut(Schema):
    """What changed in the last seven days."""

    points: Points
    places: int | None = Field(description=_("places up, negative if down; null if in no list now or then"))


class PlayerStandingOut(Schema):
    """A player's points of the twelve months up to a day, and the place among the players of the category."""

    number: str
    as_of: date
    category: str | None
    points: Points
    points_in_person: Points
    points_online: Points
    tournaments: int = Field(description=_("how many gave these points"))
    licensed: bool
    rank: int | None = Field(description=_("null if the standings do not list the player"))
    of: int | None = Field(description=_("players of the category in the standings; null without a rank"))
    week: WeekOut


class AwardOut(Schema):
    """An entry of the ledger. Entries are never changed: a correction adds a reversal and a new award."""

    id: int
    kind: str = Field(description=_("award, reversal, opening or adjustment"))
    played_on: date
    leaves_on: date = Field(description=_("first day on which it no longer counts in the standings"))
    title: str
    tournament: int | None = Field(description=_("id; null for points from before and by hand"))
    club: str = Field(description=_("name; empty without a tournament"))
    place: int | None
    contestants: int | None = Field(description=_("of the ranking, or of its line of play"))
    points: Points
    online: bool
    cancelled: str | None = Field(description=_("annulled, replaced or taken_back; null if it stands"))
    url: str = Field(description=_("its receipt for people"))


class AwardsOut(Schema):
    """A player's points of one points system, entry by entry, the latest tournament first."""

    number: str
    family: str
    items: list[AwardOut]
    next: str | None = NEXT


class RankedOut(Schema):
    """A player's row of the standings."""

    rank: int
    shared: bool = Field(description=_("whether others have the same rank"))
    number: str
    name: str
    club: str | None = Field(description=_("name"))
    points: Points
    points_in_person: Points
    points_online: Points
    tournaments: int


class StandingsOut(Schema):
    """The standings of a category, or of a points system without categories.

    A rank counts all players of the category in the chosen venue, also those that region and club leave out.
    """

    category: str | None
    family: str
    as_of: date
    venue: str | None = Field(description=_("in_person or online; null for the sum of both"))
    players: int = Field(description=_("in the list without region and club"))
    items: list[RankedOut]
    next: str | None = NEXT


class TournamentRef(Schema):
    """A tournament in a list."""

    id: int
    name: str
    end_date: date
    club: ClubRef
    format: str = Field(description=_("pairs, teams or individual"))
    event_type: str
    boards_scheduled: int
    counts: bool | None = Field(description=_("whether it gave points; null if not known yet"))
    annulled: bool
    waiting: bool = Field(description=_("whether a second person has still to approve points"))
    url: str = Field(description=_("its page for people"))


class TournamentsOut(Schema):
    """The tournaments, the latest first."""

    items: list[TournamentRef]
    next: str | None = NEXT


class SeatOut(Schema):
    """A person of a contestant."""

    number: str | None = Field(description=_("null for guests"))
    name: str = Field(description=_("empty if a guest's name may be that of a hidden player"))
    category: str | None = Field(description=_("with which the strength of the field was computed"))


class PlacedOut(Schema):
    """A pair, team or player in a ranking."""

    place: int
    shared: bool = Field(description=_("whether others have the same place"))
    direction: str | None = Field(description=_("NS or EW, if there are two rankings"))
    label: str = Field(description=_("number in the scoring program"))
    team: str
    percentage: Number | None
    score: Number | None
    points: Points | None = Field(description=_("of each licensed player; null if none"))
    people: list[SeatOut]


class PlayerAwardOut(Schema):
    """The points that a player has from a tournament now."""

    number: str
    name: str
    points: Points


class CoefficientsOut(Schema):
    """What the regulation computed of a ranking."""

    direction: str | None = Field(description=_("NS or EW, if there are two rankings"))
    n: Number = Field(description=_("size of the field"))
    coefficients: dict[str, Number] = Field(examples=[{"C1": "5", "C2": "1.0954"}])
    p_max: Number = Field(description=_("points of the first place, unrounded"))
    p_min: Number = Field(description=_("points of the last place that has any, unrounded"))


class TournamentOut(Schema):
    """A tournament with its published ranking."""

    id: int
    name: str
    club: ClubRef
    start_date: date
    end_date: date
    family: str = Field(description=_("of its points"))
    event_type: str
    format: str
    venue: str
    boards: int = Field(description=_("played by the winner"))
    boards_scheduled: int
    regulation: str | None = Field(description=_("code; null before it is scored"))
    counts: bool | None = Field(description=_("whether it gave points; null before it is scored"))
    reasons: list[str] = Field(description=_("codes why it gave no points"))
    annulled: bool
    revision: int | None = Field(description=_("1, or more after corrections; null before it is published"))
    computed: list[CoefficientsOut]
    ranking: list[PlacedOut]
    awards: list[PlayerAwardOut] = Field(description=_("most points first"))
    url: str = Field(description=_("its page for people"))


class RegulationRef(Schema):
    """A regulation in a list."""

    code: str
    name: str
    title: str
    family: str
    valid_from: date | None = Field(description=_("null if it is chosen by code and not by date"))
    valid_to: date | None
    in_force: bool = Field(description=_("today, by its dates"))


class RegulationsOut(Schema):
    """All regulations, those of a family together, the oldest of it first."""

    items: list[RegulationRef]


class TableOut(Schema):
    """A table of a regulation. Numbers have a point; words are in the language of the request."""

    section: str
    caption: str
    source: str = Field(description=_("the article that prints it"))
    columns: list[str]
    rows: list[list[str]]


class RegulationOut(RegulationRef):
    """A regulation with its tables, as its page shows them."""

    document: str
    tables: list[TableOut]
    url: str = Field(description=_("its page for people"))


class PromotedOut(Schema):
    """A player's row of a published list."""

    rank: int | None = Field(description=_("null for who has no place and moves by a decision"))
    number: str = Field(description=_("that of the list, also if it was merged since"))
    name: str
    club: str | None
    points: Points = Field(description=_("of the year"))
    margin: Points | None = Field(
        description=_("points above the cut, negative below it; null without a cut")
    )
    moves_to: str | None = Field(description=_("category; null for who stays"))
    note: str = Field(description=_("in words"))


class PromotionOut(Schema):
    """The published list of the category change at the end of a year."""

    year: int
    category: str
    target: str | None = Field(description=_("category to which players move up"))
    first_day: date
    last_day: date
    holds_from: date = Field(description=_("from which day the new categories are in force, at the earliest"))
    approved_at: datetime
    claims_until: date
    rules_confirmed: bool
    cut: Points | None
    players: int
    moving: int
    items: list[PromotedOut]
    next: str | None = NEXT


class RatedOut(Schema):
    """A Go player of the rating list."""

    id: int
    name: str
    country: str
    grade: str
    rating: Number
    tournaments: int
    last_played: date | None
    url: str = Field(description=_("the player's page for people"))


class RatingsOut(Schema):
    """The Go rating list, highest first."""

    items: list[RatedOut]
    next: str | None = NEXT
