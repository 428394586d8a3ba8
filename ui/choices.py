"""The choices of filters: which are valid, and quick rendering of long lists of regions and clubs."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from django.http import Http404, QueryDict
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

MOST_CHOICES = 30  # options in one `<select>`; where there are more, one types what one chooses
MOST_LINKS = 8  # likely meanings of a typed text that are offered as links
LONGEST = 150  # characters of a filter's value
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


@dataclass(frozen=True, slots=True)
class Choice:
    """A field of a filter in which one chooses: a `<select>`, or a text box if there are too many choices.

    `ui/choice.html` draws it. The value of the text box is resolved when the form is sent; while one types,
    `static/js/choose.js` proposes what may be meant.

    options: the `<option>`s; "" for a text box
    text: what the text box contains
    everywhere: the label of the choice of all, which is the empty text
    lookup: the address that proposes choices
    """

    name: str
    everywhere: str
    options: SafeString | str = ""
    text: str = ""
    lookup: str = ""


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

    def club(
        self,
        clubs: Choices,
        everywhere: Callable[[], Choices],
        meant_by: Callable[[str, Choices], list[tuple[str, str]]],
    ) -> str:
        """Return the slug of the club, or "" if it is not in the region chosen or is not clear.

        Raise Http404 if it is unknown, although the clubs were listed to choose from.

        clubs: the clubs of the region chosen
        everywhere: function that returns the clubs of all regions
        meant_by: function that returns (slug, label) of those, among these clubs, that a typed text means
        """
        slug = self.text("club")
        if any(slug in ("", known) for _pk, known, _name in clubs):
            return slug
        names = [name for _pk, known, name in everywhere() if known == slug]
        if not names and len(clubs) > MOST_CHOICES:
            return self._typed_club(slug, meant_by(slug, clubs))
        if slug and not names:
            raise Http404(_("There is no such region or club."))
        text = _("“%(club)s” is not in the region chosen, so all clubs of the region are listed.")
        self.left_out += [text % {"club": name} for name in names]
        return ""

    def _typed_club(self, text: str, meant: list[tuple[str, str]]) -> str:
        """Return the slug of the one club that a text means. Otherwise say so, and link to the likely."""
        if len(meant) == 1:
            return meant[0][0]
        if not meant:
            self.left_out.append(_("No club is called “%(text)s”, so all are listed.") % {"text": text})
            return ""
        links = format_html_join(
            " · ",
            '<a href="?{}">{}</a>',
            ((self._with_club(slug), label) for slug, label in meant[:MOST_LINKS]),
        )
        sentence = _("“%(text)s” may be several clubs, so all are listed. Choose one, or type more:")
        more = " …" if len(meant) > MOST_LINKS else ""
        self.left_out.append(format_html("{} {}{}", sentence % {"text": text}, links, more))
        return ""

    def _with_club(self, slug: str) -> str:
        query = self.query.copy()
        query["club"] = slug
        return query.urlencode()
