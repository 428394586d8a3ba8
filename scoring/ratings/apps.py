from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "scoring.ratings"
    verbose_name = _("Go ratings")

    def ready(self) -> None:
        from scoring.ledger import work
        from scoring.ratings.models import RatingReplay
        from scoring.ratings.services import replays

        work.register(work.Kind(RatingReplay, replays.replay))
