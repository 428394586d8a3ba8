"""The lists of a campaign as they stand: what was frozen, and what people decided since.

A frozen list never changes, so each is kept in the process once it was read. Categories are codes here, as in
the documents; points are hundredths.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from django.db.models import Prefetch
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
from scoring.promotions.pure.documents import ListDocument, digest, from_text
from scoring.promotions.pure.selection import Place, State, public_view
from ui.memo import collector_off


@dataclass(frozen=True, slots=True)
class Row:
    """A place of the list in force. `target`: where the player goes, None for who stays.

    `final` says whether they move, up or down; `decision` is the one that holds, if anybody decided.
    """

    category: str
    place: Place
    decision: CampaignDecision | None
    target: str | None

    @property
    def final(self) -> bool:
        """Whether the player moves, by the rules or by a decision."""
        return self.target is not None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a campaign that the office should know: shown on its home page."""

    campaign: PromotionCampaign
    code: str  # stopped, done, claims, approval
    text: str
    at: datetime | None = None


class Frozen(NamedTuple):
    """A frozen list as the process keeps it: its rows by the rules alone, and who is in which of them."""

    document: ListDocument
    rows: tuple[Row, ...]
    position: dict[int, int]  # by player


@lru_cache(maxsize=32)  # two versions of a ladder, and more
def _read(of: str, category: str, pk: int) -> Frozen:
    # The digest is in the key because it says what the list holds, whatever database it is in.
    text = SnapshotList.objects.values_list("body", flat=True).get(pk=pk)
    with collector_off():
        document = from_text(text)
        places = document.selection.places
        rows = tuple(Row(document.category, each, None, rule_target(document, each)) for each in places)
        return Frozen(document, rows, {each.entrant.player_id: at for at, each in enumerate(places)})


def _frozen(snapshot: CampaignSnapshot) -> list[Frozen]:
    rows = snapshot.lists.order_by("category__order").values_list("category__code", "pk")
    return [_read(snapshot.digest, code, pk) for code, pk in rows]


def documents_of(snapshot: CampaignSnapshot) -> dict[str, ListDocument]:
    """Every list of a snapshot by its category, lowest first."""
    return {each.document.category: each.document for each in _frozen(snapshot)}


def listed_codes(campaign: PromotionCampaign) -> list[str]:
    """The categories that have a frozen list, lowest first."""
    return list(_lists(campaign).values_list("category__code", flat=True))


def _lists(campaign: PromotionCampaign):
    return SnapshotList.objects.filter(snapshot=campaign.snapshot_id).order_by("category__order")


def document_of(campaign: PromotionCampaign, code: str) -> ListDocument:
    """A category's frozen list. Raises SnapshotList.DoesNotExist."""
    return _list_of(campaign, code).document


def _list_of(campaign: PromotionCampaign, code: str) -> Frozen:
    pk = _lists(campaign).values_list("pk", flat=True).get(category__code=code)
    return _read(campaign.snapshot.digest, code, pk)


def category_in_list(campaign: PromotionCampaign, player_id: int) -> str | None:
    """The category in whose frozen list a player is; None for a player in none."""
    return _category_in(_frozen(campaign.snapshot), player_id)


def _category_in(lists: list[Frozen], player_id: int) -> str | None:
    return next((each.document.category for each in lists if player_id in each.position), None)


Decisions = Mapping[int, CampaignDecision]  # by player


def decisions_in_force(campaign: PromotionCampaign, until: datetime | None = None) -> Decisions:
    """The last decision on each player who is still in the list of the category it was made for.

    A later version may have the player in another category: nobody has decided where to from there.
    until: only those made by then
    """
    rows = campaign.decisions.select_related("target", "by", "answer").order_by("pk")
    last = {each.player_id: each for each in rows if until is None or each.at <= until}
    older = [each for each in last.values() if each.at < campaign.snapshot.taken_at]
    if not older:
        return last
    versions = [(version.taken_at, _frozen(version)) for version in campaign.snapshots.all()]  # newest first
    _taken_at, now = versions[0]
    for each in older:
        then = next(lists for taken_at, lists in versions if taken_at <= each.at)
        if _category_in(then, each.player_id) != _category_in(now, each.player_id):
            del last[each.player_id]
    return last


def approved_decisions(campaign: PromotionCampaign) -> Decisions:
    """Those of the list as the committee last approved it, which is the one that the public reads."""
    return decisions_in_force(campaign, until=campaign.approved_at)


def waiting_decisions(campaign: PromotionCampaign) -> Decisions:
    """Those by which the list in force differs from the approved one: the committee has to approve them."""
    approved = approved_decisions(campaign)
    return {
        player: each
        for player, each in decisions_in_force(campaign).items()
        if player not in approved or approved[player].target_id != each.target_id
    }


def current_list(campaign: PromotionCampaign, category: Category) -> list[Row]:
    """A category's list in force, in the order of the frozen one. Raises SnapshotList.DoesNotExist."""
    return _rows(_list_of(campaign, category.code), decisions_in_force(campaign))


def approved_list(campaign: PromotionCampaign, category: Category) -> list[Row]:
    """The same as the committee last approved it."""
    return _rows(_list_of(campaign, category.code), approved_decisions(campaign))


def row_in(campaign: PromotionCampaign, code: str, player_id: int, decisions: Decisions) -> Row:
    """A player's row of a list with these decisions. Raises SnapshotList.DoesNotExist, KeyError."""
    frozen = _list_of(campaign, code)
    return _rows(frozen, decisions)[frozen.position[player_id]]


def rows_of(campaign: PromotionCampaign, player_ids: Collection[int]) -> dict[int, Row]:
    """The lines in force of those among the players who are in a list; as many queries for one as for all."""
    lists = [(each, [pk for pk in player_ids if pk in each.position]) for each in _frozen(campaign.snapshot)]
    if not any(ids for _frozen_list, ids in lists):
        return {}
    decisions = decisions_in_force(campaign)
    listed = [(_rows(each, decisions), each.position, ids) for each, ids in lists if ids]
    return {pk: rows[position[pk]] for rows, position, ids in listed for pk in ids}


def _rows(frozen: Frozen, decisions: Decisions) -> list[Row]:
    rows = list(frozen.rows)
    for player, decision in decisions.items():
        if (at := frozen.position.get(player)) is not None:
            target = decision.target and decision.target.code
            rows[at] = Row(frozen.document.category, rows[at].place, decision, target)
    return rows


def public_row(row: Row, document: ListDocument) -> Row:
    """The row as a public list has it, which does not say who has died: by the points, as anybody's."""
    place = public_view(row.place, document.rule)
    if place is row.place:
        return row
    target = row.target if row.decision else rule_target(document, place)
    return replace(row, place=place, target=target)


def rule_target(document: ListDocument, place: Place) -> str | None:
    """Where the rules alone send a player."""
    if place.state.up:
        return document.target
    return document.demotion if place.state is State.DOWN else None


def movers(campaign: PromotionCampaign) -> list[Row]:
    """Everybody who moves by the list in force, lowest category first."""
    decisions = decisions_in_force(campaign)
    lists = _frozen(campaign.snapshot)
    return [row for each in lists for row in _rows(each, decisions) if row.final]


def listed_among(campaign: PromotionCampaign, player_ids: Collection[int]) -> Counter[str]:
    """How many of these players are in each category's frozen list."""
    return Counter(
        {
            each.document.category: sum(player in each.position for player in player_ids)
            for each in _frozen(campaign.snapshot)
        }
    )


def list_digest(campaign: PromotionCampaign) -> str:
    """What the committee approves: a digest of snapshot and decisions; "" where nothing is frozen."""
    if campaign.snapshot is None:
        return ""
    found = sorted(decisions_in_force(campaign).items())
    decided = (f"{player} {each.target.code if each.target else '-'}" for player, each in found)
    return digest([campaign.snapshot.digest, *decided])


# --- What the office should know ----------------------------------------------------------------------------
SHOWN_FOR = timedelta(days=30)


def running() -> list[PromotionCampaign]:
    """The campaigns that were not called off or reversed, newest first, with what `notices` asks of them.

    As many queries for many as for one.
    """
    over = [PromotionCampaign.State.REVERSED, PromotionCampaign.State.ABANDONED]
    told = CampaignAct.objects.filter(verb__in=["stop", "apply"])
    unanswered = CampaignClaim.objects.filter(answer=None)
    return list(
        PromotionCampaign.objects.exclude(state__in=over)
        .select_related("snapshot", "rule_set")
        .prefetch_related(
            "tasks",
            Prefetch("acts", told, to_attr="told"),
            Prefetch("claims", unanswered, to_attr="unanswered"),
        )
    )


def notices(campaigns: list[PromotionCampaign] | None = None) -> list[Notice]:
    """What the office has to do about the `running` campaigns, and what the clock did; newest first."""
    campaigns = running() if campaigns is None else campaigns
    return [notice for campaign in campaigns for notice in _notices(campaign)]


def _notices(campaign: PromotionCampaign) -> Iterator[Notice]:
    task = next(iter(campaign.tasks.all()), None)
    if task and task.state == CampaignTask.State.FAILED:
        stopped = next((act for act in campaign.told if act.verb == "stop"), None)
        text = _("The category change of %(year)s stopped: %(reason)s")
        values = {"year": campaign.year, "reason": stopped.reason if stopped else task.error}
        yield Notice(campaign, "stopped", text % values, task.finished_at)
    elif act := _done_by_the_clock(campaign):
        text = _("The category change of %(year)s was applied as scheduled.")
        yield Notice(campaign, "done", text % {"year": campaign.year}, act.at)
    if campaign.state != PromotionCampaign.State.PUBLISHED:
        return
    if number := len(campaign.unanswered):
        text = ngettext(
            "%(number)s claim about the category change of %(year)s has no answer yet.",
            "%(number)s claims about the category change of %(year)s have no answer yet.",
            number,
        )
        yield Notice(campaign, "claims", text % {"number": number, "year": campaign.year})
    if campaign.approved_digest != list_digest(campaign):
        text = _("The published list of %(year)s has changed: the committee has to approve it again.")
        yield Notice(campaign, "approval", text % {"year": campaign.year})


def _done_by_the_clock(campaign: PromotionCampaign) -> CampaignAct | None:
    since = timezone.now() - SHOWN_FOR
    done = (act for act in campaign.told if act.verb == "apply" and act.by_id is None and act.at >= since)
    return next(done, None)
