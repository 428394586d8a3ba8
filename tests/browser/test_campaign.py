"""A year's category change in a real browser, from opening to reversing it, with all roles involved."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from scoring.ledger.services import standings
from scoring.promotions.models import CampaignChange, PromotionCampaign
from scoring.promotions.services import work as campaign_tasks
from tests import factories as make
from tests import second
from tests.browser.conftest import check_page, follow
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.test_letters import published_with_movers

Undone = CampaignChange.Undone
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def clock(monkeypatch):
    """A function that sets the federation's day, also for the threads of the server."""
    now = {"day": campaigns.FROZEN_ON}
    monkeypatch.setattr(timezone, "localdate", lambda *_: now["day"])
    return lambda day: now.update(day=day)


def run_task(page, campaign) -> None:
    """Carry out the campaign's task like a worker, and wait until the page, which polls, has reloaded."""
    assert page.locator("#progress").count() == 1
    with page.expect_navigation():
        campaign_tasks.perform(campaign.tasks.first().pk)


def take(page, live_url, campaign, verb: str) -> None:
    """Go from the campaign's page to the page of an act."""
    page.goto(live_url + campaign.get_absolute_url())
    follow(page.locator(f'main a[href="{reverse("campaign_step", args=[campaign.pk, verb])}"]'))
    check_page(page)


def test_a_campaign_goes_from_simulation_to_reversal(page, live_url, sign_in, clock):
    standings.roll(campaigns.FROZEN_ON)
    people = campaigns.create_people()
    best, runner_up = people.diamonds[:2]
    runner_up.user = make.user()
    runner_up.save()
    rules = campaigns.confirmed_rules()

    # Before the campaign: simulate it.
    sign_in(people.office)
    page.goto(live_url + reverse("campaigns"))
    check_page(page)
    follow(page.locator(f'main a[href^="{reverse("campaign_simulation")}"]'))
    assert page.locator("h1").count() == 1
    rules.rules.filter(category__code="2D").update(confirmed=False)

    # Opened: a figure is not confirmed yet, so the lists cannot be frozen.
    page.goto(live_url + reverse("campaigns"))
    follow(page.locator("main form.form [type=submit]"))
    campaign = PromotionCampaign.objects.get()
    assert page.url == live_url + campaign.get_absolute_url()
    check_page(page)
    assert page.locator(".issue", has_text="2D").count() == 1
    assert page.locator("main .btn-primary").count() == 0
    rules.rules.update(confirmed=True)

    take(page, live_url, campaign, "freeze")
    follow(page.locator("main form .btn-primary"))
    run_task(page, campaign)
    check_page(page)

    # Review: the runner-up is moved up by a decision.
    follow(page.locator(f'main a[href="{reverse("campaign_review", args=[campaign.pk, "2d"])}"]'))
    check_page(page)
    follow(page.locator(f'main a[href="{reverse("campaign_player", args=[campaign.pk, runner_up.number])}"]'))
    check_page(page)
    page.check('input[name=target][value="2C"]')
    page.fill("#id_reason", "Acta 12")
    follow(page.locator("main form.form [type=submit]"))
    assert page.locator("table", has_text="Acta 12").count() == 1

    # The committee approves, and the office publishes.
    sign_in(people.committee)
    take(page, live_url, campaign, "approve")
    page.check("#id_sure")
    follow(page.locator("main form .btn-primary"))
    sign_in(people.office)
    take(page, live_url, campaign, "publish")
    follow(page.locator("main form .btn-primary"))
    check_page(page)
    page.goto(live_url + reverse("promotion", args=[2025, "2d"]))
    check_page(page)

    # The third player's claim is accepted, and the list approved again.
    third = people.diamonds[2]
    third.user = make.user()
    third.save()
    sign_in(third.user)
    page.goto(live_url + reverse("my_page"))
    check_page(page)
    follow(page.locator(f'main a[href="{reverse("promotion_letter", args=[2025])}"]'))
    check_page(page)
    follow(page.locator(f'main a[href="{reverse("claim", args=[2025])}"]'))
    check_page(page)
    page.fill("#id_text", "Falta el torneo de junio.")
    follow(page.locator("main form.form [type=submit]"))
    sign_in(people.office)
    page.goto(live_url + reverse("campaign_claims", args=[campaign.pk]))
    check_page(page)
    follow(page.locator("main table a").first)
    check_page(page)
    page.check('input[name=accepted][value="1"]')
    page.check('input[name=target][value="2C"]')
    page.fill("#id_text", "Tienes razón.")
    follow(page.locator("main form.form [type=submit]"))
    sign_in(people.committee)
    take(page, live_url, campaign, "approve")
    page.check("#id_sure")
    follow(page.locator("main form .btn-primary"))

    # Letters, applying, report, reversal.
    sign_in(people.office)
    page.goto(f"{live_url}{reverse('campaign_letters', args=[campaign.pk])}?categoria=2d")
    assert page.locator(".letter").count() == 3
    check_page(page)
    clock(campaigns.AFTER_CLAIMS)
    take(page, live_url, campaign, "apply")
    page.check("#id_sure")
    follow(page.locator("main form .btn-primary"))
    run_task(page, campaign)
    page.goto(live_url + reverse("campaign_report", args=[campaign.pk]))
    check_page(page)
    assert page.locator("table tbody tr").count() == 4
    assert held(best, date(2026, 3, 1)) == held(third, date(2026, 3, 1)) == "2C"
    take(page, live_url, campaign, "reverse")
    page.fill("#id_reason", "Reglas equivocadas")
    page.check("#id_sure")
    follow(page.locator("main form .btn-danger"))
    check_page(page)
    second.approve_all(people.committee)
    page.reload()
    run_task(page, campaign)
    check_page(page)
    assert held(best, date(2026, 3, 1)) == held(third, date(2026, 3, 1)) == "2D"
    campaign.refresh_from_db()
    assert campaign.state == "reversed"


def held(player, day: date) -> str:
    """Return the code of the player's category on a day."""
    return player.assignments.in_force(day).get().category.code


def test_every_letter_is_printed_on_its_own_page(page, live_url, sign_in, clock):
    people = campaigns.create_people()
    campaigns.post_points(people.diamonds[1], 3000)
    campaigns.post_points(people.diamonds[2], 3100)  # tied with the previous player, so both move up
    campaign = campaigns.published(people)
    sign_in(people.office)
    page.goto(f"{live_url}{reverse('campaign_letters', args=[campaign.pk])}?categoria=2d")
    page.emulate_media(media="print")
    breaks = "all => all.map(each => getComputedStyle(each).breakAfter)"
    assert page.eval_on_selector_all(".letter", breaks) == ["page", "auto"]
    assert page.locator("h1").is_hidden()


def test_reversing_after_the_effective_day_keeps_categories_changed_by_hand(page, live_url, sign_in, clock):
    standings.roll(campaigns.FROZEN_ON)
    people = campaigns.create_people()
    campaign = campaigns.applied(people, clock)
    changed, given_back = people.diamonds[0], people.hearts[0]
    given_on, reversed_on = date(2026, 3, 10), date(2026, 3, 15)
    clock(given_on)
    sign_in(people.office)
    page.goto(f"{live_url}{reverse('category_assign')}?numero={changed.number}")
    page.select_option("#id_category", label="1D")
    page.fill("#id_reason", "Campeón")
    page.fill("#id_evidence", "Acta 14")
    follow(page.locator("main form[method=post] .btn-primary"))
    second.approve_all()  # the proposals to assign categories more than one step higher

    # The confirmation page: who is left unchanged, and how many get their category back.
    clock(reversed_on)
    take(page, live_url, campaign, "reverse")
    conflicts = page.locator("main table tbody tr")
    assert conflicts.count() == 1
    assert conflicts.filter(has_text=changed.public_name).count() == 1
    assert page.get_by_text("1 jugador recupera la categoría anterior").count() == 1
    page.fill("#id_reason", "Reglas equivocadas")
    page.check("#id_sure")
    follow(page.locator("main form .btn-danger"))
    check_page(page)
    second.approve_all(people.committee)
    page.reload()
    run_task(page, campaign)

    # The report afterwards, player by player.
    follow(page.locator(f'main a[href="{reverse("campaign_report", args=[campaign.pk])}"]'))
    check_page(page)
    rows = page.locator("main table tbody tr")
    assert rows.count() == 2
    with override("es"):
        text = {changed: str(Undone.CONFLICT.label), given_back: str(Undone.RESTORED.label)}
    for player, words in text.items():
        assert words in rows.filter(has_text=player.public_name).inner_text()
    assert (held(changed, date(2026, 3, 9)), held(changed, reversed_on)) == ("2C", "1D")
    assert (held(given_back, date(2026, 3, 14)), held(given_back, reversed_on)) == ("2P", "2C")


def test_letters_lie_beside_each_other_on_a_desk_and_categories_are_links_like_others(
    page, live_url, sign_in, clock
):
    standings.roll(campaigns.FROZEN_ON)
    people = campaigns.create_people()
    campaign = published_with_movers(people, 2)
    sign_in(people.office)
    page.goto(live_url + reverse("campaign_letters", args=[campaign.pk]) + "?categoria=2d")
    first, second_letter = (item.bounding_box() for item in page.locator("article.letter").all())
    assert first["y"] == second_letter["y"] and first["x"] < second_letter["x"]
    page.goto(live_url + campaign.get_absolute_url())
    link = page.locator("main table th a").first
    colours = link.evaluate("a => [a, a.firstElementChild].map(item => getComputedStyle(item).color)")
    assert colours[0] == colours[1]
