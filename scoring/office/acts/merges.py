"""The act of merging two numbers whose names differ."""

import hashlib

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from players.models import Player, PlayerMerge, Proposal
from players.proposals import Act, Effect
from scoring.office.queries.merges import player_summaries
from scoring.office.services import merges
from scoring.office.tables.merges import CompareTable, DuplicateAwardsTable, comparison_records
from scoring.promotions.queries.merges import running_lists


class MergeAct(Act):
    """The act of merging one player number into another.

    `data`: duplicate and kept (the players' ids), numbers (of both, the duplicate's first), and met
    (the fingerprint, when the proposal was prepared, of the awards of one family, day and title that
    both numbers have)
    """

    kind = merges.KIND
    label = gettext_lazy("Merging of two numbers")

    def title(self, proposal: Proposal) -> str:
        number, kept = proposal.data["numbers"]
        return _("Merge %(number)s into %(kept)s") % {"number": number, "kept": kept}

    def effect(self, proposal: Proposal, viewer) -> Effect:
        duplicate, kept = _players(proposal)
        summaries = player_summaries([duplicate, kept])
        awards = merges.duplicate_awards(duplicate, kept)
        with override("en"):  # the digest must not depend on the reader's language
            content = repr((comparison_records(*summaries), awards))
        values = {
            "number": duplicate.number,
            "name": duplicate.desk_name,
            "kept": kept.number,
            "other": kept.desk_name,
        }
        return Effect(
            [
                _(
                    "Everything of %(number)s (%(name)s) goes to %(kept)s (%(other)s). "
                    "The names differ: make sure that this is one person."
                )
                % values,
                _("Categories are not merged. It can be undone."),
            ],
            hashlib.sha256(content.encode()).hexdigest(),
            "office/_merge_effect.html",
            {
                "compared": CompareTable(*summaries),
                "duplicate_awards": DuplicateAwardsTable(awards) if awards else None,
                "listed": running_lists([duplicate, kept]),
            },
        )

    def obstacles(self, proposal: Proposal) -> list[str]:
        duplicate, kept = _players(proposal)
        sentences = merges.obstacles(duplicate, kept)
        if merges.fingerprint(merges.duplicate_awards(duplicate, kept)) != proposal.data["met"]:
            sentences.append(
                _("Both numbers have other awards of one title and day than when it was prepared: return it.")
            )
        return sentences

    def perform(self, proposal: Proposal, by) -> dict:
        record = merges.merge(*_players(proposal), proposal.reason, by, proposal.data["met"])
        return {"merge": record.pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        if "merge" not in proposal.result:
            return []
        record = PlayerMerge.objects.select_related("duplicate", "kept").get(pk=proposal.result["merge"])
        values = {"number": record.duplicate.number, "kept": record.kept.number}
        if record.undone_at:
            return [_("Number %(number)s was merged into %(kept)s, and parted again since.") % values]
        return [_("Number %(number)s was merged into %(kept)s.") % values]


def _players(proposal: Proposal) -> tuple[Player, Player]:
    """Return the current duplicate and the player to keep."""
    ids = (proposal.data["duplicate"], proposal.data["kept"])
    players = Player.objects.select_related("merged_into").in_bulk(ids)
    return players[ids[0]], players[ids[1]]
