from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OfficeConfig(AppConfig):
    name = "scoring.office"
    verbose_name = _("Office")

    def ready(self) -> None:
        from players import inbox
        from players.proposals import register
        from players.services.changes import players_changed
        from scoring.ledger import brought_in, work
        from scoring.office import person_sections, waiting
        from scoring.office.case_section import case_section
        from scoring.office.lists import imports, opening, writing
        from scoring.office.lists.acts import ImportAct, UndoImportAct
        from scoring.office.lists.issues import OFFICE_ISSUES
        from scoring.office.models import CountableSearch, DuplicateSearch, LicenceRenewal, ListTask
        from scoring.office.services import countable, duplicates, renewals, retention
        from scoring.office.services.adjustments import AdjustmentAct
        from scoring.office.services.category_changes import CategoryAct
        from scoring.office.services.merge_proposals import MergeAct, UndoMergeAct
        from scoring.office.services.rescore import RescoreAct
        from tournaments.formats.catalogue import add_issues
        from tournaments.services import pipeline, stored_files

        add_issues(OFFICE_ISSUES)
        pipeline.register(imports.UPLOADS)
        brought_in.register(opening.brought_in)
        for act in (
            AdjustmentAct(),
            CategoryAct(),
            ImportAct(),
            UndoImportAct(),
            MergeAct(),
            UndoMergeAct(),
            RescoreAct(),
        ):
            register(act)
        for source in (
            waiting.PointsToApprove(),
            waiting.Approvals(),
            waiting.Returned(),
            waiting.Lists(),
            waiting.CouldCountNow(),
            waiting.Duplicates(),
            waiting.WithoutCategory(),
        ):
            inbox.register(source)
        work.register(work.Kind(DuplicateSearch, duplicates.perform, patient=True))
        work.register(work.Kind(CountableSearch, countable.perform, patient=True, long=True))
        players_changed.connect(countable.ask_after_change)
        person_sections.register(case_section)
        work.register(work.Kind(LicenceRenewal, renewals.perform))
        work.register(work.Kind(ListTask, writing.perform, long=True))
        work.register_daily(duplicates.ask)
        work.register_daily(countable.ask_daily)
        work.register_daily(retention.delete_due_files)
        work.register_daily(stored_files.sweep)
