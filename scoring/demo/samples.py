"""Sample result files for the demo's director. One has problems to correct, the others have none."""

from datetime import date
from pathlib import Path
from random import Random

from django.conf import settings

from players.models import Club, Player

from .files import csv_bytes, usebio_bytes
from .fixtures import WEEKDAYS
from .people import Couple, Host
from .session import Entrant, play_session

CLEAN, BROKEN, USEBIO = "pool-para-subir.csv", "pool-con-errores.csv", "pool-para-subir.xml"
BRONZE, SILVER, AMERICAN = "bronce-sueco.csv", "plata-sueca.csv", "acbl.csv"
FILES = {
    CLEAN: "AEB points",
    USEBIO: "AEB points, with the results of the boards",
    BROKEN: "AEB points, with problems to mend",
    BRONZE: "Swedish bronze points",
    SILVER: "Swedish silver points",
    AMERICAN: "ACBL points",
}
PAIRS, BOARDS = 16, 24
UNKNOWN_NUMBER, OTHER_NAME = "9999999", "Violeta Zamorano Quintana"


def folder() -> Path:
    """Return the folder of the sample files, beside the database."""
    return settings.VAR_DIR / "demo"


def write(host: Host, day: date, rng: Random) -> list[Path]:
    """Write the sample files: results of pairs sessions of this club on a day. Return their paths.

    Up to two players may lack a licence. Of 32 players 30 then have one. That is more than the 90 % that a
    tournament needs to give points.
    """
    club = Club.objects.get(pk=host.pk)
    couples = _couples(host, day)
    strengths = [sum(person.skill for person in couple) for couple in couples]
    pairs = [tuple(Entrant(person.number, person.name) for person in couple) for couple in couples]
    clean = play_session(pairs, strengths, BOARDS, rng)
    broken = play_session(_with_problems(pairs), strengths, BOARDS, rng)
    with_boards = play_session(pairs, strengths, BOARDS, rng)
    contents = {
        CLEAN: csv_bytes(clean),
        BROKEN: csv_bytes(broken),
        USEBIO: usebio_bytes(
            with_boards,
            f"Pool de los {WEEKDAYS[day.weekday()]}",
            club.name,
            club.code,
            day,
            identifier=f"{day:%Y%m%d}",
        ),
        **{
            name: csv_bytes(play_session(pairs, strengths, BOARDS, rng))
            for name in (BRONZE, SILVER, AMERICAN)
        },
    }
    folder().mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        (folder() / name).write_bytes(data)
    return [folder() / name for name in contents]


def _couples(host: Host, day: date) -> list[Couple]:
    """Return an even number of the club's couples, at most PAIRS, with at most two unlicensed players."""
    hidden = set(Player.objects.filter(club_id=host.pk, hidden=True).values_list("pk", flat=True))
    couples, unlicensed = [], 0
    for couple in host.couples:
        missing = sum(day.year not in person.licensed for person in couple)
        available = all(person.pk not in hidden and person.joined <= day for person in couple)
        if unlicensed + missing <= 2 and available:
            couples.append(couple)
            unlicensed += missing
    couples = couples[:PAIRS]
    return couples[: len(couples) // 2 * 2]


def _with_problems(pairs: list[tuple[Entrant, Entrant]]) -> list[tuple[Entrant, Entrant]]:
    """Return the pairs with two errors: an unknown number, and a name that does not match its number."""
    (first, second), (third, fourth), *rest = pairs
    return [
        (Entrant(UNKNOWN_NUMBER, first.name), second),
        (third, Entrant(fourth.number, OTHER_NAME)),
        *rest,
    ]
