"""Word the way of a tournament's points, step by step, for the page "Where are my points?"."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from players.models import Player
from scoring.cases.models import Case
from scoring.cases.queries.tracker import Sighting, Usual
from scoring.ledger import systems
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.awards import reason_of
from scoring.ledger.windows import leaves_on
from scoring.ledger.wording import approvers, is_regional
from ui.counting import counted_points
from ui.formatting import format_date, format_whole

# The marks of a step, and of the whole: classes of `static/css`.
DONE, CURRENT, STOPPED, TODO, NONE = "done", "current", "stopped", "todo", "none"
RunState = ScoringRun.State


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the way. `mark` is one of DONE, CURRENT, STOPPED, TODO, and NONE for a step left out."""

    label: str
    mark: str
    day: date | None = None
    text: str = ""

    @property
    def mark_word(self) -> str:
        """The mark as a word, for readers who do not see it."""
        words = {DONE: _("done"), CURRENT: _("now"), STOPPED: _("stopped"), TODO: _("still to come")}
        return words.get(self.mark, "")


@dataclass(frozen=True, slots=True)
class Track:
    """The way of one tournament.

    status: where the points are, in a few words
    mark: DONE if the points count, CURRENT if somebody has to do something, STOPPED if there are none
    next: who does what next; empty if nobody has to do anything
    usual: what usually happens; may be empty
    notes: what else is worth knowing
    url: the page of the tournament or announcement; empty without one
    receipt: the address of the receipt; empty without points
    report: the address of the form that reports that something is wrong
    """

    title: str
    club: str
    day: date | None
    status: str
    mark: str
    steps: list[Step]
    next: str
    usual: str
    notes: list[str]
    url: str
    receipt: str
    report: str


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The last step in words, and the status of the whole."""

    mark: str
    status: str
    text: str = ""
    next: str = ""


def tracks_of(
    sightings: list[Sighting], usual: Mapping[int, Usual], player: Player, today: date
) -> list[Track]:
    """Return the ways of these tournaments in the active language. No query."""
    return [_track(sighting, usual.get(sighting.club.pk), player, today) for sighting in sightings]


def _day(day: date) -> str:
    return format_date(day, get_language() or "")


def _local(moment: datetime | None) -> date | None:
    return timezone.localdate(moment) if moment else None


def _track(sighting: Sighting, usual: Usual | None, player: Player, today: date) -> Track:
    if sighting.tournament is None:
        outcome = _before_confirmation(sighting)
    else:
        outcome = _after_confirmation(sighting, today)
    page = sighting.tournament if sighting.tournament and sighting.tournament.published_id else None
    page = page or sighting.announcement
    entry = sighting.entry
    return Track(
        title=sighting.name or _("Untitled"),
        club=sighting.club.name,
        day=sighting.played_on,
        status=outcome.status,
        mark=outcome.mark,
        steps=[
            _announced(sighting),
            _uploaded(sighting),
            _reviewed(sighting),
            _scored(sighting),
            _counted(sighting, outcome),
        ],
        next=outcome.next,
        usual=_usual(sighting, usual),
        notes=_notes(sighting),
        url=page.get_absolute_url() if page else "",
        receipt=reverse("award", args=[player.number, entry.pk]) if entry else "",
        report=_report_address(sighting),
    )


def _report_address(sighting: Sighting) -> str:
    asked = {}
    if sighting.tournament:
        asked["torneo"] = str(sighting.tournament.pk)
        if not sighting.listed:
            asked["tipo"] = Case.Kind.NUMBER.value
    else:
        asked = {"tipo": Case.Kind.MISSING.value, "club": sighting.club.slug}
        if sighting.played_on:
            asked["dia"] = sighting.played_on.isoformat()
    return f"{reverse('case_open')}?{urlencode(asked)}"


# --- The steps ------------------------------------------------------------------------------------------
def _announced(sighting: Sighting) -> Step:
    announcement = sighting.announcement
    if announcement is None:
        return Step(
            pgettext("step", "Announced"),
            NONE,
            text=_("It was not announced on this site; that does no harm."),
        )
    if announcement.cancelled_at:
        text = _("Cancelled: %(reason)s") % {"reason": announcement.cancel_reason}
        return Step(pgettext("step", "Announced"), STOPPED, _local(announcement.cancelled_at), text)
    return Step(pgettext("step", "Announced"), DONE, _local(announcement.announced_at))


def _uploaded(sighting: Sighting) -> Step:
    label = pgettext("step", "Uploaded")
    if sighting.upload:
        text = "" if sighting.played_on else _("The day of play is not stated yet.")
        return Step(label, DONE, _local(sighting.upload.created_at), text)
    if sighting.revision:
        return Step(label, DONE, _local(sighting.revision.created_at))
    return Step(label, TODO if _is_cancelled(sighting) else CURRENT)


def _reviewed(sighting: Sighting) -> Step:
    label = _("Reviewed by the director")
    if sighting.tournament and sighting.revision:
        confirmed = sighting.upload.confirmed_at if sighting.upload else None
        return Step(label, DONE, _local(confirmed or sighting.revision.created_at))
    if sighting.upload is None:
        return Step(label, TODO)
    if sighting.listed:
        text = _("Your number is in the file.")
    elif sighting.guest:
        text = _("The file has “%(name)s” without a number.") % {"name": sighting.guest}
    else:
        text = _("Your number is not in the file.")
    return Step(label, CURRENT, text=text)


def _scored(sighting: Sighting) -> Step:
    label = _("Points computed")
    run = sighting.counted_run or sighting.run
    if run is None:
        return Step(label, TODO)
    if run.state == RunState.DONE:
        return Step(label, DONE, _local(run.finished_at))
    if run.state == RunState.FAILED:
        return Step(label, STOPPED, text=_("The computation stopped. The office has been told."))
    text = _("Waits for approval.") if run.state == RunState.WAITING else ""
    return Step(label, CURRENT, text=text)


def _counted(sighting: Sighting, outcome: "_Outcome") -> Step:
    """Return the last step, which is still to come while there is no outcome."""
    todo = outcome.mark == CURRENT or sighting.tournament is None
    return Step(_("Counts"), TODO if todo else outcome.mark, text=outcome.text)


def _is_cancelled(sighting: Sighting) -> bool:
    return bool(sighting.announcement and sighting.announcement.cancelled_at)


# --- Where the points are -------------------------------------------------------------------------------
def _before_confirmation(sighting: Sighting) -> _Outcome:
    """Return the outcome while there is an announcement or an upload, but no confirmed ranking."""
    club = {"club": sighting.club.name}
    if _is_cancelled(sighting):
        return _Outcome(STOPPED, _("It was cancelled"))
    if sighting.upload is None:
        following = _("Next: the result is uploaded by a tournament director of %(club)s.") % club
        return _Outcome(CURRENT, _("The result has not been uploaded yet"), next=following)
    following = _("Next: a tournament director of %(club)s reviews the file and confirms it.") % club
    return _Outcome(CURRENT, _("Uploaded, the director is reviewing it"), next=following)


def _after_confirmation(sighting: Sighting, today: date) -> _Outcome:
    if not sighting.listed:
        return _not_listed(sighting)
    if sighting.counted_run is None:
        return _not_scored(sighting)
    if not sighting.counted_run.eligible:
        annulled = sighting.counted_run.purpose == ScoringRun.Purpose.ANNUL
        status = _("Annulled") if annulled else _("The tournament does not count")
        return _Outcome(STOPPED, status, reason_of(sighting.counted_run))
    if sighting.entry is None:
        return _without_points(sighting)
    assert sighting.tournament is not None
    points = counted_points(sighting.entry.points, systems.points_decimals(sighting.tournament))
    leaves = leaves_on(sighting.entry.played_on)
    if leaves <= today:
        text = _("They counted for 12 months and left on %(day)s.") % {"day": _day(leaves)}
    else:
        text = _("They leave the 12 months on %(day)s.") % {"day": _day(leaves)}
    return _Outcome(DONE, _("Counted: %(points)s") % {"points": points}, text)


def _not_listed(sighting: Sighting) -> _Outcome:
    club = {"club": sighting.club.name}
    following = (
        _("If you played, report it: a tournament director of %(club)s can correct the ranking.") % club
    )
    if sighting.guest:
        text = _("The ranking has “%(name)s” without a number: that person gets no points.")
        return _Outcome(
            STOPPED, _("You are in it without your number"), text % {"name": sighting.guest}, following
        )
    return _Outcome(STOPPED, _("Your number is not in the ranking"), _("It gives you no points."), following)


def _not_scored(sighting: Sighting) -> _Outcome:
    run = sighting.run
    if run is None or run.state == RunState.OUTDATED:
        return _Outcome(CURRENT, _("Confirmed, the points are being computed"))
    if run.state == RunState.WAITING:
        assert sighting.tournament is not None
        who = approvers(is_regional(run.regulation, sighting.tournament.event_type))
        following = _("Next: the points are approved by %(who)s.") % {"who": who}
        return _Outcome(CURRENT, _("Waiting for approval"), next=following)
    if run.state == RunState.FAILED:
        following = _("Next: the federation's office looks into it.")
        return _Outcome(CURRENT, _("The computation stopped"), next=following)
    following = _("Nobody has to do anything: points are computed within minutes.")
    return _Outcome(CURRENT, _("The points are being computed"), next=following)


def _without_points(sighting: Sighting) -> _Outcome:
    if sighting.too_few_boards and sighting.contestant and sighting.tournament:
        text = _("Boards played: %(boards)s of %(scheduled)s, too few for points.") % {
            "boards": sighting.contestant.boards,
            "scheduled": sighting.tournament.boards_scheduled,
        }
        return _Outcome(STOPPED, _("No points"), text)
    return _Outcome(STOPPED, _("No points"), _("You are in the ranking, but this place gives you no points."))


def _usual(sighting: Sighting, usual: Usual | None) -> str:
    """Return what the club's last results took, for a tournament that is not confirmed; otherwise ""."""
    if usual is None or sighting.tournament or _is_cancelled(sighting):
        return ""
    if sighting.upload is None:
        if usual.arrives == 0:
            return _("The results of this club usually arrive on the day of play.")
        text = ngettext(
            "The results of this club usually arrive %(number)s day after play.",
            "The results of this club usually arrive %(number)s days after play.",
            usual.arrives,
        )
        return text % {"number": format_whole(usual.arrives, get_language() or "")}
    if usual.confirmed == 0:
        return _("This club usually confirms a file on the day it arrives.")
    text = ngettext(
        "This club usually confirms a file %(number)s day after it arrives.",
        "This club usually confirms a file %(number)s days after it arrives.",
        usual.confirmed,
    )
    return text % {"number": format_whole(usual.confirmed, get_language() or "")}


def _notes(sighting: Sighting) -> list[str]:
    """Return sentences about corrections, and about the year's category change."""
    notes = []
    revision, run = sighting.revision, sighting.run
    if revision and revision.number > 1:
        day = _day(timezone.localdate(revision.created_at))
        text = _("Corrected on %(day)s: %(reason)s")
        notes.append(text % {"day": day, "reason": revision.reason})
    if sighting.corrects:
        notes.append(_("A correction has been uploaded, and the director is reviewing it."))
    if run and sighting.counted_run and run.pk != sighting.counted_run.pk:
        texts = {
            RunState.WAITING: _("A correction waits for approval."),
            RunState.PENDING: _("A correction is being computed."),
            RunState.RUNNING: _("A correction is being computed."),
            RunState.FAILED: _("The computation of a correction stopped. The office has been told."),
        }
        notes += [text for state, text in texts.items() if state == run.state]
    if sighting.closed and sighting.entry:
        text = _(
            "The points came after the lists of the category change of %(year)s were closed on %(day)s: they "
            "count for the 12 months, not for that change."
        )
        day = _day(timezone.localdate(sighting.closed))
        notes.append(text % {"year": sighting.entry.played_on.year, "day": day})
    return notes
