"""Correcting a draft: player numbers, guests, the ranking as a form, and the tournament's data."""

from datetime import date

import pytest
from django.urls import reverse

from tests import factories
from tests.pages import Page
from tests.scoring.uploads.makers import codes, csv_of, details, sent, tick_and_confirm
from tournaments.models import ResultUpload, StoredFile, Tournament
from tournaments.services import uploads
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db


def review(client, upload, **data):
    return client.post(reverse("upload_review", args=[upload.pk]), data)


def rows_of(client, upload):
    """Return the rows of people about whom the review page asks for a decision."""
    return client.get(reverse("upload_review", args=[upload.pk])).context["people"].rows


@pytest.fixture
def unknown(signed_in, club, pairs):
    """Create an upload in which the second player of the first pair has an unknown number."""
    data = csv_of(pairs).replace(pairs[0][1].number.encode(), b"99999999")
    return sent(signed_in, club, data)


def test_an_unknown_number_is_an_error_with_its_line_and_prevents_confirming(signed_in, unknown):
    issue = unknown.issues.get(code="unknown_player")
    assert (issue.line, issue.field, issue.value) == (3, "licence", "99999999")
    signed_in.post(reverse("upload_confirm", args=[unknown.pk]))
    assert not Tournament.objects.exists()


def test_a_number_can_be_corrected_and_the_file_stays_unchanged(signed_in, unknown, pairs):
    before = bytes(StoredFile.objects.get(resultupload=unknown).content)
    review(signed_in, unknown, action="people", **{"number_0-1": f" 00{pairs[0][1].number} "})
    unknown.refresh_from_db()
    assert "unknown_player" not in codes(unknown)
    assert "numbers_mended" in codes(unknown)
    assert bytes(StoredFile.objects.get(resultupload=unknown).content) == before
    assert tick_and_confirm(signed_in, unknown).url == reverse("upload_receipt", args=[unknown.pk])


def test_a_person_can_be_marked_as_a_guest(signed_in, unknown, pairs):
    review(signed_in, unknown, action="people", **{"number_0-1": "99999999", "who_0-1": "guest"})
    assert "guests" in codes(unknown) and "no_number" not in codes(unknown)
    tick_and_confirm(signed_in, unknown)
    guest = Tournament.objects.get().revisions.get().seats.get(player=None)
    assert guest.guest_name == pairs[0][1].full_name


def test_similar_names_are_proposed_and_chosen(signed_in, unknown, pairs):
    (row,) = rows_of(signed_in, unknown)
    assert row.options[0].value == pairs[0][1].number
    review(signed_in, unknown, action="people", **{"who_0-1": pairs[0][1].number})
    assert "unknown_player" not in codes(unknown)


def test_the_name_of_a_hidden_player_is_not_shown_at_a_number(signed_in, club, pairs):
    person = pairs[0][1]
    person.hidden = True
    person.save()
    shown = sent(signed_in, club, csv_of(pairs).replace(person.full_name.encode(), b"Xxxx Yyyy"))
    page = signed_in.get(reverse("upload_review", args=[shown.pk])).content.decode()
    assert person.number in page
    assert person.surname not in page


def test_invisible_characters_in_a_number_are_removed(signed_in, unknown, pairs):
    number = pairs[0][1].number
    review(signed_in, unknown, action="people", **{"number_0-1": f"\x00{number[:3]}\x1f{number[3:]}\n"})
    assert "unknown_player" not in codes(unknown)


def test_numbers_for_unknown_seats_are_ignored(signed_in, unknown):
    before = ResultUpload.objects.get(pk=unknown.pk).parsed
    response = review(signed_in, unknown, action="people", **{"number_400-7": "5", "who_x": "guest"})
    assert response.status_code == 200
    assert ResultUpload.objects.get(pk=unknown.pk).parsed == before


def test_a_name_that_differs_from_the_numbers_player_is_a_warning(signed_in, club, pairs):
    data = csv_of(pairs).replace(pairs[2][0].full_name.encode(), "Wenceslao Quirós".encode())
    upload = sent(signed_in, club, data)
    issue = upload.issues.get(code="name_differs")
    assert (issue.line, issue.severity) == (6, "warning")
    assert issue.params["registered"] == pairs[2][0].full_name


def test_another_order_of_names_or_an_initial_is_no_warning(signed_in, club, pairs):
    player, other = pairs[0]
    data = csv_of(pairs).replace(
        player.full_name.encode(), f"{player.surname.upper()} {player.given_name}".encode()
    )
    data = data.replace(other.full_name.encode(), f"{other.given_name[0]}. {other.surname}".encode())
    assert "name_differs" not in codes(sent(signed_in, club, data))


def test_a_tick_lapses_if_its_issue_concerns_more_people(signed_in, club, pairs):
    data = csv_of(pairs)
    for pair in pairs[:3]:
        data = data.replace(f"{pair[0].number};{pair[0].full_name}".encode(), b";Jean Dupont")
    upload = sent(signed_in, club, data)
    review(signed_in, upload, action="accept", accept=["no_number"], **{"who_0-0": pairs[0][0].number})
    upload.refresh_from_db()
    # only two of the three warnings are left, so the tick still counts
    assert list(upload.ticks) == ["no_number"]
    review(signed_in, upload, accept=["no_number"], **{"number_0-1": ""})
    upload.refresh_from_db()
    assert upload.ticks == {}  # the tick would cover a person about whom it was not given


def test_ticks_for_errors_or_unknown_issues_are_ignored(signed_in, unknown):
    review(signed_in, unknown, action="accept", accept=["unknown_player", "whatever"])
    unknown.refresh_from_db()
    assert unknown.ticks == {}


def test_changing_the_format_groups_the_rows_of_a_file_again(signed_in, club):
    people = factories.players(8, club=club)
    lines = ["puesto;licencia;nombre"]
    lines += [f"{place};{player.number};{player.full_name}" for place, player in enumerate(people, start=1)]
    upload = sent(signed_in, club, "\n".join(lines).encode(), format="pairs")
    assert upload.issues.filter(severity="error").exists()
    review(signed_in, upload, action="details", club=club.pk, **details(format="individual"))
    upload.refresh_from_db()
    draft = draft_of(upload)
    assert [len(row.seats) for row in draft.rows] == [1] * 8
    assert not draft.has_errors


def test_invalid_data_stay_in_the_form(signed_in, club, unknown):
    data = {"action": "details", "club": club.pk, **details(boards="24", boards_scheduled="20", name="Otro")}
    page = signed_in.post(reverse("upload_review", args=[unknown.pk]), data)
    assert page.status_code == 200
    assert "boards" in page.context["form"].errors
    assert page.context["form"]["name"].value() == "Otro"
    unknown.refresh_from_db()
    assert (unknown.details["name"], unknown.details["boards"]) == ("Otro", 24)
    assert unknown.details["boards_scheduled"] == 20


def begun(director, club, **values) -> ResultUpload:
    """Create an upload for a ranking that will be typed, without lines yet."""
    return uploads.receive_typed(
        director, club, {**details(**values), "end_date": date(2026, 3, 14), "boards": 24}
    )


def ranking(rows: list[dict[str, str]], **extra) -> dict[str, str]:
    """Return the form data of a ranking form with these rows."""
    data = {"row-TOTAL_FORMS": str(len(rows)), "row-INITIAL_FORMS": "0", **extra}
    for index, row in enumerate(rows):
        data |= {f"row-{index}-{name}": value for name, value in row.items()}
    return data


def typed_rows(pairs) -> list[dict[str, str]]:
    return [
        {
            "place": str(place),
            "percentage": f"{60 - place},5",
            "number_1": player.number,
            "name_1": "",
            "number_2": other.number,
            "name_2": other.full_name,
        }
        for place, (player, other) in enumerate(pairs, start=1)
    ]


def test_a_typed_ranking_is_confirmed_and_scored(signed_in, club, pairs):
    response = signed_in.post(reverse("upload_typed"), {**details(), "club": club.pk})
    upload = ResultUpload.objects.get()
    assert response.url == reverse("upload_edit", args=[upload.pk])
    assert codes(upload) >= {"no_ranking"}
    assert signed_in.get(response.url).status_code == 200
    rows = [*typed_rows(pairs[:2]), {}, *typed_rows(pairs)[2:]]
    signed_in.post(response.url, ranking(rows))
    upload.refresh_from_db()
    assert not upload.file_name
    draft = draft_of(upload)
    assert [row.place for row in draft.rows] == [1, 2, 3, 4]
    assert str(draft.rows[0].percentage) == "59.500"
    assert tick_and_confirm(signed_in, upload).url == reverse("upload_receipt", args=[upload.pk])


def test_a_typed_ranking_needs_the_tournaments_data(signed_in, club):
    blank = {**details(name="", end_date="", boards="", format=""), "club": club.pk}
    page = signed_in.post(reverse("upload_typed"), blank)
    assert {"name", "end_date", "boards", "format"} <= set(page.context["form"].errors)


def test_a_ranking_can_be_pasted_from_a_spreadsheet(signed_in, club, pairs):
    pasted = csv_of(pairs).decode().replace(";", "\t")
    response = signed_in.post(reverse("upload_typed"), {**details(), "club": club.pk, "paste": pasted})
    upload = ResultUpload.objects.get()
    assert response.url == reverse("upload_review", args=[upload.pk])
    assert len(draft_of(upload).rows) == 4
    assert not draft_of(upload).has_errors


@pytest.mark.parametrize("pasted", ["1\t70,5\tAna Gil\n2\t60\tLuis Vega", "puesto\tlicencia"])
def test_pasted_text_without_headings_is_refused_and_kept_in_the_form(signed_in, club, pasted):
    page = signed_in.post(reverse("upload_typed"), {**details(), "club": club.pk, "paste": pasted})
    assert page.status_code == 200
    form = page.context["form"]
    assert form["paste"].value() == pasted
    assert "primera línea" in " ".join(form.errors["paste"])
    assert not ResultUpload.objects.exists()


def test_adding_rows_keeps_everything_typed(signed_in, director, club, pairs):
    upload = begun(director, club)
    page = signed_in.post(
        reverse("upload_edit", args=[upload.pk]), ranking([{"place": "1", "percentage": "no"}], more="1")
    )
    forms = page.context["forms"]
    assert len(forms.forms) == 11
    assert forms.forms[0]["percentage"].value() == "no"
    assert draft_of(upload).entries == ()


def test_an_invalid_number_stays_in_its_row_with_an_error(signed_in, director, club, pairs):
    upload = begun(director, club)
    rows = typed_rows(pairs)
    rows[1]["percentage"] = "sesenta"
    page = signed_in.post(reverse("upload_edit", args=[upload.pk]), ranking(rows))
    assert page.status_code == 200
    assert "percentage" in page.context["forms"].forms[1].errors
    assert "sesenta" in [field.get("value") for field in Page(page).controls]


@pytest.mark.parametrize("total", ["", "x", "-1", "100000"])
def test_a_tampered_number_of_rows_does_not_break_the_page(signed_in, director, club, pairs, total):
    upload = begun(director, club)
    url = reverse("upload_edit", args=[upload.pk])
    for extra in ({}, {"more": "1"}):
        data = {**ranking(typed_rows(pairs), **extra), "row-TOTAL_FORMS": total}
        assert signed_in.post(url, data).status_code in (200, 302)
    assert draft_of(ResultUpload.objects.get(pk=upload.pk)).entries == ()


def test_editing_the_ranking_keeps_the_uploaded_file(signed_in, club, pairs):
    data = csv_of(pairs)
    upload = sent(signed_in, club, data)
    forms = signed_in.get(reverse("upload_edit", args=[upload.pk])).context["forms"]
    assert forms.forms[0].initial["number_1"] == pairs[0][0].number
    signed_in.post(reverse("upload_edit", args=[upload.pk]), ranking(typed_rows(list(reversed(pairs)))))
    upload.refresh_from_db()
    assert "edited_by_hand" in codes(upload)
    assert bytes(upload.file.content) == data
    assert draft_of(upload).rows[0].seats[0].player_id == pairs[3][0].pk


def test_the_form_has_enough_fields_for_the_players_of_a_team(signed_in, director, club):
    upload = begun(director, club, format="teams")
    form = signed_in.get(reverse("upload_edit", args=[upload.pk])).context["forms"].forms[0]
    assert {"team", "number_6", "name_6"} <= set(form.fields)
    assert not {"label", "percentage", "direction"} & set(form.fields)
    people = factories.players(8, club=club)
    rows = [
        {"place": str(place), "team": f"Equipo {place}"}
        | {f"number_{seat}": player.number for seat, player in enumerate(members, start=1)}
        for place, members in enumerate((people[:4], people[4:]), start=1)
    ]
    signed_in.post(reverse("upload_edit", args=[upload.pk]), ranking(rows))
    upload.refresh_from_db()
    draft = draft_of(upload)
    assert [row.team_name for row in draft.rows] == ["Equipo 1", "Equipo 2"]
    assert not draft.has_errors
