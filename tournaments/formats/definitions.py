"""What an issue's definition is, and the short ways of writing one; the texts are in the catalogues."""

from __future__ import annotations

from dataclasses import dataclass

from .types import Severity


def gettext_noop(message: str) -> str:
    """Mark a text for translation and return it unchanged."""
    return message


@dataclass(frozen=True, slots=True)
class Definition:
    """Severity and texts of a code; %(name)s placeholders are filled from value, field, line and params."""

    severity: Severity
    message: str
    remedy: str


def error(message: str, remedy: str) -> Definition:
    """What forbids to go on."""
    return Definition("error", message, remedy)


def warning(message: str, remedy: str) -> Definition:
    """What the sender has to agree to."""
    return Definition("warning", message, remedy)


def info(message: str, remedy: str = "") -> Definition:
    """What is only told."""
    return Definition("info", message, remedy)
