"""Send letters. A mail server can take a letter and a worker die before it knows: then it is repeated once.

`Letter.begun` is counted before the worker sends, and reduced once the mail server said that it did not take
the letter. So it counts the times that nobody knows about, and a letter whose fate is unknown twice is given
up. All copies have the same Message-ID.

One worker process at a time sends letters, one after the other for a few seconds, so that a slow mail server
never keeps all processes from scoring.
"""

import logging
import smtplib
import time
from datetime import date, timedelta

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import F
from django.template.loader import render_to_string
from django.utils import translation

from scoring.ledger.models.work import RUNNING
from scoring.ledger.services import queue
from scoring.letters.kinds import KINDS, Text
from scoring.letters.models import Letter, Reader

logger = logging.getLogger(__name__)

LEASE = queue.LONGEST_LEASE
AT_A_TIME = 5.0  # seconds after which a worker begins no further letter
MOST_BEGUN = 2  # the letter and one repeat
TOO_LATE = timedelta(days=3)  # after which a letter is no longer tried
KEPT = timedelta(days=70)  # how long rows are kept, longer than missing results are asked for
State = Letter.State


class NotTaken(Exception):
    """The mail server certainly did not take the letter. It can be tried again later."""


class Refused(Exception):
    """The mail server refused the letter for good."""


def send(letter_id: int) -> None:
    """Send a letter and, while there is time, the oldest others that wait.

    Do nothing while another worker sends letters: the sweeper will come back to this one.
    """
    end = time.monotonic() + AT_A_TIME
    next_id: int | None = letter_id
    while next_id and not _others_send():
        if not _send_one(next_id) or time.monotonic() > end:
            return
        next_id = next(iter(queue.find_lost(Letter, 1)), None)


def _others_send() -> bool:
    instant = queue.now()
    leases = (instant, instant + queue.LEASE_LIMIT)
    return Letter.objects.filter(state=RUNNING, lease_until__range=leases).exists()


def _send_one(letter_id: int) -> bool:
    """Send one letter if this worker can claim it. Return False if the mail server or the letter failed."""
    letter = queue.claim(Letter, letter_id, LEASE)
    if letter is None:
        return True
    try:
        return _deliver(letter)
    except queue.LeaseLost:
        logger.warning("letter %s was taken over by another worker", letter_id)
    except NotTaken as error:
        queue.held(letter).update(begun=F("begun") - 1)
        if queue.now() - letter.created_at > TOO_LATE:
            queue.park(letter, error, State.LOST)
        else:
            queue.postpone(letter, error)
    except Refused as error:
        queue.park(letter, error, State.LOST)
    except (OSError, smtplib.SMTPException) as error:
        queue.hand_back(letter, error)
        logger.warning("nobody knows whether letter %s was taken: %s", letter_id, error)
    except Exception as error:
        if not queue.hand_back(letter, error):
            raise
    return False


def _deliver(letter: Letter) -> bool:
    if letter.begun >= MOST_BEGUN:
        queue.park(letter, Exception("sending was interrupted twice"), State.LOST)
        return True
    message = _message(letter)
    if message is None:
        queue.held(letter).update(state=State.DROPPED, finished_at=queue.now(), lease_until=None)
        return True
    queue.renew(letter, LEASE, begun=F("begun") + 1)
    _hand_over(message)
    queue.held(letter).update(state=State.DONE, finished_at=queue.now(), lease_until=None, error="")
    return True


def _hand_over(message: EmailMessage) -> None:
    """Give a message to the mail server.

    Raise NotTaken or Refused if the server certainly did not take it; any other error leaves that open.
    """
    connection = get_connection()
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        raise NotTaken(str(error)) from error
    try:
        connection.send_messages([message])
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _text in error.recipients.values()]
        raise (Refused if all(code >= 500 for code in codes) else NotTaken)(str(error)) from error
    except smtplib.SMTPResponseException as error:
        raise (Refused if error.smtp_code >= 500 else NotTaken)(str(error)) from error
    finally:
        connection.close()


def _message(letter: Letter) -> EmailMessage | None:
    """Write a letter in its reader's language. Return None if it is no longer needed, or cannot arrive."""
    account = letter.account
    if not (account.is_active and account.email):
        return None
    reader = Reader.objects.filter(account=account).first()
    with translation.override(reader.language if reader else settings.LANGUAGE_CODE):
        text = KINDS[letter.kind].write(letter)
        return text and _email(letter, text)


def _email(letter: Letter, text: Text) -> EmailMessage:
    context = {
        "paragraphs": text.paragraphs,
        "url": f"{settings.SITE_ADDRESS}{text.path}",
        "label": KINDS[letter.kind].label,
        "federation": settings.FEDERATION_NAME,
    }
    host = settings.SITE_ADDRESS.partition("//")[2].partition(":")[0]
    return EmailMessage(
        " ".join(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{text.subject}".split()),
        render_to_string("letters/letter.txt", context),
        to=[letter.account.email],
        headers={"Message-ID": f"<{letter.uid}@{host}>", "Auto-Submitted": "auto-generated"},
    )


def prune(day: date) -> None:
    """Delete the letters that were finished long ago."""
    Letter.objects.filter(finished_at__lt=queue.now() - KEPT).delete()
