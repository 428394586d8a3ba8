"""Join decimals that the separator of the cells has split: 62,15 in a CSV file with commas.

The rows then have more cells than there are headings. They are joined only if every row agrees about the
columns, and a warning shows the first figure.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

from . import layouts, values

_WHOLE = re.compile(r"[+-]?[0-9]{1,4}")
_FRACTION = re.compile(r"[0-9]{1,2}\s*%?")
_DECIMALS = ("percentage", "score")
_FEWEST = 2  # number of rows that have to show the split


def join_decimals(table: layouts.Table, by_heading: Mapping[str, str]) -> None:
    """Join the split decimals of a table with headings in place, and add a warning.

    by_heading: {folded heading: meaning} of the headings that are read by themselves
    """
    if table.heading is None or table.grid.separator != ",":
        return
    headings = table.heading[1][: table.named]
    decimals = [
        column
        for column, text in enumerate(headings)
        if layouts.meaning_of_heading(text, by_heading) in _DECIMALS
    ]
    split = [row for row in table.rows if len(row[1]) > len(headings)]
    extra = {len(cells) - len(headings) for _line, cells in split}
    if len(split) < _FEWEST or len(extra) != 1:
        return
    splits = [
        columns
        for columns in combinations(decimals, extra.pop())
        if _is_split([cells for _line, cells in split], columns)
    ]
    if len(splits) != 1:
        return
    table.rows = [
        (line, _joined(cells, splits[0]) if len(cells) > len(headings) else cells)
        for line, cells in table.rows
    ]
    line, cells = split[0]
    figure = _joined(cells, splits[0])[splits[0][0]]
    table.grid.issues.add("decimals_joined", line=line, value=figure, count=len(split))


def _is_split(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> bool:
    """Return whether the figures of these columns are in two cells each, in all rows."""
    for shift, column in enumerate(columns):
        first = column + shift
        wholes, fractions = ([cells[at] for cells in rows] for at in (first, first + 1))
        if not all(map(_WHOLE.fullmatch, wholes)) or not all(map(_FRACTION.fullmatch, fractions)):
            return False
        # The same figure in all rows is a column of its own, such as the number of boards.
        if len(set(fractions)) == 1 and values.integer_text(fractions[0]) != "0":
            return False
    return True


def _joined(cells: Sequence[str], columns: Sequence[int]) -> list[str]:
    joined = list(cells)
    for column in columns:
        joined[column : column + 2] = [f"{joined[column]},{joined[column + 1]}"]
    return joined
