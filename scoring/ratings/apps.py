from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "scoring.ratings"
    verbose_name = _("Go ratings")

    def ready(self) -> None:
        from scoring.ledger import work
        from scoring.ratings.issues import RATING_ISSUES
        from scoring.ratings.models import RatingReplay
        from scoring.ratings.services import register, replays
        from tournaments.formats.catalogue import add_issues
        from tournaments.services import pipeline

        add_issues(RATING_ISSUES)
        pipeline.register(register.KIND)
        work.register(work.Kind(RatingReplay, replays.replay))
