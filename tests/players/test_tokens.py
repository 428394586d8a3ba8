"""Tokens of clubs: what they allow, the page that makes and revokes them, and `manage.py upload_token`."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from players.models import AccountEvent, ClubToken, Role
from players.services import role_changes, tokens
from tests import factories
from tests.pages import Page, client_of, open_page
from tests.scoring.pages.test_queries import query_count
from tournaments.models import ResultUpload

Kind = Role.Kind
pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return factories.club()


@pytest.fixture
def administrator(club):
    account = factories.user()
    factories.role(account, Kind.CLUB_ADMIN, club=club)
    return account


def address(club) -> str:
    return reverse("club_tokens", args=[club.slug])


def test_a_token_is_stored_as_a_digest_and_found_by_its_secret(club, administrator):
    token, secret = tokens.make(club, "Bar", administrator)
    assert len(secret) == len("baza_") + 43  # 256 bits in base64
    assert secret not in str(ClubToken.objects.values())
    assert secret.startswith(token.prefix) and len(token.prefix) == 10
    assert tokens.check(secret) == tokens.Grant(token, may_confirm=False)
    assert tokens.check(secret[:-1]) is None
    assert timedelta(days=364) < token.expires_at - timezone.now() <= timedelta(days=365)


def lose_the_role(token):
    token.made_by.roles.filter(kind=Kind.CLUB_ADMIN).delete()


def close_the_account(token):
    token.made_by.is_active = False
    token.made_by.save()


def close_the_club(token):
    token.club.active = False
    token.club.save()


def expire(token):
    ClubToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())


def revoke(token):
    tokens.revoke(token, token.made_by)


@pytest.mark.parametrize("happening", [lose_the_role, close_the_account, close_the_club, expire, revoke])
def test_a_token_stops(club, administrator, happening):
    token, secret = tokens.make(club, "Bar", administrator)
    assert tokens.check(secret)
    happening(token)
    assert tokens.check(secret) is None


def test_a_token_confirms_only_while_its_maker_may_upload(club, administrator):
    with pytest.raises(ValidationError):
        tokens.make(club, "Bar", administrator, may_confirm=True)
    director = factories.role(administrator, Kind.DIRECTOR, club=club)
    administrator = type(administrator).objects.get(pk=administrator.pk)
    _token, secret = tokens.make(club, "Bar", administrator, may_confirm=True)
    assert tokens.check(secret).may_confirm
    director.delete()
    assert not tokens.check(secret).may_confirm


def test_the_use_of_a_token_is_stored_at_most_once_a_minute(club, administrator):
    token, _secret = tokens.make(club, "Bar", administrator)
    tokens.record_use(token)
    token.refresh_from_db()
    first = token.last_used_at
    tokens.record_use(token)
    token.refresh_from_db()
    assert token.last_used_at == first
    token.last_used_at = first - timedelta(minutes=1)
    tokens.record_use(token)
    token.refresh_from_db()
    assert token.last_used_at > first


def test_making_and_revoking_stand_in_the_journal_of_accounts(club, administrator):
    token, _secret = tokens.make(club, "Bar", administrator, by=administrator)
    office = factories.office()
    assert tokens.revoke(token, office)
    assert not tokens.revoke(token, office)
    events = AccountEvent.objects.filter(account=administrator).order_by("pk")
    assert [(event.kind, event.by, event.about) for event in events] == [
        ("token_made", administrator, f"Bar ({token.prefix}…), {club.name}"),
        ("token_ended", office, f"Bar ({token.prefix}…), {club.name}"),
    ]


def test_the_page_shows_the_secret_once(club, administrator, english):
    client = client_of(administrator)
    answer = client.post(address(club), {"name": "Bar", "may_confirm": "on"})
    secret = Page(answer).of_id("secret").text
    assert tokens.check(secret) == tokens.Grant(ClubToken.objects.get(), may_confirm=False)
    assert "no-store" in answer["Cache-Control"]
    assert secret not in client.get(address(club)).content.decode()


def test_the_page_keeps_a_name_that_is_too_long(club, administrator):
    answer = client_of(administrator).post(address(club), {"name": "x" * 61})
    assert answer.status_code == 422
    assert Page(answer).values("name") == ["x" * 61]
    assert not ClubToken.objects.exists()


def test_directors_among_the_administrators_are_asked_whether_it_may_confirm(club, administrator):
    assert "may_confirm" not in open_page(client_of(administrator), address(club)).main.fields
    factories.role(administrator, Kind.DIRECTOR, club=club)
    client_of(administrator).post(address(club), {"name": "Bar", "may_confirm": "on"})
    assert ClubToken.objects.get().may_confirm


def test_the_page_says_why_a_token_does_not_work_and_revokes_it(club, administrator, client, english):
    for name, happening in [("A", lambda token: None), ("B", expire), ("C", revoke)]:
        happening(tokens.make(club, name, administrator)[0])
    other = factories.user()
    factories.role(other, Kind.CLUB_ADMIN, club=club)
    tokens.make(club, "D", other)
    role_changes.TakeRole(other, Kind.CLUB_ADMIN, club).apply(None)
    client.force_login(administrator)
    page = client.get(address(club))
    assert [(row["token"].name, row["state"]) for row in page.context["rows"]] == [
        ("D", "stopped"),
        ("C", "revoked"),
        ("B", "expired"),
        ("A", "current"),
    ]
    token = ClubToken.objects.get(name="A")
    question = reverse("club_token_revoke", args=[club.slug, token.pk])
    assert question in open_page(client, address(club)).addresses
    assert "Revoke the token “A”" in open_page(client, question).main.text
    token.refresh_from_db()
    assert token.revoked_at is None
    client.post(question)
    token.refresh_from_db()
    assert token.revoked_by == administrator
    far = factories.club()
    assert client.post(reverse("club_token_revoke", args=[far.slug, token.pk])).status_code == 404


def test_the_page_opens_with_how_many_work_and_lists_the_last_files(club, administrator, client, english):
    client.force_login(administrator)
    assert "No computer can send results" in open_page(client, address(club)).main.text
    bar, old = (tokens.make(club, name, administrator)[0] for name in ("Bar", "Old"))
    revoke(old)
    assert "1 computer can send results" in open_page(client, address(club)).main.text
    send = partial(ResultUpload.objects.create, created_by=administrator)
    for number in range(6):
        sent = send(club=club, token=bar, file_name=f"pool{number}.csv")
    send(club=club, file_name="by-hand.csv")
    send(club=factories.club(), token=bar, file_name="given-away.csv")
    page = open_page(client, address(club))
    listed = [link.text for link in page.main.all("a") if ".csv" in link.text]
    assert listed == ["pool5.csv", "pool4.csv", "pool3.csv", "pool2.csv", "pool1.csv"]
    assert sent.get_absolute_url() in page.addresses


def test_three_tokens_take_as_many_queries_as_one(club, administrator):
    client = client_of(administrator)
    tokens.make(club, "A", administrator)
    count = query_count(client, address(club))
    tokens.make(club, "B", administrator), tokens.make(club, "C", administrator)
    assert query_count(client, address(club)) == count


def test_the_command_prints_a_token_in_the_name_of_who_may(club, administrator, capsys):
    office = factories.office()
    call_command("upload_token", club.code.lower())
    assert tokens.check(capsys.readouterr().out.strip()).token.made_by == administrator
    call_command("upload_token", club.code, may_confirm=True)
    assert tokens.check(capsys.readouterr().out.strip()) == tokens.Grant(
        ClubToken.objects.get(made_by=office), may_confirm=True
    )
    with pytest.raises(CommandError, match="no club"):
        call_command("upload_token", "NONE")
    with pytest.raises(CommandError, match="does not manage the club"):
        call_command("upload_token", club.code, user=factories.user().username)
