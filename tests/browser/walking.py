"""Follow the links of the site and open one page of each kind, for tests and screenshots."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import Resolver404, resolve
from django.utils import translation
from playwright.sync_api import Page

NOT_PAGES = {
    "upload_template", "office_import_template", "upload_file", "health", "ready", "metrics",
    "announcement_feed", "calendar_feed", "calendar_region_feed", "calendar_club_feed", "upload_script",
    "openapi-json", "club_members_file", "clubs_like", "results_feed", "region_results_feed",
    "club_results_feed", "lists_feed",
    "log_checkpoint", "log_keys", "log_tile", "log_bundle", "log_script", "log_receipt",
    "log_stamp", "log_past_checkpoint",
}  # fmt: skip


def walk(page: Page, base: str, start: str = "/") -> Iterator[tuple[str, str, int]]:
    """Follow links from page to page. Yield (URL name, path, HTTP status) while each page is open.

    Only one page of each kind is opened: for example one player's page, and one list with a query string.

    base: the site's URL without trailing slash
    start: the path of the first page
    """
    waiting, seen = [start], set()
    while waiting:
        path = waiting.pop(0)
        kind = kind_of(path)
        if kind is None or kind in seen:
            continue
        seen.add(kind)
        status = page.goto(base + path).status
        wait_for_own_parts(page)
        yield kind[0], path, status
        if status == 200:
            waiting += links(page, base)


def wait_for_own_parts(page: Page) -> None:
    """Wait until the script of the open public page has put in place what only the reader sees."""
    signed_in = "document.cookie.split('; ').includes('inside=1')"
    page.wait_for_function(f"() => document.documentElement.dataset.shared !== '' || !{signed_in}")


def kind_of(path: str) -> tuple[str, bool] | None:
    """Return the kind of page at a path, as (URL name, whether there is a query string), in any language.

    Return None for paths that `walk` does not open: the administration site, downloads and other files. A
    broken link has its path instead of a URL name.
    """
    parts = urlsplit(path)
    if parts.path.startswith("/admin/"):
        return None
    language = translation.get_language_from_path(parts.path) or settings.LANGUAGE_CODE
    try:
        with translation.override(language):  # an address resolves in its own language alone
            match = resolve(parts.path)
    except Resolver404:
        return parts.path, False  # a broken link: opened once, so that the status 404 is reported
    if match.url_name in NOT_PAGES or "formato=" in parts.query:
        return None
    return match.url_name, bool(parts.query)


def links(page: Page, base: str) -> list[str]:
    """Return the links of the open page to pages of this site, without fragments."""
    result = page.eval_on_selector_all("a[href]:not([download])", "all => all.map(a => a.href)")
    own = [urlsplit(item) for item in result if item.startswith(base + "/")]
    return [item._replace(scheme="", netloc="", fragment="").geturl() for item in own]
