"""The day's checkpoint goes to the committee and to whoever asked for it."""

from datetime import date

import pytest

from scoring.letters.choices import choose, offered_to
from scoring.letters.composing import message_of
from scoring.letters.models import Letter, Notice
from scoring.transparency import mailing
from tests import factories as make

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 29)


@pytest.fixture
def committee():
    account = make.user("committee", email="committee@example.org")
    make.role(account, "committee")
    return account


def test_the_committee_gets_the_checkpoint_by_mail_once_a_day(client, log, committee):
    mailing.send_checkpoint(DAY)
    mailing.send_checkpoint(DAY)
    [letter] = Letter.objects.all()
    message = message_of(letter)
    assert message.to == ["committee@example.org"]
    assert client.get("/transparencia/checkpoint").content.decode() in message.body
    mailing.send_checkpoint(date(2026, 11, 30))
    assert Letter.objects.count() == 2


def test_others_get_it_only_if_they_ask(log):
    account = make.user("ana", email="ana@example.org")
    assert mailing.CHECKPOINT in offered_to(account)
    mailing.send_checkpoint(DAY)
    assert not Notice.objects.exists()
    choose(account, {"checkpoint": "once"})
    mailing.send_checkpoint(DAY)
    [letter] = Letter.objects.all()
    assert letter.account == account and "federation.test/transparencia" in message_of(letter).body


def test_the_two_kinds_are_never_offered_together(log, committee):
    codes = {kind.code for kind in offered_to(committee)}
    assert "committee_checkpoint" in codes and "checkpoint" not in codes


def test_without_a_checkpoint_nothing_is_sent(db, committee):
    mailing.send_checkpoint(DAY)
    assert not Notice.objects.exists()
