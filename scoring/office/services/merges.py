"""Merging two numbers of one person, and parting them again.

The entries of the number given up are taken back and given to the number kept, never edited: the sums of
the whole ledger stay as they are. Categories are not merged; tournaments keep the number they were confirmed
with.
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
from players.services.proposals import propose
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import standings, transfers
from scoring.ratings.models import RatedPlayer
from tournaments.models import Revision, Tournament
from tournaments.services.matching import PARTICLES, words_of
from ui.formatting import format_date
from ui.text import fold

KIND = "merge"  # of the act for a second person
LISTED = 5  # tournaments named in a refusal


class Met(NamedTuple):
    """Opening awards of one title and day under both numbers; points in hundredths."""

    title: str
    day: date
    duplicate: int
    kept: int
    entries: tuple[int, int]  # their ids


@transaction.atomic
def merge(duplicate: Player, kept: Player, reason: str, by, seen: str = "") -> PlayerMerge:
    """Give everything of `duplicate` to `kept`.

    seen: the fingerprint of the awards under both numbers that somebody has looked at. Raises ValidationError
    where `obstacles` finds one, or where other awards have met.
    """
    reason = _said(reason)
    duplicate, kept = _locked(duplicate.pk, kept.pk)
    standings.lock_states()
    if found := obstacles(duplicate, kept):
        raise ValidationError(found)
    _refuse_unseen(duplicate, kept, seen)
    made = PlayerMerge.objects.create(duplicate=duplicate, kept=kept, reason=reason, by=by)
    entries = transfers.effective_entries(duplicate)
    text = _("Number %(number)s was merged into %(kept)s: %(reason)s")
    said = text % {"number": duplicate.number, "kept": kept.number, "reason": reason}
    transfers.move(made, entries, said, by and by.pk)
    duplicate.merged_into = kept
    made.detail = {
        "entries": len(entries),
        "points": dict(_sums(entries)),
        "licences": _copied(duplicate, kept),
        "carried": _carry(duplicate, kept, by),
    }
    made.save(update_fields=["detail"])
    send_players_changed({duplicate.pk, kept.pk})
    return made


@transaction.atomic
def undo(merge_id: int, reason: str, by) -> PlayerMerge:
    """Part two numbers: what the merging moved and still stands goes back, and so does what it copied.

    What tournaments gave to the number kept since then stays with it: see `given_since`. Raises
    ValidationError without a reason, or when it was undone before.
    """
    reason = _said(reason)
    made = PlayerMerge.objects.get(pk=merge_id)
    duplicate, kept = _locked(made.duplicate_id, made.kept_id)
    standings.lock_states()
    made = PlayerMerge.objects.get(pk=merge_id)  # again: nobody else can have it now
    if made.undone_at:
        raise ValidationError(_("This merging was already undone."))
    entries = transfers.moved_entries(made)
    text = _("Number %(number)s is parted from %(kept)s again: %(reason)s")
    said = text % {"number": duplicate.number, "kept": kept.number, "reason": reason}
    transfers.move_back(made, entries, said, by and by.pk)
    made.detail["stayed"] = list(given_since(made).values_list("pk", flat=True))
    _give_back(made, duplicate, kept, by)
    made.undone_at, made.undone_by, made.undone_reason = timezone.now(), by, reason
    made.save(update_fields=["detail", "undone_at", "undone_by", "undone_reason"])
    _bring_again(kept, by)
    send_players_changed({duplicate.pk, kept.pk})
    return made


def ask(duplicate: Player, kept: Player, reason: str, by, seen: str = "") -> PlayerMerge | Proposal:
    """Merge two numbers of one name, or let a second person decide where the names differ.

    Raises ValidationError as `merge` does, and where the same merging waits already.
    """
    if not names_differ(duplicate, kept):
        return merge(duplicate, kept, reason, by, seen)
    reason = _said(reason)
    if found := obstacles(duplicate, kept):
        raise ValidationError(found)
    _refuse_unseen(duplicate, kept, seen)
    data = {
        "duplicate": duplicate.pk, "kept": kept.pk, "numbers": [duplicate.number, kept.number], "met": seen,
    }  # fmt: skip
    return propose(KIND, by, data, key=f"{duplicate.pk}:{kept.pk}", reason=reason)


def names_differ(one: Player, other: Player) -> bool:
    """Whether two registered names are not the same, word by word: given name, and surname.

    Accents, capitals, punctuation and particles ("de la") do not matter; a missing second surname does.
    """
    return _words(one.given_name) != _words(other.given_name) or _words(one.surname) != _words(other.surname)


def _words(name: str) -> list[str]:
    return [word for word in words_of(name) if word not in PARTICLES]


def _refuse_unseen(duplicate: Player, kept: Player, seen: str) -> None:
    if fingerprint(met(duplicate, kept)) != seen:
        text = _("Both numbers have awards of the same title and day: look at them, and tick that both stay.")
        raise ValidationError(text, code="met")


def obstacles(duplicate: Player, kept: Player) -> list[str]:
    """Why these two cannot be merged, in sentences; empty where nothing speaks against it."""
    if duplicate.pk == kept.pk:
        return [_("Both are the same number.")]
    found = []
    for player in (duplicate, kept):
        if player.merged_into_id:
            text = _("Number %(number)s was already merged into %(kept)s.")
            found.append(text % {"number": player.number, "kept": player.merged_into.number})
    if others := list(duplicate.merged.order_by("number").values_list("number", flat=True)):
        text = _("Others were merged into %(number)s (%(others)s): undo that first, or keep this number.")
        found.append(text % {"number": duplicate.number, "others": ", ".join(others)})
    if names := [_dated(each.tournament) for each in played_both(duplicate, kept)[:LISTED]]:
        text = _("Both played in the same tournament, so they are two persons: %(names)s.")
        found.append(text % {"names": "; ".join(names)})
    return found


def _dated(tournament: Tournament) -> str:
    return f"{tournament.name} ({format_date(tournament.end_date, get_language() or '')})"


def played_both(duplicate: Player, kept: Player) -> QuerySet[Revision]:
    """Rankings in force, or confirmed and not yet scored, in which both have a seat; latest first."""
    person = Player.objects.numbers_of(kept)
    both = Revision.objects.filter(seats__player=duplicate).filter(seats__player__in=person).distinct()
    published = "tournament__published"
    current = both.filter(Q(**{published: None}) | Q(number__gte=F(f"{published}__number")))
    return current.select_related("tournament").order_by("-tournament__end_date", "-pk")


def met(duplicate: Player, kept: Player) -> list[Met]:
    """Opening awards of one title and day that stand under both numbers, latest first; one query.

    Nobody can tell whether somebody played twice that day, or a list was brought in under either number: a
    merging leaves both, and whoever merges says that it is meant so.
    """
    awards = LedgerEntry.objects.filter(
        player__in=[duplicate, kept], kind=LedgerEntry.Kind.OPENING, tournament=None, reversed_by=None
    )
    ours: dict[tuple, list[LedgerEntry]] = defaultdict(list)
    theirs: dict[tuple, list[LedgerEntry]] = defaultdict(list)
    for award in awards.order_by("-played_on", "title", "pk"):
        same = (award.family, award.played_on, fold(award.title))
        (ours if award.player_id == duplicate.pk else theirs)[same].append(award)
    return [
        Met(one.title, one.played_on, one.points, other.points, (one.pk, other.pk))
        for same, awards in ours.items()
        for one in awards
        for other in theirs.get(same, ())
    ]


def fingerprint(found: list[Met]) -> str:
    """Another one for other awards; empty where there are none."""
    return hashlib.sha256(repr([each.entries for each in found]).encode()).hexdigest() if found else ""


def given_since(made: PlayerMerge) -> QuerySet[LedgerEntry]:
    """Awards that stand with the number kept and were given to it after the merging, latest first.

    Nobody can tell which of the two played there: undoing leaves them, and the office looks at them.
    """
    awards = made.kept.entries.filter(kind=LedgerEntry.Kind.AWARD, reversed_by=None, posted_at__gt=made.at)
    return awards.select_related("tournament__club").order_by("-played_on", "-pk")


def _said(reason: str) -> str:
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: the reason is part of the players' history.")})
    return reason.strip()


def _locked(duplicate_id: int, kept_id: int) -> tuple[Player, Player]:
    """Both rows, locked in one order, as whoever gives categories does, and others merged into the one kept.

    The states of the standings come next: with them no award of either is being posted. Rows that point at
    the players are checked when their transaction ends, which a full lock would hold up.
    """
    concerned = Q(pk__in=[duplicate_id, kept_id]) | Q(merged_into=kept_id)
    rows = Player.objects.select_for_update(no_key=True).filter(concerned).order_by("pk")
    found = {player.pk: player for player in rows}
    return found[duplicate_id], found[kept_id]


def _sums(entries: list[LedgerEntry]) -> Counter[str]:
    """Hundredths by family."""
    sums: Counter[str] = Counter()
    for entry in entries:
        sums[entry.family] += entry.points
    return sums


def _copied(duplicate: Player, kept: Player) -> dict[str, list]:
    """Give `kept` the licences that it lacks, or the rest of one that ends sooner; what they say, by id.

    Copies: old tournaments look at the number they name.
    """
    ends = {(each.issuer, each.valid_from): each.valid_to for each in kept.licences.all()}
    copies = []
    for each in duplicate.licences.all():
        first = each.valid_from
        while end := ends.get((each.issuer, first)):
            first = end + timedelta(days=1)
        if first <= each.valid_to:
            copy = Licence(valid_from=first, valid_to=each.valid_to, issuer=each.issuer, player=kept)
            copy.equivalent = each.equivalent
            copy.save()
            copies.append(copy)
    return {str(each.pk): _said_by(each) for each in copies}


def _said_by(licence: Licence) -> list:
    """What somebody may change of a licence, as it is noted."""
    return [licence.valid_to.isoformat(), licence.equivalent]


# --- What a person has but once -------------------------------------------------------------------------
def _carry(duplicate: Player, kept: Player, by) -> dict:
    """Give `kept` what it has not: account, date of death, being hidden, rated player. Returns that."""
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
        note_moved(account, duplicate, kept, by)
    duplicate.save(update_fields=["merged_into", "user"])  # first: an account has but one player
    kept.save(update_fields=["hidden", "deceased_on", "user"])
    rated = RatedPlayer.objects.filter(player=duplicate).first()
    if rated and not RatedPlayer.objects.filter(player=kept).exists():
        RatedPlayer.objects.filter(pk=rated.pk).update(player=kept)
        carried["rated"] = rated.pk
    return carried


def _give_back(made: PlayerMerge, duplicate: Player, kept: Player, by) -> None:
    """Undo `_carry` and the copying of licences, except for what somebody has changed since."""
    carried = made.detail["carried"]
    if carried.get("hidden"):
        kept.hidden = False
    died = carried.get("deceased_on")
    if died and kept.deceased_on == date.fromisoformat(died):
        kept.deceased_on = None
    duplicate.merged_into = None
    account = carried.get("user")
    if account and kept.user_id == account and not duplicate.user_id:
        kept.user_id, duplicate.user_id = None, account
        note_moved(account, kept, duplicate, by)
    kept.save(update_fields=["hidden", "deceased_on", "user"])
    duplicate.save(update_fields=["merged_into", "user"])
    if not RatedPlayer.objects.filter(player=duplicate).exists():
        RatedPlayer.objects.filter(pk=carried.get("rated"), player=kept).update(player=duplicate)
    copied = made.detail["licences"]
    same = [each.pk for each in kept.licences.all() if copied.get(str(each.pk)) == _said_by(each)]
    kept.licences.filter(pk__in=same).delete()


def _bring_again(kept: Player, by) -> None:
    """Give `kept` what the numbers that stay merged into it have, and it lacks without the parted one.

    Somebody who is hidden under one of them stays hidden; undoing that merging later takes it back.
    """
    for other in PlayerMerge.objects.filter(kept=kept, undone_at=None).select_related("duplicate"):
        other.detail["licences"] |= _copied(other.duplicate, kept)
        other.detail["carried"] |= _carry(other.duplicate, kept, by)
        other.save(update_fields=["detail"])
