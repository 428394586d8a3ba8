"""Two numbers whose names differ are merged by two persons."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation

from players.models import PlayerMerge, Proposal, Role
from players.proposals import act_of
from players.services import proposals
from scoring.office.services import merges
from tests import factories as f
from tests.scoring.office.test_merges_met import opening

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english(client):
    client.cookies["django_language"] = "en"
    with translation.override("en"):
        yield


@pytest.fixture
def committee():
    account = f.user()
    f.role(account, Role.Kind.COMMITTEE)
    return account


def named(given_name: str, surname: str):
    return f.player(given_name=given_name, surname=surname)


def ask(office, duplicate, kept, **more):
    url = f"{reverse('merges')}?cede={duplicate.number}&queda={kept.number}"
    return office.post(url, {"reason": "Registered twice", **more})


@pytest.mark.parametrize(
    ("name", "other", "differ"),
    [
        (("María José", "Núñez de la Torre"), ("MARIA JOSE", "Nunez Torre"), False),
        (("Ana", "Prado Gil"), ("Ana", "Prado-Gil"), False),
        (("Ana", "Prado Gil"), ("Ana", "Prado"), True),
        (("Ana", "Prado Gil"), ("Ana", "Gil Prado"), True),
        (("Luis", "Prado Gil"), ("Luisa", "Prado Gil"), True),
        (("Soledad", "Pérez"), ("Juan", "Pérez"), True),
    ],
)
def test_what_differs(name, other, differ):
    assert merges.names_differ(named(*name), named(*other)) is differ


def test_the_second_person_sees_both_and_merges_them(office, client, committee):
    duplicate, kept = named("Soledad", "Prado Gil"), named("Juan", "Prado Gil")
    answer = ask(office, duplicate, kept)
    waiting = Proposal.objects.get()
    assert answer.url == waiting.get_absolute_url()
    assert not PlayerMerge.objects.exists()
    assert "already waits" in ask(office, duplicate, kept).content.decode()
    client.force_login(committee)
    page = client.get(answer.url)
    text = page.content.decode()
    assert "Soledad Prado Gil" in text and "Juan Prado Gil" in text and "The names differ" in text
    seen = page.context["effect"].digest
    assert client.post(answer.url, {"action": "approve", "seen": seen}).status_code == 302
    made = PlayerMerge.objects.get()
    assert (made.duplicate, made.kept, made.by, made.reason) == (
        duplicate,
        kept,
        committee,
        "Registered twice",
    )
    assert "was merged into" in client.get(answer.url).content.decode()


def test_what_changed_since_it_was_looked_at_is_looked_at_again(office, committee):
    duplicate, kept = named("Soledad", "Prado Gil"), named("Juan", "Prado Gil")
    ask(office, duplicate, kept)
    waiting = Proposal.objects.get()
    seen = act_of(waiting).effect(waiting, committee).digest
    f.licence(kept, issuer="FFB")
    with pytest.raises(ValidationError, match="look at it again"):
        proposals.approve(waiting.pk, committee, seen)
    opening(duplicate, 100)
    opening(kept, 200)
    with pytest.raises(ValidationError, match="return it"):
        proposals.approve(waiting.pk, committee, act_of(waiting).effect(waiting, committee).digest)
    assert not PlayerMerge.objects.exists()
