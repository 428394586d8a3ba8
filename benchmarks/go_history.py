"""Measure the recomputation of a stored history of Go ratings, in the database in DATABASE_URL.

    python -m benchmarks.go_history [tournaments [players]]

The database has to be migrated and without Go tournaments. The history is like that of `egf_replay.py`, but
smaller. A replay computes the ratings from a date on again, in order, and stores those that changed.
Measured:
* check: compute all ratings and compare them with the stored ones; nothing differs;
* audit: the same comparison by `scoring.audit.go`, which `manage.py verify` calls;
* first: a replay while no rating is stored yet, which stores all of them;
* correction: a replay after a result of the first tournament has changed: nearly every rating differs;
* latest: a replay after a result of the last tournament has changed.

For comparison, the same rows are only read, with the database's own cursor, and the same games are rated in
memory, from arrays. The replays are the worker's code (`scoring.ratings.services.replays.replay`).
"""

import os
import sys
from datetime import date, timedelta

TOURNAMENTS, PLAYERS = 1_000, 2_000
FIRST_DAY = date(2021, 1, 1)
CHUNK, BAR = 2_000, 10_000
BARE = (
    "SELECT id, end_date, tournament_class FROM ratings_ratingtournament ORDER BY end_date, id",
    """SELECT e.tournament_id, e.id, e.player_id, e.position, e.declared, e.seed, r.entrant_id, r.regulation,
              r.before, r.after, r.reset_to, r.highest_before, r.games
       FROM ratings_ratingentrant e LEFT JOIN ratings_rating r ON r.entrant_id = e.id""",
    "SELECT tournament_id, first_id, second_id, half_points, handicap FROM ratings_ratinggame WHERE rated",
)


def fill(tournaments: int, players: int):
    """Create a random history with `egf_replay.history`. Store it in the database and return it as arrays."""
    from django.db import transaction

    from scoring.ratings.models import RatedPlayer, RatingEntrant, RatingGame, RatingTournament

    from .egf_replay import FIELD, ROUNDS, history

    era = history(players, tournaments)
    games = ROUNDS * FIELD // 2
    with transaction.atomic():
        people = RatedPlayer.objects.bulk_create(
            (RatedPlayer(name=f"Player {k}", pin=f"{10_000_000 + k}") for k in range(players)), CHUNK
        )
        for t in range(tournaments):
            day = FIRST_DAY + timedelta(days=t // 10)
            event = RatingTournament.objects.create(
                name=f"Tournament {t}",
                start_date=day,
                end_date=day,
                tournament_class="A",
                source="benchmark",
                identity=str(t),
                digest=str(t),
            )
            rows = slice(t * games, (t + 1) * games)
            first, second = era.first[rows].tolist(), era.second[rows].tolist()
            entrants = RatingEntrant.objects.bulk_create(
                RatingEntrant(tournament=event, player=people[k], position=n, declared=f"{1 + k % 20}k")
                for n, k in enumerate(sorted({*first, *second}), start=1)
            )
            entrant_ids = {entrant.player_id: entrant.pk for entrant in entrants}
            RatingGame.objects.bulk_create(
                RatingGame(
                    tournament=event,
                    round=1 + n // (FIELD // 2),
                    first_id=entrant_ids[people[a].pk],
                    second_id=entrant_ids[people[b].pk],
                    half_points=int(score * 2),
                    rated=True,
                )
                for n, (a, b, score) in enumerate(zip(first, second, era.score[rows].tolist(), strict=True))
            )
    return era


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    import numpy as np
    from django.db import connection

    from scoring.audit import go
    from scoring.ratings.models import RatingGame, RatingReplay, RatingTournament
    from scoring.ratings.services import replays
    from scoring.regulations.egf.replay import replay as in_memory

    from .timing import line, peak, seconds

    tournaments, players = (*map(int, sys.argv[1:]), *(TOURNAMENTS, PLAYERS)[len(sys.argv) - 1 :])
    if RatingTournament.objects.exists():
        sys.exit("The database holds tournaments of Go already.")
    era = fill(tournaments, players)
    before = peak()

    def bare() -> None:
        with connection.cursor() as cursor:
            for statement in BARE:
                cursor.execute(statement)
                cursor.fetchall()

    def replay(since: date) -> int:
        run = RatingReplay.objects.create(since=since)
        replays.replay(run.pk)
        run.refresh_from_db()
        assert run.state == RatingReplay.State.DONE, run.error
        return run.changed

    def change_result(event: RatingTournament) -> None:
        game = event.games.order_by("pk")[0]
        RatingGame.objects.filter(pk=game.pk).update(half_points=2 - game.half_points)
        replays.bump()

    changed = {}

    def corrected(name: str, event: RatingTournament) -> float:
        change_result(event)
        return seconds(lambda: changed.update({name: replay(event.end_date)}))

    times = {"first": seconds(lambda: changed.update(first=replay(date.min)))}
    after_first = peak()
    times["bare"] = min(seconds(bare) for _round in range(3))
    ratings = np.full(players, 1500.0)
    times["memory"] = min(seconds(lambda: in_memory([era], ratings)) for _round in range(3))
    times["check"] = min(
        seconds(lambda: changed.update(check=sum(1 for _difference in replays.differences(date.min))))
        for _round in range(2)
    )
    batches = []
    times["audit"] = seconds(lambda: batches.extend(go.batches()))
    assert not any(batch.differences for batch in batches)
    number = sum(batch.counts["ratings"] for batch in batches)
    events = RatingTournament.objects.order_by("end_date", "pk")
    times["correction"] = corrected("correction", events.first())
    times["latest"] = corrected("latest", events.last())
    print(f"Go history in {connection.vendor}: {tournaments:,} tournaments, {len(era.first):,} games")
    line("bare read of the same rows", f"{times['bare']:.2f} s")
    line("replay in memory", f"{times['memory']:.3f} s")
    for name in ("check", "first", "correction", "latest"):
        line(f"{name}: {changed[name]:,} ratings differ", f"{times[name]:.2f} s")
    for name in ("check", "first", "correction"):
        line(f"{name} / bare read", f"{times[name] / times['bare']:.1f}")
    line("check / replay in memory", f"{times['check'] / times['memory']:.0f}")
    rate = number / times["audit"]
    line("audit, ratings a second", f"{rate:,.0f}", f"at least {BAR:,}", rate >= BAR)
    line("memory that the first replay took", f"{after_first - before:.0f} MB")


if __name__ == "__main__":
    main()
