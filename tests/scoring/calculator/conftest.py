"""Fixture for the page of the calculator."""

import pytest
from django.urls import reverse

from tests.pages import open_page


@pytest.fixture
def calculator(client):
    """A function of (code, parameters) that requests the page, in English, with these values in its form."""

    def page(code: str = "", **parameters):
        client.cookies["django_language"] = "en"
        chosen = {"reglamento": code} if code else {}
        return open_page(client, reverse("calculator"), **chosen, **parameters)

    return page
