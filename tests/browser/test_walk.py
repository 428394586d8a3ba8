"""Every page that readers can reach by links, in a real browser: right, reachable, narrow enough.

Each reader starts at the home page and sees each page on a light telephone and on a dark desktop. The fixture
`page` sees to it that no page asks another host and that the console is silent.
"""

import pytest

from tests.browser import scene
from tests.browser.conftest import DESKTOP, PHONE, sideways, violations, watched_page
from tests.browser.walking import walk

LOOKS = [(PHONE, "light"), (DESKTOP, "dark")]
# What each reader must at least have come by: a walk that stops early proves nothing.
SEES = {
    "nobody": {
        "home", "standings", "standing", "tournaments", "tournament", "players", "player", "award", "clubs",
        "club", "promotions", "regulations", "regulation", "calculator", "help", "privacy", "account_login",
    },
    "player": {"home", "player", "award", "account_change_password"},
    "director": {"uploads", "upload_start", "upload_review", "upload_receipt", "upload_typed"},
    "office": {"office", "office_imports", "category_assign", "merges", "club_manage"},
}  # fmt: skip


@pytest.fixture
def page(browser, live_url):
    """A window whose colours change at once: on the way from one theme to the other none of them is right."""
    yield from watched_page(browser, live_url, reduced_motion="reduce")


@pytest.mark.parametrize("reader", SEES)
@pytest.mark.django_db(transaction=True)
def test_every_page_that_links_lead_to(page, live_url, sign_in, reader):
    account = scene.build().accounts[reader]
    if account:
        sign_in(account)
    wrong, seen = [], set()
    for name, path, status in walk(page, live_url):
        seen.add(name)
        found = look_at(page) if status == 200 else [f"status {status}"]
        wrong += [f"{path}: {each}" for each in found]
    assert wrong == []
    assert SEES[reader] - seen == set()


def look_at(page) -> list[str]:
    """What is wrong with the open page in any look."""
    found = [] if page.title() else ["no title"]
    if page.locator("h1").count() != 1:
        found.append("not exactly one h1")
    for size, theme in LOOKS:
        dress(page, size, theme)
        wrong = [f"axe: {each}" for each in violations(page)]
        if wider := sideways(page):
            wrong.append(f"{wider} px too wide")
        found += [f"{size['width']} px, {theme}: {each}" for each in wrong]
    return found


def dress(page, size: dict[str, int], theme: str) -> None:
    """Give the open page another width and theme, which its script notices a little later."""
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("theme => document.documentElement.dataset.bsTheme === theme", arg=theme)
