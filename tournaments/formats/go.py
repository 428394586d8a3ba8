"""Which reader a file with games of Go needs."""

from __future__ import annotations

from .egd import parse_egd
from .go_types import GoResult
from .issues import issue
from .opengotha import parse_opengotha
from .sniff import GO_XML, sniff


def read_go(file_name: str, data: bytes) -> GoResult:
    """Read an uploaded Go tournament: a result table (.h9) or OpenGotha's XML.

    Never raises for what a file contains. A text without any mark is taken for a result table.
    """
    sniffed = sniff(file_name, data)
    found = {each.code: each.params.get("found") for each in sniffed.issues}
    if "go_file" in found:
        return parse_opengotha(file_name, data) if found["go_file"] == GO_XML else parse_egd(file_name, data)
    if sniffed.type == "text":
        return parse_egd(file_name, data)
    if sniffed.type is None:
        return GoResult("unknown", file_name, issues=sniffed.issues)
    return GoResult("unknown", file_name, issues=(issue("not_go", found=sniffed.type.upper()),))
