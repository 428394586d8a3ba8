"""Use by keyboard and screen reader: where the focus is, how it shows, and the names of links of numbers."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from players.models import Role
from tests import factories
from tests.scoring.promotions import campaigns

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOCUSED = """() => {
  const at = document.activeElement, style = getComputedStyle(at);
  return [at.type || at.tagName, `${style.outlineStyle} ${style.outlineWidth}`];
}"""
FORM = "main form[method=post]"


KINDS = {"select-one", "date", "text", "radio", "checkbox", "submit"}


def focus_rings(page) -> set[tuple[str, str]]:
    """Press Tab through the page's form. Return the set of (kind of control, its focus outline)."""
    page.locator(f"{FORM} input:not([type=hidden]), {FORM} select").first.focus()
    page.keyboard.press("Shift+Tab")  # browsers show the ring only after keyboard input
    result = []
    while not result or result[-1][0] != "submit":
        page.keyboard.press("Tab")
        result.append(tuple(page.evaluate(FOCUSED)))
    return set(result)


def test_every_kind_of_form_control_has_a_visible_focus_outline(page, live_url, sign_in, monkeypatch):
    monkeypatch.setattr(timezone, "localdate", lambda *_: campaigns.FROZEN_ON)
    people = campaigns.create_people()
    campaign, player = campaigns.frozen(people), people.diamonds[0]
    sign_in(people.office)
    page.goto(f"{live_url}{reverse('category_assign')}?numero={player.number}")
    result = focus_rings(page)
    page.goto(live_url + reverse("campaign_player", args=[campaign.pk, player.number]))
    result |= focus_rings(page)
    sign_in(people.committee)
    page.goto(live_url + reverse("campaign_step", args=[campaign.pk, "approve"]))
    result |= focus_rings(page)
    assert result == {(kind, "solid 3px") for kind in KINDS}


def test_the_sign_in_begins_in_its_first_field_and_after_an_error_at_the_error(page, live_url):
    page.goto(live_url + reverse("account_login"))
    page.wait_for_function("document.activeElement.id === 'id_login'")
    page.keyboard.type("nobody@example.org")
    page.keyboard.press("Tab")
    page.keyboard.type("wrong")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.classList.contains('error-summary')")


def test_links_of_mere_numbers_have_names(page, live_url, sign_in):
    club = factories.club()
    factories.players(3, club=club)
    factories.announcement(club, end_date=date(2026, 11, 24))
    account = factories.user()
    factories.role(account, Role.Kind.CLUB_ADMIN, club=club)
    sign_in(account)
    page.goto(live_url + reverse("club_manage", args=[club.slug]))
    assert page.get_by_role("link", name="3 Socios", exact=True).count() == 1
    page.goto(live_url + reverse("calendar") + "?vista=mes&mes=2026-11")
    for day in ("26 oct", "24 nov", "26 nov"):
        assert page.get_by_role("link", name=day, exact=True).count() == 1
