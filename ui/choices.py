"""Long lists of choices, written at once."""

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

MOST_CHOICES = 400  # choices in one list; more than that are offered once something else narrows them


def option_tags(choices: tuple, chosen: str, everywhere: str) -> SafeString:
    """The `<option>`s of a long list, written at once: a template loop over them costs milliseconds."""
    parts = [f'<option value="">{conditional_escape(everywhere)}</option>']
    for _pk, slug, name in choices:
        selected = " selected" if slug == chosen else ""
        parts.append(f'<option value="{slug}"{selected}>{conditional_escape(name)}</option>')
    return mark_safe("".join(parts))  # noqa: S308 (slugs are slugs, names were escaped)
