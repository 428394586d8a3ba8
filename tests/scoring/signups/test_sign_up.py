"""Members make an account for their federation number, by a link in a letter or by a printed code."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import AccountEvent, Player, Role, SignUpKey
from players.services import journal, signups
from scoring.ledger.services import queue
from scoring.letters import delivery
from scoring.office.services import merges
from scoring.signups import asking, sending
from scoring.signups.models import SignUpLetter
from tests import factories as make
from tests import servers
from tests.languages import speak
from tests.sign_up_letters import letters_for_password, post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
PASSWORD = "another-long-password"
CHOSEN = {"password1": PASSWORD, "password2": PASSWORD}
State = SignUpLetter.State


def visitor(**defaults) -> Client:
    """Return a client that is not signed in and reads English."""
    client = Client(**defaults)
    speak(client, "en")
    return client


def member(**fields) -> Player:
    return make.player(**{"email": "alba@example.org", "birth_year": 1960, **fields})


def ask(number: str, email: str = "alba@example.org", client: Client | None = None):
    return (client or visitor()).post(reverse("sign_up"), {"number": number, "email": email})


def link_in(letter) -> str:
    return re.search(r"https?://[^/]+(/\S*cuenta/alta/\S+)", letter.body)[1]


def link_for(player: Player) -> str:
    """Ask for a letter as the player, and return the link in it."""
    ask(player.number, player.email)
    (letter,) = post()
    assert letter.to == [player.email]
    return link_in(letter)


def sign_in(login: str, password: str = PASSWORD) -> int | None:
    """Sign in, and return the id of the account; None if that was refused."""
    client = visitor()
    client.post(reverse("account_login"), {"login": login, "password": password})
    account = client.session.get("_auth_user_id")
    return account and int(account)


def test_a_member_makes_an_account_with_the_link_in_the_letter():
    player, reader = member(number="462158", hidden=True), visitor()
    assert ask("00 462 158", "Alba@Example.org", reader).url == reverse("sign_up_sent")
    assert reader.get(reverse("sign_up_sent")).status_code == 200
    (letter,) = post()
    assert letter.to == ["alba@example.org"] and "462158" in letter.subject
    assert player.surname not in letter.body
    link = link_in(letter)
    (rich,) = letter.alternatives
    assert link in rich.content and "unsubscribe" not in rich.content
    assert "Make my account" in rich.content  # what the button does
    assert reader.get(link).status_code == 200  # mail programs open links: that uses nothing up
    answer = reader.post(link, CHOSEN)
    player.refresh_from_db()
    account = player.user
    assert (answer.url, account.get_username(), account.email) == (
        reverse("my_page"),
        "462158",
        "alba@example.org",
    )
    assert int(reader.session["_auth_user_id"]) == account.pk
    assert account.get_full_name() == ""  # the name of a hidden player is nowhere but in the register
    assert list(account.events.order_by("pk").values_list("kind", "by")) == [
        ("created", account.pk),
        ("linked", account.pk),
    ]
    assert {sign_in(login) for login in ("462158", "00462158", "462 158", "alba@example.org")} == {account.pk}
    assert visitor().get(link).status_code == visitor().post(link, CHOSEN).status_code == 410


def statements(number: str, email: str) -> list[str]:
    """Ask for a letter, and return the SQL statements of the request without their values."""
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert ask(number, email).url == reverse("sign_up_sent")
    return [re.sub(r"'[^']*'|s\d+_x\d+|\b\d+\b|\bNULL\b", "?", query["sql"]) for query in queries]


def test_asking_does_the_same_work_whatever_is_in_the_register():
    free, taken = member(), member(user=make.user(), email="taken@example.org")
    dead = member(deceased_on=make.today(), email="dead@example.org")
    statements("1", "first@example.org")  # fills caches
    asked = [
        statements(free.number, free.email),
        statements(free.number, "wrong@example.org"),
        statements(taken.number, taken.email),
        statements(dead.number, dead.email),
        statements("99999999", "nobody@example.org"),
    ]
    assert asked == [asked[0]] * len(asked)
    assert not any("players_player" in sql for sql in asked[0])
    assert mail.outbox == [] and SignUpLetter.objects.count() == 6
    sent = {letter.to[0] for letter in post()}
    assert sent == {"alba@example.org", taken.user.email}


def test_nobody_makes_an_account_for_somebody_elses_number():
    mine, other = member(), member(email="other@example.org")
    ask(other.number, mine.email)
    assert post() == []
    link = link_for(mine)
    forged = link.rstrip("/")[:-1] + ("0" if link.rstrip("/")[-1] != "0" else "1") + "/"
    assert visitor().get(forged).status_code == 410
    assert not SignUpKey.objects.filter(player=other).exists()


def test_the_owner_of_a_number_with_an_account_gets_a_letter_that_says_so():
    player = member(user=make.user(email="own@example.org"))
    ask(player.number, player.email)
    (letter,) = post()
    assert letter.to == ["own@example.org"] and "has an account already" in letter.subject
    assert reverse("account_login") in letter.body and "alta" not in letter.body


def test_two_members_who_share_an_address_make_an_account_each():
    his, hers = member(), member()
    links = [link_for(his), link_for(hers)]
    passwords = ["the-password-of-one", "the-password-of-two"]
    for link, password in zip(links, passwords, strict=True):
        assert visitor().post(link, {"password1": password, "password2": password}).status_code == 302
    for player, password in zip((his, hers), passwords, strict=True):
        player.refresh_from_db()
        assert sign_in(player.number, password) == player.user_id
    assert his.user_id != hers.user_id and his.user.email == hers.user.email


def test_the_office_sends_a_new_password_to_one_of_two_accounts_with_an_address(rf):
    one, two = make.user(email="both@example.org"), make.user(email="both@example.org")
    client = visitor()
    client.force_login(make.office())
    client.post(reverse("account_password", args=[two.pk]))
    (letter,) = mail.outbox
    assert two.get_username() in letter.body and one.get_username() not in letter.body


@pytest.mark.parametrize("field", ["deceased_on", "erased_on"])
def test_a_member_who_has_died_or_was_erased_gets_no_letter_and_a_link_stops_working(field):
    player = member()
    link = link_for(player)
    Player.objects.update(**{field: make.today()})
    assert visitor().get(link).status_code == visitor().post(link, CHOSEN).status_code == 410
    ask(player.number)
    assert post() == []
    assert signups.print_codes([Player.objects.get()], make.office()) == {}


def test_both_numbers_of_a_merged_member_lead_to_the_surviving_one():
    survivor, duplicate = member(), member(email="")
    merges.merge(duplicate, survivor, "Registered twice", make.office())
    ask(duplicate.number)
    (letter,) = post()
    visitor().post(link_in(letter), CHOSEN)
    survivor.refresh_from_db()
    assert survivor.user.get_username() == survivor.number
    assert sign_in(duplicate.number) == survivor.user_id


def test_a_member_under_14_is_told_by_letter_who_to_write_to():
    player = member(birth_year=make.today().year - 13)
    ask(player.number)
    (letter,) = post()
    assert "a parent or guardian writes to the federation office" in letter.body
    assert not SignUpKey.objects.exists()
    Player.objects.update(birth_year=make.today().year - 15)
    assert visitor().get(link_for(Player.objects.get())).status_code == 200


def test_a_member_of_unknown_age_has_to_say_that_they_are_14_and_it_is_recorded():
    player = member(birth_year=None)
    link = link_for(player)
    answer = visitor().post(link, CHOSEN)
    assert answer.status_code == 422 and "People under 14 have no account" in answer.content.decode()
    assert visitor().post(link, {**CHOSEN, "of_age": "on"}).status_code == 302
    linked = AccountEvent.objects.get(kind="linked")
    assert linked.detail["of_age"] is True and "says to be 14 or older" in linked.about


def test_another_address_in_the_register_makes_the_link_void():
    player = member()
    link = link_for(player)
    Player.objects.update(email="new@example.org")
    assert visitor().post(link, CHOSEN).status_code == 410
    assert not get_user_model().objects.exists()


def test_a_link_works_for_some_days_and_a_second_letter_does_not_make_it_void(settings):
    player = member()
    first = link_for(player)
    assert link_for(player) == first
    days = settings.SIGN_UP_LINK_DAYS
    SignUpKey.objects.update(made_at=timezone.now() - timedelta(days=days))
    assert visitor().get(first).status_code == 410
    assert link_for(player) != first


def test_a_bad_password_keeps_the_page_and_the_link():
    player = member()
    link = link_for(player)
    for chosen, text in (
        ({"password1": PASSWORD, "password2": "different-password"}, "The two passwords are not the same."),
        ({"password1": "short", "password2": "short"}, "short"),
        ({"password1": player.number * 10, "password2": player.number * 10}, "entirely numeric"),
    ):
        answer = visitor().post(link, chosen)
        assert answer.status_code == 422 and text in answer.content.decode()
    assert visitor().get(link).status_code == 200


def test_a_number_that_is_too_long_is_not_said_to_have_other_signs_than_digits():
    assert "digits only, 12 at most" in ask("9" * 20).content.decode()


# --- Limits ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("number", "email", "network"),
    [
        (lambda turn: str(100 + turn), lambda turn: "bombed@example.org", lambda turn: f"192.0.2.{turn}"),
        (lambda turn: "100", lambda turn: f"a{turn}@example.org", lambda turn: f"192.0.2.{turn}"),
        (lambda turn: str(100 + turn), lambda turn: f"a{turn}@example.org", lambda turn: "192.0.2.1"),
    ],
    ids=["address", "number", "network"],
)
def test_asking_is_limited_by_address_by_number_and_by_network(request, number, email, network):
    most = signups.ASKED[request.node.callspec.id].free
    for turn in range(most):
        client = visitor(REMOTE_ADDR=network(turn))
        assert ask(number(turn), email(turn), client).status_code == 302
    answer = ask(number(most), email(most), visitor(REMOTE_ADDR=network(most)))
    page = answer.content.decode()
    assert answer.status_code == 422 and "too many attempts" in page and email(most) in page
    assert SignUpLetter.objects.count() == most


def test_wrong_codes_are_limited():
    player, tried = member(), {"code": "AAAA AAAA AAAA"}
    for _turn in range(signups.TRIED["number"].free):
        answer = visitor().post(reverse("sign_up_code"), {"number": player.number, **tried})
        assert "do not go together" in answer.content.decode()
    code = signups.print_codes([player], make.office())[player.pk]
    answer = visitor().post(reverse("sign_up_code"), {"number": player.number, "code": code})
    assert answer.status_code == 422 and "too many attempts" in answer.content.decode()


# --- Codes ----------------------------------------------------------------------------------------------
def use(number: str, code: str, client: Client | None = None, **chosen):
    """Type a code and, if it works, make the account. Return the last response."""
    client = client or visitor()
    answer = client.post(reverse("sign_up_code"), {"number": number, "code": code})
    return client.post(answer.url, {**CHOSEN, **chosen}) if answer.status_code == 302 else answer


def test_a_member_without_an_address_makes_an_account_with_a_printed_code():
    player, office = member(email=""), make.office()
    code = signups.print_codes([player], office)[player.pk]
    assert code not in str(SignUpKey.objects.values())
    assert use(player.number, signups.in_groups(code)).status_code == 302
    player.refresh_from_db()
    assert player.user.email == "" and sign_in(player.number) == player.user_id
    assert list(player.user.events.order_by("pk").values_list("kind", "by")) == [
        ("created", office.pk),
        ("linked", office.pk),
    ]
    assert use(player.number, code).status_code == 422  # used


def test_who_printed_the_code_approves_nothing_that_the_account_prepares():
    player, office = member(), make.office()
    use(player.number, signups.print_codes([player], office)[player.pk])
    player.refresh_from_db()
    assert journal.preparer_hold_message(office, player.user)
    assert journal.held_until(player.user) is not None


def test_the_address_in_the_register_learns_that_a_code_was_used():
    player = member()
    use(player.number, signups.print_codes([player], make.office())[player.pk])
    (letter,) = post()
    assert letter.to == [player.email] and "with a code printed on paper" in letter.body


def test_a_code_is_void_once_made_again_or_too_old_or_for_another_number(settings):
    player, office = member(), make.office()
    first = signups.print_codes([player], office)[player.pk]
    second = signups.print_codes([player], office)[player.pk]
    assert use(player.number, first).status_code == 422
    assert use(member().number, second).status_code == 422
    SignUpKey.objects.update(made_at=timezone.now() - timedelta(days=settings.SIGN_UP_CODE_DAYS))
    assert use(player.number, second).status_code == 422
    SignUpKey.objects.update(made_at=timezone.now())
    assert use(player.number, second).status_code == 302


def test_a_clubs_code_is_void_once_its_administrator_or_the_member_has_left_the_club():
    player = member()
    administrator = make.user()
    role = make.role(administrator, Role.Kind.CLUB_ADMIN, club=player.club)
    code = signups.print_codes([player], administrator)[player.pk]
    role.delete()
    assert use(player.number, code).status_code == 422
    make.role(administrator, Role.Kind.CLUB_ADMIN, club=player.club)
    Player.objects.filter(pk=player.pk).update(club=make.club())
    assert use(player.number, code).status_code == 422
    Player.objects.filter(pk=player.pk).update(club=player.club)
    assert use(player.number, code).status_code == 302


def test_no_code_or_link_opens_an_account_that_exists():
    player = member()
    code = signups.print_codes([player], make.office())[player.pk]
    link = link_for(player)
    account = make.user()
    Player.objects.update(user=account)
    assert use(player.number, code).status_code == 422
    assert visitor().post(link, CHOSEN).status_code == 410
    account.refresh_from_db()
    assert account.check_password(make.PASSWORD)


# --- Accounts that exist --------------------------------------------------------------------------------
def test_a_director_joins_the_own_number_to_the_account():
    player, director = member(), make.director(make.club())
    client = visitor()
    client.force_login(director)
    link = link_for(player)
    assert director.get_username() in client.get(link).content.decode()
    assert client.post(link).url == reverse("my_page")
    player.refresh_from_db()
    assert player.user == director and get_user_model().objects.count() == 1
    assert journal.held_until(director) is not None  # another player: waiting days
    second = member(email="second@example.org")
    refused = client.post(link_for(second))
    assert refused.status_code == 422 and player.number in refused.content.decode()


def test_who_printed_a_code_cannot_join_the_number_to_the_own_account():
    player, office = member(), make.office()
    client = visitor()
    client.force_login(office)
    answer = use(player.number, signups.print_codes([player], office)[player.pk], client)
    assert answer.status_code == 422 and "You printed this code" in answer.content.decode()
    player.refresh_from_db()
    assert player.user is None


def test_a_number_whose_username_is_taken_gets_another_username():
    player = member()
    make.user(player.number)
    visitor().post(link_for(player), CHOSEN)
    player.refresh_from_db()
    assert player.user.get_username() == f"{player.number}-2"
    assert sign_in(player.number) == player.user_id


# --- The worker -----------------------------------------------------------------------------------------
@pytest.fixture
def server(settings):
    """A mail server that the application uses."""
    with servers.mail_server() as started:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", started.port
        settings.EMAIL_USE_TLS, settings.EMAIL_TIMEOUT = False, 1
        yield started


def text_of(message) -> str:
    return message.get_body(["plain"]).get_content()


def test_a_repeated_letter_has_the_same_message_id_and_a_link_that_works(server):
    player = member()
    ask(player.number)
    server.delay = 1.5  # longer than the application waits: it does not know that the letter was taken
    for _attempt in range(3):
        post()
    letter = SignUpLetter.objects.get()
    assert letter.state == State.LOST and "interrupted twice" in letter.error
    first, second = server.taken
    assert first["Message-ID"] == second["Message-ID"] == delivery.message_id(letter)
    links = {re.search(r"/cuenta/alta/\S+", text_of(taken))[0] for taken in (first, second)}
    assert len(links) == 1
    assert visitor().post(links.pop(), CHOSEN).status_code == 302


def test_letters_to_members_and_other_letters_are_sent_by_one_worker_at_a_time(server):
    asking.ask("100", "a@example.org")
    asking.ask("101", "b@example.org")
    first, second = SignUpLetter.objects.all()
    assert queue.claim(SignUpLetter, first.pk, delivery.LEASE)
    sending.send(second.pk)
    second.refresh_from_db()
    assert second.state == State.PENDING


def test_old_letters_and_keys_are_deleted():
    player = member()
    link_for(player)
    day = make.today() + timedelta(days=29)
    sending.prune(day), signups.delete_old(day)
    assert SignUpLetter.objects.exists() and SignUpKey.objects.exists()
    SignUpLetter.objects.update(finished_at=timezone.now() - timedelta(days=31))
    sending.prune(make.today()), signups.delete_old(make.today() + timedelta(days=402))
    assert not SignUpLetter.objects.exists() and not SignUpKey.objects.exists()


def test_a_forgotten_password_reaches_each_of_two_accounts_with_one_address():
    accounts = [make.user("462158", email="both@example.org"), make.user("462159", email="both@example.org")]
    (letter,) = letters_for_password(visitor(), "both@example.org")
    assert letter.to == ["both@example.org"] and letter.body.count("/clave/nueva/") == 2
    assert all(account.get_username() in letter.body for account in accounts)
