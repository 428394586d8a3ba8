"""Requests about persons: a new player, and another name."""

from collections.abc import Mapping, Sequence

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.access import Kind, names_for, roles_of
from players.models import Club, NamePair, Player, Proposal
from players.models.names import matching
from players.proposals import Effect
from players.services.changes import send_players_changed
from players.services.persons import next_number
from players.services.register_journal import PLAYER_FIELDS, Source, note_player, of_proposal, values_of
from scoring.clubs.acts.base import ClubRequest, effect, locked_player, player_of
from ui.text import fold

MOST_ALIKE = 10


class NewPlayer(ClubRequest):
    """Adds a person to the register, as a member of the club. `data` has given_name, surname and email."""

    kind = "club_new_player"
    label = gettext_lazy("New player")
    purpose = gettext_lazy("A person without a federation number gets one and becomes a member.")
    slug = "alta"

    def ask(self, club: Club, person: Mapping[str, str], by, reason: str) -> Proposal:
        """Ask the office to give a person a number.

        Raises ValidationError if the club asked it already for a person of this name.

        person: given_name, surname and email, which may be ""
        """
        key = f"{club.pk}:{fold(person['given_name'])} {fold(person['surname'])}"
        return self.send(club, by, dict(person), key=key[:100], reason=reason)

    def title(self, proposal: Proposal) -> str:
        return _("New player: %(name)s") % {"name": _name(proposal)}

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        return {proposal.pk: proposal.data["club_name"] for proposal in proposals}

    def effect(self, proposal: Proposal, viewer) -> Effect:
        number = next_number()
        values = {"name": _name(proposal), "number": number, "club": proposal.data["club_name"]}
        sentences = [_("%(name)s gets the number %(number)s and becomes a member of %(club)s.") % values]
        sees_email = roles_of(viewer).office or viewer == proposal.prepared_by
        if sees_email and (email := proposal.data["email"]):
            sentences.append(_("E-mail address: %(address)s") % {"address": email})
        cautions = _alike(proposal) if roles_of(viewer).reads_everything else []
        return effect(sentences, number, cautions=cautions)

    def perform(self, proposal: Proposal, by) -> dict:
        data = proposal.data
        player = Player(
            number=next_number(),
            given_name=data["given_name"],
            surname=data["surname"],
            club_id=data["club"],
            email=data["email"],
        )
        try:
            with transaction.atomic():
                player.save(force_insert=True)
        except IntegrityError:
            raise ValidationError(
                _("What this would do has changed in the meantime: look at it again."), code="changed"
            ) from None
        note_player(player, {}, by, source=Source.REQUEST, **of_proposal(proposal))
        send_players_changed(())
        return {"player": player.pk, "number": player.number}

    def outcome(self, proposal: Proposal) -> list[str]:
        if "number" not in proposal.result:
            return []
        values = {"name": _name(proposal), "number": proposal.result["number"]}
        return [_("%(name)s has the number %(number)s.") % values]


def _name(proposal: Proposal) -> str:
    return f"{proposal.data['given_name']} {proposal.data['surname']}"


def _alike(proposal: Proposal) -> list[str]:
    """Return a caution for each registered player whose name has all words of the requested name."""
    alike = Player.objects.unmerged().filter(matching(_name(proposal), NamePair)).select_related("club")
    text = _("The register has %(name)s (%(number)s) of %(club)s: is this the same person?")
    return [
        text % {"name": player.desk_name, "number": player.number, "club": player.club or "—"}
        for player in alike[:MOST_ALIKE]
    ]


class Rename(ClubRequest):
    """Changes the name of a member. `data` has player (id), number, given_name and surname."""

    kind = "club_rename"
    label = gettext_lazy("Change of name")
    purpose = gettext_lazy("The name of a member is corrected, also in past tournaments.")
    slug = "nombre"

    def ask(self, club: Club, player: Player, name: Mapping[str, str], by, reason: str) -> Proposal:
        """Ask the office to change the name of a member.

        Raises ValidationError if nothing would change, or if such a request waits.

        name: given_name and surname
        """
        if (player.given_name, player.surname) == (name["given_name"], name["surname"]):
            raise ValidationError(_("That is the name already."))
        data = {"player": player.pk, "number": player.number, **name}
        return self.send(club, by, data, key=str(player.pk), reason=reason)

    def title(self, proposal: Proposal) -> str:
        return _("Another name for %(number)s") % {"number": proposal.data["number"]}

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        names = names_for(viewer, (proposal.data["player"] for proposal in proposals))
        return {proposal.pk: names[proposal.data["player"]] for proposal in proposals}

    def effect(self, proposal: Proposal, viewer) -> Effect:
        player, data = player_of(proposal), proposal.data
        own = roles_of(viewer).clubs.get(Kind.CLUB_ADMIN, frozenset())
        sees = not player.hidden or roles_of(viewer).reads_everything or data["club"] in own
        if sees:
            text = _("%(old)s (%(number)s) is called %(new)s from now on, also in past tournaments.")
        else:
            text = _("%(number)s, whose name is hidden, gets another name.")
        values = {"old": player.full_name, "number": player.number, "new": _name(proposal)}
        content = (player.pk, player.given_name, player.surname, data["given_name"], data["surname"])
        return effect([text % values], content)

    def obstacles(self, proposal: Proposal) -> list[str]:
        player = player_of(proposal)
        if player.club_id != proposal.data["club"]:
            return [_("%(number)s is not a member of the club.") % {"number": player.number}]
        return [_("That number was merged into another one.")] if player.merged_into_id else []

    def perform(self, proposal: Proposal, by) -> dict:
        player = locked_player(proposal)
        before = values_of(player, PLAYER_FIELDS)
        result = {"given_name": player.given_name, "surname": player.surname}
        player.given_name, player.surname = proposal.data["given_name"], proposal.data["surname"]
        player.save()
        note_player(player, before, by, source=Source.REQUEST, **of_proposal(proposal))
        send_players_changed(())
        return result
