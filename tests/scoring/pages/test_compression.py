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


def test_a_list_is_compressed_as_it_is_written_and_a_workbook_is_left_alone(client, federation):
    address = reverse("standing", args=["2p"])
    packed = client.get(address, {"formato": "csv"}, **GZIP)
    plain = client.get(address, {"formato": "csv"})
    text = b"".join(plain.streaming_content)
    assert gzip.decompress(b"".join(packed.streaming_content)) == text
    assert "Content-Encoding" not in client.get(address, {"formato": "xlsx"}, **GZIP)


def test_pages_of_somebody_are_not_compressed_together_with_a_text_from_the_address(client, federation):
    client.force_login(make.office())
    address = reverse("standing", args=["2p"])
    assert client.get(address, **GZIP)["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in client.get(address, {"q": "ana"}, **GZIP)
    assert "Content-Encoding" not in client.post(reverse("account_change_password"), {}, **GZIP)


def test_pages_of_equal_length_are_not_of_equal_length_when_compressed(client, federation):
    address = reverse("standing", args=["2p"])
    assert len({len(client.get(address, **GZIP).content) for _visit in range(12)}) > 1
