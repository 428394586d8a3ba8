"""The pages on which administrators of a club see its members and appoint its directors."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Role
from tests import factories
from tests.pages import open_page
from tournaments.models import ResultUpload, UploadIssue


@pytest.fixture
def club(db):
    return factories.club()


@pytest.fixture
def administrator(client, club):
    account = factories.user()
    factories.role(account, Role.Kind.CLUB_ADMIN, club=club)
    client.force_login(account)
    client.account = account
    return client


def manage_url(club) -> str:
    return reverse("club_manage", args=[club.slug])


def test_the_clubs_page_lists_members_with_category_and_licence(administrator, club):
    factories.player()  # a player of another club
    queries, numbers = [], set()
    for licensed in (True, False, True):
        numbers.add(factories.player(club=club, category="2P", licensed=licensed).number)
        with CaptureQueriesContext(connection) as captured:
            page = administrator.get(manage_url(club))
        queries.append(len(captured))
        rows = [row.record for row in page.context["table"].rows]
        assert {(row["number"], row["category"]) for row in rows} == {(number, "2P") for number in numbers}
    assert (page.context["member_count"], page.context["licensed_count"]) == (3, 2)
    assert queries[0] == queries[2]


def test_a_hidden_member_is_a_number_to_the_club_and_a_name_to_the_office(administrator, club):
    hidden = factories.player(club=club, hidden=True, given_name="Zoraida", licensed=False)
    text = administrator.get(manage_url(club)).content.decode()
    assert hidden.number in text and "Zoraida" not in text
    administrator.force_login(factories.office())
    assert "Zoraida" in administrator.get(manage_url(club)).content.decode()


@pytest.mark.parametrize("name", ["lola", "Lola@Example.org"])
def test_a_director_is_added_by_name_or_address_and_removed(administrator, club, name):
    lola = factories.user("lola")
    add = reverse("club_director_add", args=[club.slug])
    assert administrator.post(add, {"account": name}).status_code == 302
    role = Role.objects.get(user=lola)
    assert (role.kind, role.club) == ("director", club)
    assert administrator.post(add, {"account": name}).status_code == 422
    remove = reverse("club_director_remove", args=[club.slug, role.pk])
    assert administrator.post(remove).status_code == 302
    assert not Role.objects.filter(user=lola).exists()
    journal = lola.events.order_by("pk").values_list("by", "kind")
    who = administrator.account.pk
    assert list(journal) == [(who, "role_given"), (who, "role_taken")]


def test_an_unknown_account_cannot_become_a_director(administrator, club):
    response = administrator.post(reverse("club_director_add", args=[club.slug]), {"account": "nadie"})
    assert response.status_code == 422
    assert response.context["form"].errors["account"]


def test_only_directors_of_this_club_can_be_removed(administrator, club):
    other = factories.club()
    factories.director(other)
    elsewhere = Role.objects.get(club=other)
    own_administrator = Role.objects.get(club=club, kind=Role.Kind.CLUB_ADMIN)
    for role in (elsewhere, own_administrator):
        assert (
            administrator.post(reverse("club_director_remove", args=[club.slug, role.pk])).status_code == 404
        )
        assert (
            administrator.post(reverse("club_director_remove", args=[other.slug, role.pk])).status_code == 404
        )
    assert Role.objects.count() == 2


def test_the_quality_of_uploads_is_counted_per_upload(administrator, club):
    for problems in (["place_zero", "place_zero", "no_name"], ["no_name"], []):
        upload = ResultUpload.objects.create(
            club=club, created_by=administrator.account, file_name="pool.csv", file_format="table"
        )
        for position, code in enumerate(problems):
            severity = "error" if code == "place_zero" else "warning"
            UploadIssue.objects.create(
                upload=upload, position=position, code=code, severity=severity, line=2, value="0"
            )
    uploads = administrator.get(manage_url(club)).context["uploads"]
    assert (uploads["total"], uploads["with_errors"], uploads["with_warnings"]) == (3, 1, 2)
    assert [(item["code"], item["uploads"]) for item in uploads["common"]] == [
        ("no_name", 2),
        ("place_zero", 1),
    ]
    assert all(item["message"] for item in uploads["common"])


def test_the_commonest_issues_are_listed_without_names(administrator, club):
    """The page shows the commonest issues of uploads without values from files.

    Those may be names of players who were hidden since.
    """
    upload = ResultUpload.objects.create(
        club=club, created_by=administrator.account, file_name="pool.csv", file_format="csv"
    )
    text = {"name": "Secundina Lobo", "registered": "Secundina Loba"}
    for position, code in enumerate(("name_differs", "unknown_player", "stand_in"), start=1):
        UploadIssue.objects.create(
            upload=upload, position=position, code=code, severity="warning", value="Secundina", params=text
        )
    html = administrator.get(manage_url(club)).content.decode()
    assert "Secundina" not in html
    assert html.count("…") >= 3


def test_region_administrator_sees_the_clubs_of_the_region(client, club):
    account = factories.user()
    factories.role(account, Role.Kind.REGION_ADMIN, region=club.region)
    factories.club()
    client.force_login(account)
    page = open_page(client, reverse("clubs_managed"))
    assert [row.record for row in page.context["table"].rows] == [club]
    assert manage_url(club) in page.addresses
    assert client.get(manage_url(club)).status_code == 200
