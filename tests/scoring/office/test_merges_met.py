"""Before a merge, the page lists awards of both numbers with the same title and day, and asks to confirm."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import PlayerMerge
from scoring.audit import transfers, verify
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import posting
from scoring.office.services import merges
from tests import factories, second
from tests.scoring.office.test_merges import html_of, merge_url

pytestmark = pytest.mark.django_db

DAY = date(2025, 10, 1)


@pytest.fixture
def pair():
    name = {"given_name": "Ana", "surname": "Prado Gil"}
    return factories.player(**name), factories.player(**name)


def post_opening_award(
    player, points: int, title: str = "Pool de octubre", day: date = DAY, online=False
) -> None:
    posting.post_opening([posting.OpeningRow(player.pk, day, title, online, points)], None)


def duplicate_awards(pair) -> list[tuple]:
    return [award[:4] for award in merges.duplicate_awards(*pair)]


# --- Which awards are duplicates --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("points", "title", "online"),
    [
        (500, "Pool de octubre", False),
        (1250, "Pool de octubre", False),
        (500, "  POOL  de Óctubre ", False),
        (500, "Pool de octubre", True),
    ],
)
def test_awards_of_the_same_title_and_day_under_both_numbers_are_listed(pair, points, title, online):
    duplicate, kept = pair
    post_opening_award(kept, 1250)
    post_opening_award(duplicate, points, title, online=online)
    assert duplicate_awards(pair) == [(title, DAY, points, 1250)]


def test_awards_of_other_titles_or_days_and_reversed_ones_are_not_listed(pair):
    duplicate, kept = pair
    post_opening_award(kept, 1250)
    post_opening_award(duplicate, 1250, "Pool de noviembre")
    post_opening_award(duplicate, 1250, day=date(2025, 10, 2))
    other = factories.player()
    post_opening_award(other, 300)
    made = merges.merge(other, duplicate, "Registered twice", None)
    # The award came to this number by the merge of another number.
    assert duplicate_awards(pair) == [("Pool de octubre", DAY, 300, 1250)]
    merges.undo(made.pk, "They are two", None)
    assert duplicate_awards(pair) == []
    merges.merge(duplicate, kept, "Registered twice", None)


def test_awards_of_tournaments_are_not_listed(pair):
    duplicate, kept = pair
    four = factories.players(4, category="2P")
    factories.scored((duplicate, four[0]), four[1:3], name="Pool de octubre", end_date=DAY)
    post_opening_award(kept, 1250)
    assert duplicate_awards(pair) == []


# --- Confirming -----------------------------------------------------------------------------------------
def test_with_equal_awards_a_merge_needs_a_tick_and_keeps_both(office, pair):
    duplicate, kept = pair
    post_opening_award(duplicate, 500)
    post_opening_award(kept, 1250)
    address = merge_url(*pair)
    shown = office.get(address)
    text = html_of(shown)
    assert all(item in text for item in ("Pool de octubre", "5,00", "12,50"))
    seen = shown.context["question"]["seen"].value()
    for message in ({}, {"seen": seen}, {"meant": "on"}, {"seen": "0" * 64, "meant": "on"}):
        refused = office.post(address, {"reason": "Registered twice", **message})
        assert refused.status_code == 422
        assert refused.context["form"].non_field_errors() and refused.context["question"]
    assert not PlayerMerge.objects.exists()
    done = office.post(address, {"reason": "Registered twice", "seen": seen, "meant": "on"})
    assert done.status_code == 302
    second.approve_all()
    standing = LedgerEntry.objects.filter(player=kept, reversed_by=None).order_by("points")
    assert list(standing.values_list("points", flat=True)) == [500, 1250]
    assert [*verify.unmatched_reversals(), *transfers.differences(), *verify.compare_standings()[1]] == []


def test_an_award_posted_after_the_page_was_shown_needs_a_new_tick(office, pair):
    duplicate, kept = pair
    post_opening_award(duplicate, 500)
    post_opening_award(kept, 1250)
    seen = office.get(merge_url(*pair)).context["question"]["seen"].value()
    for player in pair:
        post_opening_award(player, 100, "Pool de mayo")
    text = {"reason": "Registered twice", "seen": seen, "meant": "on"}
    refused = office.post(merge_url(*pair), text)
    assert refused.status_code == 422 and "Pool de mayo" in html_of(refused)
    text["seen"] = refused.context["question"]["seen"].value()
    assert office.post(merge_url(*pair), text).status_code == 302


def test_the_service_requires_the_confirmation_from_every_caller(pair):
    for player in pair:
        post_opening_award(player, 500)
    with pytest.raises(ValidationError) as refused:
        merges.merge(*pair, "Registered twice", None)
    assert refused.value.code == "met"


def test_without_equal_awards_no_confirmation_is_asked(office, pair):
    post_opening_award(pair[0], 500)
    shown = office.get(merge_url(*pair))
    assert shown.context["question"] is None and "meant" not in html_of(shown)
    assert office.post(merge_url(*pair), {"reason": "Registered twice"}).status_code == 302


def test_equal_awards_are_listed_in_pages_with_a_constant_number_of_queries(office, pair):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert office.get(merge_url(*pair)).status_code == 200
        return len(captured)

    def more(numbers: range) -> None:
        for number in numbers:
            for player in pair:
                post_opening_award(player, 500, f"Pool {number}")

    more(range(1))
    before = queries()
    more(range(1, 3))
    assert queries() == before
    more(range(3, 52))
    second = html_of(office.get(f"{merge_url(*pair)}&juntos=2"))
    assert "Pool 9" in second and "Pool 10" not in second
    assert reverse("merges") in second
