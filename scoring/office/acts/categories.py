"""The act of assigning or revoking a category by hand."""

import hashlib
from collections.abc import Sequence
from datetime import date

from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.access import name_for, names_for
from players.category_changes import as_facts
from players.models import Category, CategoryAssignment, Player, Proposal
from players.proposals import Act, Effect
from players.services import categories
from scoring.ledger.services import standings
from scoring.office.category_wording import code_words, past_words, steps_words
from scoring.office.services import category_changes
from scoring.office.services.category_changes import Assessment
from ui.formatting import format_date

WHY = {
    "backdated": gettext_lazy("A second person is needed because a day that is over changes."),
    "steps": gettext_lazy(
        "A second person is needed because it is not a single step up, counted from yesterday's category too."
    ),
    "many": gettext_lazy("A second person is needed because one person changed many categories today."),
    "approved": gettext_lazy("A second person is needed because two persons gave it."),
}


def effect_sentences(assessment: Assessment, today: date) -> list[str]:
    """Return sentences that describe the effect of a change of a player's category.

    They name the old and the new category, say whether today's list and those of past days change, and why
    a second person is needed, if one is.
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


class CategoryAct(Act):
    """Assigns or revokes a category.

    `data` contains player (an id), number, category and valid_from. When assigning, it also contains follows:
    the id of the later assignment that replaces the new one, if any. When revoking, it also contains revokes:
    the id of the assignment to revoke.
    """

    kind = category_changes.KIND
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
            return category_changes.assess_revoking(
                CategoryAssignment.objects.get(pk=data["revokes"]), proposal.prepared_by
            )
        return category_changes.assess_assigning(
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
    """Return the arguments for `categories.assign` that the proposal contains, without player and account."""
    return {
        "category": _category(proposal),
        "valid_from": _day(proposal),
        "reason": proposal.reason,
        "evidence": proposal.evidence,
        "follows": proposal.data["follows"],
    }
