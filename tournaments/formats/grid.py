"""A table before its headings are understood: what the CSV and XLSX readers share."""

from __future__ import annotations

from dataclasses import dataclass, field

from .issues import IssueList


@dataclass(slots=True)
class Grid:
    """Rows of cell texts with their line numbers, blank rows left out.

    numeric: (line, column index) of cells stored as numbers, where leading zeros cannot survive
    broken: (line, column index) -> (issue code, cell name, text shown) of cells without a usable value
    """

    format_name: str
    encoding: str | None = None
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    numeric: set[tuple[int, int]] = field(default_factory=set)
    broken: dict[tuple[int, int], tuple[str, str, str]] = field(default_factory=dict)
    issues: IssueList = field(default_factory=IssueList)
