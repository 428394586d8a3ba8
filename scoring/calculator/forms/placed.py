"""The calculator's forms for points by place: Swedish bronze and silver points, ACBL masterpoints."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.calculator.forms.base import CalculatorForm, NumberField, contestants_field
from scoring.calculator.working import placed
from scoring.calculator.working.placed import Question
from scoring.ledger.models import ScoringFactor
from scoring.ledger.place_wording import RATINGS, RESTRICTIONS
from scoring.ledger.systems.placed import bronze_decimals
from scoring.ledger.wording import regulation_name
from scoring.regulations.acbl import CLUB_AWARDS, OVERALL
from scoring.regulations.acbl.shared import LARGEST_FACTOR, LEAST_FACTOR
from scoring.regulations.acbl.tables import MOST_SESSIONS
from scoring.regulations.places.scheme import PlaceScheme
from scoring.regulations.sbf_2019 import BRONZE, SILVER_POINTS
from scoring.regulations.sbf_2019.rules import MOST_DECIMALS
from scoring.regulations.sbf_2019.tables import PLACES_TABLES

MOST_BOARDS = 999
MOST_TABLES = 5_000
PAIRS_OR_PLAYERS = _("Pairs or, in an individual, players.")
# Fields of the reader's own factors, with the engine's name of the factor.
OWN_FACTORS = {"factor_m": "M", "factor_t": "T", "factor_r": "R", "profundidad": "depth"}
OWN_CLUB_FACTORS = {"profundidad_club": "depth"}


class SwedishForm(CalculatorForm):
    """Bronze points by one table of places or by both, or silver points."""

    template = "placed"

    participantes = contestants_field(PAIRS_OR_PLAYERS)
    manos = forms.IntegerField(label=_("Boards"), min_value=1, max_value=MOST_BOARDS)
    decimales = forms.TypedChoiceField(
        label=_("Decimals of the points"),
        choices=[(str(n), str(n)) for n in range(MOST_DECIMALS + 1)],
        coerce=int,
    )
    tabla = forms.ChoiceField(label=_("Table of places"), choices=[(name, name) for name in PLACES_TABLES])

    def __init__(self, query: Mapping[str, str], regulation: PlaceScheme, day: date) -> None:
        super().__init__(query, regulation, day)
        del self.fields["manos" if regulation is BRONZE else "tabla"]

    def with_example(self, query: Mapping[str, str]) -> dict[str, str]:
        decimals = bronze_decimals(self.day) if self.regulation is BRONZE else SILVER_POINTS.default_decimals
        example = {"participantes": "40", "manos": "48", "decimales": str(decimals), "tabla": "AY"}
        return super().with_example({**example, **query})

    def alternatives(self) -> list[tuple[str, str]]:
        """Return the tables of bronze points; silver points are another family and not comparable."""
        if self.regulation is not BRONZE:
            return []
        return [(name, _table_name(name)) for name in PLACES_TABLES]

    @property
    def schemes(self) -> list[PlaceScheme]:
        return [self.regulation]

    def clean(self) -> dict:
        cleaned = super().clean()
        if cleaned.get("comparar") and cleaned["comparar"] == cleaned.get("tabla"):
            cleaned["comparar"] = ""  # the table chosen is the one to compare with
        return cleaned

    @property
    def questions(self) -> list[Question]:
        """The events to compute for a valid form.

        For bronze points, one for each chosen table of places (one or two); for silver points, one.
        """
        cleaned = self.cleaned_data
        contestants, decimals = cleaned["participantes"], cleaned["decimales"]
        if self.regulation is not BRONZE:
            return [placed.silver(self.title, contestants, decimals, cleaned["manos"])]
        names = [cleaned["tabla"], *filter(None, [cleaned["comparar"]])]
        return [placed.bronze(_table_name(name), contestants, decimals, name) for name in names]


def _table_name(name: str) -> str:
    return gettext("Bronze, table %(name)s") % {"name": name}


class AmericanForm(CalculatorForm):
    """ACBL overall awards, club awards, or both to compare."""

    template = "placed"
    EXAMPLE = {"participantes": "40", "calificacion": "sectional", "sesiones": "1", "restriccion": "none"}

    participantes = contestants_field(PAIRS_OR_PLAYERS)
    mesas = NumberField(
        label=_("Tables"),
        min_value=Decimal("0.5"),
        max_value=MOST_TABLES,
        max_digits=5,
        decimal_places=1,
        help_text=_("Half tables too; if blank, one for every two pairs."),
    )
    calificacion = forms.ChoiceField(label=_("Rating of the tournament"), choices=list(RATINGS.items()))
    sesiones = forms.IntegerField(label=_("Sessions"), min_value=1, max_value=MOST_SESSIONS)
    restriccion = forms.ChoiceField(label=_("Who may play"), choices=list(RESTRICTIONS.items()))
    limite = forms.ChoiceField(label=_("Masterpoint limit"), required=False)
    concurso = forms.ChoiceField(label=_("Type of contest"), required=False)

    def __init__(self, query: Mapping[str, str], regulation: PlaceScheme, day: date) -> None:
        super().__init__(query, regulation, day)
        codes = {regulation.code, self.data.get("comparar")}
        if OVERALL.code in codes:
            self._add_cases()
            self._add_own_factors(OWN_FACTORS)
        else:
            for name in ("mesas", "calificacion", "sesiones", "restriccion", "limite", "concurso"):
                del self.fields[name]
        if CLUB_AWARDS.code in codes:
            self._add_own_factors(OWN_CLUB_FACTORS)

    def _add_cases(self) -> None:
        """Offer the masterpoint limits and contests for which the office has entered a factor. One query."""
        factors = ScoringFactor.objects.filter(regulation=OVERALL.code, name__in=("M", "T")).exclude(case="")
        names_and_cases = sorted(set(factors.values_list("name", "case")))
        for field, factor in (("limite", "M"), ("concurso", "T")):
            cases = [case for name, case in names_and_cases if name == factor]
            if cases:
                self.fields[field].choices = [("", _("Any")), *((case, case) for case in cases)]
            else:
                del self.fields[field]

    def _add_own_factors(self, names: Mapping[str, str]) -> None:
        labels = {
            "factor_m": _("M of your own"),
            "factor_t": _("T of your own"),
            "factor_r": _("R of your own"),
            "profundidad": _("Depth of your own"),
            "profundidad_club": _("Depth of your own, club awards"),
        }
        for name, factor in names.items():
            is_depth = factor == "depth"
            self.fields[name] = NumberField(
                label=labels[name],
                min_value=LEAST_FACTOR,
                max_value=1 if is_depth else LARGEST_FACTOR,
                max_digits=8,
                decimal_places=4,
                help_text=_("Share of the field that earns points: 0.25 is a quarter.") if is_depth else "",
            )

    def clean_mesas(self) -> Decimal | None:
        tables = self.cleaned_data["mesas"]
        if tables is not None and 2 * tables % 1:
            raise forms.ValidationError(gettext("Tables are whole or half."))
        return tables

    def _own_factors(self, names: Mapping[str, str]) -> dict[str, Decimal]:
        factors = {factor: self.cleaned_data.get(name) for name, factor in names.items()}
        return {factor: value for factor, value in factors.items() if value is not None}

    @property
    def questions(self) -> list[Question]:
        """The tournament of a valid form under one regulation or under both. One query per regulation."""
        return [self._overall() if scheme is OVERALL else self._club() for scheme in self.schemes]

    def _overall(self) -> Question:
        cleaned = self.cleaned_data
        params: dict[str, Any] = {
            "rating": cleaned["calificacion"],
            "sessions": cleaned["sesiones"],
            "restriction": cleaned["restriccion"],
            "limit": cleaned.get("limite", ""),
            "contest": cleaned.get("concurso", ""),
        }
        return placed.overall(
            regulation_name(OVERALL.code),
            cleaned["participantes"],
            cleaned["mesas"],
            params,
            self.day,
            self._own_factors(OWN_FACTORS),
        )

    def _club(self) -> Question:
        return placed.club(
            regulation_name(CLUB_AWARDS.code),
            self.cleaned_data["participantes"],
            self.day,
            self._own_factors(OWN_CLUB_FACTORS),
        )
