"""List the tasks that wait for an account. The home pages of all roles show this list.

Each kind of task has a function that yields tasks. The number of queries does not depend on the number of
tasks. The menu on every page shows only the number of proposals to decide, which takes one query.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from players.access import Kind, Roles, roles_of
from players.models import Player, Proposal
from players.proposals import act_of, by_act
from scoring.clubs.requests import TRANSFER
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.corrected import news_of
from scoring.office.models import OfficeImport
from scoring.office.queries import proposals
from scoring.promotions.act_pages import reminders
from scoring.promotions.models import CampaignClaim, PromotionCampaign
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.own import has_list
from scoring.ratings.access import may_upload
from scoring.ratings.models import GoUpload, RatingReplay
from tournaments.models import Announcement, ResultUpload
from ui.clock import today
from ui.formatting import format_date, format_whole

MOST_MISSING = 3  # missing results that are named one by one
MOST_CORRECTIONS = 3  # corrections of a player's points that are named one by one
NEWS = timedelta(days=30)  # how long a returned proposal or an answered claim is shown
State = PromotionCampaign.State


@dataclass(frozen=True, slots=True)
class Task:
    """Something that the account has to do or should know, and the page for it."""

    text: str
    url: str


def waiting_for(user) -> list[Task]:
    """Return the account's tasks. Cached on the user object for the request, like its roles."""
    if not user.is_authenticated:
        return []
    tasks = getattr(user, "_baza_waiting", None)
    if tasks is None:
        tasks = user._baza_waiting = list(_tasks(user, roles_of(user)))
    return tasks


def _tasks(user, roles: Roles) -> Iterator[Task]:
    yield from _proposals(user, roles)
    if roles.office:
        yield from _office()
    if roles.office or roles.committee:
        yield from _campaigns(user, roles)
    if not roles.office:
        yield from _transfers_away(roles)
        yield from _missing_results(roles)
        yield from _uploads(user, roles)
    if may_upload(user):
        yield from _go_uploads(user)
    if player := getattr(user, "player", None):
        yield from _of_player(player)


def _proposals(user, roles: Roles) -> Iterator[Task]:
    if number := proposals.count_to_decide(user):
        text = ngettext(
            "%(number_text)s act waits for your decision.",
            "%(number_text)s acts wait for your decision.",
            number,
        )
        yield Task(_counted(text, number), reverse("proposals"))
    for proposal in _returned(user):
        text = _("%(who)s returned what you had prepared: %(title)s")
        values = {"who": proposal.decided_by.get_username(), "title": act_of(proposal).title(proposal)}
        yield Task(text % values, proposal.get_absolute_url())


def _returned(user) -> list[Proposal]:
    """Return the account's proposals that were returned in the last 30 days, latest first.

    Proposals that were prepared again, or that need no further action, are left out.
    """
    later = Proposal.objects.filter(kind=OuterRef("kind"), key=OuterRef("key"), pk__gt=OuterRef("pk"))
    returned = Proposal.objects.filter(
        ~Exists(later), prepared_by=user, state=Proposal.State.RETURNED, decided_at__gt=timezone.now() - NEWS
    )
    rows = list(returned.select_related("decided_by").order_by("-decided_at"))
    settled = {pk for act, same_kind in by_act(rows).items() for pk in act.settled(same_kind)}
    return [proposal for proposal in rows if proposal.pk not in settled]


def _office() -> Iterator[Task]:
    runs = ScoringRun.objects.filter(state=ScoringRun.State.FAILED).count()
    if number := runs + RatingReplay.objects.filter(state=RatingReplay.State.FAILED).count():
        text = ngettext(
            "%(number_text)s tournament could not be scored.",
            "%(number_text)s tournaments could not be scored.",
            number,
        )
        yield Task(_counted(text, number), reverse("office"))
    if number := ResultUpload.objects.drafts().count():
        text = ngettext(
            "%(number_text)s upload is not confirmed.", "%(number_text)s uploads are not confirmed.", number
        )
        yield Task(_counted(text, number), reverse("uploads"))
    if number := ResultUpload.objects.with_same_ranking().count():
        text = ngettext(
            "%(number_text)s upload has the ranking of a confirmed tournament: are they two events?",
            "%(number_text)s uploads have the ranking of a confirmed tournament: are they two events?",
            number,
        )
        yield Task(_counted(text, number), reverse("uploads") + "?estado=alike")
    if number := OfficeImport.objects.drafts().count():
        text = ngettext(
            "%(number_text)s imported list waits to be applied or discarded.",
            "%(number_text)s imported lists wait to be applied or discarded.",
            number,
        )
        yield Task(_counted(text, number), reverse("office_imports"))


def _transfers_away(roles: Roles) -> Iterator[Task]:
    """Yield the pending transfers of members of the account's clubs to other clubs."""
    own = roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
    if not own:
        return
    pending = Proposal.objects.filter(kind=TRANSFER.kind, state=Proposal.State.PENDING, clubs__in=own)
    for proposal in pending.distinct().order_by("prepared_at", "pk"):
        if proposal.data["from"] in own and proposal.data["club"] not in own:
            text = _("Another club asks for one of your members: %(title)s")
            yield Task(text % {"title": TRANSFER.title(proposal)}, proposal.get_absolute_url())


def _missing_results(roles: Roles) -> Iterator[Task]:
    """Yield the announced tournaments of the account's own clubs whose result is missing; or their number."""
    directed = roles.clubs.get(Kind.DIRECTOR, frozenset())
    clubs = directed | roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
    if not clubs:
        return
    missing = Announcement.objects.without_result(today()).filter(club__in=clubs)
    rows = list(missing[: MOST_MISSING + 1])
    if len(rows) > MOST_MISSING:
        yield Task(_("The results of several announced tournaments are missing."), reverse("uploads"))
        return
    for row in rows:
        text = _("The result of “%(name)s” of %(day)s is missing.")
        values = {"name": row.name, "day": format_date(row.end_date, get_language() or "")}
        upload = f"{reverse('upload_start')}?anunciado={row.pk}"
        yield Task(text % values, upload if row.club_id in directed else row.get_absolute_url())


def _uploads(user, roles: Roles) -> Iterator[Task]:
    """Yield tasks about the account's own unconfirmed uploads, and those of clubs that it administers."""
    drafts = ResultUpload.objects.drafts()
    directed = roles.clubs.get(Kind.DIRECTOR, frozenset())
    sent = drafts.filter(token__isnull=False, club__in=directed)
    if directed and (number := sent.count()):
        text = ngettext(
            "%(number_text)s upload from the computers of your clubs is not confirmed.",
            "%(number_text)s uploads from the computers of your clubs are not confirmed.",
            number,
        )
        yield Task(_counted(text, number), reverse("uploads"))
    if directed and (number := drafts.filter(created_by=user, token=None).count()):
        text = ngettext(
            "%(number_text)s upload of yours is not confirmed.",
            "%(number_text)s uploads of yours are not confirmed.",
            number,
        )
        yield Task(_counted(text, number), reverse("uploads"))
    clubs = roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
    if clubs or roles.regions:
        of_clubs = drafts.filter(Q(club__in=clubs) | Q(club__region__in=roles.regions))
        known = Q(created_by=user, token=None) | Q(token__isnull=False, club__in=directed)
        if number := of_clubs.exclude(known).count():
            text = ngettext(
                "%(number_text)s upload of your clubs is not confirmed.",
                "%(number_text)s uploads of your clubs are not confirmed.",
                number,
            )
            yield Task(_counted(text, number), reverse("uploads"))


def _go_uploads(user) -> Iterator[Task]:
    """Yield tasks about the account's own unconfirmed Go uploads, which are tasks of no other account."""
    if number := GoUpload.objects.drafts().filter(created_by=user).count():
        text = ngettext(
            "%(number_text)s Go tournament of yours is not confirmed.",
            "%(number_text)s Go tournaments of yours are not confirmed.",
            number,
        )
        yield Task(_counted(text, number), reverse("uploads"))


def _campaigns(user, roles: Roles) -> Iterator[Task]:
    """Yield tasks about running year-end campaigns: the steps that the account can take, and notices."""
    running = queries.running()
    if roles.office:
        for notice in queries.notices(running):
            if notice.code in ("stopped", "claims"):
                yield Task(notice.text, notice.campaign.get_absolute_url())
    for campaign in running:
        for text in reminders(campaign, user):
            yield Task(text, campaign.get_absolute_url())


def _of_player(player: Player) -> Iterator[Task]:
    """Yield news of the player: corrections, published year-end lists open to claims, answered claims."""
    corrections = news_of(player)
    if len(corrections) > MOST_CORRECTIONS:
        text = _("Corrections changed your points: see what they changed.")
        yield Task(text, player.get_absolute_url())
    else:
        yield from (Task(change.text, player.get_absolute_url()) for change in corrections)
    published = PromotionCampaign.objects.filter(state=State.PUBLISHED, claims_until__gte=today())
    for campaign in published.select_related("snapshot"):
        if has_list(campaign, player):
            text = _(
                "The list of %(year)s of your category is published: see what it says of you. It can be "
                "contested until %(day)s."
            )
            values = {"year": campaign.year, "day": format_date(campaign.claims_until, get_language())}
            yield Task(text % values, player.get_absolute_url())
    answered = CampaignClaim.objects.filter(
        player__in=Player.objects.numbers_of(player), answer__at__gt=timezone.now() - NEWS
    ).exclude(campaign__state=State.ABANDONED)
    for claim in answered.select_related("campaign"):
        text = _("Your claim about the list of %(year)s has been answered.")
        yield Task(text % {"year": claim.campaign.year}, player.get_absolute_url())


def _counted(text: str, number: int) -> str:
    return text % {"number_text": format_whole(number, get_language())}
