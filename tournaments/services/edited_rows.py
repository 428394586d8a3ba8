"""Edit a ranking by hand, one page of rows at a time.

A page of the form stands for consecutive rows of the ranking. Saving the page replaces these rows and keeps
the others, so a ranking of any length can be edited without sending it as a whole.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Self

from tournaments.formats.limits import RESULT_ENTRIES
from tournaments.formats.types import Entry
from tournaments.models import ResultUpload

from .drafts import Draft, parsed_of
from .stored import TYPED

VERSION_LENGTH = 20  # hexadecimal digits
KEY_LENGTH = 10


class TooManyRows(Exception):
    """The ranking would have more rows than a file may have."""


class Moved(Exception):
    """Rows of the page have changed in the ranking since the page was opened."""


@dataclass(frozen=True)
class Shown:
    """What a page of the form showed when it was opened.

    form: a digest of the tournament's format, and of whether it is one ranking or two
    version: a digest of all rows
    start: the index of the page's first row in the ranking
    keys: a digest of each row of the page that is in the ranking
    """

    form: str
    version: str
    start: int
    keys: tuple[str, ...]

    @classmethod
    def of(cls, draft: Draft, rows: Sequence[Entry], start: int, end: int) -> Self:
        keys = [key_of(row) for row in rows]
        return cls(_form_of(draft), _digest(keys), start, tuple(keys[start:end]))

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """Return the `Shown` that `str` wrote, or None for any other text."""
        form, version, start, *keys = text.split(" ") if text.count(" ") > 1 else ("", "", "")
        if not (start.isascii() and start.isdecimal() and len(start) < 6):
            return None
        return cls(form, version, int(start), tuple(keys))

    def __str__(self) -> str:
        return " ".join((self.form, self.version, str(self.start), *self.keys))

    def now_at(self, rows: Sequence[Entry]) -> tuple[int, int]:
        """Return the range of indexes in the current ranking that corresponds to the rows of the page.

        It is computed from the first and the last row of the page that the ranking still has.
        """
        index = {key_of(row): at for at, row in enumerate(rows)}
        kept = [(offset, index[key]) for offset, key in enumerate(self.keys) if key in index]
        if not kept:
            start = min(self.start, len(rows))
            return start, min(start + len(self.keys), len(rows))
        start = max(kept[0][1] - kept[0][0], 0)
        return start, max(start, min(kept[-1][1] + len(self.keys) - kept[-1][0], len(rows)))


def rows_of(upload: ResultUpload, draft: Draft) -> list[Entry]:
    """Return the rows of the form: the computed ranking, or the rows in the order in which they were typed.

    Typed rows keep their order because messages refer to their numbers. People who are recognised by their
    names have no number there: it would count as typed.
    """
    as_typed = upload.file_format == TYPED or upload.parsed.get("edited") == "rows"
    entries = parsed_of(upload).entries
    if as_typed or not draft.ranked:
        return list(entries)
    places = zip(draft.ranked_rows, draft.ranked, strict=True)
    return [replace(entries[row], place=str(ranked.place)) for row, ranked in places]


def key_of(row: Entry) -> str:
    """Return a digest of what the form shows of a row."""
    people = [(person.number or "", person.name) for person in row.people]
    values = (row.number, row.place, row.score, row.percentage, row.direction, row.team)
    return _digest((*(value or "" for value in values), people))[:KEY_LENGTH]


@dataclass(frozen=True)
class EditedPage:
    """The rows of a page as the user edited them.

    shown: what the page showed when it was opened
    unused: the fields of `Entry` that the form does not show, and that become blank in all rows
    blanks_places: whether to remove the places of all rows, so that they are worked out from the results
    """

    rows: Sequence[Entry]
    shown: Shown
    unused: Collection[str] = ()
    blanks_places: bool = False

    def put_into(self, draft: Draft, rows: Sequence[Entry]) -> tuple[Entry, ...]:
        """Return the ranking with the rows of the page replaced. Rows are numbered from 1.

        If another page was saved since this one was opened, the rows are replaced where they stand now. If
        this page was saved already, for example by a first click on the button, its rows stay as they are.

        Raises Moved if rows of the page, or the format of the tournament, have changed, and TooManyRows.
        """
        if self.shown.form != _form_of(draft):
            raise Moved
        keys, replaced = [key_of(row) for row in rows], len(self.shown.keys)
        if self.shown.version == _digest(keys):
            start = self.shown.start
        elif _is_saved(keys, [key_of(row) for row in self.rows], self.shown):
            start, replaced = self.shown.start, len(self.rows)
        else:
            start = _only_place(keys, self.shown.keys)
        others = [replace(row, **dict.fromkeys(self.unused)) for row in rows]
        edited = [*others[:start], *self.rows, *others[start + replaced :]]
        if len(edited) > RESULT_ENTRIES:
            raise TooManyRows
        if self.blanks_places:
            edited = [replace(row, place=None) for row in edited]
        return numbered(edited)


def numbered(rows: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the rows with their numbers as lines, as if they had been typed."""
    return tuple(
        replace(
            row,
            line=line,
            section=None,
            boards=None,
            people=tuple(replace(person, line=line) for person in row.people),
        )
        for line, row in enumerate(rows, start=1)
    )


def _is_saved(keys: Sequence[str], page: Sequence[str], shown: Shown) -> bool:
    """Return whether the ranking has the rows of the page where the page showed others."""
    if not page:
        return not set(shown.keys) & set(keys)
    return list(keys[shown.start : shown.start + len(page)]) == list(page)


def _only_place(keys: Sequence[str], wanted: Sequence[str]) -> int:
    """Return the index where all rows of a page stand unchanged. Raises Moved if there is not one."""
    length = len(wanted)
    starts = [at for at in range(len(keys) - length + 1) if tuple(keys[at : at + length]) == tuple(wanted)]
    if not length or len(starts) != 1:
        raise Moved
    return starts[0]


def _form_of(draft: Draft) -> str:
    return _digest((draft.known.format, draft.known.ranking))


def _digest(state: object) -> str:
    return hashlib.sha256(repr(state).encode()).hexdigest()[:VERSION_LENGTH]
