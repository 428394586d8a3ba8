"""Every page that readers can reach by links, in a real browser: no errors, accessible, not too wide.

Each reader starts at the home page and sees every page on a phone in the light theme and on a desktop in the
dark theme. The fixture `page` checks that no page requests another host and that the console is empty.
"""

import pytest

from tests.browser import scene
from tests.browser.conftest import page_problems
from tests.browser.walking import walk

# Pages that each reader must have reached: otherwise a walk that stops early would pass.
SEES = {
    "nobody": {
        "home", "standings", "standing", "tournaments", "tournament", "players", "player", "award", "clubs",
        "club", "promotions", "regulations", "regulation", "calculator", "help", "privacy", "account_login",
        "calendar", "announcement", "corrections",
    },
    "player": {
        "home", "player", "award", "account_change_password", "account_security", "app_add", "passkey_add",
        "account_address", "where_points", "cases", "case_open", "my_page", "my_results", "my_partners",
        "what_if", "notices", "notice_settings", "privacy_choices",
    },
    "director": {
        "announce", "announcement_change", "announcement_cancel", "uploads", "upload_start", "upload_review",
        "upload_receipt", "upload_typed", "upload_memory", "club_cases",
    },
    "office": {
        "office", "office_imports", "category_assign", "merges", "club_manage", "club_members",
        "club_directors", "club_tokens", "club_requests", "club_request", "club_cases", "office_cases",
        "persons", "person", "person_new", "person_licence", "office_clubs", "office_club", "office_regions",
        "office_region", "office_roles", "office_licences", "licences_renew", "office_tournaments",
        "office_regulation",
    },
}  # fmt: skip


@pytest.mark.parametrize("reader", SEES)
@pytest.mark.django_db(transaction=True)
def test_every_linked_page_is_accessible_and_not_too_wide(page, live_url, sign_in, reader):
    account = scene.build().accounts[reader]
    if account:
        sign_in(account)
    wrong, seen = [], set()
    for name, path, status in walk(page, live_url):
        seen.add(name)
        result = page_problems(page) if status == 200 else [f"status {status}"]
        wrong += [f"{path}: {item}" for item in result]
    assert wrong == []
    assert SEES[reader] - seen == set()
