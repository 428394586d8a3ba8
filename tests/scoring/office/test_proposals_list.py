"""The list of proposals names whom or what each proposal concerns, so that rows can be distinguished."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Proposal, Role
from players.proposals import act_of
from players.services.accounts import change
from players.services.role_changes import GiveRole
from scoring.office.queries.proposals import records
from scoring.office.services import category_changes, merge_proposals, merges, rescore
from scoring.office.services.adjustments import Adjustment, propose_adjustment
from scoring.uploads.services.confirm import confirm
from tests import factories, second
from tests.pages import open_page
from tests.scoring.office.lists import apply, sent
from tests.scoring.uploads.makers import details
from tests.scoring.uploads.test_same_ranking import ranking
from tournaments.services import uploads
from ui.clock import today

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


@pytest.fixture
def clerk():
    return factories.office()


def adjusted(player, clerk) -> Proposal:
    return propose_adjustment(Adjustment(player.pk, today(), "Open", False, 500), "Why", "Minutes 4", clerk)


def recategorised(player, clerk) -> Proposal:
    return category_changes.assign(
        player, factories.category("1P"), today() - timedelta(days=9), "Why", clerk, evidence="Minutes 4"
    )


def merged(clerk) -> Proposal:
    names = ({"given_name": "Ana", "surname": "Gil"}, {"given_name": "Eva", "surname": "Río", "hidden": True})
    duplicate, kept = (factories.player(**name) for name in names)
    return merge_proposals.propose_merge(duplicate, kept, "Why", clerk, merges.fingerprint([]))


def shown(user, proposal: Proposal) -> str:
    """Return whom or what a proposal concerns, as the list shows it to the user."""
    return records([proposal], user)[0]["concerned"]


def test_the_list_names_players_as_the_reader_may_see_them(clerk):
    player = factories.player(category="2P", hidden=True)
    outsider = factories.user()
    for proposal in (adjusted(player, clerk), recategorised(player, clerk)):
        assert shown(clerk, proposal) == player.desk_name
        assert shown(outsider, proposal) == player.public_name


def test_the_list_names_both_players_of_a_merge_and_of_undoing_it(clerk):
    proposal = merged(clerk)
    names = shown(clerk, proposal)
    assert names.startswith("Ana Gil, Eva Río (") and shown(factories.user(), proposal).startswith(
        "Ana Gil, Player"
    )
    record_id = second.approve(proposal, second.person()).result["merge"]
    record = merge_proposals.PlayerMerge.objects.get(pk=record_id)
    assert shown(clerk, merge_proposals.propose_undo(record, "Why", clerk)) == names


def test_the_list_names_the_owner_of_an_account(clerk):
    """A proposal about an account shows the account's own name, or else the name of its player."""
    named = factories.user(first_name="Ana", last_name="Gil")
    player = factories.player(user=factories.user())
    owners = {named: "Ana Gil", player.user: player.full_name, factories.user(): None}
    for account, name in owners.items():
        assert shown(clerk, change(GiveRole(account, Role.Kind.AUDITOR), clerk, "Why")) == name


def test_the_list_shows_how_many_lines_an_imported_list_has(office, client):
    for number in ("901", "902"):
        factories.player(number=number, category="2P")
    day = (today() - timedelta(days=1)).isoformat()
    apply(office, sent(office, "categories", *(f"{number};1D;{day};;" for number in ("901", "902"))))
    proposal = Proposal.objects.get()
    assert shown(office.account, proposal) == "2 lines"


def test_the_list_shows_how_many_players_a_tournament_has(clerk):
    club = factories.club()
    pairs = factories.pairs(factories.players(12, club=club))
    director = factories.director(club)
    upload = uploads.receive_typed(director, club, details(boards=24, event_type="national"), ranking(pairs))
    confirm(upload, director)
    proposal = Proposal.objects.get()
    assert shown(clerk, proposal) == "12 players"
    second.proposals.withdraw(proposal.pk, director)
    proposal.refresh_from_db()
    assert shown(clerk, proposal) is None  # the ranking was deleted


def test_the_list_shows_club_and_day_of_a_tournament_to_be_scored_again(clerk):
    tournament = factories.scored(*factories.pairs(factories.players(8)))
    other = rescore.alternatives(tournament)[0]
    digest = rescore.preview(tournament, other).digest
    proposal = rescore.propose_rescoring(tournament, other, "Why", clerk, digest)
    assert shown(clerk, proposal).startswith(f"{tournament.club.name}, ")


def test_the_list_names_what_is_concerned_without_a_query_per_row(client, clerk):
    client.force_login(clerk)
    asked = []
    for more in (1, 2):
        for _number in range(more):
            player = factories.player(category="2P")
            proposals = (adjusted(player, clerk), recategorised(player, clerk), merged(clerk))
        with CaptureQueriesContext(connection) as queries:
            page = open_page(client, reverse("proposals"))
        asked.append(len(queries))
    rows = page.tables[0].element.text
    assert player.full_name in rows and "Ana Gil, Eva Río" in rows
    assert not any(str(act_of(proposal).label) in rows for proposal in proposals)
    assert asked[0] == asked[1]
