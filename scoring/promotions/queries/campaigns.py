"""The current lists of a campaign: the frozen lists with the decisions made since.

Frozen lists never change, so the process caches those it has read. Categories are codes and points are
hundredths, as in the frozen documents.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.models import Category
from scoring.promotions.models import (
    CampaignAct,
    CampaignClaim,
    CampaignDecision,
    CampaignSnapshot,
    CampaignTask,
    PromotionCampaign,
    SnapshotList,
)
from scoring.promotions.pure import documents
from scoring.promotions.pure.documents import ListDocument, digest, from_text
from scoring.promotions.pure.selection import Place, PlaceState, public_view
from scoring.promotions.pure.states import STOPPED, VOID, Verb
from tournaments.models import Tournament
from ui.memo import collector_off


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row in a campaign's list.

    decision: the decision on the player that is in force, None if there is none
    target: code of the category that the player moves to, None if the player stays
    """

    category: str
    place: Place
    decision: CampaignDecision | None
    target: str | None

    @property
    def final(self) -> bool:
        """Whether the player moves, up or down, by the rules or by a decision."""
        return self.target is not None


@dataclass(frozen=True, slots=True)
class Overview:
    """A summary of one category's list: the numbers of players, of those who move, and of decisions.

    cut: the fewest points, in hundredths, that suffice for a place; None if the rule gives no places
    """

    category: str
    target: str | None
    players: int
    moves: int
    cut: int | None
    decided: int


@dataclass(frozen=True, slots=True)
class Notice:
    """A piece of news about a campaign, shown on the office's home page."""

    campaign: PromotionCampaign
    code: str  # "stopped", "done", "claims" or "approval"
    text: str
    at: datetime | None = None


class FrozenList(NamedTuple):
    """A cached frozen list, without decisions: the document, its rows, and the index of each player's row."""

    document: ListDocument
    rows: tuple[Row, ...]
    position: dict[int, int]  # index into the rows, by player id


@lru_cache(maxsize=3)  # two versions of one campaign's lists, and those of another
def _read(snapshot_digest: str, pk: int) -> dict[str, FrozenList]:
    """Return the lists of a snapshot by category code, lowest category first. One query."""
    # The key includes the digest of the contents, in case keys repeat in another database.
    bodies = SnapshotList.objects.filter(snapshot=pk).order_by("category__order")
    texts = bodies.values_list("category__code", "body").iterator(chunk_size=1)
    with collector_off():
        return {code: _frozen(from_text(text)) for code, text in texts}


def _frozen(document: ListDocument) -> FrozenList:
    places = document.selection.places
    rows = tuple(Row(document.category, place, None, rule_target(document, place)) for place in places)
    position = {place.entrant.player_id: index for index, place in enumerate(places)}
    return FrozenList(document, rows, position)


def _lists_of(snapshot: CampaignSnapshot) -> list[FrozenList]:
    return list(_read(snapshot.digest, snapshot.pk).values())


def documents_of(snapshot: CampaignSnapshot) -> dict[str, ListDocument]:
    """Return the frozen lists of a snapshot by category code, lowest category first."""
    return {frozen.document.category: frozen.document for frozen in _lists_of(snapshot)}


def listed_codes(campaign: PromotionCampaign) -> list[str]:
    """Return the codes of the categories that have a frozen list, lowest first."""
    lists = SnapshotList.objects.filter(snapshot=campaign.snapshot_id).order_by("category__order")
    return list(lists.values_list("category__code", flat=True))


def document_of(campaign: PromotionCampaign, code: str) -> ListDocument:
    """Return a category's frozen list. Raises SnapshotList.DoesNotExist."""
    return _list_of(campaign, code).document


def _list_of(campaign: PromotionCampaign, code: str) -> FrozenList:
    frozen = _read(campaign.snapshot.digest, campaign.snapshot.pk).get(code) if campaign.snapshot else None
    if frozen is None:
        raise SnapshotList.DoesNotExist
    return frozen


def category_in_list(campaign: PromotionCampaign, player_id: int) -> str | None:
    """Return the code of the category whose frozen list contains a player, None if no list does."""
    return _category_in(_lists_of(campaign.snapshot), player_id)


def _category_in(lists: list[FrozenList], player_id: int) -> str | None:
    return next((frozen.document.category for frozen in lists if player_id in frozen.position), None)


Decisions = Mapping[int, CampaignDecision]  # Decisions by player id.


def decisions_in_force(campaign: PromotionCampaign, until: datetime | None = None) -> Decisions:
    """Return the last decision on each player, by player id.

    If a later version of the lists has the player in another category than the decision was made for, the
    decision no longer applies and is left out.

    until: ignore decisions made after this moment
    """
    return _in_force(campaign, _decisions(campaign), until)


def _decisions(campaign: PromotionCampaign) -> QuerySet[CampaignDecision]:
    return campaign.decisions.select_related("target", "by", "answer").order_by("pk")


def _in_force(
    campaign: PromotionCampaign, rows: Iterable[CampaignDecision], until: datetime | None
) -> Decisions:
    """Return what `decisions_in_force` does, from all decisions of a campaign in their order."""
    last = {decision.player_id: decision for decision in rows if until is None or decision.at <= until}
    older = [decision for decision in last.values() if decision.at < campaign.snapshot.taken_at]
    if not older:
        return last
    # Newest first.
    versions = [(version.taken_at, _lists_of(version)) for version in campaign.snapshots.all()]
    _taken_at, current = versions[0]
    for decision in older:
        former = next(lists for taken_at, lists in versions if taken_at <= decision.at)
        if _category_in(former, decision.player_id) != _category_in(current, decision.player_id):
            del last[decision.player_id]
    return last


def approved_decisions(campaign: PromotionCampaign) -> Decisions:
    """Return the decisions that were in force when the committee last approved the lists.

    The public lists are the frozen lists with these decisions. The accounts that made them are not read.
    """
    rows = campaign.decisions.select_related("target", "answer").order_by("pk")
    return _in_force(campaign, rows, campaign.approved_at)


def waiting_decisions(campaign: PromotionCampaign) -> Decisions:
    """Return the decisions in force whose outcome the committee has not approved yet, by player id."""
    return approved_and_waiting(campaign)[1]


def approved_and_waiting(campaign: PromotionCampaign) -> tuple[Decisions, Decisions]:
    """Return what `approved_decisions` and `waiting_decisions` do, with one query."""
    rows = list(_decisions(campaign))
    approved = _in_force(campaign, rows, campaign.approved_at)
    waiting = {
        player: decision
        for player, decision in _in_force(campaign, rows, None).items()
        if player not in approved or approved[player].target_id != decision.target_id
    }
    return approved, waiting


def current_list(campaign: PromotionCampaign, category: Category) -> list[Row]:
    """Return the rows of a category's frozen list with the decisions in force applied, in the same order.

    Raises SnapshotList.DoesNotExist.
    """
    return _rows(_list_of(campaign, category.code), decisions_in_force(campaign))


def approved_list(campaign: PromotionCampaign, category: Category) -> list[Row]:
    """Return the rows of a category's frozen list with the approved decisions applied, in the same order.

    Raises SnapshotList.DoesNotExist.
    """
    return _rows(_list_of(campaign, category.code), approved_decisions(campaign))


def row_in(campaign: PromotionCampaign, code: str, player_id: int, decisions: Decisions) -> Row:
    """Return a player's row of a category's frozen list, with the decision on the player applied.

    Raises SnapshotList.DoesNotExist, and KeyError if the list does not contain the player.

    code: the category's code
    decisions: the decisions to apply, by player id
    """
    frozen = _list_of(campaign, code)
    return _rows(frozen, decisions)[frozen.position[player_id]]


def rows_of(campaign: PromotionCampaign, player_ids: Collection[int]) -> dict[int, Row]:
    """Return the players' rows of the current lists, with the decisions in force applied, by player id.

    Players who are in no list are left out. The number of queries does not depend on the number of players.
    """
    ids_by_list = [
        (frozen, ids)
        for frozen in _lists_of(campaign.snapshot)
        if (ids := [pk for pk in player_ids if pk in frozen.position])
    ]
    decisions = decisions_in_force(campaign) if ids_by_list else {}
    rows_by_player: dict[int, Row] = {}
    for frozen, ids in ids_by_list:
        rows = _rows(frozen, decisions)
        rows_by_player.update({pk: rows[frozen.position[pk]] for pk in ids})
    return rows_by_player


def _rows(frozen: FrozenList, decisions: Decisions) -> list[Row]:
    rows = list(frozen.rows)
    for player, decision in decisions.items():
        if (index := frozen.position.get(player)) is not None:
            target = decision.target and decision.target.code
            rows[index] = Row(frozen.document.category, rows[index].place, decision, target)
    return rows


def public_row(row: Row, document: ListDocument) -> Row:
    """Return the row as public lists show it, without disclosing that a player has died."""
    place = public_view(row.place, document.rule)
    if place is row.place:
        return row
    target = row.target if row.decision else rule_target(document, place)
    return replace(row, place=place, target=target)


def public_rows(rows: Iterable[Row], document: ListDocument) -> list[Row]:
    """Return the rows of an approved list as the public sees them: who has a place, or moves."""
    return [public_row(row, document) for row in rows if row.place.rank or row.final]


def rule_target(document: ListDocument, place: Place) -> str | None:
    """Return the code of the category that the rules move a player to, None if the player stays.

    Decisions are not considered.
    """
    if place.state.up:
        return document.target
    return document.demotion if place.state is PlaceState.DOWN else None


def movers(campaign: PromotionCampaign) -> list[Row]:
    """Return the rows of all players who move, with the decisions in force, lowest category first."""
    decisions = decisions_in_force(campaign)
    lists = _lists_of(campaign.snapshot)
    return [row for frozen in lists for row in _rows(frozen, decisions) if row.final]


def overview(campaign: PromotionCampaign) -> list[Overview]:
    """Return a summary of each list with the decisions in force, highest category first."""
    decisions = decisions_in_force(campaign)
    summaries = []
    for frozen in reversed(_lists_of(campaign.snapshot)):
        rows = _rows(frozen, decisions)
        summary = Overview(
            category=frozen.document.category,
            target=frozen.document.target,
            players=len(rows),
            moves=sum(row.final for row in rows),
            cut=frozen.document.selection.cut,
            decided=sum(player in frozen.position for player in decisions),
        )
        summaries.append(summary)
    return summaries


@lru_cache(maxsize=2)  # 13 MB each for 150,000 players
def _sessions(snapshot_digest: str, pk: int) -> str:
    # The key includes the digest as in `_read`.
    return SnapshotList.objects.values_list("sessions", flat=True).get(pk=pk)


def sessions_of(campaign: PromotionCampaign, code: str, player_id: int) -> list[dict[str, Any]]:
    """Return the sessions from which a player's modified average was computed, latest first.

    Each is a dict of the fields of `SessionLine`, with the tournament's `name` and `url`.

    code: code of the category whose frozen list contains the player
    """
    lists = SnapshotList.objects.filter(snapshot=campaign.snapshot_id)
    pk = lists.values_list("pk", flat=True).get(category__code=code)
    lines = documents.sessions_of(_sessions(campaign.snapshot.digest, pk), player_id)
    tournaments = Tournament.objects.in_bulk([line.tournament_id for line in lines])
    return [
        {
            **line._asdict(),
            "name": tournaments[line.tournament_id].name,
            "url": tournaments[line.tournament_id].get_absolute_url(),
        }
        for line in sorted(lines, key=lambda line: (line.day, line.tournament_id), reverse=True)
    ]


def list_digest(campaign: PromotionCampaign) -> str:
    """Return the digest of the current lists: of the snapshot and the decisions in force.

    An approval stores this digest. Return "" before the first freeze.
    """
    if campaign.snapshot is None:
        return ""
    decisions = sorted(decisions_in_force(campaign).items())
    lines = (f"{player} {item.target.code if item.target else '-'}" for player, item in decisions)
    return digest([campaign.snapshot.digest, *lines])


# --- News for the office ------------------------------------------------------------------------------------
SHOWN_FOR = timedelta(days=30)


def running() -> list[PromotionCampaign]:
    """Return the campaigns that are neither abandoned nor reversed, newest first.

    All that `notices` reads is loaded with them, in a constant number of queries.
    """
    reported = CampaignAct.objects.filter(verb__in=[STOPPED, Verb.APPLY])
    unanswered = CampaignClaim.objects.filter(answer=None)
    return list(
        PromotionCampaign.objects.exclude(state__in=VOID)
        .select_related("snapshot", "rule_set")
        .prefetch_related(
            "tasks",
            Prefetch("acts", reported, to_attr="reported_acts"),
            Prefetch("claims", unanswered, to_attr="unanswered_claims"),
        )
    )


def notices(campaigns: list[PromotionCampaign] | None = None) -> list[Notice]:
    """Return the news of campaigns for the office's home page, newest campaign first.

    These are claims to answer, lists that the committee has to approve again, and tasks that stopped or were
    done on schedule.

    campaigns: as returned by `running`, which is the default
    """
    campaigns = running() if campaigns is None else campaigns
    return [notice for campaign in campaigns for notice in _notices(campaign)]


def _notices(campaign: PromotionCampaign) -> Iterator[Notice]:
    task = next(iter(campaign.tasks.all()), None)
    if task and task.state == CampaignTask.State.FAILED:
        stopped = next((act for act in campaign.reported_acts if act.verb == STOPPED), None)
        text = _("The category change of %(year)s stopped: %(reason)s")
        values = {"year": campaign.year, "reason": stopped.reason if stopped else task.error}
        yield Notice(campaign, "stopped", text % values, task.finished_at)
    elif act := _scheduled_apply(campaign):
        text = _("The category change of %(year)s was applied as scheduled.")
        yield Notice(campaign, "done", text % {"year": campaign.year}, act.at)
    if campaign.state != PromotionCampaign.State.PUBLISHED:
        return
    if number := len(campaign.unanswered_claims):
        text = ngettext(
            "%(number)s claim about the category change of %(year)s has no answer yet.",
            "%(number)s claims about the category change of %(year)s have no answer yet.",
            number,
        )
        yield Notice(campaign, "claims", text % {"number": number, "year": campaign.year})
    if campaign.approved_digest != list_digest(campaign):
        text = _("The published list of %(year)s has changed: the committee has to approve it again.")
        yield Notice(campaign, "approval", text % {"year": campaign.year})


def _scheduled_apply(campaign: PromotionCampaign) -> CampaignAct | None:
    since = timezone.now() - SHOWN_FOR
    scheduled = (act for act in campaign.reported_acts if act.verb == Verb.APPLY and act.by_id is None)
    return next((act for act in scheduled if act.at >= since), None)
