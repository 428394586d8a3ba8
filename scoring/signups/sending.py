"""Write letters about accounts and forgotten passwords, and send them (`scoring.letters.delivery`)."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple

from allauth.account.forms import default_token_generator
from allauth.account.utils import filter_users_by_email, user_pk_to_url_str
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from players.models import Player, SignUpKey
from players.services import signups
from players.services.sign_in import player_with_number
from players.services.signups import Refusal
from scoring.ledger.services import queue
from scoring.letters import delivery
from scoring.signups.models import SignUpLetter
from ui.formatting import format_date

Kind = SignUpLetter.Kind
KEPT = timedelta(days=30)  # how long rows are kept, which hold what readers typed


class Part(NamedTuple):
    """A part of a letter: what it says, and the path of the page that it leads to."""

    paragraphs: list[str]
    path: str


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a letter.

    to: the e-mail address
    path: the page that it leads to
    act: what the reader does there, as the button names it
    further: what follows if the letter has several links
    """

    to: str
    subject: str
    paragraphs: list[str]
    path: str
    act: str
    further: list[Part] = field(default_factory=list)


def send(letter_id: int) -> None:
    """Send a letter and, while there is time, the oldest others that wait."""
    delivery.deliver(SignUpLetter, letter_id, _message)


def prune(day: date) -> None:
    """Delete the letters that were finished long ago."""
    SignUpLetter.objects.filter(finished_at__lt=queue.now() - KEPT).delete()


def _message(letter: SignUpLetter) -> EmailMultiAlternatives | None:
    """Write a letter, and make the key for its link. Return None if there is nothing to send."""
    with translation.override(letter.language):
        text = WRITERS[Kind(letter.kind)](letter)
        if text is None:
            return None
        return _email(letter, text)


def _email(letter: SignUpLetter, text: Text) -> EmailMultiAlternatives:
    parts = [Part(text.paragraphs, text.path), *text.further]
    context = {
        "subject": text.subject,
        "parts": [
            {"paragraphs": part.paragraphs, "url": f"{settings.SITE_ADDRESS}{part.path}"} for part in parts
        ],
        "act": text.act,
        "federation": settings.FEDERATION_NAME,
        "language": letter.language,
    }
    message = EmailMultiAlternatives(
        delivery.subject_line(text.subject),
        render_to_string("signups/letter.txt", context),
        to=[text.to],
        headers={"Message-ID": delivery.message_id(letter), "Auto-Submitted": "auto-generated"},
    )
    message.attach_alternative(render_to_string("signups/letter.html", context), "text/html")
    return message


def _asked(letter: SignUpLetter) -> Text | None:
    """Write to the reader who asked, if the typed address belongs to the player of the typed number."""
    player = player_with_number(letter.number)
    if player is None:
        return None
    own = {player.email.casefold(), player.user.email.casefold() if player.user else ""} - {""}
    if letter.email.casefold() not in own:
        return None
    why_not = signups.refusal(player)
    if why_not == Refusal.HAS_ACCOUNT:
        return _has_account(player)
    if why_not == Refusal.UNDER_14:
        return _under_14(player)
    return (
        None
        if why_not
        else _link(player, signups.make_link(player), _("Somebody, you we hope, asked for it."))
    )


def _invited(letter: SignUpLetter) -> Text | None:
    assert letter.player  # a constraint of the kind
    player = letter.player.current
    if signups.refusal(player) is not None or not player.email:
        return None
    return _link(player, signups.make_link(player, letter.by), _("The federation invites all its members."))


def _link(player: Player, key: SignUpKey, why: str) -> Text:
    values = {
        "number": player.number,
        "federation": settings.FEDERATION_NAME,
        "day": format_date(key.expires_at.date(), translation.get_language() or ""),
    }
    return Text(
        player.email,
        _("Your account for number %(number)s") % values,
        [
            _(
                "With this link you make your account for federation number %(number)s at %(federation)s: "
                "you choose a password, and that is all. %(why)s"
            )
            % {**values, "why": why},
            _("The link works once and until %(day)s. It is for you alone: do not pass it on.") % values,
            _("If you do not want an account, do nothing."),
        ],
        reverse("sign_up_finish", args=[signups.token_of(key)]),
        _("Make my account"),
    )


def _has_account(player: Player) -> Text:
    account = player.user
    text = _("Somebody, you we hope, wanted to make an account for number %(number)s, which has one already.")
    if not account.is_active:
        advice = _("That account is closed: write to the federation office.")
    else:
        advice = _(
            "Sign in with your number. If you have forgotten the password, choose a new one on the same page."
        )
    return Text(
        account.email or player.email,
        _("Number %(number)s has an account already") % {"number": player.number},
        [
            text % {"number": player.number},
            advice,
            _("If it was not you, do nothing: nobody got in, and nothing changed."),
        ],
        reverse("account_login"),
        _("Sign in"),
    )


def _under_14(player: Player) -> Text:
    text = _(
        "Somebody wanted to make an account for number %(number)s. People have an account of their own from "
        "the year in which they turn 15. Until then, a parent or guardian writes to the federation office."
    )
    return Text(
        player.email,
        _("An account for number %(number)s") % {"number": player.number},
        [text % {"number": player.number}],
        reverse("sign_up"),
        _("How accounts are made"),
    )


def _made(letter: SignUpLetter) -> Text | None:
    assert letter.player  # a constraint of the kind
    player = letter.player.current
    if not player.email or player.user is None:
        return None
    text = _("An account was made for federation number %(number)s, with a code printed on paper.")
    return Text(
        player.email,
        _("Your account for number %(number)s") % {"number": player.number},
        [
            text % {"number": player.number},
            _("If it was not you, write to the federation office at once: somebody has used your code."),
        ],
        reverse("account_login"),
        _("Sign in"),
    )


def _password(letter: SignUpLetter) -> Text | None:
    """Write to the owners of the open accounts with the typed address: two people may share one."""
    accounts = filter_users_by_email(letter.email, is_active=True, prefer_verified=True)
    if not accounts:
        return None
    why = _(
        "Somebody, you we hope, asked for a new password. If it was not you, do nothing: it stays as it is."
    )
    first, *further = [_new_password(account) for account in accounts]
    subject, act = _("A new password"), _("Choose the new password")
    return Text(letter.email, subject, [why, *first.paragraphs], first.path, act, further)


def _new_password(account: AbstractBaseUser) -> Part:
    text = _("With this link you choose a new password for the account %(username)s. It works once.")
    key = default_token_generator.make_token(account)
    return Part(
        [text % {"username": account.get_username()}],
        reverse("account_reset_password_from_key", args=[user_pk_to_url_str(account), key]),
    )


WRITERS = {Kind.ASKED: _asked, Kind.INVITED: _invited, Kind.MADE: _made, Kind.PASSWORD: _password}
