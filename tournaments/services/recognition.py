"""Recognise people of a ranking by their names, where a name leaves no doubt."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from players.models import Player
from tournaments.formats.licence import normalise
from tournaments.formats.types import Entry

from . import memory
from .people import Choice, Seat, seats_of
from .suggestions import Suggestion, exact_members, suggest


def recognise(
    entries: Sequence[Entry], decided: Collection[Seat], by_number: Mapping[str, Player], club_id: int
) -> dict[Seat, Suggestion]:
    """Return {seat: suggestion} of the people without a number who are recognised by their names.

    `clear` of the suggestion is the recognised player. A name is recognised if it is the exact name of one
    member of the club or if the club remembers its player, these two do not contradict each other, the player
    has no other seat, and nobody else in the ranking has a name of the player. No query if everybody has a
    number; otherwise at most three.

    decided: seats about which the director decided; a guest, or somebody whose number the director removed,
        is not recognised
    by_number: {normalised number: player} of the numbers in the ranking
    """
    seats = [
        (seat, person.name, person.number)
        for seat, person, _line in seats_of(entries)
        if person.name and seat not in decided and normalise(person.number or "") not in by_number
    ]
    if not any(not number for _seat, _name, number in seats):
        return {}
    known = _certain({name for _seat, name, _number in seats}, club_id, {p.pk for p in by_number.values()})
    counts = Counter(known[name].clear for _seat, name, _number in seats if name in known)
    return {
        seat: known[name]
        for seat, name, number in seats
        if not number and name in known and counts[known[name].clear] == 1
    }


def remembered_guests(
    entries: Sequence[Entry], decided: Collection[Seat], club_id: int
) -> dict[Seat, Choice]:
    """Return {seat: decision} of the people without a number whom the club remembers as guests.

    People who may be players are left out: if their name is like that of a member of the club, or if it is
    clearly that of another player. So are people with the same name. One query if the club remembers none of
    the names as a guest's.

    decided: seats about which the director decided
    """
    counts = Counter(person.name for _seat, person, _line in seats_of(entries))
    names = {
        seat: person.name
        for seat, person, _line in seats_of(entries)
        if person.name and not person.number and seat not in decided and counts[person.name] == 1
    }
    countries = memory.recall_guests(set(names.values()), club_id) if names else {}
    alike = suggest(sorted(countries), club_id) if countries else {}
    return {
        seat: Choice(None, guest=True, country=countries[name], remembered=True)
        for seat, name in names.items()
        if name in countries and not _may_be_player(alike.get(name, Suggestion()), club_id)
    }


def _may_be_player(suggestion: Suggestion, club_id: int) -> bool:
    return bool(suggestion.clear) or any(player.club_id == club_id for player in suggestion.players)


def _certain(names: Collection[str], club_id: int, taken: Collection[int]) -> dict[str, Suggestion]:
    """Return {written name: suggestion} for the names that leave no doubt about their player.

    taken: ids of the players who already have a seat
    """
    known = with_memory(exact_members(names, club_id, taken), names, club_id, taken)
    return {name: suggestion for name, suggestion in known.items() if suggestion.certain}


def with_memory(
    suggestions: Mapping[str, Suggestion], names: Collection[str], club_id: int, taken: Collection[int]
) -> dict[str, Suggestion]:
    """Return {written name: suggestion} with the players that the club remembers for these names. One query.

    taken: ids of the players who already have a seat, who are not suggested
    """
    remembered = {
        name: suggestions.get(name, Suggestion()).with_memory(player)
        for name, player in memory.recall(names, club_id).items()
        if player.pk not in taken
    }
    return {**suggestions, **remembered}
