"""Fixtures of a small federation with points."""

from datetime import date, timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone
from django.utils.timezone import localdate

from scoring.ledger.services import standings
from tests import factories as make

TODAY = date(2026, 11, 21)


@pytest.fixture
def today(monkeypatch) -> date:
    return set_today(monkeypatch)


def set_today(monkeypatch) -> date:
    """Set the current day to TODAY, and update the standings to that day. The hour of now stays."""
    monkeypatch.setattr(
        timezone, "localdate", lambda value=None, zone=None: localdate(value, zone) if value else TODAY
    )
    standings.roll(TODAY)
    return TODAY


@pytest.fixture
def federation(today) -> SimpleNamespace:
    """Create eight players of category 2P in one club, with two pools. The last player is hidden.

    The second pool has too few boards to count.
    """
    club = make.club(name="Club del Faro")
    players = make.players(8, category="2P", club=club)
    hidden = players[-1]
    hidden.hidden, hidden.given_name, hidden.surname = True, "Secundina", "Ocultada Nombre"
    hidden.save()
    pairs = make.pairs(players)
    counted = make.scored(*pairs, of=club, end_date=today - timedelta(days=30), name="Pool de los jueves")
    short = make.scored(*pairs, of=club, end_date=today - timedelta(days=20), boards=18, name="Pool corta")
    return SimpleNamespace(club=club, players=players, hidden=hidden, counted=counted, short=short)
