"""What waits because of the year-end change: steps of the office and the committee, and news for players."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import Roles
from players.inbox import Matter, Rows, Source
from players.models import Player
from scoring.promotions.act_pages import reminders
from scoring.promotions.models import CampaignClaim, PromotionCampaign
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.own import has_list
from ui.clock import today
from ui.formatting import format_date

NEWS = timedelta(days=30)  # how long an answered claim is listed
State = PromotionCampaign.State


class Step(NamedTuple):
    """A step of a campaign, or a notice about it, for the account that has to act."""

    campaign: PromotionCampaign
    text: str
    since: date | datetime | None


class CampaignSteps(Source):
    """Steps of running campaigns that the account can take, and notices about them for the office."""

    kind = "campaigns"
    label = _("Category change")

    def rows(self, user: Any, roles: Roles) -> Rows:
        return list(_steps(user, roles)) if roles.office or roles.committee else ()

    def matters(self, rows: Sequence[Step], user: Any, roles: Roles) -> list[Matter]:
        return [
            self.matter(
                title=row.text,
                url=row.campaign.get_absolute_url(),
                act=gettext("See the change of %(year)s") % {"year": row.campaign.year},
                since=row.since,
            )
            for row in rows
        ]


def _steps(user: Any, roles: Roles) -> Iterator[Step]:
    running = queries.running()
    if roles.office:
        for notice in queries.notices(running):
            if notice.code in ("stopped", "claims"):
                claims = [claim.at for claim in notice.campaign.unanswered_claims]
                yield Step(notice.campaign, notice.text, notice.at or min(claims, default=None))
    for campaign in running:
        for text in reminders(campaign, user):
            yield Step(campaign, text, _since(campaign))


def _since(campaign: PromotionCampaign) -> date | datetime | None:
    """Return since when the step that comes next can be taken; None if no column tells."""
    if campaign.state == State.FROZEN:
        return campaign.snapshot.taken_at
    if campaign.state == State.APPROVED:
        return campaign.approved_at
    return campaign.claims_until


class PublishedLists(Source):
    """Published lists that the account's player may contest."""

    kind = "published"
    label = _("The list of your category is published")

    def rows(self, user: Any, roles: Roles) -> Rows:
        player = getattr(user, "player", None)
        if player is None:
            return ()
        published = PromotionCampaign.objects.filter(state=State.PUBLISHED, claims_until__gte=today())
        return [row for row in published.select_related("snapshot") if has_list(row, player)]

    def matters(self, rows: Sequence[PromotionCampaign], user: Any, roles: Roles) -> list[Matter]:
        text = _(
            "The list of %(year)s of your category is published: see what it says of you. It can be "
            "contested until %(day)s."
        )
        lang = get_language() or ""
        return [
            self.matter(
                title=text % {"year": row.year, "day": format_date(row.claims_until, lang)},
                url=reverse("my_page"),
                act=gettext("See your letter"),
                since=row.published_at,
            )
            for row in rows
        ]


class AnsweredClaims(Source):
    """Claims of the account's player that were answered in the last 30 days."""

    kind = "answered"
    label = _("Claim answered")

    def rows(self, user: Any, roles: Roles) -> Rows:
        player = getattr(user, "player", None)
        if player is None:
            return ()
        answered = CampaignClaim.objects.filter(
            player__in=Player.objects.numbers_of(player), answer__at__gt=timezone.now() - NEWS
        ).exclude(campaign__state=State.ABANDONED)
        return answered.select_related("campaign", "answer").order_by("answer__at", "pk")

    def matters(self, rows: Sequence[CampaignClaim], user: Any, roles: Roles) -> list[Matter]:
        text = _("Your claim about the list of %(year)s has been answered.")
        return [
            self.matter(
                title=text % {"year": row.campaign.year},
                url=reverse("my_page"),
                act=gettext("Read the answer"),
                since=row.answer.at,
            )
            for row in rows
        ]
