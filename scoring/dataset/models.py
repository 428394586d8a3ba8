"""The kept dumps of the public data, and those that were withdrawn."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.ledger.models.work import Work


class DumpQuerySet(models.QuerySet["Dump"]):
    def published(self) -> "DumpQuerySet":
        """Return the dumps that the page lists, withdrawn ones included."""
        return self.filter(state=Dump.State.DONE)

    def kept(self) -> "DumpQuerySet":
        """Return the dumps that anybody can download."""
        return self.published().filter(withdrawn_at=None)


class Dump(Work):
    """A dump of all public data: a zip file that a worker writes.

    day: the day of its standings
    schema: version of its format (`scoring.dataset.schema.VERSION`)
    size: bytes of the file
    counts: {name of a CSV file: number of rows}
    log_size: size of its checkpoint of the transparency log
    key: name of the file in the storage, which may not be there yet; "" if there is none
    hidden, erased: ids of the players who were hidden (`is_hidden`), or erased, when it was written
    last_player: the highest id of a player at that time, 0 if there was none
    hidden_rated, last_rated: likewise of Go players; None, as if all were shown, from an earlier version
    withdrawn_at: when it was withdrawn, because it names somebody who is hidden or erased since
    """

    day = models.DateField(_("day"), null=True)
    schema = models.PositiveSmallIntegerField(_("schema version"), null=True)
    size = models.BigIntegerField(_("size"), null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    counts = models.JSONField(default=dict)
    log_size = models.BigIntegerField(null=True)
    key = models.CharField(max_length=60, blank=True)
    hidden = models.JSONField(default=list)
    erased = models.JSONField(default=list)
    last_player = models.BigIntegerField(default=0)
    hidden_rated = models.JSONField(null=True)
    last_rated = models.BigIntegerField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    objects = DumpQuerySet.as_manager()

    class Meta:
        verbose_name = _("file of the public data")
        verbose_name_plural = _("files of the public data")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state="done")
                | models.Q(
                    day__isnull=False, schema__isnull=False, size__isnull=False, log_size__isnull=False
                ),
                name="dump_done_is_complete",
            )
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.day or self.state}"
