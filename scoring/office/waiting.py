"""What waits because of acts of two persons and lists of the office."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access import Roles, roles_of
from players.inbox import Matter, Rows, Source
from players.models import Proposal
from players.proposals import act_of, by_act
from scoring.office.duplicate_words import address_to_merge, reasons, title
from scoring.office.models import DuplicatePair, OfficeImport
from scoring.office.queries.duplicates import open_pairs
from scoring.office.queries.proposals import to_decide

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
        return drafts.defer("parsed", "lines", "written", "ticks").order_by("created_at", "pk")

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


SOURCES = (PointsToApprove(), Approvals(), Returned(), Lists(), Duplicates())
