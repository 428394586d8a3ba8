"""Links that many pages show alike."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoring.ledger.wording import regulation_name, scheme_of


def regulation_link(code: str, words: str = "") -> SafeString | str:
    """A link to the page of the regulation, in `words` or under its name.

    No link for one that is no longer in the code: what was scored under it stays readable.
    """
    if scheme_of(code) is None:
        return words or code
    return format_html(
        '<a href="{}">{}</a>', reverse("regulation", args=[code]), words or regulation_name(code)
    )
