"""What anybody may read is the same for everybody, without cookies, and is sent again only if it changed."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from players.services import organisations
from scoring.api.problems import CONTENT_TYPE
from scoring.ledger import conditional
from scoring.ledger.services import posting
from tests import factories as make
from tests.access.test_shared import EVERYBODYS, KEPT
from tests.folders import ROOT
from tests.pages import client_of
from tests.scoring.api.reader import Reader
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.conftest import clock, module_people, people  # noqa: F401 (fixtures)
from tests.scoring.ratings import makers as go

pytestmark = pytest.mark.django_db


@pytest.fixture
def paths(federation, settings) -> list[str]:
    """Return the addresses of all documents but that of a published list."""
    settings.FAMILIES = ["aeb", "go"]
    go.registered(go.event(), make.office())
    number = federation.players[0].number
    return [
        "clubs",
        "ratings",
        "regulations",
        "regulations/aeb-2026",
        "standings/2P",
        "standings/2P?as_of=2026-11-01",
        "tournaments",
        f"tournaments/{federation.counted.pk}",
        *(f"players/{number}{part}" for part in ("", "/standing", "/awards")),
    ]


def test_documents_are_the_same_for_every_reader_and_may_be_cached(paths, federation):
    signed_in = client_of(make.office())
    signed_in.cookies["theme"] = signed_in.cookies["django_language"] = "en"
    for path in paths:
        anonymous, office = (client.get(f"/api/v1/{path}") for client in (Client(), signed_in))
        assert anonymous.content == office.content, path
        for answer in (anonymous, office):
            assert answer.headers["Cache-Control"] == KEPT, path
            assert set(answer.headers["Vary"].split(", ")) == {"Accept-Language", "Accept-Encoding"}, path
            assert not answer.cookies and answer.headers["ETag"].startswith('W/"')


def test_a_document_that_has_not_changed_is_not_sent_again(paths):
    client = Client()
    for path in paths:
        first = client.get(f"/api/v1/{path}")
        again = client.get(f"/api/v1/{path}", headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b""), path
        assert again.headers["ETag"] == first.headers["ETag"]
        assert again.headers["Vary"] == first.headers["Vary"], path
        other = client.get(f"/api/v1/{path}", headers={"If-None-Match": '"other"'})
        assert (other.status_code, other.content) == (200, first.content), path


def test_any_version_is_a_condition_of_what_exists_alone(paths, federation):
    """`If-None-Match: *` asks only for what does not exist yet."""
    client = Client(headers={"If-None-Match": "*"})
    for path in paths:
        assert client.get(f"/api/v1/{path}").status_code == 304, path
    number = federation.players[0].number
    for path, status in (
        ("players/99999", 404),
        ("standings/ZZ", 404),
        ("promotions/1999/2P", 404),
        ("standings/2P?as_of=bad", 422),
        ("standings/2P?cursor=forged", 400),
        (f"players/{number}/awards?family=egf", 422),
    ):
        answer = client.get(f"/api/v1/{path}")
        assert (answer.status_code, answer.get("ETag"), "s-maxage" in answer["Cache-Control"]) == (
            status,
            None,
            False,
        ), path
    assert client.get("/clasificaciones/zz/").status_code == 404
    assert client.get("/clasificaciones/2p/").status_code == 304


@pytest.mark.parametrize(
    ("name", "value"),
    [("SECRET_KEY", "another"), ("STANDINGS_LICENSED_ONLY", False), ("FAMILIES", ["aeb"])],
)
def test_a_change_of_settings_changes_the_etag(paths, settings, name, value):
    client = Client()
    etags = {path: client.get(f"/api/v1/{path}").headers["ETag"] for path in ("standings/2P", paths[-1])}
    setattr(settings, name, value)
    for path, etag in etags.items():
        answer = client.get(f"/api/v1/{path}", headers={"If-None-Match": etag})
        assert answer.status_code == 200 and answer.headers["ETag"] != etag, path


def test_every_rule_of_the_federation_is_in_the_etag():
    text = (ROOT / "federation/settings.py").read_text(encoding="utf-8")
    section = text.partition("# --- Rules of this federation")[2].partition("# --- ")[0]
    rules = set(re.findall(r"^([A-Z_]+) = ", section, re.MULTILINE))
    assert {"TIES", "FAMILIES"} <= rules <= set(conditional.SETTINGS)


def test_a_published_list_is_not_sent_again(reader, people):  # noqa: F811
    campaigns.published(people)
    reader.get("promotions/2025/2D")
    etag = reader.answer.headers["ETag"]
    again = reader.client.get("/api/v1/promotions/2025/2D", headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")


def test_a_304_of_points_takes_one_query(paths, django_assert_num_queries):
    client = Client()
    for path in [*paths[-3:], "standings/2P", "standings/2P?as_of=2026-11-01"]:
        etag = client.get(f"/api/v1/{path}").headers["ETag"]
        with django_assert_num_queries(1):
            assert client.get(f"/api/v1/{path}", headers={"If-None-Match": etag}).status_code == 304


def test_a_change_changes_the_etag(reader, federation, today):
    number = federation.players[0].number
    paths = ["standings/2P", f"players/{number}", f"players/{number}/standing", f"players/{number}/awards"]
    etags = {}
    for path in [*paths, "clubs", "tournaments"]:
        reader.get(path)
        etags[path] = reader.answer.headers["ETag"]
    row = posting.OpeningRow(federation.players[0].pk, today - timedelta(days=1), "Otro", False, 12345)
    posting.post_opening([row], None)
    organisations.change(federation.club, {"name": "Club nuevo"}, make.office(), "Otro nombre")
    for path, etag in etags.items():
        answer = reader.client.get(f"/api/v1/{path}", headers={"If-None-Match": etag})
        assert answer.status_code == 200 and answer.headers["ETag"] != etag, path


def test_another_name_of_a_club_changes_the_documents_about_it(reader, federation):
    number, office = federation.players[0].number, make.office()
    for path in ("clubs", f"players/{number}", "standings/2P", f"players/{number}/awards"):
        reader.get(path)
        etag, name = reader.answer.headers["ETag"], f"Club {len(path)}"
        organisations.change(federation.club, {"name": name}, office, "Otro nombre")
        answer = reader.client.get(f"/api/v1/{path}", headers={"If-None-Match": etag})
        assert answer.status_code == 200 and name in answer.content.decode(), path


def test_two_languages_are_two_documents(paths, federation):
    english, spanish = Reader("en"), Reader("es")
    for path in paths:
        answers = [reader.client.get(f"/api/v1/{path}") for reader in (english, spanish)]
        assert [answer.headers["Content-Language"] for answer in answers] == ["en", "es"]
        if answers[0].content != answers[1].content:
            assert answers[0].headers["ETag"] != answers[1].headers["ETag"], path
    hidden = federation.hidden.number
    assert english.get(f"players/{hidden}")["name"] == f"Player {hidden}"
    assert spanish.get(f"players/{hidden}")["name"] == f"Jugador {hidden}"
    assert english.get(f"players/{hidden}") != spanish.get(f"players/{hidden}")


def test_problems_may_not_be_kept(reader, today):
    reader.get("players/1")
    assert (reader.answer.status_code, reader.answer.headers["Cache-Control"]) == (404, EVERYBODYS)


def test_head_has_the_headers_alone(paths):
    client = Client()
    for path in paths:
        whole, head = client.get(f"/api/v1/{path}"), client.head(f"/api/v1/{path}")
        assert (head.status_code, head.content) == (200, b""), path
        assert head.headers["ETag"] == whole.headers["ETag"]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_nothing_can_be_written(paths, method):
    client = Client(enforce_csrf_checks=True)
    for path in [*paths, "openapi.json", "baza_upload.py"]:
        answer = getattr(client, method)(f"/api/v1/{path}")
        assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD"), path
        assert (answer.headers["Content-Type"], answer.json()["code"]) == (CONTENT_TYPE, "method_not_allowed")
    answer = getattr(client, method)("/api/v1/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, CONTENT_TYPE)


def test_programs_have_no_personal_version_of_a_document(paths):
    client = client_of(make.office())
    for path in paths:
        address = f"/api/v1/{path}{'&' if '?' in path else '?'}yo=1"
        for reader in (Client(), client):
            answer = reader.get(address, headers={"X-Parts": "1"})
            assert (answer.status_code, answer.headers["Cache-Control"]) == (200, KEPT), path
            assert answer.content


def test_no_token_is_needed_and_a_wrong_one_does_not_matter(paths):
    client = Client(headers={"Authorization": "Bearer nonsense"})
    assert {client.get(f"/api/v1/{path}").status_code for path in paths} == {200}
