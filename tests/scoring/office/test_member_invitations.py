"""The office invites members to make an account, by letters and by printed codes; clubs print codes."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import Player, Role, SignUpKey
from scoring.signups.models import SignUpLetter
from tests import factories as make
from tests import sign_up_letters
from tests.languages import speak
from tests.pages import Page, client_of, open_page

pytestmark = pytest.mark.usefixtures("english")
State = SignUpLetter.State


@pytest.fixture
def club(db):
    return make.club(name="Club Norte")


def member(club, number: int, **fields) -> Player:
    return make.player(**{"club": club, "email": f"m{number}@example.org", "birth_year": 1960, **fields})


def listed(client, **query) -> list[str]:
    """Return the numbers of the members that the page lists."""
    page = open_page(client, reverse("office_invitations"), **query)
    return sorted(number for table in page.tables for number in table.column("Number"))


def button(client, action: str, **query):
    """Return the form of the page that posts to this URL name."""
    page = open_page(client, reverse("office_invitations"), **query)
    return next(
        (form for form in page.forms if form.action == reverse(action)),
        None,
    )


def press(client, action: str, **query):
    form = button(client, action, **query)
    return client.post(reverse(action), form.values)


def post() -> list[str]:
    """Send what waits, and return the recipients."""
    return sorted(letter.to[0] for letter in sign_up_letters.post())


def test_the_list_is_filtered_by_club_category_licence_account_and_address(office, club):
    free = member(club, 1, category="2P")
    without = member(club, 2, email="", licensed=False)
    taken = member(club, 3, user=make.user())
    elsewhere = member(make.club(), 4)
    member(club, 5, deceased_on=make.today())
    member(club, 7, email="", erased_on=make.today())
    member(club, 6, birth_year=make.today().year - 12)
    ours = {"club": club.slug}
    numbers = lambda *players: sorted(player.number for player in players)  # noqa: E731
    assert listed(office) == numbers(free, without, elsewhere)
    assert listed(office, **ours, estado="") == numbers(free, without, taken)
    assert listed(office, **ours, estado="con") == numbers(taken)
    assert listed(office, **ours, categoria="2P") == numbers(free)
    assert listed(office, **ours, licencia="sin") == numbers(without)
    assert listed(office, **ours, correo="con") == numbers(free)
    assert listed(office, q=elsewhere.number) == numbers(elsewhere)
    assert listed(office, estado="invitados") == []
    assert listed(office, club="no-such", estado="?", categoria="?") == numbers(
        free, without, taken, elsewhere
    )


def test_one_act_sends_letters_to_those_with_an_address_and_shows_who_has_not_come(office, club):
    members = [member(club, number) for number in range(3)]
    member(club, 9, email="")
    member(make.club(), 10)
    assert press(office, "office_invitations_send", club=club.slug).status_code == 302
    first, second, third = SignUpLetter.objects.order_by("not_before")
    assert third.not_before - first.not_before == timedelta(seconds=2)  # sixty a minute
    assert second.by == office.account
    # Once, while the last link works; a button that would send nothing is not there.
    assert button(office, "office_invitations_send", club=club.slug) is None
    assert post() == [player.email for player in members]
    link = re.search(r"/cuenta/alta/\S+", mail.outbox[0].body)[0]
    assert Client().get(link).status_code == 200
    assert listed(office, estado="invitados") == sorted(player.number for player in members)
    page = open_page(office, reverse("office_invitations"))
    assert "letter of" in page.text
    SignUpKey.objects.update(made_at=timezone.now() - timedelta(days=8))
    assert press(office, "office_invitations_send", club=club.slug).status_code == 302
    assert len(post()) == 3


def test_letters_wait_and_say_so_until_a_worker_sends_them(office, club):
    member(club, 1)
    press(office, "office_invitations_send")
    assert "letter on its way" in open_page(office, reverse("office_invitations")).text
    Player.objects.update(email="")  # meanwhile
    assert post() == []
    assert SignUpLetter.objects.get().state == State.DROPPED


def test_nothing_is_sent_or_printed_if_the_list_changed_meanwhile(office, club):
    member(club, 1)
    member(club, 2, email="")
    for action in ("office_invitations_send", "office_invitations_print"):
        form = button(office, action)
        assert office.post(reverse(action), {**form.values, "number": "7"}).status_code == 302
    assert not SignUpLetter.objects.exists() and not SignUpKey.objects.exists()


def code_on(page: Page) -> list[str]:
    return [element.text.replace(" ", "").lower() for element in page.all("strong", class_="code")]


def test_the_office_prints_a_sheet_with_a_code_for_each_member_without_an_address(office, club):
    first, second = member(club, 1, email=""), member(club, 2, email="", hidden=True)
    member(club, 3)
    answer = press(office, "office_invitations_print")
    page = Page(answer)
    assert answer.status_code == 200 and "no-store" in answer.headers["Cache-Control"]
    codes = code_on(page)
    assert len(page.all("article", class_="letter")) == len(set(codes)) == 2
    assert first.number in page.text and second.full_name in page.text
    reader = Client()
    data = {"number": first.number, "code": codes[0] if first.sort_key < second.sort_key else codes[1]}
    assert reader.post(reverse("sign_up_code"), data).status_code == 302
    assert not any(" 0 " in text for text in open_page(office, reverse("office_invitations")).buttons)
    again = press_again(office)
    assert len(code_on(Page(again))) == 2
    assert reader.post(reverse("sign_up_code"), data).status_code == 422  # the earlier one is void


def press_again(office):
    page = open_page(office, reverse("office_invitations"))
    (form,) = [form for form in page.forms if "again" in form.values]
    return office.post(reverse("office_invitations_print"), form.values)


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_makes_the_same_queries_whatever_its_length(office, club, count):
    for number in range(count):
        member(club, number, category="2P")
    office.get(reverse("office_invitations"))
    with CaptureQueriesContext(connection) as queries:
        office.get(reverse("office_invitations"))
    assert len(queries) == 13


# --- Clubs ----------------------------------------------------------------------------------------------
def administrator(club):
    account = make.user()
    make.role(account, Role.Kind.CLUB_ADMIN, club=club)
    client = client_of(account)
    speak(client, "en")
    client.account = account
    return client


def test_an_administrator_prints_codes_for_members_of_the_own_club(club):
    first, second, stranger = member(club, 1), member(club, 2, hidden=True), member(make.club(), 3)
    member(club, 4, user=make.user())
    client = administrator(club)
    url = reverse("club_codes", args=[club.slug])
    form = open_page(client, url).form("player")
    assert sorted(form.boxes["player"]) == sorted([first.number, second.number])
    assert client.post(url, {}).status_code == 422
    assert client.post(url, {"player": [stranger.number]}).status_code == 422
    page = Page(client.post(url, {"player": [first.number, second.number]}))
    assert len(code_on(page)) == 2 and second.full_name in page.text
    assert set(SignUpKey.objects.values_list("made_by", flat=True)) == {client.account.pk}
    assert "becomes void" in open_page(client, url).text


def test_an_administrator_of_the_region_reads_no_name_of_a_hidden_member(club):
    hidden = member(club, 1, hidden=True)
    account = make.user()
    make.role(account, Role.Kind.REGION_ADMIN, region=club.region)
    client = client_of(account)
    url = reverse("club_codes", args=[club.slug])
    assert hidden.surname not in client.get(url).content.decode()
    sheet = client.post(url, {"player": [hidden.number]}).content.decode()
    assert hidden.number in sheet and hidden.surname not in sheet


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_of_a_clubs_codes_makes_the_same_queries_whatever_its_length(club, count):
    for number in range(count):
        member(club, number)
    client = administrator(club)
    client.get(reverse("club_codes", args=[club.slug]))
    with CaptureQueriesContext(connection) as queries:
        client.get(reverse("club_codes", args=[club.slug]))
    assert len(queries) <= 8
