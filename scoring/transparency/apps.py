from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TransparencyConfig(AppConfig):
    name = "scoring.transparency"
    verbose_name = _("Transparency log")

    def ready(self) -> None:
        from django.core import checks

        from scoring.ledger import freshness, work
        from scoring.letters import registry
        from scoring.transparency import keys, mailing, services, watching, witnessing
        from scoring.transparency.models import WitnessRound

        checks.register(keys.check_keys, checks.Tags.security)
        work.register_sweep(services.append_if_due)
        work.register(work.Kind(WitnessRound, witnessing.perform, patient=True))
        work.register_daily(mailing.send_checkpoint)
        registry.register(mailing.CHECKPOINT, mailing.COMMITTEE_CHECKPOINT)
        freshness.register(watching.APPENDED)
        freshness.register(watching.WITNESSED)
