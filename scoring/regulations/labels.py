"""Labels of regulations, marked for translation without Django."""


def gettext_noop(message: str) -> str:
    """Mark a label for translation and return it unchanged; the pages translate it."""
    return message
