"""The admin site: superusers with the office's role look at rows; nobody changes anything there."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Role
from scoring.ledger.models import ScoringFactor
from tests import factories
from ui.clock import today

User = get_user_model()
READ_ONLY = [
    "auth.user",
    "players.accountevent",
    "players.category",
    "players.categoryassignment",
    "players.club",
    "players.licence",
    "players.player",
    "players.region",
    "players.role",
    "ledger.ledgerentry",
    "office.officeimport",
    "promotions.promotionruleset",
    "ledger.scoringfactor",
    "ledger.scoringrun",
    "ledger.standing",
    "ratings.ratedplayer",
    "tournaments.resultupload",
    "tournaments.revision",
    "tournaments.tournament",
]


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
def test_even_a_superuser_cannot_change_anything_that_has_pages_of_its_own(superuser, model):
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


@pytest.mark.parametrize("status", [{}, {"is_staff": True}, {"is_superuser": True}])
def test_the_offices_role_does_not_open_the_admin_site(client, db, status):
    account = factories.office()
    type(account).objects.filter(pk=account.pk).update(**status)
    client.force_login(account)
    assert client.get(reverse("admin:index")).status_code == 302


def test_accounts_without_staff_status_are_not_asked_to_sign_in_again(client, db):
    client.force_login(factories.office())
    assert client.get(reverse("admin:login")).status_code == 403


def test_players_are_found_by_number_and_by_name_without_accents(superuser):
    ana = factories.player(number="901", given_name="Ana", surname="Núñez Sol", hidden=True)
    factories.player(number="902", given_name="Eva", surname="Soto")
    for term in ("00901", "nunez ANA"):
        page = superuser.get(admin_url("players.player", "changelist"), {"q": term})
        assert list(page.context["cl"].result_list) == [ana]


def test_a_superuser_without_the_office_role_cannot_open_the_admin_site(client, db):
    account = factories.user(is_staff=True, is_superuser=True)
    client.force_login(account)
    assert client.get(reverse("admin:index")).status_code == 302
    assert client.get(reverse("office")).status_code == 403
