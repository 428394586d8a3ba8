"""The browser's Back button on the pages of an upload.

A page is either restored from the browser's back-forward cache or loaded again.
"""

import pytest
from django.urls import reverse

from tests import factories, servers
from tests.browser.conftest import CHROMIUM_OPTIONS, follow, watched_page
from tests.scoring.uploads.makers import csv_of, details
from tournaments.models import ResultUpload
from tournaments.services import uploads
from tournaments.services.drafts import draft_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser, live_url):
    """A browser page with the back-forward cache, which Playwright disables by default."""
    kept = browser.browser_type.launch(
        executable_path=servers.chromium(),
        args=CHROMIUM_OPTIONS,
        ignore_default_args=["--disable-back-forward-cache"],
    )
    yield from watched_page(kept, live_url)
    kept.close()


def go_back(page) -> None:
    """Press the Back button, without waiting for a load: a page from the cache is not loaded again."""
    page.go_back(wait_until="commit")


def test_going_back_from_the_confirmation_shows_the_saved_values(page, live_url, sign_in):
    club = factories.club()
    director = factories.director(club)
    sign_in(director)
    data = csv_of(factories.pairs(factories.players(8, club=club, category="2P")))
    upload = uploads.receive(director, club, "martes.csv", data, {**details(), "boards": 24})
    confirm = live_url + reverse("upload_confirm", args=[upload.pk])

    page.goto(live_url + reverse("upload_review", args=[upload.pk]))
    page.fill("#id_name", "Copa")
    follow(page.locator("#continue"))
    assert page.url == confirm
    go_back(page)
    assert page.input_value("#id_name") == "Copa"
    page.fill("#id_boards", "22")
    follow(page.locator("#continue"))
    assert page.url == confirm
    known = draft_of(ResultUpload.objects.get()).known
    assert (known.name, known.boards, known.boards_scheduled) == ("Copa", 22, 22)

    # Unsaved input is kept while the director visits another page.
    go_back(page)
    page.fill("#id_name", "Liga")
    page.goto(live_url + reverse("help"))
    go_back(page)
    assert page.input_value("#id_name") == "Liga"


def test_going_back_to_a_reloaded_page_changes_no_decision(browser, live_url, client):
    """If Back loads the page again, the browser must not restore the reader's old choices in its form.

    After a federation number is saved, the row of its player offers other choices than before.
    """
    club = factories.club()
    director = factories.director(club)
    players = factories.players(8, club=club, category="2P")
    data = csv_of(factories.pairs(players)).decode()
    for player, stranger in zip(
        players[:3], ("Mengano Nadie", "Zutano Inventado", "Fulano Perdido"), strict=True
    ):
        data = data.replace(player.number, "", 1).replace(player.full_name, stranger)
    upload = uploads.receive(director, club, "martes.csv", data.encode(), {**details(), "boards": 24})
    watched = watched_page(browser, live_url)
    page = next(watched)
    client.force_login(director)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_url}]
    )

    page.goto(live_url + reverse("upload_review", args=[upload.pk]))
    for box, player in zip(page.locator("input[name^=number_]").all()[:2], players, strict=False):
        box.fill(player.number)
    follow(page.locator("button[value=people]"))
    decided = set(draft_of(ResultUpload.objects.get()).players)
    assert len(decided) == 7
    for _time in range(2):
        page.go_back()
        follow(page.locator("button[value=people]"))
        assert set(draft_of(ResultUpload.objects.get()).players) == decided
    next(watched, None)
