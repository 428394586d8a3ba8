"""The kinds of letters, and their texts. Preferences and unsubscribing belong here, by kind."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.models import Player, Proposal
from players.proposals import act_of
from scoring.ledger import systems
from scoring.ledger.correcting import ANNULMENT_ACT, POINTS_ACT
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.queries.corrected import Place, corrections_of, places_changed
from scoring.ledger.wording import FIELD_NAMES, approvers, reasons_of
from scoring.letters.models import Letter
from tournaments.models import Announcement, ResultUpload, Tournament
from ui.counting import counted, counted_points
from ui.formatting import format_date


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a letter.

    path: the page that it leads to
    """

    subject: str
    paragraphs: list[str]
    path: str


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of letter.

    label: says in a sentence when the letter is sent
    write: returns the letter's text in the active language; None if there is nothing to say any more
    """

    code: str
    label: str
    write: Callable[[Letter], Text | None]


def _run_of(letter: Letter) -> ScoringRun:
    runs = ScoringRun.objects.select_related("tournament__club", "revision").defer("inputs")
    return runs.get(pk=letter.data["run"])


def _day(day: date) -> str:
    return format_date(day, get_language() or "")


def _named(tournament: Tournament) -> dict[str, str]:
    return {"name": tournament.name, "club": tournament.club.name, "day": _day(tournament.end_date)}


def _points(letter: Letter) -> Text:
    run = _run_of(letter)
    tournament, decimals = run.tournament, systems.points_decimals(run.tournament)
    awards = list(
        LedgerEntry.objects.filter(run=run, kind=LedgerEntry.Kind.AWARD).values_list("points", flat=True)
    )
    if awards:
        text = _("%(players)s got %(sum)s in all.")
        result = text % {
            "players": counted(len(awards), "player"),
            "sum": counted_points(sum(awards), decimals),
        }
    else:
        result = " ".join([_("It is stored but does not count."), *reasons_of(run)])
    subject = _("Points of %(name)s")
    text = _("The points of %(name)s (%(club)s, %(day)s) are in.")
    paragraphs = [result]
    if run.reason:
        subject = _("Correction of %(name)s")
        text = _("The points of the correction of %(name)s (%(club)s, %(day)s) are in.")
        paragraphs.append(_reason(run.reason))
    upload = ResultUpload.objects.filter(revision=run.revision_id).first()
    return Text(
        subject % {"name": tournament.name},
        [text % _named(tournament), *paragraphs],
        reverse("upload_receipt", args=[upload.pk]) if upload else tournament.get_absolute_url(),
    )


def _corrected(letter: Letter) -> Text:
    run = _run_of(letter)
    texts = {
        ScoringRun.Purpose.ANNUL: _("%(name)s (%(club)s, %(day)s), which you confirmed, was annulled."),
        ScoringRun.Purpose.RESTORE: _("%(name)s (%(club)s, %(day)s), which you confirmed, was restored."),
        ScoringRun.Purpose.SCORE: _("%(name)s (%(club)s, %(day)s), which you confirmed, was corrected."),
    }
    return Text(
        _("Correction of %(name)s") % {"name": run.tournament.name},
        [texts[ScoringRun.Purpose(run.purpose)] % _named(run.tournament), _reason(run.reason)],
        run.tournament.get_absolute_url(),
    )


def _reason(reason: str) -> str:
    return _("Reason: %(reason)s") % {"reason": reason}


def _own_points(letter: Letter) -> Text | None:
    player = getattr(letter.account, "player", None)
    if player is None:
        return None
    run = _run_of(letter)
    names = _named(run.tournament)
    place = _other_place(run, player)
    for change in corrections_of(player, run_id=run.pk):
        return Text(
            _("Your points of %(name)s") % names,
            [change.text, *place, _reason(run.reason)],
            player.get_absolute_url(),
        )
    if not place:
        return None
    return Text(
        _("Your place in %(name)s") % names,
        [*place, _("Your points are the same as before."), _reason(run.reason)],
        run.tournament.get_absolute_url(),
    )


def _other_place(run: ScoringRun, player: Player) -> list[str]:
    """Return the sentence about the player's place that a run changed, or nothing if it did not."""
    places = places_changed([run])[run.pk].get(player.current.pk)
    if places is None:
        return []
    old, new = map(_place, places)
    if not new:
        text = _("You are no longer in the ranking of %(name)s (%(club)s, %(day)s).")
    elif not old:
        text = _("You are now in the ranking of %(name)s (%(club)s, %(day)s). Your place: %(new)s.")
    else:
        text = _("Your place in %(name)s (%(club)s, %(day)s) changed: %(old)s before, %(new)s now.")
    return [text % {**_named(run.tournament), "old": old, "new": new}]


def _place(place: Place | None) -> str:
    if place is None:
        return ""
    number, field = place
    return f"{number} ({FIELD_NAMES[field]})" if field else str(number)


def _proposal_of(letter: Letter) -> tuple[Proposal, dict[str, str]]:
    """Return the proposal that a letter is about, and the names for its text."""
    proposal = Proposal.objects.get(pk=letter.data["proposal"])
    data = proposal.data
    name, day = (
        (data["header"]["name"], data["header"]["end_date"])
        if proposal.kind == POINTS_ACT
        else (data["name"], data["day"])
    )
    return proposal, {"name": name, "club": data["club"], "day": _day(date.fromisoformat(day))}


def tournament_of(proposal: Proposal) -> Tournament:
    """Return the tournament that a proposal would score, correct, annul or restore."""
    if proposal.kind == ANNULMENT_ACT:
        return Tournament.objects.get(pk=proposal.data["tournament"])
    return Tournament.objects.get(runs=proposal.data["run"])


def _waiting(letter: Letter) -> Text | None:
    proposal, names = _proposal_of(letter)
    if proposal.state != Proposal.State.PENDING:
        return None
    if proposal.kind == ANNULMENT_ACT:
        texts = {  # by the values of `Annulment.Act`
            "annulled": _("The annulment of %(name)s (%(club)s, %(day)s) waits for approval by %(who)s."),
            "restored": _("The restoration of %(name)s (%(club)s, %(day)s) waits for approval by %(who)s."),
        }
        text = texts[proposal.data["act"]]
    elif proposal.reason:
        text = _("A correction of %(name)s (%(club)s, %(day)s) waits for approval by %(who)s.")
    else:
        text = _("The points of %(name)s (%(club)s, %(day)s) wait for approval by %(who)s.")
    who = approvers(proposal.data.get("regional", False))
    paragraphs = [text % {**names, "who": who}]
    if proposal.reason:
        paragraphs.append(_reason(proposal.reason))
    sees_proposal = act_of(proposal).may_see(letter.account, proposal)
    page = proposal if sees_proposal else tournament_of(proposal)
    return Text(_("%(name)s waits for approval") % names, paragraphs, page.get_absolute_url())


def _returned(letter: Letter) -> Text:
    proposal, names = _proposal_of(letter)
    text = _("%(name)s (%(club)s, %(day)s) was not approved, but returned to you.")
    path = (
        reverse("upload_review", args=[proposal.key])
        if proposal.kind == POINTS_ACT
        else proposal.get_absolute_url()
    )
    return Text(_("%(name)s was returned") % names, [text % names, _reason(proposal.decision_reason)], path)


def _missing(letter: Letter) -> Text | None:
    announcement = Announcement.objects.select_related("club").get(pk=letter.data["announcement"])
    missing = Announcement.objects.without_result(timezone.localdate()).filter(pk=announcement.pk)
    if not missing.exists():
        return None
    text = _(
        "%(name)s (%(club)s, %(day)s) was announced, and its result is missing. Upload it, or say on its "
        "page that it was not played."
    )
    names = {
        "name": announcement.name,
        "club": announcement.club.name,
        "day": _day(announcement.end_date),
    }
    return Text(
        _("The result of %(name)s is missing") % names, [text % names], announcement.get_absolute_url()
    )


POINTS = Kind("points", gettext_lazy("when the points of a tournament that you sent are in"), _points)
WAITING = Kind("waiting", gettext_lazy("when a tournament or correction waits for approval"), _waiting)
RETURNED = Kind("returned", gettext_lazy("when a tournament or correction of yours is returned"), _returned)
CORRECTED = Kind(
    "corrected", gettext_lazy("when somebody else corrects a tournament that you confirmed"), _corrected
)
MISSING = Kind("missing", gettext_lazy("when the result of an announced tournament is missing"), _missing)
OWN_POINTS = Kind(
    "own_points", gettext_lazy("when a correction changes your points or your place"), _own_points
)
KINDS = {kind.code: kind for kind in (POINTS, WAITING, RETURNED, CORRECTED, MISSING, OWN_POINTS)}
