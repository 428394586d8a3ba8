"""The review page is a single form: every button first stores all of its input."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.pages import Page
from tests.scoring.uploads.makers import HEADINGS, codes, csv_of, details, sent
from tournaments.models import ResultUpload
from tournaments.services.drafts import draft_of
from tournaments.services.issues import describe, issue

pytestmark = pytest.mark.django_db


def page_of(client, upload):
    return client.get(reverse("upload_review", args=[upload.pk]))


def press(client, upload, action="accept", **data):
    return client.post(reverse("upload_review", args=[upload.pk]), {"action": action, **data})


def rows_of(client, upload) -> dict:
    """Return the rows of undecided people on the review page, by the name in the file."""
    return {row.name: row for row in page_of(client, upload).context["people"].rows}


def checked(row) -> str:
    return next(option.value for option in row.options if option.checked)


def unnumbered(pairs, heading="licencia") -> bytes:
    """Return the pairs' CSV file with names but without numbers."""
    text = csv_of(pairs).decode()
    for person in (person for pair in pairs for person in pair):
        text = text.replace(f";{person.number};", ";;")
    return text.replace("licencia", heading).encode()


def proposed(pairs, heading="licencia") -> bytes:
    """Return the pairs' CSV file without numbers and second surnames, so that members are only proposed."""
    return unnumbered(pairs, heading).replace(b" Roble", b"")


@pytest.fixture
def members(club):
    """Create eight members of the club with different names, in four pairs."""
    surnames = ["Abad", "Bosch", "Calvo", "Duque", "Egea", "Faura", "Gasol", "Haro"]
    people = [
        factories.player(club=club, given_name=value, surname=f"{surname} Roble", category="2P")
        for value, surname in zip(factories.GIVEN_NAMES, surnames, strict=True)
    ]
    return factories.pairs(people)


# --- One form -------------------------------------------------------------------------------------------
def test_the_confirm_button_stores_the_typed_details_first(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    typed = details(name="Otro", event_type="regional", end_date="2026-03-12")
    response = press(signed_in, upload, "accept", club=club.pk, **typed)
    assert response.url == reverse("upload_confirm", args=[upload.pk])
    header = draft_of(ResultUpload.objects.get(pk=upload.pk)).header
    assert (header.name, header.event_type, header.end_date.day) == ("Otro", "regional", 12)


def test_the_day_of_a_one_day_tournament_is_changed_in_one_field(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    form = page_of(signed_in, upload).context["form"]
    boxes = {name: form[name].value() or "" for name in form.fields}
    for day in (12, 15):
        press(signed_in, upload, "details", **{**boxes, "end_date": f"2026-03-{day}"})
        header = draft_of(ResultUpload.objects.get(pk=upload.pk)).header
        assert (header.start_date.day, header.end_date.day) == (day, day)


def test_invalid_text_in_a_number_field_stays_in_it(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    # a number box would send nothing for an invalid text
    assert not Page(page_of(signed_in, upload)).all("input", type="number")
    page = press(signed_in, upload, "accept", club=club.pk, **details(name="Otro", boards="24 manos"))
    assert page.status_code == 200
    assert page.context["form"]["boards"].errors and Page(page).values("boards") == ["24 manos"]


def test_issues_show_words_instead_of_codes_and_missing_names(signed_in, club, pairs):
    data = csv_of(pairs).replace(pairs[0][0].number.encode(), b"9999999")
    upload = sent(signed_in, club, data.replace(pairs[0][0].full_name.encode(), b""))
    assert "9999999 (sin nombre)" in page_of(signed_in, upload).content.decode()
    assert "no_number" not in describe(issue("more_like_this", kind="no_number", count=20)).message


@pytest.mark.parametrize("action", ["people", "details", "proposals", "edit", "anything"])
def test_every_button_stores_data_numbers_and_ticks(signed_in, club, members, action):
    upload = sent(signed_in, club, unnumbered(members))
    number = members[3][1].number
    typed = {"club": club.pk, **details(name="Otro"), "accept": ["no_number"], "number_3-1": number}
    assert press(signed_in, upload, action, **typed).status_code == 302
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert draft.known.name == "Otro"
    assert draft.entries[3].people[1].number == number
    assert draft.accepted == ("no_number",) or "no_number" not in draft.by_tick


def test_a_typed_number_takes_precedence_over_a_selected_choice(signed_in, club, members):
    upload = sent(signed_in, club, unnumbered(members))
    number = members[0][0].number
    press(signed_in, upload, "people", **{"was_0-0": "", "number_0-0": number, "who_0-0": "guest"})
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert draft.entries[0].people[0].number == number and not draft.choices[0, 0].guest


def test_a_name_typed_into_a_number_field_is_an_error_at_the_field(signed_in, club, members):
    upload = sent(signed_in, club, proposed(members))
    first, other = members[0]
    typed = {"number_0-0": other.full_name, "number_0-1": other.number}
    page = press(signed_in, upload, "guests", club=club.pk, **details(name="Otro"), **typed)
    assert page.status_code == 200
    row = page.context["people"].rows[0]
    assert row.text == other.full_name and "no es un número" in row.error
    assert Page(page).values("number_0-0") == [other.full_name]
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert draft.known.name == "Otro" and draft.entries[0].people[1].number == other.number
    assert draft.entries[0].people[0].number is None and (0, 0) not in draft.choices


def test_changing_the_format_keeps_corrected_numbers(signed_in, club):
    people = factories.players(8, club=club)
    lines = [f"{place};{player.number};{player.full_name}" for place, player in enumerate(people, start=1)]
    lines[3] = f"4;;{people[3].full_name}"
    upload = sent(signed_in, club, "\n".join(["puesto;licencia;nombre", *lines]).encode(), format="pairs")
    typed = {"club": club.pk, **details(format="individual"), "number_1-1": people[3].number}
    press(signed_in, upload, "details", **typed)
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert [entry.people[0].number for entry in draft.entries] == [person.number for person in people]


def test_an_outdated_page_keeps_its_input_and_says_that_the_draft_changed(signed_in, club, members):
    upload = sent(signed_in, club, proposed(members))
    opened = page_of(signed_in, upload).context
    seen = {"seen": opened["seen"], "rows": opened["rows"]}
    colleague = Client()
    colleague.force_login(factories.office())
    press(colleague, upload, "people", **{"number_1-0": members[1][0].number}, **seen)
    typed = {"was_0-0": "", "number_0-0": members[0][0].number, "was_1-0": "", "number_1-0": ""}
    page = press(signed_in, upload, "accept", club=club.pk, **details(name="Otro"), **typed, **seen)
    assert page.status_code == 200
    rows = {row.key: row for row in page.context["people"].rows}
    assert rows["0-0"].text == members[0][0].number and "1-0" not in rows
    assert page.context["form"]["name"].value() == "Otro"
    assert any("Nombre" in str(message) for message in page.context["messages"])
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert draft.known.name == "Pool" and draft.entries[0].people[0].number is None
    seen = {"seen": page.context["seen"], "rows": page.context["rows"]}
    assert (
        press(signed_in, upload, "people", club=club.pk, **details(name="Otro"), **typed, **seen).status_code
        == 302
    )
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert draft.known.name == "Otro" and draft.entries[0].people[0].number == members[0][0].number


def test_numbers_typed_for_changed_lines_are_listed_and_not_stored(signed_in, club, members):
    upload = sent(signed_in, club, unnumbered(members))
    opened = page_of(signed_in, upload).context
    rows = {"row-TOTAL_FORMS": "4", "row-INITIAL_FORMS": "0"}
    for at, pair in enumerate(members[::-1]):
        rows |= {
            f"row-{at}-place": str(at + 1),
            f"row-{at}-name_1": pair[0].full_name,
            f"row-{at}-name_2": "X",
        }
    signed_in.post(reverse("upload_edit", args=[upload.pk]), rows)
    typed = {"seen": opened["seen"], "rows": opened["rows"], "number_0-0": "4711"}
    page = press(signed_in, upload, "people", **typed)
    assert any("4711" in str(message) for message in page.context["messages"])
    assert all(row.text == "" for row in page.context["people"].rows)


# --- Names without numbers ------------------------------------------------------------------------------
def test_members_with_exactly_the_written_name_are_recognised(signed_in, club, members):
    hidden = members[0][0]
    hidden.hidden = True
    hidden.save()
    twin = factories.player(club=club, given_name=members[1][0].given_name, surname=members[1][0].surname)
    upload = sent(signed_in, club, unnumbered(members))
    rows, people = rows_of(signed_in, upload), draft_of(upload).entries[0].people
    assert [*rows] == [twin.full_name] and people[0].number == hidden.number
    assert checked(rows[twin.full_name]) == ""
    assert {members[1][0].number, twin.number} <= {option.value for option in rows[twin.full_name].options}


def test_players_of_other_clubs_are_proposed_unless_hidden(signed_in, club, members):
    for person in members[0]:
        person.club = factories.club()
        person.hidden = person == members[0][1]
        person.save()
    rows = rows_of(signed_in, sent(signed_in, club, unnumbered(members)))
    visitor, hidden = (rows[person.full_name] for person in members[0])
    assert checked(visitor) == "" and visitor.proposed == members[0][0]
    assert members[0][1].number not in {option.value for option in hidden.options}


def test_a_member_with_swapped_surnames_is_not_recognised(signed_in, club, members):
    person = members[0][0]
    person.surname = "Abad Jover"
    person.save()
    factories.player(club=club, given_name=person.given_name, surname="Jover Abad")
    upload = sent(signed_in, club, unnumbered(members))
    assert draft_of(upload).entries[0].people[0].number == person.number
    short = unnumbered(members).replace(b"Abad Jover", b"Abad")
    row = rows_of(signed_in, sent(signed_in, club, short, "otra.csv"))[f"{person.given_name} Abad"]
    assert (checked(row), row.proposed) == ("", person)


def test_two_people_with_the_same_name_in_a_ranking_are_not_recognised(signed_in, club, members):
    member = members[0][0]
    data = unnumbered(members).replace(members[3][1].full_name.encode(), member.full_name.encode())
    page = page_of(signed_in, sent(signed_in, club, data))
    same = [row for row in page.context["people"].rows if row.name == member.full_name]
    assert [(checked(row), row.proposed) for row in same] == [("", None)] * 2


@pytest.mark.parametrize("heading", ["licencia", "observaciones"])
def test_a_ranking_without_numbers_is_completed_with_three_buttons(signed_in, club, members, heading):
    """A ranking with names and without numbers is completed with three buttons.

    The file has an empty licence column, or none.
    """
    data = proposed(members, heading).decode() + "\r\n5;;Turista Uno;5;40\r\n5;;Turista Dos;5;40"
    upload = sent(signed_in, club, data.encode())
    everybody = sum(len(row.options) > 0 for row in rows_of(signed_in, upload).values())
    assert everybody == 10
    press(signed_in, upload, "proposals")
    press(signed_in, upload, "guests")
    assert press(signed_in, upload, "accept").url == reverse("upload_confirm", args=[upload.pk])
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert len(draft.players) == 8 and sum(choice.guest for choice in draft.choices.values()) == 2


def test_every_choice_about_a_person_can_be_undone(signed_in, club, members):
    data = proposed(members).replace(b";;", b";99999999;", 1)
    upload = sent(signed_in, club, data)
    press(signed_in, upload, "people", **{"who_0-0": members[0][0].number, "who_0-1": "guest"})
    decided = page_of(signed_in, upload).context["people"].decided
    assert [(row.key, checked(row)) for row in decided] == [("0-0", members[0][0].number), ("0-1", "guest")]
    press(signed_in, upload, "people", **{"who_0-0": "as-read", "who_0-1": "as-read"})
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert [person.number for person in draft.entries[0].people] == ["99999999", None]
    assert not draft.choices and "numbers_mended" not in codes(upload)


# --- Numbers of another federation ------------------------------------------------------------------------
def strangers(pairs, count: int) -> bytes:
    """Return the pairs' CSV file with other people's names beside the first `count` numbers."""
    lines = [HEADINGS]
    for at, person in enumerate(person for pair in pairs for person in pair):
        name = f"Forastero Número{at}" if at < count else person.full_name
        lines.append(f"{at // 2 + 1};{person.number};{name};{at // 2 + 1};{60 - at // 2}")
    return "\n".join(lines).encode()


def test_a_file_whose_numbers_mostly_have_other_names_raises_an_issue(signed_in, club, members):
    data = strangers(members, 5).replace("Forastero Número0".encode(), members[0][0].full_name.encode())
    upload = sent(signed_in, club, data.replace("Forastero Número1".encode(), b"Ana Desconocida"))
    # four of eight people have another name, which is not more than half
    assert "numbers_not_ours" not in codes(upload)
    upload = sent(signed_in, club, strangers(members, 5), "otra.csv")
    assert upload.issues.get(code="numbers_not_ours").params == {"count": 8, "others": 5, "unknown": 0}
    ticks = draft_of(upload).by_tick
    assert press(signed_in, upload, accept=ticks).url == reverse("upload_review", args=[upload.pk])
    press(signed_in, upload, "ignore-numbers")
    rows = rows_of(signed_in, upload)
    assert checked(rows["Forastero Número0"]) == "as-read" or checked(rows["Forastero Número0"]) == ""
    press(signed_in, upload, "proposals")
    press(signed_in, upload, "guests")
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert len(draft.players) == 3 and not draft.has_errors
    press(signed_in, upload, "use-numbers")
    assert len(draft_of(ResultUpload.objects.get(pk=upload.pk)).players) == 8


def test_a_file_with_mostly_unknown_numbers_raises_an_issue(signed_in, club, members):
    data = csv_of(members)
    for person in [*members[0], *members[1], members[2][0]]:
        data = data.replace(person.number.encode(), f"9{person.number}".encode())
    upload = sent(signed_in, club, data)
    assert upload.issues.get(code="numbers_not_ours").params["unknown"] == 5


def test_each_person_with_another_name_needs_a_separate_tick(signed_in, club, members):
    upload = sent(signed_in, club, strangers(members, 2))
    first, second = draft_of(upload).by_tick
    review, confirm = (reverse(name, args=[upload.pk]) for name in ("upload_review", "upload_confirm"))
    assert press(signed_in, upload, accept=[first, "name_differs"]).url == review
    assert press(signed_in, upload, accept=[first, second]).url == confirm
    (group,) = [entry for entry in page_of(signed_in, upload).context["groups"] if entry["personal"]]
    assert [item["row"].key for item in group["items"]] == ["0-0", "0-1"]
    # Moving another player's number into a seat removes the tick of that seat.
    press(signed_in, upload, accept=[first, second], **{"number_0-0": members[3][1].number, "number_3-1": ""})
    accepted = ResultUpload.objects.get(pk=upload.pk).ticks
    assert list(accepted) == [second]


# --- Errors and their location ----------------------------------------------------------------------------
def test_the_error_summary_links_to_every_wrong_field(signed_in, club, members):
    data = csv_of(members).replace(
        f";{members[0][0].number};{members[0][0].full_name}".encode(), b";;Alguien"
    )
    upload = sent(signed_in, club, data)
    press(signed_in, upload, "guests", club=club.pk, **details())
    assert "se puede confirmar" in page_of(signed_in, upload).context["summary"]
    wrong = details(boards="24 manos", end_date="ayer")
    page = press(signed_in, upload, "accept", club=club.pk, **wrong, **{"number_0-0": "Ana", "who_0-0": ""})
    shown = Page(page)
    summary, review = shown.the(class_="error-summary"), shown.of_id("review")
    for box in ("id_boards", "id_end_date", "number_0-0"):
        assert f"#{box}" in summary.addresses and review.the(id=box)
    assert "3 casillas" in page.context["summary"] and "se puede confirmar" not in page.context["summary"]


def test_a_page_that_was_not_saved_does_not_say_that_it_can_be_confirmed(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    seen = page_of(signed_in, upload).context["seen"]
    colleague = Client()
    colleague.force_login(factories.office())
    press(colleague, upload, "details", club=club.pk, **details(name="Liga"))
    page = press(signed_in, upload, "accept", club=club.pk, **details(name="Copa"), seen=seen)
    assert "guard" in page.context["summary"]
    assert "se puede confirmar" not in page.context["summary"]


def test_an_issue_about_a_number_links_to_its_field(signed_in, club, members):
    data = csv_of(members).replace(members[1][1].number.encode(), b"9999999")
    page = Page(page_of(signed_in, sent(signed_in, club, data)))
    assert "#number_1-1" in page.addresses
    assert page.of_id("number_1-1").tag == "input"


def test_percentages_written_as_fractions_raise_one_issue(signed_in, club, pairs):
    data = re.sub(r";(\d\d),(\d\d)(?=\r|$)", r";0,\1\2", csv_of(pairs).decode())
    assert ";0,6975" in data
    upload = sent(signed_in, club, data.encode())
    assert [item.code for item in draft_of(upload).issues].count("percentages_of_one") == 1
    page = Page(page_of(signed_in, upload))
    words = "pasa de 0,6975: parecen partes de uno, no de cien."
    assert len([item for item in page.all("p") if item.text.endswith(words)]) == 1
    assert "0.6975:" not in page.text
