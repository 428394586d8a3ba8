"""The regulations' pages: every code has one, every mention of a regulation links to it, on any day."""

from datetime import date, timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from scoring import regulations
from scoring.ledger.models import LedgerEntry, ScoringFactor
from scoring.ledger.models.factors import OFFICE_FACTORS
from scoring.ledger.texts import say
from scoring.ledger.wording import regulation_link, regulation_name
from scoring.strength.queries import address as strength_address
from tests import factories as make
from tests.languages import speak
from tests.pages import Page, open_page
from tests.scoring.conftest import TODAY
from tests.scoring.ratings import makers
from tests.scoring.strength.test_pages import howell, random_results, session

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
    settings.FAMILIES = ["aeb", "sbf-bronze", "sbf-silver", "acbl", "go"]


@pytest.fixture
def english_page(client):
    """Return a function that requests a page in English."""
    speak(client, "en")
    return partial(open_page, client)


def page_address(code: str) -> str:
    return reverse("regulation", args=[code])


def factor(name: str, value: str, day: date = date(2020, 1, 1), **fields) -> ScoringFactor:
    values = {"regulation": "acbl-overall", "source": "Manual, p. 3", "set_by": make.user(), **fields}
    return ScoringFactor.objects.create(name=name, value=Decimal(value), valid_from=day, **values)


def all_factors() -> None:
    for name in ("M", "T", "depth"):
        factor(name, "0.5")


# --- Every page -----------------------------------------------------------------------------------------
def test_every_regulation_declares_rulings():
    assert all(declaration.rulings for declaration in regulations.DECLARATIONS.values())


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("code", CODES)
def test_the_page_states_its_main_result_first(client, code, language):
    speak(client, language)
    page = open_page(client, page_address(code))
    assert len(page.headings(1)) == 1
    assert page.lead
    assert not page.all(style=True)
    assert page.all("math") and page.all("svg")
    with translation.override(language):
        for ruling in regulations.DECLARATIONS[code].rulings:
            assert say(ruling) in page.text


@pytest.mark.parametrize("code", ["aeb-2022", "aeb-2026"])
def test_the_page_shows_the_rulings_on_who_takes_part(english_page, code):
    """The page shows the rulings on simultaneous events, withdrawals, substitutes and the share of boards."""
    text = english_page(page_address(code)).text
    for words in ("A simultaneous event", "Whoever withdrew", "Substitutes listed", "a minimum share"):
        assert words in text


def test_the_page_states_only_the_place_rule_in_force(english_page, settings):
    for rule, other in (("text", "spread evenly, as"), ("even", "formula is applied")):
        settings.PLACE_RULE = rule
        text = english_page(page_address("aeb-2022")).text
        assert other not in text
        assert "sit where the formula of the text has them" not in text


@pytest.mark.parametrize("code", WITH_MISPRINTS)
def test_misprints_of_the_document_are_listed(english_page, code):
    page = english_page(page_address(code)).text
    with translation.override("en"):
        for erratum in regulations.DECLARATIONS[code].errata:
            assert all(say(text) in page for text in (erratum.where, erratum.printed, erratum.right))


@pytest.mark.parametrize("code", ["aeb-2099", "sbf", "egf-classic-2"])
def test_the_page_of_an_unknown_regulation_is_not_found(client, code):
    assert client.get(page_address(code)).status_code == 404


def test_the_page_shows_the_days_of_validity(english_page):
    assert "from 1 Jan 1996 to 31 Dec 2020" in english_page(page_address("egf-classic")).text
    assert "from 1 Jan 2019 on" in english_page(page_address("sbf-2019-silver")).text
    assert "belongs to no date" in english_page(page_address("strength-mp")).text


def test_the_list_contains_every_regulation_grouped_by_family(english_page):
    page = english_page(reverse("regulations"))
    of_address = {page_address(code): code for code in CODES}
    matches = [of_address[item] for item in page.main.addresses if item in of_address]
    assert sorted(matches) == sorted(CODES)
    latest = [[issue.code for issue in reversed(regulations.of_family(family))] for family in ("aeb", "egf")]
    assert matches[: len(latest[0])] == latest[0]
    assert [code for code in matches if code.startswith("egf")] == latest[1]
    assert (
        matches.index("sbf-2019-bronze") + 1
        == matches.index("sbf-2019-silver")
        < matches.index("acbl-overall")
    )
    assert "In force: AEB 2026" in page.text


# --- Links to the calculator ----------------------------------------------------------------------------
@pytest.mark.parametrize("code", CODES)
def test_the_pages_of_awards_and_ratings_link_to_the_calculator(english_page, code):
    link = f"{reverse('calculator')}?reglamento={code}"
    assert (link in english_page(page_address(code)).addresses) == (code in AWARDS)
    if code in AWARDS:
        assert regulation_name(code) in english_page(link).text


@pytest.mark.parametrize(
    ("code", "other"),
    [
        ("aeb-2026", "aeb-2022"),
        ("aeb-2022", "aeb-2026"),
        ("egf-classic", "egf-2021"),
        ("egf-2021", "egf-classic"),
    ],
)
def test_the_page_compares_two_versions_side_by_side(english_page, code, other):
    link = f"{reverse('calculator')}?reglamento={code}&comparar={other}"
    assert link in english_page(page_address(code)).addresses
    both = english_page(link)
    assert all(
        page_address(item) in both.addresses for item in (code, other)
    )  # the response names both regulations


# --- Factors entered by the office ----------------------------------------------------------------------
def office_rows(page: Page) -> list[list[str]]:
    return page.table("Entered by the office").rows


def test_the_page_names_factors_without_a_source_as_missing(english_page):
    rows = office_rows(english_page(page_address("acbl-overall")))
    assert [row[1] for row in rows] == ["—"] * 4
    assert all("refuses" in row[2] for row in rows[:3])
    assert "2003" in rows[3][2]


def test_the_page_shows_the_factors_of_the_day_with_their_source(english_page):
    factor("M", "0.9", day=date(2020, 1, 1), case="1500", source="Old manual")
    factor("M", "0.8", day=date(2021, 1, 1), case="1500", source="Manual, p. 7")
    factor("M", "0.7", day=TODAY + timedelta(days=1), case="1500", source="Next manual")
    factor("depth", "0.3", regulation="acbl-club", source="Handbook, p. 2")
    page = english_page(page_address("acbl-overall"))
    row = next(row for row in office_rows(page) if "1500" in row[0])
    assert row[1] == "0.8" and "Manual, p. 7" in row[2]
    assert not [words for words in ("Old manual", "Next manual", "Handbook") if words in page.text]
    (depth,) = office_rows(english_page(page_address("acbl-club")))
    assert depth[1] == "0.3" and "Handbook, p. 2" in depth[2]


@pytest.mark.parametrize("code", CODES)
def test_the_number_of_queries_does_not_grow_with_factors(client, code):
    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert client.get(page_address(code)).status_code == 200
        return len(caught)

    for name in OFFICE_FACTORS.get(code, ()):
        factor(name, "0.9", regulation=code)
    count = queries()
    for name in OFFICE_FACTORS.get(code, ()):
        factor(name, "0.8", case="a", regulation=code)
        factor(name, "0.7", date(2021, 1, 1), regulation=code)
    assert queries() == count == (1 if code in OFFICE_FACTORS else 0)


# --- Links to a regulation's page -----------------------------------------------------------------------
@pytest.mark.parametrize("code", CODES)
def test_the_name_of_a_regulation_links_to_its_page(client, code):
    address = Page(str(regulation_link(code))).link(regulation_name(code))
    assert client.get(address).status_code == 200


def test_a_regulation_that_is_no_longer_in_the_code_keeps_its_name():
    assert regulation_link("aeb-1998") == "aeb-1998"
    assert regulation_link("aeb-1998", "words") == "words"
    assert regulation_name("aeb-1998") == "AEB 1998"


@pytest.mark.parametrize("code", FAMILIES)
def test_tournaments_and_receipts_link_the_regulation(english_page, code):
    all_factors()
    field = make.pairs(make.players(16, category="3D"))
    tournament = make.scored(*field, end_date=TODAY, **FAMILIES[code])
    page = english_page(tournament.get_absolute_url())
    assert page.addresses.count(page_address(code)) == 2  # among the facts and below the coefficients
    entry = LedgerEntry.objects.filter(run__revision__tournament=tournament).first()
    receipt = english_page(reverse("award", args=[entry.player.number, entry.pk]))
    assert receipt.link(regulation_name(code)) == page_address(code)


@pytest.mark.parametrize(("end", "code"), [(date(2019, 5, 1), "egf-classic"), (date(2026, 3, 1), "egf-2021")])
def test_pages_of_go_link_the_regulation(english_page, end, code):
    event = makers.registered(makers.event(end=end))
    player = makers.player("Uno 1")
    receipt = reverse("go_receipt", args=[event.pk, 1])
    for address in (event.get_absolute_url(), receipt, player.get_absolute_url()):
        assert english_page(address).link(regulation_name(code)) == page_address(code), address


def test_the_review_of_a_go_file_links_the_regulation(client):
    account = make.office()
    client.force_login(account)
    page = open_page(client, reverse("go_upload_review", args=[makers.upload(account).pk]))
    assert page.link(regulation_name("egf-2021")) == page_address("egf-2021")


def test_the_page_of_an_adjusted_session_links_the_method(english_page, today):
    tournament = session(today, random_results(howell(8, 7)))
    assert page_address("strength-mp") in english_page(strength_address(tournament)).addresses


def test_the_office_s_factors_link_their_regulation(client):
    factor("M", "0.9")
    client.force_login(make.office())
    page = open_page(client, reverse("office_factors"))
    assert page.link(regulation_name("acbl-overall")) == page_address("acbl-overall")
