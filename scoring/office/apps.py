from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OfficeConfig(AppConfig):
    name = "scoring.office"
    verbose_name = _("Office")

    def ready(self) -> None:
        from players.proposals import register
        from scoring.ledger import work
        from scoring.office.lists import imports
        from scoring.office.lists.acts import ImportAct, UndoImportAct
        from scoring.office.lists.issues import OFFICE_ISSUES
        from scoring.office.services import retention
        from scoring.office.services.adjustments import AdjustmentAct
        from scoring.office.services.category_changes import CategoryAct
        from scoring.office.services.merge_proposals import MergeAct, UndoMergeAct
        from scoring.office.services.rescore import RescoreAct
        from tournaments.formats.catalogue import add_issues
        from tournaments.services import pipeline

        add_issues(OFFICE_ISSUES)
        pipeline.register(imports.UPLOADS)
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
        work.register_daily(retention.delete_due_files)
