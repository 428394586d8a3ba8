"""Real workers send messages to webhooks, and score meanwhile."""

from tests import servers
from tests.scoring.webhooks.receivers import raw_server, receiver
from tests.system.conftest import PATIENCE, Installation, kill_group
from tests.system.faults import end_leases

RUNS = 6


def test_workers_send_and_score_while_a_receiver_hangs(site: Installation):
    site.environment["BAZA_WEBHOOKS_TO_LOOPBACK"] = "1"
    with receiver() as good, raw_server(lambda connection, over: over.wait()) as port:
        secret = site.act("add_webhook", good.url)
        site.act("add_webhook", f"http://127.0.0.1:{port}/")
        site.worker()
        site.act("confirm", RUNS)
        servers.wait_until(lambda: site.states() == {"done"}, "the points", PATIENCE)
        servers.wait_until(lambda: len(good.got) == RUNS, "the messages", PATIENCE)
        assert good.verified(secret)
        servers.wait_until(lambda: failures(site)[1], "a failure of the other one", PATIENCE)
    assert failures(site)[0] == 0
    assert len({headers["webhook-id"] for headers, _body in good.got}) == RUNS


def test_a_message_whose_worker_dies_is_sent_again_with_its_id(site: Installation):
    site.environment["BAZA_WEBHOOKS_TO_LOOPBACK"] = "1"
    reached = []

    def keep(connection, over) -> None:
        reached.append(connection.recv(4096))
        over.wait(2)

    with receiver() as good, raw_server(keep) as port:
        site.act("add_webhook", f"http://127.0.0.1:{port}/")
        victim = site.worker()
        site.act("confirm", 1)
        servers.wait_until(lambda: reached, "the message", PATIENCE)
        kill_group(victim)
        end_leases(site, "webhooks_delivery")
        site.query(f"UPDATE webhooks_webhook SET url = '{good.url}' RETURNING id")
        site.worker()
        servers.wait_until(lambda: good.got, "the message again", PATIENCE)
    assert good.got[0][0]["webhook-id"].encode() in reached[0]


def failures(site: Installation) -> list[int]:
    return [number for (number,) in site.query("SELECT failures FROM webhooks_webhook ORDER BY id")]
