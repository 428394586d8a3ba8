"""The form in which a director says what the columns of a table mean."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.column_forms import LEFT_OUT, ColumnsForm
from tournaments.formats import layouts
from tournaments.formats.types import SheetLayout

LABELS: dict[str, str | Promise] = {
    "place": _("Place"),
    "number": _("Pair number"),
    "team": _("Team"),
    "name": _("Name or names"),
    "given": _("Given name"),
    "surname": _("Surname"),
    "licence": _("Licence or licences"),
    "percentage": _("Percentage"),
    "score": _("Score"),
    "direction": _("Line (N-S, E-W)"),
    "section": _("Section"),
    "boards": _("Boards played"),
    "tables_one": _("Tables: one ranking"),
    "tables_lines": _("Tables: North-South, then East-West"),
    "tables_turned": _("Tables: East-West, then North-South"),
    "tables_sections": _("Tables: sections"),
}
SEATS = {"name": _("Player %(seat)s"), "licence": _("Licence %(seat)s")}
FEWEST_SEATS = 2


def label_of(meaning: str) -> str:
    """Return the name of a meaning; "" is a column that is not read."""
    if not meaning:
        return str(LEFT_OUT)
    if meaning in LABELS:
        return str(LABELS[meaning])
    name, _underscore, seat = meaning.partition("_")
    return str(SEATS[name]) % {"seat": seat}


def meanings(layout: SheetLayout) -> list[str]:
    """Return the codes of the meanings offered for a column of the sheet, in the order of the choices."""
    columns = len(layout.headings) - 1  # one column is that of the result
    most = min(max(columns, FEWEST_SEATS), layouts.MOST_SEATS)
    offered = ["place", "number", "team", "name", "given", "surname"]
    offered += [f"name_{seat}" for seat in range(1, most + 1)]
    offered += ["licence", *(f"licence_{seat}" for seat in range(1, most + 1))]
    return [*offered, "percentage", "score", "direction", "section", "boards"]


def meanings_of_tables(layout: SheetLayout) -> list[str]:
    """Return the codes offered for what the tables of the sheet are. Only two can be the lines of play."""
    return [code for code, column in layouts.TABLES.items() if layout.tables == 2 or column != "direction"]


class RankingColumnsForm(ColumnsForm):
    """What the columns of a ranking mean.

    If the sheet has several tables and nothing says what they are, the last choice says it.
    """

    def __init__(self, *args: Any, layout: SheetLayout, **kwargs: Any) -> None:
        super().__init__(*args, layout=layout, **kwargs)
        if layout.tables:
            field = self.fields[f"column_{len(layout.headings) - 1}"]
            field.label = gettext("What the tables of the sheet are")
            codes = meanings_of_tables(layout)
            field.choices = [("", gettext("Choose")), *((code, label_of(code)) for code in codes)]
            field.required = True

    def meanings(self) -> list[str]:
        return meanings(self.layout)

    def label_of(self, meaning: str) -> str:
        return label_of(meaning)

    def sample_rows(self) -> list[list[str]]:
        """Return the cells of the first rows; of several tables, the last cell says of which one."""
        rows = super().sample_rows()
        if self.layout.tables:
            rows = [[*row[:-1], gettext("Table %(number)s") % {"number": row[-1]}] for row in rows]
        return rows

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        chosen = {name: values.get(name, "") for name in self.fields}
        if self.errors:
            return values
        self.refuse_repeated({name: layouts.TABLES.get(code, code) for name, code in chosen.items()})
        self._refuse_mixed(set(chosen.values()))
        return values

    def repeated(self, meaning: str, column: str) -> str:
        if meaning == "name":
            return gettext("Columns of names beside each other are “Player 1”, “Player 2” and so on.")
        return super().repeated(meaning, column)

    def _refuse_mixed(self, chosen: set[str]) -> None:
        """Refuse columns that contradict each other, and a table without people or without a result."""
        seats = {meaning for meaning in chosen if meaning.startswith(("name_", "licence_"))}
        single = chosen & {"name", "given", "surname", "licence"}
        if seats and single:
            text = gettext(
                "Choose either a column of names for each player (player 1, player 2) or one for all."
            )
            raise ValidationError(text)
        if "name" in chosen and chosen & {"given", "surname"}:
            raise ValidationError(gettext("Choose either the whole name, or given name and surname."))
        if "tables_one" in chosen and not chosen & {"percentage", "score"}:
            raise ValidationError(
                gettext(
                    "The places begin anew in each table: one ranking needs the percentages or the scores."
                )
            )
        if not chosen & set(layouts.PEOPLE):
            raise ValidationError(gettext("Choose the column with the names or the licences."))
        if not chosen & set(layouts.RESULTS):
            raise ValidationError(
                gettext("Choose the place, the percentage or the score: one of them at least.")
            )
