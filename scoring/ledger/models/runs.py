"""Computations of a tournament's points from stored inputs."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models import Revision, Tournament

from .work import Work


class ScoringRun(Work):
    """One computation of the awards of a revision (a stored ranking of a tournament).

    `inputs` holds the engine's event of each field as canonical JSON, and `input_digest` their SHA-256.
    Running the engine on `inputs` again explains every award. `outcome` stores the results that pages show
    without running the engine: eligibility, reasons and coefficients.

    A run that annuls the tournament has no inputs: it reverses the awards and adds none. A run that restores
    the tournament has the inputs of the run whose awards the annulment reversed.
    """

    class Purpose(models.TextChoices):
        SCORE = "score", _("Scoring")
        ANNUL = "annul", _("Annulment")
        RESTORE = "restore", _("Restoring")

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting for approval")  # by a second person; workers ignore such runs
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Being scored")
        DONE = "done", _("Scored")
        FAILED = "failed", _("Stopped after several attempts")
        OUTDATED = "outdated", _("Overtaken by a newer ranking")

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="runs")
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="runs")
    number = models.PositiveSmallIntegerField(default=1)  # counts the runs of the revision from 1
    purpose = models.CharField(max_length=7, choices=Purpose, default=Purpose.SCORE, db_default="score")
    regulation = models.CharField(_("regulation"), max_length=20)
    reason = models.CharField(max_length=300, blank=True)
    inputs = models.JSONField(default=list)  # one engine event per field
    input_digest = models.CharField(max_length=64)
    engine_version = models.CharField(max_length=20)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    eligible = models.BooleanField(null=True)
    outcome = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name = _("scoring run")
        verbose_name_plural = _("scoring runs")
        ordering = ["-pk"]
        indexes = [
            # For the sweeper, which queries unfinished rows every few seconds.
            models.Index(
                fields=["enqueued_at"], condition=Q(state__in=["pending", "running"]), name="run_unfinished"
            ),
            models.Index(fields=["finished_at"], condition=Q(state="failed"), name="run_parked"),
            # For the transparency log and the feeds, which read the runs that finished since some time. Its
            # condition and second column keep other queries from reading all of it.
            models.Index(
                fields=["finished_at", "tournament"],
                condition=Q(finished_at__isnull=False),
                name="run_finished",
            ),
            # For the public list of corrections, all of which have a reason.
            models.Index(
                fields=["finished_at", "id"], condition=Q(state="done") & ~Q(reason=""), name="run_correction"
            ),
            # For the office: the tournaments scored today, and those of late that gave no points.
            models.Index(
                fields=["eligible", "finished_at"],
                condition=Q(state="done", purpose="score"),
                name="run_scored",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["revision", "number"], name="run_once"),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(finished_at__isnull=False, eligible__isnull=False),
                name="run_done_is_finished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.revision_id}/{self.number}"
