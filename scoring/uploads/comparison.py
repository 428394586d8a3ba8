"""Compare an upload with a confirmed tournament line by line."""

from typing import Any

from django.utils.translation import get_language, gettext

from players.access import name_for
from players.models import Player
from tournaments.drafts import Row, rows_of
from tournaments.models import Contestant, Tournament
from tournaments.services.drafts import Draft
from tournaments.services.repeats import nearest_ranking
from ui.formatting import decimals_in, format_fixed, format_percent


def comparison_rows(draft: Draft, tournament: Tournament, user) -> list[dict[str, Any]]:
    """Return the records of `ComparisonTable`: the upload's contestants, then those only in the tournament.

    While a correction is not in force, the tournament has two rankings: use the one more like the upload's.
    """
    nearest, _likeness = nearest_ranking(tournament, draft.rows, draft.players)
    tournament_rows = rows_of(nearest) if nearest else []
    seats = [(seat.player_id, row) for row in tournament_rows for seat in row.seats if seat.player_id]
    ids = {player for player, _row in seats}
    players = {**Player.objects.select_related("merged_into").in_bulk(ids), **draft.players}
    by_player = {players[player].merged_into_id or player: row for player, row in seats}
    pairs, matched = [], set()
    for row in draft.rows:
        match = next((by_player[seat.player_id] for seat in row.seats if seat.player_id in by_player), None)
        if match:
            matched.add(match.position)
        pairs.append((row, match))
    pairs += [(None, row) for row in tournament_rows if row.position not in matched]
    return [_record(here, there, players, user) for here, there in pairs]


def _record(here: Row | None, there: Row | None, players: dict[int, Player], user) -> dict[str, Any]:
    people_here, people_there = _people(here, players, user), _people(there, players, user)
    result = _result(there)
    if here and there and people_here != people_there:
        result = f"{result} ({people_there})"
    return {"people": people_here or people_there, "here": _result(here), "there": result}


def _people(row: Row | None, players: dict[int, Player], user) -> str:
    if row is None:
        return ""
    return ", ".join(
        name_for(user, players[seat.player_id].current)
        if seat.player_id
        else seat.guest_name or gettext("Unknown guest")
        for seat in row.seats
    )


def _result(row: Row | None) -> str:
    """Return the place and result of a row, such as "2 · 66,50 %"; "" if there is no row."""
    if row is None:
        return ""
    parts = [str(row.place)]
    if row.field:
        parts.insert(0, str(Contestant.Field(row.field).label))
    if row.percentage is not None:
        parts.append(format_percent(row.percentage, get_language()))
    elif row.score is not None:
        parts.append(format_fixed(row.score, get_language(), decimals_in([row.score])))
    return " · ".join(parts)
