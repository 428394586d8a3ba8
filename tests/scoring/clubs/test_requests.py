"""Requests of a club to the office: sending, deciding, and who sees them."""

from datetime import date

import pytest
from django.test import Client

from players.inbox import waiting_for
from players.models import Licence, Player, Proposal, Role
from players.services import proposals
from scoring.clubs.requests import REQUESTS
from tests import factories as make
from tests.pages import open_page
from tests.scoring.clubs.conftest import address
from tests.scoring.pages.test_queries import query_count

YEAR = make.today().year


@pytest.fixture
def office(db):
    return make.office()


def ask(client, club, kind: str, query: str = "", **data):
    """Send the form of a request. Return the response."""
    return client.post(f"{address('club_request', club, kind)}?{query}", data)


def sent(client, club, kind: str, query: str = "", **data) -> Proposal:
    """Send a request that has to succeed, and return it."""
    assert ask(client, club, kind, query, **data).status_code == 302
    return Proposal.objects.latest("pk")


def approve(request: Proposal, by) -> None:
    """Approve as an account of the office does on the page of the request."""
    client = Client()
    client.force_login(by)
    page = client.get(request.get_absolute_url())
    response = client.post(request.get_absolute_url(), {"seen": page.context["effect"].digest})
    assert response.status_code == 302, response.context["problems"]
    request.refresh_from_db()
    assert request.state == "approved"


def administrator_of(club):
    account = make.user()
    make.role(account, Role.Kind.CLUB_ADMIN, club=club)
    return account


def test_the_page_of_the_requests_says_what_each_does(administrator, club):
    addresses = {kind: address("club_request", club, kind) for kind in REQUESTS}
    page = open_page(administrator, address("club_requests", club))
    assert "Transfer to this club A player of another club, or of none, becomes a member." in page.main.text
    assert set(addresses.values()) <= set(page.main.addresses)
    form = open_page(administrator, addresses.pop("baja"))
    assert "A member leaves the club and keeps points and licence." in form.lead
    assert set(addresses.values()) <= set(form.main.addresses)


@pytest.mark.parametrize("of", ["club", "old"])
def test_the_administrators_of_the_regions_see_a_request_and_do_not_decide(administrator, club, of):
    clubs = {"club": club, "old": make.club()}
    gil = make.player(club=clubs["old"])
    request = sent(administrator, club, "traslado", f"q={gil.number}", player=gil.number)
    far, near = Client(), Client()
    for client, region in [(far, make.club().region), (near, clubs[of].region)]:
        account = make.user()
        make.role(account, Role.Kind.REGION_ADMIN, region=region)
        client.force_login(account)
    assert request.get_absolute_url() in open_page(near, address("club_requests", clubs[of])).addresses
    assert near.get(request.get_absolute_url()).status_code == 200
    assert far.get(request.get_absolute_url()).status_code == 404
    response = near.post(request.get_absolute_url(), {"seen": "", "action": "approve"})
    request.refresh_from_db()
    assert response.status_code in (403, 404) and request.state == "pending"


@pytest.mark.parametrize("wrong", ["123", "---", "' ."])
def test_names_without_letters_are_refused(administrator, club, wrong):
    for name in ("given_name", "surname"):
        person = {"given_name": "Ana", "surname": "Gil", name: wrong}
        response = ask(administrator, club, "alta", **person)
        assert response.status_code == 422 and list(response.context["form"].errors) == [name]
    assert not Proposal.objects.exists()


# --- Transfers ------------------------------------------------------------------------------------------
def test_a_player_of_the_register_becomes_a_member_once_the_office_approves(administrator, club, office):
    old = make.club(name="Club Viejo")
    gil = make.player(club=old, given_name="Ana", surname="Gil Prado")
    form = administrator.get(address("club_request", club, "traslado"), {"q": "gil ana"}).context["form"]
    assert [value for value, _label in form.fields["player"].choices] == [gil.number]
    request = sent(administrator, club, "traslado", "q=gil+ana", player=gil.number, reason="Se muda")
    gil.refresh_from_db()
    assert (gil.club, request.reason, request.state) == (old, "Se muda", "pending")
    again = ask(administrator, club, "traslado", f"q={gil.number}", player=gil.number)
    assert again.status_code == 422 and again.context["form"].non_field_errors()
    (task,) = waiting_for(administrator_of(old)).matters
    assert task.url == request.get_absolute_url() and gil.number in task.title
    losing = Client()
    losing.force_login(administrator_of(old))
    (matter,) = losing.get(address("club_manage", old)).context["inbox"].matters
    assert matter.url == request.get_absolute_url()
    assert administrator.get(address("club_manage", club)).context["inbox"].matters == []
    assert [task.url for task in waiting_for(office).matters] == [request.get_absolute_url()]
    approve(request, office)
    gil.refresh_from_db()
    assert gil.club == club
    assert waiting_for(administrator_of(old)).count == 0


def test_hidden_players_of_other_clubs_are_found_by_number_only(administrator, club):
    hidden = make.player(hidden=True, given_name="Zoraida", surname="Abad")

    def offered(text):
        form = administrator.get(address("club_request", club, "traslado"), {"q": text}).context["form"]
        return [label for _value, label in form.fields["player"].choices]

    assert offered("zoraida") == []
    (label,) = offered(hidden.number)
    assert "Zoraida" not in label
    request = sent(administrator, club, "traslado", f"q={hidden.number}", player=hidden.number)
    for page in (request.get_absolute_url(), address("club_requests", club)):
        assert "Zoraida" not in administrator.get(page).content.decode()


def test_a_member_leaves_the_club_and_stays_in_the_register(administrator, club, office):
    gil = make.player(club=club)
    stranger = make.player()
    assert ask(administrator, club, "baja", player=stranger.number).status_code == 422
    approve(sent(administrator, club, "baja", player=gil.number), office)
    gil.refresh_from_db()
    assert gil.club is None


# --- Persons --------------------------------------------------------------------------------------------
def test_a_new_player_gets_the_next_number_and_the_office_sees_who_is_alike(administrator, club, office):
    make.player(number="900000001")
    twin = make.player(given_name="Ana María", surname="Gil Prado", hidden=True)
    person = {"given_name": " Ana  ", "surname": "Gil Prado", "email": "ana@example.org"}
    request = sent(administrator, club, "alta", **person)
    page = administrator.get(request.get_absolute_url())
    assert twin.number not in page.content.decode()  # only the office compares with hidden players
    client = Client()
    client.force_login(office)
    effect = client.get(request.get_absolute_url()).context["effect"]
    assert twin.number in effect.cautions[0] and "ana@example.org" in effect.sentences[1]
    make.player(number="900000002")  # in the meantime
    response = client.post(request.get_absolute_url(), {"seen": effect.digest})
    assert response.status_code == 422
    approve(request, office)
    made = Player.objects.get(number="900000003")
    assert (made.full_name, made.club, made.search_text) == ("Ana Gil Prado", club, "ana gil prado")
    assert made.email == "ana@example.org"
    region = make.user()  # not the account that sent the request
    make.role(region, Role.Kind.REGION_ADMIN, region=club.region)
    client.force_login(region)
    page = client.get(request.get_absolute_url())
    assert page.status_code == 200 and "ana@example.org" not in page.content.decode()


def test_the_name_of_a_member_is_changed(administrator, club, office):
    gil = make.player(club=club, given_name="Ana", surname="Gil")
    name = {"given_name": "Ana", "surname": "Gil"}
    assert ask(administrator, club, "nombre", player=gil.number, **name).status_code == 422
    approve(
        sent(administrator, club, "nombre", player=gil.number, given_name="Ana", surname="Gil Rey"), office
    )
    gil.refresh_from_db()
    assert (gil.surname, gil.search_text) == ("Gil Rey", "ana gil rey")


# --- Licences -------------------------------------------------------------------------------------------
def test_several_members_get_a_licence_in_one_request(administrator, club, office):
    licensed = make.player(club=club)
    renewing, new = make.player(club=club, licensed=False), make.player(club=club, licensed=False)
    make.licence(renewing, valid_from=date(YEAR - 1, 1, 1), valid_to=date(YEAR - 1, 12, 31))
    form = administrator.get(address("club_request", club, "licencias")).context["form"]
    offered = {value for value, _label in form.fields["players"].choices}
    assert offered == {renewing.number, new.number} and form.initial["players"] == [renewing.number]
    assert ask(administrator, club, "licencias").status_code == 422
    assert ask(administrator, club, "licencias", players=[licensed.number]).status_code == 422
    request = sent(administrator, club, "licencias", players=[renewing.number, new.number])
    form = administrator.get(address("club_request", club, "licencias")).context["form"]
    assert form.fields["players"].choices == []
    approve(request, office)
    spans = Licence.objects.filter(player__in=[renewing, new], valid_from__year=YEAR)
    assert set(spans.values_list("player", "valid_from", "valid_to")) == {
        (player.pk, make.today(), date(YEAR, 12, 31)) for player in (renewing, new)
    }, "not from 1 January: evenings already played stay as they are"


def test_who_got_a_licence_or_left_in_the_meantime_is_left_out(administrator, club, office):
    stays, leaves, has = make.players(3, club=club, licensed=False)
    season = f"temporada={YEAR + 1}"
    numbers = [player.number for player in (stays, leaves, has)]
    request = sent(administrator, club, "licencias", season, players=numbers)
    Player.objects.filter(pk=leaves.pk).update(club=None)
    make.licence(has, valid_from=date(YEAR + 1, 1, 1), valid_to=date(YEAR + 1, 12, 31))
    approve(request, office)
    assert list(Licence.objects.filter(player=stays).values_list("valid_from", flat=True)) == [
        date(YEAR + 1, 1, 1)
    ]
    assert not Licence.objects.filter(player=leaves).exists()
    assert Licence.objects.filter(player=has).count() == 1


# --- States and access ----------------------------------------------------------------------------------
def test_a_returned_request_is_shown_with_its_reason_to_the_club_and_its_sender(administrator, club, office):
    gil = make.player(club=club)
    request = sent(administrator, club, "baja", player=gil.number)
    proposals.give_back(request.pk, office, "Debe la cuota")
    assert "Debe la cuota" in open_page(administrator, address("club_requests", club)).text
    (matter,) = administrator.get(address("club_manage", club)).context["inbox"].matters
    assert (matter.url, matter.note) == (request.get_absolute_url(), "Debe la cuota")
    (task,) = waiting_for(type(administrator.account).objects.get(pk=administrator.account.pk)).matters
    assert task.url == request.get_absolute_url()


def test_its_sender_withdraws_a_request(administrator, club):
    request = sent(administrator, club, "baja", player=make.player(club=club).number)
    assert administrator.post(request.get_absolute_url(), {"action": "withdraw"}).status_code == 302
    request.refresh_from_db()
    assert request.state == "withdrawn"


def test_only_the_office_decides_and_only_the_clubs_concerned_see_a_request(administrator, club, office):
    old = make.club()
    gil = make.player(club=old)
    request = sent(administrator, club, "traslado", f"q={gil.number}", player=gil.number)
    committee, player = make.user(), make.user()
    make.role(committee, Role.Kind.COMMITTEE)
    statuses = {}
    for name, account in {
        "new club": administrator.account,
        "old club": administrator_of(old),
        "another club": administrator_of(make.club()),
        "director": make.director(club),
        "committee": committee,
        "player": player,
        "office": office,
    }.items():
        client = Client()
        client.force_login(account)
        page = client.get(request.get_absolute_url())
        digest = page.context["effect"].digest if page.status_code == 200 else ""
        decided = client.post(request.get_absolute_url(), {"seen": digest})
        statuses[name] = (page.status_code, decided.status_code)
    assert statuses == {
        "new club": (200, 403),
        "old club": (200, 403),
        "another club": (404, 404),
        "director": (404, 404),
        "committee": (200, 403),
        "player": (404, 404),
        "office": (200, 302),
    }


def test_a_request_of_an_account_that_lost_its_role_cannot_be_approved(administrator, club, office):
    request = sent(administrator, club, "baja", player=make.player(club=club).number)
    administrator.account.roles.all().delete()
    assert proposals.obstacles(request) != []


def test_the_queries_of_the_requests_do_not_grow_with_rows(administrator, club):
    def add():
        members = make.players(5, club=club, licensed=False)
        sent(administrator, club, "baja", player=members[0].number)
        name = {"given_name": "Eva", "surname": f"Pi {members[0].number}"}
        sent(administrator, club, "nombre", player=members[1].number, **name)
        sent(administrator, club, "alta", **name)
        sent(administrator, club, "licencias", players=[members[2].number])
        away = make.player()
        sent(administrator, club, "traslado", f"q={away.number}", player=away.number)

    kinds = ("traslado", "licencias", "baja")
    pages = [address("club_requests", club), *(address("club_request", club, kind) for kind in kinds)]
    pages[1] += "?q=a"
    add()
    counts = [query_count(administrator, page) for page in pages]
    add(), add()
    assert [query_count(administrator, page) for page in pages] == counts
