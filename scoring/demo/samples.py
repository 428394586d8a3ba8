"""Sample result files for the demo's director: some to confirm at once, one with problems to mend."""

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
# What each is for.
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
    """Where the sample files are, beside the database."""
    return settings.VAR_DIR / "demo"


def write(host: Host, day: date, rng: Random) -> list[Path]:
    """Write the files for pools of `day` at this club; returns their paths.

    Two players are left without a licence where the club has some: 30 of 32 is still more than 90 %.
    """
    club = Club.objects.get(pk=host.pk)
    couples = _couples(host, day)
    strengths = [sum(person.skill for person in couple) for couple in couples]
    pairs = [tuple(Entrant(person.number, person.name) for person in couple) for couple in couples]
    session = play_session(pairs, strengths, BOARDS, rng)
    other = play_session(_with_problems(pairs), strengths, BOARDS, rng)
    exported = play_session(pairs, strengths, BOARDS, rng)
    contents = {
        CLEAN: csv_bytes(session),
        BROKEN: csv_bytes(other),
        USEBIO: usebio_bytes(
            exported,
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
    """Sixteen couples of the club (an even number, fewer in a small club), at most two persons unlicensed."""
    hidden = set(Player.objects.filter(club_id=host.pk, hidden=True).values_list("pk", flat=True))
    chosen, without = [], 0
    for couple in host.couples:
        missing = sum(day.year not in person.licensed for person in couple)
        if without + missing <= 2 and not any(p.pk in hidden or p.joined > day for p in couple):
            chosen.append(couple)
            without += missing
    chosen = chosen[:PAIRS]
    return chosen[: len(chosen) // 2 * 2]


def _with_problems(pairs: list[tuple[Entrant, Entrant]]) -> list[tuple[Entrant, Entrant]]:
    """The same with a number that nobody has and a name that is not the number's."""
    (first, second), (third, fourth), *rest = pairs
    return [
        (Entrant(UNKNOWN_NUMBER, first.name), second),
        (third, Entrant(fourth.number, OTHER_NAME)),
        *rest,
    ]
