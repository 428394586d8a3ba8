"""The choices of filters: which are valid, and quick rendering of long lists of regions and clubs."""

from collections.abc import Callable, Container, Sequence

from django.http import Http404, QueryDict
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

MOST_CHOICES = 400  # options in one `<select>`; a longer list is shown only after another field narrows it


LONGEST = 100  # characters of a filter's value
SELECTED = mark_safe(" selected")
Choices = tuple[tuple[int, str, str], ...]  # (id, slug, name)


def id_of(slug: str, choices: Choices) -> int | None:
    """Return the id of the region or club with this slug; None for an empty slug.

    Raise Http404 for an unknown slug, because without the filter the page would show everybody.
    """
    if not slug:
        return None
    for pk, choice, _name in choices:
        if choice == slug:
            return pk
    raise Http404(_("There is no such region or club."))


def option_tags(choices: Choices, chosen: str, everywhere: str) -> SafeString:
    """Return the `<option>`s of a `<select>` as one HTML string, because a template loop would be slow.

    choices: the slug becomes the value of the option
    chosen: the slug of the selected option
    everywhere: the label of an additional first option, "all", whose value is empty
    """
    parts = [f'<option value="">{conditional_escape(everywhere)}</option>']
    for _pk, slug, name in choices:
        selected = " selected" if slug == chosen else ""
        parts.append(f'<option value="{slug}"{selected}>{conditional_escape(name)}</option>')
    return mark_safe("".join(parts))  # noqa: S308 (slugs need no escaping, names are escaped)


def grouped_option_tags(groups: Sequence[tuple[str, Sequence[tuple[str, str]]]], chosen: str) -> SafeString:
    """Return the `<option>`s of a `<select>`, as one HTML string, in groups.

    groups: the (title, [(value, label)]) of the groups; without a title the options are outside `<optgroup>`
    chosen: the value of the selected option
    """
    parts = []
    for title, options in groups:
        rows = ((value, SELECTED if value == chosen else "", label) for value, label in options)
        tags = format_html_join("", '<option value="{}"{}>{}</option>', rows)
        parts.append((format_html('<optgroup label="{}">{}</optgroup>', title, tags) if title else tags,))
    return format_html_join("", "{}", parts)


class Asked:
    """The filters in the query string of a list.

    A value that is not valid is left out, so that the list is the nearest one that exists. `left_out` has a
    sentence about each, to be shown above the list.
    """

    def __init__(self, query: QueryDict) -> None:
        self.query = query
        self.left_out: list[str] = []

    def text(self, name: str) -> str:
        """Return the value of a filter as it was typed, without control characters and not too long."""
        return self.query.get(name, "").strip().replace("\x00", "")[:LONGEST]

    def one_of(
        self, name: str, allowed: Container[str], label: str, name_of: Callable[[str], str] = str
    ) -> str:
        """Return the value of a filter if it is allowed, else "".

        label: what the filter chooses, for the sentence
        name_of: function that returns the name of a value, for the sentence
        """
        value = self.text(name)
        if not value or value in allowed:
            return value
        text = _("“%(value)s” is no choice of “%(filter)s” here, so the list is shown without it.")
        self.left_out.append(text % {"value": name_of(value), "filter": label})
        return ""

    def club(self, clubs: Choices, everywhere: Callable[[], Choices]) -> str:
        """Return the slug of the club, or "" if it is not in the region chosen. Raise Http404 if unknown.

        clubs: the clubs of the region chosen
        everywhere: function that returns the clubs of all regions
        """
        slug = self.text("club")
        if any(slug in ("", known) for _pk, known, _name in clubs):
            return slug
        names = [name for _pk, known, name in everywhere() if known == slug]
        if slug and not names:
            raise Http404(_("There is no such region or club."))
        text = _("“%(club)s” is not in the region chosen, so all clubs of the region are listed.")
        self.left_out += [text % {"club": name} for name in names]
        return ""
