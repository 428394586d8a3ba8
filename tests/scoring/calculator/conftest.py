"""A fixture for tests of the calculator's page."""

import pytest
from django.urls import reverse

from tests.languages import speak
from tests.pages import open_page


@pytest.fixture
def calculator(client):
    """Return a function that requests the calculator's page in English.

    Its arguments are the code of a regulation and the values of the form.
    """

    def page(code: str = "", **parameters):
        speak(client, "en")
        chosen = {"reglamento": code} if code else {}
        return open_page(client, reverse("calculator"), **chosen, **parameters)

    return page
