"""Write the journal of the register: who changed which entry of a player, a club or a region, and why."""

from collections.abc import Iterable
from typing import Any

from players.models import Club, Licence, OrganisationChange, Player, PlayerChange, Proposal, Region

Kind, Source = PlayerChange.Kind, PlayerChange.Source
PLAYER_FIELDS = (
    "number",
    "given_name",
    "surname",
    "club",
    "email",
    "birth_year",
    "hidden",
    "deceased_on",
)
LICENCE_FIELDS = ("valid_from", "valid_to", "issuer", "equivalent")


def values_of(row: Any, fields: Iterable[str]) -> dict[str, Any]:
    """Return {field: value} of a row as the journal stores them: days and related rows as text."""
    return {name: _plain(getattr(row, name)) for name in fields}


def _plain(value: Any) -> Any:
    if isinstance(value, (Club, Region)):
        return f"{value.name} ({value.code})"
    return value.isoformat() if hasattr(value, "isoformat") else value


def differences(before: dict[str, Any], after: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values of the fields that differ, before and after."""
    names = [name for name in after if before.get(name) != after[name]]
    return {name: before.get(name) for name in names}, {name: after[name] for name in names}


def player_change(
    player: Player, kind: Kind, before: dict[str, Any], after: dict[str, Any], by, **more: Any
) -> PlayerChange:
    """Return an unsaved line of the journal.

    more: reason, source, reference or proposal
    """
    return PlayerChange(
        player_id=player.pk, number=player.number, kind=kind, before=before, after=after, by=by, **more
    )


def note_player(player: Player, before: dict[str, Any], by, **more: Any) -> PlayerChange | None:
    """Record what differs between a player's entry and `before`. Return None if nothing does.

    before: the entry before the change, as `values_of` returns it; {} for a new player
    more: as for `player_change`
    """
    old, new = differences(before, values_of(player, PLAYER_FIELDS))
    if not before:
        new = {name: value for name, value in new.items() if value not in (None, "", False)}
        old = {}
    if not new:
        return None
    line = player_change(player, Kind.CHANGED if before else Kind.ADDED, old, new, by, **more)
    line.number = before.get("number", player.number)  # a changed number still leads to the person
    line.save(force_insert=True)
    return line


def licence_change(
    player: Player, before: dict[str, Any], after: dict[str, Any], by, **more: Any
) -> PlayerChange:
    """Return an unsaved line about a licence of a player.

    before, after: the licence's values, as `values_of` returns them; {} if there was or is none
    more: as for `player_change`
    """
    return player_change(player, Kind.LICENCE, before, after, by, **more)


def licence_values(licence: Licence) -> dict[str, Any]:
    """Return the values of a licence as the journal stores them."""
    return values_of(licence, LICENCE_FIELDS)


def note_organisation(row: Club | Region, before: dict[str, Any], fields: Iterable[str], by, reason: str):
    """Record what differs between a club or region and `before`. Return None if nothing does."""
    old, new = differences(before, values_of(row, fields))
    if not new:
        return None
    of = {"club": row} if isinstance(row, Club) else {"region": row}
    return OrganisationChange.objects.create(
        **of, before=old if before else {}, after=new, by=by, reason=reason
    )


def erase(player: Player) -> int:
    """Empty the content of all lines about a player, whose personal data are erased. Return their number."""
    return PlayerChange.objects.filter(player=player).update(before={}, after={}, reason="")


def of_proposal(proposal: Proposal) -> dict[str, Any]:
    """Return the arguments of `player_change` for what a second person approved."""
    return {"proposal": proposal, "reason": proposal.reason}
