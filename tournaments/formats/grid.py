"""The output of the CSV and XLSX readers: a table whose headings are not interpreted yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from .issues import IssueList


@dataclass(slots=True)
class Grid:
    """Rows of cell texts with their line numbers, without blank rows.

    numeric: (line, column index) of cells stored as numbers, which have lost their leading zeros
    broken: (issue code, cell name, text shown) of cells without a usable value, by (line, column index)
    """

    format_name: str
    encoding: str | None = None
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    numeric: set[tuple[int, int]] = field(default_factory=set)
    broken: dict[tuple[int, int], tuple[str, str, str]] = field(default_factory=dict)
    issues: IssueList = field(default_factory=IssueList)
