"""Who the people of a file are: the club's memory, short forms, usual partners; undoing decisions."""

import pytest
from django.urls import reverse

from scoring.ledger.services import runs
from scoring.office.services import merges
from tests import factories
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.uploads.makers import HEADINGS, details, sent, tick_and_confirm
from tests.scoring.uploads.test_queries import counted
from tests.tournaments.formats.bridgemates import mitchell
from tournaments.models import RememberedName, ResultUpload
from tournaments.services import learning, memory, uploads
from tournaments.services.drafts import draft_of, parsed_of
from tournaments.services.files import Sent

pytestmark = pytest.mark.django_db


def file_of(*rows: tuple[str, str], first: int = 69) -> bytes:
    """Return a CSV file of pairs. Each row has the pair's names; a name may be "number;name".

    first: percentage of the first place
    """
    lines = [HEADINGS]
    for place, pair in enumerate(rows, start=1):
        people = [name if ";" in name else f";{name}" for name in pair]
        lines += [f"{place};{person};{place};{first + 1 - place}" for person in people]
    return "\n".join(lines).encode()


def numbered(player) -> str:
    return f"{player.number};{player.full_name}"


def press(client, upload, action="people", **data):
    return client.post(reverse("upload_review", args=[upload.pk]), {"action": action, **data})


def rows_of(client, upload, changing="") -> dict:
    people = client.get(reverse("upload_review", args=[upload.pk]), {"cambiar": changing}).context["people"]
    return {row.name: row for row in [*people.rows, *people.decided]}


def address_of(upload) -> str:
    return reverse("upload_review", args=[upload.pk])


def checked(row) -> str:
    return next(option.value for option in row.options if option.checked)


def numbers(upload, read=draft_of) -> list[str | None]:
    entries = read(ResultUpload.objects.get(pk=upload.pk)).entries
    return [person.number for entry in entries for person in entry.people]


@pytest.fixture
def eugenia(club):
    return factories.player(club=club, given_name="Eugenia", surname="Caballero Ortuño")


@pytest.fixture
def week(signed_in, club, pairs, eugenia):
    """Return a function that sends a file of the club, with a name that only its director understands."""

    def make(name="Geni la del Faro", day=1):
        (_first, partner), *others = pairs
        rows = [(name, numbered(partner)), *(tuple(map(numbered, pair)) for pair in others)]
        data = file_of(*rows, first=69 - day)
        return sent(signed_in, club, data, end_date=f"2026-03-{day:02}")

    return make


@pytest.fixture
def learnt(signed_in, week, eugenia):
    """Confirm a file on whose review the director said who the name is."""
    upload = week()
    press(signed_in, upload, **{"number_0-0": eugenia.number})
    assert not RememberedName.objects.exists()  # nothing is learnt before confirming
    tick_and_confirm(signed_in, upload)
    return RememberedName.objects.get()


def test_a_name_decided_on_a_confirmed_review_is_recognised_the_next_time(signed_in, week, learnt, eugenia):
    upload = week("GENI la del Faro", day=15)
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert draft.entries[0].people[0].number == eugenia.number and draft.unticked == []
    row = rows_of(signed_in, upload, changing="0-0")["GENI la del Faro"]
    assert checked(row) == eugenia.number
    assert "archivos anteriores del club" in row.options[0].label


def test_a_remembered_name_of_a_merged_number_is_the_surviving_player(signed_in, week, learnt, eugenia):
    kept = factories.player(club=None, given_name="Eugenia", surname="Caballero")
    merges.merge(eugenia, kept, "Registered twice", factories.office())
    assert numbers(week(day=15))[0] == kept.number


def test_another_club_does_not_know_the_name(client, learnt, pairs, eugenia):
    far = factories.club()
    client.force_login(factories.director(far))
    rows = [("Geni la del Faro", numbered(pairs[1][0])), *(tuple(map(numbered, pair)) for pair in pairs[2:])]
    row = rows_of(client, sent(client, far, file_of(*rows)))["Geni la del Faro"]
    assert checked(row) == "" and row.proposed is None
    assert memory.recall(["Geni la del Faro"], far.pk) == {}


def test_memory_that_contradicts_the_exact_name_of_a_member_is_not_applied(
    signed_in, club, week, learnt, eugenia
):
    namesake = factories.player(club=club, given_name="Geni", surname="la del Faro")
    row = rows_of(signed_in, week(day=15))["Geni la del Faro"]
    assert checked(row) == "" and row.proposed is None
    assert {namesake.number, eugenia.number} <= {option.value for option in row.options}


def test_a_decision_for_the_exact_name_of_a_member_ends_the_memory_that_contradicts_it(
    signed_in, club, week, learnt
):
    namesake = factories.player(club=club, given_name="Geni", surname="la del Faro")
    upload = week(day=15)
    press(signed_in, upload, **{"who_0-0": namesake.number})
    tick_and_confirm(signed_in, upload)
    assert not RememberedName.objects.exists()
    assert numbers(week(day=22))[0] == namesake.number


def test_memory_does_not_replace_a_number_of_the_file(signed_in, week, learnt, eugenia):
    upload = week("99999999;Geni la del Faro", day=15)
    row = rows_of(signed_in, upload)["Geni la del Faro"]
    assert (checked(row), row.proposed) == ("", eugenia)
    press(signed_in, upload)
    assert numbers(upload)[0] == "99999999"


def test_the_exact_name_of_one_member_needs_no_memory(signed_in, week, eugenia):
    upload = week(eugenia.full_name)
    press(signed_in, upload, "proposals")
    tick_and_confirm(signed_in, upload)
    assert ResultUpload.objects.get().state == "confirmed" and not RememberedName.objects.exists()


def test_a_name_remembered_of_a_player_and_decided_as_a_guest_is_asked_about(signed_in, week, learnt):
    upload = week(day=15)
    press(signed_in, upload, **{"who_0-0": "guest"})
    tick_and_confirm(signed_in, upload)
    assert not RememberedName.objects.exists()
    assert rows_of(signed_in, week(day=22))["Geni la del Faro"].open


@pytest.fixture
def guest(signed_in, week):
    """Confirm a file with a guest of the French federation."""
    upload = week("Jean Dupont")
    press(signed_in, upload, **{"who_0-0": "guest"})
    press(signed_in, upload, **{"country_0-0": "FR"})
    tick_and_confirm(signed_in, upload)
    return RememberedName.objects.get()


def test_a_guest_of_an_earlier_file_is_a_guest_beforehand_until_decided_otherwise(
    signed_in, week, guest, eugenia
):
    upload = week("JEAN DUPONT", day=15)
    (choice,) = draft_of(upload).choices.values()
    assert (choice.guest, choice.country, draft_of(upload).unticked) == (True, "FR", [])
    assert "invitado en archivos anteriores" in open_page(signed_in, address_of(upload)).text
    press(signed_in, upload, **{"who_0-0": "as-read"})
    assert rows_of(signed_in, upload)["JEAN DUPONT"].open
    press(signed_in, upload, **{"number_0-0": eugenia.number})
    tick_and_confirm(signed_in, upload)
    guest.refresh_from_db()
    assert (guest.player, guest.country) == (eugenia, "")


@pytest.mark.parametrize("is_member", [True, False], ids=["like a member", "exactly another player"])
def test_a_guest_whose_name_may_be_a_players_is_asked_about(signed_in, club, week, guest, is_member):
    if is_member:
        factories.player(club=club, given_name="Jeanne", surname="Dupont Gil")
    else:
        factories.player(club=factories.club(), given_name="Jean", surname="Dupont")
    assert rows_of(signed_in, week(day=15, name="Jean Dupont"))["Jean Dupont"].open


def test_two_people_with_the_name_of_a_guest_are_asked_about(signed_in, club, pairs, guest):
    rows = [("Jean Dupont", "Jean Dupont"), *(tuple(map(numbered, pair)) for pair in pairs[1:])]
    upload = sent(signed_in, club, file_of(*rows), end_date="2026-03-15")
    assert draft_of(upload).choices == {}


def test_a_guest_in_a_list_of_names_added_later_is_a_guest(signed_in, director, club, pairs, guest):
    upload = uploads.receive(director, club, "martes.bws", mitchell(2, 2).data(), details())
    assert draft_of(upload).choices == {}
    names = ["Jean Dupont", *(player.full_name for pair in pairs for player in pair)]
    lines = [f"{at};{names[2 * at - 2]};{names[2 * at - 1]}" for at in range(1, 5)]
    uploads.add_files(upload, [Sent("lista.csv", "\n".join(lines).encode())])
    upload.refresh_from_db()
    assert [choice.guest for choice in draft_of(upload).choices.values()] == [True]


@pytest.mark.parametrize("name", ["Paco Caballero Ortuño", "Caballero Ortuño, Paco", "PACO CABALLERO"])
def test_a_short_form_is_proposed_and_never_recognised(signed_in, club, week, name):
    player = factories.player(club=club, given_name="Francisco", surname="Caballero Ortuño")
    row = rows_of(signed_in, week(name))[name]
    assert (checked(row), row.proposed) == ("", player)


def test_the_usual_partner_settles_which_of_two_namesakes_played(signed_in, club, director, pairs):
    partner = pairs[0][1]
    usual, other = (
        factories.player(club=club, given_name="Ana", surname=surname)
        for surname in ("Gil Pardo", "Gil Prado")
    )
    for day in (1, 8):
        factories.scored((usual, partner), *pairs[1:], of=club, end_date=factories.date(2026, 3, day))
    rows = [("Ana Gil", numbered(partner)), *(tuple(map(numbered, pair)) for pair in pairs[1:])]
    row = rows_of(signed_in, sent(signed_in, club, file_of(*rows)))["Ana Gil"]
    assert (checked(row), row.proposed) == ("", usual)
    assert other.number in {option.value for option in row.options}
    assert "juega con" in row.options[0].label


def test_a_usual_partner_with_another_name_stands_after_a_player_with_a_similar_name(
    signed_in, club, director, pairs
):
    (usual, partner), *others = pairs
    similar = factories.player(club=club, given_name="Alberto", surname="Garrido Pastor")
    for day in (1, 8):
        factories.scored((usual, partner), *others, of=club, end_date=factories.date(2026, 3, day))
    rows = [("Albetro Garrido", numbered(partner)), *(tuple(map(numbered, pair)) for pair in others)]
    row = rows_of(signed_in, sent(signed_in, club, file_of(*rows)))["Albetro Garrido"]
    assert [option.value for option in row.options][:2] == [similar.number, usual.number]


def test_the_only_member_among_players_with_a_fitting_name_is_the_proposal(signed_in, club, week):
    member = factories.player(club=club, given_name="Nieves", surname="Molina Reyes")
    other = factories.player(club=factories.club(), given_name="Nieves", surname="Molina Ortiz")
    row = rows_of(signed_in, week("Molina, Nieves"))["Molina, Nieves"]
    assert (row.proposed, checked(row)) == (member, "")
    assert [option.value for option in row.options][:2] == [member.number, other.number]


def test_undoing_a_bulk_decision_restores_all_but_what_was_decided_since(signed_in, club, week, eugenia):
    upload = week("Eugenia Caballero")
    before = numbers(upload)
    press(signed_in, upload, "proposals")
    assert numbers(upload)[0] == eugenia.number
    press(signed_in, upload, "undo")
    assert numbers(upload) == before
    press(signed_in, upload, "undo")  # nothing is left to undo
    assert numbers(upload) == before

    press(signed_in, upload, "ignore-numbers")
    assert set(numbers(upload, parsed_of)) == {None}
    assert numbers(upload) == before, "the names of members are recognised"
    press(signed_in, upload, **{"number_1-0": eugenia.number})
    press(signed_in, upload, "undo")
    assert numbers(upload, parsed_of) == [*before[:2], eugenia.number, *before[3:]]
    assert "numbers_ignored" not in {item.code for item in draft_of(upload).issues}


def test_the_country_of_a_guest_is_stored_and_shown(signed_in, client, week, director):
    upload = week("Jean Dupont")
    press(signed_in, upload, **{"who_0-0": "guest"})
    press(signed_in, upload, **{"country_0-0": "FR", "country_0-1": "FR", "country_1-0": "XX"})
    assert [choice.country for choice in draft_of(ResultUpload.objects.get()).choices.values()] == ["FR"]
    tick_and_confirm(signed_in, upload)
    revision = ResultUpload.objects.get().revision
    assert list(revision.seats.exclude(guest_country="").values_list("guest_name", "guest_country")) == [
        ("Jean Dupont", "FR")
    ]
    runs.score(revision.runs.get().pk)
    page = revision.tournament.get_absolute_url()
    assert "Jean Dupont (invitado, Francia)" in client.get(page).content.decode()
    speak(client, "en")
    assert "Jean Dupont (guest, France)" in client.get(page).content.decode()


def test_the_name_of_a_guest_is_changed_in_the_row_and_shown(signed_in, client, week):
    upload = week("J. Dupond")
    press(signed_in, upload, **{"who_0-0": "guest"})
    page = open_page(signed_in, reverse("upload_review", args=[upload.pk]) + "?cambiar=0-0")
    assert page.values("name_0-0") == ["J. Dupond"]
    press(signed_in, upload, **{"name_0-0": "Jean Dupont", "name_0-1": "Nobody", "country_0-0": "FR"})
    # Another save with the row open, as its form is sent, keeps name and country.
    kept = {"name_0-0": "Jean Dupont", "called_0-0": "Jean Dupont", "country_0-0": "FR", "had_0-0": "FR"}
    press(signed_in, upload, **{"who_0-0": "guest", **kept})
    (choice,) = draft_of(ResultUpload.objects.get()).choices.values()
    assert (choice.name, choice.country) == ("Jean Dupont", "FR")
    assert "Jean Dupont" in client.get(reverse("upload_review", args=[upload.pk])).content.decode()
    tick_and_confirm(signed_in, upload)
    revision = ResultUpload.objects.get().revision
    assert [seat.guest_name for seat in revision.seats.filter(player=None)] == ["Jean Dupont"]


@pytest.mark.parametrize("name", ["", "J. Dupond"])
def test_a_guest_whose_name_is_left_blank_has_the_name_in_the_file(signed_in, week, name):
    upload = week("J. Dupond")
    press(signed_in, upload, **{"who_0-0": "guest"})
    press(signed_in, upload, **{"name_0-0": "Jean Dupont\x00" + "t" * 200})
    (choice,) = draft_of(ResultUpload.objects.get()).choices.values()
    assert choice.name == ("Jean Dupont" + "t" * 200)[:120]
    press(signed_in, upload, **{"name_0-0": name, "called_0-0": choice.name})
    (choice,) = draft_of(ResultUpload.objects.get()).choices.values()
    assert choice.name == ""
    row = draft_of(ResultUpload.objects.get()).rows[0].seats[0]
    assert row.guest_name == "J. Dupond"


def test_another_name_needs_a_tick_for_a_typed_number_and_none_for_a_chosen_player(signed_in, week, eugenia):
    upload = week("La de siempre")
    press(signed_in, upload, **{"who_0-0": eugenia.number})
    assert numbers(upload)[0] == eugenia.number
    assert draft_of(ResultUpload.objects.get()).unticked == []
    press(signed_in, upload, **{"who_0-0": "as-read"})
    press(signed_in, upload, **{"number_0-0": eugenia.number})
    (tick,) = draft_of(ResultUpload.objects.get()).unticked
    assert tick.startswith("name_differs")


def test_confirming_learns_in_as_many_queries_for_many_names(signed_in, director, club, pairs, eugenia):
    asked = []
    for count, day in ((1, "2026-03-01"), (3, "2026-03-02")):
        people = [player for pair in pairs for player in pair]
        names = [f"Alias {n} del Faro" if n < count else numbered(player) for n, player in enumerate(people)]
        upload = sent(signed_in, club, file_of(*zip(names[::2], names[1::2], strict=True)), end_date=day)
        decisions = {f"number_{n // 2}-{n % 2}": people[n].number for n in range(count)}
        press(signed_in, upload, **decisions)
        draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
        asked.append(counted(lambda: learning.learn(upload, draft, director)))  # noqa: B023
    assert asked[0] == asked[1] and RememberedName.objects.count() == 3


def test_people_recognised_count_in_the_lead_the_meter_and_the_links_alike(signed_in, club, week, eugenia):
    page = signed_in.get(reverse("upload_review", args=[week(eugenia.full_name).pk])).context
    assert page["meter"]["words"].startswith("8 de 8") and page["pending"]["count"] == 0
    assert "8 de 8; con licencia, 8:" in page["summary"]
    eugenia.licences.all().delete()
    page = signed_in.get(reverse("upload_review", args=[week(eugenia.full_name, day=8).pk])).context
    assert page["meter"]["words"].startswith("7 de 8") and "con licencia, 7:" in page["summary"]
    assert "Falta 1 licencia" in page["headline"]
    assert [(part["need"], len(part["links"])) for part in page["pending"]["lists"]] == [
        ("open", 0),
        ("lapsed", 1),
    ]


def test_the_links_name_the_first_twelve_and_the_others(signed_in, club):
    rows = [(f"Persona A{letter}", f"Persona B{letter}") for letter in "ABCDEFGH"]
    response = signed_in.get(reverse("upload_review", args=[sent(signed_in, club, file_of(*rows)).pk]))
    (part, _lapsed) = response.context["pending"]["lists"]
    assert (len(part["links"]), part["others"], part["next"]["anchor"]) == (12, 4, "number_6-0")
    assert "y los otros: 4" in response.content.decode()
