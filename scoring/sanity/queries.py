"""Read what the checks reported."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from scoring.sanity.models import Finding, SanityRun
from ui.sanity import Check, Severity, checks

NEW = timedelta(days=1, hours=6)  # how long a finding counts as new: a night is not missed


@dataclass(frozen=True, slots=True)
class Summary:
    """What a check reported.

    present: number of findings that are stored and there
    new, acknowledged: how many of them are new, or known to the office
    total: number of findings that the last run counted, which may be more; None if it was not made
    """

    check: Check
    present: int
    new: int
    acknowledged: int
    total: int | None

    @property
    def open(self) -> int:
        """The number of stored findings that nobody acknowledged."""
        return self.present - self.acknowledged


def last_run() -> SanityRun | None:
    """Return the last run that is done; None if there is none."""
    return SanityRun.objects.filter(state=SanityRun.State.DONE).first()


def summaries(last: SanityRun | None) -> list[Summary]:
    """Return a summary of each check, the most severe first. One query.

    last: the last run that is done
    """
    counts = {
        row["code"]: row
        for row in Finding.objects.present()
        .order_by()
        .values("code")
        .annotate(
            present=Count("pk"),
            new=Count("pk", filter=Q(since__gte=new_since(), acknowledged_at=None)),
            acknowledged=Count("pk", filter=Q(acknowledged_at__isnull=False)),
        )
    }
    totals = last.counts if last else {}
    result = []
    for check in checks():
        row = counts.get(check.code, {"present": 0, "new": 0, "acknowledged": 0})
        total = totals.get(check.code, -1)
        made = None if total < 0 else max(total, row["present"])
        result.append(Summary(check, row["present"], row["new"], row["acknowledged"], made))
    return result


def new_since() -> datetime:
    """Return the time since which findings count as new."""
    return timezone.now() - NEW


def open_by_severity() -> dict[Severity, int]:
    """Return {severity: number of findings that nobody acknowledged}. One query."""
    numbers = Finding.objects.unacknowledged().order_by().values_list("code").annotate(Count("pk"))
    severities = {check.code: check.severity for check in checks()}
    result = dict.fromkeys(Severity, 0)
    for code, number in numbers:
        if code in severities:
            result[severities[code]] += number
    return result


def new_errors() -> int:
    """Return the number of errors that are new and that nobody acknowledged. One query."""
    codes = [check.code for check in checks() if check.severity == Severity.ERROR]
    return Finding.objects.unacknowledged().filter(code__in=codes, since__gte=new_since()).count()
