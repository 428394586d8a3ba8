from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = _("Points")

    def ready(self) -> None:
        from players.proposals import register
        from players.services.changes import players_changed
        from scoring.acts.categories import CategoryAct
        from scoring.acts.imports import ImportAct, UndoImportAct
        from scoring.acts.merges import MergeAct
        from scoring.approval_act import TournamentAct
        from scoring.receivers import make_year_totals, refresh_standings
        from scoring.services.adjustments import AdjustmentAct

        players_changed.connect(refresh_standings)
        post_migrate.connect(make_year_totals, sender=self)
        for act in (
            AdjustmentAct(),
            CategoryAct(),
            ImportAct(),
            UndoImportAct(),
            MergeAct(),
            TournamentAct(),
        ):
            register(act)
