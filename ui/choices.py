"""Render long lists of choices quickly."""

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

MOST_CHOICES = 400  # options in one `<select>`; a longer list is shown only after another field narrows it


def option_tags(choices: tuple, chosen: str, everywhere: str) -> SafeString:
    """Return the `<option>`s of a `<select>` as one HTML string, because a template loop takes milliseconds.

    choices: (id, slug, name) tuples; the slug becomes the value of the option
    chosen: the slug of the selected option
    everywhere: label of the first option, whose value is empty and which means "all"
    """
    parts = [f'<option value="">{conditional_escape(everywhere)}</option>']
    for _pk, slug, name in choices:
        selected = " selected" if slug == chosen else ""
        parts.append(f'<option value="{slug}"{selected}>{conditional_escape(name)}</option>')
    return mark_safe("".join(parts))  # noqa: S308 (slugs need no escaping, names are escaped)
