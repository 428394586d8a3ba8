"""The office's list of drafts that repeat a confirmed tournament: what it contains, and who sees it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.inbox import waiting_for
from players.models import Role
from tests import factories
from tests.pages import client_of, open_page
from tests.scoring.uploads.test_same_ranking import confirmed, ranking, received
from tournaments.models import ResultUpload
from tournaments.services import pipeline, uploads

pytestmark = pytest.mark.django_db
LIST = reverse("uploads") + "?estado=alike"


def account(kind, **scope):
    made = factories.user()
    factories.role(made, kind, **scope)
    return made


def listed(user) -> list:
    """Return the ids of the drafts in the office's list of drafts that repeat a tournament."""
    page = client_of(user).get(LIST)
    return [row.record["pk"] for row in page.context["table"].paginated_rows]


def tasks(user) -> list[str]:
    """Return the addresses of the drafts that repeat a tournament and wait for the user."""
    fresh = type(user).objects.get(pk=user.pk)
    return [matter.url for matter in waiting_for(fresh, kind="repeated").matters]


@pytest.fixture
def regulars(club):
    return factories.pairs(factories.players(8, club=club, category="2P"))


@pytest.fixture
def played(club, regulars):
    return confirmed(received(club, ranking(regulars)))


@pytest.fixture
def repeated(club, regulars, played):
    """Create a draft with the ranking of the confirmed tournament."""
    return received(club, ranking(regulars))


def test_a_repeated_draft_is_a_task_only_of_the_office(repeated, club):
    office = factories.office()
    received(club, ranking(factories.pairs(factories.players(8))))  # a draft that repeats no tournament
    assert tasks(office) == [repeated.get_absolute_url()]
    for name in ("my_place", "inbox", "office"):
        assert repeated.get_absolute_url() in open_page(client_of(office), reverse(name)).addresses
    others = [
        repeated.created_by,
        account(Role.Kind.COMMITTEE),
        account(Role.Kind.AUDITOR),
        account(Role.Kind.CLUB_ADMIN, club=club),
        account(Role.Kind.REGION_ADMIN, region=club.region),
    ]
    assert [tasks(user) for user in others] == [[]] * 5


def test_readers_list_only_repeated_drafts_of_their_own_clubs(repeated, club):
    assert [listed(user) for user in (factories.office(), account(Role.Kind.AUDITOR))] == [[repeated.pk]] * 2
    assert listed(repeated.created_by) == [repeated.pk]
    assert listed(account(Role.Kind.CLUB_ADMIN, club=club)) == [repeated.pk]
    assert listed(factories.director(factories.club())) == []
    committee, nobody = client_of(account(Role.Kind.COMMITTEE)), client_of(factories.user())
    assert [client.get(LIST).status_code for client in (committee, nobody)] == [403, 403]


def test_a_decided_discarded_or_confirmed_draft_leaves_the_list(repeated, played, club, regulars):
    office = factories.office()
    client_of(office).post(
        reverse("upload_compare", args=[repeated.pk, played.pk]),
        {"action": "separate", "separate-reason": "Dos mangas"},
    )
    assert (tasks(office), listed(office)) == ([], [])
    corrected, discarded = received(club, ranking(regulars)), received(club, ranking(regulars))
    assert len(listed(office)) == 2
    uploads.make_correction(corrected, played, "Error")
    pipeline.discard(discarded)
    assert (tasks(office), listed(office)) == ([], [])


def test_the_number_of_queries_does_not_grow_with_repeated_drafts(repeated, club, regulars):
    office, counts = factories.office(), []
    for number in (1, 2, 3):
        fresh = type(office).objects.get(pk=office.pk)
        with CaptureQueriesContext(connection) as waiting:
            assert waiting_for(fresh, kind="repeated").count == number
        client = client_of(office)
        with CaptureQueriesContext(connection) as page:
            assert len(client.get(LIST).context["table"].paginated_rows) == number
        assert not [item for item in page if '"parsed"' in item["sql"] or '"details"' in item["sql"]]
        counts.append((len(waiting), len(page)))
        received(club, ranking(regulars))
    assert counts[0] == counts[2]


def test_a_draft_older_than_the_tournament_is_listed_once_the_director_asks(club, regulars):
    """The office's list omits a draft that is older than the tournament with the same ranking.

    The reason is that the draft's stored issues were computed before that tournament was confirmed. The draft
    is in the list once its director asks the office about it.
    """
    early = received(club, ranking(regulars))
    played = confirmed(received(club, ranking(regulars)))
    office, director = factories.office(), client_of(early.created_by)
    assert listed(office) == []
    compare = reverse("upload_compare", args=[early.pk, played.pk])
    assert "ask" in open_page(director, compare).values("action") and listed(office) == []
    assert director.post(compare, {"action": "ask"}).url == compare
    assert listed(office) == [early.pk]
    page = open_page(director, compare)
    assert "ask" not in page.values("action") and "lista de la oficina" in page.text
    assert "pendiente" not in page.text  # the header counts what waits for the director
    assert client_of(factories.director(factories.club())).post(compare, {"action": "ask"}).status_code == 404
    assert client_of(account(Role.Kind.AUDITOR)).post(compare, {"action": "ask"}).status_code == 403
    pipeline.discard(early)
    director.post(compare, {"action": "ask"})
    assert ResultUpload.objects.get(pk=early.pk).state == "discarded" and listed(office) == []


def test_a_director_cannot_ask_about_a_draft_unlike_the_tournament(club, regulars, played):
    other = received(club, ranking(factories.pairs(factories.players(8))))
    compare = reverse("upload_compare", args=[other.pk, played.pk])
    page = open_page(client_of(other.created_by), compare)
    assert "ask" not in page.values("action") and "lista de la oficina" not in page.text
