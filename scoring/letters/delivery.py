"""Deliver e-mails that are rows of work. An e-mail arrives twice at most, however often its worker dies.

A mail server can take an e-mail and the worker die before it knows. So `Mail.begun` is incremented before the
worker sends, and decremented when the mail server says that it did not take the e-mail. The field counts the
attempts with an unknown result; after the second, the e-mail is given up. Both copies have the same
Message-ID.

One worker process at a time sends e-mails of all kinds, for a few seconds, so that a slow mail server never
keeps all processes from scoring.
"""

import logging
import smtplib
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import F

from scoring.ledger.models.work import RUNNING
from scoring.ledger.services import queue
from scoring.letters.models import Mail
from ui.addresses import site_host

logger = logging.getLogger(__name__)

LEASE = queue.LONGEST_LEASE
AT_A_TIME = 5.0  # seconds after which a worker begins no further e-mail
MOST_BEGUN = 2  # the e-mail and one repeat
LONGEST_WAIT = timedelta(minutes=5)  # between attempts while the mail server is away
TOO_LATE = timedelta(days=3)  # after which an e-mail is no longer tried

Row = TypeVar("Row", bound=Mail)


class NotTaken(Exception):
    """The mail server certainly did not take the e-mail. It can be tried again later."""


class Refused(Exception):
    """The mail server refused the e-mail for good."""


class AddressRefused(Refused):
    """The mail server refused the address for good."""


def deliver(model: type[Row], pk: int, message_of: Callable[[Row], EmailMessage | None]) -> None:
    """Send the e-mail of a row and, while there is time, those of the oldest other rows of this model.

    Do nothing while another worker sends e-mails: the sweeper will come back to this row.

    message_of: returns the e-mail of a row; None if it is no longer needed, or cannot arrive
    """
    end = time.monotonic() + AT_A_TIME
    next_id: int | None = pk
    while next_id and not _others_send():
        if not _send_one(model, next_id, message_of) or time.monotonic() > end:
            return
        next_id = next(iter(queue.find_lost(model, 1)), None)


def message_id(row: Mail) -> str:
    """Return the Message-ID header of a row's e-mail, the same for every copy."""
    return f"<{row.uid}@{site_host()}>"


def subject_line(text: str) -> str:
    """Return a subject with the site's prefix, on one line."""
    return " ".join(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{text}".split())


def _others_send() -> bool:
    instant = queue.now()
    leases = (instant, instant + queue.LEASE_LIMIT)
    return any(
        model._default_manager.filter(state=RUNNING, lease_until__range=leases).exists()
        for model in Mail.__subclasses__()
    )


def _send_one(model: type[Row], pk: int, message_of: Callable[[Row], EmailMessage | None]) -> bool:
    """Send one e-mail if this worker can claim it. Return False if the mail server or the e-mail failed."""
    row = queue.claim(model, pk, LEASE)
    if row is None:
        return True
    try:
        return _deliver(row, message_of)
    except queue.LeaseLost:
        logger.warning("%s %s was taken over by another worker", model._meta.model_name, pk)
    except NotTaken as error:
        queue.held(row).update(begun=F("begun") - 1)
        if queue.now() - row.created_at > TOO_LATE:
            queue.park(row, error, model.State.LOST)
        else:
            queue.postpone(row, error, LONGEST_WAIT)
    except Refused as error:
        queue.park(row, error, model.State.LOST)
        if isinstance(error, AddressRefused):
            row.note_answer(refused=True)
    except (OSError, smtplib.SMTPException) as error:
        queue.hand_back(row, error)
        logger.warning("nobody knows whether %s %s was taken: %s", model._meta.model_name, pk, error)
    except Exception as error:
        if not queue.hand_back(row, error):
            raise
    return False


def _deliver(row: Row, message_of: Callable[[Row], EmailMessage | None]) -> bool:
    if row.begun >= MOST_BEGUN:
        queue.park(row, Exception("sending was interrupted twice"), Mail.State.LOST)
        return True
    message = message_of(row)
    if message is None:
        queue.held(row).update(state=Mail.State.DROPPED, finished_at=queue.now(), lease_until=None)
        return True
    queue.renew(row, LEASE, begun=F("begun") + 1)
    _hand_over(message)
    queue.held(row).update(state=Mail.State.DONE, finished_at=queue.now(), lease_until=None, error="")
    row.note_answer(refused=False)
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
        raise (AddressRefused if all(code >= 500 for code in codes) else NotTaken)(str(error)) from error
    except smtplib.SMTPResponseException as error:
        raise (Refused if error.smtp_code >= 500 else NotTaken)(str(error)) from error
    finally:
        connection.close()
