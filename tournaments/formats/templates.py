"""Templates of the result table to download and fill in, as CSV and XLSX, in Spanish and English."""

from __future__ import annotations

import csv
import io
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
    """Return CSV that spreadsheets open correctly: UTF-8 with a byte order mark, `;` between cells."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow(_HEADINGS[language])
    writer.writerows(_EXAMPLES[language])
    return out.getvalue().encode("utf-8-sig")


def template_xlsx(language: Language = "es") -> bytes:
    """Return XLSX with text cells, which keep leading zeros of licences and places such as 3-4."""
    from openpyxl import Workbook
    from openpyxl.styles import Font

    workbook = Workbook()
    sheet = workbook.active
    sheet.title = {"es": "Resultado", "en": "Result"}[language]
    sheet.append(_HEADINGS[language])
    for row in _EXAMPLES[language]:
        sheet.append(row)
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        sheet.column_dimensions[cell.column_letter].width = 16
    for row in sheet.iter_rows(min_row=1, max_row=500, max_col=len(_HEADINGS[language])):
        for cell in row:
            cell.number_format = "@"
    sheet.freeze_panes = "A2"
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()
