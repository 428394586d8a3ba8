from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnulmentsConfig(AppConfig):
    name = "scoring.annulments"
    verbose_name = _("Annulled tournaments")

    def ready(self) -> None:
        from players.proposals import register
        from scoring.annulments.annulment_act import AnnulmentAct

        register(AnnulmentAct())
