"""What waits because of acts of two persons and lists of the office."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import Roles, roles_of
from players.inbox import Matter, Rows, Source
from players.models import Player, Proposal
from players.proposals import act_of, by_act
from scoring.ledger.models import ScoringRun
from scoring.office.duplicate_words import address_to_merge, reasons, title
from scoring.office.models import CountableRun, DuplicatePair, OfficeImport
from scoring.office.queries.duplicates import open_pairs
from scoring.office.queries.proposals import to_decide
from scoring.office.queries.unnoticed import could_count, could_count_as_of, without_category
from tournaments.waiting import dated
from ui.clock import today
from ui.formatting import format_date

NEWS = timedelta(days=30)  # how long a returned proposal is listed


class Approvals(Source):
    """Acts that the account may approve or return. An auditor sees them in the office's inbox."""

    kind = "approvals"
    label = _("Waiting for a second person")

    def rows(self, user: Any, roles: Roles) -> Rows:
        if not (roles.reads_everything or roles.regions):
            return ()
        pending = to_decide(user, only_read=roles != roles_of(user))
        return [row for row in pending if act_of(row).stops_points == self.stops_points]

    def matters(self, rows: Sequence[Proposal], user: Any, roles: Roles) -> list[Matter]:
        return [
            self.matter(
                kind=act_of(row).label,
                title=act_of(row).title(row),
                url=row.get_absolute_url(),
                act=gettext("Decide"),
                since=row.prepared_at,
                note=_prepared(row),
            )
            for row in rows
        ]


class PointsToApprove(Approvals):
    """Points of tournaments that do not count before the account, or another, approves them."""

    kind = "points_to_approve"
    label = _("Points that wait for approval")
    stops_points = True


def _prepared(proposal: Proposal) -> str:
    text = gettext("Prepared by %(name)s.") % {"name": proposal.prepared_by.get_username()}
    return f"{text} {proposal.reason}".strip()


class Returned(Source):
    """The account's proposals that were returned in the last 30 days and need something more.

    Proposals that were prepared again, or that need no further action, are left out.
    """

    kind = "returned"
    label = _("Returned to you")

    def rows(self, user: Any, roles: Roles) -> Rows:
        later = Proposal.objects.filter(kind=OuterRef("kind"), key=OuterRef("key"), pk__gt=OuterRef("pk"))
        returned = Proposal.objects.filter(
            ~Exists(later),
            prepared_by=user,
            state=Proposal.State.RETURNED,
            decided_at__gt=timezone.now() - NEWS,
        )
        rows = list(returned.select_related("decided_by").order_by("decided_at", "pk"))
        settled = {pk for act, same_kind in by_act(rows).items() for pk in act.settled(same_kind)}
        return [proposal for proposal in rows if proposal.pk not in settled]

    def matters(self, rows: Sequence[Proposal], user: Any, roles: Roles) -> list[Matter]:
        text = _("%(who)s returned what you had prepared. %(reason)s")
        return [
            self.matter(
                title=act_of(row).title(row),
                url=row.get_absolute_url(),
                act=gettext("Read the reason"),
                since=row.decided_at,
                note=text % {"who": row.decided_by.get_username(), "reason": row.decision_reason},
            )
            for row in rows
        ]


class Lists(Source):
    """Imported lists that are neither applied nor discarded."""

    kind = "lists"
    label = _("Imported list to be reviewed")

    def rows(self, user: Any, roles: Roles) -> Rows:
        if not roles.office:
            return ()
        drafts = OfficeImport.objects.drafts().select_related("created_by")
        return drafts.defer("parsed", "compared", "written", "ticks").order_by("created_at", "pk")

    def matters(self, rows: Sequence[OfficeImport], user: Any, roles: Roles) -> list[Matter]:
        text = _("%(kind)s. Uploaded by %(name)s.")
        return [
            self.matter(
                title=row.file_name,
                url=row.get_absolute_url(),
                act=gettext("Review it"),
                since=row.created_at,
                note=text % {"kind": row.get_kind_display(), "name": row.created_by.get_username()},
            )
            for row in rows
        ]


class Duplicates(Source):
    """Pairs of numbers that are probably one person."""

    kind = "duplicates"
    label = _("Probably one person")
    upkeep = True

    def rows(self, user: Any, roles: Roles) -> Rows:
        return open_pairs().order_by("found_at", "pk") if roles.office else ()

    def matters(self, rows: Sequence[DuplicatePair], user: Any, roles: Roles) -> list[Matter]:
        return [
            self.matter(
                title=title(row),
                url=address_to_merge(row),
                act=gettext("Compare them"),
                since=row.found_at,
                note=reasons(row),
            )
            for row in rows
        ]


class CouldCountNow(Source):
    """Tournaments that did not count for want of licences, and would count by now."""

    kind = "could_count"
    label = _("Could count now")
    stops_points = True

    def rows(self, user: Any, roles: Roles) -> Rows:
        return could_count(today()) if roles.office else ()

    def remark(self, user: Any, roles: Roles) -> str:
        if not roles.office:
            return ""
        as_of = could_count_as_of()
        if as_of is None:
            return gettext("Tournaments that could count by now have not been looked for yet.")
        return gettext("Tournaments that could count by now: as of %(moment)s.") % {"moment": _moment(as_of)}

    def matters(self, rows: Sequence[CountableRun], user: Any, roles: Roles) -> list[Matter]:
        text = _("Licences needed: %(needed)s. Licences valid on that day: %(licensed)s (as of %(moment)s).")
        return [
            self.matter(
                title=dated(_title(row.run), row.run.tournament.end_date),
                url=f"{reverse('upload_start')}?corrige={row.run.tournament_id}",
                act=gettext("Correct it"),
                since=row.run.finished_at,
                note=text % {"needed": row.needed, "licensed": row.licensed, "moment": _moment(row.as_of)},
            )
            for row in rows
        ]


def _title(run: ScoringRun) -> str:
    return f"{run.tournament.name}, {run.tournament.club.name}"


def _moment(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return f"{format_date(local, get_language() or '')}, {local:%-H:%M}"


class WithoutCategory(Source):
    """Players who have a licence and points but no category, and so are in the standings of none."""

    kind = "without_category"
    label = _("Player without a category")
    upkeep = True

    def rows(self, user: Any, roles: Roles) -> Rows:
        return without_category(today()) if roles.office else ()

    def matters(self, rows: Sequence[Player], user: Any, roles: Roles) -> list[Matter]:
        return [
            self.matter(
                title=f"{player.desk_name}, {player.number}",
                url=f"{reverse('category_assign')}?numero={player.number}",
                act=gettext("Give a category"),
                since=player.since,
                note=gettext("Has a licence and points, and is in the standings of no category."),
            )
            for player in rows
        ]
