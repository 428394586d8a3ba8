"""Wording about tournaments and regulations, shared by pages that show points."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.ledger import systems
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import ScoringRun
from scoring.ledger.windows import first_day, leaves_on
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.egf.labels import ARTICLES
from scoring.regulations.egf.system import RatingSystem
from scoring.regulations.places.scheme import PlaceScheme
from scoring.regulations.texts import SUMMARY
from ui.formatting import format_date

CARD_OF = {  # in front of the contestant's number, by the format of the tournament
    "pairs": gettext_lazy("Card of pair"),
    "teams": gettext_lazy("Card of team"),
    "individual": gettext_lazy("Card of player"),
}
FIELD_NAMES = {"": "", "NS": gettext_lazy("North-South"), "EW": gettext_lazy("East-West")}


def regulation_name(code: str) -> str:
    """Return the usual name of a regulation: "AEB 2026" for aeb-2026, the title for other families."""
    regulation = scheme_of(code)
    if regulation is None or regulation.family == FAMILY:
        return code.upper().replace("-", " ")
    return regulation_title(regulation)


def regulation_link(code: str, words: str = "") -> SafeString | str:
    """Return a link to the regulation's page, with `words` or its name as text.

    Return plain text for a regulation that is no longer in the code, so that its awards stay readable.
    """
    if scheme_of(code) is None:
        return words or code
    return format_html(
        '<a href="{}">{}</a>', reverse("regulation", args=[code]), words or regulation_name(code)
    )


def regulation_title(regulation: regulations.Regulation) -> str:
    """Return a regulation's title in the active language.

    If regulations of a family share one title, it includes the year in which the regulation came into force.
    """
    title = _(regulation.title)
    return title % {"year": regulation.valid_from.year} if regulation.valid_from else title


def two_scales(day: date) -> str:
    """Return a note if the 12 months up to `day` include points of two AEB regulations, otherwise "".

    The scales of the regulations differ. The note says until which day both are included.
    """
    try:
        older = regulations.in_force(FAMILY, first_day(day))
        newer = regulations.in_force(FAMILY, day)
    except EngineError:
        return ""  # before the first regulation nothing was scored
    if older is newer:
        return ""
    last = regulations.valid_to(older)
    assert last is not None  # a newer one has followed
    until = leaves_on(last) - timedelta(days=1)
    text = _(
        "Up to %(day)s the 12 months hold points of %(older)s and of %(newer)s, whose scales differ; they "
        "are added up as they are (to be confirmed by the federation)."
    )
    values = {"older": regulation_name(older.code), "newer": regulation_name(newer.code)}
    return text % {**values, "day": format_date(until, get_language() or "")}


def is_kind_of(event_type: str, regulation: Any) -> bool:
    """Return whether the regulation has this event type."""
    system = systems.of_regulation(regulation)
    if system.kinds:
        return event_type in dict(system.kinds)
    return regulation.event_types.find(event_type) is not None


def by_place(code: str) -> bool:
    """Return whether the regulation with this code awards points by place alone (Swedish and ACBL points)."""
    return isinstance(scheme_of(code), PlaceScheme)


def cite_rating(article: str) -> str:
    """Return the citation of an article of the Go rating rules."""
    return f"EGF, {_(ARTICLES[article])}"


def citation(regulation: str, article: str, table: str = "") -> str:
    """Return the citation of a rule: "AEB 2026, art. 2.4, table 2"."""
    scheme = scheme_of(regulation)
    if isinstance(scheme, RatingSystem):
        return cite_rating(article)
    parts = [regulation_name(regulation)]
    if isinstance(scheme, PlaceScheme):
        parts.append(_(scheme.articles[article]))
    else:
        parts.append(_("summary") if article == SUMMARY else _("art. %(number)s") % {"number": article})
    if table:
        parts.append(_("table %(number)s") % {"number": table})
    return ", ".join(parts)


def reason_text(regulation: str, code: str, params: Mapping[str, Any]) -> str:
    """Return a sentence on why a tournament does not count, with its source.

    code: the engine's code of the reason, for example "too_few_boards"
    params: the numbers in the sentence
    """
    source = {"source": citation(regulation, SUMMARY)}
    if code == "too_few_boards":
        text = _("Boards: %(boards)s; the minimum is %(minimum)s (%(source)s).")
    elif code == "too_few_licences":
        text = ngettext(
            "Players with a licence: %(licensed)s of %(participants)s; the minimum is %(needed)s, "
            "%(missing)s is missing (%(source)s).",
            "Players with a licence: %(licensed)s of %(participants)s; the minimum is %(needed)s, "
            "%(missing)s are missing (%(source)s).",
            params["missing"],
        )
    else:
        raise ValueError(f"no words for the reason {code!r}")
    return text % {**params, **source}


def reasons_of(run: ScoringRun) -> list[str]:
    """Return sentences on why a scored tournament does not count; empty if it counts."""
    reasons = run.outcome.get("reasons", ())
    return [reason_text(run.regulation, reason["code"], reason["params"]) for reason in reasons]


def event_type_name(code: str, scheme: Scheme | None = None) -> str:
    """Return the label of an event type, or its code if no regulation has it.

    scheme: take the label from this regulation if it has the event type, otherwise from another one
    """
    for system in systems.ALL.values():
        for kind, label in system.kinds:
            if kind == code:
                return str(label)
    own = scheme if isinstance(scheme, Scheme) else None
    for regulation in (own, *reversed(regulations.of_family(FAMILY))):
        row = regulation and regulation.event_types.find(code)
        if row:
            return _(row.label)
    return code


def scheme_of(code: str) -> regulations.Regulation | None:
    """Return the regulation with this code, or None if it is no longer in the code."""
    try:
        return regulations.get(code)
    except EngineError:
        return None


def is_regional(regulation: str, event_type: str) -> bool:
    """Return whether the administrator of the region may approve tournaments of this event type.

    regulation: code of the regulation that the tournament is scored under
    """
    return event_type in regulations.get(regulation).filing.regional


def approvers(regional: bool) -> str:
    """Return a phrase that names who may approve the points of a tournament, for the end of a sentence.

    regional: whether the administrator of the region may approve them, too
    """
    if regional:
        return _("the federation's office, the committee or the administrator of the region")
    return _("the federation's office or the committee")
