"""The clubs that a typed text means, where they are too many for a list to choose from."""

import re

from django.db.models import Q, QuerySet

from ui.choices import MOST_LINKS

from .models import Club, ClubPair
from .models.names import matching

MOST = MOST_LINKS  # clubs that are proposed
CODE = re.compile(r"\((?P<code>[^()]+)\)$")  # at the end of `Club.label`


def clubs_meant(text: str, clubs: QuerySet[Club]) -> list[Club]:
    """Return the clubs that a text means: one if it is a slug, a code, a label or the whole name of just one.

    Otherwise return those whose name, town and code have its words, `MOST` + 1 at most.
    """
    text = text.strip()
    labelled = CODE.search(text)
    code = labelled["code"] if labelled else text
    exact = list(clubs.filter(Q(slug=text) | Q(code__iexact=code) | Q(name__iexact=text)).order_by("pk")[:2])
    if len(exact) == 1:
        return exact
    return clubs_like(text, clubs)


def clubs_like(text: str, clubs: QuerySet[Club]) -> list[Club]:
    """Return the clubs whose name, town and code have the words of a text, by name, `MOST` + 1 at most."""
    if not text.strip():
        return []
    return list(clubs.filter(matching(text, ClubPair)).order_by("sort_key", "pk")[: MOST + 1])
