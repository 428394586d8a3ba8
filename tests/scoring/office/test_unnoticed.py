"""What the office could put right and nobody asks about: it waits in the inbox."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from players.inbox import waiting_for
from players.models import CategoryAssignment
from players.services import licences
from players.services.changes import send_players_changed
from scoring.ledger.services import runs, standings
from scoring.ledger.windows import first_day
from scoring.office.models import CountableRun, CountableSearch, OfficeImport
from scoring.office.queries.unnoticed import could_count, could_count_as_of
from scoring.office.services import countable, merges
from tests import factories
from tournaments.models import Tournament
from ui.formatting import format_date

pytestmark = pytest.mark.django_db


def short(players: int = 6, without: int = 2, **fields):
    """Return a tournament that did not count for want of licences, and its players without one."""
    licensed = factories.players(players, category="2P")
    late = factories.players(without, category="2P", licensed=False)
    fields = {"end_date": factories.today()} | fields
    return factories.scored(*factories.pairs([*licensed, *late]), **fields), late


def license_all(players, since=None) -> None:
    """Give the players a licence from this day on, by default from today on, as the office does."""
    office, day = factories.office(), since or factories.today()
    for player in players:
        values = {
            "valid_from": day,
            "valid_to": day.replace(month=12, day=31),
            "issuer": "",
            "equivalent": False,
        }
        licences.add(player, values, office, "Paid late")


def search(since=None) -> CountableSearch:
    """Ask for a search, and let it be done."""
    countable.ask(since or first_day(factories.today()))
    last = CountableSearch.objects.latest("pk")
    countable.perform(last.pk)
    last.refresh_from_db()
    assert last.state == "done"
    return last


def listed() -> list[str]:
    """Return the addresses of what could count now by the office's inbox."""
    return [matter.url for matter in waiting_for(factories.office(), kind="could_count").matters]


def test_what_would_count_now_waits_for_the_office_after_a_change_of_licences(
    django_capture_on_commit_callbacks,
):
    tournament, late = short()
    search()
    assert listed() == []
    with django_capture_on_commit_callbacks(execute=True):
        license_all(late)
    asked = CountableSearch.objects.latest("pk")
    assert (asked.state, asked.since) == ("pending", factories.today())  # one search for both licences
    countable.perform(asked.pk)
    (matter,) = waiting_for(factories.office(), kind="could_count").matters
    assert tournament.name in matter.title and matter.stops_points
    assert matter.url.endswith(f"?corrige={tournament.pk}")
    assert waiting_for(factories.user()).count == 0
    with django_capture_on_commit_callbacks(execute=True):
        licences.remove(late[0].licences.get().pk, factories.office(), "A slip")
    countable.perform(CountableSearch.objects.latest("pk").pk)
    assert listed() == []


def test_the_inbox_says_as_of_when_tournaments_could_count():
    office = factories.office()
    tournament, late = short()
    for player in late:
        factories.licence(player)
    with translation.override("en"):
        (remark,) = waiting_for(office).remarks
        assert "not been looked for yet" in remark
        moment = timezone.localtime(search().created_at)
        text = f"as of {format_date(moment, 'en')}, {moment:%-H:%M}"
        inbox = waiting_for(office)
    assert text in inbox.matters[0].note and "needed: 8" in inbox.matters[0].note
    assert inbox.remarks == [f"Tournaments that could count by now: {text}."]
    assert waiting_for(office, kind="duplicates").remarks == waiting_for(factories.user()).remarks == []
    for name in ("office", "inbox", "my_place"):
        client = Client()
        client.force_login(office)
        assert f"datos del {format_date(moment, 'es')}" in client.get(reverse(name)).content.decode()


def test_a_search_that_waits_or_failed_is_not_claimed_to_be_done():
    done = search()
    assert could_count_as_of() == done.created_at
    countable.ask(factories.today())
    CountableSearch.objects.create(since=factories.today(), state="done")  # of fewer days, and later
    assert could_count_as_of() == done.created_at
    CountableSearch.objects.filter(state="pending").update(state="failed")
    assert could_count_as_of() == done.created_at
    countable.ask_daily(factories.today())
    countable.perform(CountableSearch.objects.get(state="pending").pk)
    assert could_count_as_of() > done.created_at


def test_what_was_annulled_or_corrected_or_is_too_old_is_no_longer_listed():
    day = factories.today()
    first, last, old = (short(end_date=day - timedelta(days=days)) for days in (3, 2, 1))
    for _tournament, late in (first, last, old):
        license_all(late, day - timedelta(days=3))
    search()
    assert len(listed()) == 3
    Tournament.objects.filter(pk=first[0].pk).update(annulled_at=timezone.now())
    assert len(listed()) == 2
    runs.score(runs.create_run(last[0].published, factories.office()).pk)
    assert listed() == [f"{reverse('upload_start')}?corrige={old[0].pk}"]
    long_ago = first_day(day) - timedelta(days=1)
    Tournament.objects.filter(pk=old[0].pk).update(start_date=long_ago, end_date=long_ago)
    assert listed() == []
    search()
    assert CountableRun.objects.get().run.tournament_id == old[0].pk  # deleted with its year


def test_a_search_of_few_days_leaves_earlier_tournaments_as_they_are():
    day = factories.today()
    early, late = (short(end_date=day - timedelta(days=days)) for days in (9, 1))
    for _tournament, players in (early, late):
        license_all(players, day - timedelta(days=9))
    search(day - timedelta(days=1))
    assert [row.run.tournament_id for row in could_count(day)] == [late[0].pk]
    search(day - timedelta(days=9))
    assert [row.run.tournament_id for row in could_count(day)] == [early[0].pk, late[0].pk]


def test_a_slow_search_does_not_overwrite_what_a_later_one_found(monkeypatch):
    """The slow one has read the licences before they changed."""
    day = factories.today()
    tournament, late = short()
    other, others = short(end_date=day - timedelta(days=5))
    license_all(others, day - timedelta(days=5))
    counted = countable.licensed_by_now
    changed = []

    def while_counting(revisions):
        numbers = counted(revisions)
        if not changed:
            changed.append(True)
            license_all(late)
            search(day)
        return numbers

    monkeypatch.setattr(countable, "licensed_by_now", while_counting)
    countable.ask(first_day(day))
    slow = CountableSearch.objects.latest("pk")
    countable.perform(slow.pk)
    assert {row.run.tournament_id for row in could_count(day)} == {tournament.pk, other.pk}
    slow.refresh_from_db()
    assert (slow.state, could_count_as_of()) == ("done", CountableSearch.objects.latest("pk").created_at)


def test_a_search_that_lost_its_lease_stores_nothing(monkeypatch):
    tournament, late = short()
    license_all(late)
    counted = countable.licensed_by_now

    def taken_over(revisions):
        CountableSearch.objects.update(lease_until=timezone.now() + timedelta(seconds=7))
        return counted(revisions)

    monkeypatch.setattr(countable, "licensed_by_now", taken_over)
    countable.ask(first_day(factories.today()))
    countable.perform(CountableSearch.objects.get().pk)
    assert not CountableRun.objects.exists()
    assert CountableSearch.objects.get().state == "running"


def test_a_request_is_served_by_a_search_that_has_not_begun():
    day = factories.today()
    countable.ask(day)
    countable.ask(day - timedelta(days=2))
    countable.ask(day - timedelta(days=1))
    assert CountableSearch.objects.get().since == day - timedelta(days=2)
    CountableSearch.objects.update(state="running")
    countable.ask(day)
    assert CountableSearch.objects.count() == 2


def test_lists_merges_and_late_days_ask_for_a_search(django_capture_on_commit_callbacks):
    day = factories.today()
    changes = {
        day: lambda: send_players_changed({1}, day),
        None: lambda: send_players_changed({1}),  # no licence
        False: lambda: send_players_changed({1}, day + timedelta(days=1)),
        "": lambda: send_players_changed((), day),  # a name
        first_day(day): lambda: merges.merge(*factories.players(2), "Twice", factories.office()),
    }
    for since, change in changes.items():
        CountableSearch.objects.all().delete()
        with django_capture_on_commit_callbacks(execute=True):
            change()
        asked = list(CountableSearch.objects.values_list("since", flat=True))
        assert asked == ([since] if since else []), since


def test_the_chore_of_the_day_asks_for_all_and_deletes_old_searches():
    day = factories.today()
    old, failed = search(day), search(day)
    CountableSearch.objects.filter(pk=old.pk).update(finished_at=timezone.now() - timedelta(days=3))
    CountableSearch.objects.filter(pk=failed.pk).update(state="failed")
    kept = search(day)
    countable.ask_daily(day)
    assert list(CountableSearch.objects.values_list("state", "since")) == [
        ("pending", first_day(day)),
        ("done", kept.since),
    ]


def test_reading_and_searching_take_no_more_queries_for_more_tournaments():
    day, counts = factories.today(), []
    for number in (1, 2, 3):
        _tournament, late = short()
        license_all(late)
        countable.ask(day)
        with CaptureQueriesContext(connection) as searching:
            countable.perform(CountableSearch.objects.latest("pk").pk)
        office = factories.office()
        with CaptureQueriesContext(connection) as reading:
            assert waiting_for(office, kind="could_count", number=9).count == number
        counts.append((len(searching), len(reading)))
    assert counts[0] == counts[2]


def test_players_without_a_category_wait_for_the_office():
    office, day = factories.office(), factories.today()
    waiting_for(office)  # fills the caches
    eight = factories.players(8, category="2P")
    factories.scored(*factories.pairs(eight), end_date=day)
    counts = []
    for player in eight[:2]:
        CategoryAssignment.objects.filter(player=player).update(
            revoked_at=timezone.now(), revoked_by=office, revoked_reason="A slip"
        )
        standings.refresh({player.pk})
        reader = factories.office()
        with CaptureQueriesContext(connection) as captured:
            inbox = waiting_for(reader, kind="without_category")
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
