"""The events that webhooks can get, and the JSON that is sent about each.

The JSON has ids, names of tournaments and clubs, and addresses: nothing about persons.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import translation
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from scoring.ledger.models import ScoringRun
from scoring.promotions.models import CampaignAct
from scoring.promotions.queries.campaigns import listed_codes
from tournaments.models import Tournament


class Event(models.TextChoices):
    """What webhooks can subscribe to."""

    SCORED = "tournament.scored", _("a tournament was scored")
    CORRECTED = "tournament.corrected", _("a tournament was corrected, annulled or restored")
    PUBLISHED = "list.published", _("the lists of a category change were published")


def label_of(code: str) -> str:
    """Return the event with this code in words."""
    return str(_("a test") if code == TEST else Event(code).label)


OF_CLUBS = (Event.SCORED, Event.CORRECTED)  # those that webhooks of clubs can get
TEST = "test"  # sent to a webhook on demand, whatever its events


def message(event: str, data: dict[str, Any]) -> str:
    """Return the body of a message about what happens now, as JSON.

    data: what the event is about, as JSON values
    """
    body = {"type": event, "timestamp": now().isoformat(), "data": data}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def event_of(run: ScoringRun) -> Event:
    """Return the event of a run that was posted. Exactly the runs that correct something have a reason."""
    return Event.CORRECTED if run.reason else Event.SCORED


def tournament_data(run: ScoringRun, tournament: Tournament) -> dict[str, Any]:
    """Return the data about a tournament that a run scored. The club must be loaded."""
    return {
        "tournament": {
            "id": tournament.pk,
            "name": tournament.name,
            "first_day": tournament.start_date.isoformat(),
            "last_day": tournament.end_date.isoformat(),
        },
        "club": {"code": tournament.club.code, "name": tournament.club.name},
        "purpose": run.purpose,
        "url": _site_url(tournament.get_absolute_url),
        "api_url": _site_url(partial(reverse, "api:tournament", args=[tournament.pk])),
    }


def list_data(act: CampaignAct) -> dict[str, Any]:
    """Return the data about the lists that an act published. One query."""
    campaign = act.campaign
    return {
        "year": campaign.year,
        "claims_until": act.detail["claims_until"],
        "lists": [
            {"category": code, "url": _site_url(partial(_list_path, campaign.year, code))}
            for code in listed_codes(campaign)
        ],
    }


def _list_path(year: int, code: str) -> str:
    return reverse("promotion", args=[year, code.lower()])


def _site_url(path: Callable[[], str]) -> str:
    """Return the address of a page in the site's language, whatever the language of the act was.

    path: returns the page's path in the active language
    """
    with translation.override(settings.LANGUAGE_CODE):
        return settings.SITE_ADDRESS + path()
