"""The factories and helpers that other tests rely on."""

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Sum

from players.models import Category
from scoring.ledger.models import LedgerEntry
from scoring.promotions.models import PromotionRule
from tests import factories as make


@pytest.mark.django_db
def test_a_stored_ranking_has_seats_for_its_players_and_guests():
    four = make.players(4, category="2C")
    revision = make.revision(*make.pairs(four), ("A guest", "Another"))
    assert revision.seats.count() == 6
    assert set(revision.seats.exclude(player=None).values_list("player", flat=True)) == {p.pk for p in four}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", ["first", "again"])
def test_tests_empty_the_ledger_and_keep_the_rows_of_migrations(time):
    entry = LedgerEntry.objects.create(
        kind="opening", player=make.player(), points=100, played_on=make.today(), online=False, title="Old"
    )
    assert LedgerEntry.objects.aggregate(Sum("points"))["points__sum"] == 100
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.delete()
    assert Category.objects.filter(successor__isnull=False).count() == 2
    assert PromotionRule.objects.count() == 18
