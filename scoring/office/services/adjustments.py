"""Adjust points by hand: one person prepares an adjustment, another approves it.

An adjustment is never edited. A wrong one is taken back by a second adjustment, whose source key refers to
the first. It is not taken back by a reversal, because the standings count a reversal as minus one tournament
(see `scoring.ledger.services.transfers`).
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.access import name_for, names_for
from players.models import Player, Proposal
from players.proposals import Effect, ProposedAct
from players.services import categories
from players.services.proposals import propose
from scoring.ledger import systems
from scoring.ledger.correcting import ADJUSTMENT_ACT
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import posting, standings
from scoring.ledger.source_keys import back_key, taken_back_by
from scoring.ledger.windows import first_day
from ui.counting import counted_points
from ui.formatting import format_date, format_points

KIND = ADJUSTMENT_ACT


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points to add or, if negative, to deduct, in hundredths. They count as won on `played_on`."""

    player_id: int
    played_on: date
    title: str
    online: bool
    points: int
    family: str = FAMILY

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"played_on": self.played_on.isoformat()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Adjustment":
        return cls(**data | {"played_on": date.fromisoformat(data["played_on"])})


def propose_adjustment(adjustment: Adjustment, reason: str, evidence: str, by) -> Proposal:
    """Propose an adjustment. Raises ValidationError if the adjustment is invalid."""
    _validate(adjustment, reason, evidence)
    number = Player.objects.values_list("number", flat=True).get(pk=adjustment.player_id)
    text = repr(sorted(adjustment.to_json().items()))
    key = f"{adjustment.player_id}:{hashlib.sha256(text.encode()).hexdigest()[:32]}"
    data = {"number": number, "wanted": adjustment.to_json()}
    return propose(KIND, by, data, key=key, reason=reason, evidence=evidence)


def propose_taking_back(entry: LedgerEntry, reason: str, evidence: str, by) -> Proposal:
    """Propose to take an adjustment back. Raises ValidationError if that has already happened."""
    if not is_effective(entry):
        raise ValidationError(_("This adjustment was already taken back."))
    adjustment = Adjustment(
        entry.player_id, entry.played_on, entry.title, entry.online, -entry.points, entry.family
    )
    _validate(adjustment, reason, evidence)
    data = {"number": entry.player.number, "wanted": adjustment.to_json(), "takes_back": entry.pk}
    return propose(KIND, by, data, key=back_proposal_key(entry), reason=reason, evidence=evidence)


def back_proposal_key(entry: LedgerEntry) -> str:
    """Return `Proposal.key` for proposals to take this adjustment back. Only one can be pending at a time."""
    return f"back:{entry.pk}"


def _validate(adjustment: Adjustment, reason: str, evidence: str) -> None:
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: everybody can read it beside the points.")})
    if not evidence.strip():
        raise ValidationError({"evidence": _("Name the document that the decision stands in.")})
    if adjustment.played_on > standings.today():
        raise ValidationError({"played_on": _("That day is in the future.")})
    if not adjustment.points:
        raise ValidationError({"points": _("An adjustment of no points changes nothing.")})


def is_effective(entry: LedgerEntry) -> bool:
    """Return whether an entry is an adjustment that was not taken back."""
    if entry.kind != LedgerEntry.Kind.ADJUSTMENT or taken_back_by(entry.source_key):
        return False
    return not LedgerEntry.objects.filter(source_key=back_key(entry.pk)).exists()


def points_on(player_id: int, family: str, day: date) -> int:
    """Return a player's points in the 12 months up to a day, in hundredths, from the ledger."""
    totals = LedgerEntry.objects.totals(first_day(day), day, family).filter(player_id=player_id)
    return next((row[1] for row in totals), 0)


class AdjustmentAct(ProposedAct):
    """Adds or deducts points, or takes an adjustment back.

    `data` contains number (the player's), wanted (an `Adjustment` as JSON) and, when taking an adjustment
    back, takes_back (the id of its ledger entry).
    """

    kind = KIND
    label = gettext_lazy("Adjustment of points")

    def title(self, proposal: Proposal) -> str:
        adjustment = Adjustment.from_json(proposal.data["wanted"])
        text = _("Number %(number)s: %(points)s, %(title)s")
        if "takes_back" in proposal.data:
            text = _("Number %(number)s: %(points)s, taking an adjustment back: %(title)s")
        return text % {
            "number": proposal.data["number"],
            "points": counted_points(adjustment.points, signed=True),
            "title": adjustment.title,
        }

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        players = {proposal.pk: proposal.data["wanted"]["player_id"] for proposal in proposals}
        names = names_for(viewer, players.values())
        return {pk: names[player] for pk, player in players.items()}

    def effect(self, proposal: Proposal, viewer) -> Effect:
        lang = get_language() or ""
        adjustment, today = Adjustment.from_json(proposal.data["wanted"]), standings.today()
        player = Player.objects.get(pk=adjustment.player_id)
        before = points_on(player.pk, adjustment.family, today)
        counts = first_day(today) <= adjustment.played_on <= today
        after = before + adjustment.points if counts else before
        values = {
            "name": name_for(viewer, player),
            "number": player.number,
            "title": adjustment.title,
            "points": counted_points(adjustment.points, signed=True),
            "day": format_date(adjustment.played_on, lang),
            "venue": _("online") if adjustment.online else _("in person"),
            "system": systems.of(adjustment.family).label,
            "before": format_points(before, lang),
            "after": format_points(after, lang),
        }
        sentences = [
            _("%(name)s (%(number)s) gets %(points)s (%(system)s) for %(title)s, %(day)s, %(venue)s.")
            % values,
            (
                _("The points of the last 12 months go from %(before)s to %(after)s.")
                if counts
                else _("That day is over 12 months ago: the present total stays %(before)s.")
            )
            % values,
        ]
        if "takes_back" in proposal.data:
            sentences.append(_("It takes an earlier adjustment back; both stay in the account."))
        cautions = _cautions(adjustment, *((today, after) if counts else _total_on_own_day(adjustment)), lang)
        content = json.dumps([proposal.data, before, after, player.pk, bool(cautions)], sort_keys=True)
        return Effect(sentences, hashlib.sha256(content.encode()).hexdigest(), cautions=cautions)

    def obstacles(self, proposal: Proposal) -> list[str]:
        player = Player.objects.select_related("merged_into").get(pk=proposal.data["wanted"]["player_id"])
        taken_back = proposal.data.get("takes_back")
        if taken_back and not is_effective(LedgerEntry.objects.get(pk=taken_back)):
            return [_("This adjustment was already taken back.")]
        if player.merged_into_id and not taken_back:
            text = _("Number %(number)s was merged into %(kept)s: prepare it for that one.")
            return [text % {"number": player.number, "kept": player.merged_into.number}]
        return []

    def perform(self, proposal: Proposal, by) -> dict:
        adjustment = Adjustment.from_json(proposal.data["wanted"])
        categories.lock([adjustment.player_id])
        standings.lock_states()
        # Check again under the locks: the player may have been merged in the meantime.
        if obstacles := self.obstacles(proposal):
            raise ValidationError(obstacles)
        if taken_back := proposal.data.get("takes_back"):
            return {"entries": [posting.take_back_adjustment(taken_back, proposal.reason, by)]}
        key = posting.proposal_key(proposal)
        return {"entries": posting.post_adjustments([adjustment], key, proposal.reason, by)}

    def outcome(self, proposal: Proposal) -> list[str]:
        return [_("The player's page has the adjustment with its receipt.")]


def _total_on_own_day(adjustment: Adjustment) -> tuple[date, int]:
    """Return the adjustment's day and the player's points of the 12 months up to that day, in hundredths.

    The points include the adjustment.
    """
    day = adjustment.played_on
    return day, points_on(adjustment.player_id, adjustment.family, day) + adjustment.points


def _cautions(adjustment: Adjustment, day: date, total: int, lang: str) -> list[str]:
    """Return a warning if the adjustment deducts more points than the player has.

    day: last day of the 12 months
    total: the player's points of the 12 months, including the adjustment, in hundredths
    """
    if adjustment.points > 0 or total >= 0:
        return []
    text = _(
        "More points are taken than the player has: the 12 months up to %(day)s would come to %(total)s."
    )
    return [text % {"day": format_date(day, lang), "total": format_points(total, lang)}]
