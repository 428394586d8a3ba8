"""The regulations' pages: one for every code, linked wherever it is named, and correct on any day."""

import re
from datetime import date, timedelta
from decimal import Decimal
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from scoring import regulations
from scoring.ledger.links import regulation_link
from scoring.ledger.models import LedgerEntry, ScoringFactor
from scoring.ledger.models.factors import TAKEN
from scoring.ledger.texts import say
from scoring.ledger.wording import regulation_name
from scoring.strength.queries import address as strength_address
from tests import factories as make
from tests.scoring.conftest import TODAY
from tests.scoring.ratings import makers
from tests.scoring.strength.test_pages import howell, played, session

pytestmark = pytest.mark.django_db
CODES = [regulation.code for regulation in regulations.ALL]
WITH_MISPRINTS = [code for code in CODES if regulations.DECLARATIONS[code].errata]
AWARDS = [code for code in CODES if not code.startswith("strength")]
OVERALL = {
    "family": "acbl", "event_type": "overall",
    "params": {"rating": "regional", "sessions": 1, "restriction": "none"},
}  # fmt: skip
FAMILIES = {
    "aeb-2026": {},
    "sbf-2019-bronze": {"family": "sbf-bronze", "event_type": "bronze"},
    "sbf-2019-silver": {"family": "sbf-silver", "event_type": "silver"},
    "acbl-club": {"family": "acbl", "event_type": "club"},
    "acbl-overall": OVERALL,
}


@pytest.fixture(autouse=True)
def _all_systems(settings, today):
    settings.FAMILIES = ["aeb", "sbf-bronze", "sbf-silver", "acbl"]


@pytest.fixture
def read(client):
    """A function that requests a page in English, and unescapes its HTML."""

    def html_of(address: str) -> str:
        client.cookies["django_language"] = "en"
        response = client.get(address)
        assert response.status_code == 200, address
        return unescape(response.content.decode())

    return html_of


def url(code: str) -> str:
    return reverse("regulation", args=[code])


def factor(name: str, value: str, day: date = date(2020, 1, 1), **fields) -> ScoringFactor:
    values = {"regulation": "acbl-overall", "source": "Manual, p. 3", "set_by": make.user(), **fields}
    return ScoringFactor.objects.create(name=name, value=Decimal(value), valid_from=day, **values)


def all_factors() -> None:
    for name in ("M", "T", "depth"):
        factor(name, "0.5")


# --- Every page -----------------------------------------------------------------------------------------
def test_every_regulation_has_rulings():
    assert all(declaration.rulings for declaration in regulations.DECLARATIONS.values())


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("code", CODES)
def test_the_page_opens_with_an_answer(client, code, language):
    client.cookies["django_language"] = language
    response = client.get(url(code))
    html = response.content.decode()
    assert response.status_code == 200
    assert html.count("<h1>") == 1
    assert '<p class="lead">' in html
    assert "style=" not in html
    assert "<math" in html and "<svg" in html
    with translation.override(language):
        for ruling in regulations.DECLARATIONS[code].rulings:
            assert say(ruling) in unescape(html)


@pytest.mark.parametrize("code", ["aeb-2022", "aeb-2026"])
def test_who_takes_part_is_ruled_on_the_page(read, code):
    """The rulings include simultaneous events, withdrawals, substitutes and a minimum share of the boards."""
    html = read(url(code))
    for words in ("A simultaneous event", "Whoever withdrew", "Substitutes listed", "a minimum share"):
        assert words in html


def test_the_page_names_one_rule_for_places(read, settings):
    for rule, other in (("text", "spread evenly, as"), ("even", "formula is applied")):
        settings.PLACE_RULE = rule
        html = read(url("aeb-2022"))
        assert other not in html
        assert "sit where the formula of the text has them" not in html


@pytest.mark.parametrize("code", WITH_MISPRINTS)
def test_errata_are_listed(read, code):
    html = read(url(code))
    with translation.override("en"):
        for erratum in regulations.DECLARATIONS[code].errata:
            assert all(say(text) in html for text in (erratum.where, erratum.printed, erratum.right))


@pytest.mark.parametrize("code", ["aeb-2099", "sbf", "egf-classic-2"])
def test_an_unknown_code_is_not_there(client, code):
    assert client.get(url(code)).status_code == 404


def test_the_days_of_validity(read):
    assert "from 1 Jan 1996 to 31 Dec 2020" in read(url("egf-classic"))
    assert "from 1 Jan 2019 on" in read(url("sbf-2019-silver"))
    assert "belongs to no date" in read(url("strength-mp"))


def test_the_list_has_every_regulation_by_family(read):
    html = read(reverse("regulations"))
    matches = re.findall(r'<a href="/reglamento/([a-z0-9-]+)/">', html)
    assert sorted(matches) == sorted(CODES)
    latest = [[issue.code for issue in reversed(regulations.of_family(family))] for family in ("aeb", "egf")]
    assert matches[: len(latest[0])] == latest[0]
    assert [code for code in matches if code.startswith("egf")] == latest[1]
    assert (
        matches.index("sbf-2019-bronze") + 1
        == matches.index("sbf-2019-silver")
        < matches.index("acbl-overall")
    )
    assert "In force: AEB 2026" in html


# --- Links to the calculator ----------------------------------------------------------------------------
@pytest.mark.parametrize("code", CODES)
def test_awards_and_ratings_lead_to_the_calculator(read, code):
    link = f"{reverse('calculator')}?reglamento={code}"
    assert (f'href="{link}"' in read(url(code))) == (code in AWARDS)
    if code in AWARDS:
        assert regulation_name(code) in read(link)


@pytest.mark.parametrize(
    ("code", "other"),
    [
        ("aeb-2026", "aeb-2022"),
        ("aeb-2022", "aeb-2026"),
        ("egf-classic", "egf-2021"),
        ("egf-2021", "egf-classic"),
    ],
)
def test_two_versions_side_by_side(read, code, other):
    link = f"{reverse('calculator')}?reglamento={code}&comparar={other}"
    assert f'href="{link}"' in read(url(code))
    both = read(link)
    assert all(f'href="{url(item)}"' in both for item in (code, other))  # the response names both regulations


# --- Factors entered by the office ----------------------------------------------------------------------
def office_rows(html: str) -> list[list[str]]:
    table = re.search(r"<caption>Entered by the office.*?</table>", html, re.DOTALL)[0]
    body = table.partition("<tbody")[2]
    return [
        [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
        for row in body.split("</tr>")[:-1]
    ]


def test_a_factor_without_a_source_is_named_as_missing(read):
    rows = office_rows(read(url("acbl-overall")))
    assert [row[1] for row in rows] == ["—"] * 4
    assert all("refuses" in row[2] for row in rows[:3])
    assert "2003" in rows[3][2]


def test_the_factors_of_the_day_with_their_source(read):
    factor("M", "0.9", day=date(2020, 1, 1), case="1500", source="Old manual")
    factor("M", "0.8", day=date(2021, 1, 1), case="1500", source="Manual, p. 7")
    factor("M", "0.7", day=TODAY + timedelta(days=1), case="1500", source="Next manual")
    factor("depth", "0.3", regulation="acbl-club", source="Handbook, p. 2")
    html = read(url("acbl-overall"))
    row = next(row for row in office_rows(html) if "1500" in row[0])
    assert row[1] == "0.8" and "Manual, p. 7" in row[2]
    assert "Old manual" not in html and "Next manual" not in html and "Handbook" not in html
    (depth,) = office_rows(read(url("acbl-club")))
    assert depth[1] == "0.3" and "Handbook, p. 2" in depth[2]


@pytest.mark.parametrize("code", CODES)
def test_a_page_asks_the_database_the_same_however_many_factors(client, code):
    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert client.get(url(code)).status_code == 200
        return len(caught)

    for name in TAKEN.get(code, ()):
        factor(name, "0.9", regulation=code)
    count = queries()
    for name in TAKEN.get(code, ()):
        factor(name, "0.8", case="a", regulation=code)
        factor(name, "0.7", date(2021, 1, 1), regulation=code)
    assert queries() == count == (1 if code in TAKEN else 0)


# --- Links to a regulation's page -----------------------------------------------------------------------
@pytest.mark.parametrize("code", CODES)
def test_a_name_is_a_link_that_answers(client, code):
    link = str(regulation_link(code))
    assert f">{regulation_name(code)}</a>" in unescape(link)
    assert client.get(re.search(r'href="([^"]+)"', link)[1]).status_code == 200


def test_a_regulation_that_is_no_longer_in_the_code_keeps_its_name():
    assert regulation_link("aeb-1998") == "aeb-1998"
    assert regulation_link("aeb-1998", "words") == "words"
    assert regulation_name("aeb-1998") == "AEB 1998"


@pytest.mark.parametrize("code", FAMILIES)
def test_tournaments_and_receipts_link_the_regulation(read, code):
    all_factors()
    field = make.pairs(make.players(16, category="3D"))
    tournament = make.scored(*field, end_date=TODAY, **FAMILIES[code])
    html = read(tournament.get_absolute_url())
    assert html.count(f'href="{url(code)}"') == 2  # among the facts, and below the coefficients
    entry = LedgerEntry.objects.filter(run__revision__tournament=tournament).first()
    receipt = read(reverse("award", args=[entry.player.number, entry.pk]))
    assert str(regulation_link(code)) in receipt


@pytest.mark.parametrize(("end", "code"), [(date(2019, 5, 1), "egf-classic"), (date(2026, 3, 1), "egf-2021")])
def test_pages_of_go_link_the_regulation(read, end, code):
    event = makers.registered(makers.event(end=end))
    player = makers.player("Uno 1")
    receipt = reverse("go_receipt", args=[event.pk, 1])
    for address in (event.get_absolute_url(), receipt, player.get_absolute_url()):
        with translation.override("en"):
            assert str(regulation_link(code)) in read(address), address


def test_the_review_of_a_go_file_links_the_regulation(client):
    account = make.office()
    client.force_login(account)
    text = client.get(reverse("go_upload_review", args=[makers.upload(account).pk])).content.decode()
    assert str(regulation_link("egf-2021")) in text


def test_the_page_of_an_adjusted_session_links_the_method(read, today):
    tournament = session(today, played(howell(8, 7)))
    with translation.override("en"):
        assert str(regulation_link("strength-mp")) in read(strength_address(tournament))


def test_the_office_s_factors_link_their_regulation(client):
    factor("M", "0.9")
    client.force_login(make.office())
    assert str(regulation_link("acbl-overall")) in client.get(reverse("office_factors")).content.decode()
