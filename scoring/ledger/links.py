"""Links shared by many pages."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoring.ledger.wording import regulation_name, scheme_of


def regulation_link(code: str, words: str = "") -> SafeString | str:
    """Return a link to the regulation's page, with `words` or its name as text.

    Return plain text for a regulation that is no longer in the code, so that its awards stay readable.
    """
    if scheme_of(code) is None:
        return words or code
    return format_html(
        '<a href="{}">{}</a>', reverse("regulation", args=[code]), words or regulation_name(code)
    )
