"""What all requests of a club to the office have in common."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.functional import Promise

from players.access import Kind, roles_of
from players.models import Club, Player, Proposal
from players.proposals import Effect, ProposedAct
from players.services.proposals import propose


class ClubRequest(ProposedAct):
    """A request that a club sends to the office.

    The club's administrators, those of its region and the office send it; another person of the office
    decides. `data` has club and region (ids of the club and its region), club_name, clubs (ids of all clubs
    whose administrators see the request) and other_regions (ids of the regions of the other clubs). The
    administrators of all these regions see it too.

    slug: part of the address of the page that sends the request
    purpose: what an approval does, in a sentence
    desk_label: the label on the pages of the club's desk; "" if it is `label`
    """

    slug: str
    purpose: str | Promise
    desk_label: str | Promise = ""

    @transaction.atomic
    def send(
        self,
        club: Club,
        by,
        data: Mapping[str, Any],
        *,
        key: str,
        reason: str = "",
        evidence: str = "",
        others: Iterable[Club] = (),
    ) -> Proposal:
        """Store the request, and return it. Raises ValidationError like `propose`.

        data, key: those of the subclass
        others: other clubs whose administrators see the request
        """
        clubs = [club, *others]
        common = {
            "club": club.pk,
            "region": club.region_id,
            "club_name": club.name,
            "clubs": [item.pk for item in clubs],
            "other_regions": [item.region_id for item in others],
        }
        proposal = propose(self.kind, by, {**common, **data}, key=key, reason=reason, evidence=evidence)
        proposal.clubs.set(clubs)
        return proposal

    def may_see(self, user, proposal: Proposal) -> bool:
        roles, data = roles_of(user), proposal.data
        own = roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
        regions = {data["region"], *data.get("other_regions", ())}
        manages = not (own.isdisjoint(data["clubs"]) and roles.regions.isdisjoint(regions))
        return manages or super().may_see(user, proposal)

    def may_prepare(self, user, proposal: Proposal) -> bool:
        roles, data = roles_of(user), proposal.data
        own = roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
        return roles.office or data["club"] in own or data["region"] in roles.regions

    def may_decide(self, user, proposal: Proposal) -> bool:
        return roles_of(user).office


def effect(sentences: Iterable[str], content: object, **more: Any) -> Effect:
    """Return an effect with these sentences.

    content: what the approval would change; its `repr` gives the digest, so it must not depend on the
        language or the reader
    """
    return Effect(list(sentences), sha256(repr(content).encode()).hexdigest(), **more)


def player_of(proposal: Proposal) -> Player:
    """Return the player that the request is about, as stored now."""
    return Player.objects.select_related("club").get(pk=proposal.data["player"])


def locked_player(proposal: Proposal) -> Player:
    """Lock the player that the request is about, and return it."""
    return Player.objects.select_for_update().get(pk=proposal.data["player"])
