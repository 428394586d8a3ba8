"""Responses are compressed, except those whose compressed length could disclose a secret."""

import gzip

import pytest
from django.urls import reverse

from tests import factories as make
from tests.layout import squeezed

pytestmark = pytest.mark.django_db
GZIP = {"HTTP_ACCEPT_ENCODING": "gzip"}


def test_a_public_page_is_compressed_and_still_answers_304(client, federation):
    address = reverse("standing", args=["2p"])
    plain, packed = client.get(address), client.get(address, **GZIP)
    assert packed["Content-Encoding"] == "gzip"
    assert squeezed(gzip.decompress(packed.content).decode()) == plain.content.decode()
    assert len(packed.content) < len(plain.content) / 2
    assert "Accept-Encoding" in packed["Vary"]
    assert client.get(address, HTTP_IF_NONE_MATCH=packed["ETag"], **GZIP).status_code == 304


def test_every_form_of_a_page_has_the_same_validator_for_caches(client, federation):
    """A cache may check the compressed page with the ETag of the plain one; 304 keeps both apart by Vary."""
    address = reverse("standing", args=["2p"])
    plain, packed = client.get(address), client.get(address, **GZIP)
    head, same = client.head(address), client.get(address, HTTP_IF_NONE_MATCH=plain["ETag"], **GZIP)
    assert (head.status_code, same.status_code) == (200, 304)
    for response in (plain, packed, head, same):
        assert response["ETag"] == plain["ETag"] and response["ETag"].startswith('W/"')
        assert response["Vary"] == "Accept-Encoding"
        assert "s-maxage=10" in response["Cache-Control"]


def test_csv_files_are_compressed_while_streamed_and_workbooks_are_not(client, federation):
    address = reverse("standing", args=["2p"])
    packed = client.get(address, {"formato": "csv"}, **GZIP)
    plain = client.get(address, {"formato": "csv"})
    text = b"".join(plain.streaming_content)
    assert gzip.decompress(b"".join(packed.streaming_content)) == text
    assert "Content-Encoding" not in client.get(address, {"formato": "xlsx"}, **GZIP)


def test_personal_pages_that_contain_text_of_the_url_are_not_compressed(client, federation):
    client.force_login(make.office())
    assert client.get(reverse("office"), **GZIP)["Content-Encoding"] == "gzip"
    address = reverse("standing", args=["2p"])
    assert "Content-Encoding" not in client.get(address, {"yo": "1", "q": "ana"}, **GZIP)
    assert client.get(address, {"q": "ana"}, **GZIP)["Content-Encoding"] == "gzip"  # the same for everybody
    assert "Content-Encoding" not in client.post(reverse("account_change_password"), {}, **GZIP)


def test_documents_and_feeds_for_programs_are_compressed(client, federation):
    for address in (
        "/api/v1/standings/2P",
        "/api/v1/openapi.json",
        reverse("results_feed"),
    ):
        plain, packed = client.get(address), client.get(address, **GZIP)
        assert packed["Content-Encoding"] == "gzip", address
        assert gzip.decompress(packed.content) == plain.content


def test_answers_to_a_programs_file_are_not_compressed(client, federation):
    address = f"/api/v1/clubs/{federation.club.code}/uploads"
    assert "Content-Encoding" not in client.post(address, HTTP_AUTHORIZATION="Bearer baza_x", **GZIP)


def test_the_compressed_length_of_a_page_varies_at_random(client, federation):
    address = reverse("standing", args=["2p"])
    assert len({len(client.get(address, **GZIP).content) for _visit in range(12)}) > 1
