"""Scoring a tournament again by another regulation of its family, because the office says so and why.

The ranking stays as it is: a new run of the published revision takes the awards back and gives the new ones.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.ledger import evaluation as adapters
from scoring.ledger import systems
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import queue, runs, standings
from scoring.ledger.services.differences import PointsChange, points_changes
from scoring.ledger.snapshots import digest_of
from scoring.ledger.wording import is_kind_of, regulation_name
from tournaments.drafts import header_of, rows_of
from tournaments.models import Tournament

UNFINISHED = (ScoringRun.State.WAITING, ScoringRun.State.PENDING, ScoringRun.State.RUNNING)


@dataclass(frozen=True)
class Rescoring:
    """What another regulation gives: its evaluation, the players whose points differ, and who they are."""

    evaluation: Evaluation
    changes: tuple[PointsChange, ...]
    names: Mapping[int, Player]

    @property
    def digest(self) -> str:
        """Changes whenever what is looked at does."""
        told = (self.evaluation.regulation.code, digest_of(self.evaluation), self.changes)
        return hashlib.sha256(repr(told).encode()).hexdigest()


def of_its_day(tournament: Tournament) -> Any:
    """The regulation in force on the tournament's last day; None where there was none."""
    header = replace(header_of(tournament), regulation_override="")
    try:
        return adapters.regulation_for(header)
    except EngineError:
        return None


def alternatives(tournament: Tournament) -> list[Any]:
    """What a scored tournament could be scored by instead; nothing where no date tells regulations apart."""
    family = systems.of(tournament.family).engine_family
    unscored = tournament.published_id is None or tournament.annulled_at
    if unscored or family not in regulations.families():
        return []
    present = adapters.regulation_for(header_of(tournament))
    return [each for each in regulations.of_family(family) if each is not present]


def previewed(tournament: Tournament, regulation: Any) -> Rescoring:
    """What the points would be, without storing anything. Raises ValidationError where it cannot be done."""
    latest = tournament.revisions.order_by("-number").values_list("pk", flat=True).first()
    if tournament.annulled_at:
        raise ValidationError(_("This tournament was annulled: restore it first."))
    waiting = tournament.runs.filter(state__in=UNFINISHED).exists()
    if waiting or latest is None or latest != tournament.published_id:
        raise ValidationError(_("The last ranking of this tournament has not been scored yet."))
    if not is_kind_of(tournament.event_type, regulation):
        message = _("%(regulation)s has no tournaments of this type.")
        raise ValidationError(message % {"regulation": regulation_name(regulation.code)})
    header = replace(header_of(tournament), **_overriding(tournament, regulation, reason="?"))
    evaluation = adapters.evaluate(header, rows_of(tournament.published))
    changes = tuple(points_changes(tournament, evaluation))
    return Rescoring(evaluation, changes, Player.objects.in_bulk(each.player_id for each in changes))


@transaction.atomic
def rescore(tournament_id: int, regulation: Any, reason: str, by, seen: str) -> ScoringRun:
    """Store which regulation counts and why, and a run by it; the workers are told once that is committed.

    The regulation of its own day ends an exception made before. seen: the digest of what was looked at.
    Raises ValidationError.
    """
    locked = Tournament.objects.select_for_update(of=("self",), no_key=True)
    tournament = locked.select_related("published").get(pk=tournament_id)
    if previewed(tournament, regulation).digest != seen:
        raise ValidationError(_("The points have changed in the meantime: look at them again."))
    values = _overriding(tournament, regulation, reason)
    for name, value in values.items():
        setattr(tournament, name, value)
    tournament.save(update_fields=list(values))
    run = runs.create_run(tournament.published, by, reason)
    queue.enqueue_on_commit(run)
    # Nobody's points differ yet, but pages that name the tournament do.
    standings.bump_on_commit()
    return run


def _overriding(tournament: Tournament, regulation: Any, reason: str) -> dict[str, str]:
    """The tournament's fields that say so; both blank for the regulation of its day."""
    own = regulation is of_its_day(tournament)
    return {
        "regulation_override": "" if own else regulation.code,
        "override_reason": "" if own else reason,
    }
