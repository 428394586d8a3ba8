"""Whether a file names another club than the one it is uploaded for."""

from players.models import Club
from tournaments.formats.types import Issue

from .issues import issue
from .matching import words_of

# Words that most clubs' names have, and so tell none from another.
COMMON = frozenset(
    {
        "a", "al", "asociacion", "association", "b", "bc", "bridge", "c", "cb", "ch", "circulo", "club",
        "cultural", "d", "de", "del", "deportivo", "e", "el", "en", "federacion", "i", "la", "las", "los",
        "of", "real", "s", "sociedad", "social", "the", "y",
    }
)  # fmt: skip


def other_club(written: str | None, chosen: Club) -> list[Issue]:
    """Ask where the file names a club of the register that is not the chosen one. One query at most.

    Names are written in many ways. Another club has just the telling words of the file, or all of them, or
    none but them, while the chosen one has none; the name of a program or a town is no club's.
    """
    words = _telling(written or "")
    if not words or words == _telling(chosen.name):
        return []
    related = bool(words & _telling(f"{chosen.name} {chosen.city} {chosen.code}"))
    others = Club.objects.exclude(pk=chosen.pk).order_by("name", "pk").values_list("name", "city")
    for name, city in others:
        own = _telling(name)
        within = bool(own) and (words <= own or own <= words) and not words <= _telling(city)
        if own == words or (within and not related):
            return [issue("other_club", field="club", value=written, name=name, chosen=chosen.name)]
    return []


def _telling(text: str) -> frozenset[str]:
    return frozenset(words_of(text)) - COMMON
