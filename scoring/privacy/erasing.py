"""Erase a person's data. Points, places and proofs stay, because those of the others depend on them.

`begin` runs in the transaction of the approval: it empties the entry of the register and everything that is
stored for the person alone. What is spread over stored files and imported lists is left to a worker.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Model, Q
from django.utils.translation import gettext as _

from players.models import AccountEvent, Consent, Player, PlayerMerge, Proposal
from players.services import register_journal, sessions
from players.services.changes import send_players_changed
from scoring.cases.services import erase_texts
from scoring.ledger.services import queue
from scoring.letters import services as letters
from scoring.office.models import ListPart, ListRow, OfficeImport
from scoring.privacy.models import DataCopy, Erasure
from scoring.privacy.person import Person, of_player
from scoring.ratings.models import GoUpload, RatedPlayer
from scoring.signups.models import SignUpLetter
from tournaments.models import RememberedName, ResultUpload
from ui.clock import today
from ui.text import fold

LEASE = queue.LONGEST_LEASE
BATCH = 50  # stored files or lists in one transaction


@transaction.atomic
def begin(player: Player, proposal: Proposal, by: Any) -> Erasure:
    """Erase a person's entry in the register and account, and let a worker erase the rest."""
    person = of_player(player)
    rows = list(Player.objects.select_for_update().filter(pk__in=person.players).order_by("pk"))
    go_names = {fold(rated.name) for rated in RatedPlayer.objects.filter(player__in=person.players)}
    words = sorted({text for row in rows for text in _words(row)} | _account_words(person) | go_names)
    for row in rows:
        register_journal.erase(row)
        row.given_name = row.surname = row.email = ""
        row.birth_year, row.hidden, row.erased_on, row.user = None, True, today(), None
        row.save()
    _erase_own(person)
    _close_account(person)
    Consent.objects.create(player=person.player, kind=Consent.Kind.ERASED, by=by)
    erasure = Erasure.objects.create(player=person.player, proposal=proposal, words=words)
    queue.enqueue_on_commit(erasure)
    send_players_changed(person.players)
    return erasure


def _words(player: Player) -> set[str]:
    """Return the forms in which files and lists write a player's name and address, folded."""
    first, surname = player.given_name, player.surname
    names = {f"{first} {surname}", f"{surname} {first}", f"{surname}, {first}", player.email}
    return {fold(text) for text in names if text.strip(" ,")}


def _account_words(person: Person) -> set[str]:
    return {fold(person.account.email)} if person.account and person.account.email else set()


def _erase_own(person: Person) -> None:
    """Erase what is stored for the person alone."""
    numbers = person.players
    RememberedName.objects.filter(player__in=numbers).delete()
    SignUpLetter.objects.filter(player__in=numbers).delete()
    erase_texts(person.player)
    for rated in RatedPlayer.objects.filter(player__in=numbers):
        rated.name, rated.given_name, rated.hidden = str(rated.pin or rated.pk), "", True
        rated.country = ""
        rated.save()
    merges = PlayerMerge.objects.filter(Q(duplicate__in=numbers) | Q(kept__in=numbers))
    merges.update(reason="", undone_reason="")


def _close_account(person: Person) -> None:
    account = person.account
    if account is None:
        return
    letters.erase(account)
    sessions.end_all(account)
    DataCopy.objects.filter(account=account).delete()
    for model in (EmailAddress, Authenticator):
        model.objects.filter(user=account).delete()
    AccountEvent.objects.filter(account=account).update(detail={})
    account.roles.all().delete()
    account.username, account.email = f"borrada-{account.pk}", ""
    account.first_name = account.last_name = ""
    account.is_active = False
    account.set_unusable_password()
    account.save()


def obstacles(player: Player) -> list[str]:
    """Return why a person's data cannot be erased now, in sentences."""
    person = of_player(player)
    if person.player.erased_on:
        return [_("The data of this person are erased already.")]
    if person.account and person.account.roles.exists():
        return [_("The account of this person has roles: they are taken away first.")]
    return []


# --- What the worker does ----------------------------------------------------------------------------------
def erase_rest(erasure_id: int) -> None:
    """Erase a person's name from stored files and lists. The work of `Erasure`; safe to repeat."""
    queue.work_on(Erasure, erasure_id, LEASE, _erase_rest)


def _erase_rest(erasure: Erasure) -> None:
    words, changed = frozenset(erasure.words), erasure.changed
    for count in _scrub_all(of_player(erasure.player), words):
        changed += count
        queue.renew(erasure, LEASE, changed=changed)
    queue.finish(erasure, words=[], changed=changed)


def _scrub_all(person: Person, words: frozenset[str]) -> Iterator[int]:
    """Erase the words from everything where they can stand; yield the number of rows of each batch."""
    own = ResultUpload.objects.filter(revision__seats__player__in=person.players).distinct()
    yield from _scrub(own, ("parsed", "details"), words)
    go = GoUpload.objects.filter(tournament__entrants__player__player__in=person.players).distinct()
    yield from _scrub(go, ("parsed", "details"), words)
    yield from _scrub(OfficeImport.objects.all(), ("parsed", "compared", "written"), words)
    yield from _scrub(ListPart.objects.all(), ("compared", "written", "undone"), words)
    yield from _scrub(ListRow.objects.all(), ("values", "name", "details"), words)
    yield from _scrub(Proposal.objects.exclude(state=Proposal.State.PENDING), ("data", "result"), words)


def _scrub(rows, columns: tuple[str, ...], words: frozenset[str]) -> Iterator[int]:
    last = None
    while True:
        batch = rows.order_by("pk") if last is None else rows.filter(pk__gt=last).order_by("pk")
        ids = list(batch.values_list("pk", flat=True)[:BATCH])
        if not ids:
            return
        last = ids[-1]
        with transaction.atomic():
            yield sum(_scrub_row(row, columns, words) for row in rows.model.objects.filter(pk__in=ids))


def _scrub_row(row: Model, columns: tuple[str, ...], words: frozenset[str]) -> bool:
    changes = {}
    for name in columns:
        value = getattr(row, name)
        if value and (scrubbed := without(value, words)) != value:
            changes[name] = scrubbed
    if changes:
        if isinstance(row, Proposal):
            changes["erased_at"] = queue.now()
        type(row)._default_manager.filter(pk=row.pk).update(**changes)
    return bool(changes)


def without(value: Any, words: Iterable[str]) -> Any:
    """Return a JSON value in which every text that is one of the words, or contains one, is erased.

    words: folded texts
    """
    if isinstance(value, dict):
        return {key: without(item, words) for key, item in value.items()}
    if isinstance(value, list):
        return [without(item, words) for item in value]
    if isinstance(value, str) and value:
        folded = fold(value)
        # A single word may stand in many texts that are about somebody else.
        hit = any(word in folded if " " in word or "@" in word else word == folded for word in words)
        return "" if hit else value
    return value
