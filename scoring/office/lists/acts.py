"""The acts of applying and undoing an imported list."""

import hashlib
from collections.abc import Mapping, Sequence

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from players.models import Proposal
from players.proposals import Effect, ProposedAct
from scoring.office.lists import imports, rows, tasks, writing
from scoring.office.lists.plan import PlanLine
from scoring.office.models import ListRow, OfficeImport
from scoring.office.tables.imports import PlanTable, RowPages, conflict_table
from ui.clock import today
from ui.counting import counted
from ui.progress import Progress

WHY = {
    "many": ngettext_lazy(
        "%(count)s line changes a category, which is more than one person may alone on a day.",
        "%(count)s lines change a category, which is more than one person may alone on a day.",
        "count",
    ),
    "backdated": ngettext_lazy(
        "%(count)s line holds from a day that is over: past lists change.",
        "%(count)s lines hold from a day that is over: past lists change.",
        "count",
    ),
    "steps": ngettext_lazy(
        "%(count)s line is not a single step up, counted from yesterday's category too.",
        "%(count)s lines are not a single step up, counted from yesterday's category too.",
        "count",
    ),
    "points": ngettext_lazy(
        "%(count)s award is of somebody who has points already, or comes after the first tournament.",
        "%(count)s awards are of players who have points already, or come after the first tournament.",
        "count",
    ),
    "adjustments": ngettext_lazy(
        "%(count)s line gives another number of points than the ledger has: an adjustment.",
        "%(count)s lines give other numbers of points than the ledger has: adjustments.",
        "count",
    ),
    "names": ngettext_lazy(
        "%(count)s person gets a name that has no word of the former one.",
        "%(count)s people get names that have no word of the former ones.",
        "count",
    ),
}

WHY_UNDO = WHY | {
    "points": ngettext_lazy(
        "%(count)s award that has been given would be taken back.",
        "%(count)s awards that have been given would be taken back.",
        "count",
    ),
    "approved": gettext_lazy("A second person approved it when it was applied."),
}


def second_person_reasons(second: Mapping[str, int], why: Mapping[str, Promise] = WHY) -> list[str]:
    """Return sentences that explain why applying or undoing an imported list needs a second person.

    second: {code of a reason: number of lines that it concerns}
    why: {code of a reason: sentence}; pass `WHY_UNDO` for undoing a list
    """
    return [str(words % {"count": second[code]}) for code, words in why.items() if second.get(code)]


def rows_table(batch: OfficeImport, number: int, with_private: bool = False) -> PlanTable:
    """Return a table of what a list changes, or has changed if it is applied.

    Only the page that is shown is read.

    number: how many rows change something, which the list has stored
    """
    changing = batch.rows.exclude(change="")

    def lines(records: list[ListRow]) -> list[PlanLine]:
        return rows.lines(records, with_private)

    return PlanTable(RowPages(changing.order_by("line"), lines, lambda: number))


def applied_table(batch: OfficeImport) -> PlanTable:
    """Return a table of what an applied list changed, with the players' current names."""
    table = rows_table(batch, sum(batch.counts.get(key, 0) for key in ("added", "changed")))
    table.orderable = False  # names are not stored
    return table


class _ListAct(ProposedAct):
    """Base of the acts of applying and undoing a list.

    `data` contains batch (the list's id), file_name, kind (of list), and lines (how many lines would be
    written or undone).
    """

    heading: str  # lazily translated title, with placeholders for the file and the kind of list

    def title(self, proposal: Proposal) -> str:
        kind = OfficeImport.Kind(proposal.data["kind"]).label
        return self.heading % {"file": proposal.data["file_name"], "kind": kind}

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        return {
            proposal.pk: counted(proposal.data["lines"], "line")
            for proposal in proposals
            if "lines" in proposal.data
        }

    def under_way(self, proposal: Proposal) -> Progress | None:
        if not (task := tasks.open_task_of(proposal)):
            return None
        url = reverse("proposal_progress", args=[proposal.pk])
        return tasks.progress_of(task, url, proposal.get_absolute_url())


def _list_of(proposal: Proposal) -> OfficeImport:
    return OfficeImport.objects.get(pk=proposal.data["batch"])


class ImportAct(_ListAct):
    """Applies an imported list. `data` also contains digest: the digest of the proposed plan."""

    kind = imports.KIND
    label = gettext_lazy("List of the office")
    heading = gettext_lazy("Apply the list %(file)s (%(kind)s)")

    def effect(self, proposal: Proposal, viewer) -> Effect:
        batch = _list_of(proposal)
        plan = imports.comparison_of(batch, proposal.prepared_by)
        text = _("This list would add %(added)s and change %(changed)s; unchanged: %(same)s.")
        return Effect(
            [text % plan.counts, *second_person_reasons(plan.second)],
            proposal.data["digest"],  # `obstacles` reports a plan with another digest
            "office/_import_effect.html",
            {"table": rows_table(batch, plan.number, with_private=True)},
        )

    def obstacles(self, proposal: Proposal) -> list[str]:
        batch = _list_of(proposal)
        if tasks.is_open(batch):
            return [str(imports.COMPARING)]
        unchanged = batch.compared.get("digest") == proposal.data["digest"]
        return [] if unchanged else [str(imports.CHANGED)]

    def start(self, proposal: Proposal, by) -> bool:
        imports.start_applying(proposal, by)
        return True

    def perform(self, proposal: Proposal, by) -> dict:
        return writing.apply_approved(proposal)

    def outcome(self, proposal: Proposal) -> list[str]:
        if not (counts := proposal.result.get("counts")):
            return []
        return [_("Added: %(added)s; changed: %(changed)s; left as they were: %(same)s.") % counts]

    def returned(self, proposal: Proposal) -> None:
        imports.reopen(proposal.data["batch"])


class UndoImportAct(_ListAct):
    """Undoes an imported list."""

    kind = imports.KIND_UNDO
    label = gettext_lazy("Undoing of a list")
    heading = gettext_lazy("Undo the list %(file)s (%(kind)s)")

    def effect(self, proposal: Proposal, viewer) -> Effect:
        batch = _list_of(proposal)
        if imports.weigh_if_needed(batch, proposal.prepared_by):
            return Effect([str(imports.COMPARING)], "")
        plan = imports.undoing_of(batch, today(), proposal.prepared_by)
        text = ngettext("%(number)s line would be undone.", "%(number)s lines would be undone.", plan.number)
        sentences = [text % {"number": plan.number}]
        if conflicts := len(plan.conflicts):
            text = ngettext("%(number)s line is left alone.", "%(number)s lines are left alone.", conflicts)
            sentences.append(text % {"number": conflicts})
        sentences += second_person_reasons(plan.second, WHY_UNDO)
        digest = hashlib.sha256(repr((plan.digest, conflicts)).encode()).hexdigest()
        tables = {"table": applied_table(batch), "conflicts": conflict_table(plan.conflicts)}
        return Effect(sentences, digest, "office/_import_effect.html", tables)

    def obstacles(self, proposal: Proposal) -> list[str]:
        batch = _list_of(proposal)
        if batch.state != OfficeImport.State.APPLIED:
            return [_("This list was already undone.")]
        return [str(imports.COMPARING)] if imports.needs_weighing(batch, today()) else []

    def start(self, proposal: Proposal, by) -> bool:
        imports.start_undoing(proposal, by)
        return True

    def perform(self, proposal: Proposal, by) -> dict:
        return writing.undo_approved(proposal)

    def outcome(self, proposal: Proposal) -> list[str]:
        return [_("The list was undone; its page says what was left alone.")] if proposal.result else []
