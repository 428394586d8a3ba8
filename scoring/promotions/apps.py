from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PromotionsConfig(AppConfig):
    name = "scoring.promotions"
    verbose_name = _("Year-end change")

    def ready(self) -> None:
        from players import inbox
        from players.proposals import register
        from scoring.ledger import work
        from scoring.letters import registry
        from scoring.promotions import notices, sanity, waiting
        from scoring.promotions.models import CampaignTask, Simulation
        from scoring.promotions.reversal_act import ReversalAct
        from scoring.promotions.services import simulations
        from scoring.promotions.services import work as campaign_work
        from ui.sanity import register as register_checks

        register(ReversalAct())
        register_checks(*sanity.CHECKS)
        for source in (waiting.CampaignSteps(), waiting.PublishedLists(), waiting.AnsweredClaims()):
            inbox.register(source)
        registry.register(notices.PUBLISHED, notices.ANSWERED)
        work.register(
            work.Kind(CampaignTask, campaign_work.perform, due_column="due_on", retried=False, long=True)
        )
        work.register(work.Kind(Simulation, simulations.perform, long=True))
        work.register_daily(simulations.delete_old)
