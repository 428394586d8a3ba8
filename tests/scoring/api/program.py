"""A program of a club's computer, as the tests of the interface see it."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.scoring.api.described import document_of


class Program:
    """Send requests with a token. Every answer is compared with the description of the interface.

    answer: the last response
    """

    def __init__(self, code: str, secret: str, **headers: str) -> None:
        self.base = f"/api/v1/clubs/{code}/uploads"
        self.client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        self.headers = {"Authorization": f"Bearer {secret}", "Accept-Language": "en", **headers}

    def send(self, data: bytes, file_name: str = "martes.csv", key: str = "", **fields: Any) -> dict:
        """Send a file and return the document of the answer."""
        headers = {**self.headers, **({"Idempotency-Key": key} if key else {})}
        form = {"file": SimpleUploadedFile(file_name, data), **fields}
        return self.take(self.client.post(self.base, form, headers=headers))

    def show(self, pk: str) -> dict:
        answer = self.client.get(f"{self.base}/{pk}", headers=self.headers)
        return self.take(answer)

    def confirm(self, pk: str) -> dict:
        answer = self.client.post(f"{self.base}/{pk}/confirm", headers=self.headers)
        return self.take(answer)

    def take(self, answer) -> dict:
        """Return the document of an answer, which has to be as described."""
        self.answer = answer
        return document_of(answer)
