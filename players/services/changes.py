"""The signal that players' data changed. Its receivers update standings and cached pages.

`scoring` stores standings that depend on categories and licences, and caches pages with players' names.
`players` must not import `scoring`, so it sends a signal.
"""

from collections.abc import Iterable
from datetime import date

from django.dispatch import Signal

# Sent inside the transaction that changes the data, also if that hides or erases players, or merges or parts
# numbers. `player_ids`: a set of the players whose standings may change, or who may be shown otherwise; empty
# if only another name changed, for example of a club.
players_changed = Signal()


def send_players_changed(player_ids: Iterable[int], since: date | None = None) -> None:
    """Send `players_changed`. An exception in a receiver propagates and rolls the transaction back.

    since: the first day on which standings may change; None if any day may be affected
    """
    players_changed.send(sender=None, player_ids=set(player_ids), since=since)
