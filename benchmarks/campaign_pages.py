"""The pages of a year-end category change at thirty times the AEB, against a bare page of the same server.

    DATABASE_URL=postgresql://... python -m benchmarks.campaign_pages [rounds]

The database is that of `fill.py`. A campaign of its last complete year is published, looked at, applied,
looked at again and reversed. One gunicorn process; one request at a time, the pages taking turns with the
bare page of `pages.py` (fifty rows by the ORM in a plain template, the same middleware), signed in.

The first request in a process is told apart: it reads the frozen lists and keeps them.
"""

import os
import sys
from pathlib import Path

from tests.servers import free_port, stop, wait_until

from .campaign import Stage, claims_over, frozen, published, stage, worked
from .client import Connection
from .pages import answers, start
from .timing import line, medians, seconds

ROUNDS = 20
BARE = "/bench/bare/2c/"


def signed_in(account) -> str:
    """The header of a session of this account."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(account)
    return f"Cookie: {settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}\r\n"


class Visitor:
    """Asks one server for pages, as one account."""

    def __init__(self, port: int, account) -> None:
        self.port, self.cookie = port, signed_in(account)

    def get(self, path: str) -> bytes:
        """The page; any other answer than 200 is an error."""
        status, _headers, body = Connection(self.port).get(path, self.cookie)
        if status != 200:
            raise RuntimeError(f"{path} answered {status}")
        return body


def compared(kinds: dict[str, tuple[Visitor, str]], rounds: int) -> None:
    """Each page the first time, then all in turn; print milliseconds and the ratios to the bare page."""
    first = {name: seconds(lambda: who.get(path)) for name, (who, path) in kinds.items()}  # noqa: B023
    sizes = {name: len(who.get(path)) for name, (who, path) in kinds.items()}
    times: dict[str, list[float]] = {name: [] for name in kinds}
    for _round in range(rounds):
        for name, (who, path) in kinds.items():
            times[name].append(seconds(lambda: who.get(path)))  # noqa: B023
    taken = medians(times)
    for name, each in taken.items():
        told = f"{1e3 * each:.0f} ms, {each / taken['bare page']:.1f}"
        line(f"{name} ({sizes[name] / 1e3:,.0f} kB)", told, f"first {1e3 * first[name]:,.0f} ms")


def pages_of(campaign, at: Stage, port: int) -> dict[str, tuple[Visitor, str]]:
    """The pages of a published campaign: by name who asks for them, and where."""
    from django.urls import reverse

    from players.models import Player
    from scoring.promotions.queries.campaigns import documents_of
    from tests import factories

    largest = max(documents_of(campaign.snapshot).values(), key=lambda each: len(each.selection.places))
    code = largest.category.lower()
    mover = next(place.entrant for place in largest.selection.places if place.state.up)
    player = Player.objects.get(pk=mover.player_id)
    player.user = factories.user(f"player-{os.getpid()}")
    player.save(update_fields=["user"])
    office, own = Visitor(port, at.office), Visitor(port, player.user)
    review = reverse("campaign_review", args=[campaign.pk, code])
    asked = f"?dia={campaign.last_day}&reglas={at.rules.pk}&con={at.others.pk}"
    return {
        "bare page": (office, BARE),
        "the campaign": (office, campaign.get_absolute_url()),
        f"review of {largest.category}": (office, review),
        "its last page": (office, f"{review}?pagina=9999"),
        "those near the cut": (office, f"{review}?ver=corte"),
        "dossier of a player": (office, reverse("campaign_player", args=[campaign.pk, player.number])),
        f"published list of {largest.category}": (own, reverse("promotion", args=[at.year, code])),
        "the player's own page": (own, player.get_absolute_url()),
        "the player's letter": (own, reverse("promotion_letter", args=[at.year])),
        "letters, choice of a category": (office, reverse("campaign_letters", args=[campaign.pk])),
        f"letters of {largest.category}": (
            office, f"{reverse('campaign_letters', args=[campaign.pk])}?categoria={code}",
        ),
        "report, before applying": (office, reverse("campaign_report", args=[campaign.pk])),
        "applying, asked": (office, reverse("campaign_step", args=[campaign.pk, "apply"])),
        "late results": (office, reverse("campaign_late", args=[campaign.pk])),
        "simulation, two rule sets": (office, reverse("campaign_simulation") + asked),
    }  # fmt: skip


def most_memory(server: int) -> str:
    """The most that the process which answers requests ever had."""
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
    at = stage(today.year - 1)
    campaign = frozen(at, today)
    published(campaign, at)
    claims_over(campaign, at)
    port = free_port()
    server = start(os.environ["DATABASE_URL"], port)
    try:
        wait_until(lambda: answers(port), "the web server to answer")
        print(f"Pages of the category change of {at.year}: milliseconds, and times a bare page")
        compared(pages_of(campaign, at, port), rounds)
        worked(campaign, "apply", at)()
        office = Visitor(port, at.office)
        after = {
            "bare page": (office, BARE),
            "report, applied": (office, reverse("campaign_report", args=[campaign.pk])),
            "report, its last page": (
                office, f"{reverse('campaign_report', args=[campaign.pk])}?pagina=9999",
            ),
            "reversing, asked": (office, reverse("campaign_step", args=[campaign.pk, "reverse"])),
        }  # fmt: skip
        compared(after, rounds)
        line("memory of the web process, at most", f"{int(most_memory(server.pid)) / 1024:.0f} MB")
    finally:
        stop(server)
    worked(campaign, "reverse", at)()


if __name__ == "__main__":
    main()
