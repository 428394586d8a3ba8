"""Which accounts may see and change an upload: the club's director, read-only roles, and everybody else."""

import pytest
from django.urls import reverse

from players.models import Role
from tests import factories
from tests.pages import Page
from tests.scoring.uploads.makers import csv_of, details, post_file, sent
from tournaments.models import ResultUpload

pytestmark = pytest.mark.django_db

READ = ["upload_review"]
CHANGE = ["upload_edit", "upload_confirm"]


@pytest.fixture
def upload(client, club, director, pairs):
    client.force_login(director)
    made = sent(client, club, csv_of(pairs))
    client.logout()
    return made


def statuses(client, upload, method="get") -> dict[str, int]:
    names = [*READ, *CHANGE, "upload_receipt", "upload_progress", "upload_file", "upload_discard"]
    return {name: getattr(client, method)(reverse(name, args=[upload.pk])).status_code for name in names}


def role(kind, club):
    """Create an account with a role. If the role needs a scope, it is the club or the club's region."""
    account = factories.user()
    scope = {
        "club_admin": {"club": club},
        "director": {"club": club},
        "region_admin": {"region": club.region},
    }
    factories.role(account, kind, **scope.get(kind, {}))
    return account


def test_anonymous_visitors_are_sent_to_sign_in(client, upload):
    for name in ("uploads", "upload_start", "upload_typed"):
        assert "/cuenta/" in client.get(reverse(name)).url
    for method in ("get", "post"):
        assert set(statuses(client, upload, method).values()) <= {302, 405}


@pytest.mark.parametrize("outsider", ["no role", "director of another club", "committee"])
def test_other_accounts_cannot_find_an_upload(client, upload, outsider):
    accounts = {
        "no role": factories.user,
        "director of another club": lambda: factories.director(factories.club()),
        "committee": lambda: role(Role.Kind.COMMITTEE, upload.club),
    }
    client.force_login(accounts[outsider]())
    for method in ("get", "post"):
        result = statuses(client, upload, method)
        assert result.pop("upload_file") in (403, 405)
        assert set(result.values()) <= {404, 405}
    assert ResultUpload.objects.get().state == ResultUpload.State.REVIEW


@pytest.mark.parametrize("kind", ["club_admin", "region_admin", "auditor"])
def test_accounts_with_read_only_roles_cannot_change_an_upload(client, upload, kind):
    client.force_login(role(kind, upload.club))
    page = client.get(reverse("upload_review", args=[upload.pk]))
    assert page.status_code == 200
    assert page.context["form"] is None
    assert not Page(page).all(id="accept")
    assert client.get(reverse("uploads")).status_code == 200
    for name in CHANGE:
        assert client.get(reverse(name, args=[upload.pk])).status_code == 403
    for name in (*READ, *CHANGE, "upload_discard"):
        assert client.post(reverse(name, args=[upload.pk])).status_code == 403
    for name in ("upload_start", "upload_typed"):
        assert client.get(reverse(name)).status_code == 403
    assert ResultUpload.objects.get().state == ResultUpload.State.REVIEW


def test_a_director_cannot_upload_for_another_club(client, director, pairs):
    client.force_login(director)
    other = factories.club()
    page = post_file(client, other, csv_of(pairs))
    assert "club" in page.context["form"].errors
    typed = client.post(reverse("upload_typed"), {**details(), "club": other.pk})
    assert "club" in typed.context["form"].errors
    assert not ResultUpload.objects.exists()


def test_the_office_of_a_federation_without_clubs_is_led_to_the_clubs(client, db):
    client.force_login(factories.office())
    for name in ("upload_start", "upload_typed"):
        answer = client.get(reverse(name), follow=True)
        assert answer.redirect_chain[-1][0] == reverse("office_clubs")
        assert "añade el primer club" in answer.content.decode()
    assert client.get(reverse("uploads")).status_code == 200
    client.force_login(factories.user())
    assert client.get(reverse("upload_start")).status_code == 403


def test_a_draft_cannot_be_moved_to_another_club(client, director, upload):
    client.force_login(director)
    other = factories.club()
    data = {"action": "details", "club": other.pk, **details()}
    assert client.post(reverse("upload_review", args=[upload.pk]), data).status_code == 200
    upload.refresh_from_db()
    assert upload.club_id != other.pk


def test_a_correction_can_only_be_uploaded_for_the_tournaments_club(client, director, club):
    client.force_login(director)
    second = factories.club()
    factories.role(director, Role.Kind.DIRECTOR, club=second)
    mine, foreign = factories.tournament(club), factories.tournament(factories.club())
    for name in ("upload_start", "upload_typed"):
        url = reverse(name)
        assert list(client.get(f"{url}?corrige={mine.pk}").context["form"].fields["club"].queryset) == [club]
        assert client.get(f"{url}?corrige={foreign.pk}").status_code == 403
        for nonsense in ("x", "999999999", "1" * 40, "²"):
            assert client.get(url, {"corrige": nonsense}).status_code == 404


def test_only_the_office_can_download_a_file(client, director, pairs, upload):
    url = reverse("upload_file", args=[upload.pk])
    client.force_login(director)
    assert client.get(url).status_code == 403
    client.force_login(factories.office())
    ResultUpload.objects.update(file_name='a"\r\nSet-Cookie: x=ñ.csv')
    response = client.get(url)
    assert response.content == csv_of(pairs)
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"].startswith("attachment;")
    assert "\n" not in response["Content-Disposition"]


def test_a_typed_upload_has_no_file_to_download(client, director, club):
    client.force_login(director)
    client.post(reverse("upload_typed"), {**details(), "club": club.pk})
    typed = ResultUpload.objects.get()
    client.force_login(factories.office())
    assert client.get(reverse("upload_file", args=[typed.pk])).status_code == 404


def test_opening_pages_writes_nothing(client, director, upload):
    client.force_login(director)
    before = [list(ResultUpload.objects.values()), list(upload.issues.values())]
    statuses(client, upload)
    client.get(reverse("uploads"))
    assert [list(ResultUpload.objects.values()), list(upload.issues.values())] == before


def test_every_change_needs_a_csrf_token(director, upload):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(director)
    for name in (*READ, *CHANGE, "upload_discard"):
        assert strict.post(reverse(name, args=[upload.pk])).status_code == 403
    for name in ("upload_start", "upload_typed"):
        assert strict.post(reverse(name)).status_code == 403


def test_the_list_shows_uploads_of_the_readers_clubs_with_drafts_first(client, director, club, pairs, upload):
    client.force_login(director)
    with_errors = sent(client, club, b"puesto;licencia;nombre\n1;x;y", name="Con errores")
    client.post(reverse("upload_discard", args=[upload.pk]))
    elsewhere = factories.club()
    other = factories.director(elsewhere)
    client.force_login(other)
    sent(client, elsewhere, csv_of(pairs), name="De otro club")
    client.force_login(director)
    page = client.get(reverse("uploads"))
    assert [row.record["pk"] for row in page.context["table"].paginated_rows] == [with_errors.pk]
    assert "De otro club" not in page.content.decode()


@pytest.mark.parametrize("extension", ["csv", "xlsx"])
def test_the_downloaded_template_can_be_uploaded_unchanged(client, director, club, extension):
    client.force_login(director)
    response = client.get(reverse("upload_template", args=[extension]))
    assert response["Content-Disposition"].endswith(f".{extension}")
    upload = sent(client, club, response.content, f"plantilla.{extension}")
    # The players of the template's example rows do not exist. Nothing else in it is an error.
    assert set(upload.issues.filter(severity="error").values_list("code", flat=True)) == {"unknown_player"}


def test_a_template_of_an_unknown_format_is_not_found(client):
    assert client.get("/resultados/plantilla.exe").status_code == 404
