"""The calculator's form for the AEB's regulations, one or two of them."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from django import forms
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring import regulations
from scoring.calculator.forms.base import CalculatorForm, NumberField, contestants_field
from scoring.calculator.working import MOST_CONTESTANTS
from scoring.calculator.working.aeb import COUNT_PREFIX, Question, address, translated
from scoring.ledger.wording import regulation_name
from scoring.regulations.aeb.scheme import Scheme
from tournaments.models import Tournament
from ui.formatting import format_decimal, format_whole
from ui.templatetags.ui import category_html

MOST_BOARDS = 999
PERSONS = {"pairs": 2, "teams": 12, "individual": 1}  # at most, of one contestant
EXAMPLE_PLAYERS = {"3P": "8", "2D": "10", "2C": "10", "2P": "8", "1D": "4"}


class C4Field(NumberField):
    """A mean of categories."""

    def __init__(self, **kwargs) -> None:
        super().__init__(max_digits=8, decimal_places=6, **kwargs)


class AebForm(CalculatorForm):
    """A tournament to be worked out, by one regulation or by two."""

    template = "aeb"
    # What the page shows before anything is asked: an evening at a club.
    EXAMPLE = {
        "tipo": "pool", "formato": "pairs", "participantes": "20", "manos": "24", "lugar": "in_person",
    }  # fmt: skip

    tipo = forms.ChoiceField(
        label=_("Tournament type"),
        error_messages={"invalid_choice": _("This regulation has no such type: choose again.")},
    )
    formato = forms.ChoiceField(label=_("Format"), choices=Tournament.Format.choices)
    participantes = contestants_field(_("Pairs, teams or, in an individual, players."))
    manos = forms.IntegerField(label=_("Boards"), min_value=1, max_value=MOST_BOARDS)
    lugar = forms.ChoiceField(label=_("Venue"), choices=Tournament.Venue.choices)
    tipo_otro = forms.ChoiceField(label=_("Tournament type there"), required=False)
    c4 = C4Field(label=_("C4, mean of the categories"))
    c4_otro = C4Field(label=_("C4 there"))

    field_order = ("reglamento", "tipo", "formato", "participantes", "manos", "lugar", "comparar")

    def __init__(self, given: Mapping[str, str], regulation: Scheme, day: date) -> None:
        super().__init__(given, regulation, day)
        self.fields["tipo"].choices = _types(regulation)
        family = {each.code: each for each in regulations.of_family(regulation.family)}
        self.other: Scheme | None = family.get(self.data.get("comparar", ""))
        self._bound_c4("c4", regulation)
        if self.other is None:
            del self.fields["tipo_otro"], self.fields["c4_otro"]
        else:
            self.fields["tipo_otro"].choices = [("", _("the same")), *_types(self.other)]
            self._bound_c4("c4_otro", self.other)
        self._add_categories()
        self.order_fields(self.field_order)

    def completed(self, given: Mapping[str, str]) -> dict[str, str]:
        data = super().completed(given)
        about_field = ("participantes", "c4")
        if not any(name in about_field or name.startswith(COUNT_PREFIX) for name in given):
            data |= {f"{COUNT_PREFIX}{code}": number for code, number in EXAMPLE_PLAYERS.items()}
        return data

    def _bound_c4(self, name: str, scheme: Scheme) -> None:
        """C4 is a mean of the table's values, so it lies among them."""
        values, lang = [row.value for row in scheme.categories.rows], get_language() or ""
        low, high = (format_decimal(each, lang) for each in (min(values), max(values)))
        self.fields[name].help_text = gettext("From %(low)s to %(high)s (%(regulation)s).") % {
            "low": low,
            "high": high,
            "regulation": regulation_name(scheme.code),
        }

    def _add_categories(self) -> None:
        lang = get_language() or ""
        for row in self.regulation.categories.rows:
            self.fields[f"{COUNT_PREFIX}{row.code}"] = forms.IntegerField(
                label=category_html(row.code, lang),
                required=False,
                min_value=0,
                max_value=MOST_CONTESTANTS * max(PERSONS.values()),
            )

    @property
    def category_fields(self) -> list[forms.BoundField]:
        """How many players hold each category of the regulation."""
        return [self[name] for name in self.fields if name.startswith(COUNT_PREFIX)]

    @property
    def asked_fields(self) -> list[forms.BoundField]:
        """All others but the choice of the regulation, in their order."""
        return [field for field in super().asked_fields if not field.name.startswith(COUNT_PREFIX)]

    @property
    def opened(self) -> bool:
        """Whether the categories have something to be seen at once: numbers, or something to correct."""
        names = [name for name in self.fields if name.startswith(COUNT_PREFIX)]
        return any(self.data.get(name) or name in self.errors for name in names)

    @property
    def players(self) -> dict[str, int]:
        """Category -> how many hold it; only those that somebody holds."""
        found = {
            name.removeprefix(COUNT_PREFIX): value
            for name, value in self.cleaned_data.items()
            if name.startswith(COUNT_PREFIX)
        }
        return {code: number for code, number in found.items() if number}

    def clean(self) -> dict:
        cleaned = super().clean()
        self._check_c4("c4", self.regulation)
        if self.players and cleaned.get("c4") is not None:
            message = gettext("Give either C4 or the players of each category: they say the same.")
            self.add_error("c4", message)
        self._check_players()
        if self.other:
            self._check_other()
        return cleaned

    def _check_c4(self, name: str, scheme: Scheme) -> None:
        value = self.cleaned_data.get(name)
        values, lang = [row.value for row in scheme.categories.rows], get_language() or ""
        if value is not None and not min(values) <= value <= max(values):
            message = gettext("C4 lies between %(low)s and %(high)s: it is a mean of the table's values.")
            bounds = {
                "low": format_decimal(min(values), lang),
                "high": format_decimal(max(values), lang),
            }
            self.add_error(name, message % bounds)

    def _check_players(self) -> None:
        contestants, kind = self.cleaned_data.get("participantes"), self.cleaned_data.get("formato")
        total, lang = sum(self.players.values()), get_language() or ""
        if contestants and kind and total > contestants * PERSONS[kind]:
            message = ngettext(
                "The categories have %(players)s player, but so many contestants have at most %(most)s.",
                "The categories have %(players)s players, but so many contestants have at most %(most)s.",
                total,
            )
            values = {
                "players": format_whole(total, lang),
                "most": format_whole(contestants * PERSONS[kind], lang),
            }
            self.add_error("participantes", message % values)

    def _check_other(self) -> None:
        cleaned = self.cleaned_data
        kind, there = cleaned.get("tipo"), cleaned.get("tipo_otro")
        chosen = there or "tipo_otro" in self.errors
        if kind and not chosen and self.other.event_types.find(kind) is None:
            message = gettext("%(regulation)s has no such type: choose which one to compare with.")
            self.add_error("tipo_otro", message % {"regulation": regulation_name(self.other.code)})
        self._check_c4("c4_otro", self.other)
        if cleaned.get("c4") is not None and cleaned.get("c4_otro") is None and "c4_otro" not in self.errors:
            message = gettext("The regulations value categories differently: give C4 here too.")
            self.add_error("c4_otro", message)

    @property
    def question(self) -> Question:
        """What a valid form asks."""
        cleaned = self.cleaned_data
        return Question(
            event_type=cleaned["tipo"],
            format=cleaned["formato"],
            contestants=cleaned["participantes"],
            boards=cleaned["manos"],
            venue=cleaned["lugar"],
            c4=cleaned["c4"],
            players=self.players,
        )

    @property
    def other_question(self) -> Question:
        """The same of the regulation to compare with."""
        cleaned = self.cleaned_data
        c4: Decimal | None = cleaned["c4_otro"] if cleaned["c4"] is not None else None
        return translated(self.question, self.other, cleaned["tipo_otro"] or cleaned["tipo"], c4)

    @property
    def extra(self) -> dict[str, str]:
        """The parameters that only a comparison has."""
        if not self.other:
            return {}
        found = {
            "comparar": self.other.code,
            "tipo_otro": self.cleaned_data["tipo_otro"],
            "c4_otro": "" if self.cleaned_data["c4_otro"] is None else str(self.cleaned_data["c4_otro"]),
        }
        return {name: value for name, value in found.items() if value}

    @property
    def address(self) -> str:
        return address(self.question, self.regulation.code, **self.extra)


def _types(scheme: Scheme) -> list[tuple[str, str]]:
    return [(row.code, gettext(row.label)) for row in scheme.event_types.rows]
