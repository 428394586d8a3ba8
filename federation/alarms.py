"""Telling the operators what is wrong: a line in the log at ERROR, and a letter to BAZA_ALARM_TO.

Every worker watches, and one of them tells: the cache remembers who did, or this process where it is away.
"""

import logging
import time
from collections.abc import Iterable
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.core.mail import send_mail
from django.utils import translation
from django.utils.translation import gettext as _

logger = logging.getLogger(__name__)

REPEATED = 6 * 3600  # seconds between two alarms about the same problem


class Problem(NamedTuple):
    """A problem an operator should look at. `text` is English, with placeholders for `values`."""

    key: str
    text: str
    values: dict[str, object]


class Watch:
    """What one process has seen and reported. A problem is reported once two checks in a row see it."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.told: dict[str, float] = {}

    def look(self, problems: Iterable[Problem]) -> None:
        """Raise the alarm for what was there the last time too, and forget what is over."""
        problems = list(problems)
        now = {problem.key for problem in problems}
        for problem in problems:
            if problem.key in self.seen and self._first(problem.key):
                tell(problem)
        for key in self.seen - now:
            self.told.pop(key, None)
            _forget(key)
        self.seen = now

    def _first(self, key: str) -> bool:
        """Whether no process has reported it within `REPEATED`."""
        if time.monotonic() - self.told.get(key, -REPEATED) < REPEATED:
            return False
        self.told[key] = time.monotonic()
        try:
            return cache.add(_name(key), True, REPEATED)
        except Exception:  # each cache backend raises errors of its own library
            return True


def _name(key: str) -> str:
    return f"alarm-{key}"


def _forget(key: str) -> None:
    try:
        cache.delete(_name(key))
    except Exception:  # as above
        logger.warning("the cache is away: an alarm may not be told again soon", exc_info=True)


def tell(problem: Problem) -> None:
    """Write to the log and to the operators. A letter that cannot be sent is one more line in the log."""
    logger.error(problem.text, problem.values)
    if not settings.ALARM_TO:
        return
    with translation.override(settings.LANGUAGE_CODE):
        # Translators: subject of a letter to the operators of the site.
        subject = _("%(site)s: something needs attention") % {"site": settings.FEDERATION_NAME}
        text = _(problem.text) % problem.values
    try:
        send_mail(subject, text + "\n", None, settings.ALARM_TO)
    except Exception:  # whatever the mail server or the network makes of it
        logger.exception("the alarm could not be sent by mail")
