"""Assign and revoke categories by hand.

An account may make five changes a day without a second person, by hand or by imported lists. Later changes
of that day need one. So do changes of past days, and assignments that are neither one step up nor a first
category. `Assessment` lists the reasons.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.access import name_for, names_for
from players.category_changes import Change, approval_reasons, as_facts, change_of, revoking_reasons
from players.models import Category, CategoryAssignment, Player, Proposal
from players.proposals import Effect, ProposedAct
from players.services import categories
from players.services.proposals import propose
from scoring.ledger.services import standings
from scoring.ledger.services.approval import being_set_up
from scoring.office.category_wording import code_words, past_words, steps_words
from scoring.office.models import OfficeImport
from ui.formatting import format_date

KIND = "category"
# Category changes that one account may make a day without a second person, by hand and by lists.
MOST_ALONE = 5
WHY = {
    "backdated": gettext_lazy("A second person is needed because a day that is over changes."),
    "steps": gettext_lazy(
        "A second person is needed because it is not a single step up, counted from yesterday's category too."
    ),
    "many": gettext_lazy("A second person is needed because one person changed many categories today."),
    "approved": gettext_lazy("A second person is needed because two persons gave it."),
}


@dataclass(frozen=True, slots=True)
class Assessment:
    """What assigning or revoking a category would change, and why it needs a second person.

    why: codes of the reasons (the keys of `WHY`); empty if no second person is needed
        backdated: past days change
        steps: an assignment is neither one step up nor a first category
        many: the account has reached the daily limit of changes without a second person
        approved: two persons made the assignment to revoke
    """

    change: Change
    ladder: Sequence[Category]
    why: tuple[str, ...]


def assignments_of(player_id: int) -> list[CategoryAssignment]:
    """Return the player's assignments that are not revoked, oldest first."""
    assignments = CategoryAssignment.objects.filter(player_id=player_id, revoked_at=None)
    return list(assignments.select_related("category").order_by("valid_from", "pk"))


def assess_assigning(player: Player, category: Category, valid_from: date, by) -> Assessment:
    """Return what assigning a category would change, and why that needs a second person."""
    before = assignments_of(player.pk)
    new = CategoryAssignment(player=player, category=category, valid_from=valid_from)
    after = sorted([*before, new], key=lambda assignment: assignment.valid_from)
    return _assess(before, after, valid_from, by, exempt=not before and being_set_up())


def assess_revoking(assignment: CategoryAssignment, by) -> Assessment:
    """Return what revoking an assignment would change, and why that needs a second person."""
    before = assignments_of(assignment.player_id)
    after = [kept for kept in before if kept.pk != assignment.pk]
    return _assess(before, after, assignment.valid_from, by, exempt=False, revoked=assignment)


def _assess(
    before, after, day: date, by, *, exempt: bool, revoked: CategoryAssignment | None = None
) -> Assessment:
    today = standings.today()
    change, ladder = change_of(before, after, day, today), list(Category.objects.on(day))
    if exempt:
        return Assessment(change, ladder, ())
    reasons = (revoking_reasons if revoked else approval_reasons)(change, ladder, today)
    many = count_changes_alone(by, today) >= MOST_ALONE
    why = {"backdated": reasons.backdated, "steps": reasons.steps, "many": many}
    why["approved"] = revoked is not None and revoked.by_two
    return Assessment(change, ladder, tuple(code for code, applies in why.items() if applies))


def lock_account(by) -> None:
    """Lock the account until the transaction ends, so that simultaneous changes are all counted.

    The caller must have locked the players before. `by` is None on the command line.
    """
    list(get_user_model().objects.select_for_update(no_key=True).filter(pk=by and by.pk).values_list("pk"))


def count_changes_alone(by, today: date) -> int:
    """Return how many changes of categories the account made today without a second person.

    Assignments and revocations by hand count, and changes by imported lists. Changes that a second person
    approved do not count.
    """
    begin = timezone.make_aware(datetime.combine(today, time.min))
    by_hand = CategoryAssignment.objects.filter(
        created_by=by, created_at__gte=begin, origin=CategoryAssignment.Origin.MANUAL, by_two=False
    )
    revoked = CategoryAssignment.objects.filter(revoked_by=by, revoked_at__gte=begin, revoked_alone=True)
    lists = OfficeImport.objects.filter(
        applied_by=by, applied_at__gte=begin, kind=OfficeImport.Kind.CATEGORIES, by_two=False
    )
    undone = OfficeImport.objects.filter(
        undone_by=by, undone_at__gte=begin, kind=OfficeImport.Kind.CATEGORIES
    )
    by_lists = sum(written.get("alone", 0) for written in lists.values_list("written", flat=True))
    by_lists += sum(written.get("undone_alone", 0) for written in undone.values_list("written", flat=True))
    return by_hand.count() + revoked.count() + by_lists


def proposal_key(player_id: int) -> str:
    """Return `Proposal.key` for proposals about this player's category. Only one can be pending at a time."""
    return f"player:{player_id}"


@transaction.atomic
def assign(
    player: Player,
    category: Category,
    valid_from: date,
    reason: str,
    by,
    *,
    evidence: str,
    follows: int | None = None,
) -> CategoryAssignment | Proposal:
    """Assign a category, or propose it if it needs a second person.

    Return the assignment or the proposal. The arguments and errors are those of
    `categories.build_assignment`.
    """
    categories.lock([player.pk])
    lock_account(by)
    checked = categories.build_assignment(
        player, category, valid_from, reason, by, evidence=evidence, follows=follows
    )
    if not assess_assigning(player, category, valid_from, by).why:
        return categories.assign(player, category, valid_from, reason, by, evidence=evidence, follows=follows)
    data = {
        "player": player.pk,
        "number": player.number,
        "category": category.code,
        "valid_from": valid_from.isoformat(),
        "follows": follows,
    }
    return propose(
        KIND, by, data, key=proposal_key(player.pk), reason=checked.reason, evidence=checked.evidence
    )


@transaction.atomic
def revoke(
    assignment: CategoryAssignment, reason: str, by, *, evidence: str
) -> CategoryAssignment | Proposal:
    """Revoke an assignment, or propose it if it needs a second person.

    Return the assignment or the proposal. The errors are those of `categories.revoke`.
    """
    categories.lock([assignment.player_id])
    lock_account(by)
    if not assess_revoking(assignment, by).why:
        return categories.revoke(assignment.pk, reason, by, evidence=evidence, alone=True)
    reason, evidence = categories.clean_justification(reason, evidence)
    data = {
        "player": assignment.player_id,
        "number": assignment.player.number,
        "category": assignment.category.code,
        "valid_from": assignment.valid_from.isoformat(),
        "revokes": assignment.pk,
    }
    return propose(KIND, by, data, key=proposal_key(assignment.player_id), reason=reason, evidence=evidence)


# --- The second person -----------------------------------------------------------------------------------
def effect_sentences(assessment: Assessment, today: date) -> list[str]:
    """Return sentences that describe the effect of a change of a player's category.

    They name the old and the new category. They say whether today's category changes, and on which past days
    the category changes. If a second person is needed, they say why.
    """
    change, lang = assessment.change, get_language() or ""
    values = {
        "day": format_date(change.day, lang),
        "steps": steps_words(change.steps(assessment.ladder)),
        "before": code_words(change.before),
        "after": code_words(change.after),
        "now": code_words(change.today_before),
        "then": code_words(change.today_after),
        "until": format_date(change.until, lang) if change.until else "",
        "past": past_words(change, today),
    }
    if not change.moves:
        text = _("From %(day)s on the category stays %(before)s: nothing else is different.")
    elif change.until:
        text = _("From %(day)s to before %(until)s: %(before)s → %(after)s (%(steps)s).")
    else:
        text = _("From %(day)s on: %(before)s → %(after)s (%(steps)s).")
    sentences = [text % values]
    if change.today_before != change.today_after:
        sentences.append(_("Today's list changes: %(now)s → %(then)s.") % values)
    if values["past"]:
        text = _("Lists of past days change: %(past)s. Tournaments already scored keep their points.")
        sentences.append(text % values)
    return [*sentences, *(str(WHY[code]) for code in assessment.why)]


class CategoryAct(ProposedAct):
    """Assigns or revokes a category.

    `data` contains player (an id), number, category and valid_from. When assigning, it also contains follows.
    This is the id of the player's later assignment, at whose start the new category ends, or None. When
    revoking, `data` also contains revokes: the id of the assignment to revoke.
    """

    kind = KIND
    label = gettext_lazy("Category by hand")

    def title(self, proposal: Proposal) -> str:
        data = proposal.data
        text = _("Number %(number)s: %(code)s from %(day)s")
        if "revokes" in data:
            text = _("Number %(number)s: revoke %(code)s of %(day)s")
        day = format_date(date.fromisoformat(data["valid_from"]), get_language() or "")
        return text % {"number": data["number"], "code": data["category"], "day": day}

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        names = names_for(viewer, (proposal.data["player"] for proposal in proposals))
        return {proposal.pk: names[proposal.data["player"]] for proposal in proposals}

    def _assess(self, proposal: Proposal) -> Assessment:
        data = proposal.data
        if "revokes" in data:
            return assess_revoking(CategoryAssignment.objects.get(pk=data["revokes"]), proposal.prepared_by)
        return assess_assigning(
            Player.objects.get(pk=data["player"]), _category(proposal), _day(proposal), proposal.prepared_by
        )

    def effect(self, proposal: Proposal, viewer) -> Effect:
        assessment = self._assess(proposal)
        player = Player.objects.get(pk=proposal.data["player"])
        name = f"{name_for(viewer, player)} ({player.number})"
        facts = as_facts(assessment.change, assessment.ladder)
        content = repr((sorted(facts.items(), key=str), player.pk))
        sentences = [name, *effect_sentences(assessment, standings.today())]
        return Effect(sentences, hashlib.sha256(content.encode()).hexdigest())

    def obstacles(self, proposal: Proposal) -> list[str]:
        player = Player.objects.select_related("merged_into").get(pk=proposal.data["player"])
        if player.merged_into_id:
            text = _("Number %(number)s was merged into %(kept)s: prepare it for that one.")
            return [text % {"number": player.number, "kept": player.merged_into.number}]
        try:
            if revokes := proposal.data.get("revokes"):
                if CategoryAssignment.objects.filter(pk=revokes, revoked_at__isnull=False).exists():
                    return [_("This category was already revoked.")]
            else:
                categories.build_assignment(player, by=proposal.prepared_by, **_arguments(proposal))
        except ValidationError as error:
            return error.messages
        return []

    def perform(self, proposal: Proposal, by) -> dict:
        if revokes := proposal.data.get("revokes"):
            assignment = categories.revoke(revokes, proposal.reason, by, evidence=proposal.evidence)
        else:
            player = Player.objects.get(pk=proposal.data["player"])
            assignment = categories.assign(player, by=by, by_two=True, **_arguments(proposal))
        return {"assignment": assignment.pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        return [_("It stands in the player's history of categories.")] if proposal.result else []


def _category(proposal: Proposal) -> Category:
    return Category.objects.get(code=proposal.data["category"])


def _day(proposal: Proposal) -> date:
    return date.fromisoformat(proposal.data["valid_from"])


def _arguments(proposal: Proposal) -> dict:
    """Return the keyword arguments for `categories.assign` from the proposal, except player and `by`."""
    return {
        "category": _category(proposal),
        "valid_from": _day(proposal),
        "reason": proposal.reason,
        "evidence": proposal.evidence,
        "follows": proposal.data["follows"],
    }
