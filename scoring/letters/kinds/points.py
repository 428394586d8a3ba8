"""Notices about points that were posted: to those who sent the result, and to the players."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db.models import Count, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.ledger import systems
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.queries.corrected import points_changed_text
from scoring.ledger.wording import FIELD_NAMES, reasons_of
from scoring.letters.kinds.wording import names_of, reason_text
from scoring.letters.models import Delivery, Notice
from scoring.letters.registry import Audience, Kind, Text
from tournaments.models import ResultUpload
from ui.counting import counted, counted_points

Texts = dict[int, Text]


def _runs_of(notices: Sequence[Notice]) -> dict[int, ScoringRun]:
    """Return {notice id: the run that it is about}, without notices whose run was deleted. One query."""
    runs = ScoringRun.objects.select_related("tournament__club", "revision").defer("inputs")
    by_id = runs.in_bulk({notice.data["run"] for notice in notices})
    return {notice.pk: by_id[run] for notice in notices if (run := notice.data["run"]) in by_id}


# --- To those who sent a result ---------------------------------------------------------------------------
def _points(account: User, notices: Sequence[Notice]) -> Texts:
    runs = _runs_of(notices)
    awards = LedgerEntry.objects.filter(run__in=runs.values(), kind=LedgerEntry.Kind.AWARD).order_by()
    sums = awards.values("run").annotate(players=Count("pk"), sum=Sum("points"))
    totals = {row["run"]: (row["players"], row["sum"]) for row in sums}
    uploads = ResultUpload.objects.filter(revision__in={run.revision_id for run in runs.values()})
    receipts = dict(uploads.values_list("revision", "pk"))
    return {
        pk: _points_text(run, *totals.get(run.pk, (0, 0)), receipts.get(run.revision_id))
        for pk, run in runs.items()
    }


def _points_text(run: ScoringRun, players: int, total: int, upload: object) -> Text:
    """Return the text about a run.

    players, total: how many players got points by it, and how many in all
    upload: the id of the upload with the ranking; None without one
    """
    tournament = run.tournament
    if players:
        text = _("%(players)s got %(sum)s in all.")
        points = counted_points(total, systems.points_decimals(tournament))
        result = text % {"players": counted(players, "player"), "sum": points}
    else:
        result = " ".join([_("It is stored but does not count."), *reasons_of(run)])
    subject = _("Points of %(name)s")
    text = _("The points of %(name)s (%(club)s, %(day)s) are in.")
    paragraphs = [result]
    if run.reason:
        subject = _("Correction of %(name)s")
        text = _("The points of the correction of %(name)s (%(club)s, %(day)s) are in.")
        paragraphs.append(reason_text(run.reason))
    return Text(
        subject % {"name": tournament.name},
        [text % names_of(tournament), *paragraphs],
        reverse("upload_receipt", args=[upload]) if upload else tournament.get_absolute_url(),
    )


def _corrected(account: User, notices: Sequence[Notice]) -> Texts:
    texts = {
        ScoringRun.Purpose.ANNUL: _("%(name)s (%(club)s, %(day)s), which you confirmed, was annulled."),
        ScoringRun.Purpose.RESTORE: _("%(name)s (%(club)s, %(day)s), which you confirmed, was restored."),
        ScoringRun.Purpose.SCORE: _("%(name)s (%(club)s, %(day)s), which you confirmed, was corrected."),
    }
    return {
        pk: Text(
            _("Correction of %(name)s") % {"name": run.tournament.name},
            [texts[ScoringRun.Purpose(run.purpose)] % names_of(run.tournament), reason_text(run.reason)],
            run.tournament.get_absolute_url(),
        )
        for pk, run in _runs_of(notices).items()
    }


# --- To the players ---------------------------------------------------------------------------------------
def _awards(account: User, notices: Sequence[Notice]) -> Texts:
    texts, data = {}, {notice.pk: notice.data for notice in notices}
    for pk, run in _runs_of(notices).items():
        tournament, points = run.tournament, data[pk]["points"]
        names = names_of(tournament) | {
            "points": counted_points(points, systems.points_decimals(tournament)),
            "place": _place(data[pk]["place"]),
        }
        if names["place"]:
            text = _("You got %(points)s in %(name)s (%(club)s, %(day)s). Your place: %(place)s.")
        else:
            text = _("You got %(points)s in %(name)s (%(club)s, %(day)s).")
        subject = _("%(name)s: you have new points") % names
        texts[pk] = Text(subject, [text % names], tournament.get_absolute_url())
    return texts


def _own_points(account: User, notices: Sequence[Notice]) -> Texts:
    texts, data = {}, {notice.pk: notice.data for notice in notices}
    for pk, run in _runs_of(notices).items():
        tournament, names = run.tournament, names_of(run.tournament)
        old, new, places = (data[pk][name] for name in ("old", "new", "places"))
        paragraphs = _other_place(names, *places) if places else []
        if old != new:
            decimals = systems.points_decimals(tournament)
            change = points_changed_text(tournament.name, tournament.end_date, old, new, decimals)
            subject, path = _("Your points of %(name)s"), reverse("my_page")
            paragraphs = [change, *paragraphs]
        else:
            subject, path = _("Your place in %(name)s"), tournament.get_absolute_url()
            paragraphs.append(_("Your points are the same as before."))
        texts[pk] = Text(subject % names, [*paragraphs, reason_text(run.reason)], path)
    return texts


def _other_place(names: dict[str, str], before: list | None, now: list | None) -> list[str]:
    """Return the sentence about a player's place that a correction changed.

    before, now: place and field; None if the player was or is not in the ranking
    """
    old, new = _place(before), _place(now)
    if not new:
        text = _("You are no longer in the ranking of %(name)s (%(club)s, %(day)s).")
    elif not old:
        text = _("You are now in the ranking of %(name)s (%(club)s, %(day)s). Your place: %(new)s.")
    else:
        text = _("Your place in %(name)s (%(club)s, %(day)s) changed: %(old)s before, %(new)s now.")
    return [text % {**names, "old": old, "new": new}]


def _place(place: list | None) -> str:
    """Return a place and its field, [4, "NS"], in words; "" for None."""
    if place is None:
        return ""
    number, field = place
    return f"{number} ({FIELD_NAMES[field]})" if field else str(number)


POINTS = Kind(
    "points",
    gettext_lazy("when the points of a tournament that you sent are in"),
    Audience.CLUB,
    _points,
    Delivery.ONCE,
)
CORRECTED = Kind(
    "corrected",
    gettext_lazy("when somebody else corrects a tournament that you confirmed"),
    Audience.CLUB,
    _corrected,
    Delivery.ONCE,
)
AWARDS = Kind("awards", gettext_lazy("when you have new points"), Audience.PLAYER, _awards)
OWN_POINTS = Kind(
    "own_points",
    gettext_lazy("when a correction changes your points or your place"),
    Audience.PLAYER,
    _own_points,
)
