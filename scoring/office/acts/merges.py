"""The merging of two numbers whose names differ, as a second person sees it."""

import hashlib

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from players.models import Player, PlayerMerge, Proposal
from players.proposals import Act, Effect
from scoring.office.queries.merges import portraits
from scoring.office.services import merges
from scoring.office.tables.merges import CompareTable, MetTable, compared
from scoring.promotions.queries.merges import running_lists


class MergeAct(Act):
    """Merges two numbers. `data`: duplicate and kept (players), their numbers, and met (a fingerprint)."""

    kind = merges.KIND
    label = gettext_lazy("Merging of two numbers")

    def title(self, proposal: Proposal) -> str:
        number, kept = proposal.data["numbers"]
        return _("Merge %(number)s into %(kept)s") % {"number": number, "kept": kept}

    def effect(self, proposal: Proposal, viewer) -> Effect:
        duplicate, kept = _both(proposal)
        both = portraits([duplicate, kept])
        together = merges.met(duplicate, kept)
        with override("en"):  # whatever the reader's language
            seen = repr((compared(*both), together))
        said = {
            "number": duplicate.number, "name": duplicate.desk_name, "kept": kept.number,
            "other": kept.desk_name,
        }  # fmt: skip
        return Effect(
            [
                _(
                    "Everything of %(number)s (%(name)s) goes to %(kept)s (%(other)s). "
                    "The names differ: make sure that this is one person."
                )
                % said,
                _("Categories are not merged. It can be undone."),
            ],
            hashlib.sha256(seen.encode()).hexdigest(),
            "office/_merge_effect.html",
            {
                "compared": CompareTable(*both),
                "met": MetTable(together) if together else None,
                "listed": running_lists([duplicate, kept]),
            },
        )

    def obstacles(self, proposal: Proposal) -> list[str]:
        duplicate, kept = _both(proposal)
        found = merges.obstacles(duplicate, kept)
        if merges.fingerprint(merges.met(duplicate, kept)) != proposal.data["met"]:
            found.append(
                _("Both numbers have other awards of one title and day than when it was prepared: return it.")
            )
        return found

    def perform(self, proposal: Proposal, by) -> dict:
        made = merges.merge(*_both(proposal), proposal.reason, by, proposal.data["met"])
        return {"merge": made.pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        if "merge" not in proposal.result:
            return []
        made = PlayerMerge.objects.select_related("duplicate", "kept").get(pk=proposal.result["merge"])
        said = {"number": made.duplicate.number, "kept": made.kept.number}
        if made.undone_at:
            return [_("Number %(number)s was merged into %(kept)s, and parted again since.") % said]
        return [_("Number %(number)s was merged into %(kept)s.") % said]


def _both(proposal: Proposal) -> tuple[Player, Player]:
    """The number to give up and the one to keep, as they are now."""
    known = Player.objects.select_related("merged_into").in_bulk(
        [proposal.data["duplicate"], proposal.data["kept"]]
    )
    return known[proposal.data["duplicate"]], known[proposal.data["kept"]]
