"""Store the adjusted results with the contestants."""

from scoring.strength.figures import compute_strength, database_figures
from tournaments.models import Contestant, Revision

BATCH = 1_000


def store_figures(revision: Revision) -> None:
    """Store every contestant's boards played and adjusted result, for averages over many sessions."""
    # Bypass the cache of `strength_of`: the transaction may still be rolled back.
    strength = compute_strength(revision.pk)
    if strength is None:
        return
    figures = database_figures(strength)
    contestants = list(Contestant.objects.filter(pk__in=list(figures)))
    for contestant in contestants:
        contestant.boards_played, contestant.adjusted = figures[contestant.pk]
    Contestant.objects.bulk_update(contestants, ["boards_played", "adjusted"], batch_size=BATCH)
