"""Telling the rooms further right that what they show of players is out of date.

`scoring` keeps standings with a player's category and licence, and pages with names; `players` must not
import it, so it sends a signal instead.
"""

from collections.abc import Iterable
from datetime import date

from django.dispatch import Signal

# player_ids: a set; may be empty when only names (of a club, say) changed. Sent inside the transaction.
players_changed = Signal()


def tell(player_ids: Iterable[int], since: date | None = None) -> None:
    """Send `players_changed`; a receiver that fails makes the whole act fail.

    since: the first day on which something is different; None: any day may be
    """
    players_changed.send(sender=None, player_ids=set(player_ids), since=since)
