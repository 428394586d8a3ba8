"""The form that asks for a result that the player could have."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring import regulations
from scoring.calculator.aeb import COUNT_PREFIX, AebForm
from scoring.engine.points import plain
from scoring.ledger.evaluation import FAMILY


class WhatIfForm(AebForm):
    """The calculator's form for a tournament under the regulation in force, with the player's place in it.

    Renaming a field breaks links, which contain its name.

    example_row: a row of `results.rows_of`, whose tournament fills the form at first; None for the
        regulation's example
    """

    puesto = forms.IntegerField(label=_("Your place"), min_value=1)

    field_order = ("tipo", "formato", "puesto", "participantes", "manos", "lugar")

    def __init__(self, query: Mapping[str, str], day: date, example_row: dict[str, Any] | None) -> None:
        self.example_row = example_row
        known = {name: value for name, value in query.items() if name not in ("reglamento", "comparar")}
        super().__init__(known, regulations.in_force(FAMILY, day), day)
        del self.fields["reglamento"]
        self.fields.pop("comparar", None)

    def with_example(self, query: Mapping[str, str]) -> dict[str, str]:
        row = self.example_row
        if row is None:
            return {"puesto": "1", **super().with_example(query)}
        played = {
            "tipo": row["tournament__event_type"],
            "formato": row["tournament__format"],
            "participantes": str(row["size"]),
            "manos": str(row["tournament__boards"]),
            "lugar": row["tournament__venue"],
            "puesto": str(row["contestant__place"] or 1),
        }
        about_field = ("participantes", "c4")
        if not any(name in about_field or name.startswith(COUNT_PREFIX) for name in query):
            played["c4"] = plain(round(row["c4"], 6))
        return {**played, **query}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        place, contestants = cleaned.get("puesto"), cleaned.get("participantes")
        if place and contestants and place > contestants:
            self.add_error("puesto", gettext("The place cannot be beyond the number of contestants."))
        return cleaned
