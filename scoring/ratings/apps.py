from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "scoring.ratings"
    verbose_name = _("Go ratings")

    def ready(self) -> None:
        from players import inbox, proposals
        from scoring.ledger import work
        from scoring.letters import registry
        from scoring.ratings import notices, waiting
        from scoring.ratings.issues import RATING_ISSUES
        from scoring.ratings.link_act import GoLinkAct
        from scoring.ratings.models import RatingReplay
        from scoring.ratings.services import register, replays
        from tournaments.formats.catalogue import add_issues
        from tournaments.services import pipeline

        proposals.register(GoLinkAct())
        add_issues(RATING_ISSUES)
        inbox.register(waiting.FailedReplays())
        inbox.register(waiting.GoDrafts())
        pipeline.register(register.KIND)
        registry.register(notices.RATED, notices.CHANGED)
        work.register(work.Kind(RatingReplay, replays.replay))
