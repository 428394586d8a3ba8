"""A director says in a real browser who the people of a file of names are; clicks and keys are counted."""

from datetime import timedelta

import pytest
from django.urls import reverse

from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs
from tests import factories
from tests.browser.conftest import check_page, follow
from tournaments.models import RememberedName, ResultUpload
from tournaments.services import announcements

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GIVEN = ["Francisco", "Dolores", "José", "Rosario", "Ignacio", "Mercedes", "Manuel", "Pilar"]
SURNAMES = ["Abad Roble", "Bosch Olmo", "Calvo Haya", "Duque Tejo"]


class Hand:
    """Clicks like a director, and counts. Choosing a file takes two clicks: to open the dialogue, and there."""

    def __init__(self, page):
        self.page, self.clicks, self.keys = page, 0, 0

    def follow(self, selector: str) -> None:
        self.clicks += 1
        follow(self.page.locator(selector))

    def click(self, selector: str) -> None:
        self.clicks += 1
        self.page.locator(selector).click()

    def choose_file(self, data: bytes) -> None:
        self.clicks += 2
        self.page.set_input_files("#id_file", {"name": "martes.csv", "mimeType": "text/csv", "buffer": data})


def names_of(people) -> list[str]:
    """Return the names as a club's list has them: short forms, one surname, surnames first, no accents."""
    short = {"Francisco": "Paco", "Dolores": "Lola", "José": "Pepe", "Rosario": "Charo"}
    names = []
    for at, person in enumerate(people):
        first, second = person.surname.split()
        given = short.get(person.given_name, person.given_name) if at % 2 else person.given_name
        names.append(f"{first} {second}, {given}".upper() if at % 3 else f"{given} {first}")
    return names


def week(names, shift=0) -> bytes:
    lines = ["puesto;pareja;nombre;porcentaje"]
    lines += [f"{at // 2 + 1};{at // 2 + 1};{name};{60 - shift - at // 2}" for at, name in enumerate(names)]
    return "\n".join(lines).encode()


def to_points(hand: Hand, data: bytes, *buttons: str) -> ResultUpload:
    """Go from the empty page to the points, pressing these buttons on the review. Return the upload."""
    hand.page.goto(hand.page.url.split("/subidas")[0] + reverse("upload_start"))
    hand.choose_file(data)
    hand.follow("main form [type=submit]")
    for button in buttons:
        hand.follow(f"button[value={button}]")
    hand.follow("#continue")
    hand.follow("main form button.btn-primary")
    runs.score(ScoringRun.objects.latest("pk").pk)
    return ResultUpload.objects.latest("created_at")
