"""The two standings of a past day: as published on that day, and as known today, with later corrections."""

from datetime import date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import CategoryAssignment
from players.services import changes
from scoring.ledger.models import LedgerEntry
from scoring.ledger.queries.scope import Scope
from scoring.ledger.queries.standings import PastList
from scoring.ledger.services import posting, standings
from scoring.office.services import merges
from tests import factories as make
from tests import triggers
from tests.languages import speak
from tests.pages import Page

pytestmark = pytest.mark.django_db

THEN = date(2026, 3, 10)
BEFORE = timezone.make_aware(datetime(2026, 3, 10, 23, 59, 59))
AFTER = BEFORE + timedelta(seconds=1)


@pytest.fixture(autouse=True)
def english(client):
    speak(client, "en")
    standings.rebuild(date(2026, 3, 20))


def post_points(player, points: int, title: str = "Open") -> LedgerEntry:
    row = posting.OpeningRow(player.pk, date(2026, 3, 1), title, False, points)
    return LedgerEntry.objects.get(pk=posting.post_opening([row], None)[0])


def set_recorded_at(row, at, column: str = "created_at") -> None:
    """Change the time at which a row was stored."""
    column = "posted_at" if isinstance(row, LedgerEntry) else column
    with triggers.without(connection):
        type(row).objects.filter(pk=row.pk).update(**{column: at})


def list_rows(known_then: bool, code: str = "2P") -> list[tuple]:
    scope = Scope(make.category(code), THEN, as_published=known_then)
    return [(row["player_id"], row["points"], row["tournaments"]) for row in PastList(scope).every_row()]


def record_categories_early(player) -> None:
    """Backdate the time at which the player's category assignments were stored."""
    CategoryAssignment.objects.filter(player=player).update(created_at=BEFORE - timedelta(days=900))


def test_awards_posted_later_count_only_in_the_list_as_known_today():
    player = make.player(category="2P")
    record_categories_early(player)
    first, late = post_points(player, 100), post_points(player, 50, "Late")
    set_recorded_at(first, BEFORE)
    set_recorded_at(late, AFTER)
    assert list_rows(True) == [(player.pk, 100, 1)]
    assert list_rows(False) == [(player.pk, 150, 2)]
    posting.take_back([first.pk], "Corrected", None)  # taken back today
    assert list_rows(True) == [(player.pk, 100, 1)]
    assert list_rows(False) == [(player.pk, 50, 1)]


def test_backdated_category_changes_do_not_change_the_list_as_published():
    player, other = make.player(category="2P"), make.player(category="2P")
    for item in (player, other):
        record_categories_early(item)
        set_recorded_at(post_points(item, 100), BEFORE)
    make.assign(player, "1D", date(2026, 1, 1))  # recorded today
    revoked = other.assignments.get()
    revoked.revoked_at, revoked.revoked_reason = timezone.now(), "A mistake"
    revoked.save()
    changes.send_players_changed({player.pk, other.pk})
    assert [row[0] for row in list_rows(True)] == [player.pk, other.pk]
    assert list_rows(False) == [] and [row[0] for row in list_rows(False, "1D")] == [player.pk]
    set_recorded_at(revoked, BEFORE, "revoked_at")
    assert [row[0] for row in list_rows(True)] == [player.pk]


def test_past_lists_show_numbers_as_merged_today():
    duplicate, kept = make.player(category="1D"), make.player(category="2P")
    for player, points in ((duplicate, 100), (kept, 30)):
        record_categories_early(player)
        set_recorded_at(post_points(player, points, f"Open {points}"), BEFORE)
    merges.merge(duplicate, kept, "One person", None)
    assert list_rows(True) == list_rows(False) == [(kept.pk, 130, 2)]
    assert list_rows(True, "1D") == []


def test_the_page_offers_both_lists_of_a_past_day_and_names_the_one_shown(client):
    player = make.player(category="2P")
    record_categories_early(player)
    late = post_points(player, 12345)
    set_recorded_at(late, AFTER)
    url = reverse("standing", args=["2p"])
    assert "published then" not in client.get(url).content.decode()
    today = client.get(url, {"a": "2026-03-10", "lugar": "presencial"})
    assert "As known today" in today.content.decode() and "123.45" in today.content.decode()
    then = client.get(today.context["knowledge"]["other"])
    page = Page(then)
    assert "As published then" in page.text and "are those of today" in page.text
    assert "123.45" not in page.text and page.values("segun") == ["entonces"]
    assert then.context["filters"].venue == "presencial"
    back = client.get(then.context["knowledge"]["other"]).content.decode()
    assert "As known today" in back
    file = client.get(url, {"a": "2026-03-10", "segun": "entonces", "formato": "csv"})
    assert "published" in file["Content-Disposition"]


def test_the_number_of_queries_of_a_past_list_does_not_grow_with_players(client):
    url = reverse("standing", args=["2p"])

    def queries() -> int:
        with CaptureQueriesContext(connection) as result:
            client.get(url, {"a": "2026-03-10", "segun": "entonces"})
        return len(result)

    def grow() -> None:
        duplicate, kept = make.player(category="2P"), make.player(category="2P")
        record_categories_early(kept)
        set_recorded_at(post_points(kept, 100), BEFORE)
        merges.merge(duplicate, kept, "One person", None)

    grow()
    queries()
    few = queries()
    grow(), grow()
    queries()  # this call fills the caches for the version of the standings
    assert queries() == few


def test_a_receipt_says_when_the_categories_were_recorded(client):
    players = make.players(8, category="2P")
    tournament = make.scored(*make.pairs(players))
    entry = tournament.entries.order_by("pk").first()
    shown = client.get(reverse("award", args=[entry.player.number, entry.pk])).content.decode()
    assert "Categories as recorded on" in shown
