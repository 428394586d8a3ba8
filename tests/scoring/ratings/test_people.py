"""Go players as people: their names, the link to the register, one's own page, the search."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Proposal
from players.proposals import act_of
from players.services import proposals
from scoring.annulments import services as annulments
from scoring.cases.models import Case
from scoring.ratings.link_act import request_link
from scoring.ratings.models import RatedPlayer, RatedPlayerChange, RatingTournament
from scoring.ratings.services import register
from scoring.ratings.services.people import change_data
from tests import factories
from tests.pages import open_page
from tests.scoring.ratings import makers
from tournaments.formats.go_types import GoPlayer
from ui.formatting import format_date

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
PIN = "10000001"


def named(position: int, name: str, given_name: str = "", pin: str = "") -> GoPlayer:
    return GoPlayer(position, name, "5k", pin, "ES", given_name=given_name)


@pytest.fixture
def member():
    """A player of the register with an account, whose name is in the Go files too."""
    account = factories.user("ana")
    return factories.player(given_name="Ana", surname="Arroyo Peña", user=account)


@pytest.fixture
def rated():
    """A rated Go player of that name, who won one game of a tournament and lost another."""
    players = [named(1, "Arroyo Ana", "Ana", PIN), named(2, "Benítez Sol Blas", "Blas", "10000002")]
    makers.registered(makers.event(players=players, games=[(1, 1, 2, "1"), (2, 2, 1, "1")]))
    return RatedPlayer.objects.get(pin=PIN)


@pytest.mark.parametrize(
    ("name", "given_name", "shown"),
    [
        ("Arroyo Ana", "Ana", "Ana Arroyo"),
        ("Benítez Sol Blas Luis", "Blas Luis", "Blas Luis Benítez Sol"),
        ("Cañas Río Carla", "", "Cañas Río Carla"),  # nobody knows where the surname ends
        ("Pele", "Pele", "Pele"),
    ],
)
def test_names_are_shown_with_the_given_name_first(name, given_name, shown):
    assert RatedPlayer(name=name, given_name=given_name).public_name == shown


def test_a_file_that_tells_given_names_completes_stored_players():
    games = [(1, 1, 2, "1")]
    for month, given_name in ((1, ""), (2, "Tres")):
        players = [named(1, "Uno Dos Tres", given_name), named(2, "Otra Dos")]
        makers.registered(makers.event(f"Copa {month}", date(2026, month, 1), players, games))
    assert str(makers.player("Uno Dos Tres")) == "Tres Uno Dos"


def test_a_linked_player_has_the_name_of_the_register(rated, member):
    rated.player = member
    assert rated.public_name == "Ana Arroyo Peña"
    member.hidden = True
    assert rated.public_name == f"Player {PIN}"


def test_a_player_asks_for_the_link_and_the_office_decides(client, rated, member):
    client.force_login(member.user)
    page = client.post(reverse("my_go"), {"pin": PIN})
    assert page.status_code == 200
    proposal = Proposal.objects.get()
    assert PIN in open_page(client, reverse("my_go")).lead
    proposals.approve(proposal.pk, factories.office(), digest=effect_of(proposal).digest)
    rated.refresh_from_db()
    assert rated.player == member
    change = RatedPlayerChange.objects.get()
    assert (change.before, change.after) == ({"player": None}, {"player": member.number})
    shown = open_page(client, reverse("my_go"))
    assert "place" in shown.lead
    assert "Blas Benítez Sol" in shown.text


def effect_of(proposal: Proposal):
    return act_of(proposal).effect(proposal, proposal.prepared_by)


def test_nobody_learns_or_gets_the_rating_of_another_name(rated):
    other = factories.player(given_name="Zoe", surname="Nadie Nunca", user=factories.user())
    for pin in (PIN, "99999999"):
        with pytest.raises(ValidationError) as caught:
            request_link(other, pin, other.user)
        assert caught.value.message.startswith(f"No Go player of your name has PIN {pin}.")
    assert not Proposal.objects.exists()


def test_a_rating_is_linked_once(rated, member):
    change_data(rated, {"player": member}, "Known to us", factories.office())
    with pytest.raises(ValidationError, match="linked to a number already"):
        request_link(member, PIN, member.user)


def test_own_games_show_the_own_result(client, rated, member):
    change_data(rated, {"player": member}, "Known to us", factories.office())
    client.force_login(member.user)
    page = open_page(client, reverse("my_go"))
    assert sorted(page.tables[0].column("Result")) == ["lost", "won"]


def test_an_account_without_player_is_told_what_is_missing(client):
    client.force_login(factories.user())
    assert "belongs to no player" in open_page(client, reverse("my_go")).lead


def test_the_queries_of_the_own_page_do_not_grow(client, member):
    client.force_login(member.user)
    counts = []
    for k in range(3):
        players = [named(1, "Arroyo Ana", "Ana", PIN), *makers.people(3, 2)]
        games = [(1, 1, 2, "1"), (2, 1, 3, "0"), (3, 4, 1, "0")][: 1 + k]
        makers.registered(makers.event(f"Copa {k}", date(2026, 1, 1 + k), players, games))
        rated = RatedPlayer.objects.get(pin=PIN)
        change_data(rated, {"player": member}, "Known to us", member.user)
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("my_go"))
        counts.append(len(captured))
    assert counts[0] == counts[2]


def test_the_office_corrects_a_go_player_with_a_reason(client, rated, member):
    client.force_login(factories.office())
    address = reverse("office_go_player", args=[rated.pk])
    data = {"name": "Arroyo Ana", "given_name": "Ana", "country": "fr", "pin": PIN, "number": member.number}
    assert client.post(address, data).status_code == 422  # without a reason
    assert client.post(address, {**data, "reason": "Asked by letter"}).status_code == 302
    rated.refresh_from_db()
    assert (rated.country, rated.player) == ("FR", member)
    assert "Asked by letter" in open_page(client, address).text
    wrong = client.post(address, {**data, "given_name": "Eva", "reason": "x"})
    assert wrong.status_code == 422
    assert "surname first" in wrong.content.decode()


def test_the_list_of_the_office_finds_hidden_players(client, rated):
    RatedPlayer.objects.filter(pk=rated.pk).update(hidden=True)
    client.force_login(factories.office())
    for text in ("arroyo", PIN):
        assert "Ana Arroyo (hidden)" in open_page(client, reverse("office_go_players"), q=text).text
    assert "No Go player" in open_page(client, reverse("office_go_players"), q="nadie").text


@pytest.mark.parametrize("sql", ["UPDATE {} SET reason = 'x'", "DELETE FROM {}"])
def test_a_recorded_change_stays(rated, sql):
    change_data(rated, {"country": "FR"}, "Asked by letter", factories.office())
    with pytest.raises(DatabaseError, match="stays as it was recorded"), transaction.atomic():
        connection.cursor().execute(sql.format(RatedPlayerChange._meta.db_table))


def test_the_search_finds_go_players_where_go_is_rated(client, rated, settings):
    assert "Ana Arroyo" in open_page(client, reverse("search"), q="arroyo").text
    assert client.get(reverse("search"), {"q": PIN})["Location"] == rated.get_absolute_url()
    RatedPlayer.objects.filter(pk=rated.pk).update(hidden=True)
    assert "Ana Arroyo" not in open_page(client, reverse("search"), q="arroyo").text
    RatedPlayer.objects.filter(pk=rated.pk).update(hidden=False)
    settings.FAMILIES = ["aeb"]
    assert "Ana Arroyo" not in open_page(client, reverse("search"), q="arroyo").text


def test_own_tournaments_tell_where_they_are(client, rated, member):
    change_data(rated, {"player": member}, "Known to us", factories.office())
    client.force_login(member.user)
    players = [named(1, "Arroyo Ana", "Ana", PIN), named(2, "Benítez Sol Blas", "Blas", "10000002")]
    director = factories.director(factories.club(name="Club Norte"))
    for month, sender in enumerate((member.user, factories.office(), director), start=4):
        event = makers.event(f"Copa {month}", date(2026, month, 1), players, [(1, 1, 2, "1")])
        if sender == director:
            register.register(event, sender)  # its replay waits
        else:
            makers.registered(event, sender)
    annulled = RatingTournament.objects.get(name="Copa 5")
    annulments.annul_go(annulled.pk, "Wrong file", factories.office())
    table = open_page(client, reverse("my_go")).tables[-1]
    assert table.column("Tournament") == ["Copa 6", "Copa 5", "Copa 4", "Copa"]
    assert table.column("Uploaded by") == ["a tournament director of Club Norte", "the office", "you", "—"]
    states = table.column("State")
    assert states[0] == "waits to be rated" and states[1].startswith("annulled on") and states[2] == "rated"
    today = format_date(factories.today(), "en")
    assert table.column("Registered") == [today] * 4
    assert table.column("Rated") == ["—", "—", today, today]


def test_what_is_wrong_with_a_go_tournament_is_a_case_of_the_office(client, rated, member):
    change_data(rated, {"player": member, "pin": PIN}, "Known to us", factories.office())
    client.force_login(member.user)
    event = RatingTournament.objects.get()
    address = f"{reverse('case_open')}?go={event.pk}"
    assert address in client.get(reverse("my_go")).content.decode()
    form = client.get(address).context["form"]
    assert "Copa" in form.initial["text"] and "Copa" in open_page(client, address).lead
    client.post(address, {**form.initial, "text": f"{form.initial['text']} I won the second game."})
    case = Case.objects.get()
    assert (case.state, case.club, case.day) == ("office", None, event.end_date)
    assert "Copa" in case.messages.get().text
    assert not client.get(f"{reverse('case_open')}?go=99999").context["go_tournament"]
