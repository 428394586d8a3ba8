"""Match the rows of a Go result to stored players by PIN, by name and country, or by name alone.

A match by name alone needs the user's confirmation. A PIN is a player's number in the European Go Database.
"""

from collections import Counter, defaultdict

from scoring.ratings.models import RatedPlayer
from tournaments.formats.go_types import GoResult
from tournaments.formats.issues import IssueList, issue
from tournaments.formats.types import Issue


def match(result: GoResult) -> tuple[list[RatedPlayer | None], list[str]]:
    """Find the stored player of each row of a result. Two queries.

    A row with a PIN matches by PIN only. A row without one matches by name and country. If it has no
    country, as in files of the French federation, it matches by name alone. A name is ambiguous if several
    stored players match it.

    Return the player of each row (None for a new player or an ambiguous name), and the ambiguous names.
    """
    rated = RatedPlayer.objects.select_related("player__merged_into")
    pins = [row.pin for row in result.players if row.pin]
    by_pin = {player.pin: player for player in rated.filter(pin__in=pins)}
    names = {RatedPlayer.folded(row.name) for row in result.players if not row.pin}
    by_name: dict[str, list[RatedPlayer]] = defaultdict(list)
    for player in rated.filter(search_text__in=names):
        by_name[player.search_text].append(player)
    matches: list[RatedPlayer | None] = []
    ambiguous = []
    for row in result.players:
        if row.pin:
            matches.append(by_pin.get(row.pin))
            continue
        namesakes = by_name.get(RatedPlayer.folded(row.name), [])
        candidates = [player for player in namesakes if player.country == row.country]
        if not candidates and not row.country:
            candidates = namesakes
        if len(candidates) > 1:
            ambiguous.append(row.name)
        matches.append(candidates[0] if len(candidates) == 1 else None)
    return matches, ambiguous


def problems(result: GoResult, players: list[RatedPlayer | None], ambiguous: list[str]) -> list[Issue]:
    """Return an error for each ambiguous name, and for each stored player whom several rows match.

    players, ambiguous: what `match` returned
    """
    rows = Counter(player.pk for player in players if player)
    duplicates = {
        player.pk: row
        for row, player in zip(result.players, players, strict=True)
        if player and rows[player.pk] > 1
    }
    return [
        *(issue("go_ambiguous_name", value=name) for name in ambiguous),
        *(issue("go_one_player", row.line, value=row.name) for row in duplicates.values()),
    ]


def questions(result: GoResult, players: list[RatedPlayer | None]) -> tuple[Issue, ...]:
    """Return a warning for each row that matches a player by name alone, for the user to confirm.

    players: what `match` returned
    """
    issues = IssueList()
    for row, player in zip(result.players, players, strict=True):
        if player and not row.pin and player.country != row.country:
            issues.add(
                "go_no_country",
                line=row.line,
                field="country",
                value=player.public_name,
                name=row.name,
                country=player.country,
            )
    return issues.done()
