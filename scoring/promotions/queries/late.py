"""What a list would be if it were frozen again: late results, and how two versions differ."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from scoring.ledger.models import LedgerEntry
from scoring.promotions.models import CampaignSnapshot, PromotionCampaign
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.pure.selection import Place
from scoring.promotions.queries.campaigns import documents_of, rule_target
from scoring.promotions.queries.candidates import gather_cached
from scoring.promotions.queries.plans import CHUNK
from ui.chunks import chunks

# A posting that was under way while the lists were read is not in them, though it began before them.
UNDERWAY = timedelta(minutes=2)


class _Entry(NamedTuple):
    """A row of the ledger, as far as causes go."""

    tournament_id: int | None
    title: str
    played_on: date
    points: int
    posted_at: datetime


@dataclass(frozen=True, slots=True)
class PlayerDifference:
    """A player whose line is not the same in two lists; None where the player is in no list.

    `before_target`, `after_target`: where the rules send the player by either list, None: nowhere.
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
        """Whether the player would move who did not, or the other way round."""
        return self.before_target != self.after_target


@dataclass(frozen=True, slots=True)
class Cause:
    """A tournament of the year whose points of these players were posted, or taken back, after the freeze.

    tournament_id: None for an opening award, which has a title alone
    """

    tournament_id: int | None
    title: str
    played_on: date
    posted_at: datetime
    player_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class LateResults:
    """What freezing again would change, and the tournaments that caused it, latest posting first.

    A difference without a cause comes from a category, a licence or the rules, changed after the freeze.
    """

    differences: list[PlayerDifference]
    causes: list[Cause]


def differences(old: CampaignSnapshot, new: CampaignSnapshot) -> list[PlayerDifference]:
    """Every player whose line differs between two versions, whoever moves otherwise first."""
    return compare(documents_of(old), documents_of(new))


def late_results(campaign: PromotionCampaign, version: int) -> LateResults:
    """What freezing again now would change. Works all lists out anew: seconds in a big federation.

    version: of the standings; as long as it is the same, the figures are those of the last call
    """
    lists = gather_cached(version, campaign.last_day, campaign.rule_set)
    found = compare(documents_of(campaign.snapshot), {each.category.code: each.document for each in lists})
    return LateResults(found, _causes(campaign, found))


def compare(old: Mapping[str, ListDocument], new: Mapping[str, ListDocument]) -> list[PlayerDifference]:
    """The same of documents by category; a rank or a margin that others moved is no difference."""
    before, after = _by_player(old.values()), _by_player(new.values())
    found = []
    for player in before.keys() | after.keys():
        old_document, old_place = before.get(player, (None, None))
        new_document, new_place = after.get(player, (None, None))
        if _line(old_document, old_place) != _line(new_document, new_place):
            found.append(
                PlayerDifference(
                    player, old_document and old_document.category, new_document and new_document.category,
                    old_place, new_place,
                    old_document and rule_target(old_document, old_place),
                    new_document and rule_target(new_document, new_place),
                )
            )  # fmt: skip
    return sorted(found, key=lambda each: (not each.moves_differently, each.player_id))


def _by_player(documents: Iterable[ListDocument]) -> dict[int, tuple[ListDocument, Place]]:
    return {
        place.entrant.player_id: (document, place)
        for document in documents
        for place in document.selection.places
    }


def _line(document: ListDocument | None, place: Place | None) -> tuple | None:
    """What has to be equal for a player's line to be the same."""
    if document is None:
        return None
    entrant = place.entrant
    return (
        document.category, rule_target(document, place), place.state, entrant.points, entrant.in_person,
        entrant.tournaments, entrant.boards, entrant.licensed, entrant.deceased, entrant.average,
    )  # fmt: skip


def _causes(campaign: PromotionCampaign, found: list[PlayerDifference]) -> list[Cause]:
    """The tournaments behind differences of points."""
    players: dict[tuple, set[int]] = {}
    posted: dict[tuple, datetime] = {}
    late = _late_entries(campaign, [each.player_id for each in found])
    for each in found:
        for entry in _of_difference(each, late.get(each.player_id, []), campaign.snapshot.taken_at):
            key = (entry.tournament_id, entry.title, entry.played_on)
            players.setdefault(key, set()).add(each.player_id)
            posted[key] = max(entry.posted_at, posted.get(key, entry.posted_at))
    causes = [Cause(*key, posted[key], frozenset(who)) for key, who in players.items()]
    return sorted(causes, key=lambda cause: cause.posted_at, reverse=True)


def _late_entries(campaign: PromotionCampaign, player_ids: list[int]) -> dict[int, list[_Entry]]:
    """Player id -> entries of the year that were posted after the freeze, or just before it."""
    entries = LedgerEntry.objects.between(campaign.first_day, campaign.last_day).filter(
        posted_at__gte=campaign.snapshot.taken_at - UNDERWAY
    )
    found: dict[int, list[_Entry]] = defaultdict(list)
    for chunk in chunks(player_ids, CHUNK):
        rows = entries.filter(player_id__in=chunk).values_list(
            "player_id", "tournament_id", "tournament__name", "title", "played_on", "points", "posted_at"
        )
        for player, tournament, name, title, *rest in rows:
            found[player].append(_Entry(tournament, name or title, *rest))
    return found


def _of_difference(difference: PlayerDifference, late: list[_Entry], taken_at: datetime) -> list[_Entry]:
    """The entries that make a player's difference: those of just before only where the others do not."""
    after = [entry for entry in late if entry.posted_at > taken_at]
    old, new = (place.entrant.points if place else 0 for place in (difference.before, difference.after))
    return after if sum(entry.points for entry in after) == new - old else late
