"""The pages of the form that edits a long ranking: no row and no input is lost between them."""

import pytest
from django.urls import reverse

from tests.pages import Page
from tests.scoring.uploads.makers import sent
from tournaments.models import ResultUpload
from tournaments.services import uploads
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db

LARGEST = 300_000  # bytes of a page


def long_file(count: int) -> bytes:
    lines = ["puesto;licencia;nombre;pareja;porcentaje"]
    for place in range(1, count + 1):
        lines += [f"{place};;Persona {place}{side};{place};{80 - place / 100}" for side in "ab"]
    return "\r\n".join(lines).encode()


@pytest.fixture
def upload(request, signed_in, club) -> ResultUpload:
    """Create a draft from a file of 250 pairs, or of another number."""
    return sent(signed_in, club, long_file(getattr(request, "param", 250)), name="Simultáneo")


def edit(upload: ResultUpload, page: int = 1) -> str:
    return f"{reverse('upload_edit', args=[upload.pk])}?pagina={page}"


def opened(client, upload, page: int = 1):
    answer = client.get(edit(upload, page))
    assert answer.status_code == 200 and len(answer.content) < LARGEST
    return answer


def fields(answer, **changed: str) -> dict[str, str]:
    """Return what a browser sends with the page, with these changes."""
    return {**{name: texts[0] for name, texts in Page(answer).form("seen").values.items()}, **changed}


def names(upload) -> list[str]:
    """Return the name of the first person of each row of the stored ranking."""
    return [entry.people[0].name for entry in draft_of(ResultUpload.objects.get(pk=upload.pk)).entries]


def pages_of(client, upload) -> range:
    return range(1, opened(client, upload).context["part"].count + 1)


def test_the_pages_have_all_rows_once_with_the_numbers_of_the_whole_ranking(signed_in, upload):
    shown = []
    for number in pages_of(signed_in, upload):
        forms = opened(signed_in, upload, number).context["forms"].forms
        shown += [(form.number, form["name_1"].value()) for form in forms if form["name_1"].value()]
    assert shown == [(row, f"Persona {row}a") for row in range(1, 251)]


@pytest.mark.parametrize("upload", [2_500], indirect=True)
def test_the_longest_pages_stay_short(signed_in, upload):
    last = pages_of(signed_in, upload)[-1]
    assert "Persona 2500b" in opened(signed_in, upload, last).content.decode()
    page = opened(signed_in, upload, 2)
    wrong = {name: "x" * 20 for name in fields(page) if name.endswith("percentage")}
    refused = signed_in.post(edit(upload, 2), fields(page, **wrong))
    assert refused.status_code == 200 and len(refused.content) < LARGEST


def test_every_page_is_saved_by_the_button_for_another_one(signed_in, upload):
    for number in pages_of(signed_in, upload):
        typed = fields(opened(signed_in, upload, number), **{"row-1-name_1": f"Otra {number}"}, page="1")
        assert signed_in.post(edit(upload, number), typed).url == edit(upload, 1)
    first_rows = [opened(signed_in, upload, number).context["part"].before for number in (1, 2, 3)]
    expected = {row + 1: f"Otra {number}" for number, row in enumerate(first_rows, start=1)}
    assert names(upload) == [expected.get(row, f"Persona {row + 1}a") for row in range(250)]


def test_a_page_with_errors_stays_and_the_others_are_as_they_were(signed_in, upload):
    typed = fields(opened(signed_in, upload, 2), **{"row-1-percentage": "mucho", "row-2-name_1": "Otra"})
    refused = signed_in.post(edit(upload, 2), typed | {"page": "3"})
    assert refused.status_code == 200
    assert fields(refused)["row-1-percentage"] == "mucho"
    assert signed_in.post(edit(upload, 2), fields(refused, **{"row-1-percentage": "50"})).status_code == 302
    assert [name for name in names(upload) if not name.startswith("Persona")] == ["Otra"]
    assert len(names(upload)) == 250


def test_removed_rows_of_a_page_are_removed_once_however_often_the_button_is_pressed(signed_in, upload):
    page = fields(opened(signed_in, upload, 2))
    row = opened(signed_in, upload, 2).context["part"].before
    typed = page | {name: "" for name in page if name.startswith("row-0-")}
    assert [signed_in.post(edit(upload, 2), typed).status_code for _click in range(2)] == [302, 302]
    assert names(upload) == [f"Persona {number + 1}a" for number in range(250) if number != row]


def test_rows_are_added_on_the_last_page_beyond_its_length(signed_in, upload):
    last = pages_of(signed_in, upload)[-1]
    typed = fields(opened(signed_in, upload, last))
    count = int(typed["row-TOTAL_FORMS"])
    for _press in range(20):
        blank = [row for row in range(count) if not typed[f"row-{row}-name_1"]]
        typed |= {f"row-{row}-name_1": f"Nueva {row + 1}" for row in blank}
        answer = signed_in.post(edit(upload, last), typed | {"more": "1"})
        if answer.status_code == 302:
            answer = signed_in.get(answer.url)
        assert len(answer.content) < LARGEST
        if answer.context["part"].number > last:
            break
        typed = fields(answer)
        count = int(typed["row-TOTAL_FORMS"])
    assert answer.context["part"].number == last + 1
    assert not answer.context["forms"].forms[-10]["name_1"].value()
    assert names(upload)[:250] == [f"Persona {row}a" for row in range(1, 251)]
    assert names(upload)[-1] == f"Nueva {count}" and len(names(upload)) == 114 * 2 + count


def test_two_pages_open_in_two_windows_are_both_saved(signed_in, upload):
    first, second = (fields(opened(signed_in, upload, number)) for number in (1, 2))
    signed_in.post(edit(upload, 1), first)  # the first saving fixes the places
    first, second = (fields(opened(signed_in, upload, number)) for number in (1, 2))
    removed = {name: "" for name in first if name.startswith("row-0-")}
    assert signed_in.post(edit(upload, 1), first | removed).status_code == 302
    assert signed_in.post(edit(upload, 2), second | {"row-0-name_1": "Otra"}).status_code == 302
    row = opened(signed_in, upload, 2).context["part"].before
    expected = [f"Persona {number + 1}a" for number in range(1, 250)]
    expected[row - 1] = "Otra"
    assert names(upload) == expected


def test_a_row_changed_by_somebody_else_is_not_overwritten_before_it_was_shown(signed_in, upload):
    signed_in.post(edit(upload), fields(opened(signed_in, upload)))
    old = fields(opened(signed_in, upload, 2))
    entries = list(draft_of(ResultUpload.objects.get(pk=upload.pk)).entries)
    row = opened(signed_in, upload, 2).context["part"].before
    del entries[3]
    entries[row + 4] = entries[row + 5]
    uploads.replace_entries(upload, entries)
    before = names(upload)
    refused = signed_in.post(edit(upload, 2), old | {"row-0-name_1": "Otra"})
    assert refused.status_code == 200 and "ha cambiado" in refused.content.decode()
    assert names(upload) == before
    # Its rows have moved one up, and sending it again replaces exactly these.
    assert refused.context["part"].first == row
    assert signed_in.post(edit(upload, 2), fields(refused)).status_code == 302
    after = names(upload)
    assert after[row - 1] == "Otra"
    assert (after[: row - 1], len(after)) == (before[: row - 1], 249)
    size = refused.context["part"].size
    assert after[row - 1 + size :] == before[row - 1 + size :]


def test_the_places_of_all_pages_can_be_emptied_at_once(signed_in, upload):
    typed = fields(opened(signed_in, upload, 2), **{"row-0-percentage": "99"})
    answer = signed_in.post(edit(upload, 2), typed | {"blank-places": "1"})
    assert answer.url == edit(upload, 2)
    draft = draft_of(ResultUpload.objects.get(pk=upload.pk))
    assert not any(entry.place for entry in draft.entries)
    assert draft.ranked[0].entry.percentage == "99" and not draft.has_errors


def test_a_ranking_has_at_most_as_many_rows_as_a_file(signed_in, club):
    rows = "\n".join(f"{place};;Persona {place}a" for place in range(1, 5_001))
    data = f"puesto;licencia;nombre\n{rows}".encode()
    upload = sent(signed_in, club, data, format="individual")
    last = pages_of(signed_in, upload)[-1]
    page = opened(signed_in, upload, last)
    assert not page.context["may_add"]
    count = int(fields(page)["row-TOTAL_FORMS"])
    more = {"row-TOTAL_FORMS": str(count + 1), f"row-{count}-name_1": "Demasiado"}
    refused = signed_in.post(edit(upload, last), fields(page, **more))
    assert refused.status_code == 200
    assert "5.000" in refused.content.decode() and "Demasiado" in refused.content.decode()
    assert len(names(upload)) == 5_000
