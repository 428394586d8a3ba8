"""A review page that is sent after the draft changed elsewhere keeps those changes."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.scoring.uploads.makers import csv_of, sent, usebio_of
from tournaments.models import ResultUpload
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db


def boxes(client, upload) -> dict:
    """Return the form data that a browser would send from the review page as it is now."""
    page = client.get(reverse("upload_review", args=[upload.pk])).context
    form, draft = page["form"], page["review"].draft
    result = {f"was-{name}": text for name, text in form.shown()}
    result |= dict(form.shown())
    result |= {"accept": list(draft.accepted), "ticked": list(draft.accepted)}
    for row in [*page["people"].rows, *page["people"].decided]:
        picked = next(option.value for option in row.options if option.checked)
        result |= {f"was_{row.key}": row.number, f"number_{row.key}": row.text}
        result |= {f"who_{row.key}": picked, f"picked_{row.key}": row.preset}
    return result | {name: page[name] for name in ("seen", "rows", "warned")}


def press(client, upload, action, boxes, **changed):
    return client.post(reverse("upload_review", args=[upload.pk]), {"action": action, **boxes, **changed})


def draft(upload):
    return draft_of(ResultUpload.objects.get(pk=upload.pk))


def names(page) -> str:
    return " ".join(str(message) for message in page.context["messages"])


@pytest.fixture
def nameless(signed_in, club, pairs):
    """Create a draft in which two people have no number."""
    data = csv_of(pairs).decode()
    for person in pairs[0]:
        data = data.replace(f";{person.number};{person.full_name}", ";;Turista Desconocido")
    return sent(signed_in, club, data.encode())


def test_a_change_by_the_same_session_is_not_taken_for_somebody_elses(signed_in, club, nameless, pairs):
    old = boxes(signed_in, nameless)
    press(signed_in, nameless, "accept", old, name="Copa", **{"who_0-0": "guest"})
    # After Back, the browser shows the page with the values as sent, and the director continues from there.
    shown = {**old, "name": "Copa", "who_0-0": "guest"}
    number = pairs[0][1].number
    assert (
        press(signed_in, nameless, "accept", shown, boards="22", **{"number_0-1": number}).status_code == 302
    )
    now = draft(nameless)
    assert (now.known.name, now.known.boards) == ("Copa", 22)
    assert now.choices[0, 0].guest and now.entries[0].people[1].number == number


def test_fields_not_changed_on_an_outdated_page_keep_their_current_values(signed_in, club, nameless):
    """With two windows of one session, the changes made in both are kept."""
    old = boxes(signed_in, nameless)
    press(signed_in, nameless, "details", old, name="Copa", venue="online", **{"who_0-0": "guest"})
    assert press(signed_in, nameless, "details", old, boards="22").status_code == 302
    now = draft(nameless)
    assert (now.known.name, now.known.venue, now.known.boards) == ("Copa", "online", 22)
    assert now.choices[0, 0].guest


def test_an_error_on_an_outdated_page_shows_the_current_other_fields(signed_in, club, nameless):
    old = boxes(signed_in, nameless)
    press(signed_in, nameless, "details", old, name="Copa")
    page = press(signed_in, nameless, "details", old, boards="muchas")
    assert page.status_code == 200 and page.context["form"]["boards"].value() == "muchas"
    assert page.context["form"]["name"].value() == "Copa" == draft(nameless).known.name


def test_ticks_on_an_outdated_page_cover_only_the_issues_it_showed(signed_in, club, pairs):
    upload = sent(signed_in, club, usebio_of(pairs, boards=24), "m.xml", end_date="2026-03-13", boards="")
    old = boxes(signed_in, upload)
    assert draft(upload).unticked == ["date_differs"]
    press(signed_in, upload, "details", old, end_date="2026-03-12")
    press(signed_in, upload, "details", old, accept=["date_differs"], boards="22")
    now = draft(upload)
    assert (now.known.end_date.day, now.known.boards) == (12, 22) and now.unticked == ["date_differs"]
    new = boxes(signed_in, upload)
    press(signed_in, upload, "details", new, boards="20")
    press(signed_in, upload, "details", new, accept=["date_differs"])
    assert (draft(upload).known.boards, draft(upload).unticked) == (20, [])
    new = boxes(signed_in, upload)
    press(signed_in, upload, "details", new, name="Copa")
    press(signed_in, upload, "details", new, accept=[])  # the older window removes the tick
    assert (draft(upload).known.name, draft(upload).unticked) == ("Copa", ["date_differs"])


def test_an_outdated_page_after_somebody_elses_change_stores_nothing(signed_in, club, nameless):
    old = boxes(signed_in, nameless)
    office = Client()
    office.force_login(factories.office())
    press(signed_in, nameless, "details", old, name="Copa")
    press(office, nameless, "details", boxes(office, nameless), venue="online")
    press(signed_in, nameless, "details", boxes(signed_in, nameless), name="Liga")
    page = press(signed_in, nameless, "details", old, boards="22")
    assert page.status_code == 200 and draft(nameless).known.boards == 24
    form = page.context["form"]
    assert (form["boards"].value(), form["name"].value(), form["venue"].value()) == ("22", "Liga", "online")
    assert "Manos" in names(page) and "Nombre" not in names(page)


def test_a_change_by_another_session_of_the_account_counts_as_somebody_elses(
    signed_in, director, club, nameless
):
    old = boxes(signed_in, nameless)
    elsewhere = Client()
    elsewhere.force_login(director)
    press(elsewhere, nameless, "details", boxes(elsewhere, nameless), name="Copa")
    page = press(signed_in, nameless, "details", old, boards="22")
    assert page.status_code == 200 and draft(nameless).known.boards == 24
    assert "alguien" not in names(page).lower()


def test_a_second_click_is_accepted_like_the_first(signed_in, director, club, nameless, pairs):
    old = boxes(signed_in, nameless) | {"name": "Copa", "number_0-1": pairs[0][1].number, "who_0-0": "guest"}
    elsewhere = Client()  # stands for a second click sent before the session of the first one is stored
    elsewhere.force_login(director)
    assert press(elsewhere, nameless, "people", old).status_code == 302
    assert press(signed_in, nameless, "people", old).status_code == 302


def test_editing_the_ranking_counts_as_a_change_by_the_same_session(signed_in, club, nameless):
    old = boxes(signed_in, nameless)
    edit = reverse("upload_edit", args=[nameless.pk])
    forms = signed_in.get(edit).context["forms"]
    data = {f"{form.prefix}-{name}": form[name].value() or "" for form in forms for name in form.fields}
    data |= {"row-TOTAL_FORMS": str(len(forms.forms)), "row-INITIAL_FORMS": "0"}
    assert signed_in.post(edit, {**data, "row-0-name_1": "Otra Persona"}).status_code == 302
    assert press(signed_in, nameless, "details", old, name="Copa").status_code == 302
    assert draft(nameless).known.name == "Copa"
    page = press(signed_in, nameless, "people", old, **{"number_0-1": "4711"})
    assert page.status_code == 200 and "4711" in names(page)


def test_a_choice_undone_in_another_window_stays_undone(signed_in, club, pairs):
    number, name = pairs[0][0].number, pairs[0][0].full_name
    data = csv_of(pairs).decode().replace(f"{number};{name}", ";Jean Dupont", 1).encode()
    upload = sent(signed_in, club, data)
    press(signed_in, upload, "people", boxes(signed_in, upload), **{"who_0-0": number})
    assert draft(upload).entries[0].people[0].number == number
    old = boxes(signed_in, upload)
    press(signed_in, upload, "people", old, **{"who_0-0": "as-read"})
    press(signed_in, upload, "save", old, name="Copa")
    assert draft(upload).entries[0].people[0].number is None
    assert draft(upload).known.name == "Copa"


@pytest.mark.parametrize("wrong", ["99999", "second"])
def test_a_wrong_number_stays_until_somebody_changes_it(signed_in, club, nameless, pairs, wrong):
    """A wrong number stays in its box, whichever button is pressed, until somebody changes it.

    The number is unknown, or two people have it.
    """
    number = pairs[1][0].number if wrong == "second" else wrong
    press(signed_in, nameless, "people", boxes(signed_in, nameless), **{"number_0-0": number})
    for action in ("save", "people", "accept"):
        page = boxes(signed_in, nameless)
        assert page["who_0-0"] == ""
        press(signed_in, nameless, action, page, venue="online")
        assert draft(nameless).entries[0].people[0].number == number
    press(signed_in, nameless, "people", boxes(signed_in, nameless), **{"who_0-0": "as-read"})
    assert draft(nameless).entries[0].people[0].number is None


def test_a_replaced_number_of_the_file_does_not_come_back(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    stranger = pairs[0][0].number
    boxes_of_file = {**boxes(signed_in, upload), "was_0-0": stranger, "number_0-0": "99999"}
    press(signed_in, upload, "people", boxes_of_file)
    press(signed_in, upload, "save", boxes(signed_in, upload), name="Copa")
    assert draft(upload).entries[0].people[0].number == "99999"
