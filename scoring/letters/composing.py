"""Write the texts of notices and letters, in their reader's language."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language, ngettext

from scoring.letters import delivery
from scoring.letters.choices import choices_of
from scoring.letters.models import Delivery, Letter, Notice, Reader
from scoring.letters.registry import KINDS, Text
from scoring.letters.unsubscribing import token_of
from ui.formatting import format_whole

MOST = 50  # notices that a weekly letter tells in full; the page has the others


def texts_of(account: User, notices: Sequence[Notice]) -> dict[int, Text]:
    """Return {notice id: text} for notices of one account, in the active language.

    Notices whose object no longer exists, or whose kind does not, are left out. The number of queries depends
    only on the number of kinds.
    """
    by_kind: defaultdict[str, list[Notice]] = defaultdict(list)
    for notice in notices:
        by_kind[notice.kind].append(notice)
    texts: dict[int, Text] = {}
    for code, rows in by_kind.items():
        if code in KINDS:
            texts.update(KINDS[code].write(account, rows))
    return texts


def message_of(letter: Letter) -> EmailMultiAlternatives | None:
    """Write a letter in its reader's language. Return None if it is no longer needed, or cannot arrive."""
    account = User.objects.select_related("player").get(pk=letter.account_id)
    player = getattr(account, "player", None)
    if not (account.is_active and account.email) or (player and player.deceased_on):
        return None
    reader = Reader.objects.filter(account=account).first()
    with translation.override(reader.language if reader else settings.LANGUAGE_CODE):
        chosen = choices_of(account)
        notices = _notices_of(letter, chosen)
        texts = texts_of(account, notices)
        parts = [texts[notice.pk] for notice in notices if notice.pk in texts]
        parts = [text for text in parts if not text.over]
        return _email(letter, account, parts, chosen) if parts else None


def _notices_of(letter: Letter, chosen: dict[str, str]) -> list[Notice]:
    """Return the notices that a letter tells, oldest first: those of kinds that still come by e-mail."""
    own = Notice.objects.filter(account=letter.account_id).order_by("pk")
    if letter.kind == Letter.WEEKLY:
        own = own.filter(weekly=date.fromisoformat(letter.key))
    else:
        own = own.filter(kind=letter.kind, key=letter.key)
    return [notice for notice in own if chosen.get(notice.kind, Delivery.NONE) != Delivery.NONE]


def _email(
    letter: Letter, account: User, parts: list[Text], chosen: dict[str, str]
) -> EmailMultiAlternatives:
    weekly = letter.kind == Letter.WEEKLY
    stops = _stopped_by(letter, chosen)
    unsubscribe = ""
    if stops:
        token = token_of(account.pk, chosen[stops[0]], stops)
        unsubscribe = site_url(reverse("unsubscribe", args=[token]))
    subject = _weekly_subject(len(parts)) if weekly else parts[0].subject
    context = {
        "subject": subject,
        "weekly": weekly,
        "parts": [_part(text) for text in parts[:MOST]],
        "more": format_whole(len(parts) - MOST, get_language() or "") if len(parts) > MOST else "",
        "label": "" if weekly else KINDS[letter.kind].label,
        "federation": settings.FEDERATION_NAME,
        "notices": site_url(reverse("notices")),
        "settings": site_url(reverse("notice_settings")),
        "unsubscribe": unsubscribe,
        "language": get_language(),
    }
    headers = {"Message-ID": delivery.message_id(letter), "Auto-Submitted": "auto-generated"}
    if unsubscribe:
        headers["List-Unsubscribe"] = f"<{unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message = EmailMultiAlternatives(
        delivery.subject_line(subject),
        render_to_string("letters/letter.txt", context),
        to=[account.email],
        headers=headers,
    )
    message.attach_alternative(render_to_string("letters/letter.html", context), "text/html")
    return message


def _stopped_by(letter: Letter, chosen: dict[str, str]) -> list[str]:
    """Return the codes of the kinds that the letter's link stops; none for a kind that cannot be chosen."""
    if letter.kind == Letter.WEEKLY:
        return [code for code, delivery in chosen.items() if delivery == Delivery.WEEKLY]
    return [] if KINDS[letter.kind].fixed else [letter.kind]


def _weekly_subject(number: int) -> str:
    text = ngettext("Your week: %(number_text)s notice", "Your week: %(number_text)s notices", number)
    return text % {"number_text": format_whole(number, get_language() or "")}


def _part(text: Text) -> dict:
    return {
        "subject": text.subject,
        "paragraphs": text.paragraphs,
        "url": site_url(text.path) if text.path else "",
    }


def site_url(path: str) -> str:
    """Return the full address of a page."""
    return f"{settings.SITE_ADDRESS}{path}"
