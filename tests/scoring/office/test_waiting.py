"""What waits for each account: the inbox, the home pages and the menu."""

from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from django.utils import timezone, translation

from players.inbox import Source, register, sources, waiting_for
from players.models import Role
from players.services import proposals
from scoring.ledger.models import ScoringRun
from scoring.office.desk import title_of
from scoring.office.models import OfficeImport
from scoring.office.queries.proposals import count_to_decide
from scoring.promotions.acts.claims import Answer, Claim
from scoring.promotions.acts.publish import Publish
from tests import factories, second
from tests.folders import ROOT
from tests.languages import speak
from tests.scoring.office.test_home import failed_run, waiting_upload
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.conftest import clock, module_people, people  # noqa: F401 (fixtures)
from tests.scoring.ratings import makers
from tournaments.models import ResultUpload

pytestmark = pytest.mark.django_db
NOTHING = "Nothing waits for you"
ROOMS = {"campaign": "campaigns"}


def account(*kinds, **scope):
    made = factories.user()
    for kind in kinds:
        factories.role(made, kind, **scope)
    return made


def reloaded(user):
    """Return the account reloaded, without the roles and tasks cached on it."""
    return type(user).objects.get(pk=user.pk)


def task_rooms(user) -> list[str]:
    """Return the page of each of the account's matters, as a URL name or its short form in `ROOMS`."""
    names = (resolve(matter.url).url_name for matter in waiting_for(reloaded(user)).matters)
    return [ROOMS.get(name, name) for name in names]


def home_text(user, name: str = "my_place") -> str:
    client = Client()
    speak(client, "en")
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
    assert task_rooms(office) == ["tournament", "upload_review", "office_import_review"]
    for name in ("my_place", "office", "inbox"):
        page = home_text(office, name)
        assert NOTHING not in page and "3 matters to resolve, 1 of them holds up points" in page
        assert all(matter.title in page for matter in waiting_for(reloaded(office)).matters)


@pytest.mark.parametrize(
    ("count", "stopping", "es"),
    [
        (0, 0, "No te espera nada"),
        (1, 0, "1 asunto por resolver"),
        (1, 1, "1 asunto por resolver, con puntos en espera"),
        (3, 1, "3 asuntos por resolver, 1 de ellos con puntos en espera"),
        (3, 3, "3 asuntos por resolver, todos con puntos en espera"),
    ],
)
def test_the_heading_says_how_much_waits_and_how_much_of_it_holds_up_points(count, stopping, es):
    with translation.override("es"):
        assert title_of(SimpleNamespace(count=count, stopping=stopping)) == es


def test_proposals_are_tasks_of_approvers_and_returned_ones_of_their_preparer(monkeypatch):
    second.alone(monkeypatch)
    clerk, committee, auditor = factories.office(), account(Role.Kind.COMMITTEE), account(Role.Kind.AUDITOR)
    proposal = second.prepared(clerk)
    assert (task_rooms(clerk), task_rooms(committee), task_rooms(auditor)) == ([], ["proposal"], [])
    assert NOTHING not in home_text(committee)
    assert (
        count_to_decide(reloaded(committee)),
        count_to_decide(reloaded(clerk)),
        count_to_decide(reloaded(auditor)),
    ) == (1, 0, 0)
    proposals.give_back(proposal.pk, committee, "wrong")
    assert (task_rooms(clerk), task_rooms(committee)) == (["proposal"], [])
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
    assert (task_rooms(people.office), task_rooms(player.user)) == ([], ["my_page"])
    assert NOTHING not in home_text(player.user)
    claim = Claim().perform(campaign.pk, player, "Look again", player.user)
    assert task_rooms(people.office) == ["campaigns"] and NOTHING not in home_text(people.office)
    Answer().perform(claim.pk, False, "It is right", None, people.office)
    assert (task_rooms(people.office), task_rooms(player.user)) == ([], ["my_page", "my_page"])
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
    assert [task_rooms(item) for item in (director, keeper, region, far)] == [["upload_review"]] * 3 + [[]]
    with translation.override("en"):
        acts = [waiting_for(reloaded(item)).matters[0].act for item in (director, keeper, region)]
    assert acts == ["Review it", "See the upload", "See the upload"]


def test_a_draft_of_a_go_tournament_is_a_task_of_its_uploader():
    for sender in (factories.director(factories.club()), factories.office()):
        makers.upload(sender)
        assert task_rooms(sender) == ["go_upload_review"]
    assert task_rooms(factories.director(factories.club())) == task_rooms(factories.office()) == []
    sender.roles.all().delete()
    assert task_rooms(sender) == []


def test_anonymous_readers_have_no_tasks(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert waiting_for(client.get(reverse("help")).wsgi_request.user).count == 0


def test_the_number_of_queries_does_not_grow_with_matters(monkeypatch):
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
            assert waiting_for(reader, number=20).count == 5 * count
        queries.append(len(captured))
    assert queries[0] == queries[2]


def test_what_stops_points_comes_first_and_then_the_longest_wait():
    office, now = factories.office(), timezone.now()
    runs, uploads = [failed_run(), failed_run()], [waiting_upload(), waiting_upload()]
    for number, run in enumerate(runs):
        ScoringRun.objects.filter(pk=run.pk).update(finished_at=now - timedelta(days=3 - 2 * number))
    for number, upload in enumerate(uploads):
        moment = now - timedelta(days=2 + 9 * number)
        ResultUpload.objects.filter(pk=upload.pk).update(created_at=moment)
    inbox = waiting_for(office)
    assert [matter.days for matter in inbox.matters] == [3, 1, 11, 2]
    assert (inbox.count, inbox.stopping, inbox.oldest.days) == (4, 2, 11)
    assert [(item.kind, item.count) for item in inbox.kinds] == [("drafts", 2), ("failed_runs", 2)]
    later = waiting_for(office, start=2, number=1)
    assert ([matter.days for matter in later.matters], later.count, later.oldest.days) == ([11], 4, 11)
    drafts = waiting_for(office, kind="drafts")
    assert (drafts.count, drafts.stopping, len(drafts.kinds)) == (2, 0, 2)


def test_the_inbox_has_pages_and_a_filter(monkeypatch):
    monkeypatch.setattr("scoring.office.desk.ROWS", 2)
    office = factories.office()
    for _number in range(3):
        waiting_upload()
    failed_run()
    client = Client()
    client.force_login(office)
    for name in ("office", "inbox"):
        listed = [
            [matter.url for matter in client.get(reverse(name), {"pagina": page}).context["matters"]]
            for page in ("1", "2", "9", "no")
        ]
        assert [len(page) for page in listed] == [2, 2, 2, 2] and listed[1] == listed[2] != listed[
            0
        ] == listed[3]
        filtered = client.get(reverse(name), {"tipo": "failed_runs"})
        assert [len(filtered.context["matters"]), filtered.context["inbox_total"]] == [1, 4]
        unknown = client.get(reverse(name), {"tipo": "x", "pagina": "9" * 30})
        assert (unknown.status_code, unknown.context["matters"]) == (200, [])


def test_an_auditor_reads_the_offices_inbox_and_has_another_of_their_own():
    auditor = account(Role.Kind.AUDITOR)
    waiting_upload()
    client = Client()
    client.force_login(auditor)
    assert [client.get(reverse(name)).context["inbox"].count for name in ("office", "inbox")] == [1, 0]


def test_every_source_is_registered():
    """A class of matters that no `AppConfig.ready` registers would never be listed."""

    def below(kind: type) -> set[type]:
        return {kind}.union(*map(below, kind.__subclasses__()))

    for room in (*ROOT.glob("scoring/*/waiting.py"), *ROOT.glob("*/waiting.py")):
        import_module(".".join(room.relative_to(ROOT).with_suffix("").parts))
    assert below(Source) - {Source} == {type(source) for source in sources()}
    with pytest.raises(ValueError):
        register(sources()[0])
