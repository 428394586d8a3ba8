"""Merge two numbers of one person, and undo a merge. `merge_proposals` proposes both to a second person.

Entries are never edited: the duplicate's entries are reversed and posted again for the player kept, so the
ledger's total stays the same. Categories are not merged. Tournaments still show the number with which they
were confirmed.
"""

import hashlib
from collections import Counter, defaultdict
from datetime import date, timedelta
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.models import Licence, Player, PlayerMerge, Proposal
from players.services.changes import send_players_changed
from players.services.journal import note_moved
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import standings, transfers
from scoring.office.services import countable
from scoring.ratings.models import RatedPlayer
from tournaments.models import Revision, Tournament
from ui.formatting import format_date
from ui.text import fold

MOST_NAMED = 5  # tournaments listed in an error message


class DuplicateAward(NamedTuple):
    """Two opening awards with the same title and day, one under each number.

    duplicate, kept: points, in hundredths, of the award under the duplicate and under the surviving number
    """

    title: str
    day: date
    duplicate: int
    kept: int
    entries: tuple[int, int]  # ids of the ledger entries, the duplicate's first


@transaction.atomic
def merge(
    duplicate: Player, kept: Player, reason: str, by, confirmed: str = "", proposal: Proposal | None = None
) -> PlayerMerge:
    """Merge `duplicate` into `kept`. Return the record of the merge.

    Raises ValidationError if there are `obstacles`, or if the user has not confirmed the `duplicate_awards`.

    confirmed: `fingerprint` of the duplicate awards that the user has confirmed
    proposal: the approved proposal, which is recorded in the journal of accounts
    """
    reason = required_reason(reason)
    duplicate, kept = _lock(duplicate.pk, kept.pk)
    standings.lock_states()
    refuse(duplicate, kept, confirmed)
    record = PlayerMerge.objects.create(duplicate=duplicate, kept=kept, reason=reason, by=by)
    entries = transfers.effective_entries(duplicate)
    text = _("Number %(number)s was merged into %(kept)s: %(reason)s")
    values = {"number": duplicate.number, "kept": kept.number, "reason": reason}
    transfers.move(record, entries, text % values, by and by.pk)
    duplicate.merged_into = kept
    record.detail = {
        "entries": len(entries),
        "points": dict(sums_by_family(entries)),
        "licences": _copy_licences(duplicate, kept),
        "carried": _carry_over(duplicate, kept, by, proposal),
    }
    record.save(update_fields=["detail"])
    send_players_changed({duplicate.pk, kept.pk})
    countable.ask_on_commit()
    return record


@transaction.atomic
def undo(merge_id: int, reason: str, by, proposal: Proposal | None = None) -> PlayerMerge:
    """Undo a merge. Return its record.

    The duplicate gets back its entries that are still effective, and its account and other data. The copies
    of its licences are deleted unless they were edited. Awards posted since the merge stay with the surviving
    player (see `awards_since`). Raises ValidationError if the reason is empty or the merge is already undone.
    """
    reason = required_reason(reason)
    record = PlayerMerge.objects.get(pk=merge_id)
    duplicate, kept = _lock(record.duplicate_id, record.kept_id)
    standings.lock_states()
    record = PlayerMerge.objects.get(pk=merge_id)  # read again under the locks
    refuse_undone(record)
    entries = transfers.moved_entries(record)
    text = _("Number %(number)s is parted from %(kept)s again: %(reason)s")
    values = {"number": duplicate.number, "kept": kept.number, "reason": reason}
    transfers.move_back(record, entries, text % values, by and by.pk)
    record.detail["stayed"] = list(awards_since(record).values_list("pk", flat=True))
    _give_back(record, duplicate, kept, by, proposal)
    record.undone_at, record.undone_by, record.undone_reason = timezone.now(), by, reason
    record.save(update_fields=["detail", "undone_at", "undone_by", "undone_reason"])
    _carry_over_again(kept, by, proposal)
    send_players_changed({duplicate.pk, kept.pk})
    countable.ask_on_commit()
    return record


def refuse(duplicate: Player, kept: Player, confirmed: str) -> None:
    """Raise ValidationError if there are obstacles or unconfirmed duplicate awards.

    Arguments as in `merge`.
    """
    if sentences := obstacles(duplicate, kept):
        raise ValidationError(sentences)
    if fingerprint(duplicate_awards(duplicate, kept)) != confirmed:
        text = _("Both numbers have awards of the same title and day: look at them, and tick that both stay.")
        raise ValidationError(text, code="met")


def refuse_undone(record: PlayerMerge) -> None:
    """Raise ValidationError if the merge is already undone."""
    if record.undone_at:
        raise ValidationError(_("This merging was already undone."))


def obstacles(duplicate: Player, kept: Player) -> list[str]:
    """Return sentences that explain why the two numbers cannot be merged; empty if they can."""
    if duplicate.pk == kept.pk:
        return [_("Both are the same number.")]
    sentences = []
    for player in (duplicate, kept):
        if player.merged_into_id:
            text = _("Number %(number)s was already merged into %(kept)s.")
            sentences.append(text % {"number": player.number, "kept": player.merged_into.number})
    if others := list(duplicate.merged.order_by("number").values_list("number", flat=True)):
        text = _("Others were merged into %(number)s (%(others)s): undo that first, or keep this number.")
        sentences.append(text % {"number": duplicate.number, "others": ", ".join(others)})
    revisions = played_both(duplicate, kept)[:MOST_NAMED]
    if names := [_dated(revision.tournament) for revision in revisions]:
        text = _("Both played in the same tournament, so they are two persons: %(names)s.")
        sentences.append(text % {"names": "; ".join(names)})
    return sentences


def _dated(tournament: Tournament) -> str:
    return f"{tournament.name} ({format_date(tournament.end_date, get_language() or '')})"


def played_both(duplicate: Player, kept: Player) -> QuerySet[Revision]:
    """Return the rankings, published or not yet scored, in which both numbers have a seat, latest first."""
    numbers = Player.objects.numbers_of(kept)
    both = Revision.objects.filter(seats__player=duplicate).filter(seats__player__in=numbers).distinct()
    current = both.filter(Q(tournament__published=None) | Q(number__gte=F("tournament__published__number")))
    return current.select_related("tournament").order_by("-tournament__end_date", "-pk")


def duplicate_awards(duplicate: Player, kept: Player) -> list[DuplicateAward]:
    """Return the effective opening awards of the same title and day under both numbers, latest first.

    Either the person played twice that day, or a list was imported for both numbers. The merge keeps both
    awards, so the user must confirm them. One query.
    """
    awards = LedgerEntry.objects.filter(
        player__in=[duplicate, kept], kind=LedgerEntry.Kind.OPENING, tournament=None, reversed_by=None
    )
    by_player: dict[int, dict[tuple, list[LedgerEntry]]] = {
        duplicate.pk: defaultdict(list),
        kept.pk: defaultdict(list),
    }
    for award in awards.order_by("-played_on", "title", "pk"):
        event = (award.family, award.played_on, fold(award.title))
        by_player[award.player_id][event].append(award)
    return [
        DuplicateAward(
            award.title, award.played_on, award.points, kept_award.points, (award.pk, kept_award.pk)
        )
        for event, duplicates in by_player[duplicate.pk].items()
        for award in duplicates
        for kept_award in by_player[kept.pk].get(event, ())
    ]


def fingerprint(awards: list[DuplicateAward]) -> str:
    """Return a hash that is equal for equal awards; "" if there are none."""
    return hashlib.sha256(repr([award.entries for award in awards]).encode()).hexdigest() if awards else ""


def awards_since(record: PlayerMerge) -> QuerySet[LedgerEntry]:
    """Return the effective awards that the surviving player received after the merge, latest first.

    Undoing the merge leaves them with that player, because it is unknown to which number they belong; the
    office checks them.
    """
    awards = record.kept.entries.filter(
        kind=LedgerEntry.Kind.AWARD, reversed_by=None, posted_at__gt=record.at
    )
    return awards.select_related("tournament__club").order_by("-played_on", "-pk")


def required_reason(reason: str) -> str:
    """Return the reason, stripped. Raises ValidationError if it is empty."""
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: the reason is part of the players' history.")})
    return reason.strip()


def _lock(duplicate_id: int, kept_id: int) -> tuple[Player, Player]:
    """Lock the rows of both players and of all players already merged into `kept`. Return both players.

    The rows are locked in order of id, as by `categories.lock`, to avoid deadlocks. The locks are FOR NO KEY
    UPDATE, because a full lock would block every insert of a row that refers to the players. Callers must
    then call `standings.lock_states`, so that no award is posted to either player before they finish.
    """
    concerned = Q(pk__in=[duplicate_id, kept_id]) | Q(merged_into=kept_id)
    rows = Player.objects.select_for_update(no_key=True).filter(concerned).order_by("pk")
    players = {player.pk: player for player in rows}
    return players[duplicate_id], players[kept_id]


def sums_by_family(entries: list[LedgerEntry]) -> Counter[str]:
    """Return {family: sum of the entries' points in hundredths}."""
    sums: Counter[str] = Counter()
    for entry in entries:
        sums[entry.family] += entry.points
    return sums


def _copy_licences(duplicate: Player, kept: Player) -> dict[str, list]:
    """Copy the duplicate's licences to `kept`. Return {id of a copy: its `_changeable_values`}.

    If `kept` already has a licence of the same issuer with the same first day, the copy starts on the day
    after that licence ends. The originals stay, because the licences of an old tournament are checked under
    the number in its ranking.
    """
    ends = {(licence.issuer, licence.valid_from): licence.valid_to for licence in kept.licences.all()}
    copies = []
    for licence in duplicate.licences.all():
        first = licence.valid_from
        while end := ends.get((licence.issuer, first)):
            first = end + timedelta(days=1)
        if first <= licence.valid_to:
            copy = Licence(valid_from=first, valid_to=licence.valid_to, issuer=licence.issuer, player=kept)
            copy.equivalent = licence.equivalent
            copy.save()
            copies.append(copy)
    return {str(copy.pk): _changeable_values(copy) for copy in copies}


def _changeable_values(licence: Licence) -> list:
    """Return those values of a copied licence that the office may edit later, to store with the merge.

    Undoing the merge deletes the copy only if the values are unchanged.
    """
    return [licence.valid_to.isoformat(), licence.equivalent]


# --- Data that a person has only once -----------------------------------------------------------------------
def _carry_over(duplicate: Player, kept: Player, by, proposal: Proposal | None) -> dict:
    """Copy or move to `kept` the duplicate's data that `kept` lacks, and return them by name.

    The flag `hidden` and the date of death are copied. The account and the Go player are moved.
    """
    carried: dict = {}
    if duplicate.hidden and not kept.hidden:
        kept.hidden = carried["hidden"] = True
    if duplicate.deceased_on and not kept.deceased_on:
        kept.deceased_on = duplicate.deceased_on
        carried["deceased_on"] = kept.deceased_on.isoformat()
    account = duplicate.user_id
    if account and not kept.user_id:
        kept.user_id = carried["user"] = account
        duplicate.user_id = None
        note_moved(account, duplicate, kept, by, proposal)
    # Save this first, because an account has only one player.
    duplicate.save(update_fields=["merged_into", "user"])
    kept.save(update_fields=["hidden", "deceased_on", "user"])
    rated = RatedPlayer.objects.filter(player=duplicate).first()
    if rated and not RatedPlayer.objects.filter(player=kept).exists():
        RatedPlayer.objects.filter(pk=rated.pk).update(player=kept)
        carried["rated"] = rated.pk
    return carried


def _give_back(record: PlayerMerge, duplicate: Player, kept: Player, by, proposal: Proposal | None) -> None:
    """Undo `_carry_over` and `_copy_licences` of a merge, except for values that were edited since."""
    carried = record.detail["carried"]
    if carried.get("hidden"):
        kept.hidden = False
    deceased_on = carried.get("deceased_on")
    if deceased_on and kept.deceased_on == date.fromisoformat(deceased_on):
        kept.deceased_on = None
    duplicate.merged_into = None
    account = carried.get("user")
    if account and kept.user_id == account and not duplicate.user_id:
        kept.user_id, duplicate.user_id = None, account
        note_moved(account, kept, duplicate, by, proposal)
    kept.save(update_fields=["hidden", "deceased_on", "user"])
    duplicate.save(update_fields=["merged_into", "user"])
    if not RatedPlayer.objects.filter(player=duplicate).exists():
        RatedPlayer.objects.filter(pk=carried.get("rated"), player=kept).update(player=duplicate)
    copied = record.detail["licences"]
    unchanged = [
        licence.pk
        for licence in kept.licences.all()
        if copied.get(str(licence.pk)) == _changeable_values(licence)
    ]
    kept.licences.filter(pk__in=unchanged).delete()


def _carry_over_again(kept: Player, by, proposal: Proposal | None) -> None:
    """Copy to `kept` the data that it now lacks, from other numbers that stay merged into it.

    For example, `kept` stays hidden if one of those numbers is hidden. The copied values are recorded in the
    merge of that other number, so that undoing that merge reverts them.
    """
    for record in PlayerMerge.objects.filter(kept=kept, undone_at=None).select_related("duplicate"):
        record.detail["licences"] |= _copy_licences(record.duplicate, kept)
        record.detail["carried"] |= _carry_over(record.duplicate, kept, by, proposal)
        record.save(update_fields=["detail"])
