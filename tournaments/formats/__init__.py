"""Readers of result files and tables. Pure Python, safe for untrusted files.

`read_results`, `read_table` and `read_go` never raise because of a file's content: they return issues. They
run in this process. A server must use their counterparts in `sandbox`, which run them in a bounded child
process. `registry` lists the formats.
"""

from collections.abc import Sequence
from dataclasses import replace

from . import limits
from .contestants import within_limit
from .declaration import GoFormat, ResultsFormat, TableFormat
from .go_types import GoResult
from .lists import read_list
from .registry import GO, RESULTS, TABLES, recognise
from .results_table import parse_results_table
from .types import Choice, Column, Kind, ParsedResult, TableResult

__all__ = ["read_go", "read_results", "read_table"]


def read_results(
    file_name: str, data: bytes, kind: Kind | None = None, choices: Sequence[Choice] = ()
) -> ParsedResult:
    """Read an uploaded result file of a bridge tournament.

    kind: pairs, teams or individual, as chosen by the director; used only for CSV and XLSX tables, whose rows
        may not show it
    choices: what users have chosen for layouts of columns, used only for tables
    """
    file_format, issues = recognise(file_name, data, RESULTS)
    match file_format:
        case ResultsFormat():
            result = file_format.read(file_name, data)
        case TableFormat():
            grid = file_format.rows(data, limits.RESULT_ENTRIES)
            result = parse_results_table(file_name, grid, kind, choices)
        case _:
            return ParsedResult("unknown", file_name, issues=issues)
    result = within_limit(result)
    return replace(result, issues=issues + result.issues)


def read_table(
    file_name: str,
    data: bytes,
    columns: Sequence[Column],
    max_rows: int = limits.TABLE_ROWS,
    choices: Sequence[Choice] = (),
) -> TableResult:
    """Read a table whose headings are the names of `columns`, or whose columns users have chosen (`lists`).

    choices: what users have chosen for layouts of columns
    """
    file_format, issues = recognise(file_name, data, TABLES)
    if not isinstance(file_format, TableFormat):
        return TableResult("unknown", file_name, issues=issues)
    result = read_list(file_name, file_format.rows(data, max_rows), columns, choices)
    return replace(result, issues=issues + result.issues)


def read_go(file_name: str, data: bytes) -> GoResult:
    """Read the uploaded file of a Go tournament.

    Text in an unknown format is read as a result table (.h9).
    """
    file_format, issues = recognise(file_name, data, GO)
    if not isinstance(file_format, GoFormat):
        return GoResult("unknown", file_name, issues=issues)
    return file_format.read(file_name, data)
