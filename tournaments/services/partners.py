"""Find out who usually plays with whom."""

from collections.abc import Collection
from datetime import date, timedelta

from django.db.models import Count, F, Q

from players.models import Player
from tournaments.models import Seat

RECENT = timedelta(days=365)
FEWEST = 2  # tournaments together that make a usual partner


def usual_partners(players: Collection[int], club_id: int, day: date | None) -> dict[int, list[Player]]:
    """Return {player id: usual partners, most usual first} from the published tournaments of the last year.

    Hidden players of other clubs, and players whose number was merged, are left out. Two queries; none
    without players or without a day.

    players: ids of the players whose partners are wanted
    club_id: the club whose hidden members may be shown
    day: the tournament's last day
    """
    if not players or day is None:
        return {}
    together = (
        Seat.objects.filter(
            contestant__seats__player__in=players,
            player__merged_into=None,
            revision__tournament__published=F("revision"),
            revision__tournament__end_date__range=(day - RECENT, day),
        )
        .exclude(player=F("contestant__seats__player"))
        .filter(Q(player__hidden=False) | Q(player__club=club_id))
        .order_by()
        .values("contestant__seats__player", "player")
        .annotate(times=Count("pk"))
        .filter(times__gte=FEWEST)
        .values_list("times", "contestant__seats__player", "player")
    )
    rows = sorted(together, key=lambda row: (-row[0], row[2]))
    known = Player.objects.in_bulk({partner for _times, _player, partner in rows})
    result: dict[int, list[Player]] = {}
    for _times, player, partner in rows:
        result.setdefault(player, []).append(known[partner])
    return result
