"""Labels and names of teams: what the public sees of them."""

from unicodedata import normalize

import pytest

from scoring.ledger.queries.people import Written
from tests import factories as make

# Files give labels of at most 20 characters, and names of teams of at most 100.
TWENTY = "Club de Bridge Norte"
HUNDRED = " ".join(["Norte"] * 17)[:100]
KNOWN, ERASED = [{"erased": 0}], [{"erased": 1}]


@pytest.mark.django_db
def test_texts_that_may_be_cut_off_are_not_shown():
    assert (len(TWENTY), len(HUNDRED)) == (20, 100)
    written = Written([TWENTY, TWENTY[:19], HUNDRED, HUNDRED[:99]])
    assert (written.label(TWENTY, KNOWN), written.label(TWENTY[:19], KNOWN)) == ("", TWENTY[:19])
    assert (written.team(TWENTY, KNOWN), written.team(HUNDRED[:99], KNOWN)) == (TWENTY, HUNDRED[:99])
    assert written.team(HUNDRED, KNOWN) == ""


@pytest.mark.django_db
def test_numbers_are_always_shown_and_texts_of_erased_people_never():
    written = Written(["12345678901234567890", "Norte"])
    assert written.label("12345678901234567890", ERASED) == "12345678901234567890"
    assert [written.label("Norte", people) for people in (KNOWN, ERASED)] == ["Norte", ""]
    assert [written.team("Norte", people) for people in (KNOWN, ERASED)] == ["Norte", ""]


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["Li Wu", "Wu, Li", "LI WU", "Li Wu - Bo Xu"])
def test_short_names_of_hidden_people_are_not_shown(text):
    make.player(given_name="Li", surname="Wu", hidden=True)
    written = Written([text])
    assert (written.label(text, KNOWN), written.team(text, KNOWN)) == ("", "")


@pytest.mark.django_db
def test_accents_that_are_characters_of_their_own_hide_no_name():
    make.player(given_name="Rocío", surname="Aguilar Peña", hidden=True)
    for form in ("NFC", "NFD"):
        text = normalize(form, "Rocío Aguilar y Peña")
        shown = normalize(form, "Avión y Peña")
        written = Written([text, shown])
        assert (written.team(text, KNOWN), written.team(shown, KNOWN)) == ("", shown)


@pytest.mark.django_db
def test_what_cannot_be_a_name_takes_no_query_and_is_always_shown(django_assert_num_queries):
    texts = [text for number in range(500) for text in (f"A{number}", f"{number} NS", f"{number}")]
    with django_assert_num_queries(0):
        written = Written(texts)
    assert [written.label(text, ERASED) for text in texts] == texts


@pytest.mark.django_db
def test_texts_with_the_name_of_somebody_hidden_are_not_shown():
    make.player(given_name="Secundina", surname="Ocultada", hidden=True)
    texts = ["Equipo Ocultada Secundina 2", "Ocultada, Secundina", "Secundina Norte"]
    written = Written(texts)
    assert [written.team(text, KNOWN) for text in texts] == ["", "", "Secundina Norte"]
    assert [written.label(text, KNOWN) for text in texts] == ["", "", "Secundina Norte"]
