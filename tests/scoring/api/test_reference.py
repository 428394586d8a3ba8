"""The page for people who write programs: every address of the description, with examples that work."""

import ast
import re
import shlex

import pytest
from django.urls import Resolver404, resolve, reverse
from django.utils import translation

from scoring.api.interface import interface
from scoring.api.reference import endpoints
from scoring.ledger import systems
from tests.languages import speak
from tests.pages import Page, open_page

pytestmark = pytest.mark.django_db
SERVER = "https://example.org"


@pytest.fixture
def listed(settings):
    settings.FAMILIES = ["aeb", "go"]
    return endpoints(interface.get_openapi_schema(), SERVER)


def test_every_address_of_the_description_is_on_the_page(client, listed, settings):
    page = open_page(client, "/programas/")
    codes = [code.text for code in page.all("code")]
    for endpoint in listed:
        assert f"{endpoint.method} {endpoint.path}" in codes
        assert page.of_id(endpoint.name).tag == "section"
    assert len(listed) == 15
    settings.FAMILIES = ["aeb"]
    assert "GET /api/v1/ratings" not in [code.text for code in open_page(client, "/programas/").all("code")]
    assert not systems.offers_go()


def test_the_page_has_an_order_of_headings_and_no_marks_of_code(client):
    page = open_page(client, "/en/programas/")
    assert "`" not in page.text
    assert "pip install requests" in [code.text for code in page.all("code")]
    (aside,) = [item for item in page.all("aside") if "first" in item.classes]
    assert [link["href"] for link in aside.all("a")] == [
        f"#{item['id']}" for item in page.all("section", id=True)
    ]


def test_every_parameter_is_described(listed):
    assert [(item.name, field.name) for item in listed for field in item.parameters if not field.text] == []


def test_the_page_leads_to_what_programs_read_besides(client):
    addresses = open_page(client, "/programas/").addresses
    for name in ("results_feed", "lists_feed", "calendar", "datasets", "transparency"):
        assert reverse(name) in addresses, name


def test_refusals_and_headers_that_any_address_may_answer_are_described(listed):
    description = interface.get_openapi_schema()["paths"]
    for path, operations in description.items():
        for operation in operations.values():
            responses = {str(status): answer for status, answer in operation["responses"].items()}
            assert {"403", "405", "429"} <= responses.keys(), path
            assert ("507" in responses) == ("security" in operation), path
            assert responses["405"]["headers"].keys() == {"Allow"}
            assert {"Retry-After", "X-RateLimit-Limit"} <= responses["429"]["headers"].keys()
    clubs = description["/api/v1/clubs"]["get"]["responses"]
    assert clubs[200]["headers"].keys() == {"ETag", "Link"} and clubs[304]["headers"].keys() == {"ETag"}


def test_every_address_has_an_example_in_curl_and_in_python(client, listed):
    texts = {item.text for item in open_page(client, "/programas/").all("pre")}
    assert len(texts) == 2 * len(listed)
    assert sum(text.startswith("curl ") for text in texts) == len(listed)


def test_the_examples_lead_to_their_addresses(listed):
    for endpoint in listed:
        *_options, address = shlex.split(endpoint.curl.replace("\\\n", " "))
        assert address.startswith(f"{SERVER}/api/v1/")
        try:
            match = resolve(address.removeprefix(SERVER).partition("?")[0])
        except Resolver404:
            pytest.fail(address)
        assert re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{match.route}") == endpoint.path
        assert repr(address)[1:-1] in endpoint.python


def test_the_examples_in_python_are_programs(listed):
    for endpoint in listed:
        names = {node.id for node in ast.walk(ast.parse(endpoint.python)) if isinstance(node, ast.Name)}
        assert {"answer", "requests"} <= names, endpoint.name
        assert f"requests.{endpoint.method.lower()}(" in endpoint.python


def test_the_example_that_scores_an_event_works(client, listed):
    example = next(item for item in listed if item.name == "score_events")
    command = shlex.split(example.curl.replace("\\\n", " "))
    data = command[command.index("--data") + 1]
    answer = client.post("/api/v1/score", data, content_type="application/json")
    assert answer.json()["awards"][0]["points"] and "event = {" in example.python


def test_addresses_with_a_token_send_it_and_the_others_do_not(listed):
    with_token = {item.name for item in listed if "BAZA_TOKEN" in item.curl}
    assert with_token == {"send_upload", "show_upload", "confirm_upload"}
    assert with_token == {item.name for item in listed if "BAZA_TOKEN" in item.python}
    assert "-F file=@" in next(item.curl for item in listed if item.name == "send_upload")


def test_fields_of_documents_inside_documents_are_listed(listed):
    show = next(item for item in listed if item.name == "show_tournament")
    members = {field.name: field for field in show.members}
    assert members["ranking[].people[].number"].kind == "texto o null"
    assert members["club.code"].kind == "texto" and members["start_date"].kind == "día"
    standings = next(item for item in listed if item.name == "show_standings")
    parameters = {field.name: field for field in standings.parameters}
    assert parameters["category"].required and not parameters["as_of"].required
    assert parameters["venue"].kind == "in_person, online o null"


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_page_is_reached_from_the_foot_of_every_page(client, language):
    speak(client, language)
    foot = open_page(client, "/ayuda/").the("footer")
    (link,) = [item for item in foot.all("a") if item["href"].endswith("/programas/")]
    page = open_page(client, link["href"])
    assert page.headings(1) == [link.text] and page.language == language


def test_no_script_or_style_of_the_page_comes_from_elsewhere(client):
    response = client.get("/programas/")
    page = Page(response)
    sources = [item.get("src") or item.get("href") for item in page.all("script", "link")]
    assert sources and not [source for source in sources if "//" in source.replace("http://testserver", "")]
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert not page.all(style=True)


def test_every_text_of_the_reference_is_in_spanish(listed):
    description = interface.get_openapi_schema()
    english = {
        operation["description"] for path in description["paths"].values() for operation in path.values()
    }
    with translation.override("en"):
        in_english = endpoints(description, SERVER)
    for spanish, original in zip(listed, in_english, strict=True):
        assert "\n\n".join(original.paragraphs) in english
        assert spanish.paragraphs != original.paragraphs, original.name
        fields = zip(
            spanish.parameters + spanish.members, original.parameters + original.members, strict=True
        )
        same = [field.name for field, other in fields if field.text and field.text == other.text]
        assert same == [], original.name
