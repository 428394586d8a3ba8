"""Notices to players about their category, and about points that will no longer count."""

from collections.abc import Sequence
from datetime import date

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from scoring.letters.kinds.wording import day_text
from scoring.letters.models import Notice
from scoring.letters.registry import Audience, Kind, Text
from ui.counting import counted_points
from ui.formatting import category_name, format_month_in_words, format_whole

Texts = dict[int, Text]


def _category(account: User, notices: Sequence[Notice]) -> Texts:
    return {notice.pk: _category_text(notice.data) for notice in notices}


def _category_text(data: dict) -> Text:
    """Return the text about a change of category.

    data: `day` and the codes `before` and `after`; null for no category
    """
    if not data["after"]:
        text = _("From %(day)s on you have no category; before it was %(before)s.")
    elif data["before"]:
        text = _("From %(day)s on your category is %(after)s; before it was %(before)s.")
    else:
        text = _("From %(day)s on your category is %(after)s.")
    values = {
        "before": _name(data["before"]),
        "after": _name(data["after"]),
        "day": day_text(date.fromisoformat(data["day"])),
    }
    return Text(_("Your category changes"), [text % values], reverse("my_page"))


def _name(code: str | None) -> str:
    """Return a category in words with its code, "2 of spades (2P)"; "" for none."""
    return f"{category_name(code, get_language() or '').spoken} ({code})" if code else ""


def _leaving(account: User, notices: Sequence[Notice]) -> Texts:
    return {notice.pk: _leaving_text(notice.data) for notice in notices}


def _leaving_text(data: dict) -> Text:
    """Return the text about the points that leave the 12 months in a month.

    data: `first`, the first day of the month; `points` in hundredths; `awards`, how many awards they are
    """
    lang = get_language() or ""
    text = ngettext(
        "In %(month)s %(points)s of %(number_text)s tournament will no longer count: they are a year old.",
        "In %(month)s %(points)s of %(number_text)s tournaments will no longer count: they are a year old.",
        data["awards"],
    )
    values = {
        "month": format_month_in_words(date.fromisoformat(data["first"]), lang),
        "points": counted_points(data["points"]),
        "number_text": format_whole(data["awards"], lang),
    }
    return Text(_("Points that leave in %(month)s") % values, [text % values], reverse("my_page"))


CATEGORY = Kind("category", gettext_lazy("when your category changes"), Audience.PLAYER, _category)
LEAVING = Kind(
    "leaving",
    gettext_lazy("on the first day of a month in which points of yours will no longer count"),
    Audience.PLAYER,
    _leaving,
)
