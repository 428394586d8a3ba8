"""The request of a player to link a Go rating to their number, which the office approves."""

from hashlib import sha256

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.access import roles_of
from players.models import Player, Proposal
from players.proposals import Effect, ProposedAct
from players.services.proposals import propose
from scoring.ratings.models import RatedPlayer
from scoring.ratings.services.people import change_data
from ui.text import fold

KIND = "go_link"


def request_link(player: Player, pin: str, by) -> Proposal:
    """Propose to link the Go player with this PIN to the player.

    The answer does not tell whether a hidden player has the PIN: one with another name gets the same error as
    an unknown PIN.

    Raises ValidationError if nobody with such a name has the PIN, or either of them is linked already.
    """
    rated = RatedPlayer.objects.filter(pin=pin).first()
    if rated is None or not _same_name(rated, player):
        text = _("No Go player of your name has PIN %(pin)s. Check it, or write to the office.")
        raise ValidationError(text % {"pin": pin}, code="unknown")
    if problem := _obstacle(rated, player):
        raise ValidationError(problem, code="linked")
    data = {"rated": rated.pk, "player": player.pk, "pin": pin, "number": player.number}
    return propose(KIND, by, data, key=str(rated.pk))


def _same_name(rated: RatedPlayer, player: Player) -> bool:
    """Return whether two words of the names are the same: files may lack a second surname."""
    words = set(rated.search_text.split())
    return len(words & set(fold(player.full_name).split())) >= min(2, len(words))


def _obstacle(rated: RatedPlayer, player: Player) -> str:
    if rated.player_id:
        return _("The Go rating with PIN %(pin)s is linked to a number already.") % {"pin": rated.pin}
    if RatedPlayer.objects.filter(player__in=Player.objects.numbers_of(player)).exists():
        return _("Number %(number)s has a Go rating already.") % {"number": player.number}
    return ""


class GoLinkAct(ProposedAct):
    """Links a Go player to a player of the register.

    `data` has rated and player (ids), pin and number.
    """

    kind = KIND
    label = gettext_lazy("Link of a Go rating")

    def title(self, proposal: Proposal) -> str:
        return _("Link the Go rating with PIN %(pin)s to number %(number)s") % proposal.data

    def may_prepare(self, user, proposal: Proposal) -> bool:
        player = Player.objects.get(pk=proposal.data["player"])
        return player.current.user_id == user.pk

    def may_decide(self, user, proposal: Proposal) -> bool:
        return roles_of(user).office

    def obstacles(self, proposal: Proposal) -> list[str]:
        problem = _obstacle(*_people(proposal))
        return [problem] if problem else []

    def effect(self, proposal: Proposal, viewer) -> Effect:
        rated, player = _people(proposal)
        text = _(
            "The rating of “%(written)s” (PIN %(pin)s, %(country)s) becomes the one of %(name)s, number "
            "%(number)s, who asks for it."
        )
        values = {
            "written": rated.name,
            "pin": rated.pin,
            "country": rated.country or "—",
            "name": player.desk_name,
            "number": player.number,
        }
        content = f"{rated.pk} {rated.name} {rated.player_id} {player.pk} {player.full_name}"
        return Effect([text % values], sha256(content.encode()).hexdigest())

    def perform(self, proposal: Proposal, by) -> dict:
        rated, player = _people(proposal)
        if problem := _obstacle(rated, player):
            raise ValidationError(problem)
        change_data(rated, {"player": player}, _("Asked for by the player"), by)
        return {"rated": rated.pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        return [_("The rating stands on the player's own page.")] if proposal.result else []


def _people(proposal: Proposal) -> tuple[RatedPlayer, Player]:
    player = Player.objects.select_related("merged_into").get(pk=proposal.data["player"])
    return RatedPlayer.objects.get(pk=proposal.data["rated"]), player.current
