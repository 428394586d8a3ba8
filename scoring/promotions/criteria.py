"""The criteria of promotion rules, as forms and pages present them: form fields, explanations and formats.

`pure.selection` applies the criteria. The resulting `PlaceState` of a player shows which criterion decided.
docs/recipes/criterion.md explains how to add a criterion.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.promotions.forms.fields import HundredthsField, ShareField, two_decimals
from scoring.promotions.models import PromotionRule
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.pure.selection import Place, PlaceState, Rule
from ui.counting import counted_points
from ui.formatting import format_percent, format_points, format_share, format_whole


@dataclass(frozen=True, slots=True)
class Criterion:
    """How forms and pages present one figure of a `PromotionRule`.

    column: name of the model field
    field: form field of the office's form, with its label
    explanation: what the figure does, shown beside the form field
    sentences: function of (rule, language) that returns sentences on how the rule uses the figure; [] if it
        does not use it
    shown: function of (JSON value, language) that formats a value on the history page; if None, the value's
        type decides the format
    """

    column: str
    field: forms.Field
    explanation: Promise | str = ""
    sentences: Callable[[Rule, str], list[str]] = lambda rule, lang: []
    shown: Callable[[Any, str], str] | None = None


@dataclass(frozen=True, slots=True)
class StateWords:
    """The texts for a `PlaceState`, the result of the rule for one player.

    name: short text for lists of candidates, and for the player
    explain: function of (place, document, language) that explains the state with its figures, for the office
        and the committee
    private: whether the state means that the player has enough points but does not move; only the player, the
        office and the committee may know why
    """

    name: Promise
    explain: Callable[[Place, ListDocument, str], str]
    private: bool = False

    def __str__(self) -> str:
        return str(self.name)


# --- Sentences ------------------------------------------------------------------------------------------
def _share(rule: Rule, lang: str) -> list[str]:
    if rule.share is None:
        return []
    text = gettext("The first %(share)s by points, rounded up and never fewer than %(minimum)s, move up.")
    share, minimum = format_share(rule.share * 100, lang), format_whole(rule.minimum, lang)
    return [text % {"share": share, "minimum": minimum}]


def _count(rule: Rule, lang: str) -> list[str]:
    texts = []
    if rule.count is not None:
        text = ngettext(
            "There is %(number)s place at most.", "There are %(number)s places at most.", rule.count
        )
        texts.append(text % {"number": format_whole(rule.count, lang)})
    if rule.share is not None or rule.count is not None:
        texts.append(gettext("Whoever ties at the border comes in too."))
    return texts


def _points(rule: Rule, lang: str) -> list[str]:
    if rule.points is None:
        return []
    return [gettext("The minimum is %(points)s.") % {"points": counted_points(rule.points)}]


def _tournaments(rule: Rule, lang: str) -> list[str]:
    if not rule.tournaments:
        return []
    text = ngettext(
        "At least %(number)s tournament is needed.",
        "At least %(number)s tournaments are needed.",
        rule.tournaments,
    )
    return [text % {"number": format_whole(rule.tournaments, lang)}]


def _licence(rule: Rule, lang: str) -> list[str]:
    return [gettext("Only players with a licence count.")] if rule.licence else []


def _average(rule: Rule, lang: str) -> list[str]:
    if not rule.looks_at_average:
        return []
    if rule.effect == "warn":
        text = gettext("A modified average below %(average)s is looked at by the federation.")
    elif rule.blocked_place == "empty":
        text = gettext("A modified average below %(average)s blocks, and the place stays empty.")
    else:
        text = gettext("A modified average below %(average)s blocks, and the place goes to the next player.")
    return [text % {"average": format_share(rule.average, lang)}]


def _demotion(rule: Rule, lang: str) -> list[str]:
    if rule.demote_below is None:
        return []
    text = gettext("Whoever has fewer than %(points)s and does not move up moves down.")
    return [text % {"points": counted_points(rule.demote_below)}]


# --- The criteria, in the order of the model and of the form ----------------------------------------------
CRITERIA = (
    Criterion(
        "top_share",
        ShareField(label=_("Top share, %"), required=False),
        _("This share of the players who count, rounded up to a whole place."),
        sentences=_share,
        shown=lambda value, lang: format_share(Decimal(value) * 100, lang),
    ),
    Criterion(
        "minimum",
        forms.IntegerField(label=_("At least"), min_value=0, max_value=10_000),
        _("Places that the share gives however small the category is."),
    ),
    Criterion(
        "top_count",
        forms.IntegerField(label=_("Top places"), min_value=1, max_value=10_000, required=False),
        _("A fixed number of places. With a share besides, the smaller of the two holds."),
        sentences=_count,
    ),
    Criterion(
        "points_threshold",
        HundredthsField(label=_("Points needed"), required=False),
        _("Points of the year that whoever moves up has besides."),
        sentences=_points,
        shown=format_points,
    ),
    Criterion(
        "minimum_tournaments",
        forms.IntegerField(label=_("Tournaments needed"), min_value=0, max_value=1000),
        _("Whoever has played fewer does not move up; the place goes to the next."),
        sentences=_tournaments,
    ),
    Criterion(
        "licence_required",
        forms.BooleanField(label=_("Licence needed on the last day"), required=False),
        _("Whoever has none on 31 December neither counts nor moves up."),
        sentences=_licence,
    ),
    Criterion(
        "average_threshold",
        two_decimals(_("Modified average needed"), 100, required=False),
        _("What the modified average is compared with."),
        sentences=_average,
    ),
    Criterion(
        "average_effect",
        forms.ChoiceField(label=_("What a lower average does"), choices=PromotionRule.Effect.choices),
        _("It is only shown, warns the office, or blocks the move. A missing average never blocks."),
    ),
    Criterion(
        "blocked_place",
        forms.ChoiceField(
            label=_("The place of a blocked player"), choices=PromotionRule.BlockedPlace.choices
        ),
        _("It goes to the next player, or nobody gets it."),
    ),
    Criterion(
        "demotion_threshold",
        HundredthsField(label=_("Moves down below"), required=False),
        sentences=_demotion,
        shown=format_points,
    ),
)


# --- Texts for the states -----------------------------------------------------------------------------------
def _averages(text: str, place: Place, document: ListDocument, lang: str) -> str:
    average, needed = place.entrant.average, document.rule.average
    return text % {
        "average": gettext("none") if average is None else format_percent(average, lang),
        "needed": "" if needed is None else format_percent(needed, lang),
    }


def _warned(place: Place, document: ListDocument, lang: str) -> str:
    text = gettext("moves up, although the average %(average)s is below %(needed)s")
    return _averages(text, place, document, lang)


def _blocked(place: Place, document: ListDocument, lang: str) -> str:
    text = gettext("promotion blocked: average %(average)s, needed %(needed)s")
    return _averages(text, place, document, lang)


def _low(place: Place, document: ListDocument, lang: str) -> str:
    points = counted_points(document.rule.points or 0)
    return gettext("below the minimum of %(points)s") % {"points": points}


def _few(place: Place, document: ListDocument, lang: str) -> str:
    values = {"played": place.entrant.tournaments, "needed": document.rule.tournaments}
    return gettext("too few tournaments: %(played)s of %(needed)s") % values


STATES = {
    PlaceState.MOVES: StateWords(_("candidate"), lambda place, document, lang: gettext("moves up")),
    PlaceState.TIED: StateWords(
        _("candidate, tied at the cut"), lambda place, document, lang: gettext("moves up, tied at the cut")
    ),
    PlaceState.WARNED: StateWords(_("candidate, with a low modified average"), _warned),
    PlaceState.BELOW: StateWords(_("below the cut"), lambda place, document, lang: gettext("below the cut")),
    PlaceState.LOW: StateWords(_("below the points needed"), _low),
    PlaceState.FEW: StateWords(_("too few tournaments"), _few, private=True),
    PlaceState.BLOCKED: StateWords(_("blocked by the modified average"), _blocked, private=True),
    PlaceState.UNLICENSED: StateWords(
        _("without a licence"), lambda place, document, lang: gettext("without a licence on 31 December")
    ),
    PlaceState.DECEASED: StateWords(
        _("recorded as deceased"), lambda place, document, lang: gettext("deceased"), private=True
    ),
    PlaceState.DOWN: StateWords(
        _("would move down"),
        lambda place, document, lang: gettext("moves down to %(code)s") % {"code": document.demotion},
    ),
}
PRIVATE = tuple(state for state, words in STATES.items() if words.private)
