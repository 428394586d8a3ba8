"""Go tournaments as files: a result table of the European Go Database, and OpenGotha."""

from xml.sax.saxutils import quoteattr

from scoring.ratings.services.register import Event
from tournaments.formats.go_types import FORFEIT, GoGame, GoPlayer


def table(event: Event) -> str:
    """Return a tournament as a result table of the European Go Database."""
    rounds = max(game.round for game in event.result.games)
    heads = [
        f"; CL[{event.tournament_class}]",
        f"; EV[{event.name}]",
        f"; DT[{event.start.isoformat()},{event.end.isoformat()}]",
        "; HA[h9]",
        ";",
    ]
    cells: dict[tuple[int, int], str] = {}
    for game in event.result.games:
        mark = "!" if game.reason == FORFEIT else ""
        stones = game.handicap or ""
        won, lost = ("+", "-") if game.score == "1" else ("-", "+")
        cells[game.first, game.round] = f"{game.second}{won}{mark}/w{stones}"
        cells[game.second, game.round] = f"{game.first}{lost}{mark}/b{stones}"
    rows = [
        f"{k} {player.name} {player.grade} {player.country} xxxx "
        + " ".join(cells.get((k, number), "0=") for number in range(1, rounds + 1))
        + f" |{player.pin}"
        for k, player in enumerate(event.result.players, start=1)
    ]
    return "\n".join([*heads, *rows, ""])


def opengotha(event: Event) -> str:
    """Return a tournament as an OpenGotha file.

    The file's games refer to a player by surname and first name, joined into one word.
    """
    players = event.result.players
    player_elements = "\n".join(_player(player) for player in players)
    game_elements = "\n".join(_game(game, number, players) for number, game in enumerate(event.result.games))
    general = {
        "name": event.name,
        "shortName": "demo",
        "beginDate": event.start.isoformat(),
        "endDate": event.end.isoformat(),
        "size": "19",
        "numberOfRounds": max(game.round for game in event.result.games),
    }
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<Tournament dataVersion="201">
<Players>
{player_elements}
</Players>
<Games>
{game_elements}
</Games>
<TournamentParameterSet>
{_element("GeneralParameterSet", general)}
</TournamentParameterSet>
</Tournament>
"""


def _element(tag: str, values: dict[str, object]) -> str:
    return f"<{tag} {' '.join(f'{name}={quoteattr(str(value))}' for name, value in values.items())}/>"


def _names(player: GoPlayer) -> tuple[str, str]:
    """Split a name into surnames and first name, which is its last word."""
    surname, _space, first = player.name.rpartition(" ")
    return surname, first


def _player(player: GoPlayer) -> str:
    surname, first = _names(player)
    grade = player.grade.upper()
    return _element(
        "Player",
        {
            "name": surname,
            "firstName": first,
            "country": player.country,
            "egfPin": player.pin,
            "grade": grade,
            "rank": grade,
            "ratingOrigin": "INI",
            "registeringStatus": "FIN",
        },
    )


def _key(player: GoPlayer) -> str:
    return "".join(_names(player)).replace(" ", "").upper()


def _game(game: GoGame, number: int, players: tuple[GoPlayer, ...]) -> str:
    result = "RESULT_WHITEWINS" if game.score == "1" else "RESULT_BLACKWINS"
    return _element(
        "Game",
        {
            "roundNumber": game.round,
            "tableNumber": number % (len(players) // 2) + 1,
            "whitePlayer": _key(players[game.first - 1]),
            "blackPlayer": _key(players[game.second - 1]),
            "knownColor": "true",
            "handicap": game.handicap,
            "result": f"{result}_BYDEF" if game.reason == FORFEIT else result,
        },
    )
