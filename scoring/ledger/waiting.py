"""What waits because of scoring: runs that failed, and corrections that a player has not seen."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access import Roles
from players.inbox import Matter, Rows, Source
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.corrected import OwnCorrection, news_of
from tournaments.waiting import dated

ERROR_LENGTH = 200


class FailedRuns(Source):
    """Runs that stopped after several attempts. The office has them tried again."""

    kind = "failed_runs"
    label = _("Calculation stopped")
    stops_points = True

    def rows(self, user: Any, roles: Roles) -> Rows:
        if not roles.office:
            return ()
        failed = ScoringRun.objects.filter(state=ScoringRun.State.FAILED)
        return (
            failed.select_related("tournament__club").defer("inputs", "outcome").order_by("finished_at", "pk")
        )

    def matters(self, rows: Sequence[ScoringRun], user: Any, roles: Roles) -> list[Matter]:
        return [
            self.matter(
                title=dated(f"{run.tournament.name}, {run.tournament.club.name}", run.tournament.end_date),
                url=run.tournament.get_absolute_url(),
                act=gettext("Try again"),
                since=run.finished_at or run.created_at,
                note=failed_note(run.error),
                action=reverse("office_run_retry", args=[run.uid]),
            )
            for run in rows
        ]


def failed_note(error: str) -> str:
    """Return the note of a matter about work that failed with this error."""
    reassurance = gettext("Nothing is lost: trying again computes all of it.")
    return f"{reassurance} {Truncator(error).chars(ERROR_LENGTH)}".strip()


class Corrections(Source):
    """Corrections that changed the points of the account's player, until the player has seen them."""

    kind = "corrections"
    label = _("A correction changes your points")

    def rows(self, user: Any, roles: Roles) -> Rows:
        player = getattr(user, "player", None)
        return news_of(player)[::-1] if player else ()

    def matters(self, rows: Sequence[OwnCorrection], user: Any, roles: Roles) -> list[Matter]:
        url = reverse("my_page")
        return [
            self.matter(
                title=row.text, url=url, act=gettext("See what changed"), since=row.at, note=row.reason
            )
            for row in rows
        ]
