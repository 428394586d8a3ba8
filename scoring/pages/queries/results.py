"""A player's results, with partner, percentage and points, as lists that are filtered and paged."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import Avg, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Coalesce, ExtractYear

from players.hidden_names import names_of_hidden_players
from players.models import Player
from scoring import regulations
from scoring.calculator.aeb import Question, address, points_of_place
from scoring.ledger import systems
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry
from scoring.ledger.queries import awards
from scoring.ledger.queries.people import current_fields, display_name, url_builder
from scoring.ledger.windows import first_day
from tournaments.federations import guest_label
from tournaments.models import Contestant, Seat, has_name
from ui.paging import Pages

Kind = LedgerEntry.Kind
Person = dict[str, Any]
FIELDS = (*awards.FIELDS, "family", "contestant_id", "contestant__percentage")
EXAMPLE = (
    "tournament__event_type",
    "tournament__format",
    "tournament__venue",
    "tournament__boards",
    "run__regulation",
)
_FIRST_LINE = KeyTransform("0", KeyTransform("lines", "run__outcome"))
# Names of the columns of a seat in queries: the guest, or the player's id and fields.
SEAT = ("guest", "country", "person", "person_number", "person_given", "person_surname", "person_hidden")
C4 = KeyTextTransform("C4", KeyTransform("coefficients", _FIRST_LINE))
MOST_PARTNERS = 5
ALL_PARTNERS = 10_000  # more than anybody has
GOOD_FIELD = 8  # from so many contestants on, the third place is the example; otherwise the first
# The figures of a group of awards: how many tournaments, the mean percentage, the points and the most of one.
FIGURES = {
    "tournaments": Count("tournament", distinct=True),
    "mean": Avg("contestant__percentage"),
    "sum": Sum("points"),
    "best": Max("points"),
}


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """The filters of a player's list of results. Empty values do not restrict it.

    state: "cuentan" for what counts in the 12 months, "fuera" for what has left them
    venue: "presencial" or "en-linea"
    partner: id of a player who was in the same contestant
    text: words of the tournament's name
    """

    family: str = FAMILY
    year: int | None = None
    state: str = ""
    venue: str = ""
    club: int | None = None
    partner: int | None = None
    text: str = ""

    @property
    def narrowed(self) -> bool:
        """Whether any filter is set."""
        return self != ResultFilter(family=self.family)

    def entries(self, player: Player, day: date) -> QuerySet[LedgerEntry]:
        """Return the player's ledger entries that pass the filters, latest first.

        A correction that left the player's points as they were is one entry: the latest award.
        """
        rows = awards.entries_of(player, self.family).exclude(pk__in=unchanged(player))
        if self.year:
            rows = rows.filter(played_on__range=(date(self.year, 1, 1), date(self.year, 12, 31)))
        if self.state == "cuentan":
            rows = rows.filter(played_on__range=(first_day(day), day))
        elif self.state == "fuera":
            rows = rows.filter(played_on__lt=first_day(day))
        if self.venue:
            rows = rows.filter(online=self.venue == "en-linea")
        if self.club:
            rows = rows.filter(tournament__club=self.club)
        if self.partner:
            numbers = Player.objects.filter(Q(pk=self.partner) | Q(merged_into=self.partner))
            with_partner = Seat.objects.filter(contestant=OuterRef("contestant"), player__in=numbers)
            rows = rows.filter(Exists(with_partner))
        for word in self.text.split():
            rows = rows.filter(has_name(word, "tournament__") | Q(tournament=None, title__icontains=word))
        return rows


def unchanged(player: Player) -> set[int]:
    """Return the ids of awards that a correction replaced by equal points, and of their reversals.

    Two queries.
    """
    own = LedgerEntry.objects.filter(player=player).order_by()
    back = own.filter(kind=Kind.REVERSAL, run__isnull=False)
    columns = back.values_list("pk", "reverses", "run", "points")
    taken_back = {(run, -points): (pk, reverses) for pk, reverses, run, points in columns}
    runs = {run for run, _points in taken_back}
    posted = own.filter(kind=Kind.AWARD, run__in=runs).values_list("run", "points")
    return {pk for key in posted for pk in taken_back.get(key, ())}


def effective(entries: QuerySet[LedgerEntry]) -> QuerySet[LedgerEntry]:
    """Return the entries that stand: no reversals, and nothing that was reversed."""
    return entries.exclude(kind=Kind.REVERSAL).filter(reversed_by=None)


def field_size() -> Subquery:
    """Return the number of contestants of an entry's field, as a query expression."""
    field = Contestant.objects.filter(
        revision=OuterRef("contestant__revision"), field=OuterRef("contestant__field")
    )
    return Subquery(field.order_by().values("revision").annotate(size=Count("pk")).values("size"))


def rows_of(entries: Collection[int]) -> list[dict[str, Any]]:
    """Return the results with these ids, latest first, as rows for `result_records`. At most one query.

    The rows have the columns of `EXAMPLE` and `c4` too, from which `typical_row` makes an example, and
    `seats`.
    """
    if not entries:
        return []
    latest = LedgerEntry.objects.filter(pk__in=entries)
    columns = dict(zip(SEAT, _seat_columns("contestant__seats__"), strict=True))
    rows = latest.annotate(size=field_size(), c4=C4, **columns)
    rows = rows.order_by("-played_on", "-pk", "contestant__seats__position")
    results: dict[int, dict[str, Any]] = {}
    for row in rows.values(*FIELDS, *EXAMPLE, "size", "c4", *SEAT):
        seat = tuple(row.pop(name) for name in SEAT)
        results.setdefault(row["pk"], {**row, "seats": []})["seats"].append((row["contestant_id"], *seat))
    return list(results.values())


def result_records(
    rows: Sequence[dict[str, Any]], player: Player, *, sizes: bool = False
) -> list[dict[str, Any]]:
    """Convert rows of `FIELDS` to records for `ResultTable`. At most two queries, both for companions.

    The rows may have their seats, as those of `rows_of`: that saves one of the queries.

    sizes: read the sizes of the fields too, with one more query, because the rows do not have them
    """
    records = awards.award_records(list(rows), player.number, sizes=sizes)
    # Of a hidden player every club is written: the one that is left out would be the player's own.
    home = player.public_club.name if player.public_club else ""
    if rows and "seats" in rows[0]:
        seats = [seat for row in rows for seat in row["seats"]]
    else:
        seats = seats_of({row["contestant_id"] for row in rows if row["contestant_id"]})
    companions = companions_of(seats, player)
    for record, row in zip(records, rows, strict=True):
        record |= {
            "percentage": row["contestant__percentage"],
            "partners": companions.get(row["contestant_id"], []),
            "away": bool(record["club"]) and record["club"] != home,
            "decimals": systems.of(row["family"]).decimals({}, row["played_on"]),
        }
        if not sizes:
            record["size"] = row["size"]
    return records


@dataclass(frozen=True, slots=True)
class Example:
    """A result that the player could have again: the points of a place in a tournament like one played.

    address: the URL of the calculator with this tournament
    """

    title: str
    place: int
    of: int
    points: int
    address: str


def typical_row(rows: Iterable[dict[str, Any]], day: date) -> dict[str, Any] | None:
    """Return the latest of the rows whose tournament the AEB regulation in force on `day` scored, or None.

    rows: rows of `rows_of`
    """
    code = regulations.in_force(FAMILY, day).code
    scored = (row for row in rows if row["run__regulation"] == code and row["c4"])
    return next((row | {"c4": Decimal(row["c4"])} for row in scored if (row["size"] or 0) > 1), None)


def example_of(rows: Iterable[dict[str, Any]], day: date) -> Example | None:
    """Return what a good place would give in a tournament like the latest one of the player, or None.

    rows: rows of `rows_of`
    """
    row = typical_row(rows, day)
    if row is None:
        return None
    regulation = regulations.in_force(FAMILY, day)
    question = Question(
        event_type=row["tournament__event_type"],
        format=row["tournament__format"],
        contestants=row["size"],
        boards=row["tournament__boards"],
        venue=row["tournament__venue"],
        c4=row["c4"],
        players={},
    )
    place = 3 if row["size"] >= GOOD_FIELD else 1
    points = points_of_place(regulation, question, place)
    shown = replace(question, c4=round(row["c4"], 6))
    return Example(row["tournament__name"], place, row["size"], points, address(shown, regulation.code))


def result_pages(entries: QuerySet[LedgerEntry], player: Player) -> Pages:
    """Return a source of records for a paged `ResultTable`.

    The entries are counted without the joins that their columns need.
    """
    rows = entries.values(*FIELDS)
    return Pages(rows, lambda page: result_records(page, player, sizes=True), entries.count)


def _seat_columns(prefix: str = "") -> list[F | Coalesce]:
    """Return query expressions for the columns `SEAT`. For a merged player they are the surviving player's.

    prefix: lookup path from the queried model to the seat
    """
    person = f"{prefix}player__"
    current = Coalesce(f"{person}merged_into_id", f"{prefix}player_id")
    return [F(f"{prefix}guest_name"), F(f"{prefix}guest_country"), current, *current_fields(person)]


def seats_of(contestants: Collection[int]) -> list[tuple[Any, ...]]:
    """Return (contestant id, and the columns `SEAT`) of the seats of contestants. One query."""
    seats = Seat.objects.filter(contestant__in=contestants).order_by("contestant_id", "position")
    return list(seats.values_list("contestant_id", *_seat_columns()))


def companions_of(seats: Iterable[tuple[Any, ...]], player: Player) -> dict[int, list[Person]]:
    """Return {contestant id: the persons who sat there beside the player}. One query if there are guests.

    Hidden players are named by number; a guest with the name of a hidden player has no name.

    seats: rows of `seats_of`
    """
    others = [seat for seat in seats if seat[3] != player.pk and (seat[3] or seat[1] is not None)]
    secret = names_of_hidden_players({guest for _at, guest, *_rest in others if guest})
    url_of = url_builder()
    people: dict[int, list[Person]] = {}
    for contestant, guest, country, player_id, *person in others:
        if player_id is None:
            name, url = "" if guest in secret else guest_label(guest, country), ""
        else:
            name, url = display_name(*person), url_of(*person)
        people.setdefault(contestant, []).append({"name": name, "url": url, "number": person[0]})
    return people


# The persons with whom a player played pairs, with the figures of `FIGURES`. In plain SQL, because Django
# would take longer to write the statement than the database to answer it.
PARTNERS = """
    SELECT kept.id, kept.number, kept.given_name, kept.surname, kept.hidden,
        COUNT(DISTINCT entry.tournament_id), AVG(contestant.percentage), SUM(entry.points), MAX(entry.points)
    FROM ledger_ledgerentry entry
    JOIN tournaments_tournament tournament ON tournament.id = entry.tournament_id
    JOIN tournaments_contestant contestant ON contestant.id = entry.contestant_id
    JOIN tournaments_seat seat ON seat.contestant_id = contestant.id
    JOIN players_player partner ON partner.id = seat.player_id
    JOIN players_player kept ON kept.id = COALESCE(partner.merged_into_id, partner.id)
    WHERE entry.player_id = %(player)s AND entry.played_on BETWEEN %(first)s AND %(last)s
    AND entry.kind = 'award' AND tournament.format = 'pairs' AND kept.id <> %(player)s
    AND NOT EXISTS (SELECT 1 FROM ledger_ledgerentry back WHERE back.reverses_id = entry.id)
    GROUP BY kept.id, kept.number, kept.given_name, kept.surname, kept.hidden
    ORDER BY 6 DESC, 8 DESC, 1
    LIMIT %(most)s
"""


def partners_of(player: Player, first: date, last: date, most: int = MOST_PARTNERS) -> list[dict[str, Any]]:
    """Return the persons with whom the player played pairs from `first` to `last`, the most frequent first.

    Records have `player_id`, `number`, `name`, `url` and the figures of `FIGURES`. The points are the
    player's own. One query.
    """
    url_of = url_builder()
    with connection.cursor() as cursor:
        cursor.execute(PARTNERS, {"player": player.pk, "first": first, "last": last, "most": most})
        rows = cursor.fetchall()
    return [
        {
            "player_id": pk,
            "number": number,
            "name": display_name(number, given_name, surname, bool(hidden)),
            "url": url_of(number, given_name, surname, bool(hidden)),
            "tournaments": tournaments,
            "mean": None if mean is None else Decimal(str(mean)),
            "sum": points,
            "best": best,
        }
        for pk, number, given_name, surname, hidden, tournaments, mean, points, best in rows
    ]


def result_years(player: Player, family: str) -> list[int]:
    """Return the years in which the player has ledger entries, latest first. One query, by index only."""
    rows = LedgerEntry.objects.filter(player=player, family=family).order_by()
    years = rows.annotate(year=ExtractYear("played_on")).values_list("year", flat=True).distinct()
    return sorted(years, reverse=True)


def clubs_of(player: Player, family: str) -> list[tuple[int, str, str]]:
    """Return (id, slug, name) of the clubs in whose tournaments the player has points, by name. One query."""
    rows = LedgerEntry.objects.filter(player=player, family=family, tournament__isnull=False).order_by()
    clubs = rows.values_list("tournament__club", "tournament__club__slug", "tournament__club__name")
    return sorted(set(clubs.distinct()), key=lambda club: club[2])
