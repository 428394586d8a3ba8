"""Put promotion rules, and a player's state by them, into words."""

from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from scoring.promotions.pure.selection import PlaceState, Rule
from ui.formatting import format_points, format_share, format_whole

STATES = {
    PlaceState.MOVES: gettext_lazy("candidate"),
    PlaceState.TIED: gettext_lazy("candidate, tied at the cut"),
    PlaceState.WARNED: gettext_lazy("candidate, with a low modified average"),
    PlaceState.BELOW: gettext_lazy("below the cut"),
    PlaceState.LOW: gettext_lazy("below the points needed"),
    PlaceState.FEW: gettext_lazy("too few tournaments"),
    PlaceState.BLOCKED: gettext_lazy("blocked by the modified average"),
    PlaceState.UNLICENSED: gettext_lazy("without a licence"),
    PlaceState.DECEASED: gettext_lazy("recorded as deceased"),
    PlaceState.DOWN: gettext_lazy("would move down"),
}


# The player has the points and does not move. Only the player and the office may know why.
PRIVATE = (PlaceState.FEW, PlaceState.BLOCKED, PlaceState.DECEASED)
KEPT_BACK = gettext_lazy("does not move up")


def public_state(state: PlaceState) -> str:
    """Describe a state of a `selection.public_view` to the public, with one term for all private reasons."""
    return str(KEPT_BACK if state in PRIVATE else STATES[state])


def hindrance(state: PlaceState, *, own: bool) -> str:
    """Describe what other than points keeps a player from moving up; "" if nothing does.

    own: whether the reader is the player
    """
    if state.up or state in (PlaceState.BELOW, PlaceState.LOW):
        return ""
    return str(STATES[state]) if own else public_state(state)


def rule_words(rule: Rule) -> list[str]:
    """Describe the rule, one sentence per criterion."""
    lang = get_language() or ""
    return [*_places(rule, lang), *_conditions(rule, lang), *_average(rule, lang), *_demotion(rule, lang)]


def _places(rule: Rule, lang: str) -> list[str]:
    texts = []
    if rule.share is not None:
        text = _("The first %(share)s by points, rounded up and never fewer than %(minimum)s, move up.")
        share, minimum = format_share(rule.share * 100, lang), format_whole(rule.minimum, lang)
        texts.append(text % {"share": share, "minimum": minimum})
    if rule.count is not None:
        text = ngettext(
            "There is %(number)s place at most.", "There are %(number)s places at most.", rule.count
        )
        texts.append(text % {"number": format_whole(rule.count, lang)})
    if texts:
        texts.append(_("Whoever ties at the border comes in too."))
    return texts


def _conditions(rule: Rule, lang: str) -> list[str]:
    texts = []
    if rule.points is not None:
        text = _("At least %(points)s points are needed.")
        texts.append(text % {"points": format_points(rule.points, lang)})
    if rule.tournaments:
        text = ngettext(
            "At least %(number)s tournament is needed.",
            "At least %(number)s tournaments are needed.",
            rule.tournaments,
        )
        texts.append(text % {"number": format_whole(rule.tournaments, lang)})
    if rule.licence:
        texts.append(_("Only players with a licence count."))
    return texts


def _average(rule: Rule, lang: str) -> list[str]:
    if not rule.looks_at_average:
        return []
    if rule.effect == "warn":
        text = _("A modified average below %(average)s is looked at by the federation.")
    elif rule.blocked_place == "empty":
        text = _("A modified average below %(average)s blocks, and the place stays empty.")
    else:
        text = _("A modified average below %(average)s blocks, and the place goes to the next player.")
    return [text % {"average": format_share(rule.average, lang)}]


def _demotion(rule: Rule, lang: str) -> list[str]:
    if rule.demote_below is None:
        return []
    text = _("Whoever has fewer than %(points)s points and does not move up moves down.")
    return [text % {"points": format_points(rule.demote_below, lang)}]
