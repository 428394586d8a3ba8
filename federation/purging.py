"""Tell the shared caches in front of the site which pages have changed, as soon as a change is committed.

Nobody who writes has to remember the caches. While BAZA_PURGE_URLS names caches, every statement that writes
to a table that public pages read stores a `Purge` in its transaction, and the caches are told after the
commit. Unless the writer says less by `ui.shared.changes_only`, all pages are removed.

A message that got lost, or that a cache did not take, is sent again by the sweep of any worker. Every message
is repeated for some seconds, because a page that was being written during the commit may reach the cache
after the first one. Pages carry the version at which they were written, and those of the current version
stay: repeating a message costs nothing.
"""

import logging
import re
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import date, timedelta
from functools import lru_cache
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop

from federation.alarms import Problem
from scoring.ledger.models import Purge
from ui.shared import EVERY, changed_keys

logger = logging.getLogger(__name__)

HEADER = "Surrogate-Key"
TIMEOUT = 1  # seconds that a cache may take to answer
REPEATED = timedelta(seconds=8)  # for how long a message is sent again
PAUSE = 5  # seconds without messages after a commit while a cache does not answer; the sweeps go on trying
LATE = timedelta(seconds=10)  # after which a message that a cache did not take is a problem
KEPT = timedelta(days=1)
MOST = 100  # purges in one message; more remove every page

# Tables of these rooms that no public page reads. A test compares them with what the pages do read.
UNREAD = {
    "auth.user",
    "ledger.purge",
    "ledger.seencorrections",
    "players.accountevent",
    "players.clubtoken",
    "players.consent",
    "players.invitation",
    "players.organisationchange",
    "players.playerchange",
    "players.role",
    "players.signupkey",
    "players.tally",
    "promotions.simulation",
    "ratings.goupload",
    "tournaments.columnlayout",
    "tournaments.furtherfile",
    "tournaments.rememberedname",
    "tournaments.resultupload",
    "tournaments.sentkey",
    "tournaments.separateevent",
    "tournaments.storedfile",
    "tournaments.uploadissue",
    "transparency.node",
    "transparency.witnessedlog",
    "transparency.witnessround",
}
# The rooms whose tables public pages read.
READ_ROOMS = {
    "annulments",
    "auth",
    "dataset",
    "ledger",
    "players",
    "promotions",
    "ratings",
    "tournaments",
    "transparency",
}

_WRITES = re.compile(
    r'^\s*(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|REPLACE\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?)\s+"?(\w+)',
    re.IGNORECASE,
)
_silent_until = 0.0  # monotonic time
_with_purges: set[str] = set()  # aliases of databases known to have the table of purges


# --- Writes ---------------------------------------------------------------------------------------------
def watch_connection(sender: object, connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Let `note_write` see all statements of a new connection, if there are caches to tell."""
    if settings.PURGE_URLS and note_write not in connection.execute_wrappers:
        connection.execute_wrappers.append(note_write)


@lru_cache(maxsize=1)
def watched_tables() -> frozenset[str]:
    """Return the tables that public pages may read."""
    models = apps.get_models(include_auto_created=True)
    return frozenset(
        model._meta.db_table
        for model in models
        if model._meta.app_label in READ_ROOMS and model._meta.label_lower not in UNREAD
    )


def note_write(execute: Callable, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Execute a statement. If it writes what public pages read, store a `Purge` and send it after the commit.

    An execute wrapper of Django's connections, which sees bulk writes and plain SQL, too.
    """
    result = execute(sql, params, many, context)
    written = _WRITES.match(str(sql))
    if written and written[1] in watched_tables() and (keys := changed_keys()):
        _note(context["connection"], keys)
    return result


class _Sending:
    """The act after a commit that tells the caches of these keys."""

    def __init__(self, keys: frozenset[str]) -> None:
        self.keys = keys

    def __call__(self) -> None:
        if time.monotonic() >= _silent_until:
            send()


def _note(connection: BaseDatabaseWrapper, keys: frozenset[str]) -> None:
    """Store a purge of these keys, unless the transaction has stored it already."""
    # Django forgets these acts where it rolls a savepoint back, as the database forgets the stored purges.
    noted = [act for _savepoints, act, _robust in connection.run_on_commit if isinstance(act, _Sending)]
    covered = frozenset().union(*(act.keys for act in noted))
    if EVERY in covered or keys <= covered:
        return
    if not _has_purges(connection):
        return  # the first migrations of a new database: no cache has a page of it
    Purge.objects.using(connection.alias).create(keys=" ".join(sorted(keys)))
    transaction.on_commit(_Sending(keys), using=connection.alias, robust=True)


def _has_purges(connection: BaseDatabaseWrapper) -> bool:
    """Return whether the database has the table of purges. One query until it has."""
    if (
        connection.alias not in _with_purges
        and Purge._meta.db_table in connection.introspection.table_names()
    ):
        _with_purges.add(connection.alias)
    return connection.alias in _with_purges


# --- Pages ----------------------------------------------------------------------------------------------
def version() -> str:
    """Return a text that differs whenever a purge was committed in between.

    The newest number alone does not: a transaction that took an earlier one may commit later.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COALESCE(MAX(id), 0), COALESCE(SUM(id), 0)"
            " FROM (SELECT id FROM ledger_purge ORDER BY id DESC LIMIT 100) AS newest"
        )
        newest, total = cursor.fetchone()
    return f"v{newest}x{total}"


def mark(request: HttpRequest, response: HttpResponse, written_at: str) -> bool:
    """Write into a response by which keys caches can remove it. Return whether caches may keep it.

    They may not if something was committed since the page began to be written.

    written_at: the version before the view was called
    """
    match = request.resolver_match
    if match is None or version() != written_at:
        return False
    keys = match.func.keys(*match.args, **match.kwargs)
    response.headers[HEADER] = " ".join([EVERY, *keys, written_at])
    return True


# --- Messages -------------------------------------------------------------------------------------------
def send() -> None:
    """Send the messages that caches have not taken, and repeat the latest ones."""
    global _silent_until
    if not settings.PURGE_URLS:
        return
    recent = Q(sent_at=None) | Q(created_at__gte=Now() - REPEATED)
    purges = list(Purge.objects.filter(recent).order_by("-pk")[: MOST + 1])
    if not purges:
        return
    # Read the version last: pages of this version were written after all these purges were committed.
    keys, current = _joined(purges), version()
    try:
        for url in settings.PURGE_URLS:
            _ban(url, keys, current)
    except (OSError, HTTPException) as error:
        _silent_until = time.monotonic() + PAUSE
        logger.warning("a shared cache was not told of changed pages and will be told again: %s", error)
        return
    _silent_until = 0.0
    unsent = Purge.objects.filter(sent_at=None)
    if len(purges) <= MOST:
        unsent = unsent.filter(pk__in=[purge.pk for purge in purges])
    else:
        unsent = unsent.filter(pk__lte=purges[0].pk)
    unsent.update(sent_at=Now())


def _joined(purges: list[Purge]) -> list[str]:
    keys = {key for purge in purges for key in purge.keys.split()}
    return [EVERY] if EVERY in keys or len(purges) > MOST else sorted(keys)


def _ban(url: str, keys: Iterable[str], current: str) -> None:
    """Let a cache remove the pages with one of these keys, except those of the current version."""
    headers = {"X-Keys": "|".join(keys), "X-Current": current}
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=TIMEOUT)) as cache:
        cache.request("BAN", "/", headers=headers)
        answer = cache.getresponse()
        if answer.status != 200:
            raise HTTPException(f"{url} answered {answer.status} {answer.reason}")


def forget(day: date) -> None:
    """Delete what caches were told of long ago. A daily chore."""
    Purge.objects.filter(created_at__lt=Now() - KEPT).delete()


def problems() -> list[Problem]:
    """Return the problem that a cache does not take messages, if there is one."""
    if not settings.PURGE_URLS:
        return []
    late = Purge.objects.filter(sent_at=None, created_at__lt=Now() - LATE).count()
    text = gettext_noop(
        "A shared cache does not take the message that pages have changed, and may show them for 40 seconds. "
        "Changes that wait: %(number)s."
    )
    return [Problem("purge", text, {"number": late})] if late else []
