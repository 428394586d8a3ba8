"""Describe a change of a player's category in words."""

from datetime import date, timedelta

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from players.category_changes import Change
from players.models import Category
from ui.formatting import category_name, format_date


def code_words(category: Category | None) -> str:
    """Return the category's name as displayed, with the suit symbol; a dash for None."""
    if category is None:
        return "—"
    name = category_name(category.code, get_language() or "")
    return name.text + name.glyph


def steps_words(steps: int) -> str:
    """Return a text such as "2 steps up" or "1 step down"; negative numbers are steps down."""
    if steps == 0:
        return _("no step")
    if steps > 0:
        return ngettext("%(steps)s step up", "%(steps)s steps up", steps) % {"steps": steps}
    return ngettext("%(steps)s step down", "%(steps)s steps down", -steps) % {"steps": -steps}


def past_words(change: Change, today: date) -> str:
    """Return a text with the first and last past day on which a change alters the player's category.

    Return "" if it alters it on no past day.
    """
    if change.day >= today or not change.moves:
        return ""
    last = min(change.until or today, today) - timedelta(days=1)
    lang = get_language() or ""
    text = _("%(first)s to %(last)s")
    return text % {"first": format_date(change.day, lang), "last": format_date(last, lang)}
