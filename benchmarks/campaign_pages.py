"""Measure the pages of a year-end category change, of a large federation, against a bare page.

    DATABASE_URL=postgresql://... python -m benchmarks.campaign_pages [rounds]

`generate.py` fills the database. A campaign for the last complete year of its data is published, its pages
are measured, it is applied, its pages are measured again, and it is reversed. One gunicorn process answers
one request at a time. The pages take turns with the bare page of `pages.py` (fifty rows from the ORM in a
plain template, the same middleware), signed in.

The first request in a process, which reads the frozen lists and caches them, is shown separately.
"""

import os
import sys
from pathlib import Path

from tests.servers import free_port, stop, wait_until

from .campaign import Setup, close_claims, frozen_campaign, publish, request_step, set_up
from .client import Connection
from .pages import answers, session_header, start
from .timing import line, medians, seconds

ROUNDS = 20
BARE = "/bench/bare/2c/"


class Visitor:
    """A client that requests pages from one server as one account."""

    def __init__(self, port: int, account) -> None:
        self.port, self.cookie = port, session_header(account)

    def get(self, path: str) -> bytes:
        """Return the page. Raises RuntimeError for a status other than 200."""
        status, _headers, body = Connection(self.port).get(path, self.cookie)
        if status != 200:
            raise RuntimeError(f"{path} answered {status}")
        return body


def compare(pages: dict[str, tuple[Visitor, str]], rounds: int) -> None:
    """Request each page once, then all in turn. Print their median milliseconds and ratios to the bare page.

    pages: what `pages_of` returns, with a page named "bare page"
    """
    first = {name: seconds(lambda: visitor.get(path)) for name, (visitor, path) in pages.items()}  # noqa: B023
    sizes = {name: len(visitor.get(path)) for name, (visitor, path) in pages.items()}
    times: dict[str, list[float]] = {name: [] for name in pages}
    for _round in range(rounds):
        for name, (visitor, path) in pages.items():
            times[name].append(seconds(lambda: visitor.get(path)))  # noqa: B023
    median_times = medians(times)
    for name, median in median_times.items():
        value = f"{1e3 * median:.0f} ms, {median / median_times['bare page']:.1f}"
        line(f"{name} ({sizes[name] / 1e3:,.0f} kB)", value, f"first {1e3 * first[name]:,.0f} ms")


def pages_of(campaign, setup: Setup, port: int) -> dict[str, tuple[Visitor, str]]:
    """Return the pages of a published campaign to measure, and the bare page: name -> (visitor, path)."""
    from django.urls import reverse

    from players.models import Player
    from scoring.promotions.queries.campaigns import documents_of
    from tests import factories

    documents = documents_of(campaign.snapshot).values()
    largest = max(documents, key=lambda document: len(document.selection.places))
    code = largest.category.lower()
    mover = next(place.entrant for place in largest.selection.places if place.state.up)
    player = Player.objects.get(pk=mover.player_id)
    player.user = factories.user(f"player-{os.getpid()}")
    player.save(update_fields=["user"])
    office, own = Visitor(port, setup.office), Visitor(port, player.user)
    review = reverse("campaign_review", args=[campaign.pk, code])
    letters = reverse("campaign_letters", args=[campaign.pk])
    query = f"?dia={campaign.last_day}&reglas={setup.rules.pk}&con={setup.other_rules.pk}"
    return {
        "bare page": (office, BARE),
        "the campaign": (office, campaign.get_absolute_url()),
        f"review of {largest.category}": (office, review),
        "its last page": (office, f"{review}?pagina=9999"),
        "those near the cut": (office, f"{review}?ver=corte"),
        "dossier of a player": (office, reverse("campaign_player", args=[campaign.pk, player.number])),
        f"published list of {largest.category}": (own, reverse("promotion", args=[setup.year, code])),
        "the player's own page": (own, player.get_absolute_url()),
        "the player's letter": (own, reverse("promotion_letter", args=[setup.year])),
        "letters, choice of a category": (office, letters),
        f"letters of {largest.category}": (office, f"{letters}?categoria={code}"),
        "report, before applying": (office, reverse("campaign_report", args=[campaign.pk])),
        "applying, confirmation": (office, reverse("campaign_step", args=[campaign.pk, "apply"])),
        "late results": (office, reverse("campaign_late", args=[campaign.pk])),
        "simulation, two rule sets": (office, reverse("campaign_simulation") + query),
    }


def peak_memory(server: int) -> str:
    """Return the peak memory, in kB, of the process that answers requests."""
    child = Path(f"/proc/{server}/task/{server}/children").read_text().split()[0]
    status = Path(f"/proc/{child}/status").read_text()
    return status.split("VmHWM:")[1].split("kB")[0]


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.settings")
    import django

    django.setup()
    from django.urls import reverse

    from scoring.ledger.services import standings

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    today = standings.today()
    setup = set_up(today.year - 1)
    campaign = frozen_campaign(setup, today)
    publish(campaign, setup)
    close_claims(campaign, setup)
    port = free_port()
    server = start(os.environ["DATABASE_URL"], port)
    try:
        wait_until(lambda: answers(port), "the web server to answer")
        print(f"Pages of the category change of {setup.year}: milliseconds, and ratio to a bare page")
        compare(pages_of(campaign, setup, port), rounds)
        request_step(campaign, "apply", setup)()
        office, report = Visitor(port, setup.office), reverse("campaign_report", args=[campaign.pk])
        after = {
            "bare page": (office, BARE),
            "report, applied": (office, report),
            "report, its last page": (office, f"{report}?pagina=9999"),
            "reversing, confirmation": (office, reverse("campaign_step", args=[campaign.pk, "reverse"])),
        }
        compare(after, rounds)
        line("memory of the web process, at most", f"{int(peak_memory(server.pid)) / 1024:.0f} MB")
    finally:
        stop(server)
    request_step(campaign, "reverse", setup)()


if __name__ == "__main__":
    main()
