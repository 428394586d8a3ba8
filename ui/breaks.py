"""Let long words break in HTML.

A table's column is at least as wide as its longest word, so one very long name makes the page scroll
sideways. CSS cannot limit this: with `overflow-wrap: anywhere` the browser also breaks ordinary words
wherever columns are narrow.
"""

import re

from django.utils.safestring import SafeString, mark_safe

LONGEST = 24  # letters of a word that stays whole, more than Spanish words and names have
PIECE = 8  # letters between two places where a longer word may break

# Entities, such as `&amp;`, are not part of words: they must not be cut.
_TAG_OR_WORD = re.compile(rf"<[^>]*>|[^\s<>&;-]{{{LONGEST + 1},}}")
_PIECES = re.compile(rf".{{1,{PIECE}}}")


def with_breaks(html: SafeString) -> SafeString:
    """Return the HTML with `<wbr>` in the words of its text that are longer than `LONGEST`.

    html: escaped HTML, whose attributes contain no `>`
    """
    if len(html) <= LONGEST:
        return html
    return mark_safe(_TAG_OR_WORD.sub(_with_breaks, html))  # noqa: S308 (it was safe, and `<wbr>` is)


def _with_breaks(match: re.Match[str]) -> str:
    tag_or_word = match[0]
    return tag_or_word if tag_or_word.startswith("<") else "<wbr>".join(_PIECES.findall(tag_or_word))
