"""Forms accept only the fields that they declare."""

from importlib import import_module
from pathlib import Path

import pytest
from django import forms
from django.conf import settings
from django.contrib.auth import get_user_model
from django.urls import reverse

from players.models import Role
from players.services import invitations
from tests import factories
from ui.clock import today

ROOMS = ["ui", "players", "tournaments", "scoring", "federation"]


def our_forms() -> list[type]:
    """Return every form class of the project."""
    result = set()
    for room in ROOMS:
        for path in (Path(settings.BASE_DIR) / room).rglob("*.py"):
            if "forms" in path.as_posix() or path.name == "admin.py":
                name = ".".join(path.relative_to(settings.BASE_DIR).with_suffix("").parts)
                module = import_module(name.removesuffix(".__init__"))
                result |= {
                    var
                    for var in vars(module).values()
                    if isinstance(var, type) and issubclass(var, forms.BaseForm) and var.__module__ == name
                }
    return sorted(result, key=lambda model: model.__qualname__)


def test_every_model_form_lists_its_fields():
    models = [form for form in our_forms() if issubclass(form, forms.ModelForm)]
    assert models  # make sure that there are forms to check
    assert [model for model in models if not isinstance(model._meta.fields, list | tuple)] == []


@pytest.fixture
def club(db):
    return factories.club()


def test_accepting_an_invitation_ignores_posted_values_for_other_roles_and_clubs(client, club):
    administrator = factories.user()
    factories.role(administrator, Role.Kind.CLUB_ADMIN, club=club)
    _invitation, code = invitations.invite(club, "lola@example.org", administrator, by_mail=True)
    elsewhere = factories.club()
    data = {
        "first_name": "Lola", "last_name": "Vera", "password1": "another-long-password",
        "password2": "another-long-password", "username": "root", "email": "x@example.org", "is_staff": "on",
        "is_superuser": "on", "kind": "office", "club": elsewhere.pk, "region": club.region_id,
    }  # fmt: skip
    assert client.post(reverse("invitation", args=[code]), data).status_code == 302
    lola = get_user_model().objects.get(email="lola@example.org")
    assert (lola.username, lola.is_staff, lola.is_superuser) == ("lola@example.org", False, False)
    assert list(lola.roles.values_list("kind", "club", "region")) == [("director", club.pk, None)]


def test_a_category_assigned_by_hand_records_the_signed_in_account_as_its_author(client, db):
    office, other, player = factories.office(), factories.user(), factories.player(category="2P")
    client.force_login(office)
    data = {
        "category": factories.category("1D").pk,
        "valid_from": today().isoformat(),
        "reason": "Champion",
        "evidence": "Acta 7",
        "origin": "campaign",
        "created_by": other.pk,
        "player": factories.player().pk,
        "revoked_reason": "x",
        "revoked_evidence": "x",
    }
    client.post(f"{reverse('category_assign')}?numero={player.number}", data)
    value = player.assignments.first()
    assert (value.category.code, value.origin, value.created_by) == ("1D", "manual", office)
    assert value.revoked_reason == value.revoked_evidence == ""
