"""A program that reads the interface without a token, as the tests see it."""

from typing import Any

from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.scoring.api.described import document_of
from ui import memo


class Reader:
    """Send requests without a token. Every document is compared with the description of the interface.

    answer: the last response
    """

    def __init__(self, language: str = "en") -> None:
        self.client = Client(enforce_csrf_checks=True, headers={"Accept-Language": language})

    def get(self, path: str, **query: Any) -> dict:
        """Return the document at an address below `/api/v1/`."""
        self.answer = self.client.get(f"/api/v1/{path}", query)
        return document_of(self.answer)

    def every_item(self, path: str, **query: Any) -> list[dict]:
        """Return the items of a list in all its documents, each reached by the link in the one before."""
        document = self.get(path, **query)
        items = document["items"]
        while document["next"]:
            assert self.answer.headers["Link"] == f'<{document["next"]}>; rel="next"'
            self.answer = self.client.get(document["next"])
            document = document_of(self.answer)
            items += document["items"]
        assert "Link" not in self.answer.headers
        return items

    def post(self, path: str, data: bytes, content_type: str = "application/json") -> bytes:
        """Return the body of the answer to a POST."""
        self.answer = self.client.post(f"/api/v1/{path}", data, content_type=content_type)
        return self.answer.content

    def queries(self, path: str) -> int:
        """Return how many queries a document takes for the first reader of it."""
        cache.clear()
        memo.forget()
        with CaptureQueriesContext(connection) as queries:
            assert self.client.get(f"/api/v1/{path}").status_code == 200, path
        return len(queries)
