from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CasesConfig(AppConfig):
    name = "scoring.cases"
    verbose_name = _("Cases")

    def ready(self) -> None:
        from players import inbox
        from scoring.cases import notices, services, waiting
        from scoring.cases.queries import measures
        from scoring.clubs import inbox as desk
        from scoring.clubs import quality
        from scoring.ledger import work
        from scoring.letters import registry

        work.register_daily(services.escalate)
        work.register_daily(services.expire)
        quality.register(measures.finding_of)
        inbox.register(waiting.TO_ANSWER)
        inbox.register(waiting.ANSWERED)
        desk.register(waiting.matters_of)
        registry.register(notices.ANSWERED, notices.NEW)
