"""Every page that readers can reach by links, in a real browser: no errors, accessible, not too wide.

Each reader starts at the home page and sees every page on a phone in the light theme and on a desktop in the
dark theme. The fixture `page` checks that no page requests another host and that the console is empty.
"""

from urllib.parse import urlencode, urlsplit

import pytest
from django.urls import reverse

from tests.access import world as worlds
from tests.access.matrix import ACTORS, IN, MATRIX
from tests.browser import scene
from tests.browser.conftest import page_problems
from tests.browser.walking import NOT_PAGES, walk

# Pages that each reader must have reached: otherwise a walk that stops early would pass. Pages of the access
# matrix that no reader reaches are opened by the last test.
SEES = {
    "nobody": {
        "account_login", "account_reset_password", "announcement", "award", "calculator", "calendar",
        "club", "clubs", "corrections", "datasets", "go_ratings", "go_tournaments", "help", "home",
        "player", "player_results", "players", "privacy", "programs", "promotion", "promotions",
        "ranking_sheet", "regulation", "regulations", "sign_up", "sign_up_code", "standing", "standings",
        "tournament", "tournaments", "transparency", "underived",
    },
    "player": {
        "account_address", "account_change_password", "account_security", "app_add", "award", "case_open",
        "cases", "home", "my_go", "my_page", "my_partner", "my_partners", "my_place", "my_results",
        "my_review", "notice_settings", "notices", "passkey_add", "player", "privacy_choices",
        "privacy_erase", "what_if", "where_points",
    },
    "director": {
        "announce", "announcement_cancel", "club_cases", "upload_memory", "upload_receipt", "upload_review",
        "upload_start", "upload_typed", "uploads",
    },
    "office": {
        "account", "account_journal", "account_new", "accounts", "adjustments", "annulment", "annulments",
        "audits", "campaign_simulation", "campaigns", "category_assign", "club_cases", "club_codes",
        "club_director_remove", "club_directors", "club_manage", "club_members",
        "club_request", "club_requests", "club_tokens", "club_webhook_new", "club_webhooks",
        "clubs_managed", "duplicates", "licences_renew",
        "merges", "office", "office_cases", "office_club", "office_club_new", "office_clubs",
        "office_imports", "office_invitations", "office_licences", "office_region", "office_region_new",
        "office_regions", "office_regulation", "office_roles", "office_tournaments", "office_webhook_new",
        "office_webhooks", "oversight", "person",
        "person_licence", "person_new", "persons", "proposals", "region_manage", "rule_set",
        "rule_set_edit", "rule_set_new", "rule_sets", "tournament_regulation",
    },
}  # fmt: skip
# Readers who are signed in look at these pages again; the others that everybody sees have the same bytes.
OWN_PARTS = {"home", "standing", "player", "tournament", "award"}


@pytest.mark.parametrize("reader", SEES)
@pytest.mark.django_db(transaction=True)
def test_every_linked_page_is_accessible_and_not_too_wide(page, live_url, sign_in, reader):
    account = scene.build().accounts[reader]
    if account:
        sign_in(account)
    wrong, seen = [], set()
    same = SEES["nobody"] - OWN_PARTS if account else set()
    for name, path, status in walk(page, live_url):
        seen.add(name)
        if status == 200 and name in same:
            continue
        result = page_problems(page) if status == 200 else [f"status {status}"]
        wrong += [f"{path}: {item}" for item in result]
    assert wrong == []
    assert SEES[reader] - seen == set()


# --- Pages that no link of the walk leads to ---------------------------------------------------------------
# Addresses that lead on to another page unless something waits: a second factor, a file in progress.
LEAD_ON = {
    "short_link", "mfa_authenticate", "mfa_login_webauthn", "recovery_codes", "upload_columns",
    "upload_board", "upload_confirm", "upload_progress", "audit_progress", "office_import_undo",
    "go_upload_confirm", "licence_renewal_progress", "campaign_progress", "office_import_progress",
    "proposal_progress",
}  # fmt: skip
FILES = NOT_PAGES | {"robots", "run_inputs"}
# What each role sees first, and what its members open every day.
PLACES = {
    "my_place": ["director", "club_admin", "region_admin", "committee", "auditor"],
    "oversight": ["committee", "auditor"],
    "proposals": ["committee"],
    "region_manage": ["region_admin"],
}
TURNS = {"nobody": ["nobody"], "people": ACTORS[1 : ACTORS.index("committee")], "federation": ACTORS[-3:]}


def others(actors: list[str]) -> list[tuple[str, str]]:
    """Return (actor, URL name) of the pages that no walk reaches and one of the actors opens as the first."""
    reached = set().union(*SEES.values()) | FILES
    result = {(actor, name) for name, places in PLACES.items() for actor in places}
    for name, page in MATRIX.items():
        allowed = [actor for actor in ACTORS if page.get[actor] == IN]
        if allowed and name not in reached and ":" not in name:
            result.add((allowed[0], name))
    return sorted(pair for pair in result if pair[0] in actors)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.django_db(transaction=True)
def test_every_other_page_is_accessible_and_not_too_wide(page, live_url, sign_in, turn):
    world = worlds.build()
    wrong = []
    for actor, name in others(TURNS[turn]):
        page.context.clear_cookies()
        if world.accounts[actor]:
            sign_in(world.accounts[actor])
        path = reverse(name, args=MATRIX[name].args(world))
        status = page.goto(f"{live_url}{path}?{urlencode(MATRIX[name].query)}").status
        if name in LEAD_ON:
            result = ["a page of its own"] if urlsplit(page.url).path == path else []
        else:
            result = page_problems(page) if status == 200 else [f"status {status}"]
        wrong += [f"{path} ({actor}): {item}" for item in result]
    assert wrong == []
