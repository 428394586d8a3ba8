from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AuditConfig(AppConfig):
    name = "scoring.audit"
    verbose_name = _("Audits")

    def ready(self) -> None:
        from scoring.audit import sanity
        from scoring.audit.models import AuditRun
        from scoring.audit.services import perform
        from scoring.ledger import work
        from ui.sanity import register

        register(*sanity.CHECKS)
        work.register(work.Kind(AuditRun, perform, patient=True))
