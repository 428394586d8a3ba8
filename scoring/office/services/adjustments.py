"""Points that the office gives or takes by hand: prepared by one person, posted by the approval of another.

An adjustment is never edited. A wrong one is taken back by another adjustment, which points at it with its
source key: a reversal would count as a tournament less (`scoring.ledger.services.transfers`).
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.access import name_for
from players.models import Player, Proposal
from players.proposals import Act, Effect
from players.services import categories
from players.services.proposals import propose
from scoring.ledger import systems
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import posting, standings
from scoring.ledger.source_keys import back_key, taken_back_by
from scoring.ledger.windows import first_day
from ui.formatting import format_date, format_points, format_signed_points

KIND = "adjustment"


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What is given (or, below zero, taken), in hundredths, as of a day and for what."""

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


def prepare(wanted: Adjustment, reason: str, evidence: str, by) -> Proposal:
    """Let an adjustment wait for a second person. Raises ValidationError for what may not be."""
    _check(wanted, reason, evidence)
    number = Player.objects.values_list("number", flat=True).get(pk=wanted.player_id)
    text = repr(sorted(wanted.to_json().items()))
    key = f"{wanted.player_id}:{hashlib.sha256(text.encode()).hexdigest()[:32]}"
    data = {"number": number, "wanted": wanted.to_json()}
    return propose(KIND, by, data, key=key, reason=reason, evidence=evidence)


def prepare_back(entry: LedgerEntry, reason: str, evidence: str, by) -> Proposal:
    """Let the taking back of an adjustment wait for a second person. Raises ValidationError."""
    if not stands(entry):
        raise ValidationError(_("This adjustment was already taken back."))
    wanted = Adjustment(
        entry.player_id, entry.played_on, entry.title, entry.online, -entry.points, entry.family
    )
    _check(wanted, reason, evidence)
    data = {"number": entry.player.number, "wanted": wanted.to_json(), "takes_back": entry.pk}
    return propose(KIND, by, data, key=f"back:{entry.pk}", reason=reason, evidence=evidence)


def _check(wanted: Adjustment, reason: str, evidence: str) -> None:
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: everybody can read it beside the points.")})
    if not evidence.strip():
        raise ValidationError({"evidence": _("Name the document that the decision stands in.")})
    if wanted.played_on > standings.today():
        raise ValidationError({"played_on": _("That day is in the future.")})
    if not wanted.points:
        raise ValidationError({"points": _("An adjustment of no points changes nothing.")})


def stands(entry: LedgerEntry) -> bool:
    """Whether an entry is an adjustment that nothing has taken back."""
    if entry.kind != LedgerEntry.Kind.ADJUSTMENT or taken_back_by(entry.source_key):
        return False
    return not LedgerEntry.objects.filter(source_key=back_key(entry.pk)).exists()


def points_of(player_id: int, family: str, day: date) -> int:
    """A player's hundredths of the 12 months up to a day, from the ledger."""
    totals = LedgerEntry.objects.totals(first_day(day), day, family).filter(player_id=player_id)
    return next((row[1] for row in totals), 0)


class AdjustmentAct(Act):
    """Gives or takes points, or takes an adjustment back.

    `data`: number, wanted, and takes_back (an entry's id) where there is one
    """

    kind = KIND
    label = gettext_lazy("Adjustment of points")

    def title(self, proposal: Proposal) -> str:
        wanted = Adjustment.from_json(proposal.data["wanted"])
        text = _("Number %(number)s: %(points)s points, %(title)s")
        if "takes_back" in proposal.data:
            text = _("Number %(number)s: %(points)s points, taking an adjustment back: %(title)s")
        return text % {
            "number": proposal.data["number"],
            "points": format_signed_points(wanted.points, get_language() or ""),
            "title": wanted.title,
        }

    def effect(self, proposal: Proposal, viewer) -> Effect:
        lang = get_language() or ""
        wanted, today = Adjustment.from_json(proposal.data["wanted"]), standings.today()
        player = Player.objects.get(pk=wanted.player_id)
        before = points_of(player.pk, wanted.family, today)
        counts = first_day(today) <= wanted.played_on <= today
        after = before + wanted.points if counts else before
        said = {
            "name": name_for(viewer, player), "number": player.number, "title": wanted.title,
            "points": format_signed_points(wanted.points, lang), "day": format_date(wanted.played_on, lang),
            "venue": _("online") if wanted.online else _("in person"),
            "system": systems.of(wanted.family).label,
            "before": format_points(before, lang), "after": format_points(after, lang),
        }  # fmt: skip
        sentences = [
            _("%(name)s (%(number)s) gets %(points)s points (%(system)s) for %(title)s, %(day)s, %(venue)s.")
            % said,
            (
                _("The points of the last 12 months go from %(before)s to %(after)s.")
                if counts
                else _("That day is over 12 months ago: the present total stays %(before)s.")
            )
            % said,
        ]
        if "takes_back" in proposal.data:
            sentences.append(_("It takes an earlier adjustment back; both stay in the account."))
        shown = json.dumps([proposal.data, before, after, player.pk], sort_keys=True)
        seen = hashlib.sha256(shown.encode())
        return Effect(sentences, seen.hexdigest())

    def obstacles(self, proposal: Proposal) -> list[str]:
        player = Player.objects.select_related("merged_into").get(pk=proposal.data["wanted"]["player_id"])
        back = proposal.data.get("takes_back")
        if back and not stands(LedgerEntry.objects.get(pk=back)):
            return [_("This adjustment was already taken back.")]
        if player.merged_into_id and not back:
            text = _("Number %(number)s was merged into %(kept)s: prepare it for that one.")
            return [text % {"number": player.number, "kept": player.merged_into.number}]
        return []

    def perform(self, proposal: Proposal, by) -> dict:
        wanted = Adjustment.from_json(proposal.data["wanted"])
        categories.lock([wanted.player_id])
        standings.lock_states()
        if found := self.obstacles(proposal):  # again: nobody else merges the number now
            raise ValidationError(found)
        if back := proposal.data.get("takes_back"):
            return {"entries": [posting.take_back_adjustment(back, proposal.reason, by)]}
        return {
            "entries": posting.post_adjustments([wanted], posting.proposal_key(proposal), proposal.reason, by)
        }

    def outcome(self, proposal: Proposal) -> list[str]:
        return [_("The player's page has the adjustment with its receipt.")]
