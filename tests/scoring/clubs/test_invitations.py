"""Directors invited by e-mail: the letter or the printed code, accepting, and void invitations."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from players.models import Invitation, Role
from players.services import invitations
from tests import factories as make
from tests import servers
from tests.pages import Page
from tests.scoring.clubs.conftest import address

PASSWORD = "another-long-password"
PERSON = {"first_name": "Lola", "last_name": "Vera", "password1": PASSWORD, "password2": PASSWORD}


def invite(client, club, email: str = "lola@example.org"):
    return client.post(address("club_invite", club), {"email": email})


def link_in(letter) -> str:
    return re.search(r"https?://testserver(/\S+)", letter.body)[1]


def invited(administrator, club, email: str = "lola@example.org") -> str:
    """Invite an address, and return the link in the letter."""
    assert invite(administrator, club, email).status_code == 302
    return link_in(mail.outbox[-1])


def directors(club) -> list[str]:
    roles = Role.objects.filter(club=club, kind=Role.Kind.DIRECTOR)
    return list(roles.order_by("user__email").values_list("user__email", flat=True))


def test_an_invited_person_makes_an_account_and_is_a_director(administrator, club):
    link = invited(administrator, club, "Lola@Example.org")
    (letter,) = mail.outbox
    assert settings.FEDERATION_NAME in letter.body
    assert letter.to == ["lola@example.org"] and club.name in letter.subject
    reader = Client()
    assert reader.get(link).status_code == 200  # mail programs open links: that uses nothing up
    assert reader.post(link, PERSON).url == reverse("account_login")
    assert directors(club) == ["lola@example.org"]
    login = {"login": "lola@example.org", "password": PASSWORD}
    assert reader.post(reverse("account_login"), login).status_code == 302
    lola = get_user_model().objects.get(email="lola@example.org")
    assert lola.get_full_name() == "Lola Vera"
    who = administrator.account.pk
    assert list(lola.events.order_by("pk").values_list("kind", "by")) == [
        ("created", who),
        ("role_given", who),
    ]
    assert reader.get(link).status_code == Client().post(link, PERSON).status_code == 410
    assert not Invitation.objects.exists()


def test_whoever_has_an_account_signs_in_and_accepts_with_it(administrator, club):
    lola, reader = make.user("lola"), Client()
    link = invited(administrator, club)
    response = reader.post(link, PERSON)
    assert response.status_code == 422 and response.context["form"].non_field_errors()
    reader.force_login(lola)
    assert reader.get(link).status_code == 200 and directors(club) == []
    assert reader.post(link).status_code == 302
    assert directors(club) == ["lola@example.org"]
    assert Client().get(link).status_code == 410
    again = invited(administrator, club)
    assert reader.post(again).status_code == 302  # a director already: nothing to do
    assert directors(club) == ["lola@example.org"]


def test_inviting_gives_the_same_answer_whether_or_not_the_address_has_an_account(administrator, club):
    make.user("known")
    pages = []
    for name in ("known", "nobdy"):
        data = {"email": f"{name}@example.org"}
        response = administrator.post(address("club_invite", club), data, follow=True)
        pages.append(Page(response).text.replace(name, "NAME"))
        Invitation.objects.all().delete()
    assert pages[0] == pages[1] and "The invitation was sent to NAME@example.org." in pages[0]
    assert len({letter.body[: letter.body.index("http")] for letter in mail.outbox}) == 1


def test_sending_again_makes_the_earlier_link_void_and_withdrawing_the_last_one(administrator, club):
    first, second = invited(administrator, club), invited(administrator, club)
    assert first != second
    assert [Client().get(link).status_code for link in (first, second)] == [410, 200]
    page = administrator.get(address("club_directors", club)).content.decode()
    assert "lola@example.org" in page
    (invitation,) = Invitation.objects.all()
    administrator.post(address("club_invitation_withdraw", club, invitation.pk))
    assert Client().post(second, PERSON).status_code == 410
    assert directors(club) == []


@pytest.mark.parametrize("what", ["expired", "inviter closed", "inviter lost the role", "club closed"])
def test_an_invitation_is_void_once(administrator, club, what):
    link = invited(administrator, club)
    if what == "expired":
        Invitation.objects.update(sent_at=timezone.now() - timedelta(days=15))
        assert "expired on" in administrator.get(address("club_directors", club)).content.decode()
    elif what == "inviter closed":
        get_user_model().objects.filter(pk=administrator.account.pk).update(is_active=False)
    elif what == "inviter lost the role":
        administrator.account.roles.all().delete()
    else:
        type(club).objects.update(active=False)
    assert Client().get(link).status_code == 410
    assert Client().post(link, PERSON).status_code == 410
    assert not Role.objects.filter(kind=Role.Kind.DIRECTOR).exists()


def test_an_unused_invitation_is_deleted_after_some_months(administrator, club):
    invited(administrator, club)
    invitations.delete_old(make.today() + timedelta(days=89))
    assert Invitation.objects.count() == 1
    invitations.delete_old(make.today() + timedelta(days=92))
    assert Invitation.objects.count() == 0


def test_too_many_invitations_to_an_address_or_by_an_account_have_to_wait(administrator, club):
    for _attempt in range(3):
        invited(administrator, club)
    response = invite(administrator, club)
    assert response.status_code == 422 and response.context["form"].non_field_errors()
    assert len(mail.outbox) == 3
    for number in range(17):
        invited(administrator, club, f"a{number}@example.org")
    assert invite(administrator, club, "b@example.org").status_code == 422


@pytest.fixture
def mail_server(settings):
    """A real mail server, through which this test's letters go."""
    with servers.mail_server() as started:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", started.port
        settings.EMAIL_USE_TLS = False
        yield started


def test_the_letter_goes_through_a_mail_server(administrator, club, mail_server):
    assert invite(administrator, club, "Lola@Example.org").status_code == 302
    (letter,) = mail_server.taken
    assert letter["To"] == "lola@example.org" and letter["Subject"].startswith(f"Baza: {club.name}")
    link = re.search(r"https?://testserver(/\S+)", letter.get_body(("plain",)).get_content())[1]
    assert Client().post(link, PERSON).status_code == 302
    assert directors(club) == ["lola@example.org"]


def test_a_letter_that_the_mail_server_refuses_invites_nobody(administrator, club, mail_server):
    mail_server.recipient_answer = "550 no such user"
    response = invite(administrator, club)
    assert response.status_code == 422 and response.context["form"].non_field_errors()
    assert not Invitation.objects.exists()


@override_settings(MAIL=False)
def test_without_mail_a_code_is_printed_and_shows_nothing_about_the_address(administrator, club):
    make.user("lola")
    response = invite(administrator, club)
    code = response.context["code"]
    assert re.fullmatch(r"(\w{4} ){5}\w{4}", code) and code in response.content.decode()
    assert "no-store" in response["Cache-Control"] and not mail.outbox
    reader = Client()
    page = reverse("invitation_code")
    assert reader.post(page, {"code": "AAAA"}).status_code == 422
    link = reader.post(page, {"code": f" {code.lower()} "}).url
    taken = reader.post(link, {**PERSON, "username": "Lola"})
    assert taken.status_code == 422 and taken.context["form"].errors["username"]
    assert reader.post(link, {**PERSON, "username": "lola.vera"}).status_code == 302
    made = get_user_model().objects.get(username="lola.vera")
    assert made.email == ""  # nobody has shown that the address is theirs
    assert directors(club) == [""]


def test_a_bad_password_or_address_is_refused_and_keeps_the_invitation(administrator, club):
    assert invite(administrator, club, "no address").status_code == 422
    link = invited(administrator, club, "o'brien@example.org")
    for wrong in ({"password2": "x"}, {"password1": "lola", "password2": "lola"}, {"first_name": ""}):
        assert Client().post(link, {**PERSON, **wrong}).status_code == 422
    missing = Client().post(link, {**PERSON, "password2": ""})
    assert {name: len(texts) for name, texts in missing.context["form"].errors.items()} == {"password2": 1}
    assert Client().post(link, PERSON).status_code == 302
    assert get_user_model().objects.get(email="o'brien@example.org").username == "o_brien@example.org"
