"""Render long lists of choices quickly."""

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

MOST_CHOICES = 400  # in one list; a longer list is shown only after another field narrows it


def option_tags(choices: tuple, chosen: str, everywhere: str) -> SafeString:
    """Return the `<option>`s of a long list as one string, because a template loop takes milliseconds.

    choices: (id, slug, name) tuples
    chosen: the slug selected
    everywhere: label of the first option, which has no value
    """
    parts = [f'<option value="">{conditional_escape(everywhere)}</option>']
    for _pk, slug, name in choices:
        selected = " selected" if slug == chosen else ""
        parts.append(f'<option value="{slug}"{selected}>{conditional_escape(name)}</option>')
    return mark_safe("".join(parts))  # noqa: S308 (slugs need no escaping, names are escaped)
