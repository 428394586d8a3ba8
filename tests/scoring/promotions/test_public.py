"""Promotion candidates: the public pages of a year, and the forecast on a player's page."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.services import changes
from scoring.ledger.conditional import standings_state
from scoring.ledger.services import posting
from scoring.promotions.models import PromotionRule, PromotionRuleSet
from tests import factories as make
from tests.languages import speak
from tests.pages import open_page
from tournaments.models import Contestant
from ui import memo


def english(client) -> None:
    speak(client, "en")


def post_points(player, points: int, day: date) -> None:
    row = posting.OpeningRow(player.pk, day, f"T{points}", False, points)
    posting.post_opening([row], None)


@pytest.mark.django_db
def test_only_points_of_the_year_and_licensed_players_count(client, today):
    players = make.players(3, category="2P")
    unlicensed = make.player(category="2P", licensed=False)
    post_points(players[0], 1000, date(2026, 1, 1))
    post_points(players[1], 9000, date(2025, 12, 31))
    post_points(players[1], 500, date(2026, 5, 1))
    post_points(unlicensed, 9999, date(2026, 5, 1))
    html = client.get(reverse("promotion", args=[2026, "2p"])).content.decode()
    assert players[0].public_name in html
    assert players[1].public_name in html
    assert "10,00" in html
    assert "90,00" not in html
    assert players[2].public_name not in html
    assert unlicensed.public_name not in html
    past = client.get(reverse("promotion", args=[2025, "2p"])).content.decode()
    assert "90,00" in past


@pytest.mark.django_db
def test_pages_mark_rules_that_are_not_confirmed(client, today):
    post_points(make.player(category="2P"), 1000, today)
    address = reverse("promotion", args=[2026, "2p"])
    assert open_page(client, address).all(class_="note-caution")
    PromotionRuleSet.objects.update(confirmed=True)
    assert not open_page(client, address).all(class_="note-caution")


@pytest.mark.django_db
def test_the_page_of_a_category_without_promotion_has_no_list(client, today):
    post_points(make.player(category="1P"), 1000, today)
    assert open_page(client, reverse("promotion", args=[2026, "1p"])).tables == []
    assert not PromotionRule.objects.filter(category__code="1P", target__isnull=False).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("place", ["2027/2p", "2021/2p", "1066/2p", "2026/zz"])
def test_other_years_and_categories_are_not_found(client, today, place):
    assert client.get(f"/ascensos/{place}/").status_code == 404


@pytest.mark.django_db
def test_the_page_states_the_rule_in_words(client, today):
    post_points(make.player(category="2P"), 1000, today)
    address = reverse("promotion", args=[2026, "2p"])
    english(client)
    html = client.get(address).content.decode()
    assert "The first 10% by points, rounded up and never fewer than 1, move up." in html
    assert "Only players with a licence count." in html
    assert "tournaments are needed" not in html
    PromotionRule.objects.filter(category__code="2P").update(
        top_share=None,
        top_count=4,
        points_threshold=150_000,
        minimum_tournaments=5,
        licence_required=False,
        average_threshold=48,
        average_effect="block",
        blocked_place="empty",
    )
    html = client.get(address).content.decode()
    for words in (
        "There are 4 places at most.",
        "The minimum is 1,500.00 points.",
        "At least 5 tournaments are needed.",
        "A modified average below 48% blocks, and the place stays empty.",
        "The modified average is looked at during the year-end campaign, not here.",
    ):
        assert words in html
    assert "The first" not in html
    assert "licence count" not in html


@pytest.mark.django_db
def test_categories_with_the_same_rule_share_one_text(client, today):
    english(client)
    words = "The first 10% by points"
    assert client.get(reverse("promotions")).content.decode().count(words) == 1
    PromotionRule.objects.filter(category__code="2P").update(top_count=4)
    html = client.get(reverse("promotions")).content.decode()
    assert html.count(words) == 8
    assert html.count("There are 4 places at most.") == 1


@pytest.mark.django_db
def test_players_who_cannot_move_keep_their_rank_without_a_reason(client, today):
    """Players who cannot move keep their rank. The page gives no reason and does not disclose deaths."""
    died, few, up, below, gone, free = make.players(6, category="2P")
    for player, points in ((died, 5000), (up, 3000), (below, 2000), (gone, 1500), (free, 9000)):
        post_points(player, points - 1, today)
        post_points(player, 1, today)
    post_points(few, 4000, today)
    free.licences.all().delete()
    changes.send_players_changed({free.pk})
    for player in (died, gone):
        player.deceased_on = today
        player.save()
    PromotionRule.objects.filter(category__code="2P").update(minimum_tournaments=2)
    english(client)
    client.force_login(make.user())
    response = client.get(reverse("promotion", args=[2026, "2p"]), {"formato": "csv"})
    lines = b"".join(response.streaming_content).decode("utf-8-sig").splitlines()
    text = [(line.split(",")[1], *line.split(",")[5:]) for line in lines[1:]]
    assert text == [
        (died.number, "20.00", "does not move up", ""),
        (few.number, "10.00", "does not move up", ""),
        (up.number, "0.00", "candidate", "1D"),
        (below.number, "-10.00", "below the cut", ""),
        (gone.number, "-15.00", "below the cut", ""),
    ]
    for query in ({}, {"entera": "1"}):
        html = client.get(reverse("promotion", args=[2026, "2p"]), query).content.decode()
        assert html.count("does not move up") == html.count("below the cut") == 2
        assert "too few tournaments" not in html


@pytest.mark.django_db
def test_public_candidates_do_not_depend_on_percentages(client, today):
    """Percentages are personal: the candidates before publication must not depend on them."""
    players = make.players(4, category="2P")
    make.scored(*make.pairs(players), end_date=today, event_type="regional")
    Contestant.objects.update(percentage="31.7")
    PromotionRule.objects.update(average_effect="block", average_threshold=50)
    response = client.get(reverse("promotion", args=[2026, "2p"]))
    assert response.context["candidates"] == 2
    assert b"31,7" not in response.content


@pytest.mark.django_db
def test_only_the_player_sees_the_reason_for_not_moving_up(client, today):
    player = make.player(category="2P", user=make.user())
    post_points(player, 1000, today)
    PromotionRule.objects.update(minimum_tournaments=2)
    english(client)
    html = client.get(player.get_absolute_url()).content.decode()
    assert "today not a candidate: does not move up." in html and "too few tournaments" not in html
    client.force_login(player.user)
    for address in (reverse("my_page"), reverse("promotion", args=[2026, "2p"])):
        assert "too few tournaments" in client.get(address, {"yo": "1"}).content.decode()
    assert "too few tournaments" not in client.get(player.get_absolute_url()).content.decode()
    post_points(player, 500, today)
    html = client.get(reverse("my_page")).content.decode()
    assert "too few tournaments" not in html
    assert "above the estimated promotion cut" in html


@pytest.mark.django_db
@pytest.mark.parametrize("points", [3000, 300])
def test_a_deceased_players_page_has_the_text_of_a_living_player(client, today, points):
    """A deceased player's page has the same text as that of a living player who does not move up.

    Both players have equal points. Above the cut, the living player stays because of too few tournaments.
    Below the cut, the living player stays because of too few points.
    """
    player, other = make.players(2, category="2P")
    for item in (player, other):
        post_points(item, points, today)
    best = make.player(category="2P")
    post_points(best, 1500, today)
    post_points(best, 500, today)
    PromotionRule.objects.update(minimum_tournaments=2)
    player.deceased_on = today
    player.save()
    memo.forget()
    english(client)
    died, living = (open_page(client, item.get_absolute_url()).lead for item in (player, other))
    assert "Estimated promotion cut 20.00" in died
    assert died.split(": ", 1)[1] == living.split(": ", 1)[1]


@pytest.mark.django_db
def test_candidates_are_read_from_ranges_of_the_index(client, today):
    """A page of candidates reads its own rows, however many players the category has."""
    for number in range(3):
        post_points(make.player(category="2P"), 1000 + 100 * number, today)
    address = reverse("promotion", args=[2026, "2p"])
    english(client)
    assert len(open_page(client, address).table("Licensed players").rows) == 3
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    for number in range(60):
        post_points(make.player(category="2P"), 2000 + 100 * (number % 7), today)
    memo.forget()
    client.get(address)
    with CaptureQueriesContext(connection) as many:
        client.get(address)
    assert len(many) == len(few)
    totals = [item["sql"] for item in many if "ledger_yeartotal" in item["sql"]]
    assert totals and all("LIMIT" in sql or " IN (" in sql or "COUNT(" in sql for sql in totals)


@pytest.mark.django_db
def test_earlier_figures_are_not_shown_after_a_players_data_changed(today):
    player = make.player(category="2P")
    before = standings_state()
    post_points(player, 3000, today)
    points = standings_state()
    assert points.version > before.version and points.people_version <= before.version
    changes.send_players_changed({player.pk})
    people = standings_state()
    assert people.people_version == people.version > points.version
