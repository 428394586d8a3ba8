"""Readers of result files and tables: pure Python, safe to point at anything.

`read_results` and `read_table` never raise for what a file contains: they return issues. They run in this
process; `sandbox.read_results_safely` and `sandbox.read_table_safely` run them in a bounded child and are
what a server must use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from . import limits
from .checks import Normalise, normalise_licence
from .sniff import sniff
from .types import Column, Kind, ParsedResult, TableResult

__all__ = ["read_results", "read_table"]


def read_results(
    file_name: str, data: bytes, kind: Kind | None = None, normalise: Normalise = normalise_licence
) -> ParsedResult:
    """Read an uploaded result: USEBIO XML, PBN, or the documented table as CSV or XLSX.

    kind: what the director says the event was; only tables need it, where the shape of the rows may leave
    it open
    normalise: the federation's rule for licence numbers, used to find duplicates and malformed ones
    """
    sniffed = sniff(file_name, data)
    if sniffed.type is None:
        return ParsedResult("unknown", file_name, issues=sniffed.issues)
    # The readers are imported when needed: openpyxl alone takes longer to load than a USEBIO file to read.
    if sniffed.type == "xml":
        from .usebio import parse_usebio

        result = parse_usebio(file_name, data, normalise)
    elif sniffed.type == "pbn":
        from .pbn import parse_pbn

        result = parse_pbn(file_name, data, normalise)
    else:
        from .results_table import parse_results_table

        result = parse_results_table(file_name, data, sniffed.type == "xlsx", kind, normalise)
    return replace(result, issues=sniffed.issues + result.issues)


def read_table(
    file_name: str, data: bytes, columns: Sequence[Column], max_rows: int = limits.TABLE_ROWS
) -> TableResult:
    """Read a CSV or XLSX table with the declared columns."""
    sniffed = sniff(file_name, data)
    if sniffed.type is None:
        return TableResult("unknown", file_name, issues=sniffed.issues)
    if sniffed.type in ("xml", "pbn"):
        from .issues import issue

        found = sniffed.type.upper()
        return TableResult("unknown", file_name, issues=(issue("wrong_type", found=found),))
    from .table import parse_table

    result = parse_table(file_name, data, columns, sniffed.type == "xlsx", max_rows)
    return replace(result, issues=sniffed.issues + result.issues)
