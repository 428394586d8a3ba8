"""Storing the adjusted results with the contestants, for averages over many sessions."""

from scoring.strength.figures import computed, stored_figures
from tournaments.models import Contestant, Revision

BATCH = 1_000


def keep_figures(revision: Revision) -> None:
    """Store everybody's boards and adjusted result with the contestants, for averages over many sessions."""
    # Not remembered: the transaction may still come to nothing.
    found = computed(revision.pk)
    if found is None:
        return
    figures = stored_figures(found)
    contestants = list(Contestant.objects.filter(pk__in=list(figures)))
    for contestant in contestants:
        contestant.boards_played, contestant.adjusted = figures[contestant.pk]
    Contestant.objects.bulk_update(contestants, ["boards_played", "adjusted"], batch_size=BATCH)
