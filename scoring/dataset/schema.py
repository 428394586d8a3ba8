"""The format of the dataset: its files, their columns, and what changed with each version.

Writing, reading and docs/dataset.md follow these declarations. Points are hundredths, days are written
YYYY-MM-DD, flags 1 or 0. A cell without a value is empty.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ui.addresses import parse_day

VERSION = 1
LICENCE, LICENCE_URL = "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"
MANIFEST, README, CHECKPOINT = "manifest.json", "README.txt", "checkpoint"
MOST = 2**63 - 1  # the largest integer of a column that the database stores in eight bytes
MOST_POINTS = 2**31 - 1
INTEGER = re.compile("0|-?[1-9][0-9]{0,18}")
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")

Parser = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Change:
    """What changed with a version of the format, and since which day."""

    version: int
    day: date
    what: str | Promise


CHANGES = (Change(1, date(2026, 11, 29), _("First version.")),)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a file.

    parse: function that returns the value of a cell's text, or raises ValueError with what it should be
    blank: whether a cell may be empty, which means None
    """

    name: str
    parse: Parser
    blank: bool = False

    def value(self, cell: str) -> Any:
        """Return the value of a cell. Raise ValueError."""
        if not cell:
            if self.blank:
                return None
            raise ValueError("is empty")
        return self.parse(cell)


@dataclass(frozen=True, slots=True)
class File:
    """A file of the dataset: `name`.csv, and json/`name`.json with the same rows."""

    name: str
    columns: tuple[Column, ...]

    @property
    def csv(self) -> str:
        return f"{self.name}.csv"

    @property
    def json(self) -> str:
        return f"json/{self.name}.json"

    @property
    def heads(self) -> list[str]:
        return [column.name for column in self.columns]


# --- Values ---------------------------------------------------------------------------------------------
def integer(least: int = 0, most: int = MOST) -> Parser:
    """Return the parser of whole numbers from `least` to `most`."""

    def parse(cell: str) -> int:
        if not INTEGER.fullmatch(cell) or not least <= int(cell) <= most:
            raise ValueError(f"is no whole number from {least} to {most}")
        return int(cell)

    return parse


def text(most: int) -> Parser:
    """Return the parser of texts of at most `most` characters."""

    def parse(cell: str) -> str:
        if len(cell) > most:
            raise ValueError(f"has more than {most} characters")
        if "\0" in cell:
            raise ValueError("has a NUL character")
        return cell

    return parse


def pattern(expression: str, what: str) -> Parser:
    """Return the parser of texts that match a regular expression. `what` describes them."""
    compiled = re.compile(expression, re.ASCII)

    def parse(cell: str) -> str:
        if not compiled.fullmatch(cell):
            raise ValueError(f"is no {what}")
        return cell

    return parse


def one_of(*choices: str) -> Parser:
    """Return the parser of texts that are one of these."""

    def parse(cell: str) -> str:
        if cell not in choices:
            raise ValueError(f"is none of {', '.join(choices)}")
        return cell

    return parse


def day(cell: str) -> date:
    """Parse a day written YYYY-MM-DD. Raise ValueError."""
    if parsed := parse_day(cell):
        return parsed
    raise ValueError("is no day YYYY-MM-DD")


def moment(cell: str) -> datetime:
    """Parse a time in UTC, such as 2026-03-14T20:04:11.514997Z. Raise ValueError."""
    try:
        if MOMENT.fullmatch(cell):
            return datetime.fromisoformat(f"{cell[:-1]}+00:00")
    except ValueError:
        pass
    raise ValueError("is no time in UTC")


def flag(cell: str) -> bool:
    """Parse 1 or 0. Raise ValueError."""
    if cell not in ("0", "1"):
        raise ValueError("is neither 1 nor 0")
    return cell == "1"


_number = pattern(r"[1-9][0-9]{0,11}", "federation number")
_person = pattern(r"[0-9a-f]{32}", "pseudonym of 32 hexadecimal digits")
_player = pattern(r"[1-9][0-9]{0,11}|[0-9a-f]{32}", "federation number or pseudonym")
_family = one_of("aeb", "sbf-bronze", "sbf-silver", "acbl")
_uuid = pattern(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "id of a calculation")
_decimal = pattern(r"-?[0-9]{1,12}(\.[0-9]{1,20})?", "decimal number")

# --- Files ----------------------------------------------------------------------------------------------
REGIONS = File("regions", (Column("code", text(10)), Column("name", text(100))))
CLUBS = File(
    "clubs",
    (
        Column("code", text(10)),
        Column("name", text(120)),
        Column("region", text(10)),
        Column("city", text(80), blank=True),
        Column("active", flag),
    ),
)
PLAYERS = File(
    "players",
    (
        Column("number", _number, blank=True),
        Column("person", _person, blank=True),
        Column("given_name", text(80), blank=True),
        Column("surname", text(120), blank=True),
        Column("club", text(10), blank=True),
        Column("merged_into", _player, blank=True),
        Column("hidden", flag),
        Column("erased", flag),
    ),
)
LADDER = File(
    "categories",
    (
        Column("code", text(6)),
        Column("order", integer(most=32767)),
        Column("is_title", flag),
        Column("valid_from", day),
        Column("valid_to", day, blank=True),
        Column("successor", text(6), blank=True),
    ),
)
ASSIGNMENTS = File(
    "category_assignments",
    (Column("player", _player), Column("category", text(6)), Column("valid_from", day)),
)
LICENCES = File("licences", (Column("player", _player), Column("valid_from", day), Column("valid_to", day)))
TOURNAMENTS = File(
    "tournaments",
    (
        Column("tournament", integer()),
        Column("name", text(150)),
        Column("club", text(10)),
        Column("family", _family),
        Column("event_type", text(40)),
        Column("format", text(10)),
        Column("venue", text(20)),
        Column("start_date", day),
        Column("end_date", day),
        Column("boards", integer()),
        Column("regulation", text(20), blank=True),
        Column("annulled", flag),
    ),
)
RANKINGS = File(
    "rankings",
    (
        Column("tournament", integer()),
        Column("contestant", integer()),
        Column("field", text(2), blank=True),
        Column("place", integer()),
        Column("label", text(20), blank=True),
        Column("team_name", text(100), blank=True),
        Column("score", _decimal, blank=True),
        Column("percentage", _decimal, blank=True),
        Column("seat", integer()),
        Column("player", _player, blank=True),
        Column("guest", flag),
        Column("guest_country", text(2), blank=True),
    ),
)
AWARDS = File(
    "awards",
    (
        Column("leaf", integer()),
        Column("entry", integer(least=1)),
        Column("family", _family),
        Column("kind", one_of("award", "reversal", "opening", "adjustment")),
        Column("person", _person),
        Column("number", _number, blank=True),
        Column("points", integer(-MOST_POINTS, MOST_POINTS)),
        Column("played_on", day),
        Column("posted_at", moment),
        Column("reverses", integer(least=1), blank=True),
        Column("run", _uuid, blank=True),
        Column("tournament", integer(), blank=True),
        Column("venue", one_of("in_person", "online")),
    ),
)
REGULATIONS = File(
    "regulations",
    (
        Column("code", text(20)),
        Column("family", text(20)),
        Column("title", text(300)),
        Column("valid_from", day, blank=True),
    ),
)
RATINGS = File(
    "ratings",
    (
        Column("player", integer(least=1)),
        Column("pin", pattern(r"[0-9]{8}", "PIN of eight digits"), blank=True),
        Column("country", text(2), blank=True),
        Column("grade", text(3), blank=True),
        Column("rating", _decimal),
        Column("tournaments", integer()),
        Column("last_played", day, blank=True),
    ),
)
_STANDING = (
    Column("rank", integer(least=1)),
    Column("number", _number, blank=True),
    Column("person", _person),
    Column("given_name", text(80), blank=True),
    Column("surname", text(120), blank=True),
    Column("club", text(10), blank=True),
    Column("points", integer(-MOST_POINTS, MOST_POINTS)),
    Column("points_in_person", integer(-MOST_POINTS, MOST_POINTS)),
    Column("points_online", integer(-MOST_POINTS, MOST_POINTS)),
    Column("tournaments", integer()),
)


def standing(family: str, category: str) -> File:
    """Return the file of a list of standings. `category` is "" for a family without categories."""
    return File("standings/" + "-".join(filter(None, (family, category))), _STANDING)
