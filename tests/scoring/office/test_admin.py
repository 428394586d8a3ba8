"""The admin site: what the office can edit, and what nobody can."""

from datetime import date

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, reverse

from players.models import Licence, Player, Role
from scoring.ledger.models import ScoringFactor, Standing
from tests import factories
from tests.pages import open_page
from ui.clock import today

User = get_user_model()
READ_ONLY = [
    "players.accountevent",
    "players.category",
    "players.categoryassignment",
    "players.role",
    "ledger.ledgerentry",
    "office.officeimport",
    "promotions.promotionruleset",
    "ledger.scoringfactor",
    "ledger.scoringrun",
    "ledger.standing",
    "tournaments.resultupload",
    "tournaments.revision",
    "tournaments.tournament",
]


@pytest.fixture
def staff(client, db):
    """A client signed in as the office, with its role, its group and access to the admin site."""
    account = factories.office()
    account.is_staff = True
    account.save()
    account.groups.add(Group.objects.get(name="Office"))
    client.force_login(account)
    client.account = account
    return client


@pytest.fixture
def superuser(client, db):
    account = factories.user(is_staff=True, is_superuser=True)
    factories.role(account, Role.Kind.OFFICE)
    client.force_login(account)
    client.account = account
    return client


def admin_url(model: str, page: str, *args) -> str:
    return reverse(f"admin:{model.replace('.', '_')}_{page}", args=args)


def one_object_of_each_model() -> None:
    """Create one object of each model that the admin site shows."""
    players = factories.players(8, category="2P")
    office = factories.office()
    factories.scored(*factories.pairs(players), by=office)
    ScoringFactor.objects.create(
        regulation="acbl-overall", name="M", value=1, source="Manual", valid_from=today(), set_by=office
    )


@pytest.mark.parametrize("model", [f"{model._meta.label_lower}" for model in admin.site._registry])
def test_the_number_of_queries_of_admin_lists_does_not_grow_with_rows(superuser, model):
    queries = []
    for _ in range(3):
        one_object_of_each_model()
        with CaptureQueriesContext(connection) as captured:
            assert superuser.get(admin_url(model, "changelist")).status_code == 200
        queries.append(len(captured))
    assert queries[0] == queries[2]


@pytest.mark.parametrize("model", READ_ONLY)
def test_even_a_superuser_cannot_change_points_and_results(superuser, model):
    one_object_of_each_model()
    result = apps.get_model(model).objects.first()
    options = admin.site._registry[apps.get_model(model)]
    request = superuser.get(admin_url(model, "changelist")).wsgi_request
    assert options.has_view_permission(request) is True
    assert [
        options.has_add_permission(request),
        options.has_change_permission(request, result),
        options.has_delete_permission(request, result),
    ] == [False, False, False]
    assert superuser.get(admin_url(model, "add")).status_code == 403
    if result:
        assert superuser.get(admin_url(model, "change", result.pk)).status_code == 200
        assert superuser.post(admin_url(model, "change", result.pk), {"points": "1"}).status_code == 403
        assert superuser.post(admin_url(model, "delete", result.pk), {"post": "yes"}).status_code == 403


def test_a_role_without_staff_status_does_not_open_the_admin_site(client, db):
    client.force_login(factories.office())
    assert client.get(reverse("admin:index")).status_code == 302
    assert client.get(reverse("admin:login")).status_code == 403


def test_the_office_can_edit_players_clubs_and_licences(staff):
    club = factories.club()
    data = {
        "number": "00.901",
        "given_name": "Ana",
        "surname": "Núñez",
        "club": club.pk,
        "licences-TOTAL_FORMS": 0,
        "licences-INITIAL_FORMS": 0,
        "assignments-TOTAL_FORMS": 0,
        "assignments-INITIAL_FORMS": 0,
    }
    assert staff.post(admin_url("players.player", "add"), data).status_code == 302
    assert Player.objects.values_list("number", "search_text").get() == ("901", "ana nunez")
    assert staff.get(admin_url("players.region", "add")).status_code == 200


def test_players_are_found_by_number_and_by_name_without_accents(staff):
    ana = factories.player(number="901", given_name="Ana", surname="Núñez Sol", hidden=True)
    factories.player(number="902", given_name="Eva", surname="Soto")
    for term in ("00901", "nunez ANA"):
        result_list = (
            staff.get(admin_url("players.player", "changelist"), {"q": term}).context["cl"].result_list
        )
        assert list(result_list) == [ana]
    answer = staff.get(
        reverse("admin:autocomplete"),
        {"term": "901", "app_label": "players", "model_name": "licence", "field_name": "player"},
    )
    assert [item["id"] for item in answer.json()["results"]] == [str(ana.pk)]


def test_saving_or_deleting_a_licence_updates_the_standings(staff):
    players = factories.players(8, category="2P", licensed=False)
    factories.scored(*factories.pairs(players), end_date=today(), event_type="regional")
    standing = Standing.objects.get(player=players[0])
    assert standing.licensed is False
    day = today()
    data = {"player": players[0].pk, "valid_from": date(day.year, 1, 1), "valid_to": date(day.year, 12, 31)}
    assert staff.post(admin_url("players.licence", "add"), data).status_code == 302
    standing.refresh_from_db()
    assert standing.licensed is True
    staff.post(
        admin_url("players.licence", "delete", Licence.objects.get(player=players[0]).pk), {"post": "yes"}
    )
    standing.refresh_from_db()
    assert standing.licensed is False


@pytest.mark.parametrize("client_name", ["staff", "superuser"])
def test_the_admin_site_cannot_change_rights_links_or_passwords(request, client_name):
    client = request.getfixturevalue(client_name)
    lola, player = factories.user("lola", is_active=False), factories.player()
    factories.role(lola, Role.Kind.AUDITOR)
    before = User.objects.values().get(pk=lola.pk)
    data = {
        "username": "mine", "email": "mine@example.org", "is_active": "on", "is_staff": "on",
        "is_superuser": "on", "groups": Group.objects.get(name="Office").pk, "password": "x",
        "first_name": "L",
        "roles-TOTAL_FORMS": 1, "roles-INITIAL_FORMS": 0, "roles-0-kind": "office", "roles-0-user": lola.pk,
    }  # fmt: skip
    assert client.post(admin_url("auth.user", "change", lola.pk), data).status_code == 302
    assert User.objects.values().get(pk=lola.pk) == {**before, "first_name": "L"}
    assert list(lola.roles.values_list("kind", flat=True)) == ["auditor"] and not lola.groups.exists()
    data = {
        "number": player.number,
        "given_name": "A",
        "surname": "B",
        "user": lola.pk,
        "licences-TOTAL_FORMS": 0,
        "licences-INITIAL_FORMS": 0,
        "assignments-TOTAL_FORMS": 0,
        "assignments-INITIAL_FORMS": 0,
    }
    assert client.post(admin_url("players.player", "change", player.pk), data).status_code == 302
    player.refresh_from_db()
    assert (player.given_name, player.user) == ("A", None)
    assert (
        client.post(admin_url("players.role", "add"), {"user": lola.pk, "kind": "office"}).status_code == 403
    )
    assert client.post(admin_url("auth.user", "add"), {"username": "x"}).status_code == 403
    assert client.post(f"/admin/auth/user/{lola.pk}/password/", {"password1": "x"}).status_code != 200
    with pytest.raises(NoReverseMatch):
        reverse("admin:auth_user_password_change", args=[lola.pk])
    assert User.objects.get(pk=lola.pk).check_password(factories.PASSWORD)


def test_a_superuser_without_the_office_role_cannot_open_the_admin_site(client, db):
    account = factories.user(is_staff=True, is_superuser=True)
    client.force_login(account)
    assert client.get(reverse("admin:index")).status_code == 302
    assert client.get(reverse("office")).status_code == 403


def test_the_office_cannot_give_itself_more_rights(staff):
    boss = factories.user("boss", is_staff=True, is_superuser=True)
    before = User.objects.values().get(pk=boss.pk)
    assert staff.post(admin_url("auth.user", "change", boss.pk), {"username": "mine"}).status_code == 403
    assert User.objects.values().get(pk=boss.pk) == before
    fields = open_page(staff, admin_url("auth.user", "change", staff.account.pk)).fields
    assert "first_name" in fields and not fields & {"is_superuser", "user_permissions"}


def test_the_admin_site_cannot_delete_players_or_accounts(superuser):
    player = factories.player()
    assert (
        superuser.post(admin_url("players.player", "delete", player.pk), {"post": "yes"}).status_code == 403
    )
    lola = factories.user("lola")
    assert superuser.post(admin_url("auth.user", "delete", lola.pk), {"post": "yes"}).status_code == 403
    assert Player.objects.filter(pk=player.pk).exists() and User.objects.filter(pk=lola.pk).exists()


def test_the_admin_site_cannot_move_a_licence_to_another_player(staff):
    """If a licence could be moved to another player, the first holder would still be listed as licensed."""
    holder, other = factories.player(), factories.player(licensed=False)
    licence = holder.licences.get()
    data = {"player": other.pk, "valid_from": "2022-01-01", "valid_to": "2099-12-30", "issuer": ""}
    assert staff.post(admin_url("players.licence", "change", licence.pk), data).status_code == 302
    licence.refresh_from_db()
    assert (licence.player, licence.valid_to) == (holder, date(2099, 12, 30))
