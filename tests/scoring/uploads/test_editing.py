"""The page that edits the whole ranking of a draft.

The page never loses the user's input, and never overwrites decisions that were made on another page
meanwhile.
"""

import pytest
from django.urls import reverse

from tests import factories
from tests.scoring.uploads.makers import csv_of, sent
from tournaments.models import ResultUpload
from tournaments.services import pipeline, uploads
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db
State = ResultUpload.State


@pytest.fixture
def upload(signed_in, club, pairs) -> ResultUpload:
    """Create a draft from a file of four pairs."""
    return sent(signed_in, club, csv_of(pairs))


def edit(upload: ResultUpload) -> str:
    return reverse("upload_edit", args=[upload.pk])


def boxes(page) -> dict[str, str]:
    """Return the form data that a browser would send from the open page."""
    forms = page.context["forms"]
    sent = {f"{form.prefix}-{name}": form[name].value() or "" for form in forms for name in form.fields}
    counts = {"row-TOTAL_FORMS": str(len(forms.forms)), "row-INITIAL_FORMS": "0"}
    return {**sent, **counts, "seen": page.context["seen"]}


def people(upload: ResultUpload) -> list[tuple[str | None, str]]:
    """Return the number and name of every person in the stored ranking."""
    entries = draft_of(ResultUpload.objects.get(pk=upload.pk)).entries
    return [(person.number, person.name) for entry in entries for person in entry.people]


def test_editing_an_outdated_ranking_does_not_discard_later_decisions(signed_in, upload):
    typed = {**boxes(signed_in.get(edit(upload))), "row-1-name_1": "Otra Persona"}
    uploads.save(upload, uploads.Answers(seats={(0, 0): uploads.Decision.GUEST}))
    before = people(upload)
    page = signed_in.post(edit(upload), typed)
    assert page.status_code == 200
    assert "Otra Persona" in page.content.decode() and "ha cambiado" in page.content.decode()
    assert people(upload) == before
    # The director has now seen the change, so sending the page again stores it.
    assert signed_in.post(edit(upload), boxes(page)).status_code == 302
    assert ("Otra Persona") in [name for _number, name in people(upload)]


def test_a_changed_draft_is_noticed_even_after_errors_or_added_rows(signed_in, upload):
    typed = {**boxes(signed_in.get(edit(upload))), "row-1-percentage": "mucho"}
    uploads.save(upload, uploads.Answers(seats={(0, 0): uploads.Decision.GUEST}))
    before = people(upload)
    page = signed_in.post(edit(upload), typed)
    page = signed_in.post(edit(upload), {**boxes(page), "more": "1"})
    page = signed_in.post(edit(upload), {**boxes(page), "row-1-percentage": "55"})
    assert page.status_code == 200 and people(upload) == before


def test_changed_details_or_ticks_do_not_make_the_edited_ranking_outdated(signed_in, club, upload):
    typed = {**boxes(signed_in.get(edit(upload))), "row-1-name_1": "Otra Persona"}
    uploads.save(upload, uploads.Answers(club, {"name": "Copa", "venue": "online"}))
    assert signed_in.post(edit(upload), typed).status_code == 302
    assert ("Otra Persona") in [name for _number, name in people(upload)]


def test_a_second_click_is_not_taken_for_somebody_elses_change(signed_in, upload):
    typed = {**boxes(signed_in.get(edit(upload))), "row-1-name_1": "Otra Persona"}
    assert [signed_in.post(edit(upload), typed).status_code for _click in range(2)] == [302, 302]


def test_input_is_kept_if_the_draft_was_discarded_during_editing(signed_in, upload):
    typed = {**boxes(signed_in.get(edit(upload))), "row-1-name_1": "Otra Persona"}
    pipeline.discard(upload)
    page = signed_in.post(edit(upload), typed)
    assert page.status_code == 200
    assert "Otra Persona" in page.content.decode() and "ya no es un borrador" in page.content.decode()
    pipeline.recover(ResultUpload.objects.get(pk=upload.pk))
    assert signed_in.post(edit(upload), boxes(page)).status_code == 302
    assert ("Otra Persona") in [name for _number, name in people(upload)]


def test_input_is_kept_if_the_format_changed_during_editing(signed_in, director, club):
    form = {"name": "Liga", "event_type": "pool", "format": "teams", "end_date": "2026-03-14"}
    upload = uploads.receive_typed(director, club, form)
    typed = boxes(signed_in.get(edit(upload)))
    typed |= {"row-0-team": "Los Robles", "row-0-name_1": "Ana Uno", "row-0-name_6": "Eva Seis"}
    uploads.save(upload, uploads.Answers(club, {"format": "pairs"}))
    page = signed_in.post(edit(upload), typed)
    text = page.content.decode()
    assert page.status_code == 200
    assert "Los Robles" in text and "Ana Uno" in text and "Eva Seis" in text
    assert signed_in.post(edit(upload), boxes(page)).status_code == 302
    assert [name for _number, name in people(upload)] == ["Ana Uno", "Eva Seis"]


def test_guests_remain_guests_when_the_ranking_is_edited(signed_in, club, pairs):
    data = csv_of(pairs).decode()
    names = ["Turista Uno", "Turista Dos", "Turista Tres"]
    for name, player in zip(names, [*pairs[0], pairs[1][0]], strict=True):
        data = data.replace(f";{player.number};{player.full_name}", f";;{name}")
    upload = sent(signed_in, club, data.encode())
    uploads.save(
        upload, uploads.Answers(seats=dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)], uploads.Decision.GUEST))
    )
    typed = boxes(signed_in.get(edit(upload)))
    # The third guest gets a number, and the first and last pair exchange their places.
    typed |= {"row-1-number_1": pairs[1][0].number, "row-0-place": "4", "row-3-place": "1"}
    typed |= {f"row-{row}-percentage": "" for row in range(4)}
    assert signed_in.post(edit(upload), typed).status_code == 302
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    guests = {draft.entries[row].people[place].name for row, place in draft.choices}
    assert guests == {*names[:2], pairs[1][1].full_name}
    assert "no_number" not in draft.by_tick
    assert draft.entries[1].people[0].number == pairs[1][0].number


def test_a_team_too_large_for_the_form_has_to_be_edited_in_its_file(signed_in, club):
    players = factories.players(13, club=club)
    rows = [
        f"{1 + row // 9};{player.number};{player.full_name};{1 + row // 9}"
        for row, player in enumerate(players)
    ]
    data = "\r\n".join(["puesto;licencia;nombre;equipo", *rows]).encode()
    upload = sent(signed_in, club, data, format="teams")
    assert len(people(upload)) == 13
    answer = signed_in.get(edit(upload), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("upload_review", args=[upload.pk])
    assert "corrige el archivo" in answer.content.decode()
    assert signed_in.post(edit(upload), {"row-TOTAL_FORMS": "0", "row-INITIAL_FORMS": "0"}).status_code == 302
    assert len(people(upload)) == 13
