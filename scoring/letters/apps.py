from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LettersConfig(AppConfig):
    name = "scoring.letters"
    verbose_name = _("Notices")

    def ready(self) -> None:
        from players.services.categories import categories_changed
        from players.services.proposals import proposal_changed
        from scoring.ledger import work
        from scoring.ledger.services.posting import posted
        from scoring.letters import kinds, notifying, occasions, registry, sanity, sending, weekly
        from scoring.letters.models import Broadcast, Letter
        from ui.sanity import register

        register(*sanity.CHECKS)
        registry.register(
            kinds.AWARDS,
            kinds.OWN_POINTS,
            kinds.LEAVING,
            kinds.CATEGORY,
            kinds.POINTS,
            kinds.WAITING,
            kinds.RETURNED,
            kinds.CORRECTED,
            kinds.MISSING,
            kinds.CLUB_MISSING,
            kinds.STALE,
        )
        work.register(work.Kind(Letter, sending.send, batch=1, patient=True))
        work.register(work.Kind(Broadcast, notifying.perform_broadcast))
        work.register_daily(occasions.ask_for_results)
        work.register_daily(occasions.ask_for_confirmation)
        work.register_daily(occasions.tell_of_leaving)
        work.register_daily(weekly.queue_weekly_letters)
        work.register_daily(sending.prune)
        posted.connect(occasions.tell_of_points)
        proposal_changed.connect(occasions.tell_of_proposal)
        categories_changed.connect(occasions.tell_of_categories)
