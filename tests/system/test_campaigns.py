"""The year-end change if workers and databases fail: an act is stored completely or not at all."""

from dataclasses import dataclass
from pathlib import Path

from tests.system.conftest import Installation, kill_group
from tests.system.faults import end_leases, locked_table, wait_half_way, wait_with_log

TASKS = "promotions_campaigntask"


@dataclass(frozen=True)
class Step:
    """A long act of a campaign, and how to test it.

    verb: the act's verb
    last: name of the database table that the act writes last
    after: the values that `stored_outcome` must return after the act, by key
    """

    verb: str
    last: str
    after: dict


# Freezing writes lists after campaign and snapshot; applying and reversing write changes last.
STEPS = [
    Step("freeze", "promotions_snapshotlist", {"state": "frozen", "snapshots": 1, "lists": 8}),
    Step("apply", "promotions_campaignchange", {"state": "applied", "changes": 2, "given": 2, "revoked": 0}),
    Step(
        "reverse", "promotions_campaignchange", {"state": "reversed", "changes": 2, "revoked": 2, "undone": 2}
    ),
]


def stored_outcome(site: Installation, campaign: int) -> dict:
    """Return the stored outcome of the campaign. Assert that ledger and standings have no errors."""
    result = site.act("outcome", campaign)
    assert result["unequal"] == []
    return result


def wait_done(site: Installation, task: int) -> None:
    query = f"SELECT 1 FROM {TASKS} WHERE id = {task} AND state = 'done'"
    wait_with_log(site, lambda: site.query(query), "the step to be done")


def test_an_interrupted_step_is_stored_completely_or_not_at_all(site: Installation, cluster):
    """For each long act, kill a worker and then stop the database; the next worker completes the act."""
    campaign = site.act("campaign", "draft")
    start = stored_outcome(site, campaign)["categories"]
    worker = site.worker()
    for step in STEPS:
        if step.verb == "apply":
            site.act("publish", campaign)
        before = stored_outcome(site, campaign)
        with locked_table(site, step.last):
            task = site.act("ask", campaign, step.verb)
            wait_half_way(site, step.last)
            heir = site.worker()
            kill_group(worker)
        assert stored_outcome(site, campaign) == before
        worker = heir
        with locked_table(site, step.last):
            end_leases(site, TASKS)
            wait_half_way(site, step.last)
            cluster.stop_at_once()
        cluster.start()
        with locked_table(site, step.last):  # lock the table, so that nobody finishes the act meanwhile
            handed_back = f"SELECT 1 FROM {TASKS} WHERE id = {task} AND failures > 0"
            wait_with_log(
                site, lambda query=handed_back: site.query(query), "the worker to hand its task back"
            )
            assert stored_outcome(site, campaign) == before
        wait_done(site, task)
        # The killed worker and the one that finished count as attempts; the failure of the database does not.
        assert site.query(f"SELECT attempts FROM {TASKS} WHERE id = {task}") == [(2,)]
        after = stored_outcome(site, campaign)
        assert step.after.items() <= after.items(), after
        assert [verb for verb, _by in after["log"]].count(step.verb) == 1
        changed = {player for player, code in after["categories"].items() if code != start[player]}
        assert len(changed) == (2 if step.verb == "apply" else 0)


def letters_of(site) -> str:
    """Return the letters that an installation without a mail server keeps as files."""
    folder = Path(site.environment["BAZA_VAR"]) / "letters"
    return "".join(path.read_text() for path in folder.glob("*.eml"))


def test_a_scheduled_change_survives_a_lost_queue_and_days_without_workers(site: Installation):
    campaign = site.act("campaign", "published")
    task = site.act("ask", campaign, "apply", 1)
    scheduled = stored_outcome(site, campaign)
    first, queue = site.worker(), site.redis.client()
    wait_with_log(site, lambda: queue.keys("*worker-heartbeat"), "the worker to look for work")
    kill_group(first)
    assert stored_outcome(site, campaign) == scheduled  # its day has not come
    queue.flushall()
    site.query(
        f"UPDATE {TASKS} SET due_on = current_date - 3, created_at = now() - interval '5 days' RETURNING id"
    )
    site.worker()
    site.worker()
    wait_done(site, task)
    office = dict(scheduled["log"])["schedule"]
    wait_with_log(site, lambda: f"To: {office}" in letters_of(site), "the letter to the office")
    result = stored_outcome(site, campaign)
    assert STEPS[1].after.items() <= result.items(), result
    assert [act for act in result["log"] if act[0] == "apply"] == [["apply", None]]  # None: done by schedule
    assert result["notices"] == ["done"]
    assert letters_of(site).count("To: ") == 1
    # From the day of applying on: tournaments played before keep the old categories.
    value = "SELECT count(*) FROM players_categoryassignment WHERE origin = 'campaign'"
    assert site.query(f"{value} AND valid_from BETWEEN current_date - 1 AND current_date + 1") == [(2,)]
