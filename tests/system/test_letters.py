"""Real workers send letters to a real mail server, and die while they send."""

from tests import servers
from tests.system.conftest import PATIENCE, Installation, kill_group
from tests.system.faults import end_leases


def test_a_letter_is_sent_twice_at_most_however_often_its_worker_dies(site: Installation):
    with servers.mail_server() as server:
        server.delay = PATIENCE  # the server has the letter, but its answer does not come
        site.environment |= {
            "EMAIL_HOST": "127.0.0.1",
            "EMAIL_PORT": str(server.port),
            "EMAIL_USE_TLS": "0",
            "BAZA_ADDRESS": "https://baza.example.org",
        }
        uid = site.act("write")
        for times in (1, 2):
            victim = site.worker()
            servers.wait_until(lambda n=times: len(server.received) == n, "the letter to arrive", PATIENCE)
            kill_group(victim)
            end_leases(site, "letters_letter")
        site.worker()
        servers.wait_until(
            lambda: site.query("SELECT state FROM letters_letter") == [("lost",)],
            "the letter to be given up",
            PATIENCE,
        )
    assert [message["Message-ID"] for message in server.received] == [f"<{uid}@baza.example.org>"] * 2
    assert "https://baza.example.org/" in server.received[0].get_body(["plain"]).get_content()


def test_a_worker_sends_the_letter_to_sign_up_twice_at_most_with_the_same_link(site: Installation):
    with servers.mail_server() as server:
        server.delay = PATIENCE  # the server has the letter, but its answer does not come
        site.environment |= {
            "EMAIL_HOST": "127.0.0.1",
            "EMAIL_PORT": str(server.port),
            "EMAIL_USE_TLS": "0",
            "BAZA_ADDRESS": "https://baza.example.org",
        }
        number = site.act("ask_to_sign_up")
        for times in (1, 2):
            victim = site.worker()
            servers.wait_until(lambda n=times: len(server.received) == n, "the letter to arrive", PATIENCE)
            kill_group(victim)
            end_leases(site, "signups_signupletter")
        site.worker()
        servers.wait_until(
            lambda: site.query("SELECT state FROM signups_signupletter") == [("lost",)],
            "the letter to be given up",
            PATIENCE,
        )
    first, second = server.received
    assert first["To"] == "member@example.org" and number in first["Subject"]
    assert first["Message-ID"] == second["Message-ID"]
    texts = [message.get_body(["plain"]).get_content() for message in (first, second)]
    assert texts[0] == texts[1] and "https://baza.example.org/cuenta/alta/" in texts[0]
