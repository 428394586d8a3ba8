"""Notices about the year-end change: who is told of a published list and of an answer."""

import pytest

from scoring.letters import notifying
from scoring.letters.composing import texts_of
from scoring.letters.models import Broadcast, Notice
from scoring.letters.notifying import perform_broadcast
from scoring.office.services import merges
from scoring.promotions.acts.claims import Answer
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.promotions.notices import ANSWERED, PUBLISHED
from tests import factories as make
from tests.scoring.letters.test_letters import linked
from tests.scoring.promotions import campaigns as year_end

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _day(clock):
    clock(year_end.FROZEN_ON)


def publish(campaign, people) -> None:
    """Publish the lists, and make the notices as a worker does."""
    Publish().perform(campaign.pk, people.office, year_end.CLAIMS_UNTIL)
    campaign.refresh_from_db()
    for _message in range(2):
        perform_broadcast(Broadcast.objects.latest("pk").pk)


def test_players_of_the_listed_categories_are_told_each_time_the_lists_are_published(client):
    people = year_end.create_people()
    listed, apart, kept = linked(people.diamonds[9]), linked(make.player()), make.player()
    survivor = linked(kept)
    campaign = year_end.approved(people)
    merges.merge(people.hearts[0], kept, "Dos números", people.office)
    publish(campaign, people)
    notices = Notice.objects.filter(kind=PUBLISHED.code)
    assert {notice.account for notice in notices} == {listed, survivor} and apart.pk
    notice = notices.get(account=listed)
    text = texts_of(listed, [notice])[notice.pk]
    assert "4 feb 2026" in text.paragraphs[0] and not text.over
    client.force_login(listed)
    assert client.get(text.path).status_code == 200
    Withdraw().perform(campaign.pk, people.office, "Error")
    text = texts_of(listed, [notice])[notice.pk]
    assert text.over and text.path == ""
    campaign.refresh_from_db()
    year_end.approve(campaign, people)
    publish(campaign, people)
    assert notices.filter(account=listed).count() == 2


def test_publishing_takes_no_query_per_player(django_assert_max_num_queries):
    people = year_end.create_people()
    for player in people.everybody:
        linked(player)
    campaign = year_end.approved(people)
    Publish().perform(campaign.pk, people.office, year_end.CLAIMS_UNTIL)
    with django_assert_max_num_queries(24):
        perform_broadcast(Broadcast.objects.get().pk)
    assert Broadcast.objects.get().state == Broadcast.State.DONE
    assert Notice.objects.filter(kind=PUBLISHED.code).count() == 15  # 1P has no list


def test_a_broadcast_lets_other_work_have_its_turn_and_goes_on_where_it_was(monkeypatch):
    monkeypatch.setattr(notifying, "CHUNK", 4)
    monkeypatch.setattr(notifying, "SLICE_SECONDS", -1)
    people = year_end.create_people()
    accounts = sorted(linked(player).pk for player in people.everybody)
    campaign = year_end.approved(people)
    Publish().perform(campaign.pk, people.office, year_end.CLAIMS_UNTIL)
    row, counts = Broadcast.objects.get(), []
    while row.state != Broadcast.State.DONE:
        perform_broadcast(row.pk)
        row.refresh_from_db()
        counts.append(Notice.objects.filter(kind=PUBLISHED.code, account__lte=row.reached).count())
        assert counts[-1] == Notice.objects.filter(kind=PUBLISHED.code).count()
        assert row.attempts <= 1 and row.lease_until is None
    assert len(counts) > 4 and counts == sorted(counts) and counts[0] < counts[-1] == 15
    assert row.reached == accounts[-1]


def test_the_player_is_told_of_the_answer_to_a_claim(client):
    people = year_end.create_people()
    claim = year_end.file_claim(year_end.published(people), people.diamonds[9])
    Answer().perform(claim.pk, False, "Los puntos son de enero.", None, people.office)
    account = claim.player.user
    (notice,) = Notice.objects.filter(kind=ANSWERED.code)
    text = texts_of(account, [notice])[notice.pk]
    assert notice.account == account and "Los puntos son de enero." in text.paragraphs
    client.force_login(account)
    assert "Los puntos son de enero." in client.get(text.path).content.decode()


def test_lists_withdrawn_before_the_workers_come_are_not_told():
    people = year_end.create_people()
    linked(people.diamonds[0])
    campaign = year_end.published(people)
    Withdraw().perform(campaign.pk, people.office, "Error")
    perform_broadcast(Broadcast.objects.get().pk)
    assert not Notice.objects.filter(kind=PUBLISHED.code).exists()
