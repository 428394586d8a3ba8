"""The office merges two numbers and undoes the merge, in a real browser, in two sizes and themes."""

import pytest
from django.urls import reverse

from players.models import PlayerMerge, Proposal
from tests import factories, second
from tests.browser.conftest import follow, page_problems


def send(page, name: str, text: str) -> None:
    """Fill in a field, submit its form with the Enter key and wait for the next page."""
    page.locator(f"[name={name}]").fill(text)
    with page.expect_navigation():
        page.locator(f"[name={name}]").press("Enter")


@pytest.mark.django_db(transaction=True)
def test_the_office_merges_two_numbers_and_undoes_the_merge(page, live_url, sign_in):
    four = factories.players(4, category="2P")
    kept = factories.player(category="2D", given_name=four[0].given_name, surname=four[0].surname)
    factories.scored(four[:2], four[2:])
    sign_in(factories.office())
    page.goto(live_url + reverse("merges"))
    page.locator("[name=cede]").fill(four[0].number)
    send(page, "queda", kept.number)
    assert page_problems(page) == []
    send(page, "reason", "Registered twice")
    assert page.url == live_url + Proposal.objects.get().get_absolute_url()
    assert page_problems(page) == []
    second.approve_all()
    page.goto(live_url + reverse("merge", args=[PlayerMerge.objects.get().pk]))
    assert page_problems(page) == []
    page.goto(live_url + four[0].get_absolute_url())
    assert page.url == live_url + kept.get_absolute_url()
    assert page_problems(page) == []
    follow(page.locator("main td a[href*='/puntos/']").first)
    assert four[0].number in page.locator("main").inner_text()
    assert page_problems(page) == []
    page.goto(live_url + reverse("merge", args=[PlayerMerge.objects.get().pk]))
    send(page, "reason", "They are two")
    assert page_problems(page) == []
    second.approve_all()
    page.goto(live_url + reverse("merge", args=[PlayerMerge.objects.get().pk]))
    assert "They are two" in page.locator("main").inner_text()
    assert PlayerMerge.objects.get().undone_at and page_problems(page) == []
