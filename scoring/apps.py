from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = _("Points")

    def ready(self) -> None:
        from players.services.changes import players_changed
        from scoring.receivers import refresh_standings

        players_changed.connect(refresh_standings)
