"""Numbers, dates and ranks as each language writes them."""

from datetime import date

import pytest
from django.conf import settings

from scoring.services import posting, standings
from tests import factories
from tests.i18n.messages import TAGS


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "points", "day", "rank"),
    [("es", "1.234,56", "14 mar 2026", "puesto 1 de 1"), ("en", "1,234.56", "14 Mar 2026", "1st of 1")],
)
def test_numbers_and_dates_follow_the_language(client, monkeypatch, language, points, day, rank):
    for module in ("scoring.services.standings", "scoring.conditional"):
        monkeypatch.setattr(f"{module}.today", lambda: date(2026, 11, 21))
    player = factories.player(category="2P")
    opening = posting.OpeningRow(player.pk, date(2026, 3, 14), "Copa del Faro", online=False, points=123456)
    posting.post_opening([opening], factories.office())
    standings.roll(date(2026, 11, 21))
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    html = client.get(player.get_absolute_url()).content.decode()
    text = TAGS.sub(" ", html)
    assert points in text
    assert day in text
    assert rank in text
