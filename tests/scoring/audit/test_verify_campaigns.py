"""The audit compares frozen lists with their digests, and applied lists with the approved ones."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scoring.audit import campaigns as verify_campaigns
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.publish import Publish
from scoring.promotions.models import PromotionCampaign, SnapshotList
from scoring.promotions.pure.states import Verb
from tests import factories as make
from tests import triggers
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.conftest import clock

__all__ = ["clock"]  # a fixture, used by name
pytestmark = pytest.mark.django_db


@pytest.fixture
def applied(clock):
    """A campaign that was applied. It has two snapshots, and a decision about one player."""
    people = campaigns.create_people()
    campaign = campaigns.frozen(people)
    Decide().perform(campaign.pk, people.diamonds[1].pk, make.category("2C"), "merit", people.office)
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "once more")
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office, campaigns.CLAIMS_UNTIL)
    clock(campaigns.AFTER_CLAIMS)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    return campaign


def test_an_untouched_campaign_is_equal(applied):
    assert verify_campaigns.differences() == []


def test_a_list_added_to_a_snapshot_is_reported(applied):
    first = applied.snapshots.get(version=1)
    with triggers.without(connection):
        SnapshotList.objects.create(snapshot=first, category=make.category("MN-O"), body="{}", sessions="{}")
    (difference,) = verify_campaigns.differences()
    assert (difference.code, difference.stored) == ("campaign", f"2025, version 1: {first.digest}")


def test_lists_that_differ_from_the_approved_ones_are_reported(applied):
    derived = applied.approved_digest
    with triggers.without(connection):
        PromotionCampaign.objects.filter(pk=applied.pk).update(approved_digest="x")
    (difference,) = verify_campaigns.differences()
    assert (difference.code, difference.stored, difference.derived) == (
        "campaign",
        "2025, approved: x",
        derived,
    )
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("verify", stdout=out, stderr=StringIO())
    assert "2025, approved: x" in out.getvalue()
