"""Store the adjusted results in the rows of the contestants."""

from scoring.strength.figures import compute_strength, database_figures
from tournaments.models import Contestant, Revision

BATCH = 1_000


def store_figures(revision: Revision) -> None:
    """Store the number of boards and the adjusted result of every contestant of a revision.

    They are stored so that averages over many sessions can be computed quickly.
    """
    # Do not use the cache of `strength_of`, because the transaction may still be rolled back.
    strength = compute_strength(revision.pk)
    if strength is None:
        return
    figures = database_figures(strength)
    contestants = list(Contestant.objects.filter(pk__in=list(figures)))
    for contestant in contestants:
        contestant.boards_played, contestant.adjusted = figures[contestant.pk]
    Contestant.objects.bulk_update(contestants, ["boards_played", "adjusted"], batch_size=BATCH)
