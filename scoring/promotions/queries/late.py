"""Compare two frozen versions of the lists, or the last version with what a new freeze would store."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from scoring.ledger.models import LedgerEntry
from scoring.promotions.models import CampaignSnapshot, PromotionRuleSet
from scoring.promotions.pure.documents import ListDocument, place_of, place_values
from scoring.promotions.pure.selection import Place
from scoring.promotions.queries.campaigns import documents_of, rule_target
from scoring.promotions.queries.candidates import gather_by
from scoring.promotions.queries.plans import CHUNK
from ui.chunks import chunks

# How long before the freeze an entry may be dated and still be missing from the frozen lists, because its
# transaction was open during the freeze.
UNDERWAY = timedelta(minutes=2)


class _Entry(NamedTuple):
    """The fields of a ledger entry that are needed to name the tournament behind a difference."""

    tournament_id: int | None
    title: str
    played_on: date
    points: int
    posted_at: datetime


@dataclass(frozen=True, slots=True)
class PlayerDifference:
    """A player whose row differs between two versions of the lists.

    before_category, after_category: code of the category whose list contains the player
    before, after: the player's place in that list
    before_target, after_target: code of the category that the rules move the player to, None if the player
        stays

    All fields of a version are None if its lists do not contain the player.
    """

    player_id: int
    before_category: str | None
    after_category: str | None
    before: Place | None
    after: Place | None
    before_target: str | None
    after_target: str | None

    @property
    def moves_differently(self) -> bool:
        """Whether the two versions move the player to different categories, or only one moves the player."""
        return self.before_target != self.after_target


@dataclass(frozen=True, slots=True)
class Cause:
    """A tournament of the year with points posted or reversed after the freeze.

    tournament_id: None for an opening, which has only a title
    posted_at: time of the last such posting or reversal
    player_ids: the players whose points were posted or reversed
    """

    tournament_id: int | None
    title: str
    played_on: date
    posted_at: datetime
    player_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class LateResults:
    """The changes that a new freeze would bring, and the tournaments that cause them, latest posting first.

    Differences without a tournament come from changes of categories, licences or rules after the freeze.
    """

    differences: list[PlayerDifference]
    causes: list[Cause]

    def as_json(self) -> dict[str, Any]:
        """Return the changes as plain JSON values, from which `late_results_of` makes them again."""
        return {
            "differences": [
                [
                    item.player_id,
                    item.before_category,
                    item.after_category,
                    item.before and place_values(item.before),
                    item.after and place_values(item.after),
                    item.before_target,
                    item.after_target,
                ]
                for item in self.differences
            ],
            "causes": [
                [
                    cause.tournament_id,
                    cause.title,
                    cause.played_on.isoformat(),
                    cause.posted_at.isoformat(),
                    sorted(cause.player_ids),
                ]
                for cause in self.causes
            ],
        }


def late_results_of(value: dict[str, Any]) -> LateResults:
    """Return the late results that `LateResults.as_json` wrote."""
    differences = [
        PlayerDifference(player, *codes, before and place_of(before), after and place_of(after), was, becomes)
        for player, *codes, before, after, was, becomes in value["differences"]
    ]
    causes = [
        Cause(
            tournament,
            title,
            date.fromisoformat(played_on),
            datetime.fromisoformat(posted_at),
            frozenset(players),
        )
        for tournament, title, played_on, posted_at, players in value["causes"]
    ]
    return LateResults(differences, causes)


def differences(old: CampaignSnapshot, new: CampaignSnapshot) -> list[PlayerDifference]:
    """Return the players whose rows differ between two frozen versions of the lists.

    Players whom the two versions move to different categories come first.
    """
    return compare(documents_of(old), documents_of(new))


def late_results(snapshot: CampaignSnapshot, rule_set: PromotionRuleSet) -> LateResults:
    """Return what freezing now, by a rule set, would change in frozen lists.

    All lists are made again, which takes long in a large federation: pages show what a worker computed.
    """
    (lists,) = gather_by(snapshot.campaign.last_day, rule_set)
    new = {item.category.code: item.document for item in lists}
    changes = compare(documents_of(snapshot), new)
    return LateResults(changes, _causes(snapshot, changes))


def compare(old: Mapping[str, ListDocument], new: Mapping[str, ListDocument]) -> list[PlayerDifference]:
    """Return the players whose rows differ between two versions of the lists.

    Differences of rank and margin, which depend on other players, do not count.

    old, new: the lists by category code
    """
    before, after = _by_player(old.values()), _by_player(new.values())
    changes = []
    for player in before.keys() | after.keys():
        old_document, old_place = before.get(player, (None, None))
        new_document, new_place = after.get(player, (None, None))
        if _line(old_document, old_place) != _line(new_document, new_place):
            difference = PlayerDifference(
                player_id=player,
                before_category=old_document and old_document.category,
                after_category=new_document and new_document.category,
                before=old_place,
                after=new_place,
                before_target=old_document and rule_target(old_document, old_place),
                after_target=new_document and rule_target(new_document, new_place),
            )
            changes.append(difference)
    return sorted(changes, key=lambda change: (not change.moves_differently, change.player_id))


def _by_player(documents: Iterable[ListDocument]) -> dict[int, tuple[ListDocument, Place]]:
    return {
        place.entrant.player_id: (document, place)
        for document in documents
        for place in document.selection.places
    }


def _line(document: ListDocument | None, place: Place | None) -> tuple | None:
    """Return the figures of a player's row that are compared, None if there is no row."""
    if document is None:
        return None
    entrant = place.entrant
    return (
        document.category,
        rule_target(document, place),
        place.state,
        entrant.points,
        entrant.in_person,
        entrant.tournaments,
        entrant.boards,
        entrant.licensed,
        entrant.deceased,
        entrant.average,
    )


def _causes(snapshot: CampaignSnapshot, changes: list[PlayerDifference]) -> list[Cause]:
    """Return the tournaments that explain the differences in points, latest posting first."""
    players: dict[tuple, set[int]] = {}
    posted: dict[tuple, datetime] = {}
    late = _late_entries(snapshot, [change.player_id for change in changes])
    for change in changes:
        for entry in _entries_behind(change, late.get(change.player_id, []), snapshot.taken_at):
            key = (entry.tournament_id, entry.title, entry.played_on)
            players.setdefault(key, set()).add(change.player_id)
            posted[key] = max(entry.posted_at, posted.get(key, entry.posted_at))
    causes = [Cause(*key, posted[key], frozenset(ids)) for key, ids in players.items()]
    return sorted(causes, key=lambda cause: cause.posted_at, reverse=True)


def _late_entries(snapshot: CampaignSnapshot, player_ids: list[int]) -> dict[int, list[_Entry]]:
    """Return the year's ledger entries posted after the freeze, by player id.

    Include entries posted shortly before the freeze (`UNDERWAY`), which it may have missed.
    """
    campaign = snapshot.campaign
    entries = LedgerEntry.objects.between(campaign.first_day, campaign.last_day).filter(
        posted_at__gte=snapshot.taken_at - UNDERWAY
    )
    entries_by_player: dict[int, list[_Entry]] = defaultdict(list)
    for chunk in chunks(player_ids, CHUNK):
        rows = entries.filter(player_id__in=chunk).values_list(
            "player_id", "tournament_id", "tournament__name", "title", "played_on", "points", "posted_at"
        )
        for player, tournament, name, title, *rest in rows:
            entries_by_player[player].append(_Entry(tournament, name or title, *rest))
    return entries_by_player


def _entries_behind(difference: PlayerDifference, late: list[_Entry], taken_at: datetime) -> list[_Entry]:
    """Return the ledger entries that explain a player's difference in points.

    Entries posted just before the freeze are included only if those posted after it do not add up to the
    difference.

    late: the player's entries from `_late_entries`
    taken_at: when the lists were frozen
    """
    after = [entry for entry in late if entry.posted_at > taken_at]
    old, new = (place.entrant.points if place else 0 for place in (difference.before, difference.after))
    return after if sum(entry.points for entry in after) == new - old else late
