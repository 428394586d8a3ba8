"""Detect a file that names a club other than the one it is uploaded for."""

from players.models import Club
from tournaments.formats.types import Issue

from .issues import issue
from .matching import words_of

# Words that are common in names of clubs and so do not distinguish them.
COMMON = frozenset(
    {
        "a", "al", "asociacion", "association", "b", "bc", "bridge", "c", "cb", "ch", "circulo", "club",
        "cultural", "d", "de", "del", "deportivo", "e", "el", "en", "federacion", "i", "la", "las", "los",
        "of", "real", "s", "sociedad", "social", "the", "y",
    }
)  # fmt: skip


def other_club(written: str | None, chosen: Club) -> list[Issue]:
    """Return a warning if the file names a registered club that is not the chosen one. One query at most.

    Names are compared by their words, without common ones such as "club". The file names another club if both
    names have the same words. If one of these names only contains all words of the other, it does so too,
    unless the name in the file has a word of the chosen club or consists only of the other club's town.
    """
    words = _distinctive_words(written or "")
    if not words or words == _distinctive_words(chosen.name):
        return []
    related = bool(words & _distinctive_words(f"{chosen.name} {chosen.city} {chosen.code}"))
    clubs = Club.objects.exclude(pk=chosen.pk).order_by("name", "pk").values_list("name", "city")
    for name, city in clubs:
        own = _distinctive_words(name)
        included = bool(own) and (words <= own or own <= words) and not words <= _distinctive_words(city)
        if own == words or (included and not related):
            return [issue("other_club", field="club", value=written, name=name, chosen=chosen.name)]
    return []


def _distinctive_words(text: str) -> frozenset[str]:
    return frozenset(words_of(text)) - COMMON
