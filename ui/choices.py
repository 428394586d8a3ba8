"""Choices of regions and clubs in filters: their ids, and quick rendering of long lists."""

from django.http import Http404
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

MOST_CHOICES = 400  # options in one `<select>`; a longer list is shown only after another field narrows it


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
