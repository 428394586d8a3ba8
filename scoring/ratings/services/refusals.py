"""Convert an error of the rating engine into an issue of the upload.

The engine's error names a field of its input, such as `games[3].handicap`. The issue names the player or game
and the value in the file, so that the user can correct the file.
"""

import re
from datetime import date

from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.ratings import history
from scoring.regulations.egf.types import MOST_STONES
from tournaments.formats.go_types import GoGame, GoPlayer, GoResult
from tournaments.formats.issues import issue
from tournaments.formats.types import Issue

_FIELD = re.compile(r"(players|games)\[(\d+)\](?:\.(\w+))?")


def issue_of(error: EngineError, result: GoResult, day: date) -> Issue:
    """Return the issue for an error raised when rating `result` on `day`."""
    if match := _FIELD.match(error.field):
        place, index, name = match[1], int(match[2]), match[3] or ""
        if place == "players":
            return _of_player(error.code, name, result.players[index], day)
        # The engine gets only the rated games, and its index counts these.
        rated = [game for game in result.games if not game.reason]
        return _of_game(error.code, name, rated[index], result.players)
    if error.code == "no_regulation":
        return issue("go_no_system", field="end_date", day=day.isoformat())
    return issue("go_unrated")


def _of_player(code: str, field: str, row: GoPlayer, day: date) -> Issue:
    if (code, field) == ("out_of_range", "rating"):
        system = regulations.in_force(history.FAMILY, day)
        limits = {"lowest": str(system.lowest), "highest": str(system.highest)}
        return issue("go_bad_rating", row.line, field, row.rating, name=row.name, **limits)
    if (code, field) == ("unknown_grade", "declared"):
        return issue("go_bad_grade", row.line, "grade", row.grade, name=row.name)
    return issue("go_unrated_player", row.line, name=row.name)


def _of_game(code: str, field: str, game: GoGame, players: tuple[GoPlayer, ...]) -> Issue:
    names = {"first": players[game.first - 1].name, "second": players[game.second - 1].name}
    where = {**names, "round": game.round}
    if code == "duplicate_game":
        return issue("go_two_games", game.line, **where)
    if (code, field) == ("out_of_range", "handicap"):
        return issue("go_bad_handicap", game.line, value=game.handicap, most=MOST_STONES, **where)
    return issue("go_unrated_game", game.line, **where)
