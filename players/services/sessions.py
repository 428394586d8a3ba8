"""The sessions of an account: from which browsers it is signed in. allauth's `UserSession` rows list them."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

# What the User-Agent header contains -> the name of the browser or system. The first that fits counts,
# because most browsers also name those that they resemble.
BROWSERS = [
    (r"Edg(e|A|iOS)?/", "Edge"),
    (r"OPR/|Opera", "Opera"),
    (r"SamsungBrowser/", "Samsung Internet"),
    (r"Firefox/|FxiOS/", "Firefox"),
    (r"Chrome/|CriOS/|Chromium/", "Chrome"),
    (r"Safari/", "Safari"),
]
SYSTEMS = [
    (r"iPhone", "iPhone"),
    (r"iPad", "iPad"),
    (r"Android", "Android"),
    (r"Windows", "Windows"),
    (r"Mac OS X|Macintosh", "Mac"),
    (r"CrOS", "ChromeOS"),
    (r"Linux", "Linux"),
]


@dataclass(frozen=True, slots=True)
class OpenSession:
    """One browser in which the account is signed in.

    browser: the browser and system, in words
    address: the IP address from which the account signed in
    """

    pk: int
    browser: str
    address: str
    since: datetime
    is_current: bool


def open_sessions(account, current: str | None) -> list[OpenSession]:
    """Return the account's open sessions: the current one first, then the latest first.

    current: the key of the session of this request
    """
    rows = UserSession.objects.filter(user=account, session_key__in=_unexpired()).order_by(
        "-created_at", "-pk"
    )
    listed = [
        OpenSession(
            row.pk, browser_in_words(row.user_agent), row.ip, row.created_at, row.session_key == current
        )
        for row in rows
    ]
    return sorted(listed, key=lambda item: not item.is_current)


def browser_in_words(user_agent: str) -> str:
    """Return the browser and system that a User-Agent header names, such as "Firefox, Windows"."""
    names = (_first(BROWSERS, user_agent), _first(SYSTEMS, user_agent))
    return ", ".join(name for name in names if name) or _("another program")


def _first(known: list[tuple[str, str]], text: str) -> str:
    return next((name for pattern, name in known if re.search(pattern, text)), "")


def limit(session: SessionBase) -> None:
    """Let a session that begins now end after its time, however much it is used until then."""
    session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))


def end(account, pk: int) -> bool:
    """End one session of the account. Return False if there is no such session of this account."""
    row = UserSession.objects.filter(user=account, pk=pk).first()
    if row:
        row.end()
    return row is not None


def end_all(account, but: str | None = None) -> int:
    """End all sessions of the account, and return how many were ended.

    but: the key of a session that goes on
    """
    rows = UserSession.objects.filter(user=account).exclude(session_key=but or "")
    Session.objects.filter(session_key__in=rows.values("session_key")).delete()
    return rows.delete()[0]


def forget_expired(day: date) -> None:
    """Delete sessions that have expired, with the addresses from which they were opened. Runs daily.

    The database's clock decides: a worker whose clock is ahead must not sign everybody out.
    """
    Session.objects.filter(expire_date__lte=Now()).delete()
    UserSession.objects.exclude(session_key__in=_unexpired()).delete()


def _unexpired():
    return Session.objects.filter(expire_date__gt=Now()).values("session_key")
