"""Several hosts, of which one after another fails: nothing is lost, and no reader sees an older page."""

import signal
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import cycle
from urllib.parse import urlsplit

import psycopg
import pytest

from tests import hosts as installed
from tests import servers
from tests.faults import replicas
from tests.hosts import Club, Hosts, Watcher
from tests.system.conftest import Installation, kill_group

UPLOADS = 12


@pytest.fixture
def hosts(cluster: servers.Postgres, site: Installation) -> Iterator[Hosts]:
    with replicas.copy_of(cluster, "-R") as replica, installed.hosts(cluster, site, replica) as started:
        yield started


def send_all(hosts: Hosts, club: Club, numbers: Iterable[int]) -> list[str]:
    """Send and confirm files at the hosts in turn, each until it is done. Return the uploads' ids."""
    turns, done = cycle(hosts.webs), []
    for number in numbers:
        sent = partial(lambda number: club.send(next(turns), number), number)
        done.append(servers.wait_until(sent, "a host to take the upload", 120))
    return done


def judge(hosts: Hosts, uploads: list[str]) -> None:
    """Assert that every acknowledged upload is scored exactly once, and that its bytes are in the bucket."""
    hosts.site.wait_scored()
    assert len(set(uploads)) == UPLOADS == hosts.scored()
    assert hosts.site.query("SELECT count(*) FROM tournaments_storedfile WHERE key = ''") == [(0,)]
    assert hosts.site.act("audit") == []


def test_an_upload_on_one_host_is_read_on_the_other_and_never_an_older_page_after_it(hosts: Hosts):
    club = hosts.club(UPLOADS)
    hosts.worker(), hosts.worker()
    first, second = hosts.webs
    with Watcher(hosts, hosts.webs) as reader:
        uploads = send_all(hosts, club, range(UPLOADS // 2))
        hosts.replica.execute("SELECT pg_wal_replay_pause()")
        uploads += send_all(hosts, club, range(UPLOADS // 2, UPLOADS))
        hosts.site.wait_scored()
        assert first.tournaments() == second.tournaments() == UPLOADS
        hosts.replica.execute("SELECT pg_wal_replay_resume()")
        shown = [club.show(second, upload)["state"] for upload in uploads]
    assert shown == ["confirmed"] * UPLOADS
    judge(hosts, uploads)
    hosts.wait_replayed()
    before = second.pages_from("replica")
    assert first.tournaments() == second.tournaments() == UPLOADS
    assert reader.complaints == [] and reader.pages > UPLOADS
    both = first.pages_from("replica") + before
    print(
        f"pages while uploading and with a replica paused half of the time: {reader.pages}, from it: {both}"
    )
    assert second.pages_from("replica") > 0


def test_nothing_is_lost_while_one_host_after_another_is_killed(hosts: Hosts):
    club = hosts.club(UPLOADS)
    first, second = hosts.webs
    victim = hosts.worker()
    hosts.worker()
    quarter = UPLOADS // 4
    parts = [range(start, start + quarter) for start in range(0, UPLOADS, quarter)]
    with Watcher(hosts, [second]) as reader:
        first.kill()
        uploads = send_all(hosts, club, parts[0])
        kill_group(victim)
        uploads += send_all(hosts, club, parts[1])
        replicas.kill(hosts.replica)
        uploads += send_all(hosts, club, parts[2])
        hosts.replica.start()
    assert (reader.complaints, reader.refused) == ([], 0)
    hosts.pooler.kill()
    assert second.get("/torneos/").status == 503
    hosts.pooler.start()
    first.start()
    uploads += send_all(hosts, club, parts[3])
    judge(hosts, uploads)
    hosts.wait_replayed()

    def from_replica() -> bool:
        before = second.pages_from("replica")
        return second.tournaments() == UPLOADS and second.pages_from("replica") > before

    servers.wait_until(from_replica, "pages to come from the replica again")


def test_a_frozen_replica_delays_one_page(hosts: Hosts):
    web = hosts.webs[0]
    hosts.wait_replayed()
    servers.wait_until(lambda: web.tournaments() == 0 and web.pages_from("replica"), "pages from the replica")
    replicas.freeze(hosts.replica)
    try:
        for _page in range(3):
            assert web.get("/torneos/").status == 200
        assert '"bytes_behind": null' in web.get("/listo/").text
    finally:
        replicas.thaw(hosts.replica)


def test_a_replica_of_a_former_primary_shows_nothing(cluster: servers.Postgres, site: Installation):
    """A standby that lagged takes over. The replica has what the new primary never had, and is not asked."""
    with (
        replicas.copy_of(cluster, "-R") as standby,
        replicas.copy_of(cluster, "-R") as replica,
        installed.hosts(cluster, site, replica) as hosts,
    ):
        web = hosts.webs[0]
        standby.start()
        site.act("post")
        servers.wait_until(lambda: hosts.scored() == standby_scored(standby, site), "the standby to replay")
        servers.stop(standby.process, signal.SIGINT)
        for _lost in range(3):
            site.act("post")
        hosts.wait_replayed()
        assert web.tournaments() == 4
        replicas.kill(cluster)
        replicas.take_over(standby, cluster)
        servers.wait_until(web.answers, "the web host to answer", 60)
        assert [web.tournaments() for _page in range(4)] == [1] * 4
        assert '"bytes_behind": null' in web.get("/listo/").text


def standby_scored(standby: servers.Postgres, site: Installation) -> int:
    database = urlsplit(site.environment["DATABASE_URL"]).path.removeprefix("/")
    with psycopg.connect(standby.url(database)) as connection:
        return connection.execute(installed.SCORED).fetchone()[0]
