"""Read what a person's sheet shows. The number of queries does not depend on the number of rows."""

from datetime import date
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse

from players.categories import categories_on
from players.models import AccountEvent, Licence, Player, PlayerChange, PlayerMerge, Role
from scoring.ledger.models import LedgerEntry

RESULTS = 8  # of the last results


def find_person(number: int) -> Player | None:
    """Return the player with this number, or the one who had it before the number was changed."""
    players = Player.objects.select_related("club__region", "user", "merged_into")
    player = players.filter(number=str(number)).first()
    if player:
        return player
    line = PlayerChange.objects.filter(number=str(number)).order_by("-pk").first()
    return line and players.filter(pk=line.player_id).first()


def history(player: Player) -> QuerySet[PlayerChange]:
    """Return the journal of a player and of the numbers merged into it, latest first."""
    ids = Player.objects.numbers_of(player).values("pk")
    return changes().filter(player__in=ids)


def changes() -> QuerySet[PlayerChange]:
    """Return the journal of all players, latest first, with the accounts that `ChangeTable` names."""
    return PlayerChange.objects.select_related("by", "proposal__prepared_by").order_by("-at", "-pk")


def sheet(player: Player, day: date) -> dict[str, Any]:
    """Return the template context of a person's sheet, without forms and history.

    day: today
    """
    merges = PlayerMerge.objects.filter(Q(kept=player) | Q(duplicate=player))
    return {
        "player": player,
        "category": categories_on(day, [player.pk]).get(player.pk),
        "licence_state": Licence.objects.states(day, [player.pk])[player.pk],
        "licences": list(player.licences.all()),
        "assignments": list(player.assignments.select_related("category", "created_by", "revoked_by")),
        "roles": roles_of_account(player.user) if player.user else [],
        "merges": list(merges.select_related("duplicate", "kept", "by")),
        "results": _results(player),
    }


def roles_of_account(account) -> list[dict[str, Any]]:
    """Return the roles of an account, each with the line of the journal that granted it. Two queries.

    Records have `role`, `words` and `granted` (the `AccountEvent`, or None).
    """
    grants = last_grants(AccountEvent.objects.filter(account=account))
    roles = Role.objects.filter(user=account).select_related("club", "region")
    return [{"role": role, "words": role.words, "granted": grants.get(grant_key(role))} for role in roles]


def last_grants(events: QuerySet[AccountEvent]) -> dict[tuple[int, str, str], AccountEvent]:
    """Return the last grant of each role among the events, by `grant_key`."""
    granted = events.filter(kind=AccountEvent.Kind.ROLE_GIVEN).select_related("by", "proposal__prepared_by")
    return {
        (event.account_id, event.detail.get("role", ""), event.detail.get("scope", "")): event
        for event in granted.order_by("at", "pk")
    }


def grant_key(role: Role) -> tuple[int, str, str]:
    """Return what identifies the grant of a role in the journal: account, kind, club or region."""
    return role.user_id, role.kind, str(role.club or role.region or "")


def _results(player: Player) -> list[dict[str, Any]]:
    """Return the last tournaments of which the player has points, latest first."""
    entries = LedgerEntry.objects.filter(
        player=player, kind=LedgerEntry.Kind.AWARD, tournament__isnull=False, reversed_by=None
    )
    latest = entries.select_related("tournament__club", "contestant").order_by("-played_on", "-pk")
    return [
        {
            "day": entry.played_on,
            "name": entry.tournament.name,
            "url": entry.tournament.get_absolute_url(),
            "club": entry.tournament.club.name,
            "place": entry.contestant and entry.contestant.place,
            "points": entry.points,
            "receipt": reverse("award", args=[player.number, entry.pk]),
        }
        for entry in latest[:RESULTS]
    ]
