"""Generate the rows of the table of messages in docs/uploading.md from the catalogue."""

import re
from html import escape

from tests.folders import ROOT
from tournaments.formats.catalogue import CATALOGUE

# Issues whose remedy depends on the file's format; the document has its own text for them.
BY_FORMAT = ("wrong_type", "not_yet_supported")


def row_of(code: str) -> str:
    """Return the row of an issue code in the document's table, in Markdown.

    The cells are code, severity, message and remedy. The row ends before the remedy for codes in BY_FORMAT:
    their remedies depend on the file's format, so the document describes them in its own words.
    """
    definition = CATALOGUE[code]
    cells = [f"`{code}`", definition.severity, _shown(definition.message)]
    if code not in BY_FORMAT:
        cells.append(_shown(definition.remedy))
    return f"| {' | '.join(cells)} |"


def documented_rows() -> str:
    return (ROOT / "docs" / "uploading.md").read_text(encoding="utf-8")


def _shown(text: str) -> str:
    """Return a text with its placeholders in italics. Escape it, because Markdown may contain HTML."""
    return escape(re.sub(r"%\((\w+)\)s", r"*\1*", text), quote=False)
