from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DatasetConfig(AppConfig):
    name = "scoring.dataset"
    verbose_name = _("Open data")

    def ready(self) -> None:
        from players.services.changes import players_changed
        from scoring.dataset import services, watching
        from scoring.dataset.models import Dump
        from scoring.ledger import freshness, work
        from scoring.ratings.services.changes import rated_changed

        work.register(work.Kind(Dump, services.make, batch=1, patient=True, long=True))
        work.register_daily(services.ask_daily)
        work.register_sweep(services.delete_leftovers)
        players_changed.connect(services.withdraw_naming)
        rated_changed.connect(services.withdraw_rated)
        freshness.register(watching.WRITTEN)
