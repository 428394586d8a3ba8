"""Every issue of the review is raised somewhere, has its texts, and is documented."""

import pytest
from django.utils import translation

from scoring.office.lists.issues import OFFICE_ISSUES
from scoring.ratings.issues import RATING_ISSUES
from tests.folders import ROOT
from tests.issue_rows import documented_rows, row_of
from tournaments.services.issues import CATALOGUE, UPLOAD_ISSUES, describe, issue

# The issues of each package, and the modules that raise them.
ROOMS = {
    "tournaments": (
        UPLOAD_ISSUES,
        ["tournaments/services", "tournaments", "scoring/uploads", "scoring/ratings", "scoring/api"],
    ),
    "ratings": (RATING_ISSUES, ["scoring/ratings/services"]),
    "office": (OFFICE_ISSUES, ["scoring/office/lists", "tournaments", "scoring/office/forms"]),
}
CODES = [code for issues, _folders in ROOMS.values() for code in issues]


@pytest.mark.parametrize("room", ROOMS)
def test_every_issue_of_the_catalogue_is_raised_somewhere(room):
    issues, folders = ROOMS[room]
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py") if path.name != "issues.py"]
    text = "\n".join(path.read_text() for path in paths)
    assert [code for code in issues if f'"{code}"' not in text] == []


@pytest.mark.parametrize("code", CODES)
def test_every_issue_is_documented(code):
    assert row_of(code) in documented_rows()


@pytest.mark.parametrize("code", CODES)
def test_every_error_and_warning_has_a_remedy(code):
    definition = CATALOGUE[code]
    assert definition.remedy or definition.severity == "info"


def test_messages_show_dates_and_choices_in_words():
    with translation.override("es"):
        assert "14 mar 2026" in describe(issue("date_in_future", value="2026-03-14")).message
    with translation.override("en"):
        message = describe(issue("format_differs", value="pairs", chosen="teams")).message
    assert "Pairs" in message
    assert "Teams" in message


@pytest.mark.parametrize(("lang", "day"), [("es", "19 nov 2026"), ("en", "19 Nov 2026")])
def test_the_day_of_a_title_is_a_day_in_words(lang, day):
    with translation.override(lang):
        assert describe(issue("title_date", value="2026-11-19")).message.endswith(f": {day}")


def test_a_name_that_looks_like_an_impossible_date_is_quoted_unchanged():
    text = describe(issue("unknown_player", value="123", name="2026-02-29"))
    assert "2026-02-29" in text.message


def test_a_date_quoted_from_a_file_is_unchanged():
    with translation.override("en"):
        assert "2026-13-45" in describe(issue("bad_date", value="2026-13-45")).message


@pytest.mark.parametrize("code", ["percentages_of_one", "bad_percentage", "score_too_large"])
def test_numbers_in_messages_have_the_decimal_sign_of_the_language(code):
    with translation.override("es"):
        assert " 0,7292" in describe(issue(code, value="0.7292")).message
    with translation.override("en"):
        assert " 0.7292" in describe(issue(code, value="0.7292")).message


def test_both_figures_of_rankings_that_contradict_each_other_have_the_decimal_sign_of_the_language():
    params = {"value": "7", "name": "a.1.xml", "other": "b.csv", "first": "61.25", "second": "-3.5"}
    with translation.override("es"):
        message = describe(issue("joined_other_percentages", **params)).message
        assert "61,25" in message and "-3,5" in message and "a.1.xml" in message
    with translation.override("en"):
        message = describe(issue("joined_other_percentages", **params)).message
        assert "61.25" in message and "-3.5" in message


def test_no_text_of_an_issue_speaks_of_the_page_that_shows_it():
    """Programs and the script show these texts too; see `scoring.api.documents`."""
    texts = {code: f"{item.message} {item.remedy}" for code, item in CATALOGUE.items()}
    assert not [code for code, text in texts.items() if "this page" in text]
