"""Readers of result files and tables. Pure Python, safe for untrusted files.

`read_results` and `read_table` never raise because of a file's content: they return issues. They run in this
process. A server must use `sandbox.read_results_safely` and `sandbox.read_table_safely`, which run them in a
bounded child process.
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

    kind: the kind of event chosen by the director; only used for tables, whose rows may not show it
    normalise: the federation's rule for licence numbers, to detect duplicate and malformed ones
    """
    sniffed = sniff(file_name, data)
    if sniffed.type is None:
        return ParsedResult("unknown", file_name, issues=sniffed.issues)
    # Import the readers when needed: loading openpyxl takes longer than reading a USEBIO file.
    if sniffed.type == "xml":
        from .readers.usebio import parse_usebio

        result = parse_usebio(file_name, data, normalise)
    elif sniffed.type == "pbn":
        from .readers.pbn import parse_pbn

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

        issues = (issue("wrong_type", found=sniffed.type.upper()),)
        return TableResult("unknown", file_name, issues=issues)
    from .table import parse_table

    result = parse_table(file_name, data, columns, sniffed.type == "xlsx", max_rows)
    return replace(result, issues=sniffed.issues + result.issues)
