"""Fixtures for tests in a real Chromium: `page` opens pages of the server at `live_url`.

A test fails if a page requests another host, or if the browser's console has errors or warnings, which report
violations of the Content-Security-Policy, missing files and broken scripts.
"""

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
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
    # Nearly every script runs once, in a page of its own: compiling it for speed costs more than it saves.
    "--js-flags=--no-turbofan --no-maglev",
]
PHONE = {"width": 320, "height": 640}
DESKTOP = {"width": 1280, "height": 900}
LOOKS = [(PHONE, "light"), (DESKTOP, "dark")]
AXE = Axe().axe_script
PATIENCE = 60_000  # milliseconds; generous, because the machine may be busy


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium that all browser tests of this process share."""
    # Playwright runs an event loop in this thread, in which Django refuses to use the database.
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=servers.chromium(), args=CHROMIUM_OPTIONS)
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def live_url(live_server) -> str:
    """The URL of a server that uses the test database, without trailing slash."""
    return live_server.url


@pytest.fixture
def page(browser: Browser, live_url: str) -> Iterator[Page]:
    """A new browser page in Spanish with the size of a desktop.

    The test fails if the page requests another host, or if its console has errors or warnings.
    """
    yield from watched_page(browser, live_url)


def watched_page(browser: Browser, live_url: str, **options) -> Iterator[Page]:
    """Yield a new browser page; after the test, check what the page requested and what its console shows.

    Fails if the page requested another host, or if the console has errors or warnings. Animations are off,
    because colours during a change of theme would have too little contrast.

    options: arguments of the Playwright context
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
        lambda message: (
            complaints.append(message.text)
            if message.type in {"error", "warning"} and "status of 422" not in message.text  # a refused form
            else None
        ),
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
    """A function that signs the browser in as an account, without a password.

    The browser gets both cookies of a sign-in: the session's, and the one that tells the script of public
    pages that somebody is signed in.
    """

    def act(account) -> None:
        client.force_login(account)
        cookies = {"sessionid": client.cookies["sessionid"].value, settings.SIGNED_IN_COOKIE: "1"}
        page.context.add_cookies(
            [{"name": name, "value": value, "url": live_url} for name, value in cookies.items()]
        )

    return act


def follow(target: Locator) -> None:
    """Click a link or button that leads to another page, and wait until that page has loaded."""
    with target.page.expect_navigation():
        target.click()


def send_files(page: Page, *files: tuple[str, bytes], kind: str = "application/octet-stream") -> None:
    """Choose files on the first page of an upload, which sends them at once, and wait for the next page.

    files: the name and content of each
    kind: their content type
    """
    payloads = [{"name": name, "mimeType": kind, "buffer": data} for name, data in files]
    with page.expect_navigation():
        page.set_input_files("#id_file", payloads)


def check_page(page: Page) -> None:
    """Assert that the open page is in order, in a large and in a small window.

    It must have exactly one h1, no problem found by axe (a library that checks accessibility), and no
    horizontal scrolling.
    """
    assert page.locator("h1").count() == 1, f"not exactly one h1 on {page.url}"
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert violations(page) == []
        assert overflow_width(page) == 0


def page_problems(page: Page) -> list[str]:
    """Return the problems of the open page in all sizes and themes, one line each.

    They concern its title and h1, accessibility, and horizontal scrolling.
    """
    result = [] if page.title() else ["no title"]
    if page.locator("h1").count() != 1:
        result.append("not exactly one h1")
    for size, theme in LOOKS:
        set_look(page, size, theme)
        wrong = [f"axe: {violation}" for violation in violations(page)]
        if wider := overflow_width(page):
            wrong.append(f"{wider} px too wide")
        result += [f"{size['width']} px, {theme}: {item}" for item in wrong]
    return result + large_text_problems(page)


def large_text_problems(page: Page) -> list[str]:
    """Return by how much the open page is too wide with text at twice its size, one line for each window.

    The window is as wide as a desktop afterwards, because tests go on with what they see there.
    """
    result = []
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for width in (PHONE["width"], DESKTOP["width"]):
        page.set_viewport_size({"width": width, "height": 900})
        if wider := overflow_width(page):
            result.append(f"{width} px, text at 200 %: {wider} px too wide")
    page.evaluate("document.documentElement.style.fontSize = ''")
    return result


def set_look(page: Page, size: dict[str, int], theme: str) -> None:
    """Change the window's size and theme, and wait until the page's script has applied the theme."""
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("theme => document.documentElement.dataset.bsTheme === theme", arg=theme)


def violations(page: Page) -> list[str]:
    """Return the accessibility problems that axe finds in the open page, one line each."""
    # Axe is already loaded if the same page was checked before, in another size or theme.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    value = page.evaluate("axe.run({resultTypes: ['violations']}).then(results => results.violations)")
    return [f"{item['id']}: {node['html'][:160]}" for item in value for node in item["nodes"]]


def overflow_width(page: Page) -> int:
    """Return by how many pixels the open page is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
