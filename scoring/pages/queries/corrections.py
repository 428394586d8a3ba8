"""Queries for the list of corrections: acts that changed points of tournaments after their first scoring."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from players.models import Proposal, Role
from scoring.ledger import systems
from scoring.ledger.correcting import ANNULMENT_ACT, POINTS_ACT
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.queries.corrected import count_moved
from tournaments.models import ResultUpload
from ui.clock import today
from ui.counting import counted_points
from ui.formatting import format_month, format_whole
from ui.memo import per_version

Purpose = ScoringRun.Purpose
CORRECTED, ANNULLED, RESTORED, RESCORED = "corrected", "annulled", "restored", "rescored"
ACTS = {
    CORRECTED: _("Corrected"),
    ANNULLED: _("Annulled"),
    RESTORED: _("Restored"),
    RESCORED: _("Scored by another regulation"),
}


_PERSON = Coalesce("player__merged_into", "player_id")


@dataclass(frozen=True, slots=True)
class CorrectionFilter:
    """The filters of the list of corrections. A filter with an empty value admits every correction.

    month: the first day of the month in which the points changed
    """

    month: date | None = None
    region_id: int | None = None
    club_id: int | None = None

    def queryset(self) -> QuerySet[ScoringRun]:
        """Return the completed runs that corrected a tournament, latest first.

        Exactly these runs have a reason: a correction, an annulment, a restoration and another regulation
        each need one.
        """
        rows = ScoringRun.objects.filter(~Q(reason=""), state=ScoringRun.State.DONE)
        if self.month:
            days = (self.month, (self.month + timedelta(days=31)).replace(day=1))
            first, end = (timezone.make_aware(datetime.combine(day, time.min)) for day in days)
            rows = rows.filter(finished_at__gte=first, finished_at__lt=end)
        if self.region_id:
            rows = rows.filter(tournament__club__region=self.region_id)
        if self.club_id:
            rows = rows.filter(tournament__club=self.club_id)
        related = rows.select_related("tournament__club", "revision").defer("inputs", "outcome")
        return related.order_by("-finished_at", "-pk")

    def changed(self) -> int:
        """Return how many of these runs changed the points of somebody. One query."""
        sums = LedgerEntry.objects.filter(tournament=OuterRef("tournament"), run=OuterRef("pk")).order_by()
        sums = sums.annotate(person=_PERSON).values("person").annotate(change=Sum("points"))
        return self.queryset().filter(Exists(sums.exclude(change=0))).count()

    def latest_month(self) -> date | None:
        """Return the first day of the latest month with corrections in the region or club; None if none."""
        latest = replace(self, month=None).queryset().values_list("finished_at", flat=True).first()
        return timezone.localdate(latest).replace(day=1) if latest else None


@per_version(2)
def months(version: int) -> tuple[date, ...]:
    """Return the first days of the months with corrections, latest first.

    version: the version of the standings; the result is cached until it changes
    """
    rows = CorrectionFilter().queryset().select_related(None)
    return tuple(month.date() for month in rows.datetimes("finished_at", "month", order="DESC"))


def month_choices(version: int, chosen: date | None) -> list[tuple[str, str]]:
    """Return the months with corrections, the current and the chosen month as choices: (YYYY-MM, name)."""
    lang = get_language() or ""
    listed = {*months(version), today().replace(day=1), *filter(None, [chosen])}
    return [(f"{month:%Y-%m}", format_month(month, lang)) for month in sorted(listed, reverse=True)]


def records(runs: Sequence[ScoringRun]) -> list[dict[str, Any]]:
    """Return the records of `CorrectionTable`. The number of queries does not depend on that of the runs."""
    points, places, deciders = _points_changed(runs), count_moved(runs), _deciders(runs)
    return [_record(run, points.get(run.pk, ()), places[run.pk], deciders[run.pk]) for run in runs]


def _record(run: ScoringRun, points: Sequence[int], places: int, decided_by: str) -> dict[str, Any]:
    decimals = systems.points_decimals(run.tournament)
    most = max(points, default=0)
    return {
        "day": timezone.localdate(run.finished_at),
        "title": run.tournament.name,
        "url": f"{run.tournament.get_absolute_url()}#historia",
        "club": run.tournament.club.name,
        "act": ACTS[act_of(run)],
        "what": _what(len(points), most, places, decimals),
        "places": places,
        "players": len(points),
        "most": most,
        "reason": run.reason,
        "by": decided_by,
    }


def act_of(run: ScoringRun) -> str:
    """Return which of the ACTS a run with a reason performed."""
    if run.purpose == Purpose.ANNUL:
        return ANNULLED
    if run.purpose == Purpose.RESTORE:
        return RESTORED
    return CORRECTED if run.number == 1 else RESCORED


def _what(players: int, most: int, places: int, decimals: int) -> str:
    """Say in words how many places and points changed.

    places: the number of players and guests with another place
    most: the largest change of a player's points, in hundredths
    """
    if not (players or places):
        return gettext("No player's place or points changed.")
    lang, words = get_language() or "", []
    if places:
        text = ngettext(
            "%(number_text)s player has another place.", "%(number_text)s players have another place.", places
        )
        words.append(text % {"number_text": format_whole(places, lang)})
    if players:
        text = ngettext(
            "%(number_text)s player has other points: the difference is %(most)s.",
            "%(number_text)s players have other points: the difference is %(most)s at most.",
            players,
        )
        words.append(
            text % {"number_text": format_whole(players, lang), "most": counted_points(most, decimals)}
        )
    return " ".join(words)


def _points_changed(runs: Iterable[ScoringRun]) -> dict[int, list[int]]:
    """Return {run id: the changes of players' points without their signs, in hundredths}. One query.

    Players whose points stayed the same are left out. The points of two merged numbers are those of one
    person.
    """
    entries = LedgerEntry.objects.filter(
        tournament__in=[run.tournament_id for run in runs], run__in=[run.pk for run in runs]
    )
    rows = entries.order_by().values_list("run", _PERSON).annotate(change=Sum("points"))
    changes: dict[int, list[int]] = defaultdict(list)
    for run, _person, change in rows:
        if change:
            changes[run].append(abs(change))
    return changes


def _deciders(runs: Sequence[ScoringRun]) -> dict[int, str]:
    """Return {run id: who decided, as a role}. Three queries.

    No account is named: lists of clubs are public, and who directs there is not.
    """
    accounts = {run.created_by_id for run in runs}
    office = set(Role.objects.filter(kind=Role.Kind.OFFICE, user__in=accounts).values_list("user", flat=True))
    approved = _approved(runs)
    texts = {
        (False, False): gettext("the club"),
        (True, False): gettext("the federation's office"),
        (False, True): gettext("the club, approved by a second person"),
        (True, True): gettext("the federation's office, approved by a second person"),
    }
    return {run.pk: texts[run.created_by_id in office, run.pk in approved] for run in runs}


def _approved(runs: Iterable[ScoringRun]) -> set[int]:
    """Return the ids of the runs that a second person approved. Two queries."""
    rescored = {run.pk for run in runs if act_of(run) == RESCORED}
    of_upload = {run.revision_id: run.pk for run in runs if act_of(run) == CORRECTED}
    uploads = dict(ResultUpload.objects.filter(revision__in=of_upload).values_list("pk", "revision"))
    keys = [str(run.tournament_id) for run in runs if act_of(run) in (ANNULLED, RESTORED)]
    proposals = Proposal.objects.filter(
        Q(kind=POINTS_ACT, key__in=[str(pk) for pk in uploads]) | Q(kind=ANNULMENT_ACT, key__in=keys),
        state=Proposal.State.APPROVED,
    )
    approved = set()
    by_key = {str(pk): of_upload[revision] for pk, revision in uploads.items()}
    for kind, key, result in proposals.values_list("kind", "key", "result"):
        approved.add(by_key[key] if kind == POINTS_ACT else result.get("run"))
    return rescored | approved
