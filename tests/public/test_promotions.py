"""Promotion candidates: the rule, and the page of a year."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import ceil

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from scoring.models import PromotionRule, PromotionRuleSet
from scoring.promotions import select
from scoring.services import posting
from tests import factories as make

POINTS = st.lists(st.integers(-50, 300), max_size=60)
SHARES = st.fractions(min_value=Fraction(1, 1000), max_value=1)
MINIMUM = st.integers(0, 5)


@given(POINTS, SHARES, MINIMUM)
def test_the_rule(points, share, minimum):
    chosen = select(enumerate(points), share, minimum)
    entered = sorted((p for p in points if p > 0), reverse=True)
    inside = [place.points for place in chosen.candidates]
    outside = [place.points for place in chosen.places if not place.candidate]
    assert [place.points for place in chosen.places] == entered
    assert chosen.quota == min(max(ceil(share * len(entered)), minimum), len(entered))
    assert len(inside) >= chosen.quota
    if inside:
        # Ties at the border are all in, and nobody outside has as much as the cut.
        assert min(inside) == chosen.cut == entered[chosen.quota - 1]
        assert all(p < chosen.cut for p in outside)
        # Nobody is in who is neither in the quota nor tied with the last of it.
        assert sum(p > chosen.cut for p in inside) < chosen.quota
    else:
        assert chosen.cut is None
        assert chosen.quota == 0
    for place in chosen.places:
        assert place.rank == 1 + sum(p > place.points for p in entered)
        assert place.shared == (entered.count(place.points) > 1)
        assert place.candidate == (chosen.cut is not None and place.margin >= 0)


@given(POINTS, SHARES, MINIMUM, st.randoms(use_true_random=False))
def test_the_order_of_the_players_does_not_matter(points, share, minimum, chance):
    players = list(enumerate(points))
    shuffled = players[:]
    chance.shuffle(shuffled)
    assert select(players, share, minimum) == select(shuffled, share, minimum)


@pytest.mark.parametrize(
    ("players", "quota"), [(0, 0), (1, 1), (10, 1), (11, 2), (20, 2), (21, 3), (100, 10), (101, 11)]
)
def test_a_tenth_is_rounded_up_without_floating_point(players, quota):
    entered = [(number, 1000 - number) for number in range(players)]
    assert select(entered, Fraction(Decimal("0.1")), 1).quota == quota


@pytest.mark.parametrize("share", [Fraction(0), Fraction(-1, 10), Fraction(11, 10)])
def test_a_share_outside_the_whole_is_refused(share):
    with pytest.raises(ValueError, match="not a share"):
        select([(1, 1)], share, 1)


def give(player, points: int, day: date) -> None:
    row = posting.OpeningRow(player.pk, day, f"T{points}", False, points)
    posting.post_opening([row], None)


@pytest.mark.django_db
def test_only_points_of_the_year_and_licences_count(client, today):
    players = make.players(3, category="2P")
    unlicensed = make.player(category="2P", licensed=False)
    give(players[0], 1000, date(2026, 1, 1))
    give(players[1], 9000, date(2025, 12, 31))
    give(players[1], 500, date(2026, 5, 1))
    give(unlicensed, 9999, date(2026, 5, 1))
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
def test_unconfirmed_rules_say_so_and_confirmed_ones_do_not(client, today):
    give(make.player(category="2P"), 1000, today)
    address = reverse("promotion", args=[2026, "2p"])
    assert "note-caution" in client.get(address).content.decode()
    PromotionRuleSet.objects.update(confirmed=True)
    assert "note-caution" not in client.get(address).content.decode()


@pytest.mark.django_db
def test_where_nobody_moves_up_the_page_says_so(client, today):
    give(make.player(category="1P"), 1000, today)
    response = client.get(reverse("promotion", args=[2026, "1p"]))
    assert response.status_code == 200
    assert "<tbody" not in response.content.decode()
    assert not PromotionRule.objects.filter(category__code="1P", target__isnull=False).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("place", ["2027/2p", "2021/2p", "1066/2p", "2026/zz"])
def test_other_years_and_categories_are_not_found(client, today, place):
    assert client.get(f"/ascensos/{place}/").status_code == 404
