"""What changed since somebody last looked: what the committee and auditors watch, of all kinds at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.models import AccountEvent, CategoryAssignment, PlayerChange, PlayerMerge, Proposal
from players.proposals import act_of
from scoring.annulments.models import Annulment
from scoring.ledger.models import ScoringRun
from scoring.office.models import Look, OfficeImport
from scoring.promotions.models import CampaignAct, RuleSetChange

FIRST_LOOK = timedelta(days=30)  # how far back somebody sees who never looked
ADDRESS = AccountEvent.Kind.ADDRESS
WATCHED_EVENTS = (
    "created",
    "role_given",
    "role_taken",
    "closed",
    "reopened",
    ADDRESS,
    "linked",
    "unlinked",
)


class Line(NamedTuple):
    """What happened, to what, by whom and why.

    number: how many categories it gave, which another page lists
    """

    title: str
    url: str
    by: Any
    reason: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class ChangeKind:
    """A kind of change.

    kind: identifies the kind in the address
    time: the column that says when the change was made
    rows: function that returns all changes of the kind
    line: function that describes one of them; it makes no query
    desk: whether the page it links to is one of the office's, which the committee may not open
    """

    kind: str
    label: Promise
    time: str
    rows: Callable[[], QuerySet]
    line: Callable[[Any], Line]
    desk: bool = False


def _of_proposal(row: Proposal) -> Line:
    return Line(act_of(row).title(row), row.get_absolute_url(), row.prepared_by, row.reason)


def _of_merge(row: PlayerMerge) -> Line:
    title = f"{row.duplicate.number} → {row.kept.number}, {row.kept.desk_name}"
    return Line(title, reverse("merge", args=[row.pk]), row.by, row.reason)


def _of_parting(row: PlayerMerge) -> Line:
    return _of_merge(row)._replace(by=row.undone_by, reason=row.undone_reason)


def _of_grant(row: CategoryAssignment) -> Line:
    title = f"{row.player.desk_name}, {row.player.number}: {row.category.code}"
    return Line(title, row.player.get_absolute_url(), row.created_by, row.reason)


def _of_revocation(row: CategoryAssignment) -> Line:
    return _of_grant(row)._replace(by=row.revoked_by, reason=row.revoked_reason)


def _of_annulment(row: Annulment) -> Line:
    title = f"{row.event.name}: {row.get_act_display()}"
    return Line(title, row.event.get_absolute_url(), row.created_by, row.reason)


def _of_correction(row: ScoringRun) -> Line:
    name = f"{row.tournament.name}, {row.tournament.club.name}"
    return Line(name, row.tournament.get_absolute_url(), row.created_by, row.reason)


def _of_event(row: AccountEvent) -> Line:
    about = "" if row.kind == ADDRESS else row.about  # the committee does not read addresses
    parts = (row.account.get_username(), row.get_kind_display(), about)
    return Line(": ".join(filter(None, parts)), reverse("account", args=[row.account_id]), row.by, "")


def _of_person(row: PlayerChange) -> Line:
    title = f"{row.number}: {row.get_kind_display()}"
    return Line(title, reverse("player", args=[row.number]), row.by, row.reason)


def _of_rules(row: RuleSetChange) -> Line:
    return Line(row.rule_set.name, reverse("rule_set", args=[row.rule_set_id]), row.by, row.note)


def _of_campaign(row: CampaignAct) -> Line:
    title = f"{row.campaign.year}: {row.get_state_after_display()}"
    return Line(title, row.campaign.get_absolute_url(), row.by, row.reason)


def _of_list(row: OfficeImport) -> Line:
    title = f"{row.get_kind_display()}: {row.file_name}"
    gives = row.kind == OfficeImport.Kind.CATEGORIES
    return Line(title, row.get_absolute_url(), row.applied_by, "", row.counts["added"] if gives else 0)


def _of_undone_list(row: OfficeImport) -> Line:
    return _of_list(row)._replace(by=row.undone_by, reason=row.undone_reason)


def _proposals(*kinds: str) -> QuerySet:
    rows = Proposal.objects.filter(kind__in=kinds, state=Proposal.State.APPROVED)
    return rows.select_related("prepared_by", "decided_by")


def _assignments() -> QuerySet:
    return CategoryAssignment.objects.select_related("player", "category", "created_by", "revoked_by")


def _granted() -> QuerySet:
    """Return the categories given one by one. Those of a campaign, or of a list, are one line together."""
    origin = CategoryAssignment.Origin
    return _assignments().exclude(origin__in=(origin.CAMPAIGN, origin.IMPORT))


def _revoked() -> QuerySet:
    """Return the categories revoked one by one. Those that undoing a list took back are one line together."""
    undone = OfficeImport.objects.filter(
        kind=OfficeImport.Kind.CATEGORIES,
        undone_by=OuterRef("revoked_by"),
        undone_reason=OuterRef("revoked_reason"),
        undone_at=OuterRef("revoked_at"),
    )
    rows = _assignments().exclude(origin=CategoryAssignment.Origin.CAMPAIGN)
    return rows.exclude(Q(Exists(undone)), origin=CategoryAssignment.Origin.IMPORT)


def _merges() -> QuerySet:
    return PlayerMerge.objects.select_related("duplicate", "kept", "by", "undone_by")


def _lists() -> QuerySet:
    rows = OfficeImport.objects.select_related("applied_by", "undone_by")
    return rows.defer("parsed", "compared", "written", "ticks")


KINDS = (
    ChangeKind("points", _("Points by hand"), "decided_at", lambda: _proposals("adjustment"), _of_proposal),
    ChangeKind(
        "rescored", _("Another regulation"), "decided_at", lambda: _proposals("rescore"), _of_proposal
    ),
    ChangeKind("merged", _("Numbers merged"), "at", _merges, _of_merge, desk=True),
    ChangeKind("parted", _("Numbers parted"), "undone_at", _merges, _of_parting, desk=True),
    ChangeKind(
        "persons",
        _("Person changed by hand"),
        "at",
        lambda: PlayerChange.objects.filter(source=PlayerChange.Source.OFFICE).select_related("by"),
        _of_person,
    ),
    ChangeKind("given", _("Category given"), "created_at", _granted, _of_grant),
    ChangeKind("revoked", _("Category revoked"), "revoked_at", _revoked, _of_revocation),
    ChangeKind(
        "annulled",
        _("Tournament annulled or restored"),
        "created_at",
        lambda: Annulment.objects.select_related("tournament", "rating_tournament", "created_by"),
        _of_annulment,
    ),
    ChangeKind(
        "corrected",
        _("Tournament corrected"),
        "finished_at",
        lambda: (
            ScoringRun.objects.filter(~Q(reason=""), state="done", purpose=ScoringRun.Purpose.SCORE)
            .select_related("tournament__club", "created_by")
            .defer("inputs", "outcome")
        ),
        _of_correction,
    ),
    ChangeKind(
        "roles",
        _("Roles and links"),
        "at",
        lambda: AccountEvent.objects.filter(kind__in=WATCHED_EVENTS).select_related("account", "by"),
        _of_event,
        desk=True,
    ),
    ChangeKind(
        "rules",
        _("Promotion rules"),
        "at",
        lambda: RuleSetChange.objects.select_related("rule_set", "by").defer("before", "after"),
        _of_rules,
    ),
    ChangeKind(
        "campaigns",
        _("Category change"),
        "at",
        lambda: CampaignAct.objects.select_related("campaign", "by").defer("detail"),
        _of_campaign,
    ),
    ChangeKind("lists", _("List applied"), "applied_at", _lists, _of_list, desk=True),
    ChangeKind("undone", _("List undone"), "undone_at", _lists, _of_undone_list, desk=True),
)


class Changes:
    """The changes of all kinds, or of one, since a moment, the latest first: a source for `ui.paging.paged`.

    desk: whether the reader may open the office's pages
    counts: the number of changes of each kind since then, without kinds that have none
    """

    def __init__(self, since: datetime, kind: str = "", *, desk: bool = True) -> None:
        self.since, self.desk = since, desk
        self.counts = [(item, number) for item in KINDS if (number := self._rows(item).count())]
        self.kinds = [item for item, _number in self.counts if kind in ("", item.kind)]

    def count(self) -> int:
        """Return the number of changes of the kinds asked for."""
        return sum(number for item, number in self.counts if item in self.kinds)

    def rows(self, start: int, stop: int) -> list[dict[str, Any]]:
        """Return the records of `ChangesTable` from `start` up to, but not including, `stop`."""
        merged = [
            (getattr(row, item.time), item, row) for item in self.kinds for row in self._rows(item)[:stop]
        ]
        merged.sort(key=lambda entry: entry[0], reverse=True)
        return [_record(at, item, row, self.desk) for at, item, row in merged[start:stop]]

    def _rows(self, item: ChangeKind) -> QuerySet:
        return item.rows().filter(**{f"{item.time}__gt": self.since}).order_by(f"-{item.time}", "-pk")


def _record(at: datetime, item: ChangeKind, row: Any, desk: bool) -> dict[str, Any]:
    line = item.line(row)
    return {
        "at": at,
        "kind": item.label,
        "title": line.title,
        "url": line.url if desk or not item.desk else "",
        "by": line.by.get_username() if line.by else "",
        "reason": line.reason,
        "number": line.number,
        "opens": reverse("oversight_list", args=[row.pk]) if line.number else "",
    }


class GivenByList:
    """The categories that a list gave, in the order of their assignments: a source for `ui.paging.paged`."""

    def __init__(self, batch: OfficeImport) -> None:
        parts = batch.parts.values_list("written__created", flat=True)
        self.ids = [pk for created in parts for pk in created or ()]

    def count(self) -> int:
        """Return the number of categories that the list gave."""
        return len(self.ids)

    def rows(self, start: int, stop: int) -> list[dict[str, Any]]:
        """Return the records of `ListGrantsTable` from `start` up to, but not including, `stop`."""
        assignments = _assignments().in_bulk(self.ids[start:stop])
        return [
            {
                "player": assignment.player.desk_name,
                "url": assignment.player.get_absolute_url(),
                "number": assignment.player.number,
                "category": assignment.category.code,
                "valid_from": assignment.valid_from,
                "reason": assignment.reason,
                "revoked_at": assignment.revoked_at,
            }
            for pk in self.ids[start:stop]
            if (assignment := assignments.get(pk))
        ]


def looks_of(user: Any) -> Sequence[Look]:
    """Return when the account marked the changes as looked at, the latest first."""
    return Look.objects.filter(by=user).order_by("-until", "-pk")


def since_last_look(user: Any) -> tuple[datetime, bool]:
    """Return since when changes are new for the account, and whether it ever looked."""
    last = looks_of(user).first()
    return (last.until, True) if last else (timezone.now() - FIRST_LOOK, False)
