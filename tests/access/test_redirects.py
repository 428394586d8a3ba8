"""No address that a stranger chooses leads to another site."""

from itertools import product
from urllib.parse import urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.access.matrix import ACCOUNT, PUBLIC
from tests.access.test_matrix import address, client_of
from ui.parameters import FORMER

HOST = "evil.example.com"
STARTS = [
    "https://", "http://", "HTTPS://", "//", "///", "////", "/\\", "\\\\", "\\/", "/\\/", "https:", "https:/",
    "http:///", "https:\\\\", "javascript://", "data:text/html,//", "ftp://", "//\t", "/\t/", "\t//", " //",
    "\r\n//", "/%09/", "/%5c", "%2f%2f", "//%2f", "/.//", "/..//", "./\\", "//testserver@",
    "//testserver:80@", "https://testserver@", "https://testserver.", "http://testserver%00.", "//\x00",
    "\x00//", "//\u3002", "https://\u2044", "／／", "//user:pass@",
]  # fmt: skip
ENDS = ["", "/", "/cuenta/", "?x=1", "#testserver"]
PAYLOADS = [f"{start}{HOST}{end}" for start, end in product(STARTS, ENDS)]
PARAMETERS = ["next", "url", "redirect", "return", "continue"]


def leads_away(response) -> bool:
    """Return whether a browser would open another site."""
    location = response.headers.get("Location", "")
    # Browsers read backslashes as slashes, and leave out tabs and line breaks.
    seen = location.replace("\\", "/").replace("\t", "").replace("\r", "").replace("\n", "").strip()
    parts = urlsplit(seen)
    return seen.startswith("//") or parts.scheme not in ("", "http") or parts.netloc not in ("", "testserver")


def test_there_are_two_hundred_payloads():
    assert len(set(PAYLOADS)) == 200


@pytest.mark.parametrize("location", ["//evil.example.com", "/\\evil.example.com", "https:evil", "\t//x"])
def test_the_check_recognises_addresses_of_other_sites(location, rf):
    assert leads_away(HttpResponse(headers={"Location": location.replace("\t", " ")}))


def test_no_address_of_another_site_is_followed_anywhere(db):
    """Signing in, signing out and choosing a language are the pages that lead to an address sent to them."""
    factories.user("lola")
    data = {"login": "lola", "password": factories.PASSWORD}
    away = []
    for payload in PAYLOADS:
        client = Client()
        answers = [
            client.post(reverse("account_logout"), {"next": payload}),
            client.post(reverse("set_language"), {"language": "en", "next": payload}),
            client.get(reverse("account_login"), {"next": payload}),
        ]
        away += [payload for answer in answers if leads_away(answer)]
    assert away == []
    # Hashing the password takes long: all at once would take minutes.
    for payload in PAYLOADS[::8]:
        answer = Client().post(reverse("account_login"), {**data, "next": payload})
        assert answer.status_code == 302 and not leads_away(answer), payload


def test_no_page_redirects_to_an_address_among_its_parameters(world):
    for actor in ("nobody", "office"):
        client = client_of(world, actor)
        for name in [*PUBLIC, *ACCOUNT]:
            payloads = dict.fromkeys(PARAMETERS, f"https://{HOST}/")
            assert not leads_away(client.get(address(name, world), payloads)), name


def test_addresses_with_slashes_lead_nowhere_else(client, db):
    for path in (
        "//evil.example.com/..",
        "///evil.example.com",
        "/en//evil.example.com",
        "/\\evil.example.com",
    ):
        assert not leads_away(client.get(path)), path


@pytest.mark.parametrize("former", sorted(FORMER))
@pytest.mark.parametrize("path", ["//evil.example.com/", "/%2Fevil.example.com/", "///evil.example.com/"])
def test_former_parameters_lead_to_no_other_site(client, db, path, former):
    answer = client.get(f"{path}?{former}=2")
    assert answer.status_code == 301 and not leads_away(answer)


@pytest.mark.parametrize(
    "host", [HOST, f"testserver.{HOST}", f"testserver@{HOST}", "", "a b", "[::1", "x" * 300]
)
def test_a_wrong_host_is_refused_and_stands_in_no_letter(host, client, db, mailoutbox):
    factories.user("lola")
    data = {"email": "lola@example.org"}
    answer = client.post(reverse("account_reset_password"), data, HTTP_HOST=host or " ")
    assert answer.status_code == 400
    assert mailoutbox == []
