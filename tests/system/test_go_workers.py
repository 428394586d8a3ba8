"""If a worker dies while it stores Go ratings, another one takes over, and each rating is stored once."""

from tests.system.conftest import Installation, kill_group
from tests.system.faults import end_leases, locked_table, wait_half_way, wait_with_log

REPLAYS = "ratings_ratingreplay"
CHANGES = "ratings_ratingchange"  # the table written after the ratings


def test_a_killed_worker_leaves_all_ratings_of_a_replay_or_none(site: Installation):
    replays = site.act("go", 2)

    def counted(table: str, condition: str = "true") -> int:
        return site.query(f"SELECT count(*) FROM {table} WHERE {condition}")[0][0]

    with locked_table(site, CHANGES):
        victim = site.worker()
        wait_half_way(site, CHANGES)
        wait_with_log(
            site, lambda: counted(REPLAYS, "state = 'running'") == len(replays), "it to take them all"
        )
        kill_group(victim)
    assert (counted("ratings_rating"), counted(CHANGES)) == (0, 0)
    assert site.act("unequal") == []
    end_leases(site, REPLAYS)
    site.worker()
    wait_with_log(site, lambda: counted(REPLAYS, "state = 'done'") == len(replays), "the ratings")
    assert counted(REPLAYS, "attempts = 2") == len(replays)
    assert counted("ratings_rating") == 8
    # In whatever order the replays run, each rating is new once, and each replay logs a change once.
    assert counted(CHANGES, "old IS NULL") == 8
    noted = f"SELECT count(DISTINCT (replay_id, player_id, tournament_id)) FROM {CHANGES}"
    assert site.query(noted) == [(counted(CHANGES),)]
    assert "2 of Go, 8 ratings" in site.manage("verify")
