"""Fixtures for tests of campaigns: the people, and a clock to change the day."""

from datetime import date

import pytest
from django.utils import timezone

from tests.scoring.promotions import campaigns


@pytest.fixture
def clock(monkeypatch):
    """A function that sets the federation's day. At first it is 20 January 2026."""
    now = {"day": date(2026, 1, 20)}
    monkeypatch.setattr(timezone, "localdate", lambda *_: now["day"])

    def move_to(day: date) -> None:
        now["day"] = day

    return move_to


@pytest.fixture
def people(clock) -> campaigns.People:
    """The accounts and players of the small federation, on the day on which lists can be frozen."""
    return campaigns.create_people()
