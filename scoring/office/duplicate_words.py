"""What pages say of two numbers that are probably one person."""

from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.office.models import DuplicatePair, Evidence
from ui.formatting import format_whole

TWO_SENTENCES = _("%(evidence)s. %(tournaments)s.")


def reasons(pair: DuplicatePair) -> str:
    """Return why the two numbers are probably one person, and the number of tournaments of each."""
    evidence = ", ".join(str(Evidence(code).label) for code in pair.evidence)
    numbers = pair.first_tournaments, pair.second_tournaments
    lang = get_language() or ""
    text = ngettext(
        "%(first)s and %(second)s tournament, never the same one",
        "%(first)s and %(second)s tournaments, never the same one",
        numbers[1],
    )
    values = {"first": format_whole(numbers[0], lang), "second": format_whole(numbers[1], lang)}
    return TWO_SENTENCES % {"evidence": evidence[:1].upper() + evidence[1:], "tournaments": text % values}


def title(pair: DuplicatePair) -> str:
    """Return the name of the first number, and both numbers. Only readers of hidden names may see it."""
    values = {"name": pair.first.desk_name, "first": pair.first.number, "second": pair.second.number}
    return gettext("%(name)s, %(first)s and %(second)s") % values


def address_to_merge(pair: DuplicatePair) -> str:
    """Return the address that compares the two. It proposes to keep the number with more tournaments."""
    kept, given_up = pair.first, pair.second
    if pair.second_tournaments > pair.first_tournaments:
        kept, given_up = given_up, kept
    return f"{reverse('merges')}?{urlencode({'cede': given_up.number, 'queda': kept.number})}"
