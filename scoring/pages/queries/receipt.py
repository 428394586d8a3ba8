"""What surrounds the steps of a receipt: with whom the player played, and all entries of the tournament."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.models import Player
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.receipts import Receipt
from scoring.pages.queries.results import companions_of, seats_of
from ui.formatting import format_percent, format_whole

Kind = LedgerEntry.Kind
Purpose = ScoringRun.Purpose


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry of a player from a tournament, in words."""

    pk: int
    words: str
    reason: str
    posted_at: datetime
    points: int


def entry_lines(entry: LedgerEntry) -> list[EntryLine]:
    """Return all entries of an entry's player from its tournament, the first first. One query."""
    rows = LedgerEntry.objects.filter(player=entry.player_id, tournament=entry.tournament_id).order_by("pk")
    columns = ("pk", "kind", "run__purpose", "contestant__place", "reason", "posted_at", "points")
    lines: list[EntryLine] = []
    for pk, kind, purpose, place, reason, posted_at, points in rows.values_list(*columns):
        words = _words(kind, purpose, place, corrected=bool(lines))
        shown = reason if kind != Kind.AWARD else ""  # the reversal before it has the same reason
        lines.append(EntryLine(pk, words, shown, posted_at, points))
    return lines


def _words(kind: str, purpose: str | None, place: int | None, *, corrected: bool) -> str:
    if kind == Kind.REVERSAL:
        if purpose is None:
            return _("Taken back by the office")
        return _("Annulled") if purpose == Purpose.ANNUL else _("Taken back by a correction")
    if kind == Kind.OPENING:
        return _("Moved from another number")
    if kind == Kind.ADJUSTMENT:
        return _("Adjustment")
    text = _award_words(purpose, corrected)
    if place is None:
        return text
    return _("%(award)s, place %(place)s") % {
        "award": text,
        "place": format_whole(place, get_language() or ""),
    }


def _award_words(purpose: str | None, corrected: bool) -> str:
    if purpose == Purpose.RESTORE:
        return _("Restored award")
    return _("Corrected award") if corrected else _("Award")


def result_in_words(entry: LedgerEntry, receipt: Receipt, player: Player) -> str:
    """Return the result that gave an award: "place 4 of 18 with Elena Aldana (55.06 %)". At most two queries.

    Return "" if the contestant has no place.
    """
    contestant, lang = entry.contestant, get_language() or ""
    if contestant is None or contestant.place is None:
        return ""
    values = {
        "place": format_whole(contestant.place, lang),
        "size": format_whole(receipt.scored.event.count, lang),
        "people": _names(companions_of(seats_of([contestant.pk]), player).get(contestant.pk, [])),
    }
    text = (
        _("place %(place)s of %(size)s with %(people)s")
        if values["people"]
        else _("place %(place)s of %(size)s")
    )
    percentage = contestant.percentage
    return text % values + ("" if percentage is None else f" ({format_percent(percentage, lang)})")


def _names(people: Iterable[dict]) -> str:
    return ", ".join(person["name"] or _("guest") for person in people)
