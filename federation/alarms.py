"""Alarms to the operators: a log line at ERROR, and an e-mail to BAZA_ALARM_TO.

Every worker checks for problems, but only one worker reports a problem, because the cache records what was
reported. If the cache is unavailable, every worker reports it.
"""

import logging
import time
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.core.mail import send_mail
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ui.formatting import format_date

logger = logging.getLogger(__name__)

REPEATED = 6 * 3600  # seconds between two alarms about the same problem


class Problem(NamedTuple):
    """A problem that an operator should look at.

    key: identifies the problem, so that it is not reported repeatedly
    text: English, with placeholders for `values`
    """

    key: str
    text: str
    values: dict[str, object]

    def sentence(self) -> str:
        """Return the text in the language in use, with days as that language writes them."""
        lang = get_language() or ""
        values = {
            name: format_date(value, lang) if isinstance(value, date) else value
            for name, value in self.values.items()
        }
        return _(self.text) % values


class Watch:
    """The problems found by one worker process. A problem is reported once two successive checks find it.

    current: keys of the problems of the last check
    reported: key -> monotonic time of this process's last report, in seconds
    """

    def __init__(self) -> None:
        self.current: set[str] = set()
        self.reported: dict[str, float] = {}

    def check(self, problems: Iterable[Problem]) -> None:
        """Report the problems that the previous check had too, and forget those that are over."""
        problems = list(problems)
        keys = {problem.key for problem in problems}
        for problem in problems:
            if problem.key in self.current and self._is_first(problem.key):
                report(problem)
        for key in self.current - keys:
            self.reported.pop(key, None)
            _forget(key)
        self.current = keys

    def _is_first(self, key: str) -> bool:
        """Return whether no process has reported the problem in the last REPEATED seconds.

        If so, record that this process reports it now.
        """
        if time.monotonic() - self.reported.get(key, -REPEATED) < REPEATED:
            return False
        self.reported[key] = time.monotonic()
        try:
            return cache.add(_cache_key(key), True, REPEATED)
        except Exception:  # each cache backend raises errors of its own library
            return True


def _cache_key(key: str) -> str:
    return f"alarm-{key}"


def _forget(key: str) -> None:
    try:
        cache.delete(_cache_key(key))
    except Exception:  # as above
        logger.warning("the cache is unavailable: an alarm may not be repeated soon", exc_info=True)


def _without_quotes(values: dict[str, object]) -> dict[str, object]:
    """Return the error among the values as its type alone, because its message may quote personal data."""
    return {"error": str(values["error"]).partition(":")[0]} if "error" in values else {}


def report(problem: Problem) -> None:
    """Write a problem to the log and mail it to the operators. A failure to mail is logged too."""
    logger.error(problem.text, problem.values | _without_quotes(problem.values))
    if not settings.ALARM_TO:
        return
    with translation.override(settings.LANGUAGE_CODE):
        # Translators: subject of a letter to the operators of the site.
        subject = _("%(site)s: something needs attention") % {"site": settings.FEDERATION_NAME}
        text = problem.sentence()
    try:
        send_mail(subject, text + "\n", None, settings.ALARM_TO)
    except Exception:  # mail backends and networks raise many kinds of error
        logger.exception("the alarm could not be sent by mail")
