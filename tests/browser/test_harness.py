"""The helpers of the browser tests detect the problems that they have to detect."""

import pytest

from tests.browser.conftest import overflow_width, violations, watched_page

BAD = (
    '<html lang="es"><title>t</title><main><h1>a</h1><img src="data:,">'
    '<div style="width:4000px">b</div></main></html>'
)


@pytest.mark.django_db(transaction=True)
def test_the_helpers_find_accessibility_problems_and_wide_pages(page):
    page.route("**/bad", lambda route: route.fulfill(body=BAD, content_type="text/html"))
    page.goto("/bad")
    assert [violation for violation in violations(page) if violation.startswith("image-alt")]
    assert overflow_width(page) > 1000


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "act",
    [
        "fetch('http://127.0.0.2:9/').catch(() => {})",
        "console.error('no')",
        "setTimeout(() => { nothing.here }, 0)",
    ],
)
def test_foreign_requests_and_console_errors_fail_a_test(browser, live_url, act):
    watched = watched_page(browser, live_url)
    page = next(watched)
    page.goto("/salud/")
    page.evaluate(f"() => {{ {act} }}")
    page.evaluate("() => new Promise(done => setTimeout(done, 100))")
    with pytest.raises(AssertionError):
        next(watched)
