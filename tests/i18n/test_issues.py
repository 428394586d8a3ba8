"""Issues in Spanish: correct for every number, and without technical terms."""

import re

import pytest
from django.utils import translation

from scoring.engine.errors import CODES
from tests.i18n.messages import ROOT
from tournaments.formats.issues import issue as reader_issue
from tournaments.formats.wording import describe as describe_of_reader
from tournaments.services.issues import FIELDS, OTHER_FAULT, describe, fault_of, issue


@pytest.mark.parametrize("count", [0, 1, 2])
def test_counts_in_issues_are_correct_for_every_number(count):
    with translation.override("es"):
        text = describe_of_reader(reader_issue("leading_zeros_lost", count=count), translation.gettext)
    assert text.message.endswith(f": {count}.")


@pytest.mark.parametrize("code", [*CODES, OTHER_FAULT])
def test_a_ranking_that_cannot_be_scored_is_refused_without_showing_the_code(code):
    result = issue("not_scorable", value=fault_of(code))
    with translation.override("es"):
        message = describe(result).message
    assert result.value not in message
    assert code not in message


def test_a_count_of_further_issues_shows_no_code():
    with translation.override("es"):
        message = describe(issue("more_like_this", kind="place_gap", count=1)).message
    assert "place_gap" not in message and "%(" not in message


def test_every_field_that_issues_mention_has_a_name():
    """Every field of a file that issues mention has a name on the screen (`FIELDS`).

    Fields in capitals, or passed in variables, are headings of the file itself and need none.
    """
    places = [*(ROOT / "tournaments").rglob("*.py"), ROOT / "scoring/uploads/services/review.py"]
    # The page for these formats shows no field names.
    readers = {"opengotha.py", "go_checks.py", "egd.py"}
    named = {
        field
        for path in places
        if path.name not in readers
        for field in re.findall(r'\bfield="([a-z_]+)"', path.read_text("utf-8"))
    }
    assert {"place", "licence"} <= named
    assert named - FIELDS.keys() == set()
