"""How long clubs and the office take to answer cases."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, F, Max, Q
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from players.models import Club
from scoring.cases.models import CaseMessage
from scoring.cases.states import Act, Party
from scoring.clubs.quality import Finding
from ui.formatting import format_whole

SPAN = timedelta(days=365)  # how far back answers are measured
SLOWEST = 10  # clubs that the office's page names
LATE = 3  # days on average from which a club is named there


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of a club, or of the office, in the last twelve months.

    count: cases answered
    mean: days from when it was their turn until the answer, on average; None without answers
    longest: the longest of them
    escalated: cases that went to the office because the club did not answer in time
    """

    count: int
    mean: int | None
    longest: int | None
    escalated: int

    @property
    def sentence(self) -> str:
        """The figures as a sentence; empty without answers."""
        if self.mean is None:
            return ""
        text = ngettext(
            "Cases are answered after %(mean)s day on average; the longest wait: %(longest)s.",
            "Cases are answered after %(mean)s days on average; the longest wait: %(longest)s.",
            self.mean,
        )
        return text % {"mean": _whole(self.mean), "longest": _whole(self.longest or 0)}


def _whole(number: int) -> str:
    return format_whole(number, get_language() or "")


def _since() -> datetime:
    return timezone.now() - SPAN


def answers_of(party: Party, club: Club | None = None) -> Answers:
    """Return how fast a party answers. One query.

    club: only its cases
    """
    rows = CaseMessage.objects.filter(at__gte=_since())
    if club:
        rows = rows.filter(case__club=club)
    measured = Q(party=party, days__isnull=False)
    figures = rows.aggregate(
        count=Count("pk", filter=measured),
        mean=Avg("days", filter=measured),
        longest=Max("days", filter=measured),
        escalated=Count("pk", filter=Q(act=Act.ESCALATE)),
    )
    return _answers(figures)


def _answers(figures: dict[str, Any]) -> Answers:
    mean = figures["mean"]
    return Answers(
        figures["count"], None if mean is None else round(mean), figures["longest"], figures["escalated"]
    )


def slowest_clubs() -> Iterable[tuple[Club, Answers]]:
    """Return the clubs that answer late, or did not answer in time, slowest first. Two queries."""
    measured = Q(party=Party.CLUB, days__isnull=False)
    rows = list(
        CaseMessage.objects.filter(measured | Q(act=Act.ESCALATE), at__gte=_since(), case__club__isnull=False)
        .order_by()
        .values("case__club")
        .annotate(
            count=Count("pk", filter=measured),
            mean=Avg("days", filter=measured),
            longest=Max("days", filter=measured),
            escalated=Count("pk", filter=Q(act=Act.ESCALATE)),
        )
        .filter(Q(escalated__gt=0) | Q(mean__gte=LATE))
        .order_by("-escalated", F("mean").desc(nulls_last=True), "case__club")[:SLOWEST]
    )
    clubs = Club.objects.in_bulk([row["case__club"] for row in rows])
    return [(clubs[row["case__club"]], _answers(row)) for row in rows]


def finding_of(club: Club, day: date) -> Finding | None:
    """Return the finding about the club's answers for the quality on its desk; None without cases."""
    answers = answers_of(Party.CLUB, club)
    sentences = [answers.sentence]
    if answers.escalated:
        text = ngettext(
            "%(number)s case went to the office, because the club did not answer in time.",
            "%(number)s cases went to the office, because the club did not answer in time.",
            answers.escalated,
        )
        sentences.append(text % {"number": _whole(answers.escalated)})
    text = " ".join(filter(None, sentences))
    return Finding(f"{_('Members’ cases.')} {text}") if text else None
