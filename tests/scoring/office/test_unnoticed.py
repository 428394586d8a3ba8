"""What the office could put right and nobody asks about: it waits in the inbox."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.inbox import waiting_for
from players.models import CategoryAssignment
from scoring.ledger.services import standings
from scoring.office.models import OfficeImport
from tests import factories

pytestmark = pytest.mark.django_db


def test_what_would_count_now_and_players_without_a_category_wait_for_the_office():
    office, day = factories.office(), factories.today()
    eight = [*factories.players(6, category="2P"), *factories.players(2, category="2P", licensed=False)]
    first = factories.scored(*factories.pairs(eight), end_date=day)
    assert waiting_for(office, kind="could_count").count == 0
    for player in eight[6:]:
        factories.licence(player)
    (matter,) = waiting_for(office, kind="could_count").matters
    assert first.name in matter.title and matter.stops_points
    assert matter.url.endswith(f"?corrige={first.pk}")
    assert waiting_for(factories.user()).count == 0

    factories.scored(*factories.pairs(eight), end_date=day)
    counts = []
    for player in eight[:2]:
        CategoryAssignment.objects.filter(player=player).update(
            revoked_at=timezone.now(), revoked_by=office, revoked_reason="A slip"
        )
        standings.refresh({player.pk})
        with CaptureQueriesContext(connection) as captured:
            inbox = waiting_for(office, kind="without_category")
        counts.append(len(captured))
    assert [matter.title for matter in inbox.matters] == [
        f"{player.full_name}, {player.number}" for player in eight[:2]
    ]
    assert counts[0] == counts[1]


def test_upkeep_comes_after_what_a_person_waits_for():
    office = factories.office()
    (player, *others) = factories.players(4, category="2P")
    factories.scored(*factories.pairs([player, *others]), end_date=factories.today() - timedelta(days=40))
    CategoryAssignment.objects.filter(player=player).update(
        revoked_at=timezone.now(), revoked_by=office, revoked_reason="A slip"
    )
    standings.refresh({player.pk})
    OfficeImport.objects.create(kind="players", file_name="a.csv", created_by=office)
    first, last = waiting_for(office).matters
    assert (first.upkeep, last.upkeep) == (False, True)
    assert last.since < first.since.date()
