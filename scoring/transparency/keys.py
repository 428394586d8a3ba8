"""The keys of the log, of its witnesses, and of the logs that this installation is a witness of."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error

from scoring.transparency.notes import InvalidNote, Signer, Verifier


@dataclass(frozen=True, slots=True)
class Witness:
    """Another installation that cosigns our checkpoints. It takes them at `url`/add-checkpoint."""

    verifier: Verifier
    url: str


def signer() -> Signer | None:
    """Return the key of the log (`BAZA_LOG_KEY`); None if there is none. Raise InvalidNote if it is wrong."""
    return Signer.parse(settings.LOG_KEY) if settings.LOG_KEY else None


def verifiers() -> list[Verifier]:
    """Return the verifying key of the log, and those of its former keys (`BAZA_LOG_OLD_KEYS`)."""
    current = signer()
    former = [Verifier.parse(text) for text in settings.LOG_OLD_KEYS]
    return ([current.verifier()] if current else []) + former


def witnesses() -> list[Witness]:
    """Return the witnesses that our checkpoints are sent to (`BAZA_LOG_WITNESSES`: key@address, …)."""
    pairs = [text.rpartition("@") for text in settings.LOG_WITNESSES]
    return [Witness(Verifier.parse(key), url.rstrip("/")) for key, _at, url in pairs]


def witnessed() -> list[Verifier]:
    """Return the keys of the logs that this installation is a witness of (`BAZA_WITNESSED_LOGS`)."""
    return [Verifier.parse(text) for text in settings.WITNESSED_LOGS]


def check_keys(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Return an error for each setting whose keys cannot be read. A system check; it shows no key."""
    errors: list[CheckMessage] = []
    for name, read in (
        ("BAZA_LOG_KEY", signer),
        ("BAZA_LOG_OLD_KEYS", verifiers),
        ("BAZA_LOG_WITNESSES", witnesses),
        ("BAZA_WITNESSED_LOGS", witnessed),
    ):
        try:
            read()
        except InvalidNote as error:
            errors.append(Error(f"{name}: {error}", id="transparency.E001"))
    return errors
