"""Choose the reader of a file with games of Go."""

from __future__ import annotations

from .go_types import GoResult
from .issues import issue
from .readers.egd import parse_egd
from .readers.opengotha import parse_opengotha
from .sniff import GO_XML, sniff


def read_go(file_name: str, data: bytes) -> GoResult:
    """Read an uploaded Go tournament: a result table (.h9) or OpenGotha's XML.

    Problems are issues, never exceptions. A text of no recognisable format is read as a result table.
    """
    sniffed = sniff(file_name, data)
    formats = {item.code: item.params.get("found") for item in sniffed.issues}
    if formats.get("go_file") == GO_XML:
        return parse_opengotha(file_name, data)
    if "go_file" in formats or sniffed.type == "text":
        return parse_egd(file_name, data)
    if sniffed.type is None:
        return GoResult("unknown", file_name, issues=sniffed.issues)
    return GoResult("unknown", file_name, issues=(issue("not_go", found=sniffed.type.upper()),))
