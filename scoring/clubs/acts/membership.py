"""Requests about who is a member of a club: a transfer to the club, and leaving it."""

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.access import name_for, names_for
from players.models import Club, Player, Proposal
from players.proposals import Effect
from players.services.changes import send_players_changed
from players.services.register_journal import PLAYER_FIELDS, Source, note_player, of_proposal, values_of
from scoring.clubs.acts.base import ClubRequest, effect, locked_player, player_of


class _MembershipRequest(ClubRequest):
    """Base of the requests about one player's club. `data` also has player (id) and number."""

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        names = names_for(viewer, (proposal.data["player"] for proposal in proposals))
        return {proposal.pk: names[proposal.data["player"]] for proposal in proposals}


def _merged(player: Player) -> list[str]:
    return [_("That number was merged into another one.")] if player.merged_into_id else []


class Transfer(_MembershipRequest):
    """Makes a player of the register a member of the club. The administrators of the old club see it."""

    kind = "club_transfer"
    label = gettext_lazy("Transfer to a club")
    desk_label = gettext_lazy("Transfer to this club")
    purpose = gettext_lazy("A player of another club, or of none, becomes a member.")
    slug = "traslado"

    def ask(self, club: Club, player: Player, by, reason: str) -> Proposal:
        """Ask the office to make the player a member of the club.

        Raises ValidationError if the player is a member already, or if a transfer of the player waits.
        """
        if errors := self._errors(player, club.pk):
            raise ValidationError(errors)
        data = {"player": player.pk, "number": player.number, "from": player.club_id}
        others = [player.club] if player.club else []
        return self.send(club, by, data, key=str(player.pk), reason=reason, others=others)

    def title(self, proposal: Proposal) -> str:
        values = {"number": proposal.data["number"], "club": proposal.data["club_name"]}
        return _("Transfer of %(number)s to %(club)s") % values

    def effect(self, proposal: Proposal, viewer) -> Effect:
        player, club = player_of(proposal), proposal.data["club_name"]
        values = {"name": name_for(viewer, player), "number": player.number, "club": club}
        if player.club:
            text = _("%(name)s (%(number)s) goes from %(old)s to %(club)s.") % {
                **values,
                "old": player.club.name,
            }
        else:
            text = _("%(name)s (%(number)s), who has no club, becomes a member of %(club)s.") % values
        return effect([text], (player.pk, player.club_id))

    def obstacles(self, proposal: Proposal) -> list[str]:
        return self._errors(player_of(proposal), proposal.data["club"])

    def _errors(self, player: Player, club_id: int) -> list[str]:
        if player.club_id == club_id:
            return [_("%(number)s is a member of the club already.") % {"number": player.number}]
        return _merged(player)

    def perform(self, proposal: Proposal, by) -> dict:
        player = locked_player(proposal)
        before, result = values_of(player, PLAYER_FIELDS), {"from": player.club_id}
        player.club_id = proposal.data["club"]
        player.save(update_fields=["club"])
        note_player(player, before, by, source=Source.REQUEST, **of_proposal(proposal))
        send_players_changed(())
        return result


class Leave(_MembershipRequest):
    """Ends a player's membership of the club. The player stays in the register, without a club."""

    kind = "club_leave"
    label = gettext_lazy("Remove a member")
    purpose = gettext_lazy("A member leaves the club and keeps points and licence.")
    slug = "baja"

    def ask(self, club: Club, player: Player, by, reason: str) -> Proposal:
        """Ask the office to end the player's membership.

        Raises ValidationError if the player is no member, or if such a request waits.
        """
        if errors := self._errors(player, club.pk):
            raise ValidationError(errors)
        data = {"player": player.pk, "number": player.number}
        return self.send(club, by, data, key=str(player.pk), reason=reason)

    def title(self, proposal: Proposal) -> str:
        values = {"number": proposal.data["number"], "club": proposal.data["club_name"]}
        return _("%(number)s leaves %(club)s") % values

    def effect(self, proposal: Proposal, viewer) -> Effect:
        player = player_of(proposal)
        values = {
            "name": name_for(viewer, player),
            "number": player.number,
            "club": proposal.data["club_name"],
        }
        text = _("%(name)s (%(number)s) is no longer a member of %(club)s. Points and licence stay.")
        return effect([text % values], (player.pk, player.club_id))

    def obstacles(self, proposal: Proposal) -> list[str]:
        return self._errors(player_of(proposal), proposal.data["club"])

    def _errors(self, player: Player, club_id: int) -> list[str]:
        if player.club_id != club_id:
            return [_("%(number)s is not a member of the club.") % {"number": player.number}]
        return _merged(player)

    def perform(self, proposal: Proposal, by) -> dict:
        player = locked_player(proposal)
        before = values_of(player, PLAYER_FIELDS)
        player.club = None
        player.save(update_fields=["club"])
        note_player(player, before, by, source=Source.REQUEST, **of_proposal(proposal))
        send_players_changed(())
        return {}
