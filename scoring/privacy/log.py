"""The log of what a person decided about their data, in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from players.models import Consent, Player
from scoring.letters.models import Delivery
from scoring.letters.registry import KINDS

MOST = 50  # lines on the page; the copy of the data has all


@dataclass(frozen=True, slots=True)
class Decision:
    """A line of the log. `by` says who decided, in words."""

    text: str
    at: datetime
    by: str


def decisions_of(player: Player, viewer: Any) -> list[Decision]:
    """Return the latest lines of a player's log, the latest first. One query."""
    rows = player.consents.order_by("-pk")[:MOST]
    return [Decision(_text(row), row.at, _who(row, viewer)) for row in rows]


def _text(row: Consent) -> str:
    text = row.get_kind_display()
    code, _blank, delivery = row.detail.partition(" ")
    if row.kind == Consent.Kind.MAIL and code in KINDS:
        values = {"what": text, "kind": KINDS[code].label, "delivery": Delivery(delivery).label}
        return _("%(what)s: %(kind)s (%(delivery)s)") % values
    return text


def _who(row: Consent, viewer: Any) -> str:
    if row.by_id is None:
        return _("by rule")
    return _("by you") if row.by_id == viewer.pk else _("by the office")


def note_mail(sender: Any, account: Any, changed: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
    """Record which notices an account wants by e-mail. Receiver of `choices_changed`."""
    if player := Player.objects.filter(user=account).first():
        Consent.objects.bulk_create(
            Consent(player=player, kind=Consent.Kind.MAIL, detail=f"{code} {after}", by=account)
            for code, (_before, after) in changed.items()
        )
