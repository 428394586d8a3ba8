"""The catalogue of issues: complete, with valid placeholders, and documented."""

import re

import pytest

from tests.folders import ROOT
from tests.issue_rows import documented_rows, row_of
from tournaments.formats.catalogue import CATALOGUE, SHARED_ISSUES, add_issues
from tournaments.formats.issues import issue, shorten
from tournaments.formats.registry import FORMATS
from tournaments.formats.wording import describe
from tournaments.services.drafts import RECHECKED

SOURCES = [
    *(ROOT / "tournaments/formats").rglob("*.py"),
    ROOT / "tournaments/ranking.py",
    ROOT / "tournaments/services/scorings.py",
]
USED = re.compile(r"""(?:\badd|\bissue|_Refused)\(\s*"([a-z_]+)\"""")


# The issues of readers and rankings. Other apps add their own to the same catalogue.
CODES = [*SHARED_ISSUES, *(code for declared in FORMATS for code in declared.issues)]


def test_every_code_is_used_and_every_used_code_exists():
    text = "\n".join(path.read_text() for path in SOURCES if not path.name.endswith("catalogue.py"))
    assert set(USED.findall(text)) <= set(CODES)
    text += (ROOT / "tournaments/services/drafts.py").read_text()  # which adds its own codes too
    unused = [code for code in CODES if f'"{code}"' not in text]
    assert unused == []


@pytest.mark.parametrize("code", CODES)
def test_errors_and_warnings_have_a_remedy(code):
    definition = CATALOGUE[code]
    assert definition.message.endswith((".", "%(value)s"))
    assert definition.remedy or definition.severity == "info"
    assert "%(" not in definition.remedy


@pytest.mark.parametrize("code", CODES)
def test_every_message_is_in_the_documentation(code):
    assert row_of(code) in documented_rows()


def test_a_draft_checks_again_for_every_issue_about_a_seat_or_contestant():
    """RECHECKED has the codes of all issues that `tournaments.formats.checks` can add.

    An issue with another code would stay in the draft after the director has corrected its cause.
    """
    checks = (ROOT / "tournaments/formats/checks.py").read_text(encoding="utf-8")
    assert set(USED.findall(checks)) == RECHECKED


def test_a_message_is_translated_before_its_values_are_inserted():
    result = issue("duplicate_player", line=14, value="01234", first=9)
    described = describe(result, translate=lambda text: text.replace("appears twice", "aparece dos veces"))
    assert described.message == "Licence 01234 aparece dos veces (lines 9 and 14)."


def test_the_type_of_a_refused_file_is_translated():
    described = describe(
        issue("wrong_type", found="a picture"), lambda text: "una imagen" if text == "a picture" else text
    )
    assert "una imagen" in described.message


@pytest.mark.parametrize("code", CODES)
def test_every_placeholder_of_a_message_gets_a_value(code):
    names = re.findall(r"%\((\w+)\)s", CATALOGUE[code].message)
    filled = describe(issue(code, **{name: "Z" for name in names if name not in ("line", "value", "field")}))
    assert "%(" not in filled.message


def test_an_unknown_code_raises_an_error():
    with pytest.raises(KeyError):
        issue("no_such_code")


def test_values_are_shortened_and_control_characters_replaced():
    assert shorten("a\x00b\u202ec\n") == "a�b�c�"
    assert len(shorten("x" * 500)) == 80
    assert issue("bad_number", value="x" * 500).value.endswith("…")


def test_a_code_cannot_be_defined_twice():
    with pytest.raises(ValueError, match="too_large"):
        add_issues({"too_large": CATALOGUE["empty_file"]})
    assert CATALOGUE["too_large"] is SHARED_ISSUES["too_large"]
