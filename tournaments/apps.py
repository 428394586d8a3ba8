from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        from players import inbox
        from tournaments import sanity, waiting
        from tournaments.services import pipeline, uploads
        from ui.sanity import register

        pipeline.register(uploads.KIND)
        register(*sanity.CHECKS)
        for source in (waiting.REPEATED_DRAFTS, waiting.DRAFTS, waiting.MISSING_RESULTS):
            inbox.register(source)
