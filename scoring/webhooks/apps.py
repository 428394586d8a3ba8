from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebhooksConfig(AppConfig):
    name = "scoring.webhooks"
    verbose_name = _("Webhooks")

    def ready(self) -> None:
        from scoring.ledger import work
        from scoring.ledger.services.posting import posted
        from scoring.letters import registry
        from scoring.promotions.acts.publish import lists_published
        from scoring.webhooks import notices, outbox, sending
        from scoring.webhooks.models import Delivery

        registry.register(notices.STOPPED)
        work.register(work.Kind(Delivery, sending.send, batch=1, patient=True))
        work.register_daily(sending.prune)
        posted.connect(outbox.note_posted)
        lists_published.connect(outbox.note_lists)
