from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LettersConfig(AppConfig):
    name = "scoring.letters"
    verbose_name = _("Letters")

    def ready(self) -> None:
        from players.services.proposals import proposal_changed
        from scoring.ledger import work
        from scoring.ledger.services.posting import posted
        from scoring.letters import occasions, sending
        from scoring.letters.models import Letter

        work.register(work.Kind(Letter, sending.send, batch=1, patient=True))
        work.register_daily(occasions.ask_for_results)
        work.register_daily(sending.prune)
        posted.connect(occasions.tell_of_points)
        proposal_changed.connect(occasions.tell_of_proposal)
