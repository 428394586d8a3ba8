"""The definition of an issue code, and functions that create definitions by severity.

The catalogues contain the definitions.
"""

from dataclasses import dataclass

from .types import Severity


def gettext_noop(message: str) -> str:
    """Mark a text for translation and return it unchanged."""
    return message


@dataclass(frozen=True, slots=True)
class Definition:
    """The severity and texts of an issue code.

    Placeholders in the texts are filled from the issue's value, field, line and parameters.
    """

    severity: Severity
    message: str
    remedy: str


def error(message: str, remedy: str) -> Definition:
    """Define an issue code whose issues block confirmation."""
    return Definition("error", message, remedy)


def warning(message: str, remedy: str) -> Definition:
    """Define an issue code whose issues the director has to accept."""
    return Definition("warning", message, remedy)


def info(message: str, remedy: str = "") -> Definition:
    """Define an issue code whose issues only inform."""
    return Definition("info", message, remedy)
