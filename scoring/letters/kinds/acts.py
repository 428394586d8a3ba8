"""Notices about tournaments that wait for a second person, or were returned."""

from collections.abc import Sequence
from datetime import date

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Proposal
from players.proposals import act_of
from scoring.ledger.correcting import ANNULMENT_ACT, POINTS_ACT
from scoring.ledger.models import ScoringRun
from scoring.ledger.wording import approvers
from scoring.letters.kinds.wording import day_text, reason_text
from scoring.letters.models import Delivery, Notice
from scoring.letters.registry import Audience, Kind, Text
from tournaments.models import Tournament

Texts = dict[int, Text]


def tournaments_of(proposals: Sequence[Proposal]) -> dict[int, Tournament]:
    """Return {proposal id: the tournament that it would score, correct, annul or restore}. Two queries.

    Proposals whose tournament was deleted are left out.
    """
    runs = {proposal.pk: proposal.data["run"] for proposal in proposals if proposal.kind == POINTS_ACT}
    events = {
        proposal.pk: proposal.data["tournament"] for proposal in proposals if proposal.kind == ANNULMENT_ACT
    }
    of_run = dict(ScoringRun.objects.filter(pk__in=runs.values()).values_list("pk", "tournament"))
    events |= {pk: of_run[run] for pk, run in runs.items() if run in of_run}
    by_id = Tournament.objects.in_bulk(set(events.values()))
    return {pk: by_id[event] for pk, event in events.items() if event in by_id}


def _proposals_of(notices: Sequence[Notice]) -> dict[int, Proposal]:
    """Return {notice id: the proposal that it is about}. One query."""
    by_id = Proposal.objects.in_bulk({notice.data["proposal"] for notice in notices})
    return {notice.pk: by_id[notice.data["proposal"]] for notice in notices}


def _names(proposal: Proposal) -> dict[str, str]:
    data = proposal.data
    name, day = (
        (data["header"]["name"], data["header"]["end_date"])
        if proposal.kind == POINTS_ACT
        else (data["name"], data["day"])
    )
    return {"name": name, "club": data["club"], "day": day_text(date.fromisoformat(day))}


def _waiting(account: User, notices: Sequence[Notice]) -> Texts:
    proposals = _proposals_of(notices)
    tournaments = tournaments_of(list(proposals.values()))
    return {
        pk: _waiting_text(proposal, _page_for(account, proposal, tournaments.get(proposal.pk)))
        for pk, proposal in proposals.items()
    }


def _page_for(account: User, proposal: Proposal, tournament: Tournament | None) -> str:
    if act_of(proposal).may_see(account, proposal):
        return proposal.get_absolute_url()
    return tournament.get_absolute_url() if tournament else ""


def _waiting_text(proposal: Proposal, path: str) -> Text:
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
    names, who = _names(proposal), approvers(proposal.data.get("regional", False))
    paragraphs = [text % {**names, "who": who}]
    if proposal.reason:
        paragraphs.append(reason_text(proposal.reason))
    over = proposal.state != Proposal.State.PENDING
    return Text(_("%(name)s waits for approval") % names, paragraphs, path, over)


def _returned(account: User, notices: Sequence[Notice]) -> Texts:
    return {pk: _returned_text(proposal) for pk, proposal in _proposals_of(notices).items()}


def _returned_text(proposal: Proposal) -> Text:
    names = _names(proposal)
    text = _("%(name)s (%(club)s, %(day)s) was not approved, but returned to you.")
    path = (
        reverse("upload_review", args=[proposal.key])
        if proposal.kind == POINTS_ACT
        else proposal.get_absolute_url()
    )
    paragraphs = [text % names, reason_text(proposal.decision_reason)]
    return Text(_("%(name)s was returned") % names, paragraphs, path)


WAITING = Kind(
    "waiting",
    gettext_lazy("when a tournament or correction waits for approval"),
    Audience.CLUB,
    _waiting,
    Delivery.ONCE,
)
RETURNED = Kind(
    "returned",
    gettext_lazy("when a tournament or correction of yours is returned"),
    Audience.CLUB,
    _returned,
    Delivery.ONCE,
)
