"""Factories for tests. Each fills in the fields that the test does not specify.

Every function saves the object and accepts the model's field names as keywords. Numbers, codes and names are
numbered consecutively within a process, so they are unique; none belongs to a real person.
"""

import itertools
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.db import transaction

from players.models import Category, CategoryAssignment, Club, Licence, Player, Region, Role
from tournaments import drafts
from tournaments.drafts import Header, Row, SeatRow
from tournaments.models import Announcement, Revision, Tournament

PASSWORD = "a-long-test-password"
GIVEN_NAMES = ["Alba", "Bruno", "Celia", "Darío", "Elena", "Félix", "Greta", "Hugo"]
SURNAMES = ["Arroyo Peña", "Benítez Sol", "Cañas Río", "Duarte Mar", "Espino Vega", "Fuente Luz"]
LICENCE_SPAN = {"valid_from": date(2022, 1, 1), "valid_to": date(2099, 12, 31)}
_numbers = itertools.count(1)


def today() -> date:
    """Return the federation's day. Licences made without dates are valid on it."""
    return datetime.now(ZoneInfo("Europe/Madrid")).date()


def region(**fields) -> Region:
    """Create a region, with a generated code and name."""
    number = next(_numbers)
    return Region.objects.create(**{"code": f"R{number}", "name": f"Región {number}", **fields})


def club(**fields) -> Club:
    """Create a club, in a new region by default."""
    number = next(_numbers)
    fields.setdefault("region", None)
    fields["region"] = fields["region"] or region()
    return Club.objects.create(**{"code": f"C{number}", "name": f"Club {number}", "city": "Villa", **fields})


def player(*, category: str | None = None, licensed: bool = True, since: date = date(2022, 1, 2), **fields):
    """Create a player of a new club, licensed from 2022 to 2099, by default without a category.

    category: code of the category from `since` on, None for a player without one
    licensed: False creates no licence

    Pass `club=None` for a player without a club.
    """
    if "club" not in fields:
        fields["club"] = club()
    (made,) = _create_players(1, category, licensed, since, fields)
    return made


def players(
    count: int,
    *,
    category: str | None = None,
    licensed: bool = True,
    since: date = date(2022, 1, 2),
    **fields,
) -> list[Player]:
    """Create several players of the same club, as `player` does."""
    fields["club"] = fields.get("club") or club()
    return _create_players(count, category, licensed, since, fields)


def _create_players(count: int, code: str | None, licensed: bool, since: date, fields: dict) -> list[Player]:
    """Create players in bulk, because most tests need several."""
    made = []
    for number in itertools.islice(_numbers, count):
        player = Player(
            **{
                "number": str(500_000 + number),
                "given_name": GIVEN_NAMES[number % len(GIVEN_NAMES)],
                "surname": f"{SURNAMES[number % len(SURNAMES)]} {number}",
                **fields,
            }
        )
        player.derive_from_name()
        made.append(player)
    Player.objects.bulk_create(made)
    if licensed:
        Licence.objects.bulk_create(Licence(player=player, **LICENCE_SPAN) for player in made)
    if code:
        held = {"category": category(code), "valid_from": since, "origin": CategoryAssignment.Origin.INITIAL}
        CategoryAssignment.objects.bulk_create(CategoryAssignment(player=player, **held) for player in made)
    return made


def licence(holder: Player, **fields) -> Licence:
    """Create a licence of our federation, from 2022 to 2099 by default."""
    return Licence.objects.create(player=holder, **{**LICENCE_SPAN, **fields})


def category(code: str) -> Category:
    """Return the category with this code. Migrations create all categories."""
    return Category.objects.get(code=code)


def assign(holder: Player, code: str, valid_from: date = date(2022, 1, 2), **fields) -> CategoryAssignment:
    """Assign a category to a player from a day on."""
    fields.setdefault("origin", CategoryAssignment.Origin.INITIAL)
    return CategoryAssignment.objects.create(
        player=holder, category=category(code), valid_from=valid_from, **fields
    )


def user(username: str = "", *, password: str = PASSWORD, **fields):
    """Create an account. `client.force_login(user())` signs it in."""
    username = username or f"user{next(_numbers)}"
    fields.setdefault("email", f"{username}@example.org")
    return get_user_model().objects.create_user(username=username, password=password, **fields)


def role(account, kind: str, *, club: Club | None = None, region: Region | None = None) -> Role:
    """Grant a role. The scope must fit the kind: a director needs a club, the office none."""
    return Role.objects.create(user=account, kind=kind, club=club, region=region)


def director(of: Club):
    """Create an account that directs tournaments of a club."""
    account = user()
    role(account, Role.Kind.DIRECTOR, club=of)
    return account


def office():
    """Create an account of the federation's office."""
    account = user()
    role(account, Role.Kind.OFFICE)
    return account


def header(of: Club, **fields) -> Header:
    """Return the data of a tournament: by default a pool of pairs, 24 boards, in person, on 14 March 2026."""
    fields.setdefault("end_date", date(2026, 3, 14))
    fields.setdefault("boards", 24)
    return Header(
        **{
            "name": f"Pool {next(_numbers)}",
            "club_id": of.pk,
            "event_type": "pool",
            "format": Tournament.Format.PAIRS.value,
            "venue": Tournament.Venue.IN_PERSON.value,
            "start_date": fields["end_date"],
            "boards_scheduled": fields["boards"],
            **fields,
        }
    )


def rows(*contestants: Iterable[Player | str], places: Sequence[int] | None = None) -> list[Row]:
    """Return unsaved rows that form a ranking.

    contestants: for each contestant, its players; a guest is a name (str)
    places: the contestants' places; by default 1, 2, …
    """
    places = places or range(1, len(contestants) + 1)
    return [
        Row(
            position=position,
            place=place,
            label=str(position),
            seats=tuple(SeatRow(None, seat) if isinstance(seat, str) else SeatRow(seat.pk) for seat in seats),
        )
        for position, (place, seats) in enumerate(zip(places, contestants, strict=True), start=1)
    ]


def pairs(of: Sequence[Player]) -> list[tuple[Player, Player]]:
    """Group players into pairs, in order."""
    return list(zip(of[::2], of[1::2], strict=True))


def revision(*contestants, of: Club | None = None, by=None, places=None, **fields) -> Revision:
    """Store a tournament with its first ranking, without scoring it.

    contestants, places: as in `rows`
    fields: as in `header`
    """
    with transaction.atomic():
        return drafts.store(header(of or club(), **fields), rows(*contestants, places=places), by)


def tournament(of: Club | None = None, **fields) -> Tournament:
    """Store a tournament without a ranking."""
    values = {"club": of or club(), **fields}
    described = header(values["club"], **fields)
    for name in drafts.HEADER_FIELDS:
        if name != "club_id":
            values.setdefault(name, getattr(described, name))
    return Tournament.objects.create(**values)


def scored(*contestants, of: Club | None = None, by=None, places=None, **fields) -> Tournament:
    """Store and score a tournament, and post its awards, like the worker.

    `scored((a, b), (c, d))` is a pool of two pairs that a and b won.
    """
    from scoring.ledger.services import runs  # imported here, because most tests do not need the engine

    ranking = revision(*contestants, of=of, by=by, places=places, **fields)
    runs.score(runs.create_run(ranking, by).pk)
    return Tournament.objects.get(pk=ranking.tournament_id)


def announcement(of: Club | None = None, *, by=None, **fields) -> Announcement:
    """Announce a pool of pairs, by default of today. Without `start_date` it lasts one day, `end_date`."""
    fields.setdefault("end_date", today())
    return Announcement.objects.create(
        **{
            "club": of or club(),
            "name": f"Pool anunciada {next(_numbers)}",
            "event_type": "pool",
            "format": Tournament.Format.PAIRS.value,
            "venue": Tournament.Venue.IN_PERSON.value,
            "start_date": fields["end_date"],
            "announced_by": by or user(),
            **fields,
        }
    )
