from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SignUpsConfig(AppConfig):
    name = "scoring.signups"
    verbose_name = _("New accounts of members")

    def ready(self) -> None:
        from players.services import signups
        from scoring.ledger import work
        from scoring.signups import sending
        from scoring.signups.models import SignUpLetter

        work.register(work.Kind(SignUpLetter, sending.send, batch=1, patient=True))
        work.register_daily(signups.delete_old)
        work.register_daily(sending.prune)
