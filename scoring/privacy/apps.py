from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PrivacyConfig(AppConfig):
    name = "scoring.privacy"
    verbose_name = _("Personal data")

    def ready(self) -> None:
        from players import proposals
        from scoring.ledger import work
        from scoring.letters.choices import choices_changed
        from scoring.privacy import copies, erasing, log, sanity
        from scoring.privacy.erasure_act import ErasureAct
        from scoring.privacy.models import DataCopy, Erasure
        from ui.sanity import register

        proposals.register(ErasureAct())
        register(*sanity.CHECKS)
        work.register(work.Kind(DataCopy, copies.make, batch=2, patient=True))
        work.register(work.Kind(Erasure, erasing.erase_rest))
        choices_changed.connect(log.note_mail)
        work.register_daily(copies.delete_old)
