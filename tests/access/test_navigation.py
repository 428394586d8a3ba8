"""Each role finds its pages through the navigation, and errors have their own pages."""

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from django.test import RequestFactory
from django.urls import reverse
from django.utils import translation

from federation import errors
from federation.context import jobs_of, navigation, site
from tests.access import world as worlds
from tests.pages import Page

JOBS = {
    "outsider": [],
    "player": ["my_page"],
    "director": ["upload_start", "uploads"],
    "club_admin": ["uploads", "clubs_managed"],
    "region_admin": ["uploads", "clubs_managed", "proposals"],
    "committee": ["proposals", "oversight", "campaigns", "promotions"],
    "auditor": ["uploads", "office", "proposals", "oversight", "campaigns"],
    "office": ["upload_start", "uploads", "office", "proposals", "campaigns", "promotions"],
}


def test_the_account_menu_shows_each_role_its_pages(db):
    world = worlds.build()
    for actor, names in JOBS.items():
        addresses = [reverse(name) for name in [*names, "notices", "account_security"]]
        assert [job["url"] for job in jobs_of(world.accounts[actor])] == addresses, actor


def test_the_navigation_for_an_anonymous_reader_needs_no_query(client, db, django_assert_num_queries):
    request = client.get(reverse("help")).wsgi_request
    with django_assert_num_queries(0):
        page = site(request)
        assert list(page["jobs"]) == []


def test_the_navigation_bar_marks_the_current_section():
    with translation.override("en"):
        for path, mark in (("/en/torneos/2026/x-1/", "true"), ("/en/torneos/", "page")):
            marked = [(item["url"], item["active"]) for item in navigation(path) if item["active"]]
            assert marked == [("/en/torneos/", mark)]


@pytest.mark.parametrize(
    ("handler", "error", "status"),
    [
        (errors.bad_request, SuspiciousOperation(), 400),
        (errors.permission_denied, PermissionDenied(), 403),
        (errors.not_found, Http404(), 404),
    ],
)
def test_errors_400_to_404_have_pages_of_their_own(client, db, handler, error, status):
    request = client.get(reverse("help")).wsgi_request
    response = handler(request, error)
    assert response.status_code == status
    assert len(Page(response).headings(1)) == 1


def test_the_pages_for_error_500_and_for_csrf_failures_need_no_database():
    request = RequestFactory().get("/")
    for response, status in ((errors.server_error(request), 500), (errors.csrf_failure(request), 403)):
        assert response.status_code == status
        assert "/" in Page(response).addresses
