"""While the federation is being set up, some acts need no second person. Tests of when this phase ends."""

from datetime import timedelta

import pytest

from players.models import CategoryAssignment, Proposal
from players.services import proposals
from scoring.annulments import services as annulments
from scoring.ledger.services.approval import being_set_up
from scoring.office.lists import imports
from scoring.office.services import category_changes
from scoring.uploads.services.confirm import confirm
from tests import factories, second
from tests.scoring.office.lists import plan_of, sent, work
from tests.scoring.uploads.makers import details
from tests.scoring.uploads.test_same_ranking import ranking
from tournaments.models import Tournament
from tournaments.services import uploads
from ui.clock import today

pytestmark = pytest.mark.django_db


def confirmed_upload_waits(**fields) -> Proposal:
    """Confirm the first tournament, of a type that needs a second person's approval. Return the proposal."""
    club = factories.club()
    director = factories.director(club)
    pairs = factories.pairs(factories.players(12, club=club, category="2P"))
    form = details(**{"boards": 24, "event_type": "national", **fields})
    confirm(uploads.receive_typed(director, club, form, ranking(pairs), None, ""), director)
    return Proposal.objects.get()


@pytest.mark.parametrize("how", ["return", "withdraw"])
def test_a_first_tournament_ends_the_setup_even_if_it_is_returned(how):
    assert being_set_up()
    waiting = confirmed_upload_waits()
    assert not being_set_up()
    if how == "return":
        proposals.give_back(waiting.pk, second.person(), "The wrong file")
    else:
        proposals.withdraw(waiting.pk, waiting.prepared_by)
    assert not Tournament.objects.exists()
    assert not being_set_up()


def test_a_first_tournament_ends_the_setup_even_if_it_is_annulled():
    tournament = factories.scored(*factories.pairs(factories.players(8)))
    annulments.annul(tournament.pk, "The wrong file", factories.office())
    assert not being_set_up()


# --- The setting ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("setup", [True, False])
def test_a_first_category_by_hand_needs_a_second_person_only_after_setup(office, settings, setup):
    settings.FEDERATION_SETUP = setup
    player, long_ago = factories.player(category=None), today() - timedelta(days=400)
    assigned = category_changes.assign(
        player, factories.category("1C"), long_ago, "Champion", office.account, evidence="Minutes 3"
    )
    assert isinstance(assigned, CategoryAssignment if setup else Proposal)
    assert player.assignments.exists() == setup


@pytest.mark.parametrize("setup", [True, False])
@pytest.mark.parametrize(
    ("kind", "row"), [("categories", "901;1C;{};;"), ("opening", "901;{};Pool;Presencial;5")]
)
def test_imported_categories_and_openings_need_a_second_person_only_after_setup(
    office, settings, kind, row, setup
):
    settings.FEDERATION_SETUP = setup
    factories.player(number="901", category=None)
    batch = sent(office, kind, row.format((today() - timedelta(days=9)).isoformat()))
    plan = plan_of(batch, today(), office.account)
    assert plan.needs_second is not setup
    imports.apply(batch.pk, plan.digest, office.account, "Season 2026", "Minutes 3")
    work()
    batch.refresh_from_db()
    assert batch.state == ("applied" if setup else "waiting")
