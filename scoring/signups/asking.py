"""Queue letters to members who have no account yet, and to owners of accounts who forgot their password."""

from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language

from players.models import Player
from scoring.ledger.services import queue
from scoring.signups.models import SignUpLetter

Kind = SignUpLetter.Kind


@transaction.atomic
def ask(number: str, email: str) -> None:
    """Queue the answer to a reader who asks for a letter. Do not read the register.

    number: normalised
    """
    letter = SignUpLetter.objects.create(kind=Kind.ASKED, number=number, email=email, language=_language())
    queue.enqueue_on_commit(letter)


@transaction.atomic
def ask_for_password(email: str) -> None:
    """Queue the answer to a reader who forgot a password. Do not look whether an account has the address."""
    letter = SignUpLetter.objects.create(kind=Kind.PASSWORD, email=email, language=_language())
    queue.enqueue_on_commit(letter)


@transaction.atomic
def invite(players: Iterable[Player], by) -> int:
    """Queue an invitation to each player, a few each minute. Return how many were queued.

    A player for whom an invitation waits already gets no second one.
    """
    start, step = timezone.now(), timedelta(minutes=1) / settings.SIGN_UP_LETTERS_A_MINUTE
    letters = [
        SignUpLetter(kind=Kind.INVITED, player=player, by=by, not_before=start + position * step)
        for position, player in enumerate(players)
    ]
    waiting = SignUpLetter.objects.filter(kind=Kind.INVITED, state=SignUpLetter.State.PENDING)
    before = waiting.count()
    SignUpLetter.objects.bulk_create(letters, batch_size=1000, ignore_conflicts=True)
    return waiting.count() - before


def tell_of_account(player: Player) -> None:
    """Queue a letter to the address in the register that an account was made with a printed code."""
    if settings.MAIL and player.email:
        letter = SignUpLetter.objects.create(kind=Kind.MADE, player=player, language=_language())
        queue.enqueue_on_commit(letter)


def _language() -> str:
    return get_language() or settings.LANGUAGE_CODE
