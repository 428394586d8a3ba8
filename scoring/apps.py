from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = _("Points")

    def ready(self) -> None:
        from players.proposals import register
        from players.services import limits
        from players.services.changes import players_changed
        from scoring.ledger import work
        from scoring.ledger.models import ScoringRun
        from scoring.ledger.services import runs
        from scoring.office.acts.categories import CategoryAct
        from scoring.office.acts.imports import ImportAct, UndoImportAct
        from scoring.office.acts.merges import MergeAct
        from scoring.office.services import retention
        from scoring.office.services.adjustments import AdjustmentAct
        from scoring.promotions.models import CampaignTask
        from scoring.promotions.services import work as campaign_tasks
        from scoring.ratings.models import RatingReplay
        from scoring.ratings.services import replays
        from scoring.receivers import make_year_totals, refresh_standings
        from scoring.uploads.approval_act import TournamentAct

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
        work.register(work.Kind(ScoringRun, runs.score))
        work.register(work.Kind(RatingReplay, replays.replay))
        work.register(work.Kind(CampaignTask, campaign_tasks.perform, due_column="due_on", retried=False))
        work.register_daily(lambda day: limits.prune())
        work.register_daily(retention.apply)
