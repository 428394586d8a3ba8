"""Describe players' states, and the decisions on players, in words for pages, lists and letters."""

from decimal import Decimal

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.promotions.criteria import PRIVATE, STATES
from scoring.promotions.pure.averages import Method
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.pure.selection import Place, PlaceState
from scoring.promotions.queries.campaigns import Row
from scoring.promotions.wording import KEPT_BACK, public_state
from ui.formatting import format_decimal, format_fixed


def state_words(place: Place, document: ListDocument) -> str:
    """Explain a player's state, with the decisive figures, to the office and the committee."""
    text = STATES[place.state].explain(place, document, get_language() or "")
    if document.rule.looks_at_average and place.entrant.average is None and place.state.up:
        return _("%(text)s; there is no modified average") % {"text": text}
    return text


def own_words(place: Place) -> str:
    """Explain a player's state to the player, without the figures, which the page shows separately."""
    return _moving_words(place) or str(STATES[place.state])


def public_words(row: Row) -> str:
    """Explain a player's row of a list to the public, without percentages or private reasons.

    All players who have enough points but stay get the same text, whether a decision or the rules keep them,
    so that the text never discloses a death.

    row: as returned by `public_row`
    """
    state = row.place.state
    if row.decision is None:
        return _moving_words(row.place) or public_state(state)
    if not row.final and (state.up or state in PRIVATE):
        return str(KEPT_BACK)
    return _("%(text)s, by decision of the federation") % {"text": move_words(row.target)}


def _moving_words(place: Place) -> str:
    if place.state == PlaceState.TIED:
        return _("moves up, tied at the cut")
    return _("moves up") if place.state.up else ""


def decided_words(target: str | None, reason: str) -> str:
    """Describe a decision and its reason, for the office and the committee."""
    return _("decided: %(text)s (%(reason)s)") % {"text": move_words(target), "reason": reason}


def move_words(target: str | None) -> str:
    """Describe where a player moves to; None means that they stay."""
    return _("moves to %(code)s") % {"code": target} if target else _("stays")


def with_method(sessions: list[dict]) -> list[dict]:
    """Return the session records, each with `how`: a text on how its percentage was adjusted."""
    return [{**session, "how": _method_words(session)} for session in sessions]


def _method_words(session: dict) -> str:
    lang = get_language() or ""
    if session["method"] == Method.BOARDS:
        return _("opponents met, from the boards")
    if session["method"] == Method.FIELD:
        values = {
            "c4": format_decimal(session["field_c4"], lang),
            "shift": _signed(session["shift"], lang),
        }
        return _("field with C4 %(c4)s: %(shift)s") % values
    return _("nothing: as the ranking says")


def _signed(number: Decimal, lang: str) -> str:
    return f"{'+' if number > 0 else ''}{format_fixed(number, lang, 2)}"
