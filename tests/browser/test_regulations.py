"""The pages of the regulations in a real browser: accessible, not too wide, with typeset formulas."""

import pytest

from scoring import regulations
from tests.browser.conftest import PHONE, overflow_width, violations

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("code", [regulation.code for regulation in regulations.ALL])
def test_the_page_of_a_regulation_fits_on_a_phone(page, code):
    page.goto(f"/reglamento/{code}/")
    assert violations(page) == []
    page.set_viewport_size(PHONE)
    assert overflow_width(page) <= 0
    # No element inside is cut off either: formulas wrap between their terms.
    wider = "all => all.filter(each => each.getBoundingClientRect().right > innerWidth + 1).length"
    assert page.eval_on_selector_all("main math, main table", wider) == 0


def test_a_fraction_shows_its_numerator_above_its_denominator(page):
    """The numerator is above the denominator; without support for MathML they would be side by side."""
    page.goto("/reglamento/egf-2021/")
    above, below = page.eval_on_selector(
        "main mfrac",
        """each => [...each.children].map(part => part.getBoundingClientRect())
        .map(box => [box.top, box.bottom])""",
    )
    assert above[1] <= below[0] + 1


def test_the_list_of_regulations_fits_on_a_phone(page):
    page.set_viewport_size(PHONE)
    page.goto("/reglamento/")
    assert violations(page) == []
    assert overflow_width(page) <= 0
