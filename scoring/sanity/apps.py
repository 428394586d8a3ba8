from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SanityConfig(AppConfig):
    name = "scoring.sanity"
    verbose_name = _("Sanity checks")

    def ready(self) -> None:
        from scoring.ledger import work
        from scoring.sanity import services
        from scoring.sanity.models import SanityRun

        work.register(work.Kind(SanityRun, services.perform, patient=True))
        work.register_daily(services.ask_daily)
