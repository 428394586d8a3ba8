"""Numbers, dates and ranks in the format of each language."""

from datetime import date

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from scoring.ledger.services import posting, standings
from tests import factories
from tests.i18n.messages import TAGS
from tests.languages import speak
from tests.pages import Page
from tournaments.formats.types import Issue
from tournaments.services.issues import issue_groups

TIMES = ("(%(number_text)s time)", "(%(number_text)s times)")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "points", "day", "rank"),
    [("es", "1.234,56", "14 mar 2026", "puesto 1 de 1"), ("en", "1,234.56", "14 Mar 2026", "1st of 1")],
)
def test_numbers_and_dates_follow_the_language(client, monkeypatch, language, points, day, rank):
    for module in ("scoring.ledger.services.standings", "scoring.ledger.conditional"):
        monkeypatch.setattr(f"{module}.today", lambda: date(2026, 11, 21))
    player = factories.player(category="2P")
    opening = posting.OpeningRow(player.pk, date(2026, 3, 14), "Copa del Faro", online=False, points=123456)
    posting.post_opening([opening], factories.office())
    standings.roll(date(2026, 11, 21))
    speak(client, language)
    html = client.get(player.get_absolute_url()).content.decode()
    text = TAGS.sub(" ", html)
    assert points in text
    assert day in text
    assert rank in text


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize(("language", "words"), [("es", ("vez", "veces")), ("en", ("time", "times"))])
def test_the_number_of_occurrences_of_an_issue_agrees_with_its_noun(number, language, words):
    with translation.override(language):
        text = translation.ngettext(*TIMES, number) % {"number_text": number}
    assert text == f"({number} {words[number != 1]})"


@pytest.mark.parametrize(("number", "words"), [(6, "(6 veces)"), (1234, "(1.234 veces)")])
def test_the_heading_of_grouped_issues_shows_how_many_there_are(number, words):
    items = [{"message": "Falta un puesto."}] * number
    group = {"severity": "note", "code": "place_gap", "items": items, "count": number}
    with translation.override("es"):
        context = {"groups": [group], "may_change": False}
        page = Page(render_to_string("tournaments/_issues.html", context))
    assert page.the("summary").text.endswith(f"Falta un puesto. {words}")


@pytest.mark.parametrize(
    ("number", "language", "words"),
    [
        (10, "es", "… y 9 más como este"),
        (2, "es", "… y 1 más como este"),
        (10, "en", "… and 9 more like it"),
        (2, "en", "… and 1 more like it"),
    ],
)
def test_the_heading_of_differing_issues_shows_the_first_and_how_many_more(number, language, words):
    issues = [
        Issue("same_source", "warning", params={"name": f"Liga {place}"}) for place in range(1, number + 1)
    ]
    with translation.override(language):
        groups = issue_groups(issues)
        page = Page(render_to_string("tournaments/_issues.html", {"groups": groups, "may_change": True}))
    first = groups[0]["items"][0]["message"]
    assert page.the("label").text.endswith(f": {first} {words}")
    summaries = [summary.text for summary in page.all("summary")]
    assert [text.partition(" ")[2] for text in summaries] == [f"{first} {words}"] * (number > 5)


@pytest.mark.parametrize("number", [1, 10])
def test_the_tick_box_of_equal_issues_shows_their_text_once(number):
    issues = [Issue("same_source", "warning", line, params={"name": "Liga"}) for line in range(1, number + 1)]
    with translation.override("en"):
        groups = issue_groups(issues)
        page = Page(render_to_string("tournaments/_issues.html", {"groups": groups, "may_change": True}))
    assert page.the("label").text.endswith(f": {groups[0]['items'][0]['message']}")
