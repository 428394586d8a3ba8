"""The request for licences of a season, for several members at once."""

from collections.abc import Sequence
from datetime import date
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from players.access import names_for
from players.models import Club, Licence, Player, PlayerChange, Proposal
from players.proposals import Effect
from players.services.changes import send_players_changed
from players.services.register_journal import Source, licence_change, licence_values, of_proposal
from scoring.clubs.acts.base import ClubRequest, effect
from ui.clock import today
from ui.counting import counted
from ui.formatting import format_date, format_whole


def day_of(season: int, day: date) -> date:
    """Return the day on which a licence of the season is needed: `day`, or the first day of the season."""
    return max(day, date(season, 1, 1))


def without_licence(club: Club | int, season: int, day: date) -> QuerySet[Player]:
    """Return the club's members without a licence for the season, except the dead and erased ones.

    season: the year
    day: today
    """
    members = Player.objects.unmerged().filter(club=club, deceased_on=None, erased_on=None)
    return members.with_licence(day_of(season, day)).filter(licensed=False)


class Licences(ClubRequest):
    """Gives members a licence of the federation for a season, until 31 December.

    The licence begins on the day of the request, or on 1 January of a later season. An earlier beginning
    would make pools count that did not count when they were played.

    `data` has season (the year) and players (the members' ids). A member who got a licence or left the club
    in the meantime is left out.
    """

    kind = "club_licences"
    label = gettext_lazy("Licences for members")
    purpose = gettext_lazy(
        "The members you choose get the licence of this season, from the day of the request, or of the next."
    )
    slug = "licencias"

    def ask(self, club: Club, season: int, players: Sequence[int], by, reason: str) -> Proposal:
        """Ask the office for licences for members.

        Raises ValidationError if nobody is chosen, or if a request for exactly these members waits.
        """
        if not players:
            raise ValidationError(_("Tick the members who need a licence."))
        ids = sorted(players)
        digest = sha256(repr(ids).encode()).hexdigest()[:32]
        return self.send(
            club, by, {"season": season, "players": ids}, key=f"{club.pk}:{season}:{digest}", reason=reason
        )

    def asked_for(self, club: Club, season: int) -> set[int]:
        """Return the ids of the members with a pending request of the club for a licence of the season."""
        pending = club.proposals.filter(kind=self.kind, state=Proposal.State.PENDING)
        asked = (proposal.data for proposal in pending if proposal.data["season"] == season)
        return {pk for data in asked for pk in data["players"]}

    def title(self, proposal: Proposal) -> str:
        data = proposal.data
        text = _("Licences of %(season)s for %(club)s: %(players)s")
        players = counted(len(data["players"]), "player")
        return text % {"season": data["season"], "club": data["club_name"], "players": players}

    def effect(self, proposal: Proposal, viewer) -> Effect:
        season, players = proposal.data["season"], list(_lacking(proposal))
        first, last = _days(proposal)
        values = {
            "number": format_whole(len(players), get_language() or ""),
            "first": format_date(first, get_language() or ""),
            "last": format_date(last, get_language() or ""),
        }
        text = ngettext(
            "%(number)s member gets a licence from %(first)s to %(last)s:",
            "%(number)s members get a licence from %(first)s to %(last)s:",
            len(players),
        )
        sentences = [text % values]
        if left_out := len(proposal.data["players"]) - len(players):
            text = ngettext(
                "%(number)s member has a licence by now, or has left the club, and is left out.",
                "%(number)s members have a licence by now, or have left the club, and are left out.",
                left_out,
            )
            sentences.append(text % {"number": format_whole(left_out, get_language() or "")})
        names = names_for(viewer, (player.pk for player in players))
        people = [(names[player.pk], player.number) for player in players]
        content = (season, [player.pk for player in players])
        return effect(sentences, content, template="clubs/_people.html", context={"people": people})

    def obstacles(self, proposal: Proposal) -> list[str]:
        if proposal.data["season"] < today().year:
            return [_("That season is over.")]
        return [] if _lacking(proposal).exists() else [_("All these members have a licence by now.")]

    def perform(self, proposal: Proposal, by) -> dict:
        first, last = _days(proposal)
        players = sorted(_lacking(proposal), key=lambda player: player.pk)
        ids = [player.pk for player in players]
        licences = [Licence(player=player, valid_from=first, valid_to=last) for player in players]
        Licence.objects.bulk_create(
            licences,
            update_conflicts=True,
            unique_fields=["player", "issuer", "valid_from"],
            update_fields=["valid_to"],
        )
        more = {"source": Source.REQUEST, **of_proposal(proposal)}
        PlayerChange.objects.bulk_create(
            licence_change(licence.player, {}, licence_values(licence), by, **more) for licence in licences
        )
        send_players_changed(ids if first <= today() else (), first)
        return {"players": ids}

    def outcome(self, proposal: Proposal) -> list[str]:
        ids = proposal.result.get("players", [])
        text = ngettext(
            "%(number)s member got a licence of %(season)s.",
            "%(number)s members got a licence of %(season)s.",
            len(ids),
        )
        values = {
            "number": format_whole(len(ids), get_language() or ""),
            "season": proposal.data["season"],
        }
        return [text % values] if ids else []


def _days(proposal: Proposal) -> tuple[date, date]:
    """Return the first and the last day of the licences."""
    season = proposal.data["season"]
    return day_of(season, timezone.localdate(proposal.prepared_at)), date(season, 12, 31)


def _lacking(proposal: Proposal) -> QuerySet[Player]:
    """Return the members in the request who still lack a licence of the season, by name."""
    data = proposal.data
    return without_licence(data["club"], data["season"], today()).filter(pk__in=data["players"])
