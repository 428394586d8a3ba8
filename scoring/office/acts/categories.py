"""A category given or revoked by hand, as a second person sees it."""

import hashlib
from datetime import date

from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.access import name_for
from players.category_changes import as_facts
from players.models import Category, CategoryAssignment, Player, Proposal
from players.proposals import Act, Effect
from players.services import categories
from scoring.office.category_wording import code_words, past_words, steps_words
from scoring.office.services import category_changes
from scoring.office.services.category_changes import Looked
from ui.formatting import format_date

WHY = {
    "backdated": gettext_lazy("A second person is needed because a day that is over changes."),
    "steps": gettext_lazy(
        "A second person is needed because it is not a single step up, counted from yesterday's category too."
    ),
    "many": gettext_lazy("A second person is needed because one person changed many categories today."),
}


def sentences_of(looked: Looked, today: date) -> list[str]:
    """What changes: category, lists of today, past days, and why that needs two."""
    change, lang = looked.change, get_language() or ""
    said = {
        "day": format_date(change.day, lang), "steps": steps_words(change.steps(looked.ladder)),
        "before": code_words(change.before), "after": code_words(change.after),
        "now": code_words(change.today_before), "then": code_words(change.today_after),
        "until": format_date(change.until, lang) if change.until else "",
        "past": past_words(change, today),
    }  # fmt: skip
    found = []
    if not change.moves:
        found.append(_("From %(day)s on the category stays %(before)s: nothing else is different.") % said)
    elif change.until:
        found.append(_("From %(day)s to before %(until)s: %(before)s → %(after)s (%(steps)s).") % said)
    else:
        found.append(_("From %(day)s on: %(before)s → %(after)s (%(steps)s).") % said)
    if change.today_before != change.today_after:
        found.append(_("Today's list changes: %(now)s → %(then)s.") % said)
    if said["past"]:
        text = _("Lists of past days change: %(past)s. Tournaments already scored keep their points.")
        found.append(text % said)
    return [*found, *(str(WHY[code]) for code in looked.why)]


class CategoryAct(Act):
    """Gives or revokes a category. `data`: player, number, category, valid_from; follows, or revokes."""

    kind = category_changes.KIND
    label = gettext_lazy("Category by hand")

    def title(self, proposal: Proposal) -> str:
        data = proposal.data
        text = _("Number %(number)s: %(code)s from %(day)s")
        if "revokes" in data:
            text = _("Number %(number)s: revoke %(code)s of %(day)s")
        day = format_date(date.fromisoformat(data["valid_from"]), get_language() or "")
        return text % {"number": data["number"], "code": data["category"], "day": day}

    def _looked(self, proposal: Proposal) -> Looked:
        data = proposal.data
        if "revokes" in data:
            return category_changes.looked_at_revoking(
                CategoryAssignment.objects.get(pk=data["revokes"]), proposal.prepared_by
            )
        return category_changes.looked_at_giving(
            Player.objects.get(pk=data["player"]), _category(proposal), _day(proposal), proposal.prepared_by
        )

    def effect(self, proposal: Proposal, viewer) -> Effect:
        looked = self._looked(proposal)
        player = Player.objects.get(pk=proposal.data["player"])
        who = f"{name_for(viewer, player)} ({player.number})"
        seen = repr((sorted(as_facts(looked.change, looked.ladder).items(), key=str), player.pk))
        sentences = [who, *sentences_of(looked, category_changes.standings.today())]
        return Effect(sentences, hashlib.sha256(seen.encode()).hexdigest())

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
                categories.build_assignment(player, by=proposal.prepared_by, **_said(proposal))
        except ValidationError as refused:
            return refused.messages
        return []

    def perform(self, proposal: Proposal, by) -> dict:
        if revokes := proposal.data.get("revokes"):
            done = categories.revoke(revokes, proposal.reason, by, evidence=proposal.evidence)
        else:
            player = Player.objects.get(pk=proposal.data["player"])
            done = categories.assign(player, by=by, **_said(proposal))
        return {"assignment": done.pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        return [_("It stands in the player's history of categories.")] if proposal.result else []


def _category(proposal: Proposal) -> Category:
    return Category.objects.get(code=proposal.data["category"])


def _day(proposal: Proposal) -> date:
    return date.fromisoformat(proposal.data["valid_from"])


def _said(proposal: Proposal) -> dict:
    """The arguments of giving it, without player and account."""
    return {
        "category": _category(proposal), "valid_from": _day(proposal), "reason": proposal.reason,
        "evidence": proposal.evidence, "follows": proposal.data["follows"],
    }  # fmt: skip
