"""The definition of an issue, and shortcuts to write one. The catalogues hold the texts."""

from dataclasses import dataclass

from .types import Severity


def gettext_noop(message: str) -> str:
    """Mark a text for translation and return it unchanged."""
    return message


@dataclass(frozen=True, slots=True)
class Definition:
    """The severity and texts of an issue code. Placeholders are filled from value, field, line and params."""

    severity: Severity
    message: str
    remedy: str


def error(message: str, remedy: str) -> Definition:
    """Define an issue that blocks confirmation."""
    return Definition("error", message, remedy)


def warning(message: str, remedy: str) -> Definition:
    """Define an issue that the director has to accept."""
    return Definition("warning", message, remedy)


def info(message: str, remedy: str = "") -> Definition:
    """Define an issue that only informs."""
    return Definition("info", message, remedy)
