"""Use by keyboard: every kind of form control shows when it has the focus."""

import pytest
from django.urls import reverse
from django.utils import timezone

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
