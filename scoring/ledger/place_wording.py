"""Wording of receipt steps for the systems that award by place: Swedish and ACBL points."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.engine.types import Step
from scoring.regulations.acbl import labels
from scoring.regulations.acbl.pigments import pigment
from tournaments.models import Tournament
from ui.counting import counted
from ui.formatting import format_decimal, format_whole

NAMES = {
    "winner": gettext_lazy("W, points of the winner"),
    "factor": gettext_lazy("f, factor from one place to the next"),
    "places": gettext_lazy("K, places that earn points"),
    "B": gettext_lazy("B, size of the field"),
    "R": gettext_lazy("R, rating of the tournament"),
    "S": gettext_lazy("S, sessions"),
    "M": gettext_lazy("M, masterpoint limit"),
    "P": gettext_lazy("P, restricted field"),
    "T": gettext_lazy("T, type of contest"),
    "i": gettext_lazy("k, the place"),
    "c": gettext_lazy("c(k), share of a place"),
    "link": gettext_lazy("A(k), points of a place"),
    "award": gettext_lazy("A(k), points of the place"),
    "rounding": gettext_lazy("Rounding"),
}
RATINGS = {code: gettext_lazy(label) for code, label in labels.RATINGS.items()}
RESTRICTIONS = {code: gettext_lazy(label) for code, label in labels.RESTRICTIONS.items()}
PIGMENTS = {code: gettext_lazy(label) for code, label in labels.PIGMENTS.items()}


def pigment_of(event_type: str, venue: str, params: Mapping[str, Any]) -> str:
    """Return the code of the colour (gold, silver, black …) of an ACBL tournament's points.

    params: `Tournament.params`, the tournament's data that only the ACBL's formula needs
    """
    return pigment(event_type, venue, params.get("rating", ""), params.get("limit", ""))


def colour(tournament: Tournament) -> str:
    """Return the name of the colour of a tournament's ACBL points, for example "gold".

    Return "" for points of other families, which have no colours.
    """
    if tournament.family != Tournament.Family.ACBL:
        return ""
    return str(PIGMENTS[pigment_of(tournament.event_type, tournament.venue, tournament.params)])


def figures(coefficients: Mapping[str, Decimal]) -> list[tuple[str, Decimal]]:
    """Return (label, value) pairs for the coefficients of a tournament's result."""
    return [(str(NAMES[key]), value) for key, value in coefficients.items()]


def sentence(step: Step, lang: str) -> str:
    """Return a sentence that describes a step of the receipt, or "" if its name and formula suffice.

    Raise KeyError for a step that belongs neither to Swedish nor to ACBL points.
    """
    if step.code == "given":
        return _("The value that the office has entered.")
    return SENTENCES[step.key](step, lang)


def place(step: Step, lang: str) -> str:
    """Return the place of a contestant in words, with the number of contestants that share it."""
    values = {"place": step.params["place"], "last": step.params["last_place"], "tied": step.params["tied"]}
    if step.params["tied"] > 1:
        return _("Place %(place)s, shared by %(tied)s: places %(place)s to %(last)s.") % values
    return _("Place %(place)s.") % values


def _award(step: Step, lang: str) -> str:
    return {
        "first": _("The first gets the points of the winner."),
        "chain": _("The place above times the factor, to two decimals, while that is more than W/k."),
        "floor": _("The points of the winner divided by the place."),
        "step": _("The share of the winner’s points that belongs to the place."),
        "quarter": _("Three quarters of the place above."),
        "share": _("The share of the winner’s points that belongs to the place."),
        "unpaid": _("This place earns no points."),
        "tie_mean": _("Those who share a place get the mean of the points of the places they take up."),
        "tie_mean_place": _("Those who share a place get the points of the place in the middle."),
    }[step.code]


def _share(step: Step, lang: str) -> str:
    return {
        "printed": _("The first four places have the shares that are printed."),
        "power": _("Each place has three quarters of the share above it."),
        "one_of_k": _("One part in as many as the place."),
    }[step.code]


def _rounding(step: Step, lang: str) -> str:
    decimals = step.params["decimals"]
    if step.code == "half_even":
        return _("To two decimals; a half goes to the even neighbour.")
    if decimals == 0:
        return _("To a whole number; a half goes up.")
    text = ngettext(
        "To %(decimals)s decimal; a half goes up.", "To %(decimals)s decimals; a half goes up.", decimals
    )
    return text % {"decimals": decimals}


def _places(step: Step, lang: str) -> str:
    values = {"contestants": format_whole(step.params["contestants"], lang)}
    if step.code == "default":
        values["depth"] = format_decimal(step.params["depth"], lang)
    return {
        "quarter": _("A quarter of %(contestants)s, rounded up."),
        "default": _("%(depth)s of %(contestants)s; a half goes up."),
    }[step.code] % values


def _winner(step: Step, lang: str) -> str:
    if step.code == "product":
        return _("Rounded to two decimals after every factor; a half goes to the even neighbour.")
    values = {"contestants": counted(step.params["contestants"], "contestant")}
    if step.code == "pairs_and_boards":
        values["boards"] = counted(step.params["boards"], "board")
    return {
        "pairs": _("For %(contestants)s."),
        "contestants": _("For %(contestants)s."),
        "cap": _("For %(contestants)s: the most there is."),
        "pairs_and_boards": _("For %(contestants)s and %(boards)s."),
    }[step.code] % values


def _size(step: Step, lang: str) -> str:
    return _("For %(tables)s.") % {"tables": counted(step.params["whole"], "table")}


def _sessions(step: Step, lang: str) -> str:
    return _("Sessions: %(sessions)s.") % {"sessions": step.params["sessions"]}


# Functions that describe a step, by its key. `sentence` calls them.
SENTENCES: dict[str, Callable[[Step, str], str]] = {
    "winner": _winner,
    "factor": lambda _step, _lang: "",
    "places": _places,
    "B": _size,
    "R": lambda step, _lang: str(RATINGS[step.params["rating"]]),
    "S": _sessions,
    "P": lambda step, _lang: str(RESTRICTIONS[step.params["restriction"]]),
    "i": place,
    "c": _share,
    "link": _award,
    "award": _award,
    "rounding": _rounding,
}
