"""The cast of a campaign, and its clock: its year ends, claims run out, the effective day comes."""

from datetime import date

import pytest
from django.utils import timezone

from tests.scoring.promotions import acts


@pytest.fixture
def clock(monkeypatch):
    """`clock(day)` makes it that day for whoever asks for the federation's date; first 20 January 2026."""
    now = {"day": date(2026, 1, 20)}
    monkeypatch.setattr(timezone, "localdate", lambda *_: now["day"])

    def move_to(day: date) -> None:
        now["day"] = day

    return move_to


@pytest.fixture
def who(clock) -> acts.Cast:
    """Everybody, on the day on which the lists are frozen."""
    return acts.cast()
