"""Fixtures for tests of campaigns: the people, and a clock to change the day."""

from collections.abc import Iterator
from copy import deepcopy
from datetime import date
from unittest import mock

import pytest
from django.utils import timezone

from tests.scoring.promotions import campaigns
from tests.undone import rolled_back


@pytest.fixture
def clock(monkeypatch):
    """A function that sets the federation's day. At first it is 20 January 2026."""
    now = {"day": date(2026, 1, 20)}
    monkeypatch.setattr(timezone, "localdate", lambda *_: now["day"])

    def move_to(day: date) -> None:
        now["day"] = day

    return move_to


@pytest.fixture(scope="module")
def module_people(django_db_setup, django_db_blocker) -> Iterator[campaigns.People]:
    """The accounts and players of the small federation, created once for all tests of a module."""
    with rolled_back(django_db_blocker):
        with mock.patch.object(timezone, "localdate", lambda *_: campaigns.FROZEN_ON):
            people = campaigns.create_people()
        yield people


@pytest.fixture
def people(module_people, clock) -> campaigns.People:
    """The accounts and players of the small federation, on the day on which lists can be frozen.

    They are copies of the objects of `module_people`, so that the test may change them.
    """
    return deepcopy(module_people)
