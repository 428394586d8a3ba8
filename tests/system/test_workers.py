"""Real workers and their failures: in the end, all points in the ledger are correct."""

import psycopg

from tests import servers
from tests.system.conftest import Installation, kill_group
from tests.system.faults import end_leases, locked_table, wait_half_way, wait_with_log


def test_a_worker_scores_confirmed_tournaments(site: Installation):
    site.worker()
    assert len(site.act("confirm", 3)) == 3
    site.wait_scored()
    assert site.act("audit") == []


def test_the_work_of_a_killed_worker_is_done_by_another(site: Installation):
    (run,) = site.act("confirm", 1)
    with psycopg.connect(site.environment["DATABASE_URL"]) as holder:
        holder.execute("SELECT id FROM tournaments_tournament FOR UPDATE")  # this lock makes posting wait
        victim = site.worker()
        servers.wait_until(lambda: site.states() == {"running"}, "the worker to take the run")
        kill_group(victim)
        holder.rollback()
    assert site.states() == {"running"}  # nobody has noticed the failure yet
    end_leases(site, "ledger_scoringrun")
    site.worker()
    site.wait_scored()
    assert site.query(f"SELECT attempts FROM ledger_scoringrun WHERE id = {run}") == [(2,)]
    assert site.act("audit") == []


def test_the_sweeper_skips_work_that_is_still_running_after_its_lease(site: Installation):
    """The sweeper does not wait for work that a worker still holds after its lease has expired.

    The worker's row lock shows that it is alive. The sweeper skips that row, enqueues all other lost work,
    and records the heartbeat.
    """
    text = "SELECT id FROM ledger_scoringrun WHERE enqueued_at > now() - interval '1 hour' ORDER BY id"
    held, *others = site.act("confirm", 3)
    site.query(
        "UPDATE ledger_scoringrun SET state = 'running', attempts = 1, enqueued_at = '2026-01-01',"
        " lease_until = now() - interval '1 minute' RETURNING id"
    )
    with psycopg.connect(site.environment["DATABASE_URL"]) as holder:
        holder.execute(f"UPDATE ledger_scoringrun SET attempts = 2 WHERE id = {held}")
        assert site.act("sweep") is True
        assert site.query(text) == [(other,) for other in others]
        site.act("tell", held)  # the sender saw the row before it was locked
        assert site.query(text) == [(other,) for other in others]
        holder.rollback()
    assert site.act("sweep") is True
    assert len(site.query(text)) == 3
    site.worker()
    site.wait_scored()
    assert site.act("audit") == []


def test_work_is_enqueued_again_after_the_queue_was_emptied(site: Installation):
    site.act("confirm", 3)
    site.redis.client().flushall()
    site.worker()
    site.wait_scored()
    assert site.act("audit") == []


def test_confirming_an_upload_needs_no_broker(site: Installation):
    site.redis.stop()
    site.act("confirm", 2)
    assert site.states() == {"pending"}
    site.redis.start()
    site.worker()
    site.wait_scored()
    assert site.act("audit") == []


def test_a_run_is_scored_once_although_its_message_arrives_ten_times(site: Installation):
    (run,) = site.act("confirm", 1)
    site.act("deliver", run, 10)
    site.worker()
    site.worker()
    queue = site.redis.client()
    servers.wait_until(
        lambda: not queue.llen("celery") and not queue.hlen("unacked"), "every message to be worked off"
    )
    site.wait_scored()
    assert site.query("SELECT count(*) FROM ledger_ledgerentry") == [(8,)]
    assert site.act("audit") == []


def test_a_worker_continues_after_the_database_closed_its_connections(site: Installation):
    site.worker()
    site.act("confirm", 1)
    site.wait_scored()
    site.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid()"
    )
    site.act("confirm", 2)
    site.wait_scored()
    assert site.act("audit") == []


def test_a_worker_outlives_a_full_redis_that_takes_no_acknowledgement(site: Installation):
    worker, queue = site.worker(), site.redis.client()
    site.act("confirm", 1)
    with locked_table(site, "ledger_ledgerentry"):
        wait_half_way(site, "ledger_ledgerentry")
        queue.config_set("maxmemory-policy", "noeviction")
        queue.config_set("maxmemory", 1)
    refused = "command not allowed when used memory"
    wait_with_log(site, lambda: refused in site.log_text(), "an acknowledgement to be refused")
    queue.config_set("maxmemory", 0)
    site.act("confirm", 2)
    site.wait_scored()
    assert worker.poll() is None
    assert site.act("audit") == []


def test_a_worker_without_a_shared_queue_refuses_to_start(alone: Installation):
    refused = alone.run("celery", "-A", "federation", "worker")
    assert refused.returncode != 0
    assert "REDIS_URL" in refused.stderr
    assert "Traceback" not in refused.stderr
