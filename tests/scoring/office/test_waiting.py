"""The tasks that wait for each account, on the home pages and in the menu."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from django.utils import translation

from players.models import Role
from players.services import proposals
from scoring.office.models import OfficeImport
from scoring.office.queries.proposals import count_to_decide
from scoring.office.queries.waiting import waiting_for
from scoring.promotions.acts.claims import Answer, Claim
from scoring.promotions.acts.publish import Publish
from tests import factories, second
from tests.scoring.office.test_home import failed_run, waiting_upload
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.conftest import clock, module_people, people  # noqa: F401 (fixtures)
from tests.scoring.ratings import makers

pytestmark = pytest.mark.django_db
NOTHING = "Nothing waits for you."
ROOMS = {"proposal": "proposals", "office_imports": "office", "campaign": "campaigns"}


def account(*kinds, **scope):
    made = factories.user()
    for kind in kinds:
        factories.role(made, kind, **scope)
    return made


def reloaded(user):
    """Return the account reloaded, without the roles and tasks cached on it."""
    return type(user).objects.get(pk=user.pk)


def task_rooms(user) -> list[str]:
    """Return the page of each of the account's tasks, as a URL name or its short form in `ROOMS`."""
    names = (resolve(task.url).url_name for task in waiting_for(reloaded(user)))
    return [ROOMS.get(name, name) for name in names]


def home_text(user, name: str = "home") -> str:
    client = Client()
    client.cookies["django_language"] = "en"
    client.force_login(user)
    return client.get(reverse(name)).content.decode()


def office_import(by) -> None:
    OfficeImport.objects.create(kind="players", file_name="a.csv", created_by=by)


def test_the_office_has_tasks_for_failed_runs_uploads_and_lists():
    office = factories.office()
    assert (
        task_rooms(office) == [] and NOTHING in home_text(office) and NOTHING in home_text(office, "office")
    )
    failed_run()
    waiting_upload()
    office_import(office)
    assert task_rooms(office) == ["office", "uploads", "office"]
    for name in ("home", "office"):
        page = home_text(office, name)
        assert NOTHING not in page
        assert all(task.text in page for task in waiting_for(reloaded(office))[:1])


def test_proposals_are_tasks_of_approvers_and_returned_ones_of_their_preparer(monkeypatch):
    second.alone(monkeypatch)
    clerk, committee, auditor = factories.office(), account(Role.Kind.COMMITTEE), account(Role.Kind.AUDITOR)
    proposal = second.prepared(clerk)
    assert (task_rooms(clerk), task_rooms(committee), task_rooms(auditor)) == ([], ["proposals"], [])
    assert NOTHING not in home_text(committee)
    assert (
        count_to_decide(reloaded(committee)),
        count_to_decide(reloaded(clerk)),
        count_to_decide(reloaded(auditor)),
    ) == (1, 0, 0)
    proposals.give_back(proposal.pk, committee, "wrong")
    assert (task_rooms(clerk), task_rooms(committee)) == (["proposals"], [])
    assert proposal.get_absolute_url() in home_text(clerk)
    again = second.prepared(clerk)  # the corrected proposal
    proposals.withdraw(again.pk, clerk)
    assert task_rooms(clerk) == []


def test_each_step_of_a_category_change_is_a_task_of_whoever_takes_it(people, clock):  # noqa: F811
    player = people.diamonds[0]
    player.user = account()
    player.save()
    campaign = campaigns.frozen(people)
    assert (task_rooms(people.office), task_rooms(people.committee), task_rooms(player.user)) == (
        [],
        ["campaigns"],
        [],
    )
    assert campaign.get_absolute_url() in home_text(people.committee)
    campaigns.approve(campaign, people)
    assert (task_rooms(people.office), task_rooms(people.committee)) == (["campaigns"], [])
    Publish().perform(campaign.pk, people.office)
    assert (task_rooms(people.office), task_rooms(player.user)) == ([], ["player"])
    assert NOTHING not in home_text(player.user)
    claim = Claim().perform(campaign.pk, player, "Look again", player.user)
    assert task_rooms(people.office) == ["campaigns"] and NOTHING not in home_text(people.office)
    Answer().perform(claim.pk, False, "It is right", None, people.office)
    assert (task_rooms(people.office), task_rooms(player.user)) == ([], ["player", "player"])
    campaign.refresh_from_db()
    clock(campaign.claims_until.replace(year=campaign.claims_until.year + 1))
    assert task_rooms(people.office) == ["campaigns"]


def test_drafts_are_tasks_of_their_director_and_of_the_clubs_administrators():
    upload = waiting_upload()
    director, club = upload.created_by, upload.club
    keeper, region = (
        account(Role.Kind.CLUB_ADMIN, club=club),
        account(Role.Kind.REGION_ADMIN, region=club.region),
    )
    far = factories.director(factories.club())
    assert [task_rooms(item) for item in (director, keeper, region, far)] == [["uploads"]] * 3 + [[]]
    with translation.override("en"):
        assert waiting_for(reloaded(director))[0].text == "1 upload of yours is not confirmed."
        assert waiting_for(reloaded(keeper))[0].text == "1 upload of your clubs is not confirmed."


def test_a_draft_of_a_go_tournament_is_a_task_of_its_uploader():
    for sender in (factories.director(factories.club()), factories.office()):
        makers.upload(sender)
        assert task_rooms(sender) == ["uploads"]
        with translation.override("en"):
            assert waiting_for(reloaded(sender))[0].text == "1 Go tournament of yours is not confirmed."
    assert task_rooms(factories.director(factories.club())) == task_rooms(factories.office()) == []
    sender.roles.all().delete()
    assert task_rooms(sender) == []


def test_anonymous_readers_have_no_tasks(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert waiting_for(client.get(reverse("help")).wsgi_request.user) == []


def test_the_number_of_queries_does_not_grow_with_tasks(monkeypatch):
    second.alone(monkeypatch)
    clerk, committee = factories.office(), account(Role.Kind.COMMITTEE)
    queries = []
    for count in (1, 2, 3):
        failed_run()
        waiting_upload()
        office_import(clerk)
        second.prepared(committee, f"a{count}")
        proposals.give_back(second.prepared(clerk, f"b{count}").pk, committee, "no")
        reader = reloaded(clerk)
        with CaptureQueriesContext(connection) as captured:
            assert len(waiting_for(reader)) == 4 + count
        queries.append(len(captured))
    assert queries[0] == queries[2]
