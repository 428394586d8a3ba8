from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OfficeConfig(AppConfig):
    name = "scoring.office"
    verbose_name = _("Office")

    def ready(self) -> None:
        from players.proposals import register
        from scoring.ledger import work
        from scoring.office.acts.categories import CategoryAct
        from scoring.office.acts.imports import ImportAct, UndoImportAct
        from scoring.office.acts.merges import MergeAct, UndoMergeAct
        from scoring.office.acts.rescore import RescoreAct
        from scoring.office.lists import imports
        from scoring.office.lists.issues import OFFICE_ISSUES
        from scoring.office.services import retention
        from scoring.office.services.adjustments import AdjustmentAct
        from tournaments.formats.catalogue import add_issues
        from tournaments.services import pipeline

        add_issues(OFFICE_ISSUES)
        pipeline.register(imports.UPLOADS)
        lists, merges = (ImportAct, UndoImportAct), (MergeAct, UndoMergeAct)
        for act in (AdjustmentAct, CategoryAct, *lists, *merges, RescoreAct):
            register(act())
        work.register_daily(retention.delete_due_files)
