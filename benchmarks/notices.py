"""Measure telling all accounts of a large federation that a list is published, and sending letters.

    DATABASE_URL=postgresql://... python -m benchmarks.notices

`generate.py` fills the database. Every player gets an account; of ten, one chose an e-mail at once and two
the weekly letter. A campaign for the last complete year is published:
* publishing: the act that the office waits for, which only queues the notices;
* telling: all turns of the broadcast, as the workers take them, one after the other;
* bare: one transaction that copies the same notices and letters within the server;
* weekly: queueing the letters of next Monday;
* letters: writing letters and sending them to an SMTP server in a thread of this process.
"""

import os
import time
from datetime import date

from tests.servers import mail_server

from .campaign import frozen_campaign, publish, set_up
from .timing import line, seconds

LETTERS = 500  # letters that are sent
EVERY, ONCE, WEEKLY = 10, 1, 2  # of EVERY accounts, so many chose these
FIRST_ACCOUNT = 1_000_000  # id of the first account made here
MAKE_ACCOUNTS = """
    INSERT INTO auth_user (id, username, password, email, first_name, last_name, is_active, is_staff,
                           is_superuser, date_joined)
    SELECT %(first)s + id, 'reader-' || id, '!', 'reader-' || id || '@example.org', '', '', true, false,
           false, now()
    FROM players_player WHERE user_id IS NULL AND deceased_on IS NULL AND merged_into_id IS NULL"""
LINK_ACCOUNTS = """
    UPDATE players_player SET user_id = %(first)s + id
    WHERE user_id IS NULL AND deceased_on IS NULL AND merged_into_id IS NULL"""
MAKE_CHOICES = """
    INSERT INTO letters_choice (account_id, kind, delivery)
    SELECT id, %(kind)s, CASE WHEN id %% %(every)s < %(once)s THEN 'once' ELSE 'weekly' END
    FROM auth_user WHERE id >= %(first)s AND id %% %(every)s < %(once)s + %(weekly)s"""
TABLES = ("letters_notice", "letters_letter")


def make_accounts(kind: str) -> None:
    """Give every player an account, and some accounts a choice about notices of this kind."""
    from django.db import connection

    values = {"first": FIRST_ACCOUNT, "kind": kind, "every": EVERY, "once": ONCE, "weekly": WEEKLY}
    with connection.cursor() as cursor:
        for statement in (MAKE_ACCOUNTS, LINK_ACCOUNTS, MAKE_CHOICES):
            cursor.execute(statement, values)
        cursor.execute("VACUUM ANALYZE auth_user, players_player, letters_choice")


def tell(broadcast) -> tuple[float, float]:
    """Make all notices of a broadcast, as workers do. Return the seconds of all turns and of the longest."""
    from scoring.letters.notifying import perform_broadcast

    turns = []
    while broadcast.state != broadcast.State.DONE:
        turns.append(seconds(lambda: perform_broadcast(broadcast.pk)))
        broadcast.refresh_from_db()
        assert broadcast.state != broadcast.State.FAILED, broadcast.error
    return sum(turns), max(turns)


def copy_rows() -> float:
    """Put copies of the notices and letters, made by the server, in their place. Return the seconds."""
    from django.db import connection, transaction

    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"CREATE TABLE bare_{table} AS TABLE {table}")
        cursor.execute(f"TRUNCATE {', '.join(TABLES)}")
        started = time.perf_counter()
        with transaction.atomic():
            for table in TABLES:
                cursor.execute(f"INSERT INTO {table} SELECT * FROM bare_{table}")
        return time.perf_counter() - started


def send(most: int) -> tuple[int, float]:
    """Send the letters that are due, `most` of them. Return how many, and how many a second."""
    from django.conf import settings
    from django.test import override_settings

    from scoring.letters.models import Letter
    from scoring.letters.sending import send as send_letter

    with mail_server() as server:
        smtp = {
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "EMAIL_HOST": "127.0.0.1",
            "EMAIL_PORT": server.port,
            "EMAIL_USE_TLS": False,
            "EMAIL_USE_SSL": False,
        }
        with override_settings(**smtp):
            assert settings.MAIL
            started = time.perf_counter()
            # Weekly letters wait for Monday (`not_before`). Letters that are no longer needed are not sent.
            due = Letter.objects.filter(state=Letter.State.PENDING, not_before=None).order_by("pk")
            while len(server.taken) < most and (letter := due.first()):
                send_letter(letter.pk)
            return len(server.taken), len(server.taken) / (time.perf_counter() - started)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from scoring.ledger.services import standings
    from scoring.letters.models import Broadcast, Letter, Notice
    from scoring.letters.notifying import next_monday
    from scoring.letters.weekly import queue_weekly_letters
    from scoring.promotions.notices import PUBLISHED

    today = standings.today()
    make_accounts(PUBLISHED.code)
    setup = set_up(today.year - 1)
    campaign = frozen_campaign(setup, date(today.year + 1, 1, 1))
    print("Notices about a published list, to everyone with an account")
    line("publishing, with approving", f"{seconds(lambda: publish(campaign, setup)):.2f} s")
    # `campaign.py` may have published others before.
    total, longest = tell(Broadcast.objects.filter(kind=PUBLISHED.code).latest("pk"))
    notices, letters = Notice.objects.count(), Letter.objects.count()
    bare = copy_rows()
    line(f"telling: {notices:,} notices, {letters:,} letters", f"{total:.1f} s")
    line("the longest turn of a worker", f"{longest:.1f} s")
    line("telling : copying the same rows in the server", f"{total / bare:.1f}", f"({bare:.1f} s)")
    weekly = seconds(lambda: queue_weekly_letters(next_monday(today)))
    line(f"queueing {Letter.objects.filter(kind=Letter.WEEKLY).count():,} weekly letters", f"{weekly:.1f} s")
    sent, rate = send(LETTERS)
    line(f"{sent} letters written and sent by one worker process", f"{rate:.0f} a second")


if __name__ == "__main__":
    main()
