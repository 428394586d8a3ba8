"""A real Chromium looking at a real server: `page` opens pages of `live_url` and minds what they do.

After each test the page must have asked no other host for anything, and the browser's console must be silent:
that is where a breach of the Content-Security-Policy, a missing file or a broken script shows.
"""

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests import servers

CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PHONE = {"width": 320, "height": 640}
DESKTOP = {"width": 1280, "height": 900}
LOOKS = [(PHONE, "light"), (DESKTOP, "dark")]
AXE = Axe().axe_script
PATIENCE = 60_000  # milliseconds: nothing of ours takes that long, but a busy machine may


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all browser tests of this process."""
    # Playwright keeps an event loop running in this thread, and Django then refuses the database.
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=servers.chromium(), args=CHROMIUM_OPTIONS)
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def live_url(live_server) -> str:
    """The address of a server over the test database, without a slash at its end."""
    return live_server.url


@pytest.fixture
def page(browser: Browser, live_url: str) -> Iterator[Page]:
    """A fresh Spanish browser window on a desktop, watched as the module says."""
    yield from watched_page(browser, live_url)


def watched_page(browser: Browser, live_url: str, **options) -> Iterator[Page]:
    """A window with Playwright's context options; yields once, then looks at what happened.

    Its colours change at once: on the way from one theme to the other none of them is right.
    """
    usual = {"viewport": DESKTOP, "locale": "es-ES", "reduced_motion": "reduce"}
    context = browser.new_context(base_url=live_url, **{**usual, **options})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    elsewhere, complaints = [], []
    own = urlsplit(live_url).netloc
    page.on("request", lambda request: elsewhere.append(request.url) if not _own(request.url, own) else None)
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type in {"error", "warning"} else None,
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert elsewhere == [], "a page asked another host"
    assert complaints == [], "the browser complained"


def _own(url: str, netloc: str) -> bool:
    parts = urlsplit(url)
    return parts.netloc == netloc or parts.scheme in {"data", "blob", "about"}


@pytest.fixture
def sign_in(page: Page, live_url: str, client):
    """A function that signs an account in without its password."""

    def act(account) -> None:
        client.force_login(account)
        name = client.cookies["sessionid"]
        page.context.add_cookies([{"name": "sessionid", "value": name.value, "url": live_url}])

    return act


def follow(target: Locator) -> None:
    """Press what leads to another page and wait until that is whole, which a click alone does not."""
    with target.page.expect_navigation():
        target.click()


def looked_at(page: Page) -> None:
    """What every page must be, on a telephone and on a desktop: without findings of axe, and no wider."""
    assert page.locator("h1").count() == 1, f"not exactly one h1 on {page.url}"
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert violations(page) == []
        assert sideways(page) == 0


def look_at(page: Page) -> list[str]:
    """What is wrong with the open page in any look."""
    result = [] if page.title() else ["no title"]
    if page.locator("h1").count() != 1:
        result.append("not exactly one h1")
    for size, theme in LOOKS:
        dress(page, size, theme)
        wrong = [f"axe: {violation}" for violation in violations(page)]
        if wider := sideways(page):
            wrong.append(f"{wider} px too wide")
        result += [f"{size['width']} px, {theme}: {item}" for item in wrong]
    return result


def dress(page: Page, size: dict[str, int], theme: str) -> None:
    """Give the open page another width and theme, which its script notices a little later."""
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("theme => document.documentElement.dataset.bsTheme === theme", arg=theme)


def violations(page: Page) -> list[str]:
    """What axe finds wrong with the page that is open, one line a finding."""
    if not page.evaluate("'axe' in window"):  # else the page was looked at before, in another look
        page.evaluate(AXE)
    value = page.evaluate("axe.run({resultTypes: ['violations']}).then(results => results.violations)")
    return [f"{item['id']}: {node['html'][:160]}" for item in value for node in item["nodes"]]


def sideways(page: Page) -> int:
    """By how many pixels the open page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
