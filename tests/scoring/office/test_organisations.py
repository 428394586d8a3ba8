"""Clubs, regions and roles on the office's pages; the administrators of clubs are invited."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.utils import timezone

from players.access import uploadable_clubs
from players.models import Club, OrganisationChange, Region, Role
from players.services import invitations
from players.services import organisations as services
from players.services.account_changes import GiveRole
from tests import factories as make
from tests.languages import speak
from tests.pages import Page, client_of, open_page
from tests.scoring.pages.test_queries import query_count

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
CLUBS, REGIONS, ROLES = "/oficina/clubes/", "/oficina/regiones/", "/oficina/cuentas/roles/"


def add_everything(region: Region) -> None:
    """Add a row to each list of the pages of clubs, regions and roles."""
    club = make.club(region=region)
    make.player(club=club)
    make.region()
    for kind, of in ((Role.Kind.DIRECTOR, (club, None)), (Role.Kind.REGION_ADMIN, (None, region))):
        account = make.user()
        make.player(user=account)
        GiveRole(account, kind, *of).apply(make.office())
    services.change(region, {"name": club.name}, make.office(), "Minutes")


def test_a_federation_without_regions_is_led_from_its_first_region_to_its_first_club(office):
    answer = Page(office.get(f"{CLUBS}nuevo/", follow=True))
    assert "add the first region" in answer.messages[0]
    fields = {"code": "R1", "name": "Levante", "reason": "Minutes"}
    answer = office.post(f"{REGIONS}nueva/", fields, follow=True)
    assert answer.redirect_chain[-1][0].endswith(f"{CLUBS}nuevo/")
    assert "add its first club" in Page(answer).messages[0]
    make.club(region=Region.objects.get())
    region = office.post(f"{REGIONS}nueva/", {**fields, "code": "R2", "name": "Norte"})
    assert region.url.endswith(f"{REGIONS}{Region.objects.get(code='R2').pk}/")


def test_three_rows_of_each_list_take_as_many_queries_as_one(office):
    region = make.region()
    add_everything(region)
    pages = [CLUBS, REGIONS, ROLES, f"{REGIONS}{region.pk}/"]
    counts = [query_count(office, page) for page in pages]
    add_everything(region)
    add_everything(region)
    assert [query_count(office, page) for page in pages] == counts


def test_a_club_is_added_changed_closed_and_opened_with_reasons(office):
    region, other = make.region(), make.region()
    data = {"code": "MIR", "name": "Casino de Miracinto", "region": region.pk, "city": "Miracinto"}
    assert office.post(f"{CLUBS}nuevo/", data).status_code == 422
    answer = office.post(f"{CLUBS}nuevo/", data | {"reason": "Joined"})
    club = Club.objects.get(code="MIR")
    assert answer.url.endswith(f"{CLUBS}{club.pk}/")
    office.post(answer.url, data | {"name": "Casino", "region": other.pk, "reason": "Minutes 4"})
    office.post(answer.url, {"act": "closing", "reason": "Dissolved"})
    club.refresh_from_db()
    assert (club.name, club.region, club.active) == ("Casino", other, False)
    assert not uploadable_clubs(make.office()).filter(pk=club.pk).exists()
    page = open_page(office, answer.url)
    assert page.lead.startswith("A closed club")
    assert page.table("History of changes").column("Reason") == ["Dissolved", "Minutes 4", "Joined"]
    office.post(answer.url, {"act": "closing", "reason": "Founded again"})
    club.refresh_from_db()
    assert club.active


def test_a_region_is_added_and_changed_and_codes_are_unique(office):
    make.region(code="LEV")
    data = {"code": "LEV", "name": "Levante", "reason": "New"}
    assert list(office.post(f"{REGIONS}nueva/", data).context["form"].errors) == ["code"]
    office.post(f"{REGIONS}nueva/", data | {"code": "LVT"})
    region = Region.objects.get(code="LVT")
    office.post(f"{REGIONS}{region.pk}/", data | {"code": "LVT", "name": "Levante y Sur"})
    region.refresh_from_db()
    assert region.name == "Levante y Sur"
    assert (
        office.post(f"{REGIONS}{region.pk}/", data | {"code": "LVT", "name": "Levante y Sur"}).status_code
        == 422
    )


def test_the_database_refuses_to_change_the_journal_of_clubs(office):
    club = make.club()
    office.post(f"{CLUBS}{club.pk}/", {"act": "closing", "reason": "Dissolved"})
    for forbidden in (
        OrganisationChange.objects.all().delete,
        lambda: OrganisationChange.objects.update(reason=""),
    ):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            forbidden()


def test_roles_are_listed_by_role_and_region_with_who_granted_them(office):
    club, granter = make.club(), make.office()
    lola = make.user("lola")
    GiveRole(lola, Role.Kind.CLUB_ADMIN, club).apply(granter)
    make.director(make.club())
    (line,) = open_page(office, ROLES, rol="club_admin", region=club.region.slug).table("Roles").records
    assert line["Account"] == "lola" and club.name in line["Role"]
    assert line["Granted by"] == granter.username


# --- Inviting an administrator ----------------------------------------------------------------------------
def invited(office, club) -> str:
    """Invite an administrator of the club by e-mail, and return the address of the link in the letter."""
    answer = office.post(f"{CLUBS}{club.pk}/invitar/", {"email": "lola@example.org"})
    assert answer.status_code == 302
    return re.search(r"http://testserver(\S+)", mail.outbox[-1].body)[1]


def test_whoever_accepts_the_offices_invitation_administers_the_club(office):
    club, lola = make.club(), make.user("lola")
    link = invited(office, club)
    assert club.name in mail.outbox[-1].subject
    client = client_of(lola)
    speak(client, "es")
    assert open_page(client, link).headings(1) == [f"Te invitan a administrar {club.name}"]
    client.post(link)
    assert list(lola.roles.values_list("kind", "club")) == [("club_admin", club.pk)]
    assert client_of(make.user()).get(link).status_code == 410
    assert "lola" in open_page(office, f"{CLUBS}{club.pk}/").text


def test_an_invitation_to_administer_ends_with_the_inviters_role_and_when_withdrawn(office):
    club = make.club()
    link = invited(office, club)
    office.account.roles.all().delete()
    make.role(office.account, Role.Kind.CLUB_ADMIN, club=club)
    assert client_of(make.user()).get(link).status_code == 410
    office.account.roles.all().delete()
    make.role(office.account, Role.Kind.OFFICE)
    assert client_of(make.user()).get(link).status_code == 200
    office.post(f"{CLUBS}{club.pk}/invitaciones/{club.invitations.get().pk}/retirar/")
    assert client_of(make.user()).get(link).status_code == 410


def test_administrators_of_a_club_neither_invite_nor_withdraw_administrators(office):
    club = make.club()
    admin = make.user()
    make.role(admin, Role.Kind.CLUB_ADMIN, club=club)
    with pytest.raises(PermissionDenied):
        invitations.invite(club, "eva@example.org", admin, by_mail=True, role=Role.Kind.CLUB_ADMIN)
    invited(office, club)
    page = Page(client_of(admin).get(f"/gestion/clubes/{club.slug}/directores/"))
    assert "lola@example.org" not in page.text
    withdraw = f"/gestion/clubes/{club.slug}/directores/invitaciones/{club.invitations.get().pk}/retirar/"
    assert client_of(admin).post(withdraw).status_code == 404
    assert club.invitations.get().sent_at > timezone.now() - timedelta(minutes=1)
