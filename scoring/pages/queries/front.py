"""The figures of the front page: leaders of categories, winners of tournaments, the federation's size."""

from collections import defaultdict
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.urls import reverse
from django.utils.translation import get_language, gettext

from players.models import Category
from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.models import Standing
from scoring.ledger.queries.awards import tournament_url
from scoring.ledger.queries.people import Written, people, seats_of_contestants
from scoring.ledger.windows import first_day
from scoring.pages.queries.categories import figures
from scoring.pages.winners import MOST_NAMED, names_of
from scoring.promotions.queries.ranked import cuts_of
from tournaments.models import Contestant, Revision, Tournament
from ui.formatting import decimals_in, format_days, format_fixed, format_percent
from ui.memo import per_version

UNITS = {Revision.Unit.IMPS: "IMPs", Revision.Unit.VICTORY_POINTS: "VP", Revision.Unit.MATCHPOINTS: "MP"}


# --- Categories -------------------------------------------------------------------------------------------
def leader_records(state: StandingsVersion) -> list[dict[str, Any]]:
    """Return a record for each category with points, those that concern most people first.

    Each has the category's code and URL, its number of licensed players with points, name, URL and points of
    the first, and the points that suffice to move up this year: None if nobody moves up by points.
    """
    counts, first = figures(state.version), _leaders(state.version)
    persons = people(player for player, _points in first.values())
    cuts = cuts_of(state)
    records = [
        {
            "code": category.code,
            "category_url": reverse("standing", args=[category.code.lower()]),
            "players": counts[category.pk][0],
            "player_id": first[category.pk][0],
            "name": persons[first[category.pk][0]]["name"],
            "url": persons[first[category.pk][0]]["url"],
            "points": first[category.pk][1],
            "cut": cuts.get(category.pk),
            "is_title": category.is_title,
        }
        for category in Category.objects.on(state.as_of).order_by("order")
        if category.pk in first and category.pk in counts
    ]
    return sorted(records, key=lambda record: (record["is_title"], -record["players"]))


@per_version(2)
def _leaders(version: int) -> dict[int, tuple[int, int]]:
    """Return {category id: (player id, points in hundredths)} of the first player of each category."""
    tops = Q()
    for category, (_players, most) in figures(version).items():
        tops |= Q(category=category, points=most)
    if not tops:
        return {}
    rows = Standing.objects.filter(tops, family="aeb", licensed=True).order_by("-player_id")
    return {
        category: (player, points)
        for category, player, points in rows.values_list("category", "player", "points")
    }


# --- The latest tournaments ---------------------------------------------------------------------------------
def latest_records(number: int) -> list[dict[str, Any]]:
    """Return the latest tournaments with their winners. Four queries, however many tournaments.

    Each has day, whether it is that of the tournament before, title, URL, club, number of contestants, and
    a pair (names, result) for each field.
    """
    published: QuerySet = Tournament.objects.filter(published__isnull=False, annulled_at__isnull=True)
    events = list(published.select_related("club", "published").order_by("-end_date", "-pk")[:number])
    won = _winners(events)
    sizes = dict(
        Contestant.objects.filter(revision__in=[event.published_id for event in events])
        .order_by()
        .values_list("revision")
        .annotate(number=Count("pk"))
    )
    lang, before, records = get_language() or "", "", []
    for event in events:
        day = format_days(event.start_date, event.end_date, lang, year=False)
        records.append(
            {
                "day": day,
                "repeated": day == before,
                "title": event.name,
                "url": tournament_url(event.pk, event.name, event.end_date),
                "club": event.club.name,
                "format": event.format,
                "size": sizes.get(event.published_id, 0),
                "winners": won[event.published_id],
            }
        )
        before = day
    return records


def _winners(events: list[Tournament]) -> dict[int, list[tuple[str, str]]]:
    """Return {revision id: (names, result) of who won each field}."""
    units = {event.published_id: event.published.unit for event in events}
    first: dict[tuple[int, str], list[Contestant]] = defaultdict(list)
    rows = Contestant.objects.filter(revision__in=units, place=1).order_by("-field", "position")
    for contestant in rows:
        first[contestant.revision_id, contestant.field].append(contestant)
    seats = seats_of_contestants([item.pk for items in first.values() for item in items[:MOST_NAMED]])
    written = Written(item.team_name for items in first.values() for item in items[:MOST_NAMED])

    def winner(item: Contestant) -> str:
        own = seats.get(item.pk, [])
        return names_of(written.team(item.team_name, own), own)

    won: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for (revision, _field), items in first.items():
        names = "; ".join(map(winner, items[:MOST_NAMED]))
        if len(items) > MOST_NAMED:
            names = gettext("%(number)s share the first place") % {"number": len(items)}
        won[revision].append((names, _result(items[0].percentage, items[0].score, units[revision])))
    return won


def _result(percentage: Decimal | None, score: Decimal | None, unit: str) -> str:
    lang = get_language() or ""
    if percentage is not None:
        return format_percent(percentage, lang)
    if score is None:
        return ""
    figure = format_fixed(score, lang, decimals_in([score]))
    return f"{figure}\u00a0{UNITS[Revision.Unit(unit)]}" if unit else figure


# --- The federation in figures ------------------------------------------------------------------------------
@per_version(2)
def played(version: int, day: date) -> tuple[int, int]:
    """Return the number of tournaments of the 12 months up to a day, and the sum of all players' points."""
    ended = Tournament.objects.filter(published__isnull=False, annulled_at__isnull=True)
    points = Standing.objects.filter(family="aeb").aggregate(total=Sum("points"))["total"]
    return ended.filter(end_date__range=(first_day(day), day)).count(), points or 0
