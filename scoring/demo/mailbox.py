"""Keep the letters of an installation without a mail server as files, so that the demo can show them.

Each e-mail is a file of `VAR_DIR/letters` in the format of e-mails (.eml), named by the time of sending.
"""

import uuid
from collections.abc import Sequence
from email import message_from_bytes
from email.message import EmailMessage as Parsed
from email.policy import default
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

BACKEND = "scoring.demo.mailbox.EmailBackend"
KEPT = 500  # letters; older files are deleted


class EmailBackend(BaseEmailBackend):
    """The e-mail backend that writes each message to a file."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write the messages, and return their number."""
        folder().mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            name = f"{timezone.now():%Y%m%d-%H%M%S-%f}-{uuid.uuid4().hex[:8]}"
            unfinished = folder() / f"{name}.part"
            unfinished.write_bytes(message.message().as_bytes(linesep="\r\n"))
            unfinished.rename(folder() / f"{name}.eml")
        for path in paths()[KEPT:]:
            path.unlink(missing_ok=True)
        return len(email_messages)


def folder() -> Path:
    """Return the folder of the letters."""
    return settings.VAR_DIR / "letters"


def is_in_use() -> bool:
    """Return whether this installation keeps its letters as files. In production it never does."""
    return not settings.PRODUCTION and settings.EMAIL_BACKEND == BACKEND


def paths() -> list[Path]:
    """Return the files of the letters, latest first."""
    return sorted(folder().glob("*.eml"), reverse=True)


def read(name: str) -> Parsed | None:
    """Return the letter with this name, the file's name without ".eml"; None if there is none."""
    path = next((path for path in paths() if path.stem == name), None)
    return read_file(path) if path else None


def read_file(path: Path) -> Parsed:
    """Return the letter in a file."""
    return message_from_bytes(path.read_bytes(), policy=default)  # type: ignore[return-value]
