"""The rows of the table of messages in docs/uploading.md, as the catalogue gives them."""

import re
from html import escape

from tests.folders import ROOT
from tournaments.formats.catalogue import CATALOGUE

# The remedy of these depends on the format of the file; the document says so in words of its own.
BY_FORMAT = ("wrong_type", "not_yet_supported")


def row_of(code: str) -> str:
    """Return the row of an issue, without the remedy if the document words that itself."""
    definition = CATALOGUE[code]
    cells = [f"`{code}`", definition.severity, _shown(definition.message)]
    if code not in BY_FORMAT:
        cells.append(_shown(definition.remedy))
    return f"| {' | '.join(cells)} |"


def documented_rows() -> str:
    return (ROOT / "docs" / "uploading.md").read_text(encoding="utf-8")


def _shown(text: str) -> str:
    """Return a text with its placeholders in italics, escaped because Markdown may hold HTML."""
    return escape(re.sub(r"%\((\w+)\)s", r"*\1*", text), quote=False)
