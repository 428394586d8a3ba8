"""A small federation that has content for every page."""

from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

from players.models import Role
from scoring.ledger.services import runs, standings
from scoring.uploads.services import confirm
from tests import factories as make
from tests.scoring.uploads.makers import csv_of
from tournaments.services import uploads

CATEGORIES = ["3D", "3C", "2P", "1D", "1P", "MN-O", "MM-S", None]


def build() -> SimpleNamespace:
    """Create a club with sixteen players of several categories, and tournaments and uploads of all kinds.

    Return an object with the club, the players, their pairs, some uploads, and `accounts` by role: player,
    director, office, or nobody.
    """
    today = standings.today()
    club = make.club(name="Club de Bridge de la Villa de Nombre Larguísimo")
    people = [make.player(club=club, category=CATEGORIES[n % len(CATEGORIES)]) for n in range(16)]
    people[3].hidden = True
    people[3].save()
    director, office, reader = make.director(club), make.office(), make.user()
    make.role(office, Role.Kind.COMMITTEE)
    office.is_staff = office.is_superuser = True
    office.save()
    people[0].user = reader
    people[0].save()
    pairs = make.pairs(people)
    for weeks in range(1, 5):
        ranking = pairs[weeks:] + pairs[:weeks]
        make.scored(*ranking, of=club, by=director, end_date=today - timedelta(weeks=weeks))
    make.scored(*pairs[::-1], of=club, end_date=today - timedelta(days=3), boards=18, name="Pool corta")
    make.scored(
        people[:4],
        people[4:8],
        people[8:12],
        of=club,
        format="teams",
        event_type="pool",
        end_date=today - timedelta(days=40),
        places=[1, 2, 2],
        venue="online",
    )
    series = uuid4()
    for weeks in range(3):
        day = today + timedelta(weeks=weeks)
        make.announcement(club, by=director, end_date=day, series=series, name="Pool de los viernes")
    make.announcement(club, by=director, end_date=today - timedelta(days=4), name="Pool sin resultado")
    message = {
        "event_type": "pool",
        "format": "pairs",
        "venue": "in_person",
        "boards": 24,
        "name": "Pool nueva",
    }
    day = (today - timedelta(days=1)).isoformat()
    text = csv_of(pairs)
    ready = uploads.receive(director, club, "lista.csv", text, {**message, "end_date": day})
    done = confirm.confirm(ready, director)
    runs.score(done.pk)
    broken = text.replace(people[5].number.encode(), b"999999").replace(people[6].number.encode(), b"")
    review = uploads.receive(director, club, "con errores.csv", broken, {**message, "name": "Con errores"})
    clean = csv_of(pairs[:6], less=3)
    open_ = uploads.receive(director, club, "otra.csv", clean, {**message, "name": "Otra", "end_date": day})
    accounts = {"nobody": None, "player": reader, "director": director, "office": office}
    return SimpleNamespace(
        accounts=accounts, club=club, people=people, done=ready, review=review, open=open_, pairs=pairs
    )
