"""Fixtures: four players, and a tournament that has given them points."""

from datetime import date

import pytest

from scoring.ledger.models import StandingsState
from tests import factories as f
from tournaments.models import Tournament


@pytest.fixture
def four():
    StandingsState.objects.create(family="aeb", as_of=date(2026, 3, 20))
    return f.players(4, category="1P")


@pytest.fixture
def pool(four) -> Tournament:
    a, b, c, d = four
    return f.scored((a, b), (c, d))
