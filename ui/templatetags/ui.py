"""Template filters and tags for numbers, dates, places and categories.

They call `ui.formatting` with the active language. A missing value (None or "") is shown as an em dash,
because an empty cell could look as if it had not loaded.
"""

import json
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.template.base import TextNode
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext

from ui import clock, counting, formatting
from ui.shared import PERSONAL

register = template.Library()
MISSING = "—"


def _or_missing(value: object, write: Callable[..., str], *args: object) -> str:
    return MISSING if value is None or value == "" else write(value, get_language(), *args)


@register.filter
def points(hundredths: int | None, decimals: int = 2) -> str:
    """Format integer hundredths as points with at least `decimals` decimals: 123456 -> "1.234,56"."""
    return _or_missing(hundredths, formatting.format_points, decimals)


@register.filter
def signed_points(hundredths: int | None) -> str:
    """Format a difference in integer hundredths: 1575 -> "+15,75"."""
    return _or_missing(hundredths, formatting.format_signed_points)


@register.filter
def count(number: int | None) -> str:
    """Format a whole number with grouped thousands: 1234 -> "1.234"."""
    return _or_missing(number, formatting.format_whole)


@register.filter
def counted(number: int, noun: str) -> str:
    """Format a whole number with its noun: `{{ boards|counted:"board" }}` -> "1 mano"."""
    return counting.counted(number, noun)


@register.filter
def counted_points(hundredths: int, decimals: int = 2) -> str:
    """Format integer hundredths as points with their noun: "1,00 puntos", or "1 punto" without decimals."""
    return counting.counted_points(hundredths, decimals)


@register.filter
def counted_signed_points(hundredths: int) -> str:
    """Format a difference in integer hundredths with its noun: "+15,75 puntos"."""
    return counting.counted_points(hundredths, signed=True)


@register.filter
def plural_number(number: Decimal) -> int:
    """Return 1 or 2, by which gettext chooses between singular and plural. Only exactly 1 is singular."""
    return 1 if number == 1 else 2


@register.filter
def decimal_short(number: Decimal | Fraction | int | None, digits: int = 4) -> str:
    """Format a coefficient with at most `digits` decimals: "0,6928"."""
    return _or_missing(number, formatting.format_decimal, digits)


@register.filter
def percent(number: Decimal | int | None) -> str:
    """Format a percentage with two decimals: "57,50 %"."""
    return _or_missing(number, formatting.format_percent)


@register.filter
def share(number: Decimal | Fraction | int | None) -> str:
    """Format a percentage without trailing zeros: "10 %"."""
    return _or_missing(number, formatting.format_share)


@register.filter
def shortdate(day: date | datetime | None) -> str:
    """Format a day as "14 mar 2026"; convert a datetime to the local time zone first."""
    if isinstance(day, datetime) and timezone.is_aware(day):
        day = timezone.localtime(day)
    return _or_missing(day, formatting.format_date)


@register.filter
def ordinal_rank(rank: int | None) -> str:
    """Format a place for a sentence: "17th" in English; "17" in Spanish, where the sentence says "puesto"."""
    return _or_missing(rank, formatting.format_ordinal)


@lru_cache(maxsize=256)
def category_html(code: str, lang: str) -> SafeString:
    """Return the HTML of a category: code and suit for display, the full name for screen readers."""
    name = formatting.category_name(code, lang)
    glyph = format_html('<span class="suit suit-{}">{}</span>', name.suit, name.glyph) if name.suit else ""
    if name.spoken == name.text:
        return format_html('<span class="category">{}</span>', name.text)
    return format_html(
        '<span class="category" title="{spoken}"><span aria-hidden="true">{text}{glyph}</span>'
        '<span class="visually-hidden">{spoken}</span></span>',
        spoken=name.spoken,
        text=name.text,
        glyph=glyph,
    )


@register.simple_tag
def category(code: str | None) -> str:
    """Show a category: `{% category player.category %}` -> "2P♠", read aloud as "2 de picas"."""
    return category_html(str(code), get_language() or "") if code else MISSING


@register.filter
def unlocalised(number: int) -> str:
    """Write a whole number without grouping, for HTML attributes (`max="1200"`)."""
    return str(number)


@register.filter
def code_marks(text: str) -> SafeString:
    """Return a text as HTML, with the parts between backticks marked as code."""
    parts = enumerate(text.split("`"))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", part) if number % 2 else part,) for number, part in parts)
    )


@register.filter
def as_json(value: object) -> str:
    """Write a value as JSON, for an attribute that a script reads."""
    return json.dumps(value, cls=DjangoJSONEncoder)


@register.simple_tag
def updated(moment: datetime) -> str:
    """Say when the data of a page last changed: "Updated at 21:04", with the day unless it is today."""
    local = timezone.localtime(moment)
    # Counted by the hour, because Spanish says "a la 1:04" and "a las 2:04".
    if local.date() == clock.today():
        text = ngettext("Updated at %(time)s", "Updated at %(time)s", local.hour)
    else:
        text = ngettext("Updated on %(day)s, at %(time)s", "Updated on %(day)s, at %(time)s", local.hour)
    return text % {"day": formatting.format_date(local, get_language() or ""), "time": f"{local:%-H:%M}"}


@register.simple_tag
def today() -> date:
    """Return today's date, for printed pages."""
    return timezone.localdate()


class ReaderNode(template.Node):
    """The node of `{% reader %}`."""

    def __init__(self, nodes: template.NodeList, name: str, element: str, css: str) -> None:
        self.nodes, self.name, self.element, self.css = nodes, name, element, css

    def render(self, context: template.Context) -> SafeString:
        request = context.get("request")
        content = mark_safe(self.nodes.render(context).strip())  # noqa: S308 (rendered by the template)
        css = format_html(' class="{}"', self.css) if self.css else ""
        block = format_html('<{0}{1} data-part="{2}">{3}</{0}>', self.element, css, self.name, content)
        personal = request is not None and PERSONAL in request.GET
        return format_html("<!--part-->{}<!--/part-->", block) if personal else block


@register.tag
def reader(parser: template.base.Parser, token: template.base.Token) -> ReaderNode:
    """Mark a block of a shared page that depends on the reader: `{% reader "name" %}…{% endreader %}`.

    The name is unique on the page. The block is wrapped in a `div`, or in the element and with the class that
    follow the name: `{% reader "job" "li" "main-job" %}`. An empty block is an error, because
    what belongs in it would never be shown to its reader. See `ui.shared`.
    """
    name, *rest = [part.strip('"') for part in token.split_contents()[1:]]
    element, css = (rest + ["div", ""][len(rest) :])[:2]
    nodes = parser.parse(("endreader",))
    parser.delete_first_token()
    if all(isinstance(node, TextNode) and not node.s.strip() for node in nodes):
        raise template.TemplateSyntaxError(f"The reader block {name} is empty: is its content beside it?")
    return ReaderNode(nodes, name, element, css)
