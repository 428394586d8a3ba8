"""Texts of the engine and of regulations, marked for translation without Django."""


def gettext_noop(message: str) -> str:
    """Mark a text for translation and return it unchanged; the pages translate it."""
    return message
