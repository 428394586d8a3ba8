"""The part of a long ranking that the review page shows, so that the page does not grow with the ranking.

A ranking that fits on one page keeps its order. A longer one begins with the contestants who need something:
those with somebody who is not identified, then those with somebody without a licence.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import pgettext

from tournaments.formats.types import Issue
from tournaments.services.drafts import Draft
from tournaments.services.issues import PERSONAL, tick_of
from tournaments.services.people import Seat
from ui.parameters import PAGE

PENDING, GROUP = "pendientes", "aviso"  # parameters of the review's address
OPEN, LAPSED = "open", "lapsed"
# The length of a page, in rows of people. A row with a form is as long as three.
ROWS, FORM = 150, 3
PERSONAL_ITEMS = 15  # warnings about one person that are shown at a time, each with a form
ITEMS = 25  # issues of one kind that are shown until the user asks for all of them
CHANGES = 50  # players whose points change that are shown; the page before confirming has them all


@dataclass(frozen=True)
class Part:
    """The contestants that the page shows.

    entries: their indexes in the draft's entries, in the order of the page
    needs: {seat: why the director should look at it, `OPEN` or `LAPSED`} of the whole ranking
    number, count: the page's number and the number of pages
    is_pending: whether only contestants who need something are shown
    total: the number of contestants on all pages
    before: the number of contestants on the pages before
    """

    entries: tuple[int, ...]
    needs: Mapping[Seat, str]
    number: int = 1
    count: int = 1
    is_pending: bool = False
    total: int = 0
    before: int = 0

    @property
    def first(self) -> int:
        return self.before + 1

    @property
    def last(self) -> int:
        return min(self.total, self.before + len(self.entries))

    @property
    def query(self) -> str:
        """The query string of this page, "" for the first page of the whole ranking."""
        values = {PENDING: "1"} if self.is_pending else {}
        if self.number > 1:
            values[PAGE] = str(self.number)
        return f"?{urlencode(values)}" if values else ""

    @property
    def filter_query(self) -> str:
        """The beginning of the query strings of the other pages."""
        return f"?{PENDING}=1&" if self.is_pending else "?"

    @property
    def links(self) -> list[tuple[str, int]]:
        return page_links(self.number, self.count)

    def has(self, seat: Seat) -> bool:
        return seat[0] in self.entries


def page_links(number: int, count: int) -> list[tuple[str, int]]:
    """Return (label, page number) of the pages to which one can go from page `number` of `count`."""
    back = [(pgettext("page", "First"), 1), (pgettext("page", "Previous"), number - 1)]
    on = [(pgettext("page", "Next"), number + 1), (pgettext("page", "Last"), count)]
    return (back if number > 1 else []) + (on if number < count else [])


def page_number(query: QueryDict, name: str = PAGE) -> int:
    """Return the page number in the parameters of an address; 1 if there is none."""
    text = query.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 1


def needs_of(draft: Draft) -> dict[Seat, str]:
    """Return the seats of the draft at which the director should look, and why."""
    needs = {}
    for row, entry in enumerate(draft.entries):
        for index, person in enumerate(entry.people):
            seat = (row, index)
            if draft.is_open(seat, person):
                needs[seat] = OPEN
            elif (
                (player := draft.player_at(seat, person))
                and draft.known.end_date
                and player.pk not in draft.licensed
            ):
                needs[seat] = LAPSED
    return needs


def part_of(draft: Draft, query: QueryDict, wanted: Collection[Seat] = ()) -> Part:
    """Return the part of the ranking for the parameters of the review's address.

    A page number beyond the end gives the last page, because the list may have become shorter.

    wanted: seats that have to be on the page, because their forms have errors or were asked for
    """
    needs = needs_of(draft)
    open_rows = {row for (row, _seat), need in needs.items() if need == OPEN}
    pending = open_rows | {row for row, _seat in needs}
    # Without a ranking, because places have errors, the contestants stand in the order of the file.
    ranked = draft.ranked_rows or list(range(len(draft.entries)))
    pages = _pages(draft, ranked, open_rows)
    is_pending = PENDING in query and len(pages) > 1
    if len(pages) > 1:
        order = [row for row in ranked if row in open_rows]
        order += [row for row in ranked if row in pending - open_rows]
        order += [row for row in ranked if row not in pending and not is_pending]
        pages = _pages(draft, order, open_rows) or [[]]
    number = min(max(page_number(query), 1), len(pages))
    shown = pages[number - 1]
    missing = sorted({row for row, _seat in wanted} - set(shown))
    return Part(
        entries=(*shown, *(row for row in missing if row < len(draft.entries))),
        needs=needs,
        number=number,
        count=len(pages),
        is_pending=is_pending,
        total=sum(map(len, pages)),
        before=sum(map(len, pages[: number - 1])),
    )


def _pages(draft: Draft, order: Sequence[int], with_forms: Collection[int]) -> list[list[int]]:
    """Divide entries into pages of about `ROWS` rows of people."""
    pages: list[list[int]] = [[]]
    length = 0
    for row in order:
        rows = len(draft.entries[row].people) * (FORM if row in with_forms else 1)
        if pages[-1] and length + rows > ROWS:
            pages.append([])
            length = 0
        pages[-1].append(row)
        length += rows
    return pages


def listed_issues(issues: Sequence[Issue], ticks: Collection[str]) -> tuple[list[Issue], int]:
    """Return the issues for the page, and the number of warnings about one person that are left out.

    Of these warnings the page has the first ones without a tick.

    ticks: the ticks that are given
    """
    personal = [item for item in issues if item.code in PERSONAL]
    personal.sort(key=lambda item: tick_of(item) in ticks)
    shown = personal[:PERSONAL_ITEMS]
    kept = {id(item) for item in shown}
    others = [item for item in issues if item.code not in PERSONAL or id(item) in kept]
    return others, len(personal) - len(shown)


def all_ticks(sent: Collection[str], listed: Collection[str], accepted: Collection[str]) -> list[str]:
    """Return the ticks sent with a page, and those given earlier to warnings that the page did not list.

    listed: the ticks of the warnings about one person that the page had; empty if it had all
    accepted: the ticks given earlier
    """
    if not listed:
        return list(sent)
    unlisted = {tick for tick in accepted if tick.partition(":")[0] in PERSONAL and tick not in listed}
    return sorted({*sent, *unlisted})
