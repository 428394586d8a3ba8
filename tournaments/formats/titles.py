"""Read what the title rows above a table state: club, name, date and number of boards of the tournament.

Nothing is guessed: a value counts only if the titles state exactly one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from . import values

_MONTHS = {
    month: number
    for months in (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "january february march april may june july august september october november december",
    )
    for number, month in enumerate(months.split(), start=1)
} | {"setiembre": 9}
_MONTH = "|".join(_MONTHS)
_DATE = re.compile(
    r"(?<![\d/.-])(?:"
    r"(?P<figures>[0-9]{1,2}([/.-])[0-9]{1,2}\2[0-9]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2})"
    rf"|(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?\s+(?:(?:de|of)\s+)?(?P<month>{_MONTH}),?\s+(?:del?\s+)?(?P<year>[0-9]{{4}})"
    rf"|(?P<us_month>{_MONTH})\s+(?P<us_day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<us_year>[0-9]{{4}})"
    r")(?![\d/.-])",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?<![0-9])[0-9]{1,2}\s*(?:y|e|al?|and|to|[-–—&])\s*$", re.IGNORECASE)
_BOARDS = re.compile(
    r"(?<![\dx×])([0-9]{1,3})\s*(?:manos|boards|bds|estuches)\b(?!\s*(?:por|per|cada|each|/|x))",
    re.IGNORECASE,
)
_PER_ROUND = re.compile(r"(?:rondas?|rounds?|x|×)\s*(?:de|of)?\s*$", re.IGNORECASE)
_PRINTED = re.compile(r"\b(?:impres|print|generad|generated|export|actualiz|updated)", re.IGNORECASE)
_KEY = re.compile(r"([^\W\d_][^:=\d]{2,30}?)\s*[:=]\s*(.*)")
_BETWEEN = re.compile(r"\s+[-–—·|]\s+|\s*[,;]\s+")
_LENGTH = 200  # characters of the longest title that is read
_KEYS = {
    "date": ("fecha", "date", "dia", "day"),
    "boards": ("manos", "numero de manos", "no de manos", "no manos", "boards", "number of boards"),
    "title": ("torneo", "nombre", "nombre del torneo", "prueba", "evento", "event", "tournament", "title"),
    "club_name": ("club", "club organizador", "organiza", "organizador"),
}  # fmt: skip
_FIELD_OF_KEY = {key: name for name, keys in _KEYS.items() for key in keys}
_TITLE_WORDS = frozenset(
    [
        "pool", "torneo", "campeonato", "copa", "trofeo", "liga", "memorial", "open", "simultaneo",
        "tournament", "championship", "cup", "pairs",
    ]
)  # fmt: skip
_CLUB_WORDS = frozenset(["club", "circulo", "casino", "asociacion"])


@dataclass(frozen=True, slots=True)
class Stated:
    """A value that a title states. field: `title`, `date` (ISO text), `club_name` or `boards`."""

    field: str
    text: str
    line: int


def dates_in(text: str) -> list[str]:
    """Return the dates in a text as ISO text, without those that end a range such as "13 al 15/11/2026"."""
    days = []
    for match in _DATE.finditer(text[:_LENGTH]):
        day = match["day"] or match["us_day"]
        month = (match["month"] or match["us_month"] or "").lower()
        year = match["year"] or match["us_year"]
        iso = values.date_text(match["figures"] or f"{day}/{_MONTHS[month]}/{year}")
        if iso and not _RANGE.search(text[: match.start()]):
            days.append(iso)
    return days


def read_titles(rows: Sequence[tuple[int, list[str]]]) -> list[Stated]:
    """Return the values that the rows above a table state, each only if they state exactly one.

    rows: (line, cells)
    """
    stated = [value for line, cells in rows for value in _stated(line, cells)]
    unique = {}
    for name in _KEYS:
        of_field = [value for value in stated if value.field == name]
        if len({value.text for value in of_field}) == 1:
            unique[name] = of_field[0]
    return list(unique.values())


def _stated(line: int, cells: Sequence[str]) -> Iterator[Stated]:
    texts = [text for text in cells if 0 < len(text) <= _LENGTH]
    if cells[0].startswith("#") or _PRINTED.search(" ".join(texts)):
        return
    skipped = -1
    for index, text in enumerate(texts):
        key = _FIELD_OF_KEY.get(values.fold(text), "")
        if index == skipped:
            continue
        if key and index + 1 < len(texts):
            skipped = index + 1
            yield from _of_key(line, key, texts[skipped])
        elif (match := _KEY.fullmatch(text)) and (key := _FIELD_OF_KEY.get(values.fold(match[1]), "")):
            yield from _of_key(line, key, match[2])
        else:
            yield from _of_text(line, text)


def _of_key(line: int, key: str, text: str) -> Iterator[Stated]:
    if key == "boards":
        if number := values.count(text):
            yield Stated(key, str(number), line)
    elif key == "date":
        yield from (Stated(key, day, line) for day in dates_in(text))
    elif text:
        yield Stated(key, text, line)


def _of_text(line: int, text: str) -> Iterator[Stated]:
    yield from (Stated("date", day, line) for day in dates_in(text))
    rest = _DATE.sub(" - ", text)
    for match in _BOARDS.finditer(rest):
        if (number := values.count(match[1])) and not _PER_ROUND.search(rest[: match.start()]):
            yield Stated("boards", str(number), line)
    for part in _BETWEEN.split(_BOARDS.sub(" - ", rest)):
        words = set(values.fold(part).split())
        if len(words) > 1 and words & _TITLE_WORDS:
            yield Stated("title", part.strip(" -–—()."), line)
        elif len(words) > 1 and words & _CLUB_WORDS:
            yield Stated("club_name", part.strip(" -–—()."), line)
