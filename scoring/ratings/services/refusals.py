"""Explain in the reader's language why the rating system refuses a tournament.

The engine's error has a field and a code in English. The explanation names the player or game and the value
in the file, so that the uploader can correct it.
"""

import re
from datetime import date

from django.utils.translation import get_language, gettext

from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.ratings import history
from scoring.regulations.egf.types import MOST_STONES
from tournaments.formats.go_types import GoGame, GoPlayer, GoResult
from ui.formatting import format_date

_FIELD = re.compile(r"(players|games)\[(\d+)\](?:\.(\w+))?")


def describe(error: EngineError, result: GoResult, day: date) -> str:
    """Return a sentence that explains why rating `result` on `day` was refused."""
    if match := _FIELD.match(error.field):
        place, index, name = match[1], int(match[2]), match[3] or ""
        if place == "players":
            return _about_player(error.code, name, result.players[index], day)
        # The engine only gets the rated games, so its positions count only these.
        rated = [game for game in result.games if not game.reason]
        return _about_game(error.code, name, rated[index], result.players)
    if error.code == "no_regulation":
        text = gettext("No rating system was in force on %(day)s: correct the date.")
        return text % {"day": format_date(day, get_language())}
    return gettext(
        "The rating system cannot rate this tournament: check its class, its players and its games."
    )


def _about_player(code: str, field: str, row: GoPlayer, day: date) -> str:
    if (code, field) == ("out_of_range", "rating"):
        system = regulations.in_force(history.FAMILY, day)
        text = gettext(
            "“%(name)s” has the rating %(value)s, and the rating system takes those from %(lowest)s to below "
            "%(highest)s: correct it in the file."
        )
        limits = {"lowest": system.lowest, "highest": system.highest}
        return text % {"name": row.name, "value": row.rating, **limits}
    if (code, field) == ("unknown_grade", "declared"):
        text = gettext(
            "“%(name)s” has the grade “%(value)s”, which is none from 30k to 9d: correct it in the file."
        )
        return text % {"name": row.name, "value": row.grade}
    text = gettext("The rating system cannot rate “%(name)s”: check the grade and the rating in the file.")
    return text % {"name": row.name}


def _about_game(code: str, field: str, game: GoGame, players: tuple[GoPlayer, ...]) -> str:
    names = {"first": players[game.first - 1].name, "second": players[game.second - 1].name}
    if code == "duplicate_game":
        text = gettext(
            "“%(first)s” and “%(second)s” have two games in round %(round)s: remove one from the file."
        )
    elif (code, field) == ("out_of_range", "handicap"):
        text = gettext(
            "The game of “%(first)s” and “%(second)s” in round %(round)s has %(value)s handicap stones, and "
            "the rating system takes at most %(most)s: correct it in the file."
        )
    else:
        text = gettext(
            "The rating system cannot rate the game of “%(first)s” and “%(second)s” in round %(round)s: "
            "check it in the file."
        )
    return text % {**names, "round": game.round, "value": game.handicap, "most": MOST_STONES}
