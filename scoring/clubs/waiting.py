"""What waits for clubs: transfers of their members to other clubs, on which the office decides."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access import Kind, Roles
from players.inbox import Matter, Rows, Source
from players.models import Proposal
from scoring.clubs.requests import TRANSFER


class TransfersAway(Source):
    """Requests of other clubs for members of the clubs that the account administers."""

    kind = "transfers"
    label = _("Another club asks for one of your members")

    def rows(self, user: Any, roles: Roles) -> Rows:
        own = roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
        if roles.office or not own:
            return ()
        pending = Proposal.objects.filter(kind=TRANSFER.kind, state=Proposal.State.PENDING, clubs__in=own)
        return [
            proposal
            for proposal in pending.distinct().order_by("prepared_at", "pk")
            if proposal.data["from"] in own and proposal.data["club"] not in own
        ]

    def matters(self, rows: Sequence[Proposal], user: Any, roles: Roles) -> list[Matter]:
        return [self.of(row) for row in rows]

    def of(self, proposal: Proposal) -> Matter:
        """Return the matter of a pending transfer."""
        return self.matter(
            title=TRANSFER.title(proposal),
            url=proposal.get_absolute_url(),
            act=gettext("See the request"),
            since=proposal.prepared_at,
            note=gettext("The office decides."),
        )


TRANSFERS_AWAY = TransfersAway()
