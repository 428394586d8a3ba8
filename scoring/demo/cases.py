"""Cases of the demo's player: one waits for the club, one for the office, and one is answered."""

from datetime import date, timedelta

from players.models import Player
from scoring.cases.models import Case
from scoring.cases.services import open_case, perform
from scoring.cases.states import Act
from scoring.demo.announced import MISSING
from tournaments.models import Tournament

Kind = Case.Kind


def make(player: Player, until: date, director) -> int:
    """Open the cases, and answer one of them. Return the number of cases.

    until: the last day of the simulated tournaments
    director: the account that answers for the player's club
    """
    account, club = player.user, player.club
    day = until - timedelta(days=MISSING)
    open_case(
        player,
        account,
        Kind.MISSING,
        "Jugué la pool benéfica y no aparece.",
        club=club,
        day=day,
        limited=False,
    )
    open_case(player, account, Kind.PERSONAL, "Me falta el segundo apellido.", limited=False)
    played = Tournament.objects.filter(club=club, published__seats__player=player, family="aeb")
    tournament = played.order_by("-end_date", "-pk").first()
    if tournament is None:
        return 2
    text = "Creo que quedamos un puesto más arriba: ¿lo podéis mirar?"
    case = open_case(player, account, Kind.PLACE, text, tournament=tournament, limited=False)
    answer = "Lo hemos mirado con el acta de la mesa: el puesto es el que sale."
    perform(case.pk, Act.ANSWER, director, answer)
    return 3
