"""Template tags for links to regulations and typeset formulas."""

from datetime import date

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from scoring.ledger.receipts import localised
from scoring.ledger.wording import regulation_link, regulation_name, two_scales
from ui.mathml import typeset

register = template.Library()
register.simple_tag(regulation_link)
register.filter(regulation_name)


@register.simple_tag
def scales_note(day: date) -> SafeString:
    """Render a note if the 12 months up to `day` include points of two regulations with different scales."""
    text = two_scales(day)
    return format_html('<p class="muted">{}</p>', text) if text else SafeString()


@register.simple_tag
def formula(text: str) -> SafeString:
    """Typeset a formula of the engine in MathML, with the decimal sign of the language."""
    return typeset(localised(text, get_language() or ""))


@register.filter
def symbols(text: str) -> str:
    """Return a formula of the engine as text, with the decimal sign of the language."""
    return localised(text, get_language() or "")
