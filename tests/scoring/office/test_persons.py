"""Persons: found by anything, shown on one sheet, changed with a reason, some changes by two persons."""

from datetime import date

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from players.models import Player, PlayerChange, Proposal, Role
from players.proposals import act_of
from players.services import persons, proposals
from players.services.register_journal import erase
from scoring.clubs.requests import TRANSFER
from scoring.ledger.models import Standing
from scoring.office.queries.persons import find
from scoring.office.services import merges
from tests import factories as make
from tests.access.test_plans import no_scans, readings, statements_of  # noqa: F401 (a fixture)
from tests.pages import Page, open_page
from tests.scoring.pages.test_queries import query_count
from ui.clock import today

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
PAGE = "/oficina/personas/"


def sheet_of(player: Player) -> str:
    return reverse("person", args=[player.number])


def change(player: Player, by, reason: str = "Passport", **values):
    """Change the player's entry as the form does, which shows the stored one."""
    player = Player.objects.get(pk=player.pk)
    return persons.change(player.pk, values, by, reason, persons.fingerprint(player))


# --- Finding ----------------------------------------------------------------------------------------------
@pytest.fixture
def register():
    club = make.club(name="Casino de Miracinto", code="MIR")
    people = {
        "ana": make.player(given_name="Ana", surname="Gonzálvez Ibáñez", club=club, birth_year=1948),
        "eva": make.player(
            given_name="Eva", surname="Gonzálvez Prado", birth_year=1951, email="Eva@example.org"
        ),
        "luis": make.player(given_name="Luis", surname="Prado Soto", hidden=True, user=make.user("luisito")),
        "zoe": make.player(given_name="Zoe", surname="Ortega", club=club, licensed=False),
    }
    make.licence(people["zoe"], issuer="FFB", equivalent=True)
    return people


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gonzalvez", ["ana", "eva"]),
        ("prado EVA", ["eva"]),
        ("gonzalbez", ["ana", "eva"]),
        ("ana gonsalvez", ["ana"]),
        ("hana ibañes", ["ana"]),
        ("luis prado", ["luis"]),
        ("eva@EXAMPLE.org", ["eva"]),
        ("luisito", ["luis"]),
        ("luisito@example.org", ["luis"]),
        ("miracinto", ["ana", "zoe"]),
        ("gonzalvez mir", ["ana"]),
        ("gonzalvez 1951", ["eva"]),
        ("1948", ["ana"]),
        ("ffb", ["zoe"]),
        ("nadie nunca", []),
        ("de la", []),
        ("", []),
    ],
)
def test_persons_are_found_by_anything(register, text, expected):
    names = {player.pk: name for name, player in register.items()}
    result = find(text, today())
    assert sorted(names[pk] for pk in result.ids) == expected
    assert text != "1948" or set(result.how.values()) == {"year of birth"}


def test_numbers_are_found_as_they_are_typed_also_those_of_merged_persons(office, register):
    ana, eva = register["ana"], register["eva"]
    merges.merge(ana, eva, "Registered twice", make.office())
    table = open_page(office, PAGE, q=f" 00{ana.number} ").table("Persons")
    assert table.column("Number") == [f"{ana.number}, merged into {eva.number}"]
    assert office.get(sheet_of(ana)).url == sheet_of(eva)
    first, *others = find(f"Prado {ana.number}", today()).ids
    assert first == ana.pk and eva.pk in others


def test_a_common_word_lists_a_thousand_persons_and_asks_for_more(office, monkeypatch):
    monkeypatch.setattr("scoring.office.queries.persons.MOST", 2)
    make.players(3, given_name="Ana")
    assert open_page(office, PAGE, q="ana").lead == "More than 2 persons fit: type more."


def test_three_persons_take_as_many_queries_as_one(office):
    make.player(given_name="Prueba", surname="Uno")
    counts = [query_count(office, f"{PAGE}?q=prueba")]
    make.players(2, given_name="Prueba")
    assert query_count(office, f"{PAGE}?q=prueba") == counts[0]


LOOKUPS = {
    "eva@example.org": ["players_player", "auth_user"],
    "luisito": ["auth_user"],
    "501234": ["players_player"],
    "gonzalvez": ["players_namepair"],
    "ana gonzalvez": ["players_namepair"],
    "ana gonzalbez": ["players_namepair"],
    "1948": ["players_player"],
}


@pytest.mark.parametrize("text", LOOKUPS)
def test_no_search_reads_a_whole_table(office, register, no_scans, text):  # noqa: F811
    for table in LOOKUPS[text]:
        for statement in statements_of(office, PAGE, table, {"q": text}):
            if statement.startswith("SELECT"):
                assert [
                    how for how, _condition in readings(statement, table) if how in ("SCAN", "Seq Scan")
                ] == []


# --- The sheet --------------------------------------------------------------------------------------------
def fill(player: Player, year: int) -> None:
    """Add a row to each list of the person's sheet."""
    make.licence(player, valid_from=date(year, 1, 1), valid_to=date(year, 12, 31))
    make.assign(player, "2P", date(year, 1, 2))
    make.scored((player, "Una invitada"), ("Otra", "Tercera"), event_type="regional")
    make.role(player.user, Role.Kind.DIRECTOR, club=make.club())
    merges.merge(make.player(), player, "Registered twice", make.office())
    change(player, make.office(), birth_year=year - 30)


def test_a_sheet_with_three_rows_in_each_list_takes_as_many_queries_as_with_one(office):
    player = make.player(user=make.user())
    fill(player, 2001)
    count = query_count(office, sheet_of(player))
    fill(player, 2002)
    fill(player, 2003)
    assert query_count(office, sheet_of(player)) == count


def test_auditors_read_the_sheet_without_address_and_year_of_birth(client):
    player = make.player(given_name="Ana", surname="Gil", hidden=True, category="2P")
    change(player, make.office(), birth_year=1950, email="ana@example.org")
    auditor = make.user()
    make.role(auditor, Role.Kind.AUDITOR)
    client.force_login(auditor)
    page = open_page(client, sheet_of(player))
    assert page.headings(1) == ["Ana Gil (hidden)"]
    assert "Has a licence today." in page.lead and "reason" not in page.fields
    assert "No account yet." in page.text and "Invite to make an account" not in page.text
    shown = page.text + open_page(client, PAGE).text
    for text in ("1950", "ana@example.org"):
        assert text not in shown
        assert open_page(client, PAGE, q=text).lead.startswith("Nobody fits")
    assert client.post(sheet_of(player) + "cambiar/").status_code == 403


def submit(client, player: Player, **values):
    """Submit the form that changes the person's entry, as the page shows it, with other values."""
    form = open_page(client, sheet_of(player)).form("seen")
    return client.post(form.action, {**form.values, **values})


def test_the_entry_is_changed_in_place_and_the_history_says_what_who_and_why(office):
    player = make.player(given_name="Ana", surname="Gil Soto")
    assert submit(office, player, surname="Gil Sotto", hidden="on", reason="").status_code == 422
    answer = submit(office, player, surname="Gil Sotto", hidden="on", birth_year="1950", reason="Passport")
    assert answer.url == sheet_of(player)
    player.refresh_from_db()
    assert (player.surname, player.hidden, player.birth_year) == ("Gil Sotto", True, 1950)
    assert player.search_text == "ana gil sotto"
    (line,) = open_page(office, sheet_of(player)).table("History of changes").records
    assert "surname: Gil Soto → Gil Sotto" in line["What"] and "hidden: no → yes" in line["What"]
    assert (line["Reason"], line["Who"]) == ("Passport", office.account.username)


def test_the_form_says_that_the_person_can_read_the_reason(office):
    """The copy of everything about a person has the reasons of the changes (`scoring.privacy.sections`)."""
    assert "the person too, in the copy of their data" in open_page(office, sheet_of(make.player())).text


def test_a_form_that_shows_an_older_entry_changes_nothing(office):
    player = make.player(given_name="Ana", surname="Gil Soto")
    form = open_page(office, sheet_of(player)).form("seen")
    change(player, make.office(), email="ana@example.org")
    answer = office.post(form.action, {**form.values, "surname": "Gil", "reason": "Late"})
    assert answer.status_code == 422 and "changed this person meanwhile" in Page(answer).text
    player.refresh_from_db()
    assert (player.surname, player.email) == ("Gil Soto", "ana@example.org")


@pytest.mark.parametrize(
    "values",
    [
        {"given_name": "Luis", "surname": "Prado"},
        {"number": "909090", "surname": "Gil Ruiz"},
        {"number": "909090", "given_name": "Luis", "surname": "Prado"},
    ],
)
def test_what_could_make_another_person_waits_for_a_second_one(office, values):
    player = make.player(given_name="Ana", surname="Gil Soto", number="801801")
    submit(office, player, reason="Letter", **values)
    proposal = Proposal.objects.get(kind="person")
    player.refresh_from_db()
    assert player.full_name == "Ana Gil Soto"
    assert not PlayerChange.objects.exists()
    second = make.office()
    effect = act_of(proposal).effect(proposal, second)
    assert len(effect.sentences) == len(values) and effect.cautions
    proposals.approve(proposal.pk, second, effect.digest)
    player.refresh_from_db()
    assert {name: getattr(player, name) for name in values} == values
    line = PlayerChange.objects.get()
    assert (line.by, line.proposal, line.reason) == (second, proposal, "Letter")


def test_several_small_steps_count_as_one(office):
    player = make.player(given_name="Ana", surname="Gil Soto", number="801801")
    by = make.office()
    assert change(player, by, surname="Gil Prado") is None
    assert change(player, by, given_name="Luis") is None
    assert change(player, make.office(), surname="Ruiz Prado") is not None
    other = make.player(given_name="Eva", surname="Mar", number="801802")
    assert change(other, by, number="801803") is None
    assert change(other, by, surname="Mar Sol") is not None
    assert Player.objects.get(pk=other.pk).number == "801803"


def test_nobody_decides_about_their_own_entry():
    owner = make.office()
    player = make.player(given_name="Ana", surname="Gil", user=owner)
    proposal = change(player, make.office(), given_name="Luis", surname="Prado")
    assert not act_of(proposal).may_decide(owner, proposal)
    assert act_of(proposal).may_decide(make.office(), proposal)


@pytest.mark.parametrize(
    ("values", "field"),
    [({"number": "801801"}, "number"), ({"number": "12x"}, "number"), ({"birth_year": "30"}, "birth_year")],
)
def test_wrong_values_are_refused_beside_their_field(office, values, field):
    make.player(number="801801")
    answer = submit(office, make.player(), reason="Letter", **values)
    assert answer.status_code == 422
    assert list(answer.context["edit"].errors) == [field]


def test_a_year_to_come_is_refused_with_the_years_that_may_be(office):
    answer = submit(office, make.player(), reason="Letter", birth_year="3050")
    assert "from 1900 until today" in Page(answer).text


def test_an_old_number_leads_to_the_person(office):
    player = make.player(number="801801")
    change(player, make.office(), number="801802")
    assert office.get("/oficina/personas/801801/").url == reverse("person", args=["801802"])
    assert office.get("/oficina/personas/801803/").status_code == 404


# --- New persons and licences -----------------------------------------------------------------------------
def test_a_new_person_gets_the_next_number_and_a_namesake_is_asked_about(office):
    known = make.player(given_name="Ana", surname="Gil Soto", number="801801")
    data = {"given_name": "Ana", "surname": "Gil", "number": "", "club": known.club_id, "reason": "Form"}
    page = Page(office.post(f"{PAGE}nueva/", data))
    assert sheet_of(known) in page.addresses
    answer = office.post(f"{PAGE}nueva/", data | {"another": known.number})
    added = Player.objects.get(number="801802")
    assert answer.url == sheet_of(added)
    line = added.changes.get()
    assert (line.kind, line.after["surname"], line.reason) == ("added", "Gil", "Form")


def test_a_licence_is_added_corrected_and_removed_with_reasons_and_the_standings_follow(office):
    players = make.players(8, category="2P", licensed=False)
    make.scored(*make.pairs(players), end_date=today(), event_type="regional")
    player, page = players[0], sheet_of(players[0])

    def licensed() -> bool:
        return Standing.objects.get(player=player).licensed

    year = today().year
    data = {"valid_from": f"{year}-01-01", "valid_to": f"{year}-12-31", "issuer": "", "reason": "Paid"}
    assert office.post(f"{page}licencias/", data | {"reason": ""}).status_code == 422
    office.post(f"{page}licencias/", data)
    licence = player.licences.get()
    assert licensed()
    assert office.post(f"{page}licencias/", data).status_code == 422
    address = f"{page}licencias/{licence.pk}/"
    office.post(address, data | {"valid_from": f"{year - 1}-01-01", "valid_to": f"{year - 1}-12-31"})
    assert not licensed()
    assert office.post(address, {"act": "remove", "reason": ""}).status_code == 422
    office.post(address, {"act": "remove", "reason": "Wrong person"})
    assert not player.licences.exists()
    assert [line.reason for line in player.changes.order_by("pk")] == ["Paid", "Paid", "Wrong person"]


# --- The journal ------------------------------------------------------------------------------------------
def test_the_database_refuses_to_change_the_journal_except_to_erase_a_person(office):
    player = make.player()
    change(player, make.office(), birth_year=1950)
    lines = PlayerChange.objects.filter(player=player)
    for forbidden in (
        lambda: lines.update(reason="Another"),
        lambda: lines.update(before={}, after={}, reason="", number="1"),
        lambda: lines.delete(),
    ):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            forbidden()
    assert erase(player) == 1
    assert lines.values_list("before", "after", "reason").get() == ({}, {}, "")
    assert "Erased" in open_page(office, sheet_of(player)).text


def test_requests_of_clubs_are_in_the_history(office):
    player, club, by = make.player(), make.club(), make.office()
    request = TRANSFER.ask(club, player, make.office(), "Moved")
    proposals.approve(request.pk, by, act_of(request).effect(request, by).digest)
    (line,) = open_page(office, sheet_of(player)).table("History of changes").records
    assert "Entry changed, request of a club" in line["What"] and club.name in line["What"]
