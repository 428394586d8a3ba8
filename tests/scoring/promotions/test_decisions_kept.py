"""Which decisions on players stay in force when the lists are frozen again."""

from datetime import date

import pytest
from django.urls import reverse

from players.services import categories as assigned
from scoring.promotions.acts.approve import Approve
from scoring.promotions.acts.base import Refused
from scoring.promotions.acts.decide import Decide
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from tests import factories as make
from tests.scoring.promotions import campaigns

pytestmark = pytest.mark.django_db


def decide_then_move(people, to: str | None, category: str):
    """Decide on the fourth player of category 2D, assign the player a category, and freeze the lists again.

    The category is valid from February of the campaign's year. Return the campaign and the player.

    to: code of the category to which the decision moves the player; None for staying in 2D
    category: code of the assigned category
    """
    campaign, player = campaigns.frozen(people), people.diamonds[3]
    target = make.category(to) if to else None
    Decide().perform(campaign.pk, player.pk, target, "merit", people.office)
    assigned.assign(
        player,
        make.category(category),
        date(2025, 2, 1),
        "was never entered",
        people.office,
        evidence="Acta 4",
    )
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "a category was missing")
    return campaign, player


@pytest.mark.parametrize("category", ["2C", "2P", "1P"])
def test_a_decision_lapses_when_the_players_category_changes(people, category):
    """A decision lapses if the player has another category when the lists are frozen again.

    Otherwise a decision to move from 2D to 2C would move a player of 2C to 2C, or a player of 2P down to 2C.
    """
    campaign, player = decide_then_move(people, "2C", category)
    assert player.pk not in {row.place.entrant.player_id for row in queries.movers(campaign) if row.decision}
    assert queries.decisions_in_force(campaign) == {}
    assert sum(item.decided for item in queries.overview(campaign)) == 0


def test_snapshots_are_read_once_for_all_decisions(people, django_assert_max_num_queries):
    campaign = campaigns.frozen(people)
    for player in people.diamonds[1:7]:
        Decide().perform(campaign.pk, player.pk, make.category("2C"), "merit", people.office)
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "once more")
    queries.decisions_in_force(campaign)  # fill the process's cache of frozen lists
    with django_assert_max_num_queries(4):  # decisions, versions, and the lists of two versions
        assert len(queries.decisions_in_force(campaign)) == 6


def test_a_new_decision_after_the_category_changed_has_to_be_approved(people):
    campaign, player = decide_then_move(people, "2P", "2C")
    seen = queries.list_digest(campaign)
    Decide().perform(campaign.pk, player.pk, make.category("2P"), "merit, from 2C too", people.office)
    assert {row.place.entrant.player_id: row.target for row in queries.movers(campaign)}[player.pk] == "2P"
    with pytest.raises(Refused) as refused:  # approval refers to the list without the decision
        Approve().perform(campaign.pk, people.committee, seen)
    assert refused.value.code == "changed"


def test_a_decision_on_a_player_no_longer_listed_is_not_to_be_approved(people, client):
    campaign, _player = decide_then_move(people, None, "MN")
    client.force_login(people.committee)
    page = client.get(reverse("campaign_step", args=[campaign.pk, "approve"]))
    assert (page.status_code, page.context["decided_html"]) == (200, "")
