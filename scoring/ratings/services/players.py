"""Which rated player each row of a Go result is: by PIN, by name and country, or by name after a question."""

from collections import Counter, defaultdict

from django.utils.translation import gettext

from scoring.ratings.models import RatedPlayer
from tournaments.formats.go_types import GoResult
from tournaments.formats.issues import IssueList
from tournaments.formats.types import Issue


def match(result: GoResult) -> tuple[list[RatedPlayer | None], list[str]]:
    """The rated player of each row, None for who is new; and the names that several rated players have.

    By PIN where there is one; else by name and country, if that is one person's alone. Files of the French
    federation have no countries: there a name is enough, if one rated player has it. Two queries.
    """
    pins = [each.pin for each in result.players if each.pin]
    by_pin = {
        each.pin: each
        for each in RatedPlayer.objects.filter(pin__in=pins).select_related("player__merged_into")
    }
    folded = {RatedPlayer.folded(each.name) for each in result.players if not each.pin}
    by_name: dict[str, list[RatedPlayer]] = defaultdict(list)
    for each in RatedPlayer.objects.filter(search_text__in=folded).select_related("player__merged_into"):
        by_name[each.search_text].append(each)
    found: list[RatedPlayer | None] = []
    ambiguous = []
    for each in result.players:
        if each.pin:
            found.append(by_pin.get(each.pin))
            continue
        namesakes = by_name.get(RatedPlayer.folded(each.name), [])
        candidates = [known for known in namesakes if known.country == each.country]
        if not candidates and not each.country:
            candidates = namesakes
        if len(candidates) > 1:
            ambiguous.append(each.name)
        found.append(candidates[0] if len(candidates) == 1 else None)
    return found, ambiguous


def problems(result: GoResult, players: list[RatedPlayer | None], ambiguous: list[str]) -> list[str]:
    """What forbids to register these players, in words."""
    texts = [
        gettext("Several rated players are called “%(name)s”: add the PIN to the file.") % {"name": name}
        for name in ambiguous
    ]
    rows = Counter(known.pk for known in players if known)
    twice = {
        known.pk: row.name
        for row, known in zip(result.players, players, strict=True)
        if known and rows[known.pk] > 1
    }
    message = gettext("Two rows are the same rated player, “%(name)s”: add their PINs to the file.")
    return texts + [message % {"name": name} for name in twice.values()]


def questions(result: GoResult, players: list[RatedPlayer | None]) -> tuple[Issue, ...]:
    """A question for each player without a country who was found by name alone."""
    issues = IssueList()
    for row, known in zip(result.players, players, strict=True):
        if known and not row.pin and known.country != row.country:
            issues.add(
                "go_no_country",
                line=row.line,
                field="country",
                value=known.public_name,
                name=row.name,
                country=known.country,
            )
    return issues.done()
