from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class LedgerConfig(AppConfig):
    name = "scoring.ledger"
    verbose_name = _("Points")

    def ready(self) -> None:
        from players import inbox
        from players.services import limits
        from players.services.changes import players_changed
        from scoring.ledger import sanity, waiting, work
        from scoring.ledger.checks import check_rulings
        from scoring.ledger.models import ScoringRun
        from scoring.ledger.services import runs, standings
        from ui.sanity import register

        checks.register(check_rulings)
        players_changed.connect(standings.refresh_changed_players)
        post_migrate.connect(standings.make_year_totals, sender=self)
        inbox.register(waiting.FailedRuns())
        inbox.register(waiting.Corrections())
        register(*sanity.CHECKS)
        work.register(work.Kind(ScoringRun, runs.score))
        work.register_daily(lambda day: limits.prune())
