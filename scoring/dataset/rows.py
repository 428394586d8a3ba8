"""The rows of the dataset's files, streamed from the database. Only what every reader may see is among them.

A hidden player has no name and no club, an erased one no number either. Guests have no names at all: one may
be a hidden player, and nobody could tell which dumps to withdraw.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Case, F, Max, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from players.models import Category, CategoryAssignment, Club, Licence, Player, Region
from scoring import regulations
from scoring.dataset.archive import CHUNK, parts_of
from scoring.dataset.schema import AWARDS
from scoring.ledger import systems
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.people import Written
from scoring.ratings.models import RatedPlayer, is_shown
from scoring.transparency.leaves import ENTRY, WRITTEN
from scoring.transparency.models import Leaf
from tournaments.models import Seat, Tournament

Row = tuple[Any, ...]


def _streamed(rows: QuerySet, *columns: str | Combinable) -> Iterator[Row]:
    return rows.values_list(*columns).iterator(chunk_size=CHUNK)


def number_of(prefix: str = "") -> Case:
    """Return the expression of a player's number, "" if the player's data were erased.

    prefix: lookup path from the queried model to the player, such as `player__`
    """
    erased = When(Q((f"{prefix}erased_on__isnull", False)), then=Value(""))
    return Case(erased, default=F(f"{prefix}number"))


def reference_to(prefix: str) -> Case:
    """Return the expression by which other files name a player: the number; of an erased one the pseudonym.

    prefix: as for `number_of`
    """
    pseudonym = Coalesce(F(f"{prefix}pseudonym__code"), Value(""))
    erased = When(Q((f"{prefix}erased_on__isnull", False)), then=pseudonym)
    return Case(erased, default=F(f"{prefix}number"))


def regions() -> Iterator[Row]:
    return _streamed(Region.objects.order_by("pk"), "code", "name")


def clubs() -> Iterator[Row]:
    return _streamed(Club.objects.order_by("pk"), "code", "name", "region__code", "city", "active")


def players() -> Iterator[Row]:
    """Yield the players. Erased ones who have no awards are left out: nothing is known of them.

    A merged number has no name of its own.
    """
    rows = Player.objects.exclude(erased_on__isnull=False, pseudonym=None).order_by("pk")
    shown = Q(hidden=False, erased_on=None, merged_into=None)

    def if_shown(field: str) -> Case:
        return Case(When(shown, then=F(field)), default=Value(""))

    return _streamed(
        rows,
        number_of(),
        "pseudonym__code",
        if_shown("given_name"),
        if_shown("surname"),
        if_shown("club__code"),
        Case(When(merged_into=None, then=Value("")), default=reference_to("merged_into__")),
        "hidden",
        Case(When(erased_on=None, then=Value(0)), default=Value(1)),
    )


def ladder() -> Iterator[Row]:
    columns = ("code", "order", "is_title", "valid_from", "valid_to", "successor__code")
    return _streamed(Category.objects.order_by("order"), *columns)


def assignments() -> Iterator[Row]:
    """Yield the categories of players, in the order in which they were stored: of one day the last counts."""
    rows = CategoryAssignment.objects.filter(revoked_at=None).order_by("pk")
    return _of_players(_streamed(rows, reference_to("player__"), "category__code", "valid_from"))


def licences() -> Iterator[Row]:
    """Yield the licences that count. Of several that begin on one day, the longest."""
    rows = Licence.objects.counting().order_by("player_id", "valid_from").values("player_id", "valid_from")
    rows = rows.annotate(player_ref=reference_to("player__"), until=Max("valid_to"))
    return _of_players(_streamed(rows, "player_ref", "valid_from", "until"))


def _of_players(rows: Iterator[Row]) -> Iterator[Row]:
    """Yield the rows whose player, the first value, is in the dataset."""
    return (row for row in rows if row[0])


def tournaments() -> Iterator[Row]:
    """Yield the tournaments that were scored, annulled ones included."""
    done = ScoringRun.objects.filter(revision=OuterRef("published"), state=ScoringRun.State.DONE)
    return _streamed(
        Tournament.objects.exclude(published=None).order_by("pk"),
        "pk",
        "name",
        "club__code",
        "family",
        "event_type",
        "format",
        "venue",
        "start_date",
        "end_date",
        "boards",
        Subquery(done.order_by("-pk").values("regulation")[:1]),
        Case(When(annulled_at=None, then=Value(0)), default=Value(1)),
    )


def rankings() -> Iterator[Row]:
    """Yield the published rankings, a row for each person. Labels and teams are those of the pages."""
    for part in parts_of(list(seats) for _contestant, seats in groupby(_seats(), itemgetter(0))):
        written = Written(text for seats in part for text in seats[0][2:4])
        for seats in part:
            label, team = seats[0][2:4]
            if team or not label.isdecimal():  # nearly all labels are numbers, which are always shown
                people = [{"erased": seat[1]} for seat in seats]
                label, team = written.label(label, people), written.team(team, people)
            for seat in seats:
                yield (*seat[4:8], label, team, *seat[8:])


def _seats() -> Iterator[Row]:
    """Yield the seats of the published rankings: contestant, whether the person was erased, the columns."""
    return _streamed(
        Seat.objects.filter(revision__published_as__isnull=False).order_by("contestant_id", "position"),
        "contestant_id",
        Case(When(player__erased_on=None, then=Value(0)), default=Value(1)),
        "contestant__label",
        "contestant__team_name",
        "revision__tournament_id",
        "contestant__position",
        "contestant__field",
        "contestant__place",
        "contestant__score",
        "contestant__percentage",
        "position",
        Case(When(player=None, then=Value("")), default=reference_to("player__")),
        Case(When(player=None, then=Value(1)), default=Value(0)),
        "guest_country",
    )


def awards(size: int) -> Iterator[Row]:
    """Yield the ledger entries among the first `size` leaves of the log, in the order of the log."""
    columns = {
        "leaf": "pk",
        "number": number_of("entry__player__"),
        **{key: f"entry__{field}" for key, field in ENTRY.items()},
    }
    written = [(at, WRITTEN[head]) for at, head in enumerate(AWARDS.heads) if head in WRITTEN]
    rows = Leaf.objects.filter(pk__lt=size, entry__isnull=False).order_by("pk")
    for row in _streamed(rows, *(columns[head] for head in AWARDS.heads)):
        values = list(row)
        for at, write in written:
            if values[at] is not None:
                values[at] = write(values[at])
        yield tuple(values)


def regulation_rows() -> Iterator[Row]:
    """Yield the regulations of the families that this installation offers."""
    for regulation in regulations.ALL:
        if systems.is_listed(regulation.family):
            yield regulation.code, regulation.family, str(regulation.title), regulation.valid_from


def ratings() -> Iterator[Row]:
    """Yield the ratings of Go players, the highest first; none if this installation rates no games.

    They have no names: who has a PIN stands with it in the European database.
    """
    if not systems.offers_go():
        return
    rows = RatedPlayer.objects.exclude(rating=None).order_by("-rating", "pk")
    country = Case(When(is_shown(), then=F("country")), default=Value(""))
    columns = ("pk", "pin", country, "grade", "rating", "events", "last_played")
    for player, pin, flag, grade, rating, *rest in _streamed(rows, *columns):
        yield player, pin, flag, grade, repr(rating), *rest
