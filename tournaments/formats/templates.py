"""Write tables as CSV and XLSX, among them the template of the result table in Spanish and English."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Literal

Language = Literal["es", "en"]

_HEADINGS: dict[Language, tuple[str, ...]] = {
    "es": ("puesto", "licencia", "nombre", "pareja", "porcentaje", "línea", "manos"),
    "en": ("place", "licence", "name", "pair", "percentage", "direction", "boards"),
}
# Made-up people whose numbers are not licences, so that a forgotten example row is an error.
_EXAMPLES: dict[Language, tuple[tuple[str, ...], ...]] = {
    "es": (
        ("1", "90000001", "Nombre Apellido Uno", "4", "61,25", "N-S", "24"),
        ("1", "90000002", "Nombre Apellido Dos", "4", "61,25", "N-S", "24"),
        ("2", "90000003", "Nombre Apellido Tres", "7", "54,50", "E-O", "24"),
        ("2", "", "Persona invitada", "7", "54,50", "E-O", "24"),
    ),
    "en": (
        ("1", "90000001", "First Person", "4", "61.25", "N-S", "24"),
        ("1", "90000002", "Second Person", "4", "61.25", "N-S", "24"),
        ("2", "90000003", "Third Person", "7", "54.50", "E-W", "24"),
        ("2", "", "A guest", "7", "54.50", "E-W", "24"),
    ),
}


def template_csv(language: Language = "es") -> bytes:
    """Return the template of the result table as CSV."""
    return table_csv([_HEADINGS[language], *_EXAMPLES[language]])


def template_xlsx(language: Language = "es") -> bytes:
    """Return the template of the result table as XLSX.

    All cells are text, so that a spreadsheet does not take the place 3-4 for a date.
    """
    headings = _HEADINGS[language]
    title = {"es": "Resultado", "en": "Result"}[language]
    return table_xlsx([headings, *_EXAMPLES[language]], range(len(headings)), title)


def table_csv(rows: Iterable[Sequence[str]]) -> bytes:
    """Return CSV that spreadsheets open correctly: UTF-8 with a byte order mark, `;` between cells."""
    out = io.StringIO()
    csv.writer(out, delimiter=";", lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode("utf-8-sig")


def table_xlsx(rows: Iterable[Sequence[str]], text_columns: Iterable[int], title: str = "") -> bytes:
    """Return XLSX with the headings in the first row.

    text_columns: indexes of the columns whose cells are text, so that they keep leading zeros
    """
    from openpyxl import Workbook
    from openpyxl.styles import Font

    workbook = Workbook()
    sheet = workbook.active
    sheet.title = title or sheet.title
    for row in rows:
        sheet.append(row)
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        sheet.column_dimensions[cell.column_letter].width = 16
    for index in text_columns:
        for line in range(1, 501):
            sheet.cell(line, index + 1).number_format = "@"
    sheet.freeze_panes = "A2"
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()
